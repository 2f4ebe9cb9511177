//! The uses of a key, in Rust and in C.

use super::{CONTEXT, Case, Input, SALT, Use, What};
use hashmill::function::Function;
use hashmill::{
    Algorithm, AnyHasher, Blake2b, Blake2bp, Blake2s, Blake2sp, Blake3, Customization, Hash,
    Hashing, Hkdf, Hmac, Key, Kmac, Salt, blake2b, blake2bp, blake2s, blake2sp, kmac128, kmac256,
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
fn batches(input: &Input<'_>) -> [Vec<&'static [u8]>; 4] {
    let ragged = (0..40).map(|i| &input.long[..i * input.long.len() / 40]).collect();
    [vec![input.short; 2], vec![input.short; 5], vec![input.short; 40], ragged]
}

/// Calls `f`. It is not inlined, as most functions of a program: the bytes that `f` leaves on
/// the stack lie where the next call may or may not write.
#[inline(never)]
fn call(f: &dyn Fn(&Input<'_>), input: &Input<'_>) {
    std::hint::black_box(f)(std::hint::black_box(input));
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

/// Copies the hasher that `make` returns. It is put into a box first, because a move of an
/// [`AnyHasher`] takes along what was in the unused part of its place.
fn copied(make: impl FnOnce() -> AnyHasher) {
    let all: Vec<Box<dyn Hashing>> = collected(|| vec![make().into()]);
    black_box(&all[0].fork());
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: String, what: What, run: Use| {
        cases.push(Case { name, what, run: Box::new(move |input| call(&*run, input)) });
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
        Box::new(|input| {
            black_box(kmac128::<32>(Key(input.key), input.short, Customization(b"")));
        }),
    );
    add(
        "kmac256".into(),
        What::Kmac(136),
        Box::new(|input| {
            black_box(kmac256::<32>(Key(input.key), input.long, Customization(b"")));
        }),
    );
    macro_rules! blake2 {
        ($module:ident, $Type:ident) => {
            let what = What::Blake2(Algorithm::$Type);
            let name = |way| format!("{} with a key, {way}", Algorithm::$Type);
            add(
                name("once"),
                what,
                Box::new(|input| {
                    _ = black_box($module::Params::new().key(input.key).hash(input.short));
                }),
            );
            add(
                name("one message"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
                    black_box(hasher.hash(input.short));
                    black_box(hasher.hash(input.long));
                }),
            );
            add(
                name("in parts"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
                    black_box(hasher.finalize());
                    black_box(hasher.update(input.short).update(input.long).finalize());
                }),
            );
            add(
                name("many"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
                    for batch in batches(input) {
                        let mut out = vec![0; batch.len() * hasher.output_len()];
                        hasher.hash_many(&batch, &mut out[..]).unwrap();
                    }
                }),
            );
            add(
                name("hashers beside"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
                    let mut hashers: Vec<$Type> =
                        collected(|| (0..20).map(|_| hasher.clone()).collect());
                    $Type::update_many(&mut hashers, &[input.long; 20]).unwrap();
                    let mut out = vec![0; 20 * hasher.output_len()];
                    $Type::hash_each(&hashers, &[input.short; 20], &mut out[..]).unwrap();
                    for hasher in &mut hashers {
                        *hasher = $Type::new();
                    }
                }),
            );
            add(
                name("any"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
                    let mut any = AnyHasher::from(hasher.clone());
                    black_box(any.hash(input.short));
                    black_box(any.update(input.short).update(input.long).finalize());
                }),
            );
            add(
                name("restored"),
                what,
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
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
                Box::new(|input| {
                    let mut hasher = $Type::new();
                    $module::Params::new().key(input.key).build_into(&mut hasher).unwrap();
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
            let name = |way| format!("{}X with a key, {way}", Algorithm::$Type);
            add(
                name("once"),
                what,
                Box::new(|input| {
                    let params = || $module::Params::new().key(input.key);
                    let mut all = collected(|| vec![params().build_xof(Some(200)).unwrap()]);
                    let xof = &mut all[0];
                    let mut out = [0; 200];
                    xof.update(input.short).squeeze().try_fill(&mut out).unwrap();
                    black_box(out);
                }),
            );
            add(
                name("in parts"),
                what,
                Box::new(|input| {
                    let params = || $module::Params::new().key(input.key);
                    let mut all = collected(|| vec![params().build_xof(Some(200)).unwrap()]);
                    let xof = &mut all[0];
                    let mut reader = xof.update(input.short).update(input.long).squeeze();
                    let mut out = [0; 200];
                    reader.seek(70).unwrap();
                    reader.try_fill(&mut out[..30]).unwrap();
                    reader.try_fill(&mut out[..100]).unwrap();
                    black_box(out);
                }),
            );
            add(
                name("many"),
                what,
                Box::new(|input| {
                    let params = || $module::Params::new().key(input.key);
                    let mut all = collected(|| vec![params().build_xof(Some(200)).unwrap()]);
                    let xof = &mut all[0];
                    for batch in batches(input) {
                        let mut out = vec![0; batch.len() * 200];
                        xof.hash_many(&batch, &mut out[..]).unwrap();
                    }
                }),
            );
            add(
                name("copied"),
                what,
                Box::new(|input| {
                    let params = || $module::Params::new().key(input.key);
                    let any = || AnyHasher::from(params().build_xof(Some(200)).unwrap());
                    copied(any);
                }),
            );
        };
    }
    blake2x!(blake2b, Blake2b);
    blake2x!(blake2s, Blake2s);
    cases
}

type Add<'a> = dyn FnMut(String, What, Use) + 'a;

fn hmac<F: Function>(add: &mut Add<'_>) {
    let (algorithm, what) = (F::ALGORITHM, What::Hmac(F::ALGORITHM));
    let name = |way| format!("HMAC-{algorithm}, {way}");
    add(
        name("once"),
        what,
        Box::new(|input| {
            black_box(Hmac::<Hash<F>>::new(input.key).hash(input.short));
        }),
    );
    add(
        name("cloned"),
        what,
        Box::new(|input| {
            let hmac = Hmac::<Hash<F>>::new(input.key);
            black_box(&hmac.clone());
        }),
    );
    add(
        name("copied"),
        what,
        Box::new(|input| {
            copied(|| AnyHasher::from(Hmac::<Hash<F>>::new(input.key)));
        }),
    );
    add(
        name("prepared"),
        what,
        Box::new(|input| {
            let hmac = Hmac::<Hash<F>>::new(input.key);
            black_box((hmac.hash(input.short), hmac.hash(input.long), hmac.finalize()));
            _ = black_box(hmac.verify(input.short));
        }),
    );
    add(
        name("in parts"),
        what,
        Box::new(|input| {
            let mut hmac = Hmac::<Hash<F>>::new(input.key);
            black_box(hmac.update(input.short).update(input.long).finalize());
            black_box(hmac.clone().update(input.long).finalize());
        }),
    );
    add(
        name("many"),
        what,
        Box::new(move |input| {
            let hmac = Hmac::<Hash<F>>::new(input.key);
            for batch in batches(input) {
                let mut out = vec![0; batch.len() * algorithm.output_len()];
                hmac.hash_many(&batch, &mut out[..]).unwrap();
            }
        }),
    );
    add(
        name("HMACs beside"),
        what,
        Box::new(|input| {
            let mut hmacs: Vec<_> =
                collected(|| (0..20).map(|_| Hmac::<Hash<F>>::new(input.key)).collect());
            Hmac::update_many(&mut hmacs, &[input.long; 20]).unwrap();
            black_box(hmacs.iter().map(Hmac::finalize).count());
        }),
    );
    let name = |way| format!("HKDF-{algorithm}, {way}");
    let hkdf = What::Hkdf(algorithm);
    add(
        name("expand"),
        hkdf,
        Box::new(|input| {
            let hkdf = Hkdf::<Hash<F>>::new(Salt(SALT), input.key);
            let mut out = [0; 200];
            hkdf.expand(input.short, &mut out).unwrap();
            hkdf.expand(input.long, &mut out).unwrap();
            black_box(out);
        }),
    );
    add(
        name("many"),
        hkdf,
        Box::new(|input| {
            let hkdf = Hkdf::<Hash<F>>::new(Salt(SALT), input.key);
            for batch in batches(input) {
                let mut out = vec![0; batch.len() * 16];
                hkdf.expand_many(&batch, &mut out[..]).unwrap();
            }
        }),
    );
    add(
        name("extract"),
        hkdf,
        Box::new(|input| {
            extract::<F>(input.key);
        }),
    );
    let name = |way| format!("PBKDF2-{algorithm}, {way}");
    let what = What::Pbkdf2(algorithm);
    add(
        name("one block"),
        what,
        Box::new(|input| {
            let mut out = [0; 16];
            pbkdf2::<Hash<F>>(input.key, Salt(SALT), 3, &mut out).unwrap();
            black_box(out);
        }),
    );
    add(
        name("ten blocks"),
        what,
        Box::new(|input| {
            let mut out = [0; 640];
            pbkdf2::<Hash<F>>(input.key, Salt(SALT), 3, &mut out).unwrap();
            black_box(out);
        }),
    );
    add(
        name("many"),
        what,
        Box::new(|input| {
            let mut out = [0; 21 * 20];
            pbkdf2_many::<Hash<F>>(&[input.key; 21], Salt(&[SALT; 21]), 3, 20, &mut out).unwrap();
            black_box(out);
        }),
    );
}

/// Extracts a pseudorandom key, and overwrites it as a caller does.
fn extract<F: Function>(key: &[u8]) {
    let mut prk = Hkdf::<Hash<F>>::extract(Salt(SALT), key);
    super::registers::write();
    // SAFETY: a digest is an array of bytes, and perhaps their number.
    let bytes = unsafe { std::slice::from_raw_parts_mut((&raw mut prk).cast(), size_of_val(&prk)) };
    super::child::clear(bytes);
}

fn any(algorithm: Algorithm, add: &mut Add<'_>) {
    let what = What::Hmac(algorithm);
    let name = |way| format!("any HMAC-{algorithm}, {way}");
    add(
        name("once"),
        what,
        Box::new(move |input| {
            _ = black_box(algorithm.mac(Key(input.key), input.short));
        }),
    );
    add(
        name("prepared"),
        what,
        Box::new(move |input| {
            let mut hmac = algorithm.hmac(b"").unwrap();
            hmac.set_key(input.key);
            black_box((hmac.hash(input.short), hmac.hash(input.long)));
            _ = black_box(hmac.verify(input.short));
        }),
    );
    add(
        name("in parts"),
        what,
        Box::new(move |input| {
            let mut hmac = algorithm.hmac(b"").unwrap();
            hmac.set_key(input.key);
            black_box(hmac.update(input.short).update(input.long).finalize());
            black_box(hmac.clone().update(input.long).finalize());
        }),
    );
    add(
        name("copied"),
        what,
        Box::new(move |input| {
            copied(|| AnyHasher::from(algorithm.hmac(input.key).unwrap()));
        }),
    );
    add(
        name("many"),
        what,
        Box::new(move |input| {
            let mut hmac = algorithm.hmac(b"").unwrap();
            hmac.set_key(input.key);
            for batch in batches(input) {
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
        Box::new(move |input| {
            let mut kmac = Kmac::<RATE>::new(input.key, custom);
            black_box(kmac.update(input.short).finalize::<32>());
            black_box(kmac.update(input.long).finalize::<32>());
            _ = black_box(kmac.verify(&[0; 32]));
        }),
    );
    add(
        name("copied"),
        what,
        Box::new(move |input| {
            copied(|| AnyHasher::from(Kmac::<RATE>::new(input.key, custom)));
        }),
    );
    add(
        name("XOF"),
        what,
        Box::new(move |input| {
            let kmac = Kmac::<RATE>::new(input.key, custom);
            let mut out = [0; 500];
            kmac.squeeze().fill(&mut out);
            kmac.finalize_bits_into(3, 2, 4000, &mut out).unwrap();
            black_box(out);
        }),
    );
    add(
        name("many"),
        what,
        Box::new(move |input| {
            let kmac = Kmac::<RATE>::new(input.key, custom);
            for batch in batches(input) {
                let mut out = vec![0; batch.len() * 32];
                kmac.hash_many(&batch, &mut out[..]).unwrap();
            }
        }),
    );
}

/// Adds BLAKE3 with a key, and with the key as the material of derived keys.
fn blake3(add: &mut Add<'_>) {
    // A macro, because a function would move the hasher.
    macro_rules! uses {
        ($mode:literal, |$key:ident| $new:expr, |$hasher:ident| $then:expr) => {
            let name = |way| format!("BLAKE3, {}, {way}", $mode);
            add(
                name("in parts"),
                What::Blake3,
                Box::new(move |input| {
                    let $key = input.key;
                    let mut $hasher = $new;
                    $then;
                    black_box($hasher.update(input.short).finalize());
                    black_box($hasher.hash(input.long));
                    black_box($hasher.update(input.long).finalize());
                    black_box($hasher.hash(input.chunks));
                    black_box($hasher.update(input.chunks).finalize());
                }),
            );
            add(
                name("any length"),
                What::Blake3,
                Box::new(move |input| {
                    let $key = input.key;
                    let mut $hasher = $new;
                    $then;
                    let mut out = [0; 5000];
                    $hasher.squeeze().fill(&mut out[..100]);
                    $hasher.update(input.chunks).squeeze().fill(&mut out);
                    black_box(out);
                }),
            );
            add(
                name("many"),
                What::Blake3,
                Box::new(move |input| {
                    let $key = input.key;
                    let mut $hasher = $new;
                    $then;
                    for mut batch in batches(input) {
                        batch.push(input.chunks);
                        let mut out = vec![0; batch.len() * 32];
                        $hasher.hash_many(&batch, &mut out[..]).unwrap();
                    }
                }),
            );
            add(
                name("hashers beside"),
                What::Blake3,
                Box::new(move |input| {
                    let $key = input.key;
                    let mut $hasher = $new;
                    $then;
                    let mut hashers: Vec<Blake3> =
                        collected(|| (0..20).map(|_| $hasher.clone()).collect());
                    Blake3::update_many(&mut hashers, &[input.long; 20]).unwrap();
                    Blake3::update_many(&mut hashers, &[input.chunks; 20]).unwrap();
                    let mut out = vec![0; 20 * 32];
                    Blake3::hash_each(&hashers, &[input.short; 20], &mut out[..]).unwrap();
                    for hasher in &mut hashers {
                        *hasher = Blake3::new();
                    }
                }),
            );
            add(
                name("restored"),
                What::Blake3,
                Box::new(move |input| {
                    let $key = input.key;
                    let mut $hasher = $new;
                    $then;
                    let saved = $hasher.update(input.chunks).export();
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
        Box::new(move |input| {
            let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
            let hasher: *mut Hasher = (&raw mut room).cast();
            let mut out = [0_u8; 40];
            let place: *mut c_void = out.as_mut_ptr().cast();
            let (long, len) = (at(input.chunks), input.chunks.len());
            // SAFETY: pointers with their lengths, and a context of its size.
            let statuses = unsafe {
                [
                    black_box(hashmill_blake3_keyed(input.key.as_ptr(), long, len, place, 40)),
                    black_box(hashmill_hasher_init_blake3_keyed(hasher, input.key.as_ptr())),
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
        Box::new(move |input| {
            let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
            let hasher: *mut Hasher = (&raw mut room).cast();
            let mut out = [0_u8; 40];
            // SAFETY: pointers with their lengths, and a context of its size.
            let statuses = unsafe {
                [
                    black_box(hashmill_hasher_init_kmac(
                        hasher,
                        code,
                        at(input.key),
                        input.key.len(),
                        at(b""),
                        0,
                    )),
                    black_box(hashmill_hasher_update(hasher, at(input.long), input.long.len())),
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
        Box::new(move |input| {
            let (mut out, data) = ([0_u8; 64], at(input.short));
            // SAFETY: pointers with their lengths.
            let status = unsafe {
                black_box(hashmill_hmac(
                    code,
                    at(input.key),
                    input.key.len(),
                    data,
                    input.short.len(),
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
        Box::new(move |input| {
            let mut room = Room::<HMAC_SIZE>(MaybeUninit::zeroed());
            let hmac: *mut HmacContext = (&raw mut room).cast();
            let mut out = [0_u8; 40 * 64];
            let place: *mut c_void = out.as_mut_ptr().cast();
            let messages = [Bytes { data: at(input.long), len: input.long.len() }; 40];
            // SAFETY: pointers with their lengths, and a context of its size.
            let statuses = unsafe {
                [
                    black_box(hashmill_hmac_init(hmac, code, at(input.key), input.key.len())),
                    black_box(hashmill_hmac_update(hmac, at(input.short), input.short.len())),
                    black_box(hashmill_hmac_update(hmac, at(input.long), input.long.len())),
                    black_box(hashmill_hmac_finalize(hmac, place, len)),
                    black_box(hashmill_hmac_verify(hmac, place, len)),
                    black_box(hashmill_hmac_finish_many(hmac, messages.as_ptr(), 40, place, len)),
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
        Box::new(move |input| {
            let mut out = [0_u8; 200];
            // SAFETY: pointers with their lengths.
            let status = unsafe {
                black_box(hashmill_hkdf(
                    code,
                    at(SALT),
                    SALT.len(),
                    at(input.key),
                    input.key.len(),
                    at(input.short),
                    input.short.len(),
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
        Box::new(move |input| {
            let mut prk = [0_u8; 64];
            // SAFETY: pointers with their lengths.
            let status = unsafe {
                black_box(hashmill_hkdf_extract(
                    code,
                    at(SALT),
                    SALT.len(),
                    at(input.key),
                    input.key.len(),
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
        Box::new(move |input| {
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
                        at(input.key),
                        input.key.len(),
                    )),
                    black_box(hashmill_hkdf_expand(
                        hkdf,
                        at(input.short),
                        input.short.len(),
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
        Box::new(move |input| {
            let mut out = [0_u8; 200];
            // SAFETY: pointers with their lengths.
            let status = unsafe {
                black_box(hashmill_pbkdf2(
                    code,
                    at(input.key),
                    input.key.len(),
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
        Box::new(move |input| {
            let mut room = Room::<HASHER_SIZE>(MaybeUninit::zeroed());
            let hasher: *mut Hasher = (&raw mut room).cast();
            let mut out = [0_u8; 40 * 64];
            let place: *mut c_void = out.as_mut_ptr().cast();
            let messages = [Bytes { data: at(input.long), len: input.long.len() }; 40];
            let mut params = MaybeUninit::<Blake2Params>::uninit();
            // SAFETY: pointers with their lengths, and a context of its size.
            let statuses = unsafe {
                let first = black_box(hashmill_blake2_defaults(
                    params.as_mut_ptr(),
                    size_of::<Blake2Params>(),
                    code,
                ));
                let mut params = params.assume_init();
                params.key = Bytes { data: at(input.key), len: input.key.len() };
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
                    black_box(hashmill_hasher_update(hasher, at(input.short), input.short.len())),
                    black_box(hashmill_hasher_update(hasher, at(input.long), input.long.len())),
                    black_box(hashmill_hasher_finalize(hasher, place, len)),
                ]
            };
            // SAFETY: as above.
            unsafe { hashmill_hasher_wipe(hasher) };
            assert_eq!(statuses, [0; 6]);
            black_box(&mut room);
        }),
    );
    let call = match algorithm {
        A::Blake2b => hashmill_blake2b_keyed,
        A::Blake2s => hashmill_blake2s_keyed,
        A::Blake2bp => hashmill_blake2bp_keyed,
        _ => hashmill_blake2sp_keyed,
    };
    add(
        format!("C {algorithm} with a key, one call"),
        What::Blake2(algorithm),
        Box::new(move |input| {
            let mut out = [0_u8; 64];
            let (key, long) = (at(input.key), at(input.long));
            // SAFETY: pointers with their lengths.
            let status = black_box(unsafe {
                call(key, input.key.len(), long, input.long.len(), out.as_mut_ptr().cast(), len)
            });
            assert_eq!(status, 0);
        }),
    );
}
