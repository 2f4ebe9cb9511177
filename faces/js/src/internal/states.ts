/** Exported states. They have modules of their own, because few programs use them, and they need SHA-256. */

import { type Code, ERRORS, Machine, ROOM, check, compile, states } from "./family.js";

Object.assign(ERRORS, {
    29: "the exported state is incomplete or damaged",
    30: "the exported state was written by a newer version",
    31: "the exported state belongs to another algorithm",
    32: "the exported state contradicts itself",
});

/** Gives a family the module for its exported states. */
export function addStates(family: string, code: Code): void {
    let held: Machine | undefined;
    states.set(family, {
        get machine() {
            return (held ??= new Machine(compile(family, "state", code)));
        },
        export(code, bytes) {
            const { exports, output } = this.machine;
            this.machine.states(code)[0].set(bytes);
            const len = exports.export(code);
            const state = output.slice(0, len);
            exports.forget(len);
            return state;
        },
        import(code, state) {
            const { exports, input } = this.machine;
            if (state.length > ROOM) check(29);
            input.set(state);
            check(exports.import(code, state.length));
            const bytes = this.machine.states(code)[0].slice();
            const outputLen = exports.output_len?.(code);
            exports.forget(0);
            return { bytes, outputLen };
        },
    });
}
