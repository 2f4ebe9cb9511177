//! `hashmill install`.

use crate::common::{A, Place, names};
use std::fs;
use std::path::PathBuf;

/// Returns the path of the program, and the path as messages show it: quoted if a shell would read
/// it as several words.
fn program() -> (PathBuf, String) {
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_hashmill")).unwrap();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,".contains(c);
    let shown = program.display().to_string();
    let quoted = if shown.chars().all(plain) { shown } else { format!("'{shown}'") };
    (program, quoted)
}

#[test]
fn links_every_name() {
    let place = Place::new();
    let (program, shown) = program();
    let lines = |word: &str| -> String {
        names()
            .map(|name| {
                format!(
                    "new/{name}{word}
"
                )
            })
            .collect()
    };
    let outside = "hashmill: new is not in PATH: the shell will not find the links\n";
    let linked = lines(&format!(" -> {shown}"));
    place.run("hashmill", &["install", "new"]).gave(0, &linked, outside);
    for name in names() {
        assert_eq!(fs::read_link(place.path("new").join(name)).unwrap(), program);
    }
    place.shell("new/sha256sum f").gave(0, &format!("{A}  f\n"), "");
    // A second run changes nothing and is not an error.
    place.run("hashmill", &["install", "new"]).gave(0, &lines(" already exists"), outside);
    let ran = place.shell("hashmill install \"$(dirname \"$(command -v hashmill)\")\" md5sum");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
}

#[test]
fn other_files_stay_unless_forced() {
    let place = Place::new();
    fs::create_dir_all(place.path("new/cksum")).unwrap();
    place.write("new/b2sum", "mine");
    let (program, shown) = program();
    let outside = "hashmill: new is not in PATH: the shell will not find the links\n";
    let line = |name: &str| format!("new/{name} -> {shown}\n");
    let refused =
        format!("hashmill: new/b2sum: another file has this name; --force replaces it\n{outside}");
    place.run("hashmill", &["install", "new", "b2sum", "md5sum"]).gave(
        1,
        &line("md5sum"),
        &refused,
    );
    assert_eq!(fs::read_to_string(place.path("new/b2sum")).unwrap(), "mine");
    place.run("hashmill", &["install", "-f", "new", "b2sum"]).gave(0, &line("b2sum"), outside);
    assert_eq!(fs::read_link(place.path("new/b2sum")).unwrap(), program);
    // A directory is not replaced, and no temporary link is left.
    let ran = place.run("hashmill", &["install", "--force", "new", "cksum"]);
    ran.gave(1, "", &format!("hashmill: new/cksum: Is a directory\n{outside}"));
    assert_eq!(fs::read_dir(place.path("new")).unwrap().count(), 3);
}

#[test]
fn misuse() {
    let place = Place::new();
    let ran = place.run("hashmill", &["install", "f"]);
    ran.gave(1, "", "hashmill: f: File exists\n");
    let ran = place.run("hashmill", &["install", "bin", "sha255sum"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("'sha255sum' is not a name this program stands in for"));
    assert_eq!(place.run("hashmill", &["install"]).status, Some(2));
}

/// Each library that is loaded takes a part of every start.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn only_the_c_library_is_loaded() {
    let ran = Place::new().shell("LD_TRACE_LOADED_OBJECTS=1 hashmill");
    let loaded: Vec<_> =
        ran.stdout.split(|&byte| byte == b'\n').filter(|it| !it.is_empty()).collect();
    let loaded: Vec<_> = loaded.into_iter().map(String::from_utf8_lossy).collect();
    let is_usual =
        |it: &str| ["libc.so", "linux-", "ld-linux"].iter().any(|name| it.contains(name));
    assert!(loaded.len() >= 2 && loaded.iter().all(|it| is_usual(it)), "{loaded:?}");
}
