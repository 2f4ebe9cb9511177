/**
 * The WebAssembly modules. Each family has three: scalar for one message, with simd128 for many, and
 * one for exported states. They are compiled on first use, synchronously, from a text in the source.
 * Where the runtime forbids that, they come compiled, or those without simd128 as JavaScript. A module
 * keeps nothing between two calls: see `wasm/lib.rs`.
 */

import { type CompiledModule } from "./globals.js";

/** What a module exports. Numbers that are results are 0, or the number of an error. */
export interface Exports {
    memory: { readonly buffer: ArrayBuffer };
    address(place: number): number;
    size(code: number): number;
    begin(code: number): void;
    begin_with(code: number, len: number): number;
    update(code: number, len: number): number;
    element(code: number, len: number): number;
    finish(code: number, len: number, out: number): number;
    once(code: number, len: number, out: number): number;
    /** Only the modules with simd128 have these two. */
    rows?(code: number, width: number, count: number, out: number): number;
    column?(code: number, count: number, out: number): number;
    squeeze(code: number, customization: number): number;
    fill(out: number): number;
    chain(code: number, iterations: number, len: number): number;
    /** Only the modules for states have these three; the last one only those of BLAKE2. */
    export(code: number): number;
    import(code: number, len: number): number;
    output_len?(code: number): number;
    forget(out: number): void;
    /** Only BLAKE3's module with simd128 has these two. */
    subtree(offset: number, len: number): number;
    parent(isRoot: boolean): number;
}

/** Exports and imports the bytes of hashers of a family: see `states.ts`. */
export interface States {
    readonly machine: Machine;
    export(code: number, bytes: Uint8Array): Uint8Array;
    /** Returns the bytes, and the length of the digest if a state decides it. */
    import(code: number, state: Uint8Array): { bytes: Uint8Array; outputLen: number | undefined };
}

/** The forms of a module. */
export type Form = "scalar" | "simd" | "state";

/** A module: compiled, as a text, or as a function that makes an instance in JavaScript. */
export type Code = CompiledModule | string | (() => Exports);

/** Bytes of the input, and of the output, of one call. */
export const ROOM = 1 << 16;
/** The errors of the library that a caller can cause, by their numbers. */
export const ERRORS: Record<number, string> = {
    4: "XOF is not enabled",
    15: "the message is longer than the algorithm's standard allows",
};

/** Throws the error with this number. */
export function check(status: number): void {
    if (status !== 0) throw new Error(ERRORS[status] ?? `hashmill: error ${status}`);
}

/** Copies bytes to a place in a larger array. */
export function put(to: Uint8Array, bytes: Uint8Array, at: number): void {
    const { length } = bytes;
    // A call of `set` takes 9 ns in Node 24, 11 in Bun; 12 bytes in a loop take 11 and 6, 32 bytes 25 and 14.
    if (length < 12) {
        for (let i = 0; i < length; i++) to[at + i] = bytes[i] as number;
    } else {
        to.set(bytes, at);
    }
}

/** The most frequent bytes of a module, each of which has a character of its own in its text. */
const SINGLE = 90;

/**
 * Reads a module from its text, which `tools/build.mjs` writes. The text begins with the most frequent
 * bytes in hexadecimal. Then each of them is one character, "#" or a later one, with "!" instead of the
 * backslash; any other byte is "}" or "~" and a second character. gzip makes 6.9 KB of SHA-256's text,
 * as of its bytes, but 9.4 KB of base64, whose characters straddle the bytes.
 */
function decode(text: string): Uint8Array<ArrayBuffer> {
    const single = Array.from({ length: SINGLE }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
    const double = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !single.includes(byte));
    const bytes: number[] = [];
    for (let at = 2 * SINGLE; at < text.length; ) {
        const next = (): number => {
            const code = text.charCodeAt(at++);
            return (code === 33 ? 92 : code) - 35;
        };
        const first = next();
        const byte = first < SINGLE ? single[first] : double[(first - SINGLE) * SINGLE + next()];
        bytes.push(byte as number);
    }
    return new Uint8Array(bytes);
}

/** The modules that were handed in, and the functions in JavaScript, by the names of the modules. */
export const given = /* @__PURE__ */ new Map<string, CompiledModule>();
const scripts = /* @__PURE__ */ new Map<string, () => Exports>();
/** What `hashmill/state/FAMILY` added. */
export const states = /* @__PURE__ */ new Map<string, States>();

/** Uses a compiled module from now on, if the family does not have one of that form yet. */
export function provide(family: string, form: Form, module: CompiledModule): void {
    given.set(`${family}.${form}`, module);
}

/** Has a family use JavaScript where its module cannot be compiled. */
export function fallBack(family: string, form: Form, script: () => Exports): void {
    scripts.set(`${family}.${form}`, script);
}

/** Whether an error of the compilation says that the runtime has no WebAssembly, or forbids to compile it. */
function forbidden(error: unknown): boolean {
    // The standard gives a forbidden compilation no class of its own in all engines, so its text decides.
    const texts = /unsafe-eval|Content Security Policy|CSP|disallowed by embedder|code generation/i;
    return typeof WebAssembly === "undefined" || texts.test(String(error));
}

/** Compiles a module of a family, or returns the function that makes an instance of it in JavaScript. */
export function compile(family: string, form: Form, code: Code): CompiledModule | (() => Exports) {
    const name = `${family}.${form}`;
    const module = given.get(name) ?? code;
    if (typeof module !== "string") return module;
    try {
        return new WebAssembly.Module(decode(module));
    } catch (cause) {
        if (!forbidden(cause)) throw cause;
        const script = scripts.get(name);
        if (script) return script;
        const advice = `import "hashmill/javascript", or on a page add 'wasm-unsafe-eval' to script-src`;
        throw new Error(`hashmill: this runtime or the page's Content-Security-Policy forbids WebAssembly; ${advice}`, { cause });
    }
}

/** An instance of a module, with views of its places. */
export class Machine {
    /** `undefined` if this is JavaScript. */
    readonly module: CompiledModule | undefined;
    readonly exports: Exports;
    readonly input: Uint8Array;
    readonly output: Uint8Array<ArrayBuffer>;
    /** The offsets of `column`, after its first use. */
    offsets: Uint32Array | undefined;
    readonly reader: Uint8Array;
    readonly #states = new Map<number, [Uint8Array, Uint8Array]>();
    #digest: Uint8Array<ArrayBuffer>;

    constructor(code: CompiledModule | (() => Exports)) {
        const script = typeof code === "function" ? code : undefined;
        this.module = script ? undefined : (code as CompiledModule);
        const exports = script?.() ?? (new WebAssembly.Instance(code as WebAssembly.Module, {}).exports as unknown as Exports);
        const bytes = (place: number, len: number) => new Uint8Array(exports.memory.buffer, exports.address(place), len);
        this.exports = exports;
        this.input = bytes(2, ROOM);
        this.output = bytes(3, ROOM);
        this.reader = bytes(4, exports.size(0));
        this.#digest = this.output.subarray(0, 0);
    }

    /** Returns a copy of the first `len` bytes of the output. From a view that is kept, it takes 17 ns instead of 26. */
    digest(len: number): Uint8Array<ArrayBuffer> {
        if (this.#digest.length !== len) this.#digest = this.output.subarray(0, len);
        return new Uint8Array(this.#digest);
    }

    /** The two places for hashers of a function. */
    states(code: number): [Uint8Array, Uint8Array] {
        let views = this.#states.get(code);
        if (!views) {
            const { exports } = this;
            const len = exports.size(code);
            const view = (place: number) => new Uint8Array(exports.memory.buffer, exports.address(place), len);
            views = [view(0), view(1)];
            this.#states.set(code, views);
        }
        return views;
    }

    /** Copies a message to the input, from `at` on. */
    put(bytes: Uint8Array, at = 0): void {
        put(this.input, bytes, at);
    }

    /** Calls `absorb` for the input's length, once for each part of the message. */
    parts(bytes: Uint8Array, absorb: (len: number) => number): void {
        for (let at = 0; at < bytes.length; at += ROOM) {
            const part = bytes.length <= ROOM ? bytes : bytes.subarray(at, at + ROOM);
            this.put(part);
            check(absorb(part.length));
        }
    }
}

/** A family's modules. What only many messages and leaves need is in `batch.ts`. */
export class Family {
    readonly name: string;
    readonly #scalar: Code;
    #machine: Machine | undefined;
    /** The module with simd128, if it comes with the function. */
    simd: Code | undefined;

    /** From this many bytes on, the native part hashes one message faster. */
    readonly long: number;

    constructor(name: string, scalar: Code, simd?: Code, long = 512) {
        this.long = long;
        this.name = name;
        this.#scalar = scalar;
        this.simd = simd;
    }

    /** For single messages. */
    get machine(): Machine {
        return (this.#machine ??= new Machine(compile(this.name, "scalar", this.#scalar)));
    }
}
