// Detection of the instructions of this CPU, for kernels that are compiled for newer CPUs.
//
// Programs for x86-64 are usually compiled for every CPU since 2003. With the instructions andn and
// rorx of BMI, Keccak is a third faster; with AVX2 and AVX-512, several sponges or chunks of BLAKE3
// side by side are two to seven times as fast. So gcc and clang compile these kernels a second time for newer CPUs,
// from the same source text, and the program chooses at run time. If the compiler's flags already
// allow the instructions (-march=native), there is one copy and no choice. Define
// HASHMILL_NO_DISPATCH to have only the copy for the CPU that the compiler's flags name.
#pragma once

#if defined(__GNUC__) && defined(__x86_64__) && !defined(HASHMILL_NO_DISPATCH)
#define HASHMILL_DISPATCH 1
#else
#define HASHMILL_DISPATCH 0
#endif

// For CPUs that are slower with vectors of 512 bits, clang uses them only in functions with this
// attribute.
#if defined(__clang__)
#define HASHMILL_WIDE __attribute__((min_vector_width(512)))
#else
#define HASHMILL_WIDE
#endif

// For CPUs with AVX-512 (-march=native), gcc keeps scalar words that do not fit into the general
// registers in vector registers, and vectorizes a single message: SHA3-256 of 32 bytes takes 347 ns
// instead of 237, BLAKE2b of 8 KiB 27.0 µs instead of 6.0 (g++ 12, Zen 5). So the kernels of scalar
// words are tuned for no particular CPU.
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__)
#define HASHMILL_SCALAR __attribute__((target("tune=generic")))
#else
#define HASHMILL_SCALAR
#endif

namespace hashmill::detail {

#if defined(__GNUC__) && defined(__x86_64__)

#if defined(__BMI__) && defined(__BMI2__)
#define HASHMILL_TARGET_BMI HASHMILL_SCALAR
constexpr bool has_bmi() { return true; }
#elif HASHMILL_DISPATCH
#define HASHMILL_TARGET_BMI __attribute__((target("bmi,bmi2")))
inline bool has_bmi() { return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"); }
#endif

#if defined(__AVX2__)
#define HASHMILL_TARGET_AVX2
constexpr bool has_avx2() { return true; }
#elif HASHMILL_DISPATCH
#define HASHMILL_TARGET_AVX2 __attribute__((target("avx2")))
inline bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#endif

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define HASHMILL_TARGET_AVX512 HASHMILL_WIDE
constexpr bool has_avx512() { return true; }
#elif HASHMILL_DISPATCH
#define HASHMILL_TARGET_AVX512 HASHMILL_WIDE __attribute__((target("avx2,avx512f,avx512vl")))
inline bool has_avx512() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"); }
#endif

#endif

#if defined(HASHMILL_TARGET_AVX512)
// Overwrites the registers that only AVX-512 has.
HASHMILL_TARGET_AVX512 inline void clear_wide_registers() {
    __asm__ volatile(".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
                     "vpxord %%zmm\\r, %%zmm\\r, %%zmm\\r\n"
                     ".endr\n"
                     ".irp r, 0, 1, 2, 3, 4, 5, 6, 7\n"
                     "kxorw %%k\\r, %%k\\r, %%k\\r\n"
                     ".endr" ::
                         : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
                           "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
}
#endif

// Overwrites the vector registers, and the general registers that a function need not restore.
inline void clear_registers() {
#if defined(__GNUC__) && defined(__x86_64__)
#define HASHMILL_XMM                                                                                                    \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
        "xmm14", "xmm15"
    // Without AVX the compiler uses the lower halves only.
#if defined(HASHMILL_TARGET_AVX2)
    if (has_avx2()) {
        __asm__ volatile("vzeroall" ::: HASHMILL_XMM);
    } else
#endif
    {
        __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                         "pxor %%xmm\\r, %%xmm\\r\n"
                         ".endr" ::: HASHMILL_XMM);
    }
#undef HASHMILL_XMM
#if defined(HASHMILL_TARGET_AVX512)
    if (has_avx512()) {
        clear_wide_registers();
    }
#endif
    __asm__ volatile(".irp r, eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d\n"
                     "xor %%\\r, %%\\r\n"
                     ".endr" ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                     "movi v\\r\\().16b, #0\n"
                     ".endr\n"
                     ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
                     "movi v\\r\\().16b, #0\n"
                     ".endr\n"
                     ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n"
                     "mov x\\r, xzr\n"
                     ".endr" ::
                         : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                           "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                           "v29", "v30", "v31", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                           "x12", "x13", "x14", "x15", "x16", "x17");
#endif
}

} // namespace hashmill::detail
