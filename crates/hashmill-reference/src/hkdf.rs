//! HKDF: RFC 5869, "HMAC-based Extract-and-Expand Key Derivation Function". Section numbers are
//! those of this document.
//!
//! The argument `hmac` is HMAC-Hash(key, message), for example `|key, message| hmac(sha256, 64,
//! key, message)`.

/// HKDF-Extract and HKDF-Expand, one after the other (§2).
///
/// ```
/// use hashmill_reference::{hkdf::hkdf, hmac::hmac, sha2::sha256};
///
/// let hmac_sha256 = |key: &[u8], message: &[u8]| hmac(sha256, 64, key, message);
/// let key = hkdf(hmac_sha256, b"salt", b"input keying material", b"info", 42);
/// assert_eq!(key.len(), 42);
/// ```
pub fn hkdf<D: AsRef<[u8]>>(
    hmac: impl Fn(&[u8], &[u8]) -> D,
    salt: &[u8],
    ikm: &[u8],
    info: &[u8],
    output_len: usize,
) -> Vec<u8> {
    let prk = extract(&hmac, salt, ikm);
    expand(&hmac, prk.as_ref(), info, output_len)
}

/// HKDF-Extract (§2.2). An empty salt has the same meaning as the default salt, HashLen zeros,
/// because HMAC pads both to the same key.
pub fn extract<D: AsRef<[u8]>>(hmac: impl Fn(&[u8], &[u8]) -> D, salt: &[u8], ikm: &[u8]) -> D {
    hmac(salt, ikm)
}

/// HKDF-Expand (§2.3). The output has at most 255 times the length of a digest.
pub fn expand<D: AsRef<[u8]>>(
    hmac: impl Fn(&[u8], &[u8]) -> D,
    prk: &[u8],
    info: &[u8],
    output_len: usize,
) -> Vec<u8> {
    // T(0) is empty, T(i) = HMAC-Hash(PRK, T(i - 1) | info | i).
    let mut output = Vec::new();
    let mut previous = Vec::new();
    for i in 1..=255u8 {
        if output.len() >= output_len {
            break;
        }
        previous = hmac(prk, &[previous.as_slice(), info, &[i]].concat()).as_ref().to_vec();
        output.extend(&previous);
    }
    assert!(output.len() >= output_len, "the output is longer than 255 digests");
    output.truncate(output_len);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stand-in for HMAC whose result contains the length and the last byte of its message.
    fn short(_key: &[u8], message: &[u8]) -> [u8; 2] {
        [message.len() as u8, *message.last().expect("T(i) ends in i")]
    }

    #[test]
    fn the_longest_output() {
        let output = expand(short, b"prk", b"info", 510);
        assert_eq!(output[..4], [5, 1, 7, 2]);
        assert_eq!(output[508..], [7, 255]);
    }

    #[test]
    #[should_panic = "the output is longer than 255 digests"]
    fn an_output_too_long() {
        expand(short, b"prk", b"info", 511);
    }
}
