//! What commands print: passed on at once, with its last lines kept, to be repeated at the end of a
//! long run. And the processor time that they take. Each thread has its own part of the tests, and so
//! its own lines and its own time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
#[cfg(target_os = "linux")]
use {
    rustix::param::clock_ticks_per_second,
    rustix::process::{Pid, WaitId, WaitIdOptions, waitid},
    std::fs,
    std::process::Child,
};

const LINES: usize = 40;

thread_local! {
    /// `None` as long as nobody wants to have the lines.
    static TAIL: RefCell<Option<Tail>> = const { RefCell::new(None) };
    static CPU: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

#[derive(Clone, Default)]
struct Tail {
    /// What stands before every line, so that a reader can tell parts apart that run side by side.
    prefix: String,
    lines: Arc<Mutex<VecDeque<String>>>,
}

/// Keeps the lines of the commands that this thread runs from now on. Those of earlier commands are
/// dropped.
pub fn keep(prefix: &str) {
    TAIL.set(Some(Tail { prefix: prefix.to_owned(), ..Tail::default() }));
    CPU.set(Duration::ZERO);
}

/// Returns the processor time of the commands that this thread has run since [`keep`], and of their
/// children. Only Linux tells it.
pub fn cpu() -> Duration {
    CPU.get()
}

pub fn lines() -> Vec<String> {
    tail().iter().flat_map(|tail| tail.lines().clone()).collect()
}

/// Prints what this thread does next.
pub fn say(text: &str) {
    eprintln!("\n{}{text}", tail().unwrap_or_default().prefix);
}

/// Runs a command, and passes on what it prints while it prints it.
pub fn status(command: &mut Command) -> io::Result<ExitStatus> {
    let Some(tail) = tail() else { return command.status() };
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| tail.pass_on(stdout, io::stdout()));
        tail.pass_on(stderr, io::stderr());
    });
    #[cfg(target_os = "linux")]
    CPU.set(CPU.get() + used(&child));
    child.wait()
}

/// Waits for the end of a process, without collecting it, and returns the processor time of the
/// process and of its children, as `/proc/PID/stat` has it (proc_pid_stat(5), fields 14 to 17).
#[cfg(target_os = "linux")]
fn used(child: &Child) -> Duration {
    let pid = Pid::from_child(child);
    _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    // Field 3 is the first after the name of the program.
    let ticks: u64 = fields.skip(14 - 3).take(4).filter_map(|it| it.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / clock_ticks_per_second())
}

fn tail() -> Option<Tail> {
    TAIL.with_borrow(Clone::clone)
}

impl Tail {
    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass_on(&self, from: Option<impl Read>, mut to: impl Write) {
        let Some(from) = from else { return };
        let (mut from, mut line) = (BufReader::new(from), Vec::new());
        while from.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
            let whole = [self.prefix.as_bytes(), &line].concat();
            // Who no longer listens does not stop the tests.
            _ = to.write_all(&whole).and_then(|()| to.flush());
            let text = String::from_utf8_lossy(&line);
            if tells(text.trim_end()) {
                let mut lines = self.lines();
                if lines.len() == LINES {
                    lines.pop_front();
                }
                lines.push_back(text.trim_end().to_owned());
            }
            line.clear();
        }
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
