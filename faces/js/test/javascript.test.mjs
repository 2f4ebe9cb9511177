// The answers of vectors/ by the functions in JavaScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

test("the answers of vectors/ without WebAssembly", () => {
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    // A test runner within a test runner prints nothing if it finds this variable.
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const script = "import { sha256 } from 'hashmill/sha2'; console.log(sha256.create().kind.family.machine.module === undefined)";
    const forbidden = ["--import", "./test/forbid.mjs"];
    const run = (...args) => execFileSync("node", [...forbidden, ...args], { cwd, env, encoding: "utf8" });
    assert.equal(run("--input-type=module", "--eval", script), "true\n", "JavaScript hashes");
    assert.match(run("--test-reporter=tap", "--test", "test/vectors.test.mjs"), /^# fail 0$/m);
});
