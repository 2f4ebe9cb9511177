//! What passes through the pool: jobs, what comes of them, and how many are worked on at once.

use crate::hashing::recipe::{Computed, Recipe};
use std::error::Error;
use std::fmt;
use std::fs::Metadata;
use std::io;
use std::num::NonZero;
use std::thread;

/// The digests of a file, in the order of the recipes.
pub type Outcome = io::Result<Vec<Computed>>;

/// Something that passes through the pool in its order. Most jobs are files to hash.
pub trait Job: Send {
    /// The file to hash, if this job is about a file.
    fn file(&self) -> Option<Wanted<'_>>;

    /// Called when the file is hashed, on the thread that hashed it; with what the system knew of
    /// the file after it was read, if it is watched. The returned outcome is the one that counts.
    fn hashed(&self, outcome: Outcome, _after: Option<&Metadata>) -> Outcome {
        outcome
    }
}

/// A file to hash.
pub struct Wanted<'a> {
    pub name: &'a [u8],
    pub recipes: &'a [Recipe],
    /// A walk found a regular file of this name. If it is something else by now, that is an error:
    /// opening a fifo would wait for its writer.
    pub regular: bool,
    /// Whether the system is asked about the file when it has been read.
    pub watched: bool,
    /// This file is not hashed: the outcome is the error [`IsOutput`].
    pub except: Option<FileId>,
}

/// A file, whatever its names: its device and inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The file is the one to which the output goes.
#[derive(Debug)]
pub struct IsOutput;

impl fmt::Display for IsOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is where the output goes")
    }
}

impl Error for IsOutput {}

/// What a source of jobs answers.
pub enum Next<J> {
    Job(J),
    /// There may be more jobs, but only after waiting.
    Later,
    End,
}

/// Whether a source may wait for its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Yes,
    No,
}

/// The largest number of jobs in the pool. It bounds the memory that a long list takes.
pub const WINDOW: usize = 4096;

/// The stack of every thread that hashes, in bytes.
pub const STACK: usize = 512 << 10;

/// How files are hashed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jobs {
    /// How many at once; `None` for as many as there are processors.
    pub count: Option<NonZero<usize>>,
    /// Long files are mapped into memory where that is faster.
    pub mapped: bool,
}

impl Jobs {
    #[cfg(test)]
    pub fn of(count: usize) -> Jobs {
        Jobs { count: NonZero::new(count), mapped: false }
    }

    /// Where the address space is limited, the threads' stacks and buffers would take all of it.
    pub fn get(self) -> usize {
        #[cfg(unix)]
        let limited = {
            use rustix::process::{Resource, getrlimit};
            getrlimit(Resource::As).current.is_some()
        };
        #[cfg(not(unix))]
        let limited = false;
        match self.count {
            Some(jobs) => jobs.get(),
            None if limited => 1,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        }
    }
}
