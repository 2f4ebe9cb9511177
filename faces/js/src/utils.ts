/** Bytes: checks of arguments, hexadecimal, UTF-8. Errors are those of noble-hashes. */

/** Whether the value is a `Uint8Array`, also one of another realm. */
export function isBytes(value: unknown): value is Uint8Array {
    if (value instanceof Uint8Array) return true;
    if (!ArrayBuffer.isView(value)) return false;
    return value.constructor.name === "Uint8Array" && (value as Uint8Array).BYTES_PER_ELEMENT === 1;
}

const titled = (title: string): string => (title ? `"${title}" ` : "");

/** Throws unless the value is an integer of 0 or more. */
export function anumber(value: number, title = ""): number {
    if (typeof value !== "number") throw new TypeError(`${titled(title)}expected number, got ${typeof value}`);
    if (!Number.isSafeInteger(value) || value < 0) {
        throw new RangeError(`${titled(title)}expected integer >= 0, got ${value}`);
    }
    return value;
}

/**
 * Throws if an array has no memory any more: its buffer was transferred, or became shorter than the
 * array begins. The array's length is 0 then, as that of an empty one, but its methods throw.
 */
export function aheld(value: { indexOf(element: never): number }, title = ""): void {
    try {
        value.indexOf(0 as never);
    } catch (cause) {
        throw new TypeError(`${titled(title)}the array lost its memory: its buffer was transferred or shortened`, { cause });
    }
}

/** Throws unless the value is a `Uint8Array`, of this length if one is given. */
export function abytes(value: Uint8Array, length?: number, title = ""): Uint8Array {
    const bytes = isBytes(value);
    if (bytes && value.length === 0) aheld(value, title);
    if (bytes && (length === undefined || value.length === length)) return value;
    const wanted = length === undefined ? "" : ` of length ${length}`;
    const got = bytes ? `length=${value.length}` : `type=${typeof value}`;
    const message = `${titled(title)}expected Uint8Array${wanted}, got ${got}`;
    throw bytes ? new RangeError(message) : new TypeError(message);
}

/** Throws unless the value is a plain object, and returns a copy of its own fields over `defaults`. */
export function options<T extends object>(defaults: T, given: T | undefined, title = "opts"): T {
    if (given !== undefined) {
        if (given === null || typeof given !== "object" || Array.isArray(given)) {
            throw new TypeError(`"${title}" expected object, got type=${typeof given}`);
        }
        const prototype = Object.getPrototypeOf(given);
        if (prototype !== Object.prototype && prototype !== null) {
            throw new TypeError(`"${title}" expected plain object`);
        }
        if (Object.hasOwn(given, "__proto__")) throw new TypeError(`"${title}.__proto__" is not allowed`);
    }
    // Without a prototype, so that a field of Object.prototype is not taken for an option.
    return Object.assign(Object.create(null), defaults, given);
}

/** Overwrites arrays with zeros. */
export function clean(...arrays: { fill(value: number): unknown }[]): void {
    for (const array of arrays) array.fill(0);
}

const DIGITS = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hexadecimal. */
export function bytesToHex(bytes: Uint8Array): string {
    abytes(bytes);
    let hex = "";
    for (const byte of bytes) hex += DIGITS[byte];
    return hex;
}

/** Reads hexadecimal of either case. */
export function hexToBytes(hex: string): Uint8Array {
    if (typeof hex !== "string") throw new TypeError(`hex string expected, got ${typeof hex}`);
    if (hex.length % 2) throw new RangeError(`hex string expected, got unpadded hex of length ${hex.length}`);
    const wrong = hex.search(/[^0-9a-fA-F]/);
    if (wrong >= 0) {
        throw new RangeError(`hex string expected, got non-hex character "${hex[wrong]}" at index ${wrong}`);
    }
    return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** A string as UTF-8. */
export function utf8ToBytes(text: string): Uint8Array {
    if (typeof text !== "string") throw new TypeError("string expected");
    return new TextEncoder().encode(text);
}

/** Passwords and salts may be strings. */
export function textOrBytes(value: string | Uint8Array, title = ""): Uint8Array {
    return typeof value === "string" ? utf8ToBytes(value) : abytes(value, undefined, title);
}

/** One array after the other. */
export function concatBytes(...arrays: Uint8Array[]): Uint8Array {
    const all = new Uint8Array(arrays.reduce((sum, array) => sum + abytes(array).length, 0));
    let at = 0;
    for (const array of arrays) {
        all.set(array, at);
        at += array.length;
    }
    return all;
}
