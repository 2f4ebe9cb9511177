//! A temporary directory with some files, in which the program is run by any of its names.

#![allow(dead_code)] // each test file uses a part

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The names of GNU's programs, and of similar programs, that the program stands in for.
pub const STAND_INS: [&str; 12] = [
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "sha3sum",
    "shake128sum",
    "shake256sum",
    "b2sum",
    "cksum",
    "sum",
];

/// All names that the program stands in for.
pub fn names() -> impl Iterator<Item = &'static str> {
    STAND_INS.into_iter().chain(["b3sum", "blake2"])
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// The exit status; `None` if a signal ended the program.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    /// Panics unless the run had exactly this status and these outputs.
    #[track_caller]
    pub fn gave(&self, status: i32, stdout: &str, stderr: &str) {
        let stdout_was = String::from_utf8_lossy(&self.stdout);
        assert_eq!((self.status, &*stdout_was, &*self.stderr), (Some(status), stdout, stderr));
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    /// Creates a directory with the program linked under all of its names, and the files `f` ("a")
    /// and `g` ("b").
    pub fn new() -> Place {
        let place = Place { directory: tempfile::tempdir_in(parent()).unwrap() };
        let bin = place.path("bin");
        fs::create_dir(&bin).unwrap();
        for name in names().chain(["hashmill"]) {
            link(&bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
        }
        place.write("f", "a").write("g", "b");
        place
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Place {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// Returns a command that runs the program by one of its names, in the C locale.
    pub fn command(&self, name: &str) -> Command {
        // Found in the PATH, the program is called by its name alone, as messages show it.
        let mut command = Command::new(name);
        command
            .env("PATH", self.path_of_programs())
            .current_dir(self.directory.path())
            .env("LC_ALL", "C")
            .env_remove("COLUMNS")
            .env_remove("HASHMILL_BACKEND")
            .env_remove("POSIXLY_CORRECT");
        command
    }

    /// Returns the PATH in which the program's names come first.
    fn path_of_programs(&self) -> OsString {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::env::split_paths(&paths).collect::<Vec<_>>();
        std::env::join_paths([self.path("bin")].into_iter().chain(paths)).unwrap()
    }

    pub fn run(&self, name: &str, args: &[impl AsRef<OsStr>]) -> Ran {
        self.run_with(name, args, b"")
    }

    pub fn run_with(&self, name: &str, args: &[impl AsRef<OsStr>], stdin: &[u8]) -> Ran {
        finish(self.command(name).args(args), stdin)
    }

    /// Runs a shell's command line, with the program's names in the PATH.
    pub fn shell(&self, line: &str) -> Ran {
        let mut shell = Command::new("bash");
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        shell
            .args(["-c", line])
            .current_dir(self.directory.path())
            .env("PATH", path)
            .env("LC_ALL", "C");
        finish(&mut shell, b"")
    }
}

/// Returns the directory for temporary directories. On Windows it is on the drive of the program,
/// because hard links lead to no other drive.
fn parent() -> PathBuf {
    if cfg!(windows) { env!("CARGO_TARGET_TMPDIR").into() } else { std::env::temp_dir() }
}

#[cfg(unix)]
fn link(name: &Path) {
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hashmill"), name).unwrap();
}

#[cfg(windows)]
fn link(name: &Path) {
    fs::hard_link(env!("CARGO_BIN_EXE_hashmill"), name).unwrap();
}

fn finish(command: &mut Command, stdin: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes the pipe early.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Ran {
        status: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The SHA-256 of "a", of "b" and of the empty message.
pub const A: &str = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
pub const B: &str = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d";
pub const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// The BLAKE2b of "a", with 512 and with 160 bits.
pub const A_BLAKE2B: &str = "333fcb4ee1aa7c115355ec66ceac917c8bfd815bf7587d325aec1864edd24e34d5abe2c6b1b5ee3face62fed78dbef802f2a85cb91d455a8f5249d330853cb3c";
pub const A_BLAKE2B_160: &str = "948caa2db61bc4cdb4faf7740cd491f195043914";
