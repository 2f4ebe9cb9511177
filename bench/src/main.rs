//! Measures hashmill beside other libraries in one run, see README.md.

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
use hashmill::{Shake128, backend};
use implementations::Subject;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Task {
    /// One message
    One,
    /// One message that begins with the digest of the one before it
    Chain,
    /// One message in pieces of this length, 4 KiB in all
    Update,
    /// This much output
    Squeeze,
    /// 1 MiB in all of messages of one length
    Many,
    /// Two messages
    #[value(name = "many-2")]
    Two,
    /// Four messages
    #[value(name = "many-4")]
    Four,
    /// Six messages
    #[value(name = "many-6")]
    Six,
    /// 1 MiB in all of messages of lengths that are uniform in 0 to twice this
    Uniform,
    /// 1 MiB in all of messages of lengths whose logarithms are normal, with this median
    Lognormal,
    /// Sixteen hashers, each with a piece of this length
    UpdateMany,
    /// As many, on two threads
    Threads,
    /// One message, a new key each time
    Hmac,
    /// One message, a key prepared before
    HmacPrepared,
    /// 1 MiB in all of messages of one length, a key prepared before
    HmacMany,
    /// HKDF: a key of 32 bytes from a pseudorandom key and an info of this length
    HkdfExpand,
    /// HKDF with extraction
    Hkdf,
    /// The root of a tree over 32,768 leaves
    Merkle,
    /// Bitcoin's root of 4,000 identifiers
    Bitcoin,
    /// PBKDF2 of one password: million iterations a second
    Pbkdf2,
    /// PBKDF2 of sixteen passwords: million iterations a second
    #[value(name = "pbkdf2-16")]
    Pbkdf2Many,
}

/// PBKDF2's iterations.
pub const ITERATIONS: u32 = 100;

impl Task {
    /// Returns the name on the command line and in the record.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    pub fn title(self, algorithm: Subject) -> String {
        match self {
            Task::One => format!("{algorithm}, one message"),
            Task::Chain => format!("{algorithm}, one message after the other"),
            Task::Update => format!("{algorithm}, 4 KiB in pieces"),
            Task::Squeeze => format!("{algorithm}, output"),
            Task::Many => format!("{algorithm}, many messages"),
            Task::Two => format!("{algorithm}, two messages"),
            Task::Four => format!("{algorithm}, four messages"),
            Task::Six => format!("{algorithm}, six messages"),
            Task::Uniform => format!("{algorithm}, many messages, uniform lengths"),
            Task::Lognormal => format!("{algorithm}, many messages, lognormal lengths"),
            Task::UpdateMany => format!("{algorithm}, sixteen hashers"),
            Task::Threads => format!("{algorithm}, two threads"),
            Task::Hmac => format!("HMAC-{algorithm}, one message, new key"),
            Task::HmacPrepared => format!("HMAC-{algorithm}, one message, prepared key"),
            Task::HmacMany => format!("HMAC-{algorithm}, many messages, prepared key"),
            Task::HkdfExpand => format!("HKDF-{algorithm}, expand to 32 bytes"),
            Task::Hkdf => format!("HKDF-{algorithm}, extract and expand to 32 bytes"),
            Task::Merkle => format!("{algorithm}, tree of 32,768 leaves"),
            Task::Bitcoin => format!("{algorithm} twice, Bitcoin's root of 4,000 identifiers"),
            Task::Pbkdf2 => format!("PBKDF2-{algorithm}, one password, M iterations/s"),
            Task::Pbkdf2Many => format!("PBKDF2-{algorithm}, sixteen passwords, M iterations/s"),
        }
    }

    /// Whether lanes can be of use.
    pub fn is_many(self) -> bool {
        use Task::*;
        let one = [One, Chain, Update, Squeeze, Hmac, HmacPrepared, HkdfExpand, Hkdf, Pbkdf2];
        !one.contains(&self)
    }

    fn lengths(self) -> &'static [usize] {
        match self {
            Task::One => &[1, 8, 20, 32, 55, 64, 100, 130, 256, KIB, 8 * KIB, 16 * KIB, MIB],
            Task::Chain => &[32, 64],
            Task::Update => &[1, 7, 64, 100],
            Task::Squeeze => &[168, 64 * 168],
            Task::Many | Task::HmacMany => &[32, 64, 256, KIB, 8 * KIB],
            Task::Two | Task::Four | Task::Six | Task::UpdateMany => &[64, KIB],
            Task::Uniform => &[24, 1000],
            Task::Lognormal => &[200],
            Task::Threads => &[KIB, MIB],
            Task::Hmac | Task::HmacPrepared => &[8, 32, 64, 256, KIB, 8 * KIB],
            Task::HkdfExpand | Task::Hkdf => &[16],
            Task::Merkle | Task::Bitcoin => &[32],
            Task::Pbkdf2 | Task::Pbkdf2Many => &[8],
        }
    }

    /// Splits `data` into the messages of this task.
    fn messages(self, data: &[u8], length: usize) -> Vec<&[u8]> {
        let few = |count| data.chunks_exact(length).take(count).collect();
        match self {
            Task::Two => few(2),
            Task::Four => few(4),
            Task::Six => few(6),
            Task::UpdateMany | Task::Pbkdf2Many => few(16),
            Task::Merkle => few(32_768),
            Task::Bitcoin => few(4000),
            Task::Update => data[..4 * KIB].chunks(length).collect(),
            Task::Many | Task::HmacMany | Task::Threads => data.chunks_exact(length).collect(),
            Task::Uniform => ragged(data, |uniform, _| (2 * length) as f64 * uniform),
            // A standard deviation of 1: two thirds of the lengths are within a factor of e.
            Task::Lognormal => ragged(data, |_, normal| length as f64 * normal.exp()),
            _ => few(1),
        }
    }

    /// Returns the amount of work: billion bytes, or million iterations.
    fn amount(self, messages: &[&[u8]]) -> f64 {
        match self {
            Task::Pbkdf2 | Task::Pbkdf2Many => messages.len() as f64 * f64::from(ITERATIONS) / 1e6,
            _ => messages.iter().map(|message| message.len()).sum::<usize>() as f64 / 1e9,
        }
    }
}

/// Splits all of `data` into messages. `length` computes each length from a uniform and a normal
/// random number, which are the same in every run.
fn ragged(mut data: &[u8], length: impl Fn(f64, f64) -> f64) -> Vec<&[u8]> {
    let mut random = Shake128::new().update(b"lengths").squeeze();
    let mut uniform = || {
        let mut bytes = [0; 4];
        random.fill(&mut bytes);
        f64::from(u32::from_le_bytes(bytes)) / 2f64.powi(32)
    };
    let mut messages = Vec::new();
    while !data.is_empty() {
        // The sum of twelve uniform numbers is nearly normal, except far from the mean.
        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let (message, rest) = data.split_at((length(uniform(), normal) as usize).min(data.len()));
        messages.push(message);
        data = rest;
    }
    messages
}

pub const KIB: usize = 1024;
pub const MIB: usize = 1024 * KIB;
/// Total length of a batch in bytes, and greatest length of a message.
const TOTAL: usize = MIB;
const PAGE: usize = 4096;

/// Measures hashmill and other libraries in one run: GB/s of message, one thread, best of all
/// rounds.
#[derive(Parser)]
#[command(name = "bench")]
struct Options {
    /// Only this task
    #[arg(short, long = "task", value_delimiter = ',')]
    tasks: Vec<Task>,
    /// Only this algorithm, under any of its names
    #[arg(short, long = "algorithm", value_name = "NAME", value_delimiter = ',')]
    algorithms: Vec<Subject>,
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
    /// Only draw: the README's pictures, from this record; a run of everything draws them, too
    #[arg(long, value_name = "FILE.csv")]
    pictures: Option<PathBuf>,
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
    if let Some(record) = &options.pictures {
        return plot::pictures(record);
    }
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

    rayon::ThreadPoolBuilder::new().num_threads(2).build_global()?;
    // Every implementation reads the same bytes at the same place, the beginning of a page.
    let mut buffer = vec![0; TOTAL + PAGE];
    let start = buffer.as_ptr().align_offset(PAGE);
    let data = &mut buffer[start..][..TOTAL];
    Shake128::new().squeeze().fill(data);

    println!(
        "{}, GB/s of message, best of {rounds}; in brackets ours ÷ the best peer",
        options.machine
    );
    let mut groups = Vec::new();
    for &task in Task::value_variants() {
        if !options.tasks.is_empty() && !options.tasks.contains(&task) {
            continue;
        }
        for algorithm in Subject::all() {
            let contenders = measure::contenders(&table, task, algorithm, &backends);
            if contenders.is_empty() {
                continue;
            }
            let mut group = report::Group::new(task, algorithm, &contenders);
            group.print_head();
            for &length in if lengths.is_empty() { task.lengths() } else { &lengths } {
                let messages = task.messages(data, length);
                let amount = task.amount(&messages);
                let figures =
                    measure::measure(&mut table, &contenders, (&messages, amount), rounds)?;
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
        // Only a full run has all points of the curves.
        if options.tasks.is_empty()
            && options.algorithms.is_empty()
            && lengths.is_empty()
            && options.peers.is_empty()
        {
            plot::pictures(&file)?;
        }
    }
    if let Some(file) = &options.plot {
        plot::draw(file, &options.machine, &groups)?;
        println!("drawn in {}", file.display());
    }
    Ok(())
}
