//! HKDF and PBKDF2: published answers, and agreement with the reference for every hash function with
//! HMAC, on every backend of this machine.

use crate::common::answer::{hex, to_hex};
use crate::common::published::{json, list, number, shared, text};
use crate::common::random::Random;
use crate::common::{backends, long, reference};
use hashmill::many::{Column, Hex, Messages, Rows};
use hashmill::{Algorithm, Error, Hasher, Hkdf, Salt, Sha256, pbkdf2, pbkdf2_many};
use hashmill_reference as standards;
use std::collections::BTreeMap;

/// Calls `test` with every algorithm with HMAC on each of its backends.
fn on_every_backend(mut test: impl FnMut(Algorithm, &str)) {
    backends::each(|algorithm, backend| {
        if algorithm.has_hmac() {
            test(algorithm, backend);
        }
    });
}

#[derive(Clone, Debug)]
struct HkdfInput {
    algorithm: Algorithm,
    salt: Vec<u8>,
    key_material: Vec<u8>,
    info: Vec<u8>,
}

impl HkdfInput {
    /// Returns PRK and OKM.
    fn derive(&self, len: usize) -> (Vec<u8>, Result<Vec<u8>, Error>) {
        with!(self.algorithm, H => {
            let prk = Hkdf::<H>::extract(Salt(&self.salt), &self.key_material);
            let hkdf = Hkdf::<H>::new(Salt(&self.salt), &self.key_material);
            let mut okm = vec![0xA5; len];
            let expanded = hkdf.expand(&self.info, &mut okm);
            let mut again = vec![0; len];
            let from_prk = Hkdf::<H>::from_prk(prk.as_ref()).expect("as long as a digest");
            assert_eq!(from_prk.expand(&self.info, &mut again), expanded, "{self:?}");
            if expanded.is_ok() {
                assert_eq!(again, okm, "from PRK: {self:?}");
            } else {
                assert_eq!(okm, vec![0xA5; len], "output was written despite an error");
            }
            (prk.as_ref().to_vec(), expanded.map(|()| okm))
        })
    }

    fn reference(&self, len: usize) -> (Vec<u8>, Vec<u8>) {
        let hmac = |key: &[u8], message: &[u8]| reference::hmac(self.algorithm, key, message);
        let prk = standards::hkdf::extract(hmac, &self.salt, &self.key_material);
        let okm = standards::hkdf::expand(hmac, &prk, &self.info, len);
        (prk, okm)
    }
}

#[derive(Clone, Debug)]
struct Pbkdf2Input {
    algorithm: Algorithm,
    password: Vec<u8>,
    salt: Vec<u8>,
    iterations: u32,
}

impl Pbkdf2Input {
    fn derive(&self, len: usize) -> Vec<u8> {
        let mut key = vec![0xA5; len];
        with!(self.algorithm, H => {
            pbkdf2::<H>(&self.password, Salt(&self.salt), self.iterations, &mut key).expect("iterations");
        });
        key
    }

    fn reference(&self, len: usize) -> Vec<u8> {
        let hmac = |key: &[u8], message: &[u8]| reference::hmac(self.algorithm, key, message);
        standards::pbkdf2::pbkdf2(hmac, &self.password, &self.salt, self.iterations, len)
    }
}

/// Derives in one call the keys of inputs that have the same algorithm and number of iterations.
fn derive_many(inputs: &[Pbkdf2Input], len: usize) -> Vec<Vec<u8>> {
    let Some(first) = inputs.first() else { return Vec::new() };
    let mut keys = vec![0xA5; inputs.len() * len];
    let passwords: Vec<&[u8]> = inputs.iter().map(|input| &input.password[..]).collect();
    let salts: Vec<&[u8]> = inputs.iter().map(|input| &input.salt[..]).collect();
    with!(first.algorithm, H => {
        pbkdf2_many::<H>(&passwords, Salt(&salts), first.iterations, len, &mut keys)
            .expect("iterations");
    });
    (0..inputs.len()).map(|i| keys[i * len..][..len].to_vec()).collect()
}

/// Checks the key of each input by itself, and of all inputs together that one call accepts.
fn check_pbkdf2(answers: &[(Pbkdf2Input, Vec<u8>)]) {
    let mut groups: BTreeMap<_, Vec<&(Pbkdf2Input, Vec<u8>)>> = BTreeMap::new();
    for answer in answers {
        let (input, key) = answer;
        groups.entry((input.algorithm, input.iterations, key.len())).or_default().push(answer);
        backends::each_of(input.algorithm, |backend| {
            // Chains of thousands take most of the time, and all of them run in lanes below.
            if input.iterations < 1000 || backend == backends::DEFAULT || long() {
                assert_eq!(&input.derive(key.len()), key, "{backend}: {input:?}");
            }
        });
    }
    for ((algorithm, _, len), group) in groups {
        let inputs: Vec<Pbkdf2Input> = group.iter().map(|(input, _)| input.clone()).collect();
        backends::each_of(algorithm, |backend| {
            for ((input, key), derived) in group.iter().zip(derive_many(&inputs, len)) {
                assert_eq!(&derived, key, "{backend}, one of {}: {input:?}", inputs.len());
            }
        });
    }
}

/// RFC 5869, appendix A: the answers with SHA-256.
#[test]
fn rfc_5869() {
    let run = |first: u8, last: u8| (first..=last).collect::<Vec<u8>>();
    #[rustfmt::skip]
    let answers = [
        (vec![0x0B; 22], run(0x00, 0x0C), run(0xF0, 0xF9),
         "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
         "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        (run(0x00, 0x4F), run(0x60, 0xAF), run(0xB0, 0xFF),
         "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
         "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e59\
          0e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        (vec![0x0B; 22], vec![], vec![],
         "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
         "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ];
    for (key_material, salt, info, prk, okm) in answers {
        let input = HkdfInput { algorithm: Algorithm::Sha256, salt, key_material, info };
        let okm = hex(okm);
        backends::each_of(Algorithm::Sha256, |_| {
            assert_eq!(input.derive(okm.len()), (hex(prk), Ok(okm.clone())));
        });
    }
}

/// RFC 7914 §11: PBKDF2 with HMAC-SHA-256.
#[test]
fn rfc_7914() {
    let input = |password: &str, salt: &str, iterations| Pbkdf2Input {
        algorithm: Algorithm::Sha256,
        password: password.into(),
        salt: salt.into(),
        iterations,
    };
    check_pbkdf2(&[
        (
            input("passwd", "salt", 1),
            hex("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc\
                 49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
        ),
        (
            input("Password", "NaCl", 80000),
            hex("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56\
                 a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
        ),
    ]);
}

/// Files in CAVP's format.
#[test]
fn hkdf_files() {
    for file in ["rfc-5869-HKDF-SHA256", "hkdf-generated"] {
        let Some(file) = shared(&format!("cavp/{file}.txt.gz")) else { return };
        let mut values = BTreeMap::new();
        let mut count = 0;
        for line in file.lines() {
            let Some((name, value)) = line.split_once('=') else { continue };
            values.insert(name.trim(), value.trim());
            if name.trim() != "OKM" {
                continue;
            }
            let input = HkdfInput {
                algorithm: values["Hash"].parse().expect("a hash function"),
                salt: hex(values["salt"]),
                key_material: hex(values["IKM"]),
                info: hex(values["info"]),
            };
            let okm = hex(values["OKM"]);
            assert_eq!(values["L"].parse(), Ok(okm.len()));
            backends::each_of(input.algorithm, |backend| {
                let (prk, derived) = input.derive(okm.len());
                assert_eq!(derived, Ok(okm.clone()), "{backend}: {input:?}");
                if let Some(expected) = values.get("PRK") {
                    assert_eq!(prk, hex(expected), "{backend}: {input:?}");
                }
            });
            count += 1;
        }
        assert!(count > 0);
    }
}

#[test]
fn hkdf_wycheproof() {
    for hash in [256, 384, 512] {
        let Some(file) = shared(&format!("wycheproof/hkdf_sha{hash}_test.json.gz")) else { return };
        let file = json(&file);
        let algorithm = text(&file["algorithm"]).strip_prefix("HKDF-").expect("HKDF");
        let algorithm: Algorithm = algorithm.parse().expect("a hash function");
        let tests = list(&file["testGroups"]).iter().flat_map(|group| list(&group["tests"]));
        let mut count = 0;
        for test in tests {
            let [key_material, salt, info, okm] =
                ["ikm", "salt", "info", "okm"].map(|name| hex(text(&test[name])));
            let input = HkdfInput { algorithm, salt, key_material, info };
            let expected = match text(&test["result"]) {
                "valid" => Ok(okm),
                _ => Err(Error::HkdfOutputLength {
                    given: number(&test["size"]) as u64,
                    most: 255 * algorithm.output_len() as u64,
                }),
            };
            backends::each_of(algorithm, |backend| {
                let derived = input.derive(number(&test["size"])).1;
                assert_eq!(derived, expected, "{backend}, {}", test["tcId"]);
            });
            count += 1;
        }
        assert_eq!(count, number(&file["numberOfTests"]));
    }
}

#[test]
fn pbkdf2_wycheproof() {
    for hash in [224, 256, 384, 512] {
        let path = format!("wycheproof/pbkdf2_hmacsha{hash}_test.json.gz");
        let Some(file) = shared(&path) else { return };
        let file = json(&file);
        let tests = list(&file["testGroups"]).iter().flat_map(|group| list(&group["tests"]));
        let answers: Vec<_> = tests
            .map(|test| {
                assert_eq!(text(&test["result"]), "valid");
                let key = hex(text(&test["dk"]));
                assert_eq!(key.len(), number(&test["dkLen"]));
                let input = Pbkdf2Input {
                    algorithm: format!("SHA-{hash}").parse().expect("a hash function"),
                    password: hex(text(&test["password"])),
                    salt: hex(text(&test["salt"])),
                    iterations: number(&test["iterationCount"]) as u32,
                };
                (input, key)
            })
            .collect();
        assert_eq!(answers.len(), number(&file["numberOfTests"]));
        check_pbkdf2(&answers);
    }
}

#[test]
fn pbkdf2_acvp() {
    let Some(file) = shared("acvp/PBKDF-1.0.json.gz") else { return };
    let mut answers = Vec::new();
    for group in list(&json(&file)["testGroups"]) {
        let algorithm: Algorithm = text(&group["hmacAlg"]).parse().expect("a hash function");
        for test in list(&group["tests"]) {
            let key = hex(text(&test["derivedKey"]));
            assert_eq!(8 * key.len(), number(&test["keyLen"]));
            let input = Pbkdf2Input {
                algorithm,
                password: text(&test["password"]).into(),
                salt: hex(text(&test["salt"])),
                iterations: number(&test["iterationCount"]) as u32,
            };
            answers.push((input, key));
        }
    }
    println!("{} answers", answers.len());
    check_pbkdf2(&answers);
}

#[test]
fn generated_answers() {
    let Some(file) = shared("generated/generated.json.gz") else { return };
    let mut hkdf_answers = 0;
    let mut pbkdf2_answers = Vec::new();
    for test in list(&json(&file)["tests"]) {
        let field = |name: &str| hex(text(&test[name]));
        if let Some(hash) = text(&test["alg"]).strip_prefix("hkdf-") {
            let input = HkdfInput {
                algorithm: hash.parse().expect("a hash function"),
                salt: field("salt"),
                key_material: field("ikm"),
                info: field("info"),
            };
            backends::each_of(input.algorithm, |backend| {
                let derived = input.derive(number(&test["L"]));
                assert_eq!(derived, (field("prk"), Ok(field("out"))), "{backend}: {input:?}");
            });
            hkdf_answers += 1;
        } else if let Some(hash) = text(&test["alg"]).strip_prefix("pbkdf2-hmac-") {
            let input = Pbkdf2Input {
                algorithm: hash.parse().expect("a hash function"),
                password: field("password"),
                salt: field("salt"),
                iterations: number(&test["iterations"]) as u32,
            };
            assert_eq!(number(&test["L"]), field("out").len());
            pbkdf2_answers.push((input, field("out")));
        }
    }
    assert_eq!((hkdf_answers, pbkdf2_answers.len()), (250, 200));
    check_pbkdf2(&pbkdf2_answers);
}

#[test]
fn hkdf_agrees_with_the_reference() {
    on_every_backend(|algorithm, backend| {
        let mut random = Random::new(1);
        let (block, digest) = (algorithm.block_len(), algorithm.output_len());
        for round in 0..30 {
            let input = HkdfInput {
                algorithm,
                salt: random.some_bytes(2 * block),
                key_material: random.some_bytes(2 * block),
                info: random.some_bytes(3 * block),
            };
            let len = match round {
                0 => 0,
                1 => digest,
                2 => 255 * digest,
                _ => random.up_to(5 * digest),
            };
            let (prk, okm) = input.reference(len);
            assert_eq!(input.derive(len), (prk, Ok(okm)), "{backend}: {input:?}");
        }
        let input = HkdfInput { algorithm, salt: vec![], key_material: vec![], info: vec![] };
        let most = 255 * digest as u64;
        let refused = Error::HkdfOutputLength { given: most + 1, most };
        assert_eq!(input.derive(255 * digest + 1).1, Err(refused));
        with!(algorithm, H => {
            let short = vec![7; digest - 1];
            let least = digest as u64;
            let refused = Error::HkdfKeyLength { given: least - 1, least };
            assert_eq!(Hkdf::<H>::from_prk(&short).err(), Some(refused));
            assert!(Hkdf::<H>::from_prk(&vec![7; 3 * block]).is_ok());
        });
    });
}

#[test]
fn pbkdf2_agrees_with_the_reference() {
    on_every_backend(|algorithm, backend| {
        let mut random = Random::new(2);
        let (block, digest) = (algorithm.block_len(), algorithm.output_len());
        for round in 0..40 {
            let input = Pbkdf2Input {
                algorithm,
                password: random.some_bytes(2 * block),
                salt: random.some_bytes(2 * block),
                iterations: 1 + random.up_to(4) as u32,
            };
            // Numbers of blocks around the number of lanes, and a partial block.
            let len = match round % 4 {
                0 => random.up_to(3 * digest),
                1 => digest * random.up_to(20),
                2 => digest * random.up_to(20) + 1,
                _ => random.up_to(40 * digest),
            };
            assert_eq!(input.derive(len), input.reference(len), "{backend}, {len}: {input:?}");
        }
    });
}

#[test]
fn many_passwords() {
    on_every_backend(|algorithm, backend| {
        let mut random = Random::new(3);
        let (block, digest) = (algorithm.block_len(), algorithm.output_len());
        for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 33, 40] {
            let iterations = 1 + random.up_to(3) as u32;
            let len = [0, 1, digest - 1, digest, digest + 1, 3 * digest][random.up_to(5)];
            let inputs: Vec<Pbkdf2Input> = (0..count)
                .map(|_| Pbkdf2Input {
                    algorithm,
                    password: random.some_bytes(2 * block),
                    salt: random.some_bytes(block),
                    iterations,
                })
                .collect();
            for (input, key) in inputs.iter().zip(derive_many(&inputs, len)) {
                let expected = input.reference(len);
                assert_eq!(key, expected, "{backend}, {len}, one of {count}: {input:?}");
            }
        }
    });
}

#[test]
fn what_is_refused() {
    let mut key = [0xA5; 8];
    assert_eq!(pbkdf2::<Sha256>(b"", Salt(b""), 0, &mut key), Err(Error::Pbkdf2Iterations));
    let many = pbkdf2_many::<Sha256>(&["a", "b"], Salt(&["c", "d"]), 0, 4, &mut key);
    assert_eq!(many, Err(Error::Pbkdf2Iterations));
    assert_eq!(key, [0xA5; 8]);
    assert_eq!(pbkdf2::<Sha256>(b"", Salt(b""), 1, &mut []), Ok(()));
}

#[test]
fn many_passwords_with_a_salt_and_a_place_each() {
    let mut keys = [0xA5; 8];
    let fewer_salts = pbkdf2_many::<Sha256>(&["a", "b"], Salt(&["c"]), 1, 4, &mut keys);
    assert_eq!(fewer_salts, Err(Error::PieceCount { given: 1, expected: 2 }));
    for (passwords, len, output_len) in [(2, 7, 4), (2, 8, 3), (1, 8, 4), (2, 8, usize::MAX)] {
        let passwords = vec!["a"; passwords];
        let refused =
            pbkdf2_many::<Sha256>(&passwords, Salt(&passwords), 1, output_len, &mut keys[..len]);
        let expected = passwords.len().saturating_mul(output_len) as u64;
        let wrong = Error::OutputLength { given: len as u64, expected };
        assert_eq!(refused, Err(wrong), "{len} bytes for {output_len} each");
    }
    assert_eq!(keys, [0xA5; 8]);
}

/// Passwords and salts may be stored in the same ways as messages.
#[test]
fn passwords_in_columns() {
    let passwords = Column::new(b"onetwothree", &[0u32, 3, 6, 11]).expect("in order");
    let salts = Rows::new(b"salt 1salt 2salt 3", 6).expect("whole rows");
    let mut keys = [0; 3 * 40];
    pbkdf2_many::<Sha256>(&passwords, Salt(&salts), 3, 40, &mut keys).expect("iterations");
    for (i, key) in keys.chunks(40).enumerate() {
        let mut expected = [0; 40];
        pbkdf2::<Sha256>(passwords.message(i), Salt(salts.message(i)), 3, &mut expected)
            .expect("3");
        assert_eq!(key, expected);
    }
}

/// `expand_many` computes the same keys as one `expand` for each info, up to the length of a
/// digest.
#[test]
fn many_infos() {
    on_every_backend(|algorithm, backend| {
        let mut random = Random::new(4);
        let digest = algorithm.output_len();
        for count in [0, 1, 2, 15, 16, 17, 63, 64, 65, 200] {
            // Lengths around the one up to which infos are copied, with longer infos between.
            let infos: Vec<Vec<u8>> = (0..count)
                .map(|i| match i % 7 {
                    0 => random.bytes(126 + i % 5),
                    1 => random.some_bytes(1000),
                    _ => random.some_bytes(120),
                })
                .collect();
            let (salt, key_material) = (random.some_bytes(40), random.some_bytes(40));
            with!(algorithm, H => {
                let hkdf = Hkdf::<H>::new(Salt(&salt), &key_material);
                for len in [0, 1, 16, digest - 1, digest] {
                    let mut keys = vec![0xA5; count * len];
                    assert_eq!(hkdf.expand_many(&infos, &mut keys), Ok(()));
                    let mut hex = vec![0xA5; 2 * count * len];
                    assert_eq!(hkdf.expand_many(&infos, &mut Hex(&mut hex)), Ok(()));
                    assert_eq!(hex, to_hex(&keys).as_bytes());
                    for (i, info) in infos.iter().enumerate() {
                        let mut expected = vec![0; len];
                        hkdf.expand(info, &mut expected).expect("not too long");
                        let key = &keys[i * len..][..len];
                        assert_eq!(key, expected, "{algorithm}, {backend}, one of {count}");
                    }
                }
                let mut keys = vec![0xA5; count * (digest + 1) + 1];
                let refused = hkdf.expand_many(&infos, &mut keys[..count * (digest + 1)]);
                let most = digest as u64;
                let too_long = Error::HkdfOutputLength { given: most + 1, most };
                let expected = if count > 0 { Err(too_long) } else { Ok(()) };
                assert_eq!(refused, expected);
                let refused = hkdf.expand_many(&infos, &mut keys[..count * digest + 1]);
                let (all, given) = ((count * digest) as u64, (count * digest + 1) as u64);
                let uneven = Error::OutputLength { given, expected: all };
                assert_eq!(refused, Err(if count == 1 { too_long } else { uneven }));
                assert!(keys.iter().all(|&byte| byte == 0xA5), "output was written despite an error");
            });
        }
    });
}

#[test]
fn nothing_is_said_of_the_key() {
    fn shown<H: Hasher + std::fmt::Debug>() -> String {
        format!("{:?}", Hkdf::<H>::new(Salt(b"salt"), b"key material"))
    }
    assert_eq!(shown::<Sha256>(), shown::<Sha256>());
    assert!(!shown::<Sha256>().contains('['), "{}", shown::<Sha256>());
}
