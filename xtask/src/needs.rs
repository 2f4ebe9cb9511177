//! The requirements of the tests. Each requirement is checked by using the tool.

use crate::root;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A tool or file that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub what: String,
    /// The command that installs it, or empty if there is no such command.
    pub install: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.install {
            "" => write!(f, "{}", self.what),
            install => write!(f, "{}; to install it: {install}", self.what),
        }
    }
}

impl From<Missing> for String {
    fn from(missing: Missing) -> String {
        missing.to_string()
    }
}

impl Missing {
    pub fn new(what: impl Into<String>, install: impl Into<String>) -> Missing {
        Missing { what: what.into(), install: install.into() }
    }
}

/// Returns an error that lists all missing requirements, if any are missing.
pub fn all(needs: impl IntoIterator<Item = Result<(), Missing>>) -> Result<(), Missing> {
    let missing: Vec<Missing> = needs.into_iter().filter_map(Result::err).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let what: Vec<&str> = missing.iter().map(|it| &*it.what).collect();
    let install = install_line(&missing, "; ");
    Err(Missing::new(what.join(", "), install))
}

/// Returns the commands that install everything in `missing`, with all Debian packages in one
/// command. Before it come those that make the packages of another architecture known.
pub fn install_line(missing: &[Missing], between: &str) -> String {
    let commands = missing.iter().flat_map(|it| it.install.split("; "));
    let commands = commands
        .filter(|it| !it.is_empty() && !it.starts_with(ARCHITECTURE) && *it != "apt-get update");
    let (mut packages, mut others) = (Vec::new(), Vec::<String>::new());
    for command in commands {
        match command.strip_prefix(DEBIAN) {
            Some(names) => packages.extend(names.split(' ')),
            None if others.iter().any(|other| other == command) => {}
            None => others.push(command.to_owned()),
        }
    }
    packages.sort();
    packages.dedup();
    if !packages.is_empty() {
        others.insert(0, debian(&packages.join(" ")));
    }
    let foreign: BTreeSet<&str> =
        packages.iter().filter_map(|name| name.split_once(':')).map(|it| it.1).collect();
    if !foreign.is_empty() {
        others.insert(0, "apt-get update".into());
    }
    let known = foreign.into_iter().map(|name| format!("{ARCHITECTURE}{name}"));
    known.chain(others).collect::<Vec<_>>().join(between)
}

pub const DEBIAN: &str = "apt-get install ";
const ARCHITECTURE: &str = "dpkg --add-architecture ";

/// Returns the `apt-get install` command for these Debian packages.
pub fn debian(packages: &str) -> String {
    format!("{DEBIAN}{packages}")
}

/// Returns true if the command starts and succeeds. Drops its output.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

thread_local! {
    /// What the check that runs now would download, or `None` if it may download.
    static WANTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs a check that must not download anything. Returns also what it would download.
pub fn look(check: fn() -> Result<(), Missing>) -> (Result<(), Missing>, Vec<String>) {
    WANTED.set(Some(Vec::new()));
    let found = check();
    (found, WANTED.take().unwrap_or_default())
}

/// Announces a download. Returns false if the check that runs now only looks.
pub fn may_download(what: &str) -> bool {
    WANTED.with_borrow_mut(|wanted| match wanted {
        Some(wanted) => {
            wanted.push(what.to_owned());
            false
        }
        None => {
            eprintln!("downloading {what} …");
            true
        }
    })
}

/// Checks that a program starts. If it does not, the error names its Debian package.
pub fn program(name: &str, package: &str) -> Result<(), Missing> {
    answers(name, "--version", package)
}

/// Checks that a program succeeds with `option`, for programs without `--version`.
pub fn answers(name: &str, option: &str, package: &str) -> Result<(), Missing> {
    match succeeds(Command::new(name).arg(option)) {
        true => Ok(()),
        false => Err(Missing::new(format!("{name} does not start"), debian(package))),
    }
}

/// Checks for debhelper, whose programs have no option that succeeds outside of a package.
pub fn debhelper() -> Result<(), Missing> {
    match succeeds(Command::new("perl").args(["-MDebian::Debhelper::Dh_Lib", "-e", "1"])) {
        true => Ok(()),
        false => Err(Missing::new("Perl does not find debhelper", debian("debhelper"))),
    }
}

/// Checks that strace may trace a process, because some containers forbid it.
pub fn strace() -> Result<(), Missing> {
    match succeeds(Command::new("strace").args(["-o", "/dev/null", "true"])) {
        true => Ok(()),
        false => Err(Missing::new("strace does not trace a program", debian("strace"))),
    }
}

/// Checks for a component of the Rust toolchain by its cargo subcommand.
pub fn component(subcommand: &str, name: &str, package: &str) -> Result<(), Missing> {
    match succeeds(Command::new(env!("CARGO")).args([subcommand, "--version"])) {
        true => Ok(()),
        false => {
            let rustup = succeeds(Command::new("rustup").arg("--version"));
            let install =
                if rustup { format!("rustup component add {name}") } else { debian(package) };
            Err(Missing::new(format!("cargo {subcommand} does not start"), install))
        }
    }
}

/// Checks for a nightly toolchain and one of its components that is not a program.
pub fn nightly(component: &str) -> Result<(), Missing> {
    // `CARGO` would be the cargo of one fixed toolchain.
    let sysroot = Command::new("rustc")
        .args(["+nightly", "--print", "sysroot"])
        .env("RUSTUP_AUTO_INSTALL", "0")
        .output();
    let sysroot = sysroot.ok().filter(|it| it.status.success());
    let sysroot = sysroot.and_then(|it| String::from_utf8(it.stdout).ok());
    let there = sysroot.is_some_and(|sysroot| {
        component != "rust-src" || Path::new(sysroot.trim()).join("lib/rustlib/src").exists()
    });
    match there {
        true => Ok(()),
        false => {
            let install = match component {
                "" => "rustup toolchain install nightly".to_owned(),
                name => format!("rustup toolchain install nightly --component {name}"),
            };
            Err(Missing::new("there is no such nightly toolchain", install))
        }
    }
}

/// Checks that the dependencies of another workspace are present or can be downloaded.
pub fn fetched(manifest: &str) -> Result<(), Missing> {
    let what = format!("the dependencies of {manifest}");
    match is_fetched(manifest) || !may_download(&what) || succeeds(&mut fetch(manifest)) {
        true => Ok(()),
        false => {
            let install = format!("cargo fetch --locked --manifest-path {manifest}");
            Err(Missing::new(format!("{what} are not here"), install))
        }
    }
}

/// Returns true if the dependencies of another workspace are present.
pub fn is_fetched(manifest: &str) -> bool {
    succeeds(fetch(manifest).arg("--offline"))
}

fn fetch(manifest: &str) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(["fetch", "--locked", "--manifest-path", manifest]).current_dir(root());
    // Try once: without a network, three more tries take 10 s and fail as well.
    command.env("CARGO_NET_RETRY", "0");
    command
}

/// Checks that rustc can build for a platform with these flags. `library` and `linker` are the
/// Debian packages of its standard library and its linker, or empty.
pub fn target(platform: &str, flags: &[&str], library: &str, linker: &str) -> Result<(), Missing> {
    let file = probes(platform)?.join("probe.rs");
    write(&file, "fn main() {}\n")?;
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--target", platform]).args(flags).arg(&file);
    if succeeds(command.arg("-o").arg(file.with_extension(""))) {
        return Ok(());
    }
    let mut install = match succeeds(Command::new("rustup").arg("--version")) {
        true => format!("rustup target add {platform}"),
        false if library.is_empty() => String::new(),
        false => debian(library),
    };
    if !linker.is_empty() {
        install = format!("{install}; {}", debian(linker));
    }
    Err(Missing::new(format!("rustc builds nothing for {platform}"), install))
}

/// Checks for a file or directory of known answers that is not part of a clone.
pub fn shared(path: &str) -> Result<(), Missing> {
    match root().join("../shared").join(path).exists() {
        true => Ok(()),
        false => Err(Missing::new(format!("../shared/{path} is not there"), "")),
    }
}

/// A family of C and C++ compilers.
pub struct Family {
    pub c: &'static str,
    pub cxx: &'static str,
    /// The oldest version that is sufficient, and the newest version that is looked for.
    versions: (u32, u32),
    macros: &'static str,
    /// The Debian packages of the compiler and its sanitizers.
    c_packages: &'static str,
    cxx_packages: &'static str,
}

pub const GCC: Family = Family {
    c: "gcc",
    cxx: "g++",
    versions: (11, 20),
    macros: "!defined(__clang__) && __GNUC__ >= 11",
    c_packages: "gcc libc6-dev",
    cxx_packages: "g++",
};

pub const CLANG: Family = Family {
    c: "clang",
    cxx: "clang++",
    versions: (15, 30),
    macros: "__clang_major__ >= 15",
    c_packages: "clang-19 libclang-rt-19-dev",
    cxx_packages: "clang-19 g++ libclang-rt-19-dev",
};

/// Compiler flags for sanitizers that stop the program at invalid memory accesses and undefined
/// behaviour.
pub const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

impl Family {
    /// Returns a C compiler of this family that builds a running program with sanitizers.
    pub fn c_compiler(&self) -> Result<String, Missing> {
        self.compiler(self.c, self.c_packages, "c", "#include <stdint.h>", "-std=c11")
    }

    /// Returns a C++20 compiler of this family that builds a running program with sanitizers.
    pub fn cxx_compiler(&self) -> Result<String, Missing> {
        let headers = "#include <concepts>\n#include <span>";
        self.compiler(self.cxx, self.cxx_packages, "cpp", headers, "-std=c++20")
    }

    /// Returns the compiler without a version number if it is new enough, or else the newest
    /// numbered one.
    fn compiler(
        &self,
        name: &str,
        packages: &str,
        extension: &str,
        headers: &str,
        standard: &str,
    ) -> Result<String, Missing> {
        let source = format!(
            "{headers}\n#if !({})\n#error too old\n#endif\nint main(void) {{ return 0; }}\n",
            self.macros
        );
        let dir = probes(name)?;
        let file = dir.join(format!("probe.{extension}"));
        write(&file, &source)?;
        let builds = |compiler: &str, flags: &[&str]| {
            let program = dir.join("probe");
            succeeds(
                Command::new(compiler).arg(standard).args(flags).arg(&file).arg("-o").arg(&program),
            ) && succeeds(&mut Command::new(program))
        };
        let (oldest, newest) = self.versions;
        let numbered = (oldest..=newest).rev().map(|version| format!("{name}-{version}"));
        let names: Vec<String> = [name.to_owned()].into_iter().chain(numbered).collect();
        if let Some(compiler) = names.iter().find(|it| builds(it, SANITIZERS)) {
            return Ok(compiler.clone());
        }
        let what = match names.iter().find(|compiler| builds(compiler, &[])) {
            Some(compiler) => format!("{compiler} has no address and undefined sanitizers"),
            None => format!("no {name} of version {oldest} or newer works"),
        };
        Err(Missing::new(what, debian(packages)))
    }
}

/// Checks for CMake with a generator that works with the compiler, and for packages by the names
/// that `find_package` takes.
pub fn cmake(compiler: &str, packages: &[(&str, &str)]) -> Result<(), Missing> {
    let dir = probes("cmake")?;
    // CMake keeps its choice of a compiler in the build directory.
    _ = fs::remove_dir_all(dir.join("build"));
    let mut text =
        "cmake_minimum_required(VERSION 3.20)\nproject(probe LANGUAGES CXX)\n".to_owned();
    for (package, _) in packages {
        text += &format!(
            "find_package({package})\nif({package}_FOUND)\n  message(STATUS \"probe has {package}\")\nendif()\n"
        );
    }
    write(&dir.join("CMakeLists.txt"), &text)?;
    let mut command = Command::new("cmake");
    command.arg("-S").arg(&dir).arg("-B").arg(dir.join("build"));
    let output = command.arg(format!("-DCMAKE_CXX_COMPILER={compiler}")).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        let what = format!("cmake does not configure a project for {compiler}");
        let install: Vec<&str> = packages.iter().map(|(_, package)| *package).collect();
        return Err(Missing::new(what, debian(&format!("cmake make {}", install.join(" ")))));
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let absent: Vec<_> = packages
        .iter()
        .filter(|(name, _)| !said.lines().any(|line| line.ends_with(&format!("probe has {name}"))))
        .collect();
    if absent.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = absent.iter().map(|(name, _)| *name).collect();
    let install: Vec<&str> = absent.iter().map(|(_, package)| *package).collect();
    let what = format!("cmake does not find {}", names.join(", "));
    Err(Missing::new(what, debian(&install.join(" "))))
}

/// Checks for GHC with the packages that the Haskell package's .cabal file names.
pub fn haskell() -> Result<(), Missing> {
    let file = root().join("faces/haskell/hashmill.cabal");
    let text = fs::read_to_string(&file).map_err(|e| Missing::new(format!("{e}"), ""))?;
    let dependency = |line: &str| {
        let name = line.trim().strip_prefix(", ")?.split_whitespace().next()?;
        (name != "hashmill").then(|| name.to_owned())
    };
    let mut names: Vec<String> = text.lines().filter_map(dependency).collect();
    names.push("Cabal".into());
    names.sort();
    names.dedup();
    names.retain(|name| !succeeds(Command::new("ghc-pkg").args(["latest", name])));
    let programs = ["ghc", "runghc", "haddock", "ghc-pkg"];
    let absent = programs.iter().find(|name| program(name, "ghc").is_err());
    let what = match (absent, &names[..]) {
        (None, []) => return Ok(()),
        (None, names) => format!("ghc-pkg does not know {}", names.join(", ")),
        (Some(program), _) => format!("{program} does not start"),
    };
    // Packages that come with GHC have no Debian package.
    const OWN: [&str; 7] =
        ["base", "bytestring", "Cabal", "deepseq", "directory", "filepath", "text"];
    let packages = names.iter().filter(|name| !OWN.contains(&name.as_str()));
    let packages = packages.map(|name| match &**name {
        "QuickCheck" => " libghc-quickcheck2-dev".to_owned(),
        name => format!(" libghc-{}-dev", name.to_lowercase()),
    });
    Err(Missing::new(what, debian(&format!("ghc{}", packages.collect::<String>()))))
}

/// Checks that the packages of a folder's `package-lock.json` are there, which npm gets if they are
/// not.
pub fn npm_packages(folder: &str) -> Result<(), Missing> {
    let what = format!("the packages of {folder}/package-lock.json");
    match succeeds(&mut npm(folder, &["ls", "--all"]))
        || !may_download(&what)
        || succeeds(&mut npm(folder, &["ci", "--no-audit", "--no-fund"]))
        // A registry may lack packages that are for other platforms, which `ci` does not forgive.
        || succeeds(&mut npm(folder, &["install", "--no-save", "--no-audit", "--no-fund"]))
    {
        true => Ok(()),
        false => Err(Missing::new(
            format!("{what} are not here, and npm cannot get them"),
            format!("npm --prefix {folder} ci"),
        )),
    }
}

/// npm for the package in a folder.
pub fn npm(folder: &str, args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(["--prefix", folder]).args(args).current_dir(root());
    command
}

/// Checks for Node of at least this version.
pub fn node(oldest: u32) -> Result<(), Missing> {
    let output = Command::new("node").args(["--print", "parseInt(process.versions.node)"]).output();
    let version = output.ok().and_then(|it| String::from_utf8(it.stdout).ok()?.trim().parse().ok());
    match version {
        Some(version) if oldest <= version => Ok(()),
        Some(version) => {
            let what = format!("Node has version {version}, not {oldest} or newer");
            Err(Missing::new(what, format!("npm install --global node@{oldest}")))
        }
        // Debian 12 has Node 18, whose npm installs newer ones.
        None => {
            let newer = format!("; npm install --global node@{oldest}");
            let newer = if oldest > 18 { &*newer } else { "" };
            Err(Missing::new("node does not start", debian("nodejs npm") + newer))
        }
    }
}

/// Returns the path of versitygw, a server for S3's protocol: the installed program, or this
/// version, built with Go.
pub fn versitygw() -> Result<PathBuf, Missing> {
    const PACKAGE: &str = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
    let answers = |program: &Path| succeeds(Command::new(program).arg("--version"));
    if answers(Path::new("versitygw")) {
        return Ok("versitygw".into());
    }
    let (_, version) = PACKAGE.split_once('@').unwrap_or_default();
    let folder = crate::target().join("versitygw").join(version);
    let program = folder.join("versitygw");
    if answers(&program) {
        return Ok(program);
    }
    let mut go = ["go", "/usr/local/go/bin/go"].iter();
    let go = go.find(|go| succeeds(Command::new(go).arg("version")));
    let install = |go: &&&str| {
        !may_download(PACKAGE)
            || succeeds(Command::new(go).args(["install", PACKAGE]).env("GOBIN", &folder))
                && answers(&program)
    };
    match go.filter(install) {
        Some(_) => Ok(program),
        None => Err(Missing::new(
            "versitygw does not start, and no Go of version 1.25 or newer builds it",
            format!("go install {PACKAGE}"),
        )),
    }
}

/// Returns a qemu that runs x86-64 programs.
pub fn qemu() -> Result<PathBuf, Missing> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Missing::new("for x86-64 and Linux only", ""));
    }
    let me = env::current_exe().unwrap_or_default();
    let runs = |qemu: &&str| {
        // Without arguments, this program lists its tasks and exits with status 2.
        let mut command = Command::new(qemu);
        command.args(["-cpu", "max"]).arg(&me).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.code() == Some(2))
    };
    match ["qemu-x86_64", "qemu-x86_64-static"].iter().find(|it| runs(it)) {
        Some(name) => Ok(name.into()),
        None => Err(Missing::new("qemu-x86_64 does not run a program", debian("qemu-user"))),
    }
}

/// Checks for any C++ compiler that finds its headers.
pub fn cxx() -> Result<(), Missing> {
    let file = probes("c++")?.join("probe.cpp");
    write(
        &file,
        "#include <string>\nint main() { return static_cast<int>(std::string().size()); }\n",
    )?;
    let mut command = Command::new("c++");
    match succeeds(command.arg(&file).arg("-o").arg(file.with_extension(""))) {
        true => Ok(()),
        false => Err(Missing::new("c++ does not build a program", debian("g++"))),
    }
}

/// Returns a directory for the files of one check.
fn probes(name: &str) -> Result<PathBuf, Missing> {
    let dir = crate::target().join("tmp/needs").join(name);
    fs::create_dir_all(&dir).map_err(|e| Missing::new(format!("{}: {e}", dir.display()), ""))?;
    Ok(dir)
}

fn write(file: &Path, text: &str) -> Result<(), Missing> {
    fs::write(file, text).map_err(|e| Missing::new(format!("{}: {e}", file.display()), ""))
}

/// Checks that this machine can search the memory of another process.
pub fn memory() -> Result<(), Missing> {
    match cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        true => Ok(()),
        false => Err(Missing::new("it reads the memory of a process of Linux on x86-64", "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_installs_everything() {
        let missing = |install: &str| Missing::new("", install);
        let lines = [
            missing("apt-get install gcc zsh"),
            missing(""),
            missing("rustup component add rustfmt; apt-get install gcc"),
            missing("rustup target add wasm32-unknown-unknown"),
            missing("rustup component add rustfmt; apt-get install cmake"),
        ];
        let one = "apt-get install cmake gcc zsh; rustup component add rustfmt; \
                   rustup target add wasm32-unknown-unknown";
        assert_eq!(install_line(&lines, "; "), one);
        assert_eq!(all([Ok(()), Ok(())]), Ok(()));
        let both = all(lines.map(Err)).map_err(|missing| missing.install);
        assert_eq!(both, Err(one.into()));
        let arm = missing("apt-get install gcc libc6:arm64");
        let known =
            "dpkg --add-architecture arm64; apt-get update; apt-get install gcc libc6:arm64";
        let once = install_line(&[arm], "; ");
        assert_eq!(once, known);
        assert_eq!(install_line(&[missing(&once), missing("apt-get install gcc")], "; "), known);
    }
}
