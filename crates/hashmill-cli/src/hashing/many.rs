//! Many messages at once, side by side in the lanes of the vector unit: the only uses of the
//! library's interface for that.

use hashmill::many::Rows;
use hashmill::{AnyHasher, VarDigest};

/// The digests of messages, each after what the hasher has taken already.
pub fn finish(hasher: &AnyHasher, messages: &[&[u8]]) -> Vec<VarDigest> {
    let mut digests = vec![hasher.finalize(); messages.len()];
    hash(hasher, messages, &mut digests);
    digests
}

/// The same, into as many digests.
pub fn hash(hasher: &AnyHasher, messages: &[&[u8]], digests: &mut [VarDigest]) {
    let batch = hasher.finish_many(messages, digests);
    batch.expect("a place for every digest, and messages that fit in memory");
}

/// The digests of messages of one length that lie one after the other, into places that do so too.
pub fn rows(hasher: &AnyHasher, messages: &[u8], len: usize, digests: &mut [u8]) {
    let rows = Rows::new(messages, len).expect("whole messages");
    hasher.finish_many(&rows, digests).expect("a place for every digest");
}
