//! Hashes many messages side by side in the lanes of the vector unit. Only this file uses the
//! library's interface for batches.

use hashmill::many::Rows;
use hashmill::{AnyHasher, VarDigest};

/// Returns the digests of `messages`, each preceded by the bytes that `hasher` has already
/// absorbed.
pub fn finish(hasher: &AnyHasher, messages: &[&[u8]]) -> Vec<VarDigest> {
    let mut digests = vec![hasher.finalize(); messages.len()];
    hash(hasher, messages, &mut digests);
    digests
}

/// Like `finish`, but writes the digests to `digests`, which must have one element for each
/// message.
pub fn hash(hasher: &AnyHasher, messages: &[&[u8]], digests: &mut [VarDigest]) {
    let batch = hasher.finish_many(messages, digests);
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
    hasher.finish_many(&rows, digests).expect("a place for every digest");
}
