// No state that comes from a key stays in memory after a call of the native part: `node test/remains.mjs`, after
// `npm run build:native`, on Linux. A process imports states, calls the native part and overwrites what is its own;
// this one, its parent, then searches all memory that it can write.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Bytes are searched in this form, so that the search does not find itself. */
const MASK = 0x5a;
// Arrays of numbers, because V8 keeps the bytes of short typed arrays in its heap and copies them there.
const bytes = (length) => Array.from({ length }, () => Math.floor(Math.random() * 256));
const number = (value, length) => Array.from({ length }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
const sponge = () => [[0x06], bytes(200), [10], bytes(10)];

/** The fields of states whose words come from a key, with the bytes of a word of the function. */
const STATES = {
    "HMAC-SHA-256": [2, 4, () => [number(64 + 20, 16), bytes(32), bytes(20)]],
    "HMAC-SHA-512": [4, 8, () => [number(128, 16), bytes(64)]],
    "HMAC-SHA3-256": [8, 8, sponge],
    "BLAKE2b with a key": [11, 8, () => [[64, 0], number(256, 16), bytes(64), bytes(128)]],
    "BLAKE2s with a key": [12, 4, () => [[32, 0], number(64, 16), bytes(32), bytes(64)]],
    "BLAKE2bp with a key": [13, 8, () => [[40], number(512, 16), bytes(64 * 5), bytes(512)]],
    "BLAKE2sp with a key": [14, 4, () => [[20], number(512, 16), bytes(32 * 9), bytes(512)]],
    "BLAKE3 with a key": [20, 4, () => [[16], bytes(32), number(0, 8), number(30, 2), bytes(30)]],
    "BLAKE3 with a key, in the second chunk": [
        20, 4, () => [[16], bytes(32), number(1, 8), number(70, 2), bytes(32), bytes(6), bytes(32)],
    ],
};

/** Each call, with a state, and room for its results. Calls return 0, or the length of a state. */
const values = new Uint8Array(40 * 1000).fill(7);
const offsets = Uint32Array.from({ length: 41 }, (_, i) => 1000 * i - (i % 3) * 100);
const CALLS = {
    rows: (part, code, state, out) => part.rows(code, state, values.subarray(0, 40 * 32), 32, out),
    "long rows": (part, code, state, out) => part.rows(code, state, values, 1000, out),
    column: (part, code, state, out) => part.column(code, state, values, offsets, out),
    "one message": (part, code, state, out) => part.rows(code, state, values, values.length, out),
    absorb: (part, _, state, out) => part.absorb(state, values, out),
};

/** Makes one call and writes, masked, the words of the state before it and of the state after it. */
async function child(name, call) {
    const { part } = await import("./part.mjs");
    const [code, word, fields] = STATES[name];
    const body = [1, code, ...fields().flat()];
    const state = Buffer.allocUnsafeSlow(2048);
    state.set(body);
    state.set(createHash("sha256").update(state.subarray(0, body.length)).digest().subarray(0, 8), body.length);
    createHash("sha256").update(new Uint8Array(body.length)).digest();
    const width = { 2: 32, 4: 64, 8: 32, 11: 64, 12: 32, 13: 40, 14: 20, 20: 32 }[code];
    const count = { absorb: 0, "one message": 1 }[call] ?? 40;
    const out = Buffer.allocUnsafeSlow(count ? count * width : 2048);
    const result = CALLS[call](part, code, state.subarray(0, body.length + 8), out);
    assert(call === "absorb" ? result > 0 : result === 0, `${name}, ${call}: ${result}`);
    const words = new Set();
    for (const held of [state.subarray(0, body.length), call === "absorb" ? out.subarray(0, result - 8) : []]) {
        const masked = Array.from(held, (byte) => (byte ^ MASK).toString(16).padStart(2, "0"));
        for (let i = 2; i + 8 <= masked.length; i += 1) {
            const eight = masked.slice(i, i + 8);
            // Eight bytes of the state and, for words of four bytes, a word in two lanes.
            if (new Set(eight).size > 5) words.add(eight.join(""));
            if (word === 4 && new Set(eight.slice(0, 4)).size > 3) words.add(eight.slice(0, 4).join("").repeat(2));
        }
    }
    state.fill(0);
    out.fill(0);
    body.fill(0);
    console.log(JSON.stringify([...words]));
    process.stdin.once("data", () => process.exit());
}

const PAGE = 4096;
const ZEROS = Buffer.alloc(PAGE);

/** Returns the places where the process has one of the masked words in memory that it can write. */
function search(pid, masked) {
    const found = [];
    const wanted = new Map(masked.map((word) => [Number.parseInt(word.slice(0, 8), 16), []]));
    const first = new Uint8Array(1 << 16);
    for (const word of masked) {
        wanted.get(Number.parseInt(word.slice(0, 8), 16)).push(Number.parseInt(word.slice(8), 16));
        first[Number.parseInt(word.slice(0, 4), 16)] = 1;
    }
    const memory = openSync(`/proc/${pid}/mem`, "r");
    for (const line of readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")) {
        const [range, rights, , , , name = ""] = line.split(/ +/);
        if (!/^rw/.test(rights ?? "") || /^\[v/.test(name)) continue;
        const [start, end] = range.split("-").map((place) => Number.parseInt(place, 16));
        const held = Buffer.allocUnsafe(Math.min(end - start, 1 << 28));
        let length = 0;
        try {
            length = readSync(memory, held, 0, held.length, start);
        } catch {
            continue;
        }
        for (let i = 0; i + 8 <= length; i += 1) {
            // Most pages were never written.
            if (i % PAGE === 0 && held.compare(ZEROS, 0, PAGE, i, Math.min(i + PAGE, length)) === 0) i += PAGE - 8;
            const two = ((held[i] ^ MASK) << 8) | (held[i + 1] ^ MASK);
            if (first[two] === 0) continue;
            const half = (at) => (held.readUInt32BE(at) ^ (MASK * 0x1010101)) >>> 0;
            if (wanted.get(half(i))?.includes(half(i + 4))) found.push(`${(start + i).toString(16)} ${name}`);
        }
        held.fill(0);
    }
    closeSync(memory);
    return found;
}

async function searched(name, call) {
    const made = spawn(process.execPath, [fileURLToPath(import.meta.url), name, call], {
        stdio: ["pipe", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: made.stdout })) {
        const words = JSON.parse(line);
        assert(words.length > 20, `${name}: ${words.length} words`);
        const found = search(made.pid, words);
        made.stdin.end("done");
        return found;
    }
    throw new Error(`${name}, ${call}: the process ended`);
}

if (process.argv.length > 2) {
    await child(process.argv[2], process.argv[3]);
} else {
    const uses = Object.keys(STATES).flatMap((name) => Object.keys(CALLS).map((call) => [name, call]));
    for (const [name, call] of uses) {
        const found = await searched(name, call);
        assert.equal(found.length, 0, `${name}, ${call}: words of a state at ${found.slice(0, 4).join(", ")}`);
    }
    console.log(`${uses.length} uses, and no word of a state is left`);
}
