//! Debian's packages: the program, the C library, and what a program needs to be built with it.

use super::common::{VERSION, documents, time};
use crate::install::{HERE, abi, copy, install_in, write};
use crate::needs::{self, Missing};
use crate::{Outcome, dist, root, run, stdout, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAINTAINER: &str = "the hashmill developers <maintainers@hashmill.invalid>";
const HOMEPAGE: &str = "https://github.com/hashmill/hashmill";

pub fn tools() -> Result<(), Missing> {
    needs::all([
        needs::program("dpkg-deb", "dpkg-dev"),
        needs::program("dpkg-shlibdeps", "dpkg-dev"),
        needs::program("lintian", "lintian"),
        needs::program("gzip", "gzip"),
        dist::tools(),
        crate::install::tools(),
    ])
}

/// One binary package.
struct Package<'a> {
    name: String,
    section: &'a str,
    /// The other fields of its control file.
    fields: String,
    summary: &'a str,
    description: &'a str,
    /// The files, as they lie below `/`.
    tree: PathBuf,
}

pub fn make(folder: &Path) -> Outcome {
    let work = target().join("release/debian");
    _ = fs::remove_dir_all(&work);
    let architecture = stdout(Command::new("dpkg-architecture").args(["-q", "DEB_HOST_ARCH"]))?;
    let triple = stdout(Command::new("dpkg-architecture").args(["-q", "DEB_HOST_MULTIARCH"]))?;
    let (architecture, triple) = (architecture.trim(), triple.trim());
    let runtime = format!("libhashmill{}", abi());

    let program = work.join("hashmill");
    let binary = program.join("usr/bin/hashmill");
    copy(&dist::build_program(root(), &target(), None)?, &binary)?;
    run(Command::new("strip")
        .args(["--remove-section=.comment", "--strip-unneeded"])
        .arg(&binary))?;
    documents(&binary, &work.join("documents"))?;
    for (from, to) in [
        ("man", "usr/share/man/man1"),
        ("completions/bash", "usr/share/bash-completion/completions"),
        ("completions/zsh", "usr/share/zsh/vendor-completions"),
        ("completions/fish", "usr/share/fish/vendor_completions.d"),
    ] {
        crate::install::copy_all(&work.join("documents").join(from), &program.join(to))?;
    }

    let development = work.join("libhashmill-dev");
    let lib = format!("lib/{triple}");
    install_in(&development.join("usr"), &lib, &HERE)?;
    let library = work.join(&runtime);
    let versioned = format!("libhashmill.so.{VERSION}");
    let soname = format!("libhashmill.so.{}", abi());
    for file in [&versioned, &soname] {
        let to = library.join("usr").join(&lib).join(file);
        make_folder(to.parent().unwrap_or(&to))?;
        let from = development.join("usr").join(&lib).join(file);
        fs::rename(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    let shared = library.join("usr").join(&lib).join(&versioned);
    run(Command::new("strip")
        .args(["--remove-section=.comment", "--strip-unneeded"])
        .arg(&shared))?;
    let control = library.join("DEBIAN");
    write(&control.join("triggers"), "activate-noawait ldconfig\n")?;
    write(&control.join("shlibs"), &format!("libhashmill {} {runtime} (>= {VERSION}-1)\n", abi()))?;

    let packages = [
        Package {
            name: "hashmill".into(),
            section: "utils",
            fields: format!("Depends: {}\n", dependencies(&work, &binary)?),
            summary: "digests of files with SHA-2, SHA-3, BLAKE2 and older functions",
            description: "\
The program computes digests of files, checks lists of digests in more than
twenty formats, records the files of directory trees in manifests and later
detects changes. By the names sha256sum, b2sum, cksum and others it behaves
as GNU coreutils do.
",
            tree: program,
        },
        Package {
            name: runtime.clone(),
            section: "libs",
            fields: format!("Depends: {}\nMulti-Arch: same\n", dependencies(&work, &shared)?),
            summary: "hash functions for C and C++: the shared library",
            description: "\
SHA-2, SHA-3, SHAKE, TurboSHAKE, KangarooTwelve, BLAKE2, HMAC and key
derivation functions, with SIMD kernels for one message and for many
messages at once. The library allocates no memory.
",
            tree: library,
        },
        Package {
            name: "libhashmill-dev".into(),
            section: "libdevel",
            fields: format!(
                "Depends: {runtime} (= {VERSION}-1)\nSuggests: pkgconf, cmake\nMulti-Arch: same\n"
            ),
            summary: "hash functions for C and C++: headers and the static library",
            description: "\
The header hashmill.h for C99 and newer, headers for C++20 that also work in
constant expressions, the static library, and the files for pkg-config and
CMake.
",
            tree: development,
        },
    ];
    for package in &packages {
        build(package, architecture, folder)?;
    }
    let mut lintian = Command::new("lintian");
    lintian.args(["--fail-on", "error,warning", "--tag-display-limit", "0", "--allow-root"]);
    // A first upload to Debian closes the request for it, which these packages have not.
    lintian.args(["--suppress-tags", "initial-upload-closes-no-bugs"]);
    run(lintian.args(
        packages
            .iter()
            .map(|it| folder.join(format!("{}_{VERSION}-1_{architecture}.deb", it.name))),
    ))
}

/// What the shared libraries that a file needs belong to.
fn dependencies(work: &Path, file: &Path) -> Result<String, String> {
    // It asks for the control file of a source package.
    write(
        &work.join("debian/control"),
        "Source: hashmill\n\nPackage: hashmill\nArchitecture: any\n",
    )?;
    let said =
        stdout(Command::new("dpkg-shlibdeps").args(["-O", "-e"]).arg(file).current_dir(work))?;
    let depends = said.trim().strip_prefix("shlibs:Depends=").map(str::to_owned);
    depends.ok_or_else(|| format!("dpkg-shlibdeps: {said:?}"))
}

fn build(package: &Package<'_>, architecture: &str, folder: &Path) -> Outcome {
    let Package { name, section, fields, summary, description, tree } = package;
    let doc = tree.join("usr/share/doc").join(name);
    write(&doc.join("copyright"), &copyright()?)?;
    copy(&root().join("CHANGELOG.md"), &doc.join("changelog"))?;
    let date = stdout(Command::new("date").args(["-R", "-u", "-d", &format!("@{}", time()?)]))?;
    write(
        &doc.join("changelog.Debian"),
        &format!(
            "hashmill ({VERSION}-1) unstable; urgency=medium\n\n  * New release; see changelog.gz.\n\n -- {MAINTAINER}  {date}"
        ),
    )?;
    let pages = tree.join("usr/share/man/man1");
    let pages = fs::read_dir(pages).into_iter().flatten().flatten().map(|it| it.path());
    let compressed = pages.chain([doc.join("changelog"), doc.join("changelog.Debian")]);
    run(Command::new("gzip").args(["-9n", "--force"]).args(compressed))?;
    let size = stdout(Command::new("du").args(["-k", "-s", "--apparent-size"]).arg(tree))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_owned();
    write(
        &tree.join("DEBIAN/control"),
        &format!(
            "Package: {name}\nSource: hashmill\nVersion: {VERSION}-1\nArchitecture: {architecture}\n\
             Maintainer: {MAINTAINER}\nInstalled-Size: {size}\n{fields}Section: {section}\n\
             Priority: optional\nHomepage: {HOMEPAGE}\nDescription: {summary}\n{}",
            indented(description)
        ),
    )?;
    md5sums(tree)?;
    modes(tree)?;
    run(Command::new("dpkg-deb")
        .args(["--build", "--root-owner-group"])
        .arg(tree)
        .arg(folder.join(format!("{name}_{VERSION}-1_{architecture}.deb")))
        .env("SOURCE_DATE_EPOCH", time()?))
}

/// `DEBIAN/md5sums`, by the program itself.
fn md5sums(tree: &Path) -> Outcome {
    let program = target().join("dist/hashmill");
    let mut sum = Command::new(program);
    let sums = stdout(sum.args(["sum", "-a", "md5", "-r", "usr"]).current_dir(tree))?;
    write(&tree.join("DEBIAN/md5sums"), &sums)
}

/// Directories and programs are for all to read and to run, all other files to read.
fn modes(tree: &Path) -> Outcome {
    run(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(tree))?;
    let files = ["-type", "f", "-not", "-path", "*/usr/bin/*", "-exec", "chmod", "644", "{}", "+"];
    run(Command::new("find").arg(tree).args(files))
}

/// The copyright file in Debian's format 1.0.
fn copyright() -> Result<String, String> {
    let mit =
        fs::read_to_string(root().join("LICENSE-MIT")).map_err(|e| format!("LICENSE-MIT: {e}"))?;
    let holder = mit.lines().find(|line| line.starts_with("Copyright")).unwrap_or_default();
    let permission = mit.split_once(holder).map_or("", |(_, text)| text.trim());
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: hashmill\nSource: {HOMEPAGE}\n\n\
         Files: *\n{}\nLicense: Apache-2.0 or Expat\n\n\
         License: Apache-2.0\n On Debian systems, the text of the Apache License 2.0 is in\n \
         /usr/share/common-licenses/Apache-2.0.\n\nLicense: Expat\n{}",
        holder.replacen("Copyright (c)", "Copyright:", 1),
        indented(permission)
    ))
}

/// Text below a field of a control file.
fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { " .\n".into() } else { format!(" {line}\n") })
        .collect()
}

fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}
