// The library in WebAssembly beside others under Node: `node measure.mjs MODULE`, after `npm ci`.
// One thread, 256 messages of 1 KiB, the best of 60 rounds; in each round all take turns. Node's
// own crypto is native code.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { blake2b, blake2s } from "@noble/hashes/blake2.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import * as hashWasm from "hash-wasm";

const COUNT = 256;
const LENGTH = 1024;
const ROUNDS = 60;

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const { memory, messages, force, hash, count } = new WebAssembly.Instance(module, {}).exports;
const at = messages(COUNT * LENGTH);
const bytes = new Uint8Array(memory.buffer, at, COUNT * LENGTH).map((_, i) => i * i);
new Uint8Array(memory.buffer).set(bytes, at);
const every = Array.from({ length: COUNT }, (_, i) => bytes.subarray(i * LENGTH, (i + 1) * LENGTH));
const portable = count() - 1;

const ALGORITHMS = [
    ["SHA-256", 2, "sha256", sha256, await hashWasm.createSHA256()],
    ["SHA-512", 4, "sha512", sha512, await hashWasm.createSHA512()],
    ["SHA3-256", 8, "sha3-256", sha3_256, await hashWasm.createSHA3(256)],
    ["BLAKE2b", 11, "blake2b512", blake2b, await hashWasm.createBLAKE2b(512)],
    ["BLAKE2s", 12, "blake2s256", blake2s, await hashWasm.createBLAKE2s(256)],
];

const date = new Date().toISOString().slice(0, 10);
console.log("date,algorithm,length,implementation,GB/s,rounds");
for (const [name, code, node, noble, other] of ALGORITHMS) {
    const ways = {
        "hashmill, simd128, many": () => force(0) && hash(code, LENGTH, 1),
        "hashmill, portable, many": () => force(portable) && hash(code, LENGTH, 1),
        "hashmill, portable, one by one": () => force(portable) && hash(code, LENGTH, 0),
        "hash-wasm": () => every.forEach((message) => other.init().update(message).digest("binary")),
        "noble": () => every.forEach((message) => noble(message)),
        "Node's crypto (native)": () => every.forEach((message) => createHash(node).update(message).digest()),
    };
    const best = Object.fromEntries(Object.keys(ways).map((way) => [way, Infinity]));
    for (let round = 0; round < ROUNDS; round++) {
        for (const [way, run] of Object.entries(ways)) {
            const start = performance.now();
            run();
            best[way] = Math.min(best[way], performance.now() - start);
        }
    }
    for (const [way, milliseconds] of Object.entries(best)) {
        console.log(`${date},${name},${LENGTH},"${way}",${((COUNT * LENGTH) / milliseconds / 1e6).toFixed(3)},${ROUNDS}`);
    }
}
