//! The tests run on all backends that this CPU can run, and on no others.

use crate::common::backends;
use hashmill::Algorithm;

/// Compares the backends that the other tests use with the features that the standard library
/// detects on this CPU. If the table lacked a backend, or a backend were wrongly reported as
/// unavailable, no test would run on it.
pub fn every_backend_that_this_cpu_can_run_is_tested() {
    let _chosen = backends::force(backends::DEFAULT);
    for &algorithm in Algorithm::ALL {
        let all: Vec<_> = algorithm.backends().collect();
        for name in hashmill::backend::names() {
            let optional = matches!(name, "sha" | "sha512" | "sha3");
            assert!(optional || all.iter().any(|b| b.name == name), "{algorithm} without {name}");
        }
        for backend in &all {
            let (name, available) = (backend.name, backend.available);
            assert_eq!(available, runs(name), "{algorithm}, {name}");
            assert!(available || !(backend.one || backend.many), "{algorithm}, {name}");
            assert!(!available || backends::available().contains(&name), "{algorithm}, {name}");
        }
        assert_eq!(all.iter().filter(|b| b.one).count(), 1, "{algorithm}");
        assert_eq!(all.iter().filter(|b| b.many).count(), 1, "{algorithm}");
    }
}

#[cfg(target_arch = "x86_64")]
fn runs(backend: &str) -> bool {
    use std::arch::is_x86_feature_detected as has;
    match backend {
        "avx512" | "avx512vl" => has!("avx512f") && has!("avx512bw") && has!("avx512vl"),
        "sha512" => has!("sha512") && has!("avx2"),
        "sha" => has!("sha") && has!("ssse3") && has!("sse4.1"),
        "avx2" => has!("avx2"),
        "bmi2" => has!("bmi1") && has!("bmi2"),
        _ => backend == "portable",
    }
}

#[cfg(target_arch = "aarch64")]
fn runs(backend: &str) -> bool {
    use std::arch::is_aarch64_feature_detected as has;
    match backend {
        "sha3" | "sha512" => has!("sha3"),
        "sha" => has!("sha2"),
        "neon" => has!("neon"),
        _ => backend == "portable",
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn runs(backend: &str) -> bool {
    backend == "portable"
}
