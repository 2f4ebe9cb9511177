/* Uses a key with the functions of hashmill.h, for the test `remains` (scan.rs), which starts this
 * program for each use and then searches its memory for secrets.
 *
 * It is linked with `-z lazy`: the first call of each function of a library goes through the dynamic
 * linker, which saves the vector registers on the stack. So after each call of hashmill it writes
 * the registers to memory, and then calls a function of libc that it has not called before. */

#include <hashmill.h>

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* ---- Registers -------------------------------------------------------------------------------- */

/* 32 vector registers of 64 bytes, then eight general registers. */
typedef uint8_t registers[32 * 64 + 8 * 8];

registers now;
static registers all[16];
static unsigned calls;

/* Writes the registers to memory as they are now. */
static inline __attribute__((always_inline)) void write_registers(void) {
    if (__builtin_cpu_supports("avx512f")) {
        __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                         "vmovdqu64 %%zmm\\r, now+64*\\r(%%rip)\n"
                         ".endr\n"
                         ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
                         "vmovdqu64 %%zmm\\r, now+64*\\r(%%rip)\n"
                         ".endr" ::: "memory");
    } else {
        __asm__ volatile(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                         "movdqu %%xmm\\r, now+64*\\r(%%rip)\n"
                         ".endr" ::: "memory");
    }
    __asm__ volatile("mov %%rcx, now+2048(%%rip)\n"
                     "mov %%rdx, now+2056(%%rip)\n"
                     "mov %%rsi, now+2064(%%rip)\n"
                     "mov %%rdi, now+2072(%%rip)\n"
                     "mov %%r8, now+2080(%%rip)\n"
                     "mov %%r9, now+2088(%%rip)\n"
                     "mov %%r10, now+2096(%%rip)\n"
                     "mov %%r11, now+2104(%%rip)" ::: "memory");
}

/* The compiler removes a call whose result is not used. */
uintptr_t result;

/* Calls a function of libc for the first time. */
static inline __attribute__((always_inline)) void call_another(void) {
    char text[] = "12 words";
    switch (calls) {
    case 0: result = strspn(text, "0123456789"); break;
    case 1: result = strcspn(text, " "); break;
    case 2: result = (uintptr_t)strpbrk(text, "w"); break;
    case 3: result = (uintptr_t)atol(text); break;
    case 4: result = (uintptr_t)strcoll(text, "13"); break;
    case 5: result = (uintptr_t)strtok(text, " "); break;
    case 6: result = (uintptr_t)strstr(text, "wo"); break;
    case 7: result = strxfrm(NULL, text, 0); break;
    case 8: result = strtoul(text, NULL, 10); break;
    case 9: result = (uintptr_t)strrchr(text, 'w'); break;
    case 10: result = (uintptr_t)strtod(text, NULL); break;
    case 11: result = (uintptr_t)strnlen(text, 4); break;
    default:
        fputs("a use makes more calls than there are functions in call_another()\n", stderr);
        abort();
    }
}

/* What comes after each call of the library, with its status. */
static NOINLINE void after(hashmill_status status) {
    write_registers();
    call_another();
    memcpy(all[calls], now, sizeof(now));
    calls++;
    if (status != HASHMILL_OK && status != HASHMILL_ERROR_TAG_MISMATCH) {
        fputs(hashmill_status_text(status), stderr);
        exit(1);
    }
}

/* ---- Uses ------------------------------------------------------------------------------------- */

/* What a use is given. */
static uint8_t key[256], message[2000];
static size_t key_len, short_len, long_len;
static const char salt[] = "salt, 16 bytes..";
static uint8_t out[40 * 64];

static hashmill_bytes messages[40];

static void hmac(hashmill_algorithm algorithm) {
    after(hashmill_hmac(algorithm, key, key_len, message, short_len, out, hashmill_output_len(algorithm)));
}

static void hmac_context(hashmill_algorithm algorithm) {
    const size_t len = hashmill_output_len(algorithm);
    hashmill_hmac_context context, copy;
    after(hashmill_hmac_init(&context, algorithm, key, key_len));
    after(hashmill_hmac_finish(&context, message, short_len, out, len));
    copy = context;
    after(hashmill_hmac_update(&copy, message, short_len));
    after(hashmill_hmac_update(&copy, message, long_len));
    after(hashmill_hmac_finalize(&copy, out, len));
    after(hashmill_hmac_verify(&copy, out, len));
    after(hashmill_hmac_finish_many(&context, messages, 40, out, len));
    hashmill_hmac_wipe(&context);
    hashmill_hmac_wipe(&copy);
}

static void hkdf(hashmill_algorithm algorithm) {
    after(hashmill_hkdf(algorithm, salt, 16, key, key_len, message, short_len, out, 200));
}

static void hkdf_context(hashmill_algorithm algorithm) {
    hashmill_hkdf_context context;
    after(hashmill_hkdf_init(&context, algorithm, salt, 16, key, key_len));
    after(hashmill_hkdf_expand(&context, message, short_len, out, 200));
    after(hashmill_hkdf_expand_many(&context, messages, 40, out, 16));
    hashmill_hkdf_wipe(&context);
}

static void hkdf_extract(hashmill_algorithm algorithm) {
    const size_t len = hashmill_output_len(algorithm);
    after(hashmill_hkdf_extract(algorithm, salt, 16, key, key_len, out, len));
    memset(out, 0, len);
}

static void pbkdf2(hashmill_algorithm algorithm) {
    after(hashmill_pbkdf2(algorithm, key, key_len, salt, 16, 3, out, 150));
}

static void kmac_once(hashmill_algorithm algorithm) {
    if (algorithm == HASHMILL_KMAC128) {
        after(hashmill_kmac128(key, key_len, "", 0, message, short_len, out, 32));
    } else {
        after(hashmill_kmac256(key, key_len, "", 0, message, short_len, out, 32));
    }
}

/* Uses a hasher that has absorbed a key, and wipes it. */
static void use(hashmill_hasher *hasher, size_t len) {
    hashmill_hasher copy;
    uint8_t state[HASHMILL_MAX_KEYED_STATE_LEN];
    size_t state_len = 0;
    after(hashmill_hasher_finish(hasher, message, short_len, out, len));
    after(hashmill_hasher_finish_many(hasher, messages, 40, out, len));
    after(hashmill_hasher_update(hasher, message, short_len));
    after(hashmill_hasher_update(hasher, message, long_len));
    after(hashmill_hasher_finalize(hasher, out, len));
    after(hashmill_hasher_export(hasher, state, sizeof(state), &state_len));
    after(hashmill_hasher_import(&copy, state, state_len));
    after(hashmill_hasher_export_keyed(hasher, key, key_len, state, sizeof(state), &state_len));
    after(hashmill_hasher_import_keyed(&copy, key, key_len, state, state_len));
    hashmill_hasher_wipe(hasher);
    hashmill_hasher_wipe(&copy);
    explicit_bzero(state, sizeof(state));
}

static void kmac(hashmill_algorithm algorithm) {
    hashmill_hasher hasher;
    after(hashmill_hasher_init_kmac(&hasher, algorithm, key, key_len, "", 0));
    use(&hasher, 32);
}

static void blake2(hashmill_algorithm algorithm) {
    hashmill_hasher hasher;
    hashmill_blake2_params params;
    after(hashmill_blake2_defaults(&params, sizeof(params), algorithm));
    params.key = (hashmill_bytes){key, key_len};
    after(hashmill_hasher_init_blake2(&hasher, algorithm, &params));
    use(&hasher, hashmill_output_len(algorithm));
}

static void blake2_once(hashmill_algorithm algorithm) {
    const size_t len = hashmill_output_len(algorithm);
    switch (algorithm) {
    case HASHMILL_BLAKE2B: after(hashmill_blake2b_keyed(key, key_len, message, short_len, out, len)); break;
    case HASHMILL_BLAKE2S: after(hashmill_blake2s_keyed(key, key_len, message, short_len, out, len)); break;
    case HASHMILL_BLAKE2BP: after(hashmill_blake2bp_keyed(key, key_len, message, short_len, out, len)); break;
    default: after(hashmill_blake2sp_keyed(key, key_len, message, short_len, out, len));
    }
}

static void blake2x(hashmill_algorithm algorithm) {
    if (algorithm == HASHMILL_BLAKE2B) {
        after(hashmill_blake2xb(message, short_len, key, key_len, out, 200));
    } else {
        after(hashmill_blake2xs(message, short_len, key, key_len, out, 200));
    }
}

static void blake3(hashmill_algorithm algorithm) {
    hashmill_hasher hasher;
    (void)algorithm;
    after(hashmill_hasher_init_blake3_keyed(&hasher, key));
    use(&hasher, 32);
}

static void blake3_once(hashmill_algorithm algorithm) {
    (void)algorithm;
    after(hashmill_blake3_keyed(key, message, long_len, out, 40));
}

/* For the test itself: the dynamic linker saves the key from a register, so the scan must find it. */
static void left(hashmill_algorithm algorithm) {
    (void)algorithm;
    __asm__ volatile("movdqu %0, %%xmm7" ::"m"(key) : "xmm7");
    call_another();
    calls++;
    __asm__ volatile("pxor %%xmm7, %%xmm7" ::: "xmm7");
}

/* ---- The list --------------------------------------------------------------------------------- */

typedef struct {
    const char *function, *name;
    void (*run)(hashmill_algorithm);
} row;

static const row OF_HMAC[] = {
    {"hmac", "once", hmac},           {"hmac", "a context", hmac_context},
    {"hkdf", "once", hkdf},           {"hkdf", "a context", hkdf_context},
    {"hkdf", "extract", hkdf_extract}, {"pbkdf2", "once", pbkdf2},
};

/* A use: what the test must know of it, and what runs. */
typedef struct {
    row row;
    const char *of;
    hashmill_algorithm algorithm;
} one;

static size_t list(one *uses) {
    size_t count = 0;
    hashmill_algorithm algorithm;
    for (size_t i = 0; (algorithm = hashmill_algorithm_at(i)) != 0; i++) {
        const char *tag = hashmill_algorithm_tag(algorithm);
        const size_t len = hashmill_output_len(algorithm);
        if (!hashmill_is_xof(algorithm) && len <= hashmill_block_len(algorithm)) {
            for (size_t j = 0; j < sizeof(OF_HMAC) / sizeof(row); j++) {
                uses[count++] = (one){OF_HMAC[j], tag, algorithm};
            }
        }
        if (strncmp(tag, "BLAKE2", 6) == 0) {
            uses[count++] = (one){{"blake2", "a hasher", blake2}, tag, algorithm};
            uses[count++] = (one){{"blake2", "once", blake2_once}, tag, algorithm};
        }
        if (algorithm == HASHMILL_BLAKE2B || algorithm == HASHMILL_BLAKE2S) {
            uses[count++] = (one){{"blake2x", "once", blake2x}, tag, algorithm};
        }
    }
    uses[count++] = (one){{"kmac", "a hasher", kmac}, "168", HASHMILL_KMAC128};
    uses[count++] = (one){{"kmac", "a hasher", kmac}, "136", HASHMILL_KMAC256};
    uses[count++] = (one){{"kmac", "once", kmac_once}, "168", HASHMILL_KMAC128};
    uses[count++] = (one){{"kmac", "once", kmac_once}, "136", HASHMILL_KMAC256};
    uses[count++] = (one){{"blake3", "a hasher", blake3}, "BLAKE3", HASHMILL_BLAKE3};
    uses[count++] = (one){{"blake3", "once", blake3_once}, "BLAKE3", HASHMILL_BLAKE3};
    uses[count++] = (one){{"blake3", "left on purpose", left}, "BLAKE3", HASHMILL_BLAKE3};
    return count;
}

static void read_all(void *to, size_t len) {
    for (uint8_t *at = to; len > 0;) {
        const ssize_t got = read(0, at, len);
        if (got <= 0) {
            _exit(0);
        }
        at += got;
        len -= (size_t)got;
    }
}

int main(int argc, char **argv) {
    static one uses[400];
    const size_t count = list(uses);
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < count; i++) {
            printf("%s %s %s\n", uses[i].row.function, uses[i].of, uses[i].row.name);
        }
        return 0;
    }
    if (argc != 3 || hashmill_backend_force(strcmp(argv[2], "auto") == 0 ? NULL : argv[2]) != HASHMILL_OK) {
        return 1;
    }
    /* These are called after a use. They are bound now, because to bind them overwrites the stack.
     * memcpy() and memset() are bound when the library first calls them, if it is linked statically. */
    explicit_bzero(key, sizeof(key));
    if (write(1, out, 0) != 0) {
        return 1;
    }
    for (size_t i = 0; i < sizeof(message); i++) {
        message[i] = (uint8_t)(151 * i + 67 + i / 256);
    }
    for (;;) {
        uint16_t numbers[4];
        const uint64_t stack = 0;
        read_all(numbers, sizeof(numbers));
        key_len = numbers[1];
        short_len = numbers[2];
        long_len = numbers[3];
        for (size_t i = 0; i < 40; i++) {
            messages[i] = (hashmill_bytes){message, i * long_len / 40};
        }
        read_all(key, key_len);
        uses[numbers[0]].row.run(uses[numbers[0]].algorithm);
        explicit_bzero(key, sizeof(key));
        if (write(1, &stack, sizeof(stack)) != (ssize_t)sizeof(stack)) {
            return 1;
        }
    }
}
