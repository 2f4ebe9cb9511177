//! Changes recipes by a key, by parameters, or to digests of parts.

use crate::hashing::algorithm::AnyAlgorithm;
use crate::hashing::parameters::Parameters;
use crate::hashing::recipe::{Recipe, forget_stack};
use std::cell::RefCell;
use std::num::NonZero;
use zeroize::Zeroizing;

#[derive(Default)]
pub struct Mode {
    pub key: Option<Key>,
    pub parameters: Parameters,
    /// The length of a part in bytes, if a file's digest is computed from the digests of its parts.
    pub part_len: Option<NonZero<u64>>,
    /// Recipes before and after the mode was applied. All lines of a list thereby share one state,
    /// with one copy of the key, and files with the same recipe are hashed together in lanes.
    applied: RefCell<Vec<(Recipe, Recipe)>>,
}

pub enum Key {
    Hmac(Zeroizing<Vec<u8>>),
    Keyed(Zeroizing<Vec<u8>>),
}

/// The maximal length of a key in bytes. A longer one is assumed to be a mistake.
pub const MAX_KEY: usize = 64 << 10;

impl Mode {
    pub fn is_hmac(&self) -> bool {
        matches!(self.key, Some(Key::Hmac(_)))
    }

    pub fn has_parts(&self) -> bool {
        self.part_len.is_some()
    }

    pub fn new(key: Option<Key>, parameters: Parameters, part_len: Option<NonZero<u64>>) -> Mode {
        Mode { key, parameters, part_len, applied: RefCell::default() }
    }

    /// Returns `digest` with the key and the parameters applied. An error is a message that
    /// explains why they cannot be applied.
    pub fn apply(&self, digest: Recipe) -> Result<Recipe, String> {
        if self.key.is_none() && self.parameters.given().next().is_none() {
            return self.apply_anew(digest);
        }
        let known = self.applied.borrow().iter().find(|it| it.0 == digest).map(|it| it.1.clone());
        if let Some(applied) = known {
            return Ok(applied);
        }
        let applied = self.apply_anew(digest.clone())?;
        self.applied.borrow_mut().push((digest, applied.clone()));
        forget_stack();
        Ok(applied)
    }

    #[inline(never)]
    fn apply_anew(&self, digest: Recipe) -> Result<Recipe, String> {
        let algorithm = digest.algorithm();
        if let Some(Key::Hmac(key)) = &self.key {
            if let Some(name) = self.parameters.given().next() {
                return Err(format!("HMAC does not take {name}"));
            }
            let AnyAlgorithm::Ours(ours) = algorithm else {
                return Err(format!("HMAC with {algorithm} is not supported"));
            };
            if digest.len() != ours.output_len() {
                return Err("HMAC uses the whole digest: a length does not apply".to_owned());
            }
            let hmac = ours.hmac(key).map_err(|error| format!("{algorithm}: {error}"))?;
            return Ok(digest.prepared("HMAC-", hmac.into()));
        }
        let takes = algorithm.parameters();
        if let Some(name) = self.parameters.given().find(|name| !takes.contains(name)) {
            return Err(match takes {
                [] => format!("{algorithm} has no parameters"),
                takes => format!("{algorithm} does not take {name}; it takes {}", takes.join(", ")),
            });
        }
        let key = match &self.key {
            Some(Key::Keyed(key)) if algorithm.takes_key() => key,
            Some(_) => return Err(format!("{algorithm} takes no key of its own: use --hmac")),
            None if algorithm.needs_key() => {
                return Err(format!("{algorithm} needs a key: --params keyed,key-file=FILE"));
            }
            None => &[][..],
        };
        let mut digest = digest;
        if self.key.is_some() || self.parameters.given().next().is_some() {
            let state = algorithm.state(digest.len(), key, &self.parameters);
            digest = digest.prepared("", state.map_err(|error| format!("{algorithm}: {error}"))?);
        }
        match self.part_len {
            Some(_) if digest.needs_len() => Err(format!("{algorithm} does not hash parts")),
            Some(part_len) => Ok(digest.of_parts(part_len)),
            None => Ok(digest),
        }
    }
}
