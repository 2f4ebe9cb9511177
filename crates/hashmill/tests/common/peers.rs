//! Independent implementations to compare with: RustCrypto's, the blake2*_simd crates and blake3.
//!
//! They do not accept messages with a partial last byte. For those, this module computes the
//! padding and calls their block functions.

use super::answer::{Answer, Input, Message, Mode3, Params};
use ascon_xof128::{AsconCxof128, TryCustomizedInit};
use hashmill::Algorithm;
use hmac::{KeyInit, Mac, SimpleHmac};
use sha2::block_api::{Sha256VarCore, Sha512VarCore};
use sha2::digest::block_api::{Block, UpdateCore, VariableOutputCore};
use sha2::digest::common::BlockSizeUser;
use sha2::digest::common::hazmat::SerializableState;
use sha2::digest::{Digest, ExtendableOutput, Update, XofReader};

/// Returns the name of each peer and its output for an answer's input.
pub fn of(answer: &Answer) -> Vec<(&'static str, Vec<u8>)> {
    let (algorithm, len) = (answer.algorithm, answer.output.len());
    match &answer.input {
        Input::Hash { message } if message.bits > 0 => vec![bits(algorithm, message, len)],
        Input::Hash { message } => hash(algorithm, &message.bytes, len),
        Input::Domain { domain, message } => {
            vec![("turboshake", turboshake(algorithm, *domain, message, len))]
        }
        Input::Blake3 { mode, message } => {
            let hasher = match mode {
                Mode3::Keyed(key) => blake3::Hasher::new_keyed(key),
                Mode3::DeriveKey(context) => blake3::Hasher::new_derive_key(context),
            };
            vec![blake3(hasher, message, len)]
        }
        Input::Blake2 { params, message } => {
            blake2(algorithm, params, message).into_iter().collect()
        }
        Input::Blake2x { params, known, message } => {
            vec![blake2x(algorithm, params, *known, message, len)]
        }
        Input::AsconCxof { customization, message } => {
            vec![ascon_cxof(customization, message, len)]
        }
        Input::Hmac { key, message, .. } => {
            let mut tags = vec![hmac(algorithm, key, message)];
            tags.iter_mut().for_each(|(_, tag)| tag.truncate(len));
            tags
        }
    }
}

fn digest<D: Digest>(message: &[u8]) -> Vec<u8> {
    D::digest(message).to_vec()
}

fn xof<X: ExtendableOutput + Update + Default>(message: &[u8], len: usize) -> Vec<u8> {
    let mut hasher = X::default();
    hasher.update(message);
    let mut out = vec![0; len];
    hasher.finalize_xof().read(&mut out);
    out
}

fn ascon_cxof(customization: &[u8], message: &[u8], len: usize) -> (&'static str, Vec<u8>) {
    let hasher = AsconCxof128::try_new_customized(customization);
    let mut out = vec![0; len];
    hasher.expect("at most 256 bytes").chain(message).finalize_xof().read(&mut out);
    ("ascon-xof128", out)
}

fn blake3(mut hasher: blake3::Hasher, message: &[u8], len: usize) -> (&'static str, Vec<u8>) {
    let mut out = vec![0; len];
    hasher.update(message).finalize_xof().fill(&mut out);
    ("blake3", out)
}

/// A peer for a hash function of fixed output length.
struct Peer {
    name: &'static str,
    digest: fn(&[u8]) -> Vec<u8>,
    hmac: fn(&[u8], &[u8]) -> Vec<u8>,
}

/// Returns RustCrypto's type for a hash function that HMAC is defined for, if it has one.
fn rustcrypto(algorithm: Algorithm) -> Option<Peer> {
    fn peer<D: Digest + BlockSizeUser>(name: &'static str) -> Option<Peer> {
        Some(Peer { name, digest: digest::<D>, hmac: simple_hmac::<D> })
    }
    match algorithm {
        Algorithm::Sha224 => peer::<sha2::Sha224>("sha2"),
        Algorithm::Sha256 => peer::<sha2::Sha256>("sha2"),
        Algorithm::Sha384 => peer::<sha2::Sha384>("sha2"),
        Algorithm::Sha512 => peer::<sha2::Sha512>("sha2"),
        Algorithm::Sha512_224 => peer::<sha2::Sha512_224>("sha2"),
        Algorithm::Sha512_256 => peer::<sha2::Sha512_256>("sha2"),
        Algorithm::Sha3_224 => peer::<sha3::Sha3_224>("sha3"),
        Algorithm::Sha3_256 => peer::<sha3::Sha3_256>("sha3"),
        Algorithm::Sha3_384 => peer::<sha3::Sha3_384>("sha3"),
        Algorithm::Sha3_512 => peer::<sha3::Sha3_512>("sha3"),
        Algorithm::Keccak256 => peer::<sha3::Keccak256>("sha3"),
        Algorithm::Blake2b => peer::<blake2::Blake2b512>("blake2"),
        Algorithm::Blake2s => peer::<blake2::Blake2s256>("blake2"),
        Algorithm::Sm3 => peer::<sm3::Sm3>("sm3"),
        _ => None,
    }
}

fn simple_hmac<D: Digest + BlockSizeUser>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = SimpleHmac::<D>::new_from_slice(key).expect("a key of any length");
    Mac::update(&mut mac, message);
    mac.finalize().into_bytes().to_vec()
}

/// Returns the peers' outputs for a message of whole bytes; an XOF has `len` bytes of output.
pub fn hash(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<(&'static str, Vec<u8>)> {
    let rustcrypto = rustcrypto(algorithm).map(|peer| (peer.name, (peer.digest)(message)));
    let other = match algorithm {
        Algorithm::Shake128 => Some(("shake", xof::<shake::Shake128>(message, len))),
        Algorithm::Shake256 => Some(("shake", xof::<shake::Shake256>(message, len))),
        Algorithm::TurboShake128 | Algorithm::TurboShake256 => {
            Some(("turboshake", turboshake(algorithm, 0x1F, message, len)))
        }
        Algorithm::AsconHash256 => {
            Some(("ascon-hash256", digest::<ascon_hash256::AsconHash256>(message)))
        }
        Algorithm::AsconXof128 => {
            Some(("ascon-xof128", xof::<ascon_xof128::AsconXof128>(message, len)))
        }
        Algorithm::Blake3 => Some(blake3(blake3::Hasher::new(), message, len)),
        _ if algorithm.name().starts_with("BLAKE2") => {
            blake2(algorithm, &Params::new(algorithm.output_len()), message)
        }
        _ => None,
    };
    let peers: Vec<_> = rustcrypto.into_iter().chain(other).collect();
    assert!(!peers.is_empty(), "{algorithm} has no peer");
    peers
}

/// The domain bytes that can be compared. In the peer, the domain byte is a constant of the type.
/// These are the ones of the RFC's answers and some more.
pub const DOMAINS: [u8; 9] = [0x01, 0x06, 0x07, 0x0B, 0x1F, 0x30, 0x40, 0x7E, 0x7F];

fn turboshake(algorithm: Algorithm, domain: u8, message: &[u8], len: usize) -> Vec<u8> {
    macro_rules! by_domain {
        ($rate:literal: $($domain:literal)*) => {
            match domain {
                $($domain => xof::<turboshake::TurboShake<$rate, $domain>>(message, len),)*
                other => panic!("domain byte {other:#x} is not in the list"),
            }
        };
    }
    match algorithm.block_len() {
        168 => by_domain!(168: 0x01 0x06 0x07 0x0B 0x1F 0x30 0x40 0x7E 0x7F),
        _ => by_domain!(136: 0x01 0x06 0x07 0x0B 0x1F 0x30 0x40 0x7E 0x7F),
    }
}

/// Returns BLAKE2 with parameters, computed by blake2b_simd and blake2s_simd.
///
/// Their BLAKE2bp and BLAKE2sp have neither salt nor personalization. With one of these, this
/// function computes the tree from its nodes, but only without a key and at full output length, and
/// returns `None` otherwise. Those crates cannot compute such nodes: with a key, the root's
/// parameters contain the key's length although the root has no key, and with a shorter output, the
/// leaves' parameters contain the root's output length although a leaf returns a whole digest.
pub fn blake2(algorithm: Algorithm, p: &Params, message: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    macro_rules! node {
        ($krate:ident, $p:expr) => {{
            let p: &Params = $p;
            let mut params = $krate::Params::new();
            params.hash_length(p.output_len).key(&p.key).salt(&p.salt).personal(&p.personal);
            params.fanout(p.fanout).max_depth(p.max_depth).max_leaf_length(p.leaf_len);
            params.node_offset(p.node_offset).node_depth(p.node_depth);
            params.inner_hash_length(p.inner_len).last_node(p.last_node);
            params
        }};
    }
    macro_rules! tree {
        ($krate:ident, $module:ident, $leaves:literal) => {
            if p.salt.is_empty() && p.personal.is_empty() {
                let mut params = $krate::$module::Params::new();
                params.hash_length(p.output_len).key(&p.key).hash(message).as_bytes().to_vec()
            } else if !p.key.is_empty() || p.output_len != $krate::OUTBYTES {
                return None;
            } else {
                let inner = $krate::OUTBYTES;
                let shape = Params { fanout: $leaves, max_depth: 2, inner_len: inner, ..p.clone() };
                let root = Params { node_depth: 1, last_node: true, ..shape.clone() };
                let mut root = node!($krate, &root).to_state();
                for leaf in 0..$leaves as usize {
                    let node = Params {
                        output_len: inner,
                        node_offset: leaf as u64,
                        last_node: leaf + 1 == $leaves,
                        ..shape.clone()
                    };
                    let mut state = node!($krate, &node).to_state();
                    for block in message.chunks($krate::BLOCKBYTES).skip(leaf).step_by($leaves) {
                        state.update(block);
                    }
                    root.update(state.finalize().as_bytes());
                }
                root.finalize().as_bytes().to_vec()
            }
        };
    }
    Some(match algorithm {
        Algorithm::Blake2b => {
            ("blake2b_simd", node!(blake2b_simd, p).hash(message).as_bytes().to_vec())
        }
        Algorithm::Blake2s => {
            ("blake2s_simd", node!(blake2s_simd, p).hash(message).as_bytes().to_vec())
        }
        Algorithm::Blake2bp => ("blake2b_simd", tree!(blake2b_simd, blake2bp, 4)),
        Algorithm::Blake2sp => ("blake2s_simd", tree!(blake2s_simd, blake2sp, 8)),
        other => panic!("{other} has no parameters"),
    })
}

/// Returns the first `len` bytes of BLAKE2X over BLAKE2b or BLAKE2s, computed from its nodes'
/// parameters ("BLAKE2X" §2).
fn blake2x(
    algorithm: Algorithm,
    p: &Params,
    known: Option<u64>,
    message: &[u8],
    len: usize,
) -> (&'static str, Vec<u8>) {
    let max = algorithm.output_len();
    let unknown = if algorithm == Algorithm::Blake2b { u64::from(u32::MAX) } else { 0xFFFF };
    let node_offset = known.unwrap_or(unknown) << 32;
    let root = Params { output_len: max, node_offset, ..p.clone() };
    let (name, root) = blake2(algorithm, &root, message).expect("a root");
    let mut output = Vec::new();
    for i in 0..len.div_ceil(max) {
        let left = known.map_or(max, |known| known as usize - i * max);
        let node = Params {
            output_len: left.min(max),
            key: Vec::new(),
            fanout: 0,
            max_depth: 0,
            leaf_len: max as u32,
            node_offset: node_offset | i as u64,
            inner_len: max,
            ..p.clone()
        };
        output.extend(blake2(algorithm, &node, &root).expect("a node").1);
    }
    output.truncate(len);
    (name, output)
}

/// Computes HMAC with the hmac crate or, over BLAKE2bp and BLAKE2sp, by RFC 2104's formula.
pub fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> (&'static str, Vec<u8>) {
    if let Some(peer) = rustcrypto(algorithm) {
        return ("hmac", (peer.hmac)(key, message));
    }
    let (block, plain) = (algorithm.block_len(), Params::new(algorithm.output_len()));
    let digest =
        |parts: &[&[u8]]| blake2(algorithm, &plain, &parts.concat()).expect("no key, no salt").1;
    let mut padded = if key.len() > block { digest(&[key]) } else { key.to_vec() };
    padded.resize(block, 0);
    let pad = |byte: u8| padded.iter().map(|k| k ^ byte).collect::<Vec<u8>>();
    ("RFC 2104 over blake2*_simd", digest(&[&pad(0x5C), &digest(&[&pad(0x36), message])]))
}

/// Returns a peer's output for a message whose last byte is partial.
pub fn bits(algorithm: Algorithm, message: &Message, len: usize) -> (&'static str, Vec<u8>) {
    let (suffix, suffix_bits) = match algorithm {
        Algorithm::AsconHash256 => return ("ascon", ascon(0x0000_0801_00cc_0002, message, len)),
        Algorithm::AsconXof128 => return ("ascon", ascon(0x0000_0800_00cc_0003, message, len)),
        Algorithm::Keccak256 => (0, 0),
        _ if algorithm.name().starts_with("SHA3") => (0b10, 2),
        _ if algorithm.is_xof() => (0b1111, 4),
        _ => return ("a crate's block function", merkle_damgard(algorithm, message)),
    };
    ("keccak", sponge(algorithm.block_len(), message, suffix, suffix_bits, len))
}

/// Computes FIPS 202 §4 and §5.1 with the keccak crate's permutation. The suffix's first bit is its
/// lowest.
fn sponge(rate: usize, message: &Message, suffix: u16, suffix_bits: u32, len: usize) -> Vec<u8> {
    let kept = u16::from(message.last) & ((1 << message.bits) - 1);
    let end = kept | (suffix | 1 << suffix_bits) << message.bits;
    let mut padded = message.bytes.clone();
    padded.push(end as u8);
    if end >> 8 != 0 {
        padded.push((end >> 8) as u8);
    }
    if padded.len().is_multiple_of(rate) && end.ilog2() % 8 == 7 {
        padded.push(0); // The first padding bit ended a block, so the other one needs a new block.
    }
    padded.resize(padded.len().next_multiple_of(rate), 0);
    *padded.last_mut().expect("a block") |= 0x80;
    let mut state = [0; 25];
    let permute = |state: &mut [u64; 25]| keccak::Keccak::new().with_f1600(|f1600| f1600(state));
    for block in padded.chunks(rate) {
        for (lane, word) in state.iter_mut().zip(block.chunks(8)) {
            *lane ^= u64::from_le_bytes(word.try_into().expect("8 bytes"));
        }
        permute(&mut state);
    }
    let mut out = Vec::new();
    while out.len() < len {
        out.extend(state.iter().flat_map(|lane| lane.to_le_bytes()).take(rate));
        permute(&mut state);
    }
    out.truncate(len);
    out
}

/// Computes SP 800-232 §5.1 with the ascon crate's permutation.
fn ascon(iv: u64, message: &Message, len: usize) -> Vec<u8> {
    let mut padded = message.bytes.clone();
    padded.push(message.last & ((1 << message.bits) - 1) | 1 << message.bits);
    padded.resize(padded.len().next_multiple_of(8), 0);
    let mut state = [iv, 0, 0, 0, 0];
    ascon::permute12(&mut state);
    for block in padded.chunks(8) {
        state[0] ^= u64::from_le_bytes(block.try_into().expect("8 bytes"));
        ascon::permute12(&mut state);
    }
    let mut out = Vec::new();
    while out.len() < len {
        out.extend(state[0].to_le_bytes());
        ascon::permute12(&mut state);
    }
    out.truncate(len);
    out
}

/// Computes FIPS 180-4 §5.1 and §6 for a message of bits.
fn merkle_damgard(algorithm: Algorithm, message: &Message) -> Vec<u8> {
    let mask = (0xFF00u16 >> message.bits) as u8;
    let last = message.last & mask | 0x80 >> message.bits;
    let total = (message.bytes.len() as u128) * 8 + u128::from(message.bits);
    let mut digest = blocks(algorithm, None, &pad(algorithm, &message.bytes, last, total));
    digest.truncate(algorithm.output_len());
    digest
}

/// Pads the end of a message of `bits` bits (FIPS 180-4 §5.1). `last` is the byte with the one bit.
pub fn pad(algorithm: Algorithm, end: &[u8], last: u8, bits: u128) -> Vec<u8> {
    let (block, length) = (algorithm.block_len(), algorithm.block_len() / 8);
    let mut padded = [end, &[last]].concat();
    padded.resize((padded.len() + length).next_multiple_of(block) - length, 0);
    padded.extend(&bits.to_be_bytes()[16 - length..]);
    padded
}

/// Absorbs padded blocks with the block functions of RustCrypto's crates, from the words of a hash
/// value, each with its lowest byte first, or from the initial ones. Returns the words after them, each
/// with its highest byte first.
pub fn blocks(algorithm: Algorithm, words: Option<&[u8]>, padded: &[u8]) -> Vec<u8> {
    fn absorb<C: UpdateCore + SerializableState>(
        core: C,
        words: Option<&[u8]>,
        padded: &[u8],
    ) -> Vec<u8> {
        // A serialized core begins with the words, each with its lowest byte first.
        let mut bytes = core.serialize();
        if let Some(words) = words {
            bytes[..words.len()].copy_from_slice(words);
        }
        let mut core = C::deserialize(&bytes).unwrap_or_else(|_| panic!("a core"));
        let blocks = padded.chunks_exact(C::block_size());
        let blocks: Vec<Block<C>> =
            blocks.map(|block| block.try_into().expect("a block")).collect();
        core.update_blocks(&blocks);
        let word = C::block_size() / 16;
        let words = core.serialize();
        words[..8 * word].chunks(word).flat_map(|word| word.iter().rev().copied()).collect()
    }
    let (len, sha2) = (algorithm.output_len(), "a length of SHA-2");
    match algorithm.block_len() {
        _ if algorithm == Algorithm::Sm3 => absorb(sm3::Sm3Core::default(), words, padded),
        64 => absorb(Sha256VarCore::new(len).expect(sha2), words, padded),
        _ => absorb(Sha512VarCore::new(len).expect(sha2), words, padded),
    }
}
