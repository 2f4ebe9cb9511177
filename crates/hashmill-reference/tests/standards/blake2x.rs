//! BLAKE2X: the answers of the BLAKE2 authors (blake2-kat.json, commit ed1974ea8343) for the
//! message 00 01 … ff and the key 00 01 … of the longest length. Each output is compared in its
//! last 32 bytes, or in all if it is shorter.

use hashmill_reference::blake2::Params;
use hashmill_reference::blake2x::{blake2xb, blake2xs};

use crate::hex;

#[test]
fn known_answers() {
    let message: Vec<u8> = (0..=255).collect();
    #[rustfmt::skip]
    let cases = [
        ("b", 0, 1, "f0"),
        ("b", 0, 32, "b5d259e2e3a86c77cbf6d53f9dc78daddc2afd84dbb4ba7e9891227fec079d5a"),
        ("b", 0, 33, "818948294fdecac8411f860f7cad50469df5d1485524e059d4dd8cfb69c32bbd"),
        ("b", 0, 64, "fa5c894ee56cb6ac2db9b32c39a1cc39f96c50dd333f1059230482f3ed2d9246"),
        ("b", 0, 65, "11904407f98db7d7462db1e8576138baeac2a76400b2a2f72b4497c19e239430"),
        ("b", 0, 256, "d2b6f0c32639e3edcdd8c225c61e0afa5cd103b5d26a56afe3ac9462df794dc0"),
        ("b", 64, 1, "64"),
        ("b", 64, 64, "d34a7fb2d67561d101955d448b67577eb30dfee96a95c7f921ef53e20be8bc44"),
        ("b", 64, 65, "2631dec467e9e9b47cc8f0887eb680e340aec3ec009d4a33d241533c76c8ca8c"),
        ("b", 64, 256, "a63c5acc01eca5fb780c7d7c8c9fe208ae8bd50cad1769693d92c6c8649d20d8"),
        ("s", 0, 1, "99"),
        ("s", 0, 32, "91cab802b466092897c7639a02acf529ca61864e5e8c8e422b3a9381a95154d1"),
        ("s", 0, 33, "53f5487d927a5d35d0089ad9cab2d7515b65d332e870c78d1229d1c584bec3d5"),
        ("s", 0, 256, "e8328802595f0284c51a000ce274a985823de9ee74250063a879a3787fca23a6"),
        ("s", 32, 1, "0e"),
        ("s", 32, 32, "a4fe2bd0f96a215fa7164ae1a405f4030a586c12b0c29806a099d7d7fdd8dd72"),
        ("s", 32, 65, "6128e294528ee861ad7eee70d589de3cf4a0c35f7197e1925a64d0133628d87d"),
        ("s", 32, 256, "c04c3b6870226eee309b74f51edbf70a3817cc8da87875301e04d0416a65dc5d"),
    ];
    for (which, key, len, end) in cases {
        let params = Params { key: &message[..key], ..Params::default() };
        let output = match which {
            "b" => blake2xb(&message, &params, Some(len as u32), len),
            _ => blake2xs(&message, &params, Some(len as u16), len),
        };
        assert!(output.len() == len && output.ends_with(&hex(end)), "{which} {key} {len}");
    }
}

/// A longer output begins with a shorter one if and only if their length is unknown.
#[test]
fn beginnings() {
    let params = Params::default();
    assert_eq!(blake2xb(b"", &params, None, 200)[..70], blake2xb(b"", &params, None, 70));
    assert_ne!(blake2xb(b"", &params, Some(200), 70), blake2xb(b"", &params, Some(70), 70));
    assert_eq!(blake2xs(b"", &params, Some(70), 70)[..40], blake2xs(b"", &params, Some(70), 40));
}

#[test]
#[should_panic = "no such output length"]
fn a_length_that_means_unknown() {
    blake2xs(b"", &Params::default(), Some(u16::MAX), 1);
}
