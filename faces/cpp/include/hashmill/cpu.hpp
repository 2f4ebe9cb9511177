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

} // namespace hashmill::detail
