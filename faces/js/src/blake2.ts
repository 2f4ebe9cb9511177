/** BLAKE2 (RFC 7693) with its parameters, the trees BLAKE2bp and BLAKE2sp, and BLAKE2X. */

import { Family } from "./internal/family.js";
import { type HashFunction, Hasher, type Kind, Xof, type XofOptions, createHasher } from "./internal/hasher.js";
import { known } from "./internal/options.js";
import { abytes, anumber } from "./utils.js";
import { code as scalarB } from "./internal/wasm/blake2b.scalar.js";
import { code as scalarS } from "./internal/wasm/blake2s.scalar.js";

/** The options of BLAKE2bp, BLAKE2sp and BLAKE2X. */
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

const familyB = /* @__PURE__ */ new Family("blake2b", scalarB, undefined, 4096);
const familyS = /* @__PURE__ */ new Family("blake2s", scalarS, undefined, 4096);

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

type Names = readonly (keyof Blake2NodeOptions)[];

/** Returns the options, after a check of those that all functions have. */
function checked(max: number, longest: number, allowed: Names, opts: Blake2NodeOptions | undefined): Blake2NodeOptions {
    const given = known(opts, allowed);
    const { dkLen, key, salt, personalization } = given;
    if (dkLen !== undefined) {
        anumber(dkLen, "dkLen");
        if (dkLen < 1 || dkLen > longest) throw new Error(`"dkLen" must be 1..${longest}, got ${dkLen}`);
    }
    if (key !== undefined) {
        abytes(key, undefined, "key");
        if (key.length < 1 || key.length > max) {
            throw new Error(`"key" expected to be undefined or of length=1..${max}`);
        }
    }
    if (salt !== undefined) abytes(salt, max / 4, "salt");
    if (personalization !== undefined) abytes(personalization, max / 4, "personalization");
    return given;
}

function blake2<Options extends Blake2Options>(kind: Kind, allowed: Names): HashFunction<Options> {
    const max = kind.outputLen;
    return createHasher<Options>(kind, (opts) => {
        const given = checked(max, max, allowed, opts);
        if (Object.keys(given).length === 0) return new Hasher(kind);
        const { dkLen = max } = given;
        const bytes = parameters(max, dkLen, given);
        const hasher = new Hasher(kind, dkLen, bytes);
        bytes.fill(0);
        return hasher;
    });
}

const COMMON: Names = ["dkLen", "key", "salt", "personalization"];
const TREE: Names = ["fanout", "maxDepth", "leafLen", "nodeOffset", "nodeDepth", "innerLen", "lastNode"];
// Not a spread below: in the arguments of a call, it keeps a bundler from leaving the call out.
const NODE: Names = /* @__PURE__ */ COMMON.concat(TREE);
const b = (code: number): Kind => ({ family: familyB, code, blockLen: 128, outputLen: 64 });
const s = (code: number): Kind => ({ family: familyS, code, blockLen: 64, outputLen: 32 });

export const blake2b: HashFunction<Blake2NodeOptions> = /* @__PURE__ */ blake2(/* @__PURE__ */ b(11), NODE);
export const blake2s: HashFunction<Blake2NodeOptions> = /* @__PURE__ */ blake2(/* @__PURE__ */ s(12), NODE);
export const blake2bp: HashFunction<Blake2Options> = /* @__PURE__ */ blake2(/* @__PURE__ */ b(13), COMMON);
export const blake2sp: HashFunction<Blake2Options> = /* @__PURE__ */ blake2(/* @__PURE__ */ s(14), COMMON);

// ---- BLAKE2X ----

/**
 * BLAKE2X in progress ("BLAKE2X", Aumasson, Neves, Wilcox-O'Hearn, Winnerlein, 2016). The root hashes
 * the message. Block `i` of the output is the hash of the root's digest by node `i` of a tree of depth
 * 0. JavaScript calls the module's BLAKE2 for each, because with the core's BLAKE2X the module would
 * grow from 18 to 25 KB, gzipped.
 */
class Extended extends Xof {
    /** The parameters of the last block; those of all blocks differ in the number and the length. */
    private readonly node: Uint8Array;
    /** The length of the output, in bytes. */
    private readonly total: number;
    private position = 0;

    constructor(kind: Kind, given: Blake2NodeOptions) {
        const { dkLen, key, salt, personalization } = given;
        const max = kind.outputLen;
        // The upper bits of the offset are the output's length; if it is unknown, all are ones.
        const nodeOffset = BigInt(dkLen ?? unknown(max)) << 32n;
        const bytes = parameters(max, max, { key, salt, personalization, nodeOffset });
        super(kind, dkLen ?? max, bytes, dkLen === undefined);
        bytes.fill(0);
        this.total = dkLen ?? max * 2 ** 32;
        const tree = { fanout: 0, maxDepth: 0, leafLen: max, innerLen: max, nodeOffset };
        this.node = parameters(max, max, { salt, personalization, ...tree });
    }

    protected override output(out: Uint8Array): void {
        this.read(out);
    }

    protected override read(out: Uint8Array): void {
        const max = this.kind.outputLen;
        const left = this.total - this.position;
        if (out.length > left) throw new RangeError(`${out.length} bytes were asked for, the output has ${left} left`);
        if (!this.reader) {
            // The root's digest, then the last block.
            this.reader = new Uint8Array(2 * max);
            super.output(this.reader.subarray(0, max));
        }
        const [root, block] = [this.reader.subarray(0, max), this.reader.subarray(max)];
        for (let at = 0; at < out.length; ) {
            const first = this.position % max;
            if (first === 0) this.next(root, block);
            const part = block.subarray(first, first + out.length - at);
            out.set(part, at);
            at += part.length;
            this.position += part.length;
        }
    }

    /** Computes the block that begins at the position. The last one may be shorter. */
    private next(root: Uint8Array, block: Uint8Array): void {
        const len = Math.min(block.length, this.total - this.position);
        new DataView(this.node.buffer).setUint32(0, this.position / block.length, true);
        this.node[12] = len;
        new Hasher(this.kind, len, this.node).update(root).digestInto(block);
    }

    override batches(): boolean {
        return false;
    }

    /** Throws: the state of the root would be taken for one of BLAKE2. */
    override exportState(): never {
        throw new Error("this package does not export states of BLAKE2X");
    }

    override importState(): never {
        throw new Error("this package does not import states of BLAKE2X");
    }
}

/** The value of the length field that means an unknown length. */
const unknown = (max: number): number => (max === 64 ? 2 ** 32 : 2 ** 16) - 1;

function blake2x(kind: Kind): HashFunction<Blake2Options> {
    const { outputLen, blockLen } = kind;
    const create = (opts?: Blake2Options) => new Extended(kind, checked(outputLen, unknown(outputLen) - 1, COMMON, opts));
    const call = (message: Uint8Array, opts?: Blake2Options) => create(opts).update(message).digest();
    return Object.freeze(Object.assign(call, { create, outputLen, blockLen, canXOF: true }));
}

/**
 * BLAKE2Xb with an output of `dkLen` bytes, 1 to 2^32 - 2. All of the output depends on `dkLen`.
 * Without it, the length is unknown: `digest` returns 64 bytes, and `xof` up to 2^38.
 */
export const blake2xb: HashFunction<Blake2Options> = /* @__PURE__ */ blake2x(/* @__PURE__ */ b(11));
/** The same by BLAKE2s: `dkLen` of 1 to 65534 bytes; without it, 32 bytes, and up to 2^37. */
export const blake2xs: HashFunction<Blake2Options> = /* @__PURE__ */ blake2x(/* @__PURE__ */ s(12));
