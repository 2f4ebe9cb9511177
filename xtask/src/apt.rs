//! Checks that Debian has the packages that the list of parts names, on a machine that has none of
//! the tools.

use crate::needs::{self, DEBIAN, Missing};
use crate::{Outcome, output, target};
use std::collections::BTreeSet;
use std::process::Command;
use std::{env, fs};

pub fn tools() -> Result<(), Missing> {
    match needs::succeeds(Command::new("apt-cache").args(["show", "gcc"])) {
        true => Ok(()),
        false => Err(Missing::new("apt-get knows no package here", "")),
    }
}

/// Lists the parts as on a bare machine, and simulates the commands that install what they need.
pub fn apt() -> Outcome {
    let dir = target().join("tmp/bare");
    let make = || {
        _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("bin"))?;
        // What apt takes for the list of installed packages.
        fs::write(dir.join("status"), "")
    };
    make().map_err(|error| format!("{}: {error}", dir.display()))?;
    for set in [["--list", "--all"], ["--list", "--long"]] {
        let mut bare = Command::new(env::current_exe().unwrap_or_default());
        bare.arg("test").args(set).env("PATH", dir.join("bin")).env_remove("PYENV_ROOT");
        for variable in ["HOME", "CARGO_HOME", "CARGO_TARGET_DIR"] {
            bare.env(variable, dir.join(variable));
        }
        let listed = output(&mut bare)?;
        let listed = String::from_utf8_lossy(&listed.stderr).into_owned();
        let packages = commands(&listed)?;
        let mut apt = Command::new("apt-get");
        apt.args(["install", "--simulate", "--no-install-recommends", "--option"]);
        apt.arg(format!("Dir::State::status={}", dir.join("status").display()));
        let simulated = output(apt.args(&packages).env("LC_ALL", "C"))?;
        if !simulated.status.success() {
            let error = String::from_utf8_lossy(&simulated.stderr).into_owned();
            return Err(format!("apt-get install {}: {error}", packages.join(" ")));
        }
        eprintln!("{}: Debian has all {} packages", set.join(" "), packages.len());
    }
    Ok(())
}

/// Returns the packages of Debian that the list of parts names, without their architectures: apt
/// knows only packages of this machine's. Each command must stand there once.
fn commands(listed: &str) -> Result<Vec<&str>, String> {
    let lines = listed.lines().skip_while(|line| !line.starts_with("what installs it all"));
    let lines: Vec<&str> = lines.skip(1).map(str::trim).collect();
    if lines.iter().collect::<BTreeSet<_>>().len() < lines.len() {
        return Err(format!("a command stands there twice: {lines:#?}"));
    }
    let mut installs = lines.iter().filter_map(|line| line.strip_prefix(DEBIAN));
    match (installs.next(), installs.next()) {
        (Some(names), None) => {
            Ok(names.split(' ').map(|name| name.split(':').next().unwrap_or(name)).collect())
        }
        _ => Err(format!("there is not one line for apt-get: {listed}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_packages_is_found_once() {
        let list = "left out:\n  c\n     apt-get install no\nwhat installs it all (on Debian):\n";
        let one = format!("{list}  apt-get install gcc libstd-rust-web-dev:arm64\n  rustup x\n");
        assert_eq!(commands(&one).unwrap(), ["gcc", "libstd-rust-web-dev"]);
        assert!(commands(&format!("{one}  rustup x\n")).is_err());
        assert!(commands(list).is_err());
    }
}
