// This package beside node:crypto, hash-wasm and noble-hashes: `node bench/measure.mjs`, after a
// build. One thread; each round measures all ways in turn, and the least time of 40 rounds counts.

import crypto from "node:crypto";
import * as nobleBlake2 from "@noble/hashes/blake2.js";
import * as nobleSha2 from "@noble/hashes/sha2.js";
import * as nobleSha3 from "@noble/hashes/sha3.js";
import * as hashWasm from "hash-wasm";
import { blake2b } from "hashmill/blake2";
import { many } from "hashmill/many";
import { sha256 } from "hashmill/sha2";
import { sha3_256 } from "hashmill/sha3";

const ROUNDS = 40;
const bytes = (length) => Uint8Array.from({ length }, (_, i) => i * i + (i >> 8));

const FUNCTIONS = [
    ["SHA-256", "sha256", sha256, nobleSha2.sha256, await hashWasm.createSHA256()],
    ["SHA3-256", "sha3-256", sha3_256, nobleSha3.sha3_256, await hashWasm.createSHA3(256)],
    ["BLAKE2b", "blake2b512", blake2b, nobleBlake2.blake2b, await hashWasm.createBLAKE2b(512)],
];

/** Returns the least nanoseconds of one call of each way, divided by `count`. */
function least(ways, count) {
    const best = Object.fromEntries(Object.keys(ways).map((way) => [way, Infinity]));
    for (const [, run] of Object.entries(ways)) {
        for (const end = performance.now() + 60; performance.now() < end; ) run();
    }
    for (let round = 0; round < ROUNDS; round++) {
        for (const [way, run] of Object.entries(ways)) {
            const start = performance.now();
            run();
            best[way] = Math.min(best[way], performance.now() - start);
        }
    }
    return Object.fromEntries(Object.entries(best).map(([way, time]) => [way, (time * 1e6) / count]));
}

// `crypto.hash` is faster than `createHash`, and newer than Node 20.
const nodeHash = crypto.hash
    ? (name) => (message) => crypto.hash(name, message, "buffer")
    : (name) => (message) => crypto.createHash(name).update(message).digest();

console.log(`Node ${process.version}; nanoseconds for each message`);
const columns = ["hashmill, many", "hashmill, list", "hashmill", "hash-wasm", "noble-hashes", "node:crypto"];
console.log(["function", "messages", "bytes", ...columns].join(","));
for (const [name, node, ours, noble, other] of FUNCTIONS) {
    for (const [count, length] of [[4096, 32], [256, 1024], [4, 65536], [1, 1 << 20]]) {
        const values = bytes(count * length);
        const list = Array.from({ length: count }, (_, i) => values.subarray(i * length, (i + 1) * length));
        const native = nodeHash(node);
        const times = least({
            "hashmill, many": () => many(ours, { values, width: length }),
            "hashmill, list": () => many(ours, list),
            hashmill: () => list.forEach((message) => ours(message)),
            "hash-wasm": () => list.forEach((message) => other.init().update(message).digest("binary")),
            "noble-hashes": () => list.forEach((message) => noble(message)),
            "node:crypto": () => list.forEach((message) => native(message)),
        }, count);
        console.log([name, count, length, ...columns.map((way) => times[way].toFixed(0))].join(","));
    }
}
