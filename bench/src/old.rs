//! Implementations for `cargo xtask bench --against REV`: an older hashmill beside this one. They
//! use only functions that both versions have: the one-call functions, and for many messages the
//! algorithm by name. `by-name` calls this version in the same way, so compare `old` with `by-name`
//! for many messages. The feature `finish_many` is for versions in which `hash_many` had that name.

use crate::Task::{Hmac, HmacMany, HmacPrepared, Many, One};
use crate::implementations::{Implementation, KEY, Subject, batch_vec, each};
use std::hint::black_box;

macro_rules! rows {
    ($name:literal, $library:ident, $many:ident: $($Type:ident $function:ident)*) => {{
        use $library::{Algorithm, Hmac as Mac, Sha256, VarDigest};
        let row = |tasks, algorithm, run| Implementation { name: $name, tasks, algorithm: Subject::Of(algorithm), run, another: false };
        let mac = Algorithm::Sha256.hmac(KEY).expect("of fixed length");
        let key = Mac::<Sha256>::new(KEY);
        let mut rows = vec![
            row(&[Hmac], hashmill::Algorithm::Sha256, each(|m| Mac::<Sha256>::new(black_box(KEY)).update(m).finalize())),
            row(&[HmacPrepared], hashmill::Algorithm::Sha256, each(move |m| key.clone().update(m).finalize())),
            row(&[HmacMany], hashmill::Algorithm::Sha256, batch_vec(move |messages, tags: &mut Vec<VarDigest>| {
                tags.resize(messages.len(), VarDigest::default());
                _ = mac.$many(messages, &mut tags[..]);
            })),
        ];
        $(
            let hasher = Algorithm::$Type.hasher();
            rows.push(row(&[One], hashmill::Algorithm::$Type, each(|m| $library::$function(m))));
            rows.push(row(&[Many], hashmill::Algorithm::$Type, batch_vec(move |messages, digests: &mut Vec<VarDigest>| {
                digests.resize(messages.len(), VarDigest::default());
                _ = hasher.$many(messages, &mut digests[..]);
            })));
        )*
        rows
    }};
}

macro_rules! of {
    ($($arguments:tt)*) => {
        rows!($($arguments)*: Sha256 sha256 Sha512 sha512 Sha3_256 sha3_256 Blake2b blake2b
            Blake2s blake2s Blake2bp blake2bp Blake2sp blake2sp)
    };
}

pub fn rows() -> Vec<Implementation> {
    #[cfg(feature = "finish_many")]
    let mut rows = of!("old", hashmill_old, finish_many);
    #[cfg(not(feature = "finish_many"))]
    let mut rows = of!("old", hashmill_old, hash_many);
    rows.extend(of!("by-name", hashmill, hash_many));
    rows
}
