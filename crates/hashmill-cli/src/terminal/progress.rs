//! How far the work is, on standard error: bytes, rate and, where it is known how much there is, the
//! time left.

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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

/// Finds out how many bytes there are.
type Total = Box<dyn FnOnce() -> u64 + Send>;

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
    pub fn expect(&self, total: impl FnOnce() -> u64 + Send + 'static) {
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
        self.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(Terminal(stderr))));
        self.bar.tick();
        let total = self.total.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(total) = total {
            let bar = self.bar.clone();
            // Without a thread the bar goes without a total.
            let _ = thread::Builder::new().spawn(move || {
                bar.set_length(total());
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

/// How many bytes there are in files.
pub fn sizes(paths: impl Iterator<Item = PathBuf>) -> u64 {
    let size =
        |path| std::fs::metadata(path).map_or(0, |it| if it.is_file() { it.len() } else { 0 });
    paths.map(size).sum()
}

/// The terminal that standard error is; ECMA-48 §8.3 moves the cursor.
#[derive(Debug)]
struct Terminal(File);

impl Terminal {
    fn write(&self, text: &str) -> io::Result<()> {
        (&self.0).write_all(text.as_bytes())
    }

    fn move_cursor(&self, n: usize, end: char) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.write(&format!("\x1b[{n}{end}")) }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        #[cfg(unix)]
        if let Ok(size) = rustix::termios::tcgetwinsize(&self.0)
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
        self.write(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
