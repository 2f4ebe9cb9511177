//! Finds out that the clone was moved. Some of what was built contains the old path: programs that
//! tests start by the path that the compiler saw, and the caches of CMake and Cabal. cargo does not
//! build anything again for that reason.

use crate::prelude::*;

/// If the clone was moved since the last run, removes what contains its old path.
pub fn forget() -> Outcome {
    let (target, here) = (target(), root().to_string_lossy());
    let stamp = target.join("tmp/root.txt");
    match fs::read_to_string(&stamp) {
        Ok(there) if there == here => return Ok(()),
        Ok(there) => {
            eprintln!("the clone was in {there} before: what was built there is built again");
            forget_below(&target, 6)?;
        }
        Err(_) => {}
    }
    write(stamp, here.as_bytes())
}

/// Removes cargo's notes that packages without a registry are built, and the directories of CMake
/// and Cabal, down to a depth.
fn forget_below(folder: &Path, depth: usize) -> Outcome {
    for path in entries(folder).unwrap_or_default().into_iter().filter(|it| !it.is_symlink()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let noted = folder.ends_with(".fingerprint") && is_ours(&name);
        let configured = ["CMakeCache.txt", "setup-config"].iter().any(|it| path.join(it).exists());
        if noted || configured {
            remove_folder(&path)?;
        } else if depth > 0 {
            forget_below(&path, depth - 1)?;
        }
    }
    Ok(())
}

/// Whether cargo's note is about a package of this project.
fn is_ours(note: &str) -> bool {
    ["hashmill", "xtask", "bench", "model"].iter().any(|name| note.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contains_a_path_is_removed() {
        let target = target().join("tmp/moved");
        _ = fs::remove_dir_all(&target);
        let gone = ["debug/.fingerprint/hashmill-12", "faces/cpp/g++", "faces/haskell/linked"];
        let stays = ["debug/.fingerprint/libc-12", "faces/python/tools", "debug/deps"];
        for folder in gone.iter().chain(&stays) {
            fs::create_dir_all(target.join(folder)).unwrap();
        }
        fs::write(target.join("faces/cpp/g++/CMakeCache.txt"), "").unwrap();
        fs::write(target.join("faces/haskell/linked/setup-config"), "").unwrap();
        forget_below(&target, 6).unwrap();
        assert!(gone.iter().all(|folder| !target.join(folder).exists()));
        assert!(stays.iter().all(|folder| target.join(folder).exists()));
    }
}
