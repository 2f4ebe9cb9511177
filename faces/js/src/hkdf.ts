/** HKDF (RFC 5869). */

import { type AnyHash, Hmac, ahash, hmac } from "./hmac.js";
import { abytes, anumber } from "./utils.js";

/** Returns the pseudorandom key. Without a salt, the salt is as many zeros as a digest has bytes. */
export function extract(hash: AnyHash, ikm: Uint8Array, salt?: Uint8Array): Uint8Array {
    ahash(hash);
    return hmac(hash, salt === undefined ? new Uint8Array(hash.outputLen) : salt, ikm);
}

/** Derives a key of `length` bytes from a pseudorandom key. */
export function expand(hash: AnyHash, prk: Uint8Array, info?: Uint8Array, length = 32): Uint8Array {
    ahash(hash);
    anumber(length, "length");
    abytes(prk, undefined, "prk");
    const { outputLen } = hash;
    if (prk.length < outputLen) throw new Error('"prk" must be at least HashLen octets');
    if (length > 255 * outputLen) throw new Error("Length must be <= 255*HashLen");
    if (info !== undefined) abytes(info, undefined, "info");
    const key = new Hmac(hash, prk);
    const blocks = Math.ceil(length / outputLen);
    const okm = new Uint8Array(blocks * outputLen);
    for (let block = 0; block < blocks; block++) {
        const at = block * outputLen;
        const t = key.clone();
        if (block > 0) t.update(okm.subarray(at - outputLen, at));
        if (info !== undefined) t.update(info);
        t.update(Uint8Array.of(block + 1)).digestInto(okm.subarray(at, at + outputLen));
    }
    key.destroy();
    if (length === okm.length) return okm;
    const out = okm.slice(0, length);
    okm.fill(0);
    return out;
}

/** `extract`, then `expand`. */
export function hkdf(
    hash: AnyHash,
    ikm: Uint8Array,
    salt: Uint8Array | undefined,
    info: Uint8Array | undefined,
    length?: number,
): Uint8Array {
    const prk = extract(hash, ikm, salt);
    const okm = expand(hash, prk, info, length);
    prk.fill(0);
    return okm;
}
