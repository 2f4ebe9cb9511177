//! A hasher with a message in progress: `finish`, `count` and `reset`.

use crate::common::{is_sponge, message, stride};
use hashmill::{Algorithm, AnyHasher, Hashing, Hmac, blake2b};

/// Returns lengths around the ends of the strides that the algorithm absorbs at once.
fn lengths(algorithm: Algorithm) -> [usize; 7] {
    let stride = stride(algorithm);
    [0, 1, stride - 1, stride, stride + 1, 2 * stride, 3 * stride + 7]
}

#[test]
fn finish_is_update_and_finalize() {
    let bytes = message(10_000);
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            for begin in lengths(algorithm) {
                let mut hasher = hashmill::$Type::from_iter(&bytes[..begin]);
                let any = AnyHasher::from(hasher.clone());
                for end in lengths(algorithm) {
                    let (rest, what) = (&bytes[begin..][..end], format!("{algorithm}, {begin} + {end}"));
                    let expected = hasher.clone().update(rest).finalize();
                    assert_eq!(expected[..], hashmill::$function(&bytes[..begin + end])[..]);
                    assert_eq!(hasher.hash(rest), expected, "{what}");
                    assert_eq!(any.hash(rest), expected[..], "{what}");
                }
                // `finish` has absorbed nothing.
                let before = hashmill::$Type::from_iter(&bytes[..begin]);
                assert_eq!(hasher.export().as_ref(), before.export().as_ref());
                hasher.update(b"");
                assert_eq!(hasher.hash(b""), hasher.finalize());
            }
        )* };
    }
    each!(fixed fixed);
    macro_rules! hmac {
        ($($Type:ident $function:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            for begin in lengths(algorithm) {
                let mut hmac = Hmac::<hashmill::$Type>::new(b"key");
                hmac.update(&bytes[..begin]);
                let mut any = algorithm.hmac(b"key").expect("an HMAC");
                any.update(&bytes[..begin]);
                for end in lengths(algorithm) {
                    let (rest, what) = (&bytes[begin..][..end], format!("{algorithm}, {begin} + {end}"));
                    let expected = hmac.clone().update(rest).finalize();
                    assert_eq!(hmac.hash(rest), expected, "{what}");
                    assert_eq!(any.hash(rest), expected[..], "{what}");
                }
            }
        )* };
    }
    each!(hmac hmac);
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.is_xof()) {
        let any = algorithm.hasher();
        assert_eq!(any.hash(b"abc"), algorithm.hash(b"abc"));
    }
}

/// The number of bytes absorbed, for algorithms whose standard counts them. Keccak's and Ascon's
/// functions do not count.
#[test]
fn counting() {
    macro_rules! counting {
        ($($Type:ident $function:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            let counts = !is_sponge(algorithm);
            let mut hasher = hashmill::$Type::new();
            let mut total = 0;
            for len in lengths(Algorithm::$Type) {
                hasher.update(&vec![7; len]);
                total += len as u128;
                assert_eq!(hasher.count(), counts.then_some(total), stringify!($Type));
                let any = AnyHasher::from(hasher.clone());
                assert_eq!(any.count(), counts.then_some(total), stringify!($Type));
                let resumed = hashmill::$Type::import(hasher.export().as_ref()).expect("a state");
                assert_eq!(resumed.count(), hasher.count(), stringify!($Type));
            }
        )* };
    }
    each!(fixed counting);
    each!(xof counting);
    let near = crate::state::limits::near_the_limit(10);
    let near = hashmill::Sha256::import(&near).expect("a good state");
    assert_eq!(near.count(), Some((1 << 61) - 1 - 10));
    // The key does not count, but after an import nobody knows whether there was one.
    macro_rules! keyed {
        ($($module:ident $block:literal),*) => { $(
            let keyed = hashmill::$module::Params::new().key(b"key").build();
            let mut keyed = keyed.expect("good parameters");
            assert_eq!(keyed.count(), Some(0));
            keyed.update(&[0; 1000]);
            assert_eq!(keyed.count(), Some(1000));
            let resumed = AnyHasher::import(keyed.export().as_ref()).expect("a good state");
            assert_eq!(resumed.count(), Some(1000 + $block), stringify!($module));
        )* };
    }
    keyed!(blake2b 128, blake2s 64, blake2bp 512, blake2sp 512);
    // HMAC's key is a block of the inner hash, but not of the message.
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.has_hmac()) {
        let counts = !is_sponge(algorithm);
        for key in [0, 1, 1000] {
            let mut hmac = algorithm.hmac(&vec![7; key]).expect("an HMAC");
            assert_eq!(hmac.count(), counts.then_some(0), "{algorithm}, a key of {key} bytes");
            assert_eq!(hmac.update([0; 1000]).count(), counts.then_some(1000), "{algorithm}");
        }
    }
    let mut hmac = Hmac::<hashmill::Sha256>::new(b"key");
    let hmac: &dyn Hashing = hmac.update(b"abc");
    assert_eq!(hmac.count(), Some(3));
}

#[test]
fn a_new_beginning() {
    macro_rules! reset {
        ($($Type:ident $function:ident,)*) => { $(reset! { @$Type })* };
        // These have no `reset`, because they take parameters.
        (@Blake2b) => {};
        (@Blake2s) => {};
        (@Blake2bp) => {};
        (@Blake2sp) => {};
        (@TurboShake128) => {};
        (@TurboShake256) => {};
        (@$Type:ident) => {
            let mut hasher = hashmill::$Type::new();
            for len in [1, 64, 168, 5000] {
                hasher.update(&vec![7; len]).reset();
                assert_eq!(hasher.export().as_ref(), hashmill::$Type::new().export().as_ref());
            }
        };
    }
    each!(fixed reset);
    each!(xof reset);
    reset!(Kt128 kt128, Kt256 kt256,);
}

/// A hasher with a key or parameters has no `reset`. A clone of the new hasher keeps them.
#[test]
fn a_clone_keeps_its_parameters() {
    let keyed = blake2b::Params::new().key(b"key").output_len(20).build().expect("parameters");
    let expected = keyed.hash(b"abc");
    assert_eq!(expected.len(), 20);
    assert_eq!(keyed.clone().update(b"abc").finalize(), expected);
    assert_eq!(AnyHasher::from(keyed.clone()).update(b"abc").finalize(), expected);
    let xof = hashmill::TurboShake128::with_domain(5).expect("a domain");
    let output: Vec<u8> = xof.clone().squeeze().take(32).collect();
    assert_ne!(hashmill::turboshake128::<32>(b""), output[..]);
}

/// With the feature `alloc`, the trees' states are on the heap.
#[test]
#[cfg(feature = "alloc")]
fn how_large_hashers_of_any_algorithm_are() {
    use hashmill::{AnyHmac, VarDigest};
    assert!(size_of::<AnyHasher>() <= 400, "{}", size_of::<AnyHasher>());
    assert!(size_of::<AnyHmac>() <= 800, "{}", size_of::<AnyHmac>());
    assert!(size_of::<VarDigest>() <= 72, "{}", size_of::<VarDigest>());
}
