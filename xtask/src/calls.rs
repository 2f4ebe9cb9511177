//! Checks that no kernel calls a function out of line, in the object code of the library.
//!
//! Without link-time optimisation a function that is not marked `#[inline]` is compiled once, and
//! called from the other units of code. In a kernel such a call costs more than what it computes:
//! `array::map` in the message schedule once halved the speed of SHA-512.

use crate::prelude::*;
use std::collections::BTreeSet;

pub fn tools() -> Found {
    needs::x86_64_linux("it reads the object code of Linux on x86-64")?;
    needs::program("objdump", "binutils")
}

/// The kernels that must be found, so that the check does not pass because names have changed.
const KERNELS: &[&str] = &[
    "hashmill::sha2::kernel::w32::avx512two::absorb",
    "hashmill::sha2::kernel::w64::avx2::absorb",
    "hashmill::sha2::x86_sha::absorb",
    "hashmill::sha2::x86_pairs::avx512::absorb",
    "hashmill::keccak::kernel::avx512one::absorb",
    "hashmill::blake2::kernel::b::avx512two::absorb",
    "hashmill::blake2::kernel::b_block::avx512two::absorb",
    "hashmill::blake2::kernel::s_block::avx512two::absorb",
    "hashmill::blake2::x86_rows::s::avx2::absorb_last",
];

/// Builds the library without link-time optimisation, and looks at every call in its kernels.
pub fn calls() -> Outcome {
    let dir = target().join("calls");
    let library = "--package hashmill --no-default-features --features functions";
    let build = format!("cargo build --release {library} --config profile.release.lto=\"off\"");
    run(cmd!(format!("{build} --target-dir {{}}"), dir))?;
    let objdump = "objdump --disassemble --reloc --demangle --no-show-raw-insn";
    let listing = stdout(cmd!(format!("{objdump} {{}}/release/libhashmill.rlib"), dir))?;
    let (kernels, wrong) = read(&listing);
    let missing: Vec<_> = KERNELS.iter().filter(|&&name| !kernels.contains(name)).collect();
    match (&missing[..], wrong.is_empty()) {
        ([], true) => Ok(()),
        ([], false) => Err(format!("kernels call out of line:\n{}", wrong.join("\n"))),
        _ => Err(format!("the object code has no functions {missing:?}")),
    }
}

/// Returns the names of the kernels, and the calls that they must not contain.
fn read(listing: &str) -> (BTreeSet<&str>, Vec<String>) {
    let (mut kernels, mut wrong) = (BTreeSet::new(), Vec::new());
    let (mut function, mut calls) = (None, false);
    for line in listing.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            function = is_kernel(name).then_some(name);
            kernels.extend(function);
        } else if let Some((_, relocation)) = line.split_once("R_X86_64_") {
            let callee = relocation.split_once(char::is_whitespace).map_or("", |(_, to)| to.trim());
            if let Some(kernel) = function
                && calls
                && !is_allowed(kernel, callee)
            {
                wrong.push(format!("{kernel}: {callee}"));
            }
        } else {
            calls = ["call", "jmp"].iter().any(|name| line.split_whitespace().any(|w| w == *name));
        }
    }
    (kernels, wrong)
}

/// Whether the function is in a kernel's module: `kernel`, or one that is named after an instruction
/// set of x86.
fn is_kernel(name: &str) -> bool {
    name.starts_with("hashmill::")
        && name.split("::").any(|part| part == "kernel" || part.starts_with("x86_"))
}

/// Whether a kernel may call the function. These are allowed:
/// - one that panics;
/// - `end_words`, which loads a last block, once for each group of messages, or the block of a schedule,
///   and memset in it;
/// - memcpy in `schedule`, which runs once for many messages, and in `copy`, for the words that fill no
///   vector;
/// - what writes the digests of one vector, where those of two vectors are written, once for all lanes;
/// - the 64 rounds of two messages, which two kernels of the x86 SHA instructions share. What that call
///   costs was not measured in one run: a block of each took 227 cycles before it and 218 with it, on
///   busier cores (Xeon).
fn is_allowed(kernel: &str, callee: &str) -> bool {
    let panics = ["panic", "_fail"].iter().any(|part| callee.contains(part));
    let writes = ["read_group", "scatter_"].iter().any(|part| callee.contains(part));
    panics
        || ["::absorb", "::schedule"].iter().any(|name| kernel.ends_with(name))
            && callee.contains("end_words")
        || kernel.ends_with("::end_words") && callee.starts_with("memset")
        || ["::schedule", "x86_ends::copy"].iter().any(|name| kernel.ends_with(name))
            && callee.starts_with("memcpy")
        || kernel.contains("::x86_two::") && kernel.contains("::rows_") && writes
        || kernel.contains("::x86_sha::absorb_two") && callee.contains("x86_sha8compress")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found() {
        let listing = "
0000000000000000 <hashmill::sha2::x86_pairs::avx2::absorb>:
       0:\tcall   5 <hashmill::sha2::x86_pairs::avx2::absorb+0x5>
\t\t\t1: R_X86_64_PLT32\tcore::array::<impl [T; N]>::map-0x4
       5:\tcall   *0x0(%rip)        # b
\t\t\t7: R_X86_64_GOTPCRELX\tcore::panicking::panic_bounds_check-0x4
       b:\tvmovdqa 0x0(%rip),%ymm0
\t\t\tf: R_X86_64_PC32\t.rodata.cst32-0x4
0000000000000000 <hashmill::hmac::tag>:
       0:\tcall   5 <hashmill::hmac::tag+0x5>
\t\t\t1: R_X86_64_PLT32\tmemcpy-0x4
";
        let (kernels, wrong) = read(listing);
        assert_eq!(kernels, ["hashmill::sha2::x86_pairs::avx2::absorb"].into());
        let call = "hashmill::sha2::x86_pairs::avx2::absorb: core::array::<impl [T; N]>::map-0x4";
        assert_eq!(wrong, [call]);
    }
}
