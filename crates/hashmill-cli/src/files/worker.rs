//! The work of one thread: it hashes small files side by side in the lanes of the vector unit, and
//! large files one at a time.

use crate::files::job::{FileId, IsOutput, Job, Jobs, Wait};
use crate::files::queue::{Held, Queue, Task};
use crate::files::reader::{self, Opened};
use crate::hashing::recipe::{Computed, Recipe};
use std::fs::Metadata;
use std::io;
use std::ops::Range;

pub struct Worker {
    /// The total number of threads, and whether files are mapped.
    jobs: Jobs,
    /// The contents of small files, one after the other. The first `used` bytes are occupied.
    arena: Vec<u8>,
    used: usize,
}

/// The size of all workers' arenas together, in bytes, unless the limits of a single arena (256 KiB
/// and 2 MiB) prevent it.
const ARENAS: usize = 16 << 20;

/// Small files that have been read, and the positions of their contents in the arena.
type Arena<J> = Vec<(Held<J>, Range<usize>)>;

impl Worker {
    /// Creates one of `workers` workers.
    pub fn new(workers: usize, jobs: Jobs) -> Worker {
        Worker { jobs, arena: vec![0; (ARENAS / workers).clamp(256 << 10, 2 << 20)], used: 0 }
    }

    /// Returns the size in bytes from which files are hashed alone.
    fn large(&self) -> u64 {
        self.arena.len() as u64 / 4
    }

    /// Hashes the file of `task` and of all tasks that can then be taken without waiting. Small
    /// files are collected in the arena and hashed together.
    pub fn turn<J: Job>(&mut self, queue: &Queue<J>, task: Task<J>) {
        let mut held = Vec::new();
        let mut next = Some(task);
        while let Some(task) = next {
            match self.read(queue, &task.job, &mut held) {
                Ok(Read::Held(content, after)) => held.push((Held { task, after }, content)),
                Ok(Read::Hashed(digests, after)) => {
                    queue.finish([(Held { task, after }, Ok(digests))]);
                }
                Ok(Read::Other) => queue.leave(task),
                Err(error) => queue.finish([(Held { task, after: None }, Err(error))]),
            }
            next = queue.take(Wait::No);
        }
        self.flush(queue, &mut held);
    }

    /// Reads a file into the arena if it is small; otherwise hashes it. If the file is large or
    /// does not fit, the files in the arena are hashed first, so that they do not wait and the
    /// arena is empty.
    fn read<J: Job>(&mut self, queue: &Queue<J>, job: &J, held: &mut Arena<J>) -> io::Result<Read> {
        let Some(wanted) = job.file() else { return Ok(Read::Other) };
        let Opened::Regular(file, metadata) = reader::open(wanted.name, wanted.regular)? else {
            return match wanted.regular {
                false => Ok(Read::Other),
                true => Err(io::Error::other("No longer a regular file")),
            };
        };
        if wanted.except.is_some() && wanted.except == FileId::of(&metadata) {
            return Err(io::Error::other(IsOutput));
        }
        let is_large = metadata.len() >= self.large();
        if is_large || metadata.len() >= (self.arena.len() - self.used) as u64 {
            self.flush(queue, held);
        }
        let after = || if wanted.watched { file.metadata().map(Some) } else { Ok(None) };
        let mut content = self.used..self.used;
        if !is_large {
            let room = &mut self.arena[self.used..];
            let len = reader::fill(&file, room)?;
            queue.progress.read(len);
            content.end += len;
            // If the arena is full, the file has grown and may have more bytes.
            if content.end < self.arena.len() {
                self.used = content.end;
                return Ok(Read::Held(content, after()?));
            }
        }
        if let [recipe] = wanted.recipes
            && metadata.len() >= reader::TREE
            && let (Some(tree), 2..) = (recipe.tree(), self.jobs.get())
        {
            let go_on = |len| {
                queue.progress.read(len);
                !queue.is_closed()
            };
            let digest = reader::tree_digest(&file, recipe, &tree, self.jobs, &go_on)?;
            return Ok(Read::Hashed(vec![digest], after()?));
        }
        let start = &self.arena[content];
        let go_on = &mut |len| {
            queue.progress.read(len);
            !queue.is_closed()
        };
        let digests = reader::digests(&file, start, wanted.recipes, self.jobs, go_on)?;
        Ok(Read::Hashed(digests, after()?))
    }

    /// Hashes the files in the arena and empties it.
    fn flush<J: Job>(&mut self, queue: &Queue<J>, held: &mut Arena<J>) {
        let contents: Vec<&[u8]> = held.iter().map(|(_, at)| &self.arena[at.clone()]).collect();
        let files = held.iter().map(|(held, _)| held.task.job.file());
        let wanted: Vec<&[Recipe]> = files.map(|it| it.map_or(&[][..], |it| it.recipes)).collect();
        let digests = many(&wanted, &contents);
        let outcomes = digests.into_iter().map(Ok);
        queue.finish(held.drain(..).map(|(held, _)| held).zip(outcomes));
        self.used = 0;
    }
}

enum Read {
    Held(Range<usize>, Option<Metadata>),
    Hashed(Vec<Computed>, Option<Metadata>),
    /// Not a regular file.
    Other,
}

/// Computes the digests that `wanted` asks of each content. All digests with the same recipe are
/// computed side by side.
fn many(wanted: &[&[Recipe]], contents: &[&[u8]]) -> Vec<Vec<Computed>> {
    let mut kinds: Vec<(&Recipe, Vec<&[u8]>)> = Vec::new();
    for (&digests, &content) in wanted.iter().zip(contents) {
        for digest in digests {
            match kinds.iter_mut().find(|(kind, _)| *kind == digest) {
                Some((_, messages)) => messages.push(content),
                None => kinds.push((digest, vec![content])),
            }
        }
    }
    // The values of each kind are in the order in which they were requested.
    let mut values: Vec<_> = kinds
        .iter()
        .map(|(digest, messages)| (*digest, digest.hash_many(messages).into_iter()))
        .collect();
    let mut value = |digest: &Recipe| {
        values.iter_mut().find(|(kind, _)| *kind == digest).and_then(|(_, values)| values.next())
    };
    wanted.iter().map(|digests| digests.iter().filter_map(&mut value).collect()).collect()
}
