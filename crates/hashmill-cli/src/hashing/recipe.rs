//! Recipes: algorithms with an output length and an initial state.

use crate::hashing::algorithm::AnyAlgorithm::{self, Foreign as Another, Ours};
use crate::hashing::algorithm::Foreign;
use crate::hashing::many;
use crate::hashing::parameters::Parameters;
use crate::hashing::state::{Pieces, State};
use crate::hashing::tree::TreeFunction;
use hashmill::AnyHasher;
use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::Arc;

/// How a digest is computed: the algorithm, the output length and the initial state.
#[derive(Clone)]
pub struct Recipe {
    algorithm: AnyAlgorithm,
    len: usize,
    /// An initial state other than the algorithm's own, and the prefix of the tag that names it.
    prepared: Option<Arc<(&'static str, State)>>,
    /// The length of a part in bytes, if the digest is computed from the digests of parts.
    part_len: Option<NonZero<u64>>,
}

/// The state of a message in progress.
pub struct Computation {
    state: State,
    len: usize,
    message_len: u64,
    parts: Option<Parts>,
}

/// The state of a message whose parts are hashed separately.
struct Parts {
    digest: Recipe,
    part: Box<Computation>,
    part_len: u64,
    /// The number of complete parts.
    count: u64,
}

/// The result of hashing a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    pub bytes: Vec<u8>,
    /// The length of the message in bytes.
    pub message_len: u64,
    /// The number of parts, if the message was hashed in parts.
    pub parts: Option<u64>,
}

impl Recipe {
    /// Creates a recipe with the algorithm's usual output length.
    pub fn of(algorithm: impl Into<AnyAlgorithm>) -> Recipe {
        let algorithm = algorithm.into();
        Recipe { algorithm, len: algorithm.output_len(), prepared: None, part_len: None }
    }

    /// Creates a recipe with an output length in bits. Returns `None` if the algorithm does not
    /// have that length.
    pub fn with_bits(algorithm: impl Into<AnyAlgorithm>, bits: usize) -> Option<Recipe> {
        let (algorithm, len) = (algorithm.into(), bits / 8);
        let has_len = len == algorithm.output_len()
            || algorithm.takes_len() && (1..=algorithm.max_len()).contains(&len);
        let digest = Recipe { len, ..Recipe::of(algorithm) };
        (bits.is_multiple_of(8) && has_len).then_some(digest)
    }

    /// Creates a recipe with an output length in bits that the user has chosen.
    ///
    /// # Errors
    /// Returns a message that names the allowed lengths if this is not one of them.
    pub fn chosen(algorithm: impl Into<AnyAlgorithm>, bits: usize) -> Result<Recipe, String> {
        let algorithm = algorithm.into();
        Recipe::with_bits(algorithm, bits).ok_or_else(|| {
            let allowed = match algorithm.takes_len() {
                true => format!("but of any multiple of 8 from 8 to {}", 8 * algorithm.max_len()),
                false => format!("only of {}", 8 * algorithm.output_len()),
            };
            format!("{algorithm} cannot make a digest of {bits} bits, {allowed}")
        })
    }

    /// Returns the recipe with an initial state of its own, which `prefix` names in the tag.
    pub fn prepared(self, prefix: &'static str, state: State) -> Recipe {
        Recipe { prepared: Some(Arc::new((prefix, state))), ..self }
    }

    /// Returns the recipe for the digest of the digests of parts of `part_len` bytes.
    pub fn of_parts(self, part_len: NonZero<u64>) -> Recipe {
        Recipe { part_len: Some(part_len), ..self }
    }

    /// Returns the recipe for the CRC-64s of pieces of `len` bytes, one after the other.
    pub fn pieces(len: NonZero<u64>) -> Recipe {
        Recipe::of(Foreign::Crc32b).prepared("", State::Pieces(Box::new(Pieces::new(len))))
    }

    pub fn algorithm(&self) -> AnyAlgorithm {
        self.algorithm
    }

    /// Returns the output length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the tree function, whose leaves several threads can hash, if the recipe is one.
    pub fn tree(&self) -> Option<TreeFunction> {
        let is_plain = self.prepared.is_none() && self.part_len.is_none();
        TreeFunction::of(self.algorithm).filter(|_| is_plain)
    }

    /// Returns a description of the implementation that hashes one message, for `--debug`.
    pub fn implementation(&self) -> String {
        use Foreign::*;
        let described = match self.algorithm {
            Ours(algorithm) => {
                let backend = algorithm.backends().find(|backend| backend.one);
                return format!(
                    "the {} backend",
                    backend.map_or("portable", |backend| backend.name)
                );
            }
            Another(Md5 | Sha1 | Crc | Crc32b) => "another library's implementation",
            Another(Bsd | Sysv) => "this program's own implementation",
            Another(_) => "the library's sponge or hash tree",
        };
        described.to_owned()
    }

    /// Returns whether hashing takes less time than reading, so that a thread that reads ahead
    /// costs more than it saves.
    pub fn is_fast(&self) -> bool {
        use Foreign::{Crc, Crc32b, Sysv};
        matches!(self.algorithm, Another(Crc | Crc32b | Sysv))
    }

    /// Returns whether the length of a message must be known before its first byte.
    pub fn needs_len(&self) -> bool {
        use Foreign::{TupleHash128, TupleHash256};
        matches!(self.algorithm, Another(TupleHash128 | TupleHash256))
    }

    /// Returns the state before a message of `len` bytes.
    ///
    /// # Panics
    /// If `len` is `None` and [`needs_len`](Self::needs_len) returns `true`, or if the function
    /// needs a key and was not prepared with one.
    pub fn hasher(&self, len: Option<u64>) -> Computation {
        let mut hasher = self.new_hasher();
        hasher.state.begin(len);
        if self.prepared.is_some() {
            forget_stack();
        }
        hasher
    }

    // Not inlined, so that its copies of the state are on the part of the stack that `forget_stack`
    // overwrites.
    #[inline(never)]
    fn new_hasher(&self) -> Computation {
        let state = match &self.prepared {
            Some(prepared) => prepared.1.clone(),
            None => {
                let algorithm = self.algorithm;
                assert!(!algorithm.needs_key(), "a recipe is applied to its key before it is used");
                let state = algorithm.state(self.len, &[], &Parameters::default());
                state.expect("a recipe is made for lengths that its algorithm has")
            }
        };
        let parts = self.part_len.map(|len| {
            let digest = Recipe { part_len: None, ..self.clone() };
            let part = Box::new(digest.hasher(None));
            Parts { digest, part, part_len: len.get(), count: 0 }
        });
        Computation { state, len: self.len, message_len: 0, parts }
    }

    /// Hashes many messages, side by side in the lanes of the vector unit if the library has lanes
    /// for the algorithm.
    pub fn hash_many(&self, messages: &[&[u8]]) -> Vec<Computed> {
        let one = self.new_hasher();
        if let (State::Ours(hasher), None) = (&one.state, &one.parts) {
            let digests = many::outputs(hasher, messages, self.len);
            let values = digests.chunks(self.len).zip(messages);
            return values.map(|(it, message)| self.of_lane(it, message.len() as u64)).collect();
        }
        let value = |message: &&[u8]| {
            let mut hasher = self.hasher(Some(message.len() as u64));
            hasher.update(message);
            hasher.finish()
        };
        messages.iter().map(value).collect()
    }

    /// Returns the hasher of a message that can be hashed in a lane beside others. Returns `None` if
    /// there is none for this recipe.
    pub fn lane(&self) -> Option<AnyHasher> {
        let one = self.new_hasher();
        let plain = self.prepared.is_none() && matches!(self.algorithm, Ours(_));
        match (one.state, one.parts) {
            (State::Ours(hasher), None) if plain && self.len <= hasher.output_len() => {
                Some(*hasher)
            }
            _ => None,
        }
    }

    /// Returns the result of a message of `len` bytes that was hashed in a lane.
    pub fn of_lane(&self, digest: &[u8], len: u64) -> Computed {
        let bytes = digest[..self.len].to_vec();
        Computed { bytes, message_len: len, parts: None }
    }
}

/// Overwrites 32 KiB of the stack below the caller's frame. Functions that have returned may have
/// left copies of a state there, perhaps with a key.
pub fn forget_stack() {
    zeroize::zeroize_stack::<{ 32 << 10 }>();
}

impl Computation {
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.message_len += bytes.len() as u64;
        let Some(parts) = &mut self.parts else { return self.state.update(bytes) };
        while !bytes.is_empty() {
            if parts.part.message_len == parts.part_len {
                self.state.update(&parts.part.finish().bytes);
                parts.count += 1;
                *parts.part = parts.digest.hasher(None);
            }
            let room = parts.part_len - parts.part.message_len;
            let (now, later) =
                bytes.split_at(bytes.len().min(room.try_into().unwrap_or(usize::MAX)));
            parts.part.update(now);
            bytes = later;
        }
    }

    /// Returns the number of bytes so far.
    pub fn message_len(&self) -> u64 {
        self.message_len
    }

    pub fn finish(&self) -> Computed {
        let (bytes, parts) = match &self.parts {
            None => (self.state.finish(self.len, self.message_len), None),
            Some(parts) => {
                // Even an empty message has one part.
                let mut state = self.state.clone();
                state.update(&parts.part.finish().bytes);
                let count = parts.count + 1;
                (state.finish(self.len, count * self.len as u64), Some(count))
            }
        };
        Computed { bytes, message_len: self.message_len, parts }
    }
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Recipe) -> bool {
        let prepared = match (&self.prepared, &other.prepared) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        prepared
            && (self.algorithm, self.len, self.part_len)
                == (other.algorithm, other.len, other.part_len)
    }
}

impl Eq for Recipe {}

impl fmt::Debug for Recipe {
    /// Omits the state, which may contain a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipe({self})")
    }
}

/// Writes the tag of a BSD-style line, such as `SHA256`, `BLAKE2b-160` or `HMAC-SHA256`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prepared.as_ref().map_or("", |prepared| prepared.0))?;
        f.write_str(self.algorithm.tag())?;
        if self.len != self.algorithm.output_len() {
            write!(f, "-{}", 8 * self.len)?;
        }
        Ok(())
    }
}

/// Parses a name, with or without a length in bits after it: `sha256`, `SHA512/256`, `blake2b-160`,
/// `SHAKE128-512`.
impl FromStr for Recipe {
    type Err = ();

    fn from_str(name: &str) -> Result<Recipe, ()> {
        if let Ok(algorithm) = name.parse::<AnyAlgorithm>() {
            return Ok(Recipe::of(algorithm));
        }
        let (name, bits) = name.rsplit_once('-').ok_or(())?;
        let digits = bits.bytes().all(|byte| byte.is_ascii_digit()) && !bits.starts_with('0');
        let bits = if digits { bits.parse().map_err(|_| ())? } else { return Err(()) };
        Recipe::with_bits(name.parse::<AnyAlgorithm>()?, bits).ok_or(())
    }
}
