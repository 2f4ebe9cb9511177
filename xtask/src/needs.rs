//! The requirements of the tests. Each requirement is checked by using the tool.

use crate::command::{cmd, root, stdout, succeeds, target as folder};
use crate::files::{read, remove_folder, write};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fmt};

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

impl From<String> for Missing {
    fn from(what: String) -> Missing {
        Missing::new(what, "")
    }
}

impl Missing {
    pub fn new(what: impl Into<String>, install: impl Into<String>) -> Missing {
        Missing { what: what.into(), install: install.into() }
    }
}

/// What a check of a requirement found.
pub type Found<T = ()> = Result<T, Missing>;

/// An error with what is missing and what installs it, unless the requirement is met.
pub fn check(met: bool, what: impl Into<String>, install: impl Into<String>) -> Found {
    if met { Ok(()) } else { Err(Missing::new(what, install)) }
}

/// Returns an error that lists all missing requirements, if any are missing.
pub fn all(needs: impl IntoIterator<Item = Found>) -> Found {
    let missing: Vec<Missing> = needs.into_iter().filter_map(Result::err).collect();
    let what: Vec<&str> = missing.iter().map(|it| &*it.what).collect();
    check(missing.is_empty(), what.join(", "), install_line(&missing, "; "))
}

/// Returns the commands that install everything in `missing`, with all Debian packages in one
/// command. Before it come those that make the packages of another architecture known.
pub fn install_line(missing: &[Missing], between: &str) -> String {
    let commands = || missing.iter().flat_map(|it| it.install.split("; "));
    let packages = commands().filter_map(|it| it.strip_prefix(DEBIAN)).flat_map(|it| it.split(' '));
    let packages: BTreeSet<&str> = packages.collect();
    let foreign = packages.iter().filter_map(|name| name.split_once(':'));
    let foreign: BTreeSet<String> = foreign.map(|it| format!("{ARCHITECTURE}{}", it.1)).collect();
    let mut lines: Vec<String> = foreign.into_iter().collect();
    if !lines.is_empty() {
        lines.push("apt-get update".into());
    }
    if !packages.is_empty() {
        lines.push(debian(&packages.into_iter().collect::<Vec<_>>().join(" ")));
    }
    for command in commands().filter(|it| !it.is_empty() && !it.starts_with(DEBIAN)) {
        if !lines.iter().any(|line| line == command) {
            lines.push(command.to_owned());
        }
    }
    lines.join(between)
}

pub const DEBIAN: &str = "apt-get install ";
const ARCHITECTURE: &str = "dpkg --add-architecture ";

/// Returns the `apt-get install` command for these Debian packages.
pub fn debian(packages: &str) -> String {
    format!("{DEBIAN}{packages}")
}

thread_local! {
    /// What the check that runs now would download, or `None` if it may download.
    static WANTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs a check that must not download anything. Returns also what it would download.
pub fn look(check: fn() -> Found) -> (Found, Vec<String>) {
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
pub fn program(name: &str, package: &str) -> Found {
    answers(name, "--version", package)
}

/// Checks that a program succeeds with `options`, for programs without `--version`.
pub fn answers(name: &str, options: &str, package: &str) -> Found {
    works(&format!("{name} {options}"), &debian(package))
}

/// Checks for debhelper, whose programs have no option that succeeds outside of a package.
pub fn debhelper() -> Found {
    answers("perl", "-MDebian::Debhelper::Dh_Lib -e 1", "debhelper")
}

/// Checks that a command succeeds.
pub fn works(command: &str, install: &str) -> Found {
    check(succeeds(cmd!(command)), format!("`{command}` fails"), install)
}

/// Checks for a component of the Rust toolchain by its cargo subcommand.
pub fn component(subcommand: &str, name: &str, package: &str) -> Found {
    let rustup = rustup(&format!("component add {name}"));
    let install = if rustup.is_empty() { debian(package) } else { rustup };
    works(&format!("cargo {subcommand} --version"), &install)
}

/// A command of rustup, if it is here.
pub fn rustup(args: &str) -> String {
    static HERE: OnceLock<bool> = OnceLock::new();
    let here = *HERE.get_or_init(|| succeeds(cmd!("rustup --version")));
    if here { format!("rustup {args}") } else { String::new() }
}

/// Checks for a nightly toolchain and one of its components that is not a program.
pub fn nightly(component: &str) -> Found {
    // `CARGO` would be the cargo of one fixed toolchain.
    let mut rustc = cmd!("rustc +nightly --print sysroot");
    let there = stdout(rustc.env("RUSTUP_AUTO_INSTALL", "0")).is_ok_and(|sysroot| {
        component != "rust-src" || Path::new(sysroot.trim()).join("lib/rustlib/src").exists()
    });
    let component = if component.is_empty() { "" } else { &format!(" --component {component}") };
    let install = format!("rustup toolchain install nightly{component}");
    check(there, "there is no such nightly toolchain", install)
}

/// Checks that the dependencies of another workspace are present or can be downloaded.
pub fn fetched(manifest: &str) -> Found {
    let what = format!("the dependencies of {manifest}");
    let fetched = is_fetched(manifest) || !may_download(&what) || succeeds(&mut fetch(manifest));
    let install = format!("cargo fetch --locked --manifest-path {manifest}");
    check(fetched, format!("{what} are not here"), install)
}

/// Returns true if the dependencies of another workspace are present.
pub fn is_fetched(manifest: &str) -> bool {
    succeeds(fetch(manifest).arg("--offline"))
}

fn fetch(manifest: &str) -> Command {
    let mut command = cmd!("cargo fetch --locked --manifest-path {}", manifest);
    // Try once: without a network, three more tries take 10 s and fail as well.
    command.env("CARGO_NET_RETRY", "0");
    command
}

/// Checks that rustc can build for a platform with these flags. `library` and `linker` are the
/// Debian packages of its standard library and its linker, or empty.
pub fn target(platform: &str, flags: &[&str], library: &str, linker: &str) -> Found {
    let file = probe(platform, "rs", "fn main() {}\n")?;
    let mut command = cmd!("{}", env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--target", platform]).args(flags).arg(&file);
    let builds = succeeds(command.arg("-o").arg(file.with_extension("")));
    let mut install = rustup(&format!("target add {platform}"));
    if install.is_empty() && !library.is_empty() {
        install = debian(library);
    }
    if !linker.is_empty() {
        install = format!("{install}; {}", debian(linker));
    }
    check(builds, format!("rustc builds nothing for {platform}"), install)
}

/// Checks for a file or directory of known answers that is not part of a clone.
pub fn shared(path: &str) -> Found {
    let there = root().join("../shared").join(path).exists();
    check(there, format!("../shared/{path} is not there"), "")
}

/// A family of compilers: of each list the first is of C and the second of C++.
pub struct Family {
    names: [&'static str; 2],
    /// The oldest version that is sufficient, and the newest version that is looked for.
    versions: (u32, u32),
    macros: &'static str,
    /// The Debian packages of the compiler and its sanitizers.
    packages: [&'static str; 2],
}

pub const GCC: Family = Family {
    names: ["gcc", "g++"],
    versions: (11, 20),
    macros: "!defined(__clang__) && __GNUC__ >= 11",
    packages: ["gcc libc6-dev", "g++"],
};

pub const CLANG: Family = Family {
    names: ["clang", "clang++"],
    versions: (15, 30),
    macros: "__clang_major__ >= 15",
    packages: ["clang-19 libclang-rt-19-dev", "clang-19 g++ libclang-rt-19-dev"],
};

/// Compiler flags for sanitizers that stop the program at invalid memory accesses and undefined
/// behaviour.
pub const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

impl Family {
    /// Returns a C compiler of this family that builds a running program with sanitizers.
    pub fn c_compiler(&self) -> Found<String> {
        self.compiler(0, "#include <stdint.h>", "-xc -std=c11")
    }

    /// Returns a C++20 compiler of this family that builds a running program with sanitizers.
    pub fn cxx_compiler(&self) -> Found<String> {
        self.compiler(1, "#include <concepts>\n#include <span>", "-xc++ -std=c++20")
    }

    /// Returns the compiler without a version number if it is new enough, or else the newest
    /// numbered one.
    fn compiler(&self, language: usize, headers: &str, options: &str) -> Found<String> {
        let (name, packages) = (self.names[language], self.packages[language]);
        let version = format!("#if !({})\n#error too old\n#endif\n", self.macros);
        let text = format!("{headers}\n{version}int main(void) {{ return 0; }}\n");
        let file = probe(name, "c", &text)?;
        let program = file.with_extension("");
        let builds = |compiler: &str, flags: &[&str]| {
            let mut command = cmd!(format!("{{}} {options} {{}} -o {{}}"), compiler, file, program);
            succeeds(command.args(flags)) && succeeds(cmd!("{}", program))
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
pub fn cmake(compiler: &str, packages: &[(&str, &str)]) -> Found {
    let find = |(name, _): &(&str, &str)| {
        let found = format!("if({name}_FOUND)\n  message(STATUS \"probe has {name}\")\nendif()");
        format!("find_package({name})\n{found}\n")
    };
    let finds: String = packages.iter().map(find).collect();
    let project = "cmake_minimum_required(VERSION 3.20)\nproject(probe LANGUAGES CXX)";
    let dir = folder().join("tmp/needs/cmake");
    write(dir.join("CMakeLists.txt"), format!("{project}\n{finds}"))?;
    // CMake keeps its choice of a compiler in the build directory.
    remove_folder(&dir.join("build"))?;
    let configure = "cmake -S {} -B {}/build -DCMAKE_CXX_COMPILER={}";
    let said = stdout(cmd!(configure, dir, dir, compiler));
    let is_absent = |name: &str| {
        let found = format!("probe has {name}");
        !said.as_ref().is_ok_and(|said| said.lines().any(|line| line.ends_with(&found)))
    };
    let absent = packages.iter().filter(|(name, _)| is_absent(name));
    let (names, mut install): (Vec<&str>, Vec<&str>) = absent.copied().unzip();
    let what = match said {
        Ok(_) => format!("cmake does not find {}", names.join(", ")),
        Err(_) => format!("cmake does not configure a project for {compiler}"),
    };
    if said.is_err() {
        install.splice(0..0, ["cmake", "make"]);
    }
    check(install.is_empty(), what, debian(&install.join(" ")))
}

/// Checks for GHC with the packages that the Haskell package's .cabal file names.
pub fn haskell() -> Found {
    let text = read("faces/haskell/hashmill.cabal")?;
    let dependency = |line: &str| {
        let name = line.trim().strip_prefix(", ")?.split_whitespace().next()?;
        (name != "hashmill").then(|| name.to_owned())
    };
    let mut names: BTreeSet<String> = text.lines().filter_map(dependency).collect();
    names.insert("Cabal".into());
    names.retain(|name| !succeeds(cmd!("ghc-pkg latest {}", name)));
    let programs = ["ghc", "runghc", "haddock", "ghc-pkg"];
    let absent = programs.iter().find(|name| program(name, "ghc").is_err());
    let what = match absent {
        None => {
            let names: Vec<&str> = names.iter().map(|it| &**it).collect();
            format!("ghc-pkg does not know {}", names.join(", "))
        }
        Some(program) => format!("{program} does not start"),
    };
    // Packages that come with GHC have no Debian package.
    const OWN: [&str; 7] =
        ["base", "bytestring", "Cabal", "deepseq", "directory", "filepath", "text"];
    let packages = names.iter().filter(|name| !OWN.contains(&name.as_str()));
    let packages = packages.map(|name| match &**name {
        "QuickCheck" => " libghc-quickcheck2-dev".to_owned(),
        name => format!(" libghc-{}-dev", name.to_lowercase()),
    });
    let install = debian(&format!("ghc{}", packages.collect::<String>()));
    check(absent.is_none() && names.is_empty(), what, install)
}

/// Checks that the packages of a folder's `package-lock.json` are there, which npm gets if they are
/// not.
pub fn npm_packages(folder: &str) -> Found {
    let what = format!("the packages of {folder}/package-lock.json");
    let npm = |args: &str| succeeds(npm(folder, args));
    let there = npm("ls --all")
        || !may_download(&what)
        || npm("ci --no-audit --no-fund")
        // A registry may lack packages that are for other platforms, which `ci` does not forgive.
        || npm("install --no-save --no-audit --no-fund");
    let install = format!("npm --prefix {folder} ci");
    check(there, format!("{what} are not here, and npm cannot get them"), install)
}

/// npm for the package in a folder.
pub fn npm(folder: &str, args: &str) -> Command {
    cmd!(format!("npm --prefix {folder} {args}"))
}

/// Checks for Node of at least this version.
pub fn node(oldest: u32) -> Found {
    let said = stdout(cmd!("node --print parseInt(process.versions.node)"));
    match said.ok().and_then(|it| it.trim().parse::<u32>().ok()) {
        Some(version) => {
            let what = format!("Node has version {version}, not {oldest} or newer");
            check(oldest <= version, what, format!("npm install --global node@{oldest}"))
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
pub fn versitygw() -> Found<PathBuf> {
    const PACKAGE: &str = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
    let answers = |program: &Path| succeeds(cmd!("{} --version", program));
    let (_, version) = PACKAGE.split_once('@').unwrap_or_default();
    let folder = folder().join("versitygw").join(version);
    let program = folder.join("versitygw");
    if let Some(program) = [Path::new("versitygw"), &program].into_iter().find(|it| answers(it)) {
        return Ok(program.into());
    }
    let mut go = ["go", "/usr/local/go/bin/go"].iter();
    let go = go.find(|go| succeeds(cmd!("{} version", go)));
    let builds = go.is_some_and(|go| {
        !may_download(PACKAGE)
            || succeeds(cmd!("{} install {}", go, PACKAGE).env("GOBIN", &folder))
                && answers(&program)
    });
    let what = "versitygw does not start, and no Go of version 1.25 or newer builds it";
    check(builds, what, format!("go install {PACKAGE}")).map(|()| program)
}

/// Returns a qemu that runs x86-64 programs.
pub fn qemu() -> Found<&'static str> {
    x86_64_linux("for x86-64 and Linux only")?;
    let me = env::current_exe().unwrap_or_default();
    // It lists its tasks.
    let runs = |qemu: &&str| succeeds(cmd!("{} -cpu max {} --help", qemu, me));
    let found = ["qemu-x86_64", "qemu-x86_64-static"].into_iter().find(runs);
    found.ok_or_else(|| Missing::new("qemu-x86_64 does not run a program", debian("qemu-user")))
}

/// Checks for any C++ compiler that finds its headers.
pub fn cxx() -> Found {
    let text = "#include <string>\nint main() { return static_cast<int>(std::string().size()); }\n";
    let file = probe("c++", "cpp", text)?;
    let builds = succeeds(cmd!("c++ {} -o {}", file, file.with_extension("")));
    check(builds, "c++ does not build a program", debian("g++"))
}

/// Writes the file of one check, in a directory of its own.
fn probe(name: &str, extension: &str, text: &str) -> Found<PathBuf> {
    let file = folder().join("tmp/needs").join(name).join(format!("probe.{extension}"));
    write(&file, text)?;
    Ok(file)
}

/// Checks that this machine can search the memory of another process.
pub fn memory() -> Found {
    x86_64_linux("it reads the memory of a process of Linux on x86-64")
}

/// Checks for Linux on x86-64.
pub fn x86_64_linux(what: &str) -> Found {
    check(cfg!(all(target_os = "linux", target_arch = "x86_64")), what, "")
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
