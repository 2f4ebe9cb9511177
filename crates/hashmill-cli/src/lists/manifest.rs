//! Manifests of `hashmill manifest`, as lists: tagged lines between comments. The first lines name
//! the directory of the files. The last line tells that the manifest is complete.

use crate::lists::entry::Records;
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

impl Syntax for Manifest {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        if let Some(mut head) = self.head.take() {
            let Ok(check) = head.take(line) else { return vec![None] };
            if check.is_none() {
                self.head = Some(head);
            } else if let Some(tree) = &head.header.tree {
                context.place.name_tree(tree);
            }
            return vec![];
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
