//! The last lines of what commands print, to be repeated at the end of a long run.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

const LINES: usize = 40;

/// `None` as long as nobody wants to have them.
static TAIL: Mutex<Option<VecDeque<String>>> = Mutex::new(None);

fn tail() -> MutexGuard<'static, Option<VecDeque<String>>> {
    TAIL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether lines are kept.
pub fn kept() -> bool {
    tail().is_some()
}

/// Keeps the lines of the commands that follow. Those of earlier commands are dropped.
pub fn keep() {
    *tail() = Some(VecDeque::new());
}

pub fn lines() -> Vec<String> {
    tail().iter().flatten().cloned().collect()
}

/// Runs a command, and passes on what it prints while it prints it.
pub fn status(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| pass_on(stdout, io::stdout()));
        pass_on(stderr, io::stderr());
    });
    child.wait()
}

fn pass_on(from: Option<impl Read>, mut to: impl Write) {
    let Some(from) = from else { return };
    let (mut from, mut line) = (BufReader::new(from), Vec::new());
    while from.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
        // Who no longer listens does not stop the tests.
        _ = to.write_all(&line).and_then(|()| to.flush());
        let text = String::from_utf8_lossy(&line);
        if let Some(lines) = tail().as_mut().filter(|_| tells(text.trim_end())) {
            if lines.len() == LINES {
                lines.pop_front();
            }
            lines.push_back(text.trim_end().to_owned());
        }
        line.clear();
    }
}

/// Whether a line may say what failed. `--no-fail-fast` prints hundreds of passed tests after a
/// failed one.
fn tells(line: &str) -> bool {
    let of_passed = ["running ", "test result: ok", "     Running ", "   Doc-tests "];
    !line.is_empty()
        && !line.ends_with("... ok")
        && !of_passed.iter().any(|it| line.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_passed_tests_are_not_repeated() {
        for line in ["", "running 3 tests", "test a::b ... ok", "test result: ok. 3 passed"] {
            assert!(!tells(line), "{line}");
        }
        for line in ["test a::b ... FAILED", "thread 'a' panicked at b.rs:1:2:", "  left: 1"] {
            assert!(tells(line), "{line}");
        }
    }
}
