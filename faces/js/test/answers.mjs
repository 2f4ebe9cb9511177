// The answers of vectors/ (its README gives the format) as objects with bytes and with functions.

import { readFileSync } from "node:fs";
import * as hashmill from "hashmill";

const letters = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const named = new Map(Object.entries(hashmill).map(([name, hash]) => [letters(name), hash]));

const octets = (json) => {
    if (!json) return new Uint8Array(0);
    if (json.ptn !== undefined) return Uint8Array.from({ length: json.ptn }, (_, i) => i % 251);
    const bytes = Buffer.from(json.hex, "hex");
    return new Uint8Array(Buffer.concat(Array(json.repeat ?? 1).fill(bytes)));
};

/** The function of an algorithm, or of HMAC over it: its name differs in case, dashes and slashes. */
const functionOf = (algorithm) => named.get(letters(algorithm.replace("HMAC-", "")));

/** The answers of one file whose messages are whole bytes, of the functions that this package has. */
export function answers(file) {
    const json = JSON.parse(readFileSync(new URL(`../../../vectors/${file}.json`, import.meta.url)));
    const whole = [...(json.published ?? []), ...json.computed].filter(
        (answer) => !answer.message.bits && functionOf(answer.algorithm),
    );
    return whole.map((answer) => ({
        ...answer,
        hash: functionOf(answer.algorithm),
        bytes: octets(answer.message),
        key: answer.key && octets(answer.key),
        wanted: answer.output,
        options: answer.params ? parameters(answer) : strings(answer),
    }));
}

/** BLAKE3's key or context, or Ascon-CXOF128's customization string, as options; `undefined` without any. */
function strings({ algorithm, key, context, customization }) {
    const all = Object.entries({ key: algorithm === "BLAKE3" && key, context, customization });
    const given = all.filter(([, value]) => value).map(([name, value]) => [name, octets(value)]);
    return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** BLAKE2's parameters as this package names them; a short salt is padded. */
function parameters({ algorithm, params }) {
    const salts = /^BLAKE2X?b/.test(algorithm) ? 16 : 8;
    const padded = (bytes) => {
        const all = new Uint8Array(salts);
        all.set(bytes);
        return all;
    };
    const options = {
        dkLen: params.output_len,
        key: params.key && octets(params.key),
        salt: params.salt && padded(octets(params.salt)),
        personalization: params.personal && padded(octets(params.personal)),
        fanout: params.fanout,
        maxDepth: params.max_depth,
        leafLen: params.leaf_len,
        nodeOffset: params.node_offset === undefined ? undefined : BigInt(params.node_offset),
        nodeDepth: params.node_depth,
        innerLen: params.inner_len,
        lastNode: params.last_node,
    };
    const given = Object.entries(options).filter(([name, value]) => value !== undefined && !(name === "key" && !value.length));
    return Object.fromEntries(given);
}
