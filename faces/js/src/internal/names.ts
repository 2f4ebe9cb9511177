/** The functions by the names that node:crypto, which is OpenSSL, has for them. */

import { blake2b, blake2s } from "../blake2.js";
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from "../sha2.js";
import { keccak_256, sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from "../sha3.js";
import { sm3 } from "../sm3.js";
import { type HashFunction } from "./hasher.js";

// biome-ignore lint/suspicious/noExplicitAny: a function takes any options or none
type Any = HashFunction<any>;

/** OpenSSL's names of SHA-2's functions differ in the dashes; those for signatures mean the hash alone. */
function sha2(bits: string, oid: number): string[] {
    const last = `2.16.840.1.101.3.4.2.${oid}`;
    const dashed = bits.replace("/", "-");
    const stems = bits === dashed ? [bits] : [bits, dashed];
    return [last, `sha2-${bits}`, ...stems.flatMap((it) => [`sha${it}`, `sha-${it}`, `rsa-sha${it}`, `sha${it}withrsaencryption`])];
}
const sha3 = (bits: number, oid: number): string[] => [
    `2.16.840.1.101.3.4.2.${oid}`, `sha3-${bits}`, `rsa-sha3-${bits}`, `id-rsassa-pkcs1-v1_5-with-sha3-${bits}`,
];
const shake = (bits: number, oid: number): string[] => [`2.16.840.1.101.3.4.2.${oid}`, `shake${bits}`, `shake-${bits}`];

const NAMES: [Any, string[]][] = [
    [sha224, sha2("224", 4)],
    [sha256, sha2("256", 1)],
    [sha384, sha2("384", 2)],
    [sha512, sha2("512", 3)],
    [sha512_224, sha2("512/224", 5)],
    [sha512_256, sha2("512/256", 6)],
    [sha3_224, sha3(224, 7)],
    [sha3_256, sha3(256, 8)],
    [sha3_384, sha3(384, 9)],
    [sha3_512, sha3(512, 10)],
    [shake128, shake(128, 11)],
    [shake256, shake(256, 12)],
    [keccak_256, ["keccak-256"]],
    [blake2b, ["blake2b512", "blake2b-512", "1.3.6.1.4.1.1722.12.2.1.16"]],
    [blake2s, ["blake2s256", "blake2s-256", "1.3.6.1.4.1.1722.12.2.2.8"]],
    [sm3, ["1.2.156.10197.1.401", "sm3", "rsa-sm3", "sm3withrsaencryption"]],
];
const functions = new Map(NAMES.flatMap(([hash, names]) => names.map((name) => [name, hash] as const)));

/** Returns the function of this name, in any case of letters. */
export function named(name: string): Any {
    const hash = functions.get(name.toLowerCase());
    if (hash) return hash;
    const names = `the names are those of node:crypto, such as "sha256"; of another function, give the function itself`;
    throw new TypeError(`no function is named "${name}": ${names}`);
}
