// What people write who come from noble-hashes, node:crypto, hash-wasm and the package blake3, before
// they have read anything. Each test is a program of its own, with its own imports.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const abc = new TextEncoder().encode("abc");

test("one call", async () => {
    const { sha256 } = await import("hashmill/sha2");
    const { bytesToHex } = await import("hashmill/utils");
    assert.equal(bytesToHex(sha256(abc)), ABC);
    assert.equal(Buffer.from(sha256(Buffer.from("abc"))).toString("hex"), ABC);
});

test("everything from one module", async () => {
    const { blake3, bytesToHex, sha256, utf8ToBytes } = await import("hashmill");
    assert.equal(bytesToHex(sha256(utf8ToBytes("abc"))), ABC);
    assert.equal(blake3(abc).length, 32);
});

test("names with .js", async () => {
    const { sha256 } = await import("hashmill/sha2.js");
    assert.equal(sha256(abc).length, 32);
});

test("parts", async () => {
    const { sha256 } = await import("hashmill/sha2");
    const { bytesToHex, utf8ToBytes } = await import("hashmill/utils");
    const hasher = sha256.create();
    hasher.update(utf8ToBytes("a")).update(utf8ToBytes("bc"));
    assert.equal(bytesToHex(hasher.digest()), ABC);
    assert.deepEqual(sha256.create().update(abc).clone().digest(), sha256(abc));
    assert.deepEqual([sha256.outputLen, sha256.blockLen], [32, 64]);
});

test("text must be encoded", async () => {
    const { sha256 } = await import("hashmill/sha2");
    assert.throws(() => sha256("abc"), /expected Uint8Array, got type=string/);
});

test("the other functions of noble-hashes", async () => {
    const { sha224, sha384, sha512, sha512_256 } = await import("hashmill/sha2");
    const { keccak_256, sha3_256, sha3_512 } = await import("hashmill/sha3");
    const names = { sha224, sha384, sha512, "sha512-256": sha512_256, "sha3-256": sha3_256, "sha3-512": sha3_512 };
    for (const [name, hash] of Object.entries(names)) {
        assert.equal(Buffer.from(hash(abc)).toString("hex"), crypto.createHash(name).update("abc").digest("hex"), name);
    }
    assert.match(Buffer.from(keccak_256(new Uint8Array())).toString("hex"), /^c5d2460186f7233c/);
});

test("SHAKE with a length", async () => {
    const { shake128, shake256 } = await import("hashmill/sha3");
    assert.equal(Buffer.from(shake128(abc, { dkLen: 4 })).toString("hex"), "5881092d");
    assert.equal(shake256(abc, { dkLen: 1000 }).length, 1000);
    const reader = shake128.create().update(abc);
    assert.deepEqual(Buffer.concat([reader.xof(1), reader.xof(3)]).toString("hex"), "5881092d");
});

test("BLAKE2", async () => {
    const { blake2b, blake2s } = await import("hashmill/blake2");
    assert.equal(Buffer.from(blake2b(abc)).toString("hex"), crypto.createHash("blake2b512").update("abc").digest("hex"));
    assert.equal(blake2s(abc, { dkLen: 16, key: abc }).length, 16);
    const salt = new Uint8Array(16);
    assert.notDeepEqual(blake2b(abc, { personalization: salt.fill(1) }), blake2b(abc));
});

test("BLAKE3", async () => {
    const { blake3 } = await import("hashmill/blake3");
    assert.equal(Buffer.from(blake3(abc)).toString("hex"), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    assert.equal(blake3(abc, { dkLen: 100 }).length, 100);
    const key = new Uint8Array(32);
    assert.notDeepEqual(blake3(abc, { key }), blake3(abc, { context: new TextEncoder().encode("example.com 2026") }));
    assert.equal(blake3.create({}).update(abc).xof(64).length, 64);
});

test("HMAC", async () => {
    const { hmac } = await import("hashmill/hmac");
    const { sha256 } = await import("hashmill/sha2");
    const key = new TextEncoder().encode("key");
    const tag = crypto.createHmac("sha256", "key").update("abc").digest();
    assert.deepEqual(Buffer.from(hmac(sha256, key, abc)), tag);
    assert.deepEqual(Buffer.from(hmac.create(sha256, key).update(abc).digest()), tag);
});

test("HKDF and PBKDF2", async () => {
    const { hkdf, extract, expand } = await import("hashmill/hkdf");
    const { pbkdf2, pbkdf2Async } = await import("hashmill/pbkdf2");
    const { sha256 } = await import("hashmill/sha2");
    const salt = new Uint8Array(8);
    const wanted = Buffer.from(crypto.hkdfSync("sha256", abc, salt, "purpose", 42));
    const info = new TextEncoder().encode("purpose");
    assert.deepEqual(Buffer.from(hkdf(sha256, abc, salt, info, 42)), wanted);
    assert.deepEqual(Buffer.from(expand(sha256, extract(sha256, abc, salt), info, 42)), wanted);
    const key = crypto.pbkdf2Sync("password", "salt", 2, 32, "sha256");
    assert.deepEqual(Buffer.from(pbkdf2(sha256, "password", "salt", { c: 2, dkLen: 32 })), key);
    assert.deepEqual(Buffer.from(await pbkdf2Async(sha256, "password", "salt", { c: 2, dkLen: 32 })), key);
});

test("hexadecimal", async () => {
    const { bytesToHex, hexToBytes } = await import("hashmill/utils");
    assert.deepEqual(hexToBytes(bytesToHex(abc)), abc);
    assert.throws(() => hexToBytes("xyz"));
});

test("bytes in a row", async () => {
    const { sha256 } = await import("hashmill/sha2");
    const { concatBytes } = await import("hashmill/utils");
    assert.deepEqual(sha256(concatBytes(abc, abc)), sha256.create().update(abc).update(abc).digest());
});

test("many", async () => {
    const { many, manyHex } = await import("hashmill/many");
    const { sha256 } = await import("hashmill/sha2");
    const digests = many(sha256, [abc, new Uint8Array(3)]); // one after the other
    assert.equal(Buffer.from(digests.subarray(0, 32)).toString("hex"), ABC);
    assert.equal(manyHex(sha256, [abc, abc])[1], ABC);
});

test("createHash, as in node:crypto", async () => {
    const { createHash } = await import("hashmill/node");
    assert.equal(createHash("sha256").update("abc").digest("hex"), ABC);
    assert.equal(createHash("sha256").update("a").update("bc").digest().toString("hex"), ABC);
    assert.equal(createHash("sha3-256").update(abc).digest("base64").length, 44);
    assert.throws(() => createHash("sha257"));
});

test("a file", async () => {
    const { createHash, digestOfFile } = await import("hashmill/node");
    const { sha256 } = await import("hashmill/sha2");
    const folder = mkdtempSync(join(tmpdir(), "hashmill-"));
    try {
        const file = join(folder, "file");
        writeFileSync(file, "abc");
        assert.equal(Buffer.from(await digestOfFile(sha256, file)).toString("hex"), ABC);
        const hash = createHash("sha256");
        for await (const part of createReadStream(file)) hash.update(part);
        assert.equal(hash.digest("hex"), ABC);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test("a stream of the web", async () => {
    const { digestOf } = await import("hashmill/stream");
    const { sha256 } = await import("hashmill/sha2");
    assert.equal(Buffer.from(await digestOf(sha256, new Blob(["abc"]).stream())).toString("hex"), ABC);
});

test("KMAC and KangarooTwelve", async () => {
    const { kmac128, kt128, turboshake128 } = await import("hashmill/sha3-addons");
    assert.equal(kmac128(abc, abc, { dkLen: 20 }).length, 20);
    assert.equal(kt128(abc, { dkLen: 64 }).length, 64);
    assert.equal(turboshake128(abc, { D: 0x0b }).length, 32);
});

test("a hash that goes on later", async () => {
    const { sha256 } = await import("hashmill/sha2");
    const saved = sha256.create().update(abc.subarray(0, 1)).exportState();
    assert.equal(Buffer.from(sha256.create().importState(saved).update(abc.subarray(1)).digest()).toString("hex"), ABC);
});

test("a function as a parameter", async () => {
    const { hmac, sha256, sha3_256 } = await import("hashmill");
    const twice = (hash, message) => hash(hash(message));
    for (const hash of [sha256, sha3_256]) {
        assert.equal(twice(hash, abc).length, 32);
        assert.equal(hmac(hash, abc, abc).length, hash.outputLen);
    }
});
