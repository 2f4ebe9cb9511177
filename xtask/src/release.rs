//! `cargo xtask release DIR`: the packages that a release hands out, each checked by the checker of
//! its ecosystem. The crates and the packages for Python and Haskell are also built in a place that
//! has nothing of the repository, and that for JavaScript is used in one.

mod common;
mod crates;
mod debian;
mod faces;
mod versions;

use crate::dist;
use crate::duckdb;
use crate::install::{self, copy};
use crate::needs::{self, Missing};
use crate::{Outcome, root, run, stdout, target};
use common::{VERSION, archive, documents, scratch};
use std::fs;
use std::path::Path;
use std::process::Command;

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
        needs: crate::python::release_tools,
        make: faces::python,
        publish: "twine upload python/*",
    },
    Kind {
        folder: "datafusion",
        needs: crate::python::datafusion_release_tools,
        make: faces::datafusion,
        publish: "twine upload datafusion/*",
    },
    Kind {
        folder: "duckdb",
        needs: crate::python::tools,
        make: duckdb::release,
        publish: "attach duckdb/* to the tag's release",
    },
    Kind {
        folder: "javascript",
        needs: crate::js::tools,
        make: faces::javascript,
        publish: "for package in javascript/*.tgz; do npm publish \"$package\"; done",
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

const USAGE: &str =
    "usage: cargo xtask release [--sign-with minisign:FILE | --sign-with gpg:KEY] DIR [FOLDER…]";

/// Makes all kinds of packages, or those of the named folders, and then their checksums, which it
/// signs with the key that was named.
pub fn release(args: &[String]) -> Outcome {
    let (key, args) = match args {
        [option, key, args @ ..] if option == "--sign-with" => (Some(&**key), args),
        args => (None, args),
    };
    let [dir, folders @ ..] = args else { return Err(USAGE.into()) };
    if let Some(unknown) = folders.iter().find(|it| !KINDS.iter().any(|kind| kind.folder == **it)) {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.folder).collect();
        return Err(format!("{unknown:?} is none of {}\n{USAGE}", names.join(", ")));
    }
    let dir = std::path::absolute(dir).map_err(|e| format!("{dir}: {e}"))?;
    let wanted = |kind: &&Kind| folders.is_empty() || folders.iter().any(|it| it == kind.folder);
    let kinds: Vec<&Kind> = KINDS.iter().filter(wanted).collect();
    key.map_or(Ok(()), has_key)?;
    needs::all(kinds.iter().map(|kind| (kind.needs)()))?;
    let unreleased = versions::agree()?;
    for kind in &kinds {
        let folder = dir.join(kind.folder);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        (kind.make)(&folder)?;
    }
    checksums(&dir)?;
    let sums = dir.join("SHA256SUMS");
    match key {
        Some(key) => sign(&sums, key)?,
        None => eprintln!("\nSHA256SUMS has no signature: --sign-with makes one"),
    }
    eprintln!("\nhashmill {VERSION} is in {}. What is left for a person:\n", dir.display());
    if unreleased {
        eprintln!("  CHANGELOG.md: the date in place of \"unreleased\", and all of this again");
    }
    for kind in kinds {
        eprintln!("  {}", kind.publish);
    }
    eprintln!(
        "\nBefore the first release, claim the name hashmill (and hashmill-cli, and npm's \
         hashmill-native-…) in each registry."
    );
    Ok(())
}

/// The tools of all kinds, for the part of the tests.
pub fn tools() -> Result<(), Missing> {
    let minisign = needs::answers("minisign", "-v", "minisign");
    needs::all(KINDS.iter().map(|kind| (kind.needs)()).chain([minisign]))
}

/// All packages, signed with a new key, in a directory that is removed afterwards.
pub fn try_release() -> Outcome {
    let dir = scratch("release")?;
    let keys = scratch("keys")?;
    let (public, secret) = (keys.join("public"), keys.join("secret"));
    // -W: without a password.
    run(Command::new("minisign").args(["-G", "-W", "-p"]).arg(&public).arg("-s").arg(&secret))?;
    let packages = dir.join("packages").display().to_string();
    release(&["--sign-with".into(), format!("minisign:{}", secret.display()), packages.clone()])?;
    let check =
        ["check", "--strict", "--quiet", "--verify-signature", "SHA256SUMS", "--public-key"];
    run(program_in(Path::new(&packages)).args(check).arg(public))?;
    [dir, keys]
        .iter()
        .try_for_each(|it| fs::remove_dir_all(it).map_err(|e| format!("{}: {e}", it.display())))
}

/// `SHA256SUMS` of all files, by the program itself. `sum -r` sorts them by name.
fn checksums(dir: &Path) -> Outcome {
    let lists = dir.join("SHA256SUMS");
    for file in [&lists, &dir.join("SHA256SUMS.minisig"), &dir.join("SHA256SUMS.asc")] {
        _ = fs::remove_file(file);
    }
    let sums = stdout(program_in(dir).args(["sum", "-a", "sha256", "-r", "."]))?;
    fs::write(&lists, sums).map_err(|e| format!("{}: {e}", lists.display()))?;
    run(program_in(dir).args(["check", "--strict", "--quiet", "SHA256SUMS"]))
}

/// The program itself, to be run in a directory.
fn program_in(dir: &Path) -> Command {
    let cargo = ["run", "--quiet", "--release", "--bin", "hashmill", "--manifest-path"];
    let mut program = Command::new(env!("CARGO"));
    program.args(cargo).arg(root().join("Cargo.toml")).arg("--").current_dir(dir);
    program
}

/// A key for signatures: the name of minisign's file, or a name in gpg's key ring.
enum Key<'a> {
    Minisign(&'a str),
    Gpg(&'a str),
}

impl Key<'_> {
    fn parse(key: &str) -> Result<Key<'_>, String> {
        match key.split_once(':') {
            Some(("minisign", file)) => Ok(Key::Minisign(file)),
            Some(("gpg", name)) => Ok(Key::Gpg(name)),
            _ => Err(format!("{key:?} is not minisign:FILE or gpg:KEY\n{USAGE}")),
        }
    }
}

/// Checks that the key exists. This is done before the packages are built, which takes long.
fn has_key(key: &str) -> Outcome {
    match Key::parse(key)? {
        Key::Minisign(file) => fs::File::open(file).map(drop).map_err(|e| format!("{file}: {e}")),
        Key::Gpg(name) => {
            match needs::succeeds(Command::new("gpg").args(["--list-secret-keys", name])) {
                true => Ok(()),
                false => Err(format!("gpg has no secret key {name:?}")),
            }
        }
    }
}

fn sign(file: &Path, key: &str) -> Outcome {
    let mut program = match Key::parse(key)? {
        Key::Minisign(key) => {
            let mut minisign = Command::new("minisign");
            minisign.args(["-S", "-s", key, "-m"]);
            minisign
        }
        Key::Gpg(key) => {
            let mut gpg = Command::new("gpg");
            gpg.args(["--armor", "--detach-sign", "--local-user", key]);
            gpg
        }
    };
    run(program.arg(file))
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
