//! The window of jobs between the calling thread and the workers.

use crate::files::job::{Outcome, Shared, Wait};
use crate::terminal::progress::Progress;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub struct Queue<'j> {
    window: Mutex<Window<'j>>,
    /// Wakes workers: there are jobs to take, or the queue was closed.
    filled: Condvar,
    /// Wakes the calling thread: the job at the front is ready for it.
    emptied: Condvar,
    closed: AtomicBool,
    /// Whether a worker has panicked. The jobs that it had taken will never be done.
    failed: AtomicBool,
    pub progress: Progress,
}

struct Window<'j> {
    slots: VecDeque<Slot<'j>>,
    /// The number of the job in the first slot, counted from 0 over the whole run.
    first: u64,
    /// The index of the first slot that may contain a job to take.
    next: usize,
    /// The number of workers that wait for jobs. `push` wakes no more than that, because each
    /// wake-up may cost a system call.
    waiting: usize,
}

enum Slot<'j> {
    Waiting(Shared<'j>),
    Taken,
    Ready(Ready<'j>),
}

/// A job that a worker has taken.
pub struct Task<'j> {
    number: u64,
    pub job: Shared<'j>,
}

/// A job that the calling thread can take from the front of the window.
pub enum Ready<'j> {
    Done(Option<Outcome>),
    /// A job whose input the calling thread must read.
    InTurn(Shared<'j>),
}

/// The number of jobs that the calling thread adds or removes under one lock. One job at a time
/// would contend for the lock.
pub const RUN: usize = 64;

impl<'j> Queue<'j> {
    pub fn new(progress: Progress) -> Queue<'j> {
        Queue {
            window: Mutex::new(Window { slots: VecDeque::new(), first: 0, next: 0, waiting: 0 }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            progress,
        }
    }

    /// Locks the window. A poisoned lock is accepted, because no code that holds it leaves the
    /// window in an inconsistent state.
    fn lock(&self) -> MutexGuard<'_, Window<'j>> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn len(&self) -> usize {
        self.lock().slots.len()
    }

    /// Adds jobs at the end. Returns whether the front is ready for the calling thread.
    pub fn push(&self, jobs: &mut Vec<Shared<'j>>) -> bool {
        let mut window = self.lock();
        let mut waiting = 0;
        for job in jobs.drain(..) {
            let slot = match job.file().map(|file| file.name == b"-") {
                None => Slot::Ready(Ready::Done(None)),
                Some(true) => Slot::Ready(Ready::InTurn(job)),
                Some(false) => {
                    waiting += 1;
                    Slot::Waiting(job)
                }
            };
            window.slots.push_back(slot);
        }
        for _ in 0..waiting.min(window.waiting) {
            self.filled.notify_one();
        }
        window.front_is_ready()
    }

    /// Returns an upper bound of the number of jobs that wait.
    pub fn waiting(&self) -> usize {
        let window = self.lock();
        window.slots.len() - window.next
    }

    /// Takes the next waiting job. With `Wait::No`, returns `None` if there is none. With
    /// `Wait::Yes`, waits for one and returns `None` only after the queue was closed.
    pub fn take(&self, wait: Wait) -> Option<Task<'j>> {
        let mut window = self.lock();
        loop {
            if self.is_closed() {
                return None;
            }
            if let Some(task) = window.take() {
                return Some(task);
            }
            if wait == Wait::No {
                return None;
            }
            window.waiting += 1;
            window = self.filled.wait(window).unwrap_or_else(PoisonError::into_inner);
            window.waiting -= 1;
        }
    }

    /// Returns jobs to the window with their outcomes. From then on, nothing else shares the jobs with
    /// the calling thread.
    pub fn finish(&self, tasks: Vec<(Task<'j>, Outcome)>) {
        let outcome = |(Task { number, job }, outcome): (Task, Outcome)| {
            outcome.iter().for_each(|values| job.hashed(values));
            (number, Ready::Done(Some(outcome)))
        };
        self.put(tasks.into_iter().map(outcome).collect());
    }

    /// Returns a job to the window for the calling thread to read.
    pub fn leave(&self, task: Task<'j>) {
        self.put(vec![(task.number, Ready::InTurn(task.job))]);
    }

    fn put(&self, jobs: Vec<(u64, Ready<'j>)>) {
        let mut window = self.lock();
        for (number, job) in jobs {
            let index = (number - window.first) as usize;
            window.slots[index] = Slot::Ready(job);
        }
        if window.front_is_ready() {
            self.emptied.notify_one();
        }
    }

    /// Takes up to [`RUN`] jobs that are ready from the front of the window. Returns `None` if the
    /// window is empty.
    pub fn front(&self) -> Option<Vec<Ready<'j>>> {
        let mut window = self.lock();
        let mut ready = Vec::new();
        if window.slots.is_empty() {
            return None;
        }
        while ready.len() < RUN && window.front_is_ready() {
            window.first += 1;
            window.next = window.next.saturating_sub(1);
            if let Some(Slot::Ready(job)) = window.slots.pop_front() {
                ready.push(job);
            }
        }
        Some(ready)
    }

    /// Records that a worker has panicked, and wakes the calling thread.
    pub fn fail(&self) {
        let _window = self.lock();
        self.failed.store(true, Relaxed);
        self.emptied.notify_all();
    }

    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Waits until the front is ready for the calling thread, or a worker has panicked.
    pub fn wait(&self) {
        let mut window = self.lock();
        while !window.front_is_ready() && !self.has_failed() {
            window = self.emptied.wait(window).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Closes the queue: no more jobs will come, and the workers stop.
    pub fn close(&self) {
        let _window = self.lock();
        self.closed.store(true, Relaxed);
        self.filled.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Shows that `len` bytes were read. Returns whether to go on, which the closing of the queue
    /// ends.
    pub fn goes_on(&self, len: usize) -> bool {
        self.progress.read(len);
        !self.is_closed()
    }
}

impl<'j> Window<'j> {
    fn front_is_ready(&self) -> bool {
        matches!(self.slots.front(), Some(Slot::Ready(_)))
    }

    fn take(&mut self) -> Option<Task<'j>> {
        while let Some(slot) = self.slots.get_mut(self.next) {
            let number = self.first + self.next as u64;
            self.next += 1;
            match std::mem::replace(slot, Slot::Taken) {
                Slot::Waiting(job) => return Some(Task { number, job }),
                other => *slot = other,
            }
        }
        None
    }
}
