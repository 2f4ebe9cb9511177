//! A hasher as its own type behind one face, for the interfaces that `AnyHasher` does not have.

use super::answer::Params;
use hashmill::{Algorithm, AnyHasher, Error, Hasher, Hmac, LastNode, Xof, many, portable};

pub type Outputs = Vec<Vec<u8>>;

pub trait Typed {
    fn any(&self) -> AnyHasher;

    fn update(&mut self, data: &[u8]);

    /// What the hasher would give after each message: an XOF `output_len` bytes, others their digest.
    fn finish_many(&self, messages: &[&[u8]], output_len: usize) -> Outputs;

    /// As `finish_many`, by offsets and by rows of a buffer.
    fn finish_offsets(&self, values: &[u8], offsets: &[u32], output_len: usize) -> Outputs;
    fn finish_rows(&self, values: &[u8], width: usize, output_len: usize) -> Outputs;

    /// What as many of the hasher would give after one piece each of every round.
    fn update_many(&self, rounds: &[Vec<&[u8]>], output_len: usize) -> Outputs;
}

struct Fixed<H>(H);

impl<H: Hasher + Into<AnyHasher>> Typed for Fixed<H> {
    fn any(&self) -> AnyHasher {
        self.0.clone().into()
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish_many(&self, messages: &[&[u8]], _output_len: usize) -> Outputs {
        let mut digests = vec![H::Digest::default(); messages.len()];
        self.0.finish_many(messages, &mut digests);
        digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
    }

    fn finish_offsets(&self, values: &[u8], offsets: &[u32], _output_len: usize) -> Outputs {
        let (count, len) = (offsets.len() - 1, self.0.output_len());
        let mut out = vec![0; count * len];
        self.0.finish_offsets(values, offsets, &mut out).expect("offsets in order");
        rows(&out, count, len)
    }

    fn finish_rows(&self, values: &[u8], width: usize, _output_len: usize) -> Outputs {
        let (count, len) = (values.len() / width, self.0.output_len());
        let mut out = vec![0; count * len];
        self.0.finish_rows(values, width, &mut out).expect("whole rows");
        rows(&out, count, len)
    }

    fn update_many(&self, rounds: &[Vec<&[u8]>], _output_len: usize) -> Outputs {
        let mut hashers = vec![self.0.clone(); rounds[0].len()];
        rounds.iter().for_each(|pieces| H::update_many(&mut hashers, pieces));
        hashers.iter().map(|hasher| hasher.finalize().as_ref().to_vec()).collect()
    }
}

struct Extendable<X>(X);

impl<X: Xof + Into<AnyHasher>> Typed for Extendable<X> {
    fn any(&self) -> AnyHasher {
        self.0.clone().into()
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish_many(&self, messages: &[&[u8]], output_len: usize) -> Outputs {
        let mut out = vec![0; messages.len() * output_len];
        self.0.finish_many(messages, output_len, &mut out);
        rows(&out, messages.len(), output_len)
    }

    fn finish_offsets(&self, values: &[u8], offsets: &[u32], output_len: usize) -> Outputs {
        let mut out = vec![0; (offsets.len() - 1) * output_len];
        self.0.finish_offsets(values, offsets, output_len, &mut out).expect("in order");
        rows(&out, offsets.len() - 1, output_len)
    }

    fn finish_rows(&self, values: &[u8], width: usize, output_len: usize) -> Outputs {
        let mut out = vec![0; values.len() / width * output_len];
        self.0.finish_rows(values, width, output_len, &mut out).expect("whole rows");
        rows(&out, values.len() / width, output_len)
    }

    fn update_many(&self, rounds: &[Vec<&[u8]>], output_len: usize) -> Outputs {
        let mut functions = vec![self.0.clone(); rounds[0].len()];
        rounds.iter().for_each(|pieces| X::update_many(&mut functions, pieces));
        functions.iter().map(|xof| xof.finalize_xof().take(output_len).collect()).collect()
    }
}

fn rows(flat: &[u8], count: usize, len: usize) -> Outputs {
    (0..count).map(|row| flat[row * len..][..len].to_vec()).collect()
}

/// The messages in one buffer, and where they begin and end.
pub fn flatten(messages: &[&[u8]]) -> (Vec<u8>, Vec<u32>) {
    let ends = messages.iter().scan(0, |end, message| {
        *end += message.len() as u32;
        Some(*end)
    });
    (messages.concat(), std::iter::once(0).chain(ends).collect())
}

/// One row for every algorithm: its type, and its functions for many messages.
macro_rules! table {
    (fixed { $($Fixed:ident $many:ident $offsets:ident $rows:ident,)* } xof { $($Xof:ident $many_xof:ident $offsets_xof:ident $rows_xof:ident $len:literal,)* }) => {
        /// The algorithm with its default parameters.
        pub fn plain(algorithm: Algorithm) -> Box<dyn Typed> {
            match algorithm {
                $(Algorithm::$Fixed => Box::new(Fixed(hashmill::$Fixed::new())),)*
                $(Algorithm::$Xof => Box::new(Extendable(hashmill::$Xof::new())),)*
                other => panic!("{other} has no row in this table"),
            }
        }

        /// The algorithm's functions of one call, at their usual length of output.
        pub fn calls(algorithm: Algorithm, message: &[u8]) -> [(&'static str, Vec<u8>); 3] {
            let [function, portable] = match algorithm {
                $(Algorithm::$Fixed => {
                    [hashmill::$many(message).to_vec(), portable::$many(message).to_vec()]
                })*
                $(Algorithm::$Xof => {
                    [hashmill::$many_xof::<$len>(message).to_vec(), portable::$many_xof::<$len>(message).to_vec()]
                })*
                other => panic!("{other} has no row in this table"),
            };
            let run_time = algorithm.hash(message).to_vec();
            [("Algorithm::hash", run_time), ("the function", function), ("the portable function", portable)]
        }

        /// The algorithm's hasher for compile time, which runs at run time, too.
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
                    let mut reader = hasher.finalize_xof();
                    reader.fill(begin);
                    reader.fill(rest);
                    out
                })*
                other => panic!("{other} has no row in this table"),
            }
        }

        /// HMAC as a function for compile time.
        pub fn portable_hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
            match algorithm {
                $(Algorithm::$Fixed => portable::hmac::$many(key, message).to_vec(),)*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// The algorithm's function for many messages.
        pub fn many(algorithm: Algorithm, messages: &[&[u8]], output_len: usize) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    let mut digests = vec![Default::default(); messages.len()];
                    many::$many(messages, &mut digests);
                    digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
                })*
                $(Algorithm::$Xof => {
                    let mut out = vec![0; messages.len() * output_len];
                    many::$many_xof(messages, output_len, &mut out);
                    rows(&out, messages.len(), output_len)
                })*
                other => panic!("{other} has no row in this table"),
            }
        }

        /// The algorithm's function for one buffer with offsets.
        pub fn offsets(algorithm: Algorithm, messages: &[&[u8]], output_len: usize) -> Result<Outputs, Error> {
            let (values, offsets) = flatten(messages);
            let len = if algorithm.is_xof() { output_len } else { algorithm.output_len() };
            let mut out = vec![0; messages.len() * len];
            match algorithm {
                $(Algorithm::$Fixed => many::$offsets(&values, &offsets, &mut out)?,)*
                $(Algorithm::$Xof => many::$offsets_xof(&values, &offsets, len, &mut out)?,)*
                other => panic!("{other} has no row in this table"),
            }
            Ok(rows(&out, messages.len(), len))
        }

        /// The algorithm's function for rows of one width.
        pub fn rows_of(algorithm: Algorithm, values: &[u8], width: usize, output_len: usize) -> Result<Outputs, Error> {
            let len = if algorithm.is_xof() { output_len } else { algorithm.output_len() };
            let count = values.len() / width;
            let mut out = vec![0; count * len];
            match algorithm {
                $(Algorithm::$Fixed => many::$rows(values, width, &mut out)?,)*
                $(Algorithm::$Xof => many::$rows_xof(values, width, len, &mut out)?,)*
                other => panic!("{other} has no row in this table"),
            }
            Ok(rows(&out, count, len))
        }

        /// Whether `tag` is the message's tag, by the typed HMAC.
        pub fn hmac_verifies(algorithm: Algorithm, key: &[u8], message: &[u8], tag: &[u8]) -> bool {
            match algorithm {
                $(Algorithm::$Fixed => {
                    Hmac::<hashmill::$Fixed>::new(key).update(message).verify(tag).is_ok()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// As many HMACs under one key, each after its pieces.
        pub fn hmac_update_many(algorithm: Algorithm, key: &[u8], rounds: &[Vec<&[u8]>]) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    let mut hmacs = vec![Hmac::<hashmill::$Fixed>::new(key); rounds[0].len()];
                    rounds.iter().for_each(|pieces| Hmac::update_many(&mut hmacs, pieces));
                    hmacs.iter().map(|hmac| hmac.finalize().as_ref().to_vec()).collect()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }

        /// HMAC of many messages under one key.
        pub fn hmac_many(algorithm: Algorithm, key: &[u8], messages: &[&[u8]]) -> Outputs {
            match algorithm {
                $(Algorithm::$Fixed => {
                    let mut tags = vec![Default::default(); messages.len()];
                    Hmac::<hashmill::$Fixed>::new(key).finish_many(messages, &mut tags);
                    tags.iter().map(|tag| tag.as_ref().to_vec()).collect()
                })*
                other => panic!("{other} has no HMAC"),
            }
        }
    };
}

table! {
    fixed {
        Sha224 sha224 sha224_offsets sha224_rows,
        Sha256 sha256 sha256_offsets sha256_rows,
        Sha384 sha384 sha384_offsets sha384_rows,
        Sha512 sha512 sha512_offsets sha512_rows,
        Sha512_224 sha512_224 sha512_224_offsets sha512_224_rows,
        Sha512_256 sha512_256 sha512_256_offsets sha512_256_rows,
        Sha3_224 sha3_224 sha3_224_offsets sha3_224_rows,
        Sha3_256 sha3_256 sha3_256_offsets sha3_256_rows,
        Sha3_384 sha3_384 sha3_384_offsets sha3_384_rows,
        Sha3_512 sha3_512 sha3_512_offsets sha3_512_rows,
        Blake2b blake2b blake2b_offsets blake2b_rows,
        Blake2s blake2s blake2s_offsets blake2s_rows,
        Blake2bp blake2bp blake2bp_offsets blake2bp_rows,
        Blake2sp blake2sp blake2sp_offsets blake2sp_rows,
    }
    xof {
        Shake128 shake128 shake128_offsets shake128_rows 32,
        Shake256 shake256 shake256_offsets shake256_rows 64,
        TurboShake128 turboshake128 turboshake128_offsets turboshake128_rows 32,
        TurboShake256 turboshake256 turboshake256_offsets turboshake256_rows 64,
    }
}

/// TurboSHAKE with a domain byte.
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

/// BLAKE2 with parameters.
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
