/** Has `many` use simd128 for this family: `import "hashmill/many/sha256"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/sha256.simd.js";

addLanes("sha256", code);
