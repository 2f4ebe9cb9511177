//! commonware's trees, which have lanes of their own.

use crate::{LEAVES, print};
use commonware_cryptography::{Hasher as _, Sha256 as Theirs, sha256};
use commonware_parallel::Sequential;
use commonware_storage::merkle::{Bagging, hasher::Standard};
use commonware_storage::{bmt, mmr::mem::Mmr};
use hashmill::many::{Merkle, MountainRange, Rule};
use hashmill::{Digest, Hasher, Sha256};
use std::hint::black_box;

/// The root of commonware's Merkle mountain range, which keeps all nodes.
fn their_range(elements: &[[u8; 32]]) -> [u8; 32] {
    let hasher = Standard::<Theirs>::new(Bagging::ForwardFold);
    let mut range = Mmr::new();
    let batch = elements.iter().fold(range.new_batch(), |batch, e| batch.add(&hasher, e));
    range.apply_batch(&batch.merkleize(&range, &hasher)).expect("a batch of this range");
    range.root(&hasher, 0).expect("a root without inactive peaks").0
}

/// The root of commonware's binary tree, which keeps all nodes.
fn their_tree(elements: &[sha256::Digest]) -> [u8; 32] {
    let mut tree = bmt::Builder::<Theirs>::new(elements.len());
    elements.iter().for_each(|element| _ = tree.add(element));
    tree.build().root().0
}

/// Compares the roots over elements of 32 bytes, and prints the least times.
pub fn compare(leaves: &[[u8; 32]]) {
    let digests: Vec<sha256::Digest> = leaves.iter().map(|leaf| sha256::Digest(*leaf)).collect();
    let nodes = |rule| {
        let tree = Merkle::<<Sha256 as Hasher>::Function>::of(rule);
        tree.levels(tree.leaves(leaves)).expect("whole digests")
    };
    let range = || {
        let tree = Merkle::<<Sha256 as Hasher>::Function>::of(Rule::CommonwareMmr);
        MountainRange::new(tree).append_entries(leaves).root()
    };
    assert_eq!(range()[..], their_range(leaves));
    assert_eq!(nodes(Rule::CommonwareMmr).last().map(Vec::as_slice), Some(&range()[..]));
    assert_eq!(
        nodes(Rule::CommonwareBmt).last().map(Vec::as_slice),
        Some(&their_tree(&digests)[..])
    );
    let mut out = vec![Digest::<32>::default(); LEAVES];
    print("commonware's Sha256::hash_many, 32 bytes", || {
        _ = black_box(Theirs::hash_many(leaves, &Sequential));
    });
    print("Sha256::hash_many, 32 bytes", || {
        hashmill::many::hash::<Sha256>(black_box(leaves), &mut out).expect("a place for each");
    });
    print("commonware's Mmr", || _ = black_box(their_range(leaves)));
    print("Merkle::levels, CommonwareMmr", || _ = black_box(nodes(Rule::CommonwareMmr)));
    print("MountainRange, CommonwareMmr", || _ = black_box(range()));
    print("commonware's bmt", || _ = black_box(their_tree(&digests)));
    print("Merkle::levels, CommonwareBmt", || _ = black_box(nodes(Rule::CommonwareBmt)));
}
