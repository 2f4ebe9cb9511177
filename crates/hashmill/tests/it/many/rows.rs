//! Messages in one buffer, as rows of one width.

use crate::common::message;
use hashmill::{Algorithm, Error, many};

#[test]
fn rows_of_every_algorithm() {
    /// More than a block of any.
    const LEN: usize = 201;
    let values = message(7 * 33);
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let len = Algorithm::$Type.output_len();
            for (width, count) in [(1, 231), (33, 7), (77, 3), (231, 1)] {
                let mut out = vec![0; count * len];
                assert_eq!(many::$rows(&values, width, &mut out), Ok(()));
                for (row, digest) in values.chunks(width).zip(out.chunks(len)) {
                    assert_eq!(hashmill::$function(row), *digest);
                }
            }
            // Nothing but the output says how many rows have no byte.
            let mut out = vec![7; 3 * len];
            assert_eq!(many::$rows(&[], 0, &mut out), Ok(()));
            assert!(out.chunks(len).all(|digest| hashmill::$function(b"") == *digest));
            assert_eq!(many::$rows(&[], 5, &mut []), Ok(()));
            out.fill(7);
            for width in [0, 2, 32, 232, usize::MAX] {
                let error = many::$rows(&values, width, &mut out);
                assert_eq!(error, Err(Error::RowWidth), "{width} bytes");
            }
            for wrong in [0, 1, 3 * len - 1, 2 * len] {
                let error = many::$rows(&values, 77, &mut out[..wrong]);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$rows(&[], 0, &mut out[1..]), Err(Error::OutputLength));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut out = vec![0; 7 * LEN];
            assert_eq!(many::$rows(&values, 33, LEN, &mut out), Ok(()));
            for (row, output) in values.chunks(33).zip(out.chunks(LEN)) {
                assert_eq!(hashmill::$function::<LEN>(row), *output);
            }
            out.fill(7);
            for wrong in [0, LEN - 1, LEN + 1, usize::MAX, usize::MAX / 7 + 1] {
                let error = many::$rows(&values, 33, wrong, &mut out);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$rows(&values, 33, 0, &mut []), Ok(()));
            assert_eq!(many::$rows(&[], 0, 0, &mut []), Ok(()));
            assert_eq!(many::$rows(&values, 34, LEN, &mut out), Err(Error::RowWidth));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(xof xof);
}
