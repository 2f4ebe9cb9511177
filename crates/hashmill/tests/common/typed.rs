//! One trait for the typed hashers, to test the interfaces that `AnyHasher` does not have.

use super::answer::Params;
use hashmill::many::{Column, Messages, Outputs as Places};
use hashmill::{
    Algorithm, AnyHasher, Digest, Error, Hash, Hmac, LastNode, VarDigest, function, many, portable,
};

pub type Outputs = Vec<Vec<u8>>;

pub trait Typed {
    fn any(&self) -> AnyHasher;

    fn update(&mut self, data: &[u8]);

    /// Returns the output of the hasher after each message: `output_len` bytes of an XOF, or the
    /// digest of another function. Digests are written to an array of digests.
    fn hash_many(&self, messages: &dyn Messages, output_len: usize) -> Outputs;

    /// As `hash_many`, with the outputs packed one after the other.
    fn finish_packed(&self, messages: &dyn Messages, output_len: usize) -> Outputs;

    /// Clones the hasher once for each piece of a round, updates the clones with the pieces of
    /// every round, and returns their outputs.
    fn update_many(&self, rounds: &[Vec<&[u8]>], output_len: usize) -> Outputs;
}

struct Fixed<F: function::Fixed>(Hash<F>);

impl<F: function::Fixed> Typed for Fixed<F>
where
    [F::Digest]: Places,
{
    fn any(&self) -> AnyHasher {
        self.0.clone().into()
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn hash_many(&self, messages: &dyn Messages, _output_len: usize) -> Outputs {
        let mut digests = vec![F::Digest::default(); messages.count()];
        self.0.hash_many(messages, &mut digests[..]).expect("a digest for each message");
        digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
    }

    fn finish_packed(&self, messages: &dyn Messages, _output_len: usize) -> Outputs {
        let len = self.0.output_len();
        let mut out = vec![0; messages.count() * len];
        self.0.hash_many(messages, &mut out[..]).expect("room for each digest");
        unpacked(&out, messages.count(), len)
    }

    fn update_many(&self, rounds: &[Vec<&[u8]>], _output_len: usize) -> Outputs {
        let mut hashers = vec![self.0.clone(); rounds[0].len()];
        for pieces in rounds {
            Hash::update_many(&mut hashers, &pieces[..]).expect("a piece for each hasher");
        }
        hashers.iter().map(|hasher| hasher.finalize().as_ref().to_vec()).collect()
    }
}

struct Extendable<F: function::Extendable>(Hash<F>);

impl<F: function::Extendable> Typed for Extendable<F> {
    fn any(&self) -> AnyHasher {
        self.0.clone().into()
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn hash_many(&self, messages: &dyn Messages, output_len: usize) -> Outputs {
        self.finish_packed(messages, output_len)
    }

    fn finish_packed(&self, messages: &dyn Messages, output_len: usize) -> Outputs {
        let mut out = vec![0; messages.count() * output_len];
        self.0.hash_many(messages, &mut out[..]).expect("as many bytes for each message");
        unpacked(&out, messages.count(), output_len)
    }

    fn update_many(&self, rounds: &[Vec<&[u8]>], output_len: usize) -> Outputs {
        let mut functions = vec![self.0.clone(); rounds[0].len()];
        for pieces in rounds {
            Hash::update_many(&mut functions, &pieces[..]).expect("a piece for each function");
        }
        functions.iter().map(|xof| xof.squeeze().take(output_len).collect()).collect()
    }
}

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

/// Defines functions that call the typed interfaces of every algorithm.
macro_rules! table {
    (fixed { $($Fixed:ident $fixed:ident,)* } xof { $($Xof:ident $xof:ident,)* }) => {
        /// Returns the algorithm's hasher with default parameters.
        pub fn plain(algorithm: Algorithm) -> Box<dyn Typed> {
            match algorithm {
                $(Algorithm::$Fixed => Box::new(Fixed(hashmill::$Fixed::new())),)*
                $(Algorithm::$Xof => Box::new(Extendable(hashmill::$Xof::new())),)*
                other => panic!("{other} has no row in this table"),
            }
        }

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
                    let mut hasher = portable::$Fixed::new();
                    pieces.iter().for_each(|piece| _ = hasher.update(piece));
                    hasher.finalize().as_ref().to_vec()
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

        /// Computes HMAC with the compile-time function, called at run time.
        pub fn portable_hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
            match algorithm {
                $(Algorithm::$Fixed => portable::$Fixed::hmac(hashmill::Key(key), message).as_ref().to_vec(),)*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// Calls `many::hash` with an array of digests or, for an XOF, with packed outputs.
        pub fn many(algorithm: Algorithm, messages: &dyn Messages, output_len: usize) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    const LEN: usize = Algorithm::$Fixed.output_len();
                    let mut digests = vec![Digest::<LEN>::default(); messages.count()];
                    many::hash::<hashmill::$Fixed>(messages, &mut digests[..]).expect("a digest for each message");
                    digests.iter().map(|digest| digest.to_vec()).collect()
                })*
                $(Algorithm::$Xof => many_packed(algorithm, messages, output_len),)*
                other => panic!("{other} has no row in this table"),
            }
        }

        /// Calls `many::hash` with packed outputs.
        pub fn many_packed(algorithm: Algorithm, messages: &dyn Messages, output_len: usize) -> Outputs {
            let len = if algorithm.is_xof() { output_len } else { algorithm.output_len() };
            let mut out = vec![0; messages.count() * len];
            match algorithm {
                $(Algorithm::$Fixed => many::hash::<hashmill::$Fixed>(messages, &mut out[..]),)*
                $(Algorithm::$Xof => many::hash::<hashmill::$Xof>(messages, &mut out[..]),)*
                other => panic!("{other} has no row in this table"),
            }
            .expect("as many bytes for each message");
            unpacked(&out, messages.count(), len)
        }

        /// Returns whether the typed HMAC accepts `tag` as the message's tag.
        pub fn hmac_verifies(algorithm: Algorithm, key: &[u8], message: &[u8], tag: &[u8]) -> bool {
            match algorithm {
                $(Algorithm::$Fixed => {
                    Hmac::<hashmill::$Fixed>::new(key).update(message).verify(tag).is_ok()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// Clones an HMAC once for each piece of a round, updates the clones with the pieces of
        /// every round, and returns their tags.
        pub fn hmac_update_many(algorithm: Algorithm, key: &[u8], rounds: &[Vec<&[u8]>]) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    let mut hmacs = vec![Hmac::<hashmill::$Fixed>::new(key); rounds[0].len()];
                    for pieces in rounds {
                        Hmac::update_many(&mut hmacs, &pieces[..]).expect("a piece for each");
                    }
                    hmacs.iter().map(|hmac| hmac.finalize().as_ref().to_vec()).collect()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// Computes the HMACs of many messages under one key.
        pub fn hmac_many(algorithm: Algorithm, key: &[u8], messages: &dyn Messages) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    let hmac = Hmac::<hashmill::$Fixed>::new(key);
                    let mut tags = vec![hmac.finalize(); messages.count()];
                    hmac.hash_many(messages, &mut tags[..]).expect("a tag for each message");
                    tags.iter().map(|tag| tag.as_ref().to_vec()).collect()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }
    };
}

each!(both table);

/// As [`many_packed`], with the messages in one buffer with offsets.
pub fn columns(
    algorithm: Algorithm,
    messages: &[&[u8]],
    output_len: usize,
) -> Result<Outputs, Error> {
    let (values, offsets) = flatten(messages);
    Ok(many_packed(algorithm, &Column::new(&values, &offsets)?, output_len))
}

/// Returns TurboSHAKE with a domain byte.
pub fn domain(algorithm: Algorithm, domain: u8) -> Result<Box<dyn Typed>, Error> {
    Ok(match algorithm {
        Algorithm::TurboShake128 => {
            Box::new(Extendable(hashmill::TurboShake128::with_domain(domain)?))
        }
        Algorithm::TurboShake256 => {
            Box::new(Extendable(hashmill::TurboShake256::with_domain(domain)?))
        }
        other => panic!("{other} has no domain byte"),
    })
}

/// Returns BLAKE2 with parameters.
pub fn blake2(algorithm: Algorithm, p: &Params) -> Result<Box<dyn Typed>, Error> {
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
        Algorithm::Blake2b => Box::new(Fixed(params!(tree blake2b).build()?)),
        Algorithm::Blake2s => Box::new(Fixed(params!(tree blake2s).build()?)),
        Algorithm::Blake2bp => Box::new(Fixed(params!(blake2bp).build()?)),
        Algorithm::Blake2sp => Box::new(Fixed(params!(blake2sp).build()?)),
        other => panic!("{other} has no parameters"),
    })
}
