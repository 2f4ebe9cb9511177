// Builds the native part and its package in target/js/native: `node tools/native.mjs [--debug]
// [FOLDER]`. With `--debug` it is compiled faster and runs slower. With a folder, after
// tools/build.mjs, packs two packages into it: that of the native part, and this one, which then
// names the other as an optional dependency.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = resolve(here, "../../target/js/native");
const run = (program, args, cwd, env = {}) =>
    execFileSync(program, args, {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
    });
const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const save = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

const main = json(join(here, "package.json"));
const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const library = { linux: musl ? "-musl" : "-gnu", win32: "-msvc" }[process.platform] ?? "";
const name = `hashmill-native-${process.platform}-${process.arch}${library}`;
const folder = join(target, name);

const debug = process.argv.includes("--debug");
const crate = join(here, "native");
run("cargo", ["build", "--quiet", "--locked", ...(debug ? [] : ["--release"]), "--target-dir", target], crate, {
    // The file that others install does not contain the path of this checkout.
    CARGO_ENCODED_RUSTFLAGS: `--remap-path-prefix=${resolve(here, "../..")}=hashmill`,
});
mkdirSync(folder, { recursive: true });
const [prefix, suffix] = { win32: ["", ".dll"], darwin: ["lib", ".dylib"] }[process.platform] ?? ["lib", ".so"];
copyFileSync(join(target, debug ? "debug" : "release", `${prefix}hashmill_js_native${suffix}`), join(folder, "hashmill.node"));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(here, "../..", licence), join(folder, licence));
save(join(folder, "package.json"), {
    name,
    version: main.version,
    description: `The native part of hashmill for ${process.platform} on ${process.arch}`,
    license: main.license,
    main: "hashmill.node",
    files: ["hashmill.node", "LICENSE-APACHE", "LICENSE-MIT"],
    engines: main.engines,
    os: [process.platform],
    cpu: [process.arch],
    ...(process.platform === "linux" && { libc: [musl ? "musl" : "glibc"] }),
});

const packages = process.argv.slice(2).find((argument) => argument !== "--debug");
if (packages) {
    const pack = (from, ...options) =>
        run("npm", ["pack", "--silent", "--pack-destination", resolve(packages), ...options], from).trim();
    pack(folder);
    const first = pack(here);
    const copy = mkdtempSync(join(tmpdir(), "hashmill-pack-"));
    try {
        run("tar", ["-xzf", join(resolve(packages), first), "-C", copy]);
        const file = join(copy, "package/package.json");
        save(file, { ...json(file), optionalDependencies: { [name]: main.version } });
        // The copy has no tools that could build it.
        pack(join(copy, "package"), "--ignore-scripts");
    } finally {
        rmSync(copy, { recursive: true });
    }
}
