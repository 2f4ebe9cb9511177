/** Hashers: a hash in progress, whose state is kept in JavaScript. */

import { abytes, anumber } from "../utils.js";
import { type Family, type Machine, ROOM, type States, check, states } from "./family.js";
import { loadStates } from "./load.js";
import { absorbed, hashed } from "./natively.js";
import { known } from "./options.js";

/** A function of a family. */
export interface Kind {
    family: Family;
    /** Its number in exported states and in other languages. */
    code: number;
    blockLen: number;
    /** The usual length of the output, in bytes. */
    outputLen: number;
    /** Whether the output may have any length. */
    canXOF?: boolean;
    /** If the function is a tree: from this many bytes on, an update has leaves for several lanes. */
    lanesFrom?: number;
}

export type Bytes = Uint8Array;

/** What every hasher can do; the interface of noble-hashes. */
export interface Hash<T> {
    readonly blockLen: number;
    readonly outputLen: number;
    readonly canXOF: boolean;
    update(data: Uint8Array): this;
    digest(): Uint8Array;
    digestInto(out: Uint8Array): void;
    clone(): T;
    _cloneInto(to?: T): T;
    destroy(): void;
}

export function aexists(hasher: { destroyed: boolean; finished: boolean }, unfinished = true): void {
    if (hasher.destroyed) throw new Error("hash was destroyed");
    if (unfinished && hasher.finished) throw new Error("digest() was already called");
}

export function aoutput(out: Uint8Array, { outputLen }: { outputLen: number }): void {
    abytes(out, undefined, "output");
    if (!(out.length >= outputLen)) throw new RangeError(`"output" expected length >= ${outputLen}`);
}

/** Parameters of a hasher, as `begin_with` of its family reads them. */
export type Parameters = Uint8Array | undefined;

/**
 * A hash in progress. Between two calls its state is in this object and nowhere else: a hasher that
 * is dropped leaves nothing behind, and a clone is a copy of some bytes.
 */
export class Hasher implements Hash<Hasher> {
    kind: Kind;
    blockLen: number;
    outputLen: number;
    canXOF: boolean;
    finished = false;
    destroyed = false;
    /** The bytes of the hasher; `undefined` before the first byte, if there are no parameters. */
    protected state: Uint8Array | undefined;
    /** The bytes of the reader of the output, after the first output of any length. */
    protected reader: Uint8Array | undefined;

    constructor(kind: Kind, outputLen = kind.outputLen, parameters?: Parameters, canXOF = kind.canXOF ?? false) {
        this.kind = kind;
        this.blockLen = kind.blockLen;
        this.outputLen = outputLen;
        this.canXOF = canXOF;
        if (parameters) {
            const { machine } = kind.family;
            machine.input.set(parameters);
            check(machine.exports.begin_with(kind.code, parameters.length));
            this._keep(machine);
        }
    }

    update(data: Uint8Array): this {
        aexists(this);
        abytes(data);
        if (data.length > 0 && !absorbed(this, data)) this.absorb(data);
        return this;
    }

    protected absorb(data: Uint8Array): void {
        const { code, family } = this.kind;
        const machine = this._load(family.machine);
        machine.parts(data, (len) => machine.exports.update(code, len));
        this._keep(machine);
    }

    digestInto(out: Uint8Array): void {
        aexists(this);
        aoutput(out, this);
        this.finished = true;
        this.output(out.subarray(0, this.outputLen));
        this.destroy();
    }

    digest(): Uint8Array<ArrayBuffer> {
        const out = new Uint8Array(this.outputLen);
        this.digestInto(out);
        return out;
    }

    /** Writes the output that `digest` returns. */
    protected output(out: Uint8Array): void {
        const machine = this._load(this.kind.family.machine);
        check(machine.exports.finish(this.kind.code, 0, out.length));
        out.set(machine.output.subarray(0, out.length));
        machine.states(this.kind.code)[0].fill(0);
        machine.output.fill(0, 0, out.length);
    }

    /** Fills `out` with the next bytes of the output. */
    xofInto(_out: Uint8Array): Uint8Array {
        throw new Error("XOF is not enabled");
    }

    /** Returns the next `length` bytes of the output. */
    xof(length: number): Uint8Array {
        anumber(length);
        return this.xofInto(new Uint8Array(length));
    }

    /** Returns the state in a form for any machine and any later version. It is as secret as the message. */
    exportState(): Uint8Array {
        return this._exported();
    }

    _exported(): Uint8Array {
        return this.needed().export(this.kind.code, this._bytes());
    }

    /** What exports and imports the function's states, if the program has it. */
    get _states(): States | undefined {
        const { name } = this.kind.family;
        return states.get(name) ?? loadStates(name);
    }

    private needed(): States {
        const found = this._states;
        if (!found) throw new Error(`hashmill: exported states need import "hashmill/state/${this.kind.family.name}"`);
        return found;
    }

    /** Continues from a state that `exportState` returned. Throws if it is damaged or of another function. */
    importState(state: Uint8Array): this {
        abytes(state, undefined, "state");
        this._imported(state);
        this.reader = undefined;
        this.finished = false;
        this.destroyed = false;
        return this;
    }

    _imported(state: Uint8Array): void {
        const { bytes, outputLen = this.outputLen } = this.needed().import(this.kind.code, state);
        this.outputLen = outputLen;
        this._resume(bytes);
    }

    _cloneInto(to?: Hasher): Hasher {
        const copy = to instanceof Hasher ? to : (Object.create(Object.getPrototypeOf(this)) as Hasher);
        if (copy === this) return copy;
        copy.state?.fill(0);
        copy.reader?.fill(0);
        Object.assign(copy, this);
        copy.state = this.state?.slice();
        copy.reader = this.reader?.slice();
        return copy;
    }

    clone(): this {
        return this._cloneInto() as this;
    }

    destroy(): void {
        this.destroyed = true;
        this.state?.fill(0);
        this.reader?.fill(0);
        this.state = undefined;
        this.reader = undefined;
    }

    /** Returns a copy of the bytes of the hasher, which `many` puts into a module. */
    _bytes(): Uint8Array {
        aexists(this);
        if (!this.state) {
            const { machine } = this.kind.family;
            machine.exports.begin(this.kind.code);
            this._keep(machine);
        }
        return this.state as Uint8Array;
    }

    /** Whether the hasher has absorbed nothing and has no parameters. Throws if it is used up. */
    get _isNew(): boolean {
        aexists(this);
        return !this.state;
    }

    /** Whether a module can write outputs of `len` bytes for many messages after this hasher. */
    batches(len: number): boolean {
        return len <= ROOM;
    }

    /** Whether a message may be absorbed in parts of any length. TupleHash takes each part for an element. */
    get streams(): boolean {
        return true;
    }

    /** Continues from the bytes of a hasher of the same function, and takes them. */
    _resume(state: Uint8Array): void {
        this.state?.fill(0);
        this.state = state;
    }

    /** Puts the hasher into a module, which must be the one for single messages if it is new. */
    protected _load(machine: Machine): Machine {
        const { code } = this.kind;
        if (this.state) machine.states(code)[0].set(this.state);
        else machine.exports.begin(code);
        return machine;
    }

    /** Takes the hasher out of its module, and leaves nothing there. */
    protected _keep(machine: Machine): void {
        const place = machine.states(this.kind.code)[0];
        if (this.state) this.state.set(place);
        else this.state = place.slice();
        place.fill(0);
    }
}

/** A hasher whose output may have any length. */
export class Xof extends Hasher {
    protected override output(out: Uint8Array): void {
        if (out.length > ROOM) this.read(out);
        else super.output(out);
    }

    /** Fills `out` with the next bytes of the output. */
    override xofInto(out: Uint8Array): Uint8Array {
        if (!this.canXOF) throw new Error("XOF is not enabled");
        aexists(this, false);
        abytes(out);
        this.finished = true;
        this.read(out);
        return out;
    }

    /** The customization string that follows the message (KangarooTwelve). */
    protected customization(): Uint8Array | undefined {
        return undefined;
    }

    protected read(out: Uint8Array): void {
        const { code, family } = this.kind;
        const { machine } = family;
        if (this.reader) {
            machine.reader.set(this.reader);
        } else {
            this._load(machine);
            const customization = this.customization();
            if (customization) machine.parts(customization, (len) => machine.exports.update(code, len));
            check(machine.exports.squeeze(code, customization?.length ?? 0));
            machine.states(code)[0].fill(0);
        }
        for (let at = 0; at < out.length; at += ROOM) {
            const len = Math.min(ROOM, out.length - at);
            check(machine.exports.fill(len));
            out.set(machine.output.subarray(0, len), at);
            machine.output.fill(0, 0, len);
        }
        this.reader = machine.reader.slice();
        machine.reader.fill(0);
    }
}

/** A hash function: call it, or create a hasher. */
export interface HashFunction<Options = undefined> {
    (message: Uint8Array, opts?: Options): Uint8Array;
    create(opts?: Options): Hasher;
    readonly outputLen: number;
    readonly blockLen: number;
    readonly canXOF: boolean;
    /** The DER encoding of the object identifier, if the function has one. */
    readonly oid?: Uint8Array;
}

/** Returns the digest of a message that one call of the module hashes. */
function once({ family, code, outputLen }: Kind, message: Uint8Array): Uint8Array<ArrayBuffer> {
    const { machine } = family;
    machine.put(message);
    check(machine.exports.once(code, message.length, outputLen));
    return machine.digest(outputLen);
}

/** Makes a hash function of a constructor of hashers. `info` are further fields. */
export function createHasher<Options>(
    kind: Kind,
    create: (opts?: Options) => Hasher,
    info: { oid?: Uint8Array } = {},
): HashFunction<Options> {
    const { outputLen, blockLen, canXOF = false, lanesFrom = ROOM } = kind;
    const hash = (message: Uint8Array, opts?: Options): Uint8Array => {
        if (opts !== undefined || !(message instanceof Uint8Array)) return create(opts).update(message).digest();
        // A detached array, too, is empty.
        const { length } = message.length === 0 ? abytes(message) : message;
        const digest = hashed(kind, message);
        if (digest) return digest;
        return length <= Math.min(ROOM, lanesFrom) ? once(kind, message) : create().update(message).digest();
    };
    return Object.freeze(Object.assign(hash, { create, outputLen, blockLen, canXOF }, info));
}

/** Makes a hash function whose hashers always have parameters. */
export function withParameters<Options>(
    { outputLen, blockLen, canXOF = false }: Kind,
    create: (opts?: Options) => Hasher,
): HashFunction<Options> {
    const hash = (message: Uint8Array, opts?: Options): Uint8Array => create(opts).update(message).digest();
    return Object.freeze(Object.assign(hash, { create, outputLen, blockLen, canXOF }));
}

/** Makes a function without options; its own length is allowed. */
export function plain(kind: Kind, oid?: number): HashFunction {
    const create = (opts?: undefined) => {
        const len = opts === undefined ? kind.outputLen : outputLen(kind, known<XofOptions>(opts, ["dkLen"]));
        if (len !== kind.outputLen) throw new Error("XOF is not enabled");
        return new Hasher(kind);
    };
    return createHasher(kind, create, identified(oid));
}

/** The options of a function whose output may have any length. */
export interface XofOptions {
    /** The length of the output, in bytes. */
    dkLen?: number;
}

/** Makes a function whose output may have any length. */
export function extendable(kind: Kind, oid?: number): HashFunction<XofOptions> {
    const create = (opts?: XofOptions) => new Xof(kind, outputLen(kind, known(opts, ["dkLen"])));
    return createHasher(kind, create, identified(oid));
}

/** The length of the output that the options ask for. */
export function outputLen(kind: { outputLen: number }, { dkLen }: XofOptions): number {
    return dkLen === undefined ? kind.outputLen : anumber(dkLen, "dkLen");
}

/** NIST's object identifiers of hash functions differ in their last number. */
function identified(last: number | undefined): { oid?: Uint8Array } {
    if (last === undefined) return {};
    return { oid: Uint8Array.of(0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last) };
}
