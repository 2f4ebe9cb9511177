//! What the kinds of packages share.

use crate::{Outcome, install, root, run, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An empty directory outside of the repository.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let dir = env::temp_dir().join(format!("hashmill-{name}-{}", std::process::id()));
    _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    Ok(dir)
}

/// The file in a folder whose name ends so.
pub fn the_only(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let files = files(folder, ending)?;
    match &files[..] {
        [file] => Ok(file.clone()),
        _ => Err(format!("{}: {} files *{ending}, not one", folder.display(), files.len())),
    }
}

/// The files of a folder whose names have that ending.
pub fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let found = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(entries.flatten().map(|it| it.path()).filter(found).collect())
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
