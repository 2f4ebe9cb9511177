//! A small sample of all interfaces, short enough for Miri (`cargo xtask test miri`). Miri detects
//! accesses out of bounds, uses of uninitialised values and violations of the pointer rules, and it
//! emulates big-endian and 32-bit machines.
//!
//! The answers are FNV-1a sums of the reference's outputs. The reference is too slow for Miri, so
//! only runs without Miri compare with it.
//!
//! This is a separate test binary because Miri must build everything in it for every target.

mod common;

use common::answer::Params;
use common::{backends, calls, reference};
use hashmill::{Algorithm, AnyHasher, Digest, Exported, Hkdf, Sha256, pbkdf2_many};
use hashmill::{Customization, FunctionName, Key, Salt};
use hashmill_reference as standards;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

const C: Customization = Customization(b"C");

/// Test data: byte i is i mod 251, as in the answers of RFC 9861 §5.
static PATTERN: [u8; 8300] = {
    let mut pattern = [0; 8300];
    let mut i = 0;
    while i < pattern.len() {
        pattern[i] = (i % 251) as u8;
        i += 1;
    }
    pattern
};

/// Returns `len` bytes of the pattern. With `-Zmiri-symbolic-alignment-check`, Miri treats no bytes
/// as aligned.
fn message(len: usize) -> &'static [u8] {
    &PATTERN[1..][..len]
}

/// Returns the 64-bit FNV-1a sum, which differs if any one byte differs.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Asserts that `computed` has the sum `answer` and, except under Miri, that it equals the
/// reference's output.
#[track_caller]
fn check(computed: &[u8], answer: u64, reference: impl FnOnce() -> Vec<u8>, of: &str) {
    if !cfg!(miri) {
        assert_eq!(computed, reference(), "{of}");
    }
    assert_eq!(sum(computed), answer, "{of}: {:016X}", sum(computed));
}

/// The algorithms, each with the sums that [`one_message`], [`many_messages`], and [`hmacs`] or
/// [`outputs`] expect.
static ANSWERS: LazyLock<Vec<(Algorithm, [u64; 3])>> = LazyLock::new(|| {
    let rows = include_str!("miri.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let mut fields = line.split(' ');
        let algorithm = fields.next().and_then(|name| name.parse().ok()).expect("an algorithm");
        let sums = [(); 3].map(|()| fields.next().expect("three sums"));
        (algorithm, sums.map(|sum| u64::from_str_radix(sum, 16).expect("a sum")))
    };
    rows.map(row).collect()
});

/// Runs `test` on a backend for every algorithm that has it, with one of the algorithm's answers.
fn on(backend: &str, which: usize, mut test: impl FnMut(Algorithm, u64, &str)) {
    assert!(ANSWERS.iter().map(|(algorithm, _)| algorithm).eq(Algorithm::ALL), "miri.txt");
    let _forced = backends::force(backend);
    for &(algorithm, answers) in ANSWERS.iter().filter(|(of, _)| backends::has(*of, backend)) {
        test(algorithm, answers[which], &format!("{algorithm}, {backend}"));
    }
}

/// Runs `test` for every algorithm on each of its backends.
fn each(which: usize, mut test: impl FnMut(Algorithm, u64, &str)) {
    // The default is left out, because it uses some of the other backends.
    for backend in backends::available().into_iter().filter(|name| *name != backends::DEFAULT) {
        on(backend, which, &mut test);
    }
}

/// Hashes one block and one byte in two pieces, and exports and imports the state between them.
#[test]
fn one_message() {
    each(0, |algorithm, answer, of| {
        let message = message(algorithm.block_len() + 1);
        let (begin, end) = message.split_at(5);
        let state = algorithm.hasher().update(begin).export().expect("a state");
        let mut hasher = AnyHasher::import(state.as_ref()).expect("what was exported");
        let reference = || reference::hash(algorithm, message, algorithm.output_len());
        check(&hasher.update(end).finalize(), answer, reference, of);
    });
}

/// Hashes messages of several lengths, enough of them that lanes are faster than one after the
/// other.
#[test]
fn many_messages() {
    each(1, |algorithm, answer, of| {
        let lengths = [3, 0, algorithm.block_len() + 1, 3, 3];
        let messages = lengths.map(message);
        let digests = calls::packed(algorithm, &messages, 8).concat();
        let reference = || messages.map(|message| reference::hash(algorithm, message, 8)).concat();
        check(&digests, answer, reference, of);
    });
}

const KEY: &[u8] = b"a short key";

#[test]
fn hmacs() {
    on(backends::DEFAULT, 2, |algorithm, answer, of| {
        if algorithm.has_hmac() {
            let tag = algorithm.hmac(KEY).expect("an HMAC").update(message(9)).finalize();
            check(&tag, answer, || reference::hmac(algorithm, KEY, message(9)), of);
        }
    });
}

/// Reads more than a block of output, in two pieces.
#[test]
fn outputs() {
    on(backends::DEFAULT, 2, |algorithm, answer, of| {
        if algorithm.is_xof() {
            let mut output = vec![0; algorithm.block_len() + 1];
            let mut reader = algorithm.hasher().update(message(9)).squeeze().expect("an XOF");
            let (begin, end) = output.split_at_mut(7);
            reader.try_fill(begin).expect("output");
            reader.try_fill(end).expect("output");
            let reference = || reference::hash(algorithm, message(9), algorithm.block_len() + 1);
            check(&output, answer, reference, of);
        }
    });
}

#[test]
fn blake2_with_all_parameters() {
    for (algorithm, tree, answer) in [
        (Algorithm::Blake2b, true, 0x2C72_AC1F_A00A_018C),
        (Algorithm::Blake2s, true, 0x3E29_1A04_3715_2F8F),
        (Algorithm::Blake2bp, false, 0x280F_C230_4623_43A9),
        (Algorithm::Blake2sp, false, 0x8AB0_8E97_FDE4_2389),
    ] {
        let mut params = Params {
            key: KEY.to_vec(),
            salt: b"salt".to_vec(),
            personal: b"personal".to_vec(),
            ..Params::new(20)
        };
        if tree {
            params = Params {
                fanout: 2,
                max_depth: 3,
                leaf_len: 4,
                node_offset: 5,
                node_depth: 1,
                inner_len: 20,
                last_node: true,
                ..params
            };
        }
        let hasher = calls::blake2(algorithm, &params).expect("parameters");
        let digest = hasher.clone().update(message(9)).finalize();
        let reference = || reference::blake2(algorithm, &params, message(9));
        check(&digest, answer, reference, algorithm.name());
    }
}

/// Hashes a chunk and one byte, so that the tree has one leaf.
#[test]
fn kangaroo_twelve() {
    let message = message(8193);
    let output: Digest<32> = hashmill::kt128(message, C);
    check(&output[..], 0xB1EE_E6B1_3DE4_80FA, || standards::k12::kt128(message, b"C", 32), "KT128");
}

#[test]
fn sp800_185() {
    use standards::sp800_185 as standard;
    let [text, short] = [message(9), message(3)];
    let output: Digest<32> = hashmill::cshake128(text, FunctionName(b""), C);
    check(
        &output[..],
        0x030B_F314_6727_DF80,
        || standard::cshake128(text, 32, b"", b"C"),
        "cSHAKE128",
    );
    let output: Digest<32> = hashmill::kmac256(Key(KEY), text, C);
    check(&output[..], 0x5DCD_D8F3_18AD_8F2E, || standard::kmac256(KEY, text, 32, b"C"), "KMAC256");
    let mut tuple = hashmill::TupleHash256::new(b"C");
    tuple.begin(3).expect("the first").update(&short[..2]).update(&short[2..]);
    let output = tuple.element(text).finalize::<32>();
    let tuple = [short, text];
    check(
        &output[..],
        0xC08A_F96A_016C_A265,
        || standard::tuple_hash256(&tuple, 32, b"C"),
        "TupleHash256",
    );
    let output: Digest<32> = hashmill::parallel_hash128(text, 2, C).expect("a block");
    let reference = || standard::parallel_hash128(text, 2, 32, b"C");
    check(&output[..], 0x62C1_9511_2AC7_5268, reference, "ParallelHash128");
}

#[test]
fn derived_keys() {
    let hmac = |key: &[u8], message: &[u8]| reference::hmac(Algorithm::Sha256, key, message);
    let mut key = [0; 40];
    Hkdf::<Sha256>::new(Salt(b"salt"), KEY).expand(b"info", &mut key).expect("not too long");
    let reference = || standards::hkdf::expand(hmac, &hmac(b"salt", KEY), b"info", 40);
    check(&key, 0xF679_59EF_FC6A_65BE, reference, "HKDF");
    let mut keys = [0; 5 * 32];
    pbkdf2_many::<Sha256>(&[KEY; 5], Salt(&[b"salt"; 5]), 2, 32, &mut keys).expect("iterations");
    let reference = || standards::pbkdf2::pbkdf2(hmac, KEY, b"salt", 2, 32).repeat(5);
    check(&keys, 0x4E86_47D5_EEA7_AF85, reference, "PBKDF2");
}

#[test]
fn a_state_is_wiped_when_dropped() {
    let mut place = MaybeUninit::<Exported>::uninit();
    let start = place.as_ptr().addr();
    let exported =
        place.write(Algorithm::Sha256.hasher().update(message(30)).export().expect("a state"));
    let bytes = exported.as_ref();
    let (offset, len) = (bytes.as_ptr().addr() - start, bytes.len());
    // SAFETY: the value was written above, and is not used again.
    unsafe { place.assume_init_drop() };
    let first = place.as_ptr().cast::<u8>().wrapping_add(offset);
    // SAFETY: the memory is still allocated and initialised, and is read as bytes.
    assert!((0..len).all(|i| unsafe { first.add(i).read_volatile() } == 0));
}
