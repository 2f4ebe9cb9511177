//! Computes the Merkle tree of RFC 9162 §2.1.1 over a file's blocks of 4 KiB. Every level is hashed
//! in SIMD lanes.
//!
//!     cargo run --release --example merkle_tree -- FILE

use clap::Parser;
use hashmill::many::{Merkle, Odd};
use hashmill::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Print the root of a file's Merkle tree (RFC 9162 §2.1.1, SHA-256, blocks of 4 KiB)
#[derive(Parser)]
struct Options {
    file: PathBuf,
    /// Compute the root again by the recursion of the RFC, one hash at a time, and compare
    #[arg(long)]
    verify: bool,
}

const BLOCK: usize = 4096;
/// The number of bytes of the file that are in memory at once.
const PART: usize = 1024 * BLOCK;
/// The length of a digest in bytes.
const LEN: usize = 32;

type Root = Digest<LEN>;

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("merkle_tree: {}: {error}", options.file.display());
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<()> {
    let start = Instant::now();
    let root = root_of(leaves(File::open(&options.file)?)?);
    eprintln!("in lanes: {:.3} s", start.elapsed().as_secs_f64());
    println!("{root}");
    if options.verify {
        let start = Instant::now();
        let blocks = std::fs::read(&options.file)?;
        let again = recursive_root(&blocks.chunks(BLOCK).collect::<Vec<_>>());
        eprintln!("one at a time: {:.3} s", start.elapsed().as_secs_f64());
        if again != root {
            return Err(io::Error::other(format!("the recursion gives {again}")));
        }
    }
    Ok(())
}

/// Returns the hashes of all blocks, one after the other: SHA-256(0x00 || block).
fn leaves(file: impl Read) -> io::Result<Vec<u8>> {
    let leaf = after(0x00);
    let mut file = file.take(0);
    let (mut hashes, mut part) = (Vec::new(), Vec::with_capacity(PART));
    loop {
        part.clear();
        file.set_limit(PART as u64);
        file.read_to_end(&mut part)?;
        if part.is_empty() {
            return Ok(hashes);
        }
        // Only the file's last block may be shorter.
        let blocks: Vec<&[u8]> = part.chunks(BLOCK).collect();
        let start = hashes.len();
        hashes.resize(start + LEN * blocks.len(), 0);
        leaf.hash_many(&blocks, &mut hashes[start..]).expect("a place for every block");
    }
}

/// Computes the root from the leaves: inner nodes are SHA-256(0x01 || left || right).
fn root_of(mut leaves: Vec<u8>) -> Root {
    Merkle::new(after(0x01), Odd::Promote).root(&mut leaves).expect("whole digests")
}

/// Returns SHA-256 after the byte that separates leaves from nodes.
fn after(byte: u8) -> Sha256 {
    let mut hasher = Sha256::new();
    hasher.update([byte]);
    hasher
}

/// Computes MTH as RFC 9162 §2.1.1 defines it.
fn recursive_root(blocks: &[&[u8]]) -> Root {
    match blocks {
        [] => hashmill::sha256(b""),
        [block] => after(0x00).update(block).finalize(),
        _ => {
            let (left, right) = blocks.split_at(blocks.len().next_power_of_two() / 2);
            let mut node = after(0x01);
            node.update(recursive_root(left).as_bytes()).update(recursive_root(right).as_bytes());
            node.finalize()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_by_level_is_the_recursion() {
        let lengths = (0..70).map(|blocks| blocks * BLOCK + blocks % 3 * 100);
        for len in lengths.chain([1, PART - 1, PART, PART + 1, 3 * PART + 5 * BLOCK + 1]) {
            let file: Vec<u8> = (0..len).map(|i| (i / 7) as u8).collect();
            let expected = recursive_root(&file.chunks(BLOCK).collect::<Vec<_>>());
            assert_eq!(root_of(leaves(&file[..]).expect("memory")), expected, "{len} bytes");
        }
    }
}
