//! hashmill's BLAKE2b by the names of `blake2b_simd` 1, as far as `rust-argon2` uses them.

#![no_std]

use hashmill::{Blake2b, VarDigest, blake2b};

/// The parameters. Only the length of the output is one.
#[derive(Clone, Debug)]
pub struct Params {
    output_len: usize,
}

impl Default for Params {
    fn default() -> Self {
        Params { output_len: 64 }
    }
}

impl Params {
    pub fn new() -> Self {
        Self::default()
    }

    /// # Panics
    /// Unless the length is 1 to 64 bytes.
    pub fn hash_length(&mut self, length: usize) -> &mut Self {
        assert!((1..=64).contains(&length), "bad hash length: {length}");
        self.output_len = length;
        self
    }

    pub fn to_state(&self) -> State {
        let params = blake2b::Params::new().output_len(self.output_len);
        State(params.build().expect("hash_length checked the length"))
    }
}

/// A hash in progress.
#[derive(Clone, Debug)]
pub struct State(Blake2b);

impl State {
    pub fn update(&mut self, input: &[u8]) -> &mut Self {
        self.0.update(input);
        self
    }

    pub fn finalize(&self) -> Hash {
        Hash(self.0.finalize())
    }
}

/// A digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(VarDigest);

impl Hash {
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_ref()
    }
}
