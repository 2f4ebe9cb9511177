//! What is different on Windows: names, patterns, and open files.

use crate::common::{A, B, Place};
use std::fs;

/// Creates the directory `t` with the files `f` ("a") and `u\g` ("b").
fn place() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("t/u")).unwrap();
    place.write("t/f", "a").write("t/u/g", "b");
    place
}

/// Lists can be checked on every system.
#[test]
fn directories_are_separated_by_slashes() {
    let place = place();
    let list = format!("{A}  t/f\n{B}  t/u/g\n");
    place.run("hashmill", &["sum", "-r", "t"]).gave(0, &list, "");
    place.run("hashmill", &["sum", r"t\f", r"t\u\g"]).gave(0, &list, "");
    place.run("sha256sum", &[r"t\f", "t/u/g"]).gave(0, &list, "");
    place.run("b3sum", &["--no-names", r"t\f"]);
    place.run("hashmill", &["manifest", "create", "m", "t"]).gave(0, "", "");
    let manifest = fs::read_to_string(place.path("m")).unwrap();
    assert!(manifest.contains("\nSHA256 (u/g) = "), "{manifest}");
    let absolute = place.path(r"t\f").display().to_string();
    let listed = place.run("hashmill", &["sum", &absolute]);
    listed.gave(0, &format!("{A}  {}\n", absolute.replace('\\', "/")), "");
    place.write("list", listed.stdout);
    let ran = place.run("hashmill", &["check", "--quiet", "--root", "t", "list"]);
    ran.gave(0, "", "");
}

/// Names in lists can have either separator.
#[test]
fn both_separators_are_read() {
    let place = place();
    place.write("list", format!("{A}  t/f\n\\{B}  t\\\\u\\\\g\n"));
    let said = "t/f: OK\n't\\u\\g': OK\n";
    place.run("hashmill", &["check", "list"]).gave(0, said, "");
    place.run("sha256sum", &["-c", "list"]).gave(0, said, "");
    let line = format!("\\{B}  t\\\\u\\\\g");
    place.run("hashmill", &["check", &line]).gave(0, "'t\\u\\g': OK\n", "");
    place.run("hashmill", &["check", A, r"t\f"]).gave(0, "t/f: OK\n", "");
}

/// The shells leave patterns to the program.
#[test]
fn patterns_name_files() {
    let place = place();
    place.write("t/h", "b");
    let list = format!("{A}  t/f\n{B}  t/h\n");
    place.run("hashmill", &["sum", "t/[a-h]"]).gave(0, &list, "");
    place.run("sha256sum", &[r"t\?"]).gave(1, &list, "sha256sum: t/u: Is a directory\n");
    let none = "hashmill: 't/x*': Invalid file name\n";
    place.run("hashmill", &["sum", "t/x*"]).gave(1, "", none);
}

/// A manifest is replaced although it was read.
#[test]
fn manifests_are_updated() {
    let place = place();
    let run = |args: &[&str], status, said: &str| {
        place.run("hashmill", &[&["manifest"], args].concat()).gave(status, said, "");
    };
    run(&["create", "m", "t"], 0, "");
    run(&["verify", "m", "t"], 0, "");
    place.write("t/u/new", "new");
    run(&["verify", "m", "t"], 1, "added    u/new\n");
    run(&["update", "m", "t"], 0, "added    u/new\n");
    run(&["update", "--quick", "m", "t"], 0, "");
    run(&["verify", "m", "t"], 0, "");
    fs::rename(place.path("t/u/new"), place.path("t/old")).unwrap();
    run(&["update", "m", "t"], 0, "moved    u/new -> old\n");
    // No file of a run is left.
    let mut names: Vec<String> = fs::read_dir(place.path("."))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["bin", "f", "g", "m", "t"]);
}

#[test]
fn install_makes_hard_links() {
    let place = place();
    let ran = place.run("hashmill", &["install", "new", "sha256sum"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let program = fs::read(env!("CARGO_BIN_EXE_hashmill")).unwrap();
    assert!(fs::read(place.path("new/sha256sum.exe")).unwrap() == program);
}
