//! The outputs of many extendable-output functions, squeezed side by side.

use crate::common::{backends, calls, message};
use hashmill::many::{Hex, Ordered, Rows, RowsMut};
use hashmill::{
    Algorithm, AnyReader, Blake2xb, Customization, Digest, Error, Kmac128, Kt128, Shake128,
    Shake256, TurboShake128, TurboShake256, VarDigest, XofReader,
};

/// Returns the reader of stream `i`. Streams next to each other mostly have one function.
fn reader(i: usize) -> XofReader {
    let seed = message(i * 37 % 401);
    match i / 11 % 4 {
        0 => Shake128::new().update(seed).squeeze(),
        1 => Shake256::new().update(seed).squeeze(),
        2 => TurboShake128::new().update(seed).squeeze(),
        _ => TurboShake256::new().update(seed).squeeze(),
    }
}

#[test]
fn readers_agree_with_one_reader() {
    backends::each_of(Algorithm::Shake128, |name| {
        for count in (0..=19).chain([33, 50]) {
            let expected: Vec<Vec<u8>> =
                (0..count).map(|i| reader(i).take(2000).collect()).collect();
            let mut readers: Vec<_> = (0..count).map(reader).collect();
            let mut done = vec![0; count];
            for (step, len) in [168, 3, 136, 0, 504, 1, 7, 32, 64].into_iter().enumerate() {
                // In some steps a few readers are left out, so that positions differ afterwards.
                let is_left_out = |i: usize| step % 3 == 1 && i % 7 == 3;
                let chosen: Vec<usize> = (0..count).filter(|&i| !is_left_out(i)).collect();
                let mut some: Vec<&mut XofReader> = Vec::new();
                for (i, reader) in readers.iter_mut().enumerate() {
                    if !is_left_out(i) {
                        some.push(reader);
                    }
                }
                let mut out = vec![0; chosen.len() * len];
                assert_eq!(XofReader::fill_many(&mut some, &mut out), Ok(()));
                for (place, &i) in chosen.iter().enumerate() {
                    let got = &out[place * len..][..len];
                    assert_eq!(
                        got,
                        &expected[i][done[i]..][..len],
                        "{name}: {i} of {count}, {len}"
                    );
                    done[i] += len;
                }
            }
            for (i, reader) in readers.iter_mut().enumerate() {
                assert_eq!(reader.next(), Some(expected[i][done[i]]), "{name}: {i} of {count}");
            }
        }
    });
}

#[test]
fn places_of_every_kind() {
    let readers = || -> Vec<XofReader> { (0..9).map(reader).collect() };
    let fill = |len| readers().into_iter().map(move |it| it.take(len).collect::<Vec<u8>>());
    let mut rows = vec![7; 9 * 400];
    let mut places = RowsMut::new(&mut rows, 400, 10..380).expect("rows");
    assert_eq!(XofReader::fill_many(&mut readers(), &mut places), Ok(()));
    for (row, expected) in rows.chunks(400).zip(fill(370)) {
        assert_eq!(
            (&row[..10], &row[10..380], &row[380..]),
            (&[7; 10][..], &expected[..], &[7; 20][..])
        );
    }
    let mut hex = vec![0; 9 * 2 * 200];
    assert_eq!(XofReader::fill_many(&mut readers(), &mut Hex(&mut hex)), Ok(()));
    let digits: String = fill(200).flatten().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, digits.as_bytes());
    let order = [8, 7, 6, 5, 4, 3, 2, 1, 0];
    let mut out = vec![0; 9 * 200];
    let mut places = Ordered { outputs: &mut out[..], count: 9, order: &order };
    assert_eq!(XofReader::fill_many(&mut readers(), &mut places), Ok(()));
    for (place, expected) in out.chunks(200).rev().zip(fill(200)) {
        assert_eq!(place, expected);
    }
    let (mut fixed, mut var) = ([Digest::<64>::default(); 9], [VarDigest::default(); 9]);
    assert_eq!(XofReader::fill_many(&mut readers(), &mut fixed), Ok(()));
    assert_eq!(XofReader::fill_many(&mut readers(), &mut var), Ok(()));
    for ((fixed, var), expected) in fixed.iter().zip(&var).zip(fill(64)) {
        assert_eq!((&fixed[..], &var[..]), (&expected[..], &expected[..32]));
    }
    let mut less = vec![7; 9 * 200 - 1];
    let error = XofReader::fill_many(&mut readers(), &mut less);
    assert!(matches!(error, Err(Error::OutputLength { .. })), "{error:?}");
    assert!(less.iter().all(|&byte| byte == 7), "something was written");
}

/// Readers of functions that are chosen at run time: those that are not sponges lie between them.
#[test]
fn readers_of_several_functions() {
    let any = |i: usize| -> AnyReader {
        let message = message(i);
        match i % 5 {
            0 => Algorithm::Blake3.hasher().update(message).squeeze(),
            1 => Ok(AnyReader::Blake2xb(Blake2xb::new().update(message).squeeze())),
            _ => Algorithm::Shake256.hasher().update(message).squeeze(),
        }
        .expect("an extendable-output function")
    };
    for count in [0, 1, 3, 32, 40, 70] {
        let mut readers: Vec<AnyReader> = (0..count).map(any).collect();
        for part in 0..3 {
            let mut out = vec![0; count * 300];
            assert_eq!(AnyReader::fill_many(&mut readers, &mut out), Ok(()));
            for (i, out) in out.chunks(300).enumerate() {
                let expected: Vec<u8> = any(i).skip(part * 300).take(300).collect();
                assert_eq!(out, expected, "{i} of {count}");
            }
        }
    }
    let mut end = any(1);
    assert_eq!(end.seek((256 << 30) - 10), Ok(()));
    let error = AnyReader::fill_many(&mut [any(2), end], &mut [0; 2 * 65]);
    assert_eq!(error, Err(Error::OutputEnd { given: 65, left: 10 }));
}

/// A reader whose first byte was not read yet continues after a copy, and after an output of no
/// bytes, as the original does.
#[test]
fn readers_before_their_first_byte() {
    for len in [0, 1, 134, 135, 136, 167, 168, 169, 335, 336] {
        let seed = message(len);
        for bits in 0..8 {
            let reader = Shake128::new().update(&seed).squeeze_bits(0x5A, bits).expect("bits");
            let mut expected = [0; 400];
            let hasher = Shake128::new().update(&seed).clone();
            assert_eq!(
                hashmill::AnyHasher::from(hasher).finalize_bits_into(0x5A, bits, &mut expected),
                Ok(())
            );
            let (mut copy, mut out) = (reader.clone(), [0; 400]);
            copy.fill(&mut []);
            copy.clone().fill(&mut out);
            assert_eq!(out, expected, "{len} bytes, {bits} bits");
        }
    }
}

/// Outputs of several blocks, of messages in lanes.
#[test]
fn long_outputs_of_many_messages() {
    backends::each_of(Algorithm::Shake128, |name| {
        for len in [65, 136, 137, 168, 169, 200, 336, 504, 777] {
            for width in [1, 34, 168, 200] {
                let values = message(19 * width);
                let rows = Rows::new(&values, width).expect("whole rows");
                for algorithm in
                    [Algorithm::Shake128, Algorithm::Shake256, Algorithm::TurboShake256]
                {
                    let mut out = vec![0; 19 * len];
                    assert_eq!(calls::many(algorithm, &rows, &mut out), Ok(()));
                    for (row, output) in values.chunks(width).zip(out.chunks(len)) {
                        assert_eq!(
                            calls::one(algorithm, row, len),
                            output,
                            "{name}: {algorithm}, {len}"
                        );
                    }
                }
                let kmac = Kmac128::new(b"key", Customization(b""));
                let mut out = vec![0; 19 * len];
                assert_eq!(kmac.hash_many(rows, &mut out), Ok(()));
                let kt = Kt128::new();
                let mut of_kt = vec![0; 19 * len];
                assert_eq!(kt.hash_many(rows, &mut of_kt), Ok(()));
                let outputs = out.chunks(len).zip(of_kt.chunks(len));
                for (row, (output, of_kt)) in values.chunks(width).zip(outputs) {
                    let mut expected = vec![0; len];
                    kmac.clone().update(row).finalize_into(&mut expected).expect("any length");
                    assert_eq!(output, expected, "{name}: KMAC128, {len}");
                    let expected: Vec<u8> = kt.clone().update(row).squeeze().take(len).collect();
                    assert_eq!(of_kt, expected, "{name}: KT128, {len}");
                }
            }
        }
    });
}
