//! Agreement with the reference.

use super::{Function, Input, RATES, on_every_backend};
use crate::common::answer::ptn;
use crate::common::random::Random;
use hashmill::{Customization, FunctionName};

/// §3.3: with neither name nor customization string cSHAKE is SHAKE.
#[test]
fn cshake_without_strings_is_shake() {
    for len in [0, 1, 135, 136, 167, 168, 500] {
        let message = ptn(len);
        assert_eq!(
            hashmill::cshake128::<99>(&message, FunctionName(b""), Customization(b"")),
            hashmill::shake128(&message)
        );
        assert_eq!(
            hashmill::cshake256::<99>(&message, FunctionName(b""), Customization(b"")),
            hashmill::shake256(&message)
        );
    }
}

/// §2.3.3: strings of every length from 0 to two blocks. To these, `bytepad` adds every possible
/// number of bytes, including none.
#[test]
fn bytepad_of_every_length() {
    on_every_backend(|backend| {
        for (strength, rate) in RATES {
            let string = ptn(2 * rate + 3);
            for len in 0..=2 * rate + 3 {
                let varied = string[..len].to_vec();
                for fixed in [0, 1, 31, 32, rate - 6, rate] {
                    let fixed = string[..fixed].to_vec();
                    for (name, custom) in [(&varied, &fixed), (&fixed, &varied)] {
                        let function = Function::CShake { name: name.clone() };
                        let input = Input::new(function, strength, *b"message", 40);
                        let input = Input { custom: custom.clone(), ..input };
                        input.check(&input.reference(), backend);
                    }
                }
                for custom in [0, 7, rate - 9, rate] {
                    let function = Function::Kmac { key: varied.clone() };
                    let input = Input::new(function, strength, *b"message", 32);
                    let input = Input { custom: string[..custom].to_vec(), ..input };
                    input.check(&input.reference(), backend);
                }
                for function in [Function::TupleHash, Function::ParallelHash { block_len: 8 }] {
                    let input = Input::new(function, strength, *b"message", 32);
                    let input = Input { custom: varied.clone(), ..input };
                    input.check(&input.reference(), backend);
                }
            }
        }
    });
}

/// KMAC appends the encoded length of the output to the message. The lengths of these messages are
/// such that the encoding crosses the end of a block, and the outputs' lengths are encoded in one,
/// two and three bytes.
#[test]
fn kmac_around_the_ends_of_blocks() {
    on_every_backend(|backend| {
        for (strength, rate) in RATES {
            for len in (0..12).chain(rate - 12..rate + 3).chain(2 * rate - 12..2 * rate + 3) {
                for output_len in [1, 31, 32, 8192] {
                    for xof in [false, true] {
                        let function = Function::Kmac { key: ptn(32) };
                        let input = Input::new(function, strength, ptn(len), output_len);
                        let input = Input { xof, ..input };
                        input.check(&input.reference(), backend);
                    }
                }
            }
        }
    });
}

fn random_input(random: &mut Random, strength: u32, rate: usize) -> Input {
    let function = match random.up_to(3) {
        0 => Function::CShake { name: random.some_bytes(20) },
        1 => Function::Kmac { key: random.some_bytes(2 * rate) },
        2 => Function::TupleHash,
        _ => {
            let block_len = [1, 2, 7, 8, 63, 64, 167, 168, 169, 1000, 8192, isize::MAX as usize]
                [random.up_to(11)];
            Function::ParallelHash { block_len }
        }
    };
    // With blocks of one byte, each byte costs a hash.
    let most = match function {
        Function::ParallelHash { block_len } => (block_len.min(10_000) * 20).min(40_000),
        _ => 1500,
    };
    let message =
        if function == Function::TupleHash { Vec::new() } else { random.some_bytes(most) };
    let tuple = match function {
        Function::TupleHash => (0..random.up_to(6)).map(|_| random.some_bytes(400)).collect(),
        _ => Vec::new(),
    };
    let len = [32, random.up_to(400)][random.up_to(1)];
    let input = Input::new(function, strength, message, len);
    Input { xof: random.up_to(1) == 1, custom: random.some_bytes(40), tuple, ..input }
}

#[test]
fn random_inputs() {
    on_every_backend(|backend| {
        let mut random = Random::new(3);
        for (strength, rate) in RATES {
            for _ in 0..300 {
                let input = random_input(&mut random, strength, rate);
                input.check(&input.reference(), backend);
            }
        }
    });
}

/// Numbers of blocks around the number of lanes and around the number hashed at once, after a first
/// update of several lengths.
#[test]
fn parallel_hash_of_many_blocks() {
    on_every_backend(|backend| {
        for (strength, _) in RATES {
            for block_len in [1, 100, 168, 1000] {
                for blocks in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 129] {
                    for extra in [0, 1] {
                        let message = ptn(blocks * block_len + extra);
                        let function = Function::ParallelHash { block_len };
                        let input = Input::new(function, strength, message.clone(), 32);
                        let expected = input.reference();
                        let what =
                            format!("{strength}, {backend}, {blocks} × {block_len} + {extra}");
                        for first in [0, 1, block_len - 1, block_len, block_len + 1] {
                            let (head, rest) = message.split_at(first.min(message.len()));
                            with!(strength, Type = ParallelHash128 | ParallelHash256 => {
                                let mut hash = Type::new(block_len, b"").expect("a length of blocks");
                                let digest = hash.update(head).update(rest).finalize::<32>();
                                assert_eq!(digest[..], expected, "{what}, the first {first}");
                            });
                        }
                    }
                }
            }
        }
    });
}

/// The outputs of many messages of mixed lengths, after a common prefix, which is TupleHash's first
/// element.
#[test]
fn many_messages() {
    on_every_backend(|backend| {
        let mut random = Random::new(5);
        for (count, most) in [(0, 0), (1, 500), (9, 0), (33, 32), (100, 700), (20, 168)] {
            for (strength, rate) in RATES {
                let messages: Vec<Vec<u8>> = (0..count).map(|_| random.some_bytes(most)).collect();
                for start in [0, 1, rate - 10, rate - 1, rate, rate + 5] {
                    let (key, custom, start) = (random.bytes(32), random.some_bytes(9), ptn(start));
                    let len = 1 + random.up_to(300);
                    let mut tags = vec![0; count * len];
                    let (mut outputs, mut tuples, mut trees) =
                        (tags.clone(), tags.clone(), tags.clone());
                    with!(strength, Type = Kmac128 | Kmac256 => {
                        let mut kmac = Type::new(&key, Customization(&custom));
                        kmac.update(&start).hash_many(&messages, &mut tags).expect("room for each");
                    });
                    with!(strength, Type = CShake128 | CShake256 => {
                        let mut cshake = Type::new(FunctionName(&key), Customization(&custom));
                        cshake.update(&start).hash_many(&messages, &mut outputs).expect("room for each");
                    });
                    with!(strength, Type = TupleHash128 | TupleHash256 => {
                        let mut tuple = Type::new(&custom);
                        tuple.element(&start).hash_many(&messages, &mut tuples).expect("room for each");
                    });
                    let block_len = 1 + random.up_to(200);
                    with!(strength, Type = ParallelHash128 | ParallelHash256 => {
                        let mut tree = Type::new(block_len, &custom).expect("a length of blocks");
                        tree.update(&start).hash_many(&messages, &mut trees).expect("room for each");
                    });
                    for (i, message) in messages.iter().enumerate() {
                        let what = format!("{strength}, {backend}, {count} messages, {i}");
                        let tuple = vec![start.clone(), message.clone()];
                        let message = tuple.concat();
                        for (function, got) in [
                            (Function::Kmac { key: key.clone() }, &tags),
                            (Function::CShake { name: key.clone() }, &outputs),
                            (Function::TupleHash, &tuples),
                            (Function::ParallelHash { block_len }, &trees),
                        ] {
                            let input = Input::new(function, strength, message.clone(), len);
                            let (custom, tuple) = (custom.clone(), tuple.clone());
                            let input = Input { custom, tuple, ..input };
                            assert_eq!(
                                got[i * len..][..len],
                                input.reference(),
                                "{what}: {input:?}"
                            );
                        }
                    }
                }
            }
        }
    });
}
