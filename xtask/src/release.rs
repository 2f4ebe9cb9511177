//! `cargo xtask release DIR`: the packages that a release hands out, each checked by the checker of
//! its ecosystem. The crates and the packages for Python and Haskell are also built in a place that
//! has nothing of the repository, and that for JavaScript is used in one.

mod common;
mod crates;
mod debian;
mod faces;
mod versions;

use crate::prelude::*;
use crate::{dist, duckdb, install};
use common::{VERSION, archive, documents, scratch};

/// A kind of package: its folder in DIR, the tools that it needs, how it is made, and how it is then
/// published by a person.
struct Kind(&'static str, fn() -> Found, fn(&Path) -> Outcome, &'static str);

#[rustfmt::skip] // two lines a kind
const KINDS: &[Kind] = &[
    Kind("crates", || Ok(()), crates::make,
        "cargo publish --package hashmill && cargo publish --package hashmill-cli"),
    Kind("program", program_tools, program,
        "attach program/* to the tag's release"),
    Kind("debian", debian::tools, debian::make,
        "attach debian/*.deb to the tag's release"),
    Kind("python", crate::python::release_tools, faces::python,
        "twine upload python/*"),
    Kind("datafusion", crate::python::datafusion_release_tools, faces::datafusion,
        "twine upload datafusion/*"),
    Kind("duckdb", crate::python::tools, duckdb::release,
        "attach duckdb/* to the tag's release"),
    Kind("javascript", crate::js::tools, faces::javascript,
        "for package in javascript/*.tgz; do npm publish \"$package\"; done"),
    Kind("haskell", || needs::program("cabal", "cabal-install"), faces::haskell,
        "cabal upload --publish haskell/*.tar.gz"),
    Kind("motoko", || Ok(()), faces::motoko,
        "cd faces/motoko && mops publish"),
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
    if let Some(unknown) = folders.iter().find(|it| !KINDS.iter().any(|kind| kind.0 == **it)) {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.0).collect();
        return Err(format!("{unknown:?} is none of {}\n{USAGE}", names.join(", ")));
    }
    let dir = absolute(dir)?;
    let wanted = |kind: &&Kind| folders.is_empty() || folders.iter().any(|it| it == kind.0);
    let kinds: Vec<&Kind> = KINDS.iter().filter(wanted).collect();
    key.map_or(Ok(()), has_key)?;
    needs::all(kinds.iter().map(|kind| kind.1()))?;
    let unreleased = versions::agree()?;
    for Kind(name, _, make, _) in &kinds {
        let folder = dir.join(name);
        remove_folder(&folder)?;
        make_folder(&folder)?;
        make(&folder)?;
    }
    checksums(&dir)?;
    let sums = dir.join("SHA256SUMS");
    match key {
        Some(key) => run(signing(key)?.arg(&sums))?,
        None => eprintln!("\nSHA256SUMS has no signature: --sign-with makes one"),
    }
    eprintln!("\nhashmill {VERSION} is in {}. What is left for a person:\n", dir.display());
    if unreleased {
        eprintln!("  CHANGELOG.md: the date in place of \"unreleased\", and all of this again");
    }
    for Kind(_, _, _, publish) in kinds {
        eprintln!("  {publish}");
    }
    eprintln!(
        "\nBefore the first release, claim the name hashmill (and hashmill-cli, and npm's \
         hashmill-native-…) in each registry."
    );
    Ok(())
}

/// The tools of all kinds, for the part of the tests.
pub fn tools() -> Found {
    let minisign = needs::answers("minisign", "-v", "minisign");
    needs::all(KINDS.iter().map(|kind| kind.1()).chain([minisign]))
}

/// All packages, signed with a new key, in a directory that is removed afterwards.
pub fn try_release() -> Outcome {
    let dir = scratch("release")?;
    let keys = scratch("keys")?;
    let (public, secret) = (keys.join("public"), keys.join("secret"));
    // -W: without a password.
    run(cmd!("minisign -G -W -p {} -s {}", public, secret))?;
    let packages = dir.join("packages").display().to_string();
    release(&["--sign-with".into(), format!("minisign:{}", secret.display()), packages.clone()])?;
    let check = "check --strict --quiet --verify-signature SHA256SUMS --public-key";
    run(program_in(Path::new(&packages), check).arg(public))?;
    remove_folder(&dir)?;
    remove_folder(&keys)
}

/// `SHA256SUMS` of all files, by the program itself. `sum -r` sorts them by name.
fn checksums(dir: &Path) -> Outcome {
    let lists = dir.join("SHA256SUMS");
    for file in [&lists, &dir.join("SHA256SUMS.minisig"), &dir.join("SHA256SUMS.asc")] {
        _ = fs::remove_file(file);
    }
    write(&lists, stdout(program_in(dir, "sum -a sha256 -r ."))?)?;
    run(program_in(dir, "check --strict --quiet SHA256SUMS"))
}

/// The program itself, to be run in a directory.
fn program_in(dir: &Path, args: &str) -> Command {
    let cargo = "cargo run --quiet --release --bin hashmill --manifest-path {} --";
    let mut program = cmd!(format!("{cargo} {args}"), root().join("Cargo.toml"));
    program.current_dir(dir);
    program
}

/// The command that signs with a key: the name of minisign's file, or a name in gpg's key ring.
fn signing(key: &str) -> Result<Command, String> {
    match key.split_once(':') {
        Some(("minisign", file)) => Ok(cmd!("minisign -S -s {} -m", file)),
        Some(("gpg", name)) => Ok(cmd!("gpg --armor --detach-sign --local-user {}", name)),
        _ => Err(format!("{key:?} is not minisign:FILE or gpg:KEY\n{USAGE}")),
    }
}

/// Checks that the key exists. This is done before the packages are built, which takes long.
fn has_key(key: &str) -> Outcome {
    signing(key)?;
    let there = match key.split_once(':') {
        Some(("gpg", name)) => succeeds(cmd!("gpg --list-secret-keys {}", name)),
        Some((_, file)) => fs::File::open(file).is_ok(),
        None => false,
    };
    ensure(there, format!("there is no secret key {key:?}"))
}

/// The platforms of the static program. musl's standard library of Rust carries what a linker needs.
const STATIC: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];
const LINKER: [&str; 2] = ["-Clinker=rust-lld", "-Clink-self-contained=yes"];

fn program_tools() -> Found {
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
    run(cmd!("{}/hashmill self test", here).current_dir(&here))?;
    let tree = |platform| folder.join(format!("hashmill-{VERSION}-{platform}"));
    STATIC.iter().try_for_each(|platform| remove_folder(&tree(platform)))
}
