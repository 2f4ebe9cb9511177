//! Every way to absorb bytes and to read outputs, and the errors.

use super::RATES;
use crate::common::answer::ptn;
use hashmill::{Customization, Error, FunctionName, Hashing};

#[test]
fn elements_that_are_not_what_was_announced() {
    for (strength, _) in RATES {
        with!(strength, Type = TupleHash128 | TupleHash256 => {
            let mut tuple = Type::new(b"");
            assert_eq!(tuple.element(b"first").try_update(b"a").err(), Some(Error::Operation));
            let incomplete = |given, expected| Some(Error::ElementLength { given, expected });
            tuple.begin(3).expect("the second");
            assert_eq!(tuple.begin(1).err(), incomplete(0, 3));
            assert_eq!(tuple.try_update(b"abcd").err(), incomplete(4, 3));
            tuple.update(b"ab");
            assert_eq!(tuple.try_update(b"cd").err(), incomplete(2, 1));
            let mut out = [7; 32];
            assert_eq!(tuple.finalize_into(&mut out).err(), incomplete(0, 1));
            assert_eq!(tuple.finalize_bits_into(0, 0, 256, &mut out).err(), incomplete(0, 1));
            assert_eq!(tuple.hash_many(["x"], &mut out).err(), incomplete(0, 1));
            assert_eq!(out, [7; 32]);
            tuple.update(b"c").begin(0).expect("three of three");
            let mut whole = Type::new(b"");
            whole.element(b"first").element(b"abc").element(b"");
            assert_eq!(tuple.finalize::<32>(), whole.finalize());
        });
    }
}

#[test]
fn what_is_refused() {
    for (strength, _) in RATES {
        with!(strength, Type = ParallelHash128 | ParallelHash256 => {
            assert_eq!(Type::new(0, b"").err(), Some(Error::BlockLength));
            let hash = Type::new(1, b"").expect("a length of blocks");
            assert_eq!(hash.finalize_bits_into(0, 8, 8, &mut [0]), Err(Error::TooManyBits { given: 8 }));
            assert_eq!(hash.finalize_bits_into(0, 0, 9, &mut [0]), Err(Error::OutputLength { given: 1, expected: 2 }));
            assert!(hash.squeeze_bits(0, u32::MAX).is_err());
        });
        with!(strength, Type = Kmac128 | Kmac256 => {
            let kmac = Type::new(b"", Customization(b""));
            assert_eq!(kmac.finalize_bits_into(0, 8, 8, &mut [0]), Err(Error::TooManyBits { given: 8 }));
            assert_eq!(kmac.finalize_bits_into(0, 0, 0, &mut [0]), Err(Error::OutputLength { given: 1, expected: 0 }));
            assert_eq!(kmac.finalize_bits_into(0, 0, 0, &mut []), Ok(()));
            assert!(kmac.squeeze_bits(0, u32::MAX).is_err());
        });
        with!(strength, Type = CShake128 | CShake256 => {
            let cshake = Type::new(FunctionName(b""), Customization(b""));
            assert_eq!(cshake.squeeze_bits(0, 8).err(), Some(Error::TooManyBits { given: 8 }));
        });
    }
}

/// Readers, writers and iterators. A function may absorb more bytes after an output.
#[test]
fn other_ways_in() {
    macro_rules! ways {
        ($new:expr, $finalize:expr) => {{
            let message = ptn(40_000);
            let mut whole = $new;
            whole.update(&message);
            let expected = $finalize(&whole);
            let mut halves = $new;
            halves.update(&message[..20_000]);
            let _ = $finalize(&halves);
            halves.update(&message[20_000..]);
            assert_eq!($finalize(&halves), expected);
            let mut copied = $new;
            std::io::copy(&mut &message[..], &mut copied).expect("a slice can be read");
            assert_eq!($finalize(&copied), expected);
            let mut read = $new;
            assert_eq!(read.update_reader(&message[..]).expect("a slice can be read"), 40_000);
            assert_eq!($finalize(&read), expected);
            let mut extended = $new;
            extended.extend(&message);
            assert_eq!($finalize(&extended.clone()), expected);
            let name = (&extended as &dyn Hashing).name();
            assert_eq!(format!("{extended:?}"), format!("{name} {{ .. }}"));
        }};
    }
    for (strength, _) in RATES {
        with!(strength, Type = CShake128 | CShake256 => {
            ways!(Type::new(FunctionName(b"N"), Customization(b"S")), |hash: &Type| hash.squeeze().take(50).collect::<Vec<_>>());
        });
        with!(strength, Type = Kmac128 | Kmac256 => {
            ways!(Type::new(b"K", Customization(b"S")), |hash: &Type| hash.finalize::<50>());
        });
        with!(strength, Type = ParallelHash128 | ParallelHash256 => {
            let new = || Type::new(1000, b"S").expect("a length of blocks");
            ways!(new(), |hash: &Type| hash.finalize::<50>());
        });
    }
}
