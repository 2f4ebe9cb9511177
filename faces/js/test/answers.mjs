// The answers of vectors/ (its README gives the format) as objects with bytes.

import { readFileSync } from "node:fs";

const octets = (json) => {
    if (!json) return new Uint8Array(0);
    if (json.ptn !== undefined) return Uint8Array.from({ length: json.ptn }, (_, i) => i % 251);
    const bytes = Buffer.from(json.hex, "hex");
    return new Uint8Array(Buffer.concat(Array(json.repeat ?? 1).fill(bytes)));
};

/** The answers of one file whose messages are whole bytes. */
export function answers(file) {
    const json = JSON.parse(readFileSync(new URL(`../../../vectors/${file}.json`, import.meta.url)));
    const whole = [...(json.published ?? []), ...json.computed].filter((answer) => !answer.message.bits);
    return whole.map((answer) => ({
        ...answer,
        bytes: octets(answer.message),
        key: answer.key && octets(answer.key),
        wanted: answer.output,
        options: answer.algorithm === "BLAKE3" ? keyed(answer) : answer.params && parameters(answer),
    }));
}

/** BLAKE3's key or context as options. */
function keyed({ key, context }) {
    return { ...(key && { key: octets(key) }), ...(context && { context: octets(context) }) };
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
