//! The tests of the Haskell package.

use crate::install;
use crate::programs::{example, search};
use crate::{Outcome, root, run, target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The package with all that it has; no warnings, nothing without documentation.
pub fn haskell() -> Outcome {
    each(|package| {
        let test = ["--show-details=streaming", "--test-options=--hide-successes"];
        run(&mut package.setup("test", &test))?;
        let program = package.program(&example("README.md", "haskell")?, &[])?;
        run(Command::new(&program).env("LD_LIBRARY_PATH", package.prefix.join("lib")))?;
        documented(&mut package.setup("haddock", &["--haddock-options=--no-warnings"]))
    })
}

/// Searches the memory of a program after each use of a key.
pub fn remains() -> Outcome {
    each(|package| {
        let source = root().join("faces/haskell/test/Remains.hs");
        let program = package.program(&source, &["deepseq", "text"])?;
        search(&program, "auto", &package.prefix.join("lib"))
    })
}

/// Builds the package over the C++ text that it carries, which needs no library, and over the
/// installed library, and tests each.
fn each(test: fn(&Package) -> Outcome) -> Outcome {
    let prefix = install::once()?;
    let link = WithoutBlanks::new(&prefix)?;
    for (flag, name) in [("-f-pkgconfig", "bundled"), ("-fpkgconfig", "linked")] {
        let built = target().join("faces/haskell").join(name);
        let package =
            Package { prefix: &prefix, pkg_config: link.path.join("lib/pkgconfig"), built };
        let (all, strict) = (["--enable-tests", "--enable-benchmarks"], "--ghc-options=-Werror");
        let configure = ["--user", "--disable-shared", strict, flag];
        run(package.setup("configure", &configure).args(all))?;
        run(&mut package.setup("build", &[]))?;
        test(&package)?;
    }
    Ok(())
}

/// A build of the package.
struct Package<'a> {
    /// Where the library is installed.
    prefix: &'a Path,
    pkg_config: PathBuf,
    built: PathBuf,
}

impl Package<'_> {
    /// Returns a command of Cabal.
    fn setup(&self, name: &str, args: &[&str]) -> Command {
        let mut command = Command::new("runghc");
        command.args(["Setup.hs", name]).arg(format!("--builddir={}", self.built.display()));
        command.args(args).current_dir(root().join("faces/haskell"));
        command.env("PKG_CONFIG_PATH", &self.pkg_config);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }

    /// Compiles a program that uses the package and these others, and modules of its tests. Returns
    /// its path.
    fn program(&self, source: &Path, packages: &[&str]) -> Result<PathBuf, String> {
        let folder = self.built.join("programs").join(source.file_stem().unwrap_or_default());
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let program = folder.join("program");
        let packages = ["base", "bytestring", "hashmill"].iter().chain(packages);
        run(Command::new("ghc")
            .args(["-Wall", "-Werror", "-hide-all-packages"])
            .args(packages.flat_map(|package| ["-package", package]))
            .arg(format!("-i{}", root().join("faces/haskell/test").display()))
            .args([OsStr::new("-x"), OsStr::new("hs"), source.as_os_str()])
            .args([OsStr::new("-outputdir"), folder.as_os_str()])
            .args([OsStr::new("-o"), program.as_os_str()])
            .arg("-package-db")
            .arg(self.built.join("package.conf.inplace")))?;
        Ok(program)
    }
}

/// A path of a directory that contains no blank, because Cabal splits what pkg-config prints at every
/// blank. It is a symbolic link if the directory's own path contains one.
struct WithoutBlanks {
    path: PathBuf,
    folder: Option<PathBuf>,
}

impl WithoutBlanks {
    fn new(directory: &Path) -> Result<WithoutBlanks, String> {
        if !directory.to_string_lossy().contains(char::is_whitespace) {
            return Ok(WithoutBlanks { path: directory.into(), folder: None });
        }
        let folder = env::temp_dir().join(format!("hashmill-{}", std::process::id()));
        let path = folder.join("prefix");
        // `create_dir` refuses a directory that somebody else has made.
        fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        install::link(directory, &path)?;
        Ok(WithoutBlanks { path, folder: Some(folder) })
    }
}

impl Drop for WithoutBlanks {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            _ = fs::remove_file(&self.path);
            _ = fs::remove_dir(folder);
        }
    }
}

/// Checks Haddock's report: it states for each module how much of the module's exports is
/// documented.
fn documented(haddock: &mut Command) -> Outcome {
    let output = haddock.output().map_err(|e| format!("haddock: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (whole, part): (Vec<&str>, _) = text
        .lines()
        .filter(|line| line.contains("% ("))
        .partition(|line| line.starts_with(" 100%"));
    match output.status.success() && part.is_empty() && !whole.is_empty() {
        true => Ok(()),
        false => Err(format!("haddock:\n{text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}
