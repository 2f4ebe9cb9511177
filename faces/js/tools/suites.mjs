// Runs the tests of other packages over this one, after a build: `node tools/suites.mjs hash-wasm|js-sha3
// CLONE`. CLONE is a clone of that package's repository; noble-hashes has tools/noble.mjs.
//
// The tests get an interface like that package's, with our functions. The tables below say which tests do
// not run, and why. A test that fails is an error, and so is a row of a table that fits no test.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import * as hashmill from "hashmill";

const [which, clone] = [process.argv[2], resolve(process.argv[3] ?? ".")];
const { bytesToHex, utf8ToBytes } = await import("hashmill/utils");

/** The tests that a file of tests adds, by the functions of jest and mocha. */
const tests = [];
const path = [];
function group(name, add) {
    path.push(name);
    add();
    path.pop();
}
const one = (name, run) => tests.push({ name: [...path, name].join(" / "), run });
Object.assign(globalThis, { describe: group, context: group, it: one, test: one });

/** The checks of jest and of expect.js that these tests use. */
function matches(error, wanted) {
    if (wanted instanceof RegExp) assert.match(error.message, wanted);
    else if (typeof wanted === "string") assert(error.message.includes(wanted), `${error.message}: ${wanted}`);
}
function thrown(run) {
    try {
        run();
    } catch (error) {
        return error;
    }
    return assert.fail("no error was thrown");
}
globalThis.expect = (value) => ({
    toBe: (wanted) => assert.strictEqual(value, wanted),
    toEqual: (wanted) => assert.deepEqual(value, wanted),
    toStrictEqual: (wanted) => assert.deepStrictEqual(value, wanted),
    toMatchObject: (wanted) => Object.entries(wanted).forEach(([name, it]) => assert.deepEqual(value[name], it)),
    toBeGreaterThan: (least) => assert(value > least),
    toThrow: (wanted) => matches(thrown(value), wanted),
    not: {
        toBe: (other) => assert.notStrictEqual(value, other),
        toThrow: () => void value(),
        toStrictEqual: (other) => assert.notDeepStrictEqual(value, other),
    },
    rejects: {
        async toThrow(wanted) {
            const promise = typeof value === "function" ? value() : value;
            matches(await promise.then(() => undefined, (it) => it) ?? assert.fail("no rejection"), wanted);
        },
    },
    resolves: {
        toBe: async (wanted) => assert.strictEqual(await value, wanted),
        not: { toThrow: async () => void (await value) },
        toStrictEqual: async (wanted) => assert.deepStrictEqual(await value, wanted),
    },
    to: {
        be: (wanted) => assert.strictEqual(value, wanted),
        eql: (wanted) => assert.deepEqual(value, wanted),
        throwError: (wanted) => matches(thrown(value), wanted),
        not: { be: (other) => assert.notStrictEqual(value, other) },
    },
});

const ABSENT = "this package does not have the functions";
const OWN = "they test the package's own helpers";

// ---- hash-wasm ----

/** Bytes of what hash-wasm takes: a string, or an array of any kind. */
function octets(data) {
    if (typeof data === "string") return utf8ToBytes(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new Error("Invalid data type!");
}

/** An object as hash-wasm's `createSHA256` returns. */
function hasher(create, blockSize, saves = true) {
    let hash = create();
    const self = {
        init: () => ((hash = create()), self),
        update: (data) => (hash.update(octets(data)), self),
        digest(type) {
            const bytes = hash.digest();
            return type === "binary" ? bytes : bytesToHex(bytes);
        },
        save() {
            if (!saves) throw new Error("save() not supported");
            return hash.exportState();
        },
        load(state) {
            if (!saves) throw new Error("load() not supported");
            if (!(state instanceof Uint8Array)) throw new Error("the state is no Uint8Array");
            hash = create().importState(state);
            return self;
        },
        blockSize,
        digestSize: hash.outputLen,
    };
    return self;
}

function hashWasm(theirs) {
    const { blake2b, blake2s, blake3, keccak_256, sha224, sha256, sha384, sha512, sm3 } = hashmill;
    const ours = {};
    const add = (name, create, make) => {
        // A key of a wrong type throws at once; everything else rejects.
        const typed = ([, key]) => key === undefined || key === null || octets(key);
        const later = async (use, options) => use(hasher(...make(...options)));
        ours[create] = (...options) => (typed(options), later((it) => it, options));
        ours[name] = (data, ...options) => (typed(options), later((it) => it.update(data).digest(), options));
    };
    for (const [name, hash] of Object.entries({ sha224, sha256, sha384, sha512, sm3 })) {
        add(name, `create${name.toUpperCase()}`, () => [() => hash.create(), hash.blockLen]);
    }
    const ofBits = (bits, allowed) => {
        if (!allowed.includes(bits)) throw new Error("Invalid variant! Valid values: 224, 256, 384, 512");
        return bits;
    };
    add("sha3", "createSHA3", (bits = 512) => {
        const hash = hashmill[`sha3_${ofBits(bits, [224, 256, 384, 512])}`];
        return [() => hash.create(), hash.blockLen];
    });
    const { keccak, createKeccak } = theirs;
    add("keccak", "createKeccak", () => [() => keccak_256.create(), keccak_256.blockLen]);
    const { keccak: keccak256, createKeccak: createKeccak256 } = ours;
    ours.keccak = (data, bits) => (bits === 256 ? keccak256(data) : keccak(data, bits));
    ours.createKeccak = (bits) => (bits === 256 ? createKeccak256() : createKeccak(bits));
    const keyed = (name, hash, most, keyLength) => (bits = most, key = null) => {
        if (!Number.isInteger(bits) || bits < 8 || (most && bits > (name === "blake3" ? Infinity : most)) || bits % 8) {
            throw new Error("Invalid variant! Valid values: 8, 16, ...");
        }
        const bytes = key === null ? undefined : octets(key);
        if (bytes && !keyLength(bytes.length)) throw new Error("the key has a wrong length");
        // hash-wasm takes an empty key for none.
        const opts = { dkLen: bits / 8, ...(bytes?.length && { key: bytes }) };
        return [() => hash.create(opts), hash.blockLen];
    };
    add("blake2b", "createBLAKE2b", keyed("blake2b", blake2b, 512, (length) => length <= 64));
    add("blake2s", "createBLAKE2s", keyed("blake2s", blake2s, 256, (length) => length <= 32));
    const make3 = keyed("blake3", blake3, 256, (length) => length === 32);
    add("blake3", "createBLAKE3", make3);
    return { ...theirs, ...ours };
}

/** Files of hash-wasm's tests that do not run. */
const HASH_WASM = {
    [ABSENT]: [
        ...["adler32", "argon2", "bcrypt", "crc32", "crc32c", "crc64", "md4", "md5", "ripemd160", "scrypt", "sha1"],
        ...["whirlpool", "xxhash128", "xxhash3", "xxhash32", "xxhash64", "keccak-224", "keccak-384", "keccak-512"],
    ],
    [OWN]: ["base64", "browser"],
};

async function loadHashWasm() {
    globalThis.__hashmillSuite = hashWasm(await import("hash-wasm"));
    const names = Object.keys(globalThis.__hashmillSuite).filter((name) => name !== "default");
    const library = names.map((name) => `export const ${name} = globalThis.__hashmillSuite.${name};`).join("\n");
    const skipped = Object.values(HASH_WASM).flat();
    const files = readdirSync(join(clone, "test")).filter((file) => file.endsWith(".test.ts"));
    for (const name of skipped) assert(files.includes(`${name}.test.ts`), `no file ${name}.test.ts`);
    const folder = mkdtempSync(join(clone, "hashmill-suite-"));
    process.chdir(clone);
    try {
        for (const file of files.filter((file) => !skipped.includes(file.replace(".test.ts", "")))) {
            const outfile = join(folder, file.replace(/ts$/, "mjs"));
            const replaced = {
                name: "library",
                setup({ onResolve, onLoad }) {
                    onResolve({ filter: /^\.\.\/lib$/ }, () => ({ path: "library", namespace: "library" }));
                    onLoad({ filter: /.*/, namespace: "library" }, () => ({ contents: library }));
                },
            };
            const entryPoints = [join(clone, "test", file)];
            await build({ entryPoints, bundle: true, format: "esm", platform: "node", outfile, plugins: [replaced], logLevel: "error" });
            path.push(file.replace(".test.ts", ""));
            await import(pathToFileURL(outfile));
            path.pop();
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
    return HASH_WASM;
}

// ---- js-sha3 ----

/** Bytes of what js-sha3 takes. */
function input(data) {
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (Array.isArray(data)) return Uint8Array.from(data);
    if (typeof data === "string") return utf8ToBytes(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new Error("input is invalid type");
}

/** A hash in progress as js-sha3 has it: its output can be read several times. */
function progress(hash, len) {
    let bytes;
    const digest = () => (bytes ??= len === undefined ? hash.digest() : hash.xof(len));
    const array = () => Array.from(digest());
    const buffer = () => digest().slice().buffer;
    const hex = () => bytesToHex(digest());
    const self = {
        update(data) {
            if (bytes) throw new Error("finalize already called");
            hash.update(input(data));
            return self;
        },
        finalize: digest,
        hex,
        toString: hex,
        array,
        digest: array,
        buffer,
        arrayBuffer: buffer,
    };
    return self;
}

/** A function with js-sha3's methods. `start` makes a hash in progress of the arguments after the message. */
function methods(start) {
    const output = (name) => (message, ...rest) => start(...rest).update(message)[name]();
    const names = ["hex", "array", "digest", "buffer", "arrayBuffer"];
    return Object.assign(output("hex"), Object.fromEntries(names.map((name) => [name, output(name)])), {
        create: start,
        update: (message, ...rest) => start(...rest).update(message),
    });
}

function jsSha3(theirs) {
    const { keccak_256, cshake128, cshake256, kmac128, kmac256, kmac128xof, kmac256xof } = hashmill;
    const fixed = (hash) => methods(() => progress(hash.create()));
    const ours = { keccak256: fixed(keccak_256) };
    for (const bits of [224, 256, 384, 512]) ours[`sha3_${bits}`] = fixed(hashmill[`sha3_${bits}`]);
    for (const name of ["shake128", "shake256"]) ours[name] = methods((bits) => progress(hashmill[name].create(), bits >> 3));
    for (const [name, hash] of Object.entries({ cshake128, cshake256 })) {
        ours[name] = methods((bits, n, s) => progress(hash.create({ NISTfn: input(n), personalization: input(s) }), bits >> 3));
    }
    const sized = (bits, s) => ({ dkLen: bits / 8, personalization: input(s) });
    const mac = (hash) => {
        const create = (key, bits, s) => progress(hash.create(input(key), sized(bits, s)));
        return Object.assign((key, message, bits, s) => create(key, bits, s).update(message).hex(), { create });
    };
    for (const [name, hash] of Object.entries({
        tuplehash128: hashmill.tuplehash128,
        tuplehash256: hashmill.tuplehash256,
        tuplehashxof128: hashmill.tuplehash128xof,
        tuplehashxof256: hashmill.tuplehash256xof,
    })) {
        ours[name] = (elements, bits, s) => bytesToHex(hash(elements.map(input), sized(bits, s)));
    }
    Object.assign(ours, { kmac128: mac(kmac128), kmac256: mac(kmac256), kmacxof128: mac(kmac128xof), kmacxof256: mac(kmac256xof) });
    return { ...theirs, ...ours };
}

/** Of js-sha3's tests, the files and the groups that do not run. */
const JS_SHA3 = {
    [ABSENT]: ["keccak512", "keccak384", "keccak224"],
    "they test other names of js-sha3's functions, and elements of a tuple in parts": ["#keccak512", "#tuplehash API", "#kmacxof aliases"],
};

async function loadJsSha3() {
    const require = createRequire(join(clone, "tests/"));
    const theirs = require("../src/sha3.js");
    Object.assign(globalThis, jsSha3(theirs), { BUFFER: true });
    for (const file of readdirSync(join(clone, "tests")).filter((file) => /^test.*\.js$/.test(file))) {
        path.push(file);
        require(`./${file}`);
        path.pop();
    }
    return JS_SHA3;
}

const left = await { "hash-wasm": loadHashWasm, "js-sha3": loadJsSha3 }[which]();
const rows = which === "js-sha3" ? Object.values(left).flat() : [];
const rowOf = ({ name }) => rows.find((row) => name.split(" / ").slice(1).some((part) => part === row) || name.startsWith(row));
let skipped = 0;
const failed = [];
const used = new Set();
for (const test of tests) {
    const row = rowOf(test);
    if (row) {
        used.add(row);
        skipped += 1;
        continue;
    }
    try {
        await test.run();
    } catch (error) {
        failed.push(test.name);
        console.error(`${test.name}: ${error.stack}`);
    }
}
assert.deepEqual(rows.filter((row) => !used.has(row)), [], "rows of the table that fit no test");
console.log(`${which}: ${tests.length - skipped - failed.length} passed, ${failed.length} failed, ${skipped} skipped`);
for (const [reason, names] of Object.entries(left)) console.log(`left out: ${names.join(", ")}: ${reason}`);
process.exitCode = failed.length > 0 || tests.length - skipped < 100 ? 1 : 0;
