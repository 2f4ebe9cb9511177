//! Outputs of fixed length and of any length, and outputs for messages of bits.

use crate::common::takes_bits;
use hashmill::{Algorithm, Error};

#[test]
fn outputs_of_any_length() {
    for &algorithm in Algorithm::ALL {
        let hasher = algorithm.hasher().update(b"abc").clone();
        if !algorithm.is_xof() {
            assert_eq!(hasher.squeeze().err(), Some(Error::NotExtendable), "{algorithm}");
            assert_eq!(hasher.squeeze_bits(0, 0).err(), Some(Error::NotExtendable));
            continue;
        }
        let reader = || hasher.squeeze().expect("an XOF");
        let mut expected = vec![0; 4 * algorithm.block_len().max(50) + 1];
        reader().try_fill(&mut expected).expect("output");
        assert_eq!(expected[..algorithm.output_len()], *hasher.finalize(), "{algorithm}");

        // As one iterator, and in pieces that end anywhere.
        assert!(reader().take(expected.len()).eq(expected.iter().copied()), "{algorithm}");
        for piece in [1, 7, 8, 9, algorithm.block_len() - 1, algorithm.block_len()] {
            let (mut reader, mut out) = (reader(), vec![0; expected.len()]);
            out.chunks_mut(piece).for_each(|piece| {
                reader.try_fill(&mut []).expect("output");
                reader.try_fill(piece).expect("output");
            });
            assert_eq!(out, expected, "{algorithm}, pieces of {piece}");
        }
        let mut first = reader();
        assert_eq!(first.size_hint(), (usize::MAX, None));
        assert_eq!(first.next(), Some(expected[0]));
        let mut clone = first.clone();
        assert_eq!((first.next(), clone.next()), (Some(expected[1]), Some(expected[1])));

        // Into slices of several lengths, including 0.
        for len in [0, 1, 31, 200, expected.len()] {
            let mut out = vec![0; len];
            assert_eq!(hasher.hash_into(b"", &mut out), Ok(()), "{algorithm}");
            assert_eq!(out, expected[..len], "{algorithm}, {len} bytes");
        }
    }
}

#[test]
#[cfg(feature = "std")]
fn an_endless_reader() {
    use std::io::Read;
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.is_xof()) {
        let reader = || algorithm.hasher().update(b"abc").squeeze().expect("an XOF");
        let mut expected = vec![0; 5000];
        reader().try_fill(&mut expected).expect("output");
        let mut reader = reader();
        let mut read = Vec::new();
        Read::take(&mut reader, 1234).read_to_end(&mut read).expect("read");
        assert_eq!(reader.read(&mut []).expect("read"), 0);
        let mut rest = vec![0; 5000 - 1234];
        reader.read_exact(&mut rest).expect("read");
        read.extend(rest);
        assert_eq!(read, expected, "{algorithm}");
    }
}

#[test]
fn outputs_of_fixed_length_fill_their_length_only() {
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.is_xof()) {
        let (hasher, len) = (algorithm.hasher(), algorithm.output_len());
        for wrong in (0..=100).filter(|&wrong| wrong != len) {
            let mut out = vec![7; wrong];
            let refused = Error::OutputLength { given: wrong as u64, expected: len as u64 };
            assert_eq!(hasher.hash_into(b"", &mut out), Err(refused), "{algorithm}");
            assert_eq!(out, vec![7; wrong]);
        }
        let mut out = vec![0; len];
        assert_eq!(hasher.hash_into(b"", &mut out), Ok(()));
        assert_eq!(out, *hasher.finalize());
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            let mut out = vec![0; Algorithm::$Type.output_len()];
            let hasher = hashmill::$Type::new();
            assert!(matches!(hasher.finalize_into(&mut out[1..]), Err(Error::OutputLength { .. })));
            assert_eq!(hasher.finalize_into(&mut out), Ok(()));
            assert_eq!(out, hashmill::$function(b"")[..]);
        )* };
    }
    each!(fixed fixed);
}

#[test]
fn messages_of_bits_are_refused_where_there_are_none() {
    for &algorithm in Algorithm::ALL {
        let hasher = algorithm.hasher();
        let defined = takes_bits(algorithm);
        for bits in 0..=7 {
            let expected = if defined { None } else { Some(Error::NoBits) };
            assert_eq!(hasher.finalize_bits(0, bits).err(), expected, "{algorithm}, {bits} bits");
        }
        for bits in [8, 9, 31, 32, 64, 255, 256, u32::MAX] {
            let expected = match defined {
                true => Error::TooManyBits { given: bits.into() },
                false => Error::NoBits,
            };
            assert_eq!(
                hasher.finalize_bits(0, bits).err(),
                Some(expected),
                "{algorithm}, {bits} bits"
            );
        }
        if algorithm.is_xof() {
            for bits in [0, 7, 8, u32::MAX] {
                let expected = match bits {
                    _ if !defined => Some(Error::NoBits),
                    0..=7 => None,
                    _ => Some(Error::TooManyBits { given: bits.into() }),
                };
                assert_eq!(hasher.squeeze_bits(0, bits).err(), expected, "{algorithm}");
            }
        }
        if defined {
            // The unused bits do not affect the digest, and 0 bits means a message of whole bytes.
            assert_eq!(hasher.finalize_bits(0xFF, 0), Ok(hasher.finalize()), "{algorithm}");
            let (low, high) = (hasher.finalize_bits(0x0F, 4), hasher.finalize_bits(0xF0, 4));
            let sponge = !algorithm.block_len().is_power_of_two() || algorithm.block_len() == 8;
            let counted = if sponge { low } else { high };
            assert_eq!(hasher.finalize_bits(0xFF, 4), counted, "{algorithm}");
            assert_ne!(low, high, "{algorithm}");
        }
    }
}
