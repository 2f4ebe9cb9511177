/** Has `many` use simd128 for this family: `import "hashmill/many/ascon"`. */

import { addLanes } from "../internal/batch.js";
import { code } from "../internal/wasm/ascon.simd.js";

addLanes("ascon", code);
