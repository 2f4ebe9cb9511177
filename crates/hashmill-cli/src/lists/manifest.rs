//! Manifests of `hashmill manifest`, as lists: tagged lines between comments. The first lines name
//! the directory of the files. The last line tells that the manifest is complete.

use crate::lists::entry::Parsed;
use crate::lists::single::Single;
use crate::lists::syntax::{Context, Syntax};
use crate::manifest::text::{Head, VERSION};

#[derive(Default)]
pub struct Manifest {
    /// The first lines, while they are read.
    head: Option<Head>,
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
        if let Some(mut head) = self.head.take() {
            return match head.take(line) {
                Ok(None) => {
                    self.head = Some(head);
                    Parsed::Comment
                }
                Ok(Some(_)) => {
                    if let Some(tree) = &head.header.tree {
                        context.place.name_tree(tree);
                    }
                    Parsed::Comment
                }
                Err(_) => None.into(),
            };
        }
        if line == VERSION.as_bytes() {
            self.head = Some(Head::default());
        }
        self.ended = line.starts_with(b"# end of ") || self.ended && line.is_empty();
        self.lines.line(line, context)
    }

    fn is_open(&self) -> bool {
        !self.ended
    }
}
