//! Reads a list line by line.

use crate::text::utf16::ByteOrder;
use std::fs::File;
use std::io::{self, BufRead, Read};

/// Reads a list line by line.
pub struct Lines {
    reader: io::BufReader<File>,
    line: Vec<u8>,
    /// Whether the list is a regular file, whose lines can be read without waiting.
    regular: bool,
    encoding: Encoding,
    /// Whether the last line that was read ended with a newline.
    ended: bool,
}

enum Encoding {
    Bytes,
    /// Not known before the first bytes are read.
    Unknown,
    /// UTF-16, whose lines are decoded to UTF-8.
    Utf16(ByteOrder),
}

/// The maximal length of a line, in bytes. The rest of a longer line is skipped, so that no input
/// exhausts the memory.
const MAX_LINE: u64 = 4 << 20;

impl Lines {
    pub fn new(file: File) -> io::Result<Lines> {
        let regular = file.metadata()?.is_file();
        let reader = io::BufReader::with_capacity(64 << 10, file);
        Ok(Lines { reader, line: Vec::new(), regular, encoding: Encoding::Bytes, ended: true })
    }

    /// Creates a reader that decodes UTF-16 to UTF-8. It recognises UTF-16 by the first bytes of
    /// the file: see [`ByteOrder::of`].
    pub fn decoded(file: File) -> io::Result<Lines> {
        Ok(Lines { encoding: Encoding::Unknown, ..Lines::new(file)? })
    }

    /// Returns the first bytes of the list, decoded to UTF-8 if it is in UTF-16. They are not
    /// consumed: `next` returns them again as lines.
    pub fn start(&mut self) -> io::Result<Vec<u8>> {
        let start = self.reader.fill_buf()?;
        if let Encoding::Unknown = self.encoding {
            self.encoding = ByteOrder::of(start).map_or(Encoding::Bytes, Encoding::Utf16);
        }
        Ok(match self.encoding {
            Encoding::Utf16(order) => order.decode(start).into_bytes(),
            _ => start.to_vec(),
        })
    }

    /// Returns whether `next` may have to wait for the program that writes the list.
    pub fn would_wait(&self) -> bool {
        !self.regular && !self.reader.buffer().contains(&b'\n')
    }

    /// Reads the next line and returns it without its newline. Returns `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        if let Encoding::Unknown = self.encoding {
            let order = ByteOrder::of(self.reader.fill_buf()?);
            self.encoding = order.map_or(Encoding::Bytes, Encoding::Utf16);
        }
        let mut reader = (&mut self.reader).take(MAX_LINE);
        if reader.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        if let Encoding::Utf16(order) = self.encoding {
            while !order.ends_line(&self.line) {
                if reader.read_until(order.next_end(&self.line), &mut self.line)? == 0 {
                    break;
                }
            }
            self.line = order.decode(&self.line).into_bytes();
        }
        self.ended = self.line.pop_if(|byte| *byte == b'\n').is_some();
        if !self.ended && self.line.len() as u64 == MAX_LINE {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(&self.line))
    }

    /// Returns whether the last line that was read ended with a newline.
    pub fn last_was_ended(&self) -> bool {
        self.ended
    }
}
