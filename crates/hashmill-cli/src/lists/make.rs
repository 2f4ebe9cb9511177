//! Writes the digests of files: all digests of a file from one reading.

use crate::files::job::{Job, Jobs, Next, Wanted};
use crate::files::pool;
use crate::files::walk::Found;
use crate::hashing::recipe::Recipe;
use crate::lists::style::Style;
use crate::terminal::console::{Console, Failure, reason};

/// Writes the digests of each file; whether all files could be read.
pub fn files(
    console: &mut Console,
    jobs: Jobs,
    mut names: impl Iterator<Item = Found>,
    recipes: &[Recipe],
    style: &Style,
) -> Result<bool, Failure> {
    let mut well = true;
    pool::run(
        console,
        jobs,
        &mut |_| names.next().map_or(Next::End, |found| Next::Job(Item { found, recipes })),
        &mut |console, item, outcome| {
            match (item.found, outcome) {
                (Found::Named(name) | Found::File(name), Some(Ok(values))) => {
                    console.print(style.file(recipes, &values, &name))?;
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
}

impl Job for Item<'_> {
    fn file(&self) -> Option<Wanted<'_>> {
        let recipes = self.recipes;
        match &self.found {
            Found::Named(name) => Some(Wanted { name, recipes, regular: false }),
            Found::File(name) => Some(Wanted { name, recipes, regular: true }),
            _ => None,
        }
    }
}
