//! The inputs of the computed answers, each with the reason why it was chosen.

use super::Plan;
use crate::common::answer::to_hex;
use crate::common::peers;
use hashmill::Algorithm;
use serde_json::{Value, json};

fn ptn(len: usize) -> Value {
    json!({ "ptn": len })
}

/// Returns a message of `bytes` whole bytes, followed by `bits` bits of `last`.
fn bits(bytes: usize, last: u8, bits: u32) -> Value {
    json!({ "ptn": bytes, "last": to_hex(&[last]), "bits": bits })
}

/// Returns the inputs of functions with the padding of SHA-2. `length` is the size in bytes of the
/// length field that ends it.
pub fn merkle_damgard(algorithms: &[Algorithm]) -> Vec<Plan> {
    let mut plans = Vec::new();
    for algorithm in algorithms {
        let block = algorithm.block_len();
        let length = block / 8;
        let messages = [
            (ptn(0), "empty"),
            (ptn(1), "one byte"),
            (ptn(block - length - 2), "one byte of zeros in the padding"),
            (ptn(block - length - 1), "the last length whose padding fits"),
            (ptn(block - length), "the first whose padding needs a second block"),
            (ptn(block - 1), "the padding's first byte is the block's last"),
            (ptn(block), "one block"),
            (ptn(block + 1), "one block and a byte"),
            (ptn(2 * block - length - 1), "the last length whose padding fits two blocks"),
            (ptn(2 * block - length), "the first whose padding needs a third block"),
            (ptn(2 * block), "two blocks"),
            (ptn(3 * block + 5), "three blocks and some"),
            (ptn(1000), "many blocks"),
            (ptn(10_000), "more than a page"),
            (bits(0, 0x80, 1), "one bit"),
            (bits(0, 0xFE, 7), "seven bits"),
            (bits(1, 0x40, 2), "a byte and two bits"),
            (bits(3, 0xA8, 5), "some bytes and five bits"),
            (bits(block - length - 1, 0x5A, 7), "the last number of bits whose padding fits"),
            (bits(block - length, 0x80, 1), "the padding needs a second block"),
            (bits(block - 1, 0xB4, 7), "the padding's first bit is the block's last"),
            (bits(block, 0x80, 1), "one block and a bit"),
            (bits(2 * block + 3, 0xC0, 3), "two blocks, some bytes and three bits"),
        ];
        for (message, reason) in messages {
            let entry =
                json!({ "algorithm": algorithm.name(), "message": message, "reason": reason });
            plans.push(Plan { entry, output_len: algorithm.output_len() });
        }
    }
    plans
}

/// Returns messages with lengths around the rate, for every sponge.
fn around_the_rate(rate: usize) -> Vec<(Value, &'static str)> {
    vec![
        (ptn(0), "empty"),
        (ptn(1), "one byte"),
        (ptn(rate - 2), "suffix and padding in two bytes"),
        (ptn(rate - 1), "suffix and padding share one byte"),
        (ptn(rate), "one block: the padding is a block of its own"),
        (ptn(rate + 1), "one block and a byte"),
        (ptn(2 * rate - 1), "suffix and padding share the second block's last byte"),
        (ptn(2 * rate), "two blocks"),
        (ptn(3 * rate + 5), "three blocks and some"),
        (ptn(1000), "many blocks"),
        (ptn(10_000), "more than a page"),
    ]
}

fn output_lens(rate: usize) -> Vec<(usize, usize, &'static str)> {
    vec![
        (0, 1, "one byte of output"),
        (0, 20, "20 bytes of output"),
        (0, rate - 1, "output of one block less a byte"),
        (0, rate, "output of one block"),
        (0, rate + 1, "output of one block and a byte"),
        (0, 3 * rate, "output of three blocks"),
        (2 * rate - 3, 6, "output across the second and third block"),
        (100_000, 32, "far out"),
    ]
}

pub fn fips_202() -> Vec<Plan> {
    let fixed =
        [Algorithm::Sha3_224, Algorithm::Sha3_256, Algorithm::Sha3_384, Algorithm::Sha3_512];
    let mut plans = Vec::new();
    for algorithm in fixed.into_iter().chain([Algorithm::Shake128, Algorithm::Shake256]) {
        let rate = algorithm.block_len();
        let mut messages = around_the_rate(rate);
        messages.extend([
            (bits(0, 0x01, 1), "one bit"),
            (bits(0, 0x7F, 7), "seven bits"),
            (bits(1, 0x02, 2), "a byte and two bits"),
            (bits(3, 0x15, 5), "some bytes and five bits"),
            (bits(rate, 0x01, 1), "one block and a bit"),
            (bits(2 * rate + 3, 0x05, 3), "two blocks, some bytes and three bits"),
        ]);
        // The suffix has 2 bits for SHA-3, 4 for SHAKE.
        let suffix = if algorithm.is_xof() { 4 } else { 2 };
        messages.extend([
            (bits(rate - 1, 0, 6 - suffix), "suffix and both padding bits end the block"),
            (bits(rate - 1, 1, 7 - suffix), "the first padding bit is the block's last"),
            (bits(rate - 1, 2, 8 - suffix), "the suffix ends the block"),
            (bits(rate - 1, 0x2A, 7), "the suffix goes on in the next block"),
        ]);
        for (message, reason) in messages {
            let entry =
                json!({ "algorithm": algorithm.name(), "message": message, "reason": reason });
            plans.push(Plan { entry, output_len: algorithm.output_len() });
        }
        for (skip, output_len, reason) in
            output_lens(rate).into_iter().filter(|_| algorithm.is_xof())
        {
            let mut entry =
                json!({ "algorithm": algorithm.name(), "message": ptn(17), "reason": reason });
            if skip > 0 {
                entry["skip"] = skip.into();
            }
            plans.push(Plan { entry, output_len });
        }
    }
    plans
}

pub fn keccak() -> Vec<Plan> {
    let rate = Algorithm::Keccak256.block_len();
    let mut messages = around_the_rate(rate);
    messages.extend([
        (bits(0, 0x01, 1), "one bit"),
        (bits(3, 0x15, 5), "some bytes and five bits"),
        (bits(rate - 1, 0, 6), "both padding bits end the block"),
        (bits(rate - 1, 1, 7), "the first padding bit is the block's last"),
    ]);
    let plan = |(message, reason)| {
        let entry = json!({ "algorithm": "Keccak-256", "message": message, "reason": reason });
        Plan { entry, output_len: 32 }
    };
    messages.into_iter().map(plan).collect()
}

/// Returns Ascon's inputs: messages of bits only, because the Ascon team's lists have all numbers of
/// bytes around the rate.
pub fn ascon() -> Vec<Plan> {
    let messages = [
        (bits(0, 0x01, 1), "one bit"),
        (bits(0, 0x7F, 7), "seven bits"),
        (bits(3, 0x15, 5), "some bytes and five bits"),
        (bits(7, 0x55, 7), "the padding's first bit is the block's last"),
        (bits(8, 0x01, 1), "one block and a bit"),
        (bits(19, 0x05, 3), "two blocks, some bytes and three bits"),
    ];
    let plan = |algorithm: Algorithm, (message, reason): &(Value, &str)| {
        let entry = json!({ "algorithm": algorithm.name(), "message": message, "reason": reason });
        Plan { entry, output_len: 32 }
    };
    let both = [Algorithm::AsconHash256, Algorithm::AsconXof128];
    both.iter().flat_map(|&algorithm| messages.iter().map(move |m| plan(algorithm, m))).collect()
}

pub fn rfc_9861() -> Vec<Plan> {
    let mut plans = Vec::new();
    for algorithm in [Algorithm::TurboShake128, Algorithm::TurboShake256] {
        let rate = algorithm.block_len();
        let lengths =
            around_the_rate(rate).into_iter().map(|(message, reason)| (message, 0, None, reason));
        let outputs = output_lens(rate).into_iter();
        let outputs = outputs.map(|(skip, len, reason)| (ptn(17), skip, Some(len), reason));
        for (number, (message, skip, len, reason)) in lengths.chain(outputs).enumerate() {
            let domain = peers::DOMAINS[number % peers::DOMAINS.len()];
            let mut entry = json!({ "algorithm": algorithm.name(), "domain": domain, "message": message, "reason": reason });
            if skip > 0 {
                entry["skip"] = skip.into();
            }
            plans.push(Plan { entry, output_len: len.unwrap_or(algorithm.output_len()) });
        }
    }
    plans
}

fn blake2_plan(algorithm: Algorithm, params: Value, message: Value, reason: &str) -> Plan {
    let mut params = params;
    let output_len =
        params["output_len"].as_u64().map_or(algorithm.output_len(), |len| len as usize);
    params["output_len"] = output_len.into();
    let entry = json!({ "algorithm": algorithm.name(), "message": message, "params": params, "reason": reason });
    Plan { entry, output_len }
}

/// Returns messages with lengths around a block, for BLAKE2. A full block at the end of a message
/// is the last block, and no padding block follows it.
fn around_the_block(block: usize) -> Vec<(Value, &'static str)> {
    vec![
        (ptn(0), "empty"),
        (ptn(1), "one byte"),
        (ptn(block - 1), "one block less a byte"),
        (ptn(block), "one block: it is the last one"),
        (ptn(block + 1), "one block and a byte"),
        (ptn(2 * block), "two blocks"),
        (ptn(2 * block + 1), "two blocks and a byte"),
        (ptn(1000), "many blocks"),
        (ptn(10_000), "more than a page"),
    ]
}

pub fn rfc_7693() -> Vec<Plan> {
    let mut plans = Vec::new();
    for algorithm in [Algorithm::Blake2b, Algorithm::Blake2s] {
        let (block, max) = (algorithm.block_len(), algorithm.output_len());
        for (message, reason) in around_the_block(block) {
            let entry =
                json!({ "algorithm": algorithm.name(), "message": message, "reason": reason });
            plans.push(Plan { entry, output_len: max });
        }
        for output_len in [1, 2, 16, 20, 28, 31] {
            plans.push(blake2_plan(
                algorithm,
                json!({ "output_len": output_len }),
                ptn(100),
                "a shorter digest",
            ));
        }
        let keyed = [
            (ptn(0), "the key's block is the last one"),
            (ptn(1), "the key's block, then one byte"),
            (ptn(block), "the key's block, then a whole one"),
            (ptn(block + 1), "the key's block, then a whole one and a byte"),
            (ptn(1000), "the key's block, then many"),
        ];
        for (message, reason) in keyed {
            plans.push(blake2_plan(algorithm, json!({ "key": ptn(max) }), message, reason));
        }
        for (len, reason) in [
            (1, "the shortest key"),
            (max / 2, "a key of half the length"),
            (max - 1, "a long key"),
        ] {
            let params = json!({ "key": ptn(len), "output_len": max / 2 });
            plans.push(blake2_plan(algorithm, params, ptn(100), reason));
        }
    }
    plans
}

pub fn blake2() -> Vec<Plan> {
    let mut plans = Vec::new();
    for algorithm in [Algorithm::Blake2b, Algorithm::Blake2s] {
        let max = algorithm.output_len();
        let offset_max = if algorithm == Algorithm::Blake2b { u64::MAX } else { (1 << 48) - 1 };
        let all = json!({
            "output_len": max - 1, "key": ptn(max), "salt": ptn(max / 4), "personal": { "hex": "fe".repeat(max / 4) },
            "fanout": 255, "max_depth": 255, "leaf_len": u32::MAX, "node_offset": offset_max.to_string(), "node_depth": 255,
            "inner_len": max, "last_node": true,
        });
        let params = [
            (json!({ "salt": ptn(max / 4) }), "salt"),
            (json!({ "salt": { "hex": "5a" } }), "a short salt is filled up with zeros"),
            (json!({ "personal": ptn(max / 4) }), "personalization"),
            (
                json!({ "personal": { "hex": "5a" } }),
                "a short personalization is filled up with zeros",
            ),
            (
                json!({ "salt": ptn(3), "personal": ptn(5), "key": ptn(7), "output_len": 20 }),
                "all that is for keys",
            ),
            (json!({ "fanout": 0, "max_depth": 255 }), "unlimited fanout and depth"),
            (
                json!({ "fanout": 2, "max_depth": 2, "leaf_len": 4096, "inner_len": max }),
                "the first leaf of a tree",
            ),
            (
                json!({ "fanout": 2, "max_depth": 2, "leaf_len": 4096, "inner_len": max, "node_offset": "1",
                    "last_node": true }),
                "its last leaf",
            ),
            (
                json!({ "fanout": 2, "max_depth": 2, "leaf_len": 4096, "inner_len": max, "node_depth": 1,
                    "last_node": true }),
                "its root",
            ),
            (json!({ "leaf_len": 0x0102_0304 }), "order of the leaf length's bytes"),
            (
                json!({ "node_offset": 0x0102_0304_0506u64.to_string() }),
                "order of the node offset's bytes",
            ),
            (json!({ "node_offset": offset_max.to_string() }), "the largest node offset"),
            (json!({ "last_node": true }), "last node alone"),
            (json!({ "inner_len": 1 }), "inner length alone"),
            (json!({ "node_depth": 3 }), "node depth alone"),
            (all, "everything at its largest"),
        ];
        for (params, reason) in params {
            plans.push(blake2_plan(algorithm, params.clone(), ptn(200), reason));
        }
        let last = json!({ "last_node": true, "key": ptn(max) });
        plans.push(blake2_plan(algorithm, last, ptn(0), "the last node has nothing but a key"));
    }
    for (algorithm, leaves) in [(Algorithm::Blake2bp, 4), (Algorithm::Blake2sp, 8)] {
        let (block, max) = (algorithm.block_len(), algorithm.output_len());
        let round = leaves * block;
        let mut lengths = around_the_block(block);
        lengths.extend([
            (ptn(round - block), "all leaves but the last have a block"),
            (ptn(round - 1), "the last leaf's block lacks a byte"),
            (ptn(round), "a block for every leaf"),
            (ptn(round + 1), "a byte more for the first leaf"),
            (ptn(2 * round), "two blocks for every leaf"),
            (ptn(2 * round + block + 1), "two blocks, and some leaves more"),
        ]);
        for (message, reason) in lengths {
            let entry =
                json!({ "algorithm": algorithm.name(), "message": message, "reason": reason });
            plans.push(Plan { entry, output_len: max });
        }
        for output_len in [1, 20, max - 1] {
            plans.push(blake2_plan(
                algorithm,
                json!({ "output_len": output_len }),
                ptn(1000),
                "a shorter digest",
            ));
        }
        for (len, reason) in [(1, "the shortest key"), (max, "the longest key")] {
            plans.push(blake2_plan(algorithm, json!({ "key": ptn(len) }), ptn(0), reason));
            plans.push(blake2_plan(algorithm, json!({ "key": ptn(len) }), ptn(round + 1), reason));
        }
        plans.push(blake2_plan(
            algorithm,
            json!({ "salt": ptn(max / 4) }),
            ptn(1000),
            "salt, in all nodes",
        ));
        plans.push(blake2_plan(
            algorithm,
            json!({ "personal": ptn(5) }),
            ptn(1000),
            "personalization, in all nodes",
        ));
    }
    plans
}

pub fn blake2x() -> Vec<Plan> {
    let mut plans = Vec::new();
    for (name, max) in [("BLAKE2Xb", 64), ("BLAKE2Xs", 32)] {
        let mut plan = |params: Value, skip: usize, output_len: usize, reason: &str| {
            let mut entry = json!({ "algorithm": name, "message": ptn(200), "params": params, "reason": reason });
            if skip > 0 {
                entry["skip"] = skip.into();
            }
            plans.push(Plan { entry, output_len });
        };
        for (skip, len, reason) in [
            (0, 1, "a whole block is hashed for one byte of unknown length"),
            (0, 5 * max + 1, "blocks of an output of unknown length"),
            (max - 3, 6, "output of unknown length across two blocks"),
            (100_000, 32, "far out"),
        ] {
            plan(json!({}), skip, len, reason);
        }
        let all = json!({ "key": ptn(max), "salt": ptn(max / 4), "personal": { "hex": "fe".repeat(max / 4) } });
        plan(all.clone(), 0, 2 * max, "key, salt and personalization, unknown length");
        let mut known = all;
        known["output_len"] = (2 * max + 1).into();
        plan(
            known,
            0,
            2 * max + 1,
            "the salt and the personalization are in all nodes, the key is not",
        );
        plan(
            json!({ "output_len": 65_534 }),
            0,
            40,
            "the beginning of the longest output of BLAKE2Xs",
        );
        plan(json!({ "output_len": 65_534 }), 65_500, 34, "its end");
    }
    plans
}

pub fn blake3() -> Vec<Plan> {
    let mut plans = Vec::new();
    let mut plan =
        |len: usize, mode: Option<(&str, Value)>, [skip, output_len]: [usize; 2], reason: &str| {
            let mut entry = json!({ "algorithm": "BLAKE3", "message": ptn(len), "reason": reason });
            if let Some((name, value)) = mode {
                entry[name] = value;
            }
            if skip > 0 {
                entry["skip"] = skip.into();
            }
            plans.push(Plan { entry, output_len });
        };
    let (key, context) = (Some(("key", ptn(32))), Some(("context", json!({ "hex": "c3a4" }))));
    for (len, reason) in [
        (63, "one byte less than a block"),
        (64, "a block, which is the chunk's last"),
        (65, "one byte in the second block"),
        (960, "fifteen blocks"),
        (16 * 1024, "sixteen chunks"),
        (17 * 1024, "a chunk after sixteen"),
        (32 * 1024 + 1, "a byte after thirty-two chunks"),
        (128 * 1024, "a complete tree"),
        (131 * 1024 + 70, "subtrees of 128, 2 and 1 chunks, and some bytes"),
    ] {
        plan(len, None, [0, 32], reason);
        plan(len, key.clone(), [0, 32], reason);
    }
    for len in [0, 1, 1024, 1025, 5000] {
        plan(len, None, [0, 200], "blocks of output");
        plan(len, None, [60, 8], "output across two blocks");
        plan(len, context.clone(), [100_000, 32], "far out");
    }
    plans
}

pub fn rfc_2104() -> Vec<Plan> {
    let mut plans = Vec::new();
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.has_hmac()) {
        let block = algorithm.block_len();
        let keys = [
            (0, "no key"),
            (1, "a short key"),
            (block - 1, "one byte of zeros fills the key up"),
            (block, "the key fills a block"),
            (block + 1, "the key is hashed first"),
            (3 * block, "a long key is hashed first"),
        ];
        for (key, reason) in keys {
            for message in [0, 200] {
                let name = format!("HMAC-{algorithm}");
                let entry = json!({ "algorithm": name, "key": ptn(key), "message": ptn(message), "reason": reason });
                plans.push(Plan { entry, output_len: algorithm.output_len() });
            }
        }
    }
    plans
}
