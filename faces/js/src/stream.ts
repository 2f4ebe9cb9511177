/** Streams, files and other sources of bytes. */

import { type AbortSignal, type ReadableBytes, type WritableBytes } from "./internal/globals.js";
import { known } from "./internal/options.js";
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
    const { onProgress, signal } = known(opts, ["onProgress", "signal"]);
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

/** The two sides of a stream, for `pipeThrough`, and the digest of all bytes when they have passed. */
export interface HashingStream {
    readonly readable: ReadableBytes;
    readonly writable: WritableBytes;
    /** Rejects with the reason if the stream fails, is aborted or is cancelled. */
    readonly digest: Promise<Uint8Array>;
}

/**
 * Makes a stream that passes bytes on as they are and hashes them. It is not a `TransformStream`, because
 * not every engine tells one that its readable side was cancelled or its writable side aborted.
 */
export function hashingStream(hash: Hashing, opts: StreamOptions = {}): HashingStream {
    const { onProgress, signal } = known(opts, ["onProgress", "signal"]);
    const hasher = begin(hash);
    let bytes = 0;
    let fail!: (reason: unknown) => void;
    let resolve!: (digest: Uint8Array) => void;
    /** Lets a part that waits for the reader go on. */
    let wake = (): void => {};
    let output!: ReadableStreamDefaultController<Uint8Array>;
    let input!: WritableStreamDefaultController;
    const digest = new Promise<Uint8Array>((done, reject) => {
        resolve = done;
        fail = (reason) => {
            hasher.destroy();
            reject(reason ?? new Error("hashmill: the stream was cancelled"));
            wake();
        };
    });
    // Whoever does not ask for the digest has the error from the stream itself.
    digest.catch(() => {});
    const readable = new ReadableStream<Uint8Array>(
        {
            start: (controller) => void (output = controller),
            pull: () => wake(),
            cancel(reason) {
                fail(reason);
                input.error(reason);
            },
        },
        { highWaterMark: 0 },
    );
    const stop = (reason: unknown): void => {
        fail(reason);
        output.error(reason);
    };
    const writable = new WritableStream<Uint8Array>({
        start(controller) {
            input = controller;
            // The standard aborts only after a part that is being written: such a part must not wait.
            controller.signal?.addEventListener("abort", () => wake());
        },
        async write(part) {
            try {
                hasher.update(abytes(part));
                bytes += part.length;
                onProgress?.(bytes);
            } catch (error) {
                stop(error);
                throw error;
            }
            output.enqueue(part);
            if ((output.desiredSize ?? 0) > 0 || input.signal?.aborted) return;
            await new Promise<void>((done) => (wake = done));
        },
        close() {
            output.close();
            resolve(hasher.digest());
        },
        abort: stop,
    });
    const aborted = (): void => {
        input.error(signal?.reason);
        stop(signal?.reason);
    };
    if (signal?.aborted) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
    return { readable, writable, digest };
}
