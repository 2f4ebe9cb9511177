//! Serde's traits for digests and algorithms. A digest is hexadecimal in human-readable formats
//! (JSON), and bytes in the others, because hexadecimal takes twice the space. In all formats an
//! algorithm is represented by its name rather than its code, so that a stored file can be read
//! without this library.

#![forbid(unsafe_code)]

use crate::algorithm::Algorithm;
use crate::digest::{Digest, VarDigest};
use crate::error::Error;
use core::fmt;
use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

/// A visitor that reads a value from text or from bytes, depending on the format.
struct Value<T> {
    expected: &'static str,
    from_bytes: fn(&[u8]) -> Result<T, Error>,
}

impl<T: core::str::FromStr<Err = Error>> Visitor<'_> for Value<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.from_bytes)(bytes).map_err(E::custom)
    }
}

macro_rules! digest {
    ([$($generics:tt)*] $Type:ty, $from_bytes:expr) => {
        impl<$($generics)*> Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    serializer.serialize_bytes(self.as_ref())
                }
            }
        }

        impl<'de, $($generics)*> Deserialize<'de> for $Type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value { expected: "a digest", from_bytes: $from_bytes };
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(value)
                } else {
                    deserializer.deserialize_bytes(value)
                }
            }
        }
    };
}

digest!([const N: usize] Digest<N>, |bytes| {
    let digest = <[u8; N]>::try_from(bytes).map(Digest::from);
    digest.map_err(|_| Error::digest_len(bytes.len(), N))
});
digest!([] VarDigest, |bytes| bytes.try_into());

impl Serialize for Algorithm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Algorithm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let from_bytes = |name: &[u8]| match core::str::from_utf8(name) {
            Ok(name) => name.parse(),
            Err(_) => Err(Error::UnknownAlgorithm),
        };
        deserializer.deserialize_str(Value { expected: "an algorithm's name", from_bytes })
    }
}
