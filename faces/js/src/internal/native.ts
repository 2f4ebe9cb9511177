/**
 * The optional native part, an N-API module of a package of its own for each platform: see
 * `native/lib.rs`. Without it, everything works by WebAssembly.
 */

import { load } from "./load.js";

/** Numbers that are results are 0, or the number of an error. An empty state is that of a new hasher. */
export interface Native {
    rows(code: number, state: Uint8Array, values: Uint8Array, width: number, out: Uint8Array): number;
    column(code: number, state: Uint8Array, values: Uint8Array, offsets: Uint32Array, out: Uint8Array): number;
    /** Returns the length of the state, or the number of an error, negative. */
    absorb(state: Uint8Array, data: Uint8Array, out: Uint8Array): number;
}

/** From this many bytes on, an update is native. Below, exporting and importing the state twice takes too long. */
export const UPDATE = 1 << 14;
/** More bytes than any exported state has. */
export const STATE = 2048;

let found: { native: Native | undefined } | undefined;

/** Returns the native part, if there is one. */
export function native(): Native | undefined {
    found ??= { native: load() };
    return found.native;
}

/**
 * Returns an array that the native part fills. Its bytes are not set before: zeros in the
 * room for 4,096 digests of 64 bytes take 8 µs, a twentieth of the time of BLAKE2b's batch.
 */
export function unset(length: number): Uint8Array {
    const { process } = globalThis as { process?: NodeJS.Process };
    const Buffer = process?.getBuiltinModule?.("node:buffer").Buffer;
    return Buffer ? new Uint8Array(Buffer.allocUnsafeSlow(length).buffer) : new Uint8Array(length);
}

const Shared = typeof SharedArrayBuffer === "undefined" ? undefined : SharedArrayBuffer;

/** Whether the native part can read these bytes. It takes lengths of 32 bits, and no memory that other threads may write. */
export function readable(bytes: Uint8Array): boolean {
    return bytes.length < 2 ** 32 && !(Shared && bytes.buffer instanceof Shared);
}

/** Uses this native part from now on, or none; for tests. */
export function use(native: Native | undefined): void {
    found = { native };
}
