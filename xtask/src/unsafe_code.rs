//! SECURITY.md's list of unsafe code against the code.

use crate::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How often each file says `unsafe`, by its path in `crates`; by its path in the repository if it
/// is not there.
type Counts = BTreeMap<String, usize>;

pub fn inventory() -> Outcome {
    let mut found = Counts::new();
    for (base, dir) in [
        ("crates", "crates"),
        ("", "faces/js/native"),
        ("", "faces/js/wasm"),
        ("", "faces/python/arrow/src"),
        ("", "faces/python/datafusion/src"),
        ("", "faces/python/src"),
    ] {
        count(&root().join(base), &root().join(dir), &mut found)?;
    }
    let listed = listed(&read("SECURITY.md")?);
    let files: BTreeSet<&String> = found.keys().chain(listed.keys()).collect();
    let wrong = files.into_iter().filter_map(|file| {
        let [code, list] = [&found, &listed].map(|counts| counts.get(file).copied().unwrap_or(0));
        (code != list).then(|| format!("{file}: `unsafe` {code} times; SECURITY.md says {list}"))
    });
    let wrong: Vec<String> = wrong.collect();
    ensure(wrong.is_empty(), wrong.join("\n"))
}

/// What is compiled into libraries and programs: `crates/*/src`, and the Rust of other packages.
fn count(base: &Path, dir: &Path, found: &mut Counts) -> Outcome {
    for path in entries(dir)? {
        let name = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().into_owned();
        if path.is_dir() && !name.ends_with("/tests") && !name.ends_with("/examples") {
            count(base, &path, found)?;
        } else if name.ends_with(".rs") {
            let n = read(&path)?.lines().map(words).sum();
            if n > 0 {
                found.insert(name, n);
            }
        }
    }
    Ok(())
}

/// How often a line says `unsafe` before its comment.
fn words(line: &str) -> usize {
    let code = line.split("//").next().unwrap_or_default();
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|&word| word == "unsafe").count()
}

/// The rows "| `file` | how often | reason |".
fn listed(security: &str) -> Counts {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let file = cells.next()?.strip_suffix('`')?;
        Some((file.to_owned(), cells.next()?.parse().ok()?))
    };
    security.lines().filter_map(row).collect()
}
