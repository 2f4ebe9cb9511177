/** Has `many` use simd128 for this family: `import "hashmill/many/sha512"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/sha512.simd.js";

addLanes("sha512", code);
