/** PBKDF2 (RFC 8018). */

import { type AnyHash, Hmac, ahash } from "./hmac.js";
import { check } from "./internal/family.js";
import { Hasher } from "./internal/hasher.js";
import { known } from "./internal/options.js";
import { anumber, textOrBytes } from "./utils.js";

export interface Pbkdf2Options {
    /** Iterations. */
    c: number;
    /** Bytes of the key, 32 by default. */
    dkLen?: number;
    /** Milliseconds after which `pbkdf2Async` lets other tasks run, 10 by default. */
    asyncTick?: number;
}

type Text = string | Uint8Array;

/** The HMAC with the password, the salt, and the options. */
function begin(hash: AnyHash, password: Text, salt: Text, opts: Pbkdf2Options) {
    ahash(hash);
    const { c = 0, dkLen = 32, asyncTick = 10 } = known(opts, ["c", "dkLen", "asyncTick"]);
    anumber(c, "c");
    anumber(dkLen, "dkLen");
    anumber(asyncTick, "asyncTick");
    if (c < 1) throw new Error('"c" (iterations) must be >= 1');
    if (c >= 2 ** 32) throw new Error('"c" (iterations) must be < 2^32');
    if (dkLen < 1) throw new Error('"dkLen" must be >= 1');
    if (dkLen > (2 ** 32 - 1) * hash.outputLen) throw new Error("derived key too long");
    const secret = textOrBytes(password, "password");
    const key = new Hmac(hash, secret);
    if (typeof password === "string") secret.fill(0);
    const salts = textOrBytes(salt, "salt");
    const salted = key.clone().update(salts);
    if (typeof salt === "string") salts.fill(0);
    return { c, asyncTick, outputLen: hash.outputLen, key, salted, out: new Uint8Array(dkLen) };
}

/** Returns U_1 of block `index`, counted from 1. */
function first(salted: Hmac, index: number): Uint8Array {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, index);
    return salted.clone().update(counter).digest();
}

/**
 * Computes `rounds` further terms after `u`, which becomes the last one, and adds them to `t`. The
 * chain runs inside the module, with both halves of the HMAC.
 */
function chain(key: Hmac, u: Uint8Array, t: Uint8Array, rounds: number): void {
    const { inner, outer } = key;
    if (!(inner instanceof Hasher && inner.batches(u.length))) {
        // A hash function of another package, or one that is more than a hasher of the module.
        for (let round = 0; round < rounds; round++) {
            key.clone().update(u).digestInto(u);
            for (let i = 0; i < t.length; i++) (t[i] as number) ^= u[i] as number;
        }
        return;
    }
    const { code, family } = inner.kind;
    const { machine } = family;
    const { exports, input, output } = machine;
    const [first, second] = machine.states(code);
    first.set(inner._bytes());
    second.set(outer._bytes());
    input.set(u);
    check(exports.chain(code, rounds, u.length));
    for (let i = 0; i < t.length; i++) (t[i] as number) ^= output[i] as number;
    u.set(output.subarray(u.length, 2 * u.length));
    exports.forget(2 * u.length);
}

/**
 * The blocks of the derived key (RFC 8018 §5.2): yields U_1 of each block twice. The caller adds the
 * other terms to the second array, which then becomes a part of `out`.
 */
function* blocks({ outputLen, key, salted, out }: ReturnType<typeof begin>) {
    for (let at = 0, index = 1; at < out.length; at += outputLen, index++) {
        const u = first(salted, index);
        const t = u.slice();
        yield { u, t };
        out.set(t.subarray(0, out.length - at), at);
        u.fill(0);
        t.fill(0);
    }
    key.destroy();
    salted.destroy();
}

/** Derives a key from a password. */
export function pbkdf2(hash: AnyHash, password: Text, salt: Text, opts: Pbkdf2Options): Uint8Array {
    const derivation = begin(hash, password, salt, opts);
    const { c, key, out } = derivation;
    for (const { u, t } of blocks(derivation)) {
        if (c > 1) chain(key, u, t, c - 1);
    }
    return out;
}

/** Does the same, and lets other tasks run between parts of the chain. */
export async function pbkdf2Async(
    hash: AnyHash,
    password: Text,
    salt: Text,
    opts: Pbkdf2Options,
): Promise<Uint8Array> {
    const derivation = begin(hash, password, salt, opts);
    const { c, asyncTick, key, out } = derivation;
    for (const { u, t } of blocks(derivation)) {
        for (let left = c - 1, rounds = 256; left > 0; ) {
            const now = Math.min(rounds, left);
            const start = performance.now();
            chain(key, u, t, now);
            const time = performance.now() - start;
            left -= now;
            await new Promise((resolve) => setTimeout(resolve, 0));
            // About as many terms as fit into one tick, for the next part.
            if (time < asyncTick / 2) rounds *= 2;
            else if (time > asyncTick && rounds > 1) rounds >>= 1;
        }
    }
    return out;
}
