//! Runs tests on each backend of this machine.

use hashmill::{Algorithm, backend, backend::Info};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FORCED: Mutex<()> = Mutex::new(());

/// The name of the choice that is made if no backend is forced: for one message the best backend,
/// and for a batch the best backend for each number of messages, so that one call may use several.
pub const DEFAULT: &str = "default";

/// Returns `DEFAULT` and the names of the backends that this CPU can run.
pub fn available() -> Vec<&'static str> {
    let runs = |name: &&str| Algorithm::ALL.iter().any(|&algorithm| has(algorithm, name));
    [DEFAULT].into_iter().chain(backend::names().filter(runs)).collect()
}

/// Returns whether `algorithm` has a backend of that name that this CPU can run.
pub fn has(algorithm: Algorithm, name: &str) -> bool {
    name == DEFAULT || algorithm.backends().any(|b| b.name == name && b.available)
}

/// A guard that forces one backend for the whole process until it is dropped. Other threads that
/// call [`force`] wait until then.
pub struct Forced(MutexGuard<'static, ()>);

pub fn force(name: &str) -> Forced {
    let guard = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
    if name == DEFAULT {
        return Forced(guard);
    }
    backend::force(Some(name)).expect("an available backend");
    for &algorithm in Algorithm::ALL {
        let all: Vec<_> = algorithm.backends().collect();
        let expected = |is: fn(&Info) -> bool| {
            let there = all.iter().any(|b| b.name == name && b.available && is(b));
            Some(if there { name } else { "portable" })
        };
        let one = all.iter().find(|b| b.one).map(|b| b.name);
        let many = all.iter().find(|b| b.many).map(|b| b.name);
        assert_eq!(one, expected(|b| b.lanes == 1), "{algorithm}, {name} forced: one message");
        assert_eq!(many, expected(|_| true), "{algorithm}, {name} forced: many messages");
    }
    Forced(guard)
}

impl Drop for Forced {
    fn drop(&mut self) {
        backend::force(None).expect("the best backend is always available");
    }
}

/// Runs `test` for every algorithm on each of its backends.
pub fn each(mut test: impl FnMut(Algorithm, &str)) {
    for name in available() {
        let _forced = force(name);
        for &algorithm in Algorithm::ALL.iter().filter(|&&algorithm| has(algorithm, name)) {
            test(algorithm, name);
        }
    }
}

/// Runs `test` on each backend of one algorithm.
pub fn each_of(algorithm: Algorithm, mut test: impl FnMut(&str)) {
    for name in available().into_iter().filter(|name| has(algorithm, name)) {
        let _forced = force(name);
        test(name);
    }
}
