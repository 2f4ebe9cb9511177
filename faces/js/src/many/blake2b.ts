/** Has `many` use simd128 for this family: `import "hashmill/many/blake2b"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/blake2b.simd.js";

addLanes("blake2b", code);
