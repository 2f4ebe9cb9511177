/*
 * hashmill: SHA-2, SHA-3, SHAKE, TurboSHAKE, BLAKE2, HMAC and their like, fast on one message and faster on many.
 *
 *     #include <hashmill.h>
 *
 *     uint8_t digest[32];
 *     hashmill_sha256("abc", 3, digest);
 *
 * Link with -lhashmill (pkg-config hashmill, or CMake's find_package(hashmill)). C99, C11 and C++.
 *
 * Rules for all functions:
 * - A function returns a status: HASHMILL_OK (0), or an error that hashmill_status_text() puts in words. After
 *   an error nothing was written and no context changed.
 * - Lengths are in bytes. A pointer may be NULL where its length is 0, and nowhere else.
 * - Messages are read only. An output may overlap the input of hashmill_hash() and of the functions named
 *   after an algorithm, and otherwise must not.
 * - Nothing is allocated. Contexts lie in your memory, may be copied by assignment, and should be wiped at
 *   their end, which is all they need. A context in use by one thread must not be used by another, except by
 *   functions that take it as const.
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

/* The library's version, which is at least HASHMILL_VERSION. */
const char *hashmill_version(void);

/* ---- Status ------------------------------------------------------------------------------------------ */

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
    HASHMILL_ERROR_PIECE_COUNT = 34, /* of the Rust interface only */

    HASHMILL_ERROR_NULL = 101,       /* a pointer is NULL though its length is not 0 */
    HASHMILL_ERROR_LENGTH = 102,     /* a length is more than the address space holds */
    HASHMILL_ERROR_CONTEXT = 103,    /* the context was not initialised, or was wiped */
    HASHMILL_ERROR_ALIGNMENT = 104,  /* the context or array is not aligned as its type asks for */
    HASHMILL_ERROR_CAPACITY = 105,   /* the buffer is too small */
    HASHMILL_ERROR_PARAMETERS = 106, /* these parameters are not for this algorithm */
    HASHMILL_ERROR_ROUNDS = 107,     /* neither 12 nor 24 rounds, or a rate that no algorithm has */
    HASHMILL_ERROR_OPERATION = 108,  /* the hasher's function does not have this operation */
    HASHMILL_ERROR_INTERNAL = 127    /* a mistake of the library, where it is built with Rust's standard library;
                                      * as installed, it calls abort() */
};

/* A sentence for any status; never NULL. */
const char *hashmill_status_text(hashmill_status status);

/* ---- Algorithms -------------------------------------------------------------------------------------- */

/* The numbers never change. */
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

/* Functions that take more than a message: hashers have them (see "One message, piece by piece"), hashmill_hash() and
 * the others that take an algorithm have not, and hashmill_algorithm_at() does not list them. */
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

/* By name ("SHA-512/256"), tag or alias, of either case; '-', '_', '/' and spaces do not count. */
hashmill_status hashmill_algorithm_by_name(const char *name, hashmill_algorithm *result);

/* Every algorithm: that at `index` from 0, or 0 past the last. */
hashmill_algorithm hashmill_algorithm_at(size_t index);

/* The name in the standard ("SHA-512/256") and in checksum lists ("SHA512-256"); NULL for what is no algorithm. */
const char *hashmill_algorithm_name(hashmill_algorithm algorithm);
const char *hashmill_algorithm_tag(hashmill_algorithm algorithm);

/* The length of the digest (of an XOF's, twice its security strength; of BLAKE2's, the longest) and of a block
 * (the compression function's, or Keccak's rate); 0 for what is no algorithm. */
size_t hashmill_output_len(hashmill_algorithm algorithm);
size_t hashmill_block_len(hashmill_algorithm algorithm);

/* Whether the output may have any length: SHAKE and TurboSHAKE. */
bool hashmill_is_xof(hashmill_algorithm algorithm);

/* The longest digest of any algorithm that is not an XOF. */
#define HASHMILL_MAX_OUTPUT_LEN 64

/* ---- One message, one call --------------------------------------------------------------------------- */

/* `out_len` must be the algorithm's output length; an XOF gives any number of bytes. */
hashmill_status hashmill_hash(hashmill_algorithm algorithm, const void *data, size_t len, void *out, size_t out_len);

/* FIPS 180-4. */
hashmill_status hashmill_sha224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha256(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_sha384(const void *data, size_t len, uint8_t out[48]);
hashmill_status hashmill_sha512(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_sha512_224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha512_256(const void *data, size_t len, uint8_t out[32]);

/* FIPS 202. */
hashmill_status hashmill_sha3_224(const void *data, size_t len, uint8_t out[28]);
hashmill_status hashmill_sha3_256(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_sha3_384(const void *data, size_t len, uint8_t out[48]);
hashmill_status hashmill_sha3_512(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_shake128(const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_shake256(const void *data, size_t len, void *out, size_t out_len);

/* RFC 9861, in domain 0x1F. */
hashmill_status hashmill_turboshake128(const void *data, size_t len, void *out, size_t out_len);
hashmill_status hashmill_turboshake256(const void *data, size_t len, void *out, size_t out_len);

/* RFC 7693 and the BLAKE2 paper, without a key. */
hashmill_status hashmill_blake2b(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_blake2s(const void *data, size_t len, uint8_t out[32]);
hashmill_status hashmill_blake2bp(const void *data, size_t len, uint8_t out[64]);
hashmill_status hashmill_blake2sp(const void *data, size_t len, uint8_t out[32]);

/* HMAC (FIPS 198-1) over any algorithm that is not an XOF. */
hashmill_status hashmill_hmac(hashmill_algorithm algorithm, const void *key, size_t key_len, const void *data,
                              size_t len, void *out, size_t out_len);

/* ---- Many messages, side by side in SIMD lanes ------------------------------------------------------- */

/* A message by pointer and length. */
typedef struct hashmill_bytes {
    const void *data;
    size_t len;
} hashmill_bytes;

/* The outputs of `count` messages of any lengths, `output_len` bytes each, one after the other in `out`. */
hashmill_status hashmill_hash_many(hashmill_algorithm algorithm, const hashmill_bytes *messages, size_t count,
                                   void *out, size_t output_len);

/* As hashmill_hash_many(), where message i is values[offsets[i]] up to values[offsets[i + 1]], the layout of
 * Arrow's binary columns: `count + 1` offsets, which must not decrease nor point past the end. */
hashmill_status hashmill_hash_offsets32(hashmill_algorithm algorithm, const void *values, size_t values_len,
                                        const int32_t *offsets, size_t count, void *out, size_t output_len);
hashmill_status hashmill_hash_offsets64(hashmill_algorithm algorithm, const void *values, size_t values_len,
                                        const int64_t *offsets, size_t count, void *out, size_t output_len);

/* ---- Functions that take more than a message ---------------------------------------------------------- */

/* BLAKE2X, of the known length `out_len`: 1 to 2^32 - 2 bytes, or 2^16 - 2. A key of up to 64 bytes, or 32; none if
 * `key_len` is 0. */
hashmill_status hashmill_blake2xb(const void *data, size_t len, const void *key, size_t key_len, void *out,
                                  size_t out_len);
hashmill_status hashmill_blake2xs(const void *data, size_t len, const void *key, size_t key_len, void *out,
                                  size_t out_len);

/* KangarooTwelve (RFC 9861). */
hashmill_status hashmill_kt128(const void *data, size_t len, const void *custom, size_t custom_len, void *out,
                               size_t out_len);
hashmill_status hashmill_kt256(const void *data, size_t len, const void *custom, size_t custom_len, void *out,
                               size_t out_len);

/* SP 800-185. KMAC, TupleHash and ParallelHash depend on `out_len`; the beginning of an output of their XOFs does not. */
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

/* HKDF (RFC 5869), extract and expand: up to 255 digests. */
hashmill_status hashmill_hkdf(hashmill_algorithm algorithm, const void *salt, size_t salt_len, const void *secret,
                              size_t secret_len, const void *info, size_t info_len, void *out, size_t out_len);

/* HKDF's extraction alone: `prk_len` is the algorithm's output length. For a secret that comes in pieces, it is HMAC with
 * the salt as its key. */
hashmill_status hashmill_hkdf_extract(hashmill_algorithm algorithm, const void *salt, size_t salt_len,
                                      const void *secret, size_t secret_len, void *prk, size_t prk_len);

/* PBKDF2 (RFC 8018) with HMAC, of one password, or of `count` passwords, each with its own salt, side by side in SIMD
 * lanes: `output_len` bytes for each, one after the other in `out`. */
hashmill_status hashmill_pbkdf2(hashmill_algorithm algorithm, const void *password, size_t password_len,
                                const void *salt, size_t salt_len, uint32_t iterations, void *out, size_t out_len);
hashmill_status hashmill_pbkdf2_many(hashmill_algorithm algorithm, const hashmill_bytes *passwords,
                                     const hashmill_bytes *salts, size_t count, uint32_t iterations, void *out,
                                     size_t output_len);

/* ---- Contexts ---------------------------------------------------------------------------------------- */

/* The sizes of the contexts in this version of the ABI, with room for algorithms to come. */
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

/* A hash in progress. */
typedef struct hashmill_hasher {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HASHER_SIZE];
} hashmill_hasher;

/* HMAC in progress. */
typedef struct hashmill_hmac_context {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HMAC_SIZE];
} hashmill_hmac_context;

/* HKDF with an extracted key. */
typedef struct hashmill_hkdf_context {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_HMAC_SIZE];
} hashmill_hkdf_context;

/* The output of an XOF, of which some has been squeezed. */
typedef struct hashmill_xof {
    HASHMILL_ALIGNED unsigned char opaque[HASHMILL_XOF_SIZE];
} hashmill_xof;

/* How many bytes of a hashmill_hasher, from its beginning, a hasher of that function uses in this version of the
 * library; and of a hashmill_hmac_context, HMAC with that algorithm. 0 if there is no such hasher. As many bytes of
 * memory, aligned to HASHMILL_ALIGNMENT, may stand for the whole; copy as many. */
size_t hashmill_hasher_size(hashmill_algorithm algorithm);
size_t hashmill_hmac_size(hashmill_algorithm algorithm);

/* ---- One message, piece by piece --------------------------------------------------------------------- */

/* Makes a hasher that has absorbed nothing, of whatever memory; a hasher that was there is wiped. Besides the
 * algorithms, HASHMILL_KT128 and KT256, HASHMILL_BLAKE2XB and BLAKE2XS (without a key, the output's length unknown).
 * HASHMILL_ERROR_PARAMETERS for those that take parameters. */
hashmill_status hashmill_hasher_init(hashmill_hasher *hasher, hashmill_algorithm algorithm);

/* TurboSHAKE with a domain separation byte of 0x01 to 0x7F. */
hashmill_status hashmill_hasher_init_turboshake(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                uint8_t domain);

/* BLAKE2's parameters (RFC 7693 §2.5; the BLAKE2 paper §2.5, §2.10). Fill in with hashmill_blake2_defaults(),
 * then change what differs. A salt or personalization that is shorter than it may be is continued with zeros.
 * Later versions may add fields at the end, whose default is zero; so `size` says how many there are. */
typedef struct hashmill_blake2_params {
    size_t size;             /* sizeof(hashmill_blake2_params) where the program was compiled */
    size_t output_len;       /* 1 to 64 for BLAKE2b and bp, 1 to 32 for BLAKE2s and sp */
    hashmill_bytes key;      /* up to 64 bytes, or 32 */
    hashmill_bytes salt;     /* up to 16 bytes, or 8 */
    hashmill_bytes personal; /* up to 16 bytes, or 8 */
    /* For BLAKE2b and BLAKE2s as nodes of a tree; BLAKE2bp and BLAKE2sp build their own. */
    uint64_t node_offset; /* which node of its level, less than 2^48 for BLAKE2s */
    size_t inner_len;     /* bytes that an inner node gives its parent, 0 to 64, or 32 */
    uint32_t leaf_len;    /* bytes that a leaf takes, 0 for any number */
    uint8_t fanout;       /* children of a node, 0 for any number, 1 for no tree */
    uint8_t max_depth;    /* 1 for no tree, 255 for any, 0 in BLAKE2X */
    uint8_t node_depth;   /* the level, 0 for a leaf */
    uint8_t last_node;    /* not 0 for the last node of its level */
} hashmill_blake2_params;

/* `size` is sizeof(hashmill_blake2_params): HASHMILL_ERROR_CAPACITY if it is less than any version's. */
hashmill_status hashmill_blake2_defaults(hashmill_blake2_params *params, size_t size, hashmill_algorithm algorithm);
/* HASHMILL_ERROR_PARAMETERS if a field is set that this version of the library does not know. */
hashmill_status hashmill_hasher_init_blake2(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                            const hashmill_blake2_params *params);

/* HASHMILL_BLAKE2XB or BLAKE2XS with a key, a salt and a personalization; other parameters must be the defaults, and
 * `output_len` is not used. The output has `len` bytes, 1 to 2^32 - 2 or 2^16 - 2; with 0 the length is unknown, and
 * up to 256 GiB or 128 GiB can be squeezed. */
hashmill_status hashmill_hasher_init_blake2x(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                             const hashmill_blake2_params *params, uint64_t len);

/* SP 800-185. `algorithm` is HASHMILL_CSHAKE128 or CSHAKE256 … The output has any length. That of KMAC, TupleHash and
 * ParallelHash depends on the length that hashmill_hasher_finalize() is asked for;
 * hashmill_hasher_finalize_xof() gives that of KMACXOF, TupleHashXOF and ParallelHashXOF, which does not. Compare KMAC's
 * tags with hashmill_tag_verify(). */
hashmill_status hashmill_hasher_init_cshake(hashmill_hasher *hasher, hashmill_algorithm algorithm, const void *name,
                                            size_t name_len, const void *custom, size_t custom_len);
hashmill_status hashmill_hasher_init_kmac(hashmill_hasher *hasher, hashmill_algorithm algorithm, const void *key,
                                          size_t key_len, const void *custom, size_t custom_len);
hashmill_status hashmill_hasher_init_tuple_hash(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                const void *custom, size_t custom_len);
/* `block_len` is 1 or more: HASHMILL_ERROR_BLOCK_LENGTH. */
hashmill_status hashmill_hasher_init_parallel_hash(hashmill_hasher *hasher, hashmill_algorithm algorithm,
                                                   size_t block_len, const void *custom, size_t custom_len);

/* Absorbs the next part of the message; for TupleHash, of the element that was begun, HASHMILL_ERROR_OPERATION if it is
 * complete or there is none. */
hashmill_status hashmill_hasher_update(hashmill_hasher *hasher, const void *data, size_t len);

/* TupleHash: the tuple's next element, the whole of it. HASHMILL_ERROR_OPERATION for other functions. */
hashmill_status hashmill_hasher_element(hashmill_hasher *hasher, const void *data, size_t len);

/* TupleHash: begins an element of `len` bytes, whose parts hashmill_hasher_update() then takes.
 * HASHMILL_ERROR_ELEMENT_LENGTH, and nothing is absorbed, if they become longer, or if another element is to come or the
 * output is asked for before they are complete. */
hashmill_status hashmill_hasher_begin_element(hashmill_hasher *hasher, uint64_t len);

/* Gives each of `count` hashers the next part of its own message. Hashers of one function among them run side by side
 * in SIMD lanes. All must be different: HASHMILL_ERROR_CONTEXT if one is there twice. If a message becomes longer than
 * its standard allows, which takes an imported hasher, hashers of other functions may have absorbed their parts. */
hashmill_status hashmill_hasher_update_many(hashmill_hasher *const *hashers, const hashmill_bytes *parts, size_t count);

/* The output of all that was absorbed. The hasher stays as it is and may go on. `out_len` is the output length; XOFs,
 * KangarooTwelve and SP 800-185's functions give any number of bytes, BLAKE2X with a known length that many. */
hashmill_status hashmill_hasher_finalize(const hashmill_hasher *hasher, void *out, size_t out_len);

/* What hashmill_hasher_finalize() would give after hashmill_hasher_update(): for a hasher that is prepared once, with
 * BLAKE2's or KMAC's key or with a prefix, and used for many messages, also by several threads at once. */
hashmill_status hashmill_hasher_finish(const hashmill_hasher *hasher, const void *data, size_t len, void *out,
                                       size_t out_len);

/* As hashmill_hasher_finalize(), for a message that ends with `bits` further bits, 0 to 7: the high bits of
 * `last_byte` for SHA-2, the low ones for SHA-3, SHAKE, cSHAKE, KMAC and ParallelHash. HASHMILL_ERROR_NO_BITS for the
 * others. */
hashmill_status hashmill_hasher_finalize_bits(const hashmill_hasher *hasher, uint8_t last_byte, unsigned bits,
                                              void *out, size_t out_len);

/* The output of an XOF, from its beginning, and its next bytes, as often as you like; HASHMILL_ERROR_OUTPUT_END past the
 * end of BLAKE2X's. */
hashmill_status hashmill_hasher_finalize_xof(const hashmill_hasher *hasher, hashmill_xof *xof);

/* KangarooTwelve's for a customization string, which hashmill_hasher_finalize() takes as empty. */
hashmill_status hashmill_hasher_finalize_xof_with(const hashmill_hasher *hasher, const void *custom, size_t custom_len,
                                                  hashmill_xof *xof);
hashmill_status hashmill_xof_squeeze(hashmill_xof *xof, void *out, size_t out_len);

/* What hashmill_hasher_finish() would give for each of many messages, as in hashmill_hash_many();
 * HASHMILL_ERROR_OPERATION for TupleHash and ParallelHash. */
hashmill_status hashmill_hasher_finish_many(const hashmill_hasher *hasher, const hashmill_bytes *messages,
                                            size_t count, void *out, size_t output_len);

/* What hashmill_hasher_finish() would give for each hasher and its own message, `output_len` bytes each, one after the
 * other in `out`: for nodes of a tree, which differ in their parameters. HASHMILL_ERROR_PARAMETERS unless all hashers
 * have the same function, HASHMILL_ERROR_OUTPUT_LENGTH unless all outputs have that length, HASHMILL_ERROR_OPERATION for
 * functions that are not in the table of algorithms. A hasher may be there twice. */
hashmill_status hashmill_hasher_finish_each(const hashmill_hasher *const *hashers, const hashmill_bytes *messages,
                                            size_t count, void *out, size_t output_len);

/* BLAKE2b and BLAKE2s: whether this is the last node of its level, in place of what the parameters said, at any time
 * before the output is taken. HASHMILL_ERROR_OPERATION for other functions. */
hashmill_status hashmill_hasher_set_last_node(hashmill_hasher *hasher, int last_node);

/* Its function and output length (twice the security strength where it has any length); 0 for what is no hasher. */
hashmill_algorithm hashmill_hasher_algorithm(const hashmill_hasher *hasher);
size_t hashmill_hasher_output_len(const hashmill_hasher *hasher);

/* No exported state is longer. */
#define HASHMILL_MAX_STATE_LEN 1280

/* The state as bytes, to go on with after a restart or elsewhere; as secret as the message. For algorithms,
 * KangarooTwelve and BLAKE2X; HASHMILL_ERROR_OPERATION for the others. `written` gets the number of bytes, even if the
 * buffer is too small; with `out` NULL that is all that happens. */
hashmill_status hashmill_hasher_export(const hashmill_hasher *hasher, void *out, size_t capacity, size_t *written);

/* Makes a hasher in an exported state. */
hashmill_status hashmill_hasher_import(hashmill_hasher *hasher, const void *state, size_t len);

/* Overwrite what is there; harmless on NULL, on memory that was never initialised, and twice. */
void hashmill_hasher_wipe(hashmill_hasher *hasher);
void hashmill_xof_wipe(hashmill_xof *xof);

/* ---- HMAC, piece by piece ---------------------------------------------------------------------------- */

/* A key of any length is absorbed once, for many messages: hashmill_hmac_finish(), or a copy of the context for each
 * message that comes in pieces. */
hashmill_status hashmill_hmac_init(hashmill_hmac_context *hmac, hashmill_algorithm algorithm, const void *key,
                                   size_t key_len);
hashmill_status hashmill_hmac_update(hashmill_hmac_context *hmac, const void *data, size_t len);

/* As hashmill_hasher_update_many(): the next part of its own message for each of `count` different contexts. */
hashmill_status hashmill_hmac_update_many(hashmill_hmac_context *const *hmacs, const hashmill_bytes *parts,
                                          size_t count);
hashmill_status hashmill_hmac_finalize(const hashmill_hmac_context *hmac, void *out, size_t out_len);

/* The tag of all that was absorbed and of `data`; the context stays as it is, and several threads may use it at once. */
hashmill_status hashmill_hmac_finish(const hashmill_hmac_context *hmac, const void *data, size_t len, void *out,
                                     size_t out_len);

/* HASHMILL_OK if it is the tag, else HASHMILL_ERROR_TAG_MISMATCH, in a time that does not tell where it differs. */
hashmill_status hashmill_hmac_verify(const hashmill_hmac_context *hmac, const void *tag, size_t tag_len);

/* The tags of many messages, as in hashmill_hash_many(). */
hashmill_status hashmill_hmac_finish_many(const hashmill_hmac_context *hmac, const hashmill_bytes *messages,
                                          size_t count, void *out, size_t tag_len);
void hashmill_hmac_wipe(hashmill_hmac_context *hmac);

/* As hashmill_hmac_verify(), of two tags that are there. */
hashmill_status hashmill_tag_verify(const void *tag, size_t tag_len, const void *expected, size_t expected_len);

/* ---- HKDF with a key that is extracted once ------------------------------------------------------------- */

/* From a salt and a secret, or from a pseudorandom key that is at least as long as a digest. */
hashmill_status hashmill_hkdf_init(hashmill_hkdf_context *hkdf, hashmill_algorithm algorithm, const void *salt,
                                   size_t salt_len, const void *secret, size_t secret_len);
hashmill_status hashmill_hkdf_init_prk(hashmill_hkdf_context *hkdf, hashmill_algorithm algorithm, const void *prk,
                                       size_t prk_len);

/* Up to 255 digests. */
hashmill_status hashmill_hkdf_expand(const hashmill_hkdf_context *hkdf, const void *info, size_t info_len, void *out,
                                     size_t out_len);

/* A key of `output_len` bytes, up to one digest, for each of many `infos`, one after the other in `out`. */
hashmill_status hashmill_hkdf_expand_many(const hashmill_hkdf_context *hkdf, const hashmill_bytes *infos, size_t count,
                                          void *out, size_t output_len);
void hashmill_hkdf_wipe(hashmill_hkdf_context *hkdf);

/* ---- Block functions --------------------------------------------------------------------------------- */

/* For those who keep the state, count and pad on their own, as hashmill's C++ header does: `count` blocks, one
 * after the other. A BLAKE2 state is the chaining value, the counter of bytes before these blocks (two words),
 * and the two finalization flags. */
hashmill_status hashmill_sha256_blocks(uint32_t state[8], const void *blocks, size_t count);
hashmill_status hashmill_sha512_blocks(uint64_t state[8], const void *blocks, size_t count);
hashmill_status hashmill_blake2b_blocks(uint64_t state[12], const void *blocks, size_t count);
hashmill_status hashmill_blake2s_blocks(uint32_t state[12], const void *blocks, size_t count);

/* Keccak-p[1600]: 24 rounds, or 12 for TurboSHAKE; blocks of 72, 104, 136, 144 or 168 bytes. */
hashmill_status hashmill_keccak_blocks(uint64_t state[25], unsigned rounds, size_t rate, const void *blocks,
                                       size_t count);
hashmill_status hashmill_keccak_permute(uint64_t state[25], unsigned rounds);

/* ---- Backends ---------------------------------------------------------------------------------------- */

/* The backends of this target, best first: the name of that at `index` from 0, or NULL past the last. */
const char *hashmill_backend_name(size_t index);

/* For tests and measurements: uses that backend for the whole process wherever an algorithm has it, and the
 * portable one elsewhere; NULL for the best, as at the start. */
hashmill_status hashmill_backend_force(const char *name);

/* For those who must at power-on: known answers of every algorithm on every backend that this CPU can run, one
 * message and many; a few milliseconds. HASHMILL_ERROR_SELF_TEST if one is wrong; then `algorithm` and `backend`,
 * each of which may be NULL, say where, else they become 0 and NULL. Other threads should not call
 * hashmill_backend_force() meanwhile. */
hashmill_status hashmill_self_test(hashmill_algorithm *algorithm, const char **backend);

#ifdef __cplusplus
}
#endif

#endif
