// The package's tests, after a build: `node tools/check.mjs`. Those of test/ under Node; the sizes of
// bundles; the examples of the README; and the packed package in a fresh project, in Node and in Chromium.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const run = (program, args, cwd = here) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });

const tests = readdirSync(join(here, "test")).filter((file) => file.endsWith(".test.mjs"));
try {
    const lines = run("node", ["--test", ...tests.map((file) => `test/${file}`)]).split("\n");
    console.log(lines.filter((line) => /^(ℹ|#) (tests|pass|fail|skipped)/.test(line)).join("\n"));
} catch (error) {
    console.error(error.stdout);
    process.exit(1);
}

process.stdout.write(run("node", ["tools/sizes.mjs"]));

/** A program of CommonJS, also with a worker. */
const COMMONJS = `
const { sha256 } = require("hashmill/sha2");
const { many } = require("hashmill");
const { createHash } = require("hashmill/node.js");
const { WorkerPool } = require("hashmill/pool");
const abc = new TextEncoder().encode("abc");
const pool = new WorkerPool();
pool.digestOf(sha256, abc).then((digest) => {
    const first = createHash("sha256").update(abc).digest("hex").slice(0, 8);
    console.log(first, many(sha256, [abc]).length, Buffer.from(digest).toString("hex", 0, 4));
    return pool.close();
});
`;

/** The examples of the README, one after the other. */
function examples() {
    const fences = readFileSync(join(here, "README.md"), "utf8").matchAll(/\n```js\n([^]*?)\n```/g);
    return Array.from(fences, ([, text]) => text);
}

// Without a build, `npm pack` builds, or fails: it must not pack an empty package.
const bare = mkdtempSync(join(tmpdir(), "hashmill-js-"));
try {
    cpSync(join(here, "package.json"), join(bare, "package.json"));
    cpSync(join(here, "tools"), join(bare, "tools"), { recursive: true });
    symlinkSync(join(here, "node_modules"), join(bare, "node_modules"));
    const { status } = spawnSync("npm", ["pack"], { cwd: bare, stdio: "ignore" });
    const packed = readdirSync(bare).filter((file) => file.endsWith(".tgz"));
    assert(status !== 0 && packed.length === 0, "npm pack of a folder that cannot be built");
} finally {
    rmSync(bare, { recursive: true });
}

const project = mkdtempSync(join(tmpdir(), "hashmill-js-"));
try {
    const [{ filename, size, files }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", project]));
    writeFileSync(join(project, "package.json"), '{ "name": "fresh", "type": "module", "private": true }\n');
    run("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${filename}`], project);
    const all = examples();
    all.forEach((text, i) => {
        writeFileSync(join(project, `example${i}.mjs`), text);
        run("node", [`example${i}.mjs`], project);
    });
    writeFileSync(join(project, "common.cjs"), COMMONJS);
    assert.equal(run("node", ["common.cjs"], project), "ba7816bf 32 ba7816bf\n", "with require");
    console.log(`packed: ${size} bytes, ${files.length} files; ${all.length} examples run in a fresh project`);
} finally {
    rmSync(project, { recursive: true });
}

// Debian's name of Chromium.
try {
    run("chromium", ["--version"]);
    process.stdout.write(run("node", ["tools/browser.mjs"]));
} catch (error) {
    if (error.code !== "ENOENT") {
        console.error(error.stdout ?? error);
        process.exit(1);
    }
    console.log("left out: Chromium is not installed; to install it: apt-get install chromium");
}
