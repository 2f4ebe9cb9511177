/** Has `many` use simd128 for this family: `import "hashmill/many/sm3"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/sm3.simd.js";

addLanes("sm3", code);
