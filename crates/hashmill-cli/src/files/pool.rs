//! Hashes files in parallel and returns the results in the order in which the files came.
//!
//! ```text
//! source ──> [ done, done, taken, done, taken, waiting, waiting, … ] at most WINDOW jobs
//!               │ in order          ▲ │
//!               ▼                   │ ▼ several at a time
//!             output               workers
//! ```
//!
//! The calling thread adds jobs at the end of the window and removes finished jobs from its front.
//! It hashes the files itself while there is too little work for threads. It also reads every input
//! that is not a regular file itself, when that input is at the front, so that pipes are read one
//! after the other in the order in which they were named.

use crate::files::job::{Job, Jobs, Next, Outcome, STACK, Shared, WINDOW, Wait, Wanted};
use crate::files::queue::{Queue, RUN, Ready};
use crate::files::worker::Worker;
use crate::files::{input, reader};
use crate::terminal::console::{Console, Failure};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, Scope};

pub type Source<'a, J> = dyn FnMut(Wait) -> Next<J> + 'a;

/// A callback that receives each job and, if the job has a file, its outcome.
pub type Done<'a, J> = dyn FnMut(&mut Console, J, Option<Outcome>) -> Result<(), Failure> + 'a;

/// Passes all jobs of `source` through the pool and calls `done` with them in order.
pub fn run<J: Job>(
    console: &mut Console,
    jobs: Jobs,
    source: &mut Source<'_, J>,
    done: &mut Done<'_, J>,
) -> Result<(), Failure> {
    // The pool is compiled once, for jobs of any kind. The others wait here until they are done.
    let waiting = RefCell::new(VecDeque::new());
    let mut shared = |wait| match source(wait) {
        Next::Job(job) => {
            let job = Arc::new(job);
            waiting.borrow_mut().push_back(job.clone());
            Next::Job(job as Shared)
        }
        Next::Later => Next::Later,
        Next::End => Next::End,
    };
    run_shared(console, jobs, &mut shared, &mut |console, outcome| {
        let job = waiting.borrow_mut().pop_front().and_then(Arc::into_inner);
        done(console, job.expect("a job that is done is no longer shared"), outcome)
    })
}

type SharedDone<'a> = dyn FnMut(&mut Console, Option<Outcome>) -> Result<(), Failure> + 'a;

fn run_shared<'j>(
    console: &mut Console,
    jobs: Jobs,
    source: &mut Source<'_, Shared<'j>>,
    done: &mut SharedDone,
) -> Result<(), Failure> {
    let queue = Queue::new(console.progress.clone());
    thread::scope(|scope| {
        let mut crew = Crew { queue: &queue, scope, jobs, work: Work::Little(0, 0), worker: None };
        let result = crew.run(console, source, done);
        queue.close();
        result
    })
}

/// The calling thread and the workers of a queue.
struct Crew<'scope, 'env, 'j> {
    queue: &'scope Queue<'j>,
    scope: &'scope Scope<'scope, 'env>,
    jobs: Jobs,
    work: Work,
    /// The worker of the calling thread, as long as there are no other threads.
    worker: Option<Worker>,
}

/// The amount of work so far.
enum Work {
    /// The numbers of files and of bytes, which are too small for threads.
    Little(usize, u64),
    /// Enough for threads. `threads` is the number that were started; it may be 0.
    Enough { threads: usize },
}

/// Threads are started for more files than `FILES`, or for several files that have at least `BYTES`
/// bytes together. Less work does not repay the start of threads.
const FILES: usize = 16;
const BYTES: u64 = 1 << 20;

impl<'j> Crew<'_, '_, 'j> {
    fn run(
        &mut self,
        console: &mut Console,
        source: &mut Source<'_, Shared<'j>>,
        done: &mut SharedDone,
    ) -> Result<(), Failure> {
        let mut ended = false;
        let mut jobs = Vec::new();
        loop {
            let mut more = !ended;
            let mut len = self.queue.len();
            while more && len < self.window() {
                // The source may wait now, so the output that is finished is written first.
                let wait = if len == 0 { Wait::Yes } else { Wait::No };
                if wait == Wait::Yes {
                    console.flush()?;
                }
                match source(wait) {
                    Next::Job(job) => {
                        self.consider(&*job);
                        jobs.push(job);
                        len += 1;
                    }
                    Next::Later => more = false,
                    Next::End => (ended, more) = (true, false),
                }
                if jobs.len() == RUN || len < RUN {
                    more &= !self.queue.push(&mut jobs);
                }
            }
            if !jobs.is_empty() {
                self.queue.push(&mut jobs);
            }
            let Some(ready) = self.queue.front() else {
                match ended {
                    true => return Ok(()),
                    false => continue,
                }
            };
            if ready.is_empty() {
                if self.queue.has_failed() {
                    return Err(console.fatal("a thread that hashes files has panicked"));
                }
                console.flush()?;
                self.wait();
            }
            for ready in ready {
                let outcome = match ready {
                    Ready::Done(outcome) => outcome,
                    Ready::InTurn(job) => {
                        console.flush()?;
                        job.file().map(|file| self.read_in_turn(console, &file))
                    }
                };
                done(console, outcome)?;
            }
        }
    }

    /// Returns the maximal number of jobs in the window. It is small if the calling thread hashes
    /// itself, because that thread writes no output meanwhile.
    fn window(&self) -> usize {
        if let Work::Enough { threads: 1.. } = self.work { WINDOW } else { 4 * FILES }
    }

    /// Counts `job`, and starts the threads as soon as there is enough work.
    fn consider(&mut self, job: &dyn Job) {
        let (Work::Little(files, bytes), Some(file)) = (&mut self.work, job.file()) else {
            return;
        };
        *files += 1;
        let len = std::fs::metadata(input::os_name(file.name)).map_or(0, |it| it.len());
        // Sparse files may say any length.
        *bytes = bytes.saturating_add(len);
        if *files > FILES || *files > 1 && *bytes >= BYTES {
            let jobs = self.jobs.get();
            let threads = if jobs > 1 { (0..jobs).filter(|_| self.start(jobs)).count() } else { 0 };
            self.work = Work::Enough { threads };
        }
    }

    fn start(&self, jobs: usize) -> bool {
        let queue = self.queue;
        let all = Jobs { count: NonZero::new(jobs) };
        let work = move || {
            let worked = catch_unwind(AssertUnwindSafe(|| {
                let mut worker = Worker::new(jobs, all);
                while let Some(task) = queue.take(Wait::Yes) {
                    worker.turn(queue, task);
                }
            }));
            if worked.is_err() {
                queue.fail();
            }
        };
        let builder = thread::Builder::new().stack_size(STACK);
        builder.spawn_scoped(self.scope, work).is_ok()
    }

    /// Waits until the job at the front of the queue is done. Without other threads, hashes waiting
    /// files on this one.
    fn wait(&mut self) {
        if let Work::Enough { threads: 1.. } = self.work {
            return self.queue.wait();
        }
        let jobs = self.jobs;
        let worker = self.worker.get_or_insert_with(|| Worker::new(1, jobs));
        if let Some(task) = self.queue.take(Wait::No) {
            worker.turn(self.queue, task);
        }
    }

    fn read_in_turn(&self, console: &Console, wanted: &Wanted<'_>) -> Outcome {
        let file = console.open(wanted.name)?;
        reader::digests(&file, &[], wanted.recipes, self.jobs, &mut |len| {
            self.queue.progress.read(len);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::recipe::{Computed, Recipe};
    use std::ffi::OsStr;

    struct Fragile(Vec<Recipe>, usize);

    impl Job for Fragile {
        fn file(&self) -> Option<Wanted<'_>> {
            Some(Wanted { name: b"/dev/null", recipes: &self.0, regular: false })
        }

        fn hashed(&self, _: &[Computed]) {
            assert!(self.1 != 50, "this is meant to fail");
        }
    }

    struct File(tempfile::NamedTempFile, Fragile);

    impl Job for File {
        fn file(&self) -> Option<Wanted<'_>> {
            let name = self.0.path().as_os_str().as_encoded_bytes();
            Some(Wanted { name, ..self.1.file()? })
        }

        fn hashed(&self, values: &[Computed]) {
            self.1.hashed(values);
        }
    }

    /// A worker that panics ends the run with an error, and no thread waits for the jobs that it
    /// had taken.
    #[test]
    fn a_panic_is_an_error() {
        let mut console = Console::new(OsStr::new("test"));
        let mut left = 0..100;
        let mut source = |_| match left.next() {
            Some(i) => {
                let recipes = vec![Recipe::of(hashmill::Algorithm::Sha256)];
                Next::Job(File(tempfile::NamedTempFile::new().unwrap(), Fragile(recipes, i)))
            }
            None => Next::End,
        };
        let jobs = Jobs::of(2);
        let result = run(&mut console, jobs, &mut source, &mut |_, _, _| Ok(()));
        assert_eq!(result.unwrap_err().status, 1);
    }
}
