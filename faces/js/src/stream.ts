/** Streams, files and other sources of bytes. */

import { type Hashing } from "./many.js";
import { abytes } from "./utils.js";

/** Anything that gives bytes in parts: a Node stream, a `ReadableStream`, a generator, a `Blob`. */
export type Source = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface StreamOptions {
    /** Called after each part with the number of bytes so far. */
    onProgress?: (bytes: number) => void;
    /** Stops the reading, with the signal's reason as the error. */
    signal?: AbortSignal;
}

/** A hasher of any kind: what streams need of it. */
interface Absorbing {
    update(data: Uint8Array): unknown;
    digest(): Uint8Array;
    destroy(): void;
}

const begin = (hash: Hashing): Absorbing => (typeof hash === "function" ? hash.create() : hash.clone());

async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    // Not every engine can iterate over a ReadableStream.
    const reader = stream.getReader();
    let ended = false;
    try {
        for (;;) {
            const { done, value } = await reader.read();
            ended = done;
            if (done) return;
            yield value;
        }
    } finally {
        if (!ended) await reader.cancel();
        reader.releaseLock();
    }
}

/** Returns the digest of all bytes that the source gives. Memory does not grow with them. */
export async function digestOf(hash: Hashing, source: Source, opts: StreamOptions = {}): Promise<Uint8Array> {
    const { onProgress, signal } = opts;
    const hasher = begin(hash);
    const stream = typeof Blob !== "undefined" && source instanceof Blob ? source.stream() : source;
    const all = "getReader" in stream ? parts(stream as ReadableStream<Uint8Array>) : stream;
    let bytes = 0;
    try {
        for await (const part of all as AsyncIterable<Uint8Array>) {
            signal?.throwIfAborted();
            hasher.update(abytes(part));
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
