//! `cargo xtask dist DIR`: what a release hands out, the same bytes from whatever directory they
//! are built in.

use crate::faults::copy_workspace;
use crate::prelude::*;

/// `DIR/hashmill`, the list of its parts, and the digests of both.
pub fn dist(args: &[String]) -> Outcome {
    let [dir] = args else { return Err(WRONG.into()) };
    tools()?;
    let dir = absolute(dir)?;
    copy(&build_program(root(), &target(), None)?, &dir.join("hashmill"))?;
    bill_of_materials(&dir.join("hashmill.cdx.json"))?;
    let mut sum = cmd!("{}/hashmill sum -a sha256 hashmill hashmill.cdx.json", dir);
    write(dir.join("SHA256SUMS"), stdout(sum.current_dir(&dir))?)?;
    eprintln!("\n{}: hashmill, hashmill.cdx.json, SHA256SUMS", dir.display());
    Ok(())
}

/// What lists the dependencies: in the program (cargo-auditable) and beside it (CycloneDX).
pub fn tools() -> Found {
    needs::all(["auditable", "cyclonedx"].map(|name| {
        let install = format!("cargo install --locked cargo-{name}");
        needs::works(&format!("cargo-{name} {name} --help"), &install)
    }))
}

/// The program of the sources in `from`, with the versions of its dependencies in it and no path of
/// this machine; for this machine, or for a platform with flags that rustc needs for it.
pub fn build_program(
    from: &Path,
    target: &Path,
    platform: Option<(&str, &[&str])>,
) -> Result<PathBuf, String> {
    let from = canonical(from)?;
    make_folder(target)?;
    let sysroot = stdout(cmd!("rustc --print sysroot").current_dir(&from))?;
    // The last that fits is taken: from the outermost directory to the innermost.
    let names = [
        (cargo_home(), "/cargo"),
        (Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), "/rust"),
        (from.clone(), "/hashmill"),
        (canonical(target)?, "/target"),
    ];
    let flags =
        |flag| names.each_ref().map(|(path, name)| format!("{flag}={}={name}", path.display()));
    let quoted = flags("-ffile-prefix-map").map(|it| format!("'{it}'"));
    let mut command = cmd!("cargo auditable build --locked --profile dist --package hashmill-cli");
    command.current_dir(&from).env("CARGO_TARGET_DIR", target);
    let mut rustflags = flags("--remap-path-prefix").to_vec();
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
    let options = "--format json --override-filename dist";
    let manifest = "--manifest-path crates/hashmill-cli/Cargo.toml";
    let mut command = cmd!(format!("cargo cyclonedx {options} {manifest}"));
    run(command.env("SOURCE_DATE_EPOCH", time()?))?;
    let ours = read("crates/hashmill-cli/dist.json");
    // It writes one beside the Cargo.toml of each member of the workspace.
    for folder in [entries(root())?, entries(&root().join("crates"))?].concat() {
        _ = fs::remove_file(folder.join("dist.json"));
    }
    // It names the members of the workspace by where they lie.
    write(to, ours?.replace(&*canonical(root())?.to_string_lossy(), "/hashmill"))
}

/// The time of the last commit, in seconds: what is built has no other time.
pub fn time() -> Result<String, String> {
    Ok(stdout(cmd!("git log -1 --format=%ct"))?.trim().to_owned())
}

/// Built in two directories, the program has the same bytes, and neither directory's name in it.
pub fn reproducible() -> Outcome {
    let dir = target().join("tmp/reproducible");
    let (one, other) = (dir.join("one"), dir.join("an other"));
    let programs = [&one, &other].map(|dir| {
        remove_folder(dir)?;
        copy_workspace(dir)?;
        let program = build_program(dir, &dir.join("target"), None)?;
        fs::read(&program).map_err(failed(&program))
    });
    let [first, second] = programs;
    let (first, second) = (first?, second?);
    if let Some(at) = (0..first.len().max(second.len())).find(|&i| first.get(i) != second.get(i)) {
        let lens = format!("{} and {} bytes", first.len(), second.len());
        return Err(format!("the two programs differ from byte {at} on: {lens}"));
    }
    let home = env::home_dir().unwrap_or_default();
    for path in [canonical(&dir)?, canonical(root())?, cargo_home(), home] {
        let name = path.as_os_str().as_encoded_bytes();
        // A home directory `/` is in everything.
        let is_there = name.len() > 1 && first.windows(name.len()).any(|it| it == name);
        ensure(!is_there, format!("the program has {} in it", path.display()))?;
    }
    Ok(())
}

fn canonical(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(failed(path))
}
