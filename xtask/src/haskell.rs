//! The tests of the Haskell package.

use crate::install;
use crate::prelude::*;
use crate::programs::{example, search};
use tempfile::TempDir;

pub fn tools() -> Found {
    needs::all([install::tools(), needs::haskell()])
}

/// The package with all that it has; no warnings, nothing without documentation.
pub fn haskell() -> Outcome {
    each(|package| {
        let test = "test --show-details=streaming --test-options=--hide-successes";
        run(package.setup(test))?;
        let program = package.program(&example("README.md", "haskell")?, &[])?;
        run(cmd!("{}", program).env("LD_LIBRARY_PATH", package.prefix.join("lib")))?;
        documented(package.setup("haddock --haddock-options=--no-warnings"))
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
    let (without_blanks, _folder) = without_blanks(&prefix)?;
    for (flag, name) in [("-f-pkgconfig", "bundled"), ("-fpkgconfig", "linked")] {
        let built = target().join("faces/haskell").join(name);
        let pkg_config = without_blanks.join("lib/pkgconfig");
        let package = Package { prefix: &prefix, pkg_config, built };
        let strict = "--user --disable-shared --ghc-options=-Werror";
        let all = "--enable-tests --enable-benchmarks";
        run(package.setup(&format!("configure {strict} {flag} {all}")))?;
        run(package.setup("build"))?;
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
    fn setup(&self, args: &str) -> Command {
        let mut command = cmd!(format!("runghc Setup.hs {args} --builddir={{}}"), self.built);
        command.env("PKG_CONFIG_PATH", &self.pkg_config).current_dir(root().join("faces/haskell"));
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }

    /// Compiles a program that uses the package and these others, and modules of its tests. Returns
    /// its path.
    fn program(&self, source: &Path, packages: &[&str]) -> Result<PathBuf, String> {
        let folder = self.built.join("programs").join(source.file_stem().unwrap_or_default());
        make_folder(&folder)?;
        let (program, database) = (folder.join("program"), self.built.join("package.conf.inplace"));
        let ghc = "ghc -Wall -Werror -hide-all-packages -ifaces/haskell/test -outputdir {} -o {} \
                   -package-db {} -x hs {}";
        let mut ghc = cmd!(ghc, folder, program, database, source);
        let packages = ["base", "bytestring", "hashmill"].iter().chain(packages);
        run(ghc.args(packages.flat_map(|package| ["-package", package]))).map(|()| program)
    }
}

/// Returns a path of a directory that contains no blank, because Cabal splits what pkg-config prints
/// at every blank. If the directory's own path contains one, it is a symbolic link in a folder that is
/// removed when it is dropped.
fn without_blanks(directory: &Path) -> Result<(PathBuf, Option<TempDir>), String> {
    if !directory.to_string_lossy().contains(char::is_whitespace) {
        return Ok((directory.into(), None));
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("prefix");
    link(directory, &path).map(|()| (path, Some(folder)))
}

/// Checks Haddock's report: it states for each module how much of the module's exports is
/// documented.
fn documented(haddock: Command) -> Outcome {
    let output = output(haddock)?;
    let text = &output.stdout;
    let (whole, part): (Vec<&str>, _) = text
        .lines()
        .filter(|line| line.contains("% ("))
        .partition(|line| line.starts_with(" 100%"));
    let all = output.status.success() && part.is_empty() && !whole.is_empty();
    ensure(all, format!("haddock:\n{text}{}", output.stderr))
}
