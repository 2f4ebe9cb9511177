/** Has `many` use simd128 for this family: `import "hashmill/many/blake2s"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/blake2s.simd.js";

addLanes("blake2s", code);
