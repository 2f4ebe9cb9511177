//! BLAKE3.

use crate::algorithm::Algorithm;
use crate::blake3::Mode;
use crate::blake3::output::Blake3Reader;
use crate::digest::Digest;
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::{Extendable, Function};
#[cfg(feature = "rayon")]
use crate::stream::must;
use crate::tree::blake3::Tree3;
use crate::wipe::Secret;

/// BLAKE3 (the BLAKE3 paper), whose output may have any length. Its usual output has 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Blake3 {}

impl Function for Blake3 {
    type Stream = Tree3;
    type Digest = Digest<32>;
    const STREAM: &'static Tree3 = &Tree3::new(Mode::HASH);
    const ALGORITHM: Algorithm = Algorithm::Blake3;
    const FACTS: Facts =
        Facts::xof(Algorithm::Blake3.code(), "BLAKE3", [32, 64], "BLAKE3 paper §2")
            .aliases(&["b3"])
            .multihash(0x1e)
            .answers(
                "95b45e0a4bc3a85d2d23edb3099a8952dae1a56686077f74a4e884c705c49eda",
                "2b36a5bd22fbc9fa1364f15898cc4136beae4542e4653516038a914abf474fdf",
            );
}
impl Extendable for Blake3 {
    type Reader = Blake3Reader;
    fn reader(tree: &Tree3) -> Blake3Reader {
        tree.reader()
    }
    fn reader_bits(_: &Tree3, _: u8, _: u32) -> Result<Blake3Reader, Error> {
        Err(Error::NoBits)
    }
}

impl crate::hasher::Hash<Blake3> {
    /// Creates a hasher for the keyed hash (the BLAKE3 paper §2.3), a message authentication code.
    /// The key, like the digest of another function, has 32 bytes.
    ///
    /// ```
    /// let mut mac = hashmill::Blake3::keyed(&[7; 32]);
    /// assert_ne!(mac.update(b"message").finalize(), hashmill::Blake3::new().hash(b"message"));
    /// ```
    #[inline(never)] // so that the caller does not move it through registers
    pub const fn keyed(key: &[u8; 32]) -> Self {
        Self { stream: Secret(Tree3::new(Mode::keyed(key))) }
    }

    /// Creates a hasher that derives keys from the bytes that it absorbs, which are key material
    /// (the BLAKE3 paper §2.3). `context` should be a constant of the program, unique and not
    /// secret: the name of the program, a date, and the purpose of the derived key.
    ///
    /// ```
    /// let mut derive = hashmill::Blake3::derive_key("example.com 2026-11-23 session tokens v1");
    /// let key = derive.update(b"the user's secret").finalize();
    /// # assert_ne!(key, hashmill::Blake3::derive_key("another").hash(b"the user's secret"));
    /// ```
    #[inline(never)] // so that the caller does not move it through registers
    pub fn derive_key(context: &str) -> Self {
        Self { stream: Secret(Tree3::new(Mode::derive_key(context.as_bytes()))) }
    }

    /// Returns the chaining value of the subtree (the BLAKE3 paper §2.1) over `data`, which begins at
    /// byte `offset` of the message. What this hasher has absorbed does not matter; it says which
    /// key or context there is.
    ///
    /// With the chaining values of its subtrees, a message can be hashed in any order and in several
    /// places, and a part of it can be verified without the others: the examples `verify_slice.rs`
    /// and `bao.rs` do that.
    ///
    /// ```
    /// let (message, blake3) = ([7; 5000], hashmill::Blake3::new());
    /// // The left subtree of five chunks of 1024 bytes has four, as the largest power of two does.
    /// let left = blake3.subtree(0, &message[..4096]).expect("a subtree");
    /// let right = blake3.subtree(4096, &message[4096..]).expect("a subtree");
    /// let mut digest = [0; 32];
    /// blake3.root(&left, &right).fill(&mut digest);
    /// assert_eq!(blake3.hash(&message), digest);
    /// assert_eq!(blake3.subtree(1024, &message[1024..]), None);
    /// ```
    ///
    /// Returns `None` unless these bytes are one subtree: `offset` is a multiple of 1024, there is at
    /// least one byte, and a complete subtree that is not shorter than `data` begins there: its
    /// length is 1024 bytes times a power of two, and divides `offset`. Only the last subtree of a
    /// message may be shorter than a complete one. This function cannot see whether it is the last.
    ///
    /// The chaining value of a whole message is not its digest, because the root has a flag of its
    /// own.
    pub fn subtree(&self, offset: u64, data: &[u8]) -> Option<[u8; 32]> {
        self.stream.subtree(offset, data)
    }

    /// Returns the chaining value of the parent of two subtrees (the BLAKE3 paper §2.5), which is
    /// not the root. The left one must be complete, and the right one not longer.
    pub fn parent(&self, left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
        self.stream.parent(left, right)
    }

    /// Returns a reader of the output of a message of at least 1025 bytes, from the chaining values
    /// of the two subtrees below its root: see [`subtree`](Self::subtree).
    pub fn root(&self, left: &[u8; 32], right: &[u8; 32]) -> Blake3Reader {
        self.stream.root_of(left, right)
    }

    /// Absorbs the next part of the message, with its chunks split over the threads of rayon's
    /// pool. It is worthwhile for parts of some hundred kilobytes. Requires the feature `rayon`.
    ///
    /// # Panics
    /// If the message would become longer than 2⁶⁴ − 1 bytes.
    #[cfg(feature = "rayon")]
    #[inline]
    pub fn update_rayon(&mut self, data: impl AsRef<[u8]>) -> &mut Self {
        must(self.stream.try_update_rayon(data.as_ref()));
        self
    }

    /// Returns the hasher to its state before the first update. It keeps its key.
    pub fn reset(&mut self) {
        self.stream.reset();
    }
}
