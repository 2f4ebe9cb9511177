//! Writes the digests of files. Each file is read once for all of its digests.

use crate::files::input::os_name;
use crate::files::job::{FileId, IsOutput, Job, Jobs, Next, Wanted, changed};
use crate::files::pool;
use crate::files::walk::Found;
use crate::hashing::recipe::Recipe;
use crate::lists::beside::{self, Destination};
use crate::lists::style::Style;
use crate::terminal::console::{Console, Failure, reason};
use crate::terminal::progress::Tally;
use std::fs::{self, File, Metadata};
use std::io;
use std::time::SystemTime;

/// Writes the digests of the files on a command line. Returns whether all files could be read.
pub fn files(
    console: &mut Console,
    jobs: Jobs,
    names: Vec<Vec<u8>>,
    recipe: Recipe,
    style: &Style,
) -> Result<bool, Failure> {
    let mut found = names.into_iter().map(Found::Named);
    write(console, jobs, &mut found, &[recipe], style, Destination::Output)
}

/// Writes the digests of each file to a destination. Returns whether that was possible for all.
pub fn write(
    console: &mut Console,
    jobs: Jobs,
    names: &mut dyn Iterator<Item = Found>,
    recipes: &[Recipe],
    style: &Style,
    destination: Destination,
) -> Result<bool, Failure> {
    let (mut well, mut tally) = (true, Tally::default());
    let output = console.output_metadata().as_ref().and_then(FileId::of);
    let is_ours = |found: &Found| {
        destination == Destination::Sidecars
            && matches!(found, Found::File(name) if beside::is_sidecar(name, recipes))
    };
    let modified = |name: &[u8]| fs::metadata(os_name(name)).and_then(|it| it.modified()).ok();
    let mut names = names.filter(|found| !is_ours(found));
    let mut source = |_| {
        let Some(found) = names.next() else { return Next::End };
        let modified = match &found {
            Found::Named(name) | Found::File(name) if destination == Destination::Attributes => {
                modified(name)
            }
            _ => None,
        };
        Next::Job(Item { found, recipes, output, modified })
    };
    pool::run(console, jobs, &mut source, &mut |console, item, outcome| {
        match (item.found, outcome) {
            (Found::Named(name) | Found::File(name), Some(Ok(values))) => {
                tally.add(values.first().map_or(0, |value| value.message_len));
                let written = match destination {
                    Destination::Output => {
                        console.print(style.file(recipes, &values, &name))?;
                        Ok(())
                    }
                    Destination::Sidecars => beside::write_sidecars(recipes, &values, &name),
                    Destination::Attributes => {
                        let modified = item.modified.unwrap_or(SystemTime::UNIX_EPOCH);
                        let stored = beside::store(&name, &values[0].bytes, modified);
                        stored.map_err(|message| (name, message))
                    }
                };
                if let Err((name, message)) = written {
                    console.say_of(&name, message);
                    well = false;
                }
            }
            (Found::File(name), Some(Err(error)))
                if error.get_ref().is_some_and(|it| it.is::<IsOutput>()) =>
            {
                console.say_of(&name, format!("{IsOutput}, left out"));
            }
            (Found::Named(name) | Found::File(name), Some(Err(error))) => {
                console.say_of(&name, reason(&error));
                well = false;
            }
            (found, _) => drop(found.file(console, true, &mut well)),
        }
        Ok(())
    })?;
    if destination != Destination::Output {
        console.tell(format!("read: {tally}; the digests are beside the files"));
    }
    Ok(well)
}

struct Item<'a> {
    found: Found,
    recipes: &'a [Recipe],
    output: Option<FileId>,
    /// When the file was last modified before it is read, if its digest is stored with that time.
    modified: Option<SystemTime>,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        let (Found::Named(name) | Found::File(name)) = &self.found else { return None };
        let regular = matches!(self.found, Found::File(_));
        Some(Wanted { name, recipes: self.recipes, regular })
    }

    /// A list must not contain its own digest, which changes while the list is written.
    fn opened(&self, metadata: &Metadata) -> io::Result<()> {
        let is_found = matches!(self.found, Found::File(_));
        match is_found && self.output.is_some() && self.output == FileId::of(metadata) {
            true => Err(io::Error::other(IsOutput)),
            false => Ok(()),
        }
    }

    fn read(&self, file: &File) -> io::Result<()> {
        match self.modified.is_some() && file.metadata()?.modified().ok() != self.modified {
            true => Err(changed()),
            false => Ok(()),
        }
    }
}
