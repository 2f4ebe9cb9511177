// The packed package in jest, whose modules are not Node's own: `node tools/jest.mjs PROJECT`, in which it is
// installed. A test of CommonJS and one of ES modules; others/ has jest.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = resolve(process.argv[2]);
const jest = fileURLToPath(new URL("../others/node_modules/jest", import.meta.url));

/** The same test with `require` and with `import`. */
const test = (load) => `
${load("sha256", "hashmill/sha2")}
${load("many", "hashmill")}
${load("createHash", "hashmill/node.js")}
${load("WorkerPool", "hashmill/pool")}
const abc = Buffer.from("abc");
const hex = (bytes) => Buffer.from(bytes).toString("hex");
test("one message, many, an exported state, a pool", async () => {
    const wanted = createHash("sha256").update(abc).digest("hex");
    expect(wanted.slice(0, 8)).toBe("ba7816bf");
    expect(hex(sha256(abc))).toBe(wanted);
    expect(hex(sha256(new Uint8Array(abc)))).toBe(wanted);
    expect(hex(many(sha256, [abc, abc]))).toBe(wanted + wanted);
    const state = sha256.create().update(abc.subarray(0, 1)).exportState();
    expect(hex(sha256.create().importState(state).update(abc.subarray(1)).digest())).toBe(wanted);
    expect(() => sha256("abc")).toThrow(TypeError);
    const pool = new WorkerPool({ workers: 1 });
    expect(hex(await pool.digestOf(sha256, abc))).toBe(wanted);
    await pool.close();
});
`;
const WAYS = {
    commonjs: ["cjs", (name, from) => `const { ${name} } = require("${from}");`, []],
    "ES modules": ["mjs", (name, from) => `import { ${name} } from "${from}";`, ["--experimental-vm-modules", "--no-warnings"]],
};
for (const [way, [suffix, load, options]] of Object.entries(WAYS)) {
    const folder = join(project, `jest-${suffix}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    writeFileSync(join(folder, `hashmill.test.${suffix}`), test(load));
    const settings = { testMatch: [`**/*.test.${suffix}`], moduleFileExtensions: ["js", "mjs", "cjs", "json"], transform: {} };
    const args = [...options, join(jest, "bin/jest.js"), "--config", JSON.stringify(settings), "--rootDir", folder];
    const { status, stderr } = spawnSync("node", args, { cwd: folder, encoding: "utf8" });
    assert(status === 0 && /Tests: +1 passed, 1 total/.test(stderr), `jest, ${way}:\n${stderr}`);
}
const { version } = JSON.parse(readFileSync(join(jest, "package.json")));
console.log(`jest ${version}: ${Object.keys(WAYS).join(", ")}`);
