/** BLAKE3's hasher. It can also hash the subtrees of a message separately, for several workers. */

import { concatBytes } from "../utils.js";
import { lanes } from "./batch.js";
import { type Machine, ROOM, check } from "./family.js";
import { Leaves } from "./leaves.js";

/** Bytes of the largest subtree that one call of `subtree` hashes. It is a power of two. */
export const PART = ROOM;
/** Bytes of a chaining value. */
const VALUE = 32;

/** The largest power of two below `count`: a left subtree is complete, and at least as large as the right one. */
function leftOf(count: number): number {
    return 2 ** Math.floor(Math.log2(count - 1));
}

export class Tree extends Leaves {
    private empty = true;

    /** Whether a message may be hashed by its subtrees: nothing was absorbed, and the engine has simd128. */
    get divides(): boolean {
        return this.empty && lanes(this.kind.family) !== undefined;
    }

    override update(data: Uint8Array): this {
        super.update(data);
        this.empty = this.empty && data.length === 0;
        return this;
    }

    override importState(state: Uint8Array): this {
        this.empty = false;
        return super.importState(state);
    }

    /**
     * Returns the chaining value of a subtree (the BLAKE3 paper §2.1) of at most `PART` bytes, which
     * begins at byte `offset` of the message. Needs simd128, as the two methods after it.
     */
    subtree(offset: number, bytes: Uint8Array): Uint8Array {
        return this.value((machine) => {
            machine.put(bytes);
            return machine.exports.subtree(offset, bytes.length);
        });
    }

    /** Returns the chaining value above subtrees, of which all but the last are complete and of one size. */
    above(values: readonly Uint8Array[]): Uint8Array {
        if (values.length === 1) return values[0] as Uint8Array;
        const children = this.below(values);
        return this.value((machine) => {
            machine.put(children);
            return machine.exports.parent(false);
        });
    }

    /** Ends the message, which consists of two or more such subtrees: `digest` and `xof` return its output. */
    end(values: readonly Uint8Array[]): void {
        const children = this.below(values);
        this.value((machine) => {
            machine.put(children);
            const status = machine.exports.parent(true);
            this.reader = machine.reader.slice();
            return status;
        });
    }

    protected override output(out: Uint8Array): void {
        if (this.reader) this.read(out);
        else super.output(out);
    }

    /** The chaining values of the two subtrees below the parent of all. */
    private below(values: readonly Uint8Array[]): Uint8Array {
        const split = leftOf(values.length);
        return concatBytes(this.above(values.slice(0, split)), this.above(values.slice(split)));
    }

    /** Returns the chaining value that a function of the module writes, and leaves nothing there. */
    private value(compute: (machine: Machine) => number): Uint8Array {
        const machine = lanes(this.kind.family) as Machine;
        this._bytes();
        this._load(machine);
        check(compute(machine));
        const value = machine.output.slice(0, VALUE);
        machine.exports.forget(VALUE);
        return value;
    }
}
