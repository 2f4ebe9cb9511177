// The functions that the page offers.

import { blake2b, blake2s } from "../dist/blake2.js";
import { blake3 } from "../dist/blake3.js";
import { sha224, sha256, sha384, sha512 } from "../dist/sha2.js";
import { sha3_256, sha3_512 } from "../dist/sha3.js";
import { kt128 } from "../dist/sha3-addons.js";
import { sm3 } from "../dist/sm3.js";

export const FUNCTIONS = {
    "SHA-256": sha256,
    "SHA-512": sha512,
    "SHA-224": sha224,
    "SHA-384": sha384,
    "SHA3-256": sha3_256,
    "SHA3-512": sha3_512,
    BLAKE2b: blake2b,
    BLAKE2s: blake2s,
    BLAKE3: blake3,
    KT128: kt128,
    SM3: sm3,
};

/** The function of a line of SHA256SUMS or the like, by the length of its digest. */
export const BY_LENGTH = { 56: "SHA-224", 64: "SHA-256", 96: "SHA-384", 128: "SHA-512" };
