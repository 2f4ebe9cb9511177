//! Messages of more than 2³² bytes, in mappings that take almost no memory. `HASHMILL_LONG=1` adds
//! the other algorithms, and the other backends.

use crate::common::answer::to_hex;
use crate::common::memory::Vast;
use crate::common::{backends, is_sponge, long};
#[cfg(target_pointer_width = "64")]
use crate::common::{calls, peers};
use hashmill::{Algorithm, Kt128};
use rayon::prelude::*;

/// The length of the messages in bytes. It is more than 2³² by enough that the length truncated to
/// 32 bits would be a plausible length, too.
const LEN: u64 = (1 << 32) + 1000;

/// A length in bytes: the longest slice on 32-bit targets, otherwise one less than 2³².
const NEARLY: usize = match usize::BITS {
    32 => isize::MAX as usize,
    _ => u32::MAX as usize,
};

/// One algorithm for each implementation of buffering and counting.
const SOME: &[Algorithm] = &[
    Algorithm::Sha256,
    Algorithm::Sha512,
    Algorithm::Sha3_256,
    Algorithm::TurboShake128,
    Algorithm::Blake2b,
    Algorithm::Blake2s,
    Algorithm::Blake2bp,
    Algorithm::Blake2sp,
];

/// One of those that count in the same way: SHA-2, the sponges, BLAKE2, its trees.
const FEW: &[Algorithm] =
    &[Algorithm::Sha256, Algorithm::TurboShake128, Algorithm::Blake2b, Algorithm::Blake2bp];

/// Calls `check` with each of the named backends, for the algorithms in `FEW` that have the backend
/// for single messages. With `HASHMILL_LONG=1` these are the algorithms in `SOME`, and all for the
/// default backend.
fn each(names: &[&str], check: impl Fn(Algorithm, &str) + Sync) {
    for &name in names {
        let _forced = backends::force(name);
        let algorithms = match long() {
            true if name == backends::DEFAULT => Algorithm::ALL,
            true => SOME,
            false => FEW,
        };
        let runs = |algorithm: &&Algorithm| {
            let mut all = algorithm.backends();
            all.any(|backend| backend.one && (name == backends::DEFAULT || name == backend.name))
        };
        algorithms.par_iter().filter(runs).for_each(|&algorithm| check(algorithm, name));
    }
}

/// Returns the digest of `LEN` zeros that other implementations computed.
fn expected(name: &str) -> &'static str {
    let digest = |line: &'static str| line.strip_prefix(name)?.strip_prefix(": ");
    let digest = include_str!("large.txt").lines().find_map(digest);
    digest.unwrap_or_else(|| panic!("{name} has no line in large.txt"))
}

/// CVE-2022-37454: the Keccak team's code added the number of buffered bytes and the length of the
/// input in 32 bits. An update of one byte, followed by one of 2³² − 1 bytes, overwrote memory or
/// never returned (SHA-3, SHAKE; Python, PHP and others had the bug).
#[test]
fn cve_2022_37454_a_byte_and_then_4_gib() {
    let zeros = Vast::zeros(NEARLY);
    // The buffer, where the bug was, is the same code for every backend.
    let backends = [backends::DEFAULT, "portable"];
    each(if long() { &backends } else { &backends[..1] }, |algorithm, backend| {
        // Ascon takes half a minute, because its rate is 8 bytes.
        let sponge = is_sponge(algorithm) && !algorithm.name().starts_with("Ascon");
        if !sponge && !long() {
            return;
        }
        let rate = algorithm.block_len();
        let waiting = if long() && sponge { vec![1, rate - 1] } else { vec![1] };
        for waiting in waiting {
            let mut hasher = algorithm.hasher();
            let mut left = LEN;
            for most in [waiting, NEARLY, NEARLY, NEARLY] {
                let len = left.min(most as u64);
                hasher.update(&zeros[..len as usize]);
                left -= len;
            }
            assert_eq!(
                to_hex(&hasher.finalize()),
                expected(algorithm.name()),
                "{algorithm}, {backend}, {waiting} and then {NEARLY} bytes"
            );
        }
    });
}

/// CVE-2019-8741: Apple's corecrypto never returned from a call with 2³² bytes or more, for 11 of
/// its 12 functions. The sponges have their messages above, unless `HASHMILL_LONG=1`.
#[test]
#[cfg(target_pointer_width = "64")]
fn cve_2019_8741_4_gib_in_one_call() {
    let zeros = Vast::zeros(LEN as usize);
    let names = if long() { backends::available() } else { vec![backends::DEFAULT] };
    each(&names, |algorithm, backend| {
        if algorithm == Algorithm::TurboShake128 && !long() {
            return;
        }
        let digest = algorithm.hash(&zeros);
        assert_eq!(to_hex(&digest), expected(algorithm.name()), "{algorithm}, {backend}");
    });
}

/// CVE-2019-8741 in SIMD lanes: a long message for each lane, and a short one.
#[test]
#[cfg(target_pointer_width = "64")]
fn cve_2019_8741_4_gib_in_every_lane() {
    if !long() {
        return;
    }
    let zeros = Vast::zeros(LEN as usize);
    let mut names = backends::available();
    names.retain(|&name| name != backends::DEFAULT);
    for name in names {
        let _forced = backends::force(name);
        SOME.par_iter().for_each(|&algorithm| {
            let Some(backend) = algorithm.backends().find(|b| b.name == name && b.lanes > 1) else {
                return;
            };
            let messages = [&[&zeros[..]; 16][..backend.lanes], &[&zeros[..7]]].concat();
            let mut digests = calls::packed(algorithm, &messages, algorithm.output_len());
            let short = digests.pop().expect("an output for each");
            assert_eq!(short, algorithm.hash([0; 7])[..], "{algorithm}, {name}");
            for digest in digests {
                assert_eq!(to_hex(&digest), expected(algorithm.name()), "{algorithm}, {name}");
            }
        });
    }
}

/// Updates of KangarooTwelve's tree with one byte, then with nearly 2³² bytes, then with the rest.
#[test]
fn kangaroo_twelve_of_4_gib() {
    let _forced = backends::force(backends::DEFAULT);
    let zeros = Vast::zeros(NEARLY);
    let mut hasher = Kt128::new();
    let mut left = LEN;
    for most in [1, NEARLY, NEARLY, NEARLY] {
        let len = left.min(most as u64);
        hasher.update(&zeros[..len as usize]);
        left -= len;
    }
    let output: Vec<u8> = hasher.squeeze().take(32).collect();
    assert_eq!(to_hex(&output), expected("KT128"));
}

/// The other implementations compute the digests of large.txt.
#[test]
#[cfg(target_pointer_width = "64")]
fn others_agree_on_the_digests() {
    if long() {
        let zeros = Vast::zeros(LEN as usize);
        Algorithm::ALL.par_iter().for_each(|&algorithm| {
            for (name, digest) in peers::hash(algorithm, &zeros, algorithm.output_len()) {
                assert_eq!(to_hex(&digest), expected(algorithm.name()), "{algorithm}, {name}");
            }
        });
    }
}
