//! Tests that the library leaves no part of a key in memory. A second process receives a key, uses
//! it in every way that this library offers, and drops it. Then this process reads all memory that
//! the second one can write, and searches it for the key, the key with HMAC's pads, the states of
//! the hashes after the key's block, the message schedules of these blocks, and secret digests.
//!
//! The second process has no secrets but those that it computes from the key, so that every secret
//! found was left there. A word of four bytes may be in memory by chance: a case fails only if
//! something is found with each of three keys.
//!
//! Only optimised code is tested, because the compiler keeps more copies in other code. `cargo
//! xtask test remains` runs the test with and without link-time optimisation.

#![cfg_attr(
    any(not(target_os = "linux"), not(target_arch = "x86_64"), debug_assertions),
    allow(dead_code)
)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(debug_assertions))))]
fn main() {
    eprintln!("skipped: requires optimised code for Linux on x86-64");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64", not(debug_assertions)))]
fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--child") => child::run(&std::env::args().nth(2).unwrap()),
        filter => parent::run(filter.filter(|name| !name.starts_with('-')).unwrap_or("")),
    }
}

/// The length of a key in bytes, which is the longest for BLAKE2s.
const KEY: usize = 32;
/// Messages that the key authenticates, shorter and longer than a block.
const SHORT: &[u8] = b"a message of thirty-two bytes...";
const LONG: &[u8] = &[0x11; 1000];
const SALT: &[u8] = b"salt, 16 bytes..";
/// The context of keys that BLAKE3 derives.
const CONTEXT: &str = "hashmill 2026-11-23 remains";

/// The byte with which the stack below a case is filled, and the number of bytes that are filled.
const PAINT: u8 = 0xEE;
const PAINTED: usize = 128 * 1024;

/// A function that uses a key.
type Use = Box<dyn Fn(&[u8])>;

/// A use of a key.
struct Case {
    name: String,
    what: What,
    run: Use,
}

/// The secrets of a case besides the key.
#[derive(Clone, Copy)]
enum What {
    Hmac(hashmill::Algorithm),
    /// HMAC with a key that is longer than a block, so that its digest is secret, too.
    LongHmac(hashmill::Algorithm),
    Hkdf(hashmill::Algorithm),
    Pbkdf2(hashmill::Algorithm),
    Kmac(usize),
    Blake2(hashmill::Algorithm),
    /// BLAKE2X; the algorithm is the BLAKE2 function that it calls.
    Blake2x(hashmill::Algorithm),
    Blake3,
}

#[cfg(target_os = "linux")]
mod cases {
    use super::{CONTEXT, Case, KEY, LONG, SALT, SHORT, Use, What};
    use hashmill::function::Fixed;
    use hashmill::{
        Algorithm, AnyHasher, Blake2b, Blake2bp, Blake2s, Blake2sp, Blake3, Customization, Hash,
        Hkdf, Hmac, Key, Kmac, Salt, blake2b, blake2bp, blake2s, blake2sp, kmac128, kmac256,
        pbkdf2, pbkdf2_many,
    };
    use hashmill_c::*;
    use std::ffi::c_void;
    use std::mem::MaybeUninit;

    /// Does what [`std::hint::black_box`] does, after it has written all registers to memory. The
    /// argument is the result of a call of the library, which has just returned.
    #[inline(always)]
    fn black_box<T>(value: T) -> T {
        super::registers::write();
        std::hint::black_box(value)
    }

    /// Returns batches of messages of one length and of many lengths, for all ways into the lanes.
    fn batches() -> [Vec<&'static [u8]>; 4] {
        let ragged = (0..40).map(|i| &LONG[..i * 25]).collect();
        [vec![SHORT; 2], vec![SHORT; 5], vec![SHORT; 40], ragged]
    }

    /// Calls `f`. It is not inlined, as most functions of a program: the bytes that `f` leaves on
    /// the stack lie where the next call may or may not write.
    #[inline(never)]
    fn call(f: &dyn Fn(&[u8]), key: &[u8]) {
        std::hint::black_box(f)(std::hint::black_box(key));
        super::registers::write();
    }

    /// Collects values that contain secrets in a vector. Collecting moves the values, and each move
    /// leaves a copy on the caller's stack. So the caller overwrites its stack, as `SECURITY.md`
    /// recommends, and everything that is found comes from the library.
    fn collected<T>(collect: impl FnOnce() -> Vec<T>) -> Vec<T> {
        #[inline(never)]
        fn apart<T>(collect: impl FnOnce() -> Vec<T>) -> Vec<T> {
            collect()
        }
        #[inline(never)]
        fn clear() {
            std::hint::black_box(&mut [0_u8; 64 * 1024]);
        }
        let all = apart(collect);
        clear();
        all
    }

    pub fn all() -> Vec<Case> {
        let mut cases = Vec::new();
        let mut add = |name: String, what: What, run: Use| {
            cases.push(Case { name, what, run: Box::new(move |key| call(&*run, key)) });
        };
        hmac::<hashmill::function::Sha256>(&mut add);
        hmac::<hashmill::function::Sha384>(&mut add);
        hmac::<hashmill::function::Sha512>(&mut add);
        hmac::<hashmill::function::Sha3<32>>(&mut add);
        hmac::<hashmill::function::Blake2b>(&mut add);
        hmac::<hashmill::function::Blake2s>(&mut add);
        hmac::<hashmill::function::Blake2bp>(&mut add);
        hmac::<hashmill::function::Blake2sp>(&mut add);
        for &algorithm in Algorithm::ALL.iter().filter(|a| a.has_hmac()) {
            any(algorithm, &mut add);
            c(algorithm, &mut add);
        }
        kmac::<168>(&mut add);
        kmac::<136>(&mut add);
        c_kmac(70, 168, &mut add);
        c_kmac(71, 136, &mut add);
        blake3(&mut add);
        add(
            "kmac128".into(),
            What::Kmac(168),
            Box::new(|key| {
                black_box(kmac128::<32>(Key(key), SHORT, Customization(b"")));
            }),
        );
        add(
            "kmac256".into(),
            What::Kmac(136),
            Box::new(|key| {
                black_box(kmac256::<32>(Key(key), LONG, Customization(b"")));
            }),
        );
        macro_rules! blake2 {
            ($module:ident, $Type:ident) => {
                let what = What::Blake2(Algorithm::$Type);
                let name = |way| format!("{} with a key, {way}", Algorithm::$Type);
                add(
                    name("once"),
                    what,
                    Box::new(|key| {
                        _ = black_box($module::Params::new().key(key).hash(SHORT));
                    }),
                );
                add(
                    name("one message"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        black_box(hasher.hash(SHORT));
                        black_box(hasher.hash(LONG));
                    }),
                );
                add(
                    name("in parts"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        black_box(hasher.finalize());
                        black_box(hasher.update(SHORT).update(LONG).finalize());
                    }),
                );
                add(
                    name("many"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        for batch in batches() {
                            let mut out = vec![0; batch.len() * hasher.output_len()];
                            hasher.hash_many(&batch, &mut out[..]).unwrap();
                        }
                    }),
                );
                add(
                    name("hashers beside"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        let mut hashers: Vec<$Type> =
                            collected(|| (0..20).map(|_| hasher.clone()).collect());
                        $Type::update_many(&mut hashers, &[LONG; 20]).unwrap();
                        let mut out = vec![0; 20 * hasher.output_len()];
                        $Type::hash_each(&hashers, &[SHORT; 20], &mut out[..]).unwrap();
                        for hasher in &mut hashers {
                            *hasher = $Type::new();
                        }
                    }),
                );
                add(
                    name("any"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        let mut any = AnyHasher::from(hasher.clone());
                        black_box(any.hash(SHORT));
                        black_box(any.update(SHORT).update(LONG).finalize());
                    }),
                );
                add(
                    name("restored"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        let saved = hasher.export();
                        for _ in 0..2 {
                            let restored = $Type::import(saved.as_ref());
                            super::registers::write();
                            assert!(restored.is_ok());
                            let restored = AnyHasher::import(saved.as_ref());
                            super::registers::write();
                            assert!(restored.is_ok());
                        }
                    }),
                );
                add(
                    name("saved"),
                    what,
                    Box::new(|key| {
                        let mut hasher = $Type::new();
                        $module::Params::new().key(key).build_into(&mut hasher).unwrap();
                        let saved = hasher.export();
                        black_box(saved.as_ref());
                    }),
                );
            };
        }
        blake2!(blake2b, Blake2b);
        blake2!(blake2s, Blake2s);
        blake2!(blake2bp, Blake2bp);
        blake2!(blake2sp, Blake2sp);
        macro_rules! blake2x {
            ($module:ident, $Type:ident) => {
                let what = What::Blake2x(Algorithm::$Type);
                add(
                    format!("{}X with a key", Algorithm::$Type),
                    what,
                    Box::new(|key| {
                        let mut xof = $module::Params::new().key(key).build_xof(Some(200)).unwrap();
                        let mut out = [0; 200];
                        xof.update(SHORT).squeeze().try_fill(&mut out).unwrap();
                        black_box(out);
                        let mut out = vec![0; 20 * 200];
                        xof.hash_many(&[SHORT; 20], &mut out[..]).unwrap();
                    }),
                );
            };
        }
        blake2x!(blake2b, Blake2b);
        blake2x!(blake2s, Blake2s);
        cases
    }

    type Add<'a> = dyn FnMut(String, What, Use) + 'a;

    fn hmac<F: Fixed>(add: &mut Add<'_>) {
        let (algorithm, what) = (F::ALGORITHM, What::Hmac(F::ALGORITHM));
        let name = |way| format!("HMAC-{algorithm}, {way}");
        add(
            name("once"),
            what,
            Box::new(|key| {
                black_box(Hmac::<Hash<F>>::new(key).hash(SHORT));
            }),
        );
        add(
            name("a long key"),
            What::LongHmac(algorithm),
            Box::new(|key| {
                let mut long = [0; 8 * KEY];
                long.chunks_mut(KEY).for_each(|part| part.copy_from_slice(key));
                black_box(Hmac::<Hash<F>>::new(&long).hash(SHORT));
                super::child::clear(&mut long);
            }),
        );
        add(
            name("prepared"),
            what,
            Box::new(|key| {
                let hmac = Hmac::<Hash<F>>::new(key);
                black_box((hmac.hash(SHORT), hmac.hash(LONG), hmac.finalize()));
                _ = black_box(hmac.verify(SHORT));
            }),
        );
        add(
            name("in parts"),
            what,
            Box::new(|key| {
                let mut hmac = Hmac::<Hash<F>>::new(key);
                black_box(hmac.update(SHORT).update(LONG).finalize());
                black_box(hmac.clone().update(LONG).finalize());
            }),
        );
        add(
            name("many"),
            what,
            Box::new(move |key| {
                let hmac = Hmac::<Hash<F>>::new(key);
                for batch in batches() {
                    let mut out = vec![0; batch.len() * algorithm.output_len()];
                    hmac.hash_many(&batch, &mut out[..]).unwrap();
                }
            }),
        );
        add(
            name("HMACs beside"),
            what,
            Box::new(|key| {
                let mut hmacs: Vec<_> =
                    collected(|| (0..20).map(|_| Hmac::<Hash<F>>::new(key)).collect());
                Hmac::update_many(&mut hmacs, &[LONG; 20]).unwrap();
                black_box(hmacs.iter().map(Hmac::finalize).count());
            }),
        );
        let name = |way| format!("HKDF-{algorithm}, {way}");
        let hkdf = What::Hkdf(algorithm);
        add(
            name("expand"),
            hkdf,
            Box::new(|key| {
                let hkdf = Hkdf::<Hash<F>>::new(Salt(SALT), key);
                let mut out = [0; 200];
                hkdf.expand(SHORT, &mut out).unwrap();
                hkdf.expand(LONG, &mut out).unwrap();
                black_box(out);
            }),
        );
        add(
            name("many"),
            hkdf,
            Box::new(|key| {
                let hkdf = Hkdf::<Hash<F>>::new(Salt(SALT), key);
                for batch in batches() {
                    let mut out = vec![0; batch.len() * 16];
                    hkdf.expand_many(&batch, &mut out[..]).unwrap();
                }
            }),
        );
        add(
            name("extract"),
            hkdf,
            Box::new(|key| {
                extract::<F>(key);
            }),
        );
        let name = |way| format!("PBKDF2-{algorithm}, {way}");
        let what = What::Pbkdf2(algorithm);
        add(
            name("one block"),
            what,
            Box::new(|key| {
                let mut out = [0; 16];
                pbkdf2::<Hash<F>>(key, Salt(SALT), 3, &mut out).unwrap();
                black_box(out);
            }),
        );
        add(
            name("ten blocks"),
            what,
            Box::new(|key| {
                let mut out = [0; 640];
                pbkdf2::<Hash<F>>(key, Salt(SALT), 3, &mut out).unwrap();
                black_box(out);
            }),
        );
        add(
            name("many"),
            what,
            Box::new(|key| {
                let mut out = [0; 21 * 20];
                pbkdf2_many::<Hash<F>>(&[key; 21], Salt(&[SALT; 21]), 3, 20, &mut out).unwrap();
                black_box(out);
            }),
        );
    }

    /// Extracts a pseudorandom key, and overwrites it as a caller does.
    fn extract<F: Fixed>(key: &[u8]) {
        let mut prk = Hkdf::<Hash<F>>::extract(Salt(SALT), key);
        super::registers::write();
        // SAFETY: a digest is an array of bytes, and perhaps their number.
        let bytes =
            unsafe { std::slice::from_raw_parts_mut((&raw mut prk).cast(), size_of_val(&prk)) };
        super::child::clear(bytes);
    }

    fn any(algorithm: Algorithm, add: &mut Add<'_>) {
        let what = What::Hmac(algorithm);
        let name = |way| format!("any HMAC-{algorithm}, {way}");
        add(
            name("once"),
            what,
            Box::new(move |key| {
                _ = black_box(algorithm.mac(Key(key), SHORT));
            }),
        );
        add(
            name("prepared"),
            what,
            Box::new(move |key| {
                let mut hmac = algorithm.hmac(b"").unwrap();
                hmac.set_key(key);
                black_box((hmac.hash(SHORT), hmac.hash(LONG)));
                _ = black_box(hmac.verify(SHORT));
            }),
        );
        add(
            name("in parts"),
            what,
            Box::new(move |key| {
                let mut hmac = algorithm.hmac(b"").unwrap();
                hmac.set_key(key);
                black_box(hmac.update(SHORT).update(LONG).finalize());
                black_box(hmac.clone().update(LONG).finalize());
            }),
        );
        add(
            name("many"),
            what,
            Box::new(move |key| {
                let mut hmac = algorithm.hmac(b"").unwrap();
                hmac.set_key(key);
                for batch in batches() {
                    let mut out = vec![0; batch.len() * algorithm.output_len()];
                    hmac.hash_many(&batch, &mut out[..]).unwrap();
                }
            }),
        );
    }

    fn kmac<const RATE: usize>(add: &mut Add<'_>) {
        let name = |way| format!("KMAC, rate {RATE}, {way}");
        let (what, custom) = (What::Kmac(RATE), Customization(b""));
        add(
            name("in parts"),
            what,
            Box::new(move |key| {
                let mut kmac = Kmac::<RATE>::new(key, custom);
                black_box(kmac.update(SHORT).finalize::<32>());
                black_box(kmac.update(LONG).finalize::<32>());
                _ = black_box(kmac.verify(&[0; 32]));
            }),
        );
        add(
            name("XOF"),
            what,
            Box::new(move |key| {
                let kmac = Kmac::<RATE>::new(key, custom);
                let mut out = [0; 500];
                kmac.squeeze().fill(&mut out);
                kmac.finalize_bits_into(3, 2, 4000, &mut out).unwrap();
                black_box(out);
            }),
        );
        add(
            name("many"),
            what,
            Box::new(move |key| {
                let kmac = Kmac::<RATE>::new(key, custom);
                for batch in batches() {
                    let mut out = vec![0; batch.len() * 32];
                    kmac.hash_many(&batch, &mut out[..]).unwrap();
                }
            }),
        );
    }

    /// Adds BLAKE3 with a key, and with the key as the material of derived keys.
    fn blake3(add: &mut Add<'_>) {
        let chunks: &[u8] = LONG.repeat(5).leak();
        // A macro, because a function would move the hasher.
        macro_rules! uses {
            ($mode:literal, |$key:ident| $new:expr, |$hasher:ident| $then:expr) => {
                let name = |way| format!("BLAKE3, {}, {way}", $mode);
                add(
                    name("in parts"),
                    What::Blake3,
                    Box::new(move |key| {
                        let $key = key;
                        let mut $hasher = $new;
                        $then;
                        black_box($hasher.update(SHORT).finalize());
                        black_box($hasher.hash(LONG));
                        black_box($hasher.update(LONG).finalize());
                        black_box($hasher.hash(chunks));
                        black_box($hasher.update(chunks).finalize());
                    }),
                );
                add(
                    name("any length"),
                    What::Blake3,
                    Box::new(move |key| {
                        let $key = key;
                        let mut $hasher = $new;
                        $then;
                        let mut out = [0; 5000];
                        $hasher.squeeze().fill(&mut out[..100]);
                        $hasher.update(chunks).squeeze().fill(&mut out);
                        black_box(out);
                    }),
                );
                add(
                    name("many"),
                    What::Blake3,
                    Box::new(move |key| {
                        let $key = key;
                        let mut $hasher = $new;
                        $then;
                        for mut batch in batches() {
                            batch.push(chunks);
                            let mut out = vec![0; batch.len() * 32];
                            $hasher.hash_many(&batch, &mut out[..]).unwrap();
                        }
                    }),
                );
                add(
                    name("hashers beside"),
                    What::Blake3,
                    Box::new(move |key| {
                        let $key = key;
                        let mut $hasher = $new;
                        $then;
                        let mut hashers: Vec<Blake3> =
                            collected(|| (0..20).map(|_| $hasher.clone()).collect());
                        Blake3::update_many(&mut hashers, &[LONG; 20]).unwrap();
                        Blake3::update_many(&mut hashers, &[chunks; 20]).unwrap();
                        let mut out = vec![0; 20 * 32];
                        Blake3::hash_each(&hashers, &[SHORT; 20], &mut out[..]).unwrap();
                        for hasher in &mut hashers {
                            *hasher = Blake3::new();
                        }
                    }),
                );
                add(
                    name("restored"),
                    What::Blake3,
                    Box::new(move |key| {
                        let $key = key;
                        let mut $hasher = $new;
                        $then;
                        let saved = $hasher.update(chunks).export();
                        for _ in 0..2 {
                            let restored = Blake3::import(saved.as_ref());
                            super::registers::write();
                            assert!(restored.is_ok());
                            let restored = AnyHasher::import(saved.as_ref());
                            super::registers::write();
                            assert!(restored.is_ok());
                        }
                    }),
                );
            };
        }
        uses!("a key", |key| Blake3::keyed(key.try_into().unwrap()), |hasher| hasher.update(b""));
        uses!("derived", |key| Blake3::derive_key(CONTEXT), |hasher| hasher.update(key));
        add(
            "C BLAKE3, a key".into(),
            What::Blake3,
            Box::new(move |key| {
                let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
                let hasher: *mut Hasher = (&raw mut room).cast();
                let mut out = [0_u8; 40];
                let place: *mut c_void = out.as_mut_ptr().cast();
                let (long, len) = (at(chunks), chunks.len());
                // SAFETY: pointers with their lengths, and a context of its size.
                let statuses = unsafe {
                    [
                        black_box(hashmill_blake3_keyed(key.as_ptr(), long, len, place, 40)),
                        black_box(hashmill_hasher_init_blake3_keyed(hasher, key.as_ptr())),
                        black_box(hashmill_hasher_update(hasher, long, len)),
                        black_box(hashmill_hasher_finalize(hasher, place, 40)),
                    ]
                };
                // SAFETY: as above.
                unsafe { hashmill_hasher_wipe(hasher) };
                assert_eq!(statuses, [0; 4]);
                black_box(&mut room);
            }),
        );
    }

    /// Adds KMAC with the C functions, by its number in `hashmill.h`.
    fn c_kmac(code: i32, rate: usize, add: &mut Add<'_>) {
        add(
            format!("C KMAC, rate {rate}"),
            What::Kmac(rate),
            Box::new(move |key| {
                let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
                let hasher: *mut Hasher = (&raw mut room).cast();
                let mut out = [0_u8; 40];
                // SAFETY: pointers with their lengths, and a context of its size.
                let statuses = unsafe {
                    [
                        black_box(hashmill_hasher_init_kmac(
                            hasher,
                            code,
                            at(key),
                            KEY,
                            at(b""),
                            0,
                        )),
                        black_box(hashmill_hasher_update(hasher, at(LONG), LONG.len())),
                        black_box(hashmill_hasher_finalize(hasher, out.as_mut_ptr().cast(), 40)),
                    ]
                };
                // SAFETY: as above.
                unsafe { hashmill_hasher_wipe(hasher) };
                assert_eq!(statuses, [0; 3]);
                black_box(&mut room);
            }),
        );
    }

    /// The memory of a context, as a C program allocates it.
    #[repr(C, align(16))]
    struct Room<const SIZE: usize>(MaybeUninit<[u8; SIZE]>);

    fn at(bytes: &[u8]) -> *const c_void {
        bytes.as_ptr().cast()
    }

    fn c(algorithm: Algorithm, add: &mut Add<'_>) {
        let (what, code, len) =
            (What::Hmac(algorithm), algorithm.code().into(), algorithm.output_len());
        let name = |way| format!("C HMAC-{algorithm}, {way}");
        add(
            name("once"),
            what,
            Box::new(move |key| {
                let (mut out, data) = ([0_u8; 64], at(SHORT));
                // SAFETY: pointers with their lengths.
                let status = unsafe {
                    black_box(hashmill_hmac(
                        code,
                        at(key),
                        KEY,
                        data,
                        SHORT.len(),
                        out.as_mut_ptr().cast(),
                        len,
                    ))
                };
                assert_eq!(status, 0);
            }),
        );
        add(
            name("context"),
            what,
            Box::new(move |key| {
                let mut room = Room::<HMAC_SIZE>(MaybeUninit::zeroed());
                let hmac: *mut HmacContext = (&raw mut room).cast();
                let mut out = [0_u8; 40 * 64];
                let place: *mut c_void = out.as_mut_ptr().cast();
                let messages = [Bytes { data: at(LONG), len: 100 }; 40];
                // SAFETY: pointers with their lengths, and a context of its size.
                let statuses = unsafe {
                    [
                        black_box(hashmill_hmac_init(hmac, code, at(key), KEY)),
                        black_box(hashmill_hmac_update(hmac, at(SHORT), SHORT.len())),
                        black_box(hashmill_hmac_update(hmac, at(LONG), LONG.len())),
                        black_box(hashmill_hmac_finalize(hmac, place, len)),
                        black_box(hashmill_hmac_verify(hmac, place, len)),
                        black_box(hashmill_hmac_finish_many(
                            hmac,
                            messages.as_ptr(),
                            40,
                            place,
                            len,
                        )),
                    ]
                };
                // SAFETY: as above.
                unsafe { hashmill_hmac_wipe(hmac) };
                assert_eq!(statuses, [0; 6]);
                black_box(&mut room);
            }),
        );
        add(
            format!("C HKDF-{algorithm}"),
            What::Hkdf(algorithm),
            Box::new(move |key| {
                let mut out = [0_u8; 200];
                // SAFETY: pointers with their lengths.
                let status = unsafe {
                    black_box(hashmill_hkdf(
                        code,
                        at(SALT),
                        SALT.len(),
                        at(key),
                        KEY,
                        at(SHORT),
                        SHORT.len(),
                        out.as_mut_ptr().cast(),
                        200,
                    ))
                };
                assert_eq!(status, 0);
            }),
        );
        add(
            format!("C HKDF-{algorithm}, extract"),
            What::Hkdf(algorithm),
            Box::new(move |key| {
                let mut prk = [0_u8; 64];
                // SAFETY: pointers with their lengths.
                let status = unsafe {
                    black_box(hashmill_hkdf_extract(
                        code,
                        at(SALT),
                        SALT.len(),
                        at(key),
                        KEY,
                        prk.as_mut_ptr().cast(),
                        len,
                    ))
                };
                assert_eq!(status, 0);
                super::child::clear(&mut prk);
            }),
        );
        add(
            format!("C HKDF-{algorithm}, context"),
            What::Hkdf(algorithm),
            Box::new(move |key| {
                let mut room = Room::<HMAC_SIZE>(MaybeUninit::zeroed());
                let hkdf: *mut HkdfContext = (&raw mut room).cast();
                let mut out = [0_u8; 200];
                // SAFETY: pointers with their lengths, and a context of its size.
                let statuses = unsafe {
                    [
                        black_box(hashmill_hkdf_init(
                            hkdf,
                            code,
                            at(SALT),
                            SALT.len(),
                            at(key),
                            KEY,
                        )),
                        black_box(hashmill_hkdf_expand(
                            hkdf,
                            at(SHORT),
                            SHORT.len(),
                            out.as_mut_ptr().cast(),
                            200,
                        )),
                    ]
                };
                // SAFETY: as above.
                unsafe { hashmill_hkdf_wipe(hkdf) };
                assert_eq!(statuses, [0; 2]);
                black_box(&mut room);
            }),
        );
        add(
            format!("C PBKDF2-{algorithm}"),
            What::Pbkdf2(algorithm),
            Box::new(move |key| {
                let mut out = [0_u8; 200];
                // SAFETY: pointers with their lengths.
                let status = unsafe {
                    black_box(hashmill_pbkdf2(
                        code,
                        at(key),
                        KEY,
                        at(SALT),
                        SALT.len(),
                        3,
                        out.as_mut_ptr().cast(),
                        200,
                    ))
                };
                assert_eq!(status, 0);
            }),
        );
        use Algorithm as A;
        if !matches!(algorithm, A::Blake2b | A::Blake2s | A::Blake2bp | A::Blake2sp) {
            return;
        }
        add(
            format!("C {algorithm} with a key"),
            What::Blake2(algorithm),
            Box::new(move |key| {
                let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
                let hasher: *mut Hasher = (&raw mut room).cast();
                let mut out = [0_u8; 40 * 64];
                let place: *mut c_void = out.as_mut_ptr().cast();
                let messages = [Bytes { data: at(LONG), len: 100 }; 40];
                let mut params = MaybeUninit::<Blake2Params>::uninit();
                // SAFETY: pointers with their lengths, and a context of its size.
                let statuses = unsafe {
                    let first = black_box(hashmill_blake2_defaults(
                        params.as_mut_ptr(),
                        size_of::<Blake2Params>(),
                        code,
                    ));
                    let mut params = params.assume_init();
                    params.key = Bytes { data: at(key), len: KEY };
                    [
                        first,
                        black_box(hashmill_hasher_init_blake2(hasher, code, &raw const params)),
                        black_box(hashmill_hasher_finish_many(
                            hasher,
                            messages.as_ptr(),
                            40,
                            place,
                            len,
                        )),
                        black_box(hashmill_hasher_update(hasher, at(SHORT), SHORT.len())),
                        black_box(hashmill_hasher_update(hasher, at(LONG), LONG.len())),
                        black_box(hashmill_hasher_finalize(hasher, place, len)),
                    ]
                };
                // SAFETY: as above.
                unsafe { hashmill_hasher_wipe(hasher) };
                assert_eq!(statuses, [0; 6]);
                black_box(&mut room);
            }),
        );
    }
}

/// The registers of the process that uses the keys, as they are when the library returns. They are
/// written to memory, where the other process searches for secrets.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod registers {
    use std::arch::asm;
    use std::cell::UnsafeCell;

    /// 32 vector registers of 64 bytes, then eight general registers.
    type Registers = [u8; 32 * 64 + 8 * 8];

    #[repr(align(64))]
    struct Shared<T>(UnsafeCell<T>);
    // SAFETY: the process has one thread.
    unsafe impl<T> Sync for Shared<T> {}

    static NOW: Shared<Registers> = Shared(UnsafeCell::new([0; 32 * 64 + 8 * 8]));
    /// The last ones, in a ring.
    static ALL: Shared<([Registers; 256], usize)> =
        Shared(UnsafeCell::new(([[0; 32 * 64 + 8 * 8]; 256], 0)));

    /// Writes the registers as they are now.
    #[inline(always)]
    pub fn write() {
        // SAFETY: the assembly writes to `NOW` alone. This CPU has the instructions. One thread
        // reads and writes the statics.
        unsafe {
            if std::is_x86_feature_detected!("avx512f") {
                asm!(
                    ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    "vmovdqu64 [rip + {now} + 64 * \\r], zmm\\r",
                    ".endr",
                    ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                    "vmovdqu64 [rip + {now} + 64 * \\r], zmm\\r",
                    ".endr",
                    now = sym NOW,
                    options(nostack, preserves_flags),
                );
            } else {
                asm!(
                    ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    "movdqu [rip + {now} + 64 * \\r], xmm\\r",
                    ".endr",
                    now = sym NOW,
                    options(nostack, preserves_flags),
                );
            }
            asm!(
                "mov [rip + {now} + 2048], rcx",
                "mov [rip + {now} + 2056], rdx",
                "mov [rip + {now} + 2064], rsi",
                "mov [rip + {now} + 2072], rdi",
                "mov [rip + {now} + 2080], r8",
                "mov [rip + {now} + 2088], r9",
                "mov [rip + {now} + 2096], r10",
                "mov [rip + {now} + 2104], r11",
                now = sym NOW,
                options(nostack, preserves_flags),
            );
        }
        keep();
    }

    #[inline(never)]
    fn keep() {
        // SAFETY: as above.
        let (all, next) = unsafe { &mut *ALL.0.get() };
        // SAFETY: as above.
        all[*next % 256] = unsafe { *NOW.0.get() };
        *next += 1;
    }

    /// Forgets all registers.
    pub fn clear() {
        // SAFETY: as above.
        let (all, next) = unsafe { &mut *ALL.0.get() };
        all.iter_mut().for_each(|registers| registers.fill(0));
        *next = 0;
    }
}

/// The process that uses the keys.
#[cfg(target_os = "linux")]
mod child {
    use super::{KEY, cases};
    use std::fs::File;
    use std::io::{Read, Write};

    /// Overwrites bytes in a way that the compiler cannot remove.
    pub fn clear(bytes: &mut [u8]) {
        // SAFETY: a reference to a byte.
        bytes.iter_mut().for_each(|byte| unsafe { std::ptr::write_volatile(byte, 0) });
    }

    /// Reads the number of a case and a key, runs the case on the given backend and writes the
    /// address of the filled stack, until the input ends. Input and output have no buffers, because
    /// those would keep the key.
    pub fn run(backend: &str) {
        hashmill::backend::force((backend != "auto").then_some(backend)).unwrap();
        let cases = cases::all();
        let mut input = File::open("/dev/stdin").unwrap();
        let mut output = File::create("/dev/stdout").unwrap();
        let mut number = [0; 2];
        let mut key = [0; KEY];
        while input.read_exact(&mut number).is_ok() {
            input.read_exact(&mut key).unwrap();
            super::registers::clear();
            let top = paint();
            (cases[usize::from(u16::from_le_bytes(number))].run)(&key);
            clear(&mut key);
            output.write_all(&top.to_le_bytes()).unwrap();
        }
    }

    /// Fills the stack below the caller's frame, which shows afterwards how deep a case reaches.
    /// Returns the address of the filled bytes.
    #[inline(never)]
    fn paint() -> u64 {
        let mut bytes = [super::PAINT; super::PAINTED];
        std::hint::black_box(&mut bytes);
        (&raw const bytes) as u64
    }
}

/// The process that searches for the secrets.
#[cfg(target_os = "linux")]
mod parent {
    use super::{CONTEXT, Case, KEY, LONG, PAINT, PAINTED, SALT, SHORT, What, cases};
    use hashmill::{
        Algorithm, AnyHasher, Blake3, Customization, Key, Kmac128, backend, blake2b, blake2bp,
        blake2s, blake2sp,
    };
    use std::collections::HashMap;
    use std::fs::{File, read_to_string};
    use std::io::{Read, Write};
    use std::os::unix::fs::FileExt;
    use std::process::{Command, Stdio};

    /// Runs every case on every backend, because each backend leaves other bytes at other depths of
    /// the stack.
    pub fn run(filter: &str) {
        hashmill::self_test().unwrap();
        let mut backends = vec!["auto"];
        backends.extend(backend::names().filter(|name| backend::force(Some(name)).is_ok()));
        backend::force(None).unwrap();
        let failed: usize = backends.iter().map(|backend| run_on(backend, filter)).sum();
        std::process::exit(i32::from(failed > 0));
    }

    /// Returns the number of cases that leave something in memory.
    fn run_on(backend: &str, filter: &str) -> usize {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--child", backend])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (mut count, mut failed) = (0, 0);
        let verbose = std::env::var_os("REMAINS_VERBOSE").is_some();
        for (number, case) in cases::all().iter().enumerate() {
            if !case.name.contains(filter) {
                continue;
            }
            count += 1;
            let found = [1_u8, 2, 3].map(|seed| {
                let key = key_of(seed, number);
                input.write_all(&u16::try_from(number).unwrap().to_le_bytes()).unwrap();
                input.write_all(&key).unwrap();
                let mut stack = [0; 8];
                output.read_exact(&mut stack).unwrap();
                let secrets = Secrets::of(case, &key);
                assert!(!secrets.words.is_empty() && secrets.long.len() >= KEY - 7);
                if verbose {
                    eprintln!(
                        "{}: {} bytes of stack",
                        case.name,
                        depth(child.id(), u64::from_le_bytes(stack))
                    );
                }
                secrets.find(child.id(), u64::from_le_bytes(stack) + PAINTED as u64)
            });
            if found.iter().all(|found| !found.is_empty()) {
                failed += 1;
                eprintln!("test {} [{backend}] ... FAILED\n{} places", case.name, found[0].len());
                let shown = if verbose { usize::MAX } else { 4 };
                found[0].iter().take(shown).for_each(|place| eprintln!("    {place}"));
            }
        }
        drop(input);
        assert!(child.wait().unwrap().success());
        assert!(count > 0, "no such case");
        eprintln!("{backend}: {count} uses of a key, {failed} leave something");
        failed
    }

    /// Returns how many of the filled bytes of the stack were used.
    fn depth(process: u32, stack: u64) -> usize {
        let mut bytes = vec![0; PAINTED];
        let memory = File::open(format!("/proc/{process}/mem")).unwrap();
        memory.read_exact_at(&mut bytes, stack).unwrap();
        PAINTED - bytes.iter().position(|&byte| byte != PAINT).unwrap_or(PAINTED)
    }

    /// Returns a key whose bytes occur nowhere else.
    fn key_of(seed: u8, number: usize) -> [u8; KEY] {
        let mut key = [0; KEY];
        let text = format!("remains {seed} {number}");
        key.copy_from_slice(&hashmill::sha3_256(text.as_bytes())[..]);
        key
    }

    /// The byte strings that must not be found.
    #[derive(Default)]
    struct Secrets {
        /// Strings of eight bytes, which are searched at every address.
        long: HashMap<[u8; 8], &'static str>,
        /// Words of four bytes, which are searched at the addresses that are multiples of 4.
        words: HashMap<[u8; 4], &'static str>,
    }

    impl Secrets {
        fn of(case: &Case, key: &[u8]) -> Self {
            let mut secrets = Secrets::default();
            secrets.bytes(key, "key");
            match case.what {
                What::Hmac(algorithm) => secrets.hmac(algorithm, key),
                What::LongHmac(algorithm) => {
                    let digest = algorithm.hash(&key.repeat(8));
                    secrets.bytes(&digest, "digest of the key");
                    secrets.hmac(algorithm, &digest);
                }
                What::Hkdf(algorithm) => {
                    let prk = algorithm.mac(Key(SALT), key).unwrap();
                    secrets.bytes(&prk, "pseudorandom key");
                    secrets.hmac(algorithm, &prk);
                }
                What::Pbkdf2(algorithm) => {
                    secrets.hmac(algorithm, key);
                    let first = algorithm.mac(Key(key), &[SALT, &[0, 0, 0, 1]].concat()).unwrap();
                    secrets.bytes(&first, "first term");
                }
                What::Kmac(rate) => secrets.kmac(rate, key),
                What::Blake2(algorithm) => secrets.blake2(algorithm, key),
                What::Blake2x(algorithm) => secrets.blake2x(algorithm, key),
                What::Blake3 => secrets.blake3(key),
            }
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

        /// Adds the words of a secret state that do not occur in the public state `open`.
        fn state(&mut self, state: &AnyHasher, open: &AnyHasher, what: &'static str) {
            let (state, open) = (state.export().expect("a state"), open.export().expect("a state"));
            let state = &state.as_ref()[..state.as_ref().len() - 8];
            for size in [4, 8] {
                for word in state[2..].windows(size) {
                    let known = open.as_ref().windows(size).any(|open| open == word);
                    let zeros = word.iter().filter(|&&byte| byte == 0).count();
                    if !known && zeros < size / 4 + 1 {
                        self.word(word, what);
                    }
                }
            }
        }

        /// Adds the chaining values of chunks and of subtrees.
        fn blake3(&mut self, key: &[u8]) {
            let (mut derived, mut as_long) = (Blake3::derive_key(CONTEXT), Blake3::new());
            derived.update(key);
            as_long.update(&[0; KEY]);
            let chunks = LONG.repeat(5);
            let messages = [SHORT, LONG, &chunks, &[SHORT, LONG].concat()];
            let keyed = Blake3::keyed(key.try_into().unwrap());
            for begun in [(keyed, Blake3::new()), (derived, as_long)] {
                for message in messages {
                    let (mut secret, mut open) = begun.clone();
                    secret.update(message);
                    open.update(message);
                    self.state(&secret.into(), &open.into(), "chaining value");
                }
            }
        }

        fn hmac(&mut self, algorithm: Algorithm, key: &[u8]) {
            for (pad, what) in [(0x36, "inner"), (0x5C, "outer")] {
                let mut block = vec![pad; algorithm.block_len()];
                block.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
                self.bytes(&block[..key.len() / 8 * 8], what);
                self.schedule(algorithm, &block);
                let mut stream = algorithm.hasher();
                stream.update(&block);
                let tag =
                    hashmill_reference::names::hmac(&algorithm.tag().to_lowercase(), key, SHORT);
                assert_eq!(tag.as_deref(), Some(&algorithm.mac(Key(key), SHORT).unwrap()[..]));
                // BLAKE2 absorbs a block only when more bytes follow; BLAKE2bp and BLAKE2sp absorb
                // a stripe.
                if matches!(algorithm.block_len(), 64 | 128) {
                    for more in [1, block.len() * 8] {
                        let mut begun = stream.clone();
                        begun.update(&vec![0; more]);
                        if is_blake2(algorithm) {
                            self.state(&begun, &algorithm.hasher(), what);
                        }
                    }
                }
                if !is_blake2(algorithm) {
                    self.state(&stream, &algorithm.hasher(), what);
                }
                if pad == 0x36 {
                    let inner = stream.hash(SHORT);
                    self.bytes(&inner, "inner digest");
                }
            }
        }

        /// Adds the words of SHA-2's message schedule of a block.
        fn schedule(&mut self, algorithm: Algorithm, block: &[u8]) {
            use Algorithm::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
            match algorithm {
                Sha224 | Sha256 => {
                    let mut w: Vec<u32> = block
                        .chunks(4)
                        .map(|w| u32::from_be_bytes(w.try_into().unwrap()))
                        .collect();
                    for t in 16..64 {
                        let (a, b) = (w[t - 15], w[t - 2]);
                        let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
                        let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
                        w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
                    }
                    // The first 16 words depend only on the pad, or on few bytes of the key.
                    w[16..].iter().for_each(|w| self.word(&w.to_le_bytes(), "schedule"));
                }
                Sha384 | Sha512 | Sha512_224 | Sha512_256 => {
                    let mut w: Vec<u64> = block
                        .chunks(8)
                        .map(|w| u64::from_be_bytes(w.try_into().unwrap()))
                        .collect();
                    for t in 16..80 {
                        let (a, b) = (w[t - 15], w[t - 2]);
                        let s0 = a.rotate_right(1) ^ a.rotate_right(8) ^ (a >> 7);
                        let s1 = b.rotate_right(19) ^ b.rotate_right(61) ^ (b >> 6);
                        w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
                    }
                    w[20..].iter().for_each(|w| self.word(&w.to_le_bytes(), "schedule"));
                }
                _ => {}
            }
        }

        /// Adds the state after the key's block: SP 800-185 §4.3.
        fn kmac(&mut self, rate: usize, key: &[u8]) {
            let encode = |len: usize| {
                let bits = (8 * len).to_be_bytes();
                let bits: Vec<u8> = bits.into_iter().skip_while(|&byte| byte == 0).collect();
                let bits = if bits.is_empty() { vec![0] } else { bits };
                [&[bits.len() as u8], &bits[..]].concat()
            };
            let pad = |parts: &[&[u8]]| {
                let mut block = [&[1, rate as u8], &parts.concat()[..]].concat();
                block.resize(rate, 0);
                block
            };
            let name = pad(&[&encode(4), b"KMAC", &encode(0)]);
            let keyed = pad(&[&encode(key.len()), key]);
            let mut state = [[0; 5]; 5];
            for block in [name, keyed] {
                for (i, word) in block.chunks(8).enumerate() {
                    state[i % 5][i / 5] ^= u64::from_le_bytes(word.try_into().unwrap());
                }
                state = hashmill_reference::keccak::keccak_p(state, 24);
            }
            for word in state.as_flattened() {
                self.word(&word.to_le_bytes(), "state after the key");
            }
            let tag = Kmac128::new(key, Customization(b"")).update(SHORT).finalize::<32>();
            let own = hashmill_reference::sp800_185::kmac128(key, SHORT, 32, b"");
            assert_eq!(tag[..], own[..]);
            // Adds the key again, so that the set of words is not empty in any case.
            self.bytes(key, "key");
        }

        fn blake2(&mut self, algorithm: Algorithm, key: &[u8]) {
            let hasher: AnyHasher = match algorithm {
                Algorithm::Blake2b => blake2b::Params::new().key(key).build().unwrap().into(),
                Algorithm::Blake2s => blake2s::Params::new().key(key).build().unwrap().into(),
                Algorithm::Blake2bp => blake2bp::Params::new().key(key).build().unwrap().into(),
                Algorithm::Blake2sp => blake2sp::Params::new().key(key).build().unwrap().into(),
                _ => unreachable!(),
            };
            self.after_key(hasher, algorithm);
        }

        fn blake2x(&mut self, algorithm: Algorithm, key: &[u8]) {
            // The parameters of the root node: the BLAKE2X paper §2.
            let hasher: AnyHasher = match algorithm {
                Algorithm::Blake2b => {
                    blake2b::Params::new().key(key).node_offset(200 << 32).build().unwrap().into()
                }
                _ => blake2s::Params::new().key(key).node_offset(200 << 32).build().unwrap().into(),
            };
            let root = hasher.hash(SHORT);
            self.after_key(hasher, algorithm);
            self.bytes(&root, "root");
        }

        fn after_key(&mut self, mut hasher: AnyHasher, algorithm: Algorithm) {
            hasher.update(&vec![0; 8 * algorithm.block_len()]);
            let mut open = algorithm.hasher();
            open.update(&vec![0; 9 * algorithm.block_len()]);
            self.state(&hasher, &open, "state after the key");
        }

        /// Returns all places in the process's writable memory that contain one of the secrets.
        fn find(&self, process: u32, top: u64) -> Vec<String> {
            let memory = File::open(format!("/proc/{process}/mem")).unwrap();
            let maps = read_to_string(format!("/proc/{process}/maps")).unwrap();
            let mut found = Vec::new();
            let mut first_long = [false; 1 << 16];
            self.long
                .keys()
                .for_each(|k| first_long[usize::from(u16::from_le_bytes([k[0], k[1]]))] = true);
            let mut first_word = [false; 1 << 16];
            self.words
                .keys()
                .for_each(|k| first_word[usize::from(u16::from_le_bytes([k[0], k[1]]))] = true);
            let mut places = 0;
            for line in maps.lines().filter(|line| line.contains(" rw")) {
                let mut fields = line.split_whitespace();
                let (start, end) = fields.next().unwrap().split_once('-').unwrap();
                let [start, end] = [start, end].map(|at| u64::from_str_radix(at, 16).unwrap());
                let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
                memory.read_exact_at(&mut bytes, start).unwrap();
                places += 1;
                let region = fields.last().unwrap_or("").to_owned();
                let place = |at: usize| match top.checked_sub(start + at as u64) {
                    Some(depth) if region == "[stack]" => format!("{depth} bytes below the case"),
                    _ => format!("{region} {:#x}", start + at as u64),
                };
                for (at, window) in bytes.windows(8).enumerate() {
                    let first = usize::from(u16::from_le_bytes([window[0], window[1]]));
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

    fn is_blake2(algorithm: Algorithm) -> bool {
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        matches!(algorithm, Blake2b | Blake2s | Blake2bp | Blake2sp)
    }
}
