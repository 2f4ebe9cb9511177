//! `cargo xtask faults`: plants hand-written faults, one at a time, in a copy of the workspace. A
//! test must catch each fault. A table lists which test does.

mod table;

use crate::{Outcome, root, target};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use table::{FAULTS, Fault};

/// The tests that run after `first`, the quickest first: the unit tests, `tests/agree.rs`, modules of
/// `tests/it`, and `tests/kat.rs`.
const PROGRAMS: &[&str] = &[
    "lib",
    "agree",
    "vectors",
    "state",
    "interfaces",
    "many",
    "k12",
    "sp800_185",
    "mac",
    "scale",
    "widths",
    "history",
    "kat",
];

/// Time limit of one test program, longer than any of them takes, because a fault can cause an
/// endless loop.
const LONGEST: Duration = Duration::from_secs(600);

/// Plants all faults, or those whose file or description contains one of the arguments.
pub fn faults(args: &[String]) -> Outcome {
    let is = |fault: &&Fault, arg: &String| fault.file.contains(arg) || fault.what.contains(arg);
    let chosen: Vec<&Fault> =
        FAULTS.iter().filter(|it| args.is_empty() || args.iter().any(|arg| is(it, arg))).collect();
    plant(&chosen)
}

/// Plants a few faults, spread over the table.
pub fn some() -> Outcome {
    plant(&FAULTS.iter().step_by(FAULTS.len() / 6).collect::<Vec<_>>())
}

/// Checks that the text of every fault occurs exactly once in its file.
fn aimed() -> Outcome {
    for fault in FAULTS {
        let count = read(&source(root(), fault))?.matches(fault.text).count();
        if count != 1 {
            return Err(format!(
                "{}: {:?} occurs {count} times, expected once",
                fault.file, fault.text
            ));
        }
    }
    Ok(())
}

fn plant(faults: &[&Fault]) -> Outcome {
    aimed()?;
    let copy = target().join("faults/copy");
    copy_workspace(&copy)?;
    let mut without: Vec<&str> = faults.iter().map(|fault| fault.first).collect();
    without.sort();
    without.dedup();
    for first in without {
        match ask(&copy, first)? {
            Answer::Passed => {}
            Answer::Caught(test) => return Err(format!("{test} fails without any fault")),
        }
    }
    let mut table = String::from("| file | fault | caught by |\n|---|---|---|\n");
    let mut survivors = 0;
    for (number, fault) in faults.iter().enumerate() {
        let (file, started) = (source(&copy, fault), Instant::now());
        let text = read(&file)?;
        write(&file, text.replace(fault.text, fault.instead).as_bytes())?;
        let caught = catch(&copy, fault);
        write(&file, text.as_bytes())?;
        let by = match caught? {
            Some(test) => test,
            None => {
                survivors += 1;
                "**nothing**".to_owned()
            }
        };
        let row = format!("| `{}` | {} | {by} |\n", fault.file, fault.what);
        eprint!("{}/{} {:3} s {row}", number + 1, faults.len(), started.elapsed().as_secs());
        table.push_str(&row);
    }
    let place = target().join("faults/table.md");
    write(&place, table.as_bytes())?;
    eprintln!("\n{table}\nThis table is in {}.", place.display());
    match survivors {
        0 => Ok(()),
        _ => Err(format!("{survivors} of {} faults survived", faults.len())),
    }
}

/// Returns the name of the first test that fails, or `None` if no test fails.
fn catch(copy: &Path, fault: &Fault) -> Result<Option<String>, String> {
    for program in [fault.first].iter().chain(PROGRAMS) {
        if let Answer::Caught(test) = ask(copy, program)? {
            return Ok(Some(test));
        }
    }
    Ok(None)
}

enum Answer {
    Passed,
    Caught(String),
}

/// Runs the unit tests, `agree`, `kat`, `remains`, or a module of `tests/it`. If a space and a text
/// follow, runs only the tests whose names contain the text.
fn ask(copy: &Path, first: &str) -> Result<Answer, String> {
    let (program, filter) = first.split_once(' ').unwrap_or((first, ""));
    let log = target().join("faults/log.txt");
    let mut command = Command::new(env!("CARGO"));
    command.arg("test");
    match program {
        "remains" => command.args(["--release", "--package", "hashmill-c"]),
        _ => command.args(["--profile", "faults", "--package", "hashmill", "--all-features"]),
    };
    match (program, filter) {
        ("remains", _) => command.args(["--test", "remains", "--"]),
        ("lib", _) => command.arg("--lib"),
        ("agree" | "kat", _) => command.args(["--test", program]),
        (module, "") => command.args(["--test", "it"]).arg(format!("{module}::")),
        _ => command.args(["--test", "it"]),
    };
    let open = |file: &Path| File::create(file).map_err(|e| format!("{}: {e}", file.display()));
    let out = open(&log)?;
    let err = out.try_clone().map_err(|e| format!("{}: {e}", log.display()))?;
    command.args(filter.split_whitespace()).current_dir(copy).stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", target().join("faults/build")).stdout(out).stderr(err);
    let mut child = command.spawn().map_err(|e| format!("cargo: {e}"))?;
    let started = Instant::now();
    let passed = loop {
        match child.try_wait().map_err(|e| format!("cargo: {e}"))? {
            Some(status) => break status.success(),
            None if started.elapsed() > LONGEST => {
                let _ = child.kill();
                return Ok(Answer::Caught(format!("`{program}`, which did not end")));
            }
            None => sleep(Duration::from_millis(100)),
        }
    };
    if passed {
        return Ok(Answer::Passed);
    }
    let said = read(&log)?;
    if said.contains("error: could not compile") {
        return Err(format!("a fault that does not compile:\n{said}"));
    }
    let failed = |line: &str| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.trim_end();
        Some(match program {
            "lib" | "kat" => format!("`{program}`: {name}"),
            "agree" => format!("`agree::{name}`"),
            _ => format!("`{name}`"),
        })
    };
    let test = said.lines().find_map(failed);
    Ok(Answer::Caught(test.unwrap_or_else(|| format!("`{program}`, which crashed"))))
}

/// Copies the current content of all files that git lists. Writes only files that differ, so that
/// cargo rebuilds little.
pub fn copy_workspace(copy: &Path) -> Outcome {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .args(["Cargo.toml", "Cargo.lock", "crates", "vectors", "xtask"])
        .current_dir(root())
        .output()
        .map_err(|e| format!("git: {e}"))?;
    let names = String::from_utf8(listed.stdout).map_err(|e| format!("git ls-files: {e}"))?;
    for name in names.split_terminator('\0') {
        let (from, to) = (root().join(name), copy.join(name));
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            let folder = to.parent().unwrap_or(copy);
            fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            write(&to, &bytes)?;
        }
    }
    Ok(())
}

fn source(workspace: &Path, fault: &Fault) -> PathBuf {
    workspace.join("crates/hashmill/src").join(fault.file)
}

pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

pub fn write(file: &Path, bytes: &[u8]) -> Outcome {
    fs::write(file, bytes).map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_fault_has_its_place() {
        assert_eq!(super::aimed(), Ok(()));
    }
}
