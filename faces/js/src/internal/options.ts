/** The options of functions. */

import { options } from "../utils.js";

/** Returns a copy of the options. Throws if they have one that is not allowed and has a value. */
export function known<T extends object>(given: T | undefined, allowed: readonly (keyof T & string)[]): T {
    const all = options<Partial<T>>({}, given) as T;
    const isOther = (name: string): boolean => !(allowed as readonly string[]).includes(name);
    const other = Object.entries(all).find(([name, value]) => value !== undefined && isOther(name))?.[0];
    if (other === undefined) return all;
    throw new TypeError(`unknown option "${other}"; the options are ${allowed.map((name) => `"${name}"`).join(", ")}`);
}
