//! Measures the sampling of ML-KEM-768's matrix beside the four lanes of the crate libcrux-sha3, on one
//! thread. Both read three blocks of nine outputs of SHAKE128, and the same code samples from them.
//! Before it measures, it checks that both sample the same matrices. Only for x86-64.
//!
//!     cargo run --release --manifest-path bench/signatures/Cargo.toml --bin ml_kem [BACKEND]

#[path = "../../../../crates/hashmill/examples/ml_kem.rs"]
#[allow(dead_code, reason = "its `main` measures without a peer")]
mod example;

use example::{BLOCK, K, Polynomial, matrix, matrix_alone, readers, sample};
use hashmill::XofReader;
use libcrux_sha3::{avx2::x4::incremental as x4, portable};
use std::hint::black_box;
use std::time::Instant;

const THREE: usize = 3 * BLOCK;
/// Rounds in which the calls take turns.
const ROUNDS: usize = 20_000;

fn main() {
    let backend = std::env::args().nth(1);
    hashmill::backend::force(backend.as_deref()).expect("a backend of this CPU");
    for n in 0..200 {
        let rho = [n; 32];
        let expected = matrix_alone(&rho);
        assert!(matrix(&rho) == expected, "another matrix");
        let theirs = sampled(&libcrux(&rho));
        assert!(theirs.iter().zip(&expected).all(|(a, b)| a.1 < 256 || a.0 == *b), "libcrux");
    }
    let rho: [u8; 32] = std::array::from_fn(|i| i as u8);
    let times = least([
        &mut || _ = black_box(three_blocks(black_box(&rho))),
        &mut || _ = black_box(libcrux(black_box(&rho))),
        &mut || _ = black_box(matrix(black_box(&rho))),
        &mut || _ = black_box(sampled(&libcrux(black_box(&rho)))),
    ]);
    println!("ns: ours, libcrux in four lanes; in brackets libcrux's time in ours");
    for (name, [ours, theirs]) in
        ["three blocks of nine outputs", "the matrix"].iter().zip(times.as_chunks().0)
    {
        println!("{name:30}{ours:>8}{theirs:>8} ({:.2})", *theirs as f64 / *ours as f64);
    }
}

fn three_blocks(rho: &[u8; 32]) -> [u8; K * K * THREE] {
    let (mut readers, mut blocks) = (readers(rho), [0; K * K * THREE]);
    XofReader::fill_many(&mut readers, &mut blocks).expect("a place for each reader");
    blocks
}

fn libcrux(rho: &[u8; 32]) -> [u8; K * K * THREE] {
    assert!(is_x86_feature_detected!("avx2"), "libcrux's lanes need AVX2");
    // SAFETY: this CPU has AVX2.
    unsafe { three_blocks_of_libcrux(rho) }
}

/// Four, four and one outputs, as mlkem-native groups them. The crate's functions are inlined, and so
/// have the instructions of this function.
#[target_feature(enable = "avx2")]
fn three_blocks_of_libcrux(rho: &[u8; 32]) -> [u8; K * K * THREE] {
    let seeds: [[u8; 34]; K * K] = std::array::from_fn(|n| {
        let (mut seed, place) = ([0; 34], [(n % K) as u8, (n / K) as u8]);
        seed[..32].copy_from_slice(rho);
        seed[32..].copy_from_slice(&place);
        seed
    });
    let mut blocks = [0; K * K * THREE];
    let (fours, one) = blocks.split_at_mut(8 * THREE);
    for (seeds, blocks) in seeds.as_chunks::<4>().0.iter().zip(fours.chunks_exact_mut(4 * THREE)) {
        let [a, b, c, d] = seeds;
        let (first, second) = blocks.split_at_mut(2 * THREE);
        let ((w, x), (y, z)) = (first.split_at_mut(THREE), second.split_at_mut(THREE));
        let mut state = x4::init();
        x4::shake128_absorb_final(&mut state, a, b, c, d);
        x4::shake128_squeeze_first_three_blocks(&mut state, w, x, y, z);
    }
    portable::shake128(one, &seeds[8]);
    blocks
}

fn sampled(blocks: &[u8; K * K * THREE]) -> [(Polynomial, usize); K * K] {
    std::array::from_fn(|n| {
        let (mut polynomial, mut filled) = ([0; 256], 0);
        sample(&blocks[n * THREE..][..THREE], &mut polynomial, &mut filled);
        (polynomial, filled)
    })
}

/// Returns the least time of each call in nanoseconds. The calls take turns.
fn least<const N: usize>(mut calls: [&mut dyn FnMut(); N]) -> [u128; N] {
    let mut least = [u128::MAX; N];
    for _ in 0..ROUNDS {
        for (least, call) in least.iter_mut().zip(calls.iter_mut()) {
            let start = Instant::now();
            call();
            *least = start.elapsed().as_nanos().min(*least);
        }
    }
    least
}
