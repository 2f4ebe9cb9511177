//! Times functions of the library. `bin/compare.rs` builds this program in several profiles and
//! compares their times.
//!
//! Each line of the standard input is a task, an algorithm, the length of a message in bytes, and
//! how often to do it. The answer is the time of all of them in nanoseconds, or `-` if the
//! algorithm has no such task. The task `file` hashes the file that the argument names. The line
//! `algorithms` prints the names of all algorithms.

use hashmill::Algorithm;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

/// As many messages as fill the lanes of every backend several times.
const MANY: usize = 128;
const KEY: &[u8] = &[7; 32];

struct Row {
    algorithm: Algorithm,
    one: fn(&[u8]),
    stream: fn(&[u8]),
    many: fn(&[&[u8]], &mut [u8]),
    hmac: Option<fn(&[u8])>,
    file: fn(File) -> io::Result<u64>,
}

macro_rules! row {
    ($Hasher:ident, $one:expr, $finish:expr, $hmac:expr) => {
        Row {
            algorithm: Algorithm::$Hasher,
            one: |message| _ = black_box($one(message)),
            stream: |message| {
                let mut hasher = hashmill::$Hasher::new();
                for piece in message.chunks(100) {
                    hasher.update(piece);
                }
                $finish(&hasher);
            },
            many: |messages, out| {
                hashmill::many::hash::<hashmill::$Hasher>(messages, out).expect("a place for each");
            },
            hmac: $hmac,
            file: |file| {
                let mut hasher = hashmill::$Hasher::new();
                let count = hasher.update_reader(file)?;
                $finish(&hasher);
                Ok(count)
            },
        }
    };
}

macro_rules! fixed {
    ($Hasher:ident, $one:ident, $hmac:expr) => {
        row!(
            $Hasher,
            hashmill::$one,
            |hasher: &hashmill::$Hasher| _ = black_box(hasher.finalize()),
            $hmac
        )
    };
}

macro_rules! hmac {
    ($Hasher:ident) => {
        Some(|message| {
            let hmac = hashmill::Hmac::<hashmill::$Hasher>::new(black_box(KEY));
            _ = black_box(hmac.hash(message));
        })
    };
}

macro_rules! extendable {
    ($Hasher:ident, $one:ident) => {{
        fn digest(message: &[u8]) -> hashmill::Digest<32> {
            hashmill::$one(message)
        }
        row!(
            $Hasher,
            digest,
            |hasher: &hashmill::$Hasher| hasher.squeeze().fill(black_box(&mut [0; 32])),
            None
        )
    }};
}

macro_rules! rows {
    (
        fixed { $($Fixed:ident = $_code:literal, $fixed:ident, $_Function:ty $(, $_of_fixed:literal)?;)* }
        no_hmac { $($Bare:ident = $_bare_code:literal, $bare:ident, $_Bare:ty $(, $_of_bare:literal)?;)* }
        xof { $($Xof:ident = $_number:literal, $xof:ident, $_Type:ty $(, $_of_xof:literal)?;)* }
    ) => {
        &[$(fixed!($Fixed, $fixed, hmac!($Fixed)),)* $(fixed!($Bare, $bare, None),)* $(extendable!($Xof, $xof),)*]
    };
}

/// All functions of the library's list.
const ROWS: &[Row] = hashmill::functions!(rows);

fn main() -> io::Result<()> {
    let bytes: Vec<u8> = (0..1 << 20).map(|index: u32| ((index * 37) >> 3) as u8).collect();
    let mut answers = io::stdout().lock();
    for line in io::stdin().lines() {
        match line?.split(' ').collect::<Vec<_>>()[..] {
            [task, name, length, times] => {
                let number = |text: &str| text.parse::<usize>().expect("a number");
                let row =
                    ROWS.iter().find(|row| row.algorithm.name() == name).expect("an algorithm");
                match time(row, task, &bytes, number(length), number(times))? {
                    Some(nanoseconds) => writeln!(answers, "{nanoseconds}")?,
                    None => writeln!(answers, "-")?,
                }
            }
            _ => {
                let names: Vec<&str> = ROWS.iter().map(|row| row.algorithm.name()).collect();
                writeln!(answers, "{}", names.join(" "))?;
            }
        }
        answers.flush()?;
    }
    Ok(())
}

fn time(
    row: &Row,
    task: &str,
    bytes: &[u8],
    length: usize,
    times: usize,
) -> io::Result<Option<u128>> {
    let each = |function: fn(&[u8])| {
        let message = &bytes[..length];
        let start = Instant::now();
        (0..times).for_each(|_| function(black_box(message)));
        start.elapsed().as_nanos()
    };
    Ok(match task {
        "one" => Some(each(row.one)),
        "stream" => Some(each(row.stream)),
        "hmac" => row.hmac.map(each),
        "many" => {
            let messages: Vec<&[u8]> = (0..MANY).map(|index| &bytes[index..][..length]).collect();
            let mut out = vec![0; MANY * row.algorithm.output_len()];
            let start = Instant::now();
            (0..times).for_each(|_| (row.many)(black_box(&messages), black_box(&mut out)));
            Some(start.elapsed().as_nanos())
        }
        "file" => {
            let file = std::env::args_os().nth(1).expect("a file");
            let start = Instant::now();
            (row.file)(File::open(file)?)?;
            Some(start.elapsed().as_nanos())
        }
        _ => None,
    })
}
