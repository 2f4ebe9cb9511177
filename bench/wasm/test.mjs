// The library in WebAssembly: `node test.mjs MODULE BACKENDS`. Known answers, those of vectors/,
// and Node's own digests of messages of many lengths, on every backend; that the module has these
// backends and no others.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { check } from "./vectors.mjs";

const [file, backends] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(file));
const library = new WebAssembly.Instance(module, {}).exports;
const { memory, messages, count, force, hash, test } = library;

// Codes of algorithms, Node's names for them, and the lengths of their digests.
const ALGORITHMS = [
    [2, "sha256", 32],
    [4, "sha512", 64],
    [8, "sha3-256", 32],
    [11, "blake2b512", 64],
    [12, "blake2s256", 32],
];
const COUNT = 9;

const names = backends.split(",");
// What a build cannot run is in the list, but refused.
const available = Array.from({ length: count() }, (_, index) => index).filter((index) => force(index));
assert.equal(available.length, names.length, "the backends that can run");
names.forEach((name, i) => {
    assert(force(available[i]));
    assert(test(), `known answers, ${name}`);
    for (const [code, node, size] of ALGORITHMS) {
        for (const length of [1, 55, 64, 111, 127, 128, 129, 135, 136, 137, 1000]) {
            const bytes = Uint8Array.from({ length: COUNT * length }, (_, i) => i * i + (i >> 8));
            const at = messages(bytes.length);
            new Uint8Array(memory.buffer).set(bytes, at);
            const wanted = Buffer.concat(
                Array.from({ length: COUNT }, (_, i) =>
                    createHash(node).update(bytes.subarray(i * length, (i + 1) * length)).digest(),
                ),
            );
            for (const together of [0, 1]) {
                const digests = hash(code, length, together);
                const got = Buffer.from(memory.buffer, digests, COUNT * size);
                assert(got.equals(wanted), `${node} of ${length} bytes, ${name}, ${together ? "many" : "one"}`);
            }
        }
    }
    const checked = check(library);
    assert(checked > 600);
    console.log(`${name}: known answers, ${checked} of vectors/, and Node's digests`);
});

