// The types of the packed package: `node tools/types.mjs TARBALL PROJECT`, in which it is installed. Every
// way in which TypeScript finds them, without the types of the web and of Node; then publint and
// @arethetypeswrong/cli. others/ has the tools.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [tarball, project] = process.argv.slice(2).map((path) => resolve(path));
const tools = fileURLToPath(new URL("../others/node_modules", import.meta.url));
function run(program, args) {
    try {
        return execFileSync(program, args, { cwd: project, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
    } catch (error) {
        throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
    }
}

/** What an import of each file of the package is: `hashmill/node` needs Node's types. */
const dist = join(project, "node_modules/hashmill/dist");
const FILES = readdirSync(dist).filter((file) => /^[^.]+\.d\.ts$/.test(file)).map((file) => file.slice(0, -5));
const names = FILES.filter((name) => !["index", "node", "worker", "index-all", "many-all"].includes(name));
const USE = `
import * as all from "hashmill";
${names.map((name, i) => `import * as m${i} from "hashmill/${name}";`).join("\n")}
import { sha256 } from "hashmill/sha2.js";
const digest: Uint8Array = sha256(new Uint8Array(3));
const wrong: string = all.sha256(new Uint8Array(3));
export { digest, wrong, ${names.map((_, i) => `m${i}`).join(", ")} };
`;
mkdirSync(join(project, "types"));
const WAYS = [
    ["mts", "nodenext", "nodenext"],
    ["cts", "nodenext", "nodenext"],
    ["ts", "bundler", "es2022"],
    ["ts", "node10", "commonjs"],
];
for (const [suffix, resolution, module] of WAYS) {
    const file = join(project, `types/${resolution}-${suffix}.${suffix}`);
    writeFileSync(file, USE);
    const options = { noEmit: true, strict: true, target: "es2022", lib: ["es2022"], types: [], module, moduleResolution: resolution };
    const config = join(project, `types/${resolution}-${suffix}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [file] }));
    const tsc = join(tools, "typescript5/bin/tsc");
    let text = "";
    try {
        execFileSync("node", [tsc, "--project", config], { cwd: project, encoding: "utf8" });
    } catch ({ stdout }) {
        text = stdout;
    }
    // The types are there, so the assignment of bytes to a string, and nothing else, is an error.
    const errors = text.split("\n").filter((line) => line.includes("error TS"));
    assert(errors.length === 1 && /TS2322: Type 'Uint8Array/.test(errors[0]), `${resolution}, .${suffix}:\n${text}`);
}
const bin = (name) => join(tools, ".bin", name);
const entries = [".", "node", "sha2.js", ...names.filter((name) => name !== "index")];
run(bin("attw"), [tarball, "--format", "ascii", "--entrypoints", ...entries]);
run(bin("publint"), ["run", tarball, "--strict", "--level", "warning"]);
console.log(`types: ${WAYS.length} ways of resolution, ${entries.length} entries; @arethetypeswrong/cli and publint have no objection`);
