//! Code that the targets share: inputs made from the fuzzer's bytes, and the reference's outputs
//! for them.

use arbitrary::{Arbitrary, Result, Unstructured};
use hashmill::{Algorithm, backend};
use hashmill_reference::{Bits, names};

/// One of the algorithms of the table.
#[derive(Clone, Copy, Debug)]
pub struct Any(pub Algorithm);

impl<'a> Arbitrary<'a> for Any {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        u.choose(Algorithm::ALL).copied().map(Any)
    }
}

/// An algorithm that HMAC takes.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub Algorithm);

impl<'a> Arbitrary<'a> for Fixed {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let Any(algorithm) = Any::arbitrary(u)?;
        Ok(Fixed(if algorithm.has_hmac() { algorithm } else { Algorithm::Sha3_256 }))
    }
}

/// The backend for the whole process: the one at this place in the list of names, or the best if
/// there is none or this CPU cannot run it.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Backend(u8);

impl Backend {
    pub fn force(self) {
        let names: Vec<_> = backend::names().collect();
        let name = names.get(usize::from(self.0) % (names.len() + 1));
        if backend::force(name.copied()).is_err() {
            backend::force(None).expect("the best backend is always available");
        }
    }
}

/// Returns `len` bytes made by repeating `seed`, with a different change in each repetition.
pub fn text(seed: &[u8], len: usize) -> Vec<u8> {
    let again = seed.iter().cycle().zip(0..len);
    let text: Vec<u8> = again.map(|(byte, i)| byte.wrapping_add((i / seed.len()) as u8)).collect();
    if seed.is_empty() { vec![0; len] } else { text }
}

/// Removes at most `len` bytes from the beginning of `text` and returns them.
pub fn take<'t>(text: &mut &'t [u8], len: usize) -> &'t [u8] {
    let (head, rest) = text.split_at(len.min(text.len()));
    *text = rest;
    head
}

/// Returns the reference's digest of the usual length, or `len` bytes of an XOF's output.
pub fn hash(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    let name = algorithm.tag().to_lowercase();
    let len = algorithm.is_xof().then_some(len);
    names::hash(&name, message, len).expect("the reference has every algorithm")
}

pub fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    names::hmac(&algorithm.tag().to_lowercase(), key, message).expect("a function with HMAC")
}

/// Returns the reference's output for a message that ends within a byte, or `None` if the algorithm
/// takes only whole bytes.
pub fn hash_bits(algorithm: Algorithm, message: Bits<'_>, len: usize) -> Option<Vec<u8>> {
    let name = algorithm.tag().to_lowercase();
    names::hash_bits(&name, message, algorithm.is_xof().then_some(len))
}
