//! The standard streams and the messages on them.
//!
//! No function here panics or ignores an error. A failed write to standard output ends the program
//! with status 1. A failed write to standard error makes the exit status 1.

use crate::files::input::{bytes, open_path, os_name};
use crate::terminal::progress::{Progress, When};
use crate::text::quote::{self, Quoting};
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// An error that ends the program.
#[derive(Clone, Debug)]
pub struct Failure {
    pub status: u8,
    /// The file that the error is about, and the message. `None` if a message has been written.
    pub about: Option<(Vec<u8>, String)>,
}

impl Failure {
    /// An error whose message has been written.
    pub fn said(status: u8) -> Failure {
        Failure { status, about: None }
    }

    /// An error about the file of this name, which ends the program with status 1.
    pub fn of(name: &[u8], message: impl Into<String>) -> Failure {
        Failure { status: 1, about: Some((name.to_vec(), message.into())) }
    }

    /// An error about the file at `path`.
    pub fn new(path: &Path, message: impl Into<String>) -> Failure {
        Failure::of(&bytes(path), message)
    }

    /// Returns a function that converts an error of the system into an error about the file `path`.
    pub fn with(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::new(path, reason(&error))
    }

    /// Writes the message, if that has not been done.
    pub fn say(self, console: &mut Console) -> Failure {
        if let Some((name, message)) = self.about {
            console.say_of(&name, message);
        }
        Failure::said(self.status)
    }
}

/// The exit status for invalid options.
pub const WRONG_OPTIONS: u8 = 2;

pub struct Console {
    program: Vec<u8>,
    stdin: io::Result<File>,
    stdin_used: Cell<bool>,
    stdout: io::Result<File>,
    /// Text that was printed and not yet written to standard output: see `print`.
    waiting: Vec<u8>,
    /// The maximal length of `waiting` in bytes; 0 for a terminal.
    room: usize,
    /// The time of the last write to standard output.
    flushed: Instant,
    stderr: io::Result<File>,
    /// Whether a write has failed.
    failed: bool,
    /// How names and arguments in messages are quoted.
    quoting: Quoting,
    pub progress: Progress,
}

impl Console {
    /// Duplicates the standard streams. This must be done before any file is opened, because the
    /// first opened file would get the descriptor of a standard stream that is closed.
    pub fn new(program: &OsStr) -> Console {
        let stdout = duplicate(&io::stdout());
        Console {
            program: program.as_encoded_bytes().to_vec(),
            stdin: duplicate(&io::stdin()),
            room: stdout.as_ref().map_or(0, room),
            stdout,
            stderr: duplicate(&io::stderr()),
            quoting: Quoting { utf8: utf8_locale(), strict: false },
            ..Console::silent()
        }
    }

    /// Creates a console without streams.
    pub fn silent() -> Console {
        let closed = || Err(io::ErrorKind::Unsupported.into());
        Console {
            program: Vec::new(),
            stdin: closed(),
            stdin_used: Cell::new(false),
            stdout: closed(),
            waiting: Vec::new(),
            room: 0,
            flushed: Instant::now(),
            stderr: closed(),
            failed: false,
            quoting: Quoting { utf8: false, strict: false },
            progress: Progress::default(),
        }
    }

    /// Sets when progress is shown: as `asked`, or as the environment variable says, or as `usual`.
    pub fn show_progress(&mut self, asked: Option<When>, usual: When) {
        let when = asked.or_else(When::of_environment).unwrap_or(usual);
        self.progress = Progress::new(when, &self.stderr);
    }

    /// Returns the name that the program was called by.
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

    /// Opens a file; `-` is standard input.
    pub fn open(&self, name: &[u8]) -> io::Result<File> {
        match name {
            b"-" => self.stdin()?.try_clone(),
            name => open_path(Path::new(&os_name(name))),
        }
    }

    /// Returns the number of bytes that remain in standard input if it is a regular file.
    pub fn stdin_length(&self) -> Option<u64> {
        use std::io::Seek;
        let mut stdin = self.stdin.as_ref().ok()?;
        let metadata = stdin.metadata().ok().filter(|it| it.is_file())?;
        Some(metadata.len().saturating_sub(stdin.stream_position().ok()?))
    }

    /// Returns the error that prevented reading standard input, if the program tried to read it.
    pub fn stdin_error(&self) -> Option<&io::Error> {
        self.stdin.as_ref().err().filter(|_| self.stdin_used.get())
    }

    /// Writes to standard output. A terminal gets the text at once. Other outputs get it together
    /// with later text: at the latest before a message on standard error, on
    /// [`flush`](Self::flush), or with the first text that is printed at least a tenth of a second
    /// after the last write. The text of one call is never divided between two writes, so that
    /// lines of programs that share standard output do not mix.
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

    /// From now on, writes to this file instead of standard output.
    pub fn redirect(&mut self, file: File) -> Result<(), Failure> {
        self.flush()?;
        self.room = room(&file);
        self.stdout = Ok(file);
        Ok(())
    }

    /// Writes the waiting text. Must be called before the program waits for anything.
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
        // The text that was printed before is written first. If that fails, an error message about
        // it comes first.
        if let Err(error) = self.write_waiting() {
            self.failed = true;
            self.say(format!("write error: {}", reason(&error)));
        }
        let write = || self.stderr.as_ref().is_ok_and(|it| (&mut &*it).write_all(text).is_ok());
        let written = self.progress.suspend(write);
        self.failed |= !written;
    }

    /// Writes a message for a person to standard error. A log, which is no terminal, does not get
    /// it.
    pub fn tell(&mut self, message: impl AsRef<[u8]>) {
        if self.stderr.as_ref().is_ok_and(File::is_terminal) {
            self.say(message);
        }
    }

    /// Writes a message about a file to standard error.
    pub fn say_of(&mut self, name: &[u8], message: impl AsRef<str>) {
        let line = format!("{}: {}", self.quote_name(name), message.as_ref());
        self.say(line);
    }

    /// Writes a message about a file with which not all is well.
    pub fn fault(&mut self, name: &[u8], message: impl AsRef<str>, well: &mut bool) {
        self.say_of(name, message);
        *well = false;
    }

    /// Writes the message of an error that ends the program with status 1.
    pub fn fatal(&mut self, message: impl AsRef<[u8]>) -> Failure {
        self.say(message);
        Failure::said(1)
    }

    /// Writes a message about a misuse, which ends the program with status 1, and refers to
    /// `--help`.
    pub fn misuse(&mut self, message: impl AsRef<[u8]>) -> Failure {
        self.say(message);
        let hint = [b"Try '", &*self.program, b" --help' for more information.\n"].concat();
        self.write_stderr(&hint);
        Failure::said(1)
    }

    /// Writes a message about invalid options of our own subcommands, which ends the program with
    /// status 2.
    pub fn wrong_options(&mut self, message: impl AsRef<str>) -> Failure {
        self.say(format!("{}\n\nFor more information, try '--help'.", message.as_ref()));
        Failure::said(WRONG_OPTIONS)
    }

    /// From now on, also quotes characters that change the direction of text, which GNU's programs
    /// do not quote.
    pub fn quote_strictly(&mut self) {
        self.quoting.strict = true;
    }

    /// Returns the metadata of standard output if it is a regular file.
    pub fn output_metadata(&self) -> Option<std::fs::Metadata> {
        let metadata = self.stdout.as_ref().ok()?.metadata().ok()?;
        metadata.is_file().then_some(metadata)
    }

    /// Returns how names on standard output are quoted. Returns `None` if it is not a terminal.
    pub fn quoting(&self) -> Option<Quoting> {
        (self.room == 0).then_some(Quoting { strict: true, ..self.quoting })
    }

    /// Quotes a file name for a message.
    pub fn quote_name(&self, name: &[u8]) -> String {
        quote::shell(name, self.quoting)
    }

    /// Quotes an argument for a message.
    pub fn quote(&self, argument: &[u8]) -> String {
        quote::argument(argument, self.quoting)
    }

    /// Returns the exit status at the end of the program.
    pub fn status(&self, well: bool) -> u8 {
        u8::from(self.failed || !well)
    }
}

/// Returns the system's message for an error, without the error's number.
pub fn reason(error: &io::Error) -> String {
    if cfg!(windows)
        && let Some(text) = unix_text(error.kind())
    {
        return text.to_owned();
    }
    let text = error.to_string();
    let suffix = error.raw_os_error().map(|code| format!(" (os error {code})")).unwrap_or_default();
    text.strip_suffix(&suffix).unwrap_or(&text).to_owned()
}

/// Returns Unix's text for the most frequent errors. The texts of Windows depend on its language.
fn unix_text(kind: io::ErrorKind) -> Option<&'static str> {
    Some(match kind {
        io::ErrorKind::NotFound => "No such file or directory",
        io::ErrorKind::PermissionDenied => "Permission denied",
        io::ErrorKind::AlreadyExists => "File exists",
        io::ErrorKind::IsADirectory => "Is a directory",
        io::ErrorKind::InvalidFilename => "Invalid file name",
        io::ErrorKind::NotADirectory => "Not a directory",
        _ => return None,
    })
}

/// Returns the maximal number of bytes that are written to `stdout` at once; 0 for a terminal.
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

/// The number of bytes that one write to a pipe never divides (POSIX.1-2024 §2.9.7: at least 512).
#[cfg(unix)]
const PIPE_BUF: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// The time since the last write after which printed text no longer waits.
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

/// Returns whether the locale's characters are UTF-8. The first of these variables that is set and
/// not empty decides (POSIX.1-2024 §8.2).
fn utf8_locale() -> bool {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    // Windows has no such variables: its console shows all of Unicode.
    name.map_or(cfg!(windows), |name| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}
