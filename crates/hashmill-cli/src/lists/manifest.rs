//! Manifests of `hashmill manifest`, as lists: tagged lines between comments. The last line tells
//! that the manifest is complete.

use crate::lists::entry::Parsed;
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};

#[derive(Default)]
pub struct Manifest {
    lines: Single,
    ended: bool,
}

impl Manifest {
    pub fn is(start: &[u8]) -> bool {
        start.starts_with(b"# hashmill manifest ")
    }
}

impl Syntax for Manifest {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        self.ended = line.starts_with(b"# end of ") || self.ended && line.is_empty();
        self.lines.line(line, context)
    }

    fn is_open(&self) -> bool {
        !self.ended
    }
}
