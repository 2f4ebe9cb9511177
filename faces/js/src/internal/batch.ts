/** Which module hashes a batch. */

import { type Family, type Machine } from "./family.js";

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

/**
 * Calls `hash` with a family's module for a part of a batch, of this many bytes.
 *
 * simd128 is slower than scalar code in some engines (JavaScriptCore: SHA-2), so both are
 * measured. An engine compiles a module twice, first quickly and then well, after some
 * milliseconds of use. So the modules take turns with the first parts of real batches, which
 * costs no time of its own, and only the last turns count.
 */
export function batch(family: Family, bytes: number, hash: (machine: Machine) => void): void {
    if (family.chosen) return hash(family.chosen);
    const { lanes, machine } = family;
    if (!lanes) return hash(machine);
    family.trials ??= [
        { machine: lanes, calls: 0, rates: [] },
        { machine, calls: 0, rates: [] },
    ];
    const [first, second] = family.trials as [Trial, Trial];
    const trial = first.calls <= second.calls ? first : second;
    const start = performance.now();
    hash(trial.machine);
    trial.calls += 1;
    if (trial.calls > TRIALS - MEASURED) trial.rates.push((performance.now() - start) / bytes);
    if (second.calls < TRIALS) return;
    // A clock too coarse to tell counts as equal.
    family.chosen = rate(second) < rate(first) ? second.machine : first.machine;
    family.trials = undefined;
}
