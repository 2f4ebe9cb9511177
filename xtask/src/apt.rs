//! Checks that Debian has the packages that the list of parts names, on a machine that has none of
//! the tools.

use crate::needs::DEBIAN;
use crate::prelude::*;
use std::collections::BTreeSet;

pub fn tools() -> Found {
    needs::check(succeeds(cmd!("apt-cache show gcc")), "apt-get knows no package here", "")
}

/// Lists the parts as on a bare machine, and simulates the commands that install what they need.
pub fn apt() -> Outcome {
    let dir = target().join("tmp/bare");
    remove_folder(&dir)?;
    // What apt takes for the list of installed packages.
    let (status, bin) = (dir.join("status"), dir.join("bin"));
    write(&status, "")?;
    for set in ["--all", "--long"] {
        let mut bare = cmd!("{} test --list {}", env::current_exe().unwrap_or_default(), set);
        bare.env("PATH", &bin).env_remove("PYENV_ROOT");
        for variable in ["HOME", "CARGO_HOME", "CARGO_TARGET_DIR"] {
            bare.env(variable, dir.join(variable));
        }
        let listed = output(bare)?.stderr;
        let packages = commands(&listed)?;
        let options = "--simulate --no-install-recommends --option Dir::State::status={}";
        let mut apt = cmd!(format!("apt-get install {options}"), status);
        let simulated = output(apt.args(&packages).env("LC_ALL", "C"))?;
        let error = format!("apt-get install {}: {}", packages.join(" "), simulated.stderr);
        ensure(simulated.status.success(), error)?;
        eprintln!("{set}: Debian has all {} packages", packages.len());
    }
    Ok(())
}

/// Returns the packages of Debian that the list of parts names, without their architectures: apt
/// knows only packages of this machine's. Each command must stand there once.
fn commands(listed: &str) -> Result<Vec<&str>, String> {
    let lines = listed.lines().skip_while(|line| !line.starts_with("what installs it all"));
    let lines: Vec<&str> = lines.skip(1).map(str::trim).collect();
    let once = lines.iter().collect::<BTreeSet<_>>().len() == lines.len();
    ensure(once, format!("a command stands there twice: {lines:#?}"))?;
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
