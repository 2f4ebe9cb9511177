// Hashes one file with some functions, part by part, so that memory does not grow with the file.

import { FUNCTIONS } from "./functions.mjs";

/** The parts of a file, in one buffer that is used again, where the engine can read into one. */
async function* parts(file) {
    let reader;
    try {
        reader = file.stream().getReader({ mode: "byob" });
    } catch {
        reader = file.stream().getReader();
    }
    let buffer = new ArrayBuffer(1 << 18);
    for (;;) {
        const { done, value } = await reader.read(new Uint8Array(buffer));
        if (done) return;
        yield value;
        buffer = value.buffer;
    }
}

onmessage = async ({ data: { id, file, names } }) => {
    try {
        const hashers = names.map((name) => [name, FUNCTIONS[name].create()]);
        let bytes = 0;
        let told = 0;
        for await (const value of parts(file)) {
            for (const [, hasher] of hashers) hasher.update(value);
            bytes += value.length;
            if (performance.now() - told > 50) {
                told = performance.now();
                postMessage({ id, bytes });
            }
        }
        const hex = (digest) => Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
        postMessage({ id, bytes, digests: hashers.map(([name, hasher]) => [name, hex(hasher.digest())]) });
    } catch (error) {
        postMessage({ id, error: String(error) });
    }
};
