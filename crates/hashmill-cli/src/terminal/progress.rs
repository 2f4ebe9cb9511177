//! How far the work is, on standard error: bytes, rate and, where it is known how much there is,
//! the time left.

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Never,
    Auto,   // on a terminal, when the work lasts
    Always, // at once, whatever standard error is
}

impl When {
    /// What HASHMILL_PROGRESS in the environment says.
    pub fn of_environment() -> Option<When> {
        When::from_str(std::env::var_os("HASHMILL_PROGRESS")?.to_str()?, false).ok()
    }
}

/// Shared by all threads.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Shown>>);

struct Shown {
    bar: ProgressBar,
    stderr: Mutex<Option<File>>,
    started: Instant,
    after: Duration,
    visible: AtomicBool,
    total: Mutex<Option<Total>>,
}

/// Finds out how many bytes there are, if that can be known.
type Total = Box<dyn FnOnce() -> Option<u64> + Send>;

/// Work that takes less time needs no bar.
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
                stderr: Mutex::new(Some(stderr)),
                started: Instant::now(),
                after: if when == When::Always { Duration::ZERO } else { LASTS },
                visible: AtomicBool::new(false),
                total: Mutex::new(None),
            })
        }))
    }

    /// Says how to find out how many bytes there are: on a thread of its own, if a bar is shown.
    pub fn expect(&self, total: impl FnOnce() -> Option<u64> + Send + 'static) {
        if let Some(shown) = &self.0 {
            *shown.total.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(total));
        }
    }

    /// So many more bytes have been read.
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

    /// Runs what writes to the terminal, without the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(shown) = &self.0 {
            shown.bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn show(&self) {
        let Some(stderr) = self.stderr.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        self.bar.set_style(style("{binary_bytes} {binary_bytes_per_sec}"));
        self.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(Terminal {
            stderr,
            drawn: AtomicUsize::new(0),
        })));
        self.bar.tick();
        let total = self.total.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(total) = total {
            let bar = self.bar.clone();
            // Without a thread the bar goes without a total.
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

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// How many bytes there are in files; `None` if one of them has no length. `stdin` is that of
/// standard input, if it has one.
pub fn sizes(paths: impl Iterator<Item = PathBuf>, stdin: Option<u64>) -> Option<u64> {
    let mut total = 0;
    for path in paths {
        total += if path.as_os_str() == "-" {
            stdin?
        } else {
            match std::fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => metadata.len(),
                Ok(metadata) if metadata.is_dir() => 0,
                // A pipe or a device: what comes of it, nobody knows.
                Ok(_) => return None,
                Err(_) => 0,
            }
        };
    }
    Some(total)
}

/// The terminal that standard error is; ECMA-48 §8.3 moves the cursor.
#[derive(Debug)]
struct Terminal {
    stderr: File,
    /// How many characters were written since the line was cleared.
    drawn: AtomicUsize,
}

/// What clears a line of so many characters: on a terminal that has become narrower since it was
/// written, it takes several rows.
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

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        #[cfg(unix)]
        if let Ok(size) = rustix::termios::tcgetwinsize(&self.stderr)
            && size.ws_col > 0
        {
            return size.ws_col;
        }
        80
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

    /// A bar of 80 columns on a terminal that now has 30 takes three rows, and all of them go.
    #[test]
    fn a_narrower_terminal_keeps_no_stale_rows() {
        let row = "\r\x1b[2K";
        let up = "\x1b[1A";
        assert_eq!(cleared(80, 80), row);
        assert_eq!(cleared(0, 80), row);
        assert_eq!(cleared(80, 30), [row, up, row, up, row].concat());
    }

    #[test]
    fn sizes_that_cannot_be_known() {
        let sizes = |path: &str, stdin| sizes([PathBuf::from(path)].into_iter(), stdin);
        assert_eq!(sizes("-", Some(7)), Some(7));
        assert_eq!(sizes("-", None), None);
        assert_eq!(sizes("/dev/null", None), None);
        assert_eq!(sizes("nosuch", None), Some(0));
    }
}
