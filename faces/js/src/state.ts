/**
 * Exported states with a tag under the caller's key, for states that are stored where others can write.
 *
 * Whoever can write a state can also write its check, so `importState` reveals accidents only. Nobody
 * without the key can write the tag: HMAC-SHA-256 of a label and the state, 32 bytes after it. The
 * functions are not methods, so that a program that does not use them is packed without SHA-256.
 */

import { hmac } from "./hmac.js";
import type { Hasher } from "./internal/hasher.js";
import { sha256 } from "./sha2.js";
import { abytes } from "./utils.js";

const TAG = 32;
const LABEL = /* @__PURE__ */ Uint8Array.from("hashmill: exported state\n", (letter) => letter.charCodeAt(0));

const tagOf = (key: Uint8Array, state: Uint8Array): Uint8Array =>
    hmac.create(sha256, abytes(key, undefined, "key")).update(LABEL).update(state).digest();

/** Returns the state of a hash in progress with a tag under `key`. It is not encrypted. */
export function exportKeyed(hasher: Hasher, key: Uint8Array): Uint8Array {
    const state = hasher.exportState();
    const keyed = new Uint8Array(state.length + TAG);
    keyed.set(state);
    keyed.set(tagOf(key, state), state.length);
    state.fill(0);
    return keyed;
}

/**
 * Continues from a state that `exportKeyed` returned under the same key. Throws if the state was
 * changed, or was exported under another key or without one, and where `importState` does.
 */
export function importKeyed<T extends Hasher>(hasher: T, keyed: Uint8Array, key: Uint8Array): T {
    abytes(keyed, undefined, "state");
    const state = keyed.subarray(0, Math.max(0, keyed.length - TAG));
    const tag = tagOf(key, state);
    // It looks at every byte, so that its time does not depend on where the two differ.
    let differ = keyed.length < TAG ? 1 : 0;
    for (let i = 0; i < TAG; i++) differ |= (tag[i] as number) ^ (keyed[state.length + i] ?? 0);
    if (differ !== 0) throw new Error("the tag does not belong to this state and key");
    return hasher.importState(state);
}
