//! `cargo xtask dist DIR`: what a release hands out, the same bytes from whatever directory they
//! are built in.

use crate::faults::copy_workspace;
use crate::install::copy;
use crate::needs::{self, Missing};
use crate::{Outcome, cargo_home, root, run, stdout, target};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// `DIR/hashmill`, the list of its parts, and the digests of both.
pub fn dist(args: &[String]) -> Outcome {
    let [dir] = args else { return Err("usage: cargo xtask dist DIR".into()) };
    tools().map_err(String::from)?;
    let dir = std::path::absolute(dir).map_err(|e| format!("{dir}: {e}"))?;
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let program = build_program(root(), &target(), None)?;
    copy(&program, &dir.join("hashmill"))?;
    bill_of_materials(&dir.join("hashmill.cdx.json"))?;
    let mut sum = Command::new(dir.join("hashmill"));
    let sums = stdout(
        sum.args(["sum", "-a", "sha256", "hashmill", "hashmill.cdx.json"]).current_dir(&dir),
    )?;
    fs::write(dir.join("SHA256SUMS"), sums).map_err(|e| format!("SHA256SUMS: {e}"))?;
    eprintln!("\n{}: hashmill, hashmill.cdx.json, SHA256SUMS", dir.display());
    Ok(())
}

/// What lists the dependencies: in the program (cargo-auditable) and beside it (CycloneDX).
pub fn tools() -> Result<(), Missing> {
    let extension = |name: &str| match needs::succeeds(
        Command::new(format!("cargo-{name}")).args([name, "--help"]),
    ) {
        true => Ok(()),
        false => {
            let install = format!("cargo install --locked cargo-{name}");
            Err(Missing::new(format!("cargo {name} does not start"), install))
        }
    };
    needs::all(["auditable", "cyclonedx"].map(extension))
}

/// The program of the sources in `from`, with the versions of its dependencies in it and no path of
/// this machine; for this machine, or for a platform with flags that rustc needs for it.
pub fn build_program(
    from: &Path,
    target: &Path,
    platform: Option<(&str, &[&str])>,
) -> Result<PathBuf, String> {
    let from = canonical(from)?;
    fs::create_dir_all(target).map_err(|e| format!("{}: {e}", target.display()))?;
    let sysroot = stdout(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&from))?;
    // The last that fits is taken: from the outermost directory to the innermost.
    let names = [
        (cargo_home(), "/cargo"),
        (Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), "/rust"),
        (from.clone(), "/hashmill"),
        (canonical(target)?, "/target"),
    ];
    let flags = |flag: &str| {
        names
            .iter()
            .map(|(path, name)| format!("{flag}={}={name}", path.display()))
            .collect::<Vec<_>>()
    };
    let quoted: Vec<String> =
        flags("-ffile-prefix-map").iter().map(|it| format!("'{it}'")).collect();
    let mut command = Command::new("cargo");
    command.args([
        "auditable",
        "build",
        "--locked",
        "--profile",
        "dist",
        "--package",
        "hashmill-cli",
    ]);
    command.current_dir(&from).env("CARGO_TARGET_DIR", target);
    let mut rustflags = flags("--remap-path-prefix");
    let mut built = target.to_owned();
    if let Some((name, more)) = platform {
        command.args(["--target", name]);
        rustflags.extend(more.iter().map(|&flag| flag.to_owned()));
        built.push(name);
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\u{1f}"));
    command.env("CFLAGS", quoted.join(" ")).env("CC_SHELL_ESCAPED_FLAGS", "1");
    run(&mut command)?;
    Ok(built.join("dist/hashmill"))
}

/// The program's dependencies as CycloneDX, without the time of the run.
pub fn bill_of_materials(to: &Path) -> Outcome {
    let time = stdout(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))?;
    let mut command = Command::new("cargo");
    command.args(["cyclonedx", "--format", "json", "--override-filename", "dist"]);
    command.args(["--manifest-path", "crates/hashmill-cli/Cargo.toml"]);
    run(command.env("SOURCE_DATE_EPOCH", time.trim()))?;
    // It writes one beside the Cargo.toml of each member of the workspace.
    let mut written = Vec::new();
    for place in fs::read_dir(root().join("crates"))
        .into_iter()
        .flatten()
        .chain(fs::read_dir(root()).into_iter().flatten())
    {
        let file = place.map_err(|e| e.to_string())?.path().join("dist.json");
        if file.exists() {
            written.push(file);
        }
    }
    let ours = fs::read_to_string(root().join("crates/hashmill-cli/dist.json"));
    for file in written {
        _ = fs::remove_file(file);
    }
    // It names the members of the workspace by where they lie.
    let text = ours.map_err(|e| format!("dist.json: {e}"))?;
    let text = text.replace(&*canonical(root())?.to_string_lossy(), "/hashmill");
    fs::write(to, text).map_err(|e| format!("{}: {e}", to.display()))
}

/// Built in two directories, the program has the same bytes, and neither directory's name in it.
pub fn reproducible() -> Outcome {
    let dir = target().join("tmp/reproducible");
    let (one, other) = (dir.join("one"), dir.join("an other"));
    let programs = [&one, &other].map(|dir| {
        _ = fs::remove_dir_all(dir);
        copy_workspace(dir)?;
        let program = build_program(dir, &dir.join("target"), None)?;
        fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))
    });
    let [first, second] = programs;
    let (first, second) = (first?, second?);
    if let Some(at) = (0..first.len().max(second.len())).find(|&i| first.get(i) != second.get(i)) {
        return Err(format!(
            "the two programs differ from byte {at} on: {} and {} bytes",
            first.len(),
            second.len()
        ));
    }
    for path in
        [canonical(&dir)?, canonical(root())?, cargo_home(), env::home_dir().unwrap_or_default()]
    {
        let name = path.as_os_str().as_encoded_bytes();
        // A home directory `/` is in everything.
        if name.len() > 1 && first.windows(name.len()).any(|it| it == name) {
            return Err(format!("the program has {} in it", path.display()));
        }
    }
    Ok(())
}

fn canonical(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))
}
