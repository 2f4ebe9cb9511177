/** The bytes of streams, blobs, files and arrays in parts. */

import type { Hashing } from "../many.js";
import type { Blob, ReadableBytes } from "./globals.js";
import { abytes } from "../utils.js";

/** Anything that gives bytes in parts: a Node stream, a `ReadableStream`, a generator, a `Blob`. */
export type Source = Blob | ReadableBytes | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What hashing a stream needs of a hasher. */
export interface Absorbing {
    update(data: Uint8Array): unknown;
    digest(): Uint8Array;
    clone(): Absorbing;
    destroy(): void;
}

/** Begins a hash of a message that comes in parts. */
export function begin(hash: Hashing): Absorbing {
    const hasher = typeof hash === "function" ? hash.create() : hash.clone();
    if ("streams" in hasher && !hasher.streams) throw new TypeError("TupleHash takes elements, not the parts of a stream");
    return hasher;
}

/** A reader of either kind. One that does not fill a view ignores it. */
interface Reader {
    read(view: Uint8Array): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
    releaseLock(): void;
}

/** The bytes of a stream. One buffer is used again for all parts, where the stream can fill it. */
async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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
            yield value;
            buffer = value.buffer;
        }
    } finally {
        if (!ended) await reader.cancel();
        reader.releaseLock();
    }
}

/** The bytes of a source. A part is valid until the next one is asked for. */
export async function* parts(source: Source): AsyncGenerator<Uint8Array> {
    const stream = typeof Blob !== "undefined" && source instanceof Blob ? source.stream() : source;
    const all = "getReader" in stream ? read(stream as ReadableStream<Uint8Array>) : stream;
    for await (const part of all as AsyncIterable<Uint8Array>) yield abytes(part);
}
