// The package in workerd, the runtime of Cloudflare Workers, which forbids compiling WebAssembly from
// bytes: by the files of the conditions `workerd` and `edge-light`, by modules that are handed in, and by
// JavaScript.
// `node tools/workerd.mjs PROJECT`, in which the package is installed; others/ has the tools.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const tools = fileURLToPath(new URL("../others/node_modules", import.meta.url));
const load = (path) => import(pathToFileURL(join(tools, path)));
const { default: esbuild } = await load("esbuild/lib/main.js");
const { Miniflare, Log, LogLevel } = (await load("miniflare/dist/src/index.js")).default;
const project = resolve(process.argv[2]);
const modules = join(project, "node_modules/hashmill/dist/wasm");

/** A worker that answers with the digests of every family, or with the error. */
const worker = (first) => `
${first}
import { asconHash256 } from "hashmill/ascon";
import { blake2b, blake2s } from "hashmill/blake2";
import { blake3 } from "hashmill/blake3";
import { manyHex } from "hashmill/many";
import { sha256, sha512 } from "hashmill/sha2";
import { sha3_256 } from "hashmill/sha3";
import { sm3 } from "hashmill/sm3";
import "hashmill/state/all";
import { bytesToHex } from "hashmill/utils";
const message = Uint8Array.from({ length: 5000 }, (_, i) => i * i);
export default {
    fetch() {
        try {
            const hashes = { sha256, sha512, sha3_256, blake2b, blake2s, blake3, asconHash256, sm3 };
            const digests = Object.entries(hashes).map(([name, hash]) => {
                const list = Array.from({ length: 9 }, (_, i) => message.subarray(i * 100));
                const one = bytesToHex(hash(message));
                const state = hash.create().update(message.subarray(0, 99)).exportState();
                const rest = hash.create().importState(state).update(message.subarray(99));
                if (bytesToHex(rest.digest()) !== one) throw new Error(name + ": an exported state");
                for (let i = 0; i < 100; i++) {
                    if (manyHex(hash, list)[0] !== one) throw new Error(name + ": many differs");
                }
                return [name, one];
            });
            return Response.json(Object.fromEntries(digests));
        } catch (error) {
            return Response.json({ error: error.message });
        }
    },
};
`;
const handed = (forms) => `
import { provide } from "hashmill/modules";
${forms.map((form, i) => `import m${i} from "hashmill/wasm/${form}.wasm";`).join("\n")}
provide(${forms.map((_, i) => `m${i}`).join(", ")});
`;
const files = readdirSync(modules).filter((file) => file.endsWith(".wasm")).map((file) => file.replace(/\.wasm$/, ""));

/** Runs a worker whose bundle has no modules but those of the conditions, and returns its answer. */
async function answer(name, first, conditions) {
    const dir = join(project, `workerd-${name}`);
    mkdirSync(dir);
    const entry = join(project, `workerd-${name}.mjs`);
    writeFileSync(entry, worker(first));
    const used = new Map();
    // What wrangler does with a file of WebAssembly: it goes beside the script.
    const beside = {
        name: "wasm",
        setup({ onResolve, resolve }) {
            onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, pluginData, ...given }) => {
                if (pluginData === "wasm") return undefined;
                const found = await resolve(path.replace("?module", ""), { ...given, pluginData: "wasm" });
                const file = found.path.slice(modules.length + 1);
                used.set(file, readFileSync(found.path));
                return { path: `./${file}`, external: true };
            });
        },
    };
    await esbuild.build({
        entryPoints: [entry],
        bundle: true,
        format: "esm",
        conditions,
        mainFields: ["browser", "module", "main"],
        outfile: join(dir, "worker.mjs"),
        plugins: [beside],
        logLevel: "error",
    });
    const wasm = Array.from(used, ([path, contents]) => ({ type: "CompiledWasm", path, contents }));
    const script = { type: "ESModule", path: "worker.mjs", contents: readFileSync(join(dir, "worker.mjs"), "utf8") };
    const flare = new Miniflare({ modules: [script, ...wasm], compatibilityDate: "2025-01-01", log: new Log(LogLevel.ERROR) });
    try {
        return { ...(await (await flare.dispatchFetch("http://localhost/")).json()), modules: wasm.length };
    } finally {
        await flare.dispose();
    }
}

const message = Uint8Array.from({ length: 5000 }, (_, i) => i * i);
const wanted = { sha256: "sha256", sha512: "sha512", sha3_256: "sha3-256", blake2b: "blake2b512", blake2s: "blake2s256", sm3: "sm3" };
const ways = {
    condition: ["", ["workerd", "worker", "browser"], files.length],
    "edge-light": ["", ["edge-light"], files.length],
    modules: [handed(files), [], files.length],
    "scalar-modules": [handed(files.filter((file) => !file.endsWith("simd"))), [], (files.length * 2) / 3],
    javascript: ['import "hashmill/javascript";', [], 0],
};
const answers = [];
for (const [way, [first, conditions, count]] of Object.entries(ways)) {
    const { modules, ...digests } = await answer(way, first, conditions);
    for (const [name, node] of Object.entries(wanted)) {
        assert.equal(digests[name], crypto.createHash(node).update(message).digest("hex"), `${way}, ${name}: ${JSON.stringify(digests)}`);
    }
    assert.equal(modules, count, `${way}: files of WebAssembly`);
    answers.push(JSON.stringify(digests));
}
assert.equal(new Set(answers).size, 1, "all ways agree");
const { error } = await answer("neither", "", []);
assert.match(error, /^hashmill: this runtime .* forbids WebAssembly; import "hashmill\/javascript"/);
const { version } = JSON.parse(readFileSync(join(tools, "workerd/package.json")));
console.log(`workerd ${version}: ${Object.keys(ways).join(", ")}; without any of them, an error that names them`);
