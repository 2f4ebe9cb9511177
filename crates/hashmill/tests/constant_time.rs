//! Tests that no branch and no address depends on a secret, on every backend of this machine.
//!
//! The secrets are marked as uninitialised. MemorySanitizer tracks every bit of them through the
//! optimised code, and ends the program at the first branch or address that depends on one. Without
//! the sanitizer these tests would prove nothing and are ignored. `cargo xtask test sanitize` runs
//! them.
//!
//! Every result must still be marked as secret, which shows that no step has removed the mark. The
//! result is then compared with the reference's. The sanitizer does not analyse assembly: SHA-512's
//! rounds (`sha2/x86_pairs.rs`) and the hints to the optimiser (`simd::x86::hidden`) are replaced
//! by equivalent Rust code, and so is AVX-512's ternary logic (`simd/x86_msan.rs`). For SHA-NI and
//! `vpermd` the sanitizer assumes that they leave bits in their places. The assumption matters only
//! where less than a whole vector is secret.
//!
//! This is a separate test binary because only MemorySanitizer runs it, and because it starts
//! itself again to test leaks that end the process.

#[macro_use]
mod common;

use common::answer::Params;
use common::{backends, calls, reference};
use hashmill::{Algorithm, AnyHasher, Blake3, Digest, Hkdf, pbkdf2, pbkdf2_many};
use hashmill::{Customization, FunctionName, Key, Salt};
use hashmill_reference as standards;
use std::hint::black_box;
use std::process::Command;

const C: Customization = Customization(b"C");

#[cfg(hashmill_msan)]
mod sanitizer {
    use std::ffi::c_void;

    // LLVM's `sanitizer/msan_interface.h`.
    unsafe extern "C" {
        fn __msan_allocated_memory(at: *const c_void, len: usize);
        fn __msan_unpoison(at: *const c_void, len: usize);
        fn __msan_test_shadow(at: *const c_void, len: usize) -> isize;
    }

    pub fn mark(bytes: &[u8]) {
        // SAFETY: marks the slice's bytes as uninitialised, and does not change them.
        unsafe { __msan_allocated_memory(bytes.as_ptr().cast(), bytes.len()) }
    }

    pub fn reveal(bytes: &[u8]) {
        // SAFETY: marks the slice's bytes as initialised, and does not change them.
        unsafe { __msan_unpoison(bytes.as_ptr().cast(), bytes.len()) }
    }

    pub fn is_marked(byte: &u8) -> bool {
        // SAFETY: reads the mark of one byte.
        unsafe { __msan_test_shadow(std::ptr::from_ref(byte).cast(), 1) == 0 }
    }
}

#[cfg(not(hashmill_msan))]
mod sanitizer {
    pub fn mark(_: &[u8]) {}
    pub fn reveal(_: &[u8]) {}
    pub fn is_marked(_: &u8) -> bool {
        true
    }
}

/// Returns a copy of the bytes that is marked as secret.
fn secret(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.to_vec();
    sanitizer::mark(&bytes);
    bytes
}

/// Returns a copy of the bytes that is not marked as secret.
fn revealed(secret: &[u8]) -> Vec<u8> {
    let bytes = secret.to_vec();
    sanitizer::reveal(&bytes);
    bytes
}

/// Returns whether a comparison of secrets succeeded, without the mark.
fn verdict(equal: bool) -> bool {
    let byte = equal as u8;
    assert!(sanitizer::is_marked(&byte), "the verdict does not depend on the secret");
    revealed(&[byte]) == [1]
}

/// Asserts that an output that depends on secrets is correct, and is marked as secret.
#[track_caller]
fn check(output: &[u8], expected: &[u8], of: &str) {
    assert!(output.iter().any(sanitizer::is_marked), "{of}: no secret");
    assert_eq!(revealed(output), expected, "{of}");
}

/// As `check`, for several outputs.
#[track_caller]
fn check_all<'a>(
    outputs: impl IntoIterator<Item = impl AsRef<[u8]>>,
    expected: impl IntoIterator<Item = &'a Vec<u8>>,
    of: &str,
) {
    let (outputs, expected) = (outputs.into_iter(), expected.into_iter().collect::<Vec<_>>());
    let outputs: Vec<_> = outputs.collect();
    assert_eq!(outputs.len(), expected.len(), "{of}");
    outputs
        .iter()
        .zip(expected)
        .for_each(|(output, expected)| check(output.as_ref(), expected, of));
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i + i / 251 + 1) as u8).collect()
}

/// Returns lengths around the ends of blocks, and around the ends of a tree's blocks of all leaves.
fn lengths(algorithm: Algorithm) -> Vec<usize> {
    let block = algorithm.block_len();
    let mut lengths = vec![1, block / 2, 11 * block + 5];
    for end in [block, 2 * block, 4 * block, 8 * block] {
        lengths.extend([end - 17, end - 9, end - 1, end, end + 1]);
    }
    lengths
}

/// The number of secret bytes from which all bits of the vectors are secret.
const VECTOR: usize = 64;

/// An output length in bytes, longer than a block of every XOF.
const XOF_LEN: usize = 350;

fn output(hasher: &AnyHasher) -> Vec<u8> {
    let mut out = vec![0; XOF_LEN];
    match hasher.squeeze() {
        Ok(mut reader) => {
            // In two pieces.
            let (begin, rest) = out.split_at_mut(99);
            reader.try_fill(begin).expect("output");
            reader.try_fill(rest).expect("output");
            out
        }
        Err(_) => hasher.finalize().to_vec(),
    }
}

/// Runs `test` on every backend of this machine.
fn each_backend(mut test: impl FnMut(&str)) {
    for backend in backends::available() {
        let _forced = backends::force(backend);
        test(backend);
    }
}

/// Runs `test` for every algorithm with HMAC on each of its backends.
fn each_hmac(mut test: impl FnMut(Algorithm, &str)) {
    backends::each(|algorithm, backend| {
        if algorithm.has_hmac() {
            test(algorithm, backend);
        }
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn messages() {
    backends::each(|algorithm, backend| {
        for len in lengths(algorithm) {
            let of = format!("{algorithm}, {backend}, {len} bytes");
            let message = message(len);
            let expected = reference::hash(algorithm, &message, XOF_LEN);
            let secret = secret(&message);
            let digest = algorithm.hash(&secret);
            assert!(len < VECTOR || digest.iter().all(sanitizer::is_marked), "{of}: no secret");
            check(&digest, &expected[..digest.len()], &of);
            let mut hasher = algorithm.hasher();
            secret.chunks(37).for_each(|piece| _ = hasher.update(piece));
            check(&output(&hasher), &expected, &of);
            // The state is revealed first, because importing branches on the check at its end.
            let state = revealed(hasher.export().expect("a state").as_ref());
            assert_eq!(output(&AnyHasher::import(&state).expect("exported")), expected, "{of}");
        }
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn last_bits() {
    backends::each(|algorithm, backend| {
        let message = common::answer::Message { bytes: message(50), last: 0b1010_0101, bits: 5 };
        let hasher = algorithm.hasher().update(secret(&message.bytes)).clone();
        let last = secret(&[message.last])[0];
        let out = match hasher.squeeze_bits(last, message.bits) {
            Ok(reader) => reader.take(XOF_LEN).collect(),
            Err(_) => match hasher.finalize_bits(last, message.bits) {
                Ok(digest) => digest.to_vec(),
                Err(_) => return,
            },
        };
        let expected = reference::bits(algorithm, &message, XOF_LEN);
        check(&out, &expected, &format!("{algorithm}, {backend}"));
    });
}

/// Hashes batches of one length and of several lengths, after a secret prefix and after none, and
/// updates several hashers at once.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn many_messages() {
    backends::each(|algorithm, backend| {
        let lengths = lengths(algorithm);
        let same = lengths.iter().map(|&len| vec![len; 18]);
        for lengths in same.chain([lengths.clone(), lengths[..5].to_vec()]) {
            for prefix in [0, 13, algorithm.block_len()] {
                let of = format!("{algorithm}, {backend}, {prefix} + {lengths:?} bytes");
                let prefix = message(prefix);
                let messages: Vec<Vec<u8>> =
                    (0..).zip(&lengths).map(|(i, len)| message(len + i)[i..].to_vec()).collect();
                let expected: Vec<Vec<u8>> = (messages.iter())
                    .map(|message| {
                        reference::hash(algorithm, &[&prefix, &message[..]].concat(), 40)
                    })
                    .collect();
                let secrets: Vec<Vec<u8>> =
                    messages.iter().map(|message| secret(message)).collect();
                let secrets: Vec<&[u8]> = secrets.iter().map(|secret| &secret[..]).collect();
                let mut hasher = algorithm.hasher();
                hasher.update(secret(&prefix));
                check_all(calls::after(&hasher, &secrets, 40), &expected, &of);
                let (begin, end) = secrets.iter().map(|s| s.split_at(s.len() / 2)).unzip();
                let rounds = [begin, end];
                check_all(calls::updated(&hasher, &rounds, 40), &expected, &of);
            }
        }
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn hmac() {
    each_hmac(|algorithm, backend| {
        let block = algorithm.block_len();
        for key_len in [1, 32, block - 1, block, block + 1, 3 * block] {
            let key = message(key_len);
            let secret_key = secret(&key);
            for len in [0, 1, 20, block, 2 * block + 7] {
                let of = format!("HMAC-{algorithm}, {backend}, {key_len} and {len} bytes");
                let messages: Vec<Vec<u8>> =
                    (0..18).map(|i| message(len + i)[i..].to_vec()).collect();
                let tags: Vec<Vec<u8>> = messages
                    .iter()
                    .map(|message| reference::hmac(algorithm, &key, message))
                    .collect();
                let secrets: Vec<Vec<u8>> =
                    messages.iter().map(|message| secret(message)).collect();
                let secrets: Vec<&[u8]> = secrets.iter().map(|secret| &secret[..]).collect();
                check_all(calls::hmacs(algorithm, &secret_key, &secrets, &[]).many, &tags, &of);
                let rounds = [secrets.clone()];
                check_all(calls::hmacs_updated(algorithm, &secret_key, &rounds), &tags, &of);
                let mut hmac = algorithm.hmac(&secret_key).expect("an HMAC");
                secrets[0].chunks(37).for_each(|piece| _ = hmac.update(piece));
                check(&hmac.finalize(), &tags[0], &of);
                // The tag to be verified may be secret, too, and may differ at any byte.
                let verifies = |tag: &[u8]| verdict(hmac.verify(secret(tag)).is_ok());
                assert!(verifies(&tags[0]), "{of}");
                for at in [0, tags[0].len() / 2, tags[0].len() - 1] {
                    let mut forged = tags[0].clone();
                    forged[at] ^= 0x10;
                    assert!(!verifies(&forged), "{of}");
                }
            }
        }
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn keyed_blake2() {
    backends::each(|algorithm, backend| {
        if !algorithm.name().starts_with("BLAKE2") {
            return;
        }
        for key_len in [1, algorithm.output_len()] {
            let plain = Params { key: message(key_len), ..Params::new(algorithm.output_len()) };
            let hidden = Params { key: secret(&plain.key), ..plain.clone() };
            let keyed = calls::blake2(algorithm, &hidden).expect("parameters");
            for len in [0].into_iter().chain(lengths(algorithm)) {
                let of = format!("{algorithm}, {backend}, key of {key_len}, {len} bytes");
                let message = message(len);
                let expected = reference::blake2(algorithm, &plain, &message);
                let secret = secret(&message);
                check(&keyed.clone().update(&secret).finalize(), &expected, &of);
                let tags = calls::after(&keyed, &[&secret[..]; 9], 0);
                check_all(tags, &vec![expected; 9], &of);
            }
        }
    });
}

/// BLAKE3 with a key and with key material, its subtrees, and long outputs of both.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn keyed_blake3() {
    const CONTEXT: &str = "hashmill tests of constant time";
    backends::each_of(Algorithm::Blake3, |backend| {
        let key: [u8; 32] = message(32).try_into().expect("32 bytes");
        let secret_key: [u8; 32] = secret(&key)[..].try_into().expect("32 bytes");
        for len in lengths(Algorithm::Blake3).into_iter().chain([1024, 1025, 40_000]) {
            let of = format!("{backend}, {len} bytes");
            let text = message(len);
            let hidden = secret(&text);
            let by_key = standards::blake3::keyed_hash(&key, &text, XOF_LEN);
            let derived = standards::blake3::derive_key(CONTEXT.as_bytes(), &text, XOF_LEN);
            let (keyed, derive) = (Blake3::keyed(&secret_key), Blake3::derive_key(CONTEXT));
            for (hasher, expected) in [(&keyed, by_key), (&derive, derived)] {
                check(&hasher.hash(&hidden)[..], &expected[..32], &of);
                let mut pieces = hasher.clone();
                hidden.chunks(777).for_each(|piece| _ = pieces.update(piece));
                let mut reader = pieces.squeeze();
                let mut out = vec![0; XOF_LEN];
                reader.seek(99);
                reader.fill(&mut out[99..]);
                reader.seek(0);
                reader.fill(&mut out[..99]);
                check(&out, &expected, &of);
                let tags = calls::after(&AnyHasher::from(hasher.clone()), &[&hidden[..]; 9], 32);
                check_all(tags, &vec![expected[..32].to_vec(); 9], &of);
                if len > 1024 {
                    let left = 1 << ((len - 1) / 1024).ilog2() << 10;
                    let (left, right) = hidden.split_at(left);
                    let offset = left.len() as u64;
                    let [left, right] = [(0, left), (offset, right)]
                        .map(|(offset, data)| hasher.subtree(offset, data).expect("a subtree"));
                    let mut root = [0; 32];
                    hasher.root(&left, &right).fill(&mut root);
                    check(&root, &expected[..32], &of);
                }
            }
        }
    });
}

/// Ascon-CXOF128 with a secret message. Its customization string is not secret.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn ascon_cxof() {
    each_backend(|backend| {
        for len in [1, 7, 8, 9, 100] {
            let text = message(len);
            let expected = standards::ascon::ascon_cxof128(b"C", &text, XOF_LEN);
            let mut hasher = hashmill::AsconCXof128::new(C).expect("at most 256 bytes");
            secret(&text).chunks(3).for_each(|piece| _ = hasher.update(piece));
            let output: Vec<u8> = hasher.squeeze().take(XOF_LEN).collect();
            check(&output, &expected, &format!("{backend}, {len} bytes"));
        }
    });
}

/// The tag of a state is computed with a secret key, over a secret state.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn keyed_states() {
    each_hmac(|algorithm, backend| {
        let (key, text) = (message(32), message(100));
        let mut hasher = algorithm.hasher();
        let state = hasher.update(secret(&text)).export_keyed(&secret(&key)).expect("a state");
        assert!(state.as_ref().iter().any(sanitizer::is_marked), "{algorithm}: no secret");
        // Importing branches on the check and on the tag.
        let imported = AnyHasher::import_keyed(&revealed(state.as_ref()), &key).expect("the key");
        let digest = reference::hash(algorithm, &text, 0);
        assert_eq!(imported.finalize().to_vec(), digest, "{algorithm}, {backend}");
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn kmac() {
    macro_rules! kmac {
        ($Type:ident, $function:ident, $xof:ident, $backend:ident) => {
            for (key_len, len) in [(1, 0), (32, 1), (200, 167), (400, 500)] {
                let of = format!("{}, {}, {key_len} and {len} bytes", stringify!($Type), $backend);
                let (key, text) = (message(key_len), message(len));
                let expected = standards::sp800_185::$function(&key, &text, 48, b"C");
                let (key_secret, secret) = (secret(&key), secret(&text));
                let prepared = hashmill::$Type::new(&key_secret, C);
                let keyed = prepared.clone().update(&secret).clone();
                check(&keyed.finalize::<48>()[..], &expected, &of);
                let short: hashmill::Digest<48> = hashmill::$function(Key(&key_secret), &secret, C);
                check(&short[..], &expected, &of);
                let mut tags = [0; 9 * 48];
                prepared.hash_many(&[&secret[..]; 9], &mut tags).expect("room for each");
                check(&tags, &expected.repeat(9), &of);
                let output: Vec<u8> = keyed.squeeze().take(XOF_LEN).collect();
                check(&output, &standards::sp800_185::$xof(&key, &text, XOF_LEN, b"C"), &of);
                let mut tag: [u8; 48] = expected.try_into().expect("48 bytes");
                assert!(verdict(keyed.verify(&tag).is_ok()), "{of}");
                tag[47] ^= 1;
                assert!(!verdict(keyed.verify(&tag).is_ok()), "{of}");
            }
        };
    }
    each_backend(|backend| {
        kmac!(Kmac128, kmac128, kmac128_xof, backend);
        kmac!(Kmac256, kmac256, kmac256_xof, backend);
    });
}

/// Hashes secrets with KangarooTwelve, cSHAKE, TupleHash and ParallelHash.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn other_functions() {
    const CHUNK: usize = 8192;
    macro_rules! functions {
        ($name:literal, $Kt:ident $kt:ident, $CShake:ident $cshake:ident, $TupleHash:ident $tuple_hash:ident,
         $ParallelHash:ident $parallel_hash:ident, $backend:ident) => {
            for len in [1, 167, CHUNK - 1, CHUNK, CHUNK + 1, 9 * CHUNK + 100] {
                let of = format!("{} of {}, {len} bytes", $name, $backend);
                let text = message(len);
                let secret = secret(&text);
                let kt: Digest<50> = hashmill::$kt(&secret, C);
                check(&kt[..], &standards::k12::$kt(&text, b"C", 50), &of);
                let mut kt = hashmill::$Kt::new();
                secret.chunks(3000).for_each(|piece| _ = kt.update(piece));
                let output: Vec<u8> = kt.squeeze().take(50).collect();
                check(&output, &standards::k12::$kt(&text, b"", 50), &of);
                let cshake: Digest<50> = hashmill::$cshake(&secret, FunctionName(b""), C);
                let expected = standards::sp800_185::$cshake(&text, 50, b"", b"C");
                check(&cshake[..], &expected, &of);
                let mut outputs = [0; 9 * 50];
                let empty = hashmill::$CShake::new(FunctionName(b""), C);
                empty.hash_many(&[&secret[..]; 9], &mut outputs).expect("room for each");
                check(&outputs, &expected.repeat(9), &of);
                let tuple: Digest<50> = hashmill::$tuple_hash(&[&secret[..], &secret], b"C");
                let expected = standards::sp800_185::$tuple_hash(&[&text, &text], 50, b"C");
                check(&tuple[..], &expected, &of);
                let mut tuple = hashmill::$TupleHash::new(b"C");
                tuple.begin(len as u64).expect("the first");
                secret.chunks(100).for_each(|piece| _ = tuple.update(piece));
                check(&tuple.element(&secret).finalize::<50>()[..], &expected, &of);
                let parallel: Digest<50> =
                    hashmill::$parallel_hash(&secret, 500, C).expect("a block");
                let expected = standards::sp800_185::$parallel_hash(&text, 500, 50, b"C");
                check(&parallel[..], &expected, &of);
                let mut parallel = hashmill::$ParallelHash::new(500, b"C").expect("a block");
                secret.chunks(777).for_each(|piece| _ = parallel.update(piece));
                check(&parallel.finalize::<50>()[..], &expected, &of);
            }
        };
    }
    each_backend(|backend| {
        functions!("128 bits", Kt128 kt128, CShake128 cshake128, TupleHash128 tuple_hash128,
            ParallelHash128 parallel_hash128, backend);
        functions!("256 bits", Kt256 kt256, CShake256 cshake256, TupleHash256 tuple_hash256,
            ParallelHash256 parallel_hash256, backend);
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn derived_keys() {
    each_hmac(|algorithm, backend| {
        let reference = |key: &[u8], message: &[u8]| reference::hmac(algorithm, key, message);
        let len = 2 * algorithm.output_len() + 5;
        for secret_len in [8, 40, 2 * algorithm.block_len()] {
            let of = format!("{algorithm}, {backend}, {secret_len} bytes");
            let (plain, salt) = (message(secret_len), message(16));
            let hidden = secret(&plain);
            let prk = standards::hkdf::extract(reference, &salt, &plain);
            let mut key = vec![0; len];
            with!(algorithm, H => {
                check(Hkdf::<H>::extract(Salt(&salt), &hidden).as_ref(), &prk, &of);
                let hkdf = Hkdf::<H>::new(Salt(&salt), &hidden);
                hkdf.expand(&secret(b"info"), &mut key).expect("not too long");
                let expected = standards::hkdf::expand(reference, &prk, b"info", len);
                check(&key, &expected, &of);
                let hkdf = Hkdf::<H>::from_prk(&secret(&prk)).expect("as long as a digest");
                hkdf.expand(b"info", &mut key).expect("not too long");
                check(&key, &expected, &of);

                pbkdf2::<H>(&hidden, Salt(&secret(&salt)), 3, &mut key).expect("iterations");
                let expected = standards::pbkdf2::pbkdf2(reference, &plain, &salt, 3, len);
                check(&key, &expected, &of);
                let mut keys = vec![0; 17 * len];
                pbkdf2_many::<H>(&[&hidden[..]; 17], Salt(&[&salt[..]; 17]), 3, len, &mut keys)
                    .expect("iterations");
                check(&keys, &expected.repeat(17), &of);
            });
        }
    });
}

#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn comparisons() {
    let digest = hashmill::sha512(b"abc");
    for at in 0..64 {
        let mut other = digest.to_vec();
        other[at] ^= 0x80 >> (at % 8);
        for (other, equal) in [(&digest[..], true), (&other[..], false)] {
            let a: [u8; 64] = secret(&digest[..]).try_into().expect("64 bytes");
            let (a, b) = (Digest::from(a), secret(other));
            let array: [u8; 64] = b[..].try_into().expect("64 bytes");
            let variable = hashmill::VarDigest::try_from(&b[..]).expect("64 bytes");
            assert_eq!(verdict(hashmill::constant_time_eq(&a[..], &b)), equal);
            assert_eq!(verdict(a == Digest::from(array)), equal);
            assert_eq!(verdict(a == array), equal);
            assert_eq!(verdict(a == b[..]), equal);
            assert_eq!(verdict(variable == hashmill::VarDigest::from(a)), equal);
        }
    }
}

/// Checks that the sanitizer reports each of several leaks, each in a process of its own: two
/// deliberate leaks, and the operations that `SECURITY.md` lists as not constant-time.
#[test]
#[cfg_attr(not(hashmill_msan), ignore = "requires MemorySanitizer")]
fn leaks_are_reported() {
    for leak in ["branch", "address", "order", "as_text", "from_text"] {
        let run = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", &format!("leaks::{leak}")])
            .output()
            .expect("this program runs");
        let said = String::from_utf8_lossy(&run.stderr);
        let reported = said.contains("MemorySanitizer: use-of-uninitialized-value");
        assert!(reported && !run.status.success(), "{leak} was not reported: {run:?}");
    }
}

/// Leaks, each of which ends the program.
mod leaks {
    use super::{black_box, secret};
    use hashmill::Digest;

    fn secret_digest() -> Digest<32> {
        let bytes: [u8; 32] = secret(&[7; 32]).try_into().expect("32 bytes");
        bytes.into()
    }

    #[test]
    #[ignore = "for leaks_are_reported"]
    fn branch() {
        if secret(&[7])[0] == 7 {
            println!("seven");
        }
    }

    #[test]
    #[ignore = "for leaks_are_reported"]
    fn address() {
        let table: [u8; 256] = black_box(core::array::from_fn(|i| i as u8));
        black_box(table[usize::from(secret(&[7])[0])]);
    }

    #[test]
    #[ignore = "for leaks_are_reported"]
    fn order() {
        if black_box(secret_digest() < Digest::default()) {
            println!("less");
        }
    }

    #[test]
    #[ignore = "for leaks_are_reported"]
    fn as_text() {
        black_box(secret_digest().to_string());
    }

    #[test]
    #[ignore = "for leaks_are_reported"]
    fn from_text() {
        let text = String::from_utf8(vec![b'7'; 64]).expect("digits");
        super::sanitizer::mark(text.as_bytes());
        black_box(text.parse::<Digest<32>>().is_ok());
    }
}
