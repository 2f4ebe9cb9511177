//! The table of everything that is measured. A new peer takes one line.

use crate::ITERATIONS;
use crate::Task::{self, *};
use aws_lc_rs::{digest as aws, hmac as aws_hmac};
use bitcoin_hashes::sha256d;
use graviola::hashing::hmac::Hmac as GraviolaHmac;
use graviola::hashing::{
    Hash, Sha256 as GraviolaSha256, Sha512 as GraviolaSha512, sha3 as graviola_sha3,
};
use hashmill::Algorithm::{self, *};
use hashmill::function::Function;
use hashmill::{Digest, Hmac, many};
use hmac::{KeyInit, Mac};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md::{Md, MdRef};
use openssl::md_ctx::{MdCtx, MdCtxRef};
use openssl::pkcs5::pbkdf2_hmac;
use openssl::pkey::PKey;
use rayon::prelude::*;
use rs_merkle::{MerkleTree, algorithms::Sha256 as MerkleSha256};
use sha2::Digest as _;
use shake::{ExtendableOutput, Update, XofReader};
use std::fmt::{self, Display, Formatter};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::str::FromStr;

pub const OURS: &str = "hashmill";

pub struct Implementation {
    pub name: &'static str,
    pub tasks: &'static [Task],
    pub algorithm: Subject,
    pub run: Box<dyn Run>,
    /// Whether the row computes another function, whose digests differ.
    pub another: bool,
}

/// The function to compute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    Of(Algorithm),
    Kt128,
}

impl Subject {
    pub fn all() -> impl Iterator<Item = Subject> {
        Algorithm::ALL.iter().map(|&algorithm| Subject::Of(algorithm)).chain([Subject::Kt128])
    }

    /// Returns the library's algorithm, if it has this function.
    pub fn algorithm(self) -> Option<Algorithm> {
        match self {
            Subject::Of(algorithm) => Some(algorithm),
            Subject::Kt128 => None,
        }
    }
}

impl Display for Subject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Of(algorithm) => algorithm.fmt(f),
            Subject::Kt128 => f.write_str("KT128"),
        }
    }
}

impl FromStr for Subject {
    type Err = hashmill::Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name.eq_ignore_ascii_case("kt128") {
            return Ok(Subject::Kt128);
        }
        name.parse().map(Subject::Of)
    }
}

pub trait Run {
    /// Hashes all the messages, `times` times.
    fn run(&mut self, messages: &[&[u8]], times: u32);
    /// Returns the messages' digests, one after the other.
    fn digests(&mut self, messages: &[&[u8]]) -> Vec<u8>;
}

/// Tasks that one-call functions serve: one message and many.
const ONE_CALL: &[Task] = &[One, Many, Two, Four, Six, Uniform, Lognormal];
const BATCH: &[Task] = &[Many, Two, Four, Six, Uniform, Lognormal];
const PREPARED: &[Task] = &[HmacPrepared, HmacMany];
const SALT: &[u8; 16] = b"sixteen for salt";
pub const KEY: &[u8; 32] = b"a key that is as long as the tag";

#[rustfmt::skip]
pub fn table() -> Vec<Implementation> {
    let row = |name, tasks, algorithm, run| Implementation { name, tasks, algorithm: Subject::Of(algorithm), run, another: false };
    let kt128 = |name, tasks, run| Implementation { name, tasks, algorithm: Subject::Kt128, run, another: name == "BLAKE3" };
    vec![
        row(OURS, &[One], Sha256, each(|m| hashmill::sha256(m))),
        row(OURS, BATCH, Sha256, batch(many_of::<hashmill::Sha256, 32>)),
        row("RustCrypto", ONE_CALL, Sha256, each(|m| sha2::Sha256::digest(m))),
        row("ring", ONE_CALL, Sha256, each(|m| ring::digest::digest(&ring::digest::SHA256, m))),
        row("aws-lc-rs", ONE_CALL, Sha256, each(|m| aws::digest(&aws::SHA256, m))),
        row("graviola", ONE_CALL, Sha256, each(GraviolaSha256::hash)),
        row("OpenSSL", ONE_CALL, Sha256, each(evp::<32>("SHA256"))),
        row("openssl::sha", ONE_CALL, Sha256, each(|m| { let mut h = openssl::sha::Sha256::new(); h.update(m); h.finish() })),

        row(OURS, &[Merkle], Sha256, root_of(many::Merkle::new(hashmill::Sha256::new(), many::Odd::Promote))),
        row("rs_merkle", &[Merkle], Sha256, batch_vec(|leaves, roots: &mut Vec<[u8; 32]>| {
            let leaves: Vec<[u8; 32]> = leaves.iter().map(|leaf| leaf[..].try_into().expect("32 bytes")).collect();
            *roots = MerkleTree::<MerkleSha256>::from_leaves(&leaves).root().into_iter().collect();
        })),
        row(OURS, &[Bitcoin], Sha256, root_of(many::Merkle::new(hashmill::Sha256::new(), many::Odd::Duplicate).twice())),
        row("bitcoin_hashes", &[Bitcoin], Sha256, batch_vec(|leaves, roots: &mut Vec<[u8; 32]>| {
            let mut level: Vec<[u8; 32]> = leaves.iter().map(|leaf| leaf[..].try_into().expect("32 bytes")).collect();
            while level.len() > 1 {
                let node = |pair: &[[u8; 32]]| {
                    let mut both = [0; 64];
                    both[..32].copy_from_slice(&pair[0]);
                    both[32..].copy_from_slice(&pair[pair.len() - 1]);
                    sha256d::Hash::hash(&both).to_byte_array()
                };
                level = level.chunks(2).map(node).collect();
            }
            *roots = level;
        })),

        row(OURS, &[One], Sha512, each(|m| hashmill::sha512(m))),
        row(OURS, BATCH, Sha512, batch(many_of::<hashmill::Sha512, 64>)),
        row("RustCrypto", ONE_CALL, Sha512, each(|m| sha2::Sha512::digest(m))),
        row("ring", ONE_CALL, Sha512, each(|m| ring::digest::digest(&ring::digest::SHA512, m))),
        row("aws-lc-rs", ONE_CALL, Sha512, each(|m| aws::digest(&aws::SHA512, m))),
        row("graviola", ONE_CALL, Sha512, each(GraviolaSha512::hash)),
        row("OpenSSL", ONE_CALL, Sha512, each(evp::<64>("SHA512"))),
        row("openssl::sha", ONE_CALL, Sha512, each(|m| { let mut h = openssl::sha::Sha512::new(); h.update(m); h.finish() })),

        row(OURS, &[One], Sha3_256, each(|m| hashmill::sha3_256(m))),
        row(OURS, BATCH, Sha3_256, batch(many_of::<hashmill::Sha3_256, 32>)),
        row("RustCrypto", ONE_CALL, Sha3_256, each(|m| sha3::Sha3_256::digest(m))),
        row("aws-lc-rs", ONE_CALL, Sha3_256, each(|m| aws::digest(&aws::SHA3_256, m))),
        row("graviola", ONE_CALL, Sha3_256, each(|m| { let mut h = graviola_sha3::Sha3_256Context::new(); h.update(m); h.finish() })),
        row("OpenSSL", ONE_CALL, Sha3_256, each(evp::<32>("SHA3-256"))),

        row(OURS, &[One], Keccak256, each(|m| hashmill::keccak256(m))),
        row(OURS, BATCH, Keccak256, batch(many_of::<hashmill::Keccak256, 32>)),
        row("RustCrypto", ONE_CALL, Keccak256, each(|m| sha3::Keccak256::digest(m))),
        row("tiny-keccak", ONE_CALL, Keccak256, each(|m| {
            let (mut h, mut out) = (tiny_keccak::Keccak::v256(), [0; 32]);
            tiny_keccak::Hasher::update(&mut h, m);
            tiny_keccak::Hasher::finalize(h, &mut out);
            out
        })),

        row(OURS, &[One], Shake128, each(|m| hashmill::shake128::<32>(m))),
        row(OURS, BATCH, Shake128, batch_vec(|messages, digests: &mut Vec<[u8; 32]>| {
            digests.resize(messages.len(), [0; 32]);
            many::hash::<hashmill::Shake128>(messages, digests.as_flattened_mut()).expect("a place for each");
        })),
        row("RustCrypto", ONE_CALL, Shake128, each(|m| {
            let (mut xof, mut out) = (shake::Shake128::default(), [0; 32]);
            xof.update(m);
            xof.finalize_xof().read(&mut out);
            out
        })),
        row("graviola", ONE_CALL, Shake128, each(|m| { let mut out = [0; 32]; graviola_sha3::Shake128::new(&[m]).read(&mut out); out })),
        row("OpenSSL", ONE_CALL, Shake128, each(evp_xof::<32>("SHAKE128"))),

        row(OURS, &[One], AsconHash256, each(|m| hashmill::ascon_hash256(m))),
        row(OURS, BATCH, AsconHash256, batch(many_of::<hashmill::AsconHash256, 32>)),
        row("RustCrypto", ONE_CALL, AsconHash256, each(|m| ascon_hash256::AsconHash256::digest(m))),
        row(OURS, &[One], AsconXof128, each(|m| hashmill::ascon_xof128::<32>(m))),
        row(OURS, BATCH, AsconXof128, batch_vec(|messages, digests: &mut Vec<[u8; 32]>| {
            digests.resize(messages.len(), [0; 32]);
            many::hash::<hashmill::AsconXof128>(messages, digests.as_flattened_mut()).expect("a place for each");
        })),
        row("RustCrypto", ONE_CALL, AsconXof128, each(|m| {
            let (mut xof, mut out) = (ascon_xof128::AsconXof128::default(), [0; 32]);
            xof.update(m);
            xof.finalize_xof().read(&mut out);
            out
        })),

        row(OURS, &[One], Blake2b, each(|m| hashmill::blake2b(m))),
        row(OURS, BATCH, Blake2b, batch(many_of::<hashmill::Blake2b, 64>)),
        row("RustCrypto", ONE_CALL, Blake2b, each(|m| blake2::Blake2b512::digest(m))),
        row("OpenSSL", ONE_CALL, Blake2b, each(evp::<64>("BLAKE2B-512"))),
        row("blake2b_simd", &[One], Blake2b, each(blake2b_simd::blake2b)),
        row("blake2b_simd", BATCH, Blake2b, batch_vec(blake2b_simd_many)),

        row(OURS, &[One], Blake2s, each(|m| hashmill::blake2s(m))),
        row(OURS, BATCH, Blake2s, batch(many_of::<hashmill::Blake2s, 32>)),
        row("RustCrypto", ONE_CALL, Blake2s, each(|m| blake2::Blake2s256::digest(m))),
        row("OpenSSL", ONE_CALL, Blake2s, each(evp::<32>("BLAKE2S-256"))),
        row("blake2s_simd", &[One], Blake2s, each(blake2s_simd::blake2s)),
        row("blake2s_simd", BATCH, Blake2s, batch_vec(blake2s_simd_many)),

        row(OURS, &[One], Blake2bp, each(|m| hashmill::blake2bp(m))),
        row(OURS, BATCH, Blake2bp, batch(many_of::<hashmill::Blake2bp, 64>)),
        row("blake2b_simd", ONE_CALL, Blake2bp, each(blake2b_simd::blake2bp::blake2bp)),

        row(OURS, &[One], Blake2sp, each(|m| hashmill::blake2sp(m))),
        row(OURS, BATCH, Blake2sp, batch(many_of::<hashmill::Blake2sp, 32>)),
        row("blake2s_simd", ONE_CALL, Blake2sp, each(blake2s_simd::blake2sp::blake2sp)),

        row(OURS, &[One], Blake3, each(|m| hashmill::blake3(m))),
        row(OURS, BATCH, Blake3, batch_vec(|messages, digests: &mut Vec<[u8; 32]>| {
            digests.resize(messages.len(), [0; 32]);
            many::hash::<hashmill::Blake3>(messages, digests.as_flattened_mut()).expect("a place for each");
        })),
        row(OURS, &[Threads], Blake3, each(|m| hashmill::Blake3::new().update_rayon(m).finalize())),
        row("BLAKE3", ONE_CALL, Blake3, each(|m| *blake3::hash(m).as_bytes())),
        row("BLAKE3", &[Threads], Blake3, each(|m| *blake3::Hasher::new().update_rayon(m).finalize().as_bytes())),

        row(OURS, &[Chain], Sha256, chain(|m| hashmill::sha256(m))),
        row("RustCrypto", &[Chain], Sha256, chain(|m| sha2::Sha256::digest(m))),
        row("ring", &[Chain], Sha256, chain(|m| ring::digest::digest(&ring::digest::SHA256, m))),
        row("aws-lc-rs", &[Chain], Sha256, chain(|m| aws::digest(&aws::SHA256, m))),

        row(OURS, &[Update], Sha256, pieces(hashmill::Sha256::new, |h, m| { h.update(m); }, |h| h.finalize())),
        row("RustCrypto", &[Update], Sha256, pieces(sha2::Sha256::new, |h, m| sha2::Digest::update(h, m), |h| h.finalize())),
        row("ring", &[Update], Sha256, pieces(|| ring::digest::Context::new(&ring::digest::SHA256), |h, m| h.update(m), |h| h.finish())),
        row("aws-lc-rs", &[Update], Sha256, pieces(|| aws::Context::new(&aws::SHA256), |h, m| h.update(m), |h| h.finish())),
        row(OURS, &[Update], Sha3_256, pieces(hashmill::Sha3_256::new, |h, m| { h.update(m); }, |h| h.finalize())),
        row("RustCrypto", &[Update], Sha3_256, pieces(sha3::Sha3_256::new, |h, m| sha2::Digest::update(h, m), |h| h.finalize())),
        row(OURS, &[Update], Blake2b, pieces(hashmill::Blake2b::new, |h, m| { h.update(m); }, |h| h.finalize())),
        row("RustCrypto", &[Update], Blake2b, pieces(blake2::Blake2b512::new, |h, m| sha2::Digest::update(h, m), |h| h.finalize())),
        row("blake2b_simd", &[Update], Blake2b, pieces(blake2b_simd::State::new, |h, m| { h.update(m); }, |h| h.finalize())),

        row(OURS, &[Squeeze], Shake128, each(|m| squeezed(m, |out| hashmill::Shake128::new().squeeze().fill(out)))),
        row("RustCrypto", &[Squeeze], Shake128, each(|m| squeezed(m, |out| shake::Shake128::default().finalize_xof().read(out)))),
        row("OpenSSL", &[Squeeze], Shake128, each(|m| squeezed(m, |out| openssl::hash::hash_xof(MessageDigest::shake_128(), b"", out).expect("OpenSSL squeezes")))),

        row(OURS, &[Squeeze], AsconXof128, each(|m| squeezed(m, |out| hashmill::AsconXof128::new().squeeze().fill(out)))),
        row("RustCrypto", &[Squeeze], AsconXof128, each(|m| squeezed(m, |out| ascon_xof128::AsconXof128::default().finalize_xof().read(out)))),

        row(OURS, &[UpdateMany], Sha256, updates(hashmill::Sha256::new, |h, m| hashmill::Sha256::update_many(h, m).expect("a piece for each"), |h| h.finalize())),
        row("RustCrypto", &[UpdateMany], Sha256, updates(sha2::Sha256::new, |h, m| h.iter_mut().zip(m).for_each(|(h, m)| sha2::Digest::update(h, m)), |h| h.finalize())),
        row("aws-lc-rs", &[UpdateMany], Sha256, updates(|| aws::Context::new(&aws::SHA256), |h, m| h.iter_mut().zip(m).for_each(|(h, m)| h.update(m)), |h| h.finish())),

        row(OURS, &[Threads], Sha256, batch_vec(|messages, digests: &mut Vec<Digest<32>>| {
            digests.resize(messages.len(), Digest::default());
            many::hash::<hashmill::Sha256>(&many::threads(messages), digests).expect("a place for each");
        })),
        row("RustCrypto", &[Threads], Sha256, batch_vec(|messages, digests| messages.par_iter().map(|m| sha2::Sha256::digest(m)).collect_into_vec(digests))),
        row("aws-lc-rs", &[Threads], Sha256, batch_vec(|messages, digests| messages.par_iter().map(|m| aws::digest(&aws::SHA256, m)).collect_into_vec(digests))),

        kt128(OURS, &[One], each(|m| hashmill::kt128::<32>(m, hashmill::Customization(b"")))),
        kt128(OURS, BATCH, batch_vec(|messages, digests: &mut Vec<[u8; 32]>| {
            digests.resize(messages.len(), [0; 32]);
            hashmill::Kt128::new().hash_many(messages, digests.as_flattened_mut()).expect("a place for each");
        })),
        kt128(OURS, &[Threads], each(|m| { let mut out = [0; 32]; hashmill::Kt128::new().update_rayon(m).squeeze().fill(&mut out); out })),
        kt128("k12", ONE_CALL, each(|m| { let (mut h, mut out) = (k12::Kt128::default(), [0; 32]); h.update(m); h.finalize_xof().read(&mut out); out })),
        kt128("BLAKE3", ONE_CALL, each(|m| *blake3::hash(m).as_bytes())),
        kt128("BLAKE3", &[Threads], each(|m| *blake3::Hasher::new().update_rayon(m).finalize().as_bytes())),

        row(OURS, &[HkdfExpand], Sha256, { let key = hashmill::Hkdf::<hashmill::Sha256>::new(hashmill::Salt(SALT), KEY); each(move |m| { let mut out = [0; 32]; key.expand(m, &mut out).expect("a short key"); out }) }),
        row("RustCrypto", &[HkdfExpand], Sha256, { let key = hkdf::Hkdf::<sha2::Sha256>::new(Some(SALT), KEY); each(move |m| { let mut out = [0; 32]; key.expand(m, &mut out).expect("a short key"); out }) }),
        row("ring", &[HkdfExpand], Sha256, { let key = ring::hkdf::Salt::new(ring::hkdf::HKDF_SHA256, SALT).extract(KEY); each(move |m| ring_expand(&key, m)) }),
        row("aws-lc-rs", &[HkdfExpand], Sha256, { let key = aws_lc_rs::hkdf::Salt::new(aws_lc_rs::hkdf::HKDF_SHA256, SALT).extract(KEY); each(move |m| aws_expand(&key, m)) }),
        row(OURS, &[Hkdf], Sha256, each(|m| { let mut out = [0; 32]; hashmill::Hkdf::<hashmill::Sha256>::new(hashmill::Salt(SALT), black_box(KEY)).expand(m, &mut out).expect("a short key"); out })),
        row("RustCrypto", &[Hkdf], Sha256, each(|m| { let mut out = [0; 32]; hkdf::Hkdf::<sha2::Sha256>::new(Some(SALT), black_box(KEY)).expand(m, &mut out).expect("a short key"); out })),
        row("ring", &[Hkdf], Sha256, each(|m| ring_expand(&ring::hkdf::Salt::new(ring::hkdf::HKDF_SHA256, SALT).extract(black_box(KEY)), m))),
        row("aws-lc-rs", &[Hkdf], Sha256, each(|m| aws_expand(&aws_lc_rs::hkdf::Salt::new(aws_lc_rs::hkdf::HKDF_SHA256, SALT).extract(black_box(KEY)), m))),

        row(OURS, &[Pbkdf2], Sha256, each(|m| { let mut out = [0; 32]; hashmill::pbkdf2::<hashmill::Sha256>(m, hashmill::Salt(SALT), ITERATIONS, &mut out).expect("some iterations"); out })),
        row(OURS, &[Pbkdf2Many], Sha256, batch_vec(|m, keys: &mut Vec<[u8; 32]>| {
            keys.resize(m.len(), [0; 32]);
            let salts = many::indexed(m.len(), |_| SALT);
            hashmill::pbkdf2_many::<hashmill::Sha256>(m, hashmill::Salt(&salts), ITERATIONS, 32, keys.as_flattened_mut()).expect("a place for each");
        })),
        row("RustCrypto", PBKDF2, Sha256, each(|m| { let mut out = [0; 32]; pbkdf2::pbkdf2_hmac::<sha2::Sha256>(m, SALT, ITERATIONS, &mut out); out })),
        row("ring", PBKDF2, Sha256, each(|m| { let mut out = [0; 32]; ring::pbkdf2::derive(ring::pbkdf2::PBKDF2_HMAC_SHA256, iterations(), SALT, m, &mut out); out })),
        row("aws-lc-rs", PBKDF2, Sha256, each(|m| { let mut out = [0; 32]; aws_lc_rs::pbkdf2::derive(aws_lc_rs::pbkdf2::PBKDF2_HMAC_SHA256, iterations(), SALT, m, &mut out); out })),
        row("OpenSSL", PBKDF2, Sha256, each(|m| { let mut out = [0; 32]; pbkdf2_hmac(m, SALT, ITERATIONS as usize, MessageDigest::sha256(), &mut out).expect("OpenSSL derives"); out })),

        row(OURS, &[Hmac], Sha256, each(|m| Hmac::<hashmill::Sha256>::new(black_box(KEY)).hash(m))),
        row(OURS, &[HmacPrepared], Sha256, { let key = Hmac::<hashmill::Sha256>::new(KEY); each(move |m| key.hash(m)) }),
        row(OURS, &[HmacMany], Sha256, { let key = Hmac::<hashmill::Sha256>::new(KEY); batch::<32>(move |m, tags| key.hash_many(m, tags).expect("a place for each")) }),
        row("RustCrypto", &[Hmac], Sha256, each(|m| rustcrypto_key().chain_update(m).finalize().into_bytes())),
        row("RustCrypto", PREPARED, Sha256, { let key = rustcrypto_key(); each(move |m| key.clone().chain_update(m).finalize().into_bytes()) }),
        row("ring", &[Hmac], Sha256, each(|m| ring::hmac::sign(&ring_key(), m))),
        row("ring", PREPARED, Sha256, { let key = ring_key(); each(move |m| ring::hmac::sign(&key, m)) }),
        row("aws-lc-rs", &[Hmac], Sha256, each(|m| aws_hmac::sign(&aws_key(), m))),
        row("aws-lc-rs", PREPARED, Sha256, { let key = aws_key(); each(move |m| aws_hmac::sign(&key, m)) }),
        row("graviola", &[Hmac], Sha256, each(|m| { let mut mac = graviola_key(); mac.update(m); mac.finish() })),
        row("graviola", PREPARED, Sha256, { let key = graviola_key(); each(move |m| { let mut mac = key.clone(); mac.update(m); mac.finish() }) }),
        row("OpenSSL", &[Hmac], Sha256, each(evp_hmac(KeyUse::New))),
        row("OpenSSL", PREPARED, Sha256, each(evp_hmac(KeyUse::Prepared))),
    ]
}

const PBKDF2: &[Task] = &[Pbkdf2, Pbkdf2Many];

fn iterations() -> NonZeroU32 {
    NonZeroU32::new(ITERATIONS).expect("some iterations")
}

/// Returns as many bytes of output as the message has.
fn squeezed(message: &[u8], fill: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut out = vec![0; message.len()];
    fill(&mut out);
    out
}

/// A key of 32 bytes.
struct Len32;

impl ring::hkdf::KeyType for Len32 {
    fn len(&self) -> usize {
        32
    }
}

impl aws_lc_rs::hkdf::KeyType for Len32 {
    fn len(&self) -> usize {
        32
    }
}

fn ring_expand(key: &ring::hkdf::Prk, info: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    key.expand(&[info], Len32).and_then(|okm| okm.fill(&mut out)).expect("a short key");
    out
}

fn aws_expand(key: &aws_lc_rs::hkdf::Prk, info: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    key.expand(&[info], Len32).and_then(|okm| okm.fill(&mut out)).expect("a short key");
    out
}

fn many_of<H: hashmill::Hasher, const N: usize>(messages: &[&[u8]], digests: &mut [Digest<N>]) {
    many::hash::<H>(messages, digests).expect("a place for each");
}

fn rustcrypto_key() -> hmac::Hmac<sha2::Sha256> {
    hmac::Hmac::new_from_slice(black_box(KEY)).expect("any key is accepted")
}

fn ring_key() -> ring::hmac::Key {
    ring::hmac::Key::new(ring::hmac::HMAC_SHA256, black_box(KEY))
}

fn aws_key() -> aws_hmac::Key {
    aws_hmac::Key::new(aws_hmac::HMAC_SHA256, black_box(KEY))
}

fn graviola_key() -> GraviolaHmac<GraviolaSha256> {
    GraviolaHmac::new(black_box(KEY))
}

/// OpenSSL's EVP interface at its fastest: the algorithm is fetched once, and one context serves
/// all messages.
fn evp<const N: usize>(name: &'static str) -> impl FnMut(&[u8]) -> [u8; N] {
    evp_with(name, |context, digest| context.digest_final(digest).map(drop))
}

fn evp_xof<const N: usize>(name: &'static str) -> impl FnMut(&[u8]) -> [u8; N] {
    evp_with(name, |context, digest| context.digest_final_xof(digest))
}

fn evp_with<const N: usize>(
    name: &'static str,
    finish: impl Fn(&mut MdCtxRef, &mut [u8]) -> Result<(), ErrorStack>,
) -> impl FnMut(&[u8]) -> [u8; N] {
    let algorithm = Md::fetch(None, name, None).expect("OpenSSL has the algorithm");
    let mut context = MdCtx::new().expect("memory");
    let mut hash = move |message: &[u8]| {
        let mut digest = [0; N];
        context.digest_init(&algorithm)?;
        context.digest_update(message)?;
        finish(&mut context, &mut digest)?;
        Ok::<_, ErrorStack>(digest)
    };
    move |message| hash(message).expect("OpenSSL hashes")
}

#[derive(PartialEq)]
enum KeyUse {
    New,
    Prepared,
}

fn evp_hmac(key_use: KeyUse) -> impl FnMut(&[u8]) -> [u8; 32] {
    let sha256: &MdRef = Md::sha256();
    let mut key = PKey::hmac(KEY).expect("OpenSSL has HMAC");
    let mut context = MdCtx::new().expect("memory");
    let mut sign = move |message: &[u8]| {
        if key_use == KeyUse::New {
            key = PKey::hmac(black_box(KEY))?;
        }
        let mut tag = [0; 32];
        context.digest_sign_init(Some(sha256), &key)?;
        context.digest_sign(message, Some(&mut tag))?;
        Ok::<_, ErrorStack>(tag)
    };
    move |message| sign(message).expect("OpenSSL signs")
}

/// `blake2b_simd` and `blake2s_simd` take jobs, which are larger in memory than references to
/// messages.
macro_rules! simd_many {
    ($name:ident, $crate_name:ident) => {
        fn $name(messages: &[&[u8]], digests: &mut Vec<$crate_name::Hash>) {
            use $crate_name::many::{HashManyJob, hash_many};
            let params = $crate_name::Params::new();
            let mut jobs = Vec::with_capacity(JOBS);
            digests.clear();
            for messages in messages.chunks(JOBS) {
                jobs.clear();
                jobs.extend(messages.iter().map(|message| HashManyJob::new(&params, message)));
                hash_many(&mut jobs);
                digests.extend(jobs.iter().map(|job| job.to_hash()));
            }
        }
    };
}
const JOBS: usize = 64;
simd_many!(blake2b_simd_many, blake2b_simd);
simd_many!(blake2s_simd_many, blake2s_simd);

/// Hashes one message after the other.
pub fn each<D: AsRef<[u8]> + 'static>(hash: impl FnMut(&[u8]) -> D + 'static) -> Box<dyn Run> {
    Box::new(Each { hash, digests: Vec::new() })
}

struct Each<F, D> {
    hash: F,
    digests: Vec<D>,
}

impl<D: AsRef<[u8]>, F: FnMut(&[u8]) -> D> Run for Each<F, D> {
    fn run(&mut self, messages: &[&[u8]], times: u32) {
        if let &[message] = messages {
            for _ in 0..times {
                black_box((self.hash)(black_box(message)));
            }
            return;
        }
        for _ in 0..times {
            self.digests.clear();
            self.digests.extend(black_box(messages).iter().map(|message| (self.hash)(message)));
            black_box(&self.digests);
        }
    }

    fn digests(&mut self, messages: &[&[u8]]) -> Vec<u8> {
        flat(messages.iter().map(|message| (self.hash)(message)))
    }
}

/// Hashes all messages in one call.
fn batch<const N: usize>(
    mut hash: impl FnMut(&[&[u8]], &mut [Digest<N>]) + 'static,
) -> Box<dyn Run> {
    batch_vec(move |messages, digests| {
        digests.resize(messages.len(), Digest::default());
        hash(messages, digests);
    })
}

/// Computes the root of a tree over the messages.
fn root_of<F: Function<Digest = Digest<32>>>(tree: many::Merkle<F>) -> Box<dyn Run> {
    batch_vec(move |leaves, roots: &mut Vec<Digest<32>>| {
        *roots = vec![tree.root(&mut leaves.concat()).expect("whole digests")];
    })
}

pub fn batch_vec<D: AsRef<[u8]> + 'static>(
    hash: impl FnMut(&[&[u8]], &mut Vec<D>) + 'static,
) -> Box<dyn Run> {
    Box::new(Batch { hash, digests: Vec::new() })
}

struct Batch<F, D> {
    hash: F,
    digests: Vec<D>,
}

impl<D: AsRef<[u8]>, F: FnMut(&[&[u8]], &mut Vec<D>)> Run for Batch<F, D> {
    fn run(&mut self, messages: &[&[u8]], times: u32) {
        for _ in 0..times {
            (self.hash)(black_box(messages), &mut self.digests);
            black_box(&self.digests);
        }
    }

    fn digests(&mut self, messages: &[&[u8]]) -> Vec<u8> {
        self.run(messages, 1);
        flat(&self.digests)
    }
}

/// Writes the digest of each message to the beginning of the next, so that no hash can begin before
/// the previous one has ended.
fn chain<D: AsRef<[u8]> + 'static>(mut hash: impl FnMut(&[u8]) -> D + 'static) -> Box<dyn Run> {
    let mut message = Vec::new();
    Box::new(Repeated(move |messages: &[&[u8]], times| {
        message.clear();
        message.extend_from_slice(messages[0]);
        for _ in 0..times {
            let digest = hash(&message);
            message[..digest.as_ref().len()].copy_from_slice(digest.as_ref());
        }
        black_box(&message).clone()
    }))
}

/// Hashes one message whose pieces are `messages`.
fn pieces<H: 'static, D: AsRef<[u8]> + 'static>(
    new: impl Fn() -> H + 'static,
    update: impl Fn(&mut H, &[u8]) + 'static,
    finish: impl Fn(H) -> D + 'static,
) -> Box<dyn Run> {
    Box::new(Repeated(move |messages: &[&[u8]], times| {
        let mut last = Vec::new();
        for _ in 0..times {
            let mut hasher = new();
            black_box(messages).iter().for_each(|message| update(&mut hasher, message));
            let digest = black_box(finish(hasher));
            last = digest.as_ref().to_vec();
        }
        last
    }))
}

/// Updates several hashers with one piece each.
fn updates<H: 'static, D: AsRef<[u8]> + 'static>(
    new: impl Fn() -> H + 'static,
    update: impl Fn(&mut [H], &[&[u8]]) + 'static,
    finish: impl Fn(H) -> D + 'static,
) -> Box<dyn Run> {
    batch_vec(move |messages, digests: &mut Vec<D>| {
        let mut hashers: Vec<H> = messages.iter().map(|_| new()).collect();
        update(&mut hashers, messages);
        digests.clear();
        digests.extend(hashers.into_iter().map(&finish));
    })
}

/// Runs the function `times` times and returns the last result.
struct Repeated<F>(F);

impl<F: FnMut(&[&[u8]], u32) -> Vec<u8>> Run for Repeated<F> {
    fn run(&mut self, messages: &[&[u8]], times: u32) {
        black_box((self.0)(messages, times));
    }

    fn digests(&mut self, messages: &[&[u8]]) -> Vec<u8> {
        (self.0)(messages, 1)
    }
}

fn flat<D: AsRef<[u8]>>(digests: impl IntoIterator<Item = D>) -> Vec<u8> {
    digests.into_iter().flat_map(|digest| digest.as_ref().to_vec()).collect()
}
