//! Tests that the header agrees with the library: its numbers, sizes and functions.

use hashmill::{Algorithm, Error};
use hashmill_c::{Blake2Params, Bytes, FAILURES, Hasher, HmacContext, XofContext};
use std::collections::{BTreeMap, BTreeSet};

const HEADER: &str = include_str!("../include/hashmill.h");

/// Returns every `HASHMILL_… = number` and `#define HASHMILL_… number` of the header.
fn numbers() -> BTreeMap<&'static str, i64> {
    let line = |line: &'static str| {
        let line = line.trim().trim_start_matches("#define ");
        let (name, value) = line.split_once([' ', '='])?;
        let value = value.trim_start_matches([' ', '=']).split([',', ' ']).next()?;
        Some((name.strip_prefix("HASHMILL_")?, value.parse().ok()?))
    };
    HEADER.lines().filter_map(line).collect()
}

/// Returns the name in C of a name such as `SHA-512/256` or `BackendNotAvailable`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for c in name.chars() {
        let word =
            c.is_uppercase() && !constant.is_empty() && !constant.ends_with(char::is_uppercase);
        constant.extend(word.then_some('_'));
        constant.push(c);
    }
    constant.to_uppercase()
}

#[test]
fn algorithms() {
    let numbers = numbers();
    for algorithm in Algorithm::ALL {
        // The C names of "SHA-256" and "Keccak-256" have no underscore for the hyphen, that of
        // "SHA3-256" has one.
        let name = algorithm.name().replace("SHA-", "SHA").replace("Keccak-", "Keccak");
        let name = name.replace(['-', '/'], "_").to_uppercase();
        assert_eq!(numbers.get(&*name), Some(&algorithm.code().into()), "{name}");
        assert!(algorithm.is_xof() || algorithm.output_len() as i64 <= numbers["MAX_OUTPUT_LEN"]);
        assert!(
            algorithm.hasher().export().expect("a state").as_ref().len() as i64
                <= numbers["MAX_STATE_LEN"]
        );
        assert!(numbers["MAX_STATE_LEN"] + 32 <= numbers["MAX_KEYED_STATE_LEN"]);
    }
}

#[test]
fn statuses() {
    let numbers = numbers();
    let name = |error| format!("{error:?}").split(' ').next().map(constant).unwrap();
    let errors = Error::ALL.iter().map(|error| (name(error), error.code().into()));
    let failures = FAILURES.iter().map(|(name, code, _)| (name.to_string(), i64::from(*code)));
    let expected: BTreeMap<String, i64> = errors.chain(failures).collect();
    let found =
        numbers.iter().filter_map(|(name, n)| Some((name.strip_prefix("ERROR_")?.to_owned(), *n)));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    assert_eq!(numbers["OK"], 0);
}

#[test]
fn sizes() {
    let numbers = numbers();
    assert_eq!(numbers["HASHER_SIZE"], hashmill_c::HASHER_SIZE as i64);
    assert_eq!(numbers["HMAC_SIZE"], hashmill_c::HMAC_SIZE as i64);
    assert_eq!(numbers["XOF_SIZE"], hashmill_c::XOF_SIZE as i64);
    assert_eq!(numbers["FILE_TREE_SIZE"], hashmill_c::FILE_TREE_SIZE as i64);
    for align in [align_of::<Hasher>(), align_of::<HmacContext>(), align_of::<XofContext>()] {
        assert_eq!(numbers["ALIGNMENT"], align as i64);
    }
    let hashers = numbers.values().filter_map(|&code| i32::try_from(code).ok());
    let longest = hashers.map(|code| hashmill_c::hashmill_hasher_size(code)).max();
    assert!(longest > Some(1024) && longest <= Some(hashmill_c::HASHER_SIZE), "{longest:?}");
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<Bytes>(), size_of::<Blake2Params>()), (16, 88));
}

#[test]
fn version() {
    assert!(HEADER.contains(concat!(
        "#define HASHMILL_VERSION \"",
        env!("CARGO_PKG_VERSION"),
        "\"\n"
    )));
}

/// Every declared function is defined, and every defined function is declared.
#[test]
fn functions() {
    let declared =
        HEADER.lines().filter(|line| !line.starts_with([' ', '#', '/'])).filter_map(|line| {
            line.split(['(', ' ', '*'])
                .find(|word| word.starts_with("hashmill_") && line.contains(&format!("{word}(")))
        });
    let sources = [
        include_str!("../src/algorithm.rs"),
        include_str!("../src/backend.rs"),
        include_str!("../src/block.rs"),
        include_str!("../src/file_tree.rs"),
        include_str!("../src/functions.rs"),
        include_str!("../src/hash.rs"),
        include_str!("../src/hasher.rs"),
        include_str!("../src/hmac.rs"),
        include_str!("../src/memory.rs"),
        include_str!("../src/status.rs"),
    ];
    // `fn hashmill_hash(`, or a row of a table: `hashmill_xof_wipe = …;`
    let defined = sources.iter().flat_map(|source| source.lines()).filter_map(|line| {
        let line = line.trim_start();
        let name = line.split_once("fn hashmill_").map(|(_, rest)| rest);
        let row = line.strip_prefix("hashmill_").filter(|row| row.ends_with(';'));
        Some(format!("hashmill_{}", name.or(row)?.split(['(', ' ']).next()?))
    });
    // `hash.rs` defines a function for each function of the library's list.
    macro_rules! one_call {
        (fixed { $($Fixed:ident = $f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)? $(, $_of_fixed:literal)?;)* }
         no_hmac { $($Bare:ident = $b:literal, $bare:ident, $BareType:ident $(, $_of_bare:literal)?;)* }
         xof { $($Xof:ident = $x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)? $(, $_of_xof:literal)?;)* }) => {
            [$(stringify!($fixed),)* $(stringify!($bare),)* $(stringify!($xof),)*]
        };
    }
    let one_call = hashmill::functions!(one_call);
    let defined = defined.chain(one_call.map(|name| format!("hashmill_{name}")));
    let declared: BTreeSet<String> = declared.map(str::to_owned).collect();
    assert!(declared.len() > 50);
    assert_eq!(declared, defined.collect());
}
