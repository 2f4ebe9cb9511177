//! HMAC: RFC 2104 and FIPS 198-1, "The Keyed-Hash Message Authentication Code".

/// Computes HMAC with `hash`, whose input block is `block_len` bytes (RFC 2104 §2; FIPS 198-1 §4,
/// table 1).
///
/// For SHA-3 the block is the rate (FIPS 202 §7). Neither document defines a block for BLAKE2bp and
/// BLAKE2sp; hashmill uses the block of BLAKE2b (128 bytes) and BLAKE2s (64 bytes).
///
/// ```
/// use hashmill_reference::{hmac::hmac, keccak::sha3_256, sha2::sha256};
///
/// let tag: [u8; 32] = hmac(sha256, 64, b"key", b"message");
/// let tag: [u8; 32] = hmac(sha3_256, 136, b"key", b"message");
/// ```
pub fn hmac<D: AsRef<[u8]>>(
    hash: impl Fn(&[u8]) -> D,
    block_len: usize,
    key: &[u8],
    message: &[u8],
) -> D {
    // FIPS 198-1, steps 1 to 3: K0 is the key, or its digest if the key is longer than a block,
    // padded with zeros.
    let mut k0 = if key.len() > block_len { hash(key).as_ref().to_vec() } else { key.to_vec() };
    assert!(k0.len() <= block_len, "the digest is longer than the block");
    k0.resize(block_len, 0);

    // Steps 4 to 9: H((K0 ⊕ opad) || H((K0 ⊕ ipad) || text)).
    let mut inner: Vec<u8> = k0.iter().map(|byte| byte ^ 0x36).collect();
    inner.extend(message);
    let mut outer: Vec<u8> = k0.iter().map(|byte| byte ^ 0x5c).collect();
    outer.extend(hash(&inner).as_ref());
    hash(&outer)
}
