//! `hashmill check`: files against lists, whoever wrote them.

use crate::commands::{algorithms_of, files_of};
use crate::console::{Console, Failure};
use crate::digest::{Algorithm, Digest};
use crate::encoding::Encoding;
use crate::input::Digester;
use crate::other::Other;
use crate::quote::unescape_line;
use crate::verify::{self, Entry, Format, Report, Verbosity};
use clap::ArgMatches;
use std::collections::BTreeSet;

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let named = algorithms_of(console, matches)?;
    let report = Report {
        verbosity: [
            ("quiet", Verbosity::Quiet),
            ("status", Verbosity::Status),
            ("warn", Verbosity::Warn),
        ]
        .into_iter()
        .find_map(|(name, verbosity)| matches.get_flag(name).then_some(verbosity))
        .unwrap_or_default(),
        strict: matches.get_flag("strict"),
        ignore_missing: matches.get_flag("ignore-missing"),
    };
    let mut digester = Digester::new();
    let mut well = true;
    for list in files_of(matches) {
        well &= verify::list(console, &mut digester, &list, &mut Any::new(&named), &report)?;
    }
    Ok(well)
}

/// Lines in any of the usual formats:
///
/// ```text
/// ba7816bf8f01cfea...  name            two blanks, or a blank and an asterisk
/// ba7816bf8f01cfea... name             one blank: BSD's reversed format
/// SHA256 (name) = ba7816bf8f01cfea...
/// SHA2-256(name)= ba7816bf8f01cfea...  as OpenSSL writes it
/// ```
///
/// in hexadecimal or base64; the algorithm by any of its names.
struct Any<'a> {
    /// What an untagged line can be, if the user said.
    named: &'a [Digest],
    /// What untagged lines were taken for otherwise.
    guessed: BTreeSet<String>,
    /// Whether an untagged line with one blank came first: then blanks that follow are of the name.
    reversed: Option<bool>,
    first_line: bool,
}

impl<'a> Any<'a> {
    fn new(named: &'a [Digest]) -> Any<'a> {
        Any { named, guessed: BTreeSet::new(), reversed: None, first_line: true }
    }

    fn tagged(line: &[u8]) -> Option<Entry> {
        let open = line.iter().position(|&byte| byte == b'(')?;
        let close = line.iter().rposition(|&byte| byte == b')').filter(|&close| close > open)?;
        let tag = str::from_utf8(line[..open].trim_ascii()).ok()?;
        let digest: Digest = tag.parse().ok()?;
        let text = line[close + 1..].trim_ascii().strip_prefix(b"=")?.trim_ascii_start();
        let (digest, encoding) = match digest.encoding_of(text) {
            Some(encoding) => (digest, encoding),
            // OpenSSL does not write the length of SHAKE's output.
            None => {
                let algorithm: Algorithm =
                    tag.parse().ok().filter(|algorithm: &Algorithm| algorithm.is_xof())?;
                let len = Encoding::Hex.decoded_len(text)?;
                (Digest::with_bits(algorithm, 8 * len)?, Encoding::Hex)
            }
        };
        Some(Entry {
            digests: vec![digest],
            text: text.to_vec(),
            encoding,
            name: line[open + 1..close].to_vec(),
        })
    }

    fn untagged(&mut self, line: &[u8]) -> Option<Entry> {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
        let (text, rest) = (&line[..end], &line[end + 1..]);
        let (digests, encoding) = self.meanings(text)?;
        let name = match rest {
            [] => return None,
            [b' ' | b'*', name @ ..] if !name.is_empty() && self.reversed != Some(true) => {
                self.reversed = Some(false);
                name
            }
            name => {
                self.reversed.get_or_insert(true);
                name
            }
        };
        if self.named.is_empty() {
            let names: Vec<_> = digests.iter().map(Digest::to_string).collect();
            self.guessed.insert(names.join(" or "));
        }
        Some(Entry { digests, text: text.to_vec(), encoding, name: name.to_vec() })
    }

    /// The digests that an untagged text can be.
    fn meanings(&self, text: &[u8]) -> Option<(Vec<Digest>, Encoding)> {
        [Encoding::Hex, Encoding::Base64].into_iter().find_map(|encoding| {
            let len = encoding.decoded_len(text)?;
            let digests: Vec<Digest> = match self.named {
                [] => guesses(len).into_iter().map(Digest::of).collect(),
                named => named.iter().filter(|digest| digest.len() == len).cloned().collect(),
            };
            (!digests.is_empty()).then_some((digests, encoding))
        })
    }
}

/// The algorithms whose untagged lists are common, by the digest's length in bytes.
fn guesses(len: usize) -> Vec<Algorithm> {
    use hashmill::Algorithm::*;
    match len {
        16 => vec![Other::Md5.into()],
        20 => vec![Other::Sha1.into()],
        28 => vec![Sha224.into()],
        32 => vec![Sha256.into()],
        48 => vec![Sha384.into()],
        64 => vec![Sha512.into(), Blake2b.into()],
        _ => vec![],
    }
}

impl Format for Any<'_> {
    fn parse(&mut self, line: &[u8]) -> Option<Entry> {
        let byte_order_mark: &[u8] = if self.first_line { b"\xef\xbb\xbf" } else { b"" };
        self.first_line = false;
        let line = line.strip_prefix(byte_order_mark).unwrap_or(line).trim_ascii_start();
        let (line, escaped) = match line.strip_prefix(b"\\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let mut entry = Any::tagged(line).or_else(|| self.untagged(line))?;
        if escaped {
            entry.name = unescape_line(&entry.name)?;
        }
        (!entry.name.contains(&0)).then_some(entry)
    }

    fn label(&self) -> String {
        String::new()
    }

    fn note(&mut self) -> Option<String> {
        let guessed: Vec<_> = std::mem::take(&mut self.guessed).into_iter().collect();
        (!guessed.is_empty()).then(|| {
            format!("lines without an algorithm's name were taken for {}", guessed.join(", "))
        })
    }
}
