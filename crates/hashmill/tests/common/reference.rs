//! Calls hashmill-reference with an answer's input.

use super::answer::{Answer, Input, Message, Mode3, Params};
use hashmill::Algorithm;
use hashmill_reference::{Bits, ascon, blake2, blake2x, blake3, keccak, names};

/// Returns the reference's name for an algorithm.
fn name(algorithm: Algorithm) -> String {
    algorithm.tag().to_lowercase()
}

/// Returns the reference's output for an answer's input.
pub fn of(answer: &Answer) -> Vec<u8> {
    let (algorithm, len) = (answer.algorithm, answer.output.len());
    match &answer.input {
        Input::Hash { message } if message.bits > 0 => self::bits(algorithm, message, len),
        Input::Hash { message } => hash(algorithm, &message.bytes, len),
        Input::Domain { domain, message } => self::domain(algorithm, *domain, message, len),
        Input::Blake3 { mode, message } => blake3(mode, message, len),
        Input::Blake2 { params, message } => self::blake2(algorithm, params, message),
        Input::Blake2x { params, known, message } => {
            self::blake2x(algorithm, params, *known, message, len)
        }
        Input::AsconCxof { customization, message } => {
            ascon::ascon_cxof128(customization, message, len)
        }
        Input::Hmac { key, message, .. } => {
            let mut tag = hmac(algorithm, key, message);
            tag.truncate(len);
            tag
        }
    }
}

/// Returns a digest of the usual length, or `len` bytes of an XOF's output.
pub fn hash(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    let len = algorithm.is_xof().then_some(len);
    names::hash(&name(algorithm), message, len)
        .unwrap_or_else(|| panic!("no reference for {algorithm}"))
}

pub fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Vec<u8> {
    names::hmac(&name(algorithm), key, message)
        .unwrap_or_else(|| panic!("no reference for {algorithm}"))
}

pub fn blake3(mode: &Mode3, message: &[u8], len: usize) -> Vec<u8> {
    match mode {
        Mode3::Keyed(key) => blake3::keyed_hash(key, message, len),
        Mode3::DeriveKey(context) => blake3::derive_key(context.as_bytes(), message, len),
    }
}

pub fn domain(algorithm: Algorithm, domain: u8, message: &[u8], len: usize) -> Vec<u8> {
    match algorithm {
        Algorithm::TurboShake128 => keccak::turboshake128(message, domain, len),
        Algorithm::TurboShake256 => keccak::turboshake256(message, domain, len),
        other => panic!("{other} has no domain byte"),
    }
}

pub fn bits(algorithm: Algorithm, message: &Message, len: usize) -> Vec<u8> {
    let message = Bits { bytes: &message.bytes, last_byte: message.last, bits: message.bits };
    let len = algorithm.is_xof().then_some(len);
    names::hash_bits(&name(algorithm), message, len)
        .unwrap_or_else(|| panic!("{algorithm} takes whole bytes only"))
}

/// Returns the first `len` bytes of BLAKE2X over BLAKE2b or BLAKE2s, for an output of the `known`
/// length or, if that is `None`, of unknown length.
pub fn blake2x(
    algorithm: Algorithm,
    p: &Params,
    known: Option<u64>,
    message: &[u8],
    len: usize,
) -> Vec<u8> {
    let (key, salt, personal) = (&*p.key, &*p.salt, &*p.personal);
    let params = blake2::Params { key, salt, personal, ..Default::default() };
    match algorithm {
        Algorithm::Blake2b => {
            let known = known.map(|known| known.try_into().expect("32 bits"));
            blake2x::blake2xb(message, &params, known, len)
        }
        _ => {
            let known = known.map(|known| known.try_into().expect("16 bits"));
            blake2x::blake2xs(message, &params, known, len)
        }
    }
}

pub fn blake2(algorithm: Algorithm, p: &Params, message: &[u8]) -> Vec<u8> {
    let params = blake2::Params {
        output_len: Some(p.output_len),
        key: &p.key,
        salt: &p.salt,
        personal: &p.personal,
        fanout: p.fanout,
        max_depth: p.max_depth,
        leaf_len: p.leaf_len,
        node_offset: p.node_offset,
        node_depth: p.node_depth,
        inner_len: p.inner_len as u8,
        last_node: p.last_node,
    };
    match algorithm {
        Algorithm::Blake2b => blake2::blake2b(message, &params),
        Algorithm::Blake2s => blake2::blake2s(message, &params),
        Algorithm::Blake2bp => blake2::blake2bp(message, &params),
        Algorithm::Blake2sp => blake2::blake2sp(message, &params),
        other => panic!("{other} has no parameters"),
    }
}
