//! SECURITY.md's list of unsafe code against the code.

use crate::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How often each file says `unsafe`, by its path in `crates`; by its path in the repository if it
/// is not there.
type Counts = BTreeMap<String, usize>;

pub fn inventory() -> Outcome {
    let files = "git ls-files --cached --others --exclude-standard crates faces/js/native faces/js/wasm \
                 faces/python/arrow/src faces/python/datafusion/src faces/python/src";
    let mut found = Counts::new();
    for file in stdout(cmd!(files))?.lines().filter(|file| is_compiled(file)) {
        let count = read(file).unwrap_or_default().lines().map(words).sum();
        if count > 0 {
            found.insert(file.strip_prefix("crates/").unwrap_or(file).into(), count);
        }
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

/// Whether it is compiled into a library or a program.
fn is_compiled(file: &str) -> bool {
    file.ends_with(".rs") && !["/tests/", "/examples/"].iter().any(|it| file.contains(it))
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
