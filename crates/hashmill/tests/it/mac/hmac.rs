//! Tags of HMAC that must be refused. `tests/agree.rs` compares the tags with the reference.

use hashmill::{Algorithm, Error, Hmac, Key};

#[test]
fn tags() {
    for &algorithm in Algorithm::ALL {
        let hmac = algorithm.hmac(b"key");
        if !algorithm.has_hmac() {
            assert_eq!(hmac.err(), Some(Error::NoHmac), "{algorithm}");
            let tag = algorithm.mac(Key(b"key"), b"message");
            assert_eq!(tag.err(), Some(Error::NoHmac), "{algorithm}");
            continue;
        }
        let mut hmac = hmac.expect("a hash function with HMAC");
        assert_eq!(hmac.algorithm(), algorithm);
        let tag = hmac.update(b"message").finalize();
        assert_eq!(tag.len(), algorithm.output_len());
        assert_eq!(hmac.verify(tag), Ok(()), "{algorithm}");
        wrong_tags(&tag, |wrong| hmac.verify(wrong));
        let other_key = algorithm.hmac(b"kez").map(|mut hmac| hmac.update(b"message").verify(tag));
        assert_eq!(other_key, Ok(Err(Error::TagMismatch)));
        assert_eq!(hmac.update(b"!").verify(tag), Err(Error::TagMismatch));
    }
    macro_rules! hmac {
        ($($Type:ident $function:ident,)*) => { $(
            let mut hmac = Hmac::<hashmill::$Type>::new(b"key");
            let tag = hmac.update(b"message").finalize();
            assert_eq!(hmac.verify(&tag[..]), Ok(()));
            wrong_tags(&tag[..], |wrong| hmac.verify(wrong));
        )* };
    }
    each!(hmac hmac);
}

fn wrong_tags(tag: &[u8], verify: impl Fn(&[u8]) -> Result<(), Error>) {
    let refused = |wrong: &[u8]| assert_eq!(verify(wrong), Err(Error::TagMismatch), "{wrong:x?}");
    for bit in 0..8 * tag.len() {
        let mut wrong = tag.to_vec();
        wrong[bit / 8] ^= 1 << (bit % 8);
        refused(&wrong);
    }
    for len in 0..tag.len() {
        refused(&tag[..len]);
        refused(&tag[tag.len() - len..]);
    }
    for more in [1, 8, 64] {
        refused(&[tag, &vec![0; more]].concat());
    }
    refused(&tag.repeat(2));
}

/// FIPS 198-1 §4: a digest, and a key that was hashed, must fit into the block.
#[test]
fn the_list_knows_which_functions_have_hmac() {
    macro_rules! hmac {
        ($($Type:ident $function:ident,)*) => { [$(Algorithm::$Type),*] };
    }
    let listed = each!(hmac hmac);
    for algorithm in Algorithm::ALL {
        let fits = !algorithm.is_xof() && algorithm.output_len() <= algorithm.block_len();
        assert_eq!((algorithm.has_hmac(), listed.contains(algorithm)), (fits, fits), "{algorithm}");
    }
}
