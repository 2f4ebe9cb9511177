/*
 * hashmill: fast SHA-2, SHA-3, SHAKE, TurboSHAKE, KangarooTwelve, BLAKE2, HMAC, KMAC, HKDF and
 * PBKDF2, for one message or for many at once.
 *
 *     #include <hashmill.h>
 *
 *     uint8_t digest[32];
 *     hashmill_sha256("abc", 3, digest);
 *
 * Link with -lhashmill (pkg-config hashmill, or CMake's find_package(hashmill)). C99, C11 and C++.
 *
 * Rules for all functions:
 * - Most functions return a status: HASHMILL_OK (0) or an error, which hashmill_status_text()
 *   describes in words. After an error no output was written and no context has changed; the few
 *   exceptions are stated at their functions.
 * - Lengths are in bytes. A pointer may be NULL only if the length that belongs to it is 0.
 * - Messages are never written to. An output may overlap the input of hashmill_hash() and of the
 *   functions named after an algorithm; no other output may overlap an input.
 * - No function allocates memory. A context lies in the caller's memory, may be copied by
 *   assignment, and should be wiped when it is no longer needed; nothing else has to be released.
 *   While one thread uses a context, another thread may pass it only to functions that take it as
 *   const, and only if the first thread does so, too.
 */
#ifndef HASHMILL_H
#define HASHMILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HASHMILL_VERSION "0.1.0"

/* Returns the version of the library that the program runs with, "major.minor.patch". It is at
 * least HASHMILL_VERSION. */
const char *hashmill_version(void);

/* ---- Status ---------------------------------------------------------------------------------- */

typedef int hashmill_status;

enum {
    HASHMILL_OK = 0,

    HASHMILL_ERROR_UNKNOWN_ALGORITHM = 1,
    HASHMILL_ERROR_UNKNOWN_BACKEND = 2,
    HASHMILL_ERROR_BACKEND_NOT_AVAILABLE = 3,
    HASHMILL_ERROR_NOT_EXTENDABLE = 4,
    HASHMILL_ERROR_NO_HMAC = 5,
    HASHMILL_ERROR_NO_BITS = 6,
    HASHMILL_ERROR_TOO_MANY_BITS = 7,
    HASHMILL_ERROR_DIGEST_LENGTH = 8,
    HASHMILL_ERROR_DIGEST_HEX = 9,
    HASHMILL_ERROR_OUTPUT_LENGTH = 10,
    HASHMILL_ERROR_TAG_MISMATCH = 11,
    HASHMILL_ERROR_DOMAIN = 12,
    HASHMILL_ERROR_OFFSETS = 13,
    HASHMILL_ERROR_ROW_WIDTH = 14,
    HASHMILL_ERROR_MESSAGE_TOO_LONG = 15,
    HASHMILL_ERROR_BLAKE2_OUTPUT_LENGTH = 16,
    HASHMILL_ERROR_BLAKE2_KEY_LENGTH = 17,
    HASHMILL_ERROR_BLAKE2_SALT_LENGTH = 18,
    HASHMILL_ERROR_BLAKE2_PERSONAL_LENGTH = 19,
    HASHMILL_ERROR_BLAKE2_INNER_LENGTH = 20,
    HASHMILL_ERROR_OUTPUT_END = 21,
    HASHMILL_ERROR_BLAKE2_NODE_OFFSET = 22,
    HASHMILL_ERROR_ELEMENT_LENGTH = 23,
    HASHMILL_ERROR_BLOCK_LENGTH = 24,
    HASHMILL_ERROR_HKDF_KEY_LENGTH = 25,
    HASHMILL_ERROR_HKDF_OUTPUT_LENGTH = 26,
    HASHMILL_ERROR_PBKDF2_ITERATIONS = 27,
    HASHMILL_ERROR_PBKDF2_OUTPUT_LENGTH = 28,
    HASHMILL_ERROR_STATE_DAMAGED = 29,
    HASHMILL_ERROR_STATE_VERSION = 30,
    HASHMILL_ERROR_STATE_ALGORITHM = 31,
    HASHMILL_ERROR_STATE_INCONSISTENT = 32,
    HASHMILL_ERROR_SELF_TEST = 33,
    HASHMILL_ERROR_PIECE_COUNT = 34, /* returned by the Rust interface only */

    HASHMILL_ERROR_NULL = 101,       /* a pointer is NULL though its length is not 0 */
    HASHMILL_ERROR_LENGTH = 102,     /* a length is larger than the address space */
    HASHMILL_ERROR_CONTEXT = 103,    /* the context was not initialised, or was wiped */
    HASHMILL_ERROR_ALIGNMENT = 104,  /* the context or array is not aligned as its type requires */
    HASHMILL_ERROR_CAPACITY = 105,   /* the buffer is too small */
    HASHMILL_ERROR_PARAMETERS = 106, /* this algorithm does not accept these parameters */
    HASHMILL_ERROR_ROUNDS = 107,     /* neither 12 nor 24 rounds, or a rate that no algorithm has */
    HASHMILL_ERROR_OPERATION = 108,  /* the hasher's function does not have this operation */
    HASHMILL_ERROR_INTERNAL = 127    /* an internal error, if the library is built with Rust's
                                      * standard library; as installed, it calls abort() */
};

/* Returns an English sentence that describes the status. Never NULL: an unknown status has a
 * sentence, too. */
const char *hashmill_status_text(hashmill_status status);

/* ---- Algorithms ------------------------------------------------------------------------------ */

/* The number of an algorithm. The numbers never change. */
typedef int hashmill_algorithm;

enum {
    HASHMILL_SHA224 = 1,
    HASHMILL_SHA256 = 2,
    HASHMILL_SHA384 = 3,
    HASHMILL_SHA512 = 4,
    HASHMILL_SHA512_224 = 5,
    HASHMILL_SHA512_256 = 6,
    HASHMILL_SHA3_224 = 7,
    HASHMILL_SHA3_256 = 8,
    HASHMILL_SHA3_384 = 9,
    HASHMILL_SHA3_512 = 10,
    HASHMILL_BLAKE2B = 11,
    HASHMILL_BLAKE2S = 12,
    HASHMILL_BLAKE2BP = 13,
    HASHMILL_BLAKE2SP = 14,
    HASHMILL_SHAKE128 = 15,
    HASHMILL_SHAKE256 = 16,
    HASHMILL_TURBOSHAKE128 = 17,
    HASHMILL_TURBOSHAKE256 = 18
};

/* Functions that take more than a message. A hasher can compute them (see "One message, piece by
 * piece"). hashmill_hash() and the other functions that take an algorithm do not accept these
 * numbers, and hashmill_algorithm_at() does not list them. */
enum {
    HASHMILL_KT128 = 64,
    HASHMILL_KT256 = 65,
    HASHMILL_BLAKE2XB = 66,
    HASHMILL_BLAKE2XS = 67,
    HASHMILL_CSHAKE128 = 68,
    HASHMILL_CSHAKE256 = 69,
    HASHMILL_KMAC128 = 70,
    HASHMILL_KMAC256 = 71,
    HASHMILL_TUPLE_HASH128 = 72,
    HASHMILL_TUPLE_HASH256 = 73,
    HASHMILL_PARALLEL_HASH128 = 74,
    HASHMILL_PARALLEL_HASH256 = 75
};

/* Finds an algorithm by its name ("SHA-512/256"), its tag or an alias, and writes its number to
 * `result`. Case does not matter; '-', '_', '/' and spaces are ignored.
 * HASHMILL_ERROR_UNKNOWN_ALGORITHM if there is none. */
hashmill_status hashmill_algorithm_by_name(const char *name, hashmill_algorithm *result);

/* Lists the algorithms: returns the number of the algorithm at position `index`, which counts from
 * 0, or 0 if `index` is past the last one. */
hashmill_algorithm hashmill_algorithm_at(size_t index);

/* Return the algorithm's name in its standard ("SHA-512/256") and its tag in checksum lists
 * ("SHA512-256"). NULL if there is no algorithm of that number. */
const char *hashmill_algorithm_name(hashmill_algorithm algorithm);
const char *hashmill_algorithm_tag(hashmill_algorithm algorithm);

/* Return the length of the digest and of a block, in bytes; 0 if there is no algorithm of that
 * number. For an XOF the first is twice the security strength; for BLAKE2 it is the longest digest.
 * The block is that of the compression function; for Keccak it is the rate. */
size_t hashmill_output_len(hashmill_algorithm algorithm);
size_t hashmill_block_len(hashmill_algorithm algorithm);

/* Returns whether the output may have any length, which is so for SHAKE and TurboSHAKE. */
bool hashmill_is_xof(hashmill_algorithm algorithm);

/* The length in bytes of the longest digest of any algorithm that is not an XOF. */
#define HASHMILL_MAX_OUTPUT_LEN 64

/* ---- One message, one call ------------------------------------------------------------------- */

/* Writes the digest of a message to `out`. `out_len` must be the algorithm's output length, else
 * HASHMILL_ERROR_OUTPUT_LENGTH; for an XOF it is any number of bytes. Like every function that
 * takes an algorithm, it returns HASHMILL_ERROR_UNKNOWN_ALGORITHM for an unknown number. */
hashmill_status hashmill_hash(hashmill_algorithm algorithm, const void *data, size_t len, void *out, size_t out_len);

/* The functions of FIPS 180-4. */
hashmill_status hashmill_sha224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha256(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_sha384(const void *data, size_t len, uint8_t out[48]);
hashmill_status hashmill_sha512(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_sha512_224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha512_256(const void *data, size_t len, uint8_t out[32]);

/* The functions of FIPS 202. SHAKE128 and SHAKE256 write `out_len` bytes, any number. */
hashmill_status hashmill_sha3_224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha3_256(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_sha3_384(const void *data, size_t len, uint8_t out[48]);
hashmill_status hashmill_sha3_512(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_shake128(const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_shake256(const void *data, size_t len, void *out, size_t out_len);

/* TurboSHAKE (RFC 9861) with the domain separation byte 0x1F. It writes `out_len` bytes, any
 * number. */
hashmill_status hashmill_turboshake128(const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_turboshake256(const void *data, size_t len, void *out, size_t out_len);

/* BLAKE2 (RFC 7693 and the BLAKE2 paper) without a key. */
hashmill_status hashmill_blake2b(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_blake2s(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_blake2bp(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_blake2sp(const void *data, size_t len, uint8_t out[32]);

/* Writes the HMAC (FIPS 198-1) of a message. `out_len` must be the algorithm's output length, else
 * HASHMILL_ERROR_OUTPUT_LENGTH. HASHMILL_ERROR_NO_HMAC for an XOF. */
hashmill_status hashmill_hmac(hashmill_algorithm algorithm, const void *key, size_t key_len, const void *data,
                              size_t len, void *out, size_t out_len);

/* ---- Many messages, side by side in SIMD lanes ----------------------------------------------- */

/* A byte string: its address and its length in bytes. */
typedef struct hashmill_bytes {
    const void *data;
    size_t len;
} hashmill_bytes;

/* Hashes `count` messages of any lengths, and writes the outputs one after the other to `out`,
 * `output_len` bytes each (`count * output_len` bytes in all). `output_len` must be the algorithm's
 * output length, else HASHMILL_ERROR_OUTPUT_LENGTH; for an XOF it is any number of bytes. */
hashmill_status hashmill_hash_many(hashmill_algorithm algorithm, const hashmill_bytes *messages, size_t count,
                                   void *out, size_t output_len);

/* As hashmill_hash_many(), for messages that lie in one buffer: message i is values[offsets[i]] up
 * to, but not including, values[offsets[i + 1]]. Arrow's binary columns have this layout. `offsets`
 * has `count + 1` values (or none and may be NULL if `count` is 0), which must not be negative,
 * decrease, or point past the end: HASHMILL_ERROR_OFFSETS. */
hashmill_status hashmill_hash_offsets32(hashmill_algorithm algorithm, const void *values, size_t values_len,
                                        const int32_t *offsets, size_t count, void *out, size_t output_len);
hashmill_status hashmill_hash_offsets64(hashmill_algorithm algorithm, const void *values, size_t values_len,
                                        const int64_t *offsets, size_t count, void *out, size_t output_len);

/* ---- Functions that take more than a message ------------------------------------------------- */

/* BLAKE2X with the known output length `out_len`: 1 to 2^32 - 2 bytes for BLAKE2Xb, 1 to 2^16 - 2
 * bytes for BLAKE2Xs. The key has up to 64 bytes for BLAKE2Xb, up to 32 bytes for BLAKE2Xs;
 * `key_len` 0 means no key. HASHMILL_ERROR_BLAKE2_OUTPUT_LENGTH or HASHMILL_ERROR_BLAKE2_KEY_LENGTH
 * for other lengths. */
hashmill_status hashmill_blake2xb(const void *data, size_t len, const void *key, size_t key_len, void *out,
                                  size_t out_len);
hashmill_status hashmill_blake2xs(const void *data, size_t len, const void *key, size_t key_len, void *out,
                                  size_t out_len);

/* KangarooTwelve (RFC 9861) with the customization string `custom`, which may be empty. It writes
 * `out_len` bytes, any number. */
hashmill_status hashmill_kt128(const void *data, size_t len, const void *custom, size_t custom_len, void *out,
                               size_t out_len);
hashmill_status hashmill_kt256(const void *data, size_t len, const void *custom, size_t custom_len, void *out,
                               size_t out_len);

/* The functions of SP 800-185, with the customization string `custom`, which may be empty. They
 * write `out_len` bytes, any number. The output of KMAC, TupleHash and ParallelHash depends on
 * `out_len`: a shorter output is not the beginning of a longer one. The output of cSHAKE and of the
 * XOF variants does not depend on it. cSHAKE's `name` is the function name, which NIST assigns.
 * TupleHash hashes a tuple of `count` `elements`. ParallelHash hashes the message in blocks of
 * `block_len` bytes; HASHMILL_ERROR_BLOCK_LENGTH if that is 0. */
hashmill_status hashmill_cshake128(const void *name, size_t name_len, const void *custom, size_t custom_len,
                                   const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_cshake256(const void *name, size_t name_len, const void *custom, size_t custom_len,
                                   const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_kmac128(const void *key, size_t key_len, const void *custom, size_t custom_len,
                                 const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_kmac256(const void *key, size_t key_len, const void *custom, size_t custom_len,
                                 const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_kmacxof128(const void *key, size_t key_len, const void *custom, size_t custom_len,
                                    const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_kmacxof256(const void *key, size_t key_len, const void *custom, size_t custom_len,
                                    const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_tuple_hash128(const void *custom, size_t custom_len, const hashmill_bytes *elements,
                                       size_t count, void *out, size_t out_len);
hashmill_status hashmill_tuple_hash256(const void *custom, size_t custom_len, const hashmill_bytes *elements,
                                       size_t count, void *out, size_t out_len);
hashmill_status hashmill_tuple_hashxof128(const void *custom, size_t custom_len, const hashmill_bytes *elements,
                                          size_t count, void *out, size_t out_len);
hashmill_status hashmill_tuple_hashxof256(const void *custom, size_t custom_len, const hashmill_bytes *elements,
                                          size_t count, void *out, size_t out_len);
hashmill_status hashmill_parallel_hash128(size_t block_len, const void *custom, size_t custom_len,
                                          const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_parallel_hash256(size_t block_len, const void *custom, size_t custom_len,
                                          const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_parallel_hashxof128(size_t block_len, const void *custom, size_t custom_len,
                                             const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_parallel_hashxof256(size_t block_len, const void *custom, size_t custom_len,
                                             const void *data, size_t len, void *out, size_t out_len);

/* HKDF (RFC 5869): extracts a key from `secret` and expands it to `out_len` bytes.
 * HASHMILL_ERROR_HKDF_OUTPUT_LENGTH if `out_len` is more than 255 digests. HASHMILL_ERROR_NO_HMAC
 * for an XOF. */
hashmill_status hashmill_hkdf(hashmill_algorithm algorithm, const void *salt, size_t salt_len, const void *secret,
                              size_t secret_len, const void *info, size_t info_len, void *out, size_t out_len);

/* The first step of HKDF alone (RFC 5869 §2.2): writes the pseudorandom key to `prk`. `prk_len`
 * must be the algorithm's output length, else HASHMILL_ERROR_OUTPUT_LENGTH. The pseudorandom key is
 * the HMAC of the secret with the salt as the key; to extract from a secret that comes in pieces,
 * use hashmill_hmac_init() and hashmill_hmac_update(). */
hashmill_status hashmill_hkdf_extract(hashmill_algorithm algorithm, const void *salt, size_t salt_len,
                                      const void *secret, size_t secret_len, void *prk, size_t prk_len);

/* PBKDF2 (RFC 8018) with HMAC. hashmill_pbkdf2() derives a key of `out_len` bytes from one
 * password. hashmill_pbkdf2_many() derives a key of `output_len` bytes from each of `count`
 * passwords, each with its own salt, side by side in SIMD lanes, and writes the keys one after the
 * other to `out`. HASHMILL_ERROR_PBKDF2_ITERATIONS if `iterations` is 0;
 * HASHMILL_ERROR_PBKDF2_OUTPUT_LENGTH if a key is longer than 2^32 - 1 digests;
 * HASHMILL_ERROR_NO_HMAC for an XOF. */
hashmill_status hashmill_pbkdf2(hashmill_algorithm algorithm, const void *password, size_t password_len,
                                const void *salt, size_t salt_len, uint32_t iterations, void *out, size_t out_len);
hashmill_status hashmill_pbkdf2_many(hashmill_algorithm algorithm, const hashmill_bytes *passwords,
                                     const hashmill_bytes *salts, size_t count, uint32_t iterations, void *out,
                                     size_t output_len);

/* ---- Contexts -------------------------------------------------------------------------------- */

/* The sizes of the contexts in bytes, in this version of the ABI, and their alignment. They leave
 * room for algorithms that later versions may add. */
#define HASHMILL_HASHER_SIZE 2048
#define HASHMILL_HMAC_SIZE 4096
#define HASHMILL_XOF_SIZE 512
#define HASHMILL_ALIGNMENT 16

#if defined(__cplusplus)
#define HASHMILL_ALIGNED alignas(HASHMILL_ALIGNMENT)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define HASHMILL_ALIGNED _Alignas(HASHMILL_ALIGNMENT)
#elif defined(_MSC_VER)
#define HASHMILL_ALIGNED __declspec(align(16))
#else
#define HASHMILL_ALIGNED __attribute__((aligned(HASHMILL_ALIGNMENT)))
#endif

/* A hasher: a hash in progress. */
typedef struct hashmill_hasher {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HASHER_SIZE];
} hashmill_hasher;

/* HMAC in progress, or a prepared key. */
typedef struct hashmill_hmac_context {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HMAC_SIZE];
} hashmill_hmac_context;

/* HKDF's pseudorandom key, from which keys are expanded. */
typedef struct hashmill_hkdf_context {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HMAC_SIZE];
} hashmill_hkdf_context;

/* The output of an XOF, and how much of it has been squeezed. */
typedef struct hashmill_xof {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_XOF_SIZE];
} hashmill_xof;

/* Return how many bytes, counted from its beginning, the library uses of a hashmill_hasher for that
 * function, and of a hashmill_hmac_context for HMAC with that algorithm. 0 if there is no such
 * hasher. A context may be allocated with only that many bytes, aligned to HASHMILL_ALIGNMENT; then
 * copy only that many. The sizes may change with the version of the library. */
size_t hashmill_hasher_size(hashmill_algorithm algorithm);
size_t hashmill_hmac_size(hashmill_algorithm algorithm);

/* ---- One message, piece by piece ------------------------------------------------------------- */

/* Makes a hasher that has absorbed nothing. The memory may have any content; if there is a hasher
 * in it, that is wiped. `algorithm` is an algorithm, HASHMILL_KT128 or KT256, or HASHMILL_BLAKE2XB
 * or BLAKE2XS (without a key, and with unknown output length). HASHMILL_ERROR_PARAMETERS for the
 * functions that take parameters, which have init functions of their own. */
hashmill_status hashmill_hasher_init(hashmill_hasher *hasher, hashmill_algorithm algorithm);

/* Makes a hasher for TurboSHAKE with the domain separation byte `domain`, 0x01 to 0x7F, else
 * HASHMILL_ERROR_DOMAIN. */
hashmill_status hashmill_hasher_init_turboshake(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                uint8_t domain);

/* BLAKE2's parameters (RFC 7693 §2.5; the BLAKE2 paper §2.5, §2.10). Fill them in with
 * hashmill_blake2_defaults(), then change those that differ. A salt or personalization that is
 * shorter than the maximum is padded with zeros. Later versions may add fields at the end, whose
 * default is zero; `size` tells the library which fields the caller has. */
typedef struct hashmill_blake2_params {
    size_t size;             /* sizeof(hashmill_blake2_params) when the program was compiled */
    size_t output_len;       /* 1 to 64 bytes for BLAKE2b and bp, 1 to 32 for BLAKE2s and sp */
    hashmill_bytes key;      /* up to 64 bytes for BLAKE2b and bp, 32 for BLAKE2s and sp */
    hashmill_bytes salt;     /* up to 16 bytes for BLAKE2b and bp, 8 for BLAKE2s and sp */
    hashmill_bytes personal; /* personalization, of the same lengths as the salt */
    /* The fields below are for BLAKE2b and BLAKE2s as nodes of a tree. BLAKE2bp and BLAKE2sp build
     * their own trees and require the defaults. */
    uint64_t node_offset; /* the node's position in its level, from 0; less than 2^48 for BLAKE2s */
    size_t inner_len;     /* bytes of an inner node's digest: 0 to 64, or 0 to 32 for BLAKE2s */
    uint32_t leaf_len;    /* bytes of the message in a leaf, 0 for any number */
    uint8_t fanout;       /* children of a node, 0 for any number, 1 for no tree */
    uint8_t max_depth;    /* levels of the tree: 1 for no tree, 255 for any number, 0 in BLAKE2X */
    uint8_t node_depth;   /* the node's level, 0 for a leaf */
    uint8_t last_node;    /* not 0 for the last node of its level */
} hashmill_blake2_params;

/* Writes the default parameters of a BLAKE2 function: no key, no salt, the longest digest, no tree.
 * `size` is sizeof(hashmill_blake2_params); HASHMILL_ERROR_CAPACITY if it is less than in any
 * version. HASHMILL_ERROR_PARAMETERS if `algorithm` is not BLAKE2 or BLAKE2X. */
hashmill_status hashmill_blake2_defaults(hashmill_blake2_params *params, size_t size, hashmill_algorithm algorithm);
/* Makes a hasher for BLAKE2 with parameters. One of the HASHMILL_ERROR_BLAKE2 errors if a length or
 * the node offset is out of range. HASHMILL_ERROR_PARAMETERS if `algorithm` is not BLAKE2, or if a
 * field is not zero that this version of the library does not have. */
hashmill_status hashmill_hasher_init_blake2(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                            const hashmill_blake2_params *params);

/* Makes a hasher for HASHMILL_BLAKE2XB or BLAKE2XS with a key, a salt and a personalization. The
 * other parameters must be the defaults, and `output_len` is not used. `len` is the length of the
 * output: 1 to 2^32 - 2 bytes for BLAKE2Xb, 1 to 2^16 - 2 bytes for BLAKE2Xs. `len` 0 means that
 * the length is unknown; then up to 256 GiB (BLAKE2Xb) or 128 GiB (BLAKE2Xs) can be squeezed. */
hashmill_status hashmill_hasher_init_blake2x(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                             const hashmill_blake2_params *params, uint64_t len);

/* Make hashers for the functions of SP 800-185. `algorithm` is HASHMILL_CSHAKE128 or CSHAKE256 for
 * the first, and accordingly for the others; else HASHMILL_ERROR_PARAMETERS. The output has any
 * length. For KMAC, TupleHash and ParallelHash, hashmill_hasher_finalize() writes an output that
 * depends on its length, and hashmill_hasher_finalize_xof() makes the output of KMACXOF,
 * TupleHashXOF or ParallelHashXOF, which does not. Compare KMAC's tags with
 * hashmill_tag_verify(). */
hashmill_status hashmill_hasher_init_cshake(hashmill_hasher *hasher, hashmill_algorithm algorithm, const void *name,
                                            size_t name_len, const void *custom, size_t custom_len);
hashmill_status hashmill_hasher_init_kmac(hashmill_hasher *hasher, hashmill_algorithm algorithm, const void *key,
                                          size_t key_len, const void *custom, size_t custom_len);
hashmill_status hashmill_hasher_init_tuple_hash(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                const void *custom, size_t custom_len);
/* ParallelHash hashes the message in blocks of `block_len` bytes. HASHMILL_ERROR_BLOCK_LENGTH if
 * that is 0. */
hashmill_status hashmill_hasher_init_parallel_hash(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                   size_t block_len, const void *custom, size_t custom_len);

/* Absorbs the next part of the message. For TupleHash, absorbs the next part of the element that
 * hashmill_hasher_begin_element() began; HASHMILL_ERROR_OPERATION if that element is complete or
 * none was begun. */
hashmill_status hashmill_hasher_update(hashmill_hasher *hasher, const void *data, size_t len);

/* TupleHash: absorbs the next element of the tuple, as a whole. HASHMILL_ERROR_OPERATION for other
 * functions. */
hashmill_status hashmill_hasher_element(hashmill_hasher *hasher, const void *data, size_t len);

/* TupleHash: begins an element of `len` bytes, which hashmill_hasher_update() then takes in parts.
 * An element must be complete before another one begins and before the output is taken, and its
 * parts must not be longer than `len` together: else those functions return
 * HASHMILL_ERROR_ELEMENT_LENGTH and absorb nothing. */
hashmill_status hashmill_hasher_begin_element(hashmill_hasher *hasher, uint64_t len);

/* Absorbs parts[i] into hashers[i], for `count` hashers. Hashers of one function run side by side
 * in SIMD lanes. All hashers must be different, else HASHMILL_ERROR_CONTEXT. If a message becomes
 * longer than its standard allows, which only an imported hasher makes possible, other hashers may
 * have absorbed their parts in spite of the error. */
hashmill_status hashmill_hasher_update_many(hashmill_hasher *const *hashers, const hashmill_bytes *parts, size_t count);

/* Writes the output for everything absorbed so far. The hasher does not change, and may absorb
 * more. `out_len` must be the output length, else HASHMILL_ERROR_OUTPUT_LENGTH. For XOFs,
 * KangarooTwelve and the functions of SP 800-185 it is any number of bytes; for BLAKE2X with a
 * known length it is that length. */
hashmill_status hashmill_hasher_finalize(const hashmill_hasher *hasher, void *out, size_t out_len);

/* Writes the output that hashmill_hasher_finalize() would write after hashmill_hasher_update() with
 * `data`. The hasher does not change. Use it for a hasher that is prepared once, with a key for
 * BLAKE2 or KMAC or with a prefix, and serves many messages; several threads may call it at
 * once. */
hashmill_status hashmill_hasher_finish(const hashmill_hasher *hasher, const void *data, size_t len, void *out,
                                       size_t out_len);

/* As hashmill_hasher_finalize(), for a message that ends with `bits` further bits, 0 to 7. They are
 * the high bits of `last_byte` for SHA-2, the low bits for SHA-3, SHAKE, cSHAKE, KMAC and
 * ParallelHash. HASHMILL_ERROR_TOO_MANY_BITS if `bits` is more than 7. HASHMILL_ERROR_NO_BITS for
 * the other functions. */
hashmill_status hashmill_hasher_finalize_bits(const hashmill_hasher *hasher, uint8_t last_byte, unsigned bits,
                                              void *out, size_t out_len);

/* Begins the output of an XOF, KangarooTwelve, BLAKE2X or a function of SP 800-185 in `xof`, for
 * everything absorbed so far. The hasher does not change. HASHMILL_ERROR_NOT_EXTENDABLE for
 * functions of fixed output length. */
hashmill_status hashmill_hasher_finalize_xof(const hashmill_hasher *hasher, hashmill_xof *xof);

/* As hashmill_hasher_finalize_xof(), for KangarooTwelve with a customization string, which the
 * hashmill_hasher_finalize_xof() takes as empty. HASHMILL_ERROR_OPERATION for other functions. */
hashmill_status hashmill_hasher_finalize_xof_with(const hashmill_hasher *hasher, const void *custom, size_t custom_len,
                                                  hashmill_xof *xof);

/* Writes the next `out_len` bytes of the output. It may be called any number of times.
 * HASHMILL_ERROR_OUTPUT_END if fewer bytes are left, which only BLAKE2X's output makes possible. */
hashmill_status hashmill_xof_squeeze(hashmill_xof *xof, void *out, size_t out_len);

/* Writes, for each of `count` messages, the output that hashmill_hasher_finish() would write:
 * `output_len` bytes each, one after the other, as hashmill_hash_many() does.
 * HASHMILL_ERROR_OPERATION for TupleHash. */
hashmill_status hashmill_hasher_finish_many(const hashmill_hasher *hasher, const hashmill_bytes *messages,
                                            size_t count, void *out, size_t output_len);

/* Writes, for each of `count` hashers and its own message, the output that hashmill_hasher_finish()
 * would write: `output_len` bytes each, one after the other in `out`. It is meant for the nodes of
 * a tree, which differ in their parameters. A hasher may occur several times. If a message becomes
 * longer than its standard allows, which only an imported hasher makes possible, other outputs may
 * have been written in spite of the error. HASHMILL_ERROR_PARAMETERS unless all hashers have the
 * same function; HASHMILL_ERROR_OUTPUT_LENGTH unless all their outputs have `output_len` bytes;
 * HASHMILL_ERROR_OPERATION for functions that are not in the table of algorithms. */
hashmill_status hashmill_hasher_finish_each(const hashmill_hasher *const *hashers, const hashmill_bytes *messages,
                                            size_t count, void *out, size_t output_len);

/* BLAKE2b and BLAKE2s: sets whether this is the last node of its level, and replaces the value that
 * the parameters had. It may be called at any time before the output is taken.
 * HASHMILL_ERROR_OPERATION for other functions. */
hashmill_status hashmill_hasher_set_last_node(hashmill_hasher *hasher, int last_node);

/* Return the number of the hasher's function, and its output length in bytes (twice the security
 * strength if the output has any length). 0 if the memory is not a hasher. */
hashmill_algorithm hashmill_hasher_algorithm(const hashmill_hasher *hasher);
size_t hashmill_hasher_output_len(const hashmill_hasher *hasher);

/* The length in bytes of the longest exported state. */
#define HASHMILL_MAX_STATE_LEN 1280

/* Writes the hasher's state to `out`, so that hashing can continue after a restart or on another
 * machine. The state is as secret as the message. `*written` becomes the length of the state in
 * bytes, also if `capacity` is too small (HASHMILL_ERROR_CAPACITY). If `out` is NULL, only the
 * length is written. HASHMILL_ERROR_OPERATION for functions other than the algorithms,
 * KangarooTwelve and BLAKE2X. */
hashmill_status hashmill_hasher_export(const hashmill_hasher *hasher, void *out, size_t capacity, size_t *written);

/* Makes a hasher from an exported state. One of the HASHMILL_ERROR_STATE errors if `state` is not
 * one. */
hashmill_status hashmill_hasher_import(hashmill_hasher *hasher, const void *state, size_t len);

/* Overwrite the hasher or the output, if there is one. Harmless if the pointer is NULL, and if the
 * memory was never initialised or is already wiped. */
void hashmill_hasher_wipe(hashmill_hasher *hasher);
void hashmill_xof_wipe(hashmill_xof *xof);

/* ---- HMAC, piece by piece -------------------------------------------------------------------- */

/* Absorbs a key of any length once, for many messages. For each message call
 * hashmill_hmac_finish(), or copy the context if the message comes in pieces.
 * HASHMILL_ERROR_NO_HMAC for an XOF. */
hashmill_status hashmill_hmac_init(hashmill_hmac_context *hmac, hashmill_algorithm algorithm, const void *key,
                                   size_t key_len);

/* Absorbs the next part of the message. */
hashmill_status hashmill_hmac_update(hashmill_hmac_context *hmac, const void *data, size_t len);

/* As hashmill_hasher_update_many(): absorbs parts[i] into hmacs[i], for `count` different
 * contexts. */
hashmill_status hashmill_hmac_update_many(hashmill_hmac_context *const *hmacs, const hashmill_bytes *parts,
                                          size_t count);

/* Writes the tag of everything absorbed so far. `out_len` must be the algorithm's output length,
 * else HASHMILL_ERROR_OUTPUT_LENGTH. The context does not change, and may absorb more. */
hashmill_status hashmill_hmac_finalize(const hashmill_hmac_context *hmac, void *out, size_t out_len);

/* Writes the tag of everything absorbed so far followed by `data`. `out_len` must be the
 * algorithm's output length, else HASHMILL_ERROR_OUTPUT_LENGTH. The context does not change, and
 * several threads may use it at once. */
hashmill_status hashmill_hmac_finish(const hashmill_hmac_context *hmac, const void *data, size_t len, void *out,
                                     size_t out_len);

/* Returns HASHMILL_OK if `tag` is the tag of everything absorbed so far, else
 * HASHMILL_ERROR_TAG_MISMATCH. The time that it takes does not reveal where the tags differ. */
hashmill_status hashmill_hmac_verify(const hashmill_hmac_context *hmac, const void *tag, size_t tag_len);

/* Writes the tags of `count` messages, `tag_len` bytes each, one after the other, as
 * hashmill_hash_many() does. `tag_len` must be the algorithm's output length. */
hashmill_status hashmill_hmac_finish_many(const hashmill_hmac_context *hmac, const hashmill_bytes *messages,
                                          size_t count, void *out, size_t tag_len);

/* Overwrites the key and the state, if there are any, as hashmill_hasher_wipe() does. */
void hashmill_hmac_wipe(hashmill_hmac_context *hmac);

/* Compares two tags as hashmill_hmac_verify() does: HASHMILL_OK if they are equal, else
 * HASHMILL_ERROR_TAG_MISMATCH. */
hashmill_status hashmill_tag_verify(const void *tag, size_t tag_len, const void *expected, size_t expected_len);

/* ---- HKDF with a key that is extracted once -------------------------------------------------- */

/* The first function extracts the pseudorandom key from a salt and a secret. The second takes a
 * pseudorandom key that was extracted elsewhere, which must be at least as long as a digest, else
 * HASHMILL_ERROR_HKDF_KEY_LENGTH. HASHMILL_ERROR_NO_HMAC for an XOF. */
hashmill_status hashmill_hkdf_init(hashmill_hkdf_context *hkdf, hashmill_algorithm algorithm, const void *salt,
                                   size_t salt_len, const void *secret, size_t secret_len);
hashmill_status hashmill_hkdf_init_prk(hashmill_hkdf_context *hkdf, hashmill_algorithm algorithm, const void *prk,
                                       size_t prk_len);

/* Derives a key of `out_len` bytes for the purpose that `info` names.
 * HASHMILL_ERROR_HKDF_OUTPUT_LENGTH if `out_len` is more than 255 digests. */
hashmill_status hashmill_hkdf_expand(const hashmill_hkdf_context *hkdf, const void *info, size_t info_len, void *out,
                                     size_t out_len);

/* Derives a key of `output_len` bytes for each of `count` `infos`, and writes the keys one after
 * the other to `out`. HASHMILL_ERROR_HKDF_OUTPUT_LENGTH if `output_len` is more than one digest. */
hashmill_status hashmill_hkdf_expand_many(const hashmill_hkdf_context *hkdf, const hashmill_bytes *infos, size_t count,
                                          void *out, size_t output_len);

/* Overwrites the key, if there is one, as hashmill_hasher_wipe() does. */
void hashmill_hkdf_wipe(hashmill_hkdf_context *hkdf);

/* ---- Block functions ------------------------------------------------------------------------- */

/* The compression functions alone, for programs that keep the state, count the bytes and pad the
 * message on their own, as hashmill's C++ headers do. Each function absorbs `count` blocks one
 * after the other. A BLAKE2 state is the chaining value (8 words), the counter of bytes before
 * these blocks (2 words), and the finalization flags (2 words). */
hashmill_status hashmill_sha256_blocks(uint32_t state[8], const void *blocks, size_t count);
hashmill_status hashmill_sha512_blocks(uint64_t state[8], const void *blocks, size_t count);
hashmill_status hashmill_blake2b_blocks(uint64_t state[12], const void *blocks, size_t count);
hashmill_status hashmill_blake2s_blocks(uint32_t state[12], const void *blocks, size_t count);

/* Keccak-p[1600] with 24 rounds, or 12 for TurboSHAKE. hashmill_keccak_blocks() absorbs `count`
 * blocks of `rate` bytes: 72, 104, 136, 144 or 168. hashmill_keccak_permute() permutes the state
 * once. HASHMILL_ERROR_ROUNDS for other numbers of rounds and other rates. */
hashmill_status hashmill_keccak_blocks(uint64_t state[25], unsigned rounds, size_t rate, const void *blocks,
                                       size_t count);
hashmill_status hashmill_keccak_permute(uint64_t state[25], unsigned rounds);

/* ---- Backends -------------------------------------------------------------------------------- */

/* Lists the backends of this target, the best first: returns the name of the backend at position
 * `index`, which counts from 0, or NULL if `index` is past the last one. */
const char *hashmill_backend_name(size_t index);

/* For tests and measurements: makes the whole process use the backend of that name for every
 * algorithm that has it, and the portable backend for the others. NULL restores the choice at the
 * start, the best backend for each algorithm. HASHMILL_ERROR_UNKNOWN_BACKEND if this target has no
 * backend of that name, HASHMILL_ERROR_BACKEND_NOT_AVAILABLE if this CPU cannot run it. */
hashmill_status hashmill_backend_force(const char *name);

/* Computes known answers with every algorithm on every backend that this CPU can run, for one
 * message and for many, and compares them. It takes a few milliseconds, and is meant for programs
 * that must test themselves at power-on. HASHMILL_ERROR_SELF_TEST if an answer is wrong; then
 * `*algorithm` and `*backend` tell which one. Otherwise they become 0 and NULL. Either pointer may
 * be NULL. No other thread should call hashmill_backend_force() in the meantime. */
hashmill_status hashmill_self_test(hashmill_algorithm *algorithm, const char **backend);

#ifdef __cplusplus
}
#endif

#endif
