// The answers of vectors/: in one call, in parts, continued from an exported state, and many at
// once, with and without simd128.

import assert from "node:assert/strict";
import test from "node:test";
import { hmac } from "hashmill/hmac";
import { many } from "hashmill/many";
import { bytesToHex } from "hashmill/utils";
import { answers } from "./answers.mjs";

const { force } = await import("../dist/internal/batch.js");

/** One more message than there are lanes. */
const SIDE_BY_SIDE = 5;

for (const file of ["fips-180-4", "fips-202", "rfc-7693", "rfc-9861", "blake2", "blake3", "keccak", "ascon", "sm3"]) {
    test(file, () => {
        let checked = 0;
        for (const { algorithm, hash, bytes, wanted, skip = 0, domain, options } of answers(file)) {
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
                force(prefix.kind.family, simd);
                const list = Array(SIDE_BY_SIDE).fill(bytes);
                const outputs = many(prefix, list);
                assert.equal(outputs.length, SIDE_BY_SIDE * length);
                for (let i = 0; i < SIDE_BY_SIDE; i++) {
                    is(outputs.subarray(i * length, (i + 1) * length), `side by side, simd128 ${simd}`);
                }
                force(prefix.kind.family, undefined);
            }
            checked += 1;
        }
        assert(checked > (file === "sm3" ? 15 : 20), `${checked} answers`); // of SM3, 16 are of whole bytes
    });
}

test("blake2x", () => {
    let checked = 0;
    for (const { algorithm, hash, bytes, wanted, skip = 0, options } of answers("blake2x")) {
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
    let checked = 0;
    for (const { algorithm, hash, bytes, key, wanted } of answers("rfc-2104")) {
        const is = (tag, way) =>
            assert.equal(bytesToHex(tag).slice(0, wanted.length), wanted, `${algorithm}, ${bytes.length} bytes, ${way}`);
        is(hmac(hash, key, bytes), "in one call");
        const keyed = hmac.create(hash, key);
        is(keyed.clone().update(bytes.subarray(0, 1)).update(bytes.subarray(1)).digest(), "in two parts");
        const tags = many(keyed, [bytes, bytes, bytes]);
        is(tags.subarray(2 * hash.outputLen), "side by side");
        checked += 1;
    }
    assert.equal(checked, 224);
});

test("verify/hmac", () => {
    for (const { algorithm, hash, bytes, key, wanted, valid = true } of answers("verify/hmac")) {
        const tag = bytesToHex(hmac(hash, key, bytes));
        assert.equal(wanted !== "" && tag.startsWith(wanted), valid, `${algorithm}, ${wanted}`);
    }
});
