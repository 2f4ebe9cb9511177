//! Programs that the tests of the other languages compile.

use crate::{Outcome, root, run, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Extracts the example in `language` from a README and writes it to a file that can be compiled.
pub fn example(readme: &str, language: &str) -> Result<PathBuf, String> {
    let file = format!("example_{}.{language}", readme.replace('/', "_").replace(".md", ""));
    let readme = root().join(readme);
    let text = fs::read_to_string(&readme).map_err(|e| format!("{}: {e}", readme.display()))?;
    let (_, rest) = text
        .split_once(&format!("\n```{language}\n"))
        .ok_or_else(|| format!("{}: no example", readme.display()))?;
    let (code, _) = rest
        .split_once("```")
        .ok_or_else(|| format!("{}: an example without end", readme.display()))?;
    let file = target().join("faces").join(file);
    fs::write(&file, code).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(file)
}

/// Searches the memory of a program after each use of a key.
pub fn search(program: &Path, backends: &str, lib: &Path) -> Outcome {
    let mut test = Command::new(env!("CARGO"));
    test.args(["test", "--package", "hashmill-c", "--release", "--test", "remains", "--"]);
    test.arg("--program").arg(program).arg(backends).env("LD_LIBRARY_PATH", lib);
    run(test.current_dir(root()))
}
