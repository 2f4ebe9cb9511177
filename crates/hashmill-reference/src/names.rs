//! The algorithms by name, for programs that choose one at run time.

use crate::hmac::hmac as hmac_over;
use crate::{ascon, blake2, blake3, keccak, sha2};

/// Every name that [`hash`] accepts.
pub const NAMES: [&str; 22] = [
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512-224",
    "sha512-256",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake128",
    "shake256",
    "turboshake128",
    "turboshake256",
    "blake2b",
    "blake2s",
    "blake2bp",
    "blake2sp",
    "keccak-256",
    "blake3",
    "ascon-hash256",
    "ascon-xof128",
];

/// Hashes `message` with the algorithm of that name. TurboSHAKE has the domain byte 0x1F.
///
/// `output_len` is in bytes. BLAKE2 accepts every length from 1 byte to its longest digest; SHAKE,
/// TurboSHAKE, BLAKE3 and Ascon-XOF128 accept any length; the others accept only the length of their
/// digest. `None` means the length of the digest, for BLAKE2 the longest, for SHAKE128,
/// TurboSHAKE128, BLAKE3 and Ascon-XOF128 32 bytes, and for SHAKE256 and TurboSHAKE256 64 bytes.
///
/// Returns `None` if there is no such algorithm, or if it has no such output length.
pub fn hash(name: &str, message: &[u8], output_len: Option<usize>) -> Option<Vec<u8>> {
    let own_len =
        |digest: &[u8]| output_len.is_none_or(|len| len == digest.len()).then(|| digest.to_vec());
    let params = blake2::Params { output_len, ..Default::default() };
    let at_most = |max| output_len.is_none_or(|len| (1..=max).contains(&len));
    match name {
        "sha224" => own_len(&sha2::sha224(message)),
        "sha256" => own_len(&sha2::sha256(message)),
        "sha384" => own_len(&sha2::sha384(message)),
        "sha512" => own_len(&sha2::sha512(message)),
        "sha512-224" => own_len(&sha2::sha512_224(message)),
        "sha512-256" => own_len(&sha2::sha512_256(message)),
        "sha3-224" => own_len(&keccak::sha3_224(message)),
        "sha3-256" => own_len(&keccak::sha3_256(message)),
        "sha3-384" => own_len(&keccak::sha3_384(message)),
        "sha3-512" => own_len(&keccak::sha3_512(message)),
        "shake128" => Some(keccak::shake128(message, output_len.unwrap_or(32))),
        "shake256" => Some(keccak::shake256(message, output_len.unwrap_or(64))),
        "turboshake128" => Some(keccak::turboshake128(message, 0x1F, output_len.unwrap_or(32))),
        "turboshake256" => Some(keccak::turboshake256(message, 0x1F, output_len.unwrap_or(64))),
        "blake2b" => at_most(64).then(|| blake2::blake2b(message, &params)),
        "blake2s" => at_most(32).then(|| blake2::blake2s(message, &params)),
        "blake2bp" => at_most(64).then(|| blake2::blake2bp(message, &params)),
        "blake2sp" => at_most(32).then(|| blake2::blake2sp(message, &params)),
        "keccak-256" => own_len(&keccak::keccak256(message)),
        "ascon-hash256" => own_len(&ascon::ascon_hash256(message)),
        "ascon-xof128" => Some(ascon::ascon_xof128(message, output_len.unwrap_or(32))),
        "blake3" => Some(blake3::hash(message, output_len.unwrap_or(32))),
        _ => None,
    }
}

/// Returns the length in bytes of the algorithm's block in HMAC: for SHA-2 and BLAKE2 the block of
/// the compression function, for SHA-3 the rate. Returns `None` for other names, which include the
/// XOFs and Ascon-Hash256, whose digest is longer than its rate (FIPS 198-1 §4).
pub fn hmac_block_len(name: &str) -> Option<usize> {
    match name {
        "sha224" | "sha256" | "blake2s" | "blake2sp" => Some(64),
        "sha384" | "sha512" | "sha512-224" | "sha512-256" | "blake2b" | "blake2bp" => Some(128),
        "sha3-224" => Some(144),
        "sha3-256" | "keccak-256" => Some(136),
        "sha3-384" => Some(104),
        "sha3-512" => Some(72),
        _ => None,
    }
}

/// Computes HMAC with the algorithm of that name. Returns `None` if there is no such algorithm, or
/// if it has no HMAC.
pub fn hmac(name: &str, key: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let block_len = hmac_block_len(name)?;
    let hash =
        |data: &[u8]| hash(name, data, None).expect("every algorithm with a block has a hash");
    Some(hmac_over(hash, block_len, key, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_hash() {
        for name in NAMES {
            let digest = hash(name, b"abc", None).expect(name);
            assert_eq!(hash(name, b"abc", Some(digest.len())), Some(digest), "{name}");
        }
        assert_eq!(hash("sha-256", b"abc", None), None);
    }

    #[test]
    fn every_hash_of_one_length_but_ascon_has_an_hmac() {
        for name in NAMES {
            let is_xof = hash(name, b"abc", Some(1000)).is_some();
            let has_hmac = !is_xof && name != "ascon-hash256";
            assert_eq!(hmac(name, b"key", b"abc").is_some(), has_hmac, "{name}");
        }
    }

    #[test]
    fn output_lengths() {
        assert_eq!(hash("sha256", b"abc", Some(31)), None);
        assert_eq!(hash("sha3-512", b"abc", Some(65)), None);
        assert_eq!(hash("blake2b", b"abc", Some(0)), None);
        assert_eq!(hash("blake2bp", b"abc", Some(65)), None);
        assert_eq!(hash("blake2sp", b"abc", Some(33)), None);
        assert_eq!(hash("blake2s", b"abc", Some(1)).map(|digest| digest.len()), Some(1));
        assert_eq!(hash("shake128", b"abc", Some(0)), Some(Vec::new()));
    }
}
