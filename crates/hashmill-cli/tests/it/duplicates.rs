//! `hashmill duplicates`: what is read at once, the given directories apart, and the formats of
//! other programs.

use crate::common::Place;
use std::collections::BTreeMap;
use std::fs;

/// Files of the lengths at which the way of reading changes, each three times, and three more that
/// differ from them in one byte. Returns the groups.
fn tree(place: &Place) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<Vec<u8>, Vec<String>> = BTreeMap::new();
    for directory in ["t", "t/a", "t/a-b", "t/a/x"] {
        fs::create_dir(place.path(directory)).unwrap();
    }
    for (index, len) in
        [1, 2, 4095, 4096, 4097, 16_383, 16_384, 16_385, 300_000, 9 << 20].into_iter().enumerate()
    {
        let content: Vec<u8> = (0..len).map(|i: u32| (i.wrapping_mul(i) >> 7) as u8).collect();
        let mut files = vec![content; 6];
        for (changed, at) in [(3, 0), (4, len / 2), (5, len - 1)] {
            files[changed][at as usize] ^= 0x80;
        }
        for (file, content) in files.into_iter().enumerate() {
            let name = format!("t/{}/f{index}-{file}", ["a", "a-b", "a/x"][file % 3]);
            place.write(&name, &content);
            groups.entry(content).or_default().push(name);
        }
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        // The order of a walk: a directory's entries come before other names that begin as it does.
        group.sort_by_key(|name| name.replace('/', "\0"));
    }
    groups.sort();
    groups
}

#[test]
fn every_way_of_reading_finds_the_same() {
    let place = Place::new();
    let groups = tree(&place);
    assert!(groups.len() >= 10);
    let expected: String = groups.iter().map(|group| group.join("\n") + "\n\n").collect();
    for jobs in ["-j1", "-j2", "-j5"] {
        for args in [&["duplicates", jobs, "t"][..], &["duplicates", jobs, "--fdupes", "t"]] {
            place.run("hashmill", args).gave(0, &expected, "");
        }
    }
    // Two operands that overlap name each file once.
    let overlapping = place.run("hashmill", &["duplicates", "-j3", "t/a", "t"]);
    assert_eq!(overlapping.text().lines().count(), expected.lines().count());
}

/// Only files that are equal to one below another operand.
#[test]
fn isolated_directories() {
    let place = Place::new();
    for directory in ["one", "two"] {
        fs::create_dir(place.path(directory)).unwrap();
    }
    place.write("one/a", "x").write("one/b", "x").write("two/c", "yy").write("two/d", "yy");
    place.run("hashmill", &["duplicates", "one", "two"]).gave(
        0,
        "one/a\none/b\n\ntwo/c\ntwo/d\n\n",
        "",
    );
    place.run("hashmill", &["duplicates", "--isolate", "one", "two"]).gave(0, "", "");
    place.write("two/e", "x").write("one/long", vec![1; 50_000]).write("two/long", vec![1; 50_000]);
    place.run("hashmill", &["duplicates", "-I", "one", "two"]).gave(
        0,
        "one/a\none/b\ntwo/e\n\none/long\ntwo/long\n\n",
        "",
    );
    // One directory alone has nothing beside it.
    place.run("hashmill", &["duplicates", "--isolate", "one"]).gave(0, "", "");
}

/// fdupes' format has one name of each file, and no escapes.
#[cfg(unix)]
#[test]
fn the_format_of_fdupes() {
    let place = Place::new();
    fs::create_dir(place.path("t")).unwrap();
    place.write("t/a\\b", "x").write("t/c", "x");
    fs::hard_link(place.path("t/c"), place.path("t/d")).unwrap();
    let fdupes = ["duplicates", "--fdupes", "t"];
    place.run("hashmill", &fdupes).gave(0, "t/a\\b\nt/c\n\n", "");
    place.run("hashmill", &["duplicates", "t"]).gave(0, "\\t/a\\\\b\nt/c\n= t/d\n\n", "");
    place.write("t/n\nl", "x");
    let said =
        "hashmill: 't/n'$'\\n''l': a name with a line break cannot be written with --fdupes\n";
    place.run("hashmill", &fdupes).gave(1, "t/a\\b\nt/c\n\n", said);
    for other in ["--json", "--zero"] {
        assert_eq!(place.run("hashmill", &["duplicates", "--fdupes", other]).status, Some(2));
    }
}

/// A link that is followed has the size of its target.
#[cfg(unix)]
#[test]
fn links_that_are_followed() {
    let place = Place::new();
    fs::create_dir(place.path("t")).unwrap();
    place.write("t/a", "12345").write("out", "12345").write("same-length-as-its-link", "x");
    std::os::unix::fs::symlink("../out", place.path("t/link")).unwrap();
    let said = "hashmill: t: 1 symbolic link was not followed\n";
    place.run("hashmill", &["duplicates", "t"]).gave(0, "", said);
    let followed = ["duplicates", "--symlinks=always", "t"];
    place.run("hashmill", &followed).gave(0, "t/a\nt/link\n\n", "");
}
