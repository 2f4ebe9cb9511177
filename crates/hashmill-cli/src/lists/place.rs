//! Finds the paths of the files in a list.

use crate::files::input::os_name;
use std::path::Path;

/// The rules that convert the names in a list to paths.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The directory that relative names are relative to.
    pub root: Option<Vec<u8>>,
    /// Whether names have backslashes between directories, and may begin with a drive letter.
    pub windows: bool,
    /// Whether messages show paths instead of names.
    pub shows_paths: bool,
}

impl Place {
    pub fn path(&self, name: &[u8]) -> Vec<u8> {
        let mut path = name.to_vec();
        let mut absolute =
            path.starts_with(b"/") || cfg!(windows) && Path::new(&os_name(name)).is_absolute();
        if self.windows {
            path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
            // A drive letter belongs to another machine, so the path on it is looked up below the
            // root.
            if let [drive, b':', rest @ ..] = &*path
                && drive.is_ascii_alphabetic()
            {
                path = rest.to_vec();
            }
            let start = path.iter().position(|&byte| byte != b'/').unwrap_or(path.len());
            absolute = path.starts_with(b"//");
            path.drain(..start);
        }
        match &self.root {
            Some(root) if !absolute && !root.is_empty() && root != b"." => {
                [root.strip_suffix(b"/").unwrap_or(root), b"/", &path].concat()
            }
            _ => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let place = |root: &str, windows| Place {
            root: (!root.is_empty()).then(|| root.into()),
            windows,
            shows_paths: false,
        };
        for (root, windows, name, path) in [
            ("", false, "a\\b", "a\\b"),
            ("r", false, "a", "r/a"),
            ("r/", false, "/a", "/a"),
            ("", true, "a\\b", "a/b"),
            ("", true, ".\\b", "./b"),
            ("r", true, "C:\\a\\b", "r/a/b"),
            ("", true, "C:\\a\\b", "a/b"),
            ("", true, "c:a", "a"),
        ] {
            let path_is = place(root, windows).path(name.as_bytes());
            assert_eq!(String::from_utf8(path_is).unwrap(), path, "{root} {name}");
        }
    }
}
