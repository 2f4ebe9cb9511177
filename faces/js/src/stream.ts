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

/** A reader of either kind. One that does not fill a view ignores it. */
interface Reader {
    read(view: Uint8Array): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
    releaseLock(): void;
}

/** The bytes of a stream. One buffer is used again for all parts, where the stream can fill it. */
async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    // Not every engine can iterate over a ReadableStream, and an iterator allocates each part: the
    // parts of 1 GiB took 650 MB in Chromium before they were collected.
    let reader: Reader;
    try {
        reader = stream.getReader({ mode: "byob" }) as unknown as Reader;
    } catch {
        reader = stream.getReader();
    }
    let buffer: ArrayBufferLike = new ArrayBuffer(1 << 18);
    let ended = false;
    try {
        for (;;) {
            const { done, value } = await reader.read(new Uint8Array(buffer));
            ended = done;
            if (done || !value) return;
            abytes(value);
            yield value;
            buffer = value.buffer;
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
