//! The interfaces of every algorithm's own type, which `AnyHasher` does not have, and helpers for
//! many messages.

use super::answer::{Mode3, Params};
use hashmill::function::{Function, Visitor};
use hashmill::many::{self, Messages, Outputs as Places};
use hashmill::{Algorithm, AnyHasher, Error, Hash, Hmac, LastNode, VarDigest, portable};

pub type Outputs = Vec<Vec<u8>>;

/// Splits packed outputs of `len` bytes each.
pub fn unpacked(packed: &[u8], count: usize, len: usize) -> Outputs {
    (0..count).map(|i| packed[i * len..][..len].to_vec()).collect()
}

/// Returns the messages in one buffer, and the offsets at which they begin and end.
pub fn flatten(messages: &[&[u8]]) -> (Vec<u8>, Vec<u32>) {
    let ends = messages.iter().scan(0, |end, message| {
        *end += message.len() as u32;
        Some(*end)
    });
    (messages.concat(), std::iter::once(0).chain(ends).collect())
}

/// Returns the digests of messages by the hasher whose algorithm is chosen at run time.
pub fn digests(algorithm: Algorithm, messages: &dyn Messages) -> Vec<VarDigest> {
    let mut digests = vec![VarDigest::default(); messages.count()];
    algorithm.hasher().hash_many(messages, &mut digests[..]).expect("a digest for each message");
    digests
}

/// Returns the outputs of the messages after what the hasher has absorbed: `len` bytes each, or
/// digests.
pub fn after(hasher: &AnyHasher, messages: &dyn Messages, len: usize) -> Outputs {
    let len = if hasher.is_extendable() { len } else { hasher.output_len() };
    let mut out = vec![0; messages.count() * len];
    hasher.hash_many(messages, &mut out[..]).expect("as many bytes for each message");
    unpacked(&out, messages.count(), len)
}

/// Clones the hasher once for each piece of a round, updates the clones with the pieces of every
/// round, and returns their outputs.
pub fn updated(hasher: &AnyHasher, rounds: &[Vec<&[u8]>], len: usize) -> Outputs {
    let mut hashers = vec![hasher.clone(); rounds[0].len()];
    for pieces in rounds {
        AnyHasher::update_many(&mut hashers, &pieces[..]).expect("a piece for each hasher");
    }
    hashers.iter().map(|hasher| output(hasher, len)).collect()
}

/// Returns the output for one message: `len` bytes, or the digest.
pub fn one(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    output(algorithm.hasher().update(message), len)
}

fn output(hasher: &AnyHasher, len: usize) -> Vec<u8> {
    let mut out = vec![0; if hasher.is_extendable() { len } else { hasher.output_len() }];
    hasher.hash_into(b"", &mut out).expect("a length that it has");
    out
}

/// Returns what `after` and `updated` return, computed by the hasher's own type, which continues
/// from the exported state.
pub fn typed(
    hasher: &AnyHasher,
    messages: &dyn Messages,
    rounds: &[Vec<&[u8]>],
    len: usize,
) -> [Outputs; 2] {
    struct Typed<'a>(&'a AnyHasher, &'a dyn Messages, &'a [Vec<&'a [u8]>], usize);
    impl Visitor for Typed<'_> {
        type Output = [Outputs; 2];
        fn visit<F: Function>(self) -> [Outputs; 2] {
            let Typed(any, messages, rounds, len) = self;
            let state = any.export().expect("a state");
            let hasher = Hash::<F>::import(state.as_ref()).expect("a state");
            let each = if any.is_extendable() { len } else { any.output_len() };
            let mut out = vec![0; messages.count() * each];
            hasher.hash_many(messages, &mut out[..]).expect("as many bytes for each message");
            let mut hashers = vec![hasher; rounds[0].len()];
            for pieces in rounds {
                Hash::update_many(&mut hashers, &pieces[..]).expect("a piece for each hasher");
            }
            let updated = hashers.into_iter().map(|hasher| output(&hasher.into(), len)).collect();
            [unpacked(&out, messages.count(), each), updated]
        }
    }
    let algorithm = hasher.algorithm().expect("a hasher of the list");
    algorithm.with(Typed(hasher, messages, rounds, len))
}

/// Calls `many::hash` for the algorithm's type.
pub fn many(
    algorithm: Algorithm,
    messages: &dyn Messages,
    outputs: &mut dyn Places,
) -> Result<(), Error> {
    struct Many<'a>(&'a dyn Messages, &'a mut dyn Places);
    impl Visitor for Many<'_> {
        type Output = Result<(), Error>;
        fn visit<F: Function>(self) -> Self::Output {
            many::hash::<Hash<F>>(self.0, self.1)
        }
    }
    algorithm.with(Many(messages, outputs))
}

/// Calls [`many`] with packed outputs: `len` bytes each, or digests.
pub fn packed(algorithm: Algorithm, messages: &dyn Messages, len: usize) -> Outputs {
    let len = if algorithm.is_xof() { len } else { algorithm.output_len() };
    let mut out = vec![0; messages.count() * len];
    many(algorithm, messages, &mut out).expect("as many bytes for each message");
    unpacked(&out, messages.count(), len)
}

/// As [`packed`], with the messages in one buffer with offsets.
pub fn columns(algorithm: Algorithm, messages: &[&[u8]], len: usize) -> Result<Outputs, Error> {
    let (values, offsets) = flatten(messages);
    Ok(packed(algorithm, &many::Column::new(&values, &offsets)?, len))
}

/// The results of the typed HMAC under one key.
pub struct Hmacs {
    /// Whether each of the given tags is accepted as that of the first message.
    pub verifies: Vec<bool>,
    /// The tags of all messages, by `hash_many`.
    pub many: Outputs,
}

/// Computes the HMACs of the messages with the algorithm's own type, and verifies `tags`.
pub fn hmacs(algorithm: Algorithm, key: &[u8], messages: &[&[u8]], tags: &[&[u8]]) -> Hmacs {
    struct Typed<'a>(&'a [u8], &'a [&'a [u8]], &'a [&'a [u8]]);
    impl Visitor for Typed<'_> {
        type Output = Hmacs;
        fn visit<F: Function>(self) -> Hmacs {
            let Typed(key, messages, tags) = self;
            let hmac = Hmac::<Hash<F>>::new(key);
            let mut first = hmac.clone();
            messages.first().into_iter().for_each(|message| _ = first.update(message));
            let len = F::FACTS.output_len;
            let mut many = vec![0; messages.len() * len];
            hmac.hash_many(messages, &mut many[..]).expect("room for each tag");
            Hmacs {
                verifies: tags.iter().map(|tag| first.verify(tag).is_ok()).collect(),
                many: unpacked(&many, messages.len(), len),
            }
        }
    }
    algorithm.with_hmac(Typed(key, messages, tags)).expect("an HMAC")
}

/// Clones an HMAC once for each piece of a round, updates the clones with the pieces of every
/// round, and returns their tags.
pub fn hmacs_updated(algorithm: Algorithm, key: &[u8], rounds: &[Vec<&[u8]>]) -> Outputs {
    struct Typed<'a>(&'a [u8], &'a [Vec<&'a [u8]>]);
    impl Visitor for Typed<'_> {
        type Output = Outputs;
        fn visit<F: Function>(self) -> Outputs {
            let mut hmacs = vec![Hmac::<Hash<F>>::new(self.0); self.1[0].len()];
            for pieces in self.1 {
                Hmac::update_many(&mut hmacs, &pieces[..]).expect("a piece for each");
            }
            hmacs.iter().map(|hmac| hmac.finalize().as_ref().to_vec()).collect()
        }
    }
    algorithm.with_hmac(Typed(key, rounds)).expect("an HMAC")
}

/// Defines functions that call what the list makes for every algorithm.
macro_rules! table {
    (fixed { $($Fixed:ident $fixed:ident,)* } xof { $($Xof:ident $xof:ident,)* }) => {
        /// Hashes with the algorithm's one-call functions, at the usual output length.
        pub fn calls(algorithm: Algorithm, message: &[u8]) -> [(&'static str, Vec<u8>); 3] {
            let [function, portable] = match algorithm {
                $(Algorithm::$Fixed => {
                    [hashmill::$fixed(message).to_vec(), portable::$fixed(message).to_vec()]
                })*
                $(Algorithm::$Xof => {
                    const LEN: usize = Algorithm::$Xof.output_len();
                    [hashmill::$xof::<LEN>(message).to_vec(), portable::$xof::<LEN>(message).to_vec()]
                })*
                other => panic!("{other} has no row in this table"),
            };
            let run_time = algorithm.hash(message).to_vec();
            [("Algorithm::hash", run_time), ("the function", function), ("the portable function", portable)]
        }

        /// Hashes with the algorithm's compile-time hasher, called at run time.
        pub fn portable(algorithm: Algorithm, pieces: &[&[u8]], output_len: usize) -> Vec<u8> {
            match algorithm {
                $(Algorithm::$Fixed => {
                    const LEN: usize = Algorithm::$Fixed.output_len();
                    let mut hasher = portable::$Fixed::new();
                    pieces.iter().for_each(|piece| _ = hasher.update(piece));
                    hasher.finalize::<LEN>().to_vec()
                })*
                $(Algorithm::$Xof => {
                    let mut hasher = portable::$Xof::new();
                    pieces.iter().for_each(|piece| _ = hasher.update(piece));
                    let mut out = vec![0; output_len];
                    let (begin, rest) = out.split_at_mut(output_len / 3);
                    let mut reader = hasher.squeeze();
                    reader.fill(begin);
                    reader.fill(rest);
                    out
                })*
                other => panic!("{other} has no row in this table"),
            }
        }
    };
}

each!(both table);

/// Computes HMAC with the compile-time function, called at run time.
pub fn portable_hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    macro_rules! hmac {
        ($($Type:ident $function:ident,)*) => {
            match algorithm {
                $(Algorithm::$Type => {
                    const LEN: usize = Algorithm::$Type.output_len();
                    portable::$Type::hmac::<LEN>(hashmill::Key(key), message).to_vec()
                })*
                other => panic!("{other} has no HMAC"),
            }
        };
    }
    each!(hmac hmac)
}

/// Returns TurboSHAKE with a domain byte.
pub fn domain(algorithm: Algorithm, domain: u8) -> Result<AnyHasher, Error> {
    Ok(match algorithm {
        Algorithm::TurboShake128 => hashmill::TurboShake128::with_domain(domain)?.into(),
        Algorithm::TurboShake256 => hashmill::TurboShake256::with_domain(domain)?.into(),
        other => panic!("{other} has no domain byte"),
    })
}

/// Returns BLAKE3 in a mode other than its hash.
pub fn blake3(mode: &Mode3) -> AnyHasher {
    match mode {
        Mode3::Keyed(key) => hashmill::Blake3::keyed(key),
        Mode3::DeriveKey(context) => hashmill::Blake3::derive_key(context),
    }
    .into()
}

/// Returns BLAKE2 with parameters.
pub fn blake2(algorithm: Algorithm, p: &Params) -> Result<AnyHasher, Error> {
    let last_node = if p.last_node { LastNode::Yes } else { LastNode::No };
    macro_rules! params {
        ($module:ident) => {
            hashmill::$module::Params::new()
                .output_len(p.output_len)
                .key(&p.key)
                .salt(&p.salt)
                .personal(&p.personal)
        };
        (tree $module:ident) => {
            params!($module)
                .fanout(p.fanout)
                .max_depth(p.max_depth)
                .leaf_len(p.leaf_len)
                .node_offset(p.node_offset)
                .node_depth(p.node_depth)
                .inner_len(p.inner_len)
                .last_node(last_node)
        };
    }
    Ok(match algorithm {
        Algorithm::Blake2b => params!(tree blake2b).build()?.into(),
        Algorithm::Blake2s => params!(tree blake2s).build()?.into(),
        Algorithm::Blake2bp => params!(blake2bp).build()?.into(),
        Algorithm::Blake2sp => params!(blake2sp).build()?.into(),
        other => panic!("{other} has no parameters"),
    })
}
