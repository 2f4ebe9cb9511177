/** HMAC (RFC 2104) with any hash function, also of noble-hashes. */

import { type Hash, type HashFunction, Hasher, aexists, aoutput } from "./internal/hasher.js";
import { abytes, anumber } from "./utils.js";

export function ahash(hash: AnyHash): void {
    if (typeof hash !== "function" || typeof (hash as AnyHash).create !== "function") {
        throw new TypeError("expected hash wrapped by utils.createHasher");
    }
    anumber(hash.outputLen);
    anumber(hash.blockLen);
}

/** Any hash function; its options do not matter here. */
// biome-ignore lint/suspicious/noExplicitAny: a function takes any options or none
export type AnyHash = HashFunction<any>;

/** An HMAC in progress. Both hashes have absorbed the key. */
export class Hmac implements Hash<Hmac> {
    inner: Hasher;
    outer: Hasher;
    blockLen: number;
    outputLen: number;
    canXOF = false;
    finished = false;
    destroyed = false;

    constructor(hash: AnyHash, key: Uint8Array) {
        ahash(hash);
        const { outputLen, blockLen } = hash;
        // The hash of a long key must fit into a block (FIPS 198-1 §4).
        if (outputLen > blockLen) {
            const lengths = `output (${outputLen} bytes) is longer than its block (${blockLen} bytes)`;
            throw new Error(`HMAC is not defined for a function whose ${lengths}`);
        }
        abytes(key, undefined, "key");
        this.inner = hash.create();
        if (typeof this.inner?.update !== "function") throw new Error("expected Hash instance");
        this.outer = hash.create();
        this.blockLen = this.inner.blockLen;
        this.outputLen = this.inner.outputLen;
        const pad = new Uint8Array(this.blockLen);
        if (key.length > this.blockLen) {
            const digest = hash.create().update(key).digest();
            pad.set(digest);
            digest.fill(0);
        } else {
            pad.set(key);
        }
        for (let i = 0; i < pad.length; i++) (pad[i] as number) ^= 0x36;
        this.inner.update(pad);
        for (let i = 0; i < pad.length; i++) (pad[i] as number) ^= 0x36 ^ 0x5c;
        this.outer.update(pad);
        pad.fill(0);
    }

    update(data: Uint8Array): this {
        aexists(this);
        this.inner.update(data);
        return this;
    }

    digestInto(out: Uint8Array): void {
        aexists(this);
        aoutput(out, this);
        this.finished = true;
        const tag = out.subarray(0, this.outputLen);
        this.inner.digestInto(tag);
        this.outer.update(tag).digestInto(tag);
        // A hash function of another package has no module.
        if (this.outer instanceof Hasher) this.outer.kind.family.machine.exports.forget(0);
        this.destroy();
    }

    digest(): Uint8Array<ArrayBuffer> {
        const out = new Uint8Array(this.outputLen);
        this.digestInto(out);
        return out;
    }

    _cloneInto(to?: Hmac): Hmac {
        const copy = to instanceof Hmac ? to : (Object.create(Object.getPrototypeOf(this)) as Hmac);
        if (copy === this) return copy;
        const { inner, outer } = copy;
        Object.assign(copy, this);
        copy.inner = this.inner._cloneInto(inner);
        copy.outer = this.outer._cloneInto(outer);
        return copy;
    }

    clone(): Hmac {
        return this._cloneInto();
    }

    destroy(): void {
        this.destroyed = true;
        this.inner.destroy();
        this.outer.destroy();
    }
}

/** HMAC: call it with a hash function, a key and a message. */
export const hmac: {
    (hash: AnyHash, key: Uint8Array, message: Uint8Array): Uint8Array;
    create(hash: AnyHash, key: Uint8Array): Hmac;
} = /* @__PURE__ */ Object.assign(
    (hash: AnyHash, key: Uint8Array, message: Uint8Array): Uint8Array => new Hmac(hash, key).update(message).digest(),
    { create: (hash: AnyHash, key: Uint8Array) => new Hmac(hash, key) },
);
