//! PBKDF2 (RFC 8018 §5.2, SP 800-132) over every hash function with HMAC.

#![forbid(unsafe_code)]

use crate::arguments::Salt;
use crate::digest::VarDigest;
use crate::error::Error;
use crate::function::Function;
use crate::hasher::{Hasher, Stream};
use crate::hmac::Hmac;
use crate::lanes::chains::Chain;
use crate::messages::Messages;
use crate::stream::{Progress, must};
use crate::wipe::run_wiped;

/// Derives a key from a password with PBKDF2 (RFC 8018 §5.2, SP 800-132), and fills `out` with it.
///
/// PBKDF2 computes `iterations` HMACs, with the password as the key, for each block of the output.
/// An attacker must compute as many HMACs for each password tried. Choose as many iterations as the
/// application can wait for. OWASP's Password Storage Cheat Sheet (2023) recommends 600,000 with
/// SHA-256. SP 800-132 §5.1 requires a salt with at least 16 random bytes.
///
/// A block is as long as a digest of `H`. The blocks of a longer output are derived side by side in
/// SIMD lanes. A longer output costs the user more time but does not make guessing more expensive,
/// because an attacker needs only one block to test a password.
///
/// # Errors
/// - [`Error::Pbkdf2Iterations`] if `iterations` is 0.
/// - [`Error::Pbkdf2OutputLength`] if `out` is longer than 2³² − 1 digests.
///
/// Nothing is written then.
///
/// ```
/// use hashmill::{Salt, Sha256, pbkdf2};
///
/// let mut key = [0; 32];
/// let iterations = 600_000;
/// # let iterations = 10; // The example is tested without optimisation.
/// pbkdf2::<Sha256>(b"password", Salt(b"salt, 16 random bytes"), iterations, &mut key)?;
/// # Ok::<(), hashmill::Error>(())
/// ```
pub fn pbkdf2<H: Hasher>(
    password: &[u8],
    salt: Salt<&[u8]>,
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    run_wiped(stack::<H>(), || {
        let hmac = Hmac::<H>::new_unwiped(password);
        derive(|_| hmac.clone(), |_| salt.0, iterations, out.len(), out)
    })
}

/// Derives keys from many passwords, each with its own salt, side by side in SIMD lanes.
///
/// Each key has `output_len` bytes. The keys are written to `out` one after the other. The key of
/// password `i` is the one that [`pbkdf2`] derives from password `i` with salt `i`. [`Messages`]
/// lists the types that can hold the passwords and the salts.
///
/// # Errors
/// - [`Error::PieceCount`] if the numbers of salts and passwords differ.
/// - [`Error::OutputLength`] if `out` does not have `passwords.count() * output_len` bytes.
/// - The errors of [`pbkdf2`], under the same conditions.
///
/// Nothing is written then.
///
/// ```
/// use hashmill::{Salt, Sha256, pbkdf2, pbkdf2_many};
///
/// let (passwords, salts, iterations) = (["secret", "123456"], ["salt 1", "salt 2"], 600_000);
/// # let iterations = 10; // The example is tested without optimisation.
/// let mut keys = [0; 2 * 32];
/// pbkdf2_many::<Sha256>(&passwords, Salt(&salts), iterations, 32, &mut keys)?;
/// let mut key = [0; 32];
/// pbkdf2::<Sha256>(b"123456", Salt(b"salt 2"), iterations, &mut key)?;
/// assert_eq!(keys[32..], key);
/// # Ok::<(), hashmill::Error>(())
/// ```
pub fn pbkdf2_many<H: Hasher>(
    passwords: &(impl Messages + ?Sized),
    salts: Salt<&(impl Messages + ?Sized)>,
    iterations: u32,
    output_len: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    if passwords.count() != salts.0.count() {
        return Err(Error::piece_count(salts.0.count(), passwords.count()));
    }
    let expected = passwords.count().saturating_mul(output_len);
    if out.len() != expected {
        return Err(Error::output_len(out.len(), expected));
    }
    let hmac = |row: usize| Hmac::<H>::new_unwiped(passwords.message(row));
    run_wiped(stack::<H>(), || {
        derive(hmac, |row| salts.0.message(row), iterations, output_len, out)
    })
}

/// Stack bytes to clear after a call: those of one message, and those of the chains before they are
/// copied to the lanes. The code in `lanes/chains.rs` clears the stack of the lanes.
fn stack<H: Hasher>() -> usize {
    H::Function::STREAM.stack() + 8 * size_of::<Hmac<H>>()
}

/// Computes the blocks T_1, T_2, … (RFC 8018 §5.2) of every key in `out`. `hmac` and `salt` return
/// the HMAC with the password and the salt of the key with a given index.
fn derive<'s, H: Hasher>(
    hmac: impl Fn(usize) -> Hmac<H>,
    salt: impl Fn(usize) -> &'s [u8],
    iterations: u32,
    output_len: usize,
    out: &mut [u8],
) -> Result<(), Error> {
    let len = H::ALGORITHM.output_len();
    let blocks = output_len.div_ceil(len);
    if iterations == 0 {
        return Err(Error::Pbkdf2Iterations);
    }
    if u32::try_from(blocks).is_err() {
        return Err(Error::Pbkdf2OutputLength { given: output_len as u64 });
    }
    if out.is_empty() {
        return Ok(());
    }
    let count = out.len() / output_len * blocks;
    let keys = out.chunks_exact_mut(output_len).enumerate();
    let places =
        keys.flat_map(|(row, key)| (1..=u32::MAX).zip(key.chunks_mut(len)).map(move |t| (row, t)));
    let mut chains = places.map(|(row, (i, out))| {
        let hmac = hmac(row).keyed;
        let mut first = hmac.clone();
        must(first.inner.try_update(salt(row)));
        let mut u = VarDigest::zero(len);
        first.tag(&i.to_be_bytes(), u.as_mut());
        Chain { inner: hmac.inner, outer: hmac.outer, u, out }
    });
    H::Function::STREAM.chains(&mut chains, count, iterations);
    Ok(())
}
