// The habits of node:crypto: names, lengths of the output, options, and streams that fail.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import test from "node:test";
import * as hashmill from "hashmill";
import { createHash, digestOfFile } from "hashmill/node";
import { WorkerPool } from "hashmill/pool";

const { blake2b, digestOf, hashingStream, many, pbkdf2, sha256, shake128, shake256 } = hashmill;
const bytes = (length) => Uint8Array.from({ length }, (_, i) => i * i);

/** What Node has and this package has not. */
const OTHERS = /md[45]|sha1|ripemd|rmd160|whirlpool|mdc2|^dss1$/i; // dss1 is SHA-1, too
/** Names of OpenSSL that `getHashes` does not list. */
const MORE = [
    "SHA2-256", "SHA-256", "Sha2-512/256", "sha-512/256", "RSA-SHA512/224", "SHA512-224", "shake-128", "SHAKE256",
    "BLAKE2B-512", "BLAKE2s-256", "SHA3-384", "2.16.840.1.101.3.4.2.6", "2.16.840.1.101.3.4.2.12", "KECCAK-256",
    "1.2.156.10197.1.401",
];

test("createHash takes every name that node:crypto has", () => {
    let checked = 0;
    for (const name of [...crypto.getHashes(), ...MORE]) {
        if (OTHERS.test(name)) {
            assert.throws(() => createHash(name), new RegExp(`no function is named "${name}"`));
            continue;
        }
        let wanted;
        // Later versions of Node have no length of SHAKE's output by themselves.
        const [, bits] = /^shake-?(\d+)/i.exec(name) ?? [];
        try {
            wanted = crypto.createHash(name, bits && { outputLength: bits / 8 }).update("abc").digest("hex");
        } catch {
            assert(MORE.includes(name), name); // this version of OpenSSL does not have it
            continue;
        }
        // Bun has BLAKE2 of other lengths.
        if (globalThis.Bun && /blake2[bs](?!512|-512|256|-256)/i.test(name)) continue;
        assert.equal(createHash(name).update("abc").digest("hex"), wanted, name);
        checked += 1;
    }
    assert(checked > 12, `${checked} names`);
    for (const name of ["", "sha", "constructor", "__proto__"]) assert.throws(() => createHash(name), /no function is named .*give the function itself/);
});

test("createHash takes the length of the output", () => {
    const wanted = crypto.createHash("shake256", { outputLength: 50 }).update("abc").digest("hex");
    for (const hash of [shake256, "shake256"]) {
        for (const opts of [{ outputLength: 50 }, { dkLen: 50 }, { outputLength: 50, dkLen: 50, highWaterMark: 7 }]) {
            assert.equal(createHash(hash, opts).update("abc").digest("hex"), wanted);
        }
    }
    const long = createHash(shake128, { outputLength: 100_000 }).update("abc");
    const copy = long.copy({ outputLength: 10 });
    assert.deepEqual(new Uint8Array(long.digest()), shake128(new TextEncoder().encode("abc"), { dkLen: 100_000 }));
    assert.equal(copy.digest("hex"), crypto.createHash("shake128", { outputLength: 10 }).update("abc").digest("hex"));
    assert.equal(createHash("sha256", { outputLength: 32 }).digest().length, 32);
    assert.throws(() => createHash("sha256", { outputLength: 20 }), /"outputLength" expected 32, because the function has no other; got 20/);
    assert.throws(() => createHash(shake256, { outputLength: 50, dkLen: 51 }), /"outputLength" and "dkLen" differ/);
    assert.throws(() => createHash(shake256, { outputLength: -1 }), RangeError);
    assert.throws(() => createHash(shake256, { outputLength: "5" }), TypeError);
});

test("createHash refuses what node:crypto refuses", () => {
    for (const make of [createHash, crypto.createHash]) {
        const hash = make("sha256");
        for (const data of [7, undefined, null, {}, [1]]) assert.throws(() => hash.update(data), TypeError);
        assert.equal(hash.digest("buffer").length, 32);
        assert.throws(() => hash.digest(), { code: "ERR_CRYPTO_HASH_FINALIZED" });
        assert.throws(() => hash.update("a"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
        assert.throws(() => hash.copy(), { code: "ERR_CRYPTO_HASH_FINALIZED" });
    }
});

test("unknown options are errors everywhere", async () => {
    const unknown = { message: /^unknown option "nonsense"; (the options are ")/ };
    const opts = { nonsense: 1 };
    let checked = 0;
    for (const [name, hash] of Object.entries(hashmill)) {
        if (typeof hash?.create !== "function" || name === "hmac") continue;
        const given = name.startsWith("kmac") ? [bytes(3)] : [];
        const message = name.startsWith("tuplehash") ? [bytes(1)] : bytes(1);
        assert.throws(() => hash(...given, message, opts), unknown, name);
        assert.throws(() => hash.create(...given, opts), unknown, name);
        hash.create(...given, { nonsense: undefined });
        checked += 1;
    }
    assert(checked > 40, `${checked} functions`);
    const { kmac128 } = hashmill;
    assert.deepEqual(kmac128(bytes(3), bytes(1), { NISTfn: "KMAC" }), kmac128(bytes(3), bytes(1)));
    assert.throws(() => kmac128(bytes(3), bytes(1), { NISTfn: "other" }), /"NISTfn" expected "KMAC", which is fixed/);
    for (const hash of [sha256, hashmill.sha3_512]) {
        assert.throws(() => hash(bytes(1), { dkLen: 20 }), /XOF is not enabled/);
        assert.deepEqual(hash(bytes(1), { dkLen: hash.outputLen }), hash(bytes(1)));
    }
    assert.throws(() => many(sha256, [], opts), unknown);
    assert.throws(() => pbkdf2(sha256, "a", "b", { c: 1, ...opts }), unknown);
    assert.throws(() => createHash("sha256", opts), unknown);
    assert.throws(() => hashingStream(sha256, opts), unknown);
    assert.throws(() => new WorkerPool(opts), unknown);
    await assert.rejects(digestOf(sha256, [], opts), unknown);
    await assert.rejects(digestOfFile(sha256, "none", opts), unknown);
    await assert.rejects(new WorkerPool().digestOf(sha256, bytes(1), opts), unknown);
});

test("an array without its memory is an error", () => {
    const detached = bytes(10);
    structuredClone(detached, { transfer: [detached.buffer] });
    const arrays = { detached };
    // Node 20 and later have buffers that change their lengths.
    const shrunk = new Uint8Array(new ArrayBuffer(20, { maxByteLength: 20 }), 10, 5);
    shrunk.buffer.resize(12);
    arrays["out of bounds"] = shrunk;
    for (const [what, array] of Object.entries(arrays)) {
        assert.equal(array.length, 0);
        const lost = /the array lost its memory: its buffer was transferred or shortened/;
        assert.throws(() => sha256(array), lost, what);
        assert.throws(() => sha256.create().update(array), lost, what);
        assert.throws(() => blake2b(bytes(1), { key: array }), lost, what);
        assert.throws(() => many(sha256, [bytes(1), array]), lost, what);
        assert.throws(() => many(sha256, { values: array, width: 1 }), lost, what);
        assert.throws(() => createHash("sha256").update(array), TypeError, what);
    }
    assert.equal(sha256(new Uint8Array(0)).length, 32);
    const tracking = new Uint8Array(new ArrayBuffer(4, { maxByteLength: 20 }));
    tracking.buffer.resize(2);
    assert.deepEqual(sha256(tracking), sha256(new Uint8Array(2)));
});

/** Calls `use` with a stream, and returns what its digest is rejected with. */
async function rejection(use, hash = sha256, opts = {}) {
    const hashing = hashingStream(hash, opts);
    await use(hashing);
    return hashing.digest.then(() => "no rejection", (reason) => reason);
}
const reason = new Error("the reason");
const failing = (after = 3) => {
    let parts = 0;
    return new ReadableStream({
        pull(controller) {
            if (parts++ < after) controller.enqueue(bytes(1000));
            else controller.error(reason);
        },
    });
};
/** Gives parts without end, and lets timers run. */
const endless = () =>
    new ReadableStream({
        async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            controller.enqueue(bytes(1000));
        },
    });
const drained = (stream) => stream.pipeTo(new WritableStream()).catch(() => {});

const FAILURES = {
    "the source fails": ({ readable, writable }) => drained(failing().pipeThrough({ readable, writable })),
    "the source fails, and nobody reads": ({ writable }) => failing(0).pipeTo(writable).catch(() => {}),
    "the pipe is aborted by a signal": (stream) => {
        const stop = new AbortController();
        const done = endless().pipeThrough(stream, { signal: stop.signal }).pipeTo(new WritableStream()).catch(() => {});
        setTimeout(() => stop.abort(reason), 10);
        return done;
    },
    "the writable side is aborted": ({ writable }) => writable.abort(reason),
    "the writable side is aborted while a part waits for the reader": ({ writable }) => {
        const writer = writable.getWriter();
        writer.write(bytes(9)).catch(() => {});
        writer.write(bytes(9)).catch(() => {});
        writer.closed.catch(() => {});
        return writer.abort(reason);
    },
    "the readable side is cancelled": ({ readable }) => readable.cancel(reason),
    "the readable side is cancelled while a part waits": async ({ readable, writable }) => {
        const writer = writable.getWriter();
        const written = writer.write(bytes(9));
        writer.closed.catch(() => {});
        await readable.cancel(reason);
        await written.catch(() => {});
    },
    "the sink fails": (stream) =>
        endless().pipeThrough(stream).pipeTo(new WritableStream({ write: () => Promise.reject(reason) })).catch(() => {}),
};

for (const [name, use] of Object.entries(FAILURES)) {
    test(`hashingStream: ${name}`, async () => assert.equal(await rejection(use), reason));
}

test("hashingStream: a part that is not bytes, a callback that throws, a signal, no reason", async () => {
    const text = new ReadableStream({ start: (controller) => controller.enqueue("text") });
    assert((await rejection((stream) => drained(text.pipeThrough(stream)))) instanceof TypeError);
    const onProgress = () => {
        throw reason;
    };
    assert.equal(await rejection((stream) => drained(endless().pipeThrough(stream)), sha256, { onProgress }), reason);
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 10);
    assert.equal(await rejection((stream) => drained(endless().pipeThrough(stream)), sha256, { signal: stop.signal }), reason);
    assert.equal(await rejection(() => {}, sha256, { signal: AbortSignal.abort(reason) }), reason);
    assert.match((await rejection(({ readable }) => readable.cancel())).message, /the stream was cancelled/);
});

test("hashingStream: a rejection that nobody looks at is not unhandled", async () => {
    const seen = [];
    const note = (error) => seen.push(error);
    process.on("unhandledRejection", note);
    try {
        for (const use of Object.values(FAILURES)) await use(hashingStream(sha256));
        await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
        process.off("unhandledRejection", note);
    }
    assert.deepEqual(seen, []);
});

test("hashingStream: the bytes pass as they are, and only as fast as they are read", async () => {
    const hashing = hashingStream(sha256);
    const writer = hashing.writable.getWriter();
    const reader = hashing.readable.getReader();
    const part = bytes(9);
    let written = 0;
    const all = Promise.all([1, 2, 3, 4, 5].map(() => writer.write(part).then(() => (written += 1)))).then(() => writer.close());
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert(written < 2, `${written} parts were taken before any was read`);
    for (let i = 0; i < 5; i++) assert.equal((await reader.read()).value, part);
    assert((await reader.read()).done);
    await all;
    assert.deepEqual(await hashing.digest, sha256(new Uint8Array(Buffer.concat(Array(5).fill(part)))));
});
