//! The output of `gpg --print-md`, as Apache publishes it: a name, and a digest in groups of
//! hexadecimal digits, which may be folded.
//!
//! ```text
//! f: CA978112 CA1BBDCA FAC231B3 9A23DC4D A786EFF8 147C4E72 B9807785 AFEE48BB
//! f: SHA384 = 54A59B9F 22B0B808 80D8427E 548B7C23 ABD87348 6E1F035D CE9CD697
//!             E8517503 3CAA88E6 D57BC35E FAE0B5AF D3145F31
//! a-long-name.tar.gz:
//! 1F40FC92 DA241694 750979EE 6CF582F2 D5D7D28E 18335DE0 5ABC54D0 560E0F53 02860C65
//!  2BF08D56 0252AA5E 74210546 F369FBBB CE8C12CF C7957B26 52FE9A75
//! ```

use crate::lists::entry::{Entry, Records};
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::{is_hex, words};

#[derive(Default)]
pub struct Folded {
    /// The record that was begun. Whether it is complete shows only in the next line.
    begun: Option<Record>,
}

/// A name, the name of an algorithm, and hexadecimal digits.
#[derive(Default)]
struct Record {
    name: Option<Vec<u8>>,
    algorithm: Option<String>,
    digits: Vec<u8>,
}

/// Returns the digits of a line that consists of at least two groups of them.
fn digits(line: &[u8]) -> Option<Vec<u8>> {
    groups(line, 2)
}

/// Returns the digits of a line that consists of groups of them: bytes for MD5, 16 bits for SHA-1,
/// 32 bits for the others.
fn groups(line: &[u8], least: usize) -> Option<Vec<u8>> {
    let groups: Vec<&[u8]> = words(line).collect();
    let len = groups.first()?.len();
    let is_line = groups.len() >= least && [2, 4, 8].contains(&len);
    let are_groups = is_line && groups.iter().all(|it| it.len() == len && is_hex(it));
    are_groups.then(|| groups.concat())
}

/// Parses the first line of a record. Its digits may be in the next line.
fn first(line: &[u8]) -> Option<Record> {
    if let Some(name) = line.trim_ascii_end().strip_suffix(b":").filter(|it| !it.is_empty()) {
        return Some(Record { name: Some(name.to_vec()), ..Record::default() });
    }
    let ends = line.windows(2).enumerate().filter(|(_, it)| it == b": ").map(|(at, _)| at);
    ends.filter(|&at| at > 0).find_map(|at| {
        let name = Some(line[..at].to_vec());
        let rest = &line[at + 2..];
        if let Some(digits) = digits(rest) {
            return Some(Record { name, algorithm: None, digits });
        }
        let equals = rest.windows(3).position(|it| it == b" = ")?;
        let algorithm = str::from_utf8(rest[..equals].trim_ascii()).ok()?.to_owned();
        let digits = digits(&rest[equals + 3..])?;
        Some(Record { name, algorithm: Some(algorithm), digits })
    })
}

impl Folded {
    pub fn is(lines: &[&[u8]]) -> bool {
        let mut lines = lines.iter().filter(|it| !it.trim_ascii().is_empty());
        let Some(line) = lines.next() else { return false };
        let mut has_digits = || lines.next().is_some_and(|line| digits(line).is_some());
        first(line).is_some_and(|it| !it.digits.is_empty() || has_digits())
            || digits(line).is_some_and(|it| it.len() >= 32)
    }
}

impl Record {
    fn entry(self, context: &Context) -> Option<Entry> {
        let expected = match &self.algorithm {
            Some(algorithm) => context.meaning.tagged(algorithm, &self.digits)?,
            None => context.meaning.of(&self.digits)?,
        };
        match self.name {
            Some(name) => Some(expected.of_file(name)),
            None => context.nameless(expected),
        }
    }
}

impl Syntax for Folded {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let more = digits(line);
        if let Some(begun) = &mut self.begun {
            // The last line of a folded digest can have one group.
            let more = if line.starts_with(b" ") { groups(line, 1) } else { more.clone() };
            if let Some(more) = more.filter(|_| line.starts_with(b" ") || begun.digits.is_empty()) {
                begun.digits.extend(more);
                return vec![];
            }
        }
        let mut records = self.end(context);
        self.begun = first(line).or(more.map(|digits| Record { digits, ..Record::default() }));
        let is_other = self.begun.is_none() && !line.trim_ascii().is_empty();
        records.extend(is_other.then_some(None));
        records
    }

    /// RIPEMD-160, which `gpg --print-mds` writes beside others, is passed over.
    fn end(&mut self, context: &Context) -> Records {
        let record = self.begun.take().filter(|it| it.algorithm.as_deref() != Some("RMD160"));
        record.into_iter().map(|record| record.entry(context)).collect()
    }
}
