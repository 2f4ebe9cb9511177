//! The functions of the C interface that list and force backends, and the self-test.

use crate::status::Failure;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::null;
use hashmill::{Error, backend, self_test};

/// The names of the backends of all targets as C strings, because the strings of the Rust library
/// do not end with a zero byte.
const NAMES: [&CStr; 10] = [
    c"avx512",
    c"avx512vl",
    c"sha512",
    c"sha",
    c"avx2",
    c"bmi2",
    c"sha3",
    c"neon",
    c"simd128",
    c"portable",
];

/// Returns the name of the backend at `index`, the best one first, or NULL if `index` is past the
/// last one.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_backend_name(index: usize) -> *const c_char {
    let name = backend::names().nth(index);
    let text = name.and_then(|name| NAMES.iter().find(|text| text.to_bytes() == name.as_bytes()));
    text.map_or(null(), |text| text.as_ptr())
}

entry! {
    /// Makes the whole process use the backend of this name; NULL restores the choice of the best.
    fn hashmill_backend_force(name: *const c_char) {
        let name = (!name.is_null()).then(|| CStr::from_ptr(name).to_str()).transpose();
        backend::force(name.map_err(|_| Error::UnknownBackend)?)?;
    }

    /// Checks known answers of every algorithm on every backend that this CPU can run. If an answer
    /// is wrong, writes its algorithm and backend to the two pointers.
    fn hashmill_self_test(algorithm: *mut c_int, backend: *mut *const c_char) {
        report(hashmill::self_test(), algorithm.as_mut(), backend.as_mut())?;
    }
}

fn report(
    outcome: Result<(), self_test::Failure>,
    algorithm: Option<&mut c_int>,
    backend: Option<&mut *const c_char>,
) -> Result<(), Failure> {
    let failed = outcome.err();
    let index = failed.and_then(|failed| backend::names().position(|n| n == failed.backend));
    if let Some(algorithm) = algorithm {
        *algorithm = failed.map_or(0, |failed| failed.algorithm.code().into());
    }
    if let Some(backend) = backend {
        *backend = index.map_or(null(), |index| hashmill_backend_name(index));
    }
    Ok(outcome.map_err(Error::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashmill::Algorithm;

    #[test]
    fn every_backend_has_its_name() {
        for (index, name) in backend::names().enumerate() {
            let text = hashmill_backend_name(index);
            assert!(!text.is_null(), "{name} is not in NAMES");
            // SAFETY: the pointer is not NULL, and then it points to a static string.
            assert_eq!(unsafe { CStr::from_ptr(text) }.to_bytes(), name.as_bytes());
        }
        assert!(hashmill_backend_name(backend::names().count()).is_null());
        assert!(hashmill_backend_name(usize::MAX).is_null());
    }

    #[test]
    fn a_failed_self_test_says_what_failed() {
        let (mut algorithm, mut backend) = (-1, null());
        assert_eq!(report(Ok(()), Some(&mut algorithm), Some(&mut backend)), Ok(()));
        assert!(algorithm == 0 && backend.is_null());
        let failure = self_test::Failure {
            algorithm: Algorithm::Blake2s,
            backend: "portable",
            interface: "HMAC",
        };
        let failed = Err(Failure::from(Error::SelfTest));
        assert_eq!(report(Err(failure), Some(&mut algorithm), Some(&mut backend)), failed);
        assert_eq!(algorithm, Algorithm::Blake2s.code().into());
        // SAFETY: the pointer is not NULL, and then it points to a static string.
        assert_eq!(unsafe { CStr::from_ptr(backend) }, c"portable");
        assert_eq!(report(Err(failure), None, None), failed);
    }
}
