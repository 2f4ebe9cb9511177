/** Adds the exported states of this family: `import "hashmill/state/blake2s"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/blake2s.state.js";

addStates("blake2s", code);
