//! Runs `cargo xtask test` as on machines that lack tools. A PATH of links to all other tools
//! simulates each such machine.

use crate::prelude::*;
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

/// A simulated machine, by a line of `machines.txt`.
struct Machine {
    lacks: &'static str,
    left_out: &'static str,
}

fn machines() -> Vec<Machine> {
    let lines = include_str!("hidden/machines.txt").lines().filter(|line| !line.starts_with('#'));
    let parts = lines.filter_map(|line| line.split_once(": "));
    parts.map(|(lacks, left_out)| Machine { lacks, left_out }).collect()
}

/// Hides each tool alone and checks that the command lists the parts that need it and that nothing
/// fails. Then hides all tools at once and checks that the whole command passes.
pub fn hidden() -> Outcome {
    let dir = target().join("tmp/hidden");
    let usual = Machine { lacks: "", left_out: "" };
    let here = |set| -> Result<BTreeSet<String>, String> {
        Ok(listed(&usual.play(&dir, &["--list", set])?, "will run:"))
    };
    let (usual, long) = (here("--all")?, here("--long")?);
    let here = &usual | &long;
    let machines = machines();
    let mut all = BTreeSet::new();
    for machine @ Machine { lacks, left_out } in &machines {
        let expected = words(left_out);
        all.extend(expected.clone());
        if let Some(part) = expected.difference(&here).next() {
            eprintln!("without {lacks}: skipped, because {part} cannot run on this machine");
            continue;
        }
        let ran = machine.play(&dir, &left_out.split(' ').collect::<Vec<_>>())?;
        let last = format!("0 passed, 0 failed, {} skipped", expected.len());
        let ended = ran.status.success() && ran.stdout.lines().last() == Some(&last);
        let error = format!("without {lacks}: {}", text(&ran));
        ensure(ended && listed(&ran, "left out:") == expected, error)?;
        eprintln!("without {lacks}: {left_out} left out");
    }
    let bin = links(&dir, |name| machines.iter().any(|it| it.lacks(name)))?;
    let mut command = on(&bin, &dir);
    command.args(["test", "--all"]);
    // With another `CARGO_HOME`, cargo would rebuild everything. With this one, cargo finds its
    // subcommands there, and the environment for the proofs is in the target directory.
    command.env("CARGO_TARGET_DIR", target()).env("CARGO_HOME", cargo_home());
    let ran = output(command)?;
    let with_cargo = ["style", "lints"];
    all.retain(|part| {
        usual.contains(part) && !with_cargo.contains(&&**part) && !part.starts_with("proofs")
    });
    let left_out = listed(&ran, "left out:");
    if let Some(part) = all.difference(&left_out).next() {
        return Err(format!("without all of it: {part} was not left out: {}", text(&ran)));
    }
    ensure(ran.status.success(), format!("without all of it: {}", text(&ran)))
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(' ').map(str::to_owned).collect()
}

impl Machine {
    /// A CMake package that is hidden.
    fn package(&self) -> Option<&str> {
        self.lacks.strip_prefix("package ")
    }

    fn lacks(&self, program: &str) -> bool {
        self.package().is_none() && self.lacks.split(' ').any(|it| it == program)
    }

    /// Runs `xtask test` on this machine with these arguments and its own, empty target directory.
    fn play(&self, dir: &Path, args: &[&str]) -> Result<Said, String> {
        let bin = links(dir, |name| self.lacks(name))?;
        if let Some(package) = self.package() {
            let (cmake, real) = (bin.join("cmake"), fs::canonicalize(bin.join("cmake")));
            let real = real.map_err(failed(&cmake))?.display().to_string();
            let hide = format!("-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON");
            fs::remove_file(&cmake).map_err(failed(&cmake))?;
            write(&cmake, format!("#!/bin/sh\nexec '{real}' {hide} \"$@\"\n"))?;
            run(cmd!("chmod +x {}", cmake))?;
        }
        let built = dir.join("target");
        let mut command = on(&bin, dir);
        output(command.arg("test").args(args).env("CARGO_TARGET_DIR", built))
    }
}

/// Returns a command for this program with `bin` as PATH and no other place where cargo finds
/// subcommands.
fn on(bin: &Path, dir: &Path) -> Command {
    let mut command = cmd!("{}", env::current_exe().unwrap_or_default());
    command.env("PATH", bin).env("CARGO_HOME", dir.join("cargo")).env_remove("CI");
    command
}

/// Creates a directory of links to every program of this machine except the hidden ones, beside a
/// `CARGO_HOME` that contains only the downloaded packages.
fn links(dir: &Path, hidden: impl Fn(&str) -> bool) -> Result<PathBuf, String> {
    let (bin, home) = (dir.join("bin"), dir.join("cargo"));
    remove_folder(dir)?;
    make_folder(&bin)?;
    make_folder(&home)?;
    for entry in ["registry", "git"] {
        symlink(cargo_home().join(entry), home.join(entry)).map_err(failed(&home))?;
    }
    for from in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        for entry in fs::read_dir(from).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            let plain = plain.strip_suffix('-').unwrap_or(&name);
            if !hidden(&name) && !hidden(plain) && !bin.join(&name).exists() {
                _ = symlink(entry.path(), bin.join(&name));
            }
        }
    }
    Ok(bin)
}

/// Returns the names of the parts that the output lists below a heading.
fn listed(ran: &Said, heading: &str) -> BTreeSet<String> {
    let rows = ran.stderr.lines().skip_while(|line| *line != heading).skip(1);
    let rows = rows.take_while(|line| line.starts_with("  "));
    // The missing tools of a part are listed below it, with more indentation.
    let rows = rows.filter(|line| !line.starts_with("   "));
    rows.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn text(ran: &Said) -> String {
    format!("{}\n{}{}", ran.status, ran.stderr, ran.stdout)
}
