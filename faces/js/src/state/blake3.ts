/** Adds the exported states of this family: `import "hashmill/state/blake3"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/blake3.state.js";

addStates("blake3", code);
