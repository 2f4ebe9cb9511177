/** Hashers of trees, whose leaves fill lanes if a part of the message is long. */

import { batch } from "./batch.js";
import { ROOM, check } from "./family.js";
import { Xof } from "./hasher.js";

export class Leaves extends Xof {
    protected override absorb(data: Uint8Array): void {
        const { code, family, lanesFrom = Infinity } = this.kind;
        if (data.length < lanesFrom) return super.absorb(data);
        this._bytes();
        for (let at = 0; at < data.length; at += ROOM) {
            const part = data.subarray(at, at + ROOM);
            batch(family, part.length, (machine) => {
                this._load(machine);
                machine.put(part);
                check(machine.exports.update(code, part.length));
                this._keep(machine);
            });
        }
    }
}
