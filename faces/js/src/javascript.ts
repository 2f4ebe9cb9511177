/**
 * Has every function run as JavaScript where WebAssembly is missing or forbidden:
 * `import "hashmill/javascript"`. `hashmill/javascript/sha256` and the like do so for one family. The
 * JavaScript is generated from the scalar modules and many times slower than they are.
 */

import "./javascript/ascon.js";
import "./javascript/blake2b.js";
import "./javascript/blake2s.js";
import "./javascript/blake3.js";
import "./javascript/keccak.js";
import "./javascript/sha256.js";
import "./javascript/sha512.js";
import "./javascript/sm3.js";
