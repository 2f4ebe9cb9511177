//! `cargo xtask release DIR`: the packages that a release hands out, each checked by the checker of
//! its ecosystem. The crates and the packages for Python and Haskell are also built in a place that
//! has nothing of the repository.

mod crates;
mod debian;
mod faces;
mod versions;

use crate::dist;
use crate::install::{self, copy};
use crate::needs::{self, Missing};
use crate::{Outcome, root, run, stdout, target};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A kind of package: its folder in DIR, the tools that it needs, how it is made, and how it is then
/// published by a person.
struct Kind {
    folder: &'static str,
    needs: fn() -> Result<(), Missing>,
    make: fn(&Path) -> Outcome,
    publish: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        folder: "crates",
        needs: || Ok(()),
        make: crates::make,
        publish: "cargo publish --package hashmill && cargo publish --package hashmill-cli",
    },
    Kind {
        folder: "program",
        needs: program_tools,
        make: program,
        publish: "attach program/* to the tag's release",
    },
    Kind {
        folder: "debian",
        needs: debian::tools,
        make: debian::make,
        publish: "attach debian/*.deb to the tag's release",
    },
    Kind {
        folder: "python",
        needs: crate::python::tools,
        make: faces::python,
        publish: "twine upload python/*",
    },
    Kind {
        folder: "haskell",
        needs: || needs::program("cabal", "cabal-install"),
        make: faces::haskell,
        publish: "cabal upload --publish haskell/*.tar.gz",
    },
    Kind {
        folder: "motoko",
        needs: || Ok(()),
        make: faces::motoko,
        publish: "cd faces/motoko && mops publish",
    },
];

const USAGE: &str = "usage: cargo xtask release DIR [FOLDER…]";

/// Makes all kinds of packages, or those of the named folders, and then their checksums.
pub fn release(args: &[String]) -> Outcome {
    let [dir, folders @ ..] = args else { return Err(USAGE.into()) };
    if let Some(unknown) = folders.iter().find(|it| !KINDS.iter().any(|kind| kind.folder == **it)) {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.folder).collect();
        return Err(format!("{unknown:?} is none of {}\n{USAGE}", names.join(", ")));
    }
    let dir = std::path::absolute(dir).map_err(|e| format!("{dir}: {e}"))?;
    let wanted = |kind: &&Kind| folders.is_empty() || folders.iter().any(|it| it == kind.folder);
    let kinds: Vec<&Kind> = KINDS.iter().filter(wanted).collect();
    needs::all(kinds.iter().map(|kind| (kind.needs)()))?;
    let unreleased = versions::agree()?;
    for kind in &kinds {
        let folder = dir.join(kind.folder);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        (kind.make)(&folder)?;
    }
    checksums(&dir)?;
    eprintln!("\nhashmill {VERSION} is in {}. What is left for a person:\n", dir.display());
    if unreleased {
        eprintln!("  CHANGELOG.md: the date in place of \"unreleased\", and all of this again");
    }
    eprintln!("  minisign -S -m {0}/SHA256SUMS || gpg --detach-sign {0}/SHA256SUMS", dir.display());
    for kind in kinds {
        eprintln!("  {}", kind.publish);
    }
    eprintln!(
        "\nBefore the first release, claim the name hashmill (and hashmill-cli) in each registry."
    );
    Ok(())
}

/// The tools of all kinds, for the part of the tests.
pub fn tools() -> Result<(), Missing> {
    needs::all(KINDS.iter().map(|kind| (kind.needs)()))
}

/// All packages, in a directory that is removed afterwards.
pub fn try_release() -> Outcome {
    let dir = scratch("release")?;
    release(&[dir.display().to_string()])?;
    fs::remove_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))
}

/// An empty directory outside of the repository.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let dir = env::temp_dir().join(format!("hashmill-{name}-{}", std::process::id()));
    _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    Ok(dir)
}

/// The file in a folder whose name ends so.
pub fn the_only(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let found = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).filter(found).collect();
    match &files[..] {
        [file] => Ok(file.clone()),
        _ => Err(format!("{}: {} files *{ending}, not one", folder.display(), files.len())),
    }
}

/// `SHA256SUMS` of all files, by the program itself. `sum -r` sorts them by name.
fn checksums(dir: &Path) -> Outcome {
    let lists = dir.join("SHA256SUMS");
    _ = fs::remove_file(&lists);
    let cargo = ["run", "--quiet", "--release", "--bin", "hashmill", "--manifest-path"];
    let program = || {
        let mut program = Command::new(env!("CARGO"));
        program.args(cargo).arg(root().join("Cargo.toml")).arg("--").current_dir(dir);
        program
    };
    let sums = stdout(program().args(["sum", "-a", "sha256", "-r", "."]))?;
    fs::write(&lists, sums).map_err(|e| format!("{}: {e}", lists.display()))?;
    run(program().args(["check", "--strict", "--quiet", "SHA256SUMS"]))
}

/// The platforms of the static program. musl's standard library of Rust carries what a linker needs.
const STATIC: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
const LINKER: [&str; 2] = ["-Clinker=rust-lld", "-Clink-self-contained=yes"];

fn program_tools() -> Result<(), Missing> {
    let platforms = STATIC.map(|platform| needs::target(platform, &LINKER, "", ""));
    needs::all(platforms.into_iter().chain([dist::tools(), install::tools()]))
}

/// The program for every Linux, with its licences, manual pages and completions, in an archive for
/// each platform; and the list of its dependencies.
fn program(folder: &Path) -> Outcome {
    dist::bill_of_materials(&folder.join("hashmill.cdx.json"))?;
    let of_this_machine = dist::build_program(root(), &target(), None)?;
    for platform in STATIC {
        let program = dist::build_program(root(), &target(), Some((platform, &LINKER)))?;
        let name = format!("hashmill-{VERSION}-{platform}");
        let tree = folder.join(&name);
        copy(&program, &tree.join("hashmill"))?;
        documents(&of_this_machine, &tree)?;
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            copy(&root().join("crates/hashmill-cli").join(file), &tree.join(file))?;
        }
        archive(folder, &name)?;
    }
    let here = folder.join(format!("hashmill-{VERSION}-{}", STATIC[0]));
    run(Command::new(here.join("hashmill")).args(["self", "test"]).current_dir(&here))?;
    for platform in STATIC {
        let tree = folder.join(format!("hashmill-{VERSION}-{platform}"));
        fs::remove_dir_all(&tree).map_err(|e| format!("{}: {e}", tree.display()))?;
    }
    Ok(())
}

/// `man` and `completions`, as the program writes them.
pub fn documents(program: &Path, tree: &Path) -> Outcome {
    let pages = tree.join("man");
    fs::create_dir_all(&pages).map_err(|e| format!("{}: {e}", pages.display()))?;
    run(Command::new(program).args(["self", "man", "--directory"]).arg(&pages))?;
    for (shell, file) in [("bash", "hashmill"), ("zsh", "_hashmill"), ("fish", "hashmill.fish")] {
        let text = stdout(Command::new(program).args(["self", "completions", shell]))?;
        let file = tree.join("completions").join(shell).join(file);
        install::write(&file, &text)?;
    }
    Ok(())
}

/// `NAME.tar.gz` of the folder NAME, the same bytes whenever it is made.
pub fn archive(folder: &Path, name: &str) -> Outcome {
    let file = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go=rX"]);
    tar.arg(format!("--mtime=@{}", time()?)).args(["--use-compress-program", "gzip -9n"]);
    run(tar.args(["-cf", &file, name]).current_dir(folder))
}

/// The time of the last commit, in seconds: packages have no other time.
pub fn time() -> Result<String, String> {
    let time = stdout(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))?;
    Ok(time.trim().to_owned())
}
