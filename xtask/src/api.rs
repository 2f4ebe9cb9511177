//! `cargo xtask api`: what the library promises its users, `crates/hashmill/public-api.txt`,
//! against the code.

use crate::prelude::*;
use std::process::Stdio;

/// Every public item with its signature. A line that goes or changes is a breaking change; one that
/// comes is not.
const PROMISED: &str = "crates/hashmill/public-api.txt";

/// Shows what differs, or with `--write` makes it the promise.
pub fn api(args: &[String]) -> Outcome {
    record("api", args, PROMISED, public)
}

pub fn tools() -> Found {
    needs::nightly("")?;
    let install = "cargo install cargo-public-api --locked";
    needs::works("cargo +nightly public-api --version", install)
}

/// The methods of `dyn Hashing`, which cargo-public-api does not list, because it looks for methods
/// of a trait object neither below its trait nor below a type.
const OBJECT: &str = "crates/hashmill/src/any.rs";

/// As rustdoc sees it, whose output for programs only the nightly toolchain has. Without what the
/// compiler derives or finds by itself (Clone, Send, blanket implementations).
fn public() -> Result<String, String> {
    tools()?;
    let mut command = cmd!("cargo +nightly public-api --package hashmill --all-features -sss");
    let source = read(OBJECT)?;
    let listed = stdout(command.stderr(Stdio::inherit()))?;
    let of_object = methods(&source).ok_or(format!("{OBJECT}: no methods of dyn Hashing"))?;
    Ok(listed + "impl dyn hashmill::Hashing + '_\n" + &of_object)
}

/// The signatures of the methods of `dyn Hashing`, each on a line.
fn methods(source: &str) -> Option<String> {
    let (_, block) = source.split_once("\nimpl dyn Hashing + '_ {\n")?;
    let (block, _) = block.split_once("\n}\n")?;
    let heads = block.split("\n    pub fn ").skip(1).filter_map(|it| it.split_once(" {\n"));
    let line = |head: &str| {
        let head: Vec<_> = head.split_whitespace().collect();
        format!("pub fn dyn hashmill::Hashing::{}\n", head.join(" "))
    };
    Some(heads.map(|(head, _)| line(head)).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn methods_of_an_object() {
        let source = "x\nimpl dyn Hashing + '_ {\n    /// A.\n    pub fn a(&self) -> u8 {\n    }\n\n    \
                      pub fn b<H>(\n        it: H,\n    ) {\n    }\n}\n\npub fn c() {\n}\n";
        let expected = "pub fn dyn hashmill::Hashing::a(&self) -> u8\n\
                        pub fn dyn hashmill::Hashing::b<H>( it: H, )\n";
        assert_eq!(super::methods(source).as_deref(), Some(expected));
        assert_eq!(super::methods(""), None);
    }
}
