//! Measures SLH-DSA over the library's batches beside the crate `slh-dsa`, on one thread and on two.
//! Before it measures a set, it checks that both make the same key and the same signature.
//!
//!     cargo run --release --manifest-path bench/signatures/Cargo.toml [SET] [BACKEND]

#![forbid(unsafe_code)]

#[path = "../../../crates/hashmill/examples/slh_dsa.rs"]
#[allow(dead_code, reason = "its `main` measures without a peer")]
mod example;

use example::{Parameters, PrivateKey, SETS, verify};
use slh_dsa::signature::Keypair;
use slh_dsa::{
    ParameterSet, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s, Shake128f,
    Shake128s, Shake192f, Shake192s, Shake256f, Shake256s, Signature, SigningKey,
};
use std::hint::black_box;
use std::time::Instant;

const MESSAGE: &[u8] = b"a message of some length";
const CONTEXT: &[u8] = b"a context";
/// Seconds in which the calls of a set take turns, and the fewest turns.
const SECONDS: f64 = 2.0;
const TURNS: u32 = 3;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    hashmill::backend::force(arguments.next().as_deref()).expect("a backend of this CPU");
    println!(
        "milliseconds: ours, ours on two threads, the crate slh-dsa; in brackets the crate's time in ours"
    );
    println!("{:20}{:>34}{:>34}{:>34}", "", "key", "sign", "verify");
    for set in SETS.iter().filter(|set| set.name.contains(&name)) {
        match set.name {
            "SLH-DSA-SHA2-128s" => measure::<Sha2_128s>(set),
            "SLH-DSA-SHA2-128f" => measure::<Sha2_128f>(set),
            "SLH-DSA-SHA2-192s" => measure::<Sha2_192s>(set),
            "SLH-DSA-SHA2-192f" => measure::<Sha2_192f>(set),
            "SLH-DSA-SHA2-256s" => measure::<Sha2_256s>(set),
            "SLH-DSA-SHA2-256f" => measure::<Sha2_256f>(set),
            "SLH-DSA-SHAKE-128s" => measure::<Shake128s>(set),
            "SLH-DSA-SHAKE-128f" => measure::<Shake128f>(set),
            "SLH-DSA-SHAKE-192s" => measure::<Shake192s>(set),
            "SLH-DSA-SHAKE-192f" => measure::<Shake192f>(set),
            "SLH-DSA-SHAKE-256s" => measure::<Shake256s>(set),
            "SLH-DSA-SHAKE-256f" => measure::<Shake256f>(set),
            other => unreachable!("{other}"),
        }
    }
}

fn measure<P: ParameterSet>(set: &'static Parameters) {
    let seeds: Vec<u8> = (0..96).collect();
    let seeds = &seeds[..set.public_key_len() / 2 * 3];
    let [secret, prf, seed] = [0, 1, 2].map(|i| &seeds[i * seeds.len() / 3..][..seeds.len() / 3]);
    let generate = || SigningKey::<P>::slh_keygen_internal(secret, prf, seed);
    let (ours, theirs) = (PrivateKey::generate(set, seeds, 1), generate());
    assert_eq!(theirs.verifying_key().to_bytes()[..], *ours.public_key(), "{}", set.name);
    let sign = |threads| ours.sign(MESSAGE, CONTEXT, None, threads).expect("a short context");
    let crate_sign = || theirs.try_sign_with_context(MESSAGE, CONTEXT, None).expect("a signature");
    let (signature, of_crate): (_, Signature<P>) = (sign(1), crate_sign());
    assert!(of_crate.to_bytes()[..] == signature, "{}: another signature", set.name);
    let verifies = || verify(set, ours.public_key(), (MESSAGE, CONTEXT), &signature);
    let crate_verifies =
        || theirs.verifying_key().try_verify_with_context(MESSAGE, CONTEXT, &of_crate).is_ok();
    assert!(verifies() && crate_verifies(), "{}", set.name);
    let figures = [
        least([
            &mut || drop(black_box(PrivateKey::generate(set, seeds, 1))),
            &mut || drop(black_box(PrivateKey::generate(set, seeds, 2))),
            &mut || drop(black_box(generate())),
        ]),
        least([&mut || drop(black_box(sign(1))), &mut || drop(black_box(sign(2))), &mut || {
            drop(black_box(crate_sign()))
        }]),
        // One signature is verified on one thread.
        least([
            &mut || assert!(black_box(verifies())),
            &mut || assert!(black_box(verifies())),
            &mut || assert!(black_box(crate_verifies())),
        ]),
    ];
    let text = |[one, two, theirs]: [f64; 3]| {
        format!("{one:.3} {two:.3} {theirs:.3} ({:.2})", theirs / one)
    };
    let [key, sign, verify] = figures.map(text);
    println!("{:20}{key:>34}{sign:>34}{verify:>34}", set.name);
}

/// Returns the least time of each call in milliseconds. The calls take turns.
fn least(mut calls: [&mut dyn FnMut(); 3]) -> [f64; 3] {
    let (mut least, begin) = ([f64::MAX; 3], Instant::now());
    let mut turn = 0;
    while turn < TURNS || begin.elapsed().as_secs_f64() < SECONDS {
        turn += 1;
        for (least, call) in least.iter_mut().zip(calls.iter_mut()) {
            let start = Instant::now();
            call();
            *least = least.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    least
}
