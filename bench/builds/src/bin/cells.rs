//! Measures what the choice of a backend loses, and the figures from which the library chooses.
//!
//! A cell is a function with a number of messages of one length. It is measured with the library's
//! choice and with each backend of this CPU alone. Run it where nothing else runs: `cargo xtask bench
//! --cells`, or with names of functions after it.

#![forbid(unsafe_code)]

#[path = "../least.rs"]
mod least;

use hashmill::{
    Algorithm, AsconHash256, Blake2b, Blake2s, Blake3, Sha3_256, Sha256, Sha512, Sm3, backend,
};
use hashmill::{Hasher, many};
use least::least;
use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const COUNTS: [usize; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 32];
const LENGTHS: [usize; 7] = [0, 32, 64, 128, 256, 1024, 8192];
/// Rounds; the least time counts.
const ROUNDS: usize = 30;
/// Nanoseconds of a sample.
const SAMPLE: f64 = 6000.0;
/// Losses that are allowed: the geometric mean of all cells, and of one cell.
const MEAN: f64 = 1.01;
const CELL: f64 = 1.10;

/// A family of backends, by one of its functions.
struct Family {
    algorithm: Algorithm,
    /// The length of a block in bytes, and the least padding.
    block: usize,
    padding: usize,
    digest: usize,
    hash: fn(&[&[u8]], &mut [u8]),
}

fn family<H: Hasher>(algorithm: Algorithm, [block, padding, digest]: [usize; 3]) -> Family {
    let hash = |messages: &[&[u8]], out: &mut [u8]| many::hash::<H>(messages, out).expect("places");
    Family { algorithm, block, padding, digest, hash }
}

impl Family {
    fn blocks(&self, len: usize) -> f64 {
        (len + self.padding).div_ceil(self.block).max(1) as f64
    }

    /// Measures the messages with each backend, in cycles. `None` is the library's choice.
    fn measure(&self, messages: &[&[u8]], out: &mut [u8], backends: &[Option<&str>]) -> Vec<f64> {
        let cycle = cycle();
        let out = RefCell::new(out);
        let run = |_| (self.hash)(black_box(messages), &mut out.borrow_mut());
        let prepare = |i: usize| {
            backend::force(backends[i]).expect("an available backend");
            run(i);
        };
        let times = least(backends.len(), (ROUNDS, SAMPLE), prepare, run);
        times.into_iter().map(|time| time / cycle).collect()
    }
}

/// Returns the nanoseconds of a cycle, by a chain of instructions that take one cycle each.
fn cycle() -> f64 {
    const STEPS: u32 = 2000;
    let once = || {
        let (mut x, word) = (black_box(1u64), black_box(0x9E37_79B9_7F4A_7C15u64));
        let start = Instant::now();
        (0..STEPS).for_each(|_| x = x.rotate_left(7) ^ word);
        let time = start.elapsed().as_nanos() as f64;
        black_box(x);
        time / f64::from(2 * STEPS)
    };
    (0..50).map(|_| once()).fold(f64::MAX, f64::min)
}

/// A measured cell of one backend, without its cycles: which figures they are the sum of, and how often.
type Sample = Vec<(usize, f64)>;

/// Returns the figures with which the sums come closest to the measured cycles, by least squares of the
/// relative errors. A figure that would be negative, or is in no sum, is 0.
fn fit(figures: usize, samples: &[(Sample, f64)]) -> Vec<f64> {
    let mut used = vec![true; figures];
    loop {
        // The normal equations, and the identity for unused figures.
        let mut rows = vec![vec![0.0; figures + 1]; figures];
        for (sample, cycles) in samples {
            let of = |figure: &&(usize, f64)| used[figure.0];
            for &(i, a) in sample.iter().filter(of) {
                for &(j, b) in sample.iter().filter(of) {
                    rows[i][j] += a * b / (cycles * cycles);
                }
                rows[i][figures] += a / cycles;
            }
        }
        for (i, row) in
            rows.iter_mut().enumerate().filter(|(_, row)| row[..figures].iter().all(|&x| x == 0.0))
        {
            row[i] = 1.0;
        }
        // Gauss and Jordan; a sum of squares needs no pivots.
        for i in 0..figures {
            let pivot = rows[i][i];
            rows[i].iter_mut().for_each(|x| *x /= pivot);
            let row = rows[i].clone();
            for (_, other) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
                let factor = other[i];
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
        let values: Vec<f64> = rows.iter().map(|row| row[figures]).collect();
        match values.iter().position(|&value| value < 0.0) {
            Some(negative) => used[negative] = false,
            None => return values,
        }
    }
}

fn main() -> ExitCode {
    let families = [
        family::<Sha256>(Algorithm::Sha256, [64, 9, 32]),
        family::<Sha512>(Algorithm::Sha512, [128, 17, 64]),
        family::<Sm3>(Algorithm::Sm3, [64, 9, 32]),
        family::<Sha3_256>(Algorithm::Sha3_256, [136, 1, 32]),
        family::<Blake2b>(Algorithm::Blake2b, [128, 0, 64]),
        family::<Blake2s>(Algorithm::Blake2s, [64, 0, 32]),
        family::<Blake3>(Algorithm::Blake3, [64, 0, 32]),
        family::<AsconHash256>(Algorithm::AsconHash256, [8, 1, 32]),
    ];
    let wanted: Vec<String> = std::env::args().skip(1).map(|name| name.to_lowercase()).collect();
    let is_wanted = |family: &&Family| {
        wanted.is_empty() || wanted.contains(&family.algorithm.to_string().to_lowercase())
    };
    println!("{:.2} GHz; cycles; {ROUNDS} rounds", 1.0 / cycle());
    let mut losses = Vec::new();
    for family in families.iter().filter(is_wanted) {
        losses.extend(cells(family));
    }
    let (mean, worst) = summary(&losses);
    println!(
        "all: the choice loses {:.1} % in the mean, {:.1} % at most",
        mean * 100.0 - 100.0,
        worst * 100.0 - 100.0
    );
    match mean <= MEAN && worst <= CELL {
        true => ExitCode::SUCCESS,
        false => {
            println!("allowed are {:.0} % and {:.0} %", MEAN * 100.0 - 100.0, CELL * 100.0 - 100.0);
            ExitCode::FAILURE
        }
    }
}

/// Returns the geometric mean and the greatest.
fn summary(losses: &[f64]) -> (f64, f64) {
    let logarithms: f64 = losses.iter().map(|loss| loss.ln()).sum();
    ((logarithms / losses.len() as f64).exp(), losses.iter().copied().fold(1.0, f64::max))
}

/// Measures all cells of a family, prints its figures and the worst cells, and returns the losses: the
/// time of the choice ÷ that of the best backend.
fn cells(family: &Family) -> Vec<f64> {
    let data = vec![7; COUNTS[17] * LENGTHS[6]];
    let mut out = vec![0; COUNTS[17] * family.digest];
    let mut rows: Vec<(String, usize)> = Vec::new();
    for row in family.algorithm.backends().filter(|row| row.available) {
        rows.push((format!("{}:{}", row.name, row.lanes), row.lanes));
    }
    let mut backends = vec![None];
    backends.extend(rows.iter().map(|(name, _)| Some(name.as_str())));
    // Three figures a row: a block, a group, and a block with a known one after it; then those of the
    // start of two lanes or of a group of four, of the start of more, and of a group that is not full.
    let [few, start, unfilled] = [0, 1, 2].map(|i| 3 * rows.len() + i);
    let mut samples: Vec<(Sample, f64)> = Vec::new();
    let mut table = Vec::new();
    for len in LENGTHS {
        for count in COUNTS {
            let messages: Vec<&[u8]> =
                data.chunks_exact(len.max(1)).map(|bytes| &bytes[..len]).take(count).collect();
            let cycles = family.measure(&messages, &mut out[..count * family.digest], &backends);
            for (i, (&cycles, (_, lanes))) in cycles[1..].iter().zip(&rows).enumerate() {
                let groups = count.div_ceil(*lanes) as f64;
                // A pair that is not full is hashed by another backend. One message of BLAKE3, and one
                // of several chunks, has its chunks in lanes.
                let tree = family.algorithm == Algorithm::Blake3 && (count == 1 || len > 1024);
                if tree || (*lanes == 2 && count % 2 == 1) || (*lanes > 1 && count == 1) {
                    continue;
                }
                let mut sample = match len == family.block && family.padding > 8 {
                    true => vec![(3 * i + 2, groups)],
                    false => vec![(3 * i, groups * family.blocks(len))],
                };
                sample.push((3 * i + 1, groups));
                match *lanes {
                    1 => {}
                    2 => sample.push((few, 1.0)),
                    4 if count <= 4 => sample.push((few, 1.0)),
                    // The messages beyond one group of four begin with other backends.
                    4 if count < 8 => continue,
                    _ => {
                        sample.push((start, 1.0));
                        sample.extend((count % lanes > 0).then_some((unfilled, 1.0)));
                    }
                }
                samples.push((sample, cycles));
            }
            let best = (1..cycles.len())
                .min_by(|&a, &b| cycles[a].total_cmp(&cycles[b]))
                .expect("a backend");
            table.push((
                (cycles[0] / cycles[best]).max(1.0),
                len,
                count,
                cycles[0],
                cycles[best],
                best - 1,
            ));
        }
    }
    backend::force(None).expect("no backend");
    let figures = fit(3 * rows.len() + 3, &samples);
    println!(
        "\n{}: cycles of the start of few lanes {:.0}, of more {:.0}, of a group that is not full {:.0};\n  cycles of a block, of a group, of a block and a known one",
        family.algorithm, figures[few], figures[start], figures[unfilled]
    );
    for ((name, _), figures) in rows.iter().zip(figures.chunks(3)) {
        println!("  {name:12} {:6.0} {:6.0} {:6.0}", figures[0], figures[1], figures[2]);
    }
    let losses: Vec<f64> = table.iter().map(|cell| cell.0).collect();
    let (mean, _) = summary(&losses);
    println!("  the choice loses {:.1} % in the mean; the worst cells:", mean * 100.0 - 100.0);
    table.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (loss, len, count, chosen, best, row) in table.iter().take(8).filter(|cell| cell.0 > 1.05) {
        println!(
            "  {:5.1} %  {count:2} × {len:4} bytes: {chosen:7.0}, {:12} {best:7.0}",
            loss * 100.0 - 100.0,
            rows[*row].0
        );
    }
    losses
}
