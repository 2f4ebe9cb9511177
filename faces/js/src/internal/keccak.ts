/** The modules of the Keccak family. */

import { code } from "./wasm/keccak.scalar.js";
import { Family, ROOM } from "./family.js";

export const keccak = /* @__PURE__ */ new Family("keccak", code);

/** Parameters as `begin_with` reads them: a string, a number and a second string. */
export function parameters(first: Uint8Array, number: number, second: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(8 + first.length + second.length);
    if (bytes.length > ROOM) {
        throw new RangeError(`the key or name and the personalization expected <= ${ROOM - 8} bytes together`);
    }
    const view = new DataView(bytes.buffer);
    view.setUint32(0, first.length, true);
    view.setUint32(4, number, true);
    bytes.set(first, 8);
    bytes.set(second, 8 + first.length);
    return bytes;
}

export const EMPTY = /* @__PURE__ */ new Uint8Array(0);
