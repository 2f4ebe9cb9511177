//! Messages of more than 2³² bytes, in mappings that take almost no memory. `HASHMILL_LONG=1` adds
//! all algorithms, and all backends.

use crate::common::answer::to_hex;
use crate::common::memory::Vast;
use crate::common::{backends, long};
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

/// Calls `check` with each of the named backends, for the algorithms in `SOME` that have the
/// backend for single messages. `HASHMILL_LONG=1` extends the default backend to all algorithms.
fn each(names: &[&str], check: impl Fn(Algorithm, &str) + Sync) {
    for &name in names {
        let _forced = backends::force(name);
        let every = long() && name == backends::DEFAULT;
        let algorithms = if every { Algorithm::ALL } else { SOME };
        let runs = |algorithm: &&Algorithm| {
            let mut all = algorithm.backends();
            all.any(|backend| backend.one && (name == backends::DEFAULT || name == backend.name))
        };
        algorithms.par_iter().filter(runs).for_each(|&algorithm| check(algorithm, name));
    }
}

fn expected(algorithm: Algorithm) -> &'static str {
    let row = DIGESTS.iter().find(|(row, _)| *row == algorithm);
    row.unwrap_or_else(|| panic!("{algorithm} has no row here")).1
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
        let names = ["SHA3", "Keccak"];
        let sponge = names.iter().any(|name| algorithm.name().contains(name)) || algorithm.is_xof();
        // Ascon takes half a minute, because its rate is 8 bytes.
        let sponge = sponge && !algorithm.name().starts_with("Ascon");
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
                expected(algorithm),
                "{algorithm}, {backend}, {waiting} and then {NEARLY} bytes"
            );
        }
    });
}

/// CVE-2019-8741: Apple's corecrypto never returned from a call with 2³² bytes or more, for 11 of
/// its 12 functions.
#[test]
#[cfg(target_pointer_width = "64")]
fn cve_2019_8741_4_gib_in_one_call() {
    let zeros = Vast::zeros(LEN as usize);
    let names = if long() { backends::available() } else { vec![backends::DEFAULT] };
    each(&names, |algorithm, backend| {
        let digest = algorithm.hash(&zeros);
        assert_eq!(to_hex(&digest), expected(algorithm), "{algorithm}, {backend}");
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
            assert_eq!(short, algorithm.hash(&[0; 7])[..], "{algorithm}, {name}");
            for digest in digests {
                assert_eq!(to_hex(&digest), expected(algorithm), "{algorithm}, {name}");
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
    assert_eq!(to_hex(&output), KT128);
}

/// The other implementations compute the digests below.
#[test]
#[cfg(target_pointer_width = "64")]
fn others_agree_on_the_digests() {
    if long() {
        let zeros = Vast::zeros(LEN as usize);
        Algorithm::ALL.par_iter().for_each(|&algorithm| {
            for (name, digest) in peers::hash(algorithm, &zeros, algorithm.output_len()) {
                assert_eq!(to_hex(&digest), expected(algorithm), "{algorithm}, {name}");
            }
        });
    }
}

/// The digests of `LEN` zeros, computed by OpenSSL 3.0, CPython 3.11 (BLAKE2 and, node by node, its
/// trees), PyCryptodome 3 and the crates ascon-hash256 and ascon-xof128.
const DIGESTS: &[(Algorithm, &str)] = &[
    (Algorithm::Sha224, "e6e4bb95b18bd4f25d77d080e17dd89f30d09088ba8ebee7b1bcf3ba"),
    (Algorithm::Sha256, "47330b4e9578d8ea3b771713efa25d0e2f03a554c9b3c66308f82fa0986dc027"),
    (
        Algorithm::Sha384,
        "3acd36ae60f517f1e1a45eb61cda58b36eda2ac195764b24a18562e029181a1e2f4706b2c13ececc45918af207cc170a",
    ),
    (
        Algorithm::Sha512,
        "3979b506f999814a05bd75e041d9b75cd262ccd1012770b2101fbb994bf46f97c305afed455e297c8c5aaca5ff78310704899d31d840863f67753d1974eb0107",
    ),
    (Algorithm::Sha512_224, "7094df50d72423132eb1f9655346422dda003ca629dfa97c8ba9245f"),
    (Algorithm::Sha512_256, "ca177e29cd973de95c6dfe0c3eb58758bbb5d815b8ed2e98fab72aab4fb3f994"),
    (Algorithm::Sha3_224, "c1e43b1ee244ca4c65ed623d5ab4b38cca54ef0c69b1a65ceff266fc"),
    (Algorithm::AsconHash256, "832d6182da3004bab6547c90377a06fe16a5b2c28a2f122783f44a034d3983fc"),
    (Algorithm::AsconXof128, "67d62bb5b78c3f3b3c774fbcb3d3aee29c5d2471e7992e60abe91ddef4482744"),
    (Algorithm::Keccak256, "f2e50ccf2462676256c5301ff2708f7c3a279171b52bc79080c1d19f60ec13e7"),
    (Algorithm::Sha3_256, "b674b57b9214352980f7b5a6791a9a135cd7b8bf5ed3c5a9e59de46ad68a4653"),
    (
        Algorithm::Sha3_384,
        "8b41ed72afc813e7c98346cef69b0e3eb0aa478f03844b6b5acdfc3bae5081523a5cac380be4be488ad78866e3b5e64c",
    ),
    (
        Algorithm::Sha3_512,
        "9015a004b51e43d8623cb6407d9f260477a73dacb7689c6b44e780fdfb0f270b7a4d46497875fcb6a0f0701e346951bba71dd7240f73a4cf2231855c77150a2e",
    ),
    (Algorithm::Shake128, "ade74d67ffee4a7a36363bfd8eabae7a3a31ddb9d06bdbbd80bacd866963a77d"),
    (
        Algorithm::Shake256,
        "a066fb3b59b1e7507a1f105804e44da40988f631caf20ed479878e631af0978d0bff1f84520c9846ef209a591364356e3f8db968cea7f9aabdbc026917c30b7f",
    ),
    (Algorithm::TurboShake128, "897de26cfb3f7a5b052f8a729ace054c3d3a3c38669179527fcd63ad135d88ab"),
    (
        Algorithm::TurboShake256,
        "06eb7b7768224ab0d99d2df485e18154199ecda9ddf8485e8db8b6d077ffcaab7d7283b6824b9ecd503b72f9410e1e9aceead38eb54794c759331efec1ba929a",
    ),
    (
        Algorithm::Blake2b,
        "361869edb010d307beea4987bc7d6f66b6d77f3e2fd28c5a68cd1cbec7460f62cf40e7438fa418202a249cc3c0db8dde7c616d3b8f0330786956f110e0e287f9",
    ),
    (Algorithm::Blake2s, "38cab6992a86505e3247c88892aae5253b4e867a8ba847de8491565fe3b2403c"),
    (
        Algorithm::Blake2bp,
        "1021074d804507582206250805664a953e55b16feb553ad71afcb4ec5af4ce6be223d9d07979ead5e6800bdeb1df91c7c02948f8392fcc91410bcab23a1c32ce",
    ),
    (Algorithm::Blake2sp, "31da2788f39aa757da4cfc44f71a28eda9dcd9d2cdeb6a5f7d7f1cde807c785c"),
];

/// KT128 of `LEN` zeros, computed by PyCryptodome.
const KT128: &str = "f0b53cb90ef2b5657eb2235625247f6af117a12ab61c6926d1f861942fc5cdbe";
