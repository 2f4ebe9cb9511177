/** Has `many` use simd128 for this family: `import "hashmill/many/keccak"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/keccak.simd.js";

addLanes("keccak", code);
