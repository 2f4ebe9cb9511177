//! `cargo xtask faults`: plants hand-written faults, one at a time, in a copy of the workspace. A
//! test must catch each fault. A table lists which test does.

use crate::diffs::Diff;
use crate::prelude::*;
use crate::{arm, python, wasm};
use std::collections::BTreeSet;
use std::fs::File;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The tests that run after `first` for a fault in the core, the quickest first: the unit tests,
/// `tests/agree.rs`, modules of `tests/it`, and `tests/kat.rs`.
const PROGRAMS: &str = "lib agree vectors state interfaces many k12 \
                        sp800_185 mac scale widths history kat";

/// Time limit of one test program, without its build, longer than any of them takes, because a fault
/// can cause an endless loop.
const LONGEST: Duration = Duration::from_secs(600);

/// The faults of `faults.txt`.
fn all() -> Vec<Diff> {
    Diff::list(include_str!("faults/faults.txt")).collect()
}

/// Whether only the tests of another machine or another package can catch the fault.
fn is_outside(fault: &Diff) -> bool {
    OUTSIDE.contains(&words(fault.by[0]).0)
}

fn source(fault: &Diff, workspace: &Path) -> PathBuf {
    match fault.place.split('/').next() {
        Some("crates" | "faces") => workspace.join(fault.place),
        _ => workspace.join("crates/hashmill/src").join(fault.place),
    }
}

/// Plants all faults, or those whose file or description contains one of the arguments.
pub fn faults(args: &[String]) -> Outcome {
    let mut chosen = all();
    let is = |fault: &Diff, arg: &String| fault.place.contains(arg) || fault.what.contains(arg);
    chosen.retain(|it| args.is_empty() || args.iter().any(|arg| is(it, arg)));
    plant(&chosen.iter().collect::<Vec<_>>())
}

/// Plants a few faults in the core, spread over the table. Their tests need only Rust.
pub fn some() -> Outcome {
    let mut faults = all();
    faults.retain(|fault| !is_outside(fault));
    plant(&faults.iter().step_by(faults.len() / 6).collect::<Vec<_>>())
}

/// Checks that the text of every fault occurs exactly once in its file.
fn aimed() -> Outcome {
    let planted = |fault: &Diff| fault.plant(&read(source(fault, root()))?).map(drop);
    all().iter().try_for_each(planted)
}

fn plant(faults: &[&Diff]) -> Outcome {
    aimed()?;
    let copy = target().join("faults/copy");
    copy_workspace(&copy)?;
    let build = target().join("faults/build");
    make_folder(&build)?;
    for first in faults.iter().map(|fault| fault.by[0]).collect::<BTreeSet<_>>() {
        if let Some(test) = ask(&copy, first)? {
            return Err(format!("{test} fails without any fault"));
        }
    }
    let mut table = String::from("| file | fault | caught by |\n|---|---|---|\n");
    let mut survivors = 0;
    for (number, fault) in faults.iter().enumerate() {
        let (file, started) = (source(fault, &copy), Instant::now());
        let text = read(&file)?;
        write(&file, fault.plant(&text)?)?;
        let caught = catch(&copy, fault);
        write(&file, text)?;
        let caught = caught?;
        survivors += usize::from(caught.is_none());
        let by = caught.unwrap_or_else(|| "**nothing**".to_owned());
        let row = format!("| `{}` | {} | {by} |\n", fault.place, fault.what);
        eprint!("{}/{} {:3} s {row}", number + 1, faults.len(), started.elapsed().as_secs());
        table.push_str(&row);
    }
    let place = target().join("faults/table.md");
    write(&place, &table)?;
    eprintln!("\n{table}\nThis table is in {}.", place.display());
    ensure(survivors == 0, format!("{survivors} of {} faults survived", faults.len()))
}

/// Returns the name of the first test that fails, or `None` if no test fails.
fn catch(copy: &Path, fault: &Diff) -> Result<Option<String>, String> {
    let others = PROGRAMS.split(' ').filter(|_| !is_outside(fault));
    let mut programs = [fault.by[0]].into_iter().chain(others);
    programs.find_map(|program| ask(copy, program).transpose()).transpose()
}

/// The first words of a fault's first tests that name tests of another machine or another package.
const OUTSIDE: &[&str] = &["arm", "wasm", "program", "c", "cpp", "python"];

/// Returns the first word of `first`, and the rest.
fn words(first: &str) -> (&str, &str) {
    first.split_once(' ').unwrap_or((first, ""))
}

/// Runs the tests that a line with `=` of `faults.txt` describes. Returns the name of the one that fails.
fn ask(copy: &Path, first: &str) -> Result<Option<String>, String> {
    let (program, filter) = words(first);
    let log = target().join("faults/log.txt");
    let mut answer = Answer::Passed;
    let mut steps = steps(copy, program, filter)?;
    let last = steps.len() - 1;
    for (number, step) in steps.iter_mut().enumerate() {
        step.env("CARGO_TARGET_DIR", target().join("faults/build"));
        let longest = if number == last { LONGEST } else { Duration::MAX };
        answer = watched(step, &log, longest, &|_| false)?;
        let said = read(log.with_extension("err"))?;
        let compiles = number == last && !said.contains("error: could not compile");
        let error = format!("a fault that does not compile:\n{said}");
        ensure(compiles || answer != Answer::Failed, error)?;
    }
    match answer {
        Answer::Passed => return Ok(None),
        Answer::Endless => return Ok(Some(format!("`{program}`, which did not end"))),
        Answer::Failed => {}
    }
    let said = read(&log)? + &read(log.with_extension("err"))?;
    let failed = |line: &str| {
        // pytest, the C++ program, the C program, and Rust's own tests.
        if let Some(name) = line.strip_prefix("FAILED ") {
            return Some(format!("`{}`", name.split(" - ").next().unwrap_or(name)));
        }
        if let Some((use_, _)) = line.split_once(" in registers contain a secret") {
            let (use_, _) = use_.split_once(':')?;
            return Some(format!("`cpp/remains`: {use_}"));
        }
        if let Some((_, check)) = line.split_once("consumer.c:") {
            let (_, check) = check.split_once(' ')?;
            return Some(format!("`c`: {check}"));
        }
        let name = failed_test(line)?;
        Some(match program {
            "lib" | "kat" | "arm" | "program" => format!("`{program}`: {name}"),
            "agree" => format!("`agree::{name}`"),
            _ => format!("`{name}`"),
        })
    };
    let test = said.lines().find_map(failed);
    let crashed = match program {
        "wasm" => "`wasm`: the known answers or Node's digests",
        _ => &format!("`{program}`, which crashed"),
    };
    Ok(Some(test.unwrap_or_else(|| crashed.to_owned())))
}

/// The test that a line of Rust's tests says to have failed.
pub fn failed_test(line: &str) -> Option<&str> {
    Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.trim_end())
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Passed,
    Failed,
    Endless,
}

/// Runs a command and writes what it prints to `log`, and its errors beside it, with the ending
/// `err`. Stops it after that time, or as failed once `is_enough` says so of what it has printed.
pub fn watched(
    command: &mut Command,
    log: &Path,
    longest: Duration,
    is_enough: &dyn Fn(&str) -> bool,
) -> Result<Answer, String> {
    write(log, "")?;
    let file = |path: &Path| File::create(path).map_err(failed(path));
    command.stdin(Stdio::null()).stdout(file(log)?).stderr(file(&log.with_extension("err"))?);
    let name = format!("{:?}", command.get_program());
    let failed = |e: std::io::Error| format!("{name}: {e}");
    let (mut child, started) = (command.spawn().map_err(failed)?, Instant::now());
    let answer = loop {
        match child.try_wait().map_err(failed)? {
            Some(status) if status.success() => break Answer::Passed,
            Some(_) => break Answer::Failed,
            None if started.elapsed() > longest => break Answer::Endless,
            None if is_enough(&read(log)?) => break Answer::Failed,
            None => sleep(Duration::from_millis(100)),
        }
    };
    _ = child.kill();
    child.wait().map(|_| answer).map_err(failed)
}

/// Returns the commands that build a test, and last the one that runs it.
fn steps(copy: &Path, program: &str, filter: &str) -> Result<Vec<Command>, String> {
    let build = target().join("faults/build");
    let profile = "--profile faults --package";
    let mut core = cmd!(format!("cargo test {profile} hashmill --all-features"));
    let mut steps = match program {
        "remains" => {
            let remains = "cargo test --release --package hashmill-c --test remains --";
            vec![cmd!(format!("{remains} {filter}"))]
        }
        "arm" => {
            let (cpu, tests) = words(filter);
            core.args(["--target", arm::TARGET]).args(tests.split(' '));
            arm::emulated(&mut core, cpu);
            vec![core]
        }
        "wasm" => wasm::steps(&build, wasm::SIMD),
        "program" => vec![cmd!(format!("cargo test {profile} hashmill-cli --test it -- {filter}"))],
        "c" => {
            let library = "hashmill-c --lib --crate-type staticlib";
            let consumer = build.join("consumer");
            let compile = "cc -std=c11 -Icrates/hashmill-c/include crates/hashmill-c/tests/consumer.c \
                           -o {} {}/faults/libhashmill_c.a -lpthread -ldl -lm";
            let compile = cmd!(compile, consumer, build);
            vec![cmd!(format!("cargo rustc {profile} {library}")), compile, cmd!("{}", consumer)]
        }
        "cpp" => {
            let remains = build.join("remains");
            let compile =
                "c++ -std=c++20 -O2 -Ifaces/cpp/include faces/cpp/tests/remains.cpp -o {}";
            vec![cmd!(compile, remains), cmd!("{}", remains)]
        }
        "python" => return python::steps(&copy.join("faces/python"), &build, filter),
        _ => {
            match program {
                "lib" => core.arg("--lib"),
                "agree" | "kat" => core.args(["--test", program]),
                _ => core.args(["--test", "it"]),
            };
            let mut build = Command::new(core.get_program());
            build.args(core.get_args()).arg("--no-run");
            if filter.is_empty() && !["lib", "agree", "kat"].contains(&program) {
                core.arg(format!("{program}::"));
            }
            core.args(filter.split_whitespace());
            vec![build, core]
        }
    };
    steps.iter_mut().for_each(|step| _ = step.current_dir(copy));
    Ok(steps)
}

/// Copies the current content of all files that git lists. Writes only files that differ, so that
/// cargo rebuilds little.
pub fn copy_workspace(copy: &Path) -> Outcome {
    let listed = "git ls-files --cached --others --exclude-standard -z -- Cargo.toml Cargo.lock \
                  crates vectors xtask bench/wasm faces/cpp faces/python";
    for name in stdout(cmd!(listed))?.split_terminator('\0') {
        let (from, to) = (root().join(name), copy.join(name));
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            write(&to, bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_fault_has_its_place() {
        assert_eq!(super::aimed(), Ok(()));
    }
}
