//! The block functions alone, on the best backend for one message.
//!
//! They are for callers that keep the state, the counter and the padding themselves, as the C++
//! headers do: these hash at compile time and therefore have their own padding. All other callers
//! should use a hasher, because these functions check nothing.
//!
//! ```
//! // SHA-256 of "abc" by hand: FIPS 180-4 §5.3.3, §5.1.1 and §6.2.2.
//! let mut state = [
//!     0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
//! ];
//! let mut block = [0; 64];
//! block[..4].copy_from_slice(b"abc\x80");
//! block[63] = 24;
//! hashmill::block::sha256(&mut state, &[block]);
//! assert_eq!(state[0].to_be_bytes()[..], hashmill::sha256(b"abc")[..4]);
//! ```

use crate::backend::{self, Family, Input};
#[cfg(feature = "blake2")]
use crate::blake2;
#[cfg(feature = "blake3")]
use crate::blake3::{DERIVE_KEY_MATERIAL, KEYED_HASH, Mode};
#[cfg(feature = "sha3")]
use crate::keccak;
use crate::sha2;
#[cfg(feature = "blake3")]
use crate::tree::blake3::Tree3;

/// The compression function of SHA-224 and SHA-256 (FIPS 180-4 §6.2.2).
#[inline]
pub fn sha256(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    absorb::<sha2::Words32, 64>(state, blocks);
}

/// The compression function of SHA-384, SHA-512 and SHA-512/t (FIPS 180-4 §6.4.2).
#[inline]
pub fn sha512(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
    absorb::<sha2::Words64, 128>(state, blocks);
}

#[cfg(feature = "blake2")]
/// BLAKE2b's compression function (RFC 7693 §3.2). The state is the eight words of the chaining
/// value, the counter of the bytes before these blocks (low word first), and the two finalization
/// flags. The function updates the counter. The flags apply to every block.
#[inline]
pub fn blake2b(state: &mut [u64; 12], blocks: &[[u8; 128]]) {
    absorb::<blake2::FamilyB, 128>(state, blocks);
}

#[cfg(feature = "blake2")]
/// BLAKE2s's compression function. The state is as for [`blake2b`].
#[inline]
pub fn blake2s(state: &mut [u32; 12], blocks: &[[u8; 64]]) {
    absorb::<blake2::FamilyS, 64>(state, blocks);
}

#[cfg(feature = "blake3")]
/// The chaining value of a subtree of BLAKE3's tree (the BLAKE3 paper §2.1): `data` begins at byte
/// `offset` of the message. `key` has the key words and `flags` the flag of all nodes: the initial
/// value and 0 for the hash, `KEYED_HASH` or `DERIVE_KEY_MATERIAL` (§2.2, Table 3) with a key. The
/// chunks fill the lanes of a vector.
///
/// Returns `None` if the flags are others or if the bytes are not those of one subtree.
/// [`Blake3::subtree`](crate::Blake3::subtree) does the same for a hasher.
///
/// ```
/// use hashmill::Blake3;
///
/// let message = [7; 6000];
/// let of_hasher = Blake3::keyed(&[0; 32]).subtree(4096, &message[4096..]);
/// let of_words = hashmill::block::blake3_subtree(&[0; 8], 16, 4096, &message[4096..]);
/// assert_eq!(of_words, of_hasher);
/// ```
pub fn blake3_subtree(key: &[u32; 8], flags: u32, offset: u64, data: &[u8]) -> Option<[u8; 32]> {
    let known = matches!(flags, 0 | KEYED_HASH | DERIVE_KEY_MATERIAL);
    known.then(|| Tree3::new(Mode { key: *key, flags }).subtree(offset, data)).flatten()
}

#[cfg(feature = "sha3")]
/// The absorbing phase of the sponge (FIPS 202 §4) over Keccak-p\[1600\] with 24 rounds, or 12 for
/// TurboSHAKE. Blocks have `RATE` bytes. A block of zeros only permutes the state.
#[inline]
pub fn keccak<const RATE: usize>(state: &mut [u64; 25], rounds: Rounds, blocks: &[[u8; RATE]]) {
    const { assert!(RATE.is_multiple_of(8) && RATE > 0 && RATE <= 200) };
    let shape = keccak::Shape { rate: RATE, rounds: rounds as usize };
    let input =
        Input { lanes: &[blocks.as_flattened()], stride: RATE, blocks: blocks.len(), end: None };
    backend::one::<keccak::Keccak>().absorb(state, shape, &input);
}

#[cfg(feature = "sha3")]
/// The number of rounds of Keccak-p\[1600\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// TurboSHAKE and KangarooTwelve (RFC 9861 §2).
    Twelve = 12,
    /// SHA-3 and SHAKE (FIPS 202 §3.4).
    TwentyFour = 24,
}

#[inline(always)]
fn absorb<F: Family<Shape = ()>, const BLOCK: usize>(
    state: &mut [F::Word],
    blocks: &[[u8; BLOCK]],
) {
    let input =
        Input { lanes: &[blocks.as_flattened()], stride: BLOCK, blocks: blocks.len(), end: None };
    backend::one::<F>().absorb(state, (), &input);
}
