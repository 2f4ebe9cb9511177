//! PBKDF2: RFC 8018, "PKCS #5: Password-Based Cryptography Specification", §5.2.

/// Computes PBKDF2 with the pseudorandom function `prf(password, message)`, for example HMAC with
/// SHA-256.
///
/// ```
/// use hashmill_reference::{hmac::hmac, pbkdf2::pbkdf2, sha2::sha256};
///
/// let hmac_sha256 = |key: &[u8], message: &[u8]| hmac(sha256, 64, key, message);
/// let key = pbkdf2(hmac_sha256, b"passwd", b"salt", 1, 64);
/// assert_eq!(key[..4], [0x55, 0xac, 0x04, 0x6e]);
/// ```
pub fn pbkdf2<D: AsRef<[u8]>>(
    prf: impl Fn(&[u8], &[u8]) -> D,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    output_len: usize,
) -> Vec<u8> {
    assert!(iterations > 0, "the iteration count is 0");
    let mut output = Vec::new();
    let mut i = 0u32;
    while output.len() < output_len {
        // Step 3: T_i = U_1 ⊕ U_2 ⊕ … ⊕ U_c, U_1 = PRF(P, S || INT(i)), U_j = PRF(P, U_(j-1)).
        i = i.checked_add(1).expect("the output is at most 2^32 - 1 blocks long");
        let mut u = prf(password, &[salt, &i.to_be_bytes()].concat());
        let mut t = u.as_ref().to_vec();
        for _ in 1..iterations {
            u = prf(password, u.as_ref());
            t.iter_mut().zip(u.as_ref()).for_each(|(t, u)| *t ^= u);
        }
        // Step 4.
        output.extend(t);
    }
    output.truncate(output_len);
    output
}
