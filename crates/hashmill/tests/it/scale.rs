//! Faults that only large numbers reveal, on every backend: more messages in a batch and more
//! blocks in an update than 16 bits can count, tags with more bytes than 8 bits can count, every
//! remainder of a thread's part, and a counter that carries in one lane only.

use crate::common::random::Random;
use crate::common::{backends, calls};
use crate::state::limits;
use hashmill::{Algorithm, AnyHasher, constant_time_eq};

/// One algorithm of each family of block functions.
const FAMILIES: &[Algorithm] = &[
    Algorithm::Sha256,
    Algorithm::Sha512,
    Algorithm::Sha3_256,
    Algorithm::Blake2b,
    Algorithm::Blake2s,
];

/// The number of messages or blocks: more than 16 bits can count, with a remainder for every number
/// of lanes.
const MANY: usize = (1 << 16) + 21;
/// The largest number of lanes.
const LANES: usize = 16;

/// An algorithm, its inputs and the portable backend's answers.
struct Expected {
    algorithm: Algorithm,
    /// The digest of every row.
    rows: Vec<Vec<u8>>,
    /// The digest of every long message.
    long: Vec<Vec<u8>>,
    /// The digests of a message that continues where a counter carries, and of one whose counter
    /// does not carry.
    carried: Option<[Vec<u8>; 2]>,
}

/// Returns `LANES` messages, each of which begins one byte after the one before it.
fn long(data: &[u8], algorithm: Algorithm) -> Vec<&[u8]> {
    (0..LANES).map(|i| &data[i..][..MANY * algorithm.block_len() + 1]).collect()
}

/// Returns a hasher whose counter's low word overflows in the third block of a run, after the block
/// that waits, and a hasher whose counter is far from that.
fn near(algorithm: Algorithm) -> Option<[AnyHasher; 2]> {
    let (carry, block) = match algorithm {
        Algorithm::Blake2b => (1u128 << 64, 128),
        Algorithm::Blake2s => (1 << 32, 64),
        _ => return None,
    };
    Some([carry - 4 * block, 5 * block].map(|count| limits::at(algorithm, count)))
}

impl Expected {
    fn new(algorithm: Algorithm, rows: &[&[u8]], data: &[u8], more: &[u8]) -> Expected {
        Expected {
            algorithm,
            rows: rows.iter().map(|row| algorithm.hash(row).to_vec()).collect(),
            long: long(data, algorithm)
                .iter()
                .map(|message| {
                    let mut hasher = algorithm.hasher();
                    message.chunks(100_000).for_each(|piece| _ = hasher.update(piece));
                    hasher.finalize().to_vec()
                })
                .collect(),
            carried: near(algorithm)
                .map(|two| two.map(|mut it| it.update(more).finalize().to_vec())),
        }
    }

    fn check(&self, rows: &[&[u8]], data: &[u8], more: &[u8], backend: &str) {
        let (algorithm, len) = (self.algorithm, self.algorithm.output_len());
        let what = format!("{algorithm}, {backend}");
        assert!(calls::packed(algorithm, &rows, len) == self.rows, "{what}: {MANY} messages");
        let long = long(data, algorithm);
        let one = algorithm.hasher().update(long[0]).finalize();
        assert_eq!(one.to_vec(), self.long[0], "{what}: one update of {MANY} blocks");
        assert!(calls::packed(algorithm, &long, len) == self.long, "{what}: {MANY} blocks a lane");
        let Some([carried, not]) = &self.carried else { return };
        for lane in 0..LANES {
            let [near, far] = near(algorithm).expect("the same for every lane");
            let mut hashers = vec![far; LANES];
            hashers[lane] = near;
            AnyHasher::update_many(&mut hashers, &[more; LANES]).expect("a piece for each");
            for (i, hasher) in hashers.iter().enumerate() {
                let expected = if i == lane { carried } else { not };
                assert_eq!(
                    hasher.finalize().to_vec(),
                    *expected,
                    "{what}: a carry in lane {lane}, in {i}"
                );
            }
        }
    }

    /// Checks batches on several threads, whose last part has every remainder of the lanes.
    #[cfg(feature = "rayon")]
    fn check_parts(&self, values: &[u8], backend: &str) {
        use hashmill::many::{Rows, threads};
        for count in 2048..2048 + LANES {
            let rows = Rows::new(&values[..count * ROW], ROW).expect("whole rows");
            let digests =
                calls::packed(self.algorithm, &threads(&rows), self.algorithm.output_len());
            assert!(digests == self.rows[..count], "{}, {backend}: {count} rows", self.algorithm);
        }
    }
}

/// The length of a short message in bytes.
const ROW: usize = 24;

#[test]
fn large_numbers_of_everything() {
    let mut random = Random::new(23);
    let (values, data, more) = (random.bytes(MANY * ROW), random.bytes(9 << 20), random.bytes(900));
    let rows: Vec<&[u8]> = values.chunks(ROW).collect();
    let expected: Vec<Expected> = {
        let _forced = backends::force("portable");
        FAMILIES.iter().map(|&it| Expected::new(it, &rows, &data, &more)).collect()
    };
    for name in backends::available() {
        let _forced = backends::force(name);
        for expected in expected.iter().filter(|it| backends::has(it.algorithm, name)) {
            expected.check(&rows, &data, &more, name);
            #[cfg(feature = "rayon")]
            expected.check_parts(&values, name);
        }
    }
    // Tags longer than any digest: every byte counts, and so does the length.
    let tag = random.bytes(300);
    for len in 0..tag.len() {
        assert!(constant_time_eq(&tag[..len], &tag[..len]), "{len} bytes");
        assert!(!constant_time_eq(&tag[..len], &tag[..len + 1]), "{len} bytes and one more");
    }
    for wrong in 0..tag.len() {
        let mut other = tag.clone();
        other[wrong] ^= 0x80;
        assert!(!constant_time_eq(&tag, &other), "a difference at {wrong}");
    }
}
