//! Files and folders, by their path or their path in the clone. An error names its file.

use crate::command::{Outcome, cmd, root, run, target, writes};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What an error of the system says, with the file's name.
pub fn failed(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// A path from the folder in which the task was started.
pub fn absolute(path: impl AsRef<Path>) -> Result<PathBuf, String> {
    std::path::absolute(&path).map_err(failed(path.as_ref()))
}

pub fn read(path: impl AsRef<Path>) -> Result<String, String> {
    let path = root().join(path);
    fs::read_to_string(&path).map_err(failed(&path))
}

/// Writes a file, in a new folder if need be.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Outcome {
    let path = root().join(path);
    make_folder(path.parent().unwrap_or(&path))?;
    fs::write(&path, bytes).map_err(failed(&path))
}

pub fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(failed(path))
}

/// Removes a folder with all that is in it, if there is one.
pub fn remove_folder(path: &Path) -> Outcome {
    if path.exists() { fs::remove_dir_all(path).map_err(failed(path)) } else { Ok(()) }
}

pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(failed(folder))?;
    entries.map(|it| it.map(|it| it.path()).map_err(failed(folder))).collect()
}

pub fn copy(from: &Path, to: &Path) -> Outcome {
    make_folder(to.parent().unwrap_or(to))?;
    let to_ = to.display();
    fs::copy(from, to).map(drop).map_err(|e| format!("{} to {to_}: {e}", from.display()))
}

/// Every file of a folder and of those in it.
pub fn copy_all(from: &Path, to: &Path) -> Outcome {
    entries(from)?.iter().try_for_each(|from| {
        let to = to.join(from.file_name().unwrap_or_default());
        if from.is_dir() { copy_all(from, &to) } else { copy(from, &to) }
    })
}

/// A symbolic link.
pub fn link(to: &Path, at: &Path) -> Outcome {
    if at.is_symlink() {
        fs::remove_file(at).map_err(failed(at))?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(to, at).map_err(failed(at))?;
    Ok(())
}

/// Compares a record of the repository with what it should say, or with `--write` writes it.
pub fn record(
    task: &str,
    args: &[String],
    file: &str,
    text: impl FnOnce() -> Result<String, String>,
) -> Outcome {
    if writes(args)? {
        return write(file, text()?);
    }
    let today = target().join(format!("{task}.txt"));
    write(&today, text()?)?;
    let advice =
        format!("if it is meant: `cargo xtask {task} --write`, and a line in CHANGELOG.md");
    run(cmd!("diff --unified=0 {} {}", file, today)).map_err(|_| advice)
}
