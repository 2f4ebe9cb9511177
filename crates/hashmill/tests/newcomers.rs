//! What people write who come from other libraries, before they have read anything: from `sha2`,
//! `blake3`, `hmac`, `hkdf`, `hashlib`, OpenSSL and noble-hashes. Each test is a program of its own,
//! with its own imports.
//!
//! It is a separate binary because that is what a user's crate is: it has no macros and no modules of
//! the other tests, so that nothing but the names written here is in scope.

#![allow(
    clippy::needless_borrows_for_generic_args,
    clippy::write_literal,
    reason = "newcomers write so"
)]

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const ABC_BLAKE3: &str = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";

#[test]
fn one_call() {
    assert_eq!(hashmill::sha256(b"abc").to_string(), ABC);
    assert_eq!(hashmill::sha256("abc").to_string(), ABC);
    assert_eq!(hashmill::sha256(String::from("abc")).to_string(), ABC);
    assert_eq!(hashmill::sha256(vec![b'a', b'b', b'c']).to_string(), ABC);
    assert_eq!(hashmill::sha256([0x61, 0x62, 0x63]).to_string(), ABC);
    let text = String::from("abc");
    assert_eq!(format!("{:x}", hashmill::sha256(&text)), ABC);
    assert_eq!(format!("{:x}", hashmill::sha256(text.as_bytes())), ABC);
}

#[test]
fn parts() {
    use hashmill::Sha256;

    let mut hasher = Sha256::new();
    hasher.update(b"a");
    hasher.update("b");
    hasher.update(String::from("c"));
    let result = hasher.finalize();
    assert_eq!(format!("{result:x}"), ABC);
    assert_eq!(result[..2], [0xba, 0x78]);
    let array: [u8; 32] = result.into();
    assert_eq!(result, array);
}

#[test]
fn a_chain_of_calls() {
    use hashmill::Sha512;

    let digest = Sha512::new().update("a").update(b"bc").finalize();
    assert_eq!(digest, hashmill::sha512("abc"));
    assert_eq!(Sha512::default().hash("abc"), digest);
    assert_eq!(digest.len(), 64);
}

#[test]
fn blake3() {
    use hashmill::Blake3;

    let hash = hashmill::blake3(b"abc");
    assert_eq!(hash.to_string(), ABC_BLAKE3);
    let mut hasher = Blake3::new();
    hasher.update(b"a").update("bc");
    assert_eq!(hasher.finalize(), hash);

    let mut output = hasher.squeeze();
    let mut long = [0; 1000];
    output.fill(&mut long);
    assert_eq!(long[..32], *hash);
    assert_eq!(hashmill::blake3_xof::<1000>("abc"), long);

    let key = [7; 32];
    assert_ne!(Blake3::keyed(&key).hash("abc"), hash);
    assert_ne!(Blake3::derive_key("example.com 2026 tokens").hash("abc"), hash);
}

#[test]
fn blake3_at_compile_time() {
    const HASH: hashmill::Digest<32> = hashmill::portable::blake3(b"abc");
    const LONG: hashmill::Digest<100> = hashmill::portable::blake3_xof(b"abc");
    assert_eq!(HASH.to_string(), ABC_BLAKE3);
    assert_eq!(LONG[..32], *HASH);
}

#[test]
fn any_hash_function_as_a_parameter() {
    use hashmill::{Blake2b, Hasher, Sha3_256, Sha256};

    fn name_and_content<H: Hasher>(name: &str, content: &[u8]) -> String {
        let mut hasher = H::new();
        hasher.update(name);
        hasher.update(content);
        hasher.finalize().to_string()
    }
    fn of<H: Hasher>(message: &[u8]) -> H::Digest {
        H::default().hash(message)
    }

    assert_eq!(name_and_content::<Sha256>("a", b"bc"), ABC);
    assert_eq!(name_and_content::<Sha3_256>("a", b"bc"), hashmill::sha3_256("abc").to_string());
    assert_eq!(of::<Blake2b>(b"abc"), hashmill::blake2b("abc"));
}

#[test]
fn a_hasher_in_a_struct() {
    struct Log<H: hashmill::Hasher> {
        hasher: H,
        lines: usize,
    }
    impl<H: hashmill::Hasher> Log<H> {
        fn line(&mut self, line: impl AsRef<str>) {
            self.hasher.update(line.as_ref()).update("\n");
            self.lines += 1;
        }
    }

    let mut log = Log { hasher: hashmill::Sha256::new(), lines: 0 };
    log.line("one");
    log.line(String::from("two"));
    assert_eq!((log.hasher.finalize(), log.lines), (hashmill::sha256("one\ntwo\n"), 2));
}

#[test]
fn many_messages() {
    use hashmill::{Digest, Sha256, many};

    let mut digests = [Digest::<32>::default(); 2];
    many::hash::<Sha256>(["abc", "b"], &mut digests).unwrap();
    assert_eq!(digests[0].to_string(), ABC);
    many::hash::<Sha256>(&["b", "abc"], &mut digests).unwrap();
    assert_eq!(digests[1].to_string(), ABC);

    let lines: Vec<String> = (0..100).map(|line| format!("line {line}")).collect();
    let digests = many::hash_to_vec::<Sha256>(&lines);
    assert_eq!(digests[99], hashmill::sha256("line 99"));
    assert_eq!(many::hash_to_vec::<Sha256>(lines), digests);

    let mut salted = Sha256::new();
    salted.update("salt");
    let mut digests = vec![Digest::<32>::default(); 2];
    salted.hash_many(vec!["a", "b"], &mut digests).unwrap();
    assert_eq!(digests[1], hashmill::sha256("saltb"));
}

#[test]
fn a_function_by_its_name() -> Result<(), hashmill::Error> {
    use hashmill::{Algorithm, AnyHasher};

    let mut hasher: AnyHasher = "sha256".parse()?;
    hasher.update("abc");
    assert_eq!(hasher.finalize().to_string(), ABC);

    let algorithm: Algorithm = "SHA-256".parse()?;
    assert_eq!(algorithm.hash("abc").to_string(), ABC);
    assert_eq!(AnyHasher::from(algorithm).hash("abc").to_string(), ABC);

    let short: AnyHasher = "BLAKE2b-256".parse()?;
    assert_eq!(short.hash("abc"), hashmill::blake2b::Params::new().output_len(32).hash("abc")?[..]);
    let long: AnyHasher = "blake2s-256".parse()?;
    assert_eq!(long.hash("abc"), hashmill::blake2s("abc")[..]);
    assert!("kt128".parse::<AnyHasher>().is_ok());
    for wrong in
        ["md5", "sha256-128", "blake2b-0", "blake2b-7", "blake2b-520", "blake2b-+8", "shake128-256"]
    {
        assert_eq!(
            wrong.parse::<AnyHasher>().err(),
            Some(hashmill::Error::UnknownAlgorithm),
            "{wrong}"
        );
    }
    Ok(())
}

#[test]
fn an_output_whose_length_is_known_at_run_time() {
    use hashmill::{Blake3, Sha256, Shake128};

    let len = "length".len() * 20;
    let mut output = vec![0; len];
    Shake128::new().update("abc").finalize_into(&mut output).unwrap();
    assert_eq!(output, *hashmill::shake128::<120>("abc"));
    Blake3::new().update("abc").finalize_into(&mut output).unwrap();
    assert_eq!(output, *hashmill::blake3_xof::<120>("abc"));

    let mut reader = Shake128::new().update("abc").squeeze();
    let mut pieces = vec![0; len];
    for piece in pieces.chunks_mut(7) {
        reader.fill(piece);
    }
    assert_eq!(pieces, *hashmill::shake128::<120>("abc"));

    // A digest has one length.
    let mut digest = vec![0; 32];
    Sha256::new().update("abc").finalize_into(&mut digest).unwrap();
    assert_eq!(digest, *hashmill::sha256("abc"));
    assert!(Sha256::new().finalize_into(&mut output).is_err());
}

#[test]
fn hmac() {
    use hashmill::{Hmac, Sha256};

    let mut mac = Hmac::<Sha256>::new(b"key");
    mac.update("The quick brown fox ").update(b"jumps over the lazy dog");
    let tag = mac.finalize();
    assert_eq!(tag.to_string(), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
    assert!(mac.verify(&tag).is_ok());
    assert!(mac.verify(b"another").is_err());
    assert_eq!(
        Hmac::<Sha256>::new(b"key").hash("The quick brown fox jumps over the lazy dog"),
        tag
    );
}

#[test]
fn keys_from_keys_and_passwords() {
    use hashmill::{Hkdf, Salt, Sha256, pbkdf2};

    let mut key = [0; 42];
    Hkdf::<Sha256>::new(Salt(b"salt"), b"secret").expand(b"purpose", &mut key).unwrap();
    let mut unsalted = [0; 42];
    Hkdf::<Sha256>::new(Salt::default(), b"secret").expand(b"purpose", &mut unsalted).unwrap();
    assert_ne!(key, unsalted);

    let mut key = [0; 20];
    pbkdf2::<Sha256>(b"password", Salt(b"salt"), 2, &mut key).unwrap();
    assert_eq!(key[..4], [0xae, 0x4d, 0x0c, 0x95]);
}

#[test]
fn no_customization() {
    use hashmill::{CShake128, Customization, Digest, FunctionName, Key, Kmac128, kmac128, kt128};

    let hash: Digest<32> = kt128("abc", Customization::default());
    assert_eq!(hash, kt128(b"abc", Customization(b"")));
    let tag: Digest<32> = kmac128(Key(b"key"), "abc", Customization::default());
    assert_eq!(Kmac128::new(b"key", Customization::default()).update("abc").finalize(), tag);
    let mut plain = CShake128::new(FunctionName::default(), Customization::default());
    let mut out = [0; 32];
    plain.update("abc").squeeze().fill(&mut out);
    assert_eq!(hashmill::shake128("abc"), out);
}

#[test]
fn readers_and_writers() -> std::io::Result<()> {
    use hashmill::Sha256;
    use std::io::Write;

    let mut hasher = Sha256::new();
    std::io::copy(&mut &b"abc"[..], &mut hasher)?;
    assert_eq!(hasher.finalize().to_string(), ABC);

    let mut hasher = Sha256::new();
    hasher.update_reader(&b"abc"[..])?;
    assert_eq!(hasher.finalize().to_string(), ABC);

    let mut hasher = Sha256::new();
    write!(hasher, "{}", "abc")?;
    assert_eq!(hasher.finalize().to_string(), ABC);
    Ok(())
}

#[test]
fn digests_are_values() {
    use hashmill::{Digest, sha256};
    use std::collections::{BTreeSet, HashMap};

    let known: Digest<32> = ABC.parse().unwrap();
    assert_eq!(sha256("abc"), known);
    let mut names = HashMap::new();
    names.insert(sha256("abc"), "abc");
    assert_eq!(names[&known], "abc");
    assert_eq!(BTreeSet::from([sha256("a"), sha256("b"), sha256("a")]).len(), 2);
    assert_eq!(sha256(sha256("abc")), sha256(&sha256("abc")[..]));
}

#[test]
fn copies_and_resets() {
    use hashmill::Sha256;

    let mut hasher = Sha256::new();
    hasher.update("ab");
    let mut other = hasher.clone();
    other.update("x");
    hasher.update("c");
    assert_eq!(hasher.finalize().to_string(), ABC);
    other.reset();
    assert_eq!(other.update("abc").finalize().to_string(), ABC);
}

#[test]
fn blake2_with_a_length_and_a_key() {
    use hashmill::{Blake2b, blake2b};

    assert_eq!(Blake2b::new().update("abc").finalize(), hashmill::blake2b("abc"));
    let short = blake2b::Params::new().output_len(32).hash("abc").unwrap();
    assert_eq!(short.len(), 32);
    let mut keyed = blake2b::Params::new().output_len(32).key(b"key").build().unwrap();
    assert_ne!(keyed.update("abc").finalize(), short);
}

#[test]
fn a_tuple_of_fields() {
    use hashmill::{Digest, TupleHash128};

    let mut hash = TupleHash128::new(b"");
    hash.element("ab").element(b"c");
    let mut other = TupleHash128::new(b"");
    other.element("a").element("bc");
    let digest: Digest<32> = hash.finalize();
    assert_ne!(digest, other.finalize());
}

#[test]
fn a_constant() {
    const EMPTY: hashmill::Digest<32> = hashmill::portable::sha256(b"");
    static KNOWN: [u8; 32] = *hashmill::portable::sha256(b"abc").as_bytes();
    assert_eq!(EMPTY, hashmill::sha256(""));
    assert_eq!(hashmill::sha256("abc"), KNOWN);
}

#[test]
fn a_long_hash_that_goes_on_later() -> Result<(), hashmill::Error> {
    use hashmill::Sha256;

    let mut hasher = Sha256::new();
    hasher.update("a");
    let saved = hasher.export();
    let mut hasher = Sha256::import(saved.as_ref())?;
    assert_eq!(hasher.update("bc").finalize().to_string(), ABC);
    Ok(())
}

#[test]
fn hashers_in_a_list() {
    use hashmill::{AnyHasher, Blake2b, Sha256};

    let mut hashers: Vec<AnyHasher> = vec![Sha256::new().into(), Blake2b::new().into()];
    for hasher in &mut hashers {
        hasher.update("abc");
    }
    assert_eq!(hashers[0].finalize().to_string(), ABC);
    assert_eq!(hashers[1].finalize(), hashmill::blake2b("abc")[..]);
}
