/** The modules with simd128, and which module hashes a batch. */

import { type Code, type Family, Machine, compile, given } from "./family.js";
import type { CompiledModule } from "./globals.js";

/** The compiled modules of a family, for a worker; the second one if the engine has simd128. */
export interface Modules {
    scalar: CompiledModule;
    simd: CompiledModule | undefined;
}

/** The modules that `hashmill/many/FAMILY` added, by the names of their families. */
const added = /* @__PURE__ */ new Map<string, Code>();

/** Has a family use its module with simd128 for many messages. */
export function addLanes(family: string, simd: Code): void {
    added.set(family, simd);
}

/** What is known of a family's batches. */
interface Batches {
    /** The module with simd128; "none" if the engine cannot use it. */
    lanes?: Machine | "none";
    /** The module for batches, once it was chosen. */
    chosen?: Machine | undefined;
    /** How many more calls the chosen module gets before both are measured again, and how many it gets then. */
    rest: number;
    wait: number;
    /** What was measured for the next choice so far. */
    trial?: Trial | undefined;
}

const known = /* @__PURE__ */ new WeakMap<Family, Batches>();

function of(family: Family): Batches {
    let batches = known.get(family);
    if (!batches) known.set(family, (batches = { rest: 0, wait: TRIALS }));
    return batches;
}

/** The module with simd128, for several messages or leaves; `undefined` if the engine does not have it. */
export function lanes(family: Family): Machine | undefined {
    const batches = of(family);
    const { name } = family;
    const simd = family.simd ?? added.get(name) ?? given.get(`${name}.simd`);
    if (!batches.lanes && simd !== undefined) {
        try {
            batches.lanes = new Machine(compile(name, "simd", simd));
        } catch {
            // The engine does not have simd128, or only the other module was handed in.
            batches.lanes = "none";
        }
    }
    return batches.lanes === "none" ? undefined : batches.lanes;
}

/** The compiled modules; `undefined` if the functions are JavaScript. */
export function modules(family: Family): Modules | undefined {
    const scalar = family.machine.module;
    return scalar && { scalar, simd: lanes(family)?.module };
}

/** Uses simd128, or not, for batches from now on; for tests. */
export function force(family: Family, simd: boolean | undefined): void {
    const batches = of(family);
    batches.trial = undefined;
    batches.chosen = simd === undefined ? undefined : simd ? lanes(family) : family.machine;
    batches.rest = simd === undefined ? 0 : Infinity;
    batches.wait = TRIALS;
}

/**
 * How many calls both modules get before the first choice, how many of these are measured, and how many
 * of the measured ones of each, the slowest, do not count: other programs may have interrupted them. On a
 * machine with five programs for each core that was a fifth of the calls.
 */
const TRIALS = 192;
const MEASURED = 64;
const DISTURBED = 16;

/** The calls for a choice so far, and the time for each byte that each of the two modules took. */
interface Trial {
    calls: number;
    rates: [number[], number[]];
}

function rate(rates: number[]): number {
    const counted = rates.sort((a, b) => a - b).slice(0, rates.length - DISTURBED);
    return counted.reduce((sum, rate) => sum + rate, 0);
}

/**
 * Calls `hash` with a family's module for a part of a batch, of this many bytes.
 *
 * simd128 is slower than scalar code in some engines (JavaScriptCore: SHA-2), so both are
 * measured. An engine compiles a module twice, first quickly and then well, after some
 * milliseconds of use. So the modules take turns with the first parts of real batches, which
 * costs no time of its own, and only the last turns count. On a busy machine the second compilation
 * may end later than these turns, so the choice is made again after 192 calls, then after 384, and so on.
 */
export function batch(family: Family, bytes: number, hash: (machine: Machine) => void): void {
    const batches = of(family);
    const { chosen } = batches;
    if (chosen && batches.rest-- > 0) return hash(chosen);
    const simd = lanes(family);
    if (!simd) return hash(family.machine);
    const trial = (batches.trial ??= { calls: chosen ? TRIALS - MEASURED : 0, rates: [[], []] });
    const { calls, rates } = trial;
    // The turns are A, B, B, A. If each batch has two parts, a large one and a small one, both modules get both.
    const turn = ((calls >> 1) ^ calls) & 1;
    const start = performance.now();
    hash(turn === 0 ? simd : family.machine);
    if (calls >= TRIALS - MEASURED) rates[turn as 0 | 1].push((performance.now() - start) / bytes);
    trial.calls += 1;
    if (trial.calls < TRIALS) return;
    // A clock too coarse to tell counts as equal.
    batches.chosen = rate(rates[1]) < rate(rates[0]) ? family.machine : simd;
    batches.trial = undefined;
    batches.rest = batches.wait;
    batches.wait *= 2;
}
