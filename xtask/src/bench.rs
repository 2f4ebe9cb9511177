//! `cargo xtask bench`: measures hashmill beside its peers, with `--against REV` beside an older version
//! of itself. `--builds`, `--cells` and `--seeds` are programs of `bench/builds`: the library in other
//! profiles, the choice of a backend beside each, and BLAKE2 beside blake2b_simd and blake2s_simd.
//! `--seeds --sha3 DIR` measures the C++ headers beside the library sha3.

use crate::needs::{CLANG, GCC};
use crate::prelude::*;

pub const BUILDS: &str = "bench/builds/Cargo.toml";

/// Checks that the programs of `bench/builds` compile. The other benchmarks would take minutes: their
/// peers are built from C.
pub fn check() -> Outcome {
    cargo(&format!("check --locked --bins --manifest-path {BUILDS}"))
}

/// Runs the benchmarks with all arguments except `--against REV`.
pub fn bench(args: &[String]) -> Outcome {
    if let [seeds, sha3, checkout] = args
        && (&**seeds, &**sha3) == ("--seeds", "--sha3")
    {
        return beside_sha3(checkout);
    }
    let programs = [("--builds", "compare"), ("--cells", "cells"), ("--seeds", "seeds")];
    if let Some((option, names)) = args.split_first()
        && let Some((_, program)) = programs.iter().find(|it| it.0 == option)
    {
        let build = format!("cargo run --profile fat --manifest-path {BUILDS} --target-dir {{}}");
        let mut cargo = cmd!(build, target().join("builds"));
        return run(cargo.args(["--bin", program, "--"]).args(names));
    }
    let Some(at) = args.iter().position(|arg| arg == "--against") else {
        return measure(&root().join("bench/Cargo.toml"), args);
    };
    let revision = args.get(at + 1).ok_or("--against takes a revision")?;
    let mut rest: Vec<String> = [&args[..at], &args[at + 2..]].concat();
    if !rest.iter().any(|arg| arg == "-p" || arg.starts_with("--peer")) {
        rest.extend(["--peer", "old,by-name"].map(String::from));
    }
    rest.push("--no-record".into());
    measure(&against(revision)?, &rest)
}

/// Measures the C++ headers beside a checkout of the library sha3, in two builds of each compiler.
fn beside_sha3(checkout: &str) -> Outcome {
    let folder = target().join("seeds");
    make_folder(&folder)?;
    let theirs = Path::new(checkout).join("include");
    let theirs = fs::canonicalize(&theirs).map_err(failed(&theirs))?;
    let mut behind = 0;
    for compiler in [GCC.cxx_compiler(), CLANG.cxx_compiler()] {
        let compiler = match compiler {
            Ok(compiler) => compiler,
            Err(missing) => {
                println!("left out: {missing}");
                continue;
            }
        };
        for options in ["-O3", "-O3 -march=native"] {
            let program = folder.join(format!("{compiler}{}", options.replace(' ', "")));
            let warnings = "-Wall -Wextra -Wconversion -Werror";
            let include = "-Ifaces/cpp/include -isystem {} bench/seeds/sha3.cpp -o {}";
            let command = format!("{{}} -std=c++20 {options} {warnings} {include}");
            run(cmd!(command, &compiler, &theirs, &program))?;
            behind += usize::from(run(cmd!("{}", &program)).is_err());
        }
    }
    ensure(behind == 0, format!("cells are behind in {behind} builds"))
}

fn measure(manifest: &Path, args: &[String]) -> Outcome {
    run(cmd!("cargo run --release --manifest-path {} --", manifest).args(args))
}

/// Extracts the revision, and writes the manifest of the benchmarks with both versions of the
/// library.
fn against(revision: &str) -> Result<PathBuf, String> {
    let commit = stdout(cmd!("git rev-parse --verify {}^{commit}", revision))?;
    let folder = target().join("against");
    let old = folder.join(commit.trim());
    if !old.exists() {
        let (new, tar) = (folder.join("new"), folder.join("revision.tar"));
        remove_folder(&new)?;
        make_folder(&new)?;
        run(cmd!("git archive --output {} {}", tar, commit.trim()))?;
        run(cmd!("tar -xf {} -C {}", tar, new))?;
        // One lock file cannot hold two packages of the same name and version.
        let manifest = new.join("crates/hashmill/Cargo.toml");
        let text = read(&manifest)?.replacen("version.workspace = true", "version = \"0.0.0\"", 1);
        write(&manifest, text)?;
        fs::rename(&new, &old).map_err(failed(&old))?;
    }
    let bench = root().join("bench");
    let library = |path: &Path| format!("{:?}", path.join("crates/hashmill").display().to_string());
    let (ours, theirs) = (library(root()), library(&old));
    // The name of `hash_many` in older versions.
    let any = read(old.join("crates/hashmill/src/any.rs")).unwrap_or_default();
    let features =
        if any.contains("fn finish_many") { r#""old", "finish_many""# } else { r#""old""# };
    let mut manifest = read(bench.join("Cargo.toml"))?;
    for (text, instead) in [
        ("default-run = \"bench\"", "default-run = \"bench\"\nautobins = false".to_owned()),
        (
            "hashmill = { path = \"../crates/hashmill\"",
            format!(
                "hashmill_old = {{ package = \"hashmill\", path = {theirs} }}\nhashmill = {{ path = {ours}"
            ),
        ),
        (
            "[profile.release]",
            format!(
                "[features]\ndefault = [{features}]\nold = []\nfinish_many = []\n\n[profile.release]"
            ),
        ),
    ] {
        let error = format!("bench/Cargo.toml: {text:?} is not there once");
        ensure(manifest.matches(text).count() == 1, error)?;
        manifest = manifest.replace(text, &instead);
    }
    let main = bench.join("src/main.rs").display().to_string();
    let manifest = format!("{manifest}\n[[bin]]\nname = \"bench\"\npath = {main:?}\n");
    let folder = folder.join("bench");
    // The lock file keeps the same versions of the peers.
    write(folder.join("Cargo.lock"), read(bench.join("Cargo.lock"))?)?;
    write(folder.join("Cargo.toml"), manifest)?;
    Ok(folder.join("Cargo.toml"))
}
