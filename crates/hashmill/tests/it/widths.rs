//! Counters and lengths that 8, 10, 16 and 26 bits cannot hold: numbers of blocks that are derived,
//! lengths of keys, bytes of a batch on threads, and indexes of offsets. `scale.rs` tests those of
//! messages.

use crate::common::random::Random;
use hashmill::{
    Customization, Digest, Error, Hkdf, Hmac, Key, ParallelHash128, Salt, Sha224, Sha256, Sha512,
    blake2b, blake2s, kmac128, many, pbkdf2, pbkdf2_many,
};
use hashmill_reference::{blake2, hmac, names, sp800_185};

/// Numbers of a block on both sides of the places where 8 and 16 bits end.
const NUMBERS: [usize; 9] = [1, 2, 255, 256, 257, 258, 65_535, 65_536, 65_537];

/// Every block of a BLAKE2X output depends on its number alone, so a few are compared.
#[test]
fn blocks_of_blake2x() {
    macro_rules! blocks {
        ($module:ident, $block:literal, $reference:path, $unknown:expr) => {
            let mut out = vec![0; 65_540 * $block];
            let xof = blake2::Params { node_offset: $unknown << 32, ..Default::default() };
            let root = $reference(b"message", &xof);
            let mut hasher = $module::Params::new().build_xof(None).expect("no parameters");
            hasher.update(b"message").squeeze().try_fill(&mut out).expect("as many blocks");
            for number in NUMBERS {
                let params = blake2::Params {
                    fanout: 0,
                    max_depth: 0,
                    leaf_len: $block,
                    inner_len: $block,
                    node_offset: $unknown << 32 | number as u64,
                    ..Default::default()
                };
                let expected = $reference(&root, &params);
                assert_eq!(out[number * $block..][..$block], expected, "block {number}");
            }
        };
    }
    blocks!(blake2b, 64, blake2::blake2b, 0xFFFF_FFFF_u64);
    blocks!(blake2s, 32, blake2::blake2s, 0xFFFF_u64);
}

/// The same for PBKDF2 with one iteration, whose block is one HMAC.
#[test]
fn blocks_of_pbkdf2() {
    let (password, salts) = (b"password", [b"salt 1", b"salt 2"]);
    let mut out = vec![0; 65_540 * 28];
    let mut both = vec![0; 2 * 300 * 28];
    pbkdf2::<Sha224>(password, Salt(salts[0]), 1, &mut out).expect("a key");
    pbkdf2_many::<Sha224>(&[password; 2], Salt(&salts), 1, 300 * 28, &mut both).expect("keys");
    let block = |salt: &[u8], number: usize| {
        let message = [salt, &(number as u32).to_be_bytes()].concat();
        names::hmac("sha224", password, &message).expect("HMAC")
    };
    for number in NUMBERS {
        assert_eq!(out[(number - 1) * 28..][..28], block(salts[0], number), "block {number}");
        for (salt, key) in salts.iter().zip(both.chunks(300 * 28)).filter(|_| number < 300) {
            assert_eq!(key[(number - 1) * 28..][..28], block(*salt, number), "block {number}");
        }
    }
}

/// Keys, salts and secrets of lengths around 2¹⁰ and 2¹⁶ bytes.
#[test]
fn long_keys() {
    let bytes = Random::new(1).bytes((1 << 16) + 1);
    for len in [1023, 1024, 1025, 2047, 2049, (1 << 16) - 1, 1 << 16, (1 << 16) + 1] {
        let key = &bytes[..len];
        for &algorithm in hashmill::Algorithm::ALL.iter().filter(|it| it.has_hmac()) {
            // The slow reference hashes the long keys with four functions only.
            if len > 3000
                && !matches!(algorithm.tag(), "SHA256" | "SHA512" | "SHA3-256" | "BLAKE2b")
            {
                continue;
            }
            let expected = names::hmac(&algorithm.tag().to_lowercase(), key, b"message");
            let expected = expected.expect("HMAC");
            let mut any = algorithm.hmac(key).expect("HMAC");
            let what = format!("{algorithm}, a key of {len} bytes");
            assert_eq!(any.update(b"message").finalize()[..], expected, "{what}");
            let tag = algorithm.mac(Key(key), b"message").expect("HMAC");
            assert_eq!(tag[..], expected, "{what}");
        }
        let sha256 = |key: &[u8], message: &[u8]| {
            hmac::hmac(hashmill_reference::sha2::sha256, 64, key, message)
        };
        let expected = sha256(key, b"message");
        assert_eq!(Hmac::<Sha256>::new(key).hash(b"message"), expected, "{len}");
        let mut tags = [Digest::default(); 2];
        Hmac::<Sha256>::new(key).hash_many(["message"; 2], &mut tags).expect("tags");
        assert!(tags.iter().all(|tag| *tag == expected), "{len}");
        // PBKDF2's password is a key, HKDF's salt and its pseudorandom key, too.
        let mut out = [0; 32];
        pbkdf2::<Sha256>(key, Salt(b"message"), 1, &mut out).expect("a key");
        assert_eq!(out, sha256(key, b"message\0\0\0\x01"), "{len}");
        let expected = sha256(&sha256(key, b"secret"), b"info\x01");
        Hkdf::<Sha256>::new(Salt(key), b"secret").expand(b"info", &mut out).expect("a key");
        assert_eq!(out, expected, "{len}");
        let prk = Hkdf::<Sha512>::from_prk(key).expect("long enough");
        let mut long = [0; 64];
        prk.expand(b"info", &mut long).expect("a key");
        assert_eq!(long[..], names::hmac("sha512", key, b"info\x01").expect("HMAC"), "{len}");
        let expected = sp800_185::kmac128(key, b"message", 32, b"");
        let tag = kmac128::<32>(Key(key), b"message", Customization(b""));
        assert_eq!(tag[..], expected, "{len}");
    }
}

/// More leaves of ParallelHash than 8 and 16 bits can count.
#[test]
fn leaves_of_parallel_hash() {
    let message = Random::new(2).bytes(65_540 * 3);
    for leaves in [255, 256, 257, 65_540] {
        let message = &message[..leaves * 3 - 1];
        let expected = sp800_185::parallel_hash128(message, 3, 32, b"");
        let mut hasher = ParallelHash128::new(3, b"").expect("a block of 3 bytes");
        let mut got = [0; 32];
        hasher.update(message).finalize_into(&mut got).expect("any length");
        assert_eq!(got[..], expected, "{leaves} leaves");
    }
}

/// A batch of more than 64 MiB on threads: every message has its own digest. The messages overlap,
/// so that they take little memory.
#[test]
#[cfg(feature = "rayon")]
fn a_long_batch_on_threads() {
    let bytes = Random::new(3).bytes((1 << 20) + 80);
    let messages: Vec<&[u8]> = (0..70).map(|i| &bytes[i..][..1 << 20]).collect();
    let mut digests = vec![Digest::default(); messages.len()];
    many::hash::<Sha256>(&many::threads(&messages), &mut digests).expect("digests");
    for (i, (message, digest)) in messages.iter().zip(&digests).enumerate() {
        assert_eq!(hashmill::sha256(message), *digest, "message {i}");
    }
}

/// An offset that falls, wherever it is, and one that points past the end.
#[test]
fn a_wrong_offset_anywhere() {
    const COUNT: usize = 70_000;
    let good: Vec<i32> = (0..COUNT as i32).map(|i| i / 2).collect();
    let values = vec![0; COUNT / 2];
    assert!(many::Column::new(&values, &good).is_ok());
    for at in [1, 2, 63, 64, 65, 66, 127, 128, 255, 256, 257, 1000, 65_535, 65_536, 65_537, 69_999]
    {
        for wrong in [good[at - 1] - 1, COUNT as i32 / 2 + 1, -1] {
            let mut offsets = good.clone();
            offsets[at] = wrong;
            let refused = many::Column::new(&values, &offsets).err();
            // An offset that is too large is wrong itself, and so is one that falls.
            assert_eq!(refused, Some(Error::Offsets { at: at as u64 }), "{wrong} at {at}");
        }
    }
}
