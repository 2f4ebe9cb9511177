/**
 * The script of the workers of `hashmill/pool`. It has no hash function of its own: the compiled
 * modules come with the tasks.
 */

import { Family } from "./internal/family.js";
import { bytesOfFile } from "./internal/file.js";
import { parts } from "./internal/parts.js";
import { type Answer, STOP, type Task } from "./internal/task.js";
import { PART, Tree } from "./internal/tree.js";

/** The web's `self`, or Node's `parentPort`. */
interface Port {
    postMessage(answer: Answer, transfer?: ArrayBuffer[]): void;
    onmessage: ((event: { data: Task | typeof STOP }) => void) | null;
}
const web = typeof postMessage === "function";
const port = (web ? globalThis : process.getBuiltinModule("node:worker_threads").parentPort) as unknown as Port;

/** Progress is sent after so many bytes. */
const STEP = 1 << 22;
/** Bytes of a part of an array. */
const SLICE = 1 << 20;

/** The families of the functions so far, by the code of the function. */
const families = new Map<number, Family>();
let stopped = false;

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** The bytes of a task's part. */
function open({ source, start, end }: Task): AsyncGenerator<Uint8Array> {
    if (source instanceof Uint8Array) return parts(slices(source));
    if (typeof source !== "string") return parts(source.slice(start, end));
    return bytesOfFile(source, start, end);
}

/** Puts parts of any lengths together to parts of `PART` bytes and a last, shorter one. */
async function* whole(all: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(PART);
    let filled = 0;
    for await (let part of all) {
        while (part.length > 0) {
            const taken = part.subarray(0, PART - filled);
            buffer.set(taken, filled);
            filled += taken.length;
            part = part.subarray(taken.length);
            if (filled < PART) continue;
            yield buffer;
            filled = 0;
        }
    }
    if (filled > 0) yield buffer.subarray(0, filled);
    buffer.fill(0);
}

async function run(task: Task): Promise<Answer> {
    const { modules, name, long, code, lanesFrom, state, start, end, subtree } = task;
    let family = families.get(code);
    if (!family) families.set(code, (family = new Family(name, modules.scalar, modules.simd, long)));
    const hasher = new Tree({ family, code, blockLen: 0, outputLen: 0, ...(lanesFrom && { lanesFrom }) });
    hasher._resume(state);
    const values: Uint8Array[] = [];
    let bytes = 0;
    let told = 0;
    const all = open(task);
    try {
        for await (const part of subtree ? whole(all) : all) {
            if (stopped) throw new Error("the task was stopped");
            if (subtree) values.push(hasher.subtree(start + bytes, part));
            else hasher.update(part);
            bytes += part.length;
            if (bytes - told < STEP) continue;
            port.postMessage({ bytes });
            told = bytes;
        }
        if (subtree && bytes !== end - start) throw new Error(`the source ended after ${start + bytes} bytes`);
        return { bytes, result: subtree ? hasher.above(values) : hasher._bytes().slice() };
    } finally {
        // Overwrites the state, also after an error.
        hasher.destroy();
    }
}

port.onmessage = async ({ data }) => {
    stopped = data === STOP;
    if (data === STOP) return;
    try {
        const answer = await run(data);
        port.postMessage(answer, [answer.result?.buffer as ArrayBuffer]);
    } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        port.postMessage({ error });
    }
};
