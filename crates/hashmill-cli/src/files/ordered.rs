//! Calls a function with the items of an iterator on several threads, and returns the results in
//! the order of the items.

use crate::files::job::STACK;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::vec::IntoIter;

/// The number of items that a thread takes at a time.
const RUN: usize = 128;

/// For each thread, so many finished runs wait for a slow caller. While the next run is in the hands of a
/// slow thread, the caller does at most so many runs for each thread itself. What the other threads
/// finish meanwhile is kept in memory without a limit.
const WAITING: usize = 8;

/// Returns the results of `of` for all `items`, in order. `threads` threads, among them the caller's,
/// work ahead: each takes the next items, which may be a walk through directories, and calls `of`
/// while the others take theirs. A few items are used on the caller's thread alone.
pub fn map<T, R: Send + 'static>(
    threads: usize,
    items: impl Iterator<Item = T> + Send + 'static,
    of: impl Fn(T) -> R + Send + Sync + 'static,
) -> impl Iterator<Item = R> {
    let source = Mutex::new((0, items));
    let run = Arc::new(move || {
        // If a thread has panicked with the lock, the others end, and the caller panics.
        let mut source = source.lock().ok()?;
        let number = source.0;
        let run: Vec<T> = source.1.by_ref().take(RUN).collect();
        source.0 += 1;
        drop(source);
        (!run.is_empty()).then(|| (number, run.into_iter().map(&of).collect()))
    });
    Ordered { threads, run, others: None, early: Vec::new(), next: 0, now: Vec::new().into_iter() }
}

struct Ordered<R, F> {
    threads: usize,
    /// Takes the next items. Returns their results, and the number of the run.
    run: Arc<F>,
    /// The other threads, once they are started, and the runs that they have done.
    others: Option<Others>,
    /// Runs that were done before their turn, and the number of the next one.
    early: Vec<Run<R>>,
    next: u64,
    now: IntoIter<R>,
}

type Run<R> = (u64, Vec<R>);
/// Threads, and their runs of any type, so that the channel is compiled once.
type Others = (Vec<JoinHandle<()>>, Receiver<Box<dyn Any + Send>>);

fn opened<R: 'static>(run: Box<dyn Any + Send>) -> Run<R> {
    *run.downcast().expect("the threads send runs of this type")
}

impl<R: Send + 'static, F: Fn() -> Option<Run<R>> + Send + Sync + 'static> Ordered<R, F> {
    /// Starts the other threads. If one cannot be started, the others do its work.
    fn start(&self) -> Others {
        let (sender, done) = sync_channel::<Box<dyn Any + Send>>(WAITING * self.threads);
        let start = |_| {
            let (run, sender) = (self.run.clone(), sender.clone());
            let work = move || while run().is_some_and(|run| sender.send(Box::new(run)).is_ok()) {};
            Builder::new().stack_size(STACK).spawn(work).ok()
        };
        ((1..self.threads).filter_map(start).collect(), done)
    }

    /// Waits for a run of another thread. Returns `None` if there are no more.
    fn wait(&mut self) -> Option<Run<R>> {
        let (threads, done) = self.others.as_mut()?;
        let run = done.recv().ok().map(opened);
        if run.is_none() {
            for thread in threads.drain(..) {
                thread.join().unwrap_or_else(|payload| resume_unwind(payload));
            }
        }
        run
    }
}

impl<R: Send + 'static, F: Fn() -> Option<Run<R>> + Send + Sync + 'static> Iterator
    for Ordered<R, F>
{
    type Item = R;

    fn next(&mut self) -> Option<R> {
        loop {
            if let Some(result) = self.now.next() {
                return Some(result);
            }
            if let Some(at) = self.early.iter().position(|run| run.0 == self.next) {
                self.next += 1;
                self.now = self.early.swap_remove(at).1.into_iter();
                if self.others.is_none() && self.now.len() == RUN {
                    self.others = Some(self.start());
                }
                continue;
            }
            let done = self.others.as_ref().and_then(|(_, done)| done.try_recv().ok().map(opened));
            // If the next run is missing, another thread does it.
            let is_far = self.early.len() >= WAITING * self.threads;
            let own = || if is_far { None } else { (self.run)() };
            let run = done.or_else(own).or_else(|| self.wait())?;
            self.early.push(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn the_order_is_kept() {
        for len in [0, 1, RUN - 1, RUN, RUN + 1, 100 * RUN + 7] {
            for threads in 1..5 {
                let squares = map(threads, 0..len, |it| it * it);
                assert!(squares.eq((0..len).map(|it| it * it)), "{len} {threads}");
            }
        }
    }

    /// Of a walk that is faster than the caller, only some runs are kept in memory. With one thread beside
    /// the caller's, no other can be ahead of one that the system lets wait.
    #[test]
    fn a_slow_caller() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let threads = 2;
        for taken in map(threads, 0..1000 * RUN, |it| (MADE.fetch_add(1, Relaxed), it).1) {
            if taken % RUN == 0 {
                sleep(Duration::from_micros(200));
                let ahead = MADE.load(Relaxed) - taken;
                assert!(ahead <= 3 * WAITING * threads * RUN, "{ahead} after {taken}");
            }
        }
    }

    /// A caller that stops early does not wait, and a panic of any thread reaches the caller.
    #[test]
    fn ends() {
        assert_eq!(map(4, 0.., |it| it).nth(9 * RUN), Some(9 * RUN));
        let end = 50 * RUN;
        let of = move |it| if it == end { panic!("this is meant to fail") } else { it };
        assert!(catch_unwind(|| map(4, 0..2 * end, of).count()).is_err());
        let items = (0..2 * end).map(of);
        assert!(catch_unwind(|| map(4, items, |it| it).count()).is_err());
    }
}
