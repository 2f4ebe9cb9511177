/** Adds the exported states of this family: `import "hashmill/state/blake2b"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/blake2b.state.js";

addStates("blake2b", code);
