//! Runs tests on each backend of this machine.

use hashmill::{Algorithm, backend, backend::Info};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The backend that is forced, and by how many tests. The name is empty if no other test may share
/// it.
static FORCED: Mutex<(&str, usize)> = Mutex::new(("", 0));
static RELEASED: Condvar = Condvar::new();

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

/// A guard that forces one backend for the whole process until it is dropped.
pub struct Forced(());

/// Forces a backend for one test. Other tests that force one wait until it ends.
pub fn force(name: &str) -> Forced {
    let mut forced = wait("");
    set(name);
    *forced = ("", 1);
    Forced(())
}

/// Forces a backend for a test that may run beside others on the same backend.
pub fn share(name: &'static str) -> Forced {
    let mut forced = wait(name);
    if forced.1 == 0 {
        set(name);
    }
    *forced = (name, forced.1 + 1);
    Forced(())
}

/// Waits until no backend is forced, or that of this name is shared.
fn wait(name: &str) -> MutexGuard<'static, (&'static str, usize)> {
    let forced = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
    let other = |forced: &mut (&str, usize)| forced.1 > 0 && (forced.0 != name || name.is_empty());
    RELEASED.wait_while(forced, other).unwrap_or_else(PoisonError::into_inner)
}

fn set(name: &str) {
    if name == DEFAULT {
        return;
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
}

impl Drop for Forced {
    fn drop(&mut self) {
        let mut forced = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        forced.1 -= 1;
        if forced.1 == 0 {
            backend::force(None).expect("the best backend is always available");
            RELEASED.notify_all();
        }
    }
}

/// Runs `test` for every algorithm, and on each of its backends for those that [`differs`] names, or
/// for all with `HASHMILL_LONG=1`.
pub fn each(mut test: impl FnMut(Algorithm, &str)) {
    // Compiled once for all tests.
    fn run(test: &mut dyn FnMut(Algorithm, &str)) {
        let all = super::long();
        for name in available() {
            let _forced = force(name);
            let runs =
                |it: &&Algorithm| has(**it, name) && (all || name == DEFAULT || differs(**it));
            Algorithm::ALL.iter().filter(runs).for_each(|&algorithm| test(algorithm, name));
        }
    }
    run(&mut test);
}

/// Whether the block function of an algorithm sees another block, rate or number of rounds than that
/// of the algorithms before it. Truncated SHA-2 differs in its initial state alone, Keccak-256 and
/// SHAKE256 from SHA3-256 in the padding of the last block alone.
fn differs(algorithm: Algorithm) -> bool {
    use Algorithm::*;
    !matches!(algorithm, Sha224 | Sha384 | Sha512_224 | Sha512_256 | Keccak256 | Shake256)
}

/// Runs `test` on each backend of one algorithm.
pub fn each_of(algorithm: Algorithm, mut test: impl FnMut(&str)) {
    for name in available().into_iter().filter(|name| has(algorithm, name)) {
        let _forced = force(name);
        test(name);
    }
}
