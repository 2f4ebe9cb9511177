//! Every algorithm on every backend of this machine agrees with hashmill-reference and with independent
//! implementations, whatever the lengths, splits, parameters and batches.

mod common;

use common::answer::{Message, Params, to_hex};
use common::random::Random;
use common::{backends, peers, reference, typed};
use hashmill::{Algorithm, AnyHasher, VarDigest};

/// What the reference and the peers agree on.
fn expected(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    agreed(
        algorithm,
        reference::hash(algorithm, message, len),
        peers::hash(algorithm, message, len),
    )
}

fn agreed(algorithm: Algorithm, reference: Vec<u8>, peers: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    for (name, peer) in peers {
        assert_eq!(to_hex(&reference), to_hex(&peer), "{algorithm}: the reference and {name}");
    }
    reference
}

/// One of the peers, for many long messages: the reference is slow.
fn peer(algorithm: Algorithm, message: &[u8], len: usize) -> Vec<u8> {
    let (_, digest) =
        peers::hash(algorithm, message, len).pop().expect("every algorithm has a peer");
    digest
}

#[track_caller]
fn same(got: &[u8], expected: &[u8], what: std::fmt::Arguments) {
    assert!(got == expected, "{what}: {}, not {}", to_hex(got), to_hex(expected));
}

/// The bytes that the algorithm takes at once: a block, or a block for every leaf.
fn stride(algorithm: Algorithm) -> usize {
    let leaves = match algorithm {
        Algorithm::Blake2bp => 4,
        Algorithm::Blake2sp => 8,
        _ => 1,
    };
    leaves * algorithm.block_len()
}

fn extendable() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.is_xof())
}

/// What the other tests walk over, against what the standard library says of this CPU. A backend that the table leaves
/// out, or that is thought not to be there, would be tested nowhere.
#[test]
fn every_backend_that_this_cpu_can_run_is_tested() {
    let _chosen = backends::force(backends::DEFAULT);
    for &algorithm in Algorithm::ALL {
        let all: Vec<_> = algorithm.backends().collect();
        for name in hashmill::backend::names() {
            let optional = matches!(name, "sha" | "sha512");
            assert!(optional || all.iter().any(|b| b.name == name), "{algorithm} without {name}");
        }
        for backend in &all {
            let (name, available) = (backend.name, backend.available);
            assert_eq!(available, runs(name), "{algorithm}, {name}");
            assert!(available || !(backend.one || backend.many), "{algorithm}, {name}");
            assert!(!available || backends::available().contains(&name), "{algorithm}, {name}");
        }
        assert_eq!(all.iter().filter(|b| b.one).count(), 1, "{algorithm}");
        assert_eq!(all.iter().filter(|b| b.many).count(), 1, "{algorithm}");
    }
}

#[cfg(target_arch = "x86_64")]
fn runs(backend: &str) -> bool {
    use std::arch::is_x86_feature_detected as has;
    match backend {
        "avx512" | "avx512vl" => has!("avx512f") && has!("avx512bw") && has!("avx512vl"),
        "sha512" => has!("sha512") && has!("avx2"),
        "sha" => has!("sha") && has!("ssse3") && has!("sse4.1"),
        "avx2" => has!("avx2"),
        "bmi2" => has!("bmi1") && has!("bmi2"),
        _ => backend == "portable",
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn runs(backend: &str) -> bool {
    backend == "portable"
}

#[test]
fn every_length_to_four_blocks_and_some_beyond() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(1);
        let beyond = [1000, 4095, 4096, 4097, 10_000, 65_537, (1 << 20) + 3];
        let messages: Vec<Vec<u8>> =
            (0..=4 * stride(algorithm)).chain(beyond).map(|len| random.bytes(len)).collect();
        let mut digests = vec![VarDigest::default(); messages.len()];
        algorithm.hash_many(&messages, &mut digests);
        for (message, many) in messages.iter().zip(&digests) {
            let len = message.len();
            let expected = expected(algorithm, message, algorithm.output_len());
            same(
                &algorithm.hash(message),
                &expected,
                format_args!("{algorithm}, {backend}, {len} bytes"),
            );
            same(many, &expected, format_args!("{algorithm}, {backend}, {len} bytes among many"));
            let mut alone = [VarDigest::default()];
            algorithm.hash_many(&[message], &mut alone);
            same(
                &alone[0],
                &expected,
                format_args!("{algorithm}, {backend}, {len} bytes, many of one"),
            );
        }
    });
}

#[test]
fn every_split_of_three_blocks() {
    backends::each(|algorithm, backend| {
        let len = 3 * stride(algorithm);
        let message = Random::new(2).bytes(len);
        let expected = expected(algorithm, &message, algorithm.output_len());
        for cut in 0..=len {
            let (begin, rest) = message.split_at(cut);
            let mut hasher = algorithm.hasher();
            hasher.update(begin);
            let saved = hasher.export();
            hasher.update(rest);
            same(
                &hasher.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, cut at {cut}"),
            );
            let mut resumed = AnyHasher::import(saved.as_ref()).expect("an exported state");
            resumed.update(rest);
            same(
                &resumed.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, resumed at {cut}"),
            );
        }
    });
}

#[test]
fn random_splits_of_long_messages() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(3);
        for most in [1, 7, stride(algorithm), 3 * stride(algorithm) + 1, 20_000] {
            let len = 100 * most.min(2000);
            let message = random.bytes(len);
            let expected = expected(algorithm, &message, algorithm.output_len());
            let mut hasher = algorithm.hasher();
            for piece in random.pieces(&message, most) {
                hasher.update(piece);
            }
            same(
                &hasher.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, pieces of 0 to {most} bytes"),
            );
        }
    });
}

#[test]
fn finalize_leaves_the_hasher_as_it_is() {
    backends::each(|algorithm, backend| {
        let message = Random::new(4).bytes(3 * stride(algorithm) + 1);
        let mut hasher = algorithm.hasher();
        for (len, byte) in message.iter().enumerate() {
            if len % 5 == 0 {
                let expected = reference::hash(algorithm, &message[..len], algorithm.output_len());
                same(
                    &hasher.finalize(),
                    &expected,
                    format_args!("{algorithm}, {backend}, after {len} bytes"),
                );
            }
            hasher.update(&[*byte]);
        }
    });
}

/// FIPS 180-4 and FIPS 202 define messages of bits, the other standards bytes only.
fn takes_bits(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("SHA")
}

#[test]
fn messages_of_bits() {
    backends::each(|algorithm, backend| {
        if !takes_bits(algorithm) {
            return;
        }
        let mut random = Random::new(5);
        for len in 0..=2 * algorithm.block_len() + 1 {
            let bytes = random.bytes(len);
            let mut hasher = algorithm.hasher();
            hasher.update(&bytes);
            for bits in 1..8 {
                let message = Message { bytes: bytes.clone(), last: random.next() as u8, bits };
                let len = algorithm.output_len();
                let reference = reference::bits(algorithm, &message, len);
                let expected =
                    agreed(algorithm, reference, vec![peers::bits(algorithm, &message, len)]);
                let digest = hasher.finalize_bits(message.last, bits).expect("bits");
                same(&digest, &expected, format_args!("{algorithm}, {backend}, {message:?}"));
                assert!(hasher.finalize_bits(0, 8).is_err(), "{algorithm}: 8 bits are a byte");
            }
        }
    });
}

#[test]
fn bits_are_taken_where_the_standard_has_them() {
    for &algorithm in Algorithm::ALL {
        for bits in 0..8 {
            let digest = algorithm.hasher().finalize_bits(0, bits);
            assert_eq!(
                digest.is_ok(),
                takes_bits(algorithm),
                "{algorithm}, {bits} bits: {digest:?}"
            );
            let xof = algorithm.hasher().finalize_xof_bits(0, bits);
            let takes = takes_bits(algorithm) && algorithm.is_xof();
            assert_eq!(xof.is_ok(), takes, "{algorithm}, {bits} bits");
        }
    }
}

#[test]
fn squeezes_of_every_length_and_split() {
    backends::each(|algorithm, backend| {
        if !algorithm.is_xof() {
            assert!(algorithm.hasher().finalize_xof().is_err(), "{algorithm}");
            return;
        }
        let mut random = Random::new(6);
        let rate = algorithm.block_len();
        let message = random.bytes(rate + 5);
        let mut hasher = algorithm.hasher();
        hasher.update(&message);
        let expected = expected(algorithm, &message, 10_000);
        for len in (0..=2 * rate).chain([10_000]) {
            let mut out = vec![0; len];
            hasher.finalize_into(&mut out).expect("an XOF has any length");
            same(
                &out,
                &expected[..len],
                format_args!("{algorithm}, {backend}, {len} bytes at once"),
            );
            let many = typed::many(algorithm, &[&message, &message[..0]], len);
            same(
                &many[0],
                &expected[..len],
                format_args!("{algorithm}, {backend}, {len} bytes, many"),
            );
        }
        for most in [1, 2, 9, rate - 1, rate, rate + 1, 3 * rate] {
            let mut reader = hasher.finalize_xof().expect("an XOF");
            let mut out = Vec::new();
            while out.len() < expected.len() {
                let mut piece = vec![0; random.up_to(most).min(expected.len() - out.len())];
                reader.fill(&mut piece);
                out.extend(piece);
            }
            same(
                &out,
                &expected,
                format_args!("{algorithm}, {backend}, squeezed 0 to {most} bytes at a time"),
            );
        }
        let bytes: Vec<u8> = hasher.finalize_xof().expect("an XOF").take(expected.len()).collect();
        same(&bytes, &expected, format_args!("{algorithm}, {backend}, the iterator"));
    });
}

#[test]
fn turboshake_domains() {
    backends::each(|algorithm, backend| {
        if !algorithm.name().starts_with("Turbo") {
            return;
        }
        let mut random = Random::new(7);
        for domain in 0x01..=0x7F {
            let message = random.some_bytes(500);
            let typed = typed::domain(algorithm, domain).expect("a domain byte");
            let expected = reference::domain(algorithm, domain, &message, 200);
            let mut hasher = typed.any();
            hasher.update(&message);
            let mut out = vec![0; 200];
            hasher.finalize_into(&mut out).expect("an XOF has any length");
            same(&out, &expected, format_args!("{algorithm}, {backend}, domain {domain:#x}"));
            let many = typed.finish_many(&[&message[..0], &message], 200);
            same(
                &many[1],
                &expected,
                format_args!("{algorithm}, {backend}, domain {domain:#x}, many"),
            );
        }
        for domain in [0x00, 0x80, 0xFF] {
            assert!(typed::domain(algorithm, domain).is_err(), "{algorithm}: domain {domain:#x}");
        }
    });
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

#[test]
fn blake2_parameters() {
    backends::each(|algorithm, backend| {
        if !algorithm.name().starts_with("BLAKE2") {
            return;
        }
        let mut random = Random::new(8);
        for _ in 0..300 {
            let params = random_params(algorithm, &mut random);
            let message = random.some_bytes(4 * stride(algorithm));
            let reference = reference::blake2(algorithm, &params, &message);
            let peers = peers::blake2(algorithm, &params, &message).into_iter().collect();
            let expected = agreed(algorithm, reference, peers);
            let typed = typed::blake2(algorithm, &params)
                .unwrap_or_else(|e| panic!("{algorithm}, {params:?}: {e}"));
            let mut hasher = typed.any();
            for piece in random.pieces(&message, stride(algorithm)) {
                hasher.update(piece);
            }
            let what = || format!("{algorithm}, {backend}, {} bytes, {params:?}", message.len());
            same(&hasher.finalize(), &expected, format_args!("{}", what()));
            let messages = [&message[..], &message[..0], &message[..]];
            let (values, offsets) = typed::flatten(&messages);
            let len = params.output_len;
            for (how, many) in [
                ("finish_many", typed.finish_many(&messages, len)),
                ("with offsets", typed.finish_offsets(&values, &offsets, len)),
                ("update_many", typed.update_many(&rounds(&mut random, &messages), len)),
            ] {
                same(&many[0], &expected, format_args!("{}, {how}", what()));
                same(&many[2], &expected, format_args!("{}, {how}", what()));
            }
        }
    });
}

#[test]
fn blake2_refuses_what_the_paper_does_not_allow() {
    for (algorithm, max) in [
        (Algorithm::Blake2b, 64),
        (Algorithm::Blake2s, 32),
        (Algorithm::Blake2bp, 64),
        (Algorithm::Blake2sp, 32),
    ] {
        let plain = || Params::new(max);
        let refused = |params: Params| typed::blake2(algorithm, &params).is_err();
        assert!(!refused(plain()), "{algorithm}");
        assert!(refused(Params { output_len: 0, ..plain() }), "{algorithm}");
        assert!(refused(Params { output_len: max + 1, ..plain() }), "{algorithm}");
        assert!(refused(Params { key: vec![0; max + 1], ..plain() }), "{algorithm}");
        assert!(refused(Params { salt: vec![0; max / 4 + 1], ..plain() }), "{algorithm}");
        assert!(refused(Params { personal: vec![0; max / 4 + 1], ..plain() }), "{algorithm}");
        if matches!(algorithm, Algorithm::Blake2b | Algorithm::Blake2s) {
            assert!(refused(Params { inner_len: max + 1, ..plain() }), "{algorithm}");
            assert!(refused(Params { max_depth: 0, ..plain() }), "{algorithm}");
        }
        if algorithm == Algorithm::Blake2s {
            assert!(refused(Params { node_offset: 1 << 48, ..plain() }), "{algorithm}");
        }
    }
}

#[test]
fn hmac_with_keys_of_every_length_to_two_blocks() {
    backends::each(|algorithm, backend| {
        if algorithm.is_xof() {
            assert!(algorithm.hmac(b"key").is_err(), "{algorithm}");
            return;
        }
        let mut random = Random::new(9);
        for len in 0..=2 * algorithm.block_len() {
            let (key, message) = (random.bytes(len), random.some_bytes(600));
            let reference = reference::hmac(algorithm, &key, &message);
            let expected =
                agreed(algorithm, reference, vec![peers::hmac(algorithm, &key, &message)]);
            let mut mac = algorithm.hmac(&key).expect("a key of any length");
            for piece in random.pieces(&message, 200) {
                mac.update(piece);
            }
            same(
                &mac.finalize(),
                &expected,
                format_args!("{algorithm}, {backend}, a key of {len} bytes"),
            );
            let portable = typed::portable_hmac(algorithm, &key, &message);
            same(&portable, &expected, format_args!("{algorithm}, portable, a key of {len} bytes"));
            assert!(mac.verify(&expected).is_ok(), "{algorithm}, {backend}, a key of {len} bytes");
            let mut corrupted = expected;
            let place = random.up_to(corrupted.len() - 1);
            corrupted[place] ^= 1 << random.up_to(7);
            assert!(
                mac.verify(&corrupted).is_err(),
                "{algorithm}, {backend}, a key of {len} bytes"
            );
        }
    });
}

/// 0 to 140 messages, now and then 400: of one length, of random lengths, or in runs of one length each.
fn batch(algorithm: Algorithm, random: &mut Random, number: usize) -> Vec<Vec<u8>> {
    let count = match number {
        0..=20 => number,
        25 | 50 | 75 => random.up_to(400),
        _ => random.up_to(140),
    };
    let block = algorithm.block_len();
    let lengths = [0, 1, 32, 64, block - 1, block, block + 1, 2 * block, 3 * block + 17, 10 * 1024];
    let length = |random: &mut Random| lengths[random.up_to(lengths.len() - 1)];
    let (equal, runs) = (random.up_to(3), random.up_to(20));
    let mut len = length(random);
    let messages = (0..count).map(|_| match equal {
        0 => random.bytes(len),
        1 | 2 => random.some_bytes(len),
        _ => {
            if random.up_to(runs) == 0 {
                len = length(random).min(1000);
            }
            random.bytes(len)
        }
    });
    messages.collect()
}

/// The messages in one to three pieces each, cut anywhere.
fn rounds<'m>(random: &mut Random, messages: &[&'m [u8]]) -> Vec<Vec<&'m [u8]>> {
    let mut rounds = Vec::new();
    let mut rest = messages.to_vec();
    for _ in 0..random.up_to(2) {
        let cut = |rest: &mut &'m [u8]| {
            let (piece, after) = rest.split_at(random.up_to(rest.len()));
            *rest = after;
            piece
        };
        rounds.push(rest.iter_mut().map(cut).collect());
    }
    rounds.push(rest);
    rounds
}

#[test]
fn hmac_of_many_messages() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(12);
        for number in (0..40).filter(|_| !algorithm.is_xof()) {
            let key = random.some_bytes(2 * algorithm.block_len());
            let messages = batch(algorithm, &mut random, number * 4);
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let expected: Vec<_> =
                slices.iter().map(|message| peers::hmac(algorithm, &key, message).1).collect();
            let pieces = rounds(&mut random, &slices);
            for (how, tags) in [
                ("finish_many", typed::hmac_many(algorithm, &key, &slices)),
                ("update_many", typed::hmac_update_many(algorithm, &key, &pieces)),
            ] {
                assert_eq!(tags.len(), expected.len());
                for (tag, expected) in tags.iter().zip(&expected) {
                    let what = format_args!("{algorithm}, {backend}, {how} of {}", slices.len());
                    same(tag, expected, what);
                }
            }
        }
    });
}

#[test]
fn many_messages_of_mixed_lengths() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(10);
        for number in 0..100 {
            let messages = batch(algorithm, &mut random, number);
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let len = if algorithm.is_xof() { random.up_to(400) } else { algorithm.output_len() };
            let expected: Vec<_> =
                slices.iter().map(|message| expected(algorithm, message, len)).collect();
            let check = |got: &[Vec<u8>], how: &str| {
                assert_eq!(got.len(), expected.len());
                for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
                    let (count, bytes) = (slices.len(), slices[i].len());
                    let what = format_args!(
                        "{algorithm}, {backend}, {how}, message {i} of {count}, {bytes} bytes"
                    );
                    same(got, expected, what);
                }
            };
            check(&typed::many(algorithm, &slices, len), "many");
            check(&typed::plain(algorithm).finish_many(&slices, len), "finish_many");
            check(
                &typed::offsets(algorithm, &slices, len).expect("offsets in order"),
                "many with offsets",
            );
            let rounds = rounds(&mut random, &slices);
            check(&typed::plain(algorithm).update_many(&rounds, len), "update_many");
            let mut digests = vec![VarDigest::default(); slices.len()];
            algorithm.hash_many(&slices, &mut digests);
            for (digest, message) in digests.iter().zip(&slices) {
                let expected = peer(algorithm, message, algorithm.output_len());
                same(digest, &expected, format_args!("{algorithm}, {backend}, hash_many"));
            }
        }
    });
}

#[test]
fn many_messages_after_a_common_beginning() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(11);
        let (block, stride) = (algorithm.block_len(), stride(algorithm));
        let edges = [0, 1, 17, block - 1, block, stride, stride + block, 2 * stride, 3 * stride];
        for number in 21..40 {
            let most = edges.get(number - 21).copied().unwrap_or_else(|| random.up_to(4 * stride));
            let beginning = random.bytes(most);
            let messages = batch(algorithm, &mut random, number);
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut hasher = typed::plain(algorithm);
            hasher.update(&beginning);
            let len = algorithm.output_len();
            let (values, offsets) = typed::flatten(&slices);
            let ways = [
                ("finish_many", hasher.finish_many(&slices, len)),
                ("with offsets", hasher.finish_offsets(&values, &offsets, len)),
                ("update_many", hasher.update_many(&rounds(&mut random, &slices), len)),
            ];
            for (i, message) in slices.iter().enumerate() {
                let expected = peer(algorithm, &[&beginning[..], message].concat(), len);
                for (how, digests) in &ways {
                    let len = message.len();
                    let what = format_args!("{algorithm}, {backend}, {how}, {len} after {most}");
                    same(&digests[i], &expected, what);
                }
            }
        }
    });
}

#[test]
fn rows_of_every_width() {
    backends::each(|algorithm, backend| {
        let mut random = Random::new(13);
        let block = algorithm.block_len();
        let beginning = random.some_bytes(2 * block);
        let mut hasher = typed::plain(algorithm);
        hasher.update(&beginning);
        for width in [1, 8, 20, 32, 33, 55, 56, 64, block - 1, block, block + 1, 1000] {
            let count = random.up_to(70);
            let values = random.bytes(width * count);
            let len = if algorithm.is_xof() { random.up_to(400) } else { algorithm.output_len() };
            let plain = typed::rows_of(algorithm, &values, width, len).expect("whole rows");
            let prefixed = hasher.finish_rows(&values, width, len);
            assert_eq!([plain.len(), prefixed.len()], [values.len() / width; 2]);
            for (i, row) in values.chunks(width).enumerate() {
                let what = format_args!("{algorithm}, {backend}, row {i} of {width} bytes");
                same(&plain[i], &peer(algorithm, row, len), what);
                let whole = [&beginning[..], row].concat();
                same(&prefixed[i], &peer(algorithm, &whole, len), what);
            }
        }
    });
}

/// Hashers of all algorithms in one array, in any order.
#[test]
fn hashers_chosen_at_run_time_side_by_side() {
    for name in backends::available() {
        let _forced = backends::force(name);
        let mut random = Random::new(14);
        for count in [0, 1, 5, 300, 600] {
            let algorithms: Vec<Algorithm> = (0..count)
                .map(|_| Algorithm::ALL[random.up_to(Algorithm::ALL.len() - 1)])
                .collect();
            let messages: Vec<Vec<u8>> = (0..count).map(|_| random.some_bytes(2000)).collect();
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut hashers: Vec<AnyHasher> = algorithms.iter().map(|a| a.hasher()).collect();
            for pieces in rounds(&mut random, &slices) {
                AnyHasher::update_many(&mut hashers, &pieces);
            }
            for ((algorithm, hasher), message) in algorithms.iter().zip(&hashers).zip(slices) {
                let expected = peer(*algorithm, message, algorithm.output_len());
                same(&hasher.finalize(), &expected, format_args!("{algorithm}, {name}"));
            }
        }
    }
}

#[test]
fn xofs_and_fixed_lengths_are_told_apart() {
    for algorithm in extendable() {
        assert!(algorithm.hasher().finalize_into(&mut [0; 1]).is_ok(), "{algorithm}");
    }
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.is_xof()) {
        let mut out = vec![0; algorithm.output_len() + 1];
        assert!(algorithm.hasher().finalize_into(&mut out).is_err(), "{algorithm}");
        out.truncate(algorithm.output_len() - 1);
        assert!(algorithm.hasher().finalize_into(&mut out).is_err(), "{algorithm}");
    }
}
