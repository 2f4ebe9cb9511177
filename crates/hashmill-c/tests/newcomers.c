/* What people write who come from OpenSSL, libsodium, the C library of BLAKE3 and LibTomCrypt, before
 * they have read anything but the names. Each function is a program of its own. It returns whether
 * the result is right. */

#include <hashmill.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ABC[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/* As every C program writes it. */
static const char *hex(const unsigned char *bytes, size_t len) {
    static char text[2 * 64 + 1];
    size_t i;
    for (i = 0; i < len; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return text;
}

static int one_call(void) {
    unsigned char md[32];
    hashmill_sha256("abc", 3, md);
    return strcmp(hex(md, 32), ABC) == 0;
}

static int with_a_status(void) {
    const char *message = "abc";
    uint8_t digest[32];
    hashmill_status status = hashmill_sha256(message, strlen(message), digest);
    if (status != HASHMILL_OK) {
        fprintf(stderr, "%s\n", hashmill_status_text(status));
        return 0;
    }
    return strcmp(hex(digest, sizeof digest), ABC) == 0;
}

static int parts(void) {
    hashmill_hasher ctx;
    unsigned char md[32];
    if (hashmill_hasher_init(&ctx, HASHMILL_SHA256))
        return 0;
    hashmill_hasher_update(&ctx, "a", 1);
    hashmill_hasher_update(&ctx, "bc", 2);
    hashmill_hasher_finalize(&ctx, md, sizeof md);
    hashmill_hasher_wipe(&ctx);
    return strcmp(hex(md, 32), ABC) == 0;
}

static int a_context_on_the_heap(void) {
    hashmill_hasher *ctx = malloc(sizeof *ctx);
    unsigned char md[64];
    int right;
    if (!ctx)
        return 0;
    right = hashmill_hasher_init(ctx, HASHMILL_SHA512) == HASHMILL_OK &&
            hashmill_hasher_update(ctx, "abc", 3) == HASHMILL_OK &&
            hashmill_hasher_finalize(ctx, md, 64) == HASHMILL_OK;
    hashmill_hasher_wipe(ctx);
    free(ctx);
    return right && strncmp(hex(md, 64), "ddaf35a193617aba", 16) == 0;
}

static int a_copy(void) {
    hashmill_hasher ctx, copy;
    unsigned char md[32], other[32];
    hashmill_hasher_init(&ctx, HASHMILL_SHA256);
    hashmill_hasher_update(&ctx, "ab", 2);
    copy = ctx;
    hashmill_hasher_update(&ctx, "c", 1);
    hashmill_hasher_update(&copy, "x", 1);
    hashmill_hasher_finalize(&ctx, md, 32);
    hashmill_hasher_finalize(&copy, other, 32);
    return strcmp(hex(md, 32), ABC) == 0 && memcmp(md, other, 32) != 0;
}

static int a_file(void) {
    FILE *file = tmpfile();
    hashmill_hasher ctx;
    unsigned char buffer[2], md[32];
    size_t n;
    if (!file)
        return 0;
    fputs("abc", file);
    rewind(file);
    hashmill_hasher_init(&ctx, HASHMILL_SHA256);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        hashmill_hasher_update(&ctx, buffer, n);
    fclose(file);
    hashmill_hasher_finalize(&ctx, md, sizeof md);
    return strcmp(hex(md, 32), ABC) == 0;
}

/* EVP_get_digestbyname. */
static int by_name(void) {
    hashmill_algorithm algorithm;
    unsigned char md[HASHMILL_MAX_OUTPUT_LEN];
    if (hashmill_algorithm_by_name("sha256", &algorithm) != HASHMILL_OK)
        return 0;
    if (hashmill_hash(algorithm, "abc", 3, md, hashmill_output_len(algorithm)) != HASHMILL_OK)
        return 0;
    return strcmp(hex(md, hashmill_output_len(algorithm)), ABC) == 0 &&
           hashmill_algorithm_by_name("md5", &algorithm) == HASHMILL_ERROR_UNKNOWN_ALGORITHM;
}

/* EVP_MD_do_all. */
static int all_algorithms(void) {
    size_t i, count = 0;
    hashmill_algorithm algorithm;
    for (i = 0; (algorithm = hashmill_algorithm_at(i)) != 0; i++)
        count += hashmill_algorithm_name(algorithm) != NULL && hashmill_block_len(algorithm) > 0;
    return count == i && count > 15;
}

static int hmac(void) {
    static const char message[] = "The quick brown fox jumps over the lazy dog";
    unsigned char tag[32];
    hashmill_hmac(HASHMILL_SHA256, "key", 3, message, strlen(message), tag, sizeof tag);
    return strcmp(hex(tag, 32), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8") == 0;
}

static int hmac_in_parts(void) {
    hashmill_hmac_context ctx;
    unsigned char tag[32], whole[32];
    hashmill_hmac_init(&ctx, HASHMILL_SHA256, "key", 3);
    hashmill_hmac_update(&ctx, "mess", 4);
    hashmill_hmac_update(&ctx, "age", 3);
    hashmill_hmac_finalize(&ctx, tag, 32);
    hashmill_hmac(HASHMILL_SHA256, "key", 3, "message", 7, whole, 32);
    return memcmp(tag, whole, 32) == 0 && hashmill_hmac_verify(&ctx, whole, 32) == HASHMILL_OK;
}

/* crypto_generichash. */
static int blake2_of_a_length(void) {
    hashmill_hasher ctx;
    hashmill_blake2_params params;
    unsigned char md[32];
    hashmill_blake2_defaults(&params, sizeof params, HASHMILL_BLAKE2B);
    params.output_len = 32;
    hashmill_hasher_init_blake2(&ctx, HASHMILL_BLAKE2B, &params);
    hashmill_hasher_update(&ctx, "abc", 3);
    return hashmill_hasher_finalize(&ctx, md, 32) == HASHMILL_OK &&
           strncmp(hex(md, 32), "bddd813c63423972", 16) == 0;
}

static int blake3(void) {
    unsigned char md[32], longer[100], keyed[32];
    static const unsigned char key[32] = {1};
    hashmill_blake3("abc", 3, md, sizeof md);
    hashmill_blake3("abc", 3, longer, sizeof longer);
    hashmill_blake3_keyed(key, "abc", 3, keyed, 32);
    return strncmp(hex(md, 32), "6437b3ac38465133", 16) == 0 && memcmp(md, longer, 32) == 0 &&
           memcmp(md, keyed, 32) != 0;
}

static int shake(void) {
    unsigned char out[4], pieces[4];
    hashmill_hasher ctx;
    hashmill_xof xof;
    hashmill_shake128("abc", 3, out, sizeof out);
    hashmill_hasher_init(&ctx, HASHMILL_SHAKE128);
    hashmill_hasher_update(&ctx, "abc", 3);
    hashmill_hasher_finalize_xof(&ctx, &xof);
    hashmill_xof_squeeze(&xof, pieces, 1);
    hashmill_xof_squeeze(&xof, pieces + 1, 3);
    return strcmp(hex(out, 4), "5881092d") == 0 && memcmp(out, pieces, 4) == 0;
}

/* PKCS5_PBKDF2_HMAC. */
static int pbkdf2(void) {
    unsigned char key[32];
    hashmill_pbkdf2(HASHMILL_SHA256, "password", 8, "salt", 4, 2, key, sizeof key);
    return strncmp(hex(key, 32), "ae4d0c95af6b46d3", 16) == 0;
}

static int hkdf(void) {
    unsigned char okm[42];
    return hashmill_hkdf(HASHMILL_SHA256, "salt", 4, "secret", 6, "info", 4, okm, sizeof okm) == HASHMILL_OK;
}

static int many(void) {
    hashmill_bytes messages[2] = {{"abc", 3}, {"b", 1}};
    unsigned char md[2][32];
    hashmill_hash_many(HASHMILL_SHA256, messages, 2, md, 32);
    return strcmp(hex(md[0], 32), ABC) == 0;
}

static int kmac(void) {
    unsigned char tag[32];
    return hashmill_kmac128("key", 3, NULL, 0, "abc", 3, tag, 32) == HASHMILL_OK;
}

/* CRYPTO_memcmp. */
static int tags_in_constant_time(void) {
    unsigned char tag[32] = {0}, other[32] = {0};
    int equal = hashmill_tag_verify(tag, 32, other, 32) == HASHMILL_OK;
    other[31] = 1;
    return equal && hashmill_tag_verify(tag, 32, other, 32) == HASHMILL_ERROR_TAG_MISMATCH;
}

static int a_hash_that_goes_on_later(void) {
    hashmill_hasher ctx;
    unsigned char state[HASHMILL_MAX_STATE_LEN], md[32];
    size_t len;
    hashmill_hasher_init(&ctx, HASHMILL_SHA256);
    hashmill_hasher_update(&ctx, "a", 1);
    hashmill_hasher_export(&ctx, state, sizeof state, &len);
    hashmill_hasher_import(&ctx, state, len);
    hashmill_hasher_update(&ctx, "bc", 2);
    hashmill_hasher_finalize(&ctx, md, 32);
    return strcmp(hex(md, 32), ABC) == 0;
}

static int a_version(void) { return strlen(hashmill_version()) >= 5; }

#define PROGRAM(name) {#name, name}

int main(void) {
    static const struct {
        const char *name;
        int (*run)(void);
    } programs[] = {
        PROGRAM(one_call),
        PROGRAM(with_a_status),
        PROGRAM(parts),
        PROGRAM(a_context_on_the_heap),
        PROGRAM(a_copy),
        PROGRAM(a_file),
        PROGRAM(by_name),
        PROGRAM(all_algorithms),
        PROGRAM(hmac),
        PROGRAM(hmac_in_parts),
        PROGRAM(blake2_of_a_length),
        PROGRAM(blake3),
        PROGRAM(shake),
        PROGRAM(pbkdf2),
        PROGRAM(hkdf),
        PROGRAM(many),
        PROGRAM(kmac),
        PROGRAM(tags_in_constant_time),
        PROGRAM(a_hash_that_goes_on_later),
        PROGRAM(a_version),
    };
    size_t i, wrong = 0;
    for (i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (!programs[i].run()) {
            fprintf(stderr, "newcomers.c: %s\n", programs[i].name);
            wrong++;
        }
    }
    return wrong != 0;
}
