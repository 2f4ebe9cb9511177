//! The records of a list, to compare them with a manifest.

use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::any::Any;
use crate::lists::entry::{Entry, Expected, Format};
use crate::lists::place::Place;
use crate::lists::verify;
use crate::manifest::text::{Kind, Record, Stamp, order};
use crate::terminal::console::{Console, Failure};
use std::fs::File;

/// The records of a list, in order.
pub struct Listed {
    pub records: Vec<Record>,
    /// The algorithms of the manifest of which the list has digests for all files.
    pub recipes: Vec<Recipe>,
    /// Whether the list gives the sizes of all files.
    pub has_sizes: bool,
}

/// Reads a list in any format. `recipes` are those of the manifest.
///
/// # Errors
/// Fails if a line is not understood, if there is no recipe of which all files
/// have a digest, or if a file has several digests that differ.
pub fn read(
    console: &mut Console,
    name: &[u8],
    list: File,
    recipes: &[Recipe],
) -> Result<Listed, Failure> {
    let failed = |message: String| Failure::of(name, message);
    let (mode, place) = (Mode::default(), Place::of(name));
    let mut format = Any::new(&[], &mode, &place);
    let (mut records, mut has_sizes) = (Vec::new(), true);
    verify::each(name, list, &mut format, &mut |number, entry| {
        let entry = entry.ok_or("improperly formatted checksum line");
        has_sizes &= entry.as_ref().is_ok_and(|entry| entry.size.is_some());
        let record = entry.and_then(|entry| record(&entry, recipes));
        records.push(record.map_err(|message| failed(format!("{number}: {message}")))?);
        Ok(())
    })?;
    if let Some(fault) = format.fault() {
        return Err(failed(fault));
    }
    if records.is_empty() {
        return Err(failed("neither a manifest of version 2 nor a list".to_owned()));
    }
    // A list may have a line for each digest of a file.
    records.sort_by(|a, b| order(&a.name, &b.name));
    let mut merged: Vec<Record> = Vec::with_capacity(records.len());
    for record in records {
        match merged.last_mut().filter(|last| last.name == record.name) {
            None => merged.push(record),
            Some(last) => {
                let shown = console.quote_name(&record.name);
                if !merge(last, record) {
                    let message = format!("{shown} has several digests that differ");
                    return Err(failed(message));
                }
            }
        }
    }
    // Only algorithms of which all files have a digest are compared.
    let has = |record: &Record, index: usize| !record.digests()[index].is_empty();
    let complete: Vec<usize> =
        (0..recipes.len()).filter(|&index| merged.iter().all(|it| has(it, index))).collect();
    if complete.is_empty() {
        let names: Vec<String> = recipes.iter().map(Recipe::to_string).collect();
        let message =
            format!("no algorithm of the manifest, {}, is there for all files", names.join(", "));
        return Err(failed(message));
    }
    for record in &mut merged {
        let digests = complete.iter().map(|&index| record.digests()[index].clone()).collect();
        record.kind = Kind::File(digests);
    }
    let recipes = complete.iter().map(|&index| recipes[index].clone()).collect();
    Ok(Listed { records: merged, recipes, has_sizes })
}

fn record(entry: &Entry, recipes: &[Recipe]) -> Result<Record, &'static str> {
    if entry.tree.is_some() {
        return Err("the digest of a tree cannot be compared");
    }
    let mut digests = vec![Vec::new(); recipes.len()];
    for claim in &entry.claims {
        let [expected] = &**claim else { return Err("alternative digests cannot be compared") };
        if let Some((index, digest)) = digest(expected, recipes) {
            digests[index] = digest;
        }
    }
    let name = entry.name.strip_prefix(b"./").unwrap_or(&entry.name).to_vec();
    let stamp = Stamp { size: entry.size.unwrap_or_default(), ..Stamp::default() };
    Ok(Record { name, stamp, kind: Kind::File(digests) })
}

/// Returns the digest and the index of its recipe. A digest without a name belongs to the first
/// recipe that it can have.
fn digest(expected: &Expected, recipes: &[Recipe]) -> Option<(usize, Vec<u8>)> {
    if expected.parts.is_some() {
        return None;
    }
    let mut possible = expected.recipes.iter().chain(&*expected.others);
    let index = possible.find_map(|recipe| recipes.iter().position(|it| it == recipe))?;
    let digest = expected.encoding.decode(&expected.text)?;
    (digest.len() == recipes[index].len()).then_some((index, digest))
}

/// Adds the digests of `more` to a record of the same name. Returns whether they agree.
fn merge(record: &mut Record, more: Record) -> bool {
    let (Kind::File(digests), Kind::File(more)) = (&mut record.kind, more.kind) else {
        return false;
    };
    digests.iter_mut().zip(more).all(|(digest, more)| {
        if digest.is_empty() {
            *digest = more;
            return true;
        }
        more.is_empty() || *digest == more
    })
}
