// Agreement with node:crypto and noble-hashes.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import test from "node:test";
import { blake3 as nobleBlake3 } from "@noble/hashes/blake3.js";
import { keccak_256 as nobleKeccak } from "@noble/hashes/sha3.js";
import * as nobleBlake2 from "@noble/hashes/blake2.js";
import { hmac as nobleHmac } from "@noble/hashes/hmac.js";
import * as nobleAddons from "@noble/hashes/sha3-addons.js";
import { blake2b, blake2s } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { expand, extract, hkdf } from "hashmill/hkdf";
import { hmac } from "hashmill/hmac";
import { many, manyHex } from "hashmill/many";
import { pbkdf2, pbkdf2Async } from "hashmill/pbkdf2";
import * as sha2 from "hashmill/sha2";
import * as sha3 from "hashmill/sha3";
import * as addons from "hashmill/sha3-addons";
import { sm3 } from "hashmill/sm3";

const { force } = await import("../dist/internal/batch.js");
const { keccak_256, shake128, shake256 } = sha3;

/** The functions by their names in node:crypto, which has all of these modules but Keccak-256. Bun's has no SM3. */
const NODE = Object.fromEntries(
    Object.entries({ ...sha2, ...sha3, blake2b, blake2s, ...(globalThis.Bun ? {} : { sm3 }) })
        .filter(([, hash]) => !hash.canXOF && hash !== keccak_256)
        .map(([name, hash]) => [name.startsWith("blake2") ? name + 8 * hash.outputLen : name.replace("_", "-"), hash]),
);
const LENGTHS = [0, 1, 3, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 135, 136, 137, 1000, 65535, 65536, 65537, 200000];
const bytes = (length, seed = 1) => Uint8Array.from({ length }, (_, i) => i * i * seed + (i >> 8));

for (const [name, hash] of Object.entries(NODE)) {
    const nodes = (message) => crypto.createHash(name).update(message).digest();
    test(name, () => {
        for (const length of LENGTHS) {
            const message = bytes(length);
            const wanted = nodes(message).toString("hex");
            assert.equal(Buffer.from(hash(message)).toString("hex"), wanted, `${length} bytes`);
            const hasher = hash.create();
            for (let at = 0; at < length; at += 1777) hasher.update(message.subarray(at, at + 1777));
            assert.equal(Buffer.from(hasher.digest()).toString("hex"), wanted, `${length} bytes in parts`);
        }
    });
    test(`${name}, many`, () => {
        const { family } = hash.create().kind;
        for (const simd of [false, true, undefined]) {
            force(family, simd);
            for (const width of [1, 32, 55, 64, 100, 136, 1024, 70000]) {
                const count = width > 1000 ? 3 : 100;
                const values = bytes(count * width);
                const list = Array.from({ length: count }, (_, i) => values.subarray(i * width, (i + 1) * width));
                const wanted = Buffer.concat(list.map(nodes));
                const offsets = Uint32Array.from({ length: count + 1 }, (_, i) => i * width);
                assert(wanted.equals(many(hash, { values, width })), `rows of ${width}, simd128 ${simd}`);
                assert(wanted.equals(many(hash, list)), `a list of ${width}, simd128 ${simd}`);
                assert(wanted.equals(many(hash, { values, offsets })), `a column of ${width}, simd128 ${simd}`);
            }
            const mixed = Array.from({ length: 5000 }, (_, i) => bytes((i * 37) % 300, i));
            mixed[7] = bytes(100000);
            assert(Buffer.concat(mixed.map(nodes)).equals(many(hash, mixed)), `mixed lengths, simd128 ${simd}`);
            assert.deepEqual(manyHex(hash, mixed.slice(0, 2)), mixed.slice(0, 2).map((it) => nodes(it).toString("hex")));
        }
        assert.equal(many(hash, []).length, 0);
    });
    const skip = globalThis.Deno && name === "sm3" && "Deno's node:crypto has no HMAC with SM3";
    test(`${name}, hmac, hkdf, pbkdf2`, { skip }, async () => {
        for (const length of [0, 1, 64, 128, 129, 200]) {
            const [key, message] = [bytes(length, 3), bytes(length, 5)];
            // The HMAC of Bun's node:crypto has no BLAKE2.
            const wanted =
                globalThis.Bun && name.startsWith("blake2")
                    ? Buffer.from(nobleHmac(nobleBlake2[name.slice(0, 7)], key, message))
                    : crypto.createHmac(name, key).update(message).digest();
            assert(wanted.equals(hmac(hash, key, message)), `a key of ${length} bytes`);
        }
        if (name.startsWith("blake2")) return;
        const [ikm, salt, info] = [bytes(22), bytes(13), bytes(10)];
        for (const length of [1, 42, 200]) {
            const wanted = Buffer.from(crypto.hkdfSync(name, ikm, salt, info, length));
            assert(wanted.equals(hkdf(hash, ikm, salt, info, length)), `hkdf of ${length} bytes`);
            assert(wanted.equals(expand(hash, extract(hash, ikm, salt), info, length)));
        }
        for (const [c, dkLen] of [[1, 20], [2, 64], [1000, 100]]) {
            const wanted = crypto.pbkdf2Sync("password", "salt", c, dkLen, name);
            assert(wanted.equals(pbkdf2(hash, "password", "salt", { c, dkLen })), `pbkdf2 of ${dkLen} bytes`);
            assert(wanted.equals(await pbkdf2Async(hash, "password", "salt", { c, dkLen, asyncTick: 1 })));
        }
    });
}

test("shake", () => {
    for (const [name, hash] of [["shake128", shake128], ["shake256", shake256]]) {
        for (const dkLen of [1, 16, 168, 169, 1000, 70000]) {
            const wanted = crypto.createHash(name, { outputLength: dkLen }).update(bytes(500)).digest();
            assert(wanted.equals(hash(bytes(500), { dkLen })), `${name}, ${dkLen} bytes`);
            assert(wanted.equals(hash.create().update(bytes(500)).xof(dkLen)), `${name}, ${dkLen} bytes`);
        }
    }
});

test("BLAKE3 and Keccak-256 as noble-hashes", () => {
    const [key, context] = [bytes(32, 9), new TextEncoder().encode("hashmill, the test of peers: grüße")];
    const messages = [0, 1, 64, 65, 1023, 1024, 1025, 2048, 3072, 3073, 40000, 65536, 150000].map((length) => bytes(length, 11));
    for (const given of [{}, { key }, { context }]) {
        for (const dkLen of [0, 1, 31, 32, 33, 64, 1000, 70000]) {
            const opts = { ...given, dkLen };
            for (const message of messages) {
                assert.deepEqual(blake3(message, opts), nobleBlake3(message, opts), `${message.length}, ${dkLen}`);
                const [ours, theirs] = [blake3, nobleBlake3].map((hash) => {
                    const hasher = hash.create(opts).update(message.subarray(0, 1500));
                    const copy = hasher.clone().update(message.subarray(1500));
                    hasher.destroy();
                    return [copy.xof(dkLen >> 1), copy.xof(100)];
                });
                assert.deepEqual(ours, theirs, `${message.length}, ${dkLen}`);
            }
            const wanted = Buffer.concat(messages.map((message) => nobleBlake3(message, opts)));
            assert(wanted.equals(many(blake3.create(opts), messages)), `many, ${dkLen}`);
        }
    }
    for (const message of messages) assert.deepEqual(keccak_256(message), nobleKeccak(message));
    assert.deepEqual([blake3.outputLen, blake3.blockLen, blake3.canXOF], [nobleBlake3.outputLen, nobleBlake3.blockLen, true]);
});

test("SP 800-185 and RFC 9861 as noble-hashes", () => {
    const [personalization, key] = [bytes(20, 7), bytes(40, 9)];
    for (const length of [0, 1, 167, 168, 8191, 8192, 8193, 30000, 100000]) {
        const message = bytes(length, 11);
        for (const dkLen of [10, 32, 500]) {
            const same = (name, ...given) =>
                assert.deepEqual(addons[name](...given), nobleAddons[name](...given), `${name}, ${length}, ${dkLen}`);
            for (const strength of [128, 256]) {
                same(`cshake${strength}`, message, { dkLen, personalization, NISTfn: "name" });
                same(`cshake${strength}`, message, { dkLen });
                same(`turboshake${strength}`, message, { dkLen, D: 0x45 });
                same(`kt${strength}`, message, { dkLen });
                same(`kt${strength}`, message, { dkLen, personalization });
                for (const xof of ["", "xof"]) {
                    same(`kmac${strength}${xof}`, key, message, { dkLen, personalization });
                    same(`tuplehash${strength}${xof}`, [message, key, bytes(0)], { dkLen, personalization });
                    same(`parallelhash${strength}${xof}`, message, { dkLen, personalization, blockLen: 1000 });
                }
            }
        }
    }
    for (const kt of ["kt128", "kt256"]) {
        // Lengths around the room of one call of the module, and a tree of many leaves.
        for (const length of [65535, 65536, 65537, 200000]) {
            const opts = { personalization: bytes(length, 5) };
            assert.deepEqual(addons[kt](key, opts), nobleAddons[kt](key, opts), `${kt}, ${length}`);
            const hasher = addons[kt].create(opts).update(key);
            assert.deepEqual(hasher.clone().xof(100), hasher.xof(100));
        }
    }
    const messages = Array.from({ length: 30 }, (_, i) => bytes(i * 500, i));
    const each = (hash) => Buffer.concat(messages.map(hash));
    assert(each((it) => addons.kmac128(key, it)).equals(many(addons.kmac128.create(key), messages)));
    assert(each((it) => addons.kt128(it)).equals(many(addons.kt128, messages)));
    assert(each((it) => addons.kt128(it, { personalization })).equals(many(addons.kt128.create({ personalization }), messages)));
    assert(each((it) => addons.kmac256xof(key, it)).equals(many(addons.kmac256xof.create(key), messages)));
});
