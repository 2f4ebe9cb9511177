//! Programs that the tests of the other languages compile.

use crate::prelude::*;

/// Extracts the example in `language` from a README and writes it to a file that can be compiled.
pub fn example(readme: &str, language: &str) -> Result<PathBuf, String> {
    let file = format!("example_{}.{language}", readme.replace('/', "_").replace(".md", ""));
    let text = read(readme)?;
    let begin = format!("\n```{language}\n");
    let code = text.split_once(&begin).and_then(|(_, rest)| rest.split_once("```"));
    let (code, _) = code.ok_or_else(|| format!("{readme}: no example in {language}"))?;
    let file = target().join("faces").join(file);
    write(&file, code).map(|()| file)
}

/// Searches the memory of a program after each use of a key.
pub fn search(program: &Path, backends: &str, lib: &Path) -> Outcome {
    let test = "cargo test --package hashmill-c --release --test remains -- --program {} {}";
    run(cmd!(test, program, backends).env("LD_LIBRARY_PATH", lib))
}
