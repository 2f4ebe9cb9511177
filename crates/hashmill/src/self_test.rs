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
use core::fmt;

/// Checks known answers of every algorithm on every backend that this CPU can run. Takes a few
/// milliseconds and allocates nothing.
///
/// Each algorithm hashes messages one at a time, in pieces, and many at once in SIMD lanes. It also
/// computes HMACs or, if it is an extendable-output function, a long output in pieces.
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
    of(ANSWERS)
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

/// The known answers of an algorithm. They are digests of many digests rather than the digests
/// themselves, so that 20 messages for each of 18 algorithms take 36 strings and not 720.
#[derive(Clone, Copy)]
struct Answers {
    algorithm: Algorithm,
    /// The digest of the digests of all [`messages`], concatenated.
    digests: &'static str,
    /// The digest of the HMACs of all messages under [`KEY`], concatenated. For an
    /// extendable-output function, the digest of [`SQUEEZED`] bytes of output for [`PATTERN`].
    more: &'static str,
}

/// Number of messages. It is greater than the number of lanes of any backend, so that in 16 lanes
/// the last group is not full.
const COUNT: usize = 20;
const KEY: &[u8] = b"self-test";
/// Bytes of output: more than two blocks of every extendable-output function, so that the output
/// continues after a permutation.
const SQUEEZED: usize = 400;

/// The longest message. Byte i is i mod 251, as in the answers of RFC 9861 §5.
const PATTERN: [u8; 19 * 19 * 4] = {
    let mut pattern = [0; 19 * 19 * 4];
    let mut i = 0;
    while i < pattern.len() {
        pattern[i] = (i % 251) as u8;
        i += 1;
    }
    pattern
};

/// Returns messages of 0, 4, 16, 36 … 1,444 bytes. They have from no block to several blocks, also
/// in every leaf of a tree. All lengths differ, because that is the scheduler's hardest case.
fn messages() -> [&'static [u8]; COUNT] {
    core::array::from_fn(|i| &PATTERN[..4 * i * i])
}

/// Returns the checks of a table.
fn of(table: &[Answers]) -> impl Iterator<Item = Check> {
    table.iter().flat_map(|answers| {
        let algorithm = answers.algorithm;
        // Several backends with different numbers of lanes may have one name. One check covers all
        // of them.
        let runs = move |name: &&str| algorithm.backends().any(|b| b.name == *name && b.available);
        backend::names().filter(runs).map(move |backend| Check {
            algorithm,
            backend,
            outcome: on(backend, answers).map_err(|interface| Failure {
                algorithm,
                backend,
                interface,
            }),
        })
    })
}

/// Checks the answers of one backend. The error is the interface that computed a wrong one.
fn on(backend: &'static str, answers: &Answers) -> Result<(), &'static str> {
    let _forced = Forced::new(backend);
    let (algorithm, messages) = (answers.algorithm, messages());
    let right = |interface, answer: &str, outputs: &mut dyn Iterator<Item = VarDigest>| {
        let mut all = algorithm.hasher();
        outputs.for_each(|output| _ = all.update(&output));
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
    let batch = algorithm.hasher().finish_many(&messages, &mut many);
    batch.map_err(|_| "many messages")?;
    right("many messages", answers.digests, &mut many.into_iter())?;

    let Ok(mac) = algorithm.hmac(KEY) else {
        let output = algorithm.hasher().update(&PATTERN).finalize_xof();
        let mut reader = output.map_err(|_| "output")?;
        let mut pieces = (0..SQUEEZED).step_by(37).map(|start| {
            let mut piece = VarDigest::zero(37.min(SQUEEZED - start));
            reader.fill(piece.as_mut());
            piece
        });
        return right("output", answers.more, &mut pieces);
    };
    each("HMAC", answers.more, &|message| mac.clone().update(message).finalize())?;
    mac.finish_many(&messages, &mut many).map_err(|_| "HMAC of many messages")?;
    right("HMAC of many messages", answers.more, &mut many.into_iter())
}

/// A guard that forces a backend until it is dropped, and then restores the backend that was forced
/// before. The destructor does this, so that it happens even if a check panics.
struct Forced(Option<&'static str>);

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
        _ = backend::force(self.0);
    }
}

/// The answers, computed with hashmill-reference by the test below.
#[rustfmt::skip]
const ANSWERS: &[Answers] = &[
    Answers { algorithm: Algorithm::Sha224, digests: "5d4f2d4cb1cd1854af225b1ac3c84d20d207ae8e354b07d590af32dd", more: "a985d0a12f65ee3e713848df31106979032426e8e686497eb9280e4d" },
    Answers { algorithm: Algorithm::Sha256, digests: "3ca37311f1107b4ae006ce2bf3cefcb8a629e304aa042e635a36ae3ead1a38ed", more: "3ddff7ed5d655ac93ed000c0a3ad8b3a2c984cc154c1217cb553ee261cef20f6" },
    Answers { algorithm: Algorithm::Sha384, digests: "5459dbb8f498baa7886e03fd88876234a644580304029ed3f2822053271a7754a57ef696afad3739deffc2ae8e70d3ed", more: "0bea1d5d4eae50fdd88ef7d8cc9e54c126b81acae4d4d4031781653ff74da79b2d1aa5b6815b499c1203725770c9a8c4" },
    Answers { algorithm: Algorithm::Sha512, digests: "284b657d3932d76ccec46d04a8bf4433d7db57810100ee4a6b97e1ac4a6cece94ae9b741094a4fa62e536caaf13204b088c30f0b5b28825be1787da3fc73860b", more: "50fe5dd86e90ecdfe0d07f8b3c091f2344d4fa2dbbeb94087e2642f18196b81f7f9506746392b6ce899d32acbdf88db3370ab422c75dfdb64438f1d29eeb0fc4" },
    Answers { algorithm: Algorithm::Sha512_224, digests: "08506510a82a5410f2cb97f5500bad36c3c7b0078306afbaa7995162", more: "d17a9886b05c048cd954789ddebfd5edbd01559328e55f39d46283c5" },
    Answers { algorithm: Algorithm::Sha512_256, digests: "46b4bf4c7a194a87d90a48ab974ba071007ba0a06c249981c8f6ae695cb4e66d", more: "c3b54d0e7c4a7b8f3163b904a49379f75f85c44036cd9f00e3dc8d7f2b12519e" },
    Answers { algorithm: Algorithm::Sha3_224, digests: "f528ad83677dc7c07d0f26fc4e0ec315af240cf89b918c435ce5f942", more: "f5989d383bd3dd1104fb27336e379c246e321ac8b5685d4e984ae7b6" },
    Answers { algorithm: Algorithm::Sha3_256, digests: "59bb910dd283c63be6f872fd7f15ec94a4506784a3f1f34522860a4b759effaa", more: "b5ef43b615a2d65df97ae71a9f8096952b071ecdec5954410d9965c337c5bc1f" },
    Answers { algorithm: Algorithm::Sha3_384, digests: "5f868923d4c879fef2d849ddca5267c5ce449f2019fa1d9f94ab00567ee41e3688effd208d60aac8d73f157af177679d", more: "3008708e8e8fe4ca68e1779fda50d1c4d87a45a0b7a848e7301e3942abec75934c2a297f69d479d51c97c388149bac46" },
    Answers { algorithm: Algorithm::Sha3_512, digests: "4da248540ac35b491d4aad8e8984ac2747a9a44596820d27a32cad20a9e5325509670a5c8d2cb85fcb882f7dd7b67998983602e173a3b10b2457832f98b478f6", more: "a3c687cb23dd1123e3e92c2e52ef278941a2600f3391645500351b1567a6984cdef11ad3cfeb0f3f32d43882a02965a5e3fea5fac211fa6c5bef1dec48559a01" },
    Answers { algorithm: Algorithm::Blake2b, digests: "e61e6b72fc750f49ccb4214dc0ddae0db92bc79694f834f33e9e0863ddd638cbf32eec0cb881a351f2b5a7433c42f432e42e881107ee9c10ad5f77a43d6b007b", more: "50ae76826ee536fb5ba6204ad102691234ac73cd7fc621fa580b8e15fe2c54369c51468053a650217b555a56f9544a4d5013b3ca199ad9229fa757b056ae3efa" },
    Answers { algorithm: Algorithm::Blake2s, digests: "53ad22961b10f896a649e9901f7d7d4c4074b8ec034db732d338b0a52b05a2fb", more: "334c8088796fafd6231a30e869e58b0956e5562c7dfd50c1b93983a2826c2356" },
    Answers { algorithm: Algorithm::Blake2bp, digests: "0e9c66b51ff8b97ac42168a4706f3608b62210ef8334e340232adab2b5730978ee4fad5bf4063c95fa1ebc10bde28c6803cf3b6a05b451010e1ec6b23be82bf3", more: "6e516f910d53192c4a6d3084d6c38482100271bc2827bac6ed3d61dc08c4df9811753c2b06087287a496be07dd637b226083a135958ffe6bb02e1abee09292b6" },
    Answers { algorithm: Algorithm::Blake2sp, digests: "37f494eca752cae8c0d6c74cc01237d94cd3e5181d2daa631c1f9e824a2c427c", more: "6f862ad8191611462b9707f6857485421153a563fd2efa12aba527f209bf5eec" },
    Answers { algorithm: Algorithm::Shake128, digests: "55b56e5eb2bc4c2d2240218b1507ba338a806909a108106e74082fd07f078c72", more: "cc695b5c9fbc21012b023eb136709db8907ddf6f041370bb99c4a62ebb3bc98f" },
    Answers { algorithm: Algorithm::Shake256, digests: "9af72551755e01b1ebc718d7527e709ee59b385f5fa328130213d29ed6d74387dc3439e690b7971d068e1d3486a75b4dcfc783994054df26e27b590edadcf8f3", more: "0d7843bc853c24d7d075c33616f068b123d250958e9586d223c8925ecb6acf91c52ec7030e0b6cc6172ea1617370ff67c2736372cebdb812d3634bff1128e489" },
    Answers { algorithm: Algorithm::TurboShake128, digests: "5655aaaf5183bea2cd5bebd714d2245b0d9765c82243450b7b20f28b1a073406", more: "baaf862f636bb18a23c3cb8f909cfc11331c5f1462209356739b0e71579c837d" },
    Answers { algorithm: Algorithm::TurboShake256, digests: "c990b15373d5828669de06c319c9eed42e41b94f468317ea41b7072fa5f5930ed024aaa4f9c85a898b2ce16dfd095f7b14b7e27a176525035f9638231a1addb6", more: "ed9844222cca2ba32dc37cf332620019c87454812828407c5558286702e55da1ee8104543abde8f84b0ebdcbe7fddad8a21fc3f14e605f6577255cef94a7ba57" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use hashmill_reference::names;

    extern crate std;
    use std::string::String;
    use std::sync::{Mutex, PoisonError};
    use std::vec::Vec;
    use std::{format, println};

    /// Lets one test run at a time, because all tests force backends.
    static FORCES: Mutex<()> = Mutex::new(());

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_answers_are_the_references() {
        assert_eq!(ANSWERS.len(), Algorithm::ALL.len());
        for (answers, &algorithm) in ANSWERS.iter().zip(Algorithm::ALL) {
            assert_eq!(answers.algorithm, algorithm);
            let name = algorithm.tag().to_lowercase();
            let hash = |message: &[u8]| names::hash(&name, message, None).expect("a reference");
            let digests: Vec<u8> = messages().iter().flat_map(|message| hash(message)).collect();
            let more: Vec<u8> = match algorithm.is_xof() {
                true => names::hash(&name, &PATTERN, Some(SQUEEZED)).expect("a reference"),
                false => messages()
                    .iter()
                    .flat_map(|message| names::hmac(&name, KEY, message).expect("a reference"))
                    .collect(),
            };
            let row = (hex(&hash(&digests)), hex(&hash(&more)));
            println!("{algorithm}: {row:?}");
            assert_eq!((answers.digests, answers.more), (&*row.0, &*row.1), "{algorithm}");
        }
    }

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
        assert_eq!(backend::forced(), None);
    }

    /// Checks that a row with a wrong answer fails on every backend, that the failure names the
    /// interface, and that the other rows pass.
    #[test]
    fn a_wrong_answer_is_found() {
        let _alone = FORCES.lock().unwrap_or_else(PoisonError::into_inner);
        for (row, &right) in ANSWERS.iter().enumerate() {
            let wrong = ANSWERS[(row + 1) % ANSWERS.len()];
            let mut table = ANSWERS.to_vec();
            let more = if right.algorithm.is_xof() { "output" } else { "HMAC" };
            for (answers, interface) in [
                (Answers { digests: wrong.digests, ..right }, "one message"),
                (Answers { more: wrong.more, ..right }, more),
            ] {
                table[row] = answers;
                for check in of(&table) {
                    let Check { algorithm, backend, outcome } = check;
                    let failure = Failure { algorithm, backend, interface };
                    let expected = if algorithm == right.algorithm { Err(failure) } else { Ok(()) };
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
