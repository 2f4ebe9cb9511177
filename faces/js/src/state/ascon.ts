/** Adds the exported states of this family: `import "hashmill/state/ascon"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/ascon.state.js";

addStates("ascon", code);
