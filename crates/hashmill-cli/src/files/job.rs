//! Jobs that pass through the pool, their outcomes, and the number of threads that work on them.

use crate::hashing::recipe::{Computed, Recipe};
use std::error::Error;
use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

/// The digests of a file, in the order of its recipes, or the error that prevented reading it.
pub type Outcome = io::Result<Vec<Computed>>;

/// A job for the pool, which returns jobs in the order in which they came. Most jobs are files to
/// hash.
pub trait Job: Send + Sync {
    /// Returns the file to hash, or `None` if the job needs no file.
    fn file(&self) -> Option<Wanted<'_>>;

    /// Called when the file was opened, with its metadata. An error is the outcome of the job, and
    /// the file is not read.
    fn opened(&self, _metadata: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Called when the file was read. An error, such as [`changed`], is the outcome of the job.
    fn read(&self, _file: &File) -> io::Result<()> {
        Ok(())
    }

    /// Called on the thread that hashed the file, with its digests.
    fn hashed(&self, _values: &[Computed]) {}
}

/// A job of any kind, which the calling thread and the pool share until it is done.
pub type Shared<'j> = Arc<dyn Job + 'j>;

/// A file to hash.
pub struct Wanted<'a> {
    pub name: &'a [u8],
    pub recipes: &'a [Recipe],
    /// A walk found a regular file of this name. It is an error if the name now belongs to
    /// something else, because opening a fifo would wait for its writer.
    pub regular: bool,
}

/// The identity of a file, whatever its names: its device number and inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(u64, u64);

impl FileId {
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Option<FileId> {
        None
    }
}

/// The error for a file to which standard output is redirected.
#[derive(Debug)]
pub struct IsOutput;

impl fmt::Display for IsOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is the output file")
    }
}

impl Error for IsOutput {}

/// Returns the error for a file whose digest would be of no moment.
pub fn changed() -> io::Error {
    io::Error::other("The file changed while it was read")
}

/// The next item of a source of jobs.
pub enum Next<J> {
    Job(J),
    /// There may be more jobs, but only after waiting.
    Later,
    End,
}

/// Whether a call may block until there is a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Yes,
    No,
}

/// The maximal number of jobs in the pool. It bounds the memory that a long list takes.
pub const WINDOW: usize = 4096;

/// The stack size of each hashing thread, in bytes.
pub const STACK: usize = 512 << 10;

/// How files are hashed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jobs {
    /// The number of files hashed at once; `None` means one for each processor.
    pub count: Option<NonZero<usize>>,
}

impl Jobs {
    #[cfg(test)]
    pub fn of(count: usize) -> Jobs {
        Jobs { count: NonZero::new(count) }
    }

    /// Returns the number of threads to use. Without a count, it is 1 if the address space is
    /// limited (RLIMIT_AS), because the stacks and buffers of the threads could exceed the limit.
    pub fn get(self) -> usize {
        if let Some(jobs) = self.count {
            return jobs.get();
        }
        #[cfg(unix)]
        {
            use rustix::process::{Resource, getrlimit};
            if getrlimit(Resource::As).current.is_some() {
                return 1;
            }
        }
        thread::available_parallelism().map_or(1, NonZero::get)
    }
}
