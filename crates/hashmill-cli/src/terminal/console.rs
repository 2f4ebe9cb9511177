//! The standard streams and the messages on them.
//!
//! Nothing here panics or loses an error: a failed write to standard output ends the program with
//! status 1, a failed write to standard error makes the status 1.

use crate::terminal::progress::{Progress, When};
use crate::text::quote::{self, Quoting};
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The program cannot go on; the message about it is out already.
#[derive(Debug)]
pub struct Failure {
    pub status: u8,
}

/// The exit status for options that make no sense.
pub const WRONG_OPTIONS: u8 = 2;

pub struct Console {
    program: Vec<u8>,
    stdin: io::Result<File>,
    stdin_used: Cell<bool>,
    stdout: io::Result<File>,
    /// What is written to standard output together: see `print`.
    waiting: Vec<u8>,
    /// How much of it at most, in bytes; none for a terminal.
    room: usize,
    /// When standard output was last written to.
    flushed: Instant,
    stderr: io::Result<File>,
    /// Something could not be written.
    failed: bool,
    utf8: bool,
    /// Names are quoted so that no character of theirs changes how others are shown.
    strict: bool,
    pub progress: Progress,
}

impl Console {
    /// Takes hold of the standard streams: before any file is opened, since the first file opened
    /// would get the number of a stream that is closed.
    pub fn new(program: &OsStr) -> Console {
        let stdout = duplicate(&io::stdout());
        Console {
            program: program.as_encoded_bytes().to_vec(),
            stdin: duplicate(&io::stdin()),
            stdin_used: Cell::new(false),
            room: stdout.as_ref().map_or(0, room),
            waiting: Vec::new(),
            flushed: Instant::now(),
            stdout,
            stderr: duplicate(&io::stderr()),
            failed: false,
            utf8: utf8_locale(),
            strict: false,
            progress: Progress::default(),
        }
    }

    /// Shows progress as was asked, or else as the environment says, or else as is usual.
    pub fn show_progress(&mut self, asked: Option<When>, usual: When) {
        let when = asked.or_else(When::of_environment).unwrap_or(usual);
        self.progress = Progress::new(when, &self.stderr);
    }

    /// The name the program was called by.
    pub fn program(&self) -> &[u8] {
        &self.program
    }

    pub fn rename(&mut self, program: impl Into<Vec<u8>>) {
        self.program = program.into();
    }

    pub fn stdin(&self) -> io::Result<&File> {
        self.stdin_used.set(true);
        self.stdin.as_ref().map_err(same_error)
    }

    /// How many bytes standard input still has, if it is a regular file.
    pub fn stdin_length(&self) -> Option<u64> {
        use std::io::Seek;
        let mut stdin = self.stdin.as_ref().ok()?;
        let metadata = stdin.metadata().ok().filter(|it| it.is_file())?;
        Some(metadata.len().saturating_sub(stdin.stream_position().ok()?))
    }

    /// Why standard input, which was to be read, could not be.
    pub fn stdin_error(&self) -> Option<&io::Error> {
        self.stdin.as_ref().err().filter(|_| self.stdin_used.get())
    }

    /// Writes to standard output: to a terminal at once, elsewhere what is printed in quick
    /// succession together, until [`flush`](Self::flush), a message, or a tenth of a second later.
    /// What is printed in one call is never divided, so that lines of programs that share standard
    /// output do not mix.
    pub fn print(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let text = text.as_ref();
        if self.waiting.len() + text.len() > self.room {
            self.flush()?;
        }
        self.waiting.extend_from_slice(text);
        if self.waiting.len() >= self.room || self.flushed.elapsed() >= HELD {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what waits to be written together: whenever the program is about to wait.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.write_waiting().map_err(|error| self.fatal(format!("write error: {}", reason(&error))))
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.waiting);
        let stdout = self.stdout.as_ref().map_err(same_error)?;
        let write = || (&mut &*stdout).write_all(&text);
        let is_terminal = self.room == 0;
        let written = if is_terminal { self.progress.suspend(write) } else { write() };
        self.flushed = Instant::now();
        self.waiting = text;
        self.waiting.clear();
        written
    }

    /// Writes `program: message` to standard error.
    pub fn say(&mut self, message: impl AsRef<[u8]>) {
        let line = [&self.program, b": ".as_slice(), message.as_ref(), b"\n"].concat();
        self.write_stderr(&line);
    }

    /// Writes text to standard error as it is.
    pub fn write_stderr(&mut self, text: &[u8]) {
        // What was printed before comes before. If it cannot be written, that is said first.
        if let Err(error) = self.write_waiting() {
            self.failed = true;
            self.say(format!("write error: {}", reason(&error)));
        }
        let write = || self.stderr.as_ref().is_ok_and(|it| (&mut &*it).write_all(text).is_ok());
        let written = self.progress.suspend(write);
        self.failed |= !written;
    }

    /// A message about a file.
    pub fn say_of(&mut self, name: &[u8], message: impl AsRef<str>) {
        let line = format!("{}: {}", self.quote_name(name), message.as_ref());
        self.say(line);
    }

    /// An error that ends the program.
    pub fn fatal(&mut self, message: impl AsRef<[u8]>) -> Failure {
        self.say(message);
        Failure { status: 1 }
    }

    /// A misuse of the program, which ends it.
    pub fn misuse(&mut self, message: impl AsRef<[u8]>) -> Failure {
        self.say(message);
        let hint = [b"Try '", &*self.program, b" --help' for more information.\n"].concat();
        self.write_stderr(&hint);
        Failure { status: 1 }
    }

    /// Options of our own subcommands that make no sense, which ends the program with status 2.
    pub fn wrong_options(&mut self, message: impl AsRef<str>) -> Failure {
        self.say(format!("{}\n\nFor more information, try '--help'.", message.as_ref()));
        Failure { status: WRONG_OPTIONS }
    }

    /// From now on, quotes what GNU's programs do not: characters that change the direction of
    /// text.
    pub fn quote_strictly(&mut self) {
        self.strict = true;
    }

    /// The metadata of standard output, if it is a regular file.
    pub fn output_metadata(&self) -> Option<std::fs::Metadata> {
        let metadata = self.stdout.as_ref().ok()?.metadata().ok()?;
        metadata.is_file().then_some(metadata)
    }

    /// How names are to be quoted that are written to standard output; `None` if it is no terminal.
    pub fn quoting(&self) -> Option<Quoting> {
        let is_terminal = self.stdout.as_ref().is_ok_and(File::is_terminal);
        is_terminal.then_some(Quoting { utf8: self.utf8, strict: true })
    }

    /// A file name as messages show it.
    pub fn quote_name(&self, name: &[u8]) -> String {
        quote::shell(name, Quoting { utf8: self.utf8, strict: self.strict })
    }

    /// An argument as messages show it.
    pub fn quote(&self, argument: &[u8]) -> String {
        quote::argument(argument, Quoting { utf8: self.utf8, strict: self.strict })
    }

    /// The exit status when all is done.
    pub fn status(&self, well: bool) -> u8 {
        u8::from(self.failed || !well)
    }
}

/// The system's words for an error.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let suffix = error.raw_os_error().map(|code| format!(" (os error {code})")).unwrap_or_default();
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}

/// How much is written together, in bytes.
fn room(stdout: &File) -> usize {
    if stdout.is_terminal() {
        return 0;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = stdout.metadata().map(|it| it.file_type());
        if kind.is_ok_and(|it| it.is_fifo() || it.is_socket()) {
            return PIPE_BUF;
        }
    }
    64 << 10
}

/// What a pipe takes at once or not at all (POSIX.1-2024 §2.9.7: at least 512).
#[cfg(unix)]
const PIPE_BUF: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// The longest that anything waits while more is printed.
const HELD: Duration = Duration::from_millis(100);

fn same_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}

#[cfg(unix)]
fn duplicate(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn duplicate(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// Whether the locale's characters are UTF-8 (POSIX.1-2024 §8.2: the first of these that is set and
/// not empty counts).
fn utf8_locale() -> bool {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    name.is_some_and(|name| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}
