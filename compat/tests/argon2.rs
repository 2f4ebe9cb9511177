//! `rust-argon2` over hashmill's BLAKE2b, which `[patch]` puts in the place of `blake2b_simd`.

use argon2::{Config, ThreadMode, Variant, Version, hash_raw, verify_encoded};

/// RFC 9106 §5: the tags of Argon2d, Argon2i and Argon2id.
#[test]
fn published_tags() {
    let tags = [
        (Variant::Argon2d, "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb"),
        (Variant::Argon2i, "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8"),
        (Variant::Argon2id, "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"),
    ];
    for (variant, tag) in tags {
        let config = Config {
            ad: &[4; 12],
            hash_length: 32,
            lanes: 4,
            mem_cost: 32,
            secret: &[3; 8],
            thread_mode: ThreadMode::Parallel,
            time_cost: 3,
            variant,
            version: Version::Version13,
        };
        let raw = hash_raw(&[1; 32], &[2; 16], &config).expect("a tag");
        let hex: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, tag, "{variant:?}");
    }
}

/// Tags of every length up to 200 bytes use outputs of BLAKE2b of every length, and long messages.
#[test]
fn encoded_tags_of_many_lengths() {
    for hash_length in [4, 31, 63, 64, 65, 96, 97, 200] {
        let config = Config { hash_length, mem_cost: 64, time_cost: 1, ..Config::default() };
        let encoded = argon2::hash_encoded(b"password", b"a long salt", &config).expect("a tag");
        assert_eq!(verify_encoded(&encoded, b"password"), Ok(true), "{hash_length} bytes");
        assert_eq!(verify_encoded(&encoded, b"passwore"), Ok(false), "{hash_length} bytes");
    }
}
