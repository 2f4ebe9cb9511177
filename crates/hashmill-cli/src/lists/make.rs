//! Writes the digests of files. Each file is read once for all of its digests.

use crate::files::job::{FileId, IsOutput, Job, Jobs, Next, Wanted};
use crate::files::pool;
use crate::files::walk::Found;
use crate::hashing::recipe::Recipe;
use crate::lists::style::Style;
use crate::terminal::console::{Console, Failure, reason};

/// Writes the digests of each file. Returns whether all files could be read.
pub fn files(
    console: &mut Console,
    jobs: Jobs,
    mut names: impl Iterator<Item = Found>,
    recipes: &[Recipe],
    style: &Style,
) -> Result<bool, Failure> {
    let mut well = true;
    let output = console.output_metadata().as_ref().and_then(FileId::of);
    pool::run(
        console,
        jobs,
        &mut |_| names.next().map_or(Next::End, |found| Next::Job(Item { found, recipes, output })),
        &mut |console, item, outcome| {
            match (item.found, outcome) {
                (Found::Named(name) | Found::File(name), Some(Ok(values))) => {
                    console.print(style.file(recipes, &values, &name))?;
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
                (Found::Error(name, message), _) => {
                    console.say_of(&name, message);
                    well = false;
                }
                (Found::Note(name, message), _) => console.say_of(&name, message),
                (Found::Named(_) | Found::File(_) | Found::Link(_) | Found::Directory(_), _) => {}
            }
            Ok(())
        },
    )?;
    Ok(well)
}

struct Item<'a> {
    found: Found,
    recipes: &'a [Recipe],
    output: Option<FileId>,
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        let recipes = self.recipes;
        match &self.found {
            Found::Named(name) => {
                Some(Wanted { name, recipes, regular: false, watched: false, except: None })
            }
            // A list must not contain its own digest, which changes while the list is written.
            Found::File(name) => {
                let except = self.output;
                Some(Wanted { name, recipes, regular: true, watched: false, except })
            }
            _ => None,
        }
    }
}
