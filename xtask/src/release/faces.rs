//! The packages of the other languages.

use super::common::{VERSION, archive, files, scratch, the_only, unpack};
use crate::prelude::*;
use crate::{js, python};
use std::env::consts::ARCH;

/// The source distribution of a package of Python, whose name in names of files is `name`, and from
/// it, in `elsewhere`, the wheels.
fn distributions(package: &str, name: &str, folder: &Path, elsewhere: &Path) -> Outcome {
    let (_, tools) = python::first()?;
    let mut maturin = cmd!("{} -m maturin sdist --out {}", tools, folder);
    run(maturin.current_dir(root().join(package)))?;
    unpack(&the_only(folder, ".tar.gz")?, elsewhere)?;
    python::wheels(&elsewhere.join(format!("{name}-{VERSION}")), folder)?;
    run(cmd!("{} -m twine check --strict", tools).args(files(folder, "")?))
}

/// The distributions of `hashmill`. The wheels of this machine's interpreters are used in
/// environments of their own.
pub fn python(folder: &Path) -> Outcome {
    let elsewhere = scratch("python")?;
    distributions(python::PACKAGE, "hashmill", folder, &elsewhere)?;
    for (name, program) in python::named() {
        let platform = format!("{name}-{name}-manylinux_2_28_{ARCH}.whl");
        let wheel = the_only(folder, &platform)?;
        let environment = elsewhere.join(&name);
        run(cmd!("{} -m venv {}", program, environment))?;
        let alone = environment.join("bin/python");
        python::install(&alone, &wheel)?;
        run(cmd!("{} -c {}", alone, include_str!("hashmill.py")).current_dir(&elsewhere))?;
    }
    remove_folder(&elsewhere)
}

/// The distributions of `hashmill-datafusion`: one wheel a platform, for all versions of Python. That
/// of this platform is used beside DataFusion.
pub fn datafusion(folder: &Path) -> Outcome {
    let elsewhere = scratch("datafusion")?;
    distributions(python::DATAFUSION, "hashmill_datafusion", folder, &elsewhere)?;
    let wheel = the_only(folder, &format!("cp311-abi3-manylinux_2_28_{ARCH}.whl"))?;
    let engine = python::engine();
    python::install(&engine, &wheel)?;
    run(cmd!("{} -c {}", engine, include_str!("datafusion.py")).current_dir(&elsewhere))?;
    remove_folder(&elsewhere)
}

/// The source distribution, built elsewhere with its tests.
pub fn haskell(folder: &Path) -> Outcome {
    let package = root().join("faces/haskell");
    run(cmd!("cabal check").current_dir(&package))?;
    run(cmd!("cabal sdist --output-directory {}", folder).current_dir(&package))?;
    let elsewhere = scratch("haskell")?;
    unpack(&the_only(folder, ".tar.gz")?, &elsewhere)?;
    for step in ["configure --user --enable-tests --flags=-pkgconfig", "build", "test"] {
        let mut setup = cmd!(format!("runghc Setup.hs {step}"));
        run(setup.current_dir(elsewhere.join(format!("hashmill-{VERSION}"))))?;
    }
    remove_folder(&elsewhere)
}

/// What `npm publish` would send, installed and used in an empty project.
pub fn javascript(folder: &Path) -> Outcome {
    js::pack(folder)?;
    let elsewhere = scratch("javascript")?;
    let install = "npm install --silent --offline --no-audit --no-fund --prefix {}";
    run(cmd!(install, elsewhere).args(files(folder, ".tgz")?))?;
    let check = include_str!("javascript.mjs");
    run(cmd!("node --input-type=module --eval {}", check).current_dir(&elsewhere))?;
    remove_folder(&elsewhere)
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
    remove_folder(&tree)
}
