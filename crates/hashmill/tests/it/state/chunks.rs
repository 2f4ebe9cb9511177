//! The states of BLAKE3: a chunk, and the chaining values of the complete subtrees before it.

use super::{checked, refused};
use crate::common::message;
use hashmill::{Algorithm, Blake3, Error};

const CHUNK: usize = 1024;
const KEY: &[u8; 32] = b"whats the Elvish word for friend";

fn modes() -> [Blake3; 3] {
    [Blake3::new(), Blake3::keyed(KEY), Blake3::derive_key("hashmill 2026-11-23 tests of states")]
}

/// The state after the same bytes is the same however they were split, and hashing continues from
/// it.
#[test]
fn a_state_does_not_depend_on_the_updates() {
    let bytes = message(40 * CHUNK);
    for mode in modes() {
        for chunks in [0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32] {
            for len in [chunks * CHUNK, chunks * CHUNK + 1, (chunks + 1) * CHUNK - 1] {
                let (begin, rest) = bytes.split_at(len);
                let whole = mode.clone().update(begin).export();
                for piece in [64, 100, CHUNK, 3 * CHUNK, 8 * CHUNK] {
                    let mut hasher = mode.clone();
                    begin.chunks(piece).for_each(|piece| _ = hasher.update(piece));
                    assert_eq!(hasher.export().as_ref(), whole.as_ref(), "{len} in {piece}");
                }
                let mut resumed = Blake3::import(whole.as_ref()).expect("a state");
                assert_eq!(resumed.export().as_ref(), whole.as_ref(), "{len} bytes");
                assert_eq!(resumed.finalize(), mode.hash(begin), "{len} bytes");
                assert_eq!(resumed.update(rest).finalize(), mode.hash(&bytes), "{len} bytes");
            }
        }
    }
}

/// Returns a state of the hash with `chunks` chunks, `count` bytes in the next one, and this many
/// chaining values.
fn state(chunks: u64, count: u16, values: usize) -> Vec<u8> {
    let absorbed = usize::from(count).saturating_sub(1) / 64;
    let words: &[u8] = if absorbed > 0 { &[3; 32] } else { &[] };
    let waiting = vec![5; usize::from(count) - 64 * absorbed];
    let head = [1, Algorithm::Blake3.code(), 0];
    let numbers = [&chunks.to_le_bytes()[..], &count.to_le_bytes()].concat();
    checked(&[&head, &numbers[..], words, &waiting, &vec![7; 32 * values]].concat())
}

#[test]
fn the_depth_of_the_stack_follows_from_the_count() {
    let good = [
        (0, 0, 0),
        (0, 1024, 0),
        (1, 1, 1),
        (2, 0, 2),
        (3, 0, 2),
        (3, 1, 2),
        (4, 0, 2),
        (4, 1023, 1),
        (6, 0, 3),
        ((1 << 54) - 1, 1023, 54), // the longest message
    ];
    for (chunks, count, values) in good {
        let state = self::state(chunks, count, values);
        let hasher = Blake3::import(&state).expect("a good state");
        assert_eq!(hasher.export().as_ref(), state);
        assert_eq!(hasher.count(), Some(u128::from(chunks) * 1024 + u128::from(count)));
        let more = self::state(chunks, count, values + 1);
        assert_eq!(refused(Algorithm::Blake3, &more), Error::StateInconsistent);
        if values > 0 {
            let less = self::state(chunks, count, values - 1);
            assert_eq!(refused(Algorithm::Blake3, &less), Error::StateDamaged);
        }
    }
    let bad = [
        (0, 1025, 0),
        (1, 0, 1),    // a single chunk may be the root, and is not in the stack
        (1, 1024, 1), // a complete chunk after others is
        (2, 1024, 1),
        (1 << 54, 0, 2), // longer than any message
        (u64::MAX, 1, 64),
    ];
    for (chunks, count, values) in bad {
        let state = state(chunks, count, values);
        assert_eq!(
            refused(Algorithm::Blake3, &state),
            Error::StateInconsistent,
            "{chunks}, {count}"
        );
    }
    for flags in (0..=255).filter(|flags| ![0, 16, 64].contains(flags)) {
        let mut body = state(0, 0, 0);
        body.truncate(body.len() - 8);
        body[2] = flags;
        assert_eq!(refused(Algorithm::Blake3, &checked(&body)), Error::StateInconsistent);
    }
}

#[test]
fn the_longest_message() {
    let mut hasher = Blake3::import(&state((1 << 54) - 1, 1000, 54)).expect("a good state");
    assert_eq!(hasher.try_update([0; 24]).err(), Some(Error::MessageTooLong));
    let before = hasher.finalize();
    assert_ne!(hasher.try_update([0; 23]).expect("room").finalize(), before);
    assert_eq!(hasher.try_update([0]).err(), Some(Error::MessageTooLong));
}
