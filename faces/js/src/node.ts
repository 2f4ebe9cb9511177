/** For Node, Bun and Deno: files, and hashers with the interface of node:crypto. */

import { Transform, type TransformCallback, type TransformOptions } from "node:stream";
import { bytesOfFile } from "./internal/file.js";
import { Hasher } from "./internal/hasher.js";
import { named } from "./internal/names.js";
import { native } from "./internal/native.js";
import { known } from "./internal/options.js";
import { type Absorbing, begin } from "./internal/parts.js";
import { type Hashing } from "./many.js";
import { type StreamOptions, digestOf } from "./stream.js";
import { aheld, anumber } from "./utils.js";

/** Whether the native part is installed for this platform, and in use. */
export function hasNative(): boolean {
    return native() !== undefined;
}

/** Returns the digest of a file. */
export function digestOfFile(hash: Hashing, path: string | URL, opts: StreamOptions = {}): Promise<Uint8Array> {
    return digestOf(hash, bytesOfFile(path), opts);
}

/** The options of `createHash`; those of the stream are Node's. */
export interface NodeHashOptions extends Pick<TransformOptions, (typeof STREAM)[number]> {
    /** Bytes of the digest, for functions whose output may have any length. */
    outputLength?: number;
    /** The same, by the name of the other functions of this package. */
    dkLen?: number;
}

const STREAM = [
    "allowHalfOpen", "autoDestroy", "decodeStrings", "defaultEncoding", "emitClose", "encoding", "highWaterMark",
    "objectMode", "readableHighWaterMark", "readableObjectMode", "signal", "writableHighWaterMark", "writableObjectMode",
] as const;

/** A hasher with the interface of node:crypto's `Hash` and `Hmac`: `update`, `digest`, `copy`, and a stream. */
export class NodeHash extends Transform {
    #hasher: Absorbing;
    #hash: Hashing;
    #finished = false;

    constructor(hash: Hashing, opts: NodeHashOptions = {}) {
        const { outputLength, dkLen = outputLength, ...stream } = known(opts, ["outputLength", "dkLen", ...STREAM]);
        super(stream);
        if (outputLength !== undefined && dkLen !== outputLength) throw new RangeError('"outputLength" and "dkLen" differ');
        this.#hash = hash;
        this.#hasher = begin(hash);
        if (dkLen !== undefined) resize(this.#hasher, dkLen);
    }

    update(data: string | NodeJS.ArrayBufferView, encoding?: BufferEncoding): this {
        if (this.#finished) throw finalized();
        if (typeof data !== "string" && !ArrayBuffer.isView(data)) {
            throw new TypeError(`"data" expected string, TypedArray or DataView, got type=${typeof data}`);
        }
        if (typeof data !== "string" && data.byteLength === 0 && "indexOf" in data) aheld(data, "data");
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
        if (this.#finished) throw finalized();
        this.#finished = true;
        const digest = Buffer.from(this.#hasher.digest());
        // Node takes "buffer", too.
        return encoding === undefined || (encoding as string) === "buffer" ? digest : digest.toString(encoding);
    }

    copy(opts: NodeHashOptions = {}): NodeHash {
        if (this.#finished) throw finalized();
        const copy = new NodeHash(this.#hash, { ...opts, dkLen: undefined, outputLength: undefined } as NodeHashOptions);
        copy.#hasher = this.#hasher.clone();
        const { outputLength, dkLen = outputLength } = opts;
        if (dkLen !== undefined) resize(copy.#hasher, dkLen);
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

/** Gives a hasher an output of this length. Only functions whose output may have any length have another than their own. */
function resize(hasher: Absorbing, len: number): void {
    anumber(len, "outputLength");
    const { outputLen, canXOF } = hasher as Hasher;
    if (len === outputLen) return;
    if (!(hasher instanceof Hasher && canXOF)) {
        throw new RangeError(`"outputLength" expected ${outputLen}, because the function has no other; got ${len}`);
    }
    hasher.outputLen = len;
}

/** Node's error of a hash that has ended. */
function finalized(): Error {
    return Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
}

/**
 * Makes a hasher as node:crypto's `createHash` does: of a name that Node has for a function of this
 * package, such as "sha256", or of a function, a hasher or an HMAC of it.
 */
export function createHash(hash: Hashing | string, opts?: NodeHashOptions): NodeHash {
    return new NodeHash(typeof hash === "string" ? named(hash) : hash, opts);
}
