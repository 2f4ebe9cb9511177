// The native part (`npm run build:native`) gives the answers of the WebAssembly modules.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { asconCxof128, asconHash256, asconXof128 } from "../dist/ascon.js";
import { blake2b, blake2bp, blake2s } from "../dist/blake2.js";
import { blake3 } from "../dist/blake3.js";
import { hmac } from "../dist/hmac.js";
import { use } from "../dist/internal/native.js";
import { many } from "../dist/many.js";
import { sha256, sha512 } from "../dist/sha2.js";
import { cshake128, kmac128, kt128, turboshake128 } from "../dist/sha3-addons.js";
import { keccak_256, sha3_256, shake128 } from "../dist/sha3.js";
import { sm3 } from "../dist/sm3.js";
import { part } from "./part.mjs";

/** Calls to the native part, by function. */
const calls = { rows: 0, column: 0, absorb: 0 };
const counting = Object.fromEntries(
    Object.keys(calls).map((name) => [
        name,
        (...args) => {
            calls[name] += 1;
            return part[name](...args);
        },
    ]),
);
after(() => use(undefined));

/** Runs `f` by WebAssembly and natively, compares, and returns the number of native calls of each function. */
function both(f) {
    use(undefined);
    const expected = f();
    for (const name of Object.keys(calls)) calls[name] = 0;
    use(counting);
    const result = f();
    use(undefined);
    assert.deepEqual(result, expected);
    return { ...calls };
}

const values = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) >> 3);
const key = values.subarray(7, 39);
const FUNCTIONS = {
    sha256, sha512, sha3_256, keccak_256, blake2b, blake2s, blake2bp, blake3, shake128, turboshake128, kt128,
    asconHash256, asconXof128, sm3,
};
const HASHERS = {
    ...Object.fromEntries(Object.entries(FUNCTIONS).map(([name, hash]) => [name, hash.create()])),
    "sha256 after a prefix": sha256.create().update(values.subarray(0, 100)),
    "blake2b with parameters": blake2b.create({ key, dkLen: 20, salt: values.subarray(0, 16) }),
    "blake3 with a key": blake3.create({ key }),
    "shake128 of 500 bytes": shake128.create({ dkLen: 500 }),
    "turboshake128 of another domain": turboshake128.create({ D: 7 }),
    "asconCxof128 with a customization string": asconCxof128.create({ customization: key }),
    hmac: hmac.create(sha256, key),
};

test("rows, columns and lists", () => {
    for (const [name, hasher] of Object.entries(HASHERS)) {
        const times = hasher === HASHERS.hmac ? 2 : 1;
        const rows = both(() => many(hasher, { values: values.subarray(0, 3200), width: 32 }));
        assert.deepEqual(rows, { rows: times, column: 0, absorb: 0 }, name);
        for (const offsets of [[3, 3, 40, 1000, 1001, 9000], Uint32Array.of(0, 64, 200_000)]) {
            const column = both(() => many(hasher, { values, offsets }));
            assert.deepEqual([column.column, column.rows], [1, times - 1], name);
        }
        const list = [0, 1, 63, 64, 65, 1000].map((length) => values.subarray(5, 5 + length));
        assert.equal(both(() => many(hasher, list)).column, 1, name);
    }
});

test("a list longer than one packed part", () => {
    const long = new Uint8Array((1 << 20) + 1).fill(9);
    const list = [values, long, long, values, values, values, values, values, values, new Uint8Array(0)];
    assert.deepEqual(both(() => many(sha256, list)), { rows: 2, column: 3, absorb: 0 });
});

test("empty messages, and none", () => {
    both(() => many(sha256, { values: new Uint8Array(0), width: 0 }));
    both(() => many(sha256, []));
    assert.equal(both(() => many(sha256, [new Uint8Array(0), new Uint8Array(0)])).column, 1);
    assert.equal(both(() => many(sha256, { values, offsets: [] })).column, 0);
});

test("one message from 512 bytes on; BLAKE2, BLAKE3 and Ascon from 4 KiB on", () => {
    for (const [name, hash] of Object.entries(FUNCTIONS)) {
        for (const length of [0, 511, 512, 4095, 4096, 16_383, 16_384, 70_000, 200_000]) {
            const { rows } = both(() => hash(values.subarray(0, length)));
            const long = /^(blake|ascon)/.test(name) ? 4096 : 512;
            assert.equal(rows, length >= long && hash !== kt128 ? 1 : 0, `${name}, ${length} bytes`);
        }
    }
});

test("updates from 16 KiB on", () => {
    const two = (hasher) => hasher.update(values.subarray(0, 16_384)).update(values.subarray(1, 70)).update(values).digest();
    for (const [name, hasher] of Object.entries(HASHERS)) {
        if (hasher === HASHERS.hmac) continue;
        assert.equal(both(() => two(hasher.clone())).absorb, 2, name);
    }
    assert.equal(both(() => two(hmac.create(sha256, key))).absorb, 2);
});

test("what the native part does not have stays in WebAssembly", () => {
    for (const make of [() => cshake128.create({ NISTfn: key }), () => kmac128.create(key)]) {
        const { rows, column, absorb } = both(() => [many(make(), [key, key]), make().update(values).digest()]);
        assert.deepEqual([rows, column, absorb], [0, 0, 0]);
    }
    const shared = new Uint8Array(new SharedArrayBuffer(4096));
    assert.equal(both(() => sha256(shared)).rows, 0);
    assert.equal(both(() => many(sha256, { values: shared, width: 64 })).rows, 0);
    const long = new Uint8Array(new SharedArrayBuffer(1 << 21));
    assert.deepEqual(both(() => many(sha256, [key, long])), { rows: 0, column: 0, absorb: 0 });
});

test("errors are those of the WebAssembly modules", () => {
    const state = sha256.create().exportState();
    state[5] ^= 1;
    assert.equal(part.absorb(state, values, new Uint8Array(2048)), -29);
    assert.equal(part.rows(99, new Uint8Array(0), values, 32, new Uint8Array(200_000)), 108);
});
