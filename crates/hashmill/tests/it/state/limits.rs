//! Counts near those at which a counter carries or reaches its limit.

use super::oracle::{rfc7693, words};
use super::{
    digest, forge, has_chunks, import, is_ascon, is_blake2, is_sponge, shape, without_check,
};
use crate::common::random::Random;
use crate::common::{backends, peers};
use hashmill::function::Function;
use hashmill::{Algorithm, AnyHasher, Error, Hash, VarDigest};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether the exported state is a count, words and the bytes that wait.
fn counts_in_its_state(algorithm: Algorithm) -> bool {
    !is_sponge(algorithm) && !is_ascon(algorithm) && !has_chunks(algorithm)
}

/// Returns counts near carries and near the limit.
fn counts(algorithm: Algorithm) -> Vec<u128> {
    let shape = shape(algorithm);
    let stride = shape.stride as u128;
    let carries: &[u128] = match algorithm {
        // The counter's low word overflows, in each of the leaves.
        Algorithm::Blake2s => &[1 << 32],
        Algorithm::Blake2sp => &[1 << 32, 8 << 32],
        Algorithm::Blake2b => &[1 << 32, 1 << 64],
        Algorithm::Blake2bp => &[1 << 32, 1 << 64, 4 << 64],
        // The length in bits and the length in bytes pass 2³².
        _ if shape.word == 4 => &[1 << 29, 1 << 32],
        // … 2⁶⁴.
        _ => &[1 << 32, 1 << 61, 1 << 64],
    };
    let near = |&carry: &u128| {
        [carry - 2 * stride - 1, carry - stride, carry - 1, carry, carry + 1, carry + stride + 1]
    };
    let mut counts: Vec<u128> = carries.iter().flat_map(near).collect();
    counts.extend([3 * stride + 1, stride, 1, 0].map(|before| shape.limit - before));
    counts
}

/// A state with a given count and arbitrary words, and the digest that must follow after more
/// bytes.
struct Near {
    algorithm: Algorithm,
    count: u128,
    root: Vec<u8>,
    leaves: Vec<u8>,
    waiting: Vec<u8>,
}

impl Near {
    fn new(algorithm: Algorithm, count: u128) -> Near {
        let mut random = Random::new(5);
        let shape = shape(algorithm);
        let leaves = if shape.leaves > 1 { shape.leaves } else { 0 };
        Near {
            algorithm,
            count,
            root: random.bytes(8 * shape.word),
            leaves: random.bytes(8 * shape.word * leaves),
            waiting: random.bytes(shape.waiting(count)),
        }
    }

    fn output_len(&self) -> usize {
        // For BLAKE2, a length that is neither the longest nor a multiple of a word.
        if is_blake2(self.algorithm) { 27 } else { self.algorithm.output_len() }
    }

    fn state(&self) -> Vec<u8> {
        let parameters: &[u8] = match self.algorithm {
            Algorithm::Blake2b | Algorithm::Blake2s => &[27, 1],
            Algorithm::Blake2bp | Algorithm::Blake2sp => &[27],
            _ => &[],
        };
        let count = self.count.to_le_bytes();
        forge(self.algorithm, &[parameters, &count, &self.root, &self.leaves, &self.waiting])
    }

    fn hasher(&self) -> AnyHasher {
        import(self.algorithm, &self.state()).expect("a good state")
    }

    fn expected(&self, more: &[u8]) -> Vec<u8> {
        let data = [&self.waiting, more].concat();
        let total = self.count + more.len() as u128;
        let shape = shape(self.algorithm);
        let absorbed = shape.absorbed(self.count);
        let mut digest = match (shape.word, shape.leaves) {
            (4, 1) if is_blake2(self.algorithm) => {
                rfc7693::s::hash(words(&self.root), absorbed, &data, true)
            }
            (8, 1) if is_blake2(self.algorithm) => {
                rfc7693::b::hash(words(&self.root), absorbed, &data, true)
            }
            (4, 8) => rfc7693::s::tree(words(&self.root), &words(&self.leaves), absorbed, &data),
            (8, 4) => rfc7693::b::tree(words(&self.root), &words(&self.leaves), absorbed, &data),
            _ => {
                let padded = peers::pad(self.algorithm, &data, 0x80, 8 * total);
                peers::blocks(self.algorithm, Some(&self.root), &padded)
            }
        };
        digest.truncate(self.output_len());
        digest
    }
}

/// Returns a hasher with arbitrary words that has absorbed `count` bytes.
pub fn at(algorithm: Algorithm, count: u128) -> AnyHasher {
    Near::new(algorithm, count).hasher()
}

/// Checks the oracle with states whose digests are known.
#[test]
fn the_oracle_is_right() {
    for &algorithm in Algorithm::ALL.iter().filter(|&&algorithm| counts_in_its_state(algorithm)) {
        let shape = shape(algorithm);
        let message = Random::new(3).bytes(4 * shape.stride);
        for cut in [0, 1, shape.stride, 2 * shape.stride + 5, 3 * shape.stride] {
            let exported = algorithm.hasher().update(&message[..cut]).export().expect("a state");
            let body = without_check(exported.as_ref());
            let near = Near::new(algorithm, cut as u128);
            // From the end: the waiting bytes, the leaves, the root.
            let (body, waiting) = body.split_at(body.len() - near.waiting.len());
            let (body, leaves) = body.split_at(body.len() - near.leaves.len());
            let (_, root) = body.split_at(body.len() - near.root.len());
            let (root, leaves, waiting) = (root.to_vec(), leaves.to_vec(), waiting.to_vec());
            let near = Near { root, leaves, waiting, ..near };
            if shape.leaves == 1 && is_blake2(algorithm) {
                continue; // Sequential hashing has no last node; the trees have one.
            }
            let expected = &digest(algorithm, &message)[..near.output_len()];
            assert_eq!(near.expected(&message[cut..]), expected, "{algorithm}, cut at {cut}");
        }
    }
}

#[test]
fn counters_carry_and_reach_their_limits() {
    backends::each(|algorithm, backend| {
        if !counts_in_its_state(algorithm) {
            return;
        }
        let shape = shape(algorithm);
        for count in counts(algorithm) {
            let near = Near::new(algorithm, count);
            let room = usize::try_from(shape.limit - count).unwrap_or(usize::MAX);
            let block = shape.stride / shape.leaves;
            let lengths =
                [0, 1, block - 1, block, shape.stride, shape.stride + 1, 3 * shape.stride + 1];
            let mut lengths: Vec<usize> = lengths.into_iter().filter(|&len| len <= room).collect();
            lengths.push(room.min(4 * shape.stride));
            let more = Random::new(4).bytes(4 * shape.stride);
            for &len in &lengths {
                let what = format!("{algorithm}, {backend}, {len} bytes after {count}");
                let expected = near.expected(&more[..len]);
                let mut hasher = near.hasher();
                assert_eq!(hasher.update(&more[..len]).finalize()[..], expected, "{what}");
                let mut hasher = near.hasher();
                for piece in more[..len].chunks(37) {
                    hasher.update(piece);
                }
                assert_eq!(hasher.finalize()[..], expected, "{what}, in pieces");
                let resumed =
                    AnyHasher::import(hasher.export().expect("a state").as_ref()).expect("a state");
                assert_eq!(resumed.finalize()[..], expected, "{what}, exported");
                let bits = hasher.finalize_bits(0, 0);
                assert!(
                    is_blake2(algorithm) || bits.is_ok_and(|bits| bits[..] == expected),
                    "{what}"
                );
            }
            // More messages than lanes, of all lengths.
            let messages: Vec<&[u8]> =
                (0..40).map(|i| &more[..lengths[i % lengths.len()]]).collect();
            let mut digests = [VarDigest::default(); 40];
            near.hasher().hash_many(&messages, &mut digests).expect("room for each");
            for (message, digest) in messages.iter().zip(&digests) {
                let what = format!("{algorithm}, {backend}, {} after {count}", message.len());
                assert_eq!(digest[..], near.expected(message), "{what}, among many");
            }
            // As few as the kernels for two and for four messages take.
            for few in 2..=5 {
                let mut digests = [VarDigest::default(); 5];
                let longest = [&more[..room.min(4 * shape.stride)]; 5];
                near.hasher().hash_many(&longest[..few], &mut digests[..few]).expect("room");
                let expected = near.expected(longest[0]);
                for digest in &digests[..few] {
                    assert_eq!(digest[..], expected, "{algorithm}, {backend}, {few} after {count}");
                }
            }
            let mut hashers: Vec<_> = messages.iter().map(|_| near.hasher()).collect();
            AnyHasher::update_many(&mut hashers, &messages).expect("room for each");
            for (message, hasher) in messages.iter().zip(&hashers) {
                let what = format!("{algorithm}, {backend}, {} after {count}", message.len());
                let expected = near.expected(message);
                assert_eq!(hasher.finalize()[..], expected, "{what}, one of several hashers");
                let resumed =
                    AnyHasher::import(hasher.export().expect("a state").as_ref()).expect("a state");
                assert_eq!(resumed.finalize()[..], expected, "{what}, and exported");
            }
        }
    });
}

#[test]
fn a_message_beyond_the_limit_is_refused_and_changes_nothing() {
    for &algorithm in Algorithm::ALL.iter().filter(|&&algorithm| counts_in_its_state(algorithm)) {
        let shape = shape(algorithm);
        for room in [0, 1, 5, shape.stride - 1, shape.stride, 3 * shape.stride] {
            let near = Near::new(algorithm, shape.limit - room as u128);
            let mut hasher = near.hasher();
            let before = hasher.export().expect("a state");
            for over in [1, 2, shape.stride, 10 * shape.stride] {
                let error = hasher.try_update(vec![1; room + over]).err();
                assert_eq!(error, Some(Error::MessageTooLong), "{algorithm}, {over} over");
                assert_eq!(
                    hasher.export().expect("a state").as_ref(),
                    before.as_ref(),
                    "{algorithm}"
                );
                let update = AssertUnwindSafe(|| {
                    hasher.clone().update(vec![1; room + over]);
                });
                let panic = catch_unwind(update).expect_err("a message that is too long");
                let said = panic.downcast_ref::<String>().expect("a sentence");
                assert_eq!(*said, Error::MessageTooLong.to_string());
                // With several messages, no hasher absorbs its message, and no digest is written.
                let long = vec![1; room + over];
                let mut hashers = [algorithm.hasher(), hasher.clone(), algorithm.hasher()];
                let refused = AnyHasher::update_many(&mut hashers, &[&long; 3]);
                assert_eq!(refused, Err(Error::MessageTooLong), "{algorithm}, {over} over");
                for (after, before) in hashers.iter().zip([&algorithm.hasher(), &hasher]) {
                    assert_eq!(
                        after.export().expect("a state").as_ref(),
                        before.export().expect("a state").as_ref(),
                        "{algorithm}"
                    );
                }
                for messages in [[&long[..], b"", b""], [b"", b"", &long[..]]] {
                    let stale = VarDigest::from(hashmill::sha256(b"stale"));
                    let mut digests = [stale; 3];
                    let refused = hasher.hash_many(messages, &mut digests);
                    assert_eq!(refused, Err(Error::MessageTooLong), "{algorithm}, {over} over");
                    assert_eq!(digests, [stale; 3]);
                    let mut packed = vec![7; 3 * hasher.output_len()];
                    let refused = hasher.hash_many(messages, &mut packed);
                    assert_eq!(refused, Err(Error::MessageTooLong), "{algorithm}, {over} over");
                    assert!(packed.iter().all(|&byte| byte == 7), "something was written");
                }
            }
            hasher.try_update(vec![1; room]).expect("just enough room");
            hasher.try_update(b"").expect("nothing is always allowed");
            assert_eq!(hasher.finalize()[..], near.expected(&vec![1; room]), "{algorithm}");
            assert_eq!(hasher.try_update(b"1").err(), Some(Error::MessageTooLong), "{algorithm}");
        }
    }
}

/// Also where the hasher at its limit is of another algorithm, behind more hashers than are updated
/// at once.
#[test]
fn one_message_beyond_the_limit_changes_no_hasher() {
    let mut hashers = vec![Algorithm::Sha256.hasher(), Algorithm::Blake2b.hasher()];
    hashers.resize_with(300, || Algorithm::Sha256.hasher());
    hashers.push(AnyHasher::import(&near_the_limit(2)).expect("a good state"));
    let refused = AnyHasher::update_many(&mut hashers, &[b"abc"; 301]);
    assert_eq!(refused, Err(Error::MessageTooLong));
    for hasher in &hashers[..300] {
        assert_eq!(hasher.finalize(), hasher.algorithm().expect("an algorithm").hash(b""));
    }
}

/// Returns a state of SHA-256 after which only `room` more bytes are allowed.
pub fn near_the_limit(room: u128) -> Vec<u8> {
    Near::new(Algorithm::Sha256, shape(Algorithm::Sha256).limit - room).state()
}

/// `try_update` in code that is generic over the function.
#[test]
fn try_update_of_any_function() {
    let state = Near::new(Algorithm::Sha256, (1 << 61) - 3).state();
    fn put<F: Function>(hasher: &mut Hash<F>, data: &[u8]) -> Result<(), Error> {
        hasher.try_update(data).map(drop)
    }
    let mut hasher = hashmill::Sha256::import(&state).expect("a good state");
    assert_eq!(put(&mut hasher, b"abc").err(), Some(Error::MessageTooLong));
    assert!(put(&mut hasher, b"ab").is_ok());
}

/// A SHA-2 message of bits at the limit: 2⁶⁴ − 1 and 2¹²⁸ − 1 bits.
#[test]
fn bits_at_the_limit() {
    for algorithm in [Algorithm::Sha256, Algorithm::Sha512] {
        let near = Near::new(algorithm, shape(algorithm).limit);
        let got = near.hasher().finalize_bits(0b1010_1010, 7).expect("7 bits");
        let block = algorithm.block_len();
        // The seven bits and the first padding bit end a block.
        let last = [0b1010_1011];
        let padded =
            [&near.waiting, &last[..], &vec![0; block - block / 8], &vec![0xFF; block / 8]];
        let expected = peers::blocks(algorithm, Some(&near.root), &padded.concat());
        assert_eq!(got[..], expected, "{algorithm}");
    }
}
