//! The table: everything that is measured. A new peer is one line.

use crate::Task::{self, *};
use aws_lc_rs::{digest as aws, hmac as aws_hmac};
use graviola::hashing::hmac::Hmac as GraviolaHmac;
use graviola::hashing::{
    Hash, Sha256 as GraviolaSha256, Sha512 as GraviolaSha512, sha3 as graviola_sha3,
};
use hashmill::Algorithm::{self, *};
use hashmill::{Digest, Hmac, many};
use hmac::{KeyInit, Mac};
use openssl::error::ErrorStack;
use openssl::md::{Md, MdRef};
use openssl::md_ctx::{MdCtx, MdCtxRef};
use openssl::pkey::PKey;
use sha2::Digest as _;
use shake::{ExtendableOutput, Update, XofReader};
use std::hint::black_box;

pub const OURS: &str = "hashmill";

pub struct Implementation {
    pub name: &'static str,
    pub tasks: &'static [Task],
    pub algorithm: Algorithm,
    pub run: Box<dyn Run>,
}

pub trait Run {
    /// Hashes all the messages, `times` times.
    fn run(&mut self, messages: &[&[u8]], times: u32);
    /// The messages' digests, one after the other.
    fn digests(&mut self, messages: &[&[u8]]) -> Vec<u8>;
}

/// One-call functions serve both.
const ONE_CALL: &[Task] = &[One, Many];
const PREPARED: &[Task] = &[HmacPrepared, HmacMany];
pub const KEY: &[u8; 32] = b"a key that is as long as the tag";

#[rustfmt::skip]
pub fn table() -> Vec<Implementation> {
    let row = |name, tasks, algorithm, run| Implementation { name, tasks, algorithm, run };
    vec![
        row(OURS, &[One], Sha256, each(hashmill::sha256)),
        row(OURS, &[Many], Sha256, batch(many_of::<hashmill::Sha256, 32>)),
        row("RustCrypto", ONE_CALL, Sha256, each(|m| sha2::Sha256::digest(m))),
        row("ring", ONE_CALL, Sha256, each(|m| ring::digest::digest(&ring::digest::SHA256, m))),
        row("aws-lc-rs", ONE_CALL, Sha256, each(|m| aws::digest(&aws::SHA256, m))),
        row("graviola", ONE_CALL, Sha256, each(GraviolaSha256::hash)),
        row("OpenSSL", ONE_CALL, Sha256, each(evp::<32>("SHA256"))),
        row("openssl::sha", ONE_CALL, Sha256, each(|m| { let mut h = openssl::sha::Sha256::new(); h.update(m); h.finish() })),

        row(OURS, &[One], Sha512, each(hashmill::sha512)),
        row(OURS, &[Many], Sha512, batch(many_of::<hashmill::Sha512, 64>)),
        row("RustCrypto", ONE_CALL, Sha512, each(|m| sha2::Sha512::digest(m))),
        row("ring", ONE_CALL, Sha512, each(|m| ring::digest::digest(&ring::digest::SHA512, m))),
        row("aws-lc-rs", ONE_CALL, Sha512, each(|m| aws::digest(&aws::SHA512, m))),
        row("graviola", ONE_CALL, Sha512, each(GraviolaSha512::hash)),
        row("OpenSSL", ONE_CALL, Sha512, each(evp::<64>("SHA512"))),
        row("openssl::sha", ONE_CALL, Sha512, each(|m| { let mut h = openssl::sha::Sha512::new(); h.update(m); h.finish() })),

        row(OURS, &[One], Sha3_256, each(hashmill::sha3_256)),
        row(OURS, &[Many], Sha3_256, batch(many_of::<hashmill::Sha3_256, 32>)),
        row("RustCrypto", ONE_CALL, Sha3_256, each(|m| sha3::Sha3_256::digest(m))),
        row("aws-lc-rs", ONE_CALL, Sha3_256, each(|m| aws::digest(&aws::SHA3_256, m))),
        row("graviola", ONE_CALL, Sha3_256, each(|m| { let mut h = graviola_sha3::Sha3_256Context::new(); h.update(m); h.finish() })),
        row("OpenSSL", ONE_CALL, Sha3_256, each(evp::<32>("SHA3-256"))),

        row(OURS, &[One], Shake128, each(hashmill::shake128::<32>)),
        row(OURS, &[Many], Shake128, batch_vec(|messages, digests: &mut Vec<[u8; 32]>| {
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

        row(OURS, &[One], Blake2b, each(hashmill::blake2b)),
        row(OURS, &[Many], Blake2b, batch(many_of::<hashmill::Blake2b, 64>)),
        row("RustCrypto", ONE_CALL, Blake2b, each(|m| blake2::Blake2b512::digest(m))),
        row("OpenSSL", ONE_CALL, Blake2b, each(evp::<64>("BLAKE2B-512"))),
        row("blake2b_simd", &[One], Blake2b, each(blake2b_simd::blake2b)),
        row("blake2b_simd", &[Many], Blake2b, batch_vec(blake2b_simd_many)),

        row(OURS, &[One], Blake2s, each(hashmill::blake2s)),
        row(OURS, &[Many], Blake2s, batch(many_of::<hashmill::Blake2s, 32>)),
        row("RustCrypto", ONE_CALL, Blake2s, each(|m| blake2::Blake2s256::digest(m))),
        row("OpenSSL", ONE_CALL, Blake2s, each(evp::<32>("BLAKE2S-256"))),
        row("blake2s_simd", &[One], Blake2s, each(blake2s_simd::blake2s)),
        row("blake2s_simd", &[Many], Blake2s, batch_vec(blake2s_simd_many)),

        row(OURS, &[One], Blake2bp, each(hashmill::blake2bp)),
        row(OURS, &[Many], Blake2bp, batch(many_of::<hashmill::Blake2bp, 64>)),
        row("blake2b_simd", ONE_CALL, Blake2bp, each(blake2b_simd::blake2bp::blake2bp)),

        row(OURS, &[One], Blake2sp, each(hashmill::blake2sp)),
        row(OURS, &[Many], Blake2sp, batch(many_of::<hashmill::Blake2sp, 32>)),
        row("blake2s_simd", ONE_CALL, Blake2sp, each(blake2s_simd::blake2sp::blake2sp)),

        row(OURS, &[Hmac], Sha256, each(|m| Hmac::<hashmill::Sha256>::new(black_box(KEY)).update(m).finalize())),
        row(OURS, &[HmacPrepared], Sha256, { let key = Hmac::<hashmill::Sha256>::new(KEY); each(move |m| key.clone().update(m).finalize()) }),
        row(OURS, &[HmacMany], Sha256, { let key = Hmac::<hashmill::Sha256>::new(KEY); batch::<32>(move |m, tags| key.finish_many(m, tags).expect("a place for each")) }),
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

fn many_of<H: many::Named, const N: usize>(messages: &[&[u8]], digests: &mut [Digest<N>]) {
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

/// OpenSSL's EVP interface at its fastest: the algorithm is fetched once, and one context serves all
/// messages.
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

/// `blake2b_simd` and `blake2s_simd` take jobs, which are larger than messages.
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

fn flat<D: AsRef<[u8]>>(digests: impl IntoIterator<Item = D>) -> Vec<u8> {
    digests.into_iter().flat_map(|digest| digest.as_ref().to_vec()).collect()
}
