//! Every algorithm on every backend of this machine agrees with `hashmill-reference` and with
//! independent implementations, for all lengths, splits, parameters and batches. Each pair of an
//! algorithm and a backend is a test: `cargo test -p hashmill --all-features sha3_256` runs those of
//! SHA3-256, `--test agree avx2` those of the backend `avx2`.
//!
//! This is a separate test binary because its tests are the algorithms and the backends that it
//! finds (`harness = false`).

#[macro_use]
#[path = "common/mod.rs"]
mod common;
mod agree {
    pub mod backends;
    pub mod edges;
    pub mod hmac;
    pub mod many;
    pub mod one;
    pub mod parameters;

    pub use super::{agreed, expected, peer};
}

use agree::{backends as table, edges, hmac, many, one, parameters};
use common::answer::to_hex;
use common::{backends, peers, reference, takes_bits};
use hashmill::Algorithm;
use libtest_mimic::{Arguments, Trial};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// A test of an algorithm on a backend, and the algorithms that it is for.
type Each = (&'static str, fn(Algorithm) -> bool, fn(Algorithm, &str));

/// Lists functions with their names.
macro_rules! named {
    ($($module:ident::$function:ident $(for $is_for:expr)?,)*) => {
        [$((concat!(stringify!($module), "::", stringify!($function)), $($is_for,)? $module::$function)),*]
    };
}

const EACH: &[Each] = &named![
    one::every_length_to_four_blocks_and_some_beyond for any,
    one::every_split_of_three_blocks for any,
    one::random_splits_of_long_messages for any,
    one::finalize_leaves_the_hasher_as_it_is for any,
    one::messages_of_bits for takes_bits,
    one::squeezes_of_every_length_and_split for Algorithm::is_xof,
    many::many_messages_of_mixed_lengths for any,
    many::first_messages_that_end_elsewhere for any,
    many::many_messages_after_a_common_beginning for any,
    many::rows_of_every_width for any,
    hmac::hmac_with_keys_of_every_length_to_two_blocks for Algorithm::has_hmac,
    hmac::hmac_of_many_messages for Algorithm::has_hmac,
    parameters::turboshake_domains for |algorithm| algorithm.name().starts_with("Turbo"),
    parameters::blake2_parameters for |algorithm| algorithm.name().starts_with("BLAKE2"),
];

/// Tests of all algorithms together.
const ALONE: &[(&str, fn())] = &named![
    table::every_backend_that_this_cpu_can_run_is_tested,
    one::bits_are_taken_where_the_standard_has_them,
    one::xofs_and_fixed_lengths_are_told_apart,
    many::hashers_chosen_at_run_time_side_by_side,
    parameters::blake2_refuses_what_the_paper_does_not_allow,
    edges::subtrees_of_blake3,
    edges::outputs_of_blake3,
    edges::states_near_the_ends_of_counters,
    edges::states_of_no_message,
    edges::full_batches_of_kangaroo_twelve,
    edges::merkle_trees,
    edges::orders_that_do_not_fit,
    edges::hashers_of_several_functions,
];

fn any(_: Algorithm) -> bool {
    true
}

/// Returns the name of an algorithm's function: `sha512_256` of SHA-512/256.
fn function(algorithm: Algorithm) -> &'static str {
    macro_rules! functions {
        (fixed { $($Fixed:ident $fixed:ident,)* } xof { $($Xof:ident $xof:ident,)* }) => {
            match algorithm {
                $(Algorithm::$Fixed => stringify!($fixed),)*
                $(Algorithm::$Xof => stringify!($xof).trim_end_matches("_xof"),)*
                other => other.name(),
            }
        };
    }
    each!(both functions)
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for &(name, test) in ALONE {
        trials.push(Trial::test(name, move || {
            test();
            Ok(())
        }));
    }
    for backend in backends::available() {
        for &algorithm in Algorithm::ALL.iter().filter(|&&it| backends::has(it, backend)) {
            for &(name, _, test) in EACH.iter().filter(|(_, is_for, _)| is_for(algorithm)) {
                let name = format!("{name}::{}::{backend}", function(algorithm));
                let test = move || {
                    let _forced = backends::share(backend);
                    test(algorithm, backend);
                    Ok(())
                };
                trials.push(Trial::test(name, test));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns the output on which the reference and the peers agree. It is computed once for all
/// backends, which get the same messages: the reference took half of the time of these tests.
pub fn expected(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    static ANSWERS: Mutex<BTreeMap<(Algorithm, u64, usize), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let answers = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut hasher = DefaultHasher::new();
    hasher.write(message);
    let key = (algorithm, hasher.finish(), len);
    let known = answers().get(&key).cloned();
    known.unwrap_or_else(|| {
        let reference = reference::hash(algorithm, message, len);
        let answer = agreed(algorithm, reference, peers::hash(algorithm, message, len));
        answers().insert(key, answer.clone());
        answer
    })
}

pub fn agreed(algorithm: Algorithm, reference: Vec<u8>, peers: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    for (name, peer) in peers {
        assert_eq!(to_hex(&reference), to_hex(&peer), "{algorithm}: the reference and {name}");
    }
    reference
}

/// Returns the output of one peer. It is for many long messages, because the reference is slow.
pub fn peer(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    let (_, digest) =
        peers::hash(algorithm, message, len).pop().expect("every algorithm has a peer");
    digest
}
