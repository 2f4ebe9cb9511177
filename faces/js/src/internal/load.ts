/** Loads the native part. Bundles for browsers have `load-none.ts` instead: see "browser" in package.json. */

import type { Native } from "./native.js";

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
