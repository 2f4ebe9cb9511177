/** Compiled modules, for runtimes that forbid compiling them from bytes. */

import { type Form, provide as add } from "./internal/family.js";
import { VERSION } from "./internal/wasm/version.js";

/**
 * Hands in modules of this package that the program or its build compiled from the files
 * `hashmill/wasm/FAMILY.scalar.wasm`, `FAMILY.simd.wasm` and `FAMILY.state.wasm`. FAMILY is `sha256`,
 * `sha512`, `keccak`, `blake2b`, `blake2s`, `blake3`, `ascon` or `sm3`. The second file is optional: it
 * speeds up many messages. The third is for exported states. Call this before the first hash: a module
 * that is in use already stays. Throws if a module is not one of this version.
 */
export function provide(...modules: readonly object[]): void {
    const names = modules.map((module) => {
        if (!(module instanceof WebAssembly.Module)) throw new TypeError("expected WebAssembly.Module");
        const [section] = WebAssembly.Module.customSections(module, "hashmill");
        const [family, form, version] = section ? new TextDecoder().decode(section).split(" ") : [];
        if (!family || version !== VERSION) {
            throw new TypeError(`the module is not one of hashmill ${VERSION}${version ? `, but of ${version}` : ""}`);
        }
        return [family, form as Form, module] as const;
    });
    for (const [family, form, module] of names) add(family, form, module);
}
