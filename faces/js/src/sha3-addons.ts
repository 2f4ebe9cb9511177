/** SP 800-185 (cSHAKE, KMAC, TupleHash, ParallelHash) and RFC 9861 (TurboSHAKE, KangarooTwelve). */

import { type Family, check } from "./internal/family.js";
import {
    type Hash,
    type HashFunction,
    type Hasher,
    type Kind,
    type Parameters,
    type XofOptions,
    createHasher,
    outputLen,
    Xof,
    withParameters,
} from "./internal/hasher.js";
import { Leaves } from "./internal/leaves.js";
import { EMPTY, keccak, parameters } from "./internal/keccak.js";
import { known } from "./internal/options.js";
import { abytes, anumber, textOrBytes } from "./utils.js";
import { code as simd } from "./internal/wasm/keccak.simd.js";

/** The options of the functions with a customization string. */
export interface CustomOptions extends XofOptions {
    /** The customization string. */
    personalization?: Uint8Array;
}

/** The options of cSHAKE. */
export interface CShakeOptions extends CustomOptions {
    /** The function name, which NIST assigns. */
    NISTfn?: string | Uint8Array;
}

/** The options of TurboSHAKE. */
export interface TurboOptions extends XofOptions {
    /** The domain-separation byte, 0x01 to 0x7F; 0x1F by default. */
    D?: number;
}

/** The options of ParallelHash. */
export interface ParallelOptions extends CustomOptions {
    /** Bytes of a block, 8 by default. */
    blockLen?: number;
}

const kind = (code: number, blockLen: number, outputLen: number, canXOF: boolean): Kind => ({
    family: keccak,
    code,
    blockLen,
    outputLen,
    canXOF,
});

function custom({ personalization }: CustomOptions): Uint8Array {
    return personalization === undefined ? EMPTY : abytes(personalization, undefined, "personalization");
}

/** The options of most functions here. */
const CUSTOM = ["dkLen", "personalization"] as const;

/** Options of a function whose function name is fixed. noble-hashes takes that name as an option, too. */
function fixed<T extends CustomOptions>(opts: T | undefined, name: string, allowed: readonly (keyof T & string)[]): T {
    const { NISTfn, ...given } = known(opts as (T & CShakeOptions) | undefined, ["NISTfn", ...allowed]);
    if (NISTfn !== undefined && NISTfn !== name) throw new TypeError(`"NISTfn" expected "${name}", which is fixed`);
    return given as unknown as T;
}

/** Trees bring the module with simd128, for their leaves. */
function withLanes(): Family {
    keccak.simd = simd;
    return keccak;
}

/** Bytes of a message from which on the leaves of a tree fill lanes: four of KangarooTwelve's. */
const LANES_FROM = 1 << 15;

// ---- cSHAKE ----

function cshake(code: number, blockLen: number, length: number): HashFunction<CShakeOptions> {
    const of = kind(code, blockLen, length, true);
    return createHasher<CShakeOptions>(of, (opts) => {
        const given = known(opts, [...CUSTOM, "NISTfn"]);
        const name = given.NISTfn === undefined ? EMPTY : textOrBytes(given.NISTfn, "NISTfn");
        return new Xof(of, outputLen(of, given), parameters(name, 0, custom(given)));
    });
}

export const cshake128: HashFunction<CShakeOptions> = /* @__PURE__ */ cshake(68, 168, 16);
export const cshake256: HashFunction<CShakeOptions> = /* @__PURE__ */ cshake(69, 136, 32);

// ---- KMAC, TupleHash, ParallelHash ----

/** A hasher whose output of a chosen length differs from the output of any length. */
class Sized extends Leaves {
    protected override output(out: Uint8Array): void {
        if (this.canXOF) this.read(out);
        else if (out.length > 1 << 16) throw new RangeError("an output of a chosen length has at most 65536 bytes");
        else super.output(out);
    }

    /** The batch writes outputs of a chosen length. */
    override batches(len: number): boolean {
        return super.batches(len) && !this.canXOF;
    }
}

/** KMAC: call it with a key and a message. */
export interface KmacFunction {
    (key: Uint8Array, message: Uint8Array, opts?: CustomOptions): Uint8Array;
    create(key: Uint8Array, opts?: CustomOptions): Hasher;
    readonly outputLen: number;
    readonly blockLen: number;
    readonly canXOF: boolean;
}

function kmac(code: number, blockLen: number, length: number, xof = false): KmacFunction {
    const of = kind(code, blockLen, length, xof);
    const create = (key: Uint8Array, opts?: CustomOptions): Hasher => {
        abytes(key, undefined, "key");
        const given = fixed(opts, "KMAC", CUSTOM);
        const bytes = parameters(key, 0, custom(given));
        const hasher = new Sized(of, outputLen(of, given), bytes);
        bytes.fill(0);
        return hasher;
    };
    const call = (key: Uint8Array, message: Uint8Array, opts?: CustomOptions): Uint8Array =>
        create(key, opts).update(message).digest();
    return Object.freeze(Object.assign(call, { create, outputLen: length, blockLen, canXOF: xof }));
}

export const kmac128: KmacFunction = /* @__PURE__ */ kmac(70, 168, 16);
export const kmac256: KmacFunction = /* @__PURE__ */ kmac(71, 136, 32);
export const kmac128xof: KmacFunction = /* @__PURE__ */ kmac(70, 168, 16, true);
export const kmac256xof: KmacFunction = /* @__PURE__ */ kmac(71, 136, 32, true);

/** A tuple in progress: each `update` adds an element. */
class Tuple extends Sized {
    override update(data: Uint8Array): this {
        if (this.destroyed) throw new Error("hash was destroyed");
        if (this.finished) throw new Error("digest() was already called");
        const { code, family } = this.kind;
        const machine = this._load(family.machine);
        check(machine.exports.element(code, abytes(data).length));
        machine.parts(data, (len) => machine.exports.update(code, len));
        this._keep(machine);
        return this;
    }

    override get streams(): boolean {
        return false;
    }

    override batches(): boolean {
        return false;
    }
}

/** TupleHash: call it with a list of elements. */
export interface TupleFunction {
    (messages: readonly Uint8Array[], opts?: CustomOptions): Uint8Array;
    create(opts?: CustomOptions): Hasher;
    readonly outputLen: number;
    readonly blockLen: number;
    readonly canXOF: boolean;
}

function tuple(code: number, blockLen: number, length: number, xof = false): TupleFunction {
    const of = kind(code, blockLen, length, xof);
    const create = (opts?: CustomOptions): Hasher => {
        const given = fixed(opts, "TupleHash", CUSTOM);
        return new Tuple(of, outputLen(of, given), parameters(EMPTY, 0, custom(given)));
    };
    const call = (messages: readonly Uint8Array[], opts?: CustomOptions): Uint8Array => {
        const hasher = create(opts);
        if (!Array.isArray(messages)) throw new Error("expected array of messages");
        for (const message of messages) hasher.update(message);
        return hasher.digest();
    };
    return Object.freeze(Object.assign(call, { create, outputLen: length, blockLen, canXOF: xof }));
}

export const tuplehash128: TupleFunction = /* @__PURE__ */ tuple(72, 168, 16);
export const tuplehash256: TupleFunction = /* @__PURE__ */ tuple(73, 136, 32);
export const tuplehash128xof: TupleFunction = /* @__PURE__ */ tuple(72, 168, 16, true);
export const tuplehash256xof: TupleFunction = /* @__PURE__ */ tuple(73, 136, 32, true);

function parallel(code: number, rate: number, length: number, xof = false): HashFunction<ParallelOptions> {
    const of: Kind = { ...kind(code, rate, length, xof), family: withLanes(), lanesFrom: LANES_FROM };
    return withParameters<ParallelOptions>(of, (opts) => {
        const given = fixed(opts, "ParallelHash", [...CUSTOM, "blockLen"]);
        const { blockLen = 8 } = given;
        anumber(blockLen);
        if (blockLen < 1) throw new Error(`"blockLen" must be >= 1, got ${blockLen}`);
        if (blockLen >= 2 ** 32) throw new Error(`"blockLen" must be < 2^32, got ${blockLen}`);
        return new Sized(of, outputLen(of, given), parameters(EMPTY, blockLen, custom(given)));
    });
}

export const parallelhash128: HashFunction<ParallelOptions> = /* @__PURE__ */ parallel(74, 168, 16);
export const parallelhash256: HashFunction<ParallelOptions> = /* @__PURE__ */ parallel(75, 136, 32);
export const parallelhash128xof: HashFunction<ParallelOptions> = /* @__PURE__ */ parallel(74, 168, 16, true);
export const parallelhash256xof: HashFunction<ParallelOptions> = /* @__PURE__ */ parallel(75, 136, 32, true);

// ---- TurboSHAKE and KangarooTwelve ----

function atLeastOne(length: number): number {
    if (length < 1) throw new Error('"dkLen" must be >= 1');
    return length;
}

function turbo(code: number, blockLen: number, length: number): HashFunction<TurboOptions> {
    const of = kind(code, blockLen, length, true);
    return createHasher<TurboOptions>(of, (opts) => {
        const given = known(opts, ["dkLen", "D"]);
        const { D = 0x1f } = given;
        if (!Number.isSafeInteger(D) || D < 0x01 || D > 0x7f) {
            throw new Error(`"D" (domain separation byte) must be 0x01..0x7f, got: ${D}`);
        }
        return new Xof(of, atLeastOne(outputLen(of, given)), parameters(EMPTY, D, EMPTY));
    });
}

export const turboshake128: HashFunction<TurboOptions> = /* @__PURE__ */ turbo(17, 168, 32);
export const turboshake256: HashFunction<TurboOptions> = /* @__PURE__ */ turbo(18, 136, 64);

/** KangarooTwelve. Its customization string follows the message. */
class Kangaroo extends Leaves {
    suffix: Uint8Array;

    constructor(kind: Kind, outputLen: number, customization: Uint8Array, parameters?: Parameters) {
        super(kind, outputLen, parameters);
        this.suffix = customization;
    }

    protected override customization(): Uint8Array {
        return this.suffix;
    }

    protected override output(out: Uint8Array): void {
        if (this.suffix.length) this.read(out);
        else super.output(out);
    }

    override batches(len: number): boolean {
        return super.batches(len) && this.suffix.length === 0;
    }
}

function kangaroo(code: number, blockLen: number, length: number): HashFunction<CustomOptions> {
    const of: Kind = { ...kind(code, blockLen, length, true), family: withLanes(), lanesFrom: LANES_FROM };
    return createHasher<CustomOptions>(of, (opts) => {
        const given = known(opts, CUSTOM);
        return new Kangaroo(of, atLeastOne(outputLen(of, given)), custom(given).slice());
    });
}

export const kt128: HashFunction<CustomOptions> = /* @__PURE__ */ kangaroo(64, 168, 32);
export const kt256: HashFunction<CustomOptions> = /* @__PURE__ */ kangaroo(65, 136, 64);

/** HopMAC: a MAC over KangarooTwelve. */
export type HopMac = (
    key: Uint8Array,
    message: Uint8Array,
    personalization: Uint8Array,
    dkLen?: number,
) => Uint8Array;

const hopMac =
    (kt: HashFunction<CustomOptions>): HopMac =>
    (key, message, personalization, dkLen) => {
        const opts: CustomOptions = { personalization: kt(message, { personalization }) };
        return kt(key, dkLen === undefined ? opts : { ...opts, dkLen });
    };
export const HopMAC128: HopMac = /* @__PURE__ */ hopMac(kt128);
export const HopMAC256: HopMac = /* @__PURE__ */ hopMac(kt256);

export type { Hash, HashFunction, XofOptions };
