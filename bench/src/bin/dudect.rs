//! Whether time tells secrets apart: the t-test of dudect (Reparaz, Balasch, Verbauwhede, eprint 2016/1123).
//! README.md says how to read it.

#![forbid(unsafe_code)]

use dudect_bencher::rand::{Rng, RngExt};
use dudect_bencher::{BenchRng, Class, CtRunner, ctbench_main};
use hashmill::function::Fixed;
use hashmill::{
    Blake2b, Customization, Hash, Hasher, Hmac, Kmac128, Kmac256, Salt, Sha3_256, Sha256, Sha512,
    VarDigest, blake2b, blake2bp, blake2s, blake2sp, constant_time_eq, pbkdf2,
};

const MEASUREMENTS: usize = 100_000;
const MESSAGE: &[u8] = &[0xA5; 200];

/// One secret against random ones, in random order. They lie in memory alike.
fn one_or_any<const N: usize, T>(
    runner: &mut CtRunner,
    rng: &mut BenchRng,
    computed: impl Fn(&[u8; N]) -> T,
) {
    let draw = |rng: &mut BenchRng| {
        let mut secret = [0; N];
        rng.fill_bytes(&mut secret);
        if rng.random() { (Class::Left, [0; N]) } else { (Class::Right, secret) }
    };
    let secrets: Vec<_> = (0..MEASUREMENTS).map(|_| draw(rng)).collect();
    for (class, secret) in &secrets {
        runner.run_one(*class, || computed(secret));
    }
}

fn hmac<H: Hasher>(runner: &mut CtRunner, rng: &mut BenchRng) {
    one_or_any::<32, _>(runner, rng, |key| Hmac::<H>::new(key).update(MESSAGE).finalize());
}

fn hmac_sha256(runner: &mut CtRunner, rng: &mut BenchRng) {
    hmac::<Sha256>(runner, rng);
}

fn hmac_sha512(runner: &mut CtRunner, rng: &mut BenchRng) {
    hmac::<Sha512>(runner, rng);
}

fn hmac_sha3_256(runner: &mut CtRunner, rng: &mut BenchRng) {
    hmac::<Sha3_256>(runner, rng);
}

fn hmac_blake2b(runner: &mut CtRunner, rng: &mut BenchRng) {
    hmac::<Blake2b>(runner, rng);
}

macro_rules! keyed {
    ($($name:ident: $key:ident => $keyed:expr;)*) => { $(
        fn $name(runner: &mut CtRunner, rng: &mut BenchRng) {
            one_or_any::<32, _>(runner, rng, |$key| $keyed);
        }
    )* };
}

fn tag<F: Fixed<Digest = VarDigest>>(mut keyed: Hash<F>) -> VarDigest {
    keyed.update(MESSAGE).finalize()
}

keyed! {
    blake2b_keyed: key => blake2b::Params::new().key(key).build().map(tag);
    blake2s_keyed: key => blake2s::Params::new().key(key).build().map(tag);
    blake2bp_keyed: key => blake2bp::Params::new().key(key).build().map(tag);
    blake2sp_keyed: key => blake2sp::Params::new().key(key).build().map(tag);
    kmac128: key => Kmac128::new(key, Customization(b"")).update(MESSAGE).finalize::<32>();
    kmac256: key => Kmac256::new(key, Customization(b"")).update(MESSAGE).finalize::<32>();
    pbkdf2_sha256: password => pbkdf2::<Sha256>(password, Salt(b"salt"), 4, &mut [0; 32]);
}

/// Forged tags of `N` bytes: wrong in the first byte against wrong in the last.
fn forged<const N: usize, T>(
    runner: &mut CtRunner,
    rng: &mut BenchRng,
    tag: &[u8; N],
    verified: impl Fn(&[u8; N]) -> T,
) {
    let draw = |rng: &mut BenchRng| {
        let mut forged = *tag;
        let first = rng.random();
        forged[if first { 0 } else { N - 1 }] ^= 1;
        (if first { Class::Left } else { Class::Right }, forged)
    };
    let tags: Vec<_> = (0..MEASUREMENTS).map(|_| draw(rng)).collect();
    for (class, forged) in &tags {
        runner.run_one(*class, || verified(forged));
    }
}

fn hmac_verify(runner: &mut CtRunner, rng: &mut BenchRng) {
    let hmac = Hmac::<Sha512>::new(b"key");
    forged(runner, rng, &hmac.finalize(), |tag| hmac.verify(tag));
}

fn compare(runner: &mut CtRunner, rng: &mut BenchRng) {
    let tag = [0x5A; 1024];
    forged(runner, rng, &tag, |forged| constant_time_eq(&tag, forged));
}

/// What a leak looks like: the comparison of slices, which ends at the first difference.
fn compare_slices_leaks(runner: &mut CtRunner, rng: &mut BenchRng) {
    let tag = [0x5A; 1024];
    forged(runner, rng, &tag, |forged| std::hint::black_box(tag) == *forged);
}

ctbench_main!(
    hmac_sha256,
    hmac_sha512,
    hmac_sha3_256,
    hmac_blake2b,
    blake2b_keyed,
    blake2s_keyed,
    blake2bp_keyed,
    blake2sp_keyed,
    kmac128,
    kmac256,
    pbkdf2_sha256,
    hmac_verify,
    compare,
    compare_slices_leaks
);
