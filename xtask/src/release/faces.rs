//! The packages of the other languages.

use super::common::{VERSION, archive, files, scratch, the_only};
use crate::install::{copy, copy_all};
use crate::{Outcome, js, python, root, run};
use std::env::consts::ARCH;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The source distribution of a package of Python, whose name in names of files is `name`, and from
/// it, in `elsewhere`, the wheels.
fn distributions(package: &str, name: &str, folder: &Path, elsewhere: &Path) -> Outcome {
    let (_, tools) = python::first()?;
    run(Command::new(&tools)
        .args(["-m", "maturin", "sdist", "--out"])
        .arg(folder)
        .current_dir(root().join(package)))?;
    let source = the_only(folder, ".tar.gz")?;
    run(Command::new("tar").arg("-xzf").arg(&source).arg("-C").arg(elsewhere))?;
    python::wheels(&elsewhere.join(format!("{name}-{VERSION}")), folder)?;
    let files = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files = files.flatten().map(|file| file.path());
    run(Command::new(&tools).args(["-m", "twine", "check", "--strict"]).args(files))
}

/// The distributions of `hashmill`. The wheels of this machine's interpreters are used in
/// environments of their own.
pub fn python(folder: &Path) -> Outcome {
    let elsewhere = scratch("python")?;
    distributions(python::PACKAGE, "hashmill", folder, &elsewhere)?;
    let check = "import hashlib, hashmill; expected = hashlib.sha256(b'abc').digest(); \
                 assert hashmill.sha256(b'abc').digest() == expected; \
                 assert list(hashmill.hash_many([b'abc'] * 40, 'sha256')) == [expected] * 40";
    for (name, program) in python::named() {
        let platform = format!("{name}-{name}-manylinux_2_28_{ARCH}.whl");
        let wheel = the_only(folder, &platform)?;
        let environment = elsewhere.join(&name);
        run(Command::new(&program).args(["-m", "venv"]).arg(&environment))?;
        let alone = environment.join("bin/python");
        python::install(&alone, &wheel)?;
        run(Command::new(&alone).args(["-c", check]).current_dir(&elsewhere))?;
    }
    fs::remove_dir_all(&elsewhere).map_err(|e| format!("{}: {e}", elsewhere.display()))
}

/// The distributions of `hashmill-datafusion`: one wheel a platform, for all versions of Python. That
/// of this platform is used beside DataFusion.
pub fn datafusion(folder: &Path) -> Outcome {
    let elsewhere = scratch("datafusion")?;
    distributions(python::DATAFUSION, "hashmill_datafusion", folder, &elsewhere)?;
    let wheel = the_only(folder, &format!("cp311-abi3-manylinux_2_28_{ARCH}.whl"))?;
    let engine = python::engine();
    python::install(&engine, &wheel)?;
    let check = "import datafusion, hashlib, hashmill_datafusion; \
                 context = datafusion.SessionContext(); hashmill_datafusion.register(context); \
                 got = context.sql(\"select hm_sha256('abc') as h\").to_pylist(); \
                 assert got == [{'h': hashlib.sha256(b'abc').hexdigest()}]";
    run(Command::new(&engine).args(["-c", check]).current_dir(&elsewhere))?;
    fs::remove_dir_all(&elsewhere).map_err(|e| format!("{}: {e}", elsewhere.display()))
}

/// The source distribution, built elsewhere with its tests.
pub fn haskell(folder: &Path) -> Outcome {
    let package = root().join("faces/haskell");
    run(Command::new("cabal").arg("check").current_dir(&package))?;
    run(Command::new("cabal")
        .args(["sdist", "--output-directory"])
        .arg(folder)
        .current_dir(&package))?;
    let source = the_only(folder, ".tar.gz")?;
    let elsewhere = scratch("haskell")?;
    run(Command::new("tar").arg("-xzf").arg(&source).arg("-C").arg(&elsewhere))?;
    let unpacked = elsewhere.join(format!("hashmill-{VERSION}"));
    let setup = |args: &[&str]| {
        run(Command::new("runghc").arg("Setup.hs").args(args).current_dir(&unpacked))
    };
    setup(&["configure", "--user", "--enable-tests", "--flags=-pkgconfig"])?;
    setup(&["build"])?;
    setup(&["test"])?;
    fs::remove_dir_all(&elsewhere).map_err(|e| format!("{}: {e}", elsewhere.display()))
}

/// What `npm publish` would send, installed and used in an empty project.
pub fn javascript(folder: &Path) -> Outcome {
    js::pack(folder)?;
    let elsewhere = scratch("javascript")?;
    let packages = files(folder, ".tgz")?;
    run(Command::new("npm")
        .args(["install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix"])
        .arg(&elsewhere)
        .args(packages))?;
    let check = "import { createHash } from 'node:crypto'; import { hasNative } from 'hashmill/node'; \
                 import { sha256 } from 'hashmill/sha2'; \
                 const text = Buffer.alloc(1000, 'abc'); \
                 const same = createHash('sha256').update(text).digest().equals(sha256(text)); \
                 process.exit(same && hasNative() ? 0 : 1)";
    run(Command::new("node")
        .args(["--input-type=module", "--eval", check])
        .current_dir(&elsewhere))?;
    fs::remove_dir_all(&elsewhere).map_err(|e| format!("{}: {e}", elsewhere.display()))
}

/// The files that `mops publish` would send: those of mops.toml's `files`, the page and the licence.
pub fn motoko(folder: &Path) -> Outcome {
    let name = format!("hashmill-{VERSION}");
    let (package, tree) = (root().join("faces/motoko"), folder.join(&name));
    copy_all(&package.join("src"), &tree.join("src"))?;
    for file in ["mops.toml", "README.md", "CHANGELOG.md", "LICENSE"] {
        copy(&package.join(file), &tree.join(file))?;
    }
    archive(folder, &name)?;
    fs::remove_dir_all(&tree).map_err(|e| format!("{}: {e}", tree.display()))
}
