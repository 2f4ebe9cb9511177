//! Which backend runs: none that the CPU cannot, whatever is asked for. That those found can run is seen by running
//! them: `cargo xtask masked`.

use crate::common::backends;
use hashmill::{Algorithm, Error, backend, self_test};

/// Whoever asks for a backend gets what the CPU can run, or an error.
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
