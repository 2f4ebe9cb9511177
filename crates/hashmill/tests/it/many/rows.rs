//! Messages in one buffer, as rows of one width.

use crate::common::{calls, message};
use hashmill::many::{Messages, Rows};
use hashmill::{Algorithm, Error, many};

#[test]
fn rows_of_every_algorithm() {
    let values = message(7 * 33);
    let rows = |width| Rows::new(&values, width).expect("whole rows");
    for &algorithm in Algorithm::ALL {
        // For an XOF a length in bytes that is more than a block.
        let len = if algorithm.is_xof() { 201 } else { algorithm.output_len() };
        for (width, count) in [(1, 231), (33, 7), (77, 3), (231, 1)] {
            let mut out = vec![0; count * len];
            assert_eq!(calls::many(algorithm, &rows(width), &mut out), Ok(()));
            for (row, digest) in values.chunks(width).zip(out.chunks(len)) {
                assert_eq!(calls::one(algorithm, row, len), digest, "{algorithm}");
            }
        }
        let mut out = vec![7; 3 * len];
        for wrong in [1, 3 * len - 1, 2 * len + 1] {
            let error = calls::many(algorithm, &rows(77), &mut &mut out[..wrong]);
            assert!(matches!(error, Err(Error::OutputLength { .. })), "{algorithm}, {wrong} bytes");
        }
        let none = calls::many(algorithm, &rows(77), &mut [0; 0]);
        let less = calls::many(algorithm, &rows(77), &mut vec![0; 2 * len]);
        assert_eq!(
            (none.is_ok(), less.is_ok()),
            (algorithm.is_xof(), algorithm.is_xof() && 2 * len % 3 == 0)
        );
        assert!(out.iter().all(|&byte| byte == 7), "something was written");
    }
}

#[test]
fn widths() {
    let values = message(7 * 33);
    for (width, count) in [(1, 231), (33, 7), (77, 3), (231, 1)] {
        let rows = Rows::new(&values, width).expect("whole rows");
        assert_eq!(rows.count(), count);
        assert_eq!(rows.message(count - 1), &values[values.len() - width..]);
    }
    for width in [0, 2, 32, 232, usize::MAX] {
        let expected = Error::RowWidth { given: 231, width: width as u64 };
        assert_eq!(Rows::new(&values, width).err(), Some(expected), "{width} bytes");
    }
    // An empty buffer has no rows, whatever the width.
    for width in [0, 1, 5, usize::MAX] {
        let none = Rows::new(&[], width).expect("whole rows");
        assert_eq!(none.count(), 0);
        assert_eq!(many::hash::<hashmill::Sha256>(&none, &mut [0; 0]), Ok(()));
        let error = many::hash::<hashmill::Sha256>(&none, &mut [0; 32]);
        assert_eq!(error, Err(Error::OutputLength { given: 32, expected: 0 }));
    }
}

#[test]
#[should_panic = "out of range"]
fn a_row_that_there_is_not() {
    Rows::new(b"onetwo", 3).expect("whole rows").message(2);
}
