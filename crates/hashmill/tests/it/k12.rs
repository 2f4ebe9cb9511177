//! KT128 and KT256: published answers, and agreement with the reference around the chunks' ends, on
//! every backend of this machine.

use crate::common::answer::{bytes, hex, ptn};
use crate::common::backends;
use crate::common::published::shared;
use crate::common::random::Random;
use hashmill::{Algorithm, Customization, Error, Kt128, Kt256, XofReader};
use hashmill_reference::k12;
use serde_json::Value;

/// RFC 9861 §3.2.
const CHUNK: usize = 8192;

/// Calls `test` with each backend that Keccak has on this machine, forced.
fn on_every_backend(test: impl FnMut(&str)) {
    backends::each_of(Algorithm::TurboShake128, test);
}

/// One of the two functions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kt {
    Kt128,
    Kt256,
}

use Kt::{Kt128 as K128, Kt256 as K256};

macro_rules! with {
    ($kt:expr, $Type:ident => $body:expr) => {
        match $kt {
            K128 => {
                type $Type = Kt128;
                $body
            }
            K256 => {
                type $Type = Kt256;
                $body
            }
        }
    };
}

fn read(mut reader: XofReader, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    reader.fill(&mut out);
    out
}

fn one_call(kt: Kt, message: &[u8], customization: &[u8]) -> [u8; 64] {
    match kt {
        K128 => hashmill::kt128(message, Customization(customization)).into(),
        K256 => hashmill::kt256(message, Customization(customization)).into(),
    }
}

fn in_pieces(kt: Kt, pieces: &[&[u8]], customization: &[u8], len: usize) -> Vec<u8> {
    with!(kt, Type => {
        let mut hasher = Type::new();
        for piece in pieces {
            hasher.update(piece);
        }
        read(hasher.squeeze_custom(customization), len)
    })
}

fn many(kt: Kt, beginning: &[u8], messages: &[&[u8]], len: usize) -> Vec<Vec<u8>> {
    let mut out = vec![0; messages.len() * len];
    with!(kt, Type => Type::new().update(beginning).hash_many(messages, &mut out))
        .expect("as many bytes for each message");
    out.chunks(len).map(<[u8]>::to_vec).collect()
}

fn reference(kt: Kt, message: &[u8], customization: &[u8], len: usize) -> Vec<u8> {
    match kt {
        K128 => k12::kt128(message, customization, len),
        K256 => k12::kt256(message, customization, len),
    }
}

/// Checks an answer through every interface.
fn check(kt: Kt, message: &[u8], customization: &[u8], output: &[u8], what: &str) {
    let what = format!(
        "{kt:?}, {what}, {} bytes, customization of {}",
        message.len(),
        customization.len()
    );
    let len = output.len();
    let mut random = Random::new(message.len() as u64);
    assert_eq!(in_pieces(kt, &[message], customization, len), output, "{what}");
    let pieces = random.pieces(message, 3 * CHUNK);
    assert_eq!(in_pieces(kt, &pieces, customization, len), output, "{what}, in pieces");
    let absorbed = with!(kt, Type => {
        let mut hasher = Type::new();
        hasher.update(message).update(customization);
        read(hasher.squeeze_after_custom(customization.len() as u64), len)
    });
    assert_eq!(absorbed, output, "{what}, with the customization string absorbed before");
    let first = len.min(64);
    let start = one_call(kt, message, customization);
    assert_eq!(start[..first], output[..first], "{what}, in one call");
    if customization.is_empty() {
        for output_of in many(kt, b"", &[message, b"another", message], len).iter().step_by(2) {
            assert_eq!(output_of, output, "{what}, many");
        }
    }
}

/// An answer: function, message, customization, output length, and the end of the output.
type Listed = (Kt, Vec<u8>, Vec<u8>, usize, Vec<u8>);

/// Returns the answers in a list of tests whose names begin with "KT".
fn listed(text: &str) -> Vec<Listed> {
    let root: Value = serde_json::from_str(text).expect("JSON");
    let tests = root["tests"].as_array().expect("tests");
    let answer = |test: &Value| {
        let kt = match test["alg"].as_str()?.to_ascii_lowercase().as_str() {
            "kt128" => K128,
            "kt256" => K256,
            _ => return None,
        };
        let len = test["outLen"].as_u64().expect("a length") as usize;
        let output = hex(test["out"].as_str().expect("an output"));
        Some((kt, bytes(&test["msg"]), bytes(&test["custom"]), len, output))
    };
    tests.iter().filter_map(answer).collect()
}

#[test]
fn published_answers() {
    let answers = ["rfc9861/rfc9861.json.gz", "generated/generated.json.gz"]
        .into_iter()
        .filter_map(shared)
        .flat_map(|text| listed(&text))
        .collect::<Vec<_>>();
    on_every_backend(|backend| {
        for (kt, message, customization, len, output) in &answers {
            let whole = in_pieces(*kt, &[message], customization, *len);
            let end = &whole[len - output.len()..];
            assert_eq!(end, output, "{kt:?}, {backend}, {} bytes", message.len());
            check(*kt, message, customization, &whole, backend);
        }
    });
    println!("{} answers of RFC 9861 and of this project", answers.len());
}

/// The Keccak Team's KangarooTwelve.txt, whose function is KT128.
#[test]
fn keccak_team_answers() {
    let Some(text) = shared("xkcp/KangarooTwelve.txt.gz") else { return };
    let power = |text: &str| -> usize {
        let (base, exponent) = text.split_once('^').expect("a power");
        base.parse::<usize>().expect("a base").pow(exponent.parse().expect("an exponent"))
    };
    let string = |text: &str| -> Vec<u8> {
        let after = |text: &str, start: &str| text.strip_prefix(start).map(str::to_owned);
        if let Some(rest) = after(text, "pattern 0x00 to 0xFA for ") {
            ptn(power(rest.trim_end_matches(" bytes")))
        } else if let Some((count, _)) = text.split_once(" times byte 0xFF") {
            vec![0xFF; count.parse().expect("a count")]
        } else {
            assert_eq!(text, "empty");
            Vec::new()
        }
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let answers: Vec<_> = lines
        .chunks_exact(2)
        .map(|pair| {
            let inner = pair[0].strip_prefix("KangarooTwelve(M=").expect("a call");
            let (message, rest) = inner.split_once(", C=").expect("a customization string");
            let (customization, rest) = rest.split_once(", ").expect("a length");
            let (len, _) = rest.split_once(" bytes)").expect("a length");
            let output = hex(&pair[1].replace(' ', ""));
            (
                string(message),
                string(customization),
                len.parse::<usize>().expect("a number"),
                output,
            )
        })
        .collect();
    assert_eq!(answers.len(), 14);
    on_every_backend(|backend| {
        for (message, customization, len, output) in &answers {
            let whole = in_pieces(K128, &[message], customization, *len);
            let what = format!("{backend}, {} bytes", message.len());
            assert_eq!(&whole[len - output.len()..], output, "{what}");
        }
    });
}

/// RFC 9861 §5: the answers of 32 bytes (64 bytes for KT256), for messages of up to 17^4 bytes.
#[test]
fn printed_answers() {
    #[rustfmt::skip]
    let answers = [
        (K128, ptn(0), ptn(0), "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5"),
        (K128, ptn(1), ptn(0), "2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f"),
        (K128, ptn(17), ptn(0), "6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888"),
        (K128, ptn(289), ptn(0), "0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c"),
        (K128, ptn(4913), ptn(0), "cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0"),
        (K128, ptn(83521), ptn(0), "8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe"),
        (K128, ptn(0), ptn(1), "fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583"),
        (K128, vec![0xFF; 1], ptn(41), "d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4"),
        (K128, vec![0xFF; 3], ptn(1681), "c389e5009ae57120854c2e8c64670ac01358cf4c1baf89447a724234dc7ced74"),
        (K128, vec![0xFF; 7], ptn(68921), "75d2f86a2e644566726b4fbcfc5657b9dbcf070c7b0dca06450ab291d7443bcf"),
        (K128, ptn(8191), ptn(0), "1b577636f723643e990cc7d6a659837436fd6a103626600eb8301cd1dbe553d6"),
        (K128, ptn(8192), ptn(0), "48f256f6772f9edfb6a8b661ec92dc93b95ebd05a08a17b39ae3490870c926c3"),
        (K128, ptn(8192), ptn(8189), "3ed12f70fb05ddb58689510ab3e4d23c6c6033849aa01e1d8c220a297fedcd0b"),
        (K128, ptn(8192), ptn(8190), "6a7c1b6a5cd0d8c9ca943a4a216cc64604559a2ea45f78570a15253d67ba00ae"),
        (K256, ptn(0), ptn(0), "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9"),
        (K256, ptn(1), ptn(0), "0d005a194085360217128cf17f91e1f71314efa5564539d444912e3437efa17f82db6f6ffe76e781eaa068bce01f2bbf81eacb983d7230f2fb02834a21b1ddd0"),
        (K256, ptn(17), ptn(0), "1ba3c02b1fc514474f06c8979978a9056c8483f4a1b63d0dccefe3a28a2f323e1cdcca40ebf006ac76ef0397152346837b1277d3e7faa9c9653b19075098527b"),
        (K256, ptn(289), ptn(0), "de8ccbc63e0f133ebb4416814d4c66f691bbf8b6a61ec0a7700f836b086cb029d54f12ac7159472c72db118c35b4e6aa213c6562caaa9dcc518959e69b10f3ba"),
        (K256, ptn(4913), ptn(0), "647efb49fe9d717500171b41e7f11bd491544443209997ce1c2530d15eb1ffbb598935ef954528ffc152b1e4d731ee2683680674365cd191d562bae753b84aa5"),
        (K256, ptn(83521), ptn(0), "b06275d284cd1cf205bcbe57dccd3ec1ff6686e3ed15776383e1f2fa3c6ac8f08bf8a162829db1a44b2a43ff83dd89c3cf1ceb61ede659766d5ccf817a62ba8d"),
        (K256, ptn(0), ptn(1), "9280f5cc39b54a5a594ec63de0bb99371e4609d44bf845c2f5b8c316d72b159811f748f23e3fabbe5c3226ec96c62186df2d33e9df74c5069ceecbb4dd10eff6"),
        (K256, vec![0xFF; 1], ptn(41), "47ef96dd616f200937aa7847e34ec2feae8087e3761dc0f8c1a154f51dc9ccf845d7adbce57ff64b639722c6a1672e3bf5372d87e00aff89be97240756998853"),
        (K256, vec![0xFF; 3], ptn(1681), "3b48667a5051c5966c53c5d42b95de451e05584e7806e2fb765eda959074172cb438a9e91dde337c98e9c41bed94c4e0aef431d0b64ef2324f7932caa6f54969"),
        (K256, vec![0xFF; 7], ptn(68921), "e0911cc00025e1540831e266d94add9b98712142b80d2629e643aac4efaf5a3a30a88cbf4ac2a91a2432743054fbcc9897670e86ba8cec2fc2ace9c966369724"),
        (K256, ptn(8191), ptn(0), "3081434d93a4108d8d8a3305b89682cebedc7ca4ea8a3ce869fbb73cbe4a58eef6f24de38ffc170514c70e7ab2d01f03812616e863d769afb3753193ba045b20"),
        (K256, ptn(8192), ptn(0), "c6ee8e2ad3200c018ac87aaa031cdac22121b412d07dc6e0dccbb53423747e9a1c18834d99df596cf0cf4b8dfafb7bf02d139d0c9035725adc1a01b7230a41fa"),
        (K256, ptn(8192), ptn(8189), "74e47879f10a9c5d11bd2da7e194fe57e86378bf3c3f7448eff3c576a0f18c5caae0999979512090a7f348af4260d4de3c37f1ecaf8d2c2c96c1d16c64b12496"),
        (K256, ptn(8192), ptn(8190), "f4b5908b929ffe01e0f79ec2f21243d41a396b2e7303a6af1d6399cd6c7a0a2dd7c4f607e8277f9c9b1cb4ab9ddc59d4b92d1fc7558441f1832c3279a4241b8b"),
    ];
    on_every_backend(|backend| {
        for (kt, message, customization, output) in &answers {
            check(*kt, message, customization, &hex(output), backend);
        }
    });
}

/// S is the message, the customization string and the string's encoded length. The message and the
/// string have lengths with which S fills one, two or three chunks, or has one byte less or more.
#[test]
fn around_the_ends_of_chunks() {
    on_every_backend(|backend| {
        for kt in [K128, K256] {
            for chunks in 0..3 {
                for customization_len in [0, 1, 255, 256, CHUNK - 3, CHUNK - 1, CHUNK, CHUNK + 1] {
                    let encoded = match customization_len {
                        0 => 1,
                        1..=255 => 2,
                        _ => 3,
                    };
                    let customization = ptn(customization_len);
                    // The messages with which S ends one byte before the end of a chunk, at the
                    // end, and one byte after it.
                    for away in 0..3 {
                        let end = (chunks + 1) * CHUNK + away;
                        let Some(len) = end.checked_sub(customization_len + encoded + 1) else {
                            continue;
                        };
                        let message = ptn(len);
                        let output = reference(kt, &message, &customization, 70);
                        check(kt, &message, &customization, &output, backend);
                    }
                }
                // The message itself ends around the end of a chunk: 8191, 8192, 8193, …
                for len in (chunks + 1) * CHUNK - 2..=(chunks + 1) * CHUNK + 2 {
                    let message = ptn(len);
                    check(kt, &message, b"", &reference(kt, &message, b"", 70), backend);
                }
            }
        }
    });
}

/// S consists of the customization string, or of a message of one byte and that string.
#[test]
fn long_customization_strings() {
    on_every_backend(|backend| {
        for kt in [K128, K256] {
            for (message_len, customization_len) in
                [(0, 2 * CHUNK - 3), (0, 2 * CHUNK), (0, 9 * CHUNK + 5), (1, 9 * CHUNK)]
            {
                let (message, customization) = (ptn(message_len), ptn(customization_len));
                let output = reference(kt, &message, &customization, 70);
                check(kt, &message, &customization, &output, backend);
            }
        }
    });
}

/// Numbers of chunks around the number of lanes and around the number hashed at once, after a first
/// update of several lengths.
#[test]
fn numbers_of_chunks() {
    on_every_backend(|backend| {
        for kt in [K128, K256] {
            let message = ptn(132 * CHUNK);
            for chunks in
                [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 18, 32, 33, 34, 63, 64, 65, 66, 129, 130]
            {
                for extra in [0, 1, 5000] {
                    let message = &message[..chunks * CHUNK + extra];
                    let expected = reference(kt, message, b"", 32);
                    let what = format!("{kt:?}, {backend}, {chunks} chunks and {extra} bytes");
                    for first in [0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1] {
                        let (head, rest) = message.split_at(first.min(message.len()));
                        let output = in_pieces(kt, &[head, rest], b"", 32);
                        assert_eq!(output, expected, "{what}, the first update of {first}");
                    }
                }
            }
        }
    });
}

/// Messages that are cut near the ends of chunks, once and twice.
#[test]
fn cuts() {
    on_every_backend(|backend| {
        for kt in [K128, K256] {
            let message = ptn(4 * CHUNK + 77);
            let expected = reference(kt, &message, b"C", 40);
            let cuts: Vec<usize> = (0..5)
                .flat_map(|chunk| {
                    let end: usize = chunk * CHUNK;
                    let rates = [168, 136, 169].map(|rate| end + rate);
                    (end.saturating_sub(3)..end + 4).chain(rates)
                })
                .filter(|&cut| cut <= message.len())
                .collect();
            for &cut in &cuts {
                let (a, b) = message.split_at(cut);
                assert_eq!(in_pieces(kt, &[a, b], b"C", 40), expected, "{kt:?}, {backend}, {cut}");
                for &other in cuts.iter().filter(|&&other| other >= cut).step_by(3) {
                    let (b, c) = b.split_at(other - cut);
                    let output = in_pieces(kt, &[a, b, c], b"C", 40);
                    assert_eq!(output, expected, "{kt:?}, {backend}, {cut} and {other}");
                }
            }
        }
    });
}

#[test]
fn random_messages() {
    on_every_backend(|backend| {
        let mut random = Random::new(1);
        for round in 0..40 {
            for kt in [K128, K256] {
                let message = random.some_bytes([200, CHUNK, 5 * CHUNK, 40 * CHUNK][round % 4]);
                let customization = random.some_bytes([0, 0, 300, 2 * CHUNK][round / 4 % 4]);
                let len = 1 + random.up_to(700);
                let output = reference(kt, &message, &customization, len);
                check(kt, &message, &customization, &output, backend);
            }
        }
    });
}

#[test]
fn many_messages() {
    on_every_backend(|backend| {
        let mut random = Random::new(2);
        // The last ones do not fit in one batch of trees, and contain longer messages than that.
        for (count, most) in [
            (0, 0),
            (1, 10),
            (7, 0),
            (40, 32),
            (300, 700),
            (600, 64),
            (9, CHUNK),
            (20, 3 * CHUNK),
            (70, 4 * CHUNK),
            (9, 40 * CHUNK),
        ] {
            for kt in [K128, K256] {
                // Some messages are just short enough for a single chunk, or just too long.
                let message = |i: usize, random: &mut Random| match i % 11 {
                    5 if most >= CHUNK => ptn(most / CHUNK * CHUNK - 2 + i % 3),
                    _ => random.some_bytes(most),
                };
                let messages: Vec<Vec<u8>> = (0..count).map(|i| message(i, &mut random)).collect();
                let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
                for beginning in [0, 1, 168, 300, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 9] {
                    let beginning = ptn(beginning);
                    let len = 1 + random.up_to(200);
                    let outputs = many(kt, &beginning, &slices, len);
                    assert_eq!(outputs.len(), count);
                    for (message, output) in slices.iter().zip(outputs) {
                        let expected = in_pieces(kt, &[&beginning, message], b"", len);
                        let what = format!("{kt:?}, {backend}, {count} messages");
                        let (a, b) = (beginning.len(), message.len());
                        assert_eq!(output, expected, "{what}, {a} + {b} bytes");
                    }
                }
            }
        }
    });
}

#[test]
fn absorbing_goes_on_after_an_output() {
    for kt in [K128, K256] {
        let message = ptn(3 * CHUNK);
        with!(kt, Type => {
            let mut hasher = Type::new();
            for (done, piece) in message.chunks(1500).enumerate() {
                let so_far = &message[..done * 1500];
                let output = read(hasher.squeeze_custom(b"between"), 32);
                assert_eq!(output, reference(kt, so_far, b"between", 32), "{kt:?}, after {done}");
                hasher.update(piece);
            }
            let collected: Type = message.iter().collect();
            let output = read(collected.clone().squeeze(), 32);
            assert_eq!(output, reference(kt, &message, b"", 32));
            let mut copied = Type::default();
            std::io::copy(&mut &message[..], &mut copied).expect("a slice can be read");
            assert_eq!(read(copied.squeeze(), 32), output);
            let name = if kt == K128 { "KT128" } else { "KT256" };
            assert_eq!(format!("{copied:?}"), format!("{name} {{ .. }}"));
        });
    }
}

#[test]
fn too_little_room_for_many() {
    let mut out = [7; 63];
    let refused = Kt128::new().hash_many(["a", "b"], &mut out);
    let expected = Err(Error::OutputLength { given: 63, expected: 64 });
    assert_eq!((refused, out), (expected, [7; 63]));
}
