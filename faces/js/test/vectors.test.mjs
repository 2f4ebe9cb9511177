// The answers of vectors/: in one call, in parts, continued from an exported state, and many at
// once, with and without simd128.

import assert from "node:assert/strict";
import test from "node:test";
import { blake2b, blake2bp, blake2s, blake2sp, blake2xb, blake2xs } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { hmac } from "hashmill/hmac";
import { many } from "hashmill/many";
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from "hashmill/sha2";
import { keccak_256, sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from "hashmill/sha3";
import { turboshake128, turboshake256 } from "hashmill/sha3-addons";
import { bytesToHex } from "hashmill/utils";
import { answers } from "./answers.mjs";

const FUNCTIONS = {
    "SHA-224": sha224,
    "SHA-256": sha256,
    "SHA-384": sha384,
    "SHA-512": sha512,
    "SHA-512/224": sha512_224,
    "SHA-512/256": sha512_256,
    "SHA3-224": sha3_224,
    "SHA3-256": sha3_256,
    "SHA3-384": sha3_384,
    "SHA3-512": sha3_512,
    SHAKE128: shake128,
    SHAKE256: shake256,
    TurboSHAKE128: turboshake128,
    TurboSHAKE256: turboshake256,
    "Keccak-256": keccak_256,
    BLAKE2b: blake2b,
    BLAKE2s: blake2s,
    BLAKE2bp: blake2bp,
    BLAKE2sp: blake2sp,
    BLAKE2Xb: blake2xb,
    BLAKE2Xs: blake2xs,
    BLAKE3: blake3,
};

/** One more message than there are lanes. */
const SIDE_BY_SIDE = 5;

for (const file of ["fips-180-4", "fips-202", "rfc-7693", "rfc-9861", "blake2", "blake3", "keccak"]) {
    test(file, () => {
        let checked = 0;
        for (const { algorithm, bytes, wanted, skip = 0, domain, options } of answers(file)) {
            const hash = FUNCTIONS[algorithm];
            const length = skip + wanted.length / 2;
            const opts = hash.canXOF ? { dkLen: length, ...(domain && { D: domain }), ...options } : options;
            const name = `${algorithm}, ${bytes.length} bytes`;
            const is = (output, way) => assert.equal(bytesToHex(output).slice(2 * skip), wanted, `${name}, ${way}`);
            is(hash(bytes, opts), "in one call");
            const cut = bytes.length % 97;
            const hasher = hash.create(opts).update(bytes.subarray(0, cut));
            const copy = hasher.clone();
            const state = hasher.exportState();
            is(hasher.update(bytes.subarray(cut)).digest(), "in two parts");
            is(copy.update(bytes.subarray(cut)).digest(), "a clone");
            const restored = hash.create(opts).importState(state);
            is(restored.update(bytes.subarray(cut)).digest(), "from an exported state");
            if (hash.canXOF) {
                const reader = hash.create(opts).update(bytes);
                const first = reader.xof(length >> 1);
                is(Buffer.concat([first, reader.xof(length - first.length)]), "read in two parts");
            }
            for (const simd of [false, true]) {
                const prefix = hash.create(opts);
                prefix.kind.family.force(simd);
                const list = Array(SIDE_BY_SIDE).fill(bytes);
                const outputs = many(prefix, list);
                assert.equal(outputs.length, SIDE_BY_SIDE * length);
                for (let i = 0; i < SIDE_BY_SIDE; i++) {
                    is(outputs.subarray(i * length, (i + 1) * length), `side by side, simd128 ${simd}`);
                }
                prefix.kind.family.force(undefined);
            }
            checked += 1;
        }
        assert(checked > 20, `${checked} answers`);
    });
}

test("blake2x", () => {
    let checked = 0;
    for (const { algorithm, bytes, wanted, skip = 0, options } of answers("blake2x")) {
        const hash = FUNCTIONS[algorithm];
        const length = wanted.length / 2;
        const name = `${algorithm}, ${bytes.length} bytes, ${length} after ${skip}`;
        const is = (output, way) => assert.equal(bytesToHex(output.subarray(skip, skip + length)), wanted, `${name}, ${way}`);
        const hasher = hash.create(options).update(bytes.subarray(0, 70));
        const copy = hasher.clone();
        const rest = bytes.subarray(70);
        if (options?.dkLen) {
            is(hash(bytes, options), "in one call");
            is(hasher.update(rest).digest(), "in two parts");
            is(many(copy, [rest, rest]), "the first of many");
            assert.throws(() => hash.create(options).xof(1), /XOF is not enabled/);
        } else {
            is(hasher.update(rest).xof(skip + length), "read at once");
            const outputs = many(copy, [rest, rest], { dkLen: skip + length });
            is(outputs.subarray(skip + length), "the second of many");
            const reader = copy.update(rest);
            const first = reader.xof((skip + length) >> 1);
            const again = reader.clone();
            for (const it of [reader, again]) {
                const parts = [first, it.xof(3 * hash.outputLen), it.xof(skip + length)];
                is(new Uint8Array(Buffer.concat(parts)), "read in parts");
            }
        }
        checked += 1;
    }
    assert.equal(checked, 64);
});

test("rfc-2104", () => {
    for (const { algorithm, bytes, key, wanted } of answers("rfc-2104")) {
        const hash = FUNCTIONS[algorithm.replace("HMAC-", "")];
        const is = (tag, way) =>
            assert.equal(bytesToHex(tag).slice(0, wanted.length), wanted, `${algorithm}, ${bytes.length} bytes, ${way}`);
        is(hmac(hash, key, bytes), "in one call");
        const keyed = hmac.create(hash, key);
        is(keyed.clone().update(bytes.subarray(0, 1)).update(bytes.subarray(1)).digest(), "in two parts");
        const tags = many(keyed, [bytes, bytes, bytes]);
        is(tags.subarray(2 * hash.outputLen), "side by side");
    }
});

test("verify/hmac", () => {
    for (const { algorithm, bytes, key, wanted, valid = true } of answers("verify/hmac")) {
        const tag = bytesToHex(hmac(FUNCTIONS[algorithm.replace("HMAC-", "")], key, bytes));
        assert.equal(wanted !== "" && tag.startsWith(wanted), valid, `${algorithm}, ${wanted}`);
    }
});
