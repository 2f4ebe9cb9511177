//! Hashes many messages side by side in the lanes of the vector unit. Only this file uses the
//! library's interface for batches.

use hashmill::many::Rows;
use hashmill::{AnyHasher, VarDigest};

/// Returns the outputs of `len` bytes for `messages`, each preceded by the bytes that `hasher` has
/// already absorbed, one after the other.
pub fn outputs(hasher: &AnyHasher, messages: &[&[u8]], len: usize) -> Vec<u8> {
    let mut outputs = vec![0; len * messages.len()];
    let batch = hasher.hash_many(messages, &mut outputs);
    batch.expect("a place for every output, and messages that fit in memory");
    outputs
}
/// Writes the digests of `messages` to `digests`, which must have one element for each message.
pub fn hash(hasher: &AnyHasher, messages: &[&[u8]], digests: &mut [VarDigest]) {
    let batch = hasher.hash_many(messages, digests);
    batch.expect("a place for every digest, and messages that fit in memory");
}

/// Updates each hasher with its piece. The hashers have one algorithm.
pub fn update(hashers: &mut [AnyHasher], pieces: &[&[u8]]) {
    let batch = AnyHasher::update_many(hashers, pieces);
    batch.expect("a piece for every hasher, and messages that are files");
}

/// Hashes messages of `len` bytes each that are stored one after the other, and writes the digests
/// one after the other to `digests`.
pub fn rows(hasher: &AnyHasher, messages: &[u8], len: usize, digests: &mut [u8]) {
    let rows = Rows::new(messages, len).expect("whole messages");
    hasher.hash_many(rows, digests).expect("a place for every digest");
}
