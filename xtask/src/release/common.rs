//! What the kinds of packages share.

use crate::dist;
use crate::prelude::*;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An empty directory outside of the repository.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let dir = env::temp_dir().join(format!("hashmill-{name}-{}", std::process::id()));
    remove_folder(&dir)?;
    make_folder(&dir)?;
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
    let mut files = entries(folder)?;
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    Ok(files)
}

/// Unpacks an archive in a folder.
pub fn unpack(archive: &Path, folder: &Path) -> Outcome {
    run(cmd!("tar -xzf {} -C {}", archive, folder))
}

/// `man` and `completions`, as the program writes them.
pub fn documents(program: &Path, tree: &Path) -> Outcome {
    let pages = tree.join("man");
    make_folder(&pages)?;
    run(cmd!("{} self man --directory {}", program, pages))?;
    for (shell, file) in [("bash", "hashmill"), ("zsh", "_hashmill"), ("fish", "hashmill.fish")] {
        let text = stdout(cmd!("{} self completions {}", program, shell))?;
        write(tree.join("completions").join(shell).join(file), text)?;
    }
    Ok(())
}

/// `NAME.tar.gz` of the folder NAME, the same bytes whenever it is made.
pub fn archive(folder: &Path, name: &str) -> Outcome {
    let modes = "--sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX";
    let tar = format!("tar {modes} --mtime=@{} -cf {name}.tar.gz {name}", dist::time()?);
    run(cmd!(tar).args(["--use-compress-program", "gzip -9n"]).current_dir(folder))
}
