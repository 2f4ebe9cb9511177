/** SHA-2 (FIPS 180-4). */

import { Family } from "./internal/family.js";
import { type HashFunction, plain } from "./internal/hasher.js";
import { code as words32 } from "./internal/wasm/sha256.scalar.js";
import { code as words64 } from "./internal/wasm/sha512.scalar.js";

const family32 = /* @__PURE__ */ new Family("sha256", words32);
const family64 = /* @__PURE__ */ new Family("sha512", words64);

const of32 = (code: number, outputLen: number, oid: number): HashFunction =>
    plain({ family: family32, code, blockLen: 64, outputLen }, oid);
const of64 = (code: number, outputLen: number, oid: number): HashFunction =>
    plain({ family: family64, code, blockLen: 128, outputLen }, oid);

/** SHA-224. */
export const sha224: HashFunction = /* @__PURE__ */ of32(1, 28, 4);
/** SHA-256. */
export const sha256: HashFunction = /* @__PURE__ */ of32(2, 32, 1);
/** SHA-384. */
export const sha384: HashFunction = /* @__PURE__ */ of64(3, 48, 2);
/** SHA-512. */
export const sha512: HashFunction = /* @__PURE__ */ of64(4, 64, 3);
/** SHA-512/224. */
export const sha512_224: HashFunction = /* @__PURE__ */ of64(5, 28, 5);
/** SHA-512/256. */
export const sha512_256: HashFunction = /* @__PURE__ */ of64(6, 32, 6);
