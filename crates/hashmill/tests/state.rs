//! Exported states: they go on to the right digest from any point and any count, and whatever is not one is
//! refused.

mod common;

use common::random::Random;
use common::{backends, reference};
use hashmill::{Algorithm, AnyHasher, Error, Hasher, VarDigest};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An exported state's last bytes: the beginning of the SHA-256 of the rest.
const CHECK_LEN: usize = 8;

macro_rules! types {
    ($($Type:ident)*) => {
        /// `import` of the algorithm's own type.
        fn import(algorithm: Algorithm, state: &[u8]) -> Result<AnyHasher, Error> {
            match algorithm {
                $(Algorithm::$Type => hashmill::$Type::import(state).map(Into::into),)*
                other => panic!("{other} has no row in this table"),
            }
        }
    };
}

types! {
    Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512
    Blake2b Blake2s Blake2bp Blake2sp Shake128 Shake256 TurboShake128 TurboShake256
}

/// What went wrong; nothing but the error of a hasher may be looked at.
fn error(import: Result<AnyHasher, Error>) -> Option<Error> {
    import.err()
}

/// As [`import`], and `AnyHasher`'s, which must say the same.
#[track_caller]
fn refused(algorithm: Algorithm, state: &[u8]) -> Error {
    let error = error(import(algorithm, state)).expect("an error");
    assert_eq!(AnyHasher::import(state).err(), Some(error), "{algorithm}: AnyHasher");
    error
}

fn code(algorithm: Algorithm) -> u8 {
    algorithm.hasher().export().as_ref()[1]
}

/// `body` with the check that belongs to it.
fn checked(body: &[u8]) -> Vec<u8> {
    [body, &hashmill::sha256(body)[..CHECK_LEN]].concat()
}

fn without_check(state: &[u8]) -> &[u8] {
    &state[..state.len() - CHECK_LEN]
}

fn forge(algorithm: Algorithm, parts: &[&[u8]]) -> Vec<u8> {
    checked(&[&[1, code(algorithm)], &parts.concat()[..]].concat())
}

/// How an algorithm takes its message.
#[derive(Clone, Copy)]
struct Shape {
    /// Bytes in a word of the state.
    word: usize,
    leaves: usize,
    /// Bytes taken at once: a block for every leaf.
    stride: usize,
    /// Bytes that must follow them.
    lookahead: usize,
    /// The longest message.
    limit: u128,
}

impl Shape {
    fn waiting(self, count: u128) -> usize {
        (count - self.absorbed(count)) as usize
    }

    fn absorbed(self, count: u128) -> u128 {
        count.saturating_sub(self.lookahead as u128) / self.stride as u128 * self.stride as u128
    }
}

fn shape(algorithm: Algorithm) -> Shape {
    let (block, leaves) = (algorithm.block_len(), leaves(algorithm));
    let (word, lookahead, limit) = match algorithm {
        Algorithm::Sha224 | Algorithm::Sha256 => (4, 0, (1 << 61) - 1),
        Algorithm::Blake2s | Algorithm::Blake2sp => (4, (leaves - 1) * block + 1, u64::MAX.into()),
        Algorithm::Blake2b | Algorithm::Blake2bp => (8, (leaves - 1) * block + 1, u128::MAX),
        _ if is_sponge(algorithm) => (8, 0, u128::MAX),
        _ => (8, 0, (1 << 125) - 1),
    };
    Shape { word, leaves, stride: leaves * block, lookahead, limit }
}

fn leaves(algorithm: Algorithm) -> usize {
    match algorithm {
        Algorithm::Blake2bp => 4,
        Algorithm::Blake2sp => 8,
        _ => 1,
    }
}

fn is_sponge(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("SHA3-") || algorithm.is_xof()
}

fn is_blake2(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("BLAKE2")
}

fn digest(algorithm: Algorithm, message: &[u8]) -> Vec<u8> {
    reference::hash(algorithm, message, algorithm.output_len())
}

#[test]
fn every_split_goes_on_to_the_right_digest_on_every_backend() {
    let mut of_the_first_backend = std::collections::HashMap::new();
    backends::each(|algorithm, backend| {
        let message = Random::new(1).bytes(3 * shape(algorithm).stride);
        let expected = digest(algorithm, &message);
        for cut in 0..=message.len() {
            let (begin, rest) = message.split_at(cut);
            let mut hasher = algorithm.hasher();
            let exported = hasher.update(begin).export();
            let state = exported.as_ref();
            let first = of_the_first_backend.entry((algorithm, cut));
            assert_eq!(first.or_insert(state.to_vec()), state, "{algorithm} at {cut}, {backend}");
            for mut resumed in [import(algorithm, state), AnyHasher::import(state)]
                .map(|hasher| hasher.expect("an exported state"))
            {
                assert_eq!(resumed.algorithm(), algorithm);
                assert_eq!(resumed.export().as_ref(), state, "{algorithm} at {cut}, {backend}");
                let again = resumed.update(rest).finalize();
                assert_eq!(again[..], expected, "{algorithm} at {cut}, {backend}");
            }
            assert_eq!(hasher.update(rest).finalize()[..], expected, "export changed the hasher");
        }
    });
}

#[test]
fn parameters_go_along() {
    macro_rules! blake2 {
        ($Type:ident $function:ident $($tree:tt)*) => {{
            let params = hashmill::$function::Params::new()
                .output_len(21).key(b"key").salt(b"salt").personal(b"personal")$($tree)*;
            for len in [0, 1, 64, 128, 129, 700, 2000] {
                let mut hasher = params.build().expect("good parameters");
                hasher.update(&vec![7; len]);
                let mut resumed =
                    hashmill::$Type::import(hasher.export().as_ref()).expect("an exported state");
                assert_eq!(resumed.finalize(), hasher.finalize());
                assert_eq!(resumed.update(b"more").finalize(), hasher.update(b"more").finalize());
                assert_eq!(resumed.finalize().len(), 21);
                let any = AnyHasher::import(resumed.export().as_ref()).expect("an exported state");
                assert_eq!((any.output_len(), any.finalize()), (21, resumed.finalize()));
            }
        }};
    }
    blake2!(Blake2b blake2b.fanout(2).max_depth(2).last_node(hashmill::LastNode::Yes));
    blake2!(Blake2s blake2s.fanout(2).max_depth(2).last_node(hashmill::LastNode::Yes));
    blake2!(Blake2bp blake2bp);
    blake2!(Blake2sp blake2sp);
    for domain in 0x01..=0x7F {
        let mut xof = hashmill::TurboShake256::with_domain(domain).expect("a domain");
        xof.update(&[7; 150]);
        let resumed =
            hashmill::TurboShake256::import(xof.export().as_ref()).expect("an exported state");
        assert!(resumed.finalize_xof().take(200).eq(xof.finalize_xof().take(200)));
    }
}

#[test]
fn another_algorithms_state() {
    for &algorithm in Algorithm::ALL {
        let exported = algorithm.hasher().update(b"abc").export();
        for &other in Algorithm::ALL.iter().filter(|&&other| other != algorithm) {
            let error = error(import(other, exported.as_ref()));
            assert_eq!(error, Some(Error::StateAlgorithm), "{algorithm} as {other}");
        }
    }
    for code in (0..=u8::MAX).filter(|&byte| Algorithm::ALL.iter().all(|&a| code(a) != byte)) {
        let state = checked(&[&[1, code], &[0; 100][..]].concat());
        assert_eq!(AnyHasher::import(&state).err(), Some(Error::StateDamaged), "code {code}");
    }
}

/// They stand in what users have stored.
#[test]
fn codes_are_for_ever() {
    let codes: Vec<u8> = Algorithm::ALL.iter().map(|&algorithm| code(algorithm)).collect();
    assert_eq!(codes, (1..=18).collect::<Vec<u8>>());
}

#[test]
fn damaged_states() {
    for &algorithm in Algorithm::ALL {
        for len in [0, 3, shape(algorithm).stride + 1] {
            let exported = algorithm.hasher().update(&vec![1; len]).export();
            let state = exported.as_ref();
            for len in 0..state.len() {
                assert_eq!(refused(algorithm, &state[..len]), Error::StateDamaged, "{len} bytes");
            }
            for more in [1, 8, 1000] {
                let longer = [state, &vec![0; more]].concat();
                assert_eq!(refused(algorithm, &longer), Error::StateDamaged, "{more} more");
            }
            for bit in 0..8 * state.len() {
                let mut flipped = state.to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let expected = match flipped[0] {
                    2.. => Error::StateVersion,
                    _ => Error::StateDamaged,
                };
                assert_eq!(refused(algorithm, &flipped), expected, "{algorithm}, bit {bit}");
            }
        }
    }
}

#[test]
fn other_versions() {
    for &algorithm in Algorithm::ALL {
        let exported = algorithm.hasher().export();
        for version in [0, 2, 3, 0x7F, 0xFF] {
            let mut body = without_check(exported.as_ref()).to_vec();
            body[0] = version;
            let expected = if version == 0 { Error::StateDamaged } else { Error::StateVersion };
            assert_eq!(refused(algorithm, &checked(&body)), expected, "version {version}");
            // Whatever the newer layout may be.
            assert_eq!(refused(algorithm, &[version]), expected, "version {version} alone");
        }
    }
}

/// The checks behind the check.
#[test]
fn inconsistent_states() {
    for &algorithm in Algorithm::ALL {
        let shape = shape(algorithm);
        for len in [0, 1, shape.stride, shape.stride + 7] {
            let exported = algorithm.hasher().update(&vec![1; len]).export();
            let body = without_check(exported.as_ref());
            for cut in 2..body.len() {
                let error = refused(algorithm, &checked(&body[..cut]));
                assert!(
                    matches!(error, Error::StateDamaged | Error::StateInconsistent),
                    "{algorithm}, {cut} bytes: {error}",
                );
            }
            for more in [1, 2, 64, 200] {
                let longer = checked(&[body, &vec![0; more]].concat());
                assert_eq!(refused(algorithm, &longer), Error::StateInconsistent, "{more} more");
            }
        }
        let inconsistent = |parts: &[&[u8]]| {
            assert_eq!(refused(algorithm, &forge(algorithm, parts)), Error::StateInconsistent);
        };
        if is_sponge(algorithm) {
            let rate = shape.stride;
            let (own, others): (u8, &[u8]) = match algorithm {
                Algorithm::TurboShake128 | Algorithm::TurboShake256 => {
                    (0x1F, &[0, 0x80, 0x9F, 0xFF])
                }
                _ if algorithm.is_xof() => (0x1F, &[0, 0x01, 0x06, 0x1E, 0x9F, 0xFF]),
                _ => (0x06, &[0, 0x01, 0x07, 0x1F, 0x86, 0xFF]),
            };
            let good = [&[own][..], &[3; 200], &[rate as u8 - 1], &vec![5; rate - 1]];
            assert!(import(algorithm, &forge(algorithm, &good)).is_ok());
            for &suffix in others {
                inconsistent(&[&[suffix], good[1], good[2], good[3]]);
            }
            for len in rate..256 {
                inconsistent(&[good[0], good[1], &[len as u8], &vec![5; len]]);
            }
            continue;
        }
        let words = vec![3; 8 * shape.word];
        let mut counts = vec![shape.limit];
        counts.extend(shape.limit.checked_add(1));
        counts.extend((shape.limit < u128::MAX).then_some(u128::MAX));
        for count in counts {
            // As many bytes as would have to wait.
            let waiting = vec![5; shape.waiting(count)];
            let count_bytes = count.to_le_bytes();
            let good = if shape.leaves > 1 {
                let leaves = words.repeat(shape.leaves);
                forge(algorithm, &[&[9], &count_bytes, &words, &leaves, &waiting])
            } else if is_blake2(algorithm) {
                forge(algorithm, &[&[9, 0], &count_bytes, &words, &waiting])
            } else {
                forge(algorithm, &[&count_bytes, &words, &waiting])
            };
            if count > shape.limit {
                assert_eq!(
                    refused(algorithm, &good),
                    Error::StateInconsistent,
                    "{algorithm}, {count}"
                );
            } else {
                assert!(import(algorithm, &good).is_ok(), "{algorithm}, {count}");
            }
        }
        if is_blake2(algorithm) {
            let longest = algorithm.output_len() as u8;
            let more = words.repeat(shape.leaves);
            let tail = if shape.leaves > 1 { &more[..] } else { &[] };
            let flags: &[u8] = if shape.leaves > 1 { &[] } else { &[1] };
            for len in 1..=longest {
                let state = forge(algorithm, &[&[len], flags, &[0; 16], &words, tail]);
                let hasher = import(algorithm, &state).expect("a good state");
                assert_eq!(hasher.finalize().len(), usize::from(len));
            }
            for len in [0, longest + 1, 0xFF] {
                inconsistent(&[&[len], flags, &[0; 16], &words, tail]);
            }
            for flag in 2..=0xFF {
                if shape.leaves == 1 {
                    inconsistent(&[&[longest], &[flag], &[0; 16], &words, tail]);
                }
            }
        }
    }
}

/// Bytes that pass the check but are changed at random: an error, or a state like any other.
#[test]
fn forged_states_never_panic() {
    let mut random = Random::new(2);
    for &algorithm in Algorithm::ALL {
        let (mut good, mut bad) = (0, 0);
        for _ in 0..2000 {
            let message = random.some_bytes(2 * shape(algorithm).stride);
            let exported = algorithm.hasher().update(&message).export();
            let mut body = without_check(exported.as_ref()).to_vec();
            for _ in 0..random.up_to(3) {
                let at = 2 + random.up_to(body.len() - 3);
                // Most of what the states keep is found in the first bytes.
                let at = if random.up_to(1) == 0 { at } else { 2 + at % 20 };
                body[at] = [random.next() as u8, body[at] ^ 1, 0, 0xFF][random.up_to(3)];
            }
            if random.up_to(9) == 0 {
                body.truncate(2 + random.up_to(body.len() - 2));
            }
            let state = checked(&body);
            match import(algorithm, &state) {
                Err(_) => bad += 1,
                Ok(mut hasher) => {
                    good += 1;
                    assert_eq!(hasher.export().as_ref(), state, "{algorithm}");
                    let _ = hasher.try_update(&[1; 5000]);
                    hasher.finalize();
                    let _ = hasher.finalize_bits(0xFF, 7);
                }
            }
        }
        assert!(good > 100 && bad > 100, "{algorithm}: {good} were states, {bad} were not");
    }
}

/// Counts near which something might go wrong.
fn counts(algorithm: Algorithm) -> Vec<u128> {
    let shape = shape(algorithm);
    let stride = shape.stride as u128;
    let carries: &[u128] = match algorithm {
        // The length in bits and the length in bytes pass 2³².
        Algorithm::Sha224 | Algorithm::Sha256 => &[1 << 29, 1 << 32],
        // The counter's low word overflows, in each of the leaves.
        Algorithm::Blake2s => &[1 << 32],
        Algorithm::Blake2sp => &[1 << 32, 8 << 32],
        Algorithm::Blake2b => &[1 << 32, 1 << 64],
        Algorithm::Blake2bp => &[1 << 32, 1 << 64, 4 << 64],
        // The length in bits and the length in bytes pass 2⁶⁴.
        _ => &[1 << 32, 1 << 61, 1 << 64],
    };
    let near = |&carry: &u128| {
        [carry - 2 * stride - 1, carry - stride, carry - 1, carry, carry + 1, carry + stride + 1]
    };
    let mut counts: Vec<u128> = carries.iter().flat_map(near).collect();
    counts.extend([3 * stride + 1, stride, 1, 0].map(|before| shape.limit - before));
    counts
}

/// A state of that count with arbitrary words, and what must come out of it after more bytes.
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
        // Of BLAKE2's lengths one that is neither the longest nor whole words.
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
            (4, _) => fips180::sha256::hash(&mut words(&self.root), &data, total),
            _ => fips180::sha512::hash(&mut words(&self.root), &data, total),
        };
        digest.truncate(self.output_len());
        digest
    }
}

/// Little-endian words.
fn words<W: Word>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(size_of::<W>()).map(W::from_le).collect()
}

trait Word: Sized {
    fn from_le(bytes: &[u8]) -> Self;
}
impl Word for u32 {
    fn from_le(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("4 bytes"))
    }
}
impl Word for u64 {
    fn from_le(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().expect("8 bytes"))
    }
}

/// FIPS 180-4 §5.1 over the sha2 crate's block functions.
mod fips180 {
    macro_rules! width {
        ($name:ident, $word:ident, block $block:literal, length $length:ident, $compress:ident) => {
            pub mod $name {
                use sha2::block_api::$compress;

                pub fn blocks(state: &mut [$word], padded: &[u8]) -> Vec<u8> {
                    for block in padded.chunks_exact($block) {
                        let state = (&mut state[..]).try_into().expect("8 words");
                        $compress(state, &[block.try_into().expect("a block")]);
                    }
                    state.iter().flat_map(|word| word.to_be_bytes()).collect()
                }

                /// The rest of a hash of `total` bytes of which `data` are still to be absorbed.
                pub fn hash(state: &mut [$word], data: &[u8], total: u128) -> Vec<u8> {
                    let length = ((8 * total) as $length).to_be_bytes();
                    let mut padded = [data, &[0x80]].concat();
                    while (padded.len() + length.len()) % $block != 0 {
                        padded.push(0);
                    }
                    padded.extend(length);
                    blocks(state, &padded)
                }
            }
        };
    }
    width!(sha256, u32, block 64, length u64, compress256);
    width!(sha512, u64, block 128, length u128, compress512);
}

/// RFC 7693 with a counter that starts anywhere, and the trees of the BLAKE2 paper.
mod rfc7693 {
    /// §2.7.
    #[rustfmt::skip]
    const SIGMA: [[usize; 16]; 10] = [
        [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
        [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
        [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
        [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
        [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
        [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
        [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
        [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
        [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
        [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
    ];

    /// §2.6, BLAKE2b's; BLAKE2s has their upper halves.
    const IV: [u64; 8] = [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ];

    macro_rules! width {
        ($name:ident, $word:ident, rounds $rounds:literal, rotations $rotations:expr) => {
            pub mod $name {
                use super::{IV, SIGMA};

                const BLOCK: usize = 16 * size_of::<$word>();

                /// §3.2.
                fn compress(h: &mut [$word], block: &[u8], t: u128, [f0, f1]: [bool; 2]) {
                    let m: Vec<$word> = crate::words(block);
                    let mut v = [0; 16];
                    v[..8].copy_from_slice(h);
                    for i in 0..8 {
                        v[8 + i] = (IV[i] >> (64 - $word::BITS)) as $word;
                    }
                    v[12] ^= t as $word;
                    v[13] ^= (t >> $word::BITS) as $word;
                    v[14] ^= if f0 { $word::MAX } else { 0 };
                    v[15] ^= if f1 { $word::MAX } else { 0 };
                    let [r1, r2, r3, r4] = $rotations;
                    for round in 0..$rounds {
                        for i in 0..8 {
                            // Four columns, then four diagonals.
                            let at = |row: usize| 4 * row + (i + i / 4 * row) % 4;
                            let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
                            let s = &SIGMA[round % 10][2 * i..];
                            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[0]]);
                            v[d] = (v[d] ^ v[a]).rotate_right(r1);
                            v[c] = v[c].wrapping_add(v[d]);
                            v[b] = (v[b] ^ v[c]).rotate_right(r2);
                            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[1]]);
                            v[d] = (v[d] ^ v[a]).rotate_right(r3);
                            v[c] = v[c].wrapping_add(v[d]);
                            v[b] = (v[b] ^ v[c]).rotate_right(r4);
                        }
                    }
                    for i in 0..8 {
                        h[i] ^= v[i] ^ v[i + 8];
                    }
                }

                /// §3.3, after `absorbed` bytes.
                pub fn hash(
                    mut h: Vec<$word>,
                    absorbed: u128,
                    data: &[u8],
                    last_node: bool,
                ) -> Vec<u8> {
                    let mut t = absorbed;
                    let mut data = data.to_vec();
                    while data.len() > BLOCK {
                        t += BLOCK as u128;
                        compress(&mut h, &data[..BLOCK], t, [false, false]);
                        data.drain(..BLOCK);
                    }
                    t += data.len() as u128;
                    data.resize(BLOCK, 0);
                    compress(&mut h, &data, t, [true, last_node]);
                    h.iter().flat_map(|word| word.to_le_bytes()).collect()
                }

                /// The leaves' words come word by word, as they are exported.
                pub fn tree(
                    root: Vec<$word>,
                    words: &[$word],
                    absorbed: u128,
                    data: &[u8],
                ) -> Vec<u8> {
                    let leaves = words.len() / 8;
                    let mut handed_up = Vec::new();
                    for leaf in 0..leaves {
                        let h = words.iter().copied().skip(leaf).step_by(leaves).collect();
                        let blocks = data.chunks(BLOCK).skip(leaf).step_by(leaves);
                        let data: Vec<u8> = blocks.flatten().copied().collect();
                        let absorbed = absorbed / leaves as u128;
                        handed_up.extend(hash(h, absorbed, &data, leaf == leaves - 1));
                    }
                    hash(root, 0, &handed_up, true)
                }
            }
        };
    }
    width!(b, u64, rounds 12, rotations [32, 24, 16, 63]);
    width!(s, u32, rounds 10, rotations [16, 12, 8, 7]);
}

/// The oracle above, asked about states whose answers are known.
#[test]
fn the_oracle_is_right() {
    for &algorithm in Algorithm::ALL.iter().filter(|&&algorithm| !is_sponge(algorithm)) {
        let shape = shape(algorithm);
        let message = Random::new(3).bytes(4 * shape.stride);
        for cut in [0, 1, shape.stride, 2 * shape.stride + 5, 3 * shape.stride] {
            let exported = algorithm.hasher().update(&message[..cut]).export();
            let body = without_check(exported.as_ref());
            let near = Near::new(algorithm, cut as u128);
            // From behind: what waits, the leaves, the root.
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
        if is_sponge(algorithm) {
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
                let resumed = AnyHasher::import(hasher.export().as_ref()).expect("a state");
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
            near.hasher().finish_many(&messages, &mut digests);
            for (message, digest) in messages.iter().zip(&digests) {
                let what = format!("{algorithm}, {backend}, {} after {count}", message.len());
                assert_eq!(digest[..], near.expected(message), "{what}, among many");
            }
            let mut hashers: Vec<_> = messages.iter().map(|_| near.hasher()).collect();
            AnyHasher::update_many(&mut hashers, &messages);
            for (message, hasher) in messages.iter().zip(&hashers) {
                let what = format!("{algorithm}, {backend}, {} after {count}", message.len());
                let expected = near.expected(message);
                assert_eq!(hasher.finalize()[..], expected, "{what}, one of several hashers");
                let resumed = AnyHasher::import(hasher.export().as_ref()).expect("a state");
                assert_eq!(resumed.finalize()[..], expected, "{what}, and exported");
            }
        }
    });
}

#[test]
fn a_message_beyond_the_limit_is_refused_and_changes_nothing() {
    for &algorithm in Algorithm::ALL.iter().filter(|&&algorithm| !is_sponge(algorithm)) {
        let shape = shape(algorithm);
        for room in [0, 1, 5, shape.stride - 1, shape.stride, 3 * shape.stride] {
            let near = Near::new(algorithm, shape.limit - room as u128);
            let mut hasher = near.hasher();
            let before = hasher.export();
            for over in [1, 2, shape.stride, 10 * shape.stride] {
                let error = hasher.try_update(&vec![1; room + over]).err();
                assert_eq!(error, Some(Error::MessageTooLong), "{algorithm}, {over} over");
                assert_eq!(hasher.export().as_ref(), before.as_ref(), "{algorithm}");
                let update = AssertUnwindSafe(|| {
                    hasher.clone().update(&vec![1; room + over]);
                });
                let update_many = AssertUnwindSafe(|| {
                    let mut hashers = [algorithm.hasher(), hasher.clone(), algorithm.hasher()];
                    AnyHasher::update_many(&mut hashers, &[&vec![1; room + over]; 3]);
                });
                for panic in [catch_unwind(update), catch_unwind(update_many)] {
                    let panic = panic.expect_err("a message that is too long");
                    let said = panic.downcast_ref::<String>().expect("a sentence");
                    assert_eq!(*said, Error::MessageTooLong.to_string());
                }
            }
            hasher.try_update(&vec![1; room]).expect("just enough room");
            hasher.try_update(b"").expect("nothing is always allowed");
            assert_eq!(hasher.finalize()[..], near.expected(&vec![1; room]), "{algorithm}");
            assert_eq!(hasher.try_update(b"1").err(), Some(Error::MessageTooLong), "{algorithm}");
        }
    }
}

/// The trait's `try_update`, which code that is generic over the function uses.
#[test]
fn the_traits_try_update() {
    let state = Near::new(Algorithm::Sha256, (1 << 61) - 3).state();
    let mut hasher = hashmill::Sha256::import(&state).expect("a good state");
    assert_eq!(Hasher::try_update(&mut hasher, b"abc").err(), Some(Error::MessageTooLong));
    assert!(Hasher::try_update(&mut hasher, b"ab").is_ok());
}

/// A SHA-2 message of bits at the limit: 2⁶⁴ − 1 and 2¹²⁸ − 1 bits.
#[test]
fn bits_at_the_limit() {
    for algorithm in [Algorithm::Sha256, Algorithm::Sha512] {
        let near = Near::new(algorithm, shape(algorithm).limit);
        let got = near.hasher().finalize_bits(0b1010_1010, 7).expect("7 bits");
        let block = algorithm.block_len();
        // The seven bits and the first one of the padding end a block.
        let last = [0b1010_1011];
        let padded =
            [&near.waiting, &last[..], &vec![0; block - block / 8], &vec![0xFF; block / 8]];
        let expected = match algorithm {
            Algorithm::Sha256 => fips180::sha256::blocks(&mut words(&near.root), &padded.concat()),
            _ => fips180::sha512::blocks(&mut words(&near.root), &padded.concat()),
        };
        assert_eq!(got[..], expected, "{algorithm}");
    }
}
