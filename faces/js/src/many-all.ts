/** `hashmill/many` with simd128 for every family: for runtimes where the size of a program does not matter. */

import "./many/all.js";

export * from "./many.js";
