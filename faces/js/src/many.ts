/** Many messages at once, side by side in SIMD lanes. */

import { Hmac } from "./hmac.js";
import { batch } from "./internal/batch.js";
import { type Machine, ROOM, check, put } from "./internal/family.js";
import { type HashFunction, Hasher } from "./internal/hasher.js";
import { type Native, native, readable, unset } from "./internal/native.js";
import { portable } from "./internal/natively.js";
import { known } from "./internal/options.js";
import { abytes, anumber, bytesToHex } from "./utils.js";

/** Messages of `width` bytes each, one after the other. */
export interface Rows {
    values: Uint8Array;
    width: number;
}

/** Messages in one array: message `i` is `values[offsets[i] .. offsets[i + 1]]`, as in Arrow. */
export interface Column {
    values: Uint8Array;
    offsets: ArrayLike<number>;
}

/** A list of messages, rows of one width, or a column with offsets. */
export type Messages = readonly Uint8Array[] | Rows | Column;

export interface ManyOptions {
    /** Bytes of each output, for functions whose output may have any length. */
    dkLen?: number;
}

/**
 * A function; or a hasher or an HMAC, of which each message continues a copy: with it come keys,
 * parameters and common prefixes.
 */
// biome-ignore lint/suspicious/noExplicitAny: a function takes any options or none
export type Hashing = HashFunction<any> | Hasher | Hmac;

/** The messages as a count and a function of the index. */
interface Source {
    count: number;
    message(index: number): Uint8Array;
    rows?: Rows;
    column?: Column;
}

function source(messages: Messages): Source {
    if (Array.isArray(messages)) {
        // A copy, because a getter of the caller's list may use the module between two messages.
        const list: readonly Uint8Array[] = messages.slice();
        return { count: list.length, message: (index) => list[index] as Uint8Array };
    }
    const given = messages as Rows | Column;
    if (given === null || typeof given !== "object") {
        throw new TypeError("expected a list of Uint8Array, or rows, or a column");
    }
    const values = abytes(given.values, undefined, "values");
    if ("width" in given) {
        const width = anumber(given.width, "width");
        const count = width === 0 ? 0 : values.length / width;
        if (count * width !== values.length || !Number.isInteger(count)) {
            throw new RangeError(`${values.length} bytes are not a whole number of rows of ${width}`);
        }
        return { count, message: (i) => values.subarray(i * width, (i + 1) * width), rows: given };
    }
    const { offsets } = given;
    if (typeof offsets?.length !== "number") throw new TypeError('expected a "width", or "offsets" in an array');
    let last = 0;
    for (let i = 0; i < offsets.length; i++) {
        const offset = anumber(offsets[i] as number, "offsets");
        if (offset < last || offset > values.length) {
            throw new RangeError(`the offset at index ${i} decreases or is past the end of the values`);
        }
        last = offset;
    }
    const at = (i: number) => offsets[i] as number;
    const message = (i: number) => values.subarray(at(i), at(i + 1));
    return { count: Math.max(offsets.length - 1, 0), message, column: { values, offsets } };
}

/**
 * Hashes all messages and returns the digests one after the other in one array.
 *
 * `many(sha256, [a, b])`, `many(blake2b.create({ key }), { values, width: 32 })`,
 * `many(hmac.create(sha256, key), { values, offsets })`
 */
export function many(hash: Hashing, messages: Messages, opts: ManyOptions = {}): Uint8Array {
    const all = source(messages);
    known(opts, ["dkLen"]);
    if (hash instanceof Hmac) {
        if ((opts.dkLen ?? hash.outputLen) !== hash.outputLen) throw new Error("XOF is not enabled");
        const digests = run(hash.inner, all, hash.outputLen);
        const tags = run(hash.outer, source({ values: digests, width: hash.outputLen }), hash.outputLen);
        digests.fill(0);
        return tags;
    }
    if (!(hash instanceof Hasher) && typeof hash?.create !== "function") {
        throw new TypeError("expected a hash function, a hasher or an HMAC");
    }
    const hasher = hash instanceof Hasher ? hash : hash.create(opts.dkLen === undefined ? undefined : opts);
    const len = opts.dkLen ?? hasher.outputLen;
    if (len !== hasher.outputLen && !hasher.canXOF) throw new Error("XOF is not enabled");
    return run(hasher, all, anumber(len, "dkLen"));
}

/** The digests as lower-case hexadecimal. */
export function manyHex(hash: Hashing, messages: Messages, opts: ManyOptions = {}): string[] {
    const { count } = source(messages);
    const digests = many(hash, messages, opts);
    const len = digests.length / count;
    return Array.from({ length: count }, (_, i) => bytesToHex(digests.subarray(i * len, (i + 1) * len)));
}

/** The most messages of one call. */
const BATCH = 4096;

function run(hasher: Hasher, all: Source, len: number): Uint8Array {
    const { count, rows } = all;
    if (count === 0 || len === 0) return new Uint8Array(0);
    const { code, family } = hasher.kind;
    const most = Math.min(BATCH, Math.floor(ROOM / len));
    const batches = hasher.batches(len) && most > 0;
    const digests = batches ? natively(hasher, all, len) : undefined;
    if (digests) return digests;
    const out = new Uint8Array(count * len);
    const output = (index: number, total = 1) => out.subarray(index * len, (index + total) * len);
    if (!batches) {
        for (let i = 0; i < count; i++) alone(hasher, all.message(i), output(i));
        return out;
    }
    const state = hasher._bytes();
    for (let first = 0; first < count; ) {
        const limit = Math.min(most, count - first);
        let now = rows ? Math.min(limit, Math.floor(ROOM / Math.max(rows.width, 1))) : fitting(all, first, limit);
        if (now === 0) {
            alone(hasher, all.message(first), output(first));
            now = 1;
        } else {
            batch(family, now * (rows?.width ?? 1), (machine) => {
                const { exports } = machine;
                machine.states(code)[0].set(state);
                if (!exports.rows || !exports.column) {
                    // The scalar module hashes one after the other.
                    const digest = machine.output.subarray(0, len);
                    for (let i = first; i < first + now; i++) {
                        const message = all.message(i);
                        machine.put(message);
                        check(exports.finish(code, message.length, len));
                        put(out, digest, i * len);
                    }
                } else {
                    if (rows) {
                        const { values, width } = rows;
                        machine.put(values.subarray(first * width, (first + now) * width));
                        check(exports.rows(code, width, now, len));
                    } else {
                        pack(machine, all, first, now);
                        check(exports.column(code, now, len));
                    }
                    output(first, now).set(machine.output.subarray(0, now * len));
                }
                machine.states(code)[0].fill(0);
                machine.output.fill(0, 0, now * len);
                if (first + now === count) machine.exports.forget(0);
            });
        }
        first += now;
    }
    return out;
}

/** Bytes of a list that are packed for one call of the native part. */
const PACKED = 1 << 20;

/** Returns the digests by the native part; `undefined` if that is not possible. */
function natively(hasher: Hasher, all: Source, len: number): Uint8Array | undefined {
    const { count, rows, column } = all;
    const part = count > 1 || abytes(all.message(0)).length >= hasher.kind.family.long ? native() : undefined;
    const bytes = part && readableBytes(all);
    const state = bytes === undefined ? undefined : portable(hasher);
    if (!part || !state) return undefined;
    const { code } = hasher.kind;
    const out = unset(count * len);
    try {
        if (rows) {
            check(part.rows(code, state, rows.values, rows.width, out));
        } else if (column) {
            check(part.column(code, state, column.values, Uint32Array.from(column.offsets), out));
        } else {
            packed(part, code, state, all, new Uint8Array(Math.min(bytes as number, PACKED)), len, out);
        }
    } finally {
        state.fill(0);
    }
    return out;
}

/** Returns the number of bytes of the messages or, for rows and columns, of the values, if the native part can read them. */
function readableBytes({ count, message, rows, column }: Source): number | undefined {
    const values = (rows ?? column)?.values;
    if (values) return readable(values) ? values.length : undefined;
    let bytes = 0;
    for (let i = 0; i < count; i++) {
        const one = abytes(message(i));
        // The native part reads a shorter one where it is packed.
        if (one.length > PACKED && !readable(one)) return undefined;
        bytes += one.length;
    }
    return bytes;
}

/** Packs a list into `values`, part by part, and hashes the parts. A longer message is a part of its own. */
function packed(
    part: Native,
    code: number,
    state: Uint8Array,
    { count, message }: Source,
    values: Uint8Array,
    len: number,
    out: Uint8Array,
): void {
    const offsets = new Uint32Array(count + 1);
    for (let first = 0; first < count; ) {
        let next = first;
        for (let at = 0; next < count; next++) {
            const one = message(next);
            if (at + one.length > values.length) break;
            put(values, one, at);
            at += one.length;
            offsets[next + 1 - first] = at;
        }
        const end = Math.max(next, first + 1);
        const place = out.subarray(first * len, end * len);
        const one = message(first);
        check(
            next > first
                ? part.column(code, state, values, offsets.subarray(0, next - first + 1), place)
                : part.rows(code, state, one, one.length, place),
        );
        first = end;
    }
    values.fill(0);
}

/** Returns how many messages from index `first` on, at most `most`, have room in the input. */
function fitting(all: Source, first: number, most: number): number {
    let at = 0;
    for (let i = 0; i < most; i++) {
        at += abytes(all.message(first + i)).length;
        if (at > ROOM) return i;
    }
    return most;
}

/** Packs `count` messages from index `first` on into the input. */
function pack(machine: Machine, all: Source, first: number, count: number): void {
    const { exports } = machine;
    const offsets = (machine.offsets ??= new Uint32Array(exports.memory.buffer, exports.address(5), BATCH + 1));
    let at = 0;
    for (let i = 0; i < count; i++) {
        const message = all.message(first + i);
        machine.put(message, at);
        at += message.length;
        offsets[i + 1] = at;
    }
}

/** Hashes one message that is longer than the room of a batch. */
function alone(hasher: Hasher, message: Uint8Array, out: Uint8Array): void {
    const copy = hasher.clone();
    copy.outputLen = out.length;
    copy.update(message).digestInto(out);
}
