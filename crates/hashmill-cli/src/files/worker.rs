//! The work of one thread: it hashes files side by side in the lanes of the vector unit.
//!
//! Small files are read into one buffer and hashed together. Of several large files that wait, each
//! thread opens its share, reads a piece of each in turn, and hashes these pieces together. A file
//! that is alone, or very large, is hashed by itself.

use crate::files::job::{Job, Jobs, Outcome, Wait, Wanted};
use crate::files::queue::{Queue, Task};
use crate::files::reader::{self, Opened};
use crate::hashing::many;
use crate::hashing::recipe::{Computed, Recipe};
use std::fs::File;
use std::io;
use std::ops::Range;

pub struct Worker {
    /// The total number of threads.
    jobs: Jobs,
    /// The contents of small files, one after the other. The first `used` bytes are occupied.
    arena: Vec<u8>,
    used: usize,
}

/// The size of all workers' arenas together, in bytes, unless the limits of a single arena (256 KiB
/// and 2 MiB) prevent it.
const ARENAS: usize = 16 << 20;

/// Small files that have been read, and the positions of their contents in the arena.
type Arena<'j> = Vec<(Task<'j>, Range<usize>)>;

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
    pub fn turn<'j>(&mut self, queue: &Queue<'j>, task: Task<'j>) {
        let (mut held, mut large) = (Vec::new(), Vec::new());
        let mut next = Some(task);
        while let Some(task) = next {
            match self.read(queue, &*task.job, &mut held) {
                Ok(Read::Held(content)) => held.push((task, content)),
                Ok(Read::Hashed(digests)) => queue.finish(vec![(task, Ok(digests))]),
                Ok(Read::Large(file)) => large.push((task, file)),
                Ok(Read::Other) => queue.leave(task),
                Err(error) => queue.finish(vec![(task, Err(error))]),
            }
            if !large.is_empty() && large.len() >= self.share(queue, large.len()) {
                self.flush(queue, &mut held);
                self.side_by_side(queue, std::mem::take(&mut large));
            }
            next = queue.take(Wait::No);
        }
        self.flush(queue, &mut held);
        self.side_by_side(queue, large);
    }

    /// Returns how many large files this thread hashes side by side if it has `taken` of them: the
    /// other threads get their share of those that wait.
    fn share(&self, queue: &Queue, taken: usize) -> usize {
        (taken + queue.waiting()).div_ceil(self.jobs.get()).min(LANES)
    }

    /// Reads a file into the arena if it is small; otherwise hashes it. If the file is large or
    /// does not fit, the files in the arena are hashed first, so that they do not wait and the
    /// arena is empty.
    fn read<'j>(
        &mut self,
        queue: &Queue<'j>,
        job: &dyn Job,
        held: &mut Arena<'j>,
    ) -> io::Result<Read> {
        let Some(wanted) = job.file() else { return Ok(Read::Other) };
        let Opened::Regular(file, metadata) = reader::open(wanted.name, wanted.regular)? else {
            return match wanted.regular {
                false => Ok(Read::Other),
                true => Err(io::Error::other("No longer a regular file")),
            };
        };
        job.opened(&metadata)?;
        let is_large = metadata.len() >= self.large();
        if is_large || metadata.len() >= (self.arena.len() - self.used) as u64 {
            self.flush(queue, held);
        }
        let mut content = self.used..self.used;
        if !is_large {
            let room = &mut self.arena[self.used..];
            let len = reader::fill_sized(&file, metadata.len(), room)?;
            queue.progress.read(len);
            content.end += len;
            // If the arena is full, the file has grown and may have more bytes.
            if content.end < self.arena.len() {
                self.used = content.end;
                job.read(&file)?;
                return Ok(Read::Held(content));
            }
        }
        let in_lanes = || matches!(wanted.recipes, [recipe] if recipe.lane().is_some());
        let digests = if let [recipe] = wanted.recipes
            && metadata.len() >= reader::TREE
            && let Some(tree) = recipe.tree()
            && (self.jobs.get() > 1 || tree.is_faster_on_one_thread())
        {
            let go_on = |len| queue.goes_on(len);
            vec![reader::tree_digest(&file, recipe, &tree, self.jobs, &go_on)?]
        } else if is_large && metadata.len() <= ALONE && in_lanes() {
            reader::will_need(&file);
            return Ok(Read::Large(file));
        } else {
            self.alone(queue, &wanted, &file, &self.arena[content])?
        };
        job.read(&file)?;
        Ok(Read::Hashed(digests))
    }

    /// Hashes `start` and the rest of a file.
    fn alone(&self, queue: &Queue, wanted: &Wanted<'_>, file: &File, start: &[u8]) -> Outcome {
        reader::digests(file, start, wanted.recipes, self.jobs, &mut |len| queue.goes_on(len))
    }

    /// Hashes large files of one recipe each. Those of the same recipe are hashed together. Uses
    /// the arena, which must be empty.
    fn side_by_side<'j>(&mut self, queue: &Queue<'j>, mut large: Vec<(Task<'j>, File)>) {
        while let Some((task, file)) = large.pop() {
            let Some(wanted) = task.job.file() else { continue };
            let same = |(other, _): &mut (Task, File)| {
                other.job.file().is_some_and(|it| it.recipes == wanted.recipes)
            };
            let others: Vec<_> = large.extract_if(.., same).collect();
            if others.is_empty() {
                let outcome = self.alone(queue, &wanted, &file, &[]);
                finish(queue, task, &file, outcome);
            } else {
                let recipe = wanted.recipes[0].clone();
                let files = [(task, file)].into_iter().chain(others);
                self.in_lanes(queue, &recipe, files.collect());
            }
        }
    }

    fn in_lanes<'j>(&mut self, queue: &Queue<'j>, recipe: &Recipe, files: Vec<(Task<'j>, File)>) {
        let Some(hasher) = recipe.lane() else { return };
        let mut hashers = vec![hasher; files.len()];
        let room = self.arena.len() / files.len();
        let mut open: Vec<_> = files.into_iter().map(|(task, file)| (task, file, 0u64)).collect();
        while !open.is_empty() {
            let rooms = self.arena.chunks_exact_mut(room);
            let read: Vec<_> = open
                .iter()
                .zip(rooms)
                .map(|((_, file, _), room)| reader::fill(file, room))
                .collect();
            let pieces: Vec<&[u8]> = read
                .iter()
                .zip(self.arena.chunks_exact(room))
                .map(|(read, room)| &room[..*read.as_ref().unwrap_or(&0)])
                .collect();
            many::update(&mut hashers, &pieces);
            for (index, read) in read.into_iter().enumerate().rev() {
                let read = match read {
                    Ok(_) if queue.is_closed() => Err(io::ErrorKind::Interrupted.into()),
                    read => read,
                };
                let outcome = match read {
                    Ok(len) => {
                        queue.progress.read(len);
                        open[index].2 += len as u64;
                        if len == room {
                            continue;
                        }
                        let digest = hashers[index].finalize();
                        Ok(vec![recipe.of_lane(&digest, open[index].2)])
                    }
                    Err(error) => Err(error),
                };
                hashers.remove(index);
                let (task, file, _) = open.remove(index);
                finish(queue, task, &file, outcome);
            }
        }
    }

    /// Hashes the files in the arena and empties it.
    fn flush<'j>(&mut self, queue: &Queue<'j>, held: &mut Arena<'j>) {
        let contents: Vec<&[u8]> = held.iter().map(|(_, at)| &self.arena[at.clone()]).collect();
        let files = held.iter().map(|(task, _)| task.job.file());
        let wanted: Vec<&[Recipe]> = files.map(|it| it.map_or(&[][..], |it| it.recipes)).collect();
        let digests = many(&wanted, &contents);
        let outcomes = digests.into_iter().map(Ok);
        queue.finish(held.drain(..).map(|(task, _)| task).zip(outcomes).collect());
        self.used = 0;
    }
}

/// Returns a job to the queue after its file was read.
fn finish<'j>(queue: &Queue<'j>, task: Task<'j>, file: &File, outcome: Outcome) {
    let outcome = outcome.and_then(|values| task.job.read(file).map(|()| values));
    queue.finish(vec![(task, outcome)]);
}

/// The number of large files that a thread hashes side by side. They fill the lanes of all
/// algorithms, and each has a piece of 128 KiB or less in the arena.
const LANES: usize = 16;

/// Larger files, in bytes, are hashed alone. The system is asked to read each file as a whole, so
/// that a disk need not seek between their pieces, and the files of all lanes must fit in memory.
const ALONE: u64 = 8 << 20;

enum Read {
    Held(Range<usize>),
    /// A file to hash beside others.
    Large(File),
    Hashed(Vec<Computed>),
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
