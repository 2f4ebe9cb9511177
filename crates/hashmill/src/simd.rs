//! Instruction sets: which there are, which this CPU has, and the words the kernels compute with.

#[macro_use]
pub(crate) mod kernel;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A set of instruction-set extensions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Isa(u32);

impl Isa {
    pub const NONE: Isa = Isa(0);

    /// BMI1 and BMI2: `andn`, `rorx`.
    pub const BMI2: Isa = Isa(1 << 0);
    /// SSSE3, SSE4.1 and the SHA-1/SHA-256 instructions.
    pub const SHA: Isa = Isa(1 << 1);
    pub const AVX2: Isa = Isa(1 << 2);
    /// AVX-512 F, BW and VL.
    pub const AVX512: Isa = Isa(1 << 3);
    /// The SHA-512 instructions.
    pub const SHA512: Isa = Isa(1 << 4);
    /// No extension: simple vector instructions take two cycles where others take one, which makes
    /// chains of them (BLAKE2's rows) slower than scalar ones. AMD's family 1Ah, Zen 5.
    pub const SLOW_VECTORS: Isa = Isa(1 << 5);

    pub const fn contains(self, needed: Isa) -> bool {
        self.0 & needed.0 == needed.0
    }

    pub const fn and(self, other: Isa) -> Isa {
        Isa(self.0 | other.0)
    }

    const fn with(self, other: Isa, present: bool) -> Isa {
        if present { Isa(self.0 | other.0) } else { self }
    }

    /// What this CPU and operating system can run; asked of them once.
    pub fn detected() -> Isa {
        /// Set in the cache once it holds an answer.
        const KNOWN: u32 = 1 << 31;
        static CACHE: AtomicU32 = AtomicU32::new(0);
        match CACHE.load(Relaxed) {
            0 => {
                let isa = detect();
                CACHE.store(isa.0 | KNOWN, Relaxed);
                isa
            }
            cached => Isa(cached & !KNOWN),
        }
    }
}

/// CPUID and XCR0 (Intel SDM volume 1, §13.3, §14.3 and §15.2): CPUID says what the CPU has, XCR0
/// which registers the operating system saves.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect() -> Isa {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: the caller has seen OSXSAVE; register 0 always exists.
        unsafe { _xgetbv(0) }
    }
    const fn bit(word: u32, n: u32) -> bool {
        word >> n & 1 == 1
    }

    #[allow(unused_unsafe, reason = "safe in newer versions of core")]
    // SAFETY: every x86-64 CPU has CPUID.
    let (leaf0, leaf1) = unsafe { (__cpuid(0), __cpuid(1)) };
    if leaf0.eax < 7 {
        return Isa::NONE;
    }
    #[allow(unused_unsafe, reason = "safe in newer versions of core")]
    // SAFETY: as above.
    let (leaf7, leaf7_1) = unsafe { (__cpuid_count(7, 0), __cpuid_count(7, 1)) };
    // SAFETY: OSXSAVE is set, so XGETBV exists.
    let saved = if bit(leaf1.ecx, 27) { unsafe { xcr0() } } else { 0 };
    let ymm = saved & 0x06 == 0x06;
    let zmm = saved & 0xE6 == 0xE6;
    // "AuthenticAMD"; the family is the sum of two fields.
    let amd = [leaf0.ebx, leaf0.edx, leaf0.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let family = (leaf1.eax >> 8 & 0xF) + (leaf1.eax >> 20 & 0xFF);
    let avx2 = ymm && bit(leaf1.ecx, 28) && bit(leaf7.ebx, 5);
    Isa::NONE
        .with(Isa::BMI2, bit(leaf7.ebx, 3) && bit(leaf7.ebx, 8))
        .with(Isa::SHA, bit(leaf1.ecx, 9) && bit(leaf1.ecx, 19) && bit(leaf7.ebx, 29))
        .with(Isa::SLOW_VECTORS, amd && family == 0x1A)
        .with(Isa::AVX2, avx2)
        .with(Isa::SHA512, ymm && leaf7.eax >= 1 && bit(leaf7_1.eax, 0))
        .with(
            Isa::AVX512,
            avx2 && zmm && bit(leaf7.ebx, 16) && bit(leaf7.ebx, 30) && bit(leaf7.ebx, 31),
        )
}

/// Without CPUID (Miri, other architectures): what the compiler was told.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect() -> Isa {
    Isa::NONE
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
        )
}
