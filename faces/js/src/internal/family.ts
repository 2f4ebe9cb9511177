/**
 * The WebAssembly modules. Each family has two, with and without simd128. They are compiled on first
 * use, synchronously, from base64 in the source. Where the runtime forbids that, they come compiled,
 * or the scalar one as JavaScript. A module keeps nothing between two calls: see `wasm/lib.rs`.
 */

/** What a module exports. Numbers that are results are 0, or the number of an error. */
export interface Exports {
    memory: WebAssembly.Memory;
    address(place: number): number;
    size(code: number): number;
    begin(code: number): void;
    begin_with(code: number, len: number): number;
    update(code: number, len: number): number;
    element(code: number, len: number): number;
    finish(code: number, len: number, out: number): number;
    once(code: number, len: number, out: number): number;
    rows(code: number, width: number, count: number, out: number): number;
    column(code: number, count: number, out: number): number;
    squeeze(code: number, customization: number): number;
    fill(out: number): number;
    chain(code: number, iterations: number, len: number): number;
    export(code: number): number;
    import(code: number, len: number): number;
    /** Only BLAKE2's modules have this one, because a state of BLAKE2 decides the length of the digest. */
    output_len?(code: number): number;
    forget(out: number): void;
    /** Only BLAKE3's module with simd128 has these two. */
    subtree(offset: number, len: number): number;
    parent(isRoot: boolean): number;
}

/** The forms of a module. */
export type Form = "scalar" | "simd";

/** A module: compiled, as base64, or as a function that makes an instance in JavaScript. */
export type Code = WebAssembly.Module | string | (() => Exports);

/** The compiled modules of a family, for a worker; the second one if the engine has simd128. */
export interface Modules {
    scalar: WebAssembly.Module;
    simd: WebAssembly.Module | undefined;
}

/** Bytes of the input, and of the output, of one call. */
export const ROOM = 1 << 16;
/** The most messages of one call. */
export const BATCH = 4096;

/** The errors of the library that a caller can cause, by their numbers. */
const ERRORS: Record<number, string> = {
    4: "XOF is not enabled",
    15: "the message is longer than the algorithm's standard allows",
    29: "the exported state is incomplete or damaged",
    30: "the exported state was written by a newer version",
    31: "the exported state belongs to another algorithm",
    32: "the exported state contradicts itself",
    108: "the hasher's function does not have this operation",
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

function decode(base64: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}

/** The modules that were handed in, and the functions in JavaScript, by the names of their families. */
const given = /* @__PURE__ */ new Map<string, WebAssembly.Module>();
const scripts = /* @__PURE__ */ new Map<string, () => Exports>();

/** Uses a compiled module from now on, if the family does not have one of that form yet. */
export function provide(family: string, form: Form, module: WebAssembly.Module): void {
    given.set(`${family}.${form}`, module);
}

/** Has a family use JavaScript where its module cannot be compiled. */
export function fallBack(family: string, script: () => Exports): void {
    scripts.set(family, script);
}

/** Whether an error of the compilation says that the runtime has no WebAssembly, or forbids to compile it. */
function forbidden(error: unknown): boolean {
    // The standard gives a forbidden compilation no class of its own in all engines, so its text decides.
    const texts = /unsafe-eval|Content Security Policy|CSP|disallowed by embedder|code generation/i;
    return typeof WebAssembly === "undefined" || texts.test(String(error));
}

/** Compiles a module of a family, or returns the function that makes an instance of it in JavaScript. */
function compile(family: string, form: Form, code: Code): WebAssembly.Module | (() => Exports) {
    const module = given.get(`${family}.${form}`) ?? code;
    if (typeof module !== "string") return module;
    try {
        return new WebAssembly.Module(decode(module));
    } catch (cause) {
        if (!forbidden(cause)) throw cause;
        const script = scripts.get(family);
        if (script) return script;
        const advice = `import "hashmill/javascript", or on a page add 'wasm-unsafe-eval' to script-src`;
        throw new Error(`hashmill: this runtime or the page's Content-Security-Policy forbids WebAssembly; ${advice}`, { cause });
    }
}

/** An instance of a module, with views of its places. */
export class Machine {
    /** `undefined` if this is JavaScript. */
    readonly module: WebAssembly.Module | undefined;
    readonly exports: Exports;
    readonly input: Uint8Array;
    readonly output: Uint8Array<ArrayBuffer>;
    readonly offsets: Uint32Array;
    readonly reader: Uint8Array;
    readonly #states = new Map<number, [Uint8Array, Uint8Array]>();
    #digest: Uint8Array<ArrayBuffer>;

    constructor(code: WebAssembly.Module | (() => Exports)) {
        const script = typeof code === "function";
        this.module = script ? undefined : code;
        const exports = script ? code() : (new WebAssembly.Instance(code, {}).exports as unknown as Exports);
        const bytes = (place: number, len: number) => new Uint8Array(exports.memory.buffer, exports.address(place), len);
        this.exports = exports;
        this.input = bytes(2, ROOM);
        this.output = bytes(3, ROOM);
        this.offsets = new Uint32Array(exports.memory.buffer, exports.address(4), BATCH + 1);
        this.reader = bytes(5, exports.size(0));
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

/**
 * How many calls each module gets before the choice, how many of these are measured, and how many of
 * the measured ones, the slowest, do not count: other programs may have interrupted them.
 */
const TRIALS = 96;
const MEASURED = 32;
const DISTURBED = 4;

/** The time for each byte that a module took for batches so far. */
interface Trial {
    machine: Machine;
    calls: number;
    rates: number[];
}

function rate({ rates }: Trial): number {
    const counted = rates.sort((a, b) => a - b).slice(0, MEASURED - DISTURBED);
    return counted.reduce((sum, rate) => sum + rate, 0);
}

/** The modules of a family. */
export class Family {
    readonly #name: string;
    readonly #scalar: Code;
    #simd: Code | undefined;
    #machine: Machine | undefined;
    #lanes: Machine | undefined;
    #chosen: Machine | undefined;
    #trials: [Trial, Trial] | undefined;

    /** From this many bytes on, the native part hashes one message faster. */
    readonly long: number;

    constructor(name: string, scalar: Code, simd: Code | undefined, long = 512) {
        this.long = long;
        this.#name = name;
        this.#scalar = scalar;
        this.#simd = simd;
    }

    /** The compiled modules; `undefined` if the functions are JavaScript. */
    get modules(): Modules | undefined {
        const scalar = this.machine.module;
        return scalar && { scalar, simd: this.lanes?.module };
    }

    /** For single messages. */
    get machine(): Machine {
        return (this.#machine ??= new Machine(compile(this.#name, "scalar", this.#scalar)));
    }

    /** With simd128, for several messages or leaves; `undefined` if the engine does not have it. */
    get lanes(): Machine | undefined {
        if (this.#lanes || this.#simd === undefined) return this.#lanes;
        try {
            const code = compile(this.#name, "simd", this.#simd);
            // JavaScript has one form.
            if (typeof code !== "function") this.#lanes = new Machine(code);
        } catch {
            // The engine does not have simd128, or only the other module was handed in.
        }
        this.#simd = undefined;
        return this.#lanes;
    }

    /**
     * Calls `hash` with the module for a part of a batch, of this many bytes.
     *
     * simd128 is slower than scalar code in some engines (JavaScriptCore: SHA-2), so both are
     * measured. An engine compiles a module twice, first quickly and then well, after some
     * milliseconds of use. So the modules take turns with the first parts of real batches, which
     * costs no time of its own, and only the last turns count.
     */
    batch(bytes: number, hash: (machine: Machine) => void): void {
        if (this.#chosen) return hash(this.#chosen);
        const { lanes, machine } = this;
        if (!lanes) return hash((this.#chosen = machine));
        this.#trials ??= [
            { machine: lanes, calls: 0, rates: [] },
            { machine, calls: 0, rates: [] },
        ];
        const [first, second] = this.#trials;
        const trial = first.calls <= second.calls ? first : second;
        const start = performance.now();
        hash(trial.machine);
        trial.calls += 1;
        if (trial.calls > TRIALS - MEASURED) trial.rates.push((performance.now() - start) / bytes);
        if (second.calls < TRIALS) return;
        // A clock too coarse to tell counts as equal.
        this.#chosen = rate(second) < rate(first) ? second.machine : first.machine;
        this.#trials = undefined;
    }

    /** Uses simd128, or not, for batches from now on; for tests. */
    force(simd: boolean | undefined): void {
        this.#trials = undefined;
        this.#chosen = simd === undefined ? undefined : simd ? this.lanes : this.machine;
    }
}
