// The macro of the library "sha3" (github.com/itzmeanjan/sha3).
#pragma once

#if defined(_MSC_VER)
#define forceinline __forceinline
#elif defined(__GNUC__)
#define forceinline inline __attribute__((__always_inline__))
#else
#define forceinline inline
#endif
