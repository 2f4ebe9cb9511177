/**
 * What the native part does for one message, and for the state of a batch. Bundles for browsers have
 * `natively-none.ts` instead: see "browser" in package.json.
 */

import { check } from "./family.js";
import type { Hasher, Kind } from "./hasher.js";
import { STATE, UPDATE, native, readable } from "./native.js";

/** Whether the native part can begin a hasher of the function: it takes nothing but a message. */
function isPlain({ code }: Kind): boolean {
    return code < 64;
}

/** Whether the native part continues the function's states. The functions of SP 800-185 stay in WebAssembly. */
function isNative({ code }: Kind): boolean {
    return code < 68 || code > 75;
}

/** The state of a hasher that has absorbed nothing and has no parameters, as the native part takes it. */
const NEW = /* @__PURE__ */ new Uint8Array(0);

/** Returns the digest of a long message; `undefined` if that is not possible. */
export function hashed(kind: Kind, message: Uint8Array): Uint8Array | undefined {
    const { code, family, outputLen } = kind;
    const { length } = message;
    const part = length >= family.long && isPlain(kind) && readable(message) ? native() : undefined;
    if (!part) return undefined;
    const out = new Uint8Array(outputLen);
    check(part.rows(code, NEW, message, length, out));
    return out;
}

/** Absorbs a long part of a message. Returns false if that is not possible. */
export function absorbed(hasher: Hasher, data: Uint8Array): boolean {
    const part = data.length >= UPDATE && isNative(hasher.kind) && readable(data) ? native() : undefined;
    if (!part || !hasher._states) return false;
    const before = hasher._exported();
    const after = new Uint8Array(STATE);
    const len = part.absorb(before, data, after);
    before.fill(0);
    check(Math.max(-len, 0));
    hasher._imported(after.subarray(0, len));
    after.fill(0);
    return true;
}

/** Returns the hasher's state for a batch; `undefined` if the function stays in WebAssembly. */
export function portable(hasher: Hasher): Uint8Array | undefined {
    if (!isNative(hasher.kind)) return undefined;
    if (hasher._isNew && isPlain(hasher.kind)) return NEW;
    return hasher._states && hasher._exported();
}
