/**
 * Loads what only Node, Deno and Bun have: the native part, and files of this package. Bundles for browsers
 * have `load-none.ts` instead: see "browser" in package.json.
 */

import { type States, states } from "./family.js";
import type { CompiledModule } from "./globals.js";
import type { Native } from "./native.js";
import { addStates } from "./states.js";

/** What the names of the packages for these systems end with. npm installs the one whose C library is in use. */
const LIBRARIES: Record<string, string[]> = { linux: ["-gnu", "-musl"], win32: ["-msvc"] };

export function load(): Native | undefined {
    const { process } = globalThis as { process?: NodeJS.Process };
    const require = process?.getBuiltinModule?.("node:module")?.createRequire(import.meta.url);
    if (!process || !require) return undefined;
    for (const library of LIBRARIES[process.platform] ?? [""]) {
        try {
            return require(`hashmill-native-${process.platform}-${process.arch}${library}`);
        } catch {
            // It is not installed, or this process may not load it.
        }
    }
    return undefined;
}

const tried = /* @__PURE__ */ new Set<string>();

/** Gives a family its exported states from the package's files, if these are there. */
export function loadStates(family: string): States | undefined {
    const { process } = globalThis as { process?: NodeJS.Process };
    // Some bundlers would take `new URL` of this itself for the name of a file to copy.
    const here = import.meta.url;
    // CommonJS files are one folder deeper.
    for (const up of tried.has(family) ? [] : ["..", "../.."]) {
        try {
            const bytes = process?.getBuiltinModule("node:fs").readFileSync(new URL(`${up}/wasm/${family}.state.wasm`, here));
            if (bytes) addStates(family, new WebAssembly.Module(bytes) as CompiledModule);
        } catch {
            // A bundle does not have the files.
        }
    }
    tried.add(family);
    return states.get(family);
}
