// The sizes of bundles, by esbuild as for a browser, minified: `node tools/sizes.mjs [--write]`, after a
// build. Fails if a bundle is larger than its limit, or if the README's table differs; with `--write`, it
// writes the table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));
const readme = join(here, "README.md");

/** A program for each row: what it imports, and the most KB of it, gzipped: alone, with `many`, and with simd128, too. */
const ROWS = [
    ["sha2", "sha256", "sha256", 8.1, 10.5, 27.5],
    ["sha2", "sha512", "sha512", 9.5, 11.5, 23.5],
    ["sha3", "sha3_256", "keccak", 16.6, 19, 36.1],
    ["sha3", "keccak_256", "keccak", 16.6, 19, 36.1],
    ["sha3-addons", "kmac128", "keccak", 17.6, 19.6, 36.6],
    ["sha3-addons", "kt128", "keccak", 34.2, 36.2, 36.6],
    ["blake2", "blake2b", "blake2b", 14.5, 17, 26],
    ["blake2", "blake2s", "blake2s", 15, 17.5, 36.5],
    ["blake3", "blake3", "blake3", 39.8, 41.8, 42.2],
    ["ascon", "asconHash256", "ascon", 7.5, 10, 16.9],
    ["sm3", "sm3", "sm3", 8.8, 11.2, 29.3],
];

const OPTIONS = { bundle: true, minify: true, format: "esm", write: false, logLevel: "error" };

/** Returns the bytes of a bundle, minified and gzipped. */
async function size(contents) {
    const { outputFiles } = await build({ ...OPTIONS, stdin: { contents, resolveDir: here } });
    const [{ text }] = outputFiles;
    return { all: text.length, gzipped: gzipSync(text, { level: 9 }).length };
}

const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
const lines = [
    "| function | minified | gzipped | gzipped, with `many` | and simd128 |",
    "|---|---|---|---|---|",
];
const failures = [];
for (const [module, name, family, ...limits] of ROWS) {
    const first = `import { ${name} as hash } from "hashmill/${module}";\n`;
    const message = "new Uint8Array(3)";
    const call = name === "kmac128" ? `hash(${message}, ${message})` : `hash(${message})`;
    const batch = name === "kmac128" ? `hash.create(${message})` : "hash";
    const many = `import { many } from "hashmill/many";\n${first}console.log(many(${batch}, [${message}]));\n`;
    const programs = [`${first}console.log(${call});\n`, many, `import "hashmill/many/${family}";\n${many}`];
    const sizes = await Promise.all(programs.map(size));
    sizes.forEach(({ gzipped }, i) => {
        if (gzipped > 1000 * limits[i]) failures.push(`${name}, program ${i}: ${gzipped} bytes, gzipped; at most ${limits[i]} KB`);
    });
    const [{ all, gzipped }, ...more] = sizes;
    lines.push(`| \`${name}\` | ${[all, gzipped, ...more.map((it) => it.gzipped)].map((it) => `${kilobytes(it)} KB`).join(" | ")} |`);
}
assert.deepEqual(failures, [], "bundles above their limits");

/** Returns what a program in a bundle prints. */
async function printed(contents) {
    const { outputFiles } = await build({ ...OPTIONS, stdin: { contents, resolveDir: here } });
    return execFileSync("node", ["--input-type=module"], { input: outputFiles[0].text, encoding: "utf8" });
}
const state = `import { sha256 } from "hashmill/sha2";
try {
    const state = sha256.create().update(new Uint8Array(70)).exportState();
    console.log(state.length, sha256.create().importState(state).digest().length);
} catch ({ message }) {
    console.log(message);
}`;
assert.equal(await printed(state), 'hashmill: exported states need import "hashmill/state/sha256"\n');
assert.equal(await printed(`import "hashmill/state/sha256";${state}`), "64 32\n");

const text = readFileSync(readme, "utf8");
const written = text.replace(/\| function \| minified \|[^]*?\n\n/, `${lines.join("\n")}\n\n`);
/** The numbers of a text; those of the other versions of zlib differ by less than 2 %. */
const numbers = (it) => Array.from(it.matchAll(/\d+\.\d+/g), Number);
if (process.argv.includes("--write")) {
    writeFileSync(readme, written);
} else {
    const [there, now] = [text, written].map(numbers);
    const same = there.length === now.length && there.every((number, i) => Math.abs(number / now[i] - 1) < 0.02);
    assert(same, "the README's table of sizes is old: run `node tools/sizes.mjs --write`");
}
console.log(`${ROWS.length} bundles: sizes within their limits, as in the README`);
