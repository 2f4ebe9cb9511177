//! PBKDF2 with HMAC-SHA-256: RFC 7914 §11.

use hashmill_reference::hmac::hmac;
use hashmill_reference::pbkdf2::pbkdf2;
use hashmill_reference::sha2::sha256;

use crate::hex;

fn check(password: &[u8], salt: &[u8], iterations: u32, key: &str) {
    let hmac_sha256 = |key: &[u8], message: &[u8]| hmac(sha256, 64, key, message);
    let key = hex(key);
    assert_eq!(pbkdf2(hmac_sha256, password, salt, iterations, key.len()), key);
}

#[test]
fn one_iteration() {
    check(
        b"passwd",
        b"salt",
        1,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
         49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
    );
}

#[test]
fn eighty_thousand_iterations() {
    check(
        b"Password",
        b"NaCl",
        80_000,
        "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56\
         a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
    );
}
