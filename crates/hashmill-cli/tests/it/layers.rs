//! The modules of the program form layers: no module imports, even indirectly, a module that
//! imports it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Collects the texts of the modules below a directory, by their paths (`files::pool`).
fn modules(directory: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.is_dir() {
            modules(&path, &format!("{prefix}{name}::"), found);
        } else if !["main", "lib", "mod"].contains(&name) {
            found.insert(format!("{prefix}{name}"), fs::read_to_string(&path).unwrap());
        }
    }
}

/// Returns the modules that a text imports: `crate::a::b` and `crate::a::{b, c::D}`.
fn imports(text: &str, all: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in text.split("crate::").skip(1) {
        let head: String =
            part.chars().take_while(|&c| c.is_alphanumeric() || c == '_' || c == ':').collect();
        let group = part[head.len()..].strip_prefix('{').and_then(|it| it.split_once('}'));
        let names = match group {
            Some((group, _)) => {
                group.split(',').map(|name| format!("{head}{}", name.trim())).collect()
            }
            None => vec![head],
        };
        for name in names {
            found.extend(
                all.keys()
                    .filter(|it| format!("{name}::").starts_with(&format!("{it}::")))
                    .cloned(),
            );
        }
    }
    found
}

#[test]
fn no_module_is_part_of_a_circle() {
    let mut all = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut all);
    assert!(all.len() > 30);
    for text in all.values() {
        assert!(!text.replace("super::*", "").contains("super::"), "paths begin with crate");
    }
    let arrows: BTreeMap<&String, BTreeSet<String>> =
        all.iter().map(|(name, text)| (name, imports(text, &all))).collect();
    for start in all.keys() {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = arrows[start].iter().collect();
        while let Some(name) = open.pop() {
            assert!(name != start, "{start} imports itself by way of {reached:?}");
            if reached.insert(name) {
                open.extend(&arrows[name]);
            }
        }
    }
}
