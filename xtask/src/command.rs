//! Running other programs, and the folders of the workspace.

use crate::tail;
use std::borrow::BorrowMut;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;

pub type Outcome = Result<(), String>;

/// The tests of the program. Two parts build them with the same packages, because cargo compiles the
/// library anew for others.
pub const PROGRAM: &str = "test --package hashmill-cli --package hashmill-c --package xtask";

/// A command that runs in the root of the clone: words with blanks between them. Each `{}` is one of
/// the arguments that follow, which may contain blanks.
macro_rules! cmd {
    ($words:expr $(, $arg:expr)* $(,)?) => {
        $crate::command::command($words, &[$($arg.as_ref()),*])
    };
}
pub(crate) use cmd;

/// What `cmd!` calls. `cargo` is the one that runs this program, unless a toolchain is named.
pub fn command(words: impl AsRef<str>, args: &[&OsStr]) -> Command {
    let mut args = args.iter();
    let mut words = words.as_ref().split_whitespace().map(|word| match word.split_once("{}") {
        None => OsString::from(word),
        Some((before, after)) => {
            let arg = args.next().expect("an argument for each {}");
            [before.as_ref(), *arg, after.as_ref()].into_iter().collect()
        }
    });
    let program = words.next().unwrap_or_default();
    let rest: Vec<_> = words.collect();
    let is_any = rest.first().is_some_and(|it| it.to_string_lossy().starts_with('+'));
    let is_ours = program == "cargo" && !is_any;
    let mut command = Command::new(if is_ours { env!("CARGO").as_ref() } else { &*program });
    command.args(rest).current_dir(root());
    command
}

/// The error of a task that has no use for its arguments. Its usage is printed instead.
pub const WRONG: &str = "wrong arguments";

/// Whether a task writes what it would compare. It takes no other argument.
pub fn writes(args: &[String]) -> Result<bool, String> {
    match args {
        [] => Ok(false),
        [arg] if arg == "--write" => Ok(true),
        _ => Err(WRONG.into()),
    }
}

/// An error, unless something is so.
pub fn ensure(is_so: bool, error: impl Into<String>) -> Outcome {
    if is_so { Ok(()) } else { Err(error.into()) }
}

pub fn cargo(args: &str) -> Outcome {
    run(cmd!(format!("cargo {args}")))
}

pub fn run(mut command: impl BorrowMut<Command>) -> Outcome {
    let command = command.borrow_mut();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    let shown = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    tail::say(&format!("$ {shown}"));
    match tail::status(command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed: {status}")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}")),
    }
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub struct Said {
    pub stdout: String,
    pub stderr: String,
    pub status: ExitStatus,
}

/// Runs a command to its end.
pub fn output(mut command: impl BorrowMut<Command>) -> Result<Said, String> {
    let command = command.borrow_mut();
    let Output { stdout, stderr, status } =
        command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let [stdout, stderr] = [stdout, stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    Ok(Said { stdout, stderr, status })
}

/// Runs a command and returns its standard output. A command that fails is an error.
pub fn stdout(mut command: impl BorrowMut<Command>) -> Result<String, String> {
    let said = output(command.borrow_mut())?;
    match said.status.success() {
        true => Ok(said.stdout),
        false => Err(format!("{:?}: {said:?}", command.borrow())),
    }
}

/// Runs a command without input or output. Returns true if it starts and succeeds.
pub fn succeeds(mut command: impl BorrowMut<Command>) -> bool {
    let quiet = command.borrow_mut().stdin(Stdio::null()).stdout(Stdio::null());
    quiet.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns the root of the clone. Cargo names the place of this package when it runs it. The place
/// that the compiler saw is another one after the clone was moved, and cargo does not compile again
/// for that.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package = env::var_os("CARGO_MANIFEST_DIR");
        let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        Path::new(&package).parent().expect("the package is a directory of the clone").into()
    })
}

/// Returns cargo's target directory.
pub fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns cargo's home directory, which contains the downloaded packages and the installed
/// programs.
pub fn cargo_home() -> PathBuf {
    let told = env::var_os("CARGO_HOME").map(PathBuf::from);
    told.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_arguments() {
        let command = cmd!(
            "tar -C{}/x  \
                            -f {}",
            Path::new("a b"),
            "c d"
        );
        assert_eq!(command.get_program(), "tar");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-Ca b/x", "-f", "c d"]);
        assert_eq!(cmd!("cargo +nightly fmt").get_program(), "cargo");
        assert_eq!(cmd!("cargo fmt").get_program(), env!("CARGO"));
    }
}
