//! `cargo xtask faces python`: the wheel, in a fresh environment, with all its tests.
//! `cargo xtask faces engines`: the tests that need engines, clusters and servers.
//! `cargo xtask faces datafusion`: the functions of DataFusion, which have a wheel of their own.

use crate::needs::{self, Missing, debian};
use crate::{Outcome, root, run, stdout, target};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The minor versions of Python 3 that wheels are built for.
const MINORS: std::ops::RangeInclusive<u32> = 11..=15;

/// An interpreter that wheels can be built for.
struct Python {
    program: PathBuf,
    minor: u32,
    free_threaded: bool,
}

impl Python {
    /// What a program says of itself.
    fn ask(program: PathBuf) -> Option<Python> {
        let mut command = Command::new(&program);
        let ask = "import sys, sysconfig, venv, ensurepip, test.test_hashlib; \
                   print(sys.version_info[1], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";
        let said = stdout(command.args(["-W", "ignore", "-c", ask])).ok()?;
        let (minor, free_threaded) = said.trim().split_once(' ')?;
        let minor = minor.parse().ok().filter(|minor| MINORS.contains(minor))?;
        Some(Python { program, minor, free_threaded: free_threaded == "1" })
    }

    fn name(&self) -> String {
        format!("3.{}{}", self.minor, if self.free_threaded { "t" } else { "" })
    }
}

/// One interpreter a version: `python3` itself first, then those in the path and of pyenv.
fn interpreters() -> Vec<Python> {
    let mut names = vec![PathBuf::from("python3")];
    for minor in MINORS {
        names.extend([format!("python3.{minor}"), format!("python3.{minor}t")].map(PathBuf::from));
    }
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".pyenv")));
    let versions = pyenv.and_then(|pyenv| fs::read_dir(pyenv.join("versions")).ok());
    let mut versions: Vec<PathBuf> =
        versions.into_iter().flatten().flatten().map(|it| it.path().join("bin/python")).collect();
    versions.sort();
    names.extend(versions);
    let mut found: Vec<Python> = Vec::new();
    for name in names {
        let Some(python) = Python::ask(name) else { continue };
        if !found.iter().any(|it| it.name() == python.name()) {
            found.push(python);
        }
    }
    found
}

fn folder() -> PathBuf {
    target().join("faces/python")
}

/// An environment's interpreter.
fn of(environment: &Path) -> PathBuf {
    environment.join("bin/python")
}

pub const PACKAGE: &str = "faces/python";
pub const DATAFUSION: &str = "faces/python/datafusion";
const REQUIREMENTS: &str = "faces/python/tests/requirements.txt";
const PANDAS_2: &str = "faces/python/tests/requirements-pandas2.txt";

/// An interpreter with CPython's tests, the crates, and what the tests import, which pip gets if it
/// is not here.
pub fn tools() -> Result<(), Missing> {
    let interpreters = interpreters();
    let Some(python) = interpreters.first() else {
        return Err(Missing::new(
            "there is no Python 3.11 or newer with its packages venv and test",
            debian("python3-full"),
        ));
    };
    needs::fetched("faces/python/Cargo.toml")?;
    environment(&python.program, &folder().join("tools"), REQUIREMENTS)
}

/// What `tools` needs, and an environment with pandas 2.
pub fn test_tools() -> Result<(), Missing> {
    tools()?;
    let older = |python: &Python| environment(&python.program, &folder().join("pandas2"), PANDAS_2);
    interpreters().first().map_or(Ok(()), older)
}

/// Makes a virtual environment and installs what a file requires, unless both are there.
pub fn environment(python: &Path, folder: &Path, requirements: &str) -> Result<(), Missing> {
    let file = root().join(requirements);
    let stamp = folder.join(file.file_name().unwrap_or_default());
    let wanted = fs::read_to_string(&file).unwrap_or_default();
    let there = fs::read_to_string(&stamp);
    let starts = needs::succeeds(Command::new(of(folder)).arg("--version"));
    if starts && there.as_ref().is_ok_and(|there| *there == wanted) {
        return Ok(());
    }
    if !needs::may_download(&format!("the packages of {requirements}")) {
        return Ok(());
    }
    let mut pip = Command::new(of(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--only-binary", ":all:", "--requirement"]).arg(&file);
    if wanted.contains("--hash=") {
        pip.arg("--require-hashes");
    }
    // Another file's packages may be in the environment already.
    let keeps = starts && there.is_err();
    let mut venv = Command::new(python);
    let installed = (keeps || needs::succeeds(venv.args(["-m", "venv", "--clear"]).arg(folder)))
        && needs::succeeds(&mut pip)
        && fs::write(&stamp, wanted).is_ok();
    match installed {
        true => Ok(()),
        false => Err(Missing::new(
            format!("pip did not install the packages of {requirements}"),
            format!("python3 -m pip install --requirement {requirements}"),
        )),
    }
}

/// The first interpreter, and the one whose environment has the tools.
pub fn first() -> Result<(PathBuf, PathBuf), String> {
    let first = interpreters().into_iter().next().ok_or("there is no Python")?;
    Ok((first.program, of(&folder().join("tools"))))
}

const COMPILER: &str = "faces/python/release-requirements.txt";

/// Checks for what `tools` needs, for a C compiler and linker for all platforms of the wheels, which
/// pip installs, and for Rust's standard library for them.
pub fn release_tools() -> Result<(), Missing> {
    tools()?;
    let compiler =
        |python: &Python| environment(&python.program, &folder().join("tools"), COMPILER);
    interpreters().first().map_or(Ok(()), compiler)?;
    needs::all(
        PLATFORMS.map(|(platform, _)| needs::target(platform, &["--crate-type=rlib"], "", "")),
    )
}

/// The platforms that a release has wheels for, and the oldest C library: that of Debian 10 or of Alpine 3.13.
const PLATFORMS: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "manylinux_2_28"),
    ("aarch64-unknown-linux-gnu", "manylinux_2_28"),
    ("x86_64-unknown-linux-musl", "musllinux_1_2"),
    ("aarch64-unknown-linux-musl", "musllinux_1_2"),
];

/// Builds a wheel of the package for every version of Python on every platform, or one a platform if
/// the package uses the stable ABI (`abi3`). `hashmill` cannot: hashlib's types are immutable, and the
/// stable ABI can make such types only from Python 3.14 on.
pub fn wheels(package: &Path, to: &Path) -> Outcome {
    let tools = folder().join("tools/bin");
    let path = env::join_paths(
        [tools.clone()]
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    for (platform, oldest) in PLATFORMS {
        let mut maturin = Command::new(tools.join("maturin"));
        maturin.args(["build", "--release", "--locked", "--zig", "--target", platform]);
        maturin.args(["--compatibility", oldest, "--out"]).arg(to);
        maturin.args(MINORS.map(|minor| format!("--interpreter=python3.{minor}")));
        run(maturin
            .env("PATH", path.as_ref().map_err(|e| e.to_string())?)
            .env("CARGO_TARGET_DIR", target().join("wheels"))
            .current_dir(package))?;
    }
    Ok(())
}

/// The interpreters of this machine, each with its tag in the name of a wheel, such as `cp311`.
pub fn named() -> Vec<(String, PathBuf)> {
    let plain = interpreters().into_iter().filter(|it| !it.free_threaded);
    plain.map(|it| (format!("cp3{}", it.minor), it.program)).collect()
}

/// The interpreter whose environment has the tools, after the package was installed there.
pub fn with_package() -> Result<PathBuf, String> {
    let (first, tools) = first()?;
    install(&tools, &wheel(PACKAGE, &first, "wheels-tools")?)?;
    Ok(tools)
}

/// The wheel of the first interpreter, with all tests.
pub fn python() -> Outcome {
    let interpreters = interpreters();
    let python = interpreters.first().ok_or("there is no Python")?;
    let tools = of(&folder().join("tools"));
    let wheel = cpython(python, &tools)?;
    let package = root().join("faces/python");
    let check =
        |args: &[&str]| run(Command::new(&tools).arg("-m").args(args).current_dir(&package));
    check(&["mypy"])?;
    // With the settings for libraries that are not installed, which it does not look for by
    // itself.
    let settings = ["--mypy-config-file", "pyproject.toml"];
    check(&[&["mypy.stubtest", "--concise"], &settings[..], &["hashmill"]].concat())?;
    check(&["pytest", "-qp", "no:cacheprovider", "--ignore=tests/engines", "tests"])?;
    let pandas_2 = of(&folder().join("pandas2"));
    install(&pandas_2, &wheel)?;
    let pytest = ["-m", "pytest", "-qp", "no:cacheprovider", "tests/test_pandas.py"];
    run(Command::new(&pandas_2).args(pytest).current_dir(&package))?;
    let wheel = wheel.display().to_string();
    check(&["twine", "check", "--strict", &wheel])?;
    check(&["auditwheel", "show", &wheel])
}

/// The wheels of the other interpreters there are, with CPython's tests.
pub fn pythons() -> Outcome {
    let interpreters = interpreters();
    let absent: Vec<String> = MINORS
        .flat_map(|minor| [format!("3.{minor}"), format!("3.{minor}t")])
        // Free-threaded Python is no experiment from 3.14 on.
        .filter(|name| !["3.11t", "3.12t", "3.13t"].contains(&&**name))
        .filter(|name| !interpreters.iter().any(|it| it.name() == *name))
        .collect();
    if !absent.is_empty() {
        eprintln!("left out: wheels for Python {}, which is not here", absent.join(", "));
    }
    interpreters.iter().skip(1).try_for_each(|python| {
        let environment = folder().join(format!("venv-{}", python.name()));
        run(Command::new(&python.program).args(["-m", "venv", "--clear"]).arg(&environment))?;
        cpython(python, &of(&environment)).map(drop)
    })
}

/// Builds the wheel of an interpreter, installs it and runs CPython's tests with it.
fn cpython(python: &Python, installed: &Path) -> Result<PathBuf, String> {
    let wheel = wheel(PACKAGE, &python.program, &format!("wheels-{}", python.name()))?;
    install(installed, &wheel)?;
    let package = root().join("faces/python");
    run(Command::new(installed).arg("tests/cpython/run.py").current_dir(package))?;
    Ok(wheel)
}

/// Builds a package's wheel for that interpreter, the only one in its folder then.
fn wheel(package: &str, python: &Path, wheels: &str) -> Result<PathBuf, String> {
    let wheels = folder().join(wheels);
    _ = fs::remove_dir_all(&wheels);
    run(Command::new(of(&folder().join("tools")))
        .args(["-m", "maturin", "build", "--release", "--locked", "--interpreter"])
        .arg(python)
        .arg("--out")
        .arg(&wheels)
        .env("CARGO_TARGET_DIR", folder().join("build"))
        .current_dir(root().join(package)))?;
    let wheel = fs::read_dir(wheels).ok().into_iter().flatten().flatten().next();
    Ok(wheel.ok_or("maturin has built no wheel")?.path())
}

/// Returns the command that builds the extension of the package in that folder, the one that puts it
/// beside the package's modules, and the one that runs tests with these modules.
pub fn steps(package: &Path, build: &Path, tests: &str) -> Result<Vec<Command>, String> {
    let (_, tools) = first()?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked"]).current_dir(package);
    cargo.env("PYO3_PYTHON", &tools).env("PYO3_BUILD_EXTENSION_MODULE", "1");
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "false");
    let modules = package.join("python");
    let mut copy = Command::new("cp");
    copy.arg(build.join("debug/lib_hashmill.so")).arg(modules.join("hashmill/_hashmill.so"));
    let mut pytest = Command::new(&tools);
    pytest.args(["-m", "pytest", "-qp", "no:cacheprovider", "-x"]).args(tests.split(' '));
    pytest.env("PYTHONPATH", modules).current_dir(package);
    Ok(vec![cargo, copy, pytest])
}

/// Installs a wheel without what it depends on.
pub fn install(python: &Path, wheel: &Path) -> Outcome {
    run(Command::new(python)
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"])
        .arg("--disable-pip-version-check")
        .arg(wheel))
}

const ENGINES: &str = "faces/python/tests/engines/requirements.txt";

/// What `tools` needs, the engines, and an S3 server.
pub fn engine_tools() -> Result<(), Missing> {
    let engines =
        |python: &Python| environment(&python.program, &folder().join("engines"), ENGINES);
    let engines = interpreters().first().map_or(Ok(()), engines);
    needs::all([tools(), engines, needs::versitygw().map(drop)])
}

/// The tests of tests/engines, with the wheel of the first interpreter.
pub fn engines() -> Outcome {
    engine_tests(&[])
}

/// A manifest of as many small objects as fit a few minutes.
pub fn many_objects() -> Outcome {
    engine_tests(&["-s", "-k", "many_small_objects"])
}

fn engine_tests(args: &[&str]) -> Outcome {
    let interpreters = interpreters();
    let python = interpreters.first().ok_or("there is no Python")?;
    let engines = of(&folder().join("engines"));
    install(&engines, &wheel(PACKAGE, &python.program, "wheels-engines")?)?;
    let mut pytest = Command::new(&engines);
    pytest
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests/engines"])
        .args(args);
    if !args.is_empty() {
        pytest.env("HASHMILL_LONG", "1");
    }
    run(pytest
        .env("HASHMILL_VERSITYGW", needs::versitygw()?)
        .current_dir(root().join("faces/python")))
}

/// What `tools` needs, DataFusion, and the crates of it.
pub fn datafusion_tools() -> Result<(), Missing> {
    let engine = |python: &Python| {
        let requirements = format!("{DATAFUSION}/tests/requirements.txt");
        environment(&python.program, &folder().join("datafusion"), &requirements)
    };
    let engine = interpreters().first().map_or(Ok(()), engine);
    needs::all([tools(), engine, needs::fetched(&format!("{DATAFUSION}/Cargo.toml"))])
}

/// What a release of DataFusion's functions needs.
pub fn datafusion_release_tools() -> Result<(), Missing> {
    needs::all([release_tools(), datafusion_tools()])
}

/// The interpreter whose environment has DataFusion.
pub fn engine() -> PathBuf {
    of(&folder().join("datafusion"))
}

/// The functions of DataFusion, beside those of the Python package.
pub fn datafusion() -> Outcome {
    let (first, tools) = first()?;
    let engine = engine();
    install(&engine, &wheel(PACKAGE, &first, "wheels-tools")?)?;
    let wheel = wheel(DATAFUSION, &first, "wheels-datafusion")?;
    install(&engine, &wheel)?;
    let package = root().join(DATAFUSION);
    let check = |python: &Path, args: &[&str]| {
        run(Command::new(python).arg("-m").args(args).current_dir(&package))
    };
    check(&engine, &["pytest", "-qp", "no:cacheprovider", "tests"])?;
    check(&tools, &["mypy"])?;
    check(&tools, &["twine", "check", "--strict", &wheel.display().to_string()])
}
