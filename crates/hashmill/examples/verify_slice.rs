//! Checks a part of a file against the BLAKE3 digest of the whole file, without the other parts.
//!
//!     cargo run --release --example verify_slice -- FILE OFFSET
//!
//! Who has the file sends the part and a chaining value for each level of the tree above it; who
//! knows the digest checks them. This program is both. The example `bao.rs` has a file format for
//! what is sent.

use clap::Parser;
use hashmill::{Blake3, Digest};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check the 16 KiB of a file around an offset against the BLAKE3 digest of the file
#[derive(Parser)]
struct Options {
    file: PathBuf,
    /// A byte of the part, counted from 0
    offset: usize,
}

/// The length in bytes of a part: a power of two of chunks of 1024 bytes.
const PART: usize = 16 << 10;

type Value = [u8; 32];

/// A subtree beside the way from the root to the part.
enum Beside {
    Left(Value),
    Right(Value),
}

fn main() -> ExitCode {
    let options = Options::parse();
    let message = match fs::read(&options.file) {
        Ok(message) if options.offset < message.len().max(1) => message,
        Ok(message) => {
            eprintln!("verify_slice: the file has {} bytes", message.len());
            return ExitCode::from(2);
        }
        Err(error) => {
            eprintln!("verify_slice: {}: {error}", options.file.display());
            return ExitCode::from(2);
        }
    };
    let digest = hashmill::blake3(&message);
    let (part, proof) = prove(&message, options.offset);
    println!("{} bytes at {}, {} chaining values", part.len(), part.start, proof.len());
    match verify(&digest, part.start, &message[part], &proof) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Returns the part that contains byte `offset`, and the subtrees beside it, the largest first.
fn prove(message: &[u8], offset: usize) -> (Range<usize>, Vec<Beside>) {
    let value = |part: Range<usize>| {
        Blake3::new().subtree(part.start as u64, &message[part]).expect("a subtree")
    };
    let (mut part, mut proof) = (0..message.len(), Vec::new());
    while part.len() > PART {
        // The left subtree is as large as it can be, with a byte left for the right one.
        let chunks: usize = 1 << ((part.len() - 1) / 1024).ilog2();
        let middle = part.start + 1024 * chunks;
        if offset < middle {
            proof.push(Beside::Right(value(middle..part.end)));
            part.end = middle;
        } else {
            proof.push(Beside::Left(value(part.start..middle)));
            part.start = middle;
        }
    }
    (part, proof)
}

/// Returns whether these bytes are at `start` in the message with this digest.
fn verify(digest: &Digest<32>, start: usize, part: &[u8], proof: &[Beside]) -> bool {
    let blake3 = Blake3::new();
    let Some((top, below)) = proof.split_first() else {
        return blake3.hash(part) == *digest;
    };
    let Some(mut value) = blake3.subtree(start as u64, part) else { return false };
    for beside in below.iter().rev() {
        value = match beside {
            Beside::Left(left) => blake3.parent(left, &value),
            Beside::Right(right) => blake3.parent(&value, right),
        };
    }
    let mut root = [0; 32];
    match top {
        Beside::Left(left) => blake3.root(left, &value),
        Beside::Right(right) => blake3.root(&value, right),
    }
    .fill(&mut root);
    *digest == root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_verified_and_every_change_is_found() {
        let message: Vec<u8> = (0..100_001_u64).map(|i| ((i * i) >> 7) as u8).collect();
        for len in [1, PART, PART + 1, 5 * PART, message.len()] {
            let message = &message[..len];
            let digest = hashmill::blake3(message);
            for offset in (0..len).step_by(PART).chain([len - 1]) {
                let (part, proof) = prove(message, offset);
                assert!(part.contains(&offset) && part.len() <= PART);
                assert!(verify(&digest, part.start, &message[part.clone()], &proof));
                let mut wrong = message[part.clone()].to_vec();
                wrong[offset - part.start] ^= 1;
                assert!(!verify(&digest, part.start, &wrong, &proof));
            }
        }
    }
}
