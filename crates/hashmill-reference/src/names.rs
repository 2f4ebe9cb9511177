//! The algorithms by name, for programs that choose one at run time.

use crate::blake2::Params;
use crate::hmac::hmac as hmac_over;
use crate::{Bits, ascon, blake2, blake3, keccak, sha2, sm3};
use {Lengths::*, Message::*};

/// One algorithm.
struct Row {
    name: &'static str,
    lengths: Lengths,
    /// The length in bytes of the block in HMAC: for SHA-2 and BLAKE2 the block of the compression
    /// function, for SHA-3 the rate. The XOFs have no HMAC, and neither has Ascon-Hash256, whose
    /// digest is longer than its rate (FIPS 198-1 §4).
    hmac_block_len: Option<usize>,
    hash: Message,
}

/// The allowed lengths of the output in bytes.
#[derive(Clone, Copy)]
enum Lengths {
    /// Only this one.
    Only(usize),
    /// 1 to this one, which is the usual one.
    UpTo(usize),
    /// Any length. This is the usual one.
    Any(usize),
}

/// The function of an algorithm, which takes a message and the length of the output.
#[derive(Clone, Copy)]
enum Message {
    OfBits(fn(Bits, usize) -> Vec<u8>),
    OfBytes(fn(&[u8], usize) -> Vec<u8>),
}

#[rustfmt::skip] // one line an algorithm
const TABLE: [Row; 23] = [
    row("sha224", Only(28), Some(64), OfBits(|message, _| sha2::sha224_bits(message).into())),
    row("sha256", Only(32), Some(64), OfBits(|message, _| sha2::sha256_bits(message).into())),
    row("sha384", Only(48), Some(128), OfBits(|message, _| sha2::sha384_bits(message).into())),
    row("sha512", Only(64), Some(128), OfBits(|message, _| sha2::sha512_bits(message).into())),
    row("sha512-224", Only(28), Some(128), OfBits(|message, _| sha2::sha512_224_bits(message).into())),
    row("sha512-256", Only(32), Some(128), OfBits(|message, _| sha2::sha512_256_bits(message).into())),
    row("sm3", Only(32), Some(64), OfBits(|message, _| sm3::sm3_bits(message).into())),
    row("sha3-224", Only(28), Some(144), OfBits(|message, _| keccak::sha3_224_bits(message).into())),
    row("sha3-256", Only(32), Some(136), OfBits(|message, _| keccak::sha3_256_bits(message).into())),
    row("sha3-384", Only(48), Some(104), OfBits(|message, _| keccak::sha3_384_bits(message).into())),
    row("sha3-512", Only(64), Some(72), OfBits(|message, _| keccak::sha3_512_bits(message).into())),
    row("keccak-256", Only(32), Some(136), OfBits(|message, _| keccak::keccak256_bits(message).into())),
    row("shake128", Any(32), None, OfBits(keccak::shake128_bits)),
    row("shake256", Any(64), None, OfBits(keccak::shake256_bits)),
    row("turboshake128", Any(32), None, OfBytes(|message, len| keccak::turboshake128(message, 0x1F, len))),
    row("turboshake256", Any(64), None, OfBytes(|message, len| keccak::turboshake256(message, 0x1F, len))),
    row("blake2b", UpTo(64), Some(128), OfBytes(|message, len| blake2::blake2b(message, &params(len)))),
    row("blake2s", UpTo(32), Some(64), OfBytes(|message, len| blake2::blake2s(message, &params(len)))),
    row("blake2bp", UpTo(64), Some(128), OfBytes(|message, len| blake2::blake2bp(message, &params(len)))),
    row("blake2sp", UpTo(32), Some(64), OfBytes(|message, len| blake2::blake2sp(message, &params(len)))),
    row("blake3", Any(32), None, OfBytes(blake3::hash)),
    row("ascon-hash256", Only(32), None, OfBits(|message, _| ascon::ascon_hash256_bits(message).into())),
    row("ascon-xof128", Any(32), None, OfBits(ascon::ascon_xof128_bits)),
];

const fn row(
    name: &'static str,
    lengths: Lengths,
    hmac_block_len: Option<usize>,
    hash: Message,
) -> Row {
    Row { name, lengths, hmac_block_len, hash }
}

fn params(output_len: usize) -> Params<'static> {
    Params { output_len: Some(output_len), ..Params::default() }
}

impl Row {
    fn named(name: &str) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.name == name)
    }

    /// Returns the length of the output, or `None` if the algorithm has no output of that length.
    fn output_len(&self, asked: Option<usize>) -> Option<usize> {
        let (usual, is_allowed) = match (self.lengths, asked) {
            (Only(only), len) => (only, len.is_none_or(|len| len == only)),
            (UpTo(most), len) => (most, len.is_none_or(|len| (1..=most).contains(&len))),
            (Any(usual), _) => (usual, true),
        };
        is_allowed.then_some(asked.unwrap_or(usual))
    }

    fn hash(&self, message: &[u8], output_len: usize) -> Vec<u8> {
        match self.hash {
            OfBits(hash) => hash(message.into(), output_len),
            OfBytes(hash) => hash(message, output_len),
        }
    }
}

/// Hashes `message` with the algorithm of that name, for instance `sha256`, `sha512-256`,
/// `blake2bp`, `ascon-xof128`. TurboSHAKE has the domain byte 0x1F.
///
/// `output_len` is in bytes. BLAKE2 accepts every length from 1 byte to its longest digest; SHAKE,
/// TurboSHAKE, BLAKE3 and Ascon-XOF128 accept any length; the others accept only the length of their
/// digest. `None` means the length of the digest, for BLAKE2 the longest, for SHAKE128,
/// TurboSHAKE128, BLAKE3 and Ascon-XOF128 32 bytes, and for SHAKE256 and TurboSHAKE256 64 bytes.
///
/// Returns `None` if there is no such algorithm, or if it has no such output length.
pub fn hash(name: &str, message: &[u8], output_len: Option<usize>) -> Option<Vec<u8>> {
    let row = Row::named(name)?;
    Some(row.hash(message, row.output_len(output_len)?))
}

/// The same for a message of any number of bits. Returns `None` also for TurboSHAKE, BLAKE2 and
/// BLAKE3, which are defined for whole bytes only.
pub fn hash_bits(name: &str, message: Bits, output_len: Option<usize>) -> Option<Vec<u8>> {
    let row = Row::named(name)?;
    match row.hash {
        OfBits(hash) => Some(hash(message, row.output_len(output_len)?)),
        OfBytes(_) => None,
    }
}

/// Computes HMAC with the algorithm of that name. Returns `None` if there is no such algorithm, or
/// if it has no HMAC.
pub fn hmac(name: &str, key: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let row = Row::named(name)?;
    let (block_len, digest_len) = (row.hmac_block_len?, row.output_len(None)?);
    Some(hmac_over(|data| row.hash(data, digest_len), block_len, key, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_hash() {
        for Row { name, .. } in TABLE {
            let digest = hash(name, b"abc", None).expect(name);
            assert_eq!(hash(name, b"abc", Some(digest.len())), Some(digest), "{name}");
        }
        assert_eq!(hash("sha-256", b"abc", None), None);
    }

    #[test]
    fn every_hash_of_one_length_but_ascon_has_an_hmac() {
        for Row { name, .. } in TABLE {
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
