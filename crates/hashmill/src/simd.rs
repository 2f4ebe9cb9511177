//! Instruction sets: their names, which of them this CPU has, and the words with which the kernels
//! compute.

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod operations;
#[macro_use]
pub(crate) mod rows;
#[macro_use]
pub(crate) mod kernel;
pub(crate) mod registers;
pub(crate) mod scalar;
#[cfg(any(
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) mod v128;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_ends;
#[cfg(all(target_arch = "x86_64", miri))]
pub(crate) mod x86_miri;
#[cfg(all(target_arch = "x86_64", hashmill_msan))]
pub(crate) mod x86_msan;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_two;

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use rows::Rows;

/// A set of instruction-set extensions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Isa(u32);

#[allow(dead_code, reason = "no target has all of them")]
impl Isa {
    pub const NONE: Isa = Isa(0);

    /// BMI1 and BMI2: `andn`, `rorx`.
    pub const BMI2: Isa = Isa(1 << 0);
    /// The SHA-256 instructions; on x86-64 with SSSE3 and SSE4.1.
    pub const SHA: Isa = Isa(1 << 1);
    pub const AVX2: Isa = Isa(1 << 2);
    /// AVX-512 F, BW and VL.
    pub const AVX512: Isa = Isa(1 << 3);
    /// The SHA-512 instructions.
    pub const SHA512: Isa = Isa(1 << 4);
    /// 128-bit vectors: NEON, simd128.
    pub const V128: Isa = Isa(1 << 5);
    /// Arm's SHA-3 and SHA-512 instructions. Rust's target feature `sha3` includes both.
    pub const SHA3: Isa = Isa(1 << 6);

    pub const fn contains(self, needed: Isa) -> bool {
        self.0 & needed.0 == needed.0
    }

    #[cfg(target_arch = "x86_64")]
    pub const fn and(self, other: Isa) -> Isa {
        Isa(self.0 | other.0)
    }

    const fn with(self, other: Isa, present: bool) -> Isa {
        if present { Isa(self.0 | other.0) } else { self }
    }

    /// Returns the instruction sets that this CPU and operating system can run.
    pub fn detected() -> Isa {
        detected().0
    }
}

/// The name, instruction sets and lanes of a stamped kernel over words `W`, written by `stamp!` in
/// `simd/kernel.rs`.
pub(crate) struct Stamp<W: 'static> {
    pub name: &'static str,
    pub needs: Isa,
    pub lanes: usize,
    /// The bytes that a gather loads from each lane, or 0 if the kernel takes no `End`.
    pub gathered: usize,
    /// Write digests of big-endian and of little-endian words, if there are several lanes.
    pub rows: Option<[Rows<W>; 2]>,
}

/// A kind of CPU on which the cycles in the tables of backends were measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code, reason = "a target has one or two of them")]
#[repr(u32)]
pub(crate) enum Profile {
    /// A simple vector instruction takes one cycle: Intel's CPUs, and all CPUs that were not measured.
    /// The cycles are those of a Xeon (family 6, model 207), measured with nothing else on the machine.
    Xeon = 0,
    /// AMD's family 19h. The cycles are those of an EPYC (model 17, Zen 4), measured with
    /// `cargo xtask bench --cells`. No Zen 3, which lacks AVX-512, was at hand.
    Zen4 = 1 << 21,
    /// A simple vector instruction takes two cycles, so chains of them (BLAKE2's rows) are slower
    /// than scalar instructions: AMD's family 1Ah.
    Zen5 = 1 << 16,
    /// Arm CPUs with the SHA-3 instructions. The cycles of all Arm CPUs come from llvm-mca's
    /// models, because no machine was at hand. Neoverse V1 and Cortex-X differ little; on Neoverse
    /// N2 two lanes of Keccak's `sha3` would take 857 cycles each, and `portable` takes 986.
    NeoverseV2 = 1 << 17,
    /// Arm CPUs without the SHA-3 instructions. Cortex-A72 and A76 issue as many instructions a
    /// cycle.
    NeoverseN1 = 1 << 18,
    /// Arm CPUs of Apple: four vector instructions a cycle, including the SHA-3 instructions.
    Apple = 1 << 19,
    /// WebAssembly: V8 on a Xeon, converted to cycles at 3.7 GHz. Only the ratios matter.
    Wasm = 1 << 20,
}

impl Profile {
    /// Returns the profile of this CPU.
    pub fn detected() -> Profile {
        detected().1
    }
}

/// Returns the instruction sets and the profile. It asks the CPU and the operating system once,
/// because CPUID takes 100 cycles and more, and thousands under a hypervisor. One atomic word keeps
/// the answer, so no lock is needed: threads that ask at the same time get the same answer.
fn detected() -> (Isa, Profile) {
    /// Set when the cache contains an answer.
    const KNOWN: u32 = 1 << 31;
    use Profile::*;
    static CACHE: AtomicU32 = AtomicU32::new(0);
    match CACHE.load(Relaxed) {
        0 => {
            let (isa, profile) = detect();
            CACHE.store(isa.0 | profile as u32 | KNOWN, Relaxed);
            (isa, profile)
        }
        cached => {
            let all = [Zen4, Zen5, NeoverseV2, NeoverseN1, Apple, Wasm];
            let profile = all.into_iter().find(|&profile| cached & profile as u32 != 0);
            (Isa(cached & 0xFFFF), profile.unwrap_or(Xeon))
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect() -> (Isa, Profile) {
    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: register 0 exists wherever XGETBV does.
        unsafe { core::arch::x86_64::_xgetbv(0) }
    }
    // SAFETY: every x86-64 CPU has CPUID.
    #[allow(unused_unsafe, reason = "safe in newer versions of core")]
    let cpuid = |leaf, subleaf| unsafe { core::arch::x86_64::__cpuid_count(leaf, subleaf) };
    // SAFETY: XGETBV exists where OSXSAVE is set, and `isa` calls it only there.
    (isa(cpuid, || unsafe { xcr0() }), profile(cpuid))
}

/// Reads vendor and family (Intel SDM volume 2, CPUID leaves 0 and 1; AMD APM volume 3, appendix
/// E).
#[cfg(target_arch = "x86_64")]
#[cfg_attr(miri, allow(dead_code))]
fn profile(cpuid: impl Fn(u32, u32) -> core::arch::x86_64::CpuidResult) -> Profile {
    let (leaf0, leaf1) = (cpuid(0, 0), cpuid(1, 0));
    // "AuthenticAMD"; the family is the sum of two fields.
    let amd = [leaf0.ebx, leaf0.edx, leaf0.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let family = (leaf1.eax >> 8 & 0xF) + (leaf1.eax >> 20 & 0xFF);
    match family {
        0x19 if amd => Profile::Zen4,
        0x1A if amd => Profile::Zen5,
        _ => Profile::Xeon,
    }
}

/// Interprets CPUID and XCR0 (Intel SDM volume 1, §13.3, §14.3 and §15.2). CPUID lists the
/// instruction sets of the CPU, and XCR0 the registers that the operating system saves. The
/// function does not read a leaf beyond the last one, whose answer is undefined, nor XCR0 without
/// OSXSAVE, where the instruction does not exist.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(miri, allow(dead_code))]
fn isa(
    cpuid: impl Fn(u32, u32) -> core::arch::x86_64::CpuidResult,
    xcr0: impl FnOnce() -> u64,
) -> Isa {
    const fn bit(word: u32, n: u32) -> bool {
        word >> n & 1 == 1
    }
    let leaf0 = cpuid(0, 0);
    if leaf0.eax < 7 {
        return Isa::NONE;
    }
    let (leaf1, leaf7) = (cpuid(1, 0), cpuid(7, 0));
    let saved = if bit(leaf1.ecx, 27) { xcr0() } else { 0 };
    // The sets that the compiler may also use with AVX2 and AVX-512: SSE3, SSSE3, SSE4.1, SSE4.2,
    // AVX; FMA, F16C.
    let ymm = saved & 0x06 == 0x06 && [0, 9, 19, 20, 28].iter().all(|&n| bit(leaf1.ecx, n));
    let zmm = saved & 0xE6 == 0xE6 && bit(leaf1.ecx, 12) && bit(leaf1.ecx, 29);
    let avx2 = ymm && bit(leaf7.ebx, 5);
    Isa::NONE
        .with(Isa::BMI2, bit(leaf7.ebx, 3) && bit(leaf7.ebx, 8))
        .with(Isa::SHA, bit(leaf1.ecx, 9) && bit(leaf1.ecx, 19) && bit(leaf7.ebx, 29))
        .with(Isa::AVX2, avx2)
        .with(Isa::SHA512, ymm && leaf7.eax >= 1 && bit(cpuid(7, 1).eax, 0))
        .with(
            Isa::AVX512,
            avx2 && zmm && bit(leaf7.ebx, 16) && bit(leaf7.ebx, 30) && bit(leaf7.ebx, 31),
        )
}

#[cfg(target_arch = "aarch64")]
fn detect() -> (Isa, Profile) {
    #[cfg(all(feature = "std", not(miri)))]
    use std::arch::is_aarch64_feature_detected as detected;
    #[cfg(all(feature = "libc", target_os = "linux", not(any(feature = "std", miri))))]
    macro_rules! detected {
        ("neon") => {
            hwcap(1 << 1)
        };
        ("sha2") => {
            hwcap(1 << 6)
        };
        // Both bits, as for Rust's target feature of that name.
        ("sha3") => {
            hwcap(1 << 17 | 1 << 21)
        };
    }
    #[cfg(not(any(
        all(feature = "std", not(miri)),
        all(feature = "libc", target_os = "linux", not(miri))
    )))]
    macro_rules! detected {
        ($feature:literal) => {
            cfg!(target_feature = $feature)
        };
    }
    let isa = Isa::NONE
        .with(Isa::V128, detected!("neon"))
        .with(Isa::SHA, detected!("sha2"))
        .with(Isa::SHA3, detected!("sha3"));
    let profile = match isa.contains(Isa::SHA3) {
        _ if cfg!(target_vendor = "apple") => Profile::Apple,
        true => Profile::NeoverseV2,
        false => Profile::NeoverseN1,
    };
    (isa, profile)
}

/// Whether all these bits are set in `AT_HWCAP` (Linux, Documentation/arch/arm64/elf_hwcaps.rst).
#[cfg(all(
    target_arch = "aarch64",
    feature = "libc",
    target_os = "linux",
    not(any(feature = "std", miri))
))]
fn hwcap(bits: core::ffi::c_ulong) -> bool {
    // SAFETY: libc's function has this type and no requirements.
    unsafe extern "C" {
        safe fn getauxval(entry: core::ffi::c_ulong) -> core::ffi::c_ulong;
    }
    getauxval(16) & bits == bits
}

/// Without CPUID (Miri, other architectures) the compiler's target features decide.
#[cfg(not(any(all(target_arch = "x86_64", not(miri)), target_arch = "aarch64")))]
fn detect() -> (Isa, Profile) {
    let isa = Isa::NONE
        .with(Isa::V128, cfg!(target_feature = "simd128"))
        .with(Isa::BMI2, cfg!(target_feature = "bmi2"))
        .with(Isa::SHA, cfg!(all(target_feature = "sha", target_feature = "sse4.1")))
        .with(Isa::AVX2, cfg!(target_feature = "avx2"))
        .with(Isa::SHA512, cfg!(target_feature = "sha512"))
        .with(
            Isa::AVX512,
            cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512bw",
                target_feature = "avx512vl"
            )),
        );
    (isa, if cfg!(target_arch = "wasm32") { Profile::Wasm } else { Profile::Xeon })
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use core::arch::x86_64::CpuidResult;

    /// A made-up CPU and operating system.
    #[derive(Clone, Copy)]
    struct Machine {
        last_leaf: u32,
        leaf1_eax: u32,
        leaf1_ecx: u32,
        leaf7_eax: u32,
        leaf7_ebx: u32,
        leaf7_1_eax: u32,
        xcr0: u64,
        vendor: [u8; 12],
    }

    /// A machine that has everything.
    const ALL: Machine = Machine {
        last_leaf: 32,
        leaf1_eax: 0,
        leaf1_ecx: !0,
        leaf7_eax: 1,
        leaf7_ebx: !0,
        leaf7_1_eax: !0,
        xcr0: 0xE7,
        vendor: *b"GenuineIntel",
    };

    const EVERYTHING: Isa =
        Isa::BMI2.and(Isa::SHA).and(Isa::AVX2).and(Isa::AVX512).and(Isa::SHA512);

    impl Machine {
        fn cpuid(self, leaf: u32, subleaf: u32) -> CpuidResult {
            let word = |at: usize| u32::from_le_bytes(self.vendor[at..][..4].try_into().unwrap());
            match (leaf, subleaf) {
                // Beyond the last leaf a CPU returns the data of another leaf.
                (7, 0) if self.last_leaf < 7 => panic!("leaf 7 does not exist"),
                (7, 1) if self.leaf7_eax < 1 => panic!("leaf 7 has no subleaf 1"),
                (0, _) => {
                    CpuidResult { eax: self.last_leaf, ebx: word(0), edx: word(4), ecx: word(8) }
                }
                (1, _) => CpuidResult { eax: self.leaf1_eax, ebx: 0, ecx: self.leaf1_ecx, edx: 0 },
                (7, 0) => CpuidResult { eax: self.leaf7_eax, ebx: self.leaf7_ebx, ecx: 0, edx: 0 },
                (7, 1) => CpuidResult { eax: self.leaf7_1_eax, ebx: 0, ecx: 0, edx: 0 },
                _ => panic!("leaf {leaf}, {subleaf} is not needed"),
            }
        }

        fn isa(self) -> Isa {
            isa(
                |leaf, subleaf| self.cpuid(leaf, subleaf),
                || match self.leaf1_ecx >> 27 & 1 {
                    1 => self.xcr0,
                    _ => panic!("XGETBV without OSXSAVE is an invalid instruction"),
                },
            )
        }
    }

    fn without(from: u32, bits: &[u32]) -> u32 {
        bits.iter().fold(from, |word, bit| word & !(1 << bit))
    }

    #[track_caller]
    fn has(machine: Machine, expected: Isa) {
        assert_eq!(machine.isa().0, expected.0, "{:#x}, not {:#x}", machine.isa().0, expected.0);
    }

    #[test]
    fn a_machine_with_everything_and_one_with_nothing() {
        has(ALL, EVERYTHING);
        has(Machine { leaf1_ecx: 0, leaf7_ebx: 0, leaf7_eax: 0, xcr0: 0, ..ALL }, Isa::NONE);
        for last_leaf in 0..7 {
            has(Machine { last_leaf, ..ALL }, Isa::NONE);
        }
        has(Machine { last_leaf: 7, ..ALL }, EVERYTHING);
    }

    /// XCR0 bits: 1 SSE, 2 AVX; 5 to 7 opmask and the two parts of the ZMM registers.
    #[test]
    fn what_the_operating_system_does_not_save_is_not_there() {
        let general = Isa::BMI2.and(Isa::SHA);
        let to_ymm = general.and(Isa::AVX2).and(Isa::SHA512);
        for xcr0 in 0..0x100 {
            let ymm = xcr0 & 0x06 == 0x06;
            let zmm = ymm && xcr0 & 0xE0 == 0xE0;
            let expected = if zmm {
                EVERYTHING
            } else if ymm {
                to_ymm
            } else {
                general
            };
            has(Machine { xcr0, ..ALL }, expected);
        }
        // Without OSXSAVE XCR0 cannot be read, whatever it contains.
        has(Machine { leaf1_ecx: without(!0, &[27]), ..ALL }, general);
    }

    #[test]
    fn what_the_cpu_lacks_is_not_there() {
        let sets = [Isa::BMI2, Isa::SHA, Isa::AVX2, Isa::AVX512, Isa::SHA512];
        let but = |lacks: &[Isa]| {
            let kept = sets.iter().filter(|set| !lacks.iter().any(|lack| lack.0 == set.0));
            kept.fold(Isa::NONE, |all, &set| all.and(set))
        };
        let leaf1 = |bit| Machine { leaf1_ecx: without(!0, &[bit]), ..ALL };
        let leaf7 = |bit| Machine { leaf7_ebx: without(!0, &[bit]), ..ALL };
        let vectors = [Isa::AVX2, Isa::AVX512, Isa::SHA512];
        for bit in [0, 20, 28] {
            has(leaf1(bit), but(&vectors)); // SSE3, SSE4.2, AVX
        }
        for bit in [9, 19] {
            has(leaf1(bit), but(&[&vectors[..], &[Isa::SHA]].concat())); // SSSE3, SSE4.1
        }
        for bit in [12, 29] {
            has(leaf1(bit), but(&[Isa::AVX512])); // FMA, F16C
        }
        has(leaf7(3), but(&[Isa::BMI2])); // BMI1
        has(leaf7(8), but(&[Isa::BMI2]));
        has(leaf7(29), but(&[Isa::SHA]));
        has(leaf7(5), but(&[Isa::AVX2, Isa::AVX512]));
        for bit in [16, 30, 31] {
            has(leaf7(bit), but(&[Isa::AVX512])); // AVX-512 F, BW, VL
        }
        has(Machine { leaf7_1_eax: !1, ..ALL }, but(&[Isa::SHA512]));
        has(Machine { leaf7_eax: 0, ..ALL }, but(&[Isa::SHA512]));
    }

    #[test]
    fn zen_4_and_zen_5_have_profiles_of_their_own() {
        let profile = |machine: Machine| profile(|leaf, subleaf| machine.cpuid(leaf, subleaf));
        let amd = Machine { vendor: *b"AuthenticAMD", leaf1_eax: 0x00B0_0F20, ..ALL };
        assert_eq!(profile(amd), Profile::Zen5);
        assert_eq!(profile(Machine { leaf1_eax: 0x00A6_0F12, ..amd }), Profile::Zen4);
        assert_eq!(profile(Machine { leaf1_eax: 0x0080_0F12, ..amd }), Profile::Xeon); // Zen 1
        assert_eq!(profile(Machine { vendor: ALL.vendor, ..amd }), Profile::Xeon);
        has(amd, EVERYTHING);
    }

    /// The standard library detects the instruction sets with its own code.
    #[test]
    #[cfg(all(feature = "std", not(miri)))]
    fn the_standard_library_agrees() {
        use std::is_x86_feature_detected as detected;
        let isa = Isa::detected();
        assert_eq!(isa.contains(Isa::BMI2), detected!("bmi1") && detected!("bmi2"));
        assert_eq!(isa.contains(Isa::SHA), detected!("sha") && detected!("sse4.1"));
        assert_eq!(isa.contains(Isa::AVX2), detected!("avx2"));
        assert_eq!(
            isa.contains(Isa::AVX512),
            detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl")
        );
        assert_eq!(isa.contains(Isa::SHA512), detected!("sha512"));
    }
}
