//! HKDF with SHA-256: RFC 5869, appendix A.1 to A.3.

use hashmill_reference::hkdf;
use hashmill_reference::hmac::hmac;
use hashmill_reference::sha2::sha256;

use crate::hex;

fn check(ikm: &[u8], salt: &[u8], info: &[u8], prk: &str, okm: &str) {
    let hmac_sha256 = |key: &[u8], message: &[u8]| hmac(sha256, 64, key, message);
    let (prk, okm) = (hex(prk), hex(okm));
    assert_eq!(hkdf::extract(hmac_sha256, salt, ikm).to_vec(), prk);
    assert_eq!(hkdf::expand(hmac_sha256, &prk, info, okm.len()), okm);
    assert_eq!(hkdf::hkdf(hmac_sha256, salt, ikm, info, okm.len()), okm);
}

fn run(first: u8, last: u8) -> Vec<u8> {
    (first..=last).collect()
}

#[test]
fn test_case_1() {
    check(
        &[0x0b; 22],
        &run(0x00, 0x0c),
        &run(0xf0, 0xf9),
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf\
         34007208d5b887185865",
    );
}

#[test]
fn test_case_2() {
    check(
        &run(0x00, 0x4f),
        &run(0x60, 0xaf),
        &run(0xb0, 0xff),
        "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
         59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
         cc30c58179ec3e87c14c01d5c1f3434f1d87",
    );
}

#[test]
fn test_case_3() {
    check(
        &[0x0b; 22],
        b"",
        b"",
        "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d\
         9d201395faa4b61a96c8",
    );
}
