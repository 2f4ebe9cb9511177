//! Keyed functions: HMAC, HKDF and PBKDF2.

mod hmac;
mod kdf;
