// Which instructions this CPU has, where the compiler may use them in one function only.
//
// On x86-64 programs are usually built for every CPU since 2003. Keccak gains a third from BMI's
// andn and rorx, and several sponges side by side gain two to seven times from AVX2 and AVX-512, so
// gcc and clang compile these kernels once more for newer CPUs, from the same text, and the program
// chooses when it runs. Where the compiler's own flags have the instructions already
// (-march=native), there is no choice left and no second copy. Define HASHMILL_NO_DISPATCH to have
// one copy only, for the CPU that the compiler's flags name.
#pragma once

#if defined(__GNUC__) && defined(__x86_64__) && !defined(HASHMILL_NO_DISPATCH)
#define HASHMILL_DISPATCH 1
#else
#define HASHMILL_DISPATCH 0
#endif

// clang takes no vectors of 512 bits for CPUs that are slower with them unless the function says
// so.
#if defined(__clang__)
#define HASHMILL_WIDE __attribute__((min_vector_width(512)))
#else
#define HASHMILL_WIDE
#endif

namespace hashmill::detail {

#if defined(__GNUC__) && defined(__x86_64__)

#if defined(__BMI__) && defined(__BMI2__)
#define HASHMILL_TARGET_BMI
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
