//! Fuzzes parameters, valid and invalid: BLAKE2's parameters, keys, customization strings, lengths.
//! A function must return an error exactly where the standard forbids the parameters.

#![no_main]

use arbitrary::Arbitrary;
use hashmill::*;
use hashmill_fuzz::{Backend, hmac, take, text};
use hashmill_reference as reference;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    backend: Backend,
    case: Case<'a>,
    /// Length in bytes of the pieces in which the message is absorbed.
    piece: u16,
    len: u16,
    seed: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Case<'a> {
    Blake2(Blake2<'a>),
    Hmac(hashmill_fuzz::Fixed, Text<'a>),
    Hkdf { sha3: bool, salt: Text<'a>, info: Text<'a>, prk: Option<Text<'a>>, len: u16 },
    Pbkdf2 { blake2: bool, password: Text<'a>, salts: Vec<u16>, iterations: u8, len: u8 },
    CShake { strong: bool, name: Text<'a>, custom: Text<'a>, len: u16 },
    Kmac { strong: bool, xof: bool, key: Text<'a>, custom: Text<'a>, len: u16 },
    Tuple { strong: bool, xof: bool, lens: Vec<u16>, announced: bool, custom: Text<'a>, len: u16 },
    Parallel { strong: bool, xof: bool, block_len: u16, custom: Text<'a>, len: u16 },
    Kt { strong: bool, custom: Text<'a>, len: u16 },
}

#[derive(Arbitrary, Debug)]
struct Blake2<'a> {
    which: Which,
    output_len: Option<u8>,
    key: Option<Text<'a>>,
    salt: Option<&'a [u8]>,
    personal: Option<&'a [u8]>,
    fanout: Option<u8>,
    max_depth: Option<u8>,
    leaf_len: Option<u32>,
    node_offset: Option<u64>,
    node_depth: Option<u8>,
    inner_len: Option<u8>,
    last_node: bool,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Which {
    B,
    S,
    Bp,
    Sp,
}

/// A text of at most 599 bytes, which repeats the fuzzer's bytes.
#[derive(Arbitrary, Debug)]
struct Text<'a>(u16, &'a [u8]);

impl Text<'_> {
    fn get(&self) -> Vec<u8> {
        text(self.1, usize::from(self.0) % 600)
    }
}

fuzz_target!(|input: Input| {
    input.backend.force();
    let most = if matches!(input.case, Case::Kt { .. }) { 40_000 } else { 4000 };
    let message = text(input.seed, usize::from(input.len) % most);
    let pieces = || message.chunks(usize::from(input.piece).max(most / 100));
    match &input.case {
        Case::Blake2(params) => blake2(params, &message, pieces()),
        Case::Hmac(algorithm, key) => {
            let (algorithm, key) = (algorithm.0, key.get());
            let mut any = algorithm.hmac(&key).expect("of fixed length");
            for piece in pieces() {
                any.update(piece);
            }
            let expected = hmac(algorithm, &key, &message);
            assert_eq!(any.finalize()[..], expected);
            assert_eq!(algorithm.mac(Key(&key), &message).expect("of fixed length")[..], expected);
            assert!(any.verify(&expected).is_ok());
            let mut wrong = expected.clone();
            wrong[usize::from(input.piece) % expected.len()] ^= 1;
            assert_eq!(any.verify(&wrong), Err(Error::TagMismatch));
            assert!(any.verify(&expected[1..]).is_err());
        }
        Case::Hkdf { sha3, salt, info, prk, len } => match sha3 {
            true => hkdf::<Sha3_384>(salt, info, prk, *len, &message),
            false => hkdf::<Sha256>(salt, info, prk, *len, &message),
        },
        Case::Pbkdf2 { blake2, password, salts, iterations, len } => match blake2 {
            true => pbkdf2_of::<Blake2b>(password, salts, *iterations, *len, input.seed),
            false => pbkdf2_of::<Sha512>(password, salts, *iterations, *len, input.seed),
        },
        Case::CShake { strong, name, custom, len } => {
            let (name, custom, len) = (name.get(), custom.get(), usize::from(*len) % 1000);
            let (output, expected) = match strong {
                true => {
                    let mut hasher = CShake256::new(FunctionName(&name), Customization(&custom));
                    for piece in pieces() {
                        hasher.update(piece);
                    }
                    let expected = reference::sp800_185::cshake256(&message, len, &name, &custom);
                    (hasher.squeeze(), expected)
                }
                false => {
                    let mut hasher = CShake128::new(FunctionName(&name), Customization(&custom));
                    for piece in pieces() {
                        hasher.update(piece);
                    }
                    let expected = reference::sp800_185::cshake128(&message, len, &name, &custom);
                    (hasher.squeeze(), expected)
                }
            };
            squeezes(output, &expected, input.piece.into());
        }
        Case::Kmac { strong, xof, key, custom, len } => {
            let (key, custom, len) = (key.get(), custom.get(), usize::from(*len) % 1000);
            macro_rules! kmac {
                ($Type:ident, $plain:ident, $xof:ident) => {{
                    let mut hasher = $Type::new(&key, Customization(&custom));
                    for piece in pieces() {
                        hasher.update(piece);
                    }
                    if *xof {
                        let expected = reference::sp800_185::$xof(&key, &message, len, &custom);
                        squeezes(hasher.squeeze(), &expected, input.piece.into());
                    } else {
                        let mut out = vec![0xA5; len];
                        hasher.finalize_into(&mut out).expect("any length");
                        let expected = reference::sp800_185::$plain(&key, &message, len, &custom);
                        assert_eq!(out, expected);
                    }
                }};
            }
            match strong {
                true => kmac!(Kmac256, kmac256, kmac256_xof),
                false => kmac!(Kmac128, kmac128, kmac128_xof),
            }
        }
        Case::Tuple { strong, xof, lens, announced, custom, len } => {
            let (custom, len) = (custom.get(), usize::from(*len) % 1000);
            let mut rest = &message[..];
            let tuple: Vec<&[u8]> =
                lens.iter().map(|&len| take(&mut rest, usize::from(len) % 500)).collect();
            macro_rules! tuple_hash {
                ($Type:ident, $plain:ident, $xof:ident) => {{
                    let mut hasher = $Type::new(&custom);
                    for element in &tuple {
                        if *announced {
                            let (head, tail) = element.split_at(element.len() / 3);
                            hasher.begin(element.len() as u64).expect("the last is complete");
                            for part in [head, tail].into_iter().filter(|part| !part.is_empty()) {
                                hasher.try_update(part).expect("announced");
                            }
                            assert_eq!(hasher.try_update(b"x").err(), Some(Error::Operation));
                        } else {
                            hasher.element(element);
                        }
                    }
                    if *xof {
                        let expected = reference::sp800_185::$xof(&tuple, len, &custom);
                        squeezes(hasher.squeeze(), &expected, input.piece.into());
                    } else {
                        let mut out = vec![0xA5; len];
                        hasher.finalize_into(&mut out).expect("any length");
                        assert_eq!(out, reference::sp800_185::$plain(&tuple, len, &custom));
                    }
                }};
            }
            match strong {
                true => tuple_hash!(TupleHash256, tuple_hash256, tuple_hash256_xof),
                false => tuple_hash!(TupleHash128, tuple_hash128, tuple_hash128_xof),
            }
        }
        Case::Parallel { strong, xof, block_len, custom, len } => {
            let (custom, len) = (custom.get(), usize::from(*len) % 1000);
            // Small blocks make many leaves, and each leaf costs the reference a permutation.
            let block_len = usize::from(*block_len) % 5000;
            let message = &message[..message.len().min(100 * block_len)];
            macro_rules! parallel_hash {
                ($Type:ident, $plain:ident, $xof:ident) => {{
                    let hasher = $Type::new(block_len, &custom);
                    assert_eq!(hasher.is_err(), block_len == 0);
                    let Ok(mut hasher) = hasher else { return };
                    let piece = usize::from(input.piece).max(40);
                    for piece in message.chunks(piece) {
                        hasher.update(piece);
                    }
                    if *xof {
                        let expected = reference::sp800_185::$xof(message, block_len, len, &custom);
                        squeezes(hasher.squeeze(), &expected, input.piece.into());
                    } else {
                        let mut out = vec![0xA5; len];
                        hasher.finalize_into(&mut out).expect("any length");
                        let expected =
                            reference::sp800_185::$plain(message, block_len, len, &custom);
                        assert_eq!(out, expected);
                    }
                }};
            }
            match strong {
                true => parallel_hash!(ParallelHash256, parallel_hash256, parallel_hash256_xof),
                false => parallel_hash!(ParallelHash128, parallel_hash128, parallel_hash128_xof),
            }
        }
        Case::Kt { strong, custom, len } => {
            let (custom, len) = (custom.get(), usize::from(*len) % 1000);
            let (output, expected) = match strong {
                true => {
                    let mut hasher = Kt256::new();
                    for piece in pieces() {
                        hasher.update(piece);
                        hasher = Kt256::import(hasher.export().as_ref()).expect("our own");
                    }
                    (hasher.squeeze_custom(&custom), reference::k12::kt256(&message, &custom, len))
                }
                false => {
                    let mut hasher = Kt128::new();
                    for piece in pieces() {
                        hasher.update(piece);
                        hasher = Kt128::import(hasher.export().as_ref()).expect("our own");
                    }
                    (hasher.squeeze_custom(&custom), reference::k12::kt128(&message, &custom, len))
                }
            };
            squeezes(output, &expected, input.piece.into());
        }
    }
});

fn squeezes(mut output: XofReader, expected: &[u8], piece: usize) {
    for part in expected.chunks(piece.max(1)) {
        let mut out = vec![0xA5; part.len()];
        output.fill(&mut out);
        assert_eq!(out, part);
    }
}

/// Calls the setters in the order of the fields. The first invalid field determines the error.
fn blake2<'m>(given: &Blake2, message: &[u8], pieces: impl Iterator<Item = &'m [u8]>) {
    let is_tree = matches!(given.which, Which::Bp | Which::Sp);
    let word = if matches!(given.which, Which::B | Which::Bp) { 8 } else { 4 };
    let key = given.key.as_ref().map(|key| take(&mut &key.get()[..], 100).to_vec());
    let key = key.as_deref();
    let output_len = given.output_len.map(usize::from);
    let inner_len = given.inner_len.map(usize::from);
    let long = |text: Option<&[u8]>, max| text.is_some_and(|text| text.len() > max);
    let len = |text: Option<&[u8]>| text.map_or(0, |text| text.len() as u64);
    let mistakes = [
        (
            output_len.is_some_and(|len| len == 0 || len > 8 * word),
            Error::Blake2OutputLength { given: output_len.unwrap_or(0) as u64 },
        ),
        (long(key, 8 * word), Error::Blake2KeyLength { given: len(key) }),
        (long(given.salt, 2 * word), Error::Blake2SaltLength { given: len(given.salt) }),
        (
            long(given.personal, 2 * word),
            Error::Blake2PersonalLength { given: len(given.personal) },
        ),
        (
            !is_tree && word == 4 && given.node_offset.is_some_and(|offset| offset >> 48 != 0),
            Error::Blake2NodeOffset { given: given.node_offset.unwrap_or(0) },
        ),
        (
            !is_tree && inner_len.is_some_and(|len| len > 8 * word),
            Error::Blake2InnerLength { given: inner_len.unwrap_or(0) as u64 },
        ),
    ];
    let mistake = mistakes.into_iter().find(|(made, _)| *made).map(|(_, error)| error);
    macro_rules! set {
        ($params:ident: $($setter:ident $value:expr;)*) => {
            $(if let Some(value) = $value {
                $params = $params.$setter(value);
            })*
        };
    }
    macro_rules! common {
        ($module:ident) => {{
            let mut params = $module::Params::new();
            set! { params: output_len output_len; key key; salt given.salt; personal given.personal; }
            params
        }};
    }
    macro_rules! sequential {
        ($module:ident) => {{
            let mut params = common!($module);
            set! { params:
                fanout given.fanout; max_depth given.max_depth; leaf_len given.leaf_len;
                node_offset given.node_offset; node_depth given.node_depth; inner_len inner_len;
                last_node given.last_node.then_some(LastNode::Yes);
            }
            params.build().map(AnyHasher::from)
        }};
    }
    let hasher = match given.which {
        Which::B => sequential!(blake2b),
        Which::S => sequential!(blake2s),
        Which::Bp => common!(blake2bp).build().map(AnyHasher::from),
        Which::Sp => common!(blake2sp).build().map(AnyHasher::from),
    };
    assert_eq!(hasher.as_ref().err().copied(), mistake);
    let Ok(mut hasher) = hasher else { return };
    for piece in pieces {
        hasher.update(piece);
    }
    let default = reference::blake2::Params::default();
    let params = reference::blake2::Params {
        output_len,
        key: key.unwrap_or_default(),
        salt: given.salt.unwrap_or_default(),
        personal: given.personal.unwrap_or_default(),
        ..default
    };
    let with_tree = reference::blake2::Params {
        fanout: given.fanout.unwrap_or(default.fanout),
        max_depth: given.max_depth.unwrap_or(default.max_depth),
        leaf_len: given.leaf_len.unwrap_or(default.leaf_len),
        node_offset: given.node_offset.unwrap_or(default.node_offset),
        node_depth: given.node_depth.unwrap_or(default.node_depth),
        inner_len: given.inner_len.unwrap_or(default.inner_len),
        last_node: given.last_node,
        ..params
    };
    let expected = match given.which {
        Which::B => reference::blake2::blake2b(message, &with_tree),
        Which::S => reference::blake2::blake2s(message, &with_tree),
        Which::Bp => reference::blake2::blake2bp(message, &params),
        Which::Sp => reference::blake2::blake2sp(message, &params),
    };
    assert_eq!(hasher.finalize()[..], expected);
    let mut digests = [VarDigest::default(); 3];
    let messages = [b"", &b"1"[..], message];
    hasher.hash_many(&messages, &mut digests).expect("a digest each");
    assert_eq!(digests[0][..], expected);
    let exported = AnyHasher::import(hasher.export().expect("a state").as_ref()).expect("our own");
    assert_eq!(exported.finalize()[..], expected);
}

fn hkdf<H: Hasher>(salt: &Text, info: &Text, prk: &Option<Text>, len: u16, material: &[u8]) {
    let (salt, info, digest_len) = (salt.get(), info.get(), H::ALGORITHM.output_len());
    let prf = |key: &[u8], message: &[u8]| hmac(H::ALGORITHM, key, message);
    let mut out = vec![0xA5; usize::from(len)];
    let (made, prk) = match prk {
        Some(prk) => {
            let prk = prk.get();
            let made = Hkdf::<H>::from_prk(&prk);
            assert_eq!(made.is_err(), prk.len() < digest_len);
            let Ok(made) = made else { return };
            (made, prk)
        }
        None => (Hkdf::<H>::new(Salt(&salt), material), prf(&salt, material)),
    };
    let outcome = made.expand(&info, &mut out);
    assert_eq!(outcome.is_err(), out.len() > 255 * digest_len);
    if outcome.is_ok() {
        assert!(out == reference::hkdf::expand(prf, &prk, &info, out.len()));
    }
    let mut keys = vec![0xA5; 3 * out.len()];
    let infos = [&info[..], b"", material];
    let many = made.expand_many(&infos, &mut keys);
    assert_eq!(many.is_err(), out.len() > digest_len);
    if many.is_ok() && !out.is_empty() {
        for (info, key) in infos.iter().zip(keys.chunks(out.len())) {
            assert!(key == reference::hkdf::expand(prf, &prk, info, key.len()));
        }
    }
}

fn pbkdf2_of<H: Hasher>(password: &Text, salts: &[u16], iterations: u8, len: u8, seed: &[u8]) {
    let (password, len) = (password.get(), usize::from(len));
    let iterations = u32::from(iterations % 8);
    let salts: Vec<Vec<u8>> =
        salts.iter().take(20).map(|&len| text(seed, usize::from(len) % 300)).collect();
    let passwords: Vec<&[u8]> =
        (0..salts.len()).map(|i| &password[i.min(password.len())..]).collect();
    let mut out = vec![0xA5; len * salts.len()];
    let outcome = pbkdf2_many::<H>(&passwords, Salt(&salts), iterations, len, &mut out);
    assert_eq!(outcome.is_err(), iterations == 0);
    if outcome.is_ok() && len > 0 {
        let prf = |key: &[u8], message: &[u8]| hmac(H::ALGORITHM, key, message);
        for ((password, salt), out) in passwords.iter().zip(&salts).zip(out.chunks(len)) {
            assert_eq!(out, reference::pbkdf2::pbkdf2(prf, password, salt, iterations, len));
            let mut one = vec![0; len];
            pbkdf2::<H>(password, Salt(salt), iterations, &mut one).expect("iterations");
            assert_eq!(one, out);
        }
    }
}
