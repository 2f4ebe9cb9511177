// This package, by WebAssembly and by its native part, beside node:crypto, hash-wasm and
// noble-hashes: `node bench/measure.mjs`, after both builds. One thread; each round measures all
// ways in turn, and the least time of a call in 40 rounds counts. Prints the times, and the targets
// that were met or missed; with `--write` also to record/, under the name of the CPU.

import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import * as nobleBlake2 from "@noble/hashes/blake2.js";
import * as nobleBlake3 from "@noble/hashes/blake3.js";
import * as nobleSha2 from "@noble/hashes/sha2.js";
import * as nobleSha3 from "@noble/hashes/sha3.js";
import * as hashWasm from "hash-wasm";
import { asconHash256 } from "hashmill/ascon";
import { blake2b } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { many } from "hashmill/many";
import { sha256 } from "hashmill/sha2";
import { sha3_256 } from "hashmill/sha3";
import { sm3 } from "hashmill/sm3";
import { use } from "../dist/internal/native.js";
import { part } from "../test/part.mjs";

const ROUNDS = 40;
/**
 * Milliseconds of each way in a round. The first call after another way's takes longer, because the
 * caches and the CPU's predictors have that way's contents; a call may take less than 0.1 ms.
 */
const TURN = 1;
const bytes = (length) => Uint8Array.from({ length }, (_, i) => i * i + (i >> 8));

const FUNCTIONS = [
    ["SHA-256", "sha256", sha256, nobleSha2.sha256, await hashWasm.createSHA256()],
    ["SHA3-256", "sha3-256", sha3_256, nobleSha3.sha3_256, await hashWasm.createSHA3(256)],
    ["BLAKE2b", "blake2b512", blake2b, nobleBlake2.blake2b, await hashWasm.createBLAKE2b(512)],
    ["BLAKE3", undefined, blake3, nobleBlake3.blake3, await hashWasm.createBLAKE3()],
    ["SM3", "sm3", sm3, undefined, await hashWasm.createSM3()],
    ["Ascon-Hash256", undefined, asconHash256, undefined, undefined],
];

use(undefined);
/** Runs `f` by the native part. */
const natively = (f) => () => {
    use(part);
    f();
    use(undefined);
};

/** Returns the least nanoseconds of one call of each way, divided by `count`. */
function least(ways, count) {
    const best = Object.fromEntries(Object.keys(ways).map((way) => [way, Infinity]));
    for (const [, run] of Object.entries(ways)) {
        for (const end = performance.now() + 60; performance.now() < end; ) run();
    }
    for (let round = 0; round < ROUNDS; round++) {
        for (const [way, run] of Object.entries(ways)) {
            for (const first = performance.now(); performance.now() - first < TURN; ) {
                const start = performance.now();
                run();
                best[way] = Math.min(best[way], performance.now() - start);
            }
        }
    }
    return Object.fromEntries(Object.entries(best).map(([way, time]) => [way, (time * 1e6) / count]));
}

// `crypto.hash` is faster than `createHash`, and newer than Node 20.
const nodeHash = crypto.hash ?? ((name, message, encoding) => {
    const hash = crypto.createHash(name).update(message);
    return encoding === "hex" ? hash.digest("hex") : hash.digest();
});

const columns = [
    "many", "many, a list", "one by one", "native many", "native list", "native one", "hash-wasm", "noble-hashes",
    "`crypto`", "`crypto` to hex",
];
const lines = [`| function | messages | bytes | ${columns.join(" | ")} |`, "|---".repeat(columns.length + 3) + "|"];
const measured = {};
for (const [name, node, ours, noble, other] of FUNCTIONS) {
    for (const [count, length] of [[4096, 32], [256, 1024], [4, 65536], [1, 1 << 20]]) {
        const values = bytes(count * length);
        const list = Array.from({ length: count }, (_, i) => values.subarray(i * length, (i + 1) * length));
        const ways = {
            many: () => many(ours, { values, width: length }),
            list: () => many(ours, list),
            one: () => list.forEach((message) => ours(message)),
        };
        const crypto = (encoding) => () => list.forEach((message) => nodeHash(node, message, encoding));
        const times = least({
            many: ways.many,
            "many, a list": ways.list,
            "one by one": ways.one,
            "native many": natively(ways.many),
            "native list": natively(ways.list),
            "native one": natively(ways.one),
            ...(other && { "hash-wasm": () => list.forEach((message) => other.init().update(message).digest("binary")) }),
            ...(noble && { "noble-hashes": () => list.forEach((message) => noble(message)) }),
            ...(node && { "`crypto`": crypto("buffer"), "`crypto` to hex": crypto("hex") }),
        }, count);
        measured[`${name} ${length}`] = times;
        lines.push(`| ${[name, count, length, ...columns.map((way) => times[way]?.toFixed(0) ?? "")].join(" | ")} |`);
    }
}

const targets = ["| target | at least | measured | |", "|---|---|---|---|"];
const target = (what, least, value) => {
    targets.push(`| ${what} | ${least} | ${value.toFixed(2)} | ${value >= least ? "met" : "missed"} |`);
};
const ratio = (what, wanted, length, way, other) => {
    for (const [name, least] of Object.entries(wanted)) {
        const times = measured[`${name} ${length}`];
        target(`${name}, ${what}`, least, times[other] / times[way]);
    }
};
ratio("`many` of 32 B × hash-wasm", { "SHA-256": 3.5, "SHA3-256": 1.5, BLAKE2b: 2.7 }, 32, "many", "hash-wasm");
ratio("`many` of a list of 32 B × `crypto`", { "SHA-256": 4.5 }, 32, "many, a list", "`crypto`");
ratio("`many` of 1 KiB × hash-wasm", { "SHA-256": 1.8 }, 1024, "many", "hash-wasm");
ratio("one of 32 B × hash-wasm", { "SHA-256": 1.6, "SHA3-256": 1.35, BLAKE2b: 1.9 }, 32, "one by one", "hash-wasm");
for (const [length, text] of [[65536, "64 KiB"], [1 << 20, "1 MiB"]]) {
    ratio(`one of ${text} × hash-wasm`, { "SHA-256": 1.05, "SHA3-256": 1.05, BLAKE2b: 1.05 }, length, "one by one", "hash-wasm");
}

const all = (least) => ({ "SHA-256": least, "SHA3-256": least, BLAKE2b: least });
ratio("native `many` of 32 B × `crypto`", all(20), 32, "native many", "`crypto`");
ratio("native `many` of 32 B × `crypto` to hex", all(8), 32, "native many", "`crypto` to hex");
ratio("native `many` of a list of 32 B × `crypto`", all(15), 32, "native list", "`crypto`");
ratio("native `many` of 1 KiB × `crypto`", all(5), 1024, "native many", "`crypto`");
ratio("native, one of 1 KiB × `crypto`", all(1.2), 1024, "native one", "`crypto`");
ratio("native, one of 1 MiB × `crypto`", all(1), 1 << 20, "native one", "`crypto`");

const { version } = JSON.parse(readFileSync(new URL("../node_modules/hash-wasm/package.json", import.meta.url)));
const text = `# Measurements

Written by \`npm run bench -- --write\`: nanoseconds for each message, one thread, the least call of
${ROUNDS} rounds in which all ways take turns of ${TURN} ms or more. ${cpus()[0].model}, Node ${process.versions.node},
hash-wasm ${version}. Other programs may have used the machine, so compare only within a row.

${lines.join("\n")}

${targets.join("\n")}
`;
console.log(text);
if (process.argv.includes("--write")) {
    // "Intel(R) Xeon(R) Processor" is intel-xeon.
    const words = cpus()[0].model.toLowerCase().replace(/\((r|tm)\)|processor|cpu|@.*/g, "").match(/[a-z0-9]+/g);
    writeFileSync(new URL(`record/${words.join("-")}.md`, import.meta.url), text);
}
