// Errors, states, and what is left in memory.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { asconCxof128, asconHash256, asconXof128 } from "hashmill/ascon";
import { blake2b, blake2bp, blake2s, blake2sp, blake2xb, blake2xs } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { hmac } from "hashmill/hmac";
import { expand } from "hashmill/hkdf";
import { many } from "hashmill/many";
import { createHash, digestOfFile } from "hashmill/node";
import { pbkdf2 } from "hashmill/pbkdf2";
import { sha256, sha512 } from "hashmill/sha2";
import { sha3_256, shake128 } from "hashmill/sha3";
import {
    cshake128,
    cshake256,
    kmac128,
    kmac128xof,
    kmac256,
    kmac256xof,
    kt128,
    kt256,
    parallelhash128,
    parallelhash128xof,
    parallelhash256,
    parallelhash256xof,
    tuplehash128,
    tuplehash128xof,
    tuplehash256,
    tuplehash256xof,
    turboshake128,
} from "hashmill/sha3-addons";
import { sm3 } from "hashmill/sm3";
import { exportKeyed, importKeyed } from "hashmill/state";
import { digestOf, hashingStream } from "hashmill/stream";
import { hexToBytes } from "hashmill/utils";

const { batch, force, modules: modulesOf } = await import("../dist/internal/batch.js");
const { states } = await import("../dist/internal/family.js");

const bytes = (length) => Uint8Array.from({ length }, (_, i) => i * i);
const node = (message, name = "sha256") => new Uint8Array(crypto.createHash(name).update(message).digest());

test("errors are those of noble-hashes", () => {
    assert.throws(() => sha256("abc"), /expected Uint8Array, got type=string/);
    assert.throws(() => sha256(), TypeError);
    assert.throws(() => sha256([1, 2]), TypeError);
    const hasher = sha256.create();
    hasher.digest();
    assert.throws(() => hasher.update(bytes(1)), /hash was destroyed/);
    assert.throws(() => hasher.digest(), /hash was destroyed/);
    assert.throws(() => sha256.create().digestInto(new Uint8Array(31)), /"output" expected length >= 32/);
    assert.throws(() => sha256.create().xof(3), /XOF is not enabled/);
    const reader = shake128.create();
    reader.xof(3);
    assert.throws(() => reader.update(bytes(1)), /digest\(\) was already called/);
    assert.throws(() => shake128(bytes(1), { dkLen: -1 }), RangeError);
    assert.throws(() => shake128(bytes(1), [1]), /expected object/);
    assert.throws(() => blake2b(bytes(1), { dkLen: 65 }), /"dkLen" must be 1..64, got 65/);
    assert.throws(() => blake2b(bytes(1), { key: new Uint8Array(0) }), /length=1..64/);
    assert.throws(() => blake2s(bytes(1), { salt: bytes(7) }), /"salt" expected Uint8Array of length 8, got length=7/);
    assert.throws(() => blake2s(bytes(1), { nodeOffset: 2n ** 48n }), /nodeOffset/);
    assert.throws(() => blake2s(bytes(1), { fanout: 256 }), /fanout/);
    assert.throws(() => blake2s(bytes(1), { length: 3 }), /unknown option "length"/);
    assert.throws(() => blake2xs(bytes(1), { dkLen: 65535 }), /"dkLen" must be 1..65534, got 65535/);
    assert.throws(() => blake2xb(bytes(1), { fanout: 2 }), /unknown option "fanout"/);
    assert.throws(() => blake2xb.create().exportState(), /does not export states of BLAKE2X/);
    assert.throws(() => blake2xb.create().importState(bytes(1)), /does not import states of BLAKE2X/);
    assert.throws(() => blake3(bytes(1), { key: bytes(31) }), /"key" expected Uint8Array of length 32, got length=31/);
    assert.throws(() => blake3(bytes(1), { key: bytes(32), context: bytes(1) }), /exclude each other/);
    assert.throws(() => blake3(bytes(1), { context: "text" }), /"context" expected Uint8Array/);
    assert.throws(() => blake3(bytes(1), { context: Uint8Array.of(0xff) }), /not valid/);
    assert.throws(() => blake3(bytes(1), { context: bytes(65536) }), /"context" expected less than 65536 bytes/);
    assert.throws(() => turboshake128(bytes(1), { D: 0x80 }), /0x01..0x7f/);
    assert.throws(() => kmac128(bytes(60000), bytes(1), { personalization: bytes(5529) }), /expected <= 65528 bytes together/);
    assert.equal(kmac128(bytes(60000), bytes(1), { personalization: bytes(5528) }).length, 16);
    assert.throws(() => asconCxof128(bytes(1), { customization: "use" }), /"customization" expected Uint8Array/);
    assert.throws(() => asconCxof128(bytes(1), { customization: bytes(257) }), /"customization" expected <= 256 bytes, got 257/);
    assert.equal(asconCxof128(bytes(1), { customization: bytes(256) }).length, 32);
    for (const hash of [asconHash256, asconXof128, asconCxof128]) {
        const undefinedThere = /HMAC is not defined for a function whose output \(32 bytes\) is longer than its block \(8 bytes\)/;
        assert.throws(() => hmac(hash, bytes(1), bytes(1)), undefinedThere);
        assert.throws(() => hmac.create(hash, bytes(9)), undefinedThere);
        assert.throws(() => expand(hash, bytes(32)), undefinedThere);
        assert.throws(() => pbkdf2(hash, "a", "b", { c: 1 }), undefinedThere);
    }
    assert.throws(() => hmac(sha256, "key", bytes(1)), /"key" expected Uint8Array/);
    assert.throws(() => hmac(() => {}, bytes(1), bytes(1)), /expected hash wrapped/);
    assert.throws(() => expand(sha256, bytes(31)), /at least HashLen/);
    assert.throws(() => expand(sha256, bytes(32), undefined, 255 * 32 + 1), /255\*HashLen/);
    assert.throws(() => pbkdf2(sha256, "a", "b", { c: 0 }), /must be >= 1/);
    assert.throws(() => many(sha256, "abc"), TypeError);
    assert.throws(() => many(sha256, { values: bytes(10), width: 3 }), /not a whole number of rows/);
    assert.throws(() => many(sha256, { values: bytes(10), offsets: [0, 5, 4] }), /offset at index 2/);
    assert.throws(() => many(sha256, { values: bytes(10), offsets: [0, 11] }), /offset at index 1/);
    assert.throws(() => many(sha256, { values: bytes(10) }), /expected a "width", or "offsets" in an array/);
    assert.throws(() => many(sha256, { values: bytes(10), offsets: null }), /expected a "width", or "offsets"/);
    assert.throws(() => many(sha256, [bytes(1), "b"]), TypeError);
    assert.throws(() => many(hmac.create(sha256, bytes(1)), [bytes(1)], { dkLen: 31 }), /XOF is not enabled/);
    assert.throws(() => many(sha256, [bytes(1)], { dkLen: 31 }), /XOF is not enabled/);
    assert.throws(() => hexToBytes("0g"), /non-hex character "g" at index 1/);
});

test("a clone and its original go on separately", () => {
    for (const hash of [sha256, sha512, sm3, sha3_256, blake2b, blake2s, blake3, asconHash256, asconXof128, asconCxof128]) {
        const [message, more] = [bytes(300), bytes(50)];
        const first = hash.create().update(message);
        const second = first.clone();
        first.update(more);
        assert.deepEqual(second.digest(), hash(message));
        assert.deepEqual(first.digest(), hash(new Uint8Array([...message, ...more])));
        const target = hash.create().update(more);
        hash.create().update(message)._cloneInto(target);
        assert.deepEqual(target.digest(), hash(message));
    }
    for (const hash of [shake128, asconXof128, asconCxof128]) {
        const reader = hash.create().update(bytes(10));
        const start = reader.xof(100);
        const other = reader.clone();
        assert.deepEqual(reader.xof(100), other.xof(100));
        assert.deepEqual(start, hash(bytes(10), { dkLen: 100 }));
        assert.deepEqual(hash(bytes(10)), hash(bytes(10), { dkLen: hash.outputLen }));
    }
});

test("PBKDF2 and HMAC over BLAKE2X", () => {
    const password = bytes(20);
    const first = hmac(blake2xb, password, Uint8Array.of(7, 0, 0, 0, 1));
    const second = hmac(blake2xb, password, first);
    const derived = pbkdf2(blake2xb, password, Uint8Array.of(7), { c: 2, dkLen: 64 });
    assert.deepEqual(derived, first.map((byte, i) => byte ^ second[i]));
    assert.deepEqual(many(hmac.create(blake2xb, password), [first]), second);
});

test("the leaves of a long message fill lanes", () => {
    const message = bytes(300_000);
    const functions = { blake3, kt128, kt256, parallelhash128, parallelhash256xof };
    for (const [name, hash] of Object.entries(functions)) {
        const opts = name.startsWith("p") ? { blockLen: 1000 } : undefined;
        const { family } = hash.create().kind;
        const digests = (simd) => {
            force(family, simd);
            return [4095, 4096, 4097, 20_000, 65_536, 65_537, 200_000, 300_000].flatMap((length) => {
                const parts = hash.create(opts).update(message.subarray(0, 5));
                const rest = parts.update(message.subarray(5, length)).clone();
                return [hash(message.subarray(0, length), opts), parts.digest(), rest.update(bytes(40_000)).digest()];
            });
        };
        assert.deepEqual(digests(true), digests(false), name);
        force(family, undefined);
    }
});

test("a damaged state, or one of another function, is refused", () => {
    const state = sha256.create().update(bytes(100)).exportState();
    assert.equal(state.length, 94); // 36 of the 100 bytes are waiting
    for (let i = 0; i < state.length; i++) {
        const damaged = state.slice();
        damaged[i] ^= 4;
        assert.throws(() => sha256.create().importState(damaged), /state was written by a newer version|damaged/);
    }
    assert.throws(() => sha256.create().importState(state.slice(0, -1)), /damaged/);
    assert.throws(() => sha256.create().importState(new Uint8Array(100000)), /damaged/);
    assert.throws(() => sha512.create().importState(state), /another algorithm/);
    const ofXof = asconXof128.create().update(bytes(9)).exportState();
    for (const hash of [asconHash256, asconCxof128]) assert.throws(() => hash.create().importState(ofXof), /another algorithm/);
});

test("the functions of SP 800-185 continue from their states", () => {
    const key = bytes(16);
    const personalization = bytes(5);
    for (const [one, another, create, length] of [
        [cshake128, cshake256, (hash) => hash.create({ NISTfn: "name", personalization }), 40],
        [kmac128, kmac256, (hash) => hash.create(key, { personalization }), 40],
        [kmac256xof, kmac128xof, (hash) => hash.create(key), 400],
        [tuplehash128, tuplehash256, (hash) => hash.create({ personalization }), 40],
        [tuplehash256xof, tuplehash128xof, (hash) => hash.create(), 400],
        [parallelhash128, parallelhash256, (hash) => hash.create({ blockLen: 100 }), 40],
        [parallelhash256xof, parallelhash128xof, (hash) => hash.create({ personalization }), 400],
    ]) {
        const hasher = create(one).update(bytes(777));
        const state = hasher.exportState();
        const restored = create(one).importState(state);
        assert.deepEqual(restored.exportState(), state);
        for (const it of [hasher, restored]) it.update(bytes(300));
        const outputs = [hasher, restored].map((it) => (one.canXOF ? it.xof(length) : it.digest()));
        assert.deepEqual(outputs[0], outputs[1]);
        assert.throws(() => create(another).importState(state), /another algorithm/);
        state[50] ^= 1;
        assert.throws(() => create(one).importState(state), /damaged/);
    }
});

test("a state with a tag is refused if it was changed", () => {
    const key = bytes(20);
    for (const create of [() => sha256.create(), () => blake3.create({ key: bytes(32) }), () => kmac128.create(bytes(9))]) {
        const hasher = create().update(bytes(777));
        const keyed = exportKeyed(hasher, key);
        const state = hasher.exportState();
        const text = Buffer.concat([Buffer.from("hashmill: exported state\n"), state]);
        assert.deepEqual(Buffer.from(keyed), Buffer.concat([state, crypto.createHmac("sha256", key).update(text).digest()]));
        assert.deepEqual(importKeyed(create(), keyed, key).update(bytes(3)).digest(), hasher.update(bytes(3)).digest());
        for (let i = 0; i < keyed.length; i++) {
            const changed = keyed.slice();
            changed[i] ^= 4;
            assert.throws(() => importKeyed(create(), changed, key), /the tag does not belong/);
        }
        for (const wrong of [state, keyed.slice(1), keyed.slice(0, -1), new Uint8Array(0), new Uint8Array(31)]) {
            assert.throws(() => importKeyed(create(), wrong, key), /the tag does not belong/);
        }
        assert.throws(() => importKeyed(create(), keyed, bytes(21)), /the tag does not belong/);
        assert.throws(() => create().importState(keyed), /damaged/);
    }
    assert.throws(() => importKeyed(sha512.create(), exportKeyed(sha256.create(), key), key), /another algorithm/);
    assert.throws(() => exportKeyed(sha256.create(), "key"), TypeError);
});

test("a state of BLAKE2 decides the length of the digest", () => {
    const message = bytes(300);
    for (const hash of [blake2b, blake2s, blake2bp, blake2sp]) {
        const key = bytes(9);
        const state = hash.create({ dkLen: 13, key }).update(message.subarray(0, 200)).exportState();
        const wanted = hash(message, { dkLen: 13, key });
        for (const opts of [undefined, { dkLen: 16 }, { dkLen: 13, key }]) {
            const hasher = hash.create(opts).importState(state);
            assert.equal(hasher.outputLen, 13);
            assert.deepEqual(hasher.update(message.subarray(200)).digest(), wanted);
        }
    }
});

/** Has a function's family choose for 1,000 batches, and returns whether the last ones used its module with simd128. */
function chooses(call) {
    const { family } = shake128.create().kind;
    const { now } = performance;
    let time = 0;
    performance.now = () => time;
    try {
        force(family, undefined);
        const used = [];
        for (let i = 0; i < 1000; i++) {
            const { bytes = 100, simd, scalar } = call(i);
            batch(family, bytes, ({ exports }) => {
                used.push("rows" in exports);
                time += "rows" in exports ? simd : scalar;
            });
        }
        return [...new Set(used.slice(-8))];
    } finally {
        performance.now = now;
        force(family, undefined);
    }
}

test("the faster module is chosen on a busy machine, too", () => {
    // Another program interrupts a third of the calls.
    const busy = (i) => (Math.floor(i / 2) % 3 === 0 ? 50 : 1);
    assert.deepEqual(chooses((i) => ({ simd: busy(i), scalar: 2 })), [true]);
    assert.deepEqual(chooses((i) => ({ simd: 2, scalar: busy(i) })), [false]);
});

test("the module that the engine compiles late is chosen after that", () => {
    for (const late of [30, 300]) {
        assert.deepEqual(chooses((i) => ({ simd: i < late ? 9 : 1, scalar: 2 })), [true], `simd128 at call ${late}`);
        assert.deepEqual(chooses((i) => ({ simd: 2, scalar: i < late ? 9 : 1 })), [false], `scalar at call ${late}`);
    }
});

test("a large part and a small one in turns do not decide which module is chosen", () => {
    for (const first of [0, 1]) {
        const part = (i) => ((i + first) % 2 ? { bytes: 100, simd: 5 + 10, scalar: 5 + 20 } : { bytes: 1, simd: 5, scalar: 5 });
        assert.deepEqual(chooses(part), [true], `the ${first ? "small" : "large"} part first`);
    }
});

test("a getter of a list may hash", () => {
    const messages = [1, 2, 3, 4, 5].map(bytes);
    const list = [];
    messages.forEach((message, i) => {
        Object.defineProperty(list, i, { enumerable: true, get: () => (sha256(bytes(1000)), message) });
    });
    assert.deepEqual(many(sha256, list), many(sha256, messages));
});

test("no message and no state stays in a module's memory", () => {
    const secret = crypto.randomBytes(64);
    const left = (hash) => {
        const { family } = hash.create().kind;
        const machines = [family.machine, states.get(family.name).machine];
        batch(family, 1, (machine) => machines.push(machine));
        const memories = machines.map(({ exports }) => Buffer.from(exports.memory.buffer));
        return [8, 16, 32].filter((len) => memories.some((memory) => memory.includes(secret.subarray(0, len))));
    };
    for (const hash of [sha256, sha512, sm3, sha3_256, blake2b, blake2s, blake3]) {
        force(hash.create().kind.family, true);
        hash.create().exportState(); // loads the module for states
    }
    const keyed = Uint8Array.from(secret);
    for (const hash of [sha256, sha512, sm3, sha3_256, blake2b, blake2s, blake3]) {
        const uses = {
            digest: () => hash(keyed),
            update: () => hash.create().update(keyed.subarray(0, 40)),
            export: () => hash.create().update(keyed).exportState(),
            import: () => hash.create().importState(hash.create().update(keyed).exportState()),
            hmac: () => hmac(hash, keyed, bytes(200)),
            pbkdf2: () => pbkdf2(hash, keyed, "salt", { c: 3 }),
            many: () => many(hash, [keyed, keyed, keyed]),
            "many parts": () => Array(70).fill(keyed).reduce((hasher, part) => hasher.update(part), hash.create()).digest(),
            long: () => hash(new Uint8Array(Buffer.concat(Array(70).fill(keyed)))),
        };
        for (const [name, use] of Object.entries(uses)) {
            use();
            assert.deepEqual(left(hash), [], `${name}, ${hash.outputLen}`);
        }
    }
    const small = keyed.subarray(0, 32);
    for (const use of [
        () => blake2b(bytes(3), { key: keyed }),
        () => blake2s(bytes(3), { key: small }),
        () => blake2xb(keyed, { key: keyed, dkLen: 200 }),
        () => blake2xs.create({ key: small }).update(keyed).xof(100),
    ]) {
        use();
        assert.deepEqual([...left(blake2b), ...left(blake2s)], []);
    }
    const key = keyed.subarray(0, 32);
    for (const dkLen of [32, 100]) {
        for (const use of [() => blake3(bytes(2000), { key, dkLen }), () => blake3(keyed, { context: keyed.map((it) => it & 127), dkLen })]) {
            use();
            assert.deepEqual(left(blake3), [], `blake3, ${dkLen} bytes`);
        }
    }
    const elements = [keyed, keyed];
    for (const use of [
        () => kmac128(keyed, bytes(30)),
        () => shake128(keyed, { dkLen: 500 }),
        () => shake128.create().update(keyed).xof(500),
        () => turboshake128.create().update(keyed).xof(500),
        () => kt128.create({ personalization: keyed }).update(keyed).xof(500),
        () => tuplehash128xof(elements, { dkLen: 500 }),
        () => tuplehash128(elements),
        () => parallelhash128(keyed, { blockLen: 12 }),
        () => kmac128.create(keyed).update(keyed).exportState(),
        () => kmac128.create(keyed).importState(kmac128.create(keyed).update(keyed).exportState()).digest(),
        () => cshake128.create().update(keyed).exportState(),
        () => tuplehash128.create().update(keyed).exportState(),
        () => parallelhash128.create().update(keyed).exportState(),
    ]) {
        use();
        assert.deepEqual(left(sha3_256), [], String(use));
    }
    for (const use of [
        () => asconHash256(keyed),
        () => asconHash256.create().update(keyed).exportState(),
        () => asconXof128(keyed, { dkLen: 500 }),
        () => asconXof128.create().update(keyed).xof(500),
        () => asconCxof128(keyed, { customization: keyed }),
        () => many(asconHash256, [keyed, keyed, keyed]),
    ]) {
        use();
        assert.deepEqual(left(asconHash256), [], String(use));
    }
    blake3.create().update(keyed).xof(500);
    assert.deepEqual(left(blake3), []);
});

/** What engines say where WebAssembly may not be compiled from bytes. */
const FORBIDDEN = [
    "WebAssembly.Module(): Content Security Policy directive: neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
    "WebAssembly.Module(): Wasm code generation disallowed by embedder",
    "call to WebAssembly.Module() blocked by CSP",
];

test("where WebAssembly is forbidden, an error names the ways out", async () => {
    const real = WebAssembly.Module;
    const fresh = await import("../dist/internal/family.js?blocked");
    const advice = /forbids WebAssembly; import "hashmill\/javascript", or on a page add 'wasm-unsafe-eval' to script-src/;
    try {
        for (const text of FORBIDDEN) {
            WebAssembly.Module = class {
                constructor() {
                    throw new WebAssembly.CompileError(text);
                }
            };
            assert.throws(() => new fresh.Family("none", "", "").machine, advice);
        }
    } finally {
        WebAssembly.Module = real;
    }
    assert.throws(() => new fresh.Family("none", "", "").machine, WebAssembly.CompileError);
});

test("compiled modules are handed in", async () => {
    const { provide } = await import("hashmill/modules");
    const file = (name) => readFileSync(new URL(`../dist/wasm/${name}.wasm`, import.meta.url));
    const modules = ["sha256.scalar", "sha256.simd"].map((name) => new WebAssembly.Module(file(name)));
    provide(...modules);
    const { Family } = await import("../dist/internal/family.js");
    const family = new Family("sha256", "not base64", "not base64");
    assert.deepEqual(modulesOf(family), { scalar: modules[0], simd: modules[1] });
    assert.throws(() => provide(file("sha256.scalar")), /expected WebAssembly.Module/);
    const other = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    assert.throws(() => provide(other), /the module is not one of hashmill \d/);
});

test("streams, blobs and files", async () => {
    const all = bytes(1_000_000);
    const parts = () => Array.from({ length: 10 }, (_, i) => all.subarray(i * 100_000, (i + 1) * 100_000));
    async function* slowly() {
        for (const part of parts()) yield part;
    }
    const wanted = node(all);
    const seen = [];
    assert.deepEqual(await digestOf(sha256, parts(), { onProgress: (n) => seen.push(n) }), wanted);
    assert.equal(seen.at(-1), all.length);
    assert.deepEqual(await digestOf(sha256, slowly()), wanted);
    assert.deepEqual(await digestOf(sha256, new Blob(parts())), wanted);
    assert.deepEqual(await digestOf(sha256, new Blob(parts()).stream()), wanted);
    assert.deepEqual(await digestOf(hmac.create(sha256, bytes(3)), parts()), hmac(sha256, bytes(3), all));
    await assert.rejects(digestOf(sha256, ["text"]), TypeError);
    await assert.rejects(digestOf(sha256, slowly(), { signal: AbortSignal.abort(new Error("stop")) }), /stop/);
    const hashing = hashingStream(sha256);
    assert.deepEqual(await digestOf(sha512, new Blob(parts()).stream().pipeThrough(hashing)), node(all, "sha512"));
    assert.deepEqual(await hashing.digest, wanted);
    const dir = mkdtempSync(join(tmpdir(), "hashmill-"));
    try {
        const file = join(dir, "file");
        writeFileSync(file, all);
        assert.deepEqual(await digestOfFile(sha256, file), wanted);
        const through = createReadStream(file).pipe(createHash(sha256));
        assert.deepEqual(new Uint8Array(Buffer.concat(await through.toArray())), wanted);
        await assert.rejects(digestOfFile(sha256, join(dir, "none")), /ENOENT/);
    } finally {
        rmSync(dir, { recursive: true });
    }
});

test("the interface of node:crypto's Hash", () => {
    const [ours, theirs] = [createHash(sha256), crypto.createHash("sha256")];
    for (const hash of [ours, theirs]) hash.update("grüße").update("ff00", "hex").update(new Uint16Array([1, 2]));
    assert.equal(ours.copy().digest("hex"), theirs.copy().digest("hex"));
    assert.equal(ours.digest("base64"), theirs.digest("base64"));
    assert.throws(() => ours.digest(), /Digest already called/);
    assert.throws(() => ours.update("a"), /Digest already called/);
});
