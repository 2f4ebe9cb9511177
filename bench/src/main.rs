//! hashmill beside other libraries, in one run: see README.md.

#![forbid(unsafe_code)]

mod implementations;
mod machine;
mod measure;
#[cfg(feature = "old")]
mod old;
mod plot;
mod report;
mod targets;

use clap::{Parser, ValueEnum};
use hashmill::{Algorithm, Shake128, backend};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Task {
    /// One message
    One,
    /// 1 MiB in all of messages of one length
    Many,
    /// One message, a new key each time
    Hmac,
    /// One message, a key prepared before
    HmacPrepared,
    /// 1 MiB in all of messages of one length, a key prepared before
    HmacMany,
}

impl Task {
    /// As on the command line and in the record.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    pub fn title(self, algorithm: Algorithm) -> String {
        match self {
            Task::One => format!("{algorithm}, one message"),
            Task::Many => format!("{algorithm}, many messages"),
            Task::Hmac => format!("HMAC-{algorithm}, one message, new key"),
            Task::HmacPrepared => format!("HMAC-{algorithm}, one message, prepared key"),
            Task::HmacMany => format!("HMAC-{algorithm}, many messages, prepared key"),
        }
    }

    pub fn is_many(self) -> bool {
        matches!(self, Task::Many | Task::HmacMany)
    }

    fn lengths(self) -> &'static [usize] {
        const LENGTHS: &[usize] = &[32, 64, 256, KIB, 8 * KIB, MIB];
        if self.is_many() { &LENGTHS[..5] } else { LENGTHS }
    }
}

pub const KIB: usize = 1024;
pub const MIB: usize = 1024 * KIB;
/// The bytes of many messages together, and the longest message.
const TOTAL: usize = MIB;
const PAGE: usize = 4096;

/// Measures hashmill and other libraries in one run: GB/s of message, one thread, best of all rounds.
#[derive(Parser)]
#[command(name = "bench")]
struct Options {
    /// Only this task
    #[arg(short, long = "task", value_delimiter = ',')]
    tasks: Vec<Task>,
    /// Only this algorithm, under any of its names
    #[arg(short, long = "algorithm", value_name = "NAME", value_delimiter = ',')]
    algorithms: Vec<Algorithm>,
    /// Messages of this many bytes
    #[arg(short, long = "length", value_name = "BYTES", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=TOTAL as i64))]
    lengths: Vec<u32>,
    /// Beside this library only
    #[arg(short, long = "peer", value_name = "NAME", value_delimiter = ',')]
    peers: Vec<String>,
    /// Run ours with this backend, too
    #[arg(short, long = "backend", value_name = "NAME", value_delimiter = ',',
        value_parser = clap::builder::PossibleValuesParser::new(backend::names()))]
    backends: Vec<String>,
    /// Run ours with every backend that this CPU can run
    #[arg(long)]
    all_backends: bool,
    /// How often each implementation is measured
    #[arg(short, long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Three rounds, and no record: a first look
    #[arg(short, long, conflicts_with = "rounds")]
    quick: bool,
    /// Do not add the figures to the record
    #[arg(long)]
    no_record: bool,
    /// This machine's name in the record
    #[arg(long, value_name = "NAME", default_value_t = machine::name())]
    machine: String,
    /// Draw the figures
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let rounds = if options.quick { 3 } else { options.rounds };
    let is_wanted = |name: &str| options.all_backends || options.backends.iter().any(|b| b == name);
    let backends: Vec<&'static str> = backend::names().filter(|name| is_wanted(name)).collect();
    let lengths: Vec<usize> = options.lengths.iter().map(|&length| length as usize).collect();
    let mut table = implementations::table();
    #[cfg(feature = "old")]
    table.extend(old::rows());
    for peer in &options.peers {
        if !table.iter().any(|row| row.name == peer) {
            return Err(format!("no peer is called {peer}").into());
        }
    }
    table.retain(|row| {
        (options.algorithms.is_empty() || options.algorithms.contains(&row.algorithm))
            && (options.peers.is_empty()
                || row.name == implementations::OURS
                || options.peers.iter().any(|peer| peer == row.name))
    });

    // Every implementation reads the same bytes at the same place, which begins a page.
    let mut buffer = vec![0; TOTAL + PAGE];
    let start = buffer.as_ptr().align_offset(PAGE);
    let data = &mut buffer[start..][..TOTAL];
    Shake128::new().finalize_xof().fill(data);

    println!("{}, GB/s, best of {rounds}; in brackets ours ÷ the best peer", options.machine);
    let mut groups = Vec::new();
    for &task in Task::value_variants() {
        if !options.tasks.is_empty() && !options.tasks.contains(&task) {
            continue;
        }
        for &algorithm in Algorithm::ALL {
            let contenders = measure::contenders(&table, task, algorithm, &backends);
            if contenders.is_empty() {
                continue;
            }
            let mut group = report::Group::new(task, algorithm, &contenders);
            group.print_head();
            for &length in if lengths.is_empty() { task.lengths() } else { &lengths } {
                let messages: Vec<&[u8]> = match task.is_many() {
                    true => data.chunks_exact(length).collect(),
                    false => vec![&data[..length]],
                };
                let figures = measure::measure(&mut table, &contenders, &messages, rounds)?;
                group.print_row(length, figures);
            }
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return Err("the table of implementations has nothing of that kind".into());
    }
    report::print_summary(&groups);
    if !options.quick && !options.no_record {
        let file = report::record(&options.machine, rounds, &groups)?;
        println!("added to {}", file.display());
    }
    if let Some(file) = &options.plot {
        plot::draw(file, &options.machine, &groups)?;
        println!("drawn in {}", file.display());
    }
    Ok(())
}
