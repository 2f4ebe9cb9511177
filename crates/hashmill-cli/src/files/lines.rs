//! The lines of a list.

use crate::text::utf16::ByteOrder;
use std::fs::File;
use std::io::{self, BufRead, Read};

/// The lines of a list.
pub struct Lines {
    reader: io::BufReader<File>,
    line: Vec<u8>,
    /// Whether the list is a regular file, for which nobody waits.
    regular: bool,
    encoding: Encoding,
    /// Whether the last line had a newline at its end.
    ended: bool,
}

enum Encoding {
    Bytes,
    /// Whatever the first bytes say.
    Unknown,
    /// Decoded to UTF-8.
    Utf16(ByteOrder),
}

/// A longer line than this is no line of a list: it is cut, so that no input takes all the memory.
const MAX_LINE: u64 = 4 << 20;

impl Lines {
    pub fn new(file: File) -> io::Result<Lines> {
        let regular = file.metadata()?.is_file();
        let reader = io::BufReader::with_capacity(64 << 10, file);
        Ok(Lines { reader, line: Vec::new(), regular, encoding: Encoding::Bytes, ended: true })
    }

    /// Lines that are decoded to UTF-8 if they begin with UTF-16's byte order mark.
    pub fn decoded(file: File) -> io::Result<Lines> {
        Ok(Lines { encoding: Encoding::Unknown, ..Lines::new(file)? })
    }

    /// The first bytes of the list, which are read again as lines: in UTF-8, if that is to be.
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

    /// Whether whoever writes the list may have to be waited for before there is a whole line.
    pub fn would_wait(&self) -> bool {
        !self.regular && !self.reader.buffer().contains(&b'\n')
    }

    /// The next line without its newline.
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

    /// Whether the last line had a newline at its end.
    pub fn last_was_ended(&self) -> bool {
        self.ended
    }
}
