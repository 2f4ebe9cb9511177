/** SHA-3 and SHAKE (FIPS 202), and Keccak-256. */

import { type HashFunction, type XofOptions, extendable, plain } from "./internal/hasher.js";
import { keccak } from "./internal/keccak.js";

const sha3 = (code: number, outputLen: number, oid: number): HashFunction =>
    plain({ family: keccak, code, blockLen: 200 - 2 * outputLen, outputLen }, oid);
const shake = (code: number, blockLen: number, outputLen: number, oid?: number): HashFunction<XofOptions> =>
    extendable({ family: keccak, code, blockLen, outputLen, canXOF: true }, oid);

/** Keccak-256 (the Keccak submission, version 3), which Ethereum uses. It differs from SHA3-256 in the padding. */
export const keccak_256: HashFunction = /* @__PURE__ */ plain({ family: keccak, code: 19, blockLen: 136, outputLen: 32 });
export const sha3_224: HashFunction = /* @__PURE__ */ sha3(7, 28, 7);
export const sha3_256: HashFunction = /* @__PURE__ */ sha3(8, 32, 8);
export const sha3_384: HashFunction = /* @__PURE__ */ sha3(9, 48, 9);
export const sha3_512: HashFunction = /* @__PURE__ */ sha3(10, 64, 10);
/** SHAKE128 with 16 bytes of output, or `dkLen`. */
export const shake128: HashFunction<XofOptions> = /* @__PURE__ */ shake(15, 168, 16, 11);
/** SHAKE256 with 32 bytes of output, or `dkLen`. */
export const shake256: HashFunction<XofOptions> = /* @__PURE__ */ shake(16, 136, 32, 12);
/** SHAKE128 with 32 bytes of output: as long as its strength asks. */
export const shake128_32: HashFunction<XofOptions> = /* @__PURE__ */ shake(15, 168, 32, 11);
/** SHAKE256 with 64 bytes of output: as long as its strength asks. */
export const shake256_64: HashFunction<XofOptions> = /* @__PURE__ */ shake(16, 136, 64, 12);
