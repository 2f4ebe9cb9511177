//! The tree hashes of systems, against the answers of the systems' own tools
//! (`vectors/systems/trees.json`).

use crate::common::answer::to_hex;
use hashmill::{Algorithm, Error, FileTree};
use serde_json::Value;
use std::num::NonZero;

fn tree(answer: &Value) -> FileTree {
    let block = answer["block"].as_u64().unwrap_or_default() as usize;
    match answer["system"].as_str() {
        Some("fs-verity") => {
            let algorithm = answer["algorithm"].as_str().and_then(|name| name.parse().ok());
            let digits = answer["salt"].as_str().unwrap_or_default().as_bytes().chunks(2);
            let salt: Vec<u8> = digits
                .map(|byte| u8::from_str_radix(std::str::from_utf8(byte).expect("ASCII"), 16))
                .collect::<Result<_, _>>()
                .expect("hexadecimal digits");
            FileTree::fs_verity(algorithm.expect("a name"), block, &salt).expect("a salt")
        }
        Some("BitTorrent v2") => FileTree::bittorrent(),
        Some("Glacier") => FileTree::glacier(),
        Some("Dropbox") => FileTree::dropbox(),
        Some("S3") => FileTree::s3(NonZero::new(block).expect("the length of a part")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_those_of_the_systems() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/systems/trees.json");
    let file = std::fs::read_to_string(path).expect("the file of answers");
    let file: Value = serde_json::from_str(&file).expect("JSON");
    let answers = file["answers"].as_array().expect("a list");
    let longest = answers.iter().filter_map(|answer| answer["ptn"].as_u64()).max();
    let bytes: Vec<u8> =
        (0..longest.unwrap_or_default()).map(|i| u8::try_from(i % 251).expect("a byte")).collect();
    for answer in answers {
        let data = &bytes[..answer["ptn"].as_u64().expect("a length") as usize];
        // In one piece, in short pieces, and in pieces that begin within blocks and end in others.
        for lens in [&[usize::MAX][..], &[1000], &[1, 70_000, 5, 1 << 20, 4096]] {
            let (mut tree, mut rest) = (tree(answer), data);
            for &len in lens.iter().cycle() {
                let (piece, after) = rest.split_at(len.min(rest.len()));
                tree.update(piece);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            assert_eq!(to_hex(&tree.finalize()), answer["digest"], "{answer}, pieces of {lens:?}");
            // The hash of the beginning changes nothing.
            assert_eq!(to_hex(&tree.finalize()), answer["digest"], "{answer}");
        }
    }
}

#[test]
fn the_file_goes_on_after_a_hash() {
    let mut tree = FileTree::bittorrent();
    tree.update([1; 20_000]).finalize();
    assert_eq!(tree.blocks(), 2);
    let whole = FileTree::bittorrent().update([1; 50_000]).finalize();
    assert_eq!(tree.update([1; 30_000]).finalize(), whole);
    assert_eq!(tree.blocks(), 4);
    let mut tree = FileTree::dropbox();
    assert_eq!(
        (tree.update_reader(&[7; 100_000][..]).expect("bytes"), tree.blocks()),
        (100_000, 1)
    );
    assert_eq!(tree.finalize(), FileTree::dropbox().update([7; 100_000]).finalize());
}

#[test]
fn what_fs_verity_does_not_have_is_refused() {
    let new = |algorithm, block, salt: &[u8]| FileTree::fs_verity(algorithm, block, salt).map(drop);
    assert_eq!(new(Algorithm::Sha256, 1024, &[0; 32]), Ok(()));
    assert_eq!(new(Algorithm::Sha512, 65536, b""), Ok(()));
    assert_eq!(new(Algorithm::Sha256, 4096, &[0; 33]), Err(Error::Verity));
    assert_eq!(new(Algorithm::Blake3, 4096, b""), Err(Error::Verity));
    for block in [0, 1, 512, 4095, 5120, 131_072] {
        assert_eq!(new(Algorithm::Sha256, block, b""), Err(Error::Verity));
    }
}
