//! Messages in one buffer, separated by offsets.

use crate::common::{calls, message};
use hashmill::many::{Column, Messages};
use hashmill::{Algorithm, Error, many};

#[test]
fn offsets_of_every_type() {
    let values = message(1000);
    let cuts = [3, 3, 10, 500, 500, 500, 999, 1000];
    let expected: Vec<u8> =
        cuts.windows(2).flat_map(|cut| *hashmill::sha256(&values[cut[0]..cut[1]])).collect();
    macro_rules! offsets {
        ($($Offset:ident)*) => { $(
            let offsets = cuts.map(|cut| cut as $Offset);
            let column = Column::new(&values, &offsets).expect("in order");
            assert_eq!(column.count(), 7);
            assert_eq!(column.message(6), &values[999..]);
            let mut out = vec![0; expected.len()];
            assert_eq!(many::hash::<hashmill::Sha256>(&column, &mut out), Ok(()));
            assert_eq!(out, expected);

            let refused = |offsets: &[$Offset], at| {
                let error = Column::new(&values, offsets).err();
                assert_eq!(error, Some(Error::Offsets { at }), "{offsets:?}");
            };
            refused(&[1, 0], 1);
            refused(&[0, 500, 499, 1000], 2);
            refused(&[0, 1001], 1);
            refused(&[1001], 0);
            refused(&[1001, 1001], 0);
            refused(&[0, 5, $Offset::MAX], 2);
            if $Offset::MIN != 0 {
                refused(&[$Offset::MIN], 0);
                refused(&[$Offset::MIN, 0], 0);
                refused(&[0, 1, (0 as $Offset).wrapping_sub(1)], 2);
                refused(&[(0 as $Offset).wrapping_sub(1), 5], 0);
            }

            // A column without rows has no offset, or one.
            for none in [&[][..], &[0], &[1000]] {
                let none: &[$Offset] = none;
                let none = Column::new(&values, none).expect("in order");
                assert_eq!(none.count(), 0);
                assert_eq!(many::hash::<hashmill::Sha256>(&none, &mut [0; 0]), Ok(()));
                let error = many::hash::<hashmill::Sha256>(&none, &mut [0]);
                let expected = Error::OutputLength { given: 1, expected: 0 };
                assert_eq!(error, Err(expected));
            }
        )* };
    }
    offsets!(u32 u64 usize i32 i64);
    // An offset that does not fit in a `usize` points past the end of the values.
    assert_eq!(Column::new(b"", &[0, u64::MAX]).err(), Some(Error::Offsets { at: 1 }));
}

#[test]
#[should_panic = "out of bounds"]
fn a_message_that_a_column_does_not_have() {
    let column = Column::new(b"abc", &[0u32, 3]).expect("in order");
    column.message(1);
}

#[test]
fn offsets_of_every_algorithm() {
    let values = message(700);
    let offsets = [0_i32, 0, 1, 200, 200, 699];
    let column = Column::new(&values, &offsets).expect("in order");
    assert_eq!(Column::new(&values[..698], &offsets).err(), Some(Error::Offsets { at: 5 }));
    let one = Column::new(&values, &[0, 1_i32]).expect("in order");
    for &algorithm in Algorithm::ALL {
        // For an XOF a length in bytes that is more than a block.
        let len = if algorithm.is_xof() { 201 } else { algorithm.output_len() };
        let mut out = vec![0; 5 * len];
        assert_eq!(calls::many(algorithm, &column, &mut out), Ok(()));
        for (cut, digest) in offsets.windows(2).zip(out.chunks(len)) {
            let row = &values[cut[0] as usize..cut[1] as usize];
            assert_eq!(calls::one(algorithm, row, len), digest, "{algorithm}");
        }
        out.fill(7);
        for wrong in [1, 5 * len - 1, 4 * len + 2] {
            let error = calls::many(algorithm, &column, &mut &mut out[..wrong]);
            assert!(matches!(error, Err(Error::OutputLength { .. })), "{algorithm}, {wrong} bytes");
        }
        if algorithm.is_xof() {
            assert_eq!(calls::many(algorithm, &column, &mut [0; 0]), Ok(()));
        } else {
            for (messages, wrong) in [(&column, 0), (&column, 4 * len), (&one, 5 * len)] {
                let error = calls::many(algorithm, messages, &mut &mut out[..wrong]);
                assert!(
                    matches!(error, Err(Error::OutputLength { .. })),
                    "{algorithm}, {wrong} bytes"
                );
            }
        }
        assert!(out.iter().all(|&byte| byte == 7), "something was written");
    }
}
