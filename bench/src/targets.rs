//! Targets: how much faster than its peers hashmill should be.

use crate::Task::{self, *};
use crate::implementations::Subject;
use crate::{KIB, MIB};
use hashmill::Algorithm::{self, *};

pub struct Target {
    task: Task,
    /// The algorithms, or empty for all.
    algorithms: &'static [Algorithm],
    lengths: &'static [usize],
    pub ratio: f64,
    /// The peers, or empty for all.
    pub peers: &'static [&'static str],
}

#[rustfmt::skip]
const TARGETS: &[Target] = &[
    target(One, &[Sha256], &[MIB], 1.00, &["RustCrypto", "ring", "aws-lc-rs"]),
    target(One, &[Sha256], &[32, 64], 1.15, &["RustCrypto", "aws-lc-rs"]),
    target(One, &[Sha256], &[1, 8, 20], 1.35, &[]),
    target(One, &[Sha256], &[55], 1.35, &[]),
    target(One, &[Sha256], &[100], 1.12, &[]),
    target(Update, &[], &[1, 7], 1.0, &["RustCrypto"]),
    target(Squeeze, &[Shake128], &[64 * 168], 1.1, &["OpenSSL"]),
    target(Two, &[Sha256], &[KIB], 1.2, &[]),
    target(Uniform, &[Sha256], &[1000], 2.1, &[]),
    target(Lognormal, &[Sha256], &[200], 1.7, &[]),
    target(One, &[Blake3], &[32, 64, KIB, 8 * KIB, 16 * KIB, MIB], 1.0, &[]),
    target(Many, &[Blake3], &[32, 64, 256, KIB], 8.0, &[]),
    target(Uniform, &[Blake3], &[24, 1000], 4.0, &[]),
    target(Uniform, &[], &[1000], 2.0, &[]),
    target(Lognormal, &[], &[200], 2.0, &[]),
    target(Hmac, &[Sha256], &[8, 32, 64], 1.2, &[]),
    target(HmacPrepared, &[Sha256], &[8, 32, 64], 1.3, &[]),
    target(HkdfExpand, &[Sha256], &[16], 1.2, &[]),
    target(Hkdf, &[Sha256], &[16], 1.2, &[]),
    target(Pbkdf2, &[Sha256], &[8], 1.25, &[]),
    target(One, &[Sha512], &[8 * KIB], 1.15, &["OpenSSL", "aws-lc-rs"]),
    target(One, &[Sha3_256], &[8 * KIB], 1.3, &["aws-lc-rs"]),
    target(One, &[Blake2b], &[8 * KIB], 1.15, &["blake2b_simd"]),
    target(One, &[Blake2s], &[8 * KIB], 1.15, &["blake2s_simd"]),
    target(One, &[Blake2bp], &[MIB], 1.3, &["blake2b_simd"]),
    target(One, &[Blake2sp], &[MIB], 1.3, &["blake2s_simd"]),
    target(Many, &[], &[32], 2.0, &[]),
    target(Many, &[Sha256], &[64], 2.7, &["aws-lc-rs"]),
    target(Many, &[Sha256], &[KIB], 2.15, &["aws-lc-rs"]),
    target(Many, &[Sha256], &[8 * KIB], 2.3, &["aws-lc-rs"]),
    target(Many, &[Sha512], &[KIB], 4.4, &["aws-lc-rs"]),
    target(Many, &[Sha512], &[8 * KIB], 4.6, &["aws-lc-rs"]),
    target(Many, &[Sha3_256], &[256, KIB, 8 * KIB], 6.3, &["aws-lc-rs"]),
    target(Many, &[Blake2b], &[KIB, 8 * KIB], 1.7, &["blake2b_simd"]),
    target(Many, &[Blake2s], &[KIB, 8 * KIB], 1.9, &["blake2s_simd"]),
    target(Merkle, &[Sha256], &[32], 5.0, &[]),
    target(Bitcoin, &[Sha256], &[32], 3.0, &[]),
    target(HmacMany, &[Sha256], &[64], 3.5, &["ring"]),
];

const fn target(
    task: Task,
    algorithms: &'static [Algorithm],
    lengths: &'static [usize],
    ratio: f64,
    peers: &'static [&'static str],
) -> Target {
    Target { task, algorithms, lengths, ratio, peers }
}

pub fn find(task: Task, subject: Subject, length: usize) -> Option<&'static Target> {
    TARGETS.iter().find(|target| {
        target.task == task
            && (target.algorithms.is_empty()
                || subject
                    .algorithm()
                    .is_some_and(|algorithm| target.algorithms.contains(&algorithm)))
            && target.lengths.contains(&length)
    })
}
