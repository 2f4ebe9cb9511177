//! `hashmill sum -r`.

use crate::common::Place;
use std::fs;
use std::os::unix::fs::symlink;

/// Creates a tree with hidden files, ignored files, links and unusual names.
fn tree() -> Place {
    let place = Place::new();
    for directory in ["t", "t/a", "t/a/b", "t/a-", "t/.hidden", "t/build", "other"] {
        fs::create_dir(place.path(directory)).unwrap();
    }
    for file in [
        "t/a/b/deep.c",
        "t/a/x.c",
        "t/a/x.o",
        "t/a-/y.c",
        "t/a.c",
        "t/.dot",
        "t/.hidden/z.c",
        "t/build/out.o",
        "t/n\nl",
        "other/o.c",
    ] {
        place.write(file, file);
    }
    place.write("t/.gitignore", "*.o\n/build/\n");
    symlink("../other", place.path("t/link")).unwrap();
    symlink("a.c", place.path("t/link.c")).unwrap();
    place
}

/// Runs `sum -r`. Returns the names in its output, its messages and its status.
fn names(place: &Place, args: &[&str]) -> (Vec<String>, String, i32) {
    let ran = place.run("hashmill", &[&["sum", "-r"], args].concat());
    let text = ran.text();
    let names = text.lines().map(|line| line.trim_start_matches('\\')[66..].to_owned());
    (names.collect(), ran.stderr.clone(), ran.status.unwrap())
}

const ALL: [&str; 10] = [
    "t/.dot",
    "t/.gitignore",
    "t/.hidden/z.c",
    "t/a/b/deep.c",
    "t/a/x.c",
    "t/a/x.o",
    "t/a-/y.c",
    "t/a.c",
    "t/build/out.o",
    "t/n\\nl",
];
const LINKS: &str = "hashmill: t: 2 symbolic links were not followed\n";

#[test]
fn all_files_in_the_order_of_their_names() {
    let place = tree();
    assert_eq!(names(&place, &["t"]), (ALL.map(str::to_owned).to_vec(), LINKS.to_owned(), 0));
    assert_eq!(names(&place, &["-j1", "t/"]).0, ALL);
    // Files and directories on the command line, in their order, and the current directory.
    let (here, said, status) = names(&place, &["f", "other", "g", "t/a"]);
    assert_eq!(here, ["f", "other/o.c", "g", "t/a/b/deep.c", "t/a/x.c", "t/a/x.o"]);
    assert_eq!((&*said, status), ("", 0));
    let ran = place.shell("cd other && hashmill sum -r");
    assert_eq!(ran.text(), format!("{}  ./o.c\n", hashmill::sha256(b"other/o.c")));
    // `sha256sum` accepts the list.
    let list = place.run("hashmill", &["sum", "-r", "t"]).stdout;
    place.write("list", list).run("sha256sum", &["-c", "--quiet", "list"]).gave(0, "", "");
}

#[test]
fn what_is_left_out() {
    let place = tree();
    for (args, left) in [
        (
            &["--skip-hidden"][..],
            &[
                "t/a/b/deep.c",
                "t/a/x.c",
                "t/a/x.o",
                "t/a-/y.c",
                "t/a.c",
                "t/build/out.o",
                "t/n\\nl",
            ][..],
        ),
        (&["--include", "*.c"], &["t/.hidden/z.c", "t/a/b/deep.c", "t/a/x.c", "t/a-/y.c", "t/a.c"]),
        (&["--include=/a/*.c"], &["t/a/x.c"]),
        (&["--exclude=*.c", "--exclude", "/.*"], &["t/a/x.o", "t/build/out.o", "t/n\\nl"]),
        (&["--include=*.c", "--exclude=b"], &["t/.hidden/z.c", "t/a/x.c", "t/a-/y.c", "t/a.c"]),
        (
            &["--ignore-files", "--exclude=.*"],
            &["t/a/b/deep.c", "t/a/x.c", "t/a-/y.c", "t/a.c", "t/n\\nl"],
        ),
    ] {
        let (names, _, status) = names(&place, &[args, &["t"]].concat());
        assert_eq!(
            (&*names, status),
            (&*left.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), 0),
            "{args:?}"
        );
    }
    let (none, said, status) = names(&place, &["--exclude", "a[", "t"]);
    assert!(none.is_empty() && said.contains("a[") && status == 2, "{said}");
}

#[test]
fn symbolic_links() {
    let place = tree();
    symlink("t", place.path("to-t")).unwrap();
    assert_eq!(names(&place, &["to-t/a"]).0, ["to-t/a/b/deep.c", "to-t/a/x.c", "to-t/a/x.o"]);
    assert_eq!(names(&place, &["to-t"]).0.len(), ALL.len());
    let none = (vec![], "hashmill: to-t: 1 symbolic link was not followed\n".to_owned(), 0);
    assert_eq!(names(&place, &["--symlinks=never", "to-t"]), none);

    let (all, said, status) = names(&place, &["--symlinks=always", "t"]);
    assert_eq!((all.len(), &*said, status), (ALL.len() + 2, "", 0));
    assert!(all.contains(&"t/link/o.c".to_owned()) && all.contains(&"t/link.c".to_owned()));
    symlink("../t", place.path("other/up")).unwrap();
    symlink("nowhere", place.path("other/broken")).unwrap();
    let (looped, said, status) = names(&place, &["--symlinks=always", "t"]);
    assert_eq!((looped, status), (all, 1));
    for words in ["t/link/up: leads back to t\n", "t/link/broken: No such file or directory\n"] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_is_no_file_is_named_and_left_out() {
    let place = tree();
    let socket = std::os::unix::net::UnixListener::bind(place.path("other/socket")).unwrap();
    let ran = place.shell("mkfifo other/fifo && hashmill sum -r other");
    let line = format!("{}  other/o.c\n", hashmill::sha256(b"other/o.c"));
    ran.gave(
        0,
        &line,
        "hashmill: other/fifo: a fifo, left out\nhashmill: other/socket: a socket, left out\n",
    );
    drop(socket);
    let ran = place.run("hashmill", &["sum", "-r", "nosuch", "other/o.c"]);
    ran.gave(1, &line, "hashmill: nosuch: No such file or directory\n");
}
