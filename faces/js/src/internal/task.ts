/** What a pool and its workers send each other. */

import type { Modules } from "./batch.js";
import type { Blob } from "./globals.js";

/** The source of a task: bytes, a blob, or the path of a file. */
export type TaskSource = Uint8Array | Blob | string;

/** To absorb a part of a message, or to compute the chaining value of one of BLAKE3's subtrees. */
export interface Task {
    modules: Modules;
    /** The name of the family. */
    name: string;
    /** From this many bytes on, the native part hashes one message faster. */
    long: number;
    code: number;
    lanesFrom: number | undefined;
    /** The bytes of the hasher. */
    state: Uint8Array;
    source: TaskSource;
    /** The part begins here, and ends before `end`. */
    start: number;
    end: number;
    /** Whether the part is a subtree, whose chaining value is the result. Otherwise it is the state. */
    subtree: boolean;
}

/** What a worker sends while it works on a task, and at the end. */
export interface Answer {
    /** Bytes of the part so far. */
    bytes?: number;
    result?: Uint8Array;
    error?: Error;
}

/** Ends the task at the next part. */
export const STOP = "stop";
