//! Runs Arm's instructions on numbers, as `hardware.rs` does those of x86-64: a line of the input
//! is an instruction's name and its operands in hexadecimal, of the vectors' bytes from the lowest
//! on; a line of the output is the result. `-` is for one that this CPU lacks.

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected as detected;
use std::io::{stdin, stdout, BufRead, Write};

/// A function of vectors of sixteen bytes, with the features it needs.
macro_rules! instruction {
    ($features:literal, $from:ident, $to:ident, $intrinsic:ident, $operands:ident: $($operand:ident)*) => {{
        #[target_feature(enable = $features)]
        unsafe fn run([$($operand),*]: [[u8; 16]; [$(stringify!($operand)),*].len()]) -> [u8; 16] {
            unsafe {
                $(let $operand = $from(vld1q_u8($operand.as_ptr()));)*
                let mut result = [0; 16];
                vst1q_u8(result.as_mut_ptr(), $to($intrinsic($($operand),*)));
                result
            }
        }
        unsafe { run($operands.try_into().expect("as many operands as the instruction has")) }
    }};
}

macro_rules! sha256 {
    ($($rest:tt)*) => { instruction!("sha2", vreinterpretq_u32_u8, vreinterpretq_u8_u32, $($rest)*) };
}
macro_rules! sha512 {
    ($($rest:tt)*) => { instruction!("sha3", vreinterpretq_u64_u8, vreinterpretq_u8_u64, $($rest)*) };
}

fn run(name: &str, operands: &[[u8; 16]]) -> Option<[u8; 16]> {
    let (sha2, sha3) = (detected!("sha2"), detected!("sha3"));
    Some(match name {
        "sha256h" if sha2 => sha256!(vsha256hq_u32, operands: a b c),
        "sha256h2" if sha2 => sha256!(vsha256h2q_u32, operands: a b c),
        "sha256su0" if sha2 => sha256!(vsha256su0q_u32, operands: a b),
        "sha256su1" if sha2 => sha256!(vsha256su1q_u32, operands: a b c),
        "sha512h" if sha3 => sha512!(vsha512hq_u64, operands: a b c),
        "sha512h2" if sha3 => sha512!(vsha512h2q_u64, operands: a b c),
        "sha512su0" if sha3 => sha512!(vsha512su0q_u64, operands: a b),
        "sha512su1" if sha3 => sha512!(vsha512su1q_u64, operands: a b c),
        _ => return None,
    })
}

fn main() {
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let (name, operands) = line.split_once(':').expect("a colon after the name");
        let operands: Vec<[u8; 16]> = operands.split_whitespace().map(bytes).collect();
        let shown = match run(name, &operands) {
            Some(result) => result.iter().map(|byte| format!("{byte:02x}")).collect(),
            None => "-".to_owned(),
        };
        writeln!(stdout(), "{shown}").expect("a pipe");
    }
}

fn bytes(hex: &str) -> [u8; 16] {
    std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hexadecimal"))
}
