//! One version in all packages.

use super::common::VERSION;
use crate::prelude::*;

/// Where the version stands, and the text before it.
const PLACES: &[(&str, &str)] = &[
    ("crates/hashmill-c/include/hashmill.h", "#define HASHMILL_VERSION \""),
    ("crates/hashmill-c/Cargo.toml", "hashmill = { path = \"../hashmill\", version = \""),
    ("crates/hashmill-cli/Cargo.toml", "hashmill = { path = \"../hashmill\", version = \""),
    ("faces/python/Cargo.toml", "\nversion = \""),
    ("faces/python/datafusion/Cargo.toml", "\nversion = \""),
    ("faces/js/package.json", "\n  \"version\": \""),
    ("faces/haskell/hashmill.cabal", "\nversion:            "),
    ("faces/motoko/mops.toml", "\nversion = \""),
    ("CHANGELOG.md", "\n## "),
];

/// Checks that each place has the workspace's version. Returns true if the changelog's newest
/// section has no date yet.
pub fn agree() -> Result<bool, String> {
    let mut wrong = Vec::new();
    let mut unreleased = false;
    for (file, before) in PLACES {
        let text = read(file)?;
        let missing = || format!("{file}: {:?} is not there", before.trim());
        let (_, rest) = text.split_once(before).ok_or_else(missing)?;
        let end = |c: char| !c.is_ascii_alphanumeric() && c != '.';
        let version = rest.split(end).next().unwrap_or_default();
        if version != VERSION {
            wrong.push(format!("{file} has {version:?}, not {VERSION:?}"));
        }
        unreleased |= *file == "CHANGELOG.md"
            && rest.lines().next().is_some_and(|line| line.contains("unreleased"));
    }
    ensure(wrong.is_empty(), wrong.join("\n")).map(|()| unreleased)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_versions_agree() {
        super::agree().expect("one version");
    }

    /// The crate's README is tested with its documentation, and the repository's shows the same.
    #[test]
    fn both_readmes_have_the_same_example_in_rust() {
        let example = |file: &str| {
            let text = super::read(file).expect(file);
            let start = text.find("```rust\n").expect("an example in Rust");
            let length = text[start..].find("\n```\n").expect("its end");
            text[start..start + length].to_owned()
        };
        assert_eq!(example("README.md"), example("crates/hashmill/README.md"));
    }
}
