//! The choice of a backend: whatever the caller asks for, only backends that the CPU supports run.
//! `cargo xtask test masked` runs the backends that are detected, to show that they can run.

use crate::common::backends;
use hashmill::{Algorithm, Error, backend, self_test};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A caller that forces a backend gets one that the CPU can run, or an error.
#[test]
fn overrides_claim_nothing() {
    let _alone = backends::force(backends::DEFAULT);
    let available = || -> Vec<bool> {
        Algorithm::ALL.iter().flat_map(|a| a.backends()).map(|b| b.available).collect()
    };
    let before = available();
    for name in backend::names().chain(["", "avx1024", "AVX2", "portable "]) {
        let of_that_name = || {
            let all = Algorithm::ALL.iter().flat_map(|algorithm| algorithm.backends());
            all.filter(|backend| backend.name == name)
        };
        let expected = if of_that_name().any(|backend| backend.available) {
            Ok(())
        } else if of_that_name().count() > 0 {
            Err(Error::BackendNotAvailable)
        } else {
            Err(Error::UnknownBackend)
        };
        assert_eq!(backend::force(Some(name)), expected, "{name}");
        assert_eq!(available(), before, "{name}");
        for &algorithm in Algorithm::ALL {
            let mut used = algorithm.backends().filter(|backend| backend.one || backend.many);
            assert!(used.all(|backend| backend.available), "{algorithm}, {name}");
        }
        assert_eq!(backend::force(None), Ok(()));
    }
    assert_eq!(self_test(), Ok(()));
}

/// A name with a number of lanes forces that row of the table, on batches that fill the lanes and that
/// do not. No other number is accepted.
#[test]
fn a_number_of_lanes_can_be_forced() {
    let _alone = backends::force(backends::DEFAULT);
    let messages: Vec<Vec<u8>> = (0..45).map(|i| vec![i as u8; 7 * i]).collect();
    for &algorithm in Algorithm::ALL {
        let expected: Vec<_> = messages.iter().map(|message| algorithm.hash(message)).collect();
        for row in algorithm.backends().filter(|row| row.available) {
            let name = format!("{}:{}", row.name, row.lanes);
            assert_eq!(backend::force(Some(&name)), Ok(()), "{name}");
            let used = algorithm.backends().find(|row| row.many);
            assert_eq!(used.map(|used| (used.name, used.lanes)), Some((row.name, row.lanes)));
            for count in [1, 3, row.lanes - 1, row.lanes, row.lanes + 1, messages.len()] {
                let mut digests = vec![0; count * expected[0].len()];
                algorithm.hasher().hash_many(&messages[..count], &mut digests[..]).expect("places");
                let same = digests
                    .chunks(expected[0].len())
                    .zip(&expected)
                    .all(|(got, is)| *got == is[..]);
                assert!(same, "{algorithm}, {count} messages, {name}");
            }
            assert_eq!(backend::force(None), Ok(()));
        }
    }
    for name in ["portable:", "portable:0", "portable:3", "portable:64", "portable:1:1"] {
        assert_eq!(backend::force(Some(name)), Err(Error::UnknownBackend), "{name}");
    }
}

/// A thread that chooses a backend while another thread forces one must not store its outdated
/// choice.
#[test]
fn a_choice_made_meanwhile_is_not_kept() {
    let _alone = backends::force(backends::DEFAULT);
    let chosen = || Algorithm::Sha256.backends().find(|b| b.one).map(|b| b.name);
    let (best, done) = (chosen(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::black_box(hashmill::sha256(b""));
                }
            });
        }
        let mut found = Vec::new();
        for _ in 0..50_000 {
            for name in [Some("portable"), None] {
                backend::force(name).expect("portable is always there");
                // Long enough for the other threads to finish choosing.
                (0..100).for_each(|_| std::hint::spin_loop());
                found.push(chosen());
            }
        }
        done.store(true, Relaxed);
        for both in found.chunks(2) {
            assert_eq!(both, [Some("portable"), best]);
        }
    });
}
