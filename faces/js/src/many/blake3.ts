/** Has `many` use simd128 for this family: `import "hashmill/many/blake3"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/blake3.simd.js";

addLanes("blake3", code);
