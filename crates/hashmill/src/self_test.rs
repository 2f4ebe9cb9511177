//! Known-answer tests at run time, for programs that must check at start-up that every function
//! works on this CPU.
//!
//! ```
//! hashmill::self_test()?;
//! # Ok::<(), hashmill::self_test::Failure>(())
//! ```

use crate::algorithm::Algorithm;
use crate::backend;
use crate::digest::VarDigest;
use crate::error::Error;
use crate::facts::Answers;
use crate::stream::must;
use core::fmt;

/// Checks known answers of every algorithm on every backend that this CPU can run. Takes a few
/// milliseconds and allocates nothing.
///
/// Each algorithm hashes messages one at a time, in pieces, and many at once in SIMD lanes. It also
/// computes HMACs, if they are defined for it, or a long output in pieces, if it is an
/// extendable-output function.
///
/// While it runs, it calls [`backend::force`], which applies to the whole process. Other threads
/// may hash more slowly, and should call neither `force` nor this function. At the end, it restores
/// the backend that was forced before.
///
/// # Errors
/// Returns the first algorithm and backend that computed a wrong answer. In that case the CPU or
/// the memory is faulty, or the program was modified after it was built. Do not rely on any digest
/// that it computes.
pub fn self_test() -> Result<(), Failure> {
    checks().try_for_each(|check| check.outcome)
}

/// Returns the checks of [`self_test`](self_test()) one by one: each algorithm on each of its
/// backends that this CPU can run, in the order of [`Algorithm::ALL`] and [`backend::names`]. A
/// check runs when the iterator reaches it, and forces its backend meanwhile.
///
/// ```
/// for check in hashmill::self_test::checks() {
///     println!("{} on {}: {:?}", check.algorithm, check.backend, check.outcome);
/// }
/// ```
pub fn checks() -> impl Iterator<Item = Check> {
    of(Algorithm::answers)
}

/// The result of checking one algorithm on one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One of [`backend::names`].
    pub backend: &'static str,
    /// `Ok` if all answers were right.
    pub outcome: Result<(), Failure>,
}

/// A wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The algorithm whose answer is wrong.
    pub algorithm: Algorithm,
    /// The backend that computed it, one of [`backend::names`].
    pub backend: &'static str,
    /// The interface that computed it: "one message", "in pieces", "many messages", "HMAC", "HMAC
    /// of many messages" or "output".
    pub interface: &'static str,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { algorithm, backend, interface } = self;
        write!(f, "{algorithm} on the backend {backend} computed a wrong answer: {interface}")
    }
}

impl core::error::Error for Failure {}

impl From<Failure> for Error {
    fn from(_: Failure) -> Error {
        Error::SelfTest
    }
}

/// Number of messages. It is greater than the number of lanes of any backend, which is at most 32,
/// so that the last group is not full.
const COUNT: usize = 36;
const KEY: &[u8] = b"self-test";
/// Bytes of output: more than two blocks of every extendable-output function, so that the output
/// continues after a permutation.
const SQUEEZED: usize = 400;

/// The longest message. Byte i is i mod 251, as in the answers of RFC 9861 §5.
const PATTERN: [u8; (COUNT - 1).pow(2)] = {
    let mut pattern = [0; (COUNT - 1).pow(2)];
    let mut i = 0;
    while i < pattern.len() {
        pattern[i] = (i % 251) as u8;
        i += 1;
    }
    pattern
};

/// Returns messages of 0, 1, 4, 9 … 1,225 bytes. They have from no block to several blocks, also
/// in every leaf of a tree. All lengths differ, because that is the scheduler's hardest case.
fn messages() -> [&'static [u8]; COUNT] {
    core::array::from_fn(|i| &PATTERN[..i * i])
}

/// Returns the checks against these answers.
fn of(answers: impl Fn(Algorithm) -> Answers) -> impl Iterator<Item = Check> {
    Algorithm::ALL.iter().flat_map(move |&algorithm| {
        let answers = answers(algorithm);
        // Several backends with different numbers of lanes may have one name. One check covers all
        // of them.
        let runs = move |name: &&str| algorithm.backends().any(|b| b.name == *name && b.available);
        backend::names().filter(runs).map(move |backend| Check {
            algorithm,
            backend,
            outcome: on(backend, algorithm, answers).map_err(|interface| Failure {
                algorithm,
                backend,
                interface,
            }),
        })
    })
}

/// Checks the answers of one backend. The error is the interface that computed a wrong one.
fn on(backend: &'static str, algorithm: Algorithm, answers: Answers) -> Result<(), &'static str> {
    let (_forced, messages) = (Forced::new(backend), messages());
    let right = |interface, answer: &str, outputs: &mut dyn Iterator<Item = VarDigest>| {
        let mut all = algorithm.hasher();
        outputs.for_each(|output| _ = all.update(output));
        let is_right = answer.parse::<VarDigest>().is_ok_and(|answer| answer == all.finalize());
        is_right.then_some(()).ok_or(interface)
    };
    let each = |interface, answer, output: &dyn Fn(&[u8]) -> VarDigest| {
        right(interface, answer, &mut messages.iter().map(|message| output(message)))
    };
    each("one message", answers.digests, &|message| algorithm.hash(message))?;
    each("in pieces", answers.digests, &|message| {
        let mut hasher = algorithm.hasher();
        message.chunks(41).for_each(|piece| _ = hasher.update(piece));
        hasher.finalize()
    })?;
    let mut many = [VarDigest::default(); COUNT];
    let batch = algorithm.hasher().hash_many(messages, &mut many);
    batch.map_err(|_| "many messages")?;
    right("many messages", answers.digests, &mut many.into_iter())?;

    if algorithm.is_xof() {
        let output = algorithm.hasher().update(PATTERN).squeeze();
        let mut reader = output.map_err(|_| "output")?;
        let mut pieces = (0..SQUEEZED).step_by(37).map(|start| {
            let mut piece = VarDigest::zero(37.min(SQUEEZED - start));
            must(reader.try_fill(piece.as_mut()));
            piece
        });
        return right("output", answers.more, &mut pieces);
    }
    let Ok(mac) = algorithm.hmac(KEY) else { return Ok(()) };
    each("HMAC", answers.more, &|message| mac.clone().update(message).finalize())?;
    mac.hash_many(messages, &mut many).map_err(|_| "HMAC of many messages")?;
    right("HMAC of many messages", answers.more, &mut many.into_iter())
}

/// A guard that forces a backend until it is dropped, and then restores the backend that was forced
/// before. The destructor does this, so that it happens even if a check panics.
struct Forced(u32);

impl Forced {
    fn new(backend: &'static str) -> Forced {
        let before = backend::forced();
        // This cannot fail, because `of` chooses only backends that this CPU can run.
        _ = backend::force(Some(backend));
        Forced(before)
    }
}

impl Drop for Forced {
    fn drop(&mut self) {
        backend::set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;
    use std::format;
    use std::sync::{Mutex, PoisonError};

    /// Lets one test run at a time, because all tests force backends.
    static FORCES: Mutex<()> = Mutex::new(());

    #[test]
    fn every_backend_of_this_cpu_passes_and_is_named() {
        let _alone = FORCES.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(self_test(), Ok(()));
        for &algorithm in Algorithm::ALL {
            for backend in algorithm.backends() {
                let checked = checks()
                    .filter(|check| check.algorithm == algorithm && check.backend == backend.name);
                let available = algorithm.backends().any(|b| b.name == backend.name && b.available);
                assert_eq!(
                    checked.count(),
                    usize::from(available),
                    "{algorithm}, {}",
                    backend.name
                );
            }
        }
        assert_eq!(backend::forced(), 0);
        backend::force(Some("portable:1")).expect("every CPU can run it");
        let before = backend::forced();
        let passed = self_test();
        let forced = backend::forced();
        backend::force(None).expect("no backend");
        assert_eq!((passed, forced), (Ok(()), before));
    }

    /// Checks that a row with a wrong answer fails on every backend, that the failure names the
    /// interface, and that the other rows pass.
    #[test]
    fn a_wrong_answer_is_found() {
        let _alone = FORCES.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, &one) in Algorithm::ALL.iter().enumerate() {
            let wrong = Algorithm::ALL[(index + 1) % Algorithm::ALL.len()].answers();
            let right = one.answers();
            let more = if one.is_xof() { "output" } else { "HMAC" };
            let has_more = one.is_xof() || one.has_hmac();
            let wrong_more = (Answers { more: wrong.more, ..right }, more);
            let wrong_digests = (Answers { digests: wrong.digests, ..right }, "one message");
            let wrong = [wrong_digests].into_iter().chain(has_more.then_some(wrong_more));
            for (answers, interface) in wrong {
                for check in of(|other| if other == one { answers } else { other.answers() }) {
                    let Check { algorithm, backend, outcome } = check;
                    let failure = Failure { algorithm, backend, interface };
                    let expected = if algorithm == one { Err(failure) } else { Ok(()) };
                    assert_eq!(outcome, expected);
                }
            }
        }
    }

    #[test]
    fn a_failure_is_a_sentence() {
        let failure =
            Failure { algorithm: Algorithm::Sha256, backend: "sha", interface: "many messages" };
        let sentence = "SHA-256 on the backend sha computed a wrong answer: many messages";
        assert_eq!(format!("{failure}"), sentence);
    }
}
