// The page in Firefox; the tests and the packed package in Deno and Bun; the types of the packed package,
// and the package in workerd; and bundles of esbuild, rollup, vite and webpack:
// `node tools/others.mjs`, after a build and `npm ci` in others/.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const tools = join(here, "others/node_modules");
const run = (program, args, cwd) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
const load = (path) => import(pathToFileURL(join(tools, path)));

/** Hashes by every family, one message and many, and prints the first bytes of all digests. */
const ALL = `
import { asconHash256 } from "hashmill/ascon";
import { blake2b, blake2s } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { hmac } from "hashmill/hmac";
import { manyHex } from "hashmill/many";
import "hashmill/many/all";
import { sha256, sha512 } from "hashmill/sha2";
import { keccak_256, sha3_256 } from "hashmill/sha3";
import { sm3 } from "hashmill/sm3";
import "hashmill/state/all";
import { bytesToHex } from "hashmill/utils";
const message = Uint8Array.from({ length: 300 }, (_, i) => i);
const list = Array.from({ length: 9 }, (_, i) => message.subarray(30 * i));
const outputs = [];
for (const hash of [sha256, sha512, sha3_256, keccak_256, blake2b, blake2s, blake3, asconHash256, sm3]) {
    outputs.push(bytesToHex(hash(message)), bytesToHex(hash.create().update(message).exportState()));
    if (hash !== asconHash256) outputs.push(bytesToHex(hmac(hash, message, message)));
    for (let i = 0; i < 200; i++) outputs.push(...manyHex(hash, list));
}
console.log(bytesToHex(sha256(new TextEncoder().encode(outputs.join()))));
`;
/** Uses one family. Its bundle must not have the modules of another one. */
const ONE = `
import { sha256 } from "hashmill/sha2";
console.log(sha256(new Uint8Array(3)).join());
`;

/** Uses a pool, whose workers need a script of their own. These two bundlers find it. */
const POOL = `
import { WorkerPool } from "hashmill/pool";
import { sha256 } from "hashmill/sha2";
console.log(await new WorkerPool().digestOf(sha256, new Blob(["abc"])));
`;
const WITH_WORKERS = ["vite", "webpack"];

const bundlers = {
    async esbuild(entry, file) {
        const { build } = (await load("esbuild/lib/main.js")).default;
        await build({ entryPoints: [entry], bundle: true, minify: true, format: "esm", outfile: file, logLevel: "error" });
    },
    async rollup(entry, file) {
        const { rollup } = await load("rollup/dist/es/rollup.js");
        const { nodeResolve } = await load("@rollup/plugin-node-resolve/dist/es/index.js");
        const bundle = await rollup({ input: entry, plugins: [nodeResolve()] });
        await bundle.write({ file, format: "es" });
    },
    async vite(entry, file) {
        const { build } = await load("vite/dist/node/index.js");
        const lib = { entry, formats: ["es"], fileName: () => "bundle.mjs" };
        await build({ root: dirname(entry), logLevel: "error", build: { lib, outDir: dirname(file), emptyOutDir: false } });
    },
    async webpack(entry, file) {
        const { default: webpack } = await load("webpack/lib/index.js");
        const output = { path: dirname(file), filename: "bundle.mjs", module: true, chunkFormat: "module" };
        const experiments = { outputModule: true };
        const options = { mode: "production", target: "es2022", entry, output, experiments, context: dirname(entry), performance: false };
        await new Promise((resolve, reject) => {
            webpack(options, (error, stats) => {
                if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
                else resolve();
            });
        });
    },
};

process.on("uncaughtException", (error) => {
    console.error(`${error.stdout ?? ""}${error.stderr ?? ""}${error.stack}`);
    process.exitCode = 1;
});
try {
    run("firefox-esr", ["--version"]);
    process.stdout.write(run("node", ["--experimental-websocket", "tools/browser.mjs", "firefox"], here));
} catch (error) {
    if (error.code !== "ENOENT") throw error;
    console.log("left out: Firefox is not installed; to install it: apt-get install firefox-esr");
}

const project = mkdtempSync(join(tmpdir(), "hashmill-js-"));
try {
    const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", project], here));
    writeFileSync(join(project, "package.json"), '{ "name": "fresh", "type": "module", "private": true }\n');
    run("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${filename}`], project);
    const [all, one, pool] = ["all.mjs", "one.mjs", "pool.mjs"].map((file) => join(project, file));
    writeFileSync(all, ALL);
    writeFileSync(one, ONE);
    writeFileSync(pool, POOL);
    const wanted = { all: run("node", [all], project), one: run("node", [one], project) };
    const tests = readdirSync(join(here, "test")).filter((file) => file.endsWith(".test.mjs"));
    const examples = Array.from(readFileSync(join(here, "README.md"), "utf8").matchAll(/\n```js\n([^]*?)\n```/g));
    const engines = {
        deno: { run: ["run", "--no-prompt", "--allow-read"], test: ["test", "--no-check", "--allow-all"], ok: /(\d+) passed \| 0 failed/ },
        bun: { run: ["run"], test: ["test", "--timeout", "600000"], ok: /(\d+) pass\n 0 fail/ },
    };
    for (const [engine, { run: args, test, ok }] of Object.entries(engines)) {
        const program = join(tools, ".bin", engine);
        assert.equal(run(program, [...args, all], project), wanted.all, engine);
        for (const [i, [, text]] of examples.entries()) {
            writeFileSync(join(project, `example${i}.mjs`), text);
            run(program, [...args, `example${i}.mjs`], project);
        }
        // Bun prints its results to the standard error.
        const printed = run("sh", ["-c", '"$@" 2>&1', "sh", program, ...test, ...tests.map((file) => `./test/${file}`)], here);
        const [, passed] = ok.exec(printed) ?? assert.fail(printed);
        const version = run(program, ["--version"], project).match(/\d+\.\d+\.\d+/);
        console.log(`${engine} ${version}: ${passed} tests; ${examples.length} examples of the README with the packed package`);
    }
    process.stdout.write(run("node", ["tools/types.mjs", join(project, filename), project], here));
    process.stdout.write(run("node", ["tools/workerd.mjs", project], here));
    process.stdout.write(run("node", ["tools/jest.mjs", project], here));
    const families = readdirSync(join(here, "dist/internal/wasm")).filter((file) => /\.(scalar|simd|state)\.js$/.test(file));
    const texts = families.map((file) => [file, readFileSync(join(here, "dist/internal/wasm", file), "utf8").match(/"([^"]{1000})/)[1]]);
    for (const [name, bundle] of Object.entries(bundlers)) {
        const sizes = [];
        for (const [which, entry] of [["all", all], ["one", one]]) {
            const dir = join(project, `${name}-${which}`);
            mkdirSync(dir);
            const file = join(dir, "bundle.mjs");
            await bundle(entry, file);
            // Without the package beside it, so that everything must be in the bundle.
            const alone = mkdtempSync(join(tmpdir(), "hashmill-js-"));
            try {
                const moved = join(alone, "bundle.mjs");
                const text = readFileSync(file, "utf8");
                writeFileSync(moved, text);
                assert.equal(run("node", [moved], alone), wanted[which], `${name}, ${which}`);
                const here = texts.filter(([, start]) => text.includes(start)).map(([file]) => file);
                const there = which === "all" ? families : ["sha256.scalar.js"];
                assert.deepEqual(here, there, `${name}: the modules in the bundle of ${which}`);
                sizes.push(`${which} ${(text.length / 1e3).toFixed(0)} KB`);
            } finally {
                rmSync(alone, { recursive: true });
            }
        }
        if (WITH_WORKERS.includes(name)) {
            const dir = join(project, `${name}-pool`);
            mkdirSync(dir);
            await bundle(pool, join(dir, "bundle.mjs"));
            const files = readdirSync(dir, { recursive: true }).map((file) => join(dir, file)).filter((file) => statSync(file).isFile());
            const scripts = files.filter((file) => readFileSync(file, "utf8").includes("the task was stopped"));
            assert.equal(scripts.length, 1, `${name}: the script of the workers, among ${files}`);
        }
        const { version } = JSON.parse(readFileSync(join(tools, name, "package.json")));
        console.log(`${name} ${version}: ${sizes.join(", ")}`);
    }
} finally {
    rmSync(project, { recursive: true });
}
