//! Shows progress on standard error: the bytes read, the rate and, if the total is known, the time
//! left.

use crate::text::table::{Parser, Value, choices};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

choices! {
    /// When progress is shown.
    pub enum When {
        Never = "never",
        Auto = "auto",     // on a terminal, after one second
        Always = "always", // at once, even if standard error is not a terminal
    }
}

impl When {
    /// Returns the value of the environment variable HASHMILL_PROGRESS, if it is valid.
    pub fn of_environment() -> Option<When> {
        When::named(std::env::var_os("HASHMILL_PROGRESS")?.to_str()?)
    }
}

/// The progress display, which all threads share. `None` inside means that nothing is shown.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Shown>>);

struct Shown {
    bar: ProgressBar,
    stderr: File,
    started: Instant,
    after: Duration,
    visible: AtomicBool,
    total: Mutex<Option<Total>>,
}

/// Computes the total number of bytes to read, if it can be known.
type Total = Box<dyn FnOnce() -> Option<u64> + Send>;

/// The time before the bar appears with `When::Auto`. Shorter work needs no bar.
const LASTS: Duration = Duration::from_secs(1);

impl Progress {
    pub fn new(when: When, stderr: &io::Result<File>) -> Progress {
        let stderr = stderr.as_ref().ok().filter(|stderr| match when {
            When::Never => false,
            When::Auto => stderr.is_terminal(),
            When::Always => true,
        });
        let stderr = stderr.and_then(|stderr| stderr.try_clone().ok());
        Progress(stderr.map(|stderr| {
            Arc::new(Shown {
                bar: ProgressBar::hidden(),
                stderr,
                started: Instant::now(),
                after: if when == When::Always { Duration::ZERO } else { LASTS },
                visible: AtomicBool::new(false),
                total: Mutex::new(None),
            })
        }))
    }

    /// Sets the function that computes the total number of bytes. It is called on a thread of its
    /// own, and only if a bar is shown.
    pub fn expect(&self, total: impl FnOnce() -> Option<u64> + Send + 'static) {
        if let Some(shown) = &self.0 {
            *shown.total.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(total));
        }
    }

    /// Adds `len` bytes to those that have been read, and shows the bar if it is time for it.
    pub fn read(&self, len: usize) {
        let Some(shown) = &self.0 else { return };
        shown.bar.inc(len as u64);
        if !shown.visible.load(Relaxed)
            && shown.started.elapsed() >= shown.after
            && !shown.visible.swap(true, Relaxed)
        {
            shown.show();
        }
    }

    /// Hides the bar while `write` writes to the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.bar.suspend(write),
            None => write(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(shown) = &self.0 {
            shown.bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn show(&self) {
        let Ok(stderr) = self.stderr.try_clone() else { return };
        self.bar.set_style(style("{binary_bytes} {binary_bytes_per_sec}"));
        self.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(Terminal {
            stderr,
            drawn: AtomicUsize::new(0),
        })));
        self.bar.tick();
        let total = self.total.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(total) = total {
            let bar = self.bar.clone();
            // If no thread can be started, the bar has no total.
            let _ = thread::Builder::new().spawn(move || {
                let Some(total) = total() else { return };
                bar.set_length(total);
                bar.set_style(style(
                    "{bar:30} {binary_bytes} of {binary_total_bytes} {binary_bytes_per_sec}, {eta} left",
                ));
            });
        }
    }
}

/// What a command went through, for the message at its end.
#[derive(Clone, Copy)]
pub struct Tally {
    pub files: u64,
    pub bytes: u64,
    pub started: Instant,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { files: 0, bytes: 0, started: Instant::now() }
    }
}

impl Tally {
    /// Adds a file of `size` bytes.
    pub fn add(&mut self, size: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(size);
    }

    /// Returns the number of files, as `3 files`.
    pub fn files(&self) -> String {
        format!("{} {}", HumanCount(self.files), if self.files == 1 { "file" } else { "files" })
    }
}

/// Writes the number of files, their bytes, and the time since the beginning: `3 files, 12 B, 0.1 s`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.started.elapsed().as_secs_f64();
        write!(f, "{}, {}, {seconds:.1} s", self.files(), HumanBytes(self.bytes))
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The terminal on standard error. The cursor is moved as in ECMA-48 §8.3.
#[derive(Debug)]
struct Terminal {
    stderr: File,
    /// The number of characters that were written since the line was last cleared.
    drawn: AtomicUsize,
}

/// Returns the text that clears a line of `drawn` characters. The line takes several rows if the
/// terminal has become narrower since it was written.
fn cleared(drawn: usize, width: usize) -> String {
    let rows = drawn.div_ceil(width.max(1)).max(1);
    format!("{}\r\x1b[2K", "\r\x1b[2K\x1b[1A".repeat(rows - 1))
}

impl Terminal {
    fn write(&self, text: &str) -> io::Result<()> {
        (&self.stderr).write_all(text.as_bytes())
    }

    fn move_cursor(&self, n: usize, end: char) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.write(&format!("\x1b[{n}{end}")) }
    }
}

/// Returns the number of columns of a stream's terminal, or 80 if it is unknown.
#[cfg(unix)]
pub fn width(stream: &impl std::os::fd::AsFd) -> u16 {
    let size = rustix::termios::tcgetwinsize(stream);
    size.map(|size| size.ws_col).ok().filter(|&columns| columns > 0).unwrap_or(UNKNOWN_WIDTH)
}

#[cfg(not(unix))]
pub fn width<S>(_: &S) -> u16 {
    UNKNOWN_WIDTH
}

const UNKNOWN_WIDTH: u16 = 80;

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        width(&self.stderr)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.drawn.fetch_add(text.chars().count(), Relaxed);
        self.write(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write(&cleared(self.drawn.swap(0, Relaxed), self.width().into()))
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar of 80 columns takes three rows on a terminal that now has 30 columns. All of them are
    /// cleared.
    #[test]
    fn a_narrower_terminal_keeps_no_stale_rows() {
        let row = "\r\x1b[2K";
        let up = "\x1b[1A";
        assert_eq!(cleared(80, 80), row);
        assert_eq!(cleared(0, 80), row);
        assert_eq!(cleared(80, 30), [row, up, row, up, row].concat());
    }
}
