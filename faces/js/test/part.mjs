// The native part, after `npm run build:native`.

import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

const folder = new URL("../../../target/js/native/", import.meta.url);
const [name] = readdirSync(folder).filter((name) => name.startsWith("hashmill-native-"));
export const part = createRequire(folder)(`./${name}/hashmill.node`);
