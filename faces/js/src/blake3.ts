/** BLAKE3. */

import { Family, ROOM } from "./internal/family.js";
import { type HashFunction, type Kind, type XofOptions, createHasher, outputLen } from "./internal/hasher.js";
import { known } from "./internal/options.js";
import { Tree } from "./internal/tree.js";
import { abytes } from "./utils.js";
import { code as scalar } from "./internal/wasm/blake3.scalar.js";
import { code as simd } from "./internal/wasm/blake3.simd.js";

/** The options of BLAKE3: a key, or a context, or neither. */
export interface Blake3Options extends XofOptions {
    /** 32 bytes: the output is a message authentication code. */
    key?: Uint8Array;
    /**
     * What a key that is derived from the message is for, in UTF-8: the output is that key. It is a
     * constant of the program, unique and not secret.
     */
    context?: Uint8Array;
}

const kind: Kind = {
    family: /* @__PURE__ */ new Family("blake3", scalar, simd, 4096),
    code: 20,
    blockLen: 64,
    outputLen: 32,
    canXOF: true,
    lanesFrom: 4096,
};

/** A key or a context as `begin_with` reads it. */
function parameters({ key, context }: Blake3Options): Uint8Array | undefined {
    if (key !== undefined && context !== undefined) throw new Error('"key" and "context" exclude each other');
    if (key !== undefined) abytes(key, 32, "key");
    const given = key ?? context;
    if (given === undefined) return undefined;
    abytes(given, undefined, "context");
    if (given.length >= ROOM) throw new RangeError(`"context" expected less than ${ROOM} bytes`);
    if (key === undefined) new TextDecoder("utf-8", { fatal: true }).decode(given);
    const bytes = new Uint8Array(1 + given.length);
    bytes[0] = key === undefined ? 1 : 0;
    bytes.set(given, 1);
    return bytes;
}

/** BLAKE3 with 32 bytes of output, or `dkLen`. */
export const blake3: HashFunction<Blake3Options> = /* @__PURE__ */ createHasher<Blake3Options>(kind, (opts) => {
    const given = known(opts, ["dkLen", "key", "context"]);
    const bytes = parameters(given);
    const hasher = new Tree(kind, outputLen(kind, given), bytes);
    bytes?.fill(0);
    return hasher;
});
