//! Runs `cargo xtask test` as on machines that lack tools. A PATH of links to all other tools
//! simulates each such machine.

use crate::prelude::*;
use std::collections::BTreeSet;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A simulated machine: what it lacks, and the parts that are left out for that reason.
struct Machine {
    /// Names of programs. A name includes its numbered versions.
    lacks: &'static [&'static str],
    /// A CMake package that is hidden from CMake.
    package: Option<&'static str>,
    left_out: &'static [&'static str],
}

const fn without(lacks: &'static [&'static str], left_out: &'static [&'static str]) -> Machine {
    Machine { lacks, package: None, left_out }
}

const MACHINES: &[Machine] = &[
    without(&["clang", "clang++"], &["c/clang", "cpp/clang"]),
    without(&["gcc", "g++"], &["c/gcc", "cpp/gcc"]),
    without(&["cmake"], &["cpp/gcc", "cpp/clang", "arm/faces"]),
    without(&["make", "gmake", "ninja"], &["cpp/gcc", "cpp/clang", "arm/faces"]),
    without(&["pkg-config"], &["c/gcc", "c/clang", "arm/faces"]),
    without(&["objcopy"], &["c/gcc", "c/clang", "haskell", "cpp/gcc", "cpp/clang"]),
    without(&["c++"], &["fuzz", "arm/faces"]),
    without(&["ghc"], &["haskell"]),
    without(&["ghc-pkg"], &["haskell"]),
    without(&["node"], &["motoko", "motoko/wasm32", "wasm", "wasm/plain"]),
    without(&["npm"], &["motoko", "motoko/wasm32"]),
    without(&["python3"], &["proofs", "proofs/attacks", "proofs/arm", "proofs/wasm"]),
    without(&["qemu-x86_64", "qemu-x86_64-static"], &["masked"]),
    without(&["qemu-aarch64"], &["arm", "arm/faces", "proofs/arm"]),
    without(&["aarch64-linux-gnu-gcc"], &["arm", "arm/faces", "proofs/arm"]),
    without(&["aarch64-linux-gnu-g++"], &["arm/faces"]),
    without(&["cargo-fmt"], &["style"]),
    without(&["cargo-clippy"], &["lints"]),
    without(&["zsh"], &["zsh"]),
    without(&["fish"], &["fish"]),
    without(&["groff"], &["groff"]),
    without(&["script"], &["script"]),
    without(&["cargo-deny"], &["deny"]),
    without(&["strace"], &["strace"]),
    without(&["gpg"], &["gpg"]),
    without(&["minisign"], &["minisign"]),
    Machine { lacks: &[], package: Some("GTest"), left_out: &["cpp/gcc", "cpp/clang"] },
    Machine {
        lacks: &[],
        package: Some("nlohmann_json"),
        left_out: &["cpp/gcc", "cpp/clang", "arm/faces"],
    },
];

/// Hides each tool alone and checks that the command lists the parts that need it and that nothing
/// fails. Then hides all tools at once and checks that the whole command passes.
pub fn hidden() -> Outcome {
    let dir = target().join("tmp/hidden");
    let here = |args: &[&str]| -> Result<BTreeSet<String>, String> {
        Ok(listed(&without(&[], &[]).play(&dir, args)?, "will run:"))
    };
    let (usual, long) = (here(&["--list", "--all"])?, here(&["--list", "--long"])?);
    let here = &usual | &long;
    for machine in MACHINES {
        let name = machine.name();
        if let Some(part) = machine.left_out.iter().find(|part| !here.contains(**part)) {
            eprintln!("without {name}: skipped, because {part} cannot run on this machine");
            continue;
        }
        let ran = machine.play(&dir, machine.left_out)?;
        let expected: BTreeSet<String> = machine.left_out.iter().map(|it| it.to_string()).collect();
        check(&ran, &expected, &format!("0 passed, 0 failed, {} skipped", expected.len()))
            .map_err(|error| format!("without {name}: {error}"))?;
        eprintln!("without {name}: {} left out", machine.left_out.join(", "));
    }
    let all: Vec<&str> = MACHINES.iter().flat_map(|it| it.lacks.iter().copied()).collect();
    let mut expected: BTreeSet<String> =
        MACHINES.iter().flat_map(|it| it.left_out.iter().map(|it| it.to_string())).collect();
    let bin = links(&dir, |name| all.contains(&name))?;
    let mut command = on(&bin, &dir);
    command.args(["test", "--all"]);
    // With another `CARGO_HOME`, cargo would rebuild everything. With this one, cargo finds its
    // subcommands there, and the environment for the proofs is in the target directory.
    command.env("CARGO_TARGET_DIR", target()).env("CARGO_HOME", cargo_home());
    let ran = output(command)?;
    let with_cargo = ["style", "lints"];
    expected.retain(|part| {
        usual.contains(part) && !with_cargo.contains(&&**part) && !part.starts_with("proofs")
    });
    let left_out = listed(&ran, "left out:");
    if let Some(part) = expected.difference(&left_out).next() {
        return Err(format!("without all of it: {part} was not left out: {}", text(&ran)));
    }
    ensure(ran.status.success(), format!("without all of it: {}", text(&ran)))
}

impl Machine {
    fn name(&self) -> String {
        [self.lacks, self.package.as_slice()].concat().join(" and ")
    }

    /// Runs `xtask test` on this machine with these arguments and its own, empty target directory.
    fn play(&self, dir: &Path, args: &[&str]) -> Result<Said, String> {
        let bin = links(dir, |name| self.lacks.contains(&name))?;
        if let Some(package) = self.package {
            let (cmake, real) = (bin.join("cmake"), fs::canonicalize(bin.join("cmake")));
            let real = real.map_err(failed(&cmake))?.display().to_string();
            let hide = format!("-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON");
            fs::remove_file(&cmake).map_err(failed(&cmake))?;
            write(&cmake, format!("#!/bin/sh\nexec '{real}' {hide} \"$@\"\n"))?;
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(&cmake, mode).map_err(failed(&cmake))?;
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

/// Checks that the command succeeded, left exactly these parts out, and printed `last` as its last
/// line.
fn check(ran: &Said, left_out: &BTreeSet<String>, last: &str) -> Outcome {
    let ended = ran.status.success() && ran.stdout.lines().last() == Some(last);
    ensure(ended && listed(ran, "left out:") == *left_out, text(ran))
}

fn text(ran: &Said) -> String {
    format!("{}\n{}{}", ran.status, ran.stderr, ran.stdout)
}
