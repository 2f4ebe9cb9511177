/** SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018). */

import { Family } from "./internal/family.js";
import { type HashFunction, plain } from "./internal/hasher.js";
import { code as scalar } from "./internal/wasm/sm3.scalar.js";

const family = /* @__PURE__ */ new Family("sm3", scalar);

/** SM3. */
export const sm3: HashFunction = /* @__PURE__ */ plain({ family, code: 23, blockLen: 64, outputLen: 32 });
