//! Files and standard input by their names; the lines of a list.

use crate::terminal::console::Console;
use crate::text::utf16::ByteOrder;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};

/// Opens a file; `-` is standard input.
pub fn open(console: &Console, name: &[u8]) -> io::Result<File> {
    match name {
        b"-" => console.stdin()?.try_clone(),
        name => File::open(os_name(name)),
    }
}

#[cfg(unix)]
pub fn os_name(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

#[cfg(not(unix))]
pub fn os_name(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

/// The lines of a list.
pub struct Lines {
    reader: io::BufReader<File>,
    line: Vec<u8>,
    /// Whether the list is a regular file, for which nobody waits.
    regular: bool,
    encoding: Encoding,
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
        Ok(Lines { reader, line: Vec::new(), regular, encoding: Encoding::Bytes })
    }

    /// Lines that are decoded to UTF-8 if they begin with UTF-16's byte order mark.
    pub fn decoded(file: File) -> io::Result<Lines> {
        Ok(Lines { encoding: Encoding::Unknown, ..Lines::new(file)? })
    }

    /// Whether whoever writes the list may have to be waited for before there is a whole line.
    pub fn would_wait(&self) -> bool {
        !self.regular && !self.reader.buffer().contains(&b'\n')
    }

    /// The next line without its newline.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        use io::BufRead;
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
        if self.line.pop_if(|byte| *byte == b'\n').is_none() && self.line.len() as u64 == MAX_LINE {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(&self.line))
    }
}
