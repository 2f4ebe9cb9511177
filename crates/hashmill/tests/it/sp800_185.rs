//! cSHAKE, KMAC, TupleHash and ParallelHash: published answers, and agreement with the reference,
//! on every backend of this machine.

use crate::common::answer::{Message, to_hex};
use crate::common::backends;
use crate::common::random::Random;
use hashmill::{Algorithm, Customization, Error, FunctionName, Key, XofReader};
use hashmill_reference::sp800_185 as reference;

/// Calls `test` with each backend that Keccak has on this machine, forced.
fn on_every_backend(test: impl FnMut(&str)) {
    backends::each_of(Algorithm::Shake128, test);
}

/// Evaluates `$body` with `$Type` as the name of the type of a strength.
macro_rules! with {
    ($strength:expr, $Type:ident = $T128:ident | $T256:ident => $body:expr) => {
        match $strength {
            128 => {
                type $Type = hashmill::$T128;
                $body
            }
            256 => {
                type $Type = hashmill::$T256;
                $body
            }
            other => panic!("strength {other}"),
        }
    };
}

/// Calls the function of a strength.
macro_rules! function {
    ($strength:expr, $module:ident::{$f128:ident | $f256:ident}($($argument:expr),*)) => {
        match $strength {
            128 => $module::$f128($($argument),*),
            _ => $module::$f256($($argument),*),
        }
    };
}

mod acvp;
mod agree;
mod bits;
mod interfaces;
mod published;

const RATES: [(u32, usize); 2] = [(128, 168), (256, 136)];

#[derive(Clone, Debug, PartialEq)]
enum Function {
    CShake { name: Vec<u8> },
    Kmac { key: Vec<u8> },
    TupleHash,
    ParallelHash { block_len: usize },
}

/// One input. For TupleHash the input is `tuple`, and the message is empty.
#[derive(Clone, Debug)]
struct Input {
    function: Function,
    strength: u32,
    xof: bool,
    custom: Vec<u8>,
    message: Message,
    tuple: Vec<Vec<u8>>,
    output_bits: usize,
}

impl Input {
    fn new(function: Function, strength: u32, message: impl Into<Message>, len: usize) -> Input {
        Input {
            function,
            strength,
            xof: false,
            custom: Vec::new(),
            message: message.into(),
            tuple: Vec::new(),
            output_bits: 8 * len,
        }
    }

    /// Returns each interface's output.
    fn outputs(&self) -> Vec<(&'static str, Vec<u8>)> {
        let len = self.output_bits.div_ceil(8);
        let Message { bytes: message, last, bits } = &self.message;
        let (last, bits) = (*last, *bits);
        let whole = bits == 0 && self.output_bits.is_multiple_of(8);
        let mut random = Random::new((message.len() + len) as u64);
        let pieces = random.pieces(message, [1, 100, 5000][message.len() % 3]);
        let mut outputs = Vec::new();
        let mut add = |how, output: Vec<u8>| outputs.push((how, output));
        let squeeze = |reader: Result<XofReader, Error>| {
            let mut reader = reader.expect("at most 7 bits");
            let mut out = vec![0; len];
            let (head, rest) = out.split_at_mut(len / 3);
            reader.fill(head);
            reader.fill(rest);
            self.cut(out)
        };
        // Adds the outputs of a type that has a form of fixed length and an XOF form.
        macro_rules! both {
            ($hash:expr) => {{
                let hash = $hash;
                let mut out = vec![0xA5; len];
                if self.xof {
                    add("squeeze_bits", squeeze(hash.squeeze_bits(last, bits)));
                    if bits == 0 {
                        add("squeeze", squeeze(Ok(hash.squeeze())));
                    }
                } else {
                    hash.finalize_bits_into(last, bits, self.output_bits, &mut out).expect("bits");
                    add("finalize_bits_into", out.clone());
                    if whole {
                        hash.finalize_into(&mut out).expect("any length");
                        add("finalize_into", out);
                    }
                }
            }};
        }
        let custom = Customization(&self.custom);
        match &self.function {
            Function::CShake { name } => with!(self.strength, Type = CShake128 | CShake256 => {
                let mut hash = Type::new(FunctionName(name), custom);
                pieces.iter().for_each(|piece| _ = hash.update(piece));
                add("squeeze_bits", squeeze(hash.squeeze_bits(last, bits)));
                if whole {
                    add("squeeze", squeeze(Ok(hash.squeeze())));
                    let mut out = vec![0; 2 * len];
                    let (head, rest) = message.split_at(message.len() / 2);
                    let mut begun = Type::new(FunctionName(name), custom);
                    begun.update(head).hash_many([rest, rest], &mut out).expect("room for each");
                    add("many, first", out[..len].to_vec());
                    add("many, second", out[len..].to_vec());
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{cshake128 | cshake256}(message, FunctionName(name), custom)
                    ).into();
                    let rest = squeeze(Ok(hash.squeeze()));
                    add("one call", [&call[..len.min(32)], &rest[len.min(32)..]].concat());
                }
            }),
            Function::Kmac { key } => with!(self.strength, Type = Kmac128 | Kmac256 => {
                let mut keyed = Type::new(key, custom);
                let mut hash = keyed.clone();
                pieces.iter().for_each(|piece| _ = hash.update(piece));
                both!(&hash);
                if whole && !self.xof {
                    let mut out = vec![0; 3 * len];
                    let (head, rest) = message.split_at(message.len() / 3);
                    let begun = keyed.update(head);
                    begun.hash_many([rest, rest, rest], &mut out).expect("room for each");
                    add("many, first", out[..len].to_vec());
                    add("many, last", out[2 * len..].to_vec());
                }
                if whole && !self.xof && len == 32 {
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{kmac128 | kmac256}(Key(key), message, custom)
                    ).into();
                    add("one call", call.to_vec());
                    let mut tag = call;
                    assert_eq!(hash.verify(&tag), Ok(()));
                    tag[message.len() % 32] ^= 1 << (message.len() % 8);
                    assert_eq!(hash.verify(&tag), Err(Error::TagMismatch));
                    let short = tag.first_chunk::<31>().expect("32 bytes");
                    assert_eq!(hash.verify(short), Err(Error::TagMismatch));
                }
            }),
            Function::TupleHash => with!(self.strength, Type = TupleHash128 | TupleHash256 => {
                let (mut whole, mut parts) = (Type::new(&self.custom), Type::new(&self.custom));
                for element in &self.tuple {
                    whole.element(element);
                    parts.begin(element.len() as u64).expect("the last one is complete");
                    for piece in random.pieces(element, 200) {
                        parts.update(piece);
                    }
                }
                for (how, hash) in [("whole", whole), ("in parts", parts)] {
                    if self.xof {
                        add(how, squeeze(Ok(hash.squeeze())));
                    } else {
                        let mut out = vec![0; len];
                        hash.finalize_into(&mut out).expect("any length");
                        add(how, out);
                    }
                }
                if !self.xof && len == 32 {
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{tuple_hash128 | tuple_hash256}(&self.tuple, &self.custom)
                    ).into();
                    add("one call", call.to_vec());
                }
            }),
            Function::ParallelHash { block_len } => {
                with!(self.strength, Type = ParallelHash128 | ParallelHash256 => {
                    let new = || Type::new(*block_len, &self.custom).expect("a length of blocks");
                    let (mut hash, mut at_once) = (new(), new());
                    pieces.iter().for_each(|piece| _ = hash.update(piece));
                    both!(&hash);
                    at_once.update(message);
                    both!(&at_once);
                });
                if whole && !self.xof && len == 32 {
                    let call: [u8; 32] = function!(
                        self.strength,
                        hashmill::{parallel_hash128 | parallel_hash256}(message, *block_len, custom)
                    )
                    .expect("a length of blocks")
                    .into();
                    add("one call", call.to_vec());
                }
            }
        }
        outputs
    }

    /// Clears the bits of the last byte that exceed the output's length.
    fn cut(&self, mut output: Vec<u8>) -> Vec<u8> {
        if let (Some(last), 1..=7) = (output.last_mut(), self.output_bits % 8) {
            *last &= 0xFF >> (8 - self.output_bits % 8);
        }
        output
    }

    fn one_output(&self) -> Vec<u8> {
        self.outputs().remove(0).1
    }

    /// Returns the reference's output. The reference accepts whole bytes only.
    fn reference(&self) -> Vec<u8> {
        assert!(self.message.bits == 0 && self.output_bits.is_multiple_of(8));
        let (message, custom, len) = (&self.message.bytes, &self.custom, self.output_bits / 8);
        let tuple: Vec<&[u8]> = self.tuple.iter().map(Vec::as_slice).collect();
        match (&self.function, self.xof) {
            (Function::CShake { name }, _) => {
                function!(self.strength, reference::{cshake128 | cshake256}(message, len, name, custom))
            }
            (Function::Kmac { key }, false) => {
                function!(self.strength, reference::{kmac128 | kmac256}(key, message, len, custom))
            }
            (Function::Kmac { key }, true) => function!(
                self.strength,
                reference::{kmac128_xof | kmac256_xof}(key, message, len, custom)
            ),
            (Function::TupleHash, false) => {
                function!(self.strength, reference::{tuple_hash128 | tuple_hash256}(&tuple, len, custom))
            }
            (Function::TupleHash, true) => function!(
                self.strength,
                reference::{tuple_hash128_xof | tuple_hash256_xof}(&tuple, len, custom)
            ),
            (&Function::ParallelHash { block_len }, false) => function!(
                self.strength,
                reference::{parallel_hash128 | parallel_hash256}(message, block_len, len, custom)
            ),
            (&Function::ParallelHash { block_len }, true) => function!(
                self.strength,
                reference::{parallel_hash128_xof | parallel_hash256_xof}(message, block_len, len, custom)
            ),
        }
    }

    /// Checks that every interface returns `expected`.
    fn check(&self, expected: &[u8], what: impl std::fmt::Display) {
        for (how, output) in self.outputs() {
            assert_eq!(to_hex(&output), to_hex(expected), "{what}, {how}: {self:?}");
        }
    }
}

impl From<[u8; 7]> for Message {
    fn from(bytes: [u8; 7]) -> Message {
        bytes.to_vec().into()
    }
}
