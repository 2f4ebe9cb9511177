/** Adds the exported states of this family: `import "hashmill/state/sm3"`. */

import { addStates } from "../internal/states.js";
import { code } from "../internal/wasm/sm3.state.js";

addStates("sm3", code);
