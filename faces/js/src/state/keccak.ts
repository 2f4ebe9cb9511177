/** Adds the exported states of this family: `import "hashmill/state/keccak"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/keccak.state.js";

addStates("keccak", code);
