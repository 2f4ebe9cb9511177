/** Streams, files and other sources of bytes. */

import { type Source, begin, parts } from "./internal/parts.js";
import { type Hashing } from "./many.js";
import { abytes } from "./utils.js";

export type { Source };

export interface StreamOptions {
    /** Called after each part with the number of bytes so far. */
    onProgress?: (bytes: number) => void;
    /** Stops the reading, with the signal's reason as the error. */
    signal?: AbortSignal;
}

/** Returns the digest of all bytes that the source gives. Memory does not grow with them. */
export async function digestOf(hash: Hashing, source: Source, opts: StreamOptions = {}): Promise<Uint8Array> {
    const { onProgress, signal } = opts;
    const hasher = begin(hash);
    let bytes = 0;
    try {
        for await (const part of parts(source)) {
            signal?.throwIfAborted();
            hasher.update(part);
            bytes += part.length;
            onProgress?.(bytes);
        }
        return hasher.digest();
    } finally {
        hasher.destroy();
    }
}

/** A stream that passes bytes on as they are, and the digest of all of them when it has ended. */
export interface HashingStream extends TransformStream<Uint8Array, Uint8Array> {
    readonly digest: Promise<Uint8Array>;
}

/** Makes a `TransformStream` that hashes what flows through it. */
export function hashingStream(hash: Hashing, { onProgress }: StreamOptions = {}): HashingStream {
    const hasher = begin(hash);
    let bytes = 0;
    let resolve: (digest: Uint8Array) => void;
    const digest = new Promise<Uint8Array>((done) => {
        resolve = done;
    });
    const stream = new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
            hasher.update(abytes(part));
            bytes += part.length;
            onProgress?.(bytes);
            controller.enqueue(part);
        },
        flush() {
            resolve(hasher.digest());
        },
    });
    return Object.assign(stream, { digest });
}
