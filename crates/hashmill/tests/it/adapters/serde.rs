//! Digests and algorithms through serde (feature `serde`).

use hashmill::{Algorithm, Digest, VarDigest};
use serde_core::de::{Deserialize, Deserializer, Error, Visitor, value};
use serde_core::forward_to_deserialize_any;
use serde_test::{Configure, Token, assert_de_tokens, assert_de_tokens_error, assert_tokens};
use std::sync::LazyLock;

const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[test]
fn digests_in_text() {
    let digest = hashmill::sha256(b"abc");
    let json = format!("\"{HEX}\"");
    assert_eq!(serde_json::to_string(&digest).expect("JSON"), json);
    assert_eq!(serde_json::to_string(&VarDigest::from(digest)).expect("JSON"), json);
    assert_eq!(serde_json::from_str::<Digest<32>>(&json).expect("a digest"), digest);
    assert_eq!(serde_json::from_str::<VarDigest>(&json).expect("a digest"), digest[..]);
    let upper = json.to_uppercase();
    assert_eq!(serde_json::from_str::<Digest<32>>(&upper).expect("a digest"), digest);

    let error = |json: &str| serde_json::from_str::<Digest<32>>(json).expect_err(json).to_string();
    assert!(error("\"ba78\"").starts_with("the digest does not have the expected length"));
    assert!(error(&json.replace('b', "g")).starts_with("a digest as text has only the digits"));
    assert!(error("7").ends_with("expected a digest at line 1 column 1"), "{}", error("7"));
    assert!(serde_json::from_str::<VarDigest>(&format!("\"{}\"", "00".repeat(65))).is_err());
}

#[test]
fn digests_in_bytes() {
    let digest = hashmill::sha256(b"abc");
    static BYTES: LazyLock<[u8; 32]> = LazyLock::new(|| hashmill::sha256(b"abc").into_bytes());
    let bytes: &'static [u8] = &*BYTES;
    assert_tokens(&digest.readable(), &[Token::Str(HEX)]);
    assert_tokens(&digest.compact(), &[Token::Bytes(bytes)]);
    assert_tokens(&VarDigest::from(digest).compact(), &[Token::Bytes(bytes)]);
    assert_de_tokens(&digest.compact(), &[Token::BorrowedBytes(bytes)]);
    assert_de_tokens(&digest.compact(), &[Token::ByteBuf(bytes)]);
    let length = |numbers| {
        format!(
            "the digest does not have the expected length, or has more than 64 bytes; {numbers}"
        )
    };
    let (short, long) = (
        length("31 bytes or digits were given, 32 are expected"),
        length("65 bytes or digits were given, 64 are expected"),
    );
    assert_de_tokens_error::<serde_test::Compact<Digest<32>>>(&[Token::Bytes(&bytes[1..])], &short);
    assert_de_tokens_error::<serde_test::Compact<VarDigest>>(&[Token::Bytes(&[0; 65])], &long);
    assert_tokens(&VarDigest::default().compact(), &[Token::Bytes(&[])]);
    assert_tokens(&Digest::from([7; 200]).compact(), &[Token::Bytes(&[7; 200])]);
}

/// A deserializer of a binary format that does not store types, and that contains only bytes.
struct OnlyBytes<'a>(&'a [u8]);

impl<'de> Deserializer<'de> for OnlyBytes<'_> {
    type Error = value::Error;

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_bytes(self.0)
    }
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(value::Error::custom("asked for something else"))
    }
    fn is_human_readable(&self) -> bool {
        false
    }
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[test]
fn digests_in_nothing_but_bytes() {
    let digest = hashmill::sha256(b"abc");
    assert_eq!(Digest::<32>::deserialize(OnlyBytes(&*digest)), Ok(digest));
    assert_eq!(VarDigest::deserialize(OnlyBytes(&*digest)), Ok(digest.into()));
    assert!(Digest::<31>::deserialize(OnlyBytes(&*digest)).is_err());
}

#[test]
fn algorithms() {
    for algorithm in Algorithm::ALL {
        assert_tokens(algorithm, &[Token::Str(algorithm.name())]);
        for &name in [algorithm.tag()].iter().chain(algorithm.aliases()) {
            assert_de_tokens(algorithm, &[Token::Str(name)]);
        }
    }
    let unknown = "no algorithm has this name";
    assert_de_tokens_error::<Algorithm>(&[Token::Str("SHA-1")], unknown);
    assert_de_tokens_error::<Algorithm>(&[Token::Bytes(b"\xFF")], unknown);
}
