//! Changes recipes by a key, by BLAKE2's parameters, or to digests of parts.

use crate::hashing::foreign::{Foreign, State};
use crate::hashing::recipe::{Algorithm, Recipe, forget_stack};
use hashmill::{LastNode, blake2b, blake2bp, blake2s, blake2sp};
use std::cell::RefCell;
use std::num::NonZero;
use zeroize::Zeroizing;

#[derive(Default)]
pub struct Mode {
    pub key: Option<Key>,
    pub blake2: Blake2,
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

/// Those parameters of the BLAKE2 paper, §2.5 and §2.10, that were given.
#[derive(Default, PartialEq, Eq)]
pub struct Blake2 {
    pub salt: Option<Vec<u8>>,
    pub personal: Option<Vec<u8>>,
    pub tree: Tree,
}

#[derive(Default, PartialEq, Eq)]
pub struct Tree {
    pub fanout: Option<u8>,
    pub max_depth: Option<u8>,
    pub leaf_len: Option<u32>,
    pub node_offset: Option<u64>,
    pub node_depth: Option<u8>,
    pub inner_len: Option<usize>,
    pub last_node: bool,
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

    pub fn new(key: Option<Key>, blake2: Blake2, part_len: Option<NonZero<u64>>) -> Mode {
        Mode { key, blake2, part_len, applied: RefCell::default() }
    }

    /// Returns `digest` with the key and the parameters applied. An error is a message that
    /// explains why they cannot be applied.
    pub fn apply(&self, digest: Recipe) -> Result<Recipe, String> {
        if self.key.is_none() && self.blake2 == Blake2::default() {
            return self.apply_anew(digest);
        }
        let known = |applied: &Vec<(Recipe, Recipe)>| {
            applied.iter().find(|(plain, _)| *plain == digest).map(|(_, applied)| applied.clone())
        };
        if let Some(applied) = known(&self.applied.borrow()) {
            return Ok(applied);
        }
        let applied = self.apply_anew(digest.clone())?;
        self.applied.borrow_mut().push((digest, applied.clone()));
        forget_stack();
        Ok(applied)
    }

    #[inline(never)]
    fn apply_anew(&self, digest: Recipe) -> Result<Recipe, String> {
        if let Some(part_len) = self.part_len {
            return Ok(digest.of_parts(part_len));
        }
        let algorithm = digest.algorithm();
        match &self.key {
            Some(Key::Hmac(key)) => {
                if self.blake2 != Blake2::default() {
                    return Err("HMAC does not accept BLAKE2's parameters".to_owned());
                }
                let Algorithm::Ours(ours) = algorithm else {
                    return Err(format!("HMAC with {algorithm} is not supported"));
                };
                if digest.len() != ours.output_len() {
                    return Err("HMAC uses the whole digest: a length does not apply".to_owned());
                }
                let hmac = ours.hmac(key).map_err(|error| format!("{algorithm}: {error}"))?;
                Ok(digest.prepared("HMAC-", hmac.into()))
            }
            None if self.blake2 == Blake2::default() => Ok(digest),
            None => self.blake2(digest, &[]),
            Some(Key::Keyed(key)) => self.blake2(digest, key),
        }
    }

    fn blake2(&self, digest: Recipe, key: &[u8]) -> Result<Recipe, String> {
        use Foreign::{Blake2xb, Blake2xs};
        use hashmill::Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        let Blake2 { salt, personal, tree } = &self.blake2;
        let (salt, personal) =
            (salt.as_deref().unwrap_or_default(), personal.as_deref().unwrap_or_default());
        let (len, algorithm) = (digest.len(), digest.algorithm());
        macro_rules! given {
            ($module:ident) => {
                $module::Params::new().key(key).salt(salt).personal(personal)
            };
        }
        macro_rules! params {
            ($module:ident) => {
                given!($module).output_len(len)
            };
        }
        macro_rules! extended {
            ($module:ident) => {
                given!($module).build_xof(Some(len as u64)).map(State::from)
            };
        }
        macro_rules! sequential {
            ($module:ident) => {{
                let mut params = params!($module);
                if let Some(fanout) = tree.fanout {
                    params = params.fanout(fanout);
                }
                if let Some(depth) = tree.max_depth {
                    params = params.max_depth(depth);
                }
                if let Some(len) = tree.leaf_len {
                    params = params.leaf_len(len);
                }
                if let Some(offset) = tree.node_offset {
                    params = params.node_offset(offset);
                }
                if let Some(depth) = tree.node_depth {
                    params = params.node_depth(depth);
                }
                if let Some(len) = tree.inner_len {
                    params = params.inner_len(len);
                }
                if tree.last_node {
                    params = params.last_node(LastNode::Yes);
                }
                params.build().map(State::from)
            }};
        }
        let built = match algorithm {
            Algorithm::Ours(Blake2b) => sequential!(blake2b),
            Algorithm::Ours(Blake2s) => sequential!(blake2s),
            Algorithm::Ours(Blake2bp | Blake2sp) | Algorithm::Foreign(Blake2xb | Blake2xs)
                if *tree != Tree::default() =>
            {
                return Err(format!(
                    "{algorithm} is a tree already: it takes a key, a salt and a personalization"
                ));
            }
            Algorithm::Ours(Blake2bp) => params!(blake2bp).build().map(State::from),
            Algorithm::Ours(Blake2sp) => params!(blake2sp).build().map(State::from),
            Algorithm::Foreign(Blake2xb) => extended!(blake2b),
            Algorithm::Foreign(Blake2xs) => extended!(blake2s),
            _ if key.is_empty() => {
                return Err(format!("{algorithm} has no parameters; BLAKE2 has"));
            }
            _ => return Err(format!("{algorithm} takes no key of its own: use --hmac")),
        };
        let state = built.map_err(|error| format!("{algorithm}: {error}"))?;
        Ok(digest.prepared("", state))
    }
}
