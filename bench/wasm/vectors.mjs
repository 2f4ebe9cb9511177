// The answers of vectors/ (its README gives the format) through the functions of hashmill.h.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const FILES = ["fips-180-4", "fips-202", "rfc-9861", "rfc-7693", "blake2", "rfc-2104"];
const SIDE_BY_SIDE = 5; // one more than there are lanes

const octets = (json) => {
    if (!json) return Buffer.alloc(0);
    if (json.ptn !== undefined) return Buffer.from(Array.from({ length: json.ptn }, (_, i) => i % 251));
    return Buffer.concat(Array(json.repeat ?? 1).fill(Buffer.from(json.hex, "hex")));
};

const ANSWERS = FILES.flatMap((file) => {
    const json = JSON.parse(readFileSync(new URL(`../../vectors/${file}.json`, import.meta.url)));
    return [...json.published, ...json.computed].map((answer) => ({
        ...answer,
        bytes: octets(answer.message),
        output: Buffer.from(answer.output, "hex"),
        mac: answer.algorithm.startsWith("HMAC-"),
    }));
});

/** How many answers there are. Throws at the first that is wrong. */
export function check(library) {
    // Places for a hasher, parameters, a list of messages, keys, a message and outputs.
    const base = (library.messages(8 << 20) + 63) & ~63;
    const [hasher, params, list, keys, message, out] = [0, 4096, 8192, 16384, 65536, 4 << 20].map((at) => base + at);
    const put = (bytes, at) => (new Uint8Array(library.memory.buffer).set(bytes, at), at);
    const number = (at) => new DataView(library.memory.buffer).getUint32(at, true);
    const call = (name, ...values) => assert.equal(library[`hashmill_${name}`](...values), 0, name);

    const begin = (answer, code) => {
        const given = answer.params;
        if (answer.algorithm.startsWith("Turbo")) {
            return call("hasher_init_turboshake", hasher, code, answer.domain ?? 0x1f);
        }
        if (!given) return call("hasher_init", hasher, code);
        call("blake2_defaults", params, 56, code);
        const view = new DataView(library.memory.buffer, params);
        const word = (at, value) => value !== undefined && view.setUint32(at, value, true);
        word(4, given.output_len);
        ["key", "salt", "personal"].forEach((name, i) => {
            const bytes = octets(given[name]);
            word(8 + 8 * i, put(bytes, keys + 256 * i));
            word(12 + 8 * i, bytes.length);
        });
        view.setBigUint64(32, BigInt(given.node_offset ?? 0), true);
        word(40, given.inner_len);
        word(44, given.leaf_len);
        [given.fanout ?? 1, given.max_depth ?? 1, given.node_depth ?? 0, given.last_node ? 1 : 0].forEach((byte, i) =>
            view.setUint8(48 + i, byte),
        );
        call("hasher_init_blake2", hasher, code, params);
    };

    for (const answer of ANSWERS) {
        put(Buffer.from(`${answer.algorithm.replace(/^HMAC-/, "")}\0`), keys);
        call("algorithm_by_name", keys, list);
        const [code, { bytes, output, skip = 0 }] = [number(list), answer];
        const wanted = skip + output.length;
        put(bytes, message);
        const expect = (way, count = 1) => {
            for (let i = 0; i < count; i++) {
                const got = Buffer.from(library.memory.buffer, out + i * wanted + skip, output.length);
                assert(got.equals(output), `${answer.algorithm}, ${bytes.length} bytes, ${way}`);
            }
            new Uint8Array(library.memory.buffer).fill(0, out, out + count * wanted);
        };
        if (answer.mac) {
            const key = octets(answer.key);
            const length = library.hashmill_output_len(code);
            call("hmac", code, put(key, keys), key.length, message, bytes.length, out, length);
            expect("hmac");
            continue;
        }
        begin(answer, code);
        if (!answer.message.bits) {
            for (let i = 0; i < SIDE_BY_SIDE; i++) {
                put(new Uint8Array(Uint32Array.of(message, bytes.length).buffer), list + 8 * i);
            }
            call("hasher_finish_many", hasher, list, SIDE_BY_SIDE, out, wanted);
            expect("side by side", SIDE_BY_SIDE);
        }
        const cut = bytes.length % 97;
        call("hasher_update", hasher, message, cut);
        call("hasher_update", hasher, message + cut, bytes.length - cut);
        const [bits, last] = [answer.message.bits ?? 0, parseInt(answer.message.last ?? "0", 16)];
        if (bits) call("hasher_finalize_bits", hasher, last, bits, out, wanted);
        else call("hasher_finalize", hasher, out, wanted);
        expect("in two parts");
    }
    return ANSWERS.length;
}
