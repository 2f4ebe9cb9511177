// The package's tests, after a build: `node tools/check.mjs`. Those of test/ under Node; the example
// of the README; and the packed package in a fresh project, in Node and in Chromium.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

/** The examples of the README, one after the other. */
function examples() {
    const fences = readFileSync(join(here, "README.md"), "utf8").matchAll(/\n```js\n([^]*?)\n```/g);
    return Array.from(fences, ([, text]) => text);
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
