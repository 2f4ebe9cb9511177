/* Tests hashmill.h as a C program uses it: every function, every algorithm, every backend and every
 * error. Compiled as C99 and as C11. faces/cpp/tests checks the answers in vectors/. With OVER_HEADERS it tests
 * faces/cpp/c/hashmill.cpp, and leaves out the functions that this does not have. */

#include <hashmill.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long checks;

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        checks++;                                                                                            \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define OK(call) CHECK((call) == HASHMILL_OK)
#define FAILS(call, error) CHECK((call) == HASHMILL_ERROR_##error)

enum { MESSAGE_LEN = 3500, MANY = 40, LONGEST = 300 };

static uint8_t message[MESSAGE_LEN];

/* A length of several whole chunks of KangarooTwelve and a part of one. */
enum { LARGE_LEN = 3 * 8192 + 100 };

static uint8_t large[LARGE_LEN];

static void from_hex(const char *hex, uint8_t *out) {
    for (; *hex; hex += 2, out++) {
        unsigned byte;
        CHECK(sscanf(hex, "%2x", &byte) == 1);
        *out = (uint8_t)byte;
    }
}

/* Returns the output length that the tests use: for an XOF, more than one block. */
static size_t wanted(hashmill_algorithm a) { return hashmill_is_xof(a) ? LONGEST : hashmill_output_len(a); }

/* Returns whether HMAC is defined: for a fixed output length that is not longer than the block. */
static bool has_hmac(hashmill_algorithm a) {
    return !hashmill_is_xof(a) && hashmill_output_len(a) <= hashmill_block_len(a);
}

/* Returns whether the number is that of an algorithm of the list. */
static bool is_listed(hashmill_algorithm a) {
    size_t i;
    for (i = 0; hashmill_algorithm_at(i) != 0; i++)
        if (hashmill_algorithm_at(i) == a)
            return true;
    return false;
}

static void table(void) {
    size_t count = 0, listed = 0;
    hashmill_algorithm a;
#ifndef OVER_HEADERS
    hashmill_algorithm found;
#endif
    for (; (a = hashmill_algorithm_at(count)) != 0; count++) {
#ifndef OVER_HEADERS
        OK(hashmill_algorithm_by_name(hashmill_algorithm_name(a), &found));
        CHECK(found == a);
        OK(hashmill_algorithm_by_name(hashmill_algorithm_tag(a), &found));
        CHECK(found == a);
#endif
        CHECK(hashmill_output_len(a) >= 28 && hashmill_output_len(a) <= HASHMILL_MAX_OUTPUT_LEN);
        CHECK(hashmill_block_len(a) >= 8 && hashmill_block_len(a) <= 168);
    }
    for (a = -300; a < 600; a++)
        listed += is_listed(a);
    CHECK(listed == count && count >= 22);
    CHECK(hashmill_algorithm_at(SIZE_MAX) == 0);
#ifndef OVER_HEADERS
    OK(hashmill_algorithm_by_name("sha2_512/256", &found));
    CHECK(found == HASHMILL_SHA512_256);
    OK(hashmill_algorithm_by_name("blake2b-256", &found));
    CHECK(found == HASHMILL_BLAKE2B);
    CHECK(hashmill_output_len_by_name("blake2b-256") == 32);
    CHECK(hashmill_output_len_by_name("BLAKE2b") == 64);
    CHECK(hashmill_output_len_by_name("BLAKE2sp-8") == 1);
    CHECK(hashmill_output_len_by_name("SHAKE128-2048") == 256);
    CHECK(hashmill_output_len_by_name("sha512/256") == 32);
    CHECK(hashmill_output_len_by_name("sha256-256") == 32);
    {
        static const char *const none[] = {"blake2b-0",   "blake2b-520", "blake2b-12", "blake2b-032",
                                           "blake2b-+32", "sha256-128",  "-256",       "",            "md5"};
        size_t i;
        for (i = 0; i < sizeof none / sizeof *none; i++) {
            CHECK(hashmill_output_len_by_name(none[i]) == 0);
            FAILS(hashmill_algorithm_by_name(none[i], &found), UNKNOWN_ALGORITHM);
        }
        CHECK(hashmill_output_len_by_name(NULL) == 0);
    }
    FAILS(hashmill_algorithm_by_name("md5", &found), UNKNOWN_ALGORITHM);
    FAILS(hashmill_algorithm_by_name("\xff", &found), UNKNOWN_ALGORITHM);
    FAILS(hashmill_algorithm_by_name(NULL, &found), NULL);
    FAILS(hashmill_algorithm_by_name("sha256", NULL), NULL);
#endif
    CHECK(strcmp(hashmill_algorithm_name(HASHMILL_SHA512_256), "SHA-512/256") == 0);
    CHECK(strcmp(hashmill_algorithm_tag(HASHMILL_SHA512_256), "SHA512-256") == 0);
    for (a = -300; a < 600; a++)
        if (!is_listed(a)) {
            uint8_t out[32];
            CHECK(hashmill_algorithm_name(a) == NULL && hashmill_algorithm_tag(a) == NULL);
            CHECK(hashmill_output_len(a) == 0 && hashmill_block_len(a) == 0 && !hashmill_is_xof(a));
            FAILS(hashmill_hash(a, "", 0, out, 32), UNKNOWN_ALGORITHM);
        }
}

static void statuses(void) {
    const char *unknown = hashmill_status_text(-1);
    int status;
    CHECK(strcmp(hashmill_version(), HASHMILL_VERSION) == 0);
    CHECK(strcmp(hashmill_status_text(HASHMILL_OK), "no error") == 0);
    CHECK(strcmp(hashmill_status_text(HASHMILL_ERROR_NULL), "a pointer is NULL though its length is not 0") == 0);
    for (status = 1; status <= HASHMILL_ERROR_MERKLE_SHAPE; status++)
        CHECK(hashmill_status_text(status) != unknown && strlen(hashmill_status_text(status)) > 10);
    for (status = HASHMILL_ERROR_NULL; status <= HASHMILL_ERROR_OPERATION; status++)
        CHECK(hashmill_status_text(status) != unknown);
    CHECK(hashmill_status_text(HASHMILL_ERROR_INTERNAL) != unknown);
    CHECK(hashmill_status_text(100) == unknown && hashmill_status_text(128) == unknown);
}

/* The digests of "abc" from FIPS 180-4, FIPS 202 and RFC 7693. */
static void answers(void) {
    uint8_t expected[64], out[64];
    OK(hashmill_sha256("abc", 3, out));
    from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", expected);
    CHECK(memcmp(out, expected, 32) == 0);
    OK(hashmill_sha3_256("abc", 3, out));
    from_hex("3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532", expected);
    CHECK(memcmp(out, expected, 32) == 0);
    OK(hashmill_blake2s("abc", 3, out));
    from_hex("508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982", expected);
    CHECK(memcmp(out, expected, 32) == 0);
    /* The output overwrites the message. */
    memcpy(out, "abc", 3);
    OK(hashmill_blake2s(out, 3, out));
    CHECK(memcmp(out, expected, 32) == 0);
    memcpy(out, "abc", 3);
    OK(hashmill_hash(HASHMILL_BLAKE2S, out, 3, out, 32));
    CHECK(memcmp(out, expected, 32) == 0);
}

typedef hashmill_status (*fixed_function)(const void *, size_t, uint8_t *);
typedef hashmill_status (*xof_function)(const void *, size_t, void *, size_t);

/* Compares each function that is named after an algorithm with hashmill_hash(), which takes the
 * algorithm's number. */
static void named_functions(void) {
    static const fixed_function fixed[] = {
        /* Generated by `cargo xtask tables --write`: functions with digests in C. */
        [HASHMILL_SHA224] = hashmill_sha224,
        [HASHMILL_SHA256] = hashmill_sha256,
        [HASHMILL_SHA384] = hashmill_sha384,
        [HASHMILL_SHA512] = hashmill_sha512,
        [HASHMILL_SHA512_224] = hashmill_sha512_224,
        [HASHMILL_SHA512_256] = hashmill_sha512_256,
        [HASHMILL_SHA3_224] = hashmill_sha3_224,
        [HASHMILL_SHA3_256] = hashmill_sha3_256,
        [HASHMILL_SHA3_384] = hashmill_sha3_384,
        [HASHMILL_SHA3_512] = hashmill_sha3_512,
        [HASHMILL_BLAKE2B] = hashmill_blake2b,
        [HASHMILL_BLAKE2S] = hashmill_blake2s,
        [HASHMILL_BLAKE2BP] = hashmill_blake2bp,
        [HASHMILL_BLAKE2SP] = hashmill_blake2sp,
        [HASHMILL_KECCAK256] = hashmill_keccak256,
        [HASHMILL_SM3] = hashmill_sm3,
        [HASHMILL_ASCON_HASH256] = hashmill_ascon_hash256,
        /* End of the generated lines. */
    };
    static const xof_function xof[] = {
        /* Generated by `cargo xtask tables --write`: functions with any output in C. */
        [HASHMILL_SHAKE128] = hashmill_shake128,
        [HASHMILL_SHAKE256] = hashmill_shake256,
        [HASHMILL_TURBOSHAKE128] = hashmill_turboshake128,
        [HASHMILL_TURBOSHAKE256] = hashmill_turboshake256,
        [HASHMILL_BLAKE3] = hashmill_blake3,
        [HASHMILL_ASCON_XOF128] = hashmill_ascon_xof128,
        /* End of the generated lines. */
    };
    size_t i, len;
    hashmill_algorithm a;
    for (i = 0; (a = hashmill_algorithm_at(i)) != 0; i++) {
        uint8_t by_name[LONGEST], by_number[LONGEST];
        for (len = 0; len < MESSAGE_LEN; len = len * 2 + 1) {
            memset(by_name, 0xA5, sizeof by_name);
            OK(hashmill_hash(a, message, len, by_number, wanted(a)));
            if (hashmill_is_xof(a))
                OK(xof[a](message, len, by_name, wanted(a)));
            else
                OK(fixed[a](message, len, by_name));
            CHECK(memcmp(by_name, by_number, wanted(a)) == 0);
            /* Nothing is written beyond the digest. */
            CHECK(hashmill_is_xof(a) || by_name[wanted(a)] == 0xA5);
        }
        if (hashmill_is_xof(a)) {
            OK(xof[a](NULL, 0, NULL, 0));
            FAILS(xof[a](NULL, 1, by_name, 64), NULL);
            FAILS(xof[a](message, 1, NULL, 1), NULL);
            FAILS(xof[a](message, 1, by_name, SIZE_MAX), LENGTH);
        } else {
            OK(fixed[a](NULL, 0, by_name));
            FAILS(fixed[a](NULL, 1, by_name), NULL);
            FAILS(fixed[a](message, SIZE_MAX, by_name), LENGTH);
            FAILS(fixed[a](message, 1, NULL), NULL);
        }
    }
}

static void pieces(hashmill_algorithm a) {
    uint8_t expected[LONGEST], out[LONGEST];
    hashmill_hasher hasher, copy;
    size_t at = 0, step = 1, len = wanted(a);
    OK(hashmill_hasher_init(&hasher, a));
    CHECK(hashmill_hasher_algorithm(&hasher) == a);
    CHECK(hashmill_hasher_output_len(&hasher) == hashmill_output_len(a));
    OK(hashmill_hasher_update(&hasher, NULL, 0));
    while (at < MESSAGE_LEN) {
        size_t part = step < MESSAGE_LEN - at ? step : MESSAGE_LEN - at;
        OK(hashmill_hasher_update(&hasher, message + at, part));
        at += part;
        step = step * 3 % 257;
        /* Computing an intermediate digest does not change the hasher. */
        OK(hashmill_hasher_finalize(&hasher, out, len));
        OK(hashmill_hash(a, message, at, expected, len));
        CHECK(memcmp(out, expected, len) == 0);
        copy = hasher;
        hashmill_hasher_wipe(&hasher);
        FAILS(hashmill_hasher_update(&hasher, message, 1), CONTEXT);
        hasher = copy;
    }
    if (hashmill_is_xof(a)) {
        hashmill_xof xof;
        OK(hashmill_hasher_finalize_xof(&hasher, &xof));
        memset(out, 0, sizeof out);
        for (at = 0, step = 0; at < len; at += step++) {
            size_t part = step < len - at ? step : len - at;
            OK(hashmill_xof_squeeze(&xof, out + at, part));
        }
        CHECK(memcmp(out, expected, len) == 0);
        FAILS(hashmill_xof_squeeze(&xof, NULL, 1), NULL);
        hashmill_xof_wipe(&xof);
        hashmill_xof_wipe(&xof);
        hashmill_xof_wipe(NULL);
        FAILS(hashmill_xof_squeeze(&xof, out, 1), CONTEXT);
    } else {
        hashmill_xof xof;
        FAILS(hashmill_hasher_finalize_xof(&hasher, &xof), NOT_EXTENDABLE);
        FAILS(hashmill_hasher_finalize(&hasher, out, len - 1), OUTPUT_LENGTH);
        FAILS(hashmill_hash(a, message, 1, out, len + 1), OUTPUT_LENGTH);
    }
    FAILS(hashmill_hasher_finalize(&hasher, NULL, len), NULL);
    FAILS(hashmill_hasher_update(&hasher, NULL, 1), NULL);
    FAILS(hashmill_hasher_update(&hasher, message, SIZE_MAX), LENGTH);
    /* None of these calls changed the hasher. */
    OK(hashmill_hasher_finalize(&hasher, out, len));
    CHECK(memcmp(out, expected, len) == 0);
    hashmill_hasher_wipe(&hasher);
}

static void last_bits(hashmill_algorithm a) {
    hashmill_hasher hasher;
    uint8_t whole[LONGEST], out[LONGEST];
    OK(hashmill_hasher_init(&hasher, a));
    OK(hashmill_hasher_update(&hasher, message, 99));
    const bool turbo = a == HASHMILL_TURBOSHAKE128 || a == HASHMILL_TURBOSHAKE256;
    if ((a >= HASHMILL_BLAKE2B && a <= HASHMILL_BLAKE2SP) || a == HASHMILL_BLAKE3 || turbo) {
        FAILS(hashmill_hasher_finalize_bits(&hasher, 0x80, 1, out, wanted(a)), NO_BITS);
        return;
    }
    OK(hashmill_hasher_finalize(&hasher, whole, wanted(a)));
    OK(hashmill_hasher_finalize_bits(&hasher, 0xFF, 0, out, wanted(a)));
    CHECK(memcmp(whole, out, wanted(a)) == 0);
    OK(hashmill_hasher_finalize_bits(&hasher, 0xFF, 7, out, wanted(a)));
    CHECK(memcmp(whole, out, wanted(a)) != 0);
    FAILS(hashmill_hasher_finalize_bits(&hasher, 0, 8, out, wanted(a)), TOO_MANY_BITS);
    if (!hashmill_is_xof(a))
        FAILS(hashmill_hasher_finalize_bits(&hasher, 0, 1, out, 1), OUTPUT_LENGTH);
}

static void saved_states(hashmill_algorithm a) {
    hashmill_hasher hasher, other;
    uint8_t state[HASHMILL_MAX_STATE_LEN], expected[LONGEST], out[LONGEST];
    size_t len, needed;
    OK(hashmill_hasher_init(&hasher, a));
    OK(hashmill_hasher_update(&hasher, message, 777));
    OK(hashmill_hasher_export(&hasher, NULL, 0, &needed));
    FAILS(hashmill_hasher_export(&hasher, state, needed - 1, &len), CAPACITY);
    CHECK(len == needed);
    OK(hashmill_hasher_export(&hasher, state, sizeof state, &len));
    CHECK(len == needed);
    FAILS(hashmill_hasher_export(&hasher, state, sizeof state, NULL), NULL);
    OK(hashmill_hasher_import(&other, state, len));
    CHECK(hashmill_hasher_algorithm(&other) == a);
    OK(hashmill_hasher_update(&other, message + 777, 100));
    OK(hashmill_hasher_finalize(&other, out, wanted(a)));
    OK(hashmill_hash(a, message, 877, expected, wanted(a)));
    CHECK(memcmp(out, expected, wanted(a)) == 0);
    FAILS(hashmill_hasher_import(&other, state, len - 1), STATE_DAMAGED);
    FAILS(hashmill_hasher_import(&other, NULL, 0), STATE_DAMAGED);
    FAILS(hashmill_hasher_import(&other, NULL, 1), NULL);
    /* A failed import does not change the hasher that was in the memory. */
    OK(hashmill_hasher_finalize(&other, out, wanted(a)));
    CHECK(memcmp(out, expected, wanted(a)) == 0);
    state[len / 2] ^= 1;
    FAILS(hashmill_hasher_import(&other, state, len), STATE_DAMAGED);
}

static void keyed_states(hashmill_algorithm a) {
    hashmill_hasher hasher, other;
    uint8_t state[HASHMILL_MAX_KEYED_STATE_LEN], expected[LONGEST], out[LONGEST];
    size_t plain, len;
    OK(hashmill_hasher_init(&hasher, a));
    OK(hashmill_hasher_update(&hasher, message, 777));
    OK(hashmill_hasher_export(&hasher, NULL, 0, &plain));
    OK(hashmill_hasher_export_keyed(&hasher, "key", 3, NULL, 0, &len));
    CHECK(len == plain + 32);
    FAILS(hashmill_hasher_export_keyed(&hasher, "key", 3, state, len - 1, &len), CAPACITY);
    FAILS(hashmill_hasher_export_keyed(&hasher, NULL, 3, state, sizeof state, &len), NULL);
    OK(hashmill_hasher_export_keyed(&hasher, "key", 3, state, sizeof state, &len));
    OK(hashmill_hasher_import_keyed(&other, "key", 3, state, len));
    OK(hashmill_hasher_finalize(&other, out, wanted(a)));
    OK(hashmill_hash(a, message, 777, expected, wanted(a)));
    CHECK(memcmp(out, expected, wanted(a)) == 0);
    FAILS(hashmill_hasher_import(&other, state, len), STATE_DAMAGED);
    FAILS(hashmill_hasher_import_keyed(&other, "kez", 3, state, len), TAG_MISMATCH);
    FAILS(hashmill_hasher_import_keyed(&other, "key", 3, state, plain), TAG_MISMATCH);
    FAILS(hashmill_hasher_import_keyed(&other, "key", 3, NULL, 0), TAG_MISMATCH);
    state[1] ^= 0x80; /* the number of a function that does not exist */
    FAILS(hashmill_hasher_import_keyed(&other, "key", 3, state, len), TAG_MISMATCH);
    /* A failed import does not change the hasher that was in the memory. */
    OK(hashmill_hasher_finalize(&other, out, wanted(a)));
    CHECK(memcmp(out, expected, wanted(a)) == 0);
}

static void macs(hashmill_algorithm a) {
    hashmill_hmac_context key, hmac;
    uint8_t tag[64], out[64];
    size_t len = hashmill_output_len(a);
    if (!has_hmac(a)) {
        FAILS(hashmill_hmac(a, "k", 1, message, 10, out, len), NO_HMAC);
        FAILS(hashmill_hmac_init(&key, a, "k", 1), NO_HMAC);
        return;
    }
    OK(hashmill_hmac_init(&key, a, message, 200));
    hmac = key;
    OK(hashmill_hmac_update(&hmac, message, 1000));
    OK(hashmill_hmac_update(&hmac, message + 1000, 500));
    OK(hashmill_hmac_finalize(&hmac, tag, len));
    OK(hashmill_hmac(a, message, 200, message, 1500, out, len));
    CHECK(memcmp(tag, out, len) == 0);
    OK(hashmill_hmac_verify(&hmac, tag, len));
    FAILS(hashmill_hmac_verify(&hmac, tag, len - 1), TAG_MISMATCH);
    FAILS(hashmill_hmac_verify(&hmac, NULL, 0), TAG_MISMATCH);
    FAILS(hashmill_hmac_verify(&hmac, NULL, len), NULL);
    OK(hashmill_tag_verify(tag, len, tag, len));
    FAILS(hashmill_tag_verify(tag, len - 1, tag, len), TAG_MISMATCH);
    FAILS(hashmill_tag_verify(NULL, len, tag, len), NULL);
    tag[len - 1] ^= 1;
    FAILS(hashmill_hmac_verify(&hmac, tag, len), TAG_MISMATCH);
    FAILS(hashmill_tag_verify(tag, len, out, len), TAG_MISMATCH);
    FAILS(hashmill_hmac_finalize(&hmac, out, len + 1), OUTPUT_LENGTH);
    FAILS(hashmill_hmac(a, NULL, 1, message, 1, out, len), NULL);
    OK(hashmill_hmac(a, NULL, 0, NULL, 0, out, len));
    hashmill_hmac_wipe(&hmac);
    hashmill_hmac_wipe(&hmac);
    hashmill_hmac_wipe(NULL);
    FAILS(hashmill_hmac_update(&hmac, message, 1), CONTEXT);
    FAILS(hashmill_hmac_finalize(&hmac, out, len), CONTEXT);
}

static void many(hashmill_algorithm a) {
    static uint8_t together[MANY * LONGEST];
    uint8_t one[LONGEST], tags[MANY * 64];
    hashmill_bytes messages[MANY];
    size_t i, len = wanted(a), at = 0;
    hashmill_hasher salted;
    for (i = 0; i < MANY; i++) {
        messages[i].data = i == 3 ? NULL : message + at;
        /* At the end, eight of one length. */
        messages[i].len = i == 3 ? 0 : i > MANY - 9 ? 333 : i * 37 % 150;
        at += i > MANY - 9 ? 1 : messages[i].len;
    }

    OK(hashmill_hash_many(a, messages, MANY, together, len));
    for (i = 0; i < MANY; i++) {
        OK(hashmill_hash(a, messages[i].data, messages[i].len, one, len));
        CHECK(memcmp(one, together + i * len, len) == 0);
    }

    OK(hashmill_hasher_init(&salted, a));
    OK(hashmill_hasher_update(&salted, "salt", 4));
    OK(hashmill_hasher_finish_many(&salted, messages, MANY, together, len));
    OK(hashmill_hasher_update(&salted, messages[7].data, messages[7].len));
    OK(hashmill_hasher_finalize(&salted, one, len));
    CHECK(memcmp(one, together + 7 * len, len) == 0);

    OK(hashmill_hash_many(a, NULL, 0, NULL, len));
    FAILS(hashmill_hash_many(a, NULL, 1, together, len), NULL);
    FAILS(hashmill_hash_many(a, messages, MANY, NULL, len), NULL);
    FAILS(hashmill_hash_many(a, messages, SIZE_MAX / 2, together, len), OUTPUT_LENGTH);
    FAILS(hashmill_hash_many(a, (const hashmill_bytes *)(const void *)((const char *)messages + 1), 1, together, len),
          ALIGNMENT);
    if (!hashmill_is_xof(a))
        FAILS(hashmill_hash_many(a, messages, MANY, together, len - 1), OUTPUT_LENGTH);
    messages[5].data = NULL;
    FAILS(hashmill_hash_many(a, messages, MANY, together, len), NULL);
    messages[5].data = message;

    if (has_hmac(a)) {
        hashmill_hmac_context hmac;
        OK(hashmill_hmac_init(&hmac, a, "key", 3));
        OK(hashmill_hmac_finish_many(&hmac, messages, MANY, tags, len));
        for (i = 0; i < MANY; i++) {
            OK(hashmill_hmac(a, "key", 3, messages[i].data, messages[i].len, one, len));
            CHECK(memcmp(one, tags + i * len, len) == 0);
        }
        FAILS(hashmill_hmac_finish_many(&hmac, messages, MANY, tags, len - 1), OUTPUT_LENGTH);
    }
}

#ifndef OVER_HEADERS
/* Messages that lie in one buffer. */
static void columns(hashmill_algorithm a) {
    static uint8_t together[MANY * LONGEST];
    uint8_t one[LONGEST];
    int32_t offsets32[MANY + 1];
    int64_t offsets64[MANY + 1];
    size_t i, len = wanted(a), at = 0, last = 0;
    for (i = 0; i < MANY; i++) {
        offsets32[i] = (int32_t)at;
        offsets64[i] = (int64_t)at;
        last = i == 3 ? 0 : i * 37 % 150;
        at += last;
    }
    offsets32[MANY] = (int32_t)at;
    offsets64[MANY] = (int64_t)at;
    OK(hashmill_hash(a, message + at - last, last, one, len));
    OK(hashmill_hash_offsets32(a, message, MESSAGE_LEN, offsets32, MANY, together, len));
    CHECK(memcmp(one, together + (MANY - 1) * len, len) == 0);
    memset(together, 0, sizeof together);
    OK(hashmill_hash_offsets64(a, message, MESSAGE_LEN, offsets64, MANY, together, len));
    CHECK(memcmp(one, together + (MANY - 1) * len, len) == 0);
    OK(hashmill_hash_offsets32(a, NULL, 0, NULL, 0, NULL, len));
    offsets32[9] = -1;
    FAILS(hashmill_hash_offsets32(a, message, MESSAGE_LEN, offsets32, MANY, together, len), OFFSETS);
    offsets64[MANY] = MESSAGE_LEN + 1;
    FAILS(hashmill_hash_offsets64(a, message, MESSAGE_LEN, offsets64, MANY, together, len), OFFSETS);
    FAILS(hashmill_hash_offsets64(a, message, MESSAGE_LEN, NULL, MANY, together, len), NULL);
}
#endif

static void parameters(void) {
    hashmill_blake2_params params;
    hashmill_hasher hasher;
    hashmill_algorithm a;
    uint8_t expected[64], out[64];
    for (a = HASHMILL_BLAKE2B; a <= HASHMILL_BLAKE2SP; a++) {
        size_t longest = hashmill_output_len(a), salt = longest / 4;
        OK(hashmill_blake2_defaults(&params, sizeof params, a));
        OK(hashmill_hasher_init_blake2(&hasher, a, &params));
        OK(hashmill_hasher_finalize(&hasher, out, longest));
        OK(hashmill_hash(a, "", 0, expected, longest));
        CHECK(memcmp(out, expected, longest) == 0);
        params.output_len = 20;
        params.key.data = message;
        params.key.len = longest;
        params.salt.data = message;
        params.salt.len = salt;
        params.personal.data = message;
        params.personal.len = salt;
        OK(hashmill_hasher_init_blake2(&hasher, a, &params));
        CHECK(hashmill_hasher_output_len(&hasher) == 20);
        OK(hashmill_hasher_finalize(&hasher, out, 20));
        CHECK(memcmp(out, expected, 20) != 0);
        FAILS(hashmill_hasher_finalize(&hasher, out, longest), OUTPUT_LENGTH);
        params.key.len = longest + 1;
        FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), BLAKE2_KEY_LENGTH);
        params.key.len = 1;
        params.salt.len = salt + 1;
        FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), BLAKE2_SALT_LENGTH);
        params.salt.len = 1;
        params.personal.len = salt + 1;
        FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), BLAKE2_PERSONAL_LENGTH);
        params.personal.data = NULL;
        FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), NULL);
        params.personal.len = 0;
        params.output_len = longest + 1;
        FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), BLAKE2_OUTPUT_LENGTH);
        params.output_len = longest;
        params.fanout = 2;
        if (a == HASHMILL_BLAKE2BP || a == HASHMILL_BLAKE2SP)
            FAILS(hashmill_hasher_init_blake2(&hasher, a, &params), PARAMETERS);
        else
            OK(hashmill_hasher_init_blake2(&hasher, a, &params));
    }
    FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_SHA256, &params), PARAMETERS);
    FAILS(hashmill_blake2_defaults(&params, sizeof params, HASHMILL_SHA256), PARAMETERS);
    FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2B, NULL), NULL);
    /* A program that was compiled with a later hashmill.h, whose parameters have further fields. */
    {
        struct {
            hashmill_blake2_params params;
            uint64_t further[2];
        } later;
        memset(&later, 0xFF, sizeof later);
        OK(hashmill_blake2_defaults(&later.params, sizeof later, HASHMILL_BLAKE2S));
        CHECK(later.params.size == sizeof later && later.further[0] == 0 && later.further[1] == 0);
        OK(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &later.params));
        later.further[1] = 1;
        FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &later.params), PARAMETERS);
        FAILS(hashmill_blake2_defaults(NULL, sizeof later, HASHMILL_BLAKE2S), NULL);
        FAILS(hashmill_blake2_defaults(&params, sizeof params - 1, HASHMILL_BLAKE2S), CAPACITY);
        FAILS(hashmill_blake2_defaults(&params, 0, HASHMILL_BLAKE2S), CAPACITY);
        OK(hashmill_blake2_defaults(&params, sizeof params, HASHMILL_BLAKE2S));
        params.size--;
        FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params), PARAMETERS);
        params.size = SIZE_MAX;
        FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params), LENGTH);
        FAILS(hashmill_blake2_defaults(&params, SIZE_MAX, HASHMILL_BLAKE2S), LENGTH);
    }
    OK(hashmill_blake2_defaults(&params, sizeof params, HASHMILL_BLAKE2S));
    params.node_offset = (uint64_t)1 << 48;
    FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params), BLAKE2_NODE_OFFSET);
    params.node_offset = 0;
    params.inner_len = 33;
    FAILS(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params), BLAKE2_INNER_LENGTH);
    params.inner_len = 32;
    params.max_depth = 0;
    OK(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params));
    OK(hashmill_hasher_set_last_node(&hasher, 2));
    OK(hashmill_hasher_finalize(&hasher, out, 32));
    params.last_node = 1;
    OK(hashmill_hasher_init_blake2(&hasher, HASHMILL_BLAKE2S, &params));
    OK(hashmill_hasher_finalize(&hasher, expected, 32));
    CHECK(memcmp(out, expected, 32) == 0);
    OK(hashmill_hasher_set_last_node(&hasher, 0));
    OK(hashmill_hasher_finalize(&hasher, out, 32));
    CHECK(memcmp(out, expected, 32) != 0);
    FAILS(hashmill_hasher_set_last_node(NULL, 1), NULL);
    OK(hashmill_hasher_init(&hasher, HASHMILL_BLAKE2SP));
    FAILS(hashmill_hasher_set_last_node(&hasher, 1), OPERATION);

    OK(hashmill_hasher_init_turboshake(&hasher, HASHMILL_TURBOSHAKE128, 0x1F));
    OK(hashmill_hasher_finalize(&hasher, out, 64));
    OK(hashmill_turboshake128("", 0, expected, 64));
    CHECK(memcmp(out, expected, 64) == 0);
    OK(hashmill_hasher_init_turboshake(&hasher, HASHMILL_TURBOSHAKE128, 0x7F));
    OK(hashmill_hasher_finalize(&hasher, out, 64));
    CHECK(memcmp(out, expected, 64) != 0);
    FAILS(hashmill_hasher_init_turboshake(&hasher, HASHMILL_TURBOSHAKE128, 0x80), DOMAIN);
    FAILS(hashmill_hasher_init_turboshake(&hasher, HASHMILL_SHAKE128, 0x1F), PARAMETERS);
}

static void misused_contexts(void) {
    hashmill_hasher hashers[2];
    hashmill_hmac_context hmac;
    hashmill_xof xof;
    hashmill_hasher *crooked = (hashmill_hasher *)(void *)((char *)hashers + 8);
    uint8_t out[32];
    int filler;
    for (filler = 0; filler < 256; filler += 85) {
        memset(hashers, filler, sizeof hashers);
        memset(&hmac, filler, sizeof hmac);
        memset(&xof, filler, sizeof xof);
        FAILS(hashmill_hasher_update(hashers, "abc", 3), CONTEXT);
        FAILS(hashmill_hasher_finalize(hashers, out, 32), CONTEXT);
        FAILS(hashmill_hmac_update(&hmac, "abc", 3), CONTEXT);
        FAILS(hashmill_hmac_verify(&hmac, out, 32), CONTEXT);
        FAILS(hashmill_xof_squeeze(&xof, out, 32), CONTEXT);
        CHECK(hashmill_hasher_algorithm(hashers) == 0 && hashmill_hasher_output_len(hashers) == 0);
        hashmill_hasher_wipe(hashers);
        hashmill_hmac_wipe(&hmac);
        hashmill_xof_wipe(&xof);
    }
    FAILS(hashmill_hasher_init(NULL, HASHMILL_SHA256), NULL);
    FAILS(hashmill_hasher_update(NULL, "abc", 3), NULL);
    FAILS(hashmill_hmac_init(NULL, HASHMILL_SHA256, "k", 1), NULL);
    FAILS(hashmill_hasher_init(crooked, HASHMILL_SHA256), ALIGNMENT);
    FAILS(hashmill_hasher_update(crooked, "abc", 3), ALIGNMENT);
    CHECK(hashmill_hasher_algorithm(NULL) == 0);
    hashmill_hasher_wipe(NULL);
    hashmill_hasher_wipe(crooked);

    /* Wiping leaves no part of a key in the memory. */
    {
        static const uint8_t key[32] = "a key of thirty-two bytes: secre";
        const unsigned char *bytes = (const unsigned char *)hashers;
        hashmill_blake2_params params;
        size_t i;
        memset(hashers, 0, sizeof hashers);
        OK(hashmill_blake2_defaults(&params, sizeof params, HASHMILL_BLAKE2B));
        params.key.data = key;
        params.key.len = sizeof key;
        OK(hashmill_hasher_init_blake2(hashers, HASHMILL_BLAKE2B, &params));
        hashmill_hasher_wipe(hashers);
        for (i = 0; i + 8 <= sizeof hashers; i++)
            CHECK(memcmp(bytes + i, key, 8) != 0);
    }
}

#ifndef OVER_HEADERS
/* Calls the block functions with a message of one block, which is padded by hand. */
static void block_functions(void) {
    uint32_t sha256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint64_t keccak[25] = {0};
    uint8_t block[200] = "abc\x80", expected[32], out[32];
    size_t i;
    block[63] = 24;
    OK(hashmill_sha256_blocks(sha256, block, 1));
    OK(hashmill_sha256("abc", 3, expected));
    for (i = 0; i < 32; i++)
        out[i] = (uint8_t)(sha256[i / 4] >> (24 - 8 * (i % 4)));
    CHECK(memcmp(out, expected, 32) == 0);
    OK(hashmill_sha256_blocks(sha256, NULL, 0));
    FAILS(hashmill_sha256_blocks(sha256, NULL, 1), NULL);
    FAILS(hashmill_sha256_blocks(NULL, block, 1), NULL);

    memset(block, 0, sizeof block);
    memcpy(block, "abc\x06", 4);
    block[135] = 0x80;
    OK(hashmill_keccak_blocks(keccak, 24, 136, block, 1));
    OK(hashmill_sha3_256("abc", 3, expected));
    for (i = 0; i < 32; i++)
        out[i] = (uint8_t)(keccak[i / 8] >> (8 * (i % 8)));
    CHECK(memcmp(out, expected, 32) == 0);
    FAILS(hashmill_keccak_blocks(keccak, 23, 136, block, 1), ROUNDS);
    FAILS(hashmill_keccak_blocks(keccak, 24, 135, block, 1), ROUNDS);
    FAILS(hashmill_keccak_permute(keccak, 0), ROUNDS);
    FAILS(hashmill_keccak_permute(NULL, 24), NULL);
    {
        uint64_t a[25] = {0}, b[25] = {0};
        memset(block, 0, sizeof block);
        OK(hashmill_keccak_permute(a, 12));
        OK(hashmill_keccak_blocks(b, 12, 72, block, 1));
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    {
        /* The C++ headers' tests check the values. */
        static uint8_t chunks[4096];
        const uint32_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        OK(hashmill_blake3_subtree(key, 16, 4096, chunks, 4096, out));
        OK(hashmill_blake3_subtree(key, 64, 4096, chunks, 4096, expected));
        CHECK(memcmp(out, expected, 32) != 0);
        FAILS(hashmill_blake3_subtree(key, 32, 4096, chunks, 4096, out), PARAMETERS);
        FAILS(hashmill_blake3_subtree(key, 16, 1024, chunks, 4096, out), PARAMETERS);
        FAILS(hashmill_blake3_subtree(key, 16, 0, chunks, 0, out), PARAMETERS);
        FAILS(hashmill_blake3_subtree(NULL, 16, 0, chunks, 1, out), NULL);
        FAILS(hashmill_blake3_subtree(key, 16, 0, NULL, 1, out), NULL);
        FAILS(hashmill_blake3_subtree(key, 16, 0, chunks, 1, NULL), NULL);
    }
}

/* BLAKE3 by its subtrees, in each mode. The message has seven chunks, the last of which is short: the root's
 * children are the first four chunks and the others, and the right child's are two chunks and the rest. */
static void subtrees(void) {
    static const uint8_t elvish[] = "whats the Elvish word for friend";
    static uint8_t message[6500];
    uint8_t left[32], right[32], last[32], out[100], expected[100];
    hashmill_hasher hasher;
    hashmill_xof xof;
    size_t i;
    for (i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i % 251);
    for (i = 0; i < 3; i++) {
        if (i == 0)
            OK(hashmill_hasher_init(&hasher, HASHMILL_BLAKE3));
        else if (i == 1)
            OK(hashmill_hasher_init_blake3_keyed(&hasher, elvish));
        else
            OK(hashmill_hasher_init_blake3_derive_key(&hasher, "a context", 9));
        OK(hashmill_hasher_finish(&hasher, message, sizeof message, expected, sizeof expected));
        /* What the hasher has absorbed does not matter. */
        OK(hashmill_hasher_update(&hasher, message, 3000));
        OK(hashmill_hasher_subtree(&hasher, 0, message, 4096, left));
        OK(hashmill_hasher_subtree(&hasher, 4096, message + 4096, 2048, right));
        OK(hashmill_hasher_subtree(&hasher, 6144, message + 6144, sizeof message - 6144, last));
        OK(hashmill_hasher_parent(&hasher, right, last, right));
        OK(hashmill_hasher_subtree(&hasher, 4096, message + 4096, sizeof message - 4096, last));
        CHECK(memcmp(right, last, 32) == 0);
        OK(hashmill_hasher_root(&hasher, left, right, &xof));
        OK(hashmill_xof_squeeze(&xof, out, sizeof out));
        CHECK(memcmp(out, expected, sizeof out) == 0);
        OK(hashmill_hasher_root(&hasher, right, left, &xof));
        OK(hashmill_xof_squeeze(&xof, out, sizeof out));
        CHECK(memcmp(out, expected, sizeof out) != 0);
    }
    FAILS(hashmill_hasher_subtree(&hasher, 1024, message, 4096, left), PARAMETERS);
    FAILS(hashmill_hasher_subtree(&hasher, 1, message, 10, left), PARAMETERS);
    FAILS(hashmill_hasher_subtree(&hasher, 0, message, 0, left), PARAMETERS);
    FAILS(hashmill_hasher_subtree(&hasher, 0, NULL, 1, left), NULL);
    FAILS(hashmill_hasher_subtree(&hasher, 0, message, 1, NULL), NULL);
    FAILS(hashmill_hasher_parent(&hasher, NULL, right, left), NULL);
    FAILS(hashmill_hasher_parent(&hasher, left, NULL, right), NULL);
    FAILS(hashmill_hasher_parent(&hasher, left, right, NULL), NULL);
    FAILS(hashmill_hasher_root(&hasher, NULL, right, &xof), NULL);
    FAILS(hashmill_hasher_root(&hasher, left, NULL, &xof), NULL);
    FAILS(hashmill_hasher_root(&hasher, left, right, NULL), NULL);
    OK(hashmill_hasher_init(&hasher, HASHMILL_BLAKE2S));
    FAILS(hashmill_hasher_subtree(&hasher, 0, message, 1, left), OPERATION);
    FAILS(hashmill_hasher_parent(&hasher, left, right, last), OPERATION);
    FAILS(hashmill_hasher_root(&hasher, left, right, &xof), OPERATION);
    hashmill_hasher_wipe(&hasher);
    FAILS(hashmill_hasher_subtree(&hasher, 0, message, 1, left), CONTEXT);
}
#endif

/* BLAKE2 in one call, of every length, with and without a key, equals BLAKE2 piece by piece. */
static void blake2_lengths(const uint8_t bytes[256]) {
    typedef hashmill_status keyed(const void *, size_t, const void *, size_t, void *, size_t);
    static const struct {
        hashmill_algorithm algorithm;
        keyed *call;
    } functions[] = {{HASHMILL_BLAKE2B, hashmill_blake2b_keyed},
                     {HASHMILL_BLAKE2S, hashmill_blake2s_keyed},
                     {HASHMILL_BLAKE2BP, hashmill_blake2bp_keyed},
                     {HASHMILL_BLAKE2SP, hashmill_blake2sp_keyed}};
    size_t i, len;
    for (i = 0; i < sizeof functions / sizeof *functions; i++)
        for (len = 1; len <= hashmill_output_len(functions[i].algorithm); len++) {
            uint8_t out[64], expected[64];
            hashmill_blake2_params params;
            hashmill_hasher hasher;
            OK(hashmill_blake2_defaults(&params, sizeof params, functions[i].algorithm));
            params.output_len = len;
            params.key.data = bytes;
            for (params.key.len = 0; params.key.len <= len; params.key.len += len) {
                OK(hashmill_hasher_init_blake2(&hasher, functions[i].algorithm, &params));
                OK(hashmill_hasher_update(&hasher, bytes, 4 * len));
                OK(hashmill_hasher_finalize(&hasher, expected, len));
                hashmill_hasher_wipe(&hasher);
                OK(functions[i].call(bytes, params.key.len, bytes, 4 * len, out, len));
                CHECK(memcmp(out, expected, len) == 0);
                if (params.key.len == 0) {
                    OK(hashmill_hash(functions[i].algorithm, bytes, 4 * len, out, len));
                    CHECK(memcmp(out, expected, len) == 0);
                }
            }
        }
}

/* Published answers: BLAKE2's authors (blake2-kat.json), BLAKE3's authors (test_vectors.json), RFC 9861 §5, NIST's
 * samples for SP 800-185, RFC 5869 A.1, RFC 7914 §11. */
static void functions(void) {
    static const uint8_t elvish[] = "whats the Elvish word for friend";
    static const char context[] = "BLAKE3 2019-12-27 16:29:52 test vectors context";
    uint8_t bytes[256], out[64], expected[64], chunks[1025];
    hashmill_hasher hasher;
    hashmill_xof xof;
    size_t i;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;

#define GIVES(answer, call)                                                                                  \
    do {                                                                                                     \
        const size_t out_len = sizeof answer / 2;                                                            \
        from_hex(answer, expected);                                                                          \
        OK(call);                                                                                            \
        CHECK(memcmp(out, expected, out_len) == 0);                                                          \
    } while (0)

    /* Computed by Python's hashlib. */
    GIVES("1ee3b6312b4e0f0b9663b812b8c129e6d45c410b1c9c5a1667bfc6dd951db79f",
          hashmill_blake2b_keyed(bytes, 64, bytes, 256, out, out_len));
    GIVES("2433af65183f411941345962733a8860df650139",
          hashmill_blake2b_keyed(NULL, 0, bytes, 256, out, out_len));
    GIVES("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
          hashmill_hash(HASHMILL_BLAKE2B, "abc", 3, out, out_len));
    GIVES("d5a40ec316c751a63cd0d91157fa1ebb",
          hashmill_blake2s_keyed(bytes, 32, bytes, 256, out, out_len));
    GIVES("5fdeb59f681d975f52c8e69c5502e02a12a3afcc5836ba58f42784c439228781",
          hashmill_blake2s_keyed(NULL, 0, bytes, 256, out, out_len));
    blake2_lengths(bytes);
    FAILS(hashmill_blake2b_keyed(NULL, 0, "", 0, out, 65), BLAKE2_OUTPUT_LENGTH);
    FAILS(hashmill_blake2sp_keyed(NULL, 0, "", 0, out, 33), BLAKE2_OUTPUT_LENGTH);
    FAILS(hashmill_blake2bp_keyed(NULL, 0, "", 0, out, 0), BLAKE2_OUTPUT_LENGTH);
    FAILS(hashmill_blake2s_keyed(bytes, 33, "", 0, out, 32), BLAKE2_KEY_LENGTH);
    FAILS(hashmill_blake2b_keyed(NULL, 1, "", 0, out, 32), NULL);
    FAILS(hashmill_blake2b_keyed(bytes, 1, NULL, 1, out, 32), NULL);
    FAILS(hashmill_blake2b_keyed(bytes, 1, "", 0, NULL, 32), NULL);
    FAILS(hashmill_hash(HASHMILL_BLAKE2B, "", 0, out, 0), BLAKE2_OUTPUT_LENGTH);
    FAILS(hashmill_hash(HASHMILL_BLAKE2S, "", 0, out, 33), OUTPUT_LENGTH);
    GIVES("b5d259e2e3a86c77cbf6d53f9dc78daddc2afd84dbb4ba7e9891227fec079d5a",
          hashmill_blake2xb(bytes, 256, NULL, 0, out, out_len));
    GIVES("29f6bb55de7f8868e053176c878c9fe6c2055c4c5413b51ab0386c277fdbac75",
          hashmill_blake2xb(bytes, 256, bytes, 64, out, out_len));
    GIVES("91cab802b466092897c7639a02acf529ca61864e5e8c8e422b3a9381a95154d1",
          hashmill_blake2xs(bytes, 256, NULL, 0, out, out_len));
    GIVES("a4fe2bd0f96a215fa7164ae1a405f4030a586c12b0c29806a099d7d7fdd8dd72",
          hashmill_blake2xs(bytes, 256, bytes, 32, out, out_len));
    FAILS(hashmill_blake2xb("", 0, NULL, 0, out, 0), BLAKE2_OUTPUT_LENGTH);
    FAILS(hashmill_blake2xs("", 0, bytes, 33, out, 1), BLAKE2_KEY_LENGTH);
    FAILS(hashmill_blake2xs("", 0, NULL, 0, NULL, 1), NULL);
    for (i = 0; i < sizeof chunks; i++)
        chunks[i] = (uint8_t)(i % 251);
    GIVES("357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69"
          "362396b77fdc0d2634a552970843722066c3c15902ae5097e00ff53f1e116f1c",
          hashmill_blake3_keyed(elvish, chunks, sizeof chunks, out, out_len));
    GIVES("effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"
          "5d31013a167509e9066273ab6e2123bc835b408b067d88f96addb550d96b6852",
          hashmill_blake3_derive_key(context, sizeof context - 1, chunks, sizeof chunks, out, out_len));
    FAILS(hashmill_blake3_keyed(NULL, "", 0, out, 32), NULL);
    FAILS(hashmill_blake3_derive_key("\xff", 1, "", 0, out, 32), PARAMETERS);
    FAILS(hashmill_hasher_init_blake3_keyed(&hasher, NULL), NULL);
    FAILS(hashmill_hasher_init_blake3_derive_key(&hasher, "\xff", 1), PARAMETERS);
    /* In parts, and the output from byte 63 on. */
    for (i = 0; i < 2; i++) {
        static const char *const ends[] = {"1cd5352720113a837ab2452cafbde4d54085d9cf5d21ca613071551b25d52e69",
                                           "52dad38e320b9d940f86db74d398c770f462118b35d2724efa13da97194491d9"};
        if (i == 0)
            OK(hashmill_hasher_init_blake3_keyed(&hasher, elvish));
        else
            OK(hashmill_hasher_init_blake3_derive_key(&hasher, context, sizeof context - 1));
        OK(hashmill_hasher_update(&hasher, chunks, 1000));
        OK(hashmill_hasher_update(&hasher, chunks + 1000, sizeof chunks - 1000));
        OK(hashmill_hasher_finalize_xof(&hasher, &xof));
        OK(hashmill_xof_seek(&xof, 63));
        OK(hashmill_xof_squeeze(&xof, out, 32));
        from_hex(ends[i], expected);
        CHECK(memcmp(out, expected, 32) == 0);
    }
    OK(hashmill_hasher_init(&hasher, HASHMILL_SHAKE128));
    OK(hashmill_hasher_finalize_xof(&hasher, &xof));
    FAILS(hashmill_xof_seek(&xof, 0), OPERATION);
}

#ifndef OVER_HEADERS
static void further_functions(void) {
    static const char mail[] = "Email Signature", app[] = "My Tagged Application";
    static const uint8_t four[] = {0, 1, 2, 3};
    const size_t mail_len = sizeof mail - 1, app_len = sizeof app - 1;
    uint8_t bytes[256], blocks[24], ikm[22], info[10], out[64], expected[64];
    const uint8_t *key = bytes + 0x40;
    hashmill_bytes tuple[2];
    size_t i;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (i = 0; i < sizeof blocks; i++)
        blocks[i] = (uint8_t)(i / 8 * 16 + i % 8);
    memset(ikm, 0x0b, sizeof ikm);
    memcpy(info, bytes + 0xf0, sizeof info);
    tuple[0].data = bytes;
    tuple[0].len = 3;
    tuple[1].data = bytes + 0x10;
    tuple[1].len = 6;

    GIVES("1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5",
          hashmill_kt128(NULL, 0, NULL, 0, out, out_len));
    GIVES("b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404"
          "e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9",
          hashmill_kt256(NULL, 0, NULL, 0, out, out_len));
    GIVES("c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5",
          hashmill_cshake128(NULL, 0, mail, mail_len, four, 4, out, out_len));
    GIVES("d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1"
          "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c",
          hashmill_cshake256(NULL, 0, mail, mail_len, four, 4, out, out_len));
    GIVES("e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e",
          hashmill_kmac128(key, 32, NULL, 0, four, 4, out, out_len));
    GIVES("20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
          "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd",
          hashmill_kmac256(key, 32, app, app_len, four, 4, out, out_len));
    GIVES("cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35",
          hashmill_kmacxof128(key, 32, NULL, 0, four, 4, out, out_len));
    GIVES("1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa9"
          "6faa7af634a0bf8ff6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b",
          hashmill_kmacxof256(key, 32, app, app_len, four, 4, out, out_len));
    GIVES("c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1",
          hashmill_tuple_hash128(NULL, 0, tuple, 2, out, out_len));
    GIVES("cfb7058caca5e668f81a12a20a2195ce97a925f1dba3e7449a56f82201ec6073"
          "11ac2696b1ab5ea2352df1423bde7bd4bb78c9aed1a853c78672f9eb23bbe194",
          hashmill_tuple_hash256(NULL, 0, tuple, 2, out, out_len));
    GIVES("2f103cd7c32320353495c68de1a8129245c6325f6f2a3d608d92179c96e68488",
          hashmill_tuple_hashxof128(NULL, 0, tuple, 2, out, out_len));
    GIVES("03ded4610ed6450a1e3f8bc44951d14fbc384ab0efe57b000df6b6df5aae7cd5"
          "68e77377daf13f37ec75cf5fc598b6841d51dd207c991cd45d210ba60ac52eb9",
          hashmill_tuple_hashxof256(NULL, 0, tuple, 2, out, out_len));
    FAILS(hashmill_tuple_hash128(NULL, 0, NULL, 2, out, 32), NULL);
    GIVES("ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5",
          hashmill_parallel_hash128(8, NULL, 0, blocks, 24, out, out_len));
    GIVES("bc1ef124da34495e948ead207dd9842235da432d2bbc54b4c110e64c45110553"
          "1b7f2a3e0ce055c02805e7c2de1fb746af97a1dd01f43b824e31b87612410429",
          hashmill_parallel_hash256(8, NULL, 0, blocks, 24, out, out_len));
    GIVES("fe47d661e49ffe5b7d999922c062356750caf552985b8e8ce6667f2727c3c8d3",
          hashmill_parallel_hashxof128(8, NULL, 0, blocks, 24, out, out_len));
    GIVES("c10a052722614684144d28474850b410757e3cba87651ba167a5cbddff7f4666"
          "75fbf84bcae7378ac444be681d729499afca667fb879348bfdda427863c82f1c",
          hashmill_parallel_hashxof256(8, NULL, 0, blocks, 24, out, out_len));
    FAILS(hashmill_parallel_hash128(0, NULL, 0, blocks, 24, out, 32), BLOCK_LENGTH);
    GIVES("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
          hashmill_hkdf(HASHMILL_SHA256, bytes, 13, ikm, 22, info, 10, out, out_len));
    FAILS(hashmill_hkdf(HASHMILL_SHAKE128, bytes, 13, ikm, 22, info, 10, out, 32), NO_HMAC);
    GIVES("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
          "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
          hashmill_pbkdf2(HASHMILL_SHA256, "passwd", 6, "salt", 4, 1, out, out_len));
    FAILS(hashmill_pbkdf2(HASHMILL_SHA256, "p", 1, "s", 1, 0, out, 32), PBKDF2_ITERATIONS);
}
#endif

static const uint8_t key[64] = "a key of sixty-four bytes, of which some functions take fewer...";
static const char custom[] = "custom";

/* Initialises a hasher of a function that takes more arguments than a message. */
static void begin(hashmill_hasher *hasher, hashmill_algorithm a) {
    hashmill_blake2_params params;
    switch (a) {
    case HASHMILL_BLAKE2XB:
    case HASHMILL_BLAKE2XS:
        OK(hashmill_blake2_defaults(&params, sizeof params, a));
        params.key.data = key;
        params.key.len = 32;
        OK(hashmill_hasher_init_blake2x(hasher, a, &params, LONGEST));
        break;
    case HASHMILL_ASCON_CXOF128:
        OK(hashmill_hasher_init_ascon_cxof128(hasher, custom, 6));
        break;
#ifndef OVER_HEADERS
    case HASHMILL_CSHAKE128:
    case HASHMILL_CSHAKE256:
        OK(hashmill_hasher_init_cshake(hasher, a, "name", 4, custom, 6));
        break;
    case HASHMILL_KMAC128:
    case HASHMILL_KMAC256:
        OK(hashmill_hasher_init_kmac(hasher, a, key, 64, custom, 6));
        break;
    case HASHMILL_TUPLE_HASH128:
    case HASHMILL_TUPLE_HASH256:
        OK(hashmill_hasher_init_tuple_hash(hasher, a, custom, 6));
        break;
    case HASHMILL_PARALLEL_HASH128:
    case HASHMILL_PARALLEL_HASH256:
        OK(hashmill_hasher_init_parallel_hash(hasher, a, 100, custom, 6));
        break;
#endif
    default:
        OK(hashmill_hasher_init(hasher, a));
    }
}

/* Computes the output of that hasher with the function for one call. `xof` selects the variant
 * whose output does not depend on its length. */
static void one_call(hashmill_algorithm a, bool xof, const void *data, size_t len, uint8_t *out) {
    const size_t n = LONGEST;
#ifdef OVER_HEADERS
    (void)xof;
#else
    hashmill_bytes elements[2];
    elements[0].data = elements[1].data = data;
    elements[0].len = len;
    elements[1].len = 0;
#endif
    switch (a) {
    case HASHMILL_BLAKE2XB: OK(hashmill_blake2xb(data, len, key, 32, out, n)); break;
    case HASHMILL_BLAKE2XS: OK(hashmill_blake2xs(data, len, key, 32, out, n)); break;
#ifndef OVER_HEADERS
    case HASHMILL_KT128: OK(hashmill_kt128(data, len, NULL, 0, out, n)); break;
    case HASHMILL_KT256: OK(hashmill_kt256(data, len, NULL, 0, out, n)); break;
    case HASHMILL_CSHAKE128: OK(hashmill_cshake128("name", 4, custom, 6, data, len, out, n)); break;
    case HASHMILL_CSHAKE256: OK(hashmill_cshake256("name", 4, custom, 6, data, len, out, n)); break;
    case HASHMILL_KMAC128:
        OK((xof ? hashmill_kmacxof128 : hashmill_kmac128)(key, 64, custom, 6, data, len, out, n));
        break;
    case HASHMILL_KMAC256:
        OK((xof ? hashmill_kmacxof256 : hashmill_kmac256)(key, 64, custom, 6, data, len, out, n));
        break;
    case HASHMILL_TUPLE_HASH128:
        OK((xof ? hashmill_tuple_hashxof128 : hashmill_tuple_hash128)(custom, 6, elements, 2, out, n));
        break;
    case HASHMILL_TUPLE_HASH256:
        OK((xof ? hashmill_tuple_hashxof256 : hashmill_tuple_hash256)(custom, 6, elements, 2, out, n));
        break;
    case HASHMILL_PARALLEL_HASH128:
        OK((xof ? hashmill_parallel_hashxof128 : hashmill_parallel_hash128)(100, custom, 6, data, len, out, n));
        break;
    case HASHMILL_PARALLEL_HASH256:
        OK((xof ? hashmill_parallel_hashxof256 : hashmill_parallel_hash256)(100, custom, 6, data, len, out, n));
        break;
#endif
    default:
        CHECK(false);
    }
}

/* Hashing piece by piece has the same output as one call. */
static void streams(void) {
    static uint8_t together[MANY * LONGEST];
    uint8_t expected[LONGEST], out[LONGEST], state[HASHMILL_MAX_STATE_LEN];
    hashmill_bytes messages[MANY];
    hashmill_hasher hasher, other;
    hashmill_xof xof;
    hashmill_algorithm a;
    size_t i, at, step, written;
    for (i = 0; i < MANY; i++) {
        messages[i].data = large + i;
        messages[i].len = i == 5 ? LARGE_LEN - i : i * 29;
    }
#ifdef OVER_HEADERS
    for (a = HASHMILL_BLAKE2XB; a <= HASHMILL_BLAKE2XS; a++) {
#else
    for (a = HASHMILL_KT128; a <= HASHMILL_PARALLEL_HASH256; a++) {
#endif
        const bool tuple = a == HASHMILL_TUPLE_HASH128 || a == HASHMILL_TUPLE_HASH256;
        const bool twelve = a == HASHMILL_KT128 || a == HASHMILL_KT256;
        const bool blake = a == HASHMILL_BLAKE2XB || a == HASHMILL_BLAKE2XS;
        begin(&hasher, a);
        CHECK(hashmill_hasher_algorithm(&hasher) == a);
        CHECK(hashmill_hasher_output_len(&hasher) == (blake ? LONGEST : a % 2 ? 64u : 32u));
#ifndef OVER_HEADERS
        if (tuple) {
            FAILS(hashmill_hasher_update(&hasher, large, 1), OPERATION);
            OK(hashmill_hasher_element(&hasher, large, LARGE_LEN));
            FAILS(hashmill_hasher_finish(&hasher, large, 1, out, LONGEST), OPERATION);
            OK(hashmill_hasher_element(&hasher, NULL, 0));
            FAILS(hashmill_hasher_element(&hasher, NULL, 1), NULL);
            /* The same elements in parts. */
            OK(hashmill_hasher_finalize(&hasher, expected, LONGEST));
            begin(&hasher, a);
            OK(hashmill_hasher_begin_element(&hasher, LARGE_LEN));
            for (at = 0, step = 0; at < LARGE_LEN; at += step++) {
                FAILS(hashmill_hasher_update(&hasher, large, LARGE_LEN - at + 1), ELEMENT_LENGTH);
                FAILS(hashmill_hasher_element(&hasher, large, 1), ELEMENT_LENGTH);
                FAILS(hashmill_hasher_begin_element(&hasher, 0), ELEMENT_LENGTH);
                FAILS(hashmill_hasher_finalize(&hasher, out, LONGEST), ELEMENT_LENGTH);
                FAILS(hashmill_hasher_finish(&hasher, large, 0, out, LONGEST), ELEMENT_LENGTH);
                FAILS(hashmill_hasher_finalize_xof(&hasher, &xof), ELEMENT_LENGTH);
                if (step > LARGE_LEN - at)
                    step = LARGE_LEN - at;
                OK(hashmill_hasher_update(&hasher, large + at, step));
            }
            FAILS(hashmill_hasher_update(&hasher, large, 1), OPERATION);
            OK(hashmill_hasher_begin_element(&hasher, 0));
            OK(hashmill_hasher_finalize(&hasher, out, LONGEST));
            CHECK(memcmp(out, expected, LONGEST) == 0);
            /* A length in bytes whose number of bits does not fit into 64 bits. */
            other = hasher;
            OK(hashmill_hasher_begin_element(&other, UINT64_MAX));
            OK(hashmill_hasher_update(&other, large, LARGE_LEN));
            FAILS(hashmill_hasher_finalize(&other, out, LONGEST), ELEMENT_LENGTH);
        } else {
            FAILS(hashmill_hasher_element(&hasher, large, 1), OPERATION);
            FAILS(hashmill_hasher_begin_element(&hasher, 1), OPERATION);
        }
#endif
        if (!tuple) {
            for (at = 0, step = 1; at < 20000; at += step, step = step * 3 % 6007)
                OK(hashmill_hasher_update(&hasher, large + at, step));
            other = hasher;
            OK(hashmill_hasher_finish(&other, large + at, LARGE_LEN - at, out, LONGEST));
            OK(hashmill_hasher_update(&hasher, large + at, LARGE_LEN - at));
            one_call(a, false, large, LARGE_LEN, expected);
            CHECK(memcmp(out, expected, LONGEST) == 0);
        }
        one_call(a, false, large, LARGE_LEN, expected);
        memset(out, 0, sizeof out);
        OK(hashmill_hasher_finalize(&hasher, out, LONGEST));
        CHECK(memcmp(out, expected, LONGEST) == 0);
        OK(hashmill_hasher_finish(&hasher, NULL, 0, out, LONGEST));
        CHECK(memcmp(out, expected, LONGEST) == 0);
        if (blake)
            FAILS(hashmill_hasher_finalize(&hasher, out, LONGEST - 1), OUTPUT_LENGTH);
        else {
            /* The output of KMAC, TupleHash and ParallelHash depends on its length; the shorter
             * outputs of the others are the beginning of the longer ones. */
            OK(hashmill_hasher_finalize(&hasher, out, 32));
            CHECK((memcmp(out, expected, 32) == 0) == (twelve || a == HASHMILL_CSHAKE128 || a == HASHMILL_CSHAKE256));
        }
        FAILS(hashmill_hasher_finalize(&hasher, NULL, LONGEST), NULL);

        one_call(a, true, large, LARGE_LEN, expected);
        OK(hashmill_hasher_finalize_xof(&hasher, &xof));
        for (at = 0, step = 0; at < LONGEST; at += step++) {
            size_t part = step < LONGEST - at ? step : LONGEST - at;
            OK(hashmill_xof_squeeze(&xof, out + at, part));
        }
        CHECK(memcmp(out, expected, LONGEST) == 0);
        if (blake)
            FAILS(hashmill_xof_squeeze(&xof, out, 1), OUTPUT_END);
        else
            OK(hashmill_xof_squeeze(&xof, out, 1));
        FAILS(hashmill_xof_squeeze(&xof, NULL, 1), NULL);
        hashmill_xof_wipe(&xof);
        FAILS(hashmill_xof_squeeze(&xof, out, 1), CONTEXT);
        FAILS(hashmill_hasher_finalize_xof(&hasher, NULL), NULL);

#ifndef OVER_HEADERS
        if (twelve) {
            OK(hashmill_hasher_finalize_xof_with(&hasher, custom, 6, &xof));
            OK(hashmill_xof_squeeze(&xof, out, LONGEST));
            OK((a == HASHMILL_KT128 ? hashmill_kt128 : hashmill_kt256)(large, LARGE_LEN, custom, 6, expected, LONGEST));
            CHECK(memcmp(out, expected, LONGEST) == 0);
            FAILS(hashmill_hasher_finalize_xof_with(&hasher, NULL, 1, &xof), NULL);
        } else
            FAILS(hashmill_hasher_finalize_xof_with(&hasher, custom, 6, &xof), OPERATION);
#endif
        OK(hashmill_hasher_export(&hasher, state, sizeof state, &written));
        OK(hashmill_hasher_import(&other, state, written));
        CHECK(hashmill_hasher_algorithm(&other) == a);
        OK(hashmill_hasher_finalize(&hasher, expected, LONGEST));
        OK(hashmill_hasher_finalize(&other, out, LONGEST));
        CHECK(memcmp(out, expected, LONGEST) == 0);
        state[written / 2] ^= 1;
        FAILS(hashmill_hasher_import(&other, state, written), STATE_DAMAGED);

        if (twelve || blake || tuple)
            FAILS(hashmill_hasher_finalize_bits(&hasher, 0, 1, out, LONGEST), NO_BITS);
        else {
            OK(hashmill_hasher_finalize(&hasher, expected, LONGEST));
            OK(hashmill_hasher_finalize_bits(&hasher, 0xFF, 0, out, LONGEST));
            CHECK(memcmp(out, expected, LONGEST) == 0);
            OK(hashmill_hasher_finalize_bits(&hasher, 0xFF, 3, out, LONGEST));
            CHECK(memcmp(out, expected, LONGEST) != 0);
            FAILS(hashmill_hasher_finalize_bits(&hasher, 0, 8, out, LONGEST), TOO_MANY_BITS);
        }

        /* One prepared hasher for many messages. */
        begin(&hasher, a);
        if (tuple)
            FAILS(hashmill_hasher_finish_many(&hasher, messages, MANY, together, LONGEST), OPERATION);
        else {
            OK(hashmill_hasher_finish_many(&hasher, messages, MANY, together, LONGEST));
            for (i = 0; i < MANY; i++) {
                one_call(a, false, messages[i].data, messages[i].len, expected);
                CHECK(memcmp(together + i * LONGEST, expected, LONGEST) == 0);
                OK(hashmill_hasher_finish(&hasher, messages[i].data, messages[i].len, out, LONGEST));
                CHECK(memcmp(out, expected, LONGEST) == 0);
            }
            FAILS(hashmill_hasher_finish(&hasher, NULL, 1, out, LONGEST), NULL);
            FAILS(hashmill_hasher_finish_many(&hasher, NULL, 1, together, LONGEST), NULL);
        }
        hashmill_hasher_wipe(&hasher);
        FAILS(hashmill_hasher_finalize(&hasher, out, LONGEST), CONTEXT);

        /* The function is not in the table of algorithms, and other functions' init functions
         * refuse it. */
        CHECK(hashmill_algorithm_name(a) == NULL && hashmill_output_len(a) == 0);
        FAILS(hashmill_hash(a, "", 0, out, 32), UNKNOWN_ALGORITHM);
        FAILS(hashmill_hmac(a, "", 0, "", 0, out, 32), UNKNOWN_ALGORITHM);
#ifndef OVER_HEADERS
        if (a != HASHMILL_CSHAKE128 && a != HASHMILL_CSHAKE256)
            FAILS(hashmill_hasher_init_cshake(&hasher, a, NULL, 0, NULL, 0), PARAMETERS);
        if (a != HASHMILL_KMAC128 && a != HASHMILL_KMAC256)
            FAILS(hashmill_hasher_init_kmac(&hasher, a, key, 64, NULL, 0), PARAMETERS);
        if (!tuple)
            FAILS(hashmill_hasher_init_tuple_hash(&hasher, a, NULL, 0), PARAMETERS);
        if (a < HASHMILL_PARALLEL_HASH128)
            FAILS(hashmill_hasher_init_parallel_hash(&hasher, a, 8, NULL, 0), PARAMETERS);
#endif
        if (!twelve && !blake)
            FAILS(hashmill_hasher_init(&hasher, a), PARAMETERS);
    }
#ifndef OVER_HEADERS
    /* cSHAKE with an empty name and an empty customization is SHAKE. */
    OK(hashmill_hasher_init_cshake(&hasher, HASHMILL_CSHAKE128, NULL, 0, NULL, 0));
    OK(hashmill_hasher_finish(&hasher, "abc", 3, out, LONGEST));
    OK(hashmill_shake128("abc", 3, expected, LONGEST));
    CHECK(memcmp(out, expected, LONGEST) == 0);
    FAILS(hashmill_hasher_init_cshake(&hasher, HASHMILL_CSHAKE128, NULL, 1, NULL, 0), NULL);
    FAILS(hashmill_hasher_init_kmac(&hasher, HASHMILL_KMAC128, NULL, 1, NULL, 0), NULL);
    FAILS(hashmill_hasher_init_tuple_hash(&hasher, HASHMILL_TUPLE_HASH128, NULL, 1), NULL);
    FAILS(hashmill_hasher_init_parallel_hash(&hasher, HASHMILL_PARALLEL_HASH128, 0, NULL, 0), BLOCK_LENGTH);
    FAILS(hashmill_hasher_init_kmac(NULL, HASHMILL_KMAC128, NULL, 0, NULL, 0), NULL);
#endif
    {
        /* The output of BLAKE2X with unknown length differs from that with any known length. */
        hashmill_blake2_params params;
        OK(hashmill_hasher_init(&hasher, HASHMILL_BLAKE2XS));
        CHECK(hashmill_hasher_output_len(&hasher) == 32);
        OK(hashmill_hasher_finalize(&hasher, out, 100));
        OK(hashmill_hasher_finalize(&hasher, expected, 64));
        CHECK(memcmp(out, expected, 64) == 0);
        OK(hashmill_blake2xs(NULL, 0, NULL, 0, expected, 64));
        CHECK(memcmp(out, expected, 64) != 0);
        OK(hashmill_blake2_defaults(&params, sizeof params, HASHMILL_BLAKE2XS));
        OK(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2XS, &params, 64));
        OK(hashmill_hasher_finalize(&hasher, out, 64));
        CHECK(memcmp(out, expected, 64) == 0);
        FAILS(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2XS, &params, 65535), BLAKE2_OUTPUT_LENGTH);
        FAILS(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2S, &params, 64), PARAMETERS);
        FAILS(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2XS, NULL, 64), NULL);
        params.key.data = key;
        params.key.len = 33;
        FAILS(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2XS, &params, 64), BLAKE2_KEY_LENGTH);
        params.key.len = 0;
        params.fanout = 2;
        FAILS(hashmill_hasher_init_blake2x(&hasher, HASHMILL_BLAKE2XS, &params, 64), PARAMETERS);
    }
}

/* The functions that take more than a message. */
static const hashmill_algorithm further[] = {
    HASHMILL_BLAKE2XB, HASHMILL_BLAKE2XS, HASHMILL_ASCON_CXOF128,
#ifndef OVER_HEADERS
    HASHMILL_KT128, HASHMILL_KT256, HASHMILL_CSHAKE128, HASHMILL_CSHAKE256, HASHMILL_KMAC128, HASHMILL_KMAC256,
    HASHMILL_TUPLE_HASH128, HASHMILL_TUPLE_HASH256, HASHMILL_PARALLEL_HASH128, HASHMILL_PARALLEL_HASH256,
#endif
};

static bool is_further(hashmill_algorithm a) {
    size_t i;
    for (i = 0; i < sizeof further / sizeof *further; i++)
        if (further[i] == a)
            return true;
    return false;
}

#ifndef OVER_HEADERS
/* Many hashers at once, of all functions in turn. TupleHash takes elements. */
static void updates(void) {
    enum { HASHERS = 300 };
    static hashmill_hasher hashers[HASHERS], alone[HASHERS];
    static hashmill_hasher *pointers[HASHERS];
    static hashmill_bytes parts[HASHERS];
    uint8_t expected[64], out[64];
    size_t i, round;
    for (i = 0; i < HASHERS; i++) {
        const size_t function = i % (22 + sizeof further / sizeof *further);
        const hashmill_algorithm a = function < 22 ? hashmill_algorithm_at(function) : further[function - 22];
        pointers[i] = &hashers[i];
        begin(&hashers[i], a == HASHMILL_TUPLE_HASH128 || a == HASHMILL_TUPLE_HASH256 ? HASHMILL_SHA256 : a);
        alone[i] = hashers[i];
    }
    for (round = 0; round < 3; round++) {
        for (i = 0; i < HASHERS; i++) {
            parts[i].data = large + i;
            parts[i].len = i * 7 % 500 + (i % 17 == round ? 9000 : 0);
            OK(hashmill_hasher_update(&alone[i], parts[i].data, parts[i].len));
        }
        /* Failed calls change nothing. */
        pointers[7] = pointers[299];
        FAILS(hashmill_hasher_update_many(pointers, parts, HASHERS), CONTEXT);
        pointers[7] = NULL;
        FAILS(hashmill_hasher_update_many(pointers, parts, HASHERS), NULL);
        pointers[7] = (hashmill_hasher *)(void *)((char *)&hashers[7] + 4);
        FAILS(hashmill_hasher_update_many(pointers, parts, HASHERS), ALIGNMENT);
        pointers[7] = &hashers[7];
        parts[8].data = NULL;
        FAILS(hashmill_hasher_update_many(pointers, parts, HASHERS), NULL);
        parts[8].data = large + 8;
        OK(hashmill_hasher_update_many(pointers, parts, HASHERS));
    }
    for (i = 0; i < HASHERS; i++) {
        size_t len = hashmill_hasher_output_len(&hashers[i]);
        const int a = hashmill_hasher_algorithm(&hashers[i]);
        if (a == HASHMILL_BLAKE2XB || a == HASHMILL_BLAKE2XS) {
            hashmill_xof xof;
            OK(hashmill_hasher_finalize_xof(&hashers[i], &xof));
            OK(hashmill_xof_squeeze(&xof, out, len = 64));
            OK(hashmill_hasher_finalize_xof(&alone[i], &xof));
            OK(hashmill_xof_squeeze(&xof, expected, len));
        } else {
            OK(hashmill_hasher_finalize(&hashers[i], out, len));
            OK(hashmill_hasher_finalize(&alone[i], expected, len));
        }
        CHECK(memcmp(out, expected, len) == 0);
    }
    OK(hashmill_hasher_update_many(NULL, NULL, 0));
    FAILS(hashmill_hasher_update_many(NULL, parts, 1), NULL);
    FAILS(hashmill_hasher_update_many(pointers, NULL, 1), NULL);
    FAILS(hashmill_hasher_update_many(pointers, parts, SIZE_MAX), LENGTH);
    hashmill_hasher_wipe(&hashers[1]);
    FAILS(hashmill_hasher_update_many(pointers, parts, 2), CONTEXT);
#ifndef OVER_HEADERS
    begin(&hashers[1], HASHMILL_TUPLE_HASH128);
    FAILS(hashmill_hasher_update_many(pointers + 1, parts, 1), OPERATION);
#endif
}

/* Outputs of SHAKE128, and a few of other functions between them, squeezed together. */
static void squeezes(void) {
    enum { XOFS = 300, PIECE = 200 };
    static hashmill_xof xofs[XOFS], alone[XOFS];
    static hashmill_xof *pointers[XOFS];
    static uint8_t out[XOFS * PIECE], expected[PIECE];
    hashmill_hasher hasher;
    size_t i, round;
    for (i = 0; i < XOFS; i++) {
        OK(hashmill_hasher_init(&hasher, i % 50 == 49 ? HASHMILL_BLAKE3 : i % 31 ? HASHMILL_SHAKE128 : HASHMILL_SHAKE256));
        OK(hashmill_hasher_update(&hasher, large + i, i));
        OK(hashmill_hasher_finalize_xof(&hasher, &xofs[i]));
        alone[i] = xofs[i];
        pointers[i] = &xofs[i];
    }
    for (round = 0; round < 3; round++) {
        const size_t count = XOFS - 100 * round;
        /* Failed calls read nothing. */
        pointers[7] = pointers[8];
        FAILS(hashmill_xof_squeeze_many(pointers, count, out, PIECE), CONTEXT);
        pointers[7] = NULL;
        FAILS(hashmill_xof_squeeze_many(pointers, count, out, PIECE), NULL);
        pointers[7] = &xofs[7];
        FAILS(hashmill_xof_squeeze_many(pointers, count, NULL, PIECE), NULL);
        OK(hashmill_xof_squeeze_many(pointers, count, out, PIECE));
        for (i = 0; i < count; i++) {
            OK(hashmill_xof_squeeze(&alone[i], expected, PIECE));
            CHECK(memcmp(out + i * PIECE, expected, PIECE) == 0);
        }
    }
    OK(hashmill_xof_squeeze_many(NULL, 0, NULL, PIECE));
    OK(hashmill_xof_squeeze_many(pointers, 2, NULL, 0));
    FAILS(hashmill_xof_squeeze_many(NULL, 1, out, PIECE), NULL);
    FAILS(hashmill_xof_squeeze_many(pointers, SIZE_MAX / 2, out, PIECE), LENGTH);
    hashmill_xof_wipe(&xofs[1]);
    FAILS(hashmill_xof_squeeze_many(pointers, 2, out, PIECE), CONTEXT);
}

/* HMACs of all hash functions, each with its own key and message, in one array. */
static void mac_updates(void) {
    enum { HMACS = 300 };
    static hashmill_hmac_context hmacs[HMACS], alone[HMACS];
    static hashmill_hmac_context *pointers[HMACS];
    static hashmill_bytes parts[HMACS];
    uint8_t expected[64], out[64];
    size_t i, round;
    for (i = 0; i < HMACS; i++) {
        pointers[i] = &hmacs[i];
        OK(hashmill_hmac_init(&hmacs[i], hashmill_algorithm_at(i % 14), large + i, i));
        alone[i] = hmacs[i];
    }
    for (round = 0; round < 3; round++) {
        for (i = 0; i < HMACS; i++) {
            parts[i].data = large + i;
            parts[i].len = i * 7 % 500 + (i % 17 == round ? 9000 : 0);
            OK(hashmill_hmac_update(&alone[i], parts[i].data, parts[i].len));
        }
        /* Failed calls change nothing. */
        pointers[7] = pointers[299];
        FAILS(hashmill_hmac_update_many(pointers, parts, HMACS), CONTEXT);
        pointers[7] = NULL;
        FAILS(hashmill_hmac_update_many(pointers, parts, HMACS), NULL);
        pointers[7] = &hmacs[7];
        parts[8].data = NULL;
        FAILS(hashmill_hmac_update_many(pointers, parts, HMACS), NULL);
        parts[8].data = large + 8;
        OK(hashmill_hmac_update_many(pointers, parts, HMACS));
    }
    for (i = 0; i < HMACS; i++) {
        const size_t len = hashmill_output_len(hashmill_algorithm_at(i % 14));
        OK(hashmill_hmac_finalize(&hmacs[i], out, len));
        OK(hashmill_hmac_finalize(&alone[i], expected, len));
        CHECK(memcmp(out, expected, len) == 0);
    }
    OK(hashmill_hmac_update_many(NULL, NULL, 0));
    FAILS(hashmill_hmac_update_many(NULL, parts, 1), NULL);
    FAILS(hashmill_hmac_update_many(pointers, NULL, 1), NULL);
    FAILS(hashmill_hmac_update_many(pointers, parts, SIZE_MAX), LENGTH);
    hashmill_hmac_wipe(&hmacs[1]);
    FAILS(hashmill_hmac_update_many(pointers, parts, 2), CONTEXT);
}
#endif

/* Makes a hasher of SHA-256 that can absorb only `room` more bytes: FIPS 180-4 §1 allows less than
 * 2^64 bits. Only an exported state that was made by hand can contain such a count. It consists of
 * version, algorithm, the count in 16 bytes, eight words, the bytes of the last block, and a check,
 * which is the beginning of the SHA-256 of everything before it. */
static void near_the_limit(hashmill_hasher *hasher, unsigned room) {
    uint8_t state[HASHMILL_MAX_STATE_LEN], digest[32];
    const size_t check = 8;
    const uint64_t count = ((uint64_t)1 << 61) - 1 - room;
    size_t i, len;
    OK(hashmill_hasher_init(hasher, HASHMILL_SHA256));
    OK(hashmill_hasher_update(hasher, large, (size_t)(count % 64)));
    OK(hashmill_hasher_export(hasher, state, sizeof state, &len));
    CHECK(state[2] == count % 64 && state[3] == 0);
    for (i = 0; i < 8; i++)
        state[2 + i] = (uint8_t)(count >> (8 * i));
    OK(hashmill_sha256(state, len - check, digest));
    memcpy(state + len - check, digest, check);
    OK(hashmill_hasher_import(hasher, state, len));
}

/* Many messages, one of them too long: the function returns the error before it writes the first
 * byte. */
static void limits(void) {
    enum { ROWS = 40, ROOM = 100 };
    static uint8_t together[ROWS * 32], stale[ROWS * 32];
    hashmill_bytes messages[ROWS];
    hashmill_hasher hasher;
    uint8_t before[32], out[32];
    size_t i, last;
#ifndef OVER_HEADERS
    const hashmill_hasher *each[ROWS];
    hashmill_hasher other;
    hashmill_hasher *both[2];
    for (i = 0; i < ROWS; i++)
        each[i] = &hasher;
#endif
    memset(stale, 7, sizeof stale);
    near_the_limit(&hasher, ROOM);
    for (i = 0; i < ROWS; i++) {
        messages[i].data = large;
        messages[i].len = ROOM;
    }
    OK(hashmill_hasher_finish_many(&hasher, messages, ROWS, together, 32));
    OK(hashmill_hasher_finish(&hasher, large, ROOM, out, 32));
    for (i = 0; i < ROWS; i++)
        CHECK(memcmp(together + 32 * i, out, 32) == 0);
    for (last = 0; last < ROWS; last += ROWS - 1) {
        messages[last].len = ROOM + 1;
        memcpy(together, stale, sizeof stale);
        FAILS(hashmill_hasher_finish_many(&hasher, messages, ROWS, together, 32), MESSAGE_TOO_LONG);
        CHECK(memcmp(together, stale, sizeof stale) == 0);
#ifndef OVER_HEADERS
        FAILS(hashmill_hasher_finish_each(each, messages, ROWS, together, 32), MESSAGE_TOO_LONG);
        CHECK(memcmp(together, stale, sizeof stale) == 0);
#endif
        messages[last].len = ROOM;
    }
    OK(hashmill_hasher_finalize(&hasher, before, 32));
    FAILS(hashmill_hasher_finish(&hasher, large, ROOM + 1, together, 32), MESSAGE_TOO_LONG);
    FAILS(hashmill_hasher_update(&hasher, large, ROOM + 1), MESSAGE_TOO_LONG);
#ifndef OVER_HEADERS
    OK(hashmill_hasher_init(&other, HASHMILL_SHA256));
    both[0] = &other;
    both[1] = &hasher;
    messages[1].len = ROOM + 1;
    FAILS(hashmill_hasher_update_many(both, messages, 2), MESSAGE_TOO_LONG);
#endif
    CHECK(memcmp(together, stale, sizeof stale) == 0);
    OK(hashmill_hasher_finalize(&hasher, out, 32));
    CHECK(memcmp(out, before, 32) == 0);
}

#ifndef OVER_HEADERS
/* Nodes of a tree, which differ in their parameters. */
static void nodes(void) {
    enum { NODES = 300 };
    static hashmill_hasher hashers[NODES];
    static const hashmill_hasher *pointers[NODES];
    static hashmill_bytes messages[NODES];
    static uint8_t together[NODES * LONGEST];
    uint8_t expected[LONGEST];
    hashmill_algorithm a;
    hashmill_blake2_params params;
    hashmill_hasher other;
    size_t i, k;
    for (k = 0; (a = hashmill_algorithm_at(k)) != 0; k++) {
        const bool node = a == HASHMILL_BLAKE2B || a == HASHMILL_BLAKE2S;
        const size_t len = wanted(a);
        for (i = 0; i < NODES; i++) {
            pointers[i] = &hashers[i];
            messages[i].data = i == 3 ? NULL : large + i;
            messages[i].len = i == 3 ? 0 : i * 7 % 500;
            OK(hashmill_hasher_init(&hashers[i], a));
            if (node) {
                OK(hashmill_blake2_defaults(&params, sizeof params, a));
                params.fanout = params.max_depth = 2;
                params.node_offset = i;
                OK(hashmill_hasher_init_blake2(&hashers[i], a, &params));
                OK(hashmill_hasher_set_last_node(&hashers[i], i == NODES - 1));
            } else {
                OK(hashmill_hasher_update(&hashers[i], &i, 1));
                FAILS(hashmill_hasher_set_last_node(&hashers[i], 1), OPERATION);
            }
        }
        pointers[9] = pointers[8];
        OK(hashmill_hasher_finish_each(pointers, messages, NODES, together, len));
        for (i = 0; i < NODES; i++) {
            OK(hashmill_hasher_finish(pointers[i], messages[i].data, messages[i].len, expected, len));
            CHECK(memcmp(expected, together + i * len, len) == 0);
        }
        if (node) {
            params.last_node = 1;
            OK(hashmill_hasher_init_blake2(&other, a, &params));
            OK(hashmill_hasher_finish(&other, messages[NODES - 1].data, messages[NODES - 1].len, expected, len));
            CHECK(memcmp(expected, together + (NODES - 1) * len, len) == 0);
        }
        if (!hashmill_is_xof(a)) {
            FAILS(hashmill_hasher_finish_each(pointers, messages, NODES, together, len - 1), OUTPUT_LENGTH);
            FAILS(hashmill_hasher_finish_each(pointers, messages, NODES, together, 0), OUTPUT_LENGTH);
        }
        OK(hashmill_hasher_finish_each(NULL, NULL, 0, NULL, len));
        FAILS(hashmill_hasher_finish_each(NULL, messages, 1, together, len), NULL);
        FAILS(hashmill_hasher_finish_each(pointers, NULL, 1, together, len), NULL);
        FAILS(hashmill_hasher_finish_each(pointers, messages, 1, NULL, len), NULL);
        begin(&other, HASHMILL_KT128);
        pointers[NODES - 1] = &other;
        FAILS(hashmill_hasher_finish_each(pointers, messages, NODES, together, len), PARAMETERS);
        pointers[NODES - 1] = NULL;
        FAILS(hashmill_hasher_finish_each(pointers, messages, NODES, together, len), NULL);
        hashmill_hasher_wipe(&other);
        pointers[NODES - 1] = &other;
        FAILS(hashmill_hasher_finish_each(pointers, messages, NODES, together, len), CONTEXT);
    }
    begin(&other, HASHMILL_KT128);
    FAILS(hashmill_hasher_finish_each(&pointers[NODES - 1], messages, 1, together, 32), OPERATION);
    FAILS(hashmill_hasher_set_last_node(&other, 1), OPERATION);
    FAILS(hashmill_hasher_set_last_node(NULL, 1), NULL);
}
#endif

/* Keys that are prepared once: HMAC, HKDF and BLAKE2; and PBKDF2 of many passwords. */
static void keys(void) {
    hashmill_bytes messages[MANY];
    hashmill_hmac_context hmac;
    hashmill_blake2_params params;
    hashmill_hasher hasher;
    hashmill_algorithm a;
    uint8_t expected[255 * 64 + 1], out[255 * 64 + 1];
    size_t i;
#ifndef OVER_HEADERS
    static uint8_t together[MANY * 64];
    hashmill_bytes salts[MANY];
    hashmill_hkdf_context hkdf;
    uint8_t prk[64];
    for (i = 0; i < MANY; i++) {
        salts[i].data = message;
        salts[i].len = i;
    }
#endif
    for (i = 0; i < MANY; i++) {
        messages[i].data = message + i;
        messages[i].len = i * 11;
    }
    for (a = HASHMILL_SHA224; a <= HASHMILL_BLAKE2SP; a++) {
        const size_t len = hashmill_output_len(a);
        OK(hashmill_hmac_init(&hmac, a, key, 64));
        for (i = 0; i < MANY; i++) {
            OK(hashmill_hmac_finish(&hmac, messages[i].data, messages[i].len, out, len));
            OK(hashmill_hmac(a, key, 64, messages[i].data, messages[i].len, expected, len));
            CHECK(memcmp(out, expected, len) == 0);
        }
        FAILS(hashmill_hmac_finish(&hmac, NULL, 1, out, len), NULL);
        FAILS(hashmill_hmac_finish(&hmac, NULL, 0, out, len - 1), OUTPUT_LENGTH);
        FAILS(hashmill_hmac_finish(NULL, NULL, 0, out, len), NULL);

#ifndef OVER_HEADERS
        OK(hashmill_hkdf_init(&hkdf, a, "salt", 4, key, 64));
        for (i = 0; i < 300; i += 29) {
            OK(hashmill_hkdf_expand(&hkdf, message, i, out, i));
            OK(hashmill_hkdf(a, "salt", 4, key, 64, message, i, expected, i));
            CHECK(memcmp(out, expected, i) == 0);
        }
        OK(hashmill_hkdf_expand(&hkdf, NULL, 0, out, 255 * len));
        FAILS(hashmill_hkdf_expand(&hkdf, NULL, 0, out, 255 * len + 1), HKDF_OUTPUT_LENGTH);
        FAILS(hashmill_hkdf_expand(&hkdf, NULL, 1, out, len), NULL);
        FAILS(hashmill_hkdf_expand(&hkdf, NULL, 0, NULL, len), NULL);
        OK(hashmill_hkdf_expand_many(&hkdf, messages, MANY, together, len - 1));
        for (i = 0; i < MANY; i++) {
            OK(hashmill_hkdf_expand(&hkdf, messages[i].data, messages[i].len, out, len - 1));
            CHECK(memcmp(out, together + i * (len - 1), len - 1) == 0);
        }
        FAILS(hashmill_hkdf_expand_many(&hkdf, messages, 1, together, len + 1), HKDF_OUTPUT_LENGTH);
        FAILS(hashmill_hkdf_expand_many(&hkdf, NULL, 1, together, len), NULL);
        OK(hashmill_hkdf_expand(&hkdf, "info", 4, expected, len));
        hashmill_hkdf_wipe(&hkdf);
        hashmill_hkdf_wipe(&hkdf);
        hashmill_hkdf_wipe(NULL);
        FAILS(hashmill_hkdf_expand(&hkdf, "info", 4, out, len), CONTEXT);
        /* The extracted key is the HMAC of the secret with the salt as the key. */
        OK(hashmill_hkdf_extract(a, "salt", 4, key, 64, prk, len));
        OK(hashmill_hmac(a, "salt", 4, key, 64, out, len));
        CHECK(memcmp(out, prk, len) == 0);
        OK(hashmill_hkdf_init_prk(&hkdf, a, prk, len));
        OK(hashmill_hkdf_expand(&hkdf, "info", 4, out, len));
        CHECK(memcmp(out, expected, len) == 0);
        FAILS(hashmill_hkdf_extract(a, "salt", 4, key, 64, prk, len - 1), OUTPUT_LENGTH);
        FAILS(hashmill_hkdf_init_prk(&hkdf, a, prk, len - 1), HKDF_KEY_LENGTH);
        FAILS(hashmill_hkdf_init_prk(&hkdf, a, NULL, len), NULL);
        FAILS(hashmill_hkdf_init(&hkdf, a, NULL, 1, NULL, 0), NULL);

        OK(hashmill_pbkdf2_many(a, messages, salts, MANY, 3, together, 20));
        for (i = 0; i < MANY; i += 7) {
            OK(hashmill_pbkdf2(a, messages[i].data, messages[i].len, salts[i].data, salts[i].len, 3, out, 20));
            CHECK(memcmp(out, together + i * 20, 20) == 0);
        }
        FAILS(hashmill_pbkdf2_many(a, messages, NULL, MANY, 3, together, 20), NULL);
        FAILS(hashmill_pbkdf2_many(a, messages, salts, MANY, 0, together, 20), PBKDF2_ITERATIONS);
#endif
    }
#ifndef OVER_HEADERS
    FAILS(hashmill_hkdf_init(&hkdf, HASHMILL_SHAKE128, NULL, 0, NULL, 0), NO_HMAC);
    FAILS(hashmill_hkdf_init_prk(&hkdf, HASHMILL_KMAC128, prk, 64), UNKNOWN_ALGORITHM);
    FAILS(hashmill_hkdf_extract(HASHMILL_SHAKE256, NULL, 0, NULL, 0, prk, 64), NO_HMAC);
    FAILS(hashmill_pbkdf2_many(HASHMILL_SHAKE256, messages, salts, MANY, 1, together, 20), NO_HMAC);
#endif

    for (a = HASHMILL_BLAKE2B; a <= HASHMILL_BLAKE2SP; a++) {
        const size_t len = hashmill_output_len(a);
        OK(hashmill_blake2_defaults(&params, sizeof params, a));
        params.key.data = key;
        params.key.len = 32;
        OK(hashmill_hasher_init_blake2(&hasher, a, &params));
        for (i = 0; i < MANY; i++) {
            hashmill_hasher copy = hasher;
            OK(hashmill_hasher_update(&copy, messages[i].data, messages[i].len));
            OK(hashmill_hasher_finalize(&copy, expected, len));
            OK(hashmill_hasher_finish(&hasher, messages[i].data, messages[i].len, out, len));
            CHECK(memcmp(out, expected, len) == 0);
        }
        FAILS(hashmill_hasher_finish(&hasher, NULL, 0, out, len - 1), OUTPUT_LENGTH);
    }
}

/* Ascon-CXOF128: two answers of the Ascon team's list LWC_CXOF_KAT_128_512.txt, and the same output
 * by every way. */
static void ascon(void) {
    static const char *const answers[] = {"4f50159ef70bb3dad8807e034eaebd44c4fa2cbbc8cf1f05511ab66cdcc52990"
                                          "5ca12083fc186ad899b270b1473dc5f7ec88d1052082dcdfe69fb75d269e7b74",
                                          "429a7933a9258679e7e87d469d079632de78e6258a5c569516cb52485ceea34a"
                                          "a304d9525225a0a9123b76ec3194fc6ce57e981e030ff38f74dc5fa642955020"};
    static uint8_t together[MANY * LONGEST], long_custom[257];
    uint8_t expected[LONGEST], out[LONGEST], state[HASHMILL_MAX_STATE_LEN];
    hashmill_bytes messages[MANY];
    hashmill_hasher hasher, other;
    hashmill_xof xof;
    size_t i, written;
    for (i = 0; i < 2; i++) {
        from_hex(answers[i], expected);
        OK(hashmill_ascon_cxof128("\x00\x01\x02", i * 3, "\x10\x11\x12\x13\x14\x15\x16", i * 7, out, 64));
        CHECK(memcmp(out, expected, 64) == 0);
    }
    begin(&hasher, HASHMILL_ASCON_CXOF128);
    CHECK(hashmill_hasher_algorithm(&hasher) == HASHMILL_ASCON_CXOF128);
    CHECK(hashmill_hasher_output_len(&hasher) == 32);
    for (i = 0; i < MANY; i++) {
        messages[i].data = large + i;
        messages[i].len = i * 29;
    }
    OK(hashmill_hasher_finish_many(&hasher, messages, MANY, together, LONGEST));
    for (i = 0; i < MANY; i++) {
        OK(hashmill_ascon_cxof128(messages[i].data, messages[i].len, custom, 6, expected, LONGEST));
        CHECK(memcmp(together + i * LONGEST, expected, LONGEST) == 0);
        other = hasher;
        OK(hashmill_hasher_update(&other, messages[i].data, messages[i].len / 3));
        OK(hashmill_hasher_export(&other, state, sizeof state, &written));
        OK(hashmill_hasher_import(&other, state, written));
        OK(hashmill_hasher_update(&other, large + i + messages[i].len / 3, messages[i].len - messages[i].len / 3));
        OK(hashmill_hasher_finalize(&other, out, LONGEST));
        CHECK(memcmp(out, expected, LONGEST) == 0);
        OK(hashmill_hasher_finalize_xof(&other, &xof));
        OK(hashmill_xof_squeeze(&xof, out, 5));
        OK(hashmill_xof_squeeze(&xof, out + 5, LONGEST - 5));
        CHECK(memcmp(out, expected, LONGEST) == 0);
    }
    /* A message of 29 bits: the bytes "abc" and the bits 10101. */
    OK(hashmill_hasher_init_ascon_cxof128(&hasher, "bits", 4));
    OK(hashmill_hasher_update(&hasher, "abc", 3));
    OK(hashmill_hasher_finalize_bits(&hasher, 0xF5, 5, out, 8));
    CHECK(memcmp(out, "\xab\x5f\x11\xbe\x01\x5f\xd9\x47", 8) == 0);
    FAILS(hashmill_hasher_finalize_bits(&hasher, 0, 8, out, 8), TOO_MANY_BITS);
    OK(hashmill_hasher_init_ascon_cxof128(&hasher, long_custom, 256));
    FAILS(hashmill_hasher_init_ascon_cxof128(&hasher, long_custom, 257), CUSTOMIZATION_LENGTH);
    FAILS(hashmill_ascon_cxof128(NULL, 0, long_custom, 257, out, 32), CUSTOMIZATION_LENGTH);
    FAILS(hashmill_ascon_cxof128(NULL, 1, NULL, 0, out, 32), NULL);
    FAILS(hashmill_hasher_init(&hasher, HASHMILL_ASCON_CXOF128), PARAMETERS);
    FAILS(hashmill_hash(HASHMILL_ASCON_CXOF128, "", 0, out, 32), UNKNOWN_ALGORITHM);
}

/* A context works with only the number of bytes that hashmill_hasher_size() or hashmill_hmac_size()
 * returns. */
static void sizes(void) {
    static hashmill_hasher hasher;
    static hashmill_hmac_context hmac;
    hashmill_algorithm a;
    uint8_t expected[LONGEST], out[LONGEST];
    size_t i, size;
    for (a = -300; a < 600; a++) {
        const bool table = is_listed(a);
        size = hashmill_hasher_size(a);
        CHECK((size > 0) == (table || is_further(a)) && size <= HASHMILL_HASHER_SIZE);
        CHECK((hashmill_hmac_size(a) > 0) == (table && has_hmac(a)));
        if (!table && !is_further(a))
            continue;
        memset(&hasher, 0x5A, sizeof hasher);
        if (table) {
            OK(hashmill_hasher_init(&hasher, a));
            OK(hashmill_hasher_update(&hasher, large, LARGE_LEN));
            OK(hashmill_hasher_finalize(&hasher, out, wanted(a)));
            OK(hashmill_hash(a, large, LARGE_LEN, expected, wanted(a)));
            CHECK(memcmp(out, expected, wanted(a)) == 0);
        } else
            begin(&hasher, a);
        hashmill_hasher_wipe(&hasher);
        for (i = size; i < sizeof hasher; i++)
            CHECK(hasher.opaque[i] == 0x5A);
        for (i = 0; i < size; i++)
            CHECK(hasher.opaque[i] == 0);
    }
    CHECK(hashmill_hasher_size(HASHMILL_SHA256) < 200 && hashmill_hasher_size(HASHMILL_SHA256) > 32);
    for (a = HASHMILL_SHA224; a <= HASHMILL_BLAKE2SP; a++) {
        memset(&hmac, 0x5A, sizeof hmac);
        OK(hashmill_hmac_init(&hmac, a, key, 64));
        OK(hashmill_hmac_update(&hmac, message, 500));
        OK(hashmill_hmac_finalize(&hmac, out, hashmill_output_len(a)));
        hashmill_hmac_wipe(&hmac);
        for (i = hashmill_hmac_size(a); i < sizeof hmac; i++)
            CHECK(hmac.opaque[i] == 0x5A);
        for (i = 0; i < hashmill_hmac_size(a); i++)
            CHECK(hmac.opaque[i] == 0);
    }
}

#ifndef OVER_HEADERS
/* Roots over few leaves: the Certificate Transparency project's test tree (merkle_tree_test.cc) of
 * three entries, Bitcoin's block 100,000, whose digests are printed with their bytes in the opposite
 * order, and three leaves of zeros, whose root is that of Ethereum's deposit contract. */
static void merkle_trees(void) {
    static const char *const ids[4] = {"8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
                                       "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
                                       "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
                                       "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d"};
    static const hashmill_bytes entries[3] = {{"", 0}, {"\0", 1}, {"\x10", 1}};
    hashmill_hasher leaf;
    uint8_t leaves[4 * 32], root[32], expected[32];
    size_t i, k;
    OK(hashmill_hasher_init(&leaf, HASHMILL_SHA256));
    OK(hashmill_hasher_update(&leaf, "\0", 1));
    OK(hashmill_hasher_finish_many(&leaf, entries, 3, leaves, 32));
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, leaves, 3 * 32, root, 32));
    from_hex("aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77", expected);
    CHECK(memcmp(root, expected, 32) == 0);
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, NULL, 0, root, 32));
    from_hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", expected);
    CHECK(memcmp(root, expected, 32) == 0);

    for (i = 0; i < 4; i++) {
        from_hex(ids[i], expected);
        for (k = 0; k < 32; k++)
            leaves[32 * i + 31 - k] = expected[k];
    }
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_BITCOIN, leaves, sizeof leaves, leaves, 32));
    from_hex("f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766", expected);
    for (k = 0; k < 32; k++)
        CHECK(leaves[31 - k] == expected[k]);

    memset(leaves, 0, sizeof leaves);
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, leaves, 3 * 32, root, 32));
    from_hex("db56114e00fdd4c1f85c892bf35ac9a89289aaecb1ebd0a96cde606a748b5d71", expected);
    CHECK(memcmp(root, expected, 32) == 0);

    /* commonware's roots of no entry, and of one that is empty (vectors/systems/merkle.json). */
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_COMMONWARE_MMR, NULL, 0, root, 32));
    from_hex("01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca", expected);
    CHECK(memcmp(root, expected, 32) == 0);
    memset(leaves, 0, sizeof leaves);
    OK(hashmill_hash(HASHMILL_SHA256, NULL, 0, leaves + 4, 32));
    OK(hashmill_hash(HASHMILL_SHA256, leaves, 36, leaves, 32));
    OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_COMMONWARE_BMT, leaves, 32, root, 32));
    from_hex("765e16c9c8130eda31b6ca8c6be051e77879da7618a5747ec59e851467a8395f", expected);
    CHECK(memcmp(root, expected, 32) == 0);

    /* dm-verity's root of two blocks (vectors/systems/merkle.json). */
    {
        uint8_t block[4097];
        for (i = 0; i < sizeof block; i++)
            block[i] = (uint8_t)(i % 251);
        OK(hashmill_hash(HASHMILL_SHA256, block, 4096, leaves, 32));
        OK(hashmill_hash(HASHMILL_SHA256, block + 1, 4096, leaves + 32, 32));
        OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_VERITY, leaves, 64, root, 32));
        from_hex("128e755acaab9745926612022dc7bb3fbe1747b9d6354ed3c03d029be9d1788c", expected);
        CHECK(memcmp(root, expected, 32) == 0);
    }

    /* The path of the first of three leaves: the second, and the third, which moved up. */
    {
        uint8_t path[2 * 32], pair[65] = {1}, all[65] = {1};
        memset(leaves, 7, 32);
        memset(path, 8, 32);
        memset(path + 32, 9, 32);
        memcpy(pair + 1, leaves, 32);
        memcpy(pair + 33, path, 32);
        OK(hashmill_hash(HASHMILL_SHA256, pair, 65, all + 1, 32));
        memcpy(all + 33, path + 32, 32);
        OK(hashmill_hash(HASHMILL_SHA256, all, 65, expected, 32));
        OK(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, leaves, 0, 3, path, 64, root, 32));
        CHECK(memcmp(root, expected, 32) == 0);
        FAILS(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, leaves, 0, 3, path, 32, root, 32),
              PARAMETERS);
        FAILS(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, leaves, 3, 3, path, 64, root, 32),
              PARAMETERS);
        FAILS(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, leaves, 0, 1, NULL, 0, root, 33),
              PARAMETERS);
        FAILS(hashmill_merkle_root_of_path(HASHMILL_SHA256, 0, leaves, 0, 3, path, 64, root, 32), PARAMETERS);
        FAILS(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, NULL, 0, 3, path, 64, root, 32),
              NULL);
        CHECK(memcmp(root, expected, 32) == 0);
    }

    /* The Certificate Transparency project's test tree of seven entries: paths, and a tree that grows by 1,
     * 2 and 4 leaves. The second node of the third entry's path is the root of the first two. */
    {
        static const hashmill_bytes all[7] = {{"", 0}, {"\0", 1}, {"\x10", 1}, {" !", 2}, {"01", 2},
                                              {"@ABC", 4}, {"PQRSTUVW", 8}};
        static const size_t indices[2] = {2, 6};
        uint8_t nodes[7 * 32], given[7 * 32], peaks[3 * 32], paths[2 * 96], mmr[3 * 32];
        uint64_t n = 0;
        size_t lens[2], piece;
        OK(hashmill_hasher_finish_many(&leaf, all, 7, nodes, 32));
        memcpy(given, nodes, sizeof nodes);
        OK(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, sizeof given, expected, 32));
        for (piece = 1; piece <= 4; piece *= 2) {
            memcpy(given, nodes + 32 * n, 32 * piece);
            OK(hashmill_merkle_append(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, 32, &n, peaks, sizeof peaks, given,
                                      32 * piece));
        }
        CHECK(n == 7);
        OK(hashmill_merkle_root_of_peaks(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, n, peaks, 96, root, 32));
        CHECK(memcmp(root, expected, 32) == 0 && memcmp(peaks + 64, nodes + 6 * 32, 32) == 0);
        FAILS(hashmill_merkle_root_of_peaks(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, n, peaks, 95, root, 32),
              OUTPUT_LENGTH);
        FAILS(hashmill_merkle_append(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, 32, NULL, peaks, 96, given, 0), NULL);
        FAILS(hashmill_merkle_append(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, 32, &n, peaks, 95, given, 0),
              OUTPUT_LENGTH);
        FAILS(hashmill_merkle_append(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, 32, &n, peaks, 96, given, 31),
              ROW_WIDTH);
        FAILS(hashmill_merkle_append(HASHMILL_SHA256, 0, 32, &n, peaks, 96, given, 32), PARAMETERS);
        CHECK(n == 7);

        memcpy(given, nodes, sizeof nodes);
        FAILS(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, sizeof given, indices, 2, paths, 95,
                                    lens, root, 32),
              CAPACITY);
        FAILS(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, 6 * 32, indices, 2, paths, 96, lens,
                                    root, 32),
              PARAMETERS);
        FAILS(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, sizeof given, indices, 2, paths, 96,
                                    NULL, root, 32),
              NULL);
        lens[0] = 55;
        FAILS(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, sizeof given - 1, indices, 1, paths,
                                    96, lens, root, 32),
              ROW_WIDTH);
        CHECK(lens[0] == 55);
        CHECK(memcmp(given, nodes, sizeof nodes) == 0);
        memset(root, 0, 32);
        OK(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, given, sizeof given, indices, 2, paths, 96,
                                 lens, root, 32));
        CHECK(memcmp(root, expected, 32) == 0 && lens[0] == 96 && lens[1] == 64);
        CHECK(memcmp(paths, nodes + 3 * 32, 32) == 0);
        from_hex("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125", expected);
        CHECK(memcmp(paths + 32, expected, 32) == 0);
        for (i = 0; i < 2; i++) {
            OK(hashmill_merkle_root_of_path(HASHMILL_SHA256, HASHMILL_MERKLE_RFC6962, nodes + 32 * indices[i],
                                            indices[i], 7, paths + 96 * i, lens[i], expected, 32));
            CHECK(memcmp(root, expected, 32) == 0);
        }

        /* commonware's mountain range: another peak follows each of the siblings. */
        n = 0;
        memcpy(given, nodes, sizeof nodes);
        OK(hashmill_merkle_append(HASHMILL_SHA256, HASHMILL_MERKLE_COMMONWARE_MMR, 32, &n, mmr, sizeof mmr, given,
                                  sizeof given));
        OK(hashmill_merkle_root_of_peaks(HASHMILL_SHA256, HASHMILL_MERKLE_COMMONWARE_MMR, n, mmr, sizeof mmr, expected,
                                         32));
        memcpy(given, nodes, sizeof nodes);
        OK(hashmill_merkle_paths(HASHMILL_SHA256, HASHMILL_MERKLE_COMMONWARE_MMR, given, sizeof given, indices + 1, 1,
                                 paths, 96, lens, root, 32));
        CHECK(memcmp(root, expected, 32) == 0 && lens[0] == 64 && memcmp(paths, mmr, 64) == 0);
    }

    /* Four nodes of 20 bytes below the root, of which the last two are zeros. */
    memset(leaves, 0, sizeof leaves);
    memset(leaves, 7, 40);
    OK(hashmill_hash(HASHMILL_SHA256, leaves, 80, expected, 32));
    OK(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 4, leaves, 40, root, 20));
    CHECK(memcmp(root, expected, 20) == 0);

    /* As many nodes of 16 bytes as fit in a block of dm-verity, of which two are not zeros. */
    {
        static uint8_t block[4096];
        memset(block, 7, 32);
        memset(leaves, 7, 32);
        OK(hashmill_hash(HASHMILL_SHA256, block, sizeof block, expected, 32));
        OK(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_VERITY, 0, leaves, 32, root, 16));
        CHECK(memcmp(root, expected, 16) == 0);
    }

    memset(leaves, 7, sizeof leaves);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, 0, 4, leaves, 80, root, 20), PARAMETERS);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 1, leaves, 80, root, 20), MERKLE_SHAPE);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 2, leaves, 80, root, 0), MERKLE_SHAPE);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 2, leaves, 66, root, 33), MERKLE_SHAPE);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 4, leaves, 81, root, 20), ROW_WIDTH);
    FAILS(hashmill_merkle_root_of(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, 4, leaves, 80, NULL, 20), NULL);
    FAILS(hashmill_merkle_root(0, HASHMILL_MERKLE_SSZ, leaves, 64, root, 32), UNKNOWN_ALGORITHM);
    FAILS(hashmill_merkle_root(HASHMILL_SHA256, 0, leaves, 64, root, 32), PARAMETERS);
    FAILS(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, leaves, 65, root, 32), ROW_WIDTH);
    FAILS(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, leaves, 64, root, 31), OUTPUT_LENGTH);
    FAILS(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, leaves, 64, NULL, 32), NULL);
    FAILS(hashmill_merkle_root(HASHMILL_SHA256, HASHMILL_MERKLE_SSZ, NULL, 64, root, 32), NULL);
    for (i = 0; i < sizeof leaves; i++)
        CHECK(leaves[i] == 7);
}

/* Answers of the systems' own tools (vectors/systems/trees.json): no byte, a whole block, one byte
 * more, and more levels. Byte i of the file is i mod 251. */
static void file_trees(void) {
    static uint8_t file[1048577];
    static const struct {
        const char *system;
        size_t len;
        uint64_t blocks;
        const char *digest;
    } answers[] = {
        {"fs-verity", 0, 0, "3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95"},
        {"fs-verity", 4096, 1, "13e9b8848ae484a36acb3f3cac0ceb2f7601e96633d15c92f9bd3dd44e492157"},
        {"fs-verity", 4097, 2, "b0d074abef4d544404facfab6ba242f6a8ccbde90f1325cd286f3c8aa8d0f8aa"},
        {"fs-verity", 524289, 129, "4dc6905041c9c4ee73e13b53f63f5d289c46da359b664a965ead7f8cc4d799d4"},
        {"SHA-512", 0, 0, "3c19078bbad479d53ea7c7c38b9fb16ca14c798b489f6d06f7f5a49fd0f83303"
                          "65d144c75a806e108b2d29b35fc04970b261e39b66f97543a713d60887e1651e"},
        {"SHA-512", 1024, 1, "e7c079c9396fa55e35cb0d431c382e8c80bffd9391b4c929abe0100265daf3f4"
                             "a80643f3a474a41fbbbe63a2f1742c1760cec9b176302f5c4b660db8215d3202"},
        {"SHA-512", 1025, 2, "deca54b4661206ce00956898f01ef01069d924de8688553add1ba4d5dc279a97"
                             "89d38f8b051a058b88449343d3c12ef5734c13515e7ecbd41e70556d77a67158"},
        {"SHA-512", 262145, 257, "988efc6ecd0ae396359c6fd43fa013b66b4c73da0c928450250647d3d34f702b"
                                 "74a394dd2673b345474505c9570742d678d0f225adbb74beedfb520b91281d59"},
        {"BitTorrent v2", 16384, 1, "4348e3b98e8a327b34ced39c1da9e67cdb4cd5e48e4d7960607a3ae403d35f0c"},
        {"BitTorrent v2", 16385, 2, "9d7887c65d577a0237fb3c0998b87b3a62762d03796889a2caea01db914ccbb8"},
        {"BitTorrent v2", 65537, 5, "27e4ccf8e3d554bfce504235da1292c2c8beb24ba5b3e1cd62f41bd692517fbe"},
        {"Glacier", 0, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"Glacier", 1048576, 1, "631b84027d6b9e52b539c4e8373622d23032dfadc64d60af87339c9037e4f769"},
        {"Glacier", 1048577, 2, "a9c574ce937d2371daf87cdd0e75396b096d7f74a66c764e4c656bd12b2e7bf9"},
        {"Dropbox", 0, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"Dropbox", 1, 1, "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a"},
        {"S3", 700, 7, "dd18eb2a4f513f9cfd2223b0e0911cfacfe966aad6cb706292bd39407b092b26"},
        {"S3", 701, 8, "354a332a087fa12523d0f90a86dbcae63c569fbcd2b49fe1ba38cdfd59b5ce8a"},
    };
    hashmill_file_tree tree, copy;
    uint8_t salt[33], digest[64], expected[64];
    uint64_t blocks;
    size_t i;
    for (i = 0; i < sizeof file; i++)
        file[i] = (uint8_t)(i % 251);
    for (i = 0; i < sizeof salt; i++)
        salt[i] = (uint8_t)i;
    for (i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const size_t len = answers[i].len, out_len = strlen(answers[i].digest) / 2;
        memset(&tree, 0x5A, sizeof tree);
        switch (answers[i].system[0]) {
        case 'f':
            OK(hashmill_file_tree_init_fs_verity(&tree, HASHMILL_SHA256, 4096, NULL, 0));
            break;
        case 'B':
            OK(hashmill_file_tree_init_bittorrent(&tree));
            break;
        case 'G':
            OK(hashmill_file_tree_init_glacier(&tree));
            break;
        case 'D':
            OK(hashmill_file_tree_init_dropbox(&tree));
            break;
        default:
            if (answers[i].system[1] == '3')
                OK(hashmill_file_tree_init_s3(&tree, 100));
            else
                OK(hashmill_file_tree_init_fs_verity(&tree, HASHMILL_SHA512, 1024, salt, 32));
        }
        /* In two parts, of which a copy takes the second. */
        OK(hashmill_file_tree_update(&tree, file, len / 3));
        copy = tree;
        OK(hashmill_file_tree_update(&copy, file + len / 3, len - len / 3));
        OK(hashmill_file_tree_finalize(&copy, digest, out_len));
        from_hex(answers[i].digest, expected);
        CHECK(memcmp(digest, expected, out_len) == 0);
        OK(hashmill_file_tree_blocks(&copy, &blocks));
        CHECK(blocks == answers[i].blocks);
        FAILS(hashmill_file_tree_finalize(&copy, digest, out_len - 1), OUTPUT_LENGTH);
        hashmill_file_tree_wipe(&copy);
        FAILS(hashmill_file_tree_update(&copy, file, 1), CONTEXT);
        FAILS(hashmill_file_tree_finalize(&copy, digest, out_len), CONTEXT);
        FAILS(hashmill_file_tree_blocks(&copy, &blocks), CONTEXT);
    }
    FAILS(hashmill_file_tree_init_fs_verity(&copy, HASHMILL_BLAKE3, 4096, NULL, 0), VERITY);
    FAILS(hashmill_file_tree_init_fs_verity(&copy, HASHMILL_SHA256, 4095, NULL, 0), VERITY);
    FAILS(hashmill_file_tree_init_fs_verity(&copy, HASHMILL_SHA256, 4096, salt, 33), VERITY);
    FAILS(hashmill_file_tree_init_fs_verity(&copy, 0, 4096, NULL, 0), UNKNOWN_ALGORITHM);
    FAILS(hashmill_file_tree_init_s3(&copy, 0), PARAMETERS);
    FAILS(hashmill_file_tree_init_glacier(NULL), NULL);
    FAILS(hashmill_file_tree_update(&tree, NULL, 1), NULL);
    hashmill_file_tree_wipe(&tree);
    hashmill_file_tree_wipe(NULL);
}
#endif

/* Everything that depends on the backend. */
static void all(void) {
    size_t i;
    hashmill_algorithm a;
    answers();
    named_functions();
    functions();
    streams();
    limits();
    keys();
    parameters();
    ascon();
#ifndef OVER_HEADERS
    updates();
    squeezes();
    mac_updates();
    nodes();
    further_functions();
    merkle_trees();
    file_trees();
    subtrees();
    block_functions();
#endif
    sizes();
    misused_contexts();
    for (i = 0; (a = hashmill_algorithm_at(i)) != 0; i++) {
        pieces(a);
        last_bits(a);
        saved_states(a);
        keyed_states(a);
        macs(a);
        many(a);
#ifndef OVER_HEADERS
        columns(a);
#endif
    }
}

int main(void) {
    size_t i, backend = 1;
    for (i = 0; i < MESSAGE_LEN; i++)
        message[i] = (uint8_t)(i % 251);
    for (i = 0; i < LARGE_LEN; i++)
        large[i] = (uint8_t)(i % 253);
    table();
    statuses();
#ifdef OVER_HEADERS
    all();
#else
    hashmill_algorithm a = HASHMILL_SHA256;
    const char *name = "";
    OK(hashmill_self_test(&a, &name));
    CHECK(a == 0 && name == NULL);
    OK(hashmill_self_test(NULL, NULL));
    FAILS(hashmill_backend_force("no such"), UNKNOWN_BACKEND);
    for (backend = 0; (name = hashmill_backend_name(backend)) != NULL; backend++) {
        hashmill_status status = hashmill_backend_force(name);
        if (status == HASHMILL_ERROR_BACKEND_NOT_AVAILABLE) {
            printf("%s: not on this CPU\n", name);
            continue;
        }
        CHECK(status == HASHMILL_OK);
        all();
    }
    OK(hashmill_backend_force(NULL));
#endif
    printf("%lu checks on %lu backends\n", checks, (unsigned long)backend);
    return 0;
}
