/** Everything but `hashmill/node`. Bundlers leave out what is not used. */

export * from "./ascon.js";
export * from "./blake2.js";
export * from "./blake3.js";
export * from "./hkdf.js";
export * from "./hmac.js";
export * from "./many.js";
export * from "./pbkdf2.js";
export * from "./sha2.js";
export * from "./sha3.js";
export * from "./sha3-addons.js";
export * from "./sm3.js";
export * from "./state.js";
export * from "./stream.js";
export { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "./utils.js";
