//! Replaces a column of a CSV file by pseudonyms: HMAC-SHA-256 under a secret key, computed in SIMD
//! lanes. Equal values get equal pseudonyms, so that tables can still be joined. Without the key,
//! nobody can find a value by hashing guesses.
//!
//!     head -c 32 /dev/urandom > key
//!     cargo run --release --example pseudonymise -- --column email --key-file key people.csv > safe.csv

use clap::Parser;
use csv::{ByteRecord, ReaderBuilder, WriterBuilder};
use hashmill::many::indexed;
use hashmill::{Digest, Hmac, Sha256};
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Replace a column of a CSV file by HMAC-SHA-256 of its values, in hexadecimal
#[derive(Parser)]
struct Options {
    /// The column's name in the first line
    #[arg(short, long)]
    column: String,
    /// A file with the key: all its bytes, at least 16; without it the environment variable
    /// PSEUDONYM_KEY
    #[arg(short, long)]
    key_file: Option<PathBuf>,
    /// The CSV file, standard input if there is none
    file: Option<PathBuf>,
}

/// The number of records that are in memory at once.
const BATCH: usize = 4096;
/// The length in bytes of the shortest key that is accepted. A much shorter key can be found by
/// trying all keys.
const SHORTEST_KEY: usize = 16;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pseudonymise: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let key = match &options.key_file {
        Some(file) => std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?,
        None => std::env::var("PSEUDONYM_KEY")
            .map_err(|_| "no key: name a file with --key-file, or set PSEUDONYM_KEY")?
            .into_bytes(),
    };
    if key.len() < SHORTEST_KEY {
        return Err(format!("the key has {} bytes, fewer than {SHORTEST_KEY}", key.len()).into());
    }
    let hmac = Hmac::new(&key);
    let out = io::stdout().lock();
    match &options.file {
        Some(file) => {
            let opened = File::open(file).map_err(|e| format!("{}: {e}", file.display()))?;
            pseudonymise(opened, out, &options.column, &hmac)
        }
        None => pseudonymise(io::stdin().lock(), out, &options.column, &hmac),
    }
}

fn pseudonymise(
    csv: impl Read,
    out: impl Write,
    column: &str,
    hmac: &Hmac<Sha256>,
) -> Result<(), Box<dyn Error>> {
    let mut reader = ReaderBuilder::new().from_reader(csv);
    let mut writer = WriterBuilder::new().from_writer(out);
    let header = reader.byte_headers()?.clone();
    let column = (header.iter().position(|name| name == column.as_bytes()))
        .ok_or_else(|| format!("the first line names no column {column}"))?;
    writer.write_byte_record(&header)?;
    let mut records = reader.into_byte_records();
    loop {
        let batch: Vec<ByteRecord> = records.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            return Ok(writer.flush()?);
        }
        let values = indexed(batch.len(), |i| &batch[i][column]);
        let mut pseudonyms = vec![Digest::<32>::default(); batch.len()];
        hmac.hash_many(&values, &mut pseudonyms)?;
        for (record, pseudonym) in batch.iter().zip(&pseudonyms) {
            let pseudonym = pseudonym.to_string();
            let fields = record.iter().enumerate();
            writer.write_record(
                fields.map(|(i, field)| if i == column { pseudonym.as_bytes() } else { field }),
            )?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_and_nothing_else() {
        let hmac = Hmac::new(b"0123456789abcdef");
        let count = 2 * BATCH + 5;
        let name = |i: usize| format!("person {}", i % 1000);
        let mut csv = String::from("id,name,\"a, b\"\n");
        let mut expected = csv.clone();
        for i in 0..count {
            let tag = hmac.clone().update(name(i).as_bytes()).finalize();
            csv += &format!("{i},{},\"x\"\"{i}\"\n", name(i));
            expected += &format!("{i},{tag},\"x\"\"{i}\"\n");
        }
        let mut out = Vec::new();
        pseudonymise(csv.as_bytes(), &mut out, "name", &hmac).expect("good CSV");
        assert!(String::from_utf8(out) == Ok(expected));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let hmac = Hmac::new(b"0123456789abcdef");
        let message = |csv: &str, column: &str| {
            let error = pseudonymise(csv.as_bytes(), io::sink(), column, &hmac);
            error.expect_err("an error").to_string()
        };
        assert_eq!(message("id,name\n1,a\n", "email"), "the first line names no column email");
        assert!(message("id,name\n1,a\n2\n", "name").contains("line: 3"));
    }
}
