/** BLAKE2 (RFC 7693) with its parameters, and the trees BLAKE2bp and BLAKE2sp. */

import { Family } from "./internal/family.js";
import { type HashFunction, Hasher, type Kind, type XofOptions, createHasher } from "./internal/hasher.js";
import { abytes, anumber, options } from "./utils.js";
import * as wasmB from "./wasm/blake2b.js";
import * as wasmS from "./wasm/blake2s.js";

/** The options of BLAKE2bp and BLAKE2sp. */
export interface Blake2Options extends XofOptions {
    key?: Uint8Array;
    /** 16 bytes for BLAKE2b and BLAKE2bp, 8 for BLAKE2s and BLAKE2sp. */
    salt?: Uint8Array;
    /** As long as the salt. */
    personalization?: Uint8Array;
}

/** The options of BLAKE2b and BLAKE2s: also those of a node of a tree (the BLAKE2 paper §2.10). */
export interface Blake2NodeOptions extends Blake2Options {
    /** Children of a node, 0 for any number. */
    fanout?: number;
    /** The depth of the tree, 255 for any depth. */
    maxDepth?: number;
    /** Bytes of a leaf, 0 for any number. */
    leafLen?: number;
    /** The index of the node in its level. */
    nodeOffset?: number | bigint;
    /** The level of the node, 0 for a leaf. */
    nodeDepth?: number;
    /** Bytes that an inner node passes to its parent. */
    innerLen?: number;
    /** Whether the node is the last of its level. */
    lastNode?: boolean;
}

const familyB = /* @__PURE__ */ new Family(wasmB.scalar, wasmB.simd, 4096);
const familyS = /* @__PURE__ */ new Family(wasmS.scalar, wasmS.simd, 4096);

function below(value: number, limit: number, title: string): number {
    if (anumber(value, title) >= limit) throw new RangeError(`"${title}" expected < ${limit}, got ${value}`);
    return value;
}

/** The parameters as `begin_with` reads them. */
function parameters(max: number, outputLen: number, given: Blake2NodeOptions): Uint8Array {
    const { key, salt, personalization } = given;
    const offset = BigInt(given.nodeOffset ?? 0);
    const offsets = max === 64 ? 64n : 48n;
    if (offset < 0n || offset >= 1n << offsets) {
        throw new RangeError(`"nodeOffset" expected 0 to 2^${offsets} - 1, got ${offset}`);
    }
    const bytes = new Uint8Array(21 + 128);
    const view = new DataView(bytes.buffer);
    view.setBigUint64(0, offset, true);
    view.setUint32(8, below(given.leafLen ?? 0, 2 ** 32, "leafLen"), true);
    bytes.set([outputLen, key?.length ?? 0, salt?.length ?? 0, personalization?.length ?? 0], 12);
    const { fanout = 1, maxDepth = 1, nodeDepth = 0, innerLen = 0, lastNode = false } = given;
    bytes.set([below(fanout, 256, "fanout"), below(maxDepth, 256, "maxDepth")], 16);
    bytes.set([below(nodeDepth, 256, "nodeDepth"), below(innerLen, max + 1, "innerLen"), lastNode ? 1 : 0], 18);
    let at = 21;
    for (const string of [key, salt, personalization]) {
        if (string) bytes.set(string, at);
        at += string?.length ?? 0;
    }
    return bytes;
}

function blake2<Options extends Blake2Options>(kind: Kind, allowed: string[]): HashFunction<Options> {
    const max = kind.outputLen;
    return createHasher<Options>(kind, (opts) => {
        const given = options<Blake2NodeOptions>({}, opts);
        const { dkLen = max, key, salt, personalization } = given;
        anumber(dkLen, "dkLen");
        if (dkLen < 1 || dkLen > max) throw new Error(`"dkLen" must be 1..${max}, got ${dkLen}`);
        if (key !== undefined) {
            abytes(key, undefined, "key");
            if (key.length < 1 || key.length > max) {
                throw new Error(`"key" expected to be undefined or of length=1..${max}`);
            }
        }
        if (salt !== undefined) abytes(salt, max / 4, "salt");
        if (personalization !== undefined) abytes(personalization, max / 4, "personalization");
        const other = Object.keys(given).find((name) => !allowed.includes(name));
        if (other !== undefined) throw new Error(`unknown option "${other}"`);
        if (Object.keys(given).length === 0) return new Hasher(kind);
        const bytes = parameters(max, dkLen, given);
        const hasher = new Hasher(kind, dkLen, bytes);
        bytes.fill(0);
        return hasher;
    });
}

const COMMON = ["dkLen", "key", "salt", "personalization"];
const NODE = ["fanout", "maxDepth", "leafLen", "nodeOffset", "nodeDepth", "innerLen", "lastNode"];
const b = (code: number): Kind => ({ family: familyB, code, blockLen: 128, outputLen: 64 });
const s = (code: number): Kind => ({ family: familyS, code, blockLen: 64, outputLen: 32 });

export const blake2b: HashFunction<Blake2NodeOptions> = /* @__PURE__ */ blake2(/* @__PURE__ */ b(11), [...COMMON, ...NODE]);
export const blake2s: HashFunction<Blake2NodeOptions> = /* @__PURE__ */ blake2(/* @__PURE__ */ s(12), [...COMMON, ...NODE]);
export const blake2bp: HashFunction<Blake2Options> = /* @__PURE__ */ blake2(/* @__PURE__ */ b(13), COMMON);
export const blake2sp: HashFunction<Blake2Options> = /* @__PURE__ */ blake2(/* @__PURE__ */ s(14), COMMON);
