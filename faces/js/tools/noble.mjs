// Runs noble-hashes' own tests over this package: `node tools/noble.mjs CLONE`, after a build. CLONE
// is a clone of noble-hashes with its submodule and its npm packages. Node must run TypeScript.
//
// The tests take the functions from a hook. We set it to our functions, and to noble-hashes' own
// where we have none, because some tests use both. Tests of noble-hashes' code alone are skipped: the
// tables below give the reasons. A test that fails is an error, and so is a row that fits no test, or
// a file of tests that is neither run nor in a table.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2], "test");
const load = (file) => import(`${pathToFileURL(folder)}/${file}`);

/** The files that run: how each adds its tests of given functions. The rest of a file tests noble-hashes alone. */
const FILES = {
    "hashes.test.ts": ({ init }, ...given) => init(...given),
    "acvp.test.ts": ({ acvpTests }, ...given) => acvpTests(false, ...given),
    "blake.test.ts": ({ test }, ...given) => test(...given),
    "hmac.test.ts": ({ test }, ...given) => test(...given),
    "keccak.test.ts": ({ test }, ...given) => test(...given),
    "kdf.test.ts": ({ test }, ...given) => test(...given),
    "generator.ts": ({ executeKDFTests }, name, functions, runner) => executeKDFTests(name, functions, true, runner),
    "async.test.ts": ({ test }, ...given) => test(...given),
    "clone.test.ts": ({ test }, ...given) => test(...given),
    "info.test.ts": ({ test }, ...given) => test(...given),
};
/** The files that do not run. */
const LEFT_OUT = {
    "this package does not have the functions": ["argon2", "eskdf", "webcrypto", "slow-kdf", "slow-extreme-scrypt"],
    "they test noble-hashes' helpers and classes": ["noble-hashes-only", "u64", "utils"],
    "they hash gigabytes, for hours": ["slow-acvp", "slow-big", "slow-ultra"],
    "it measures time, which other programs change": ["slow-dos"],
};

const BLAKE1 = ["BLAKE224", "BLAKE256", "BLAKE384", "BLAKE512", "blake / Blake1 vectors", "blake / blake1-256 salt"];
const PRG = ["", " invalid usage", " requires addEntropy before output", " addEntropy defaults to system random bytes"];
/** The tests, and groups of tests, that do not run. */
const SKIPPED = {
    "this package does not have the function": [
        ...["SHA1", "MD5", "RIPEMD160", ...BLAKE1, "scrypt", "KDF / progress 100%"],
        ...["async / Scrypt timing, parallel, progress", "clone / ripemd160", "clone / blake256", "clone / blake512"],
        ...[...PRG, " clean throws after destroy"].map((rest) => `sha3-addons / keccakprg${rest}`),
    ],
    "it tests a class or the permutation of noble-hashes": [
        "sha3-addons / Keccak._cloneInto overwrites destination blockLen",
        "sha3-addons / Keccak padding matches byte-level pad10*1 reference",
        "sha3-addons / keccakP: rounds",
        "sha3-addons / validate Keccak construction opts",
        "sha3-addons / _KeccakPRG._cloneInto overwrites destination capacity-dependent state",
        "sha3-addons / _ParallelHash._cloneInto clears stale destination leaf state",
        "sha3-addons / _KangarooTwelve._cloneInto copies and clears reusable leaf state",
        "sha3-addons / _KangarooTwelve._cloneInto wipes replaced personalization",
    ],
    "it passes options that the function does not have, which are errors here": [
        "sha3-addons / various vectors for cshake, kmac, kt128, parallelhash, tuplehash",
        "sha3-addons / k128, k256",
        ...[0, 1].map((i) => `PBKDF2 / PBKDF2 vector (${i})`),
    ],
    "it counts the copies that noble-hashes makes of a text": [
        "KDF / wipes library-owned UTF-8 input copies without touching caller bytes",
    ],
    "its endless microtasks let no timer run, and our pbkdf2Async waits for timers": [
        ...[10, 25, 50, 100].map((ms) => `async / PBKDF2 (${ms}ms)`),
    ],
};
const reasons = new Map(Object.entries(SKIPPED).flatMap(([reason, rows]) => rows.map((row) => [row, reason])));

/** The variant of this name has the most tests. */
const VARIANT = "noble";
const path = [];
const tests = [];
const groups = {
    describe(name, add) {
        path.push(name.replace(` (${VARIANT})`, ""));
        add();
        path.pop();
    },
    it(name, run) {
        const all = [...path, name];
        const rows = all.map((_, i) => all.slice(0, i + 1).join(" / "));
        tests.push({ name: rows.at(-1), row: rows.find((row) => reasons.has(row)), run });
    },
};
groups.it.serial = groups.it;

// A file of tests passes its functions to vectors by itself, so these get ours here.
const { [VARIANT]: theirs } = (await load("platform.ts?before")).PLATFORMS;
const modules = ["sha2", "sha3", "sha3-addons", "blake2", "blake3", "hmac", "hkdf", "pbkdf2"];
const ours = await Promise.all(modules.map((name) => import(`../dist/${name}.js`)));
const functions = Object.assign({}, theirs, ...ours);
globalThis.__NOBLE_TEST_PLATFORMS__ = { hashes: { [VARIANT]: functions } };
const names = new Map(Object.entries(theirs).map(([name, hash]) => [hash, name]));
for (const vector of Object.values(await load("vectors-keccak.ts")).flat()) {
    const key = vector.fn ? "fn" : "hash";
    vector[key] = functions[names.get(vector[key])];
}

const there = readdirSync(folder).filter((file) => file.endsWith(".test.ts"));
const known = [...Object.keys(FILES), ...Object.values(LEFT_OUT).flat().map((name) => `${name}.test.ts`)];
const run = known.filter((file) => file.endsWith(".test.ts"));
assert.deepEqual(run.sort(), there.sort(), "the files of tests and those of this file's tables");
for (const [file, add] of Object.entries(FILES)) add(await load(file), VARIANT, functions, groups);
const used = new Set(tests.map(({ row }) => row));
const unused = Array.from(reasons.keys()).filter((row) => !used.has(row));
assert.deepEqual(unused, [], "rows of the table that fit no test");

const skipped = new Map();
const failed = [];
for (const { name, row, run } of tests) {
    if (row) {
        const reason = reasons.get(row);
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        continue;
    }
    try {
        await run();
    } catch (error) {
        failed.push(name);
        console.error(`${name}: ${error.stack}`);
    }
}
const left = Array.from(skipped.values()).reduce((sum, count) => sum + count, 0);
console.log(`${tests.length - left - failed.length} passed, ${failed.length} failed, ${left} skipped:`);
for (const [reason, count] of skipped) console.log(`    ${count}: ${reason}`);
for (const [reason, files] of Object.entries(LEFT_OUT)) console.log(`left out: ${files.join(", ")}: ${reason}`);
process.exitCode = failed.length > 0 ? 1 : 0;
