/** `hashmill` with simd128 and exported states of every family: for runtimes where the size of a program does not matter. */

import "./many/all.js";
import "./state/all.js";

export * from "./index.js";
