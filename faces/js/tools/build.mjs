// Builds the package: `node tools/build.mjs`. Cargo makes a module for each family, with and
// without simd128; the places of panics are removed; wasm-opt makes it smaller; it becomes base64 in
// src/wasm; tsc makes dist. With `--script`, only the last step.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../target/js");
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

const FAMILIES = ["sha256", "sha512", "keccak", "blake2b", "blake2s", "blake3", "ascon"];
const FORMS = { scalar: "-simd128", simd: "+simd128" };
/**
 * Modules whose kernels, too, are optimised for size. That takes 4 to 9 KB off each, gzipped, and up
 * to a seventh of the speed of some. SHA-2's would lose a tenth.
 */
const SMALL = { scalar: [], simd: ["keccak", "blake2b", "blake2s", "blake3"] };
/** Bytes of the stack: a batch of trees clears 64 KiB. */
const STACK = 192 * 1024;

/**
 * Overwrites with zeros the places in the source that panics name: nothing reads them, because a
 * panic only stops the module. This takes 0.2 to 0.6 KB off each module, gzipped. The compiler's
 * own option for it, `-Zlocation-detail`, is not stable. A place is the address and the length of a
 * file's name, a line and a column.
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
    for (const { data } of segments) {
        for (let i = 0; i + 16 <= data.length; i += 4) {
            const name = names.get(data.readUInt32LE(i));
            if (name?.length !== data.readUInt32LE(i + 4)) continue;
            data.fill(0, i, i + 16);
            name.fill(0);
        }
    }
    return module;
}

/** Builds the modules of one form, one after the other. wasm-opt runs beside the next build. */
async function modules(form) {
    const dir = join(target, form);
    const flags = [`-Ctarget-feature=${FORMS[form]},+bulk-memory`, `-Clink-arg=-zstack-size=${STACK}`];
    // A panic names its place in the source: without the path of this checkout.
    flags.push(`--remap-path-prefix=${join(here, "../..")}/=`);
    const smaller = {};
    for (const family of FAMILIES) {
        const arguments_ = ["build", "--quiet", "--release", "--locked", "--target", "wasm32-unknown-unknown"];
        if (SMALL[form].includes(family)) arguments_.push("--config", 'profile.release.package.hashmill.opt-level="s"');
        await run("cargo", [...arguments_, "--features", family, "--target-dir", dir], {
            CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f"),
        });
        const [module, raw, out] = ["wasm32-unknown-unknown/release/hashmill_js.wasm", `${family}.raw`, `${family}.wasm`]
            .map((file) => join(dir, file));
        writeFileSync(raw, withoutPlaces(readFileSync(module)));
        const features = ["simd", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int"];
        const strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
        const options = ["-O3", ...strip, ...features.map((feature) => `--enable-${feature}`)];
        smaller[family] = run(tool("wasm-opt"), [...options, raw, "-o", out]).then(() => readFileSync(out));
    }
    return Object.fromEntries(await Promise.all(FAMILIES.map(async (family) => [family, await smaller[family]])));
}

if (!process.argv.includes("--script")) {
    const [scalar, simd] = await Promise.all([modules("scalar"), modules("simd")]);
    mkdirSync(join(here, "src/wasm"), { recursive: true });
    for (const family of FAMILIES) {
        const texts = { scalar: scalar[family], simd: simd[family] };
        const lines = Object.entries(texts).map(([form, bytes]) =>
            `export const ${form}: string =\n    "${bytes.toString("base64")}";\n`);
        writeFileSync(join(here, `src/wasm/${family}.ts`), lines.join(""));
        const sizes = Object.entries(texts).map(([form, bytes]) =>
            `${form} ${bytes.length} bytes, gzipped ${gzipSync(bytes, { level: 9 }).length}`);
        console.log(`${family}: ${sizes.join("; ")}`);
    }
}

rmSync(join(here, "dist"), { recursive: true, force: true });
await run(tool("tsc"), ["--project", "."]);
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    if (!existsSync(join(here, licence))) copyFileSync(join(here, "../..", licence), join(here, licence));
}
