//! Debian's packages: the program, the C library, and what a program needs to be built with it.
//! debhelper makes them by the files of `xtask/debian`.

use super::common::{VERSION, documents, files};
use crate::dist;
use crate::install::{HERE, abi, install_in};
use crate::prelude::*;

pub fn tools() -> Found {
    let lintian = needs::program("lintian", "lintian");
    needs::all([needs::debhelper(), lintian, dist::tools(), crate::install::tools()])
}

pub fn make(folder: &Path) -> Outcome {
    let packages = target().join("release/debian");
    remove_folder(&packages)?;
    let work = packages.join("hashmill");
    let tree = work.join("debian/tmp/usr");
    let program = tree.join("bin/hashmill");
    copy(&dist::build_program(root(), &target(), None)?, &program)?;
    documents(&program, &work)?;
    for (from, to) in [
        ("man", "share/man/man1"),
        ("completions/bash", "share/bash-completion/completions"),
        ("completions/zsh", "share/zsh/vendor-completions"),
        ("completions/fish", "share/fish/vendor_completions.d"),
    ] {
        copy_all(&work.join(from), &tree.join(to))?;
    }
    let triple = stdout(cmd!("dpkg-architecture -q DEB_HOST_MULTIARCH"))?;
    install_in(&tree, &format!("lib/{}", triple.trim()), &HERE)?;

    copy(&root().join("CHANGELOG.md"), &work.join("CHANGELOG.md"))?;
    let date = stdout(cmd!("date -R -u -d @{}", dist::time()?))?;
    let filled = |text: &str| {
        let text = text.replace("@ABI@", abi()).replace("@VERSION@", VERSION);
        text.replace("@DATE@", date.trim())
    };
    for file in entries(&root().join("xtask/debian"))? {
        let name = filled(&file.file_name().unwrap_or_default().to_string_lossy());
        write(work.join("debian").join(name), filled(&read(&file)?))?;
    }
    run(cmd!("chmod +x debian/rules").current_dir(&work))?;
    run(cmd!("debian/rules binary").current_dir(&work))?;
    let packages = files(&packages, ".deb")?;
    for package in &packages {
        copy(package, &folder.join(package.file_name().unwrap_or_default()))?;
    }
    // A first upload to Debian closes the request for it, which these packages have not.
    let lintian = "lintian --fail-on error,warning --tag-display-limit 0 --allow-root \
                   --suppress-tags initial-upload-closes-no-bugs";
    run(cmd!(lintian).args(packages))
}
