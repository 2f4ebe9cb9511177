//! Runs instructions on numbers. A line of the input is an instruction's name and its operands in
//! hexadecimal, of the vectors' bytes from the lowest on; a line of the output is the result. `-`
//! is for one that this CPU lacks.

use std::arch::asm;
use std::arch::x86_64::*;
use std::io::{BufRead, Write, stdin, stdout};

/// Bytes as a vector, or as a word.
unsafe fn from<T: Copy>(bytes: &[u8]) -> T {
    assert_eq!(bytes.len(), size_of::<T>());
    unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
}

fn to<T>(value: T) -> Vec<u8> {
    let bytes = (&raw const value).cast::<u8>();
    unsafe { std::slice::from_raw_parts(bytes, size_of::<T>()) }.to_vec()
}

/// A function of vectors, or of words, with the features it needs.
macro_rules! instruction {
    ($features:literal, |$($operand:ident),*| $result:expr, $operands:expr) => {{
        #[target_feature(enable = $features)]
        unsafe fn run([$($operand),*]: [&[u8]; [$(stringify!($operand)),*].len()]) -> Vec<u8> {
            $(let $operand = unsafe { from($operand) };)*
            to($result)
        }
        unsafe { run($operands.try_into().expect("as many operands as the instruction has")) }
    }};
}

/// `vpternlog` has its table as an immediate, so that there is a function for each; these are those
/// of the kernels and two that tell all operands apart.
macro_rules! ternary {
    ($table:expr, $operands:expr, $intrinsic:ident) => {
        ternary!($table, $operands, $intrinsic: 0x96 0xCA 0xE8 0xD2 0x1B 0x57)
    };
    ($table:expr, $operands:expr, $intrinsic:ident: $($n:literal)*) => {
        match $table {
            $($n => instruction!("avx512f,avx512vl", |a, b, c| $intrinsic::<$n>(a, b, c), $operands),)*
            _ => panic!("no such table here"),
        }
    };
}

fn run(name: &str, operands: &[&[u8]]) -> Option<Vec<u8>> {
    let sha = is_x86_feature_detected!("sha");
    let sha512 = is_x86_feature_detected!("sha512");
    let avx2 = is_x86_feature_detected!("avx2");
    let avx512 = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl");
    let bmi = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
    Some(match name {
        "sha256rnds2" if sha => instruction!("sha", |a, b, c| _mm_sha256rnds2_epu32(a, b, c), operands),
        "sha256msg1" if sha => instruction!("sha", |a, b| _mm_sha256msg1_epu32(a, b), operands),
        "sha256msg2" if sha => instruction!("sha", |a, b| _mm_sha256msg2_epu32(a, b), operands),
        "vsha512rnds2" if sha512 => instruction!("sha512,avx2", |a, b, c| _mm256_sha512rnds2_epi64(a, b, c), operands),
        "vsha512msg1" if sha512 => instruction!("sha512,avx2", |a, b| _mm256_sha512msg1_epi64(a, b), operands),
        "vsha512msg2" if sha512 => instruction!("sha512,avx2", |a, b| _mm256_sha512msg2_epi64(a, b), operands),
        "ssse3.pshuf.b.128" if avx2 => instruction!("ssse3", |a, b| _mm_shuffle_epi8(a, b), operands),
        "avx2.pshuf.b" if avx2 => instruction!("avx2", |a, b| _mm256_shuffle_epi8(a, b), operands),
        "avx512.pshuf.b.512" if avx512 => instruction!("avx512bw", |a, b| _mm512_shuffle_epi8(a, b), operands),
        "avx2.permd" if avx2 => instruction!("avx2", |a, b| _mm256_permutevar8x32_epi32(a, b), operands),
        _ => match name.rsplit_once(' ') {
            Some((name, number)) => return immediate(name, number.parse().ok()?, operands, avx512),
            None if operands[0].len() == 8 => return scalar(name, operands, bmi),
            None => return None,
        },
    })
}

fn immediate(name: &str, n: i32, operands: &[&[u8]], avx512: bool) -> Option<Vec<u8>> {
    Some(match name {
        "avx512.pternlog.d.128" if avx512 => ternary!(n, operands, _mm_ternarylogic_epi32),
        "avx512.pternlog.d.256" if avx512 => ternary!(n, operands, _mm256_ternarylogic_epi32),
        "avx512.pternlog.d.512" if avx512 => ternary!(n, operands, _mm512_ternarylogic_epi32),
        "avx512.pternlog.q.128" if avx512 => ternary!(n, operands, _mm_ternarylogic_epi64),
        "avx512.pternlog.q.256" if avx512 => ternary!(n, operands, _mm256_ternarylogic_epi64),
        "avx512.pternlog.q.512" if avx512 => ternary!(n, operands, _mm512_ternarylogic_epi64),
        _ => return None,
    })
}

/// The first operand is what the result's register held.
fn scalar(name: &str, operands: &[&[u8]], bmi: bool) -> Option<Vec<u8>> {
    let [old, sources @ ..] = operands else { panic!("no operand") };
    let word = |bytes: &[u8]| -> u64 { unsafe { from(bytes) } };
    let (mut r, a) = (word(old), word(sources[0]));
    // SAFETY: the instructions work on registers alone, and BMI was detected where it is needed.
    unsafe {
        match name {
            "mov" => asm!("mov {r}, {a}", r = inout(reg) r, a = in(reg) a),
            "add" => asm!("add {r}, {a}", r = inout(reg) r, a = in(reg) a),
            "and" => asm!("and {r}, {a}", r = inout(reg) r, a = in(reg) a),
            "xor" => asm!("xor {r}, {a}", r = inout(reg) r, a = in(reg) a),
            "rorx14" if bmi => asm!("rorx {r}, {a}, 14", r = out(reg) r, a = in(reg) a),
            "rorx18" if bmi => asm!("rorx {r}, {a}, 18", r = out(reg) r, a = in(reg) a),
            "rorx28" if bmi => asm!("rorx {r}, {a}, 28", r = out(reg) r, a = in(reg) a),
            "rorx34" if bmi => asm!("rorx {r}, {a}, 34", r = out(reg) r, a = in(reg) a),
            "rorx39" if bmi => asm!("rorx {r}, {a}, 39", r = out(reg) r, a = in(reg) a),
            "rorx41" if bmi => asm!("rorx {r}, {a}, 41", r = out(reg) r, a = in(reg) a),
            "andn" if bmi => asm!("andn {r}, {a}, {b}", r = out(reg) r, a = in(reg) a, b = in(reg) word(sources[1])),
            _ => return None,
        }
    }
    Some(to(r))
}

fn main() {
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let (name, operands) = line.split_once(':').expect("a colon after the name");
        let operands: Vec<Vec<u8>> = operands.split_whitespace().map(bytes).collect();
        let operands: Vec<&[u8]> = operands.iter().map(Vec::as_slice).collect();
        let shown = match run(name, &operands) {
            Some(result) => result.iter().map(|byte| format!("{byte:02x}")).collect(),
            None => "-".to_owned(),
        };
        writeln!(stdout(), "{shown}").expect("a pipe");
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal")).collect()
}
