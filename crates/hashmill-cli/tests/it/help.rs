//! The help of every command, at several widths.

use crate::common::{Place, names};
use std::collections::BTreeSet;

/// Returns a help text for a terminal with this many columns.
fn help(place: &Place, columns: usize, args: &[&str]) -> String {
    let output =
        place.command("hashmill").env("COLUMNS", columns.to_string()).args(args).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Adds the words of each command that the help of `command` names, also of nested ones.
fn nested(place: &Place, command: &[&str], found: &mut BTreeSet<String>) {
    let text = help(place, 80, &[command, &["--help"]].concat());
    // The first help has no heading above them, because nothing else is in it.
    let start = if command.is_empty() { "Usage: hashmill <COMMAND>\n\n" } else { "Commands:\n" };
    let rows = text.split_once(start).map_or("", |(_, rows)| rows);
    for row in rows.lines().take_while(|row| !row.is_empty()) {
        let name = row.split_whitespace().next().unwrap();
        if row.starts_with("  ") && !row.starts_with("   ") && name != "help" {
            let command = [command, &[name]].concat();
            found.insert(command.join(" "));
            nested(place, &command, found);
        }
    }
}

/// Returns the commands of the program, each as its words.
fn commands(place: &Place) -> BTreeSet<String> {
    let mut found = BTreeSet::from([String::new()]);
    nested(place, &[], &mut found);
    // `sum` is also a command of our own, which is found.
    let hidden = ["self-test", "completions", "man"];
    found.extend(names().chain(hidden).map(str::to_owned));
    for expected in ["sum", "duplicates", "manifest create", "manifest compare", "self man"] {
        assert!(found.contains(expected), "{expected}: {found:?}");
    }
    found
}

/// Returns the column at which a line's text begins: in a row of a table, the second column.
fn column(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    line[indent..].find("  ").map_or(indent, |gap| {
        let gap = indent + gap;
        gap + (line[gap..].len() - line[gap..].trim_start().len())
    })
}

/// Returns whether the paragraph of a line continues on the next one.
fn continues(line: &str, next: &str) -> bool {
    let text = next.trim_start();
    let indent = next.len() - text.len();
    if line.starts_with("Usage: ") {
        return false;
    }
    let is_item = text.starts_with(['-', '[', '<']) || column(next) != indent;
    !line.is_empty() && !text.is_empty() && indent == column(line) && !is_item
}

/// Within a paragraph, a line breaks only where the next word has no room.
#[test]
fn paragraphs_fill_their_lines() {
    let place = Place::new();
    for command in commands(&place) {
        let words: Vec<&str> = command.split_whitespace().collect();
        for option in ["-h", "--help"] {
            // The stand-ins' own help, as GNU's, has lines for 80 columns.
            let is_stand_in = words.len() == 1 && names().any(|name| name == words[0]);
            let args = match is_stand_in && option == "-h" {
                true => vec!["help", words[0]],
                false => [&words[..], &[option]].concat(),
            };
            let mut examples = BTreeSet::new();
            for columns in [60, 80, 120] {
                let text = help(&place, columns, &args);
                let (before, after) = text.split_once("Examples:\n").unwrap_or((&text, ""));
                // Examples are commands: none is divided.
                let end = after.find("\n\n").unwrap_or(after.len());
                let (commands, rest) = after.split_at(end);
                examples.insert(commands.to_owned());
                let lines: Vec<&str> = before.lines().chain([""]).chain(rest.lines()).collect();
                for pair in lines.windows(2).filter(|pair| continues(pair[0], pair[1])) {
                    let len = pair[0].trim_end().chars().count();
                    let word = pair[1].split_whitespace().next().unwrap().chars().count();
                    let told = format!("{args:?}, {columns} columns: {pair:?}");
                    assert!(2 * len >= columns, "under half the width: {told}");
                    assert!(len + 1 + word > columns, "the next word has room: {told}");
                }
                let room =
                    if is_stand_in && option == "--help" { columns.max(80) } else { columns };
                // clap does not divide a line of usage.
                let mut others = text.lines().filter(|line| !line.starts_with("Usage: "));
                let long = others.find(|line| line.chars().count() > room);
                assert_eq!(long, None, "{args:?}, {columns} columns");
            }
            assert_eq!(examples.len(), 1, "{args:?}: {examples:?}");
        }
    }
}

/// A paragraph with the fault that this test looks for is recognised.
#[test]
fn a_stump_is_found() {
    assert!(continues("Recognises the lists of GNU, in UTF-8 and", "in"));
    assert!(continues("  -a, --algorithm <A>  The", "                       algorithm"));
    assert!(!continues("  -a  The algorithm", "  -b  The other"));
    assert!(!continues("  sum    Write digests", "  check  Check lists"));
    assert!(!continues("Commands:", "  sum  Write digests"));
}
