/** Adds the exported states of this family: `import "hashmill/state/sha512"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/sha512.state.js";

addStates("sha512", code);
