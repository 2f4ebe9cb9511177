//! Tests whether the time of a function depends on its secret, with the t-test of dudect (Reparaz,
//! Balasch, Verbauwhede, eprint 2016/1123). README.md explains how to read the output.

#![forbid(unsafe_code)]

use clap::Parser;
use fastrand::Rng;
use hashmill::function::Function;
use hashmill::{
    Blake2b, Customization, Hash, Hasher, Hmac, Kmac128, Kmac256, Salt, Sha3_256, Sha256, Sha512,
    VarDigest, blake2b, blake2bp, blake2s, blake2sp, constant_time_eq, pbkdf2,
};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const MEASUREMENTS: usize = 100_000;
const MESSAGE: &[u8] = &[0xA5; 200];

/// Measures whether the time of a function depends on its secret.
#[derive(Parser)]
struct Args {
    /// Only the functions whose names contain this
    #[arg(long, default_value = "")]
    filter: String,
    /// The first function whose name contains this, with more and more measurements, until the
    /// program is ended
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    continuous: Option<String>,
    /// Draws the secrets of an earlier run again
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy)]
enum Class {
    Left,
    Right,
}

/// Calls in the order in which they were made, with their times in nanoseconds.
type Times = Vec<(Class, f64)>;

/// Measures the time of each call. Both classes use the same clock and the same place for the
/// result.
fn times<S, T>(secrets: &[(Class, S)], computed: impl Fn(&S) -> T) -> Times {
    let time = |(class, secret): &(Class, S)| {
        let start = Instant::now();
        black_box(computed(black_box(secret)));
        (*class, start.elapsed().as_nanos() as f64)
    };
    secrets.iter().map(time).collect()
}

/// Compares one fixed secret with random ones, in random order, all in the same memory layout.
fn one_or_any<const N: usize, T>(rng: &mut Rng, computed: impl Fn(&[u8; N]) -> T) -> Times {
    let mut draw = || {
        let mut secret = [0; N];
        rng.fill(&mut secret);
        if rng.bool() { (Class::Left, [0; N]) } else { (Class::Right, secret) }
    };
    let secrets: Vec<_> = (0..MEASUREMENTS).map(|_| draw()).collect();
    times(&secrets, computed)
}

fn hmac<H: Hasher>(rng: &mut Rng) -> Times {
    one_or_any::<32, _>(rng, |key| Hmac::<H>::new(key).update(MESSAGE).finalize())
}

fn hmac_sha256(rng: &mut Rng) -> Times {
    hmac::<Sha256>(rng)
}

fn hmac_sha512(rng: &mut Rng) -> Times {
    hmac::<Sha512>(rng)
}

fn hmac_sha3_256(rng: &mut Rng) -> Times {
    hmac::<Sha3_256>(rng)
}

fn hmac_blake2b(rng: &mut Rng) -> Times {
    hmac::<Blake2b>(rng)
}

macro_rules! keyed {
    ($($name:ident: $key:ident => $keyed:expr;)*) => { $(
        fn $name(rng: &mut Rng) -> Times {
            one_or_any::<32, _>(rng, |$key| $keyed)
        }
    )* };
}

fn tag<F: Function<Digest = VarDigest>>(mut keyed: Hash<F>) -> VarDigest {
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

/// Compares forged tags of `N` bytes that are wrong in the first byte with tags that are wrong in
/// the last.
fn forged<const N: usize, T>(
    rng: &mut Rng,
    tag: &[u8; N],
    verified: impl Fn(&[u8; N]) -> T,
) -> Times {
    let mut draw = || {
        let mut forged = *tag;
        let (class, at) = if rng.bool() { (Class::Left, 0) } else { (Class::Right, N - 1) };
        forged[at] ^= 1;
        (class, forged)
    };
    let tags: Vec<_> = (0..MEASUREMENTS).map(|_| draw()).collect();
    times(&tags, verified)
}

fn hmac_verify(rng: &mut Rng) -> Times {
    let hmac = Hmac::<Sha512>::new(b"key");
    forged(rng, &hmac.finalize(), |tag| hmac.verify(tag))
}

fn compare(rng: &mut Rng) -> Times {
    let tag = [0x5A; 1024];
    forged(rng, &tag, |forged| constant_time_eq(&tag, forged))
}

/// Shows an example of a leak: the comparison of slices stops at the first difference.
fn compare_slices_leaks(rng: &mut Rng) -> Times {
    let tag = [0x5A; 1024];
    forged(rng, &tag, |forged| black_box(tag) == *forged)
}

type Measured = (&'static str, fn(&mut Rng) -> Times);

macro_rules! functions {
    ($($name:ident,)*) => { &[$((stringify!($name), $name)),*] };
}

const FUNCTIONS: &[Measured] = functions![
    blake2b_keyed,
    blake2bp_keyed,
    blake2s_keyed,
    blake2sp_keyed,
    compare,
    compare_slices_leaks,
    hmac_blake2b,
    hmac_sha256,
    hmac_sha3_256,
    hmac_sha512,
    hmac_verify,
    kmac128,
    kmac256,
    pbkdf2_sha256,
];

/// The times of one class: their number, their mean, and the sum of their squared deviations from
/// the mean.
#[derive(Clone, Copy, Default)]
struct Sample {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Sample {
    /// Adds a time by Welford's method, Technometrics 4 (1962), page 419.
    fn add(&mut self, time: f64) {
        self.count += 1.0;
        let distance = time - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (time - self.mean);
    }

    /// Returns the square of the mean's standard error.
    fn error(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// Welch's t-test of the calls that took at most `at_most` nanoseconds.
struct Test {
    at_most: f64,
    classes: [Sample; 2],
}

impl Test {
    /// Returns the t statistic. It is infinite if each class always takes one time and the two
    /// times differ, and NaN if the times allow no conclusion.
    fn t(&self) -> f64 {
        let [left, right] = &self.classes;
        (left.mean - right.mean) / (left.error() + right.error()).sqrt()
    }

    fn count(&self) -> f64 {
        self.classes.iter().map(|class| class.count).sum()
    }
}

/// One test of all calls and one for each quantile 1 − 2^(−i/10) of the first times, 7 to 99.9 %,
/// because the slowest calls were interrupted and hide small differences.
struct Tests(Vec<Test>);

impl Tests {
    fn new(first: &Times) -> Tests {
        let mut sorted: Vec<f64> = first.iter().map(|(_, time)| *time).collect();
        sorted.sort_by(f64::total_cmp);
        let quantile = |i: i32| {
            let part = 1.0 - 0.5_f64.powf(f64::from(i) / 10.0);
            sorted[(part * (sorted.len() - 1) as f64) as usize]
        };
        let limits = (1..=100).map(quantile).chain([f64::INFINITY]);
        Tests(limits.map(|at_most| Test { at_most, classes: Default::default() }).collect())
    }

    fn add(&mut self, times: &Times) {
        for test in &mut self.0 {
            for (class, time) in times.iter().filter(|(_, time)| *time <= test.at_most) {
                test.classes[*class as usize].add(*time);
            }
        }
    }

    /// Returns the test with the greatest absolute t.
    fn greatest(&self) -> &Test {
        let size = |test: &Test| if test.t().is_nan() { 0.0 } else { test.t().abs() };
        let all = self.0.iter();
        all.max_by(|a, b| size(a).total_cmp(&size(b))).expect("there are 101")
    }
}

fn report(name: &str, tests: &Tests) {
    let test = tests.greatest();
    println!("{name:<20}  max t = {:+8.2}  of {:.3} million calls", test.t(), test.count() / 1e6);
}

fn main() -> ExitCode {
    let args = Args::parse();
    let filter = args.continuous.as_ref().unwrap_or(&args.filter);
    let chosen: Vec<&Measured> =
        FUNCTIONS.iter().filter(|(name, _)| name.contains(&**filter)).collect();
    let Some((first, function)) = chosen.first() else {
        eprintln!("no function's name contains {filter:?}");
        return ExitCode::FAILURE;
    };
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    println!("the secrets are those of --seed {seed}");
    let mut rng = Rng::with_seed(seed);
    if args.continuous.is_some() {
        let mut times = function(&mut rng);
        let mut tests = Tests::new(&times);
        loop {
            tests.add(&times);
            report(first, &tests);
            times = function(&mut rng);
        }
    }
    for (name, function) in chosen {
        let times = function(&mut rng);
        let mut tests = Tests::new(&times);
        tests.add(&times);
        report(name, &tests);
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: means 3 and 8, variances 2.5 and 10, so t = −5 / √(2.5 / 5 + 10 / 5) = −√10.
    #[test]
    fn welch_by_hand() {
        let mut tests = Tests(vec![Test { at_most: 12.0, classes: Default::default() }]);
        let left = [1.0, 2.0, 3.0, 4.0, 5.0, 100.0].map(|time| (Class::Left, time));
        let right = [4.0, 6.0, 8.0, 10.0, 12.0, 13.0].map(|time| (Class::Right, time));
        tests.add(&[left, right].concat());
        let test = tests.greatest();
        assert!((test.t() + 10_f64.sqrt()).abs() < 1e-12, "{}", test.t());
        assert_eq!(test.count(), 10.0);
    }

    /// A difference of half a nanosecond among outliers of a microsecond is seen; none is not.
    #[test]
    fn a_small_difference_is_seen_and_none_is_not() {
        for (difference, seen) in [(0.5, true), (0.0, false)] {
            let mut rng = Rng::with_seed(1);
            let mut draw = || {
                let class = if rng.bool() { Class::Left } else { Class::Right };
                let outlier = if rng.u8(..) == 0 { 1e6 * rng.f64() } else { 0.0 };
                (class, 100.0 + 10.0 * rng.f64() + outlier + class as u8 as f64 * difference)
            };
            let times: Times = (0..MEASUREMENTS).map(|_| draw()).collect();
            let mut tests = Tests::new(&times);
            tests.add(&times);
            assert_eq!(tests.greatest().t().abs() > 4.5, seen, "{}", tests.greatest().t());
        }
    }
}
