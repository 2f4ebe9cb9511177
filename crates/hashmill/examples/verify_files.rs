//! Checks the files in a list that sha256sum wrote. Many small files are hashed at a time, in SIMD
//! lanes.
//!
//!     find . -type f -exec sha256sum {} + > /tmp/SHA256SUMS
//!     cargo run --release --example verify_files -- /tmp/SHA256SUMS
//!
//! `hashmill check` also supports other algorithms and other list formats, and hashes files of any
//! size at full speed.

use clap::Parser;
use hashmill::{Digest, Sha256, many};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::ExitCode;

/// Check the files of a list as sha256sum writes it; the status is 1 if one is missing or different
#[derive(Parser)]
struct Options {
    /// The list; its names are relative to the working directory
    list: PathBuf,
}

/// The length in bytes up to which a file is hashed in a batch. A longer file is hashed alone.
const SMALL: u64 = 1 << 20;
/// The limits at which a batch is hashed: bytes, and files.
const BATCH_LEN: usize = 32 << 20;
const BATCH: usize = 4096;

fn main() -> ExitCode {
    let options = Options::parse();
    match File::open(&options.list).map(BufReader::new).and_then(Check::all_of) {
        Ok(check) => {
            check.bad.iter().for_each(|line| println!("{line}"));
            eprintln!("{} files as listed, {} not", check.good, check.bad.len());
            if check.bad.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("verify_files: {}: {error}", options.list.display());
            ExitCode::from(2)
        }
    }
}

/// A line of the list: a file's name and its expected digest.
struct Entry {
    name: String,
    digest: Digest<32>,
}

#[derive(Default)]
struct Check {
    good: usize,
    /// One line for each file that is missing, unreadable or different.
    bad: Vec<String>,
    /// The small files whose digests are not computed yet, and their contents.
    waiting: Vec<Entry>,
    contents: Vec<Vec<u8>>,
    contents_len: usize,
}

impl Check {
    fn all_of(list: impl BufRead) -> io::Result<Check> {
        let mut check = Check::default();
        for (number, line) in (1..).zip(list.lines()) {
            let entry = parse(&line?).ok_or_else(|| {
                io::Error::other(format!("line {number} is not a digest and a name"))
            })?;
            check.read(entry);
            if check.waiting.len() == BATCH || check.contents_len >= BATCH_LEN {
                check.hash_waiting();
            }
        }
        check.hash_waiting();
        Ok(check)
    }

    fn read(&mut self, entry: Entry) {
        let opened = File::open(&entry.name).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((len, mut file)) if len <= SMALL => {
                let mut bytes = Vec::with_capacity(len as usize);
                match file.read_to_end(&mut bytes) {
                    Ok(len) => {
                        self.contents_len += len;
                        self.contents.push(bytes);
                        self.waiting.push(entry);
                    }
                    Err(error) => self.judge(&entry, Err(error)),
                }
            }
            Ok((_, file)) => {
                let mut hasher = Sha256::new();
                let digest = hasher.update_reader(file).map(|_| hasher.finalize());
                self.judge(&entry, digest);
            }
            Err(error) => self.judge(&entry, Err(error)),
        }
    }

    fn hash_waiting(&mut self) {
        let mut digests = vec![Digest::default(); self.contents.len()];
        many::hash::<Sha256>(&self.contents, &mut digests).expect("a digest for each");
        for (entry, digest) in std::mem::take(&mut self.waiting).iter().zip(digests) {
            self.judge(entry, Ok(digest));
        }
        self.contents.clear();
        self.contents_len = 0;
    }

    fn judge(&mut self, entry: &Entry, digest: io::Result<Digest<32>>) {
        match digest {
            Ok(digest) if digest == entry.digest => self.good += 1,
            Ok(_) => self.bad.push(format!("{}: the digest differs", entry.name)),
            Err(error) => self.bad.push(format!("{}: {error}", entry.name)),
        }
    }
}

/// Parses a line as sha256sum writes it: digest, space, space or asterisk, name. The line begins
/// with a backslash if the name contains characters that are escaped as `\\`, `\n` and `\r`.
fn parse(line: &str) -> Option<Entry> {
    let (line, escaped) = match line.strip_prefix('\\') {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (digest, name) = line.split_at_checked(64)?;
    let name = name.strip_prefix("  ").or_else(|| name.strip_prefix(" *"))?;
    let name = match escaped {
        true => unescape(name)?,
        false => name.to_owned(),
    };
    Some(Entry { name, digest: digest.parse().ok()? })
}

fn unescape(name: &str) -> Option<String> {
    let mut characters = name.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut list = String::new();
        for i in 0..BATCH + 100 {
            let file = folder.path().join(format!("{i}"));
            let len = if i == 7 { SMALL as usize + 1 } else { i % 300 };
            std::fs::write(&file, vec![i as u8; len]).expect("written");
            let digest = hashmill::sha256(vec![i as u8; len]);
            list += &format!("{digest}  {}\n", file.display());
        }
        std::fs::write(folder.path().join("9"), "changed").expect("written");
        std::fs::remove_file(folder.path().join("50")).expect("removed");
        let check = Check::all_of(list.as_bytes()).expect("a list");
        assert_eq!(check.good, BATCH + 98);
        assert!(check.bad[0].contains("50: "), "{:?}", check.bad);
        assert!(check.bad[1].ends_with("9: the digest differs"), "{:?}", check.bad);
        assert!(Check::all_of(&b"no digest\n"[..]).is_err());
    }

    #[test]
    fn names() {
        let name = |line: &str| parse(line).map(|entry| entry.name);
        let digest = hashmill::sha256(b"");
        assert_eq!(name(&format!("{digest}  a b")).as_deref(), Some("a b"));
        assert_eq!(name(&format!("{digest} *a\\n")).as_deref(), Some("a\\n"));
        assert_eq!(name(&format!("\\{digest}  a\\nb")).as_deref(), Some("a\nb"));
        assert_eq!(name(&format!("{digest} a")), None);
        assert_eq!(name(""), None);
    }
}
