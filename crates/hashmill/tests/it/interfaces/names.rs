//! The names of algorithms, and the table of algorithms.

use hashmill::{Algorithm, AnyHasher, Error};

#[test]
fn names() {
    let mut spellings = std::collections::HashMap::new();
    for &algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string(), algorithm.name());
        assert_eq!(format!("{algorithm:>16}|"), format!("{:>16}|", algorithm.name()));
        for &name in [algorithm.name(), algorithm.tag()].iter().chain(algorithm.aliases()) {
            for spelling in [
                name.to_owned(),
                name.to_lowercase(),
                name.to_uppercase(),
                name.replace(['-', '/'], ""),
                name.replace(['-', '/'], "_"),
                name.replace(['-', '/'], " "),
                name.replace('/', "-"),
                format!(" {name} "),
                name.chars().map(|c| format!("{c}_")).collect(),
            ] {
                assert_eq!(spelling.parse(), Ok(algorithm), "{spelling}");
                let other = spellings.insert(spelling.to_lowercase(), algorithm);
                assert!(other.is_none_or(|other| other == algorithm), "{spelling} means two");
            }
        }
    }
    let known = [
        ("sha256", Algorithm::Sha256),
        ("SHA2-256", Algorithm::Sha256),
        ("sha2-512/224", Algorithm::Sha512_224),
        ("SHA512t256", Algorithm::Sha512_256),
        ("Sha3-256", Algorithm::Sha3_256),
        ("BLAKE2b-512", Algorithm::Blake2b),
        ("turboshake_128", Algorithm::TurboShake128),
    ];
    for (name, algorithm) in known {
        assert_eq!(name.parse(), Ok(algorithm), "{name}");
    }
    let unknown = [
        "",
        " ",
        "-",
        "sha",
        "sha-",
        "256",
        "sha1",
        "SHA-1",
        "md5",
        "sha2",
        "sha3",
        "sha25",
        "sha2566",
        "sha-257",
        "sha256sum",
        "xsha256",
        "sha256\0",
        "sha256\n",
        "sha.256",
        "sha+256",
        "ſha256",
        "sha２５６",
        "shake",
        "shake512",
        "blake2",
        "blake2b-256",
        "blake2c",
        "blake4",
        "hmac-sha256",
        "sha512/128",
        "turboshake",
        "Sha256 { .. }",
    ];
    for name in unknown {
        assert_eq!(name.parse::<Algorithm>(), Err(Error::UnknownAlgorithm), "{name:?}");
    }
}

#[test]
fn the_table_agrees_with_the_functions() {
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            assert_eq!(algorithm.hash(b"abc"), hashmill::$function(b"abc")[..]);
            assert_eq!(algorithm.output_len(), hashmill::$function(b"").len());
            assert!(!algorithm.is_xof());
            let any = AnyHasher::from(hashmill::$Type::new());
            assert_eq!((any.algorithm(), any.output_len()), (Some(algorithm), algorithm.output_len()));
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            let digest = hashmill::$function::<64>(b"abc");
            assert_eq!(algorithm.hash(b"abc"), digest[..algorithm.output_len()]);
            assert!(algorithm.is_xof());
            assert_eq!(AnyHasher::from(hashmill::$Type::new()).algorithm(), Some(algorithm));
        )* };
    }
    each!(xof xof);
    for algorithm in Algorithm::ALL {
        assert!(algorithm.standard().contains(char::is_numeric), "{algorithm}");
        assert_eq!(algorithm.hasher().algorithm(), Some(*algorithm));
    }
}
