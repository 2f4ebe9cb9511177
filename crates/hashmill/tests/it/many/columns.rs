//! Messages in one buffer, cut by offsets.

use crate::common::message;
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
            let mut out = vec![0; expected.len()];
            assert_eq!(many::sha256_offsets(&values, &offsets, &mut out), Ok(()));
            assert_eq!(out, expected);

            let refused = |offsets: &[$Offset]| {
                let mut out = vec![7; 32 * offsets.len().saturating_sub(1)];
                let error = many::sha256_offsets(&values, offsets, &mut out);
                assert_eq!(error, Err(Error::Offsets), "{offsets:?}");
                let mut xof = vec![7; 5 * offsets.len().saturating_sub(1)];
                assert_eq!(many::shake128_offsets(&values, offsets, 5, &mut xof), Err(Error::Offsets));
                assert!(out.iter().chain(&xof).all(|&byte| byte == 7), "something was written");
            };
            refused(&[1, 0]);
            refused(&[0, 500, 499, 1000]);
            refused(&[0, 1001]);
            refused(&[1001]);
            refused(&[1001, 1001]);
            refused(&[0, 5, $Offset::MAX]);
            if $Offset::MIN != 0 {
                refused(&[$Offset::MIN]);
                refused(&[$Offset::MIN, 0]);
                refused(&[0, 1, (0 as $Offset).wrapping_sub(1)]);
                refused(&[(0 as $Offset).wrapping_sub(1), 5]);
            }

            // No row: no offset, or one.
            for none in [&[][..], &[0], &[1000]] {
                let none: &[$Offset] = none;
                assert_eq!(many::sha256_offsets(&values, none, &mut []), Ok(()));
                assert_eq!(many::sha256_offsets(&values, none, &mut [0]), Err(Error::OutputLength));
            }
        )* };
    }
    offsets!(u32 u64 usize i32 i64);
    // More than a usize has is no place in memory.
    assert_eq!(many::sha256_offsets(b"", &[0, u64::MAX], &mut [0; 32]), Err(Error::Offsets));
}

#[test]
fn offsets_of_every_algorithm() {
    /// More than a block of any.
    const LEN: usize = 201;
    let values = message(700);
    let offsets = [0_i32, 0, 1, 200, 200, 699];
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let len = Algorithm::$Type.output_len();
            let mut out = vec![0; 5 * len];
            assert_eq!(many::$offsets(&values, &offsets, &mut out), Ok(()));
            for (cut, digest) in offsets.windows(2).zip(out.chunks(len)) {
                let row = &values[cut[0] as usize..cut[1] as usize];
                assert_eq!(hashmill::$function(row), *digest);
            }
            out.fill(7);
            for wrong in [0, 1, 5 * len - 1, 4 * len] {
                let error = many::$offsets(&values, &offsets, &mut out[..wrong]);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$offsets(&values, &[0, 1_i32], &mut out), Err(Error::OutputLength));
            assert_eq!(many::$offsets(&values[..698], &offsets, &mut out), Err(Error::Offsets));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut out = vec![0; 5 * LEN];
            assert_eq!(many::$offsets(&values, &offsets, LEN, &mut out), Ok(()));
            for (cut, output) in offsets.windows(2).zip(out.chunks(LEN)) {
                let row = &values[cut[0] as usize..cut[1] as usize];
                assert_eq!(hashmill::$function::<LEN>(row), *output);
            }
            out.fill(7);
            for wrong in [0, LEN - 1, LEN + 1, usize::MAX, usize::MAX / 5 + 1] {
                let error = many::$offsets(&values, &offsets, wrong, &mut out);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$offsets(&values, &offsets, 0, &mut []), Ok(()));
            assert_eq!(many::$offsets(&values[..698], &offsets, LEN, &mut out), Err(Error::Offsets));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(xof xof);
}
