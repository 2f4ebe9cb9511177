//! The examples printed in the standards and by their authors, one file for each document.

mod blake2x;
mod blake3;
mod fips_180_4;
mod fips_202;
mod rfc_4231;
mod rfc_5869;
mod rfc_7693;
mod rfc_7914;
mod rfc_9861;
mod sp_800_185;
mod sp_800_232;

/// Returns the bytes of a hexadecimal string.
fn hex(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "a digit is missing");
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}
