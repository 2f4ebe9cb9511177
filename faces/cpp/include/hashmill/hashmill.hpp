// hashmill for C++20: SHA-2, SHA-3, SHAKE, TurboSHAKE, BLAKE2, BLAKE3, Ascon and HMAC, in constant
// expressions and at run time.
//
//     #include <hashmill/hashmill.hpp>
//
//     constexpr auto empty = hashmill::sha256::hash("");            // by the compiler
//
//     hashmill::sha3_256 hasher;                                    // piece by piece
//     hasher.update("a").update(some_vector_of_bytes);
//     std::array<std::uint8_t, 32> digest = hasher.finalize();
//
//     auto key = hashmill::shake256().update(seed).finalize().squeeze<32>();
//     auto tag = hashmill::hmac<hashmill::sha512>::tag(key, message);
//     auto derived = hashmill::blake3::derive_key("app 2026 session").update(secret).finalize().squeeze<32>();
//     auto id = hashmill::blake2b<20>::with({.key = key, .personal = "file ids"});
//
// The headers work without a library. In a program that is linked with the library (CMake's
// hashmill::hashmill, or pkg-config) the same classes call it at run time and use its kernels,
// which are the fastest for each CPU. hashmill/library.hpp offers the functions that only the
// library has.
#pragma once

#include "hashmill/ascon.hpp"
#include "hashmill/blake2.hpp"
#include "hashmill/blake2p.hpp"
#include "hashmill/blake2x.hpp"
#include "hashmill/blake3.hpp"
#include "hashmill/bytes.hpp"
#include "hashmill/hmac.hpp"
#include "hashmill/lanes.hpp"
#include "hashmill/sha2.hpp"
#include "hashmill/sha3.hpp"
