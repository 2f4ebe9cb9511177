//! TurboSHAKE's domain byte and BLAKE2's parameters.

use super::agreed;
use super::many::rounds;
use crate::common::answer::{Params, same};
use crate::common::random::Random;
use crate::common::{calls, peers, reference, stride};
use hashmill::Algorithm;
use hashmill::many::Column;

pub fn turboshake_domains(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(7);
    for domain in 0x01..=0x7F {
        let message = random.some_bytes(500);
        let start = calls::domain(algorithm, domain).expect("a domain byte");
        let expected = reference::domain(algorithm, domain, &message, 200);
        let mut hasher = start.clone();
        hasher.update(&message);
        let mut out = vec![0; 200];
        hasher.hash_into(b"", &mut out).expect("an XOF has any length");
        same(&out, &expected, format_args!("{algorithm}, {backend}, domain {domain:#x}"));
        let many = calls::after(&start, &[&message[..0], &message], 200);
        same(&many[1], &expected, format_args!("{algorithm}, {backend}, domain {domain:#x}, many"));
    }
    for domain in [0x00, 0x80, 0xFF] {
        assert!(calls::domain(algorithm, domain).is_err(), "{algorithm}: domain {domain:#x}");
    }
}

fn random_params(algorithm: Algorithm, random: &mut Random) -> Params {
    let max = algorithm.output_len();
    let tree = matches!(algorithm, Algorithm::Blake2b | Algorithm::Blake2s) && random.up_to(1) == 1;
    let params = Params {
        key: random.some_bytes(max),
        salt: random.some_bytes(max / 4),
        personal: random.some_bytes(max / 4),
        ..Params::new(1 + random.up_to(max - 1))
    };
    match (tree, random.up_to(3)) {
        (true, _) => Params {
            fanout: random.next() as u8,
            max_depth: random.next() as u8 | 1,
            leaf_len: random.next() as u32,
            node_offset: random.next() >> if max == 64 { 0 } else { 16 },
            node_depth: random.next() as u8,
            inner_len: random.up_to(max),
            last_node: random.up_to(1) == 1,
            ..params
        },
        (false, 0) => Params { key: Vec::new(), output_len: max, ..params },
        (false, 1) => Params { salt: Vec::new(), personal: Vec::new(), ..params },
        (false, _) => params,
    }
}

pub fn blake2_parameters(algorithm: Algorithm, backend: &str) {
    let mut random = Random::new(8);
    for _ in 0..300 {
        let params = random_params(algorithm, &mut random);
        let message = random.some_bytes(4 * stride(algorithm));
        let reference = reference::blake2(algorithm, &params, &message);
        let peers = peers::blake2(algorithm, &params, &message).into_iter().collect();
        let expected = agreed(algorithm, reference, peers);
        let start = calls::blake2(algorithm, &params)
            .unwrap_or_else(|e| panic!("{algorithm}, {params:?}: {e}"));
        let mut hasher = start.clone();
        for piece in random.pieces(&message, stride(algorithm)) {
            hasher.update(piece);
        }
        let what = || format!("{algorithm}, {backend}, {} bytes, {params:?}", message.len());
        same(&hasher.finalize(), &expected, format_args!("{}", what()));
        let messages = [&message[..], &message[..0], &message[..]];
        let (values, offsets) = calls::flatten(&messages);
        let column = Column::new(&values, &offsets).expect("offsets in order");
        let len = params.output_len;
        let rounds = rounds(&mut random, &messages);
        let [many, updated] = calls::typed(&start, &messages, &rounds, len);
        for (how, many) in [
            ("hash_many", many),
            ("update_many", updated),
            ("with offsets", calls::after(&start, &column, len)),
        ] {
            same(&many[0], &expected, format_args!("{}, {how}", what()));
            same(&many[2], &expected, format_args!("{}, {how}", what()));
        }
    }
}

pub fn blake2_refuses_what_the_paper_does_not_allow() {
    for (algorithm, max) in [
        (Algorithm::Blake2b, 64),
        (Algorithm::Blake2s, 32),
        (Algorithm::Blake2bp, 64),
        (Algorithm::Blake2sp, 32),
    ] {
        let plain = || Params::new(max);
        let refused = |params: Params| calls::blake2(algorithm, &params).is_err();
        assert!(!refused(plain()), "{algorithm}");
        assert!(refused(Params { output_len: 0, ..plain() }), "{algorithm}");
        assert!(refused(Params { output_len: max + 1, ..plain() }), "{algorithm}");
        assert!(refused(Params { key: vec![0; max + 1], ..plain() }), "{algorithm}");
        assert!(refused(Params { salt: vec![0; max / 4 + 1], ..plain() }), "{algorithm}");
        assert!(refused(Params { personal: vec![0; max / 4 + 1], ..plain() }), "{algorithm}");
        if matches!(algorithm, Algorithm::Blake2b | Algorithm::Blake2s) {
            assert!(refused(Params { inner_len: max + 1, ..plain() }), "{algorithm}");
            // The BLAKE2 paper requires a depth of at least 1. BLAKE2X uses 0.
            assert!(!refused(Params { max_depth: 0, ..plain() }), "{algorithm}");
        }
        if algorithm == Algorithm::Blake2s {
            assert!(refused(Params { node_offset: 1 << 48, ..plain() }), "{algorithm}");
        }
    }
}
