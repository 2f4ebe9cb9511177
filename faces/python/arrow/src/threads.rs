//! The pools of threads that hash batches.

use crate::trouble::Trouble;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

/// The largest number of threads that a call may request.
pub const MOST_THREADS: usize = 1024;

/// Returns the pool of `threads` threads: 1 means the calling thread, 0 one thread for each core.
pub fn pool(threads: usize) -> Result<Option<Arc<ThreadPool>>, Trouble> {
    match threads {
        0 => Ok(all_cores()),
        1 => Ok(None),
        2..=MOST_THREADS => match of(threads) {
            Some(pool) => Ok(Some(pool)),
            None => Err(Trouble::Value("the threads cannot be started".into())),
        },
        _ => Err(Trouble::Value(format!("threads is at most {MOST_THREADS}"))),
    }
}

/// Returns a pool with a thread for each core; None if there is one core, or if no thread can be
/// started.
pub fn all_cores() -> Option<Arc<ThreadPool>> {
    match std::thread::available_parallelism().map_or(1, NonZero::get) {
        1 => None,
        cores => of(cores),
    }
}

/// The pools of a process, in the order in which they were requested.
struct Pools {
    process: u32,
    pools: Vec<Arc<ThreadPool>>,
}

/// Returns the pool of this process with that many threads. Threads take 100 µs to start, so a pool
/// is kept once it exists; its threads sleep between calls.
///
/// None of them is rayon's global pool: the threads of a pool do not exist in a process that `fork`
/// created, as Python's multiprocessing does, and a call that used them would wait forever. Such a
/// process starts with no pools.
fn of(threads: usize) -> Option<Arc<ThreadPool>> {
    static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });
    let mut kept = POOLS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let process = std::process::id();
    if kept.process != process {
        // The pools of the parent process are not dropped, because their threads would not answer.
        std::mem::forget(std::mem::replace(&mut *kept, Pools { process, pools: Vec::new() }));
    }
    if let Some(pool) = kept.pools.iter().find(|pool| pool.current_num_threads() == threads) {
        return Some(pool.clone());
    }
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().ok()?);
    kept.pools.push(pool.clone());
    Some(pool)
}
