//! `cargo xtask api`: what the library promises its users, `crates/hashmill/public-api.txt`,
//! against the code.

use crate::needs::{self, Missing};
use crate::sanitize::nightly;
use crate::{Outcome, root, run, stdout, target};
use std::fs;
use std::process::{Command, Stdio};

/// Every public item with its signature. A line that goes or changes is a breaking change; one that
/// comes is not.
const PROMISED: &str = "crates/hashmill/public-api.txt";

/// Shows what differs, or with `--write` makes it the promise.
pub fn api(args: &[String]) -> Outcome {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let file = target().join("public-api.txt");
            fs::write(&file, public()?).map_err(|error| format!("{}: {error}", file.display()))?;
            run(Command::new("diff").args(["--unified=0", PROMISED]).arg(file)).map_err(|_| {
                "if it is meant: `cargo xtask api --write`, and a line in CHANGELOG.md".into()
            })
        }
        ["--write"] => fs::write(root().join(PROMISED), public()?)
            .map_err(|error| format!("{PROMISED}: {error}")),
        _ => Err("usage: cargo xtask api [--write]".into()),
    }
}

pub fn tools() -> Result<(), Missing> {
    needs::nightly("")?;
    match needs::succeeds(nightly("public-api").arg("--version")) {
        true => Ok(()),
        false => Err(Missing::new(
            "cargo public-api does not start",
            "cargo install cargo-public-api --locked",
        )),
    }
}

/// As rustdoc sees it, whose output for programs only the nightly toolchain has. Without what the
/// compiler derives or finds by itself (Clone, Send, blanket implementations).
fn public() -> Result<String, String> {
    tools()?;
    let mut command = nightly("public-api");
    command.args(["--package", "hashmill", "--all-features", "-sss"]);
    stdout(command.stderr(Stdio::inherit()))
}
