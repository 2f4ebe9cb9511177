//! The words that a computation with a key must not leave in memory.

use super::{CONTEXT, Input, SALT, What};
use hashmill::{Algorithm, Key};
use hashmill_reference::trace::{self, Place};
use hashmill_reference::{blake2, blake2x, blake3, hkdf, names, pbkdf2, sp800_185};
use std::collections::HashMap;
use std::fs::{File, read_to_string};
use std::os::unix::fs::FileExt;

/// The byte strings that must not be found, each with its meaning.
#[derive(Default)]
pub struct Secrets {
    /// Strings of eight bytes, which are searched at every address.
    long: HashMap<[u8; 8], &'static str>,
    /// Words of four bytes, which are searched at the addresses that are multiples of 4.
    words: HashMap<[u8; 4], &'static str>,
}

impl Secrets {
    pub fn of(what: What, input: &Input<'_>) -> Self {
        let mut secrets = Secrets::default();
        secrets.bytes(input.key, "key");
        match what {
            What::Hmac(algorithm) => secrets.hmac(algorithm, input.key, input),
            What::Hkdf(algorithm) => {
                let prk = hmac(algorithm, SALT, input.key);
                secrets.bytes(&prk, "pseudorandom key");
                secrets.hmac(algorithm, &prk, input);
                secrets.traced(input, |key, message| {
                    hkdf::hkdf(|k, m| hmac(algorithm, k, m), SALT, key, message, 200)
                });
            }
            What::Pbkdf2(algorithm) => {
                secrets.pads(algorithm, input.key);
                for iterations in [1, 3] {
                    let (len, prf) =
                        (algorithm.output_len(), |k: &[u8], m: &[u8]| hmac(algorithm, k, m));
                    secrets.of_message(iterations == 1, input.key, b"", |key, _| {
                        pbkdf2::pbkdf2(prf, key, SALT, iterations, len)
                    });
                }
                let first = hmac(algorithm, input.key, &[SALT, &[0, 0, 0, 1]].concat());
                secrets.bytes(&first, "first term");
            }
            What::Kmac(rate) => {
                let (kmac, xof): (KmacOf, KmacOf) = match rate {
                    168 => (sp800_185::kmac128, sp800_185::kmac128_xof),
                    _ => (sp800_185::kmac256, sp800_185::kmac256_xof),
                };
                secrets.traced(input, |key, message| kmac(key, message, 32, b""));
                secrets.traced(input, |key, message| xof(key, message, 500, b""));
            }
            What::Blake2(algorithm) => {
                let hash = match algorithm {
                    Algorithm::Blake2b => blake2::blake2b,
                    Algorithm::Blake2s => blake2::blake2s,
                    Algorithm::Blake2bp => blake2::blake2bp,
                    _ => blake2::blake2sp,
                };
                secrets.traced(input, |key, message| hash(message, &with_key(key)));
            }
            What::Blake2x(algorithm) => secrets.traced(input, |key, message| match algorithm {
                Algorithm::Blake2b => blake2x::blake2xb(message, &with_key(key), Some(200), 200),
                _ => blake2x::blake2xs(message, &with_key(key), Some(200), 200),
            }),
            What::Blake3 => {
                let keyed = |key: &[u8], message: &[u8]| {
                    blake3::keyed_hash(key.try_into().unwrap(), message, 32)
                };
                let derived = |key: &[u8], message: &[u8]| {
                    blake3::derive_key(CONTEXT.as_bytes(), &[key, message].concat(), 32)
                };
                for function in [&keyed as &OfMessage<'_>, &derived] {
                    secrets.traced(input, function);
                    secrets.of_message(false, input.key, input.chunks, function);
                }
            }
        }
        assert!(!secrets.words.is_empty() && secrets.long.len() > input.key.len() - 8);
        secrets
    }

    /// Adds a byte string, in both byte orders of its words.
    fn bytes(&mut self, bytes: &[u8], what: &'static str) {
        bytes.windows(8).for_each(|w| _ = self.long.insert(w.try_into().unwrap(), what));
        for size in [4, 8] {
            for word in bytes.chunks_exact(size) {
                let turned: Vec<u8> = word.iter().rev().copied().collect();
                self.word(&turned, what);
            }
        }
    }

    fn word(&mut self, word: &[u8], what: &'static str) {
        match word.len() {
            4 => _ = self.words.insert(word.try_into().unwrap(), what),
            _ => _ = self.long.insert(word.try_into().unwrap(), what),
        }
    }

    /// Adds the secrets of HMAC.
    fn hmac(&mut self, algorithm: Algorithm, key: &[u8], input: &Input<'_>) {
        self.pads(algorithm, key);
        let function = |key: &[u8], message: &[u8]| hmac(algorithm, key, message);
        self.messages(key, input, &function);
    }

    /// Adds the key of HMAC, or its digest if it is longer than a block, with both pads.
    fn pads(&mut self, algorithm: Algorithm, key: &[u8]) {
        let digest = algorithm.hash(key);
        let key = if key.len() > algorithm.block_len() { &digest } else { key };
        self.bytes(key, "key or its digest");
        for (pad, what) in [(0x36, "inner"), (0x5C, "outer")] {
            let padded: Vec<u8> = key.iter().map(|byte| byte ^ pad).collect();
            self.bytes(&padded, what);
        }
    }

    /// Adds the words of a function of a key and a message, for the messages of all uses.
    fn traced(&mut self, input: &Input<'_>, function: impl Fn(&[u8], &[u8]) -> Vec<u8>) {
        self.messages(input.key, input, &function);
    }

    fn messages(&mut self, key: &[u8], input: &Input<'_>, function: &OfMessage<'_>) {
        self.of_message(true, key, input.short, function);
        self.of_message(false, key, input.long, function);
        self.of_message(false, key, &[input.short, input.long].concat(), function);
    }

    /// Adds the words that the reference computes from a key and a message, if they depend on the
    /// key and are not in the output: the states and, with `rounds`, the words within each block.
    fn of_message(
        &mut self,
        rounds: bool,
        key: &[u8],
        message: &[u8],
        function: impl Fn(&[u8], &[u8]) -> Vec<u8>,
    ) {
        let other: Vec<u8> = key.iter().map(|byte| !byte).collect();
        let (output, words) = trace::words(|| function(key, message));
        let (_, others) = trace::words(|| function(&other, message));
        assert_eq!(words.len(), others.len());
        for (word, other) in words.into_iter().zip(others) {
            let turned: Vec<u8> = word.bytes.iter().rev().copied().collect();
            let known = |word: &[u8]| output.windows(word.len()).any(|part| part == word);
            let zeros = turned.iter().filter(|&&byte| byte == 0).count();
            let is_state = word.place == Place::State;
            if word == other || !(is_state || rounds) || zeros > turned.len() / 4 {
                continue;
            }
            if known(&word.bytes) || known(&turned) {
                continue;
            }
            if is_state {
                self.word(&turned, "state, as bytes");
            }
            self.word(&word.bytes, if is_state { "state" } else { "word of a round" });
        }
    }

    /// Returns all places in the process's writable memory that contain one of the secrets. The
    /// stack is filled up to the address `top`.
    pub fn find(&self, process: u32, top: u64) -> Vec<String> {
        let memory = File::open(format!("/proc/{process}/mem")).unwrap();
        let maps = read_to_string(format!("/proc/{process}/maps")).unwrap();
        let mut found = Vec::new();
        let (mut first_long, mut first_word) = ([false; 1 << 16], [false; 1 << 16]);
        let first = |bytes: &[u8]| usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        self.long.keys().for_each(|key| first_long[first(key)] = true);
        self.words.keys().for_each(|key| first_word[first(key)] = true);
        let mut places = 0;
        for line in maps.lines().filter(|line| line.contains(" rw")) {
            let mut fields = line.split_whitespace();
            let (start, end) = fields.next().unwrap().split_once('-').unwrap();
            let [start, end] = [start, end].map(|at| u64::from_str_radix(at, 16).unwrap());
            let region = fields.last().unwrap_or("").to_owned();
            let place = |at: usize| match top.checked_sub(start + at as u64) {
                Some(depth) if region == "[stack]" => format!("{depth} bytes below the case"),
                _ => format!("{region} {:#x}", start + at as u64),
            };
            let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
            if memory.read_exact_at(&mut bytes, start).is_err() {
                continue;
            }
            places += 1;
            for (at, window) in bytes.windows(8).enumerate() {
                let first = first(window);
                if first_long[first]
                    && let Some(what) = self.long.get(window)
                {
                    found.push(format!("{}: {what}", place(at)));
                } else if at % 4 == 0
                    && first_word[first]
                    && let Some(what) = self.words.get(&window[..4])
                {
                    found.push(format!("{}: {what}, a word", place(at)));
                }
            }
        }
        assert!(places > 2, "a stack and a heap");
        found
    }
}

/// A function of a key and a message.
type OfMessage<'a> = dyn Fn(&[u8], &[u8]) -> Vec<u8> + 'a;
type KmacOf = fn(&[u8], &[u8], usize, &[u8]) -> Vec<u8>;

fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    let tag = names::hmac(&algorithm.tag().to_lowercase(), key, message).unwrap();
    assert_eq!(tag, algorithm.mac(Key(key), message).unwrap()[..]);
    tag
}

fn with_key(key: &[u8]) -> blake2::Params<'_> {
    blake2::Params { key, ..blake2::Params::default() }
}
