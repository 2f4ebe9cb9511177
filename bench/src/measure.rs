//! How the benchmark measures a figure.

use crate::Task;
use crate::implementations::{Implementation, OURS, Subject};
use hashmill::backend::{self, Info};
use hashmill::{Algorithm, Error};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Duration of a sample: long compared with the clock's resolution, short compared with
/// disturbances by other programs.
const SAMPLE: Duration = Duration::from_micros(1500);

/// Number of levels of `deeper`, enough to cover a page several times.
const PLACES: usize = 64;

/// An implementation and, for hashmill, a backend.
pub struct Contender {
    row: usize,
    pub name: &'static str,
    /// The name of the backend that runs; empty for peers.
    pub backend: &'static str,
    forced: bool,
}

impl Contender {
    pub fn is_ours(&self) -> bool {
        self.name == OURS
    }

    pub fn label(&self) -> String {
        match self.forced {
            true => format!("{}:{}", self.name, self.backend),
            false => self.name.to_owned(),
        }
    }

    /// Measures the time of hashing the messages `times` times, with warm caches.
    fn time(
        &self,
        table: &mut [Implementation],
        messages: &[&[u8]],
        times: u32,
        round: usize,
    ) -> Result<Duration, Error> {
        backend::force(self.forced.then_some(self.backend))?;
        let run = &mut table[self.row].run;
        Ok(deeper(round % PLACES, &mut || {
            run.run(messages, 1);
            let start = Instant::now();
            run.run(messages, times);
            start.elapsed()
        }))
    }
}

/// Calls `run` about 300 bytes deeper in the stack per level.
///
/// Speed can depend on the position of the stack in its page, for example when a load seems to
/// depend on an earlier store because their addresses have the same low 12 bits. In one process of
/// ten, blake2b_simd's BLAKE2bp ran at 1.4 instead of 2.6 GB/s from beginning to end. So each round
/// uses another position.
#[inline(never)]
fn deeper(levels: usize, run: &mut dyn FnMut() -> Duration) -> Duration {
    let place = black_box([0u8; 208]);
    let time = if levels == 0 { run() } else { deeper(levels - 1, run) };
    black_box(&place);
    time
}

/// A speed in GB/s, or in million iterations a second.
#[derive(Clone, Copy)]
pub struct Figure {
    pub best: f64,
    pub median: f64,
}

pub fn contenders(
    table: &[Implementation],
    task: Task,
    algorithm: Subject,
    backends: &[&'static str],
) -> Vec<Contender> {
    let mut contenders = Vec::new();
    for (row, implementation) in table.iter().enumerate() {
        if implementation.algorithm != algorithm || !implementation.tasks.contains(&task) {
            continue;
        }
        let name = implementation.name;
        if name != OURS {
            contenders.push(Contender { row, name, backend: "", forced: false });
            continue;
        }
        let backend = chosen(task, algorithm);
        contenders.push(Contender { row, name, backend, forced: false });
        for &backend in backends {
            if usable(task, algorithm).any(|info| info.name == backend) {
                contenders.push(Contender { row, name, backend, forced: true });
            }
        }
    }
    contenders
}

/// Returns the number of lanes that a tree's leaves fill.
fn leaves(algorithm: Subject) -> Option<usize> {
    match algorithm.algorithm() {
        Some(Algorithm::Blake2bp) => Some(4),
        Some(Algorithm::Blake2sp) => Some(8),
        _ => None,
    }
}

/// Returns the backends that the task can use on this CPU, best first.
fn usable(task: Task, algorithm: Subject) -> impl Iterator<Item = Info> {
    let leaves = leaves(algorithm);
    algorithm.algorithm().into_iter().flat_map(Algorithm::backends).filter(move |info| {
        let any_lanes = task.is_many() && leaves.is_none();
        info.available && (any_lanes || info.lanes == 1 || Some(info.lanes) == leaves)
    })
}

/// Returns the name of the backend that the library chooses for the task.
fn chosen(task: Task, algorithm: Subject) -> &'static str {
    let leaves = leaves(algorithm);
    usable(task, algorithm)
        .find(|info| match leaves {
            Some(leaves) => info.lanes == leaves,
            None if task.is_many() => info.many,
            None => info.one,
        })
        .or_else(|| usable(task, algorithm).find(|info| info.one))
        .map_or("", |info| info.name)
}

/// > check that all give the same digests;
/// > for each implementation: find how many repetitions make a sample;
/// > for each round: for each implementation: take a sample.
pub fn measure(
    table: &mut [Implementation],
    contenders: &[Contender],
    (messages, amount): (&[&[u8]], f64),
    rounds: u32,
) -> Result<Vec<Figure>, String> {
    let fail = |error: Error| error.to_string();
    let mut expected: Option<(String, Vec<u8>)> = None;
    for contender in contenders {
        backend::force(contender.forced.then_some(contender.backend)).map_err(fail)?;
        let digests = table[contender.row].run.digests(messages);
        match &expected {
            _ if table[contender.row].another => {}
            None => expected = Some((contender.label(), digests)),
            Some((other, expected)) if *expected != digests => {
                let (label, length) = (contender.label(), messages[0].len());
                return Err(format!("{other} and {label} disagree on messages of {length} bytes"));
            }
            Some(_) => {}
        }
    }

    let mut times = vec![1; contenders.len()];
    for (contender, times) in contenders.iter().zip(&mut times) {
        loop {
            let time = contender.time(table, messages, *times, 0).map_err(fail)?;
            if time >= SAMPLE / 4 {
                *times = (*times as f64 * SAMPLE.as_secs_f64() / time.as_secs_f64()).ceil() as u32;
                break;
            }
            *times *= 2;
        }
    }

    let mut samples = vec![Vec::new(); contenders.len()];
    for round in 0..rounds as usize {
        // Each round starts with another contender, so that none always follows the same one.
        for i in 0..contenders.len() {
            let i = (i + round) % contenders.len();
            let time = contenders[i].time(table, messages, times[i], round).map_err(fail)?;
            samples[i].push(amount * f64::from(times[i]) / time.as_secs_f64());
        }
    }
    backend::force(None).map_err(fail)?;
    Ok(samples
        .into_iter()
        .map(|mut samples| {
            samples.sort_by(f64::total_cmp);
            Figure { best: samples[samples.len() - 1], median: samples[samples.len() / 2] }
        })
        .collect())
}
