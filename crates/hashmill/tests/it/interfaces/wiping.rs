//! A dropped value leaves no secret in its memory.

use hashmill::{Algorithm, Customization, Exported, FunctionName, Hmac};
use std::mem::MaybeUninit;

const NO_NAME: FunctionName = FunctionName(b"");
const C: Customization = Customization(b"C");

/// Returns the bytes of a value's memory: when the value is new, when it has taken its secrets, and
/// when it was dropped.
fn dropped<T>(value: T, take: impl FnOnce(&mut T)) -> [Vec<u8>; 3] {
    let mut place = MaybeUninit::<T>::zeroed();
    let bytes = |place: &MaybeUninit<T>| -> Vec<u8> {
        let first = place.as_ptr().cast::<u8>();
        // A volatile read returns the memory's contents, even if the compiler assumes that they are
        // unused.
        // SAFETY: the whole memory was zeroed above, and is read as bytes.
        (0..size_of::<T>()).map(|i| unsafe { first.add(i).read_volatile() }).collect()
    };
    place.write(value);
    let new = bytes(&place);
    // SAFETY: a value was written above.
    take(unsafe { place.assume_init_mut() });
    let before = bytes(&place);
    // SAFETY: as above, and the value is not used again.
    unsafe { place.assume_init_drop() };
    [new, before, bytes(&place)]
}

/// Checks that all secrets are in memory before the drop, and that none is left after it. A place
/// where the new value already has the same bytes does not count, because the unused space of a new
/// `AnyHasher` contains earlier bytes of the stack.
#[track_caller]
fn wiped<T>(name: &str, value: T, take: impl FnOnce(&mut T), secrets: &[&[u8]]) {
    still_there(name, &dropped(value, take), secrets);
}

/// The part of `wiped` that is compiled once for all types.
#[track_caller]
fn still_there(name: &str, [new, before, after]: &[Vec<u8>; 3], secrets: &[&[u8]]) {
    for &secret in secrets {
        let is_at = |bytes: &[u8], at: usize| bytes[at..].starts_with(secret);
        let places = (0..before.len()).filter(|&at| is_at(before, at) && !is_at(new, at));
        let places: Vec<usize> = places.collect();
        assert!(!places.is_empty(), "{name}: the secret is not where it was looked for");
        assert!(!places.iter().any(|&at| is_at(after, at)), "{name}: the secret is still there");
    }
}

const WAITING: &[u8] = b"bytes that wait for more";

/// Returns a message whose end waits in the buffer.
fn message_of(algorithm: Algorithm) -> Vec<u8> {
    let mut message = vec![0xA5; 16 * algorithm.block_len()];
    message.extend(waiting_of(algorithm));
    message
}

/// Returns the bytes that wait at the end of `message_of`. Ascon's blocks have 8 bytes.
fn waiting_of(algorithm: Algorithm) -> &'static [u8] {
    &WAITING[..WAITING.len().min(algorithm.block_len() - 1)]
}

/// Returns whether `AnyHasher` and `AnyHmac` store the algorithm's state on the heap. `no_alloc.rs`
/// tests those states.
fn on_the_heap(algorithm: Algorithm) -> bool {
    cfg!(feature = "alloc") && (algorithm.name().ends_with('p') || algorithm == Algorithm::Blake3)
}

/// Returns sixteen bytes of the words that absorb the message. Exported states contain them as they
/// are in memory.
fn words_of(algorithm: Algorithm, exported: &Exported) -> &[u8] {
    let start = match algorithm {
        // A tree's root is stored before its leaves, and has absorbed nothing.
        Algorithm::Blake2bp | Algorithm::Blake2sp => 120,
        // In a chaining value in the stack.
        Algorithm::Blake3 => 50,
        Algorithm::AsconHash256 | Algorithm::AsconXof128 => 2,
        _ => 30,
    };
    &exported.as_ref()[start..][..16]
}

#[test]
#[cfg_attr(not(target_endian = "little"), ignore = "states are exported little-endian")]
fn hashers() {
    macro_rules! hashers {
        ($($Type:ident $function:ident,)*) => { $(
            let (algorithm, name) = (Algorithm::$Type, stringify!($Type));
            let message = message_of(algorithm);
            let exported = algorithm.hasher().update(&message).export().expect("a state");
            let secrets = [waiting_of(algorithm), words_of(algorithm, &exported)];
            let take = |hasher: &mut hashmill::$Type| {
                hasher.update(&message);
            };
            wiped(name, hashmill::$Type::new(), take, &secrets);
            let take = |hasher: &mut hashmill::AnyHasher| {
                hasher.update(&message);
            };
            if !on_the_heap(algorithm) {
                wiped(name, algorithm.hasher(), take, &secrets);
            }
        )* };
    }
    each!(fixed hashers);
    each!(xof hashers);
}

#[test]
fn hmacs() {
    macro_rules! hmacs {
        ($($Type:ident $function:ident,)*) => { $(
            let (algorithm, name) = (Algorithm::$Type, stringify!($Type));
            let message = message_of(algorithm);
            let take = |hmac: &mut Hmac<hashmill::$Type>| {
                hmac.update(&message);
            };
            wiped(name, Hmac::<hashmill::$Type>::new(b"key"), take, &[WAITING]);
            let take = |hmac: &mut hashmill::AnyHmac| {
                hmac.update(&message);
            };
            if !on_the_heap(algorithm) {
                wiped(name, algorithm.hmac(b"key").expect("an HMAC"), take, &[WAITING]);
            }
        )* };
    }
    each!(hmac hmacs);
}

/// The functions that are not in the table of algorithms.
#[test]
fn others() {
    const LONG: &[u8] = &[0xA5; 10_000];
    macro_rules! others {
        ($($Type:ident: $new:expr, $update:ident;)*) => { $(
            let take = |function: &mut hashmill::$Type| {
                function.$update(LONG).$update(WAITING);
            };
            wiped(stringify!($Type), $new, take, &[WAITING]);
        )* };
    }
    others! {
        Kt128: hashmill::Kt128::new(), update;
        Kt256: hashmill::Kt256::new(), update;
        CShake128: hashmill::CShake128::new(NO_NAME, C), update;
        CShake256: hashmill::CShake256::new(NO_NAME, C), update;
        Kmac128: hashmill::Kmac128::new(b"key", C), update;
        Kmac256: hashmill::Kmac256::new(b"key", C), update;
        TupleHash128: hashmill::TupleHash128::new(b"C"), element;
        TupleHash256: hashmill::TupleHash256::new(b"C"), element;
        ParallelHash128: hashmill::ParallelHash128::new(8192, b"C").expect("a length"), update;
        ParallelHash256: hashmill::ParallelHash256::new(8192, b"C").expect("a length"), update;
    }
    // Ascon's blocks have 8 bytes.
    let ascon = || hashmill::AsconCXof128::new(C).expect("a short string");
    let take = |hasher: &mut hashmill::AsconCXof128| {
        hasher.update(LONG).update(b"waiting");
    };
    let mut absorbed = ascon();
    take(&mut absorbed);
    let exported = absorbed.export();
    let secrets: [&[u8]; 2] = [b"waiting", &exported.as_ref()[2..18]];
    wiped("AsconCXof128", ascon(), take, &secrets);
    let take = |tuple: &mut hashmill::TupleHash128| {
        tuple.begin(20_000).expect("no element before").update(LONG).update(WAITING);
    };
    wiped("an element", hashmill::TupleHash128::new(b"C"), take, &[WAITING]);
    // HKDF's state after the key, which is also the state of HMAC's inner hash.
    macro_rules! hkdfs {
        ($($Type:ident $function:ident,)*) => { $(
            let (algorithm, key) = (Algorithm::$Type, [0xA5; 64]);
            let mut block = [0x36; 144];
            block.iter_mut().zip(&key).for_each(|(pad, key)| *pad ^= key);
            let mut inner = algorithm.hasher();
            inner.update(&block[..algorithm.block_len()]);
            let exported = inner.export().expect("a state");
            // BLAKE2 has not absorbed the block yet, so the secret is the block itself.
            let secret = match algorithm.name().starts_with("BLAKE2") {
                true => &block[..16],
                false => words_of(algorithm, &exported),
            };
            let hkdf = |key| hashmill::Hkdf::<hashmill::$Type>::from_prk(key).expect("long");
            let take = |place: &mut hashmill::Hkdf<hashmill::$Type>| *place = hkdf(&key);
            wiped(stringify!($Type), hkdf(&[0; 64]), take, &[secret]);
        )* };
    }
    each!(hmac hkdfs);
}

#[test]
fn readers_and_exported_states() {
    for &algorithm in Algorithm::ALL {
        let hasher = algorithm.hasher().update(message_of(algorithm)).clone();
        if let (Ok(empty), Ok(mut reader)) = (algorithm.hasher().squeeze(), hasher.squeeze()) {
            // A sponge permutes its state when it is first read.
            reader.try_fill(&mut [0]).expect("an output");
            // The beginning of a sponge's output is that of its state. BLAKE3's root is a parent, whose block
            // begins with the chaining value of the first chunk.
            let (output, exported) = (hasher.finalize(), hasher.export().expect("a state"));
            let secret = match algorithm {
                Algorithm::Blake3 => words_of(algorithm, &exported),
                _ => &output[..algorithm.block_len().min(output.len())],
            };
            wiped("XofReader", empty, |place| *place = reader, &[secret]);
        }
        let empty = algorithm.hasher().export().expect("a state");
        wiped(
            "Exported",
            empty,
            |place| *place = hasher.export().expect("a state"),
            &[waiting_of(algorithm)],
        );
    }
}
