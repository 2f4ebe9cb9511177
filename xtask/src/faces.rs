//! `cargo xtask faces`: the tests of the other languages.

use crate::install::install_to;
use crate::{Outcome, root, run, target, tool};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A language: its name, the programs that its tests need and the Debian packages they are in, and its tests.
struct Face {
    name: &'static str,
    purpose: &'static str,
    needs: &'static [(&'static str, &'static str)],
    test: fn() -> Outcome,
}

const FACES: &[Face] = &[
    Face {
        name: "c",
        purpose: "hashmill.h from C99 and C11, by gcc and clang, with the static and the shared library",
        needs: &[("gcc", "gcc"), CLANG, ("strip", "binutils"), ("pkg-config", "pkg-config")],
        test: c,
    },
    Face {
        name: "motoko",
        purpose: "the Motoko package in both modes of its compiler, and what it costs on the Internet Computer",
        needs: &[("node", "nodejs"), ("npm", "npm")],
        test: motoko,
    },
];

const CLANG: (&str, &str) = ("clang-19", "clang-19 libclang-rt-19-dev");

/// Those that are named, or all.
pub fn faces(args: &[String]) -> Outcome {
    let known = |name: &String| FACES.iter().any(|face| face.name == name);
    if let Some(unknown) = args.iter().find(|name| !known(name)) {
        let list: String =
            FACES.iter().map(|f| format!("\n  {:6} {}", f.name, f.purpose)).collect();
        return Err(format!("there is no face {unknown:?}; there are:{list}"));
    }
    let wanted = |face: &&Face| args.is_empty() || args.iter().any(|name| name == face.name);
    FACES.iter().filter(wanted).try_for_each(|face| {
        face.missing().map_or(Ok(()), Err)?;
        (face.test)()
    })
}

/// All whose programs are there. The result says which ones are not.
pub fn possible() -> Result<Vec<String>, String> {
    let mut left_out = Vec::new();
    for face in FACES {
        match face.missing() {
            Some(missing) => left_out.push(format!("faces {}: {missing}", face.name)),
            None => (face.test)()?,
        }
    }
    Ok(left_out)
}

impl Face {
    fn missing(&self) -> Option<String> {
        self.needs.iter().find_map(|(name, packages)| tool(name, packages).err())
    }
}

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"];
const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The library as a user has it, for the tests.
fn installed() -> Result<PathBuf, String> {
    let prefix = target().join("faces/prefix");
    install_to(&prefix)?;
    Ok(prefix)
}

/// Writes the README's example in that language where it can be compiled.
fn example(language: &str) -> Result<PathBuf, String> {
    let readme = root().join("README.md");
    let text = fs::read_to_string(&readme).map_err(|e| format!("{}: {e}", readme.display()))?;
    let (_, rest) =
        text.split_once(&format!("\n```{language}\n")).ok_or("README.md: no example")?;
    let (code, _) = rest.split_once("```").ok_or("README.md: an example without end")?;
    let file = target().join("faces").join(format!("example.{language}"));
    fs::write(&file, code).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

/// The README's example and one long program, with sanitizers and the flags that pkg-config gives.
fn c() -> Outcome {
    let prefix = installed()?;
    let flags = |args: &[&str]| -> Result<Vec<String>, String> {
        let output = Command::new("pkg-config")
            .args(args)
            .arg("hashmill")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .output()
            .map_err(|e| format!("pkg-config: {e}"))?;
        let flags = String::from_utf8_lossy(&output.stdout);
        Ok(flags.split_whitespace().map(str::to_owned).collect())
    };
    let shared = flags(&["--cflags", "--libs"])?;
    // With -lhashmill the linker would take the shared library.
    let mut fixed = flags(&["--static", "--cflags", "--libs"])?;
    let archive = prefix.join("lib/libhashmill.a").display().to_string();
    fixed
        .iter_mut()
        .filter(|flag| *flag == "-lhashmill")
        .for_each(|flag| flag.clone_from(&archive));

    let compile_and_run = |compiler, standard, source: &Path, library: &[String]| {
        let program = target().join("faces").join(source.file_stem().unwrap_or_default());
        run(Command::new(compiler)
            .args([standard, "-O1", "-g"])
            .args(WARNINGS)
            .args(SANITIZERS)
            .arg(source)
            .args(library)
            .args([OsStr::new("-o"), program.as_os_str()]))?;
        run(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))
    };
    let consumer = root().join("crates/hashmill-c/tests/consumer.c");
    for compiler in ["gcc", CLANG.0] {
        for standard in ["-std=c99", "-std=c11"] {
            compile_and_run(compiler, standard, &consumer, &shared)?;
            compile_and_run(compiler, standard, &consumer, &fixed)?;
        }
    }
    compile_and_run("gcc", "-std=c99", &example("c")?, &shared)
}

/// faces/motoko/tools/check.mjs, with the compiler from npm.
fn motoko() -> Outcome {
    let npm =
        |args: &[&str]| run(Command::new("npm").args(["--prefix", "faces/motoko"]).args(args));
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["test", "--silent"])
}
