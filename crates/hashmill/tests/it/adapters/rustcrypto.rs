//! RustCrypto's traits (feature `digest`).

use crate::common::answer::hex;
use crate::common::message;
use digest::block_api::{AlgorithmName, Buffer, BufferKindUser, CoreProxy, EagerHash};
use digest::common::BlockSizeUser;
use digest::common::hazmat::SerializableState;
use digest::consts::{U1, U8, U16, U20, U32, U64};
use digest::typenum::Unsigned;
use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, KeyInit, Mac, OutputSizeUser,
};
use hashmill::function::{self, Function};
use hashmill::{Algorithm, Blake2Sized, Hash, Hasher, Hmac, Unkeyed};
use hashmill_reference::{hkdf as reference_hkdf, names};
use std::fmt;

/// Calls a generic function with every hasher of fixed output length.
macro_rules! each_fixed {
    ($test:ident) => {
        each_plain!($test);
        each_type! { $test: Blake2bDigest Blake2sDigest Blake2bpDigest Blake2spDigest }
    };
}

/// Calls a generic function with every hasher of fixed output length that has no parameters.
macro_rules! each_plain {
    ($test:ident) => {
        each_plain_hmac!($test);
        each_type! { $test: AsconHash256 }
    };
}

/// Calls a generic function with every hasher with HMAC.
macro_rules! each_hmac {
    ($test:ident) => {
        each_plain_hmac!($test);
        each_type! { $test: Blake2bDigest Blake2sDigest Blake2bpDigest Blake2spDigest }
    };
}

/// Calls a generic function with every hasher with HMAC that has no parameters.
macro_rules! each_plain_hmac {
    ($test:ident) => {
        each! { hmac each_but_blake2 $test: }
    };
}

macro_rules! each_but_blake2 {
    ($test:ident:) => {};
    ($test:ident: Blake2b $_f:ident, Blake2s $_s:ident, Blake2bp $_bp:ident, Blake2sp $_sp:ident, $($rest:tt)*) => {
        each_but_blake2! { $test: $($rest)* }
    };
    ($test:ident: $Type:ident $function:ident, $($rest:tt)*) => {
        $test::<hashmill::$Type>();
        each_but_blake2! { $test: $($rest)* }
    };
}

macro_rules! each_type {
    ($test:ident: $($Type:ident)*) => { $($test::<hashmill::$Type>();)* };
}

/// A type with the algorithm that it computes.
trait Named {
    const ALGORITHM: Algorithm;
}

impl<F: Function> Named for Hash<F> {
    const ALGORITHM: Algorithm = F::ALGORITHM;
}

impl<F: Function, N> Named for Blake2Sized<F, N, Unkeyed> {
    const ALGORITHM: Algorithm = F::ALGORITHM;
}

/// Displays the name that a type has under `AlgorithmName`.
struct Name<T>(std::marker::PhantomData<T>);

impl<T: AlgorithmName> fmt::Display for Name<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::write_alg_name(f)
    }
}

fn name<T: AlgorithmName>() -> String {
    Name::<T>(std::marker::PhantomData).to_string()
}

/// Returns lengths around the ends of the first three blocks, of a tree's stripes, and a long one.
fn lengths(algorithm: Algorithm) -> Vec<usize> {
    let block = algorithm.block_len();
    let ends = [block, 2 * block, 3 * block, 512, 1024];
    let mut lengths: Vec<usize> = ends.iter().flat_map(|&end| [end - 1, end, end + 1]).collect();
    lengths.extend([0, 1, 5000]);
    lengths
}

fn reference_hmac(algorithm: Algorithm) -> impl Fn(&[u8], &[u8]) -> Vec<u8> {
    let name = algorithm.tag().to_lowercase();
    move |key, message| names::hmac(&name, key, message).expect("an HMAC")
}

#[test]
fn digests() {
    use digest::Digest;
    fn test<H>()
    where
        H: Named + Digest + FixedOutput + AlgorithmName + EagerHash + CollisionResistance,
    {
        let algorithm = H::ALGORITHM;
        assert_eq!(name::<H>(), algorithm.name());
        assert_eq!(<H as Digest>::output_size(), algorithm.output_len());
        assert_eq!(H::block_size(), algorithm.block_len());
        assert_eq!(2 * H::CollisionResistance::USIZE, algorithm.output_len());
        for len in lengths(algorithm) {
            let message = message(len);
            let expected = algorithm.hash(&message);
            assert_eq!(expected, H::digest(&message)[..], "{algorithm}, {len} bytes");
            let (begin, rest) = message.split_at(len / 3);
            let digest = <H as Digest>::new_with_prefix(begin).chain_update(rest);
            let mut out = digest::Output::<H>::default();
            Digest::finalize_into(digest, &mut out);
            assert_eq!(expected, out[..], "{algorithm}, {len} bytes");
        }
    }
    each_fixed!(test);
}

#[test]
fn resets() {
    use digest::{Digest, DynDigest};
    fn test<H: Named + Digest + FixedOutputReset + Clone + 'static>() {
        let algorithm = H::ALGORITHM;
        let (abc, empty) = (algorithm.hash(b"abc"), algorithm.hash(b""));
        let mut hasher = <H as Digest>::new();
        Digest::update(&mut hasher, b"abc");
        assert_eq!(abc, Digest::finalize_reset(&mut hasher)[..]);
        assert_eq!(empty, Digest::finalize_reset(&mut hasher)[..]);
        Digest::update(&mut hasher, b"abcd");
        Digest::reset(&mut hasher);
        assert_eq!(empty, Digest::finalize(hasher.clone())[..]);

        let object: &mut dyn DynDigest = &mut hasher;
        object.update(b"abc");
        let mut out = vec![0; object.output_size()];
        assert!(object.finalize_into_reset(&mut out[1..]).is_err());
        object.finalize_into_reset(&mut out).expect("the right length");
        assert_eq!(abc, out[..]);
    }
    each_plain!(test);
}

/// A hasher is its own core, whatever the number of bytes in the buffer in front of it.
#[test]
fn cores() {
    use digest::Digest;
    fn test<H>()
    where
        H: Named + Digest + CoreProxy<Core = H> + EagerHash<Core = H> + BufferKindUser,
    {
        let algorithm = H::ALGORITHM;
        for len in lengths(algorithm) {
            let message = message(len);
            for waiting in [0, 1, algorithm.block_len() - 1].map(|waiting| waiting.min(len)) {
                let (begin, rest) = message.split_at(len - waiting);
                let (core, buffer) = <H as Digest>::new_with_prefix(begin).decompose();
                assert!(buffer.get_data().is_empty());
                let hasher = H::compose(core, Buffer::<H>::new(rest));
                assert_eq!(algorithm.hash(&message), Digest::finalize(hasher)[..]);
            }
        }
    }
    each_fixed!(test);
}

#[test]
fn their_hmac_over_our_hashers() {
    fn test<H: Named + EagerHash>() {
        let algorithm = H::ALGORITHM;
        let block = algorithm.block_len();
        for key in [0, 1, block - 1, block, block + 1, 300].map(message) {
            for len in [0, 1, block, 1000] {
                let message = message(len);
                let tag = reference_hmac(algorithm)(&key, &message);
                let mut ours = algorithm.hmac(&key).expect("an HMAC");
                assert_eq!(ours.update(&message).finalize()[..], tag, "{algorithm}, {len} bytes");

                let theirs = hmac::Hmac::<H>::new_from_slice(&key).expect("any key");
                let (begin, rest) = message.split_at(len / 3);
                let theirs = theirs.chain_update(begin).chain_update(rest);
                assert_eq!(theirs.clone().finalize().into_bytes()[..], tag, "{algorithm}");
                assert!(theirs.clone().verify_slice(&tag).is_ok());
                assert!(theirs.verify_slice(&tag[1..]).is_err());

                let simple = hmac::SimpleHmac::<H>::new_from_slice(&key).expect("any key");
                let simple = simple.chain_update(&message).finalize().into_bytes();
                assert_eq!(simple[..], tag, "{algorithm}");

                let mut reset = hmac::HmacReset::<H>::new_from_slice(&key).expect("any key");
                for _ in 0..2 {
                    Mac::update(&mut reset, &message);
                    assert_eq!(reset.finalize_reset().into_bytes()[..], tag, "{algorithm}");
                }
            }
        }
    }
    each_hmac!(test);
}

/// RFC 4231 §4.3 and §4.7: a key shorter than the digest, and one longer than a block.
#[test]
fn hmac_of_rfc_4231() {
    fn test<H: EagerHash>(short: &str, long: &str) {
        let long_key = [0xaa; 131];
        let cases: [(&[u8], &[u8], &str); 2] = [
            (b"Jefe", b"what do ya want for nothing?", short),
            (&long_key, b"Test Using Larger Than Block-Size Key - Hash Key First", long),
        ];
        for (key, message, tag) in cases {
            let mac = hmac::Hmac::<H>::new_from_slice(key).expect("any key");
            assert_eq!(mac.chain_update(message).finalize().into_bytes()[..], hex(tag));
        }
    }
    test::<hashmill::Sha224>(
        "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
        "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e",
    );
    test::<hashmill::Sha256>(
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    );
    test::<hashmill::Sha384>(
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e\
         8e2240ca5e69e2c78b3239ecfab21649",
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6\
         0c2ef6ab4030fe8296248df163f44952",
    );
    test::<hashmill::Sha512>(
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
         9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352\
         6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
    );
}

/// RFC 5869, appendix A.1 and A.2.
#[test]
fn hkdf_of_rfc_5869() {
    let run = |first: u8, last: u8| -> Vec<u8> { (first..=last).collect() };
    let cases = [
        (
            vec![0x0b; 22],
            run(0x00, 0x0c),
            run(0xf0, 0xf9),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf\
             34007208d5b887185865",
        ),
        (
            run(0x00, 0x4f),
            run(0x60, 0xaf),
            run(0xb0, 0xff),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
             59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
             cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
    ];
    for (ikm, salt, info, okm) in cases {
        let okm = hex(okm);
        let mut out = vec![0; okm.len()];
        let hkdf = hkdf::Hkdf::<hashmill::Sha256>::new(Some(&salt), &ikm);
        hkdf.expand(&info, &mut out).expect("not too long");
        assert_eq!(out, okm);
    }
}

#[test]
fn their_hkdf_over_our_hashers() {
    fn test<H: Named + EagerHash>()
    where
        hmac::Hmac<H>: hkdf::HmacImpl,
    {
        let reference = reference_hmac(H::ALGORITHM);
        let mut out = [0; 300];
        let hkdf = hkdf::Hkdf::<H>::new(Some(b"salt"), b"key");
        hkdf.expand(b"info", &mut out).expect("not too long");
        let expected = reference_hkdf::hkdf(reference, b"salt", b"key", b"info", out.len());
        assert_eq!(out[..], expected, "{}", H::ALGORITHM);
    }
    each_hmac!(test);
}

/// RFC 7914 §11, with their HMAC over our hasher and with our HMAC.
#[test]
fn pbkdf2_of_rfc_7914() {
    let cases = [
        (
            ("passwd", "salt", 1),
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
             49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
        ),
        (
            ("Password", "NaCl", 80_000),
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56\
             a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
        ),
    ];
    for ((password, salt, rounds), key) in cases {
        let (password, salt) = (password.as_bytes(), salt.as_bytes());
        let mut out = [0; 64];
        pbkdf2::pbkdf2_hmac::<hashmill::Sha256>(password, salt, rounds, &mut out);
        assert_eq!(out[..], hex(key));
        let out = pbkdf2::pbkdf2_array::<Hmac<hashmill::Sha256>, 64>(password, salt, rounds);
        assert_eq!(out.expect("any password")[..], hex(key));
    }
}

#[test]
fn our_hmac_as_theirs() {
    fn test<H: Hasher + OutputSizeUser + BlockSizeUser>() {
        let algorithm = H::ALGORITHM;
        let tag = reference_hmac(algorithm)(b"key", b"message");
        let mac = <Hmac<H> as KeyInit>::new_from_slice(b"key").expect("any key");
        let mac = Mac::chain_update(mac, b"message");
        assert_eq!(Mac::finalize(mac.clone()).into_bytes()[..], tag);
        assert!(mac.clone().verify_slice(&tag).is_ok());
        assert!(mac.clone().verify_truncated_left(&tag[..8]).is_ok());
        assert!(mac.clone().verify_truncated_right(&tag[8..]).is_ok());
        for wrong in [&tag[1..], &tag[..8], &[&tag[..], &[0]].concat(), b""] {
            assert!(mac.clone().verify_slice(wrong).is_err());
        }
        assert_eq!(name::<Hmac<H>>(), format!("HMAC-{algorithm}"));
        assert_eq!(<Hmac<H> as digest::common::KeySizeUser>::key_size(), algorithm.block_len());
        let key = digest::Key::<Hmac<H>>::default();
        let mac = Mac::chain_update(<Hmac<H> as KeyInit>::new(&key), b"message");
        let expected = reference_hmac(algorithm)(&key, b"message");
        assert_eq!(Mac::finalize(mac).into_bytes()[..], expected);
    }
    each_plain_hmac!(test);
    each_type! { test: Blake2b Blake2s Blake2bp Blake2sp }
}

#[test]
fn keyed_blake2() {
    macro_rules! keyed {
        ($Mac:ident, $module:ident, longest $Longest:ident, tags $($Len:ident)*) => { $({
            type M = hashmill::$Mac<$Len>;
            for key in 1..=$Longest::USIZE {
                let (key, message) = (message(key), message(3 * key));
                let params = hashmill::$module::Params::new().key(&key).output_len($Len::USIZE);
                let tag = params.build().expect("good parameters").update(&message).finalize();
                let mut mac = M::new_from_slice(&key).expect("not too long a key");
                Mac::update(&mut mac, &message);
                assert_eq!(tag, mac.clone().finalize().into_bytes()[..]);
                assert!(mac.clone().verify_slice(&tag).is_ok());
                assert!(mac.clone().verify_slice(&tag[1..]).is_err());
                // A reset keeps the key.
                assert_eq!(tag, mac.finalize_reset().into_bytes()[..]);
                Mac::update(&mut mac, &message);
                assert_eq!(tag, mac.finalize_reset().into_bytes()[..]);
                Mac::update(&mut mac, b"other");
                Mac::reset(&mut mac);
                Mac::update(&mut mac, &message);
                assert_eq!(tag, mac.finalize().into_bytes()[..]);
            }
            for key in [0, $Longest::USIZE + 1, 1000] {
                assert!(M::new_from_slice(&message(key)).is_err(), "{key} bytes");
            }
            let key = digest::Key::<M>::default();
            assert_eq!(key.len(), $Longest::USIZE);
            let fixed = <M as KeyInit>::new(&key).finalize().into_bytes();
            let slice = M::new_from_slice(&key).expect("the longest key").finalize().into_bytes();
            assert_eq!(fixed, slice);
            let debug = format!("{:?}", M::new_from_slice(b"secret").expect("a key"));
            assert_eq!(debug, concat!(stringify!($Mac), " { .. }"));
        })* };
    }
    keyed!(Blake2bMac, blake2b, longest U64, tags U1 U16 U20 U32 U64);
    keyed!(Blake2sMac, blake2s, longest U32, tags U1 U8 U20 U32);
    keyed!(Blake2bpMac, blake2bp, longest U64, tags U1 U20 U64);
    keyed!(Blake2spMac, blake2sp, longest U32, tags U1 U20 U32);

    // The tag has the longest length unless the type has another one. Another implementation
    // agrees.
    let ours = hashmill::Blake2bMac::<U64>::new_from_slice(b"key").expect("a key");
    let default: hashmill::Blake2bMac = ours.clone();
    let theirs = blake2::Blake2bMac512::new_from_slice(b"key").expect("a key");
    let theirs = theirs.chain_update(b"message").finalize().into_bytes();
    assert_eq!(default.chain_update(b"message").finalize().into_bytes(), theirs);
    let ours = hashmill::Blake2sMac::<U16>::new_from_slice(b"key").expect("a key");
    let theirs = blake2::Blake2sMac::<U16>::new_from_slice(b"key").expect("a key");
    let theirs = theirs.chain_update(b"message").finalize().into_bytes();
    assert_eq!(ours.chain_update(b"message").finalize().into_bytes(), theirs);
    // Keyed BLAKE2b is also the pseudorandom function of PBKDF2.
    let keyed = |password: &[u8], salt: &[u8]| {
        let params = hashmill::blake2b::Params::new().key(password);
        params.build().expect("good parameters").update(salt).finalize()
    };
    let derived = pbkdf2::pbkdf2_array::<hashmill::Blake2bMac, 64>(b"password", b"salt", 1);
    assert_eq!(keyed(b"password", b"salt\0\0\0\x01"), derived.expect("a key")[..]);
    assert_eq!(name::<hashmill::Blake2bMac>(), "BLAKE2bMac");
}

/// Under these traits a type has one output length, so parameters with another length are refused.
#[test]
fn a_shorter_blake2() {
    let params = hashmill::blake2b::Params::new().output_len(20);
    let refused = hashmill::Blake2bDigest::<U64>::with_params(&params).err();
    assert_eq!(refused, Some(hashmill::Error::OutputLength { given: 20, expected: 64 }));
    let digest = hashmill::Blake2bDigest::<U20>::with_params(&params).expect("its length");
    assert_eq!(params.hash(b"").expect("a length"), digest::Digest::finalize(digest)[..]);
}

#[test]
fn outputs_of_any_length() {
    use digest::{ExtendableOutput, ExtendableOutputReset, Reset, Update, XofReader};
    fn test<F: function::Extendable>()
    where
        Hash<F>: ExtendableOutput + Update + HashMarker + AlgorithmName + CollisionResistance,
    {
        let algorithm = F::ALGORITHM;
        assert_eq!(name::<Hash<F>>(), algorithm.name());
        let collision = <Hash<F> as CollisionResistance>::CollisionResistance::USIZE;
        assert_eq!(2 * collision, algorithm.output_len());
        for len in lengths(algorithm) {
            let message = message(len);
            let mut expected = [0; 500];
            let mut xof = Hash::<F>::default();
            xof.update(&message);
            function::Reader::fill(&mut Hash::squeeze(&xof), &mut expected);
            let name = algorithm.tag().to_lowercase();
            let reference = names::hash(&name, &message, Some(500)).expect("a reference");
            assert_eq!(expected[..], reference);

            let mut out = [0; 500];
            Hash::<F>::digest_xof(&message, &mut out);
            assert_eq!(out, expected, "{algorithm}, {len} bytes");
            let xof = Hash::<F>::default().chain(&message[..len / 3]).chain(&message[len / 3..]);
            let mut reader = ExtendableOutput::finalize_xof(xof);
            let (begin, rest) = out.split_at_mut(123);
            reader.read(begin);
            reader.read(&mut []);
            reader.read(rest);
            assert_eq!(out, expected, "{algorithm}, {len} bytes");
        }
    }
    test::<function::AsconXof128>();
    test::<function::Shake<168>>();
    test::<function::Shake<136>>();
    test::<function::TurboShake<168>>();
    test::<function::TurboShake<136>>();
    test::<function::Blake3>();

    fn resets<F: function::Extendable>()
    where
        Hash<F>: ExtendableOutputReset,
    {
        let (abc, empty) = (F::ALGORITHM.hash(b"abc"), F::ALGORITHM.hash(b""));
        let mut xof = Hash::<F>::default();
        xof.update(b"abc");
        let mut out = vec![0; abc.len()];
        xof.finalize_xof_reset_into(&mut out);
        assert_eq!(abc, out[..]);
        Hash::update(&mut xof, b"abcd");
        Reset::reset(&mut xof);
        xof.finalize_xof_reset_into(&mut out);
        assert_eq!(empty, out[..]);
    }
    resets::<function::Shake<168>>();
    resets::<function::Shake<136>>();
}

#[test]
fn serialized_states() {
    macro_rules! states {
        ($($Type:ident $function:ident,)*) => { $({
            type H = hashmill::$Type;
            let algorithm = Algorithm::$Type;
            for len in lengths(algorithm).into_iter().chain([2 * algorithm.block_len() + 9]) {
                let mut hasher: H = message(len).iter().collect();
                let state = hasher.serialize();
                let mut again = H::deserialize(&state).expect("a state");
                assert_eq!(again.export().as_ref(), hasher.export().as_ref(), "{algorithm}");
                hasher.update(b"more");
                assert_eq!(again.update(b"more").export().as_ref(), hasher.export().as_ref());
                // Damages the exported state, except for its last four bytes, and its stored
                // length.
                let said = hasher.export().as_ref().len() - 4;
                for at in (0..said).chain([state.len() - 2, state.len() - 1]) {
                    let mut damaged = state;
                    damaged[at] ^= 0x10;
                    assert!(H::deserialize(&damaged).is_err(), "{algorithm}, byte {at}");
                }
            }
            assert!(H::deserialize(&Default::default()).is_err());
        })* };
    }
    each!(fixed states);
    each!(xof states);
    let state = hashmill::Sha256::new().serialize();
    assert!(hashmill::Sha224::deserialize(&state).is_err(), "another algorithm's");
    // The longest state of all.
    let mut longest = hashmill::Blake2sp::new();
    longest.update(message(960));
    let again = hashmill::Blake2sp::deserialize(&longest.serialize()).expect("a state");
    assert_eq!(again.finalize(), longest.finalize());
}
