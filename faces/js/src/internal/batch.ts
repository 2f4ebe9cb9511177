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
    /** What was measured for that choice so far. */
    trials?: [Trial, Trial] | undefined;
}

const known = /* @__PURE__ */ new WeakMap<Family, Batches>();

function of(family: Family): Batches {
    let batches = known.get(family);
    if (!batches) known.set(family, (batches = {}));
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
    batches.trials = undefined;
    batches.chosen = simd === undefined ? undefined : simd ? lanes(family) : family.machine;
}

/**
 * How many calls each module gets before the choice, how many of these are measured, and how many of
 * the measured ones, the slowest, do not count: other programs may have interrupted them. On a machine
 * with five programs for each core that was a fifth of the calls.
 */
const TRIALS = 96;
const MEASURED = 32;
const DISTURBED = 16;

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

/**
 * Calls `hash` with a family's module for a part of a batch, of this many bytes.
 *
 * simd128 is slower than scalar code in some engines (JavaScriptCore: SHA-2), so both are
 * measured. An engine compiles a module twice, first quickly and then well, after some
 * milliseconds of use. So the modules take turns with the first parts of real batches, which
 * costs no time of its own, and only the last turns count.
 */
export function batch(family: Family, bytes: number, hash: (machine: Machine) => void): void {
    const batches = of(family);
    if (batches.chosen) return hash(batches.chosen);
    const simd = lanes(family);
    if (!simd) return hash(family.machine);
    batches.trials ??= [
        { machine: simd, calls: 0, rates: [] },
        { machine: family.machine, calls: 0, rates: [] },
    ];
    const [first, second] = batches.trials;
    const trial = first.calls <= second.calls ? first : second;
    const start = performance.now();
    hash(trial.machine);
    trial.calls += 1;
    if (trial.calls > TRIALS - MEASURED) trial.rates.push((performance.now() - start) / bytes);
    if (second.calls < TRIALS) return;
    // A clock too coarse to tell counts as equal.
    batches.chosen = rate(second) < rate(first) ? second.machine : first.machine;
    batches.trials = undefined;
}
