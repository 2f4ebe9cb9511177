import { createHash } from "node:crypto";
import { hasNative } from "hashmill/node";
import { sha256 } from "hashmill/sha2";

const text = Buffer.alloc(1000, "abc");
const same = createHash("sha256").update(text).digest().equals(sha256(text));
process.exit(same && hasNative() ? 0 : 1);
