/** Has `many` use simd128 for every family. */

import "./ascon.js";
import "./blake2b.js";
import "./blake2s.js";
import "./blake3.js";
import "./keccak.js";
import "./sha256.js";
import "./sha512.js";
import "./sm3.js";
