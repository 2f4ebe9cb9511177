//! Tests that the library leaves no part of a key in memory. A second process receives a key, uses
//! it in every way that this library offers, and drops it. Then this process reads all memory that
//! the second one can write, and searches it for the key, the key with HMAC's pads, and every other
//! secret word of the computation: states, message schedules, also with the constants, working
//! variables, pseudorandom keys and inner digests.
//!
//! The second process has no secrets but those that it computes from the key, so that every secret
//! found was left there. A word of four bytes may be in memory by chance: a case fails only if
//! something is found with each of five keys.
//!
//! Keys and messages have certain lengths first, and then random ones: three more with
//! `HASHMILL_LONG=1`. `REMAINS_SEED` repeats them.
//!
//! Only optimised code is tested, because the compiler keeps more copies in other code. `cargo
//! xtask test remains` runs the test with and without link-time optimisation. `--program PATH
//! BACKENDS` tests a program in another language, see [`scan::Program`].

#![cfg_attr(
    any(not(target_os = "linux"), not(target_arch = "x86_64"), debug_assertions),
    allow(dead_code)
)]

#[cfg(target_os = "linux")]
mod cases;
#[cfg(target_os = "linux")]
mod child;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod registers;
#[cfg(target_os = "linux")]
mod scan;
#[cfg(target_os = "linux")]
mod secrets;

use hashmill::Algorithm;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(debug_assertions))))]
fn main() {
    eprintln!("skipped: requires optimised code for Linux on x86-64");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(debug_assertions)))]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--child", backend] => child::run(backend),
        ["--program", path, backends, filter @ ..] => {
            scan::run(&scan::Program::other(path), backends, filter.first().unwrap_or(&""));
        }
        filter => {
            let filter = filter.first().filter(|name| !name.starts_with('-'));
            scan::run(&scan::Program::own(), "all", filter.unwrap_or(&""));
        }
    }
}

/// What a use of a key is given: the key, and messages that it authenticates.
struct Input<'a> {
    key: &'a [u8],
    short: &'static [u8],
    long: &'static [u8],
    /// Several chunks of BLAKE3.
    chunks: &'static [u8],
}

impl<'a> Input<'a> {
    fn new(key: &'a [u8], short: usize, long: usize) -> Self {
        Input {
            key,
            short: &MESSAGE[..short],
            long: &MESSAGE[..long],
            chunks: &MESSAGE[..5 * long],
        }
    }
}

/// The beginning of all messages.
static MESSAGE: [u8; 10_000] = {
    let (mut message, mut i) = ([0; 10_000], 0);
    while i < message.len() {
        message[i] = (151 * i + 67 + i / 256) as u8;
        i += 1;
    }
    message
};

/// No key is longer than this, in bytes.
const LONGEST_KEY: usize = 256;
const SALT: &[u8] = b"salt, 16 bytes..";
/// The context of keys that BLAKE3 derives.
const CONTEXT: &str = "hashmill 2026-11-23 remains";

/// The byte with which the stack below a case is filled, and the number of bytes that are filled.
const PAINT: u8 = 0xEE;
const PAINTED: usize = 128 * 1024;

/// A function that uses a key.
type Use = Box<dyn Fn(&Input<'_>)>;

/// A use of a key.
struct Case {
    name: String,
    what: What,
    run: Use,
}

/// What is computed with a key.
#[derive(Clone, Copy, Debug)]
enum What {
    Hmac(Algorithm),
    Hkdf(Algorithm),
    Pbkdf2(Algorithm),
    /// KMAC with this rate.
    Kmac(usize),
    Blake2(Algorithm),
    /// BLAKE2X; the algorithm is the BLAKE2 function that it calls.
    Blake2x(Algorithm),
    Blake3,
}
