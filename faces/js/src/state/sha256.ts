/** Adds the exported states of this family: `import "hashmill/state/sha256"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/sha256.state.js";

addStates("sha256", code);
