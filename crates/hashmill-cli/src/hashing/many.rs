//! Many messages at once, side by side in the lanes of the vector unit: the only uses of the library's
//! interface for that.

use hashmill::{Algorithm, AnyHasher, VarDigest};

/// The digests of messages, each after what the hasher has taken already.
pub fn finish(hasher: &AnyHasher, messages: &[&[u8]]) -> Vec<VarDigest> {
    let mut digests = vec![hasher.finalize(); messages.len()];
    hasher.finish_many(messages, &mut digests);
    digests
}

/// Hashes messages, into as many digests.
pub fn hash(algorithm: Algorithm, messages: &[&[u8]], digests: &mut [VarDigest]) {
    algorithm.hash_many(messages, digests);
}
