//! Exported states: hashing continues from them to the right digest, at any point and any count.
//! Other bytes are refused.

mod chunks;
mod forged;
mod keyed;
pub mod limits;
mod oracle;
mod refusals;
mod resuming;
mod sp800_185;
mod trees;

use crate::common::reference;
use hashmill::function::{Function, Visitor};
use hashmill::{Algorithm, AnyHasher, Error, Hash};

/// The length in bytes of the check at the end of an exported state: the beginning of the SHA-256
/// of the other bytes.
const CHECK_LEN: usize = 8;

/// Calls `import` of the algorithm's own type.
fn import(algorithm: Algorithm, state: &[u8]) -> Result<AnyHasher, Error> {
    struct Import<'a>(&'a [u8]);
    impl Visitor for Import<'_> {
        type Output = Result<AnyHasher, Error>;
        fn visit<F: Function>(self) -> Self::Output {
            Hash::<F>::import(self.0).map(Into::into)
        }
    }
    algorithm.with(Import(state))
}

/// Returns the error alone, because hashers cannot be compared.
fn error(import: Result<AnyHasher, Error>) -> Option<Error> {
    import.err()
}

/// Returns the error of [`import`], after checking that `AnyHasher::import` returns the same error.
#[track_caller]
fn refused(algorithm: Algorithm, state: &[u8]) -> Error {
    let error = error(import(algorithm, state)).expect("an error");
    assert_eq!(AnyHasher::import(state).err(), Some(error), "{algorithm}: AnyHasher");
    error
}

fn code(algorithm: Algorithm) -> u8 {
    algorithm.hasher().export().expect("a state").as_ref()[1]
}

/// Returns `body` with its correct check.
fn checked(body: &[u8]) -> Vec<u8> {
    [body, &hashmill::sha256(body)[..CHECK_LEN]].concat()
}

fn without_check(state: &[u8]) -> &[u8] {
    &state[..state.len() - CHECK_LEN]
}

fn forge(algorithm: Algorithm, parts: &[&[u8]]) -> Vec<u8> {
    checked(&[&[1, code(algorithm)], &parts.concat()[..]].concat())
}

/// How an algorithm absorbs its message.
#[derive(Clone, Copy)]
struct Shape {
    /// The number of bytes in a word of the state.
    word: usize,
    leaves: usize,
    /// The number of bytes absorbed at once: a block for every leaf.
    stride: usize,
    /// The number of bytes that must follow before these are absorbed.
    lookahead: usize,
    /// The length of the longest message in bytes.
    limit: u128,
}

impl Shape {
    fn waiting(self, count: u128) -> usize {
        (count - self.absorbed(count)) as usize
    }

    fn absorbed(self, count: u128) -> u128 {
        count.saturating_sub(self.lookahead as u128) / self.stride as u128 * self.stride as u128
    }
}

fn shape(algorithm: Algorithm) -> Shape {
    let (block, leaves) = (algorithm.block_len(), leaves(algorithm));
    let (word, lookahead, limit) = match algorithm {
        Algorithm::Blake2s | Algorithm::Blake2sp => (4, (leaves - 1) * block + 1, u64::MAX.into()),
        Algorithm::Blake2b | Algorithm::Blake2bp => (8, (leaves - 1) * block + 1, u128::MAX),
        Algorithm::Blake3 => (4, 1, u64::MAX.into()),
        _ if is_sponge(algorithm) || is_ascon(algorithm) => (8, 0, u128::MAX),
        _ if block == 64 => (4, 0, (1 << 61) - 1),
        _ => (8, 0, (1 << 125) - 1),
    };
    Shape { word, leaves, stride: leaves * block, lookahead, limit }
}

fn leaves(algorithm: Algorithm) -> usize {
    match algorithm {
        Algorithm::Blake2bp => 4,
        Algorithm::Blake2sp => 8,
        _ => 1,
    }
}

/// Whether the state is Keccak's, with a suffix.
fn is_sponge(algorithm: Algorithm) -> bool {
    ["SHA3-", "Keccak-"].iter().any(|family| algorithm.name().starts_with(family))
        || algorithm.is_xof() && !has_chunks(algorithm) && !is_ascon(algorithm)
}

fn is_ascon(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("Ascon-")
}

/// Whether the state is a stack of chaining values and a chunk: see `chunks`.
fn has_chunks(algorithm: Algorithm) -> bool {
    algorithm == Algorithm::Blake3
}

fn is_blake2(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("BLAKE2")
}

fn digest(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    reference::hash(algorithm, message, algorithm.output_len())
}
