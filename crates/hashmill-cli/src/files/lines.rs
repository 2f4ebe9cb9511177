//! Reads a list line by line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Reads a list line by line.
pub struct Lines {
    reader: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    /// Whether the list is a regular file, whose lines can be read without waiting.
    regular: bool,
    /// The number of the last line that was read, from 1.
    number: u64,
    /// Whether the last line that was read ended with a newline.
    ended: bool,
    /// Whether the last call of `piece` returned a line only in part.
    inside: bool,
}

/// A line of a list, or a piece of one.
pub struct Line<'a> {
    pub text: &'a [u8],
    /// The number of the line, from 1.
    pub number: u64,
    /// Whether the text is the whole line.
    pub whole: bool,
}

/// The number of bytes that are read at once.
const BUFFER: usize = 64 << 10;

/// The maximal length of a piece of a line, in bytes, so that no input exhausts the memory.
const MAX_PIECE: u64 = 4 << 20;

impl Lines {
    pub fn new(file: File) -> Lines {
        // Windows has no metadata of a pipe.
        let regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let reader = buffered(file);
        Lines { reader, line: Vec::new(), regular, number: 0, ended: true, inside: false }
    }

    /// Decodes UTF-16 to UTF-8 from now on, and leaves out a byte order mark. UTF-16 without a mark
    /// is recognised by its first two characters, if these are ASCII. Other encodings are not
    /// decoded. Returns the first bytes of the list, with at least one line. They are not consumed:
    /// `piece` returns them again.
    pub fn decode(&mut self) -> io::Result<Vec<u8>> {
        let mut source = std::mem::replace(&mut self.reader, buffered(io::empty()));
        let mut peeked = Vec::new();
        (&mut source).take(4).read_to_end(&mut peeked)?;
        let (mark, unit) = encoding(&peeked);
        peeked.drain(..mark);
        let source = Cursor::new(peeked).chain(source);
        let mut source: Box<dyn Read> = match unit {
            Some(unit) => {
                Box::new(Utf16 { source, unit, bytes: Vec::new(), text: VecDeque::new() })
            }
            None => Box::new(source),
        };
        let mut start = vec![0; BUFFER];
        let mut len = 0;
        while len < BUFFER && (self.regular || !start[..len].contains(&b'\n')) {
            match source.read(&mut start[len..])? {
                0 => break,
                read => len += read,
            }
        }
        start.truncate(len);
        self.reader = buffered(Cursor::new(start.clone()).chain(source));
        Ok(start)
    }

    /// Returns whether `piece` may have to wait for the program that writes the list.
    pub fn would_wait(&self) -> bool {
        !self.regular && !self.reader.buffer().contains(&b'\n')
    }

    /// Reads the next line and returns it without its newline. Returns `None` at the end. A line of
    /// more than 4 MiB is returned in several pieces.
    pub fn piece(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut reader = (&mut self.reader).take(MAX_PIECE);
        if reader.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        let continued = std::mem::replace(&mut self.inside, false);
        self.number += u64::from(!continued);
        self.ended = self.line.pop_if(|byte| *byte == b'\n').is_some();
        self.inside = !self.ended && self.line.len() as u64 == MAX_PIECE;
        let whole = !continued && !self.inside;
        Ok(Some(Line { text: &self.line, number: self.number, whole }))
    }

    /// Reads the next line and returns it without its newline. Returns `None` at the end. Only the
    /// beginning of a line of more than 4 MiB is returned.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.skip_rest()?;
        Ok(self.piece()?.map(|line| line.text))
    }

    /// Skips the rest of a line of which `piece` has returned the beginning.
    pub fn skip_rest(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.inside, false) {
            self.reader.skip_until(b'\n')?;
        }
        Ok(())
    }

    /// Returns the last line that was read, as `next` has returned it, or an empty one at the end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Returns the number of the last line that was read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether the last line that was read ended with a newline.
    pub fn last_was_ended(&self) -> bool {
        self.ended
    }
}

fn buffered(source: impl Read + 'static) -> BufReader<Box<dyn Read>> {
    BufReader::with_capacity(BUFFER, Box::new(source))
}

/// Reads a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// Returns the length of the byte order mark with which a text begins and, if the text is in UTF-16,
/// how its units are read. Two ASCII characters show UTF-16 without a mark: a list in another encoding
/// does not contain NUL as its first or second byte.
fn encoding(start: &[u8]) -> (usize, Option<Unit>) {
    match start {
        [0xef, 0xbb, 0xbf, ..] => (3, None),
        [0xff, 0xfe, ..] => (2, Some(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => (2, Some(u16::from_be_bytes)),
        [1..=0x7f, 0, 1..=0x7f, 0] => (0, Some(u16::from_le_bytes)),
        [0, 1..=0x7f, 0, 1..=0x7f] => (0, Some(u16::from_be_bytes)),
        _ => (0, None),
    }
}

/// Decodes UTF-16 to UTF-8. What is no character becomes U+FFFD.
struct Utf16<R> {
    source: R,
    unit: Unit,
    /// The bytes of an incomplete character.
    bytes: Vec<u8>,
    text: VecDeque<u8>,
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.text.is_empty() {
            let mut more = [0; 1 << 13];
            let len = self.source.read(&mut more)?;
            self.bytes.extend(&more[..len]);
            let (units, odd) = self.bytes.as_chunks();
            let mut units: Vec<u16> = units.iter().map(|&unit| (self.unit)(unit)).collect();
            if len > 0 {
                // The second half of the pair comes with the next bytes.
                units.pop_if(|unit| (0xd800..0xdc00).contains(unit));
                self.bytes.drain(..2 * units.len());
            } else if self.bytes.is_empty() {
                break;
            } else {
                units.extend(odd.iter().map(|_| 0xfffd));
                self.bytes.clear();
            }
            self.text = String::from_utf16_lossy(&units).into_bytes().into();
        }
        self.text.read(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    fn lines(text: &[u8]) -> Vec<(Vec<u8>, u64, bool)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).and_then(|()| file.rewind()).unwrap();
        let mut lines = Lines::new(file);
        lines.decode().unwrap();
        let mut found = Vec::new();
        while let Some(line) = lines.piece().unwrap() {
            found.push((line.text.to_vec(), line.number, line.whole));
        }
        found
    }

    fn texts(text: &[u8]) -> Vec<String> {
        lines(text).into_iter().map(|(line, ..)| String::from_utf8_lossy(&line).into()).collect()
    }

    /// U+0A61 and U+610A contain the byte of a newline.
    #[test]
    fn utf16() {
        let text = "ab\u{a61}\u{610a}😀\nc\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let expected = ["ab\u{a61}\u{610a}😀", "c"];
        for (mark, text) in [(&[0xff, 0xfe][..], &little), (&[0xfe, 0xff], &big)] {
            assert_eq!(texts(text), expected);
            assert_eq!(texts(&[mark, text].concat()), expected);
        }
        // Each read ends in the middle of a pair.
        let long = format!("abc{}", "😀".repeat(10_000));
        let little: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(texts(&little) == [long]);
        // Half of a surrogate pair, and half of a character at the end.
        assert_eq!(texts(b"\xfe\xff\xd8\x00\0a"), ["\u{fffd}a"]);
        assert_eq!(texts(b"\xff\xfea\0b"), ["a\u{fffd}"]);
    }

    #[test]
    fn other_encodings_are_not_decoded() {
        assert_eq!(
            lines(b"\xef\xbb\xbfa\xff\nb"),
            [(b"a\xff".to_vec(), 1, true), (b"b".to_vec(), 2, true)]
        );
        assert_eq!(lines(b"\xff\x00\n"), [(b"\xff\0".to_vec(), 1, true)]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\na"), [(b"".to_vec(), 1, true), (b"a".to_vec(), 2, true)]);
    }

    #[test]
    fn a_long_line_comes_in_pieces() {
        let max = usize::try_from(MAX_PIECE).unwrap();
        let text = [&vec![b'x'; max + 1][..], b"\ny\n"].concat();
        let found = lines(&text);
        let lens: Vec<_> =
            found.iter().map(|(text, number, whole)| (text.len(), *number, *whole)).collect();
        assert_eq!(lens, [(max, 1, false), (1, 1, false), (1, 2, true)]);
    }
}
