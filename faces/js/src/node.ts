/** For Node, Bun and Deno: files, and hashers with the interface of node:crypto. */

import { Transform, type TransformCallback } from "node:stream";
import { bytesOfFile } from "./internal/file.js";
import { native } from "./internal/native.js";
import { type Absorbing, begin } from "./internal/parts.js";
import { type Hashing } from "./many.js";
import { type StreamOptions, digestOf } from "./stream.js";

/** Whether the native part is installed for this platform, and in use. */
export function hasNative(): boolean {
    return native() !== undefined;
}

/** Returns the digest of a file. */
export function digestOfFile(hash: Hashing, path: string | URL, opts: StreamOptions = {}): Promise<Uint8Array> {
    return digestOf(hash, bytesOfFile(path), opts);
}

/** A hasher with the interface of node:crypto's `Hash` and `Hmac`: `update`, `digest`, `copy`, and a stream. */
export class NodeHash extends Transform {
    #hasher: Absorbing;
    #hash: Hashing;
    #finished = false;

    constructor(hash: Hashing) {
        super();
        this.#hash = hash;
        this.#hasher = begin(hash);
    }

    update(data: string | NodeJS.ArrayBufferView, encoding?: BufferEncoding): this {
        if (this.#finished) throw new Error("Digest already called");
        const bytes =
            typeof data === "string"
                ? Buffer.from(data, encoding)
                : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        this.#hasher.update(bytes);
        return this;
    }

    digest(): Buffer;
    digest(encoding: BufferEncoding): string;
    digest(encoding?: BufferEncoding): Buffer | string {
        if (this.#finished) throw new Error("Digest already called");
        this.#finished = true;
        const digest = Buffer.from(this.#hasher.digest());
        return encoding === undefined ? digest : digest.toString(encoding);
    }

    copy(): NodeHash {
        if (this.#finished) throw new Error("Digest already called");
        const copy = new NodeHash(this.#hash);
        copy.#hasher = this.#hasher.clone();
        return copy;
    }

    override _transform(part: Buffer | string, encoding: BufferEncoding, done: TransformCallback): void {
        this.update(part, encoding);
        done();
    }

    override _flush(done: TransformCallback): void {
        this.push(this.digest());
        done();
    }
}

/** `createHash(sha256)` instead of node:crypto's `createHash("sha256")`. */
export function createHash(hash: Hashing): NodeHash {
    return new NodeHash(hash);
}
