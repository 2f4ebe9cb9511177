//! The wheel of the Python package, in a fresh environment, with all its tests; the tests that need
//! engines, clusters and servers; and the functions of DataFusion, which have a wheel of their own.

use crate::needs::debian;
use crate::prelude::*;
use std::sync::OnceLock;

/// The minor versions of Python 3 that wheels are built for.
const MINORS: std::ops::RangeInclusive<u32> = 11..=15;

/// The names of the versions: 3.11, and 3.11t without a global lock, and so on.
fn versions() -> impl Iterator<Item = String> {
    MINORS.flat_map(|minor| [format!("3.{minor}"), format!("3.{minor}t")])
}

/// An interpreter that wheels can be built for.
struct Python {
    program: PathBuf,
    version: String,
}

impl Python {
    /// What a program says of itself.
    fn ask(program: PathBuf) -> Option<Python> {
        let ask = "import sys, sysconfig, venv, ensurepip, test.test_hashlib; \
                   t = 't' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''; \
                   print('%d.%d' % sys.version_info[:2] + t)";
        let said = stdout(cmd!("{} -W ignore -c {}", program, ask)).ok()?;
        let version = versions().find(|version| version == said.trim())?;
        Some(Python { program, version })
    }
}

/// One interpreter a version: `python3` itself first, then those in the path and of pyenv.
fn interpreters() -> &'static [Python] {
    static FOUND: OnceLock<Vec<Python>> = OnceLock::new();
    FOUND.get_or_init(find_interpreters)
}

fn find_interpreters() -> Vec<Python> {
    let named = versions().map(|version| format!("python{version}"));
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".pyenv")));
    let versions = pyenv.and_then(|pyenv| entries(&pyenv.join("versions")).ok());
    let mut versions: Vec<PathBuf> =
        versions.into_iter().flatten().map(|it| it.join("bin/python")).collect();
    versions.sort();
    let names = ["python3".into()].into_iter().chain(named.map(PathBuf::from)).chain(versions);
    let mut found: Vec<Python> = Vec::new();
    for python in names.filter_map(Python::ask) {
        if !found.iter().any(|it| it.version == python.version) {
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
pub fn tools() -> Found {
    let what = "there is no Python 3.11 or newer with its packages venv and test";
    needs::check(!interpreters().is_empty(), what, debian("python3-full"))?;
    needs::fetched("faces/python/Cargo.toml")?;
    of_first("tools", REQUIREMENTS)
}

/// What `tools` needs, and an environment with pandas 2.
pub fn test_tools() -> Found {
    tools()?;
    of_first("pandas2", PANDAS_2)
}

/// An environment of the first interpreter.
fn of_first(name: &str, requirements: &str) -> Found {
    interpreters()
        .first()
        .map_or(Ok(()), |it| environment(&it.program, &folder().join(name), requirements))
}

/// Makes a virtual environment and installs what a file requires, unless both are there.
pub fn environment(python: &Path, folder: &Path, requirements: &str) -> Found {
    let file = root().join(requirements);
    let stamp = folder.join(file.file_name().unwrap_or_default());
    let wanted = read(&file).unwrap_or_default();
    let there = read(&stamp);
    let starts = succeeds(cmd!("{} --version", of(folder)));
    if starts && there.as_ref().is_ok_and(|there| *there == wanted)
        || !needs::may_download(&format!("the packages of {requirements}"))
    {
        return Ok(());
    }
    let hashes = if wanted.contains("--hash=") { "--require-hashes" } else { "" };
    let pip = "-m pip install --quiet --disable-pip-version-check --only-binary :all:";
    let pip = cmd!(format!("{{}} {pip} {hashes} --requirement {{}}"), of(folder), file);
    // Another file's packages may be in the environment already.
    let keeps = starts && there.is_err();
    let installed = (keeps || succeeds(cmd!("{} -m venv --clear {}", python, folder)))
        && succeeds(pip)
        && fs::write(&stamp, wanted).is_ok();
    let what = format!("pip did not install the packages of {requirements}");
    let install = format!("python3 -m pip install --requirement {requirements}");
    needs::check(installed, what, install)
}

/// The first interpreter, and the one whose environment has the tools.
pub fn first() -> Result<(PathBuf, PathBuf), String> {
    let first = interpreters().first().ok_or("there is no Python")?;
    Ok((first.program.clone(), of(&folder().join("tools"))))
}

/// Checks for what `tools` needs, for a C compiler and linker for all platforms of the wheels, which
/// pip installs, and for Rust's standard library for them.
pub fn release_tools() -> Found {
    tools()?;
    of_first("tools", "faces/python/release-requirements.txt")?;
    needs::all(PLATFORMS.map(|(platform, _)| crate::systems::target(platform)))
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
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([tools.clone()].into_iter().chain(env::split_paths(&path)));
    let path = path.map_err(|e| e.to_string())?;
    for (platform, oldest) in PLATFORMS {
        let options = "--release --locked --zig --target {} --compatibility {} --out {}";
        let words = format!("{{}} build {options}");
        let mut maturin = cmd!(words, tools.join("maturin"), platform, oldest, to);
        maturin.args(MINORS.map(|minor| format!("--interpreter=python3.{minor}")));
        maturin.env("PATH", &path).env("CARGO_TARGET_DIR", target().join("wheels"));
        run(maturin.current_dir(package))?;
    }
    Ok(())
}

/// The interpreters of this machine, each with its tag in the name of a wheel, such as `cp311`.
pub fn named() -> Vec<(String, PathBuf)> {
    let plain = interpreters().iter().filter(|it| !it.version.ends_with('t'));
    plain.map(|it| (format!("cp{}", it.version.replace('.', "")), it.program.clone())).collect()
}

/// The interpreter whose environment has the tools, after the package was installed there.
pub fn with_package() -> Result<PathBuf, String> {
    let (first, tools) = first()?;
    install(&tools, &wheel(PACKAGE, &first, "wheels-tools")?)?;
    Ok(tools)
}

/// Runs a module of Python in a folder of the clone.
pub fn module(python: &Path, folder: &str, args: &str) -> Outcome {
    run(cmd!(format!("{{}} -m {args}"), python).current_dir(root().join(folder)))
}

/// Tests by pytest, which writes nothing beside them.
pub const PYTEST: &str = "pytest -qp no:cacheprovider";

/// The wheel of the first interpreter, with all tests.
pub fn python() -> Outcome {
    let (tools, pandas_2) = (of(&folder().join("tools")), of(&folder().join("pandas2")));
    let wheel = cpython(interpreters().first().ok_or("there is no Python")?, &tools)?;
    let check = |args: &str| module(&tools, PACKAGE, args);
    check("mypy")?;
    // With the settings for libraries that are not installed, which it does not look for by
    // itself.
    check("mypy.stubtest --concise --mypy-config-file pyproject.toml hashmill")?;
    check(&format!("{PYTEST} --ignore=tests/engines tests"))?;
    install(&pandas_2, &wheel)?;
    module(&pandas_2, PACKAGE, &format!("{PYTEST} tests/test_pandas.py"))?;
    run(cmd!("{} -m twine check --strict {}", tools, wheel))?;
    run(cmd!("{} -m auditwheel show {}", tools, wheel))
}

/// The wheels of the other interpreters there are, with CPython's tests.
pub fn pythons() -> Outcome {
    let interpreters = interpreters();
    let absent: Vec<String> = versions()
        // Free-threaded Python is no experiment from 3.14 on.
        .filter(|name| !["3.11t", "3.12t", "3.13t"].contains(&&**name))
        .filter(|name| !interpreters.iter().any(|it| it.version == *name))
        .collect();
    if !absent.is_empty() {
        eprintln!("left out: wheels for Python {}, which is not here", absent.join(", "));
    }
    interpreters.iter().skip(1).try_for_each(|python| {
        let environment = folder().join(format!("venv-{}", python.version));
        run(cmd!("{} -m venv --clear {}", python.program, environment))?;
        cpython(python, &of(&environment)).map(drop)
    })
}

/// Builds the wheel of an interpreter, installs it and runs CPython's tests with it.
fn cpython(python: &Python, installed: &Path) -> Result<PathBuf, String> {
    let wheel = wheel(PACKAGE, &python.program, &format!("wheels-{}", python.version))?;
    install(installed, &wheel)?;
    let mut test = cmd!("{} tests/cpython/run.py", installed);
    run(test.current_dir(root().join(PACKAGE))).map(|()| wheel)
}

/// Builds a package's wheel for that interpreter, the only one in its folder then.
fn wheel(package: &str, python: &Path, wheels: &str) -> Result<PathBuf, String> {
    let (tools, wheels) = (of(&folder().join("tools")), folder().join(wheels));
    remove_folder(&wheels)?;
    let maturin = "{} -m maturin build --release --locked --interpreter {} --out {}";
    let mut maturin = cmd!(maturin, tools, python, wheels);
    maturin.env("CARGO_TARGET_DIR", folder().join("build")).current_dir(root().join(package));
    run(maturin)?;
    let wheel = entries(&wheels)?.into_iter().next();
    wheel.ok_or("maturin has built no wheel".into())
}

/// Returns the command that builds the extension of the package in that folder, the one that puts it
/// beside the package's modules, and the one that runs tests with these modules.
pub fn steps(package: &Path, build: &Path, tests: &str) -> Result<Vec<Command>, String> {
    let (_, tools) = first()?;
    let mut cargo = cmd!("cargo build --locked");
    cargo.env("PYO3_PYTHON", &tools).env("PYO3_BUILD_EXTENSION_MODULE", "1");
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "false");
    cargo.current_dir(package);
    let modules = package.join("python");
    let copy = cmd!("cp {}/debug/lib_hashmill.so {}/hashmill/_hashmill.so", build, modules);
    let mut pytest = cmd!(format!("{{}} -m {PYTEST} -x {tests}"), tools);
    pytest.env("PYTHONPATH", modules).current_dir(package);
    Ok(vec![cargo, copy, pytest])
}

/// Installs a wheel without what it depends on.
pub fn install(python: &Path, wheel: &Path) -> Outcome {
    let pip = "-m pip install --quiet --no-deps --force-reinstall --disable-pip-version-check";
    run(cmd!(format!("{{}} {pip} {{}}"), python, wheel))
}

/// What `tools` needs, the engines, and an S3 server.
pub fn engine_tools() -> Found {
    let engines = of_first("engines", "faces/python/tests/engines/requirements.txt");
    needs::all([tools(), engines, needs::versitygw().map(drop)])
}

/// The tests of tests/engines, with the wheel of the first interpreter; or those that take long,
/// which the arguments choose.
pub fn engines(long: &[&str]) -> Outcome {
    let engines = of(&folder().join("engines"));
    install(&engines, &wheel(PACKAGE, &first()?.0, "wheels-engines")?)?;
    let mut pytest = cmd!(format!("{{}} -m {PYTEST} -rs tests/engines"), engines);
    if !long.is_empty() {
        pytest.env("HASHMILL_LONG", "1");
    }
    pytest.env("HASHMILL_VERSITYGW", needs::versitygw()?).current_dir(root().join(PACKAGE));
    run(pytest.args(long))
}

/// What `tools` needs, DataFusion, and the crates of it.
pub fn datafusion_tools() -> Found {
    let engine = of_first("datafusion", &format!("{DATAFUSION}/tests/requirements.txt"));
    needs::all([tools(), engine, needs::fetched(&format!("{DATAFUSION}/Cargo.toml"))])
}

/// What a release of DataFusion's functions needs.
pub fn datafusion_release_tools() -> Found {
    needs::all([release_tools(), datafusion_tools()])
}

/// The interpreter whose environment has DataFusion.
pub fn engine() -> PathBuf {
    of(&folder().join("datafusion"))
}

/// The functions of DataFusion, beside those of the Python package.
pub fn datafusion() -> Outcome {
    let ((first, tools), engine) = (first()?, engine());
    install(&engine, &wheel(PACKAGE, &first, "wheels-tools")?)?;
    let wheel = wheel(DATAFUSION, &first, "wheels-datafusion")?;
    install(&engine, &wheel)?;
    module(&engine, DATAFUSION, &format!("{PYTEST} tests"))?;
    module(&tools, DATAFUSION, "mypy")?;
    run(cmd!("{} -m twine check --strict {}", tools, wheel))
}
