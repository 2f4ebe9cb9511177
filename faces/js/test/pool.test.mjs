// A pool of workers gives the digests of one thread.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker as NodeWorker } from "node:worker_threads";
import { blake2b } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { hmac } from "hashmill/hmac";
import { createHash } from "hashmill/node";
import { WorkerPool } from "hashmill/pool";
import { sha256, sha512 } from "hashmill/sha2";
import { shake128 } from "hashmill/sha3";
import { kt128, tuplehash128 } from "hashmill/sha3-addons";
import { digestOf } from "hashmill/stream";

const bytes = (length) => Uint8Array.from({ length }, (_, i) => (i * i) >> 3);
const message = bytes(9_000_000);
const pool = new WorkerPool({ workers: 3 });
const dir = mkdtempSync(join(tmpdir(), "hashmill-"));
after(async () => {
    await pool.close();
    rmSync(dir, { recursive: true });
});

test("sources of every kind, and hashers with keys, parameters and prefixes", async () => {
    const short = message.subarray(0, 300_000);
    const file = join(dir, "short");
    writeFileSync(file, short);
    const shared = new Uint8Array(new SharedArrayBuffer(short.length));
    shared.set(short);
    const sources = { blob: new Blob([short]), array: short, shared, path: file, url: pathToFileURL(file) };
    const key = bytes(32);
    const hashes = {
        sha256,
        sha512,
        shake128,
        blake3,
        kt128,
        hmac: hmac.create(sha256, key),
        blake2b: blake2b.create({ key, dkLen: 20 }),
        keyed: blake3.create({ key, dkLen: 77 }),
        prefix: sha256.create().update(bytes(70)),
    };
    const wanted = (hash) => (typeof hash === "function" ? hash.create() : hash.clone()).update(short).digest();
    for (const [name, hash] of Object.entries(hashes)) {
        const digests = Object.entries(sources).map(async ([kind, source]) => {
            assert.deepEqual(await pool.digestOf(hash, source), wanted(hash), `${name}, ${kind}`);
        });
        await Promise.all(digests);
    }
    assert.equal(short.length, 300_000, "the caller keeps its bytes");
});

test("many sources at once", async () => {
    const parts = Array.from({ length: 100 }, (_, i) => message.subarray(0, i * i));
    const digests = await Promise.all(parts.map((part) => pool.digestOf(sha256, part)));
    assert.deepEqual(digests, parts.map((part) => sha256(part)));
});

test("BLAKE3 of a long message by all workers", async () => {
    const MiB = 1 << 20;
    const file = join(dir, "long");
    const key = bytes(32);
    for (const length of [2 * MiB - 1, 2 * MiB, 2 * MiB + 1, 3 * MiB, 3 * MiB + 65_537, 5 * MiB - 1024, 8 * MiB, 9_000_000]) {
        const part = message.subarray(0, length);
        writeFileSync(file, part);
        const expected = blake3(part);
        assert.deepEqual(await pool.digestOf(blake3, file), expected, `${length} bytes`);
        assert.deepEqual(await pool.digestOf(blake3, new Blob([part])), expected, `${length} bytes of a blob`);
        const keyed = await pool.digestOf(blake3.create({ key, dkLen: 100 }), part);
        assert.deepEqual(keyed, blake3(part, { key, dkLen: 100 }), `${length} bytes with a key`);
    }
    const prefixed = await pool.digestOf(blake3.create().update(bytes(3)), message);
    assert.deepEqual(prefixed, blake3.create().update(bytes(3)).update(message).digest());
    const one = new WorkerPool({ workers: 1 });
    assert.deepEqual(await one.digestOf(blake3, message), blake3(message));
    await one.close();
});

test("progress, and the end by a signal", async () => {
    const file = join(dir, "progress");
    writeFileSync(file, message);
    const seen = [];
    await pool.digestOf(blake3, file, { onProgress: (n) => seen.push(n) });
    assert.equal(seen.at(-1), message.length);
    assert(seen.every((n, i) => i === 0 || n >= seen[i - 1]));
    const stop = new AbortController();
    const stopped = pool.digestOf(sha256, file, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await assert.rejects(stopped, /enough/);
    await assert.rejects(pool.digestOf(sha256, file, { signal: AbortSignal.abort(new Error("before")) }), /before/);
    assert.deepEqual(await pool.digestOf(sha256, file), sha256(message));
});

test("errors", async () => {
    await assert.rejects(pool.digestOf(sha256, join(dir, "none")), /ENOENT/);
    await assert.rejects(pool.digestOf(sha256, 7), TypeError);
    await assert.rejects(pool.digestOf("sha256", message), TypeError);
    await assert.rejects(pool.digestOf(tuplehash128.create(), message), /TupleHash takes elements/);
    await assert.rejects(digestOf(tuplehash128.create(), [message]), /TupleHash takes elements/);
    assert.throws(() => createHash(tuplehash128.create()), /TupleHash takes elements/);
    assert.throws(() => new WorkerPool({ workers: 0 }), RangeError);
    assert.throws(() => new WorkerPool({ workers: "2" }), TypeError);
    const wrong = new WorkerPool({ create: () => new NodeWorker(new URL("./none.mjs", import.meta.url)) });
    await assert.rejects(Promise.all([wrong.digestOf(sha256, message), wrong.digestOf(blake3, message)]), /a worker failed: Cannot find module/);
    await wrong.close();
    const closed = new WorkerPool();
    const late = closed.digestOf(sha256, message);
    await closed.close();
    await assert.rejects(late, /the pool was closed/);
    await assert.rejects(closed.digestOf(sha256, message), /the pool was closed/);
});
