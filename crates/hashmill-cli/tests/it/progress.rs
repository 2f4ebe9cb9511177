//! The progress bar.

use crate::common::{A, Place};

#[test]
fn shown_when_asked_for() {
    let place = Place::new();
    place.write("large", vec![0; 8 << 20]).write("list", format!("{A}  f\n"));
    let sum = place.run("hashmill", &["sum", "large", "f"]);
    assert_eq!(sum.stderr, "");
    for command in [
        "hashmill sum --progress=always large f",
        "HASHMILL_PROGRESS=always hashmill sum large f",
        "HASHMILL_PROGRESS=always sha256sum large f",
        "hashmill sum --progress=always - f <large | sed 's/ -/ large/'",
    ] {
        let ran = place.shell(command);
        assert_eq!((ran.status, &ran.stdout), (Some(0), &sum.stdout), "{command}");
        assert!(ran.stderr.contains("iB"), "{command}: {:?}", ran.stderr);
    }
    for command in [
        "hashmill check --progress=always list",
        "hashmill manifest create --progress=always m bin",
        "hashmill manifest update --progress=always m bin",
        "hashmill manifest verify --progress=always m bin",
    ] {
        assert_eq!(place.shell(command).status, Some(0), "{command}");
    }
    for command in [
        "hashmill sum --progress=never large f",
        "hashmill sum --progress=auto large f",
        "HASHMILL_PROGRESS=always hashmill sum --progress=never large f",
        "HASHMILL_PROGRESS=nonsense sha256sum large f",
    ] {
        place.shell(command).gave(0, &sum.text(), "");
    }
    assert_eq!(place.run("hashmill", &["sum", "--progress=perhaps", "f"]).status, Some(2));
}

/// The bar is removed before a message is written, and at the end.
#[test]
fn messages_have_lines_of_their_own() {
    let place = Place::new();
    place.write("large", vec![0; 8 << 20]);
    let ran = place.run("hashmill", &["sum", "--progress=always", "large", "nosuch", "large", "."]);
    assert_eq!(ran.status, Some(1));
    let clear = "\x1b[2K";
    for message in
        ["hashmill: nosuch: No such file or directory\n", "hashmill: .: Is a directory\n"]
    {
        let at = ran.stderr.find(message).unwrap();
        assert!(ran.stderr[..at].ends_with(clear), "{:?}", ran.stderr);
    }
    let (_, rest) = ran.stderr.rsplit_once(clear).unwrap();
    assert!(!rest.contains("iB"), "{rest:?}");
}

/// The bar is shown on a terminal if the work takes more than a second, but never by a stand-in.
#[test]
fn shown_on_a_terminal_when_it_lasts() {
    let place = Place::new();
    if place.shell("command -v script").status != Some(0) {
        return;
    }
    let input = "(head -c 1M /dev/zero; sleep 1.2; head -c 2M /dev/zero)";
    for (program, shown) in [("hashmill sum", true), ("sha256sum", false)] {
        place.write("run", format!("{input} | {program}"));
        let ran = place.shell("script --quiet --return --command 'bash run' /dev/null");
        assert_eq!((ran.status, ran.text().contains("iB/s")), (Some(0), shown), "{:?}", ran.text());
    }
    place.write("run", "hashmill sum f");
    let ran = place.shell("script --quiet --return --command 'bash run' /dev/null");
    assert_eq!(ran.text(), format!("{A}  f\r\n"));
}
