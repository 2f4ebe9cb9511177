//! `hashmill list`: shows the algorithms and the backends that they run on.

use crate::hashing::algorithm::AnyAlgorithm;
use crate::hashing::many;
use crate::terminal::console::{Console, Failure};
use crate::text::columns::aligned;
use crate::text::table::{Field, Options, Row, options};
use hashmill::backend::{self, Info};
use std::time::{Duration, Instant};

options! {
    /// Show the algorithms
    pub struct Arguments {
        /// Show each algorithm's backends: which ones this CPU can run, which are in use
        backends: bool,
        /// Also measure the backends, in GB/s: one message, or many messages in lanes
        speed: bool,
    }
    |command| command.after_help(AFTER_HELP)
}

const AFTER_HELP: &str = "\
Examples:
  hashmill list
  hashmill list --backends  # of each algorithm on this CPU
  hashmill list --speed     # … and the speed of each
  HASHMILL_BACKEND=portable hashmill list --backends";

pub fn run(console: &mut Console, arguments: &Arguments) -> Result<bool, Failure> {
    let table = match arguments.speed || arguments.backends {
        true => backends(arguments.speed),
        false => algorithms(),
    };
    console.print(table).map(|()| true)
}

fn algorithms() -> String {
    let heading = ["NAME", "TAG", "OUTPUT BITS", "BLOCK BITS", "STANDARD", "INTERFACES"];
    let rows = AnyAlgorithm::all().map(|algorithm| {
        let facts = algorithm.facts();
        let bits = 8 * facts.output_len;
        let interfaces = match algorithm {
            AnyAlgorithm::Ours(ours) if ours.is_xof() => "one many stream state xof",
            AnyAlgorithm::Ours(ours) if ours.has_hmac() => "one many stream state hmac",
            AnyAlgorithm::Ours(_) => "one many stream state",
            AnyAlgorithm::Foreign(_) if algorithm.is_xof() => "stream xof",
            AnyAlgorithm::Foreign(_) => "stream",
        };
        vec![
            facts.name.to_owned(),
            facts.tag.to_owned(),
            if algorithm.is_xof() { format!("any, {bits}") } else { bits.to_string() },
            (8 * facts.block_len).to_string(),
            facts.standard.to_owned(),
            interfaces.to_owned(),
        ]
    });
    aligned(&heading, rows.collect())
}

/// Returns a table of the backends; with `measured` its last column is their speed in GB/s.
fn backends(measured: bool) -> String {
    let heading = ["NAME", "BACKEND", "LANES", "THIS CPU", "ONE MESSAGE", "MANY", "GB/S"];
    let heading = if measured { &heading[..] } else { &heading[..6] };
    // Which ones are in use is asked before a measurement changes it.
    let all: Vec<(hashmill::Algorithm, Info)> = hashmill::Algorithm::ALL
        .iter()
        .flat_map(|&algorithm| algorithm.backends().map(move |backend| (algorithm, backend)))
        .collect();
    let rows = all.into_iter().map(|(algorithm, backend)| {
        let chosen = |chosen: bool| if chosen { "used" } else { "" };
        let mut row = vec![
            algorithm.name().to_owned(),
            backend.name.to_owned(),
            backend.lanes.to_string(),
            if backend.available { "yes" } else { "no" }.to_owned(),
            chosen(backend.one).to_owned(),
            chosen(backend.many).to_owned(),
        ];
        if measured {
            let speed = backend.available.then(|| speed(algorithm, backend)).flatten();
            row.push(speed.map_or_else(String::new, |speed| format!("{speed:.3}")));
        }
        row
    });
    aligned(heading, rows.collect())
}

/// Measures a backend and returns its speed in GB/s. It hashes one message of 1 MiB or, if the
/// backend has several lanes, 64 messages of 16 KiB, repeatedly for 40 ms, and counts the fastest
/// repetition.
fn speed(algorithm: hashmill::Algorithm, on: Info) -> Option<f64> {
    const TOTAL: usize = 1 << 20;
    backend::force(Some(on.name)).ok()?;
    let data = vec![0x5A; TOTAL];
    let messages: Vec<&[u8]> = data.chunks(if on.lanes == 1 { TOTAL } else { 1 << 14 }).collect();
    let mut digests = vec![algorithm.hash(b""); messages.len()];
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_millis(40) {
        let begin = Instant::now();
        many::hash(&algorithm.hasher(), &messages, &mut digests);
        best = best.min(begin.elapsed());
    }
    Some(TOTAL as f64 / best.as_secs_f64() / 1e9)
}
