// Builds the package: `node tools/build.mjs`. Cargo makes three modules for each family: scalar, with
// simd128, and for exported states; the places of panics are removed; wasm-opt makes it smaller; wasm2js makes the
// JavaScript in src/javascript of the scalar one. The modules become texts in src/internal/wasm, and tsc makes
// dist. With `--script`, only from the texts on; with `--missing`, only if there is no dist.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../target/js");
const dist = join(here, "dist");
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const execute = promisify(execFile);

async function run(program, args, env = {}) {
    try {
        await execute(program, args, { cwd: here, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
    } catch (error) {
        console.error(`${error.stdout ?? ""}${error.stderr ?? error}`);
        process.exit(1);
    }
}
const tool = (name) => join(here, "node_modules/.bin", name);

const FAMILIES = ["sha256", "sha512", "keccak", "blake2b", "blake2s", "blake3", "ascon", "sm3"];
const FORMS = { scalar: "-simd128", simd: "+simd128", state: "-simd128" };
/**
 * Modules whose kernels, too, are optimised for size. That takes 4 to 9 KB off each, gzipped, and up
 * to a seventh of the speed of some. SHA-2's would lose a tenth.
 */
const SMALL = { scalar: [], simd: ["keccak", "blake2b", "blake2s", "blake3"], state: [] };
/** Bytes of the stack: a batch of trees clears 64 KiB. */
const STACK = 192 * 1024;

/**
 * Overwrites with zeros the texts of panics and the places in the source that they name: nothing reads
 * them, because a panic only stops the module. This takes 0.4 to 0.8 KB off each module, gzipped. The
 * compiler's own option for it, `-Zlocation-detail`, is not stable. A place is the address and the
 * length of a file's name, a line and a column. A text is eight or more printable characters with a space
 * among them, which no constant of a hash function is. Only the groups of four bytes that lie in it as
 * a whole are overwritten, from addresses that are multiples of four: a number before it may end with
 * printable bytes, and one after it may begin with them, as a table of functions did. The tests would find a constant of four printable bytes beside a text.
 */
function withoutPlaces(module) {
    let at = 8;
    const number = () => {
        for (let [value, shift] = [0, 0]; ; shift += 7) {
            value |= (module[at] & 127) << shift;
            if (module[at++] < 128) return value;
        }
    };
    const segments = [];
    while (at < module.length) {
        const section = module[at++];
        const end = number() + at;
        if (section === 11) {
            for (let count = number(); count > 0; count--) {
                at += 2; // an active segment, whose address is `i32.const`
                const address = number();
                at += 1; // the end of the address
                const length = number();
                segments.push({ address, data: module.subarray(at, at + length) });
                at += length;
            }
        }
        at = end;
    }
    const names = new Map();
    for (const { address, data } of segments) {
        for (const { 0: name, index } of data.toString("latin1").matchAll(/[\w/.-]+\.rs/g)) {
            names.set(address + index, data.subarray(index, index + name.length));
        }
    }
    for (const { address, data } of segments) {
        for (const { 0: text, index } of data.toString("latin1").matchAll(/[ -~]{8,}/g)) {
            if (!text.includes(" ")) continue;
            const [start, end] = [address + index, address + index + text.length];
            const [from, to] = [Math.ceil(start / 4), Math.floor(end / 4)].map((word) => 4 * word - address);
            if (from < to) data.fill(0, from, to);
        }
        for (let i = 0; i + 16 <= data.length; i += 4) {
            const name = names.get(data.readUInt32LE(i));
            if (name?.length !== data.readUInt32LE(i + 4)) continue;
            data.fill(0, i, i + 16);
            name.fill(0);
        }
    }
    return module;
}

/** Returns a module with a custom section that names it: `hashmill/modules` reads that. */
function named(module, family, form) {
    const [name, text] = ["hashmill", `${family} ${form} ${version}`].map((it) => Buffer.from(it));
    const section = Buffer.concat([Buffer.of(name.length), name, text]);
    return Buffer.concat([module, Buffer.of(0, section.length), section]);
}

/** Writes a module as the text that `decode` of src/internal/family.ts reads: it describes the form. */
function encoded(bytes) {
    const SINGLE = 90;
    const counts = new Array(256).fill(0);
    for (const byte of bytes) counts[byte] += 1;
    const all = Array.from(counts.keys());
    const single = [...all].sort((a, b) => counts[b] - counts[a]).slice(0, SINGLE);
    const double = all.filter((byte) => !single.includes(byte));
    const character = (index) => String.fromCharCode(index === 92 - 35 ? 33 : index + 35);
    const characters = new Map(single.map((byte, i) => [byte, character(i)]));
    double.forEach((byte, i) => characters.set(byte, character(SINGLE + Math.floor(i / SINGLE)) + character(i % SINGLE)));
    const text = Buffer.from(single).toString("hex") + Array.from(bytes, (byte) => characters.get(byte)).join("");
    // A page may contain a bundle.
    if (/<\/script|<!--/i.test(text)) throw new Error("the text of a module ends a script of a page");
    return text;
}

/** What both of Binaryen's programs are told that a module uses. */
const FEATURES = ["simd", "bulk-memory", "bulk-memory-opt", "sign-ext", "mutable-globals", "nontrapping-float-to-int"]
    .map((feature) => `--enable-${feature}`);

/**
 * Makes JavaScript of a module as Cargo built it: wasm2js does not take every module after wasm-opt.
 * The result is a part of a TypeScript file, which makes an instance without WebAssembly.
 */
async function javascript(family, form, raw) {
    const [lowered, out] = ["low.wasm", "js"].map((suffix) => raw.replace(/raw$/, suffix));
    const lower = ["--llvm-nontrapping-fptoint-lowering", "--signext-lowering"];
    await run(tool("wasm-opt"), [...FEATURES, ...lower, raw, "-o", lowered]);
    await run(tool("wasm2js"), [...FEATURES, "-O", lowered, "-o", out]);
    const [script, rest] = readFileSync(out, "utf8").split(/^var retasmFunc = /m);
    if (!rest) throw new Error(`wasm2js wrote an unknown form of JavaScript for ${family}`);
    // Words of JavaScript that are names of functions end in an underscore.
    const keywords = Array.from(rest.matchAll(/export var (\w+)_ =/g), ([, name]) => `${name}: all.${name}_`);
    return `fallBack("${family}", "${form}", () => {
${script.replace(/^\s+/gm, "")}const all = asmFunc({});
return { ...all, ${keywords.join(", ")} };
});
`;
}

/** Builds the modules of one form, one after the other, and writes their JavaScript to `scripts`. Binaryen runs beside the next build. */
async function modules(form, scripts) {
    // The core is the same in the scalar modules and in those for states.
    const dir = join(target, form === "state" ? "scalar" : form);
    const flags = [`-Ctarget-feature=${FORMS[form]},+bulk-memory`, `-Clink-arg=-zstack-size=${STACK}`];
    // A panic names its place in the source: without the path of this checkout.
    flags.push(`--remap-path-prefix=${join(here, "../..")}/=`);
    const results = {};
    for (const family of FAMILIES) {
        const arguments_ = ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown"];
        if (SMALL[form].includes(family)) arguments_.push("--config", 'profile.release.package.hashmill.opt-level="s"');
        await run("cargo", [...arguments_, "--features", form === "state" ? `${family},state` : family, "--target-dir", dir], {
            CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f"),
        });
        const [module, raw, out] = ["wasm32-unknown-unknown/release/hashmill_js.wasm", `${family}.${form}.raw`, `${family}.${form}.wasm`]
            .map((file) => join(dir, file));
        writeFileSync(raw, withoutPlaces(readFileSync(module)));
        const strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
        results[family] = Promise.all([
            // At level 4, expressions that occur twice are computed once: SHA-256 takes 9 % less time than at
            // level 3, SHA-512 8 %, the others up to 6 %; a module grows by at most 0.3 KB, gzipped.
            run(tool("wasm-opt"), ["-O4", ...strip, ...FEATURES, raw, "-o", out]),
            form !== "simd" && javascript(family, form, raw).then((text) => (scripts[family] = `${scripts[family] ?? ""}\n${text}`)),
        ]).then(() => named(readFileSync(out), family, form));
    }
    return Object.fromEntries(await Promise.all(FAMILIES.map(async (family) => [family, await results[family]])));
}

/**
 * Copies of the package for runtimes that take modules only as files, and how these import one. A
 * copy has a file for each of the package: if the file has a module, or uses one that has, its text;
 * otherwise a reference to the package's own.
 */
const COPIES = {
    workerd: (name) => `../../../wasm/${name}.wasm`,
    // Next.js compiles a module for its edge runtime only with this suffix.
    "edge-light": (name) => `../../../wasm/${name}.wasm?module`,
};

function copy(files, folder, path) {
    const texts = new Map(files.map((file) => [file, readFileSync(join(dist, file), "utf8")]));
    const imports = (file) =>
        Array.from(texts.get(file).matchAll(/(?:from|import) "(\.[^"]+)"/g), ([, name]) => posix.join(posix.dirname(file), name));
    const holders = new Set(FILES.map((file) => `${file}.js`));
    for (let before = 0; before < holders.size; ) {
        before = holders.size;
        for (const file of files) if (imports(file).some((name) => holders.has(name))) holders.add(file);
    }
    for (const [file, text] of texts) {
        const name = file.replace(/\.js$/, "");
        const up = "../".repeat(file.split("/").length);
        const outside = (all, word, name) => {
            const target = posix.join(posix.dirname(file), name);
            return holders.has(target) ? all : `${word} "${up}${target}"`;
        };
        const inside = `export { default as code } from "${path(posix.basename(name))}";\n`;
        const own = FILES.includes(name) ? inside : text.replace(/(from|import) "(\.[^"]+)"/g, outside);
        mkdirSync(dirname(join(dist, folder, file)), { recursive: true });
        // One that only has side effects exports nothing.
        const reference = /^export /m.test(text) ? `export * from "${up}${file}";\n` : `import "${up}${file}";\n`;
        writeFileSync(join(dist, folder, file), holders.has(file) ? own : reference);
    }
}

/** The same files for `require`, with their types. */
async function commonjs(files) {
    const folder = join(dist, "cjs");
    for (const file of files) {
        const options = { format: "cjs", target: "es2022", define: { "import.meta.url": "__url" } };
        const source = readFileSync(join(dist, file), "utf8");
        const { code } = await transform(source, options);
        const url = source.includes("import.meta.url") ? 'const __url = require("node:url").pathToFileURL(__filename).href;\n' : "";
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), url + code);
        const types = file.replace(/js$/, "d.ts");
        copyFileSync(join(dist, types), join(folder, types));
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }\n');
}

if (process.argv.includes("--missing") && existsSync(join(dist, "index.js"))) process.exit();
if (!process.argv.includes("--script")) {
    for (const folder of ["internal/wasm", "javascript"]) mkdirSync(join(here, "src", folder), { recursive: true });
    writeFileSync(join(here, "src/internal/wasm/version.ts"), `export const VERSION = "${version}";\n`);
    const scripts = {};
    const inTurn = async () => [await modules("scalar", scripts), await modules("state", scripts)];
    const [[scalar, state], simd] = await Promise.all([inTurn(), modules("simd", scripts)]);
    for (const family of FAMILIES) {
        for (const [form, bytes] of Object.entries({ scalar: scalar[family], state: state[family], simd: simd[family] })) {
            writeFileSync(join(here, `src/internal/wasm/${family}.${form}.wasm`), bytes);
        }
        const text = `// @ts-nocheck\nimport { fallBack } from "../internal/family.js";\n${scripts[family]}`;
        writeFileSync(join(here, `src/javascript/${family}.ts`), text);
    }
}

const FILES = FAMILIES.flatMap((family) => Object.keys(FORMS).map((form) => `internal/wasm/${family}.${form}`));
for (const file of FILES) {
    const bytes = readFileSync(join(here, "src", `${file}.wasm`));
    const text = encoded(bytes);
    writeFileSync(join(here, "src", `${file}.ts`), `export const code: string =\n    "${text}";\n`);
    const [module, compressed] = [bytes, text].map((it) => gzipSync(it, { level: 9 }).length);
    console.log(`${file}: ${bytes.length} bytes, gzipped ${module}, as a text ${compressed}`);
}

rmSync(dist, { recursive: true, force: true });
await run(tool("tsc"), ["--project", "."]);
const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".js"));
for (const file of files.filter((file) => file.startsWith("javascript/"))) {
    const path = join(dist, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(/^ +/gm, ""));
}
await commonjs(files);
for (const [folder, path] of Object.entries(COPIES)) copy(files, folder, path);
mkdirSync(join(dist, "wasm"));
for (const file of FILES) copyFileSync(join(here, "src", `${file}.wasm`), join(dist, `wasm/${posix.basename(file)}.wasm`));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    if (!existsSync(join(here, licence))) copyFileSync(join(here, "../..", licence), join(here, licence));
}
