//! Merkle trees of other crates beside the same over hashmill, as `compat/README.md` shows them. Checks
//! that the roots are equal, then prints the least time for a leaf.
//!
//!     cargo run --release --manifest-path compat/trees/Cargo.toml
//!     cargo run --release --manifest-path compat/trees/Cargo.toml --features commonware

#[cfg(feature = "commonware")]
mod commonware;

use hashmill::many::{Merkle, Odd};
use hashmill::{Digest, Hasher, Sha256};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LEAVES: usize = 32_768;
const SECONDS: Duration = Duration::from_secs(1);

/// rs_merkle with another hash function: the crate still hashes one message at a time.
#[derive(Clone)]
struct Ours;

impl rs_merkle::Hasher for Ours {
    type Hash = [u8; 32];
    fn hash(data: &[u8]) -> [u8; 32] {
        *hashmill::sha256(data).as_bytes()
    }
}

/// The root as a crate over `ethereum_hashing` computes it, level by level.
fn pair_by_pair(mut nodes: Vec<[u8; 32]>) -> [u8; 32] {
    while nodes.len() > 1 {
        let pairs = nodes.as_chunks::<2>().0;
        nodes = pairs.iter().map(|[a, b]| ethereum_hashing::hash32_concat(a, b)).collect();
    }
    nodes[0]
}

fn main() {
    let entries: Vec<[u8; 8]> = (0..LEAVES as u64).map(u64::to_le_bytes).collect();
    let mut leaves = vec![Digest::default(); LEAVES];
    hashmill::many::hash::<Sha256>(&entries, &mut leaves).expect("a place for each digest");
    let leaves: Vec<[u8; 32]> = leaves.iter().map(|digest| *digest.as_bytes()).collect();
    let tree = Merkle::<<Sha256 as Hasher>::Function>::new(Sha256::new(), Odd::Promote);
    let level_by_level =
        || tree.root(leaves.as_flattened().to_vec().as_mut_slice()).expect("whole digests");
    let root = *level_by_level().as_bytes();
    let theirs = || rs_merkle::MerkleTree::<rs_merkle::algorithms::Sha256>::from_leaves(&leaves);
    let with_ours = || rs_merkle::MerkleTree::<Ours>::from_leaves(&leaves);
    assert_eq!(theirs().root(), Some(root));
    assert_eq!(with_ours().root(), Some(root));
    assert_eq!(pair_by_pair(leaves.clone()), root);
    let levels = || tree.levels(leaves.as_flattened().to_vec()).expect("whole digests");
    println!("nanoseconds a leaf, {LEAVES} leaves");
    print("rs_merkle, all levels", || _ = black_box(theirs()));
    print("rs_merkle over hashmill::sha256", || _ = black_box(with_ours()));
    print("Merkle::levels", || _ = black_box(levels()));
    print("ethereum_hashing::hash32_concat, root", || _ = black_box(pair_by_pair(leaves.clone())));
    print("Merkle::root", || _ = black_box(level_by_level()));
    #[cfg(feature = "commonware")]
    commonware::compare(&leaves);
}

fn print(name: &str, mut call: impl FnMut()) {
    let (begin, mut least) = (Instant::now(), Duration::MAX);
    while begin.elapsed() < SECONDS {
        let start = Instant::now();
        call();
        least = least.min(start.elapsed());
    }
    println!("{name:40}{:>8.1}", least.as_secs_f64() * 1e9 / LEAVES as f64);
}
