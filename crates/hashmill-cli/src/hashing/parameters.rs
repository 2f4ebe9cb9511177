//! The parameters that some functions take: those of BLAKE2, of Keccak's functions in SP 800-185 and
//! RFC 9861, and of Ascon-CXOF128. They are options of the command line.

use crate::text::encoding::Encoding;
use crate::text::table::{Field, Options, Parser, Row, Value, options, values};
use std::num::NonZero;
use std::str::FromStr;

/// Returns whether the help leaves a parameter out, because it is for functions and trees that are
/// not made of files.
pub fn is_rare(name: &str) -> bool {
    ["function-name", "element"].contains(&name) || BLAKE2[2..].contains(&name)
}

options! {
    /// The parameters that were given.
    #[derive(Clone, Default)]
    pub struct Parameters {
        /// KMAC, KT128, KT256, ParallelHash: the customization string
        pub customization: Option<Text> { value: "TEXT", hide: true },
        /// cSHAKE: the function name, which NIST assigns
        pub function_name: Option<Text> { value: "TEXT", hide: true },
        /// TupleHash: an element of the tuple before the file, which is its last element; may be
        /// repeated
        pub element: Vec<Text> { value: "TEXT", hide: true },
        /// ParallelHash: the length of a block [default: 8192]; fs-verity: [default: 4096]
        pub block_size: Option<NonZero<usize>> { value: "BYTES", hide: true },
        /// BLAKE2, fs-verity: the salt
        pub salt: Option<Text> { value: "TEXT", hide: true },
        /// BLAKE2: the personalization
        pub personal: Option<Text> { value: "TEXT", hide: true },
        /// BLAKE2: the number of children of a node; 0 is unlimited
        pub fanout: Option<u8> { value: "N", hide: true },
        /// BLAKE2: the maximal depth of the tree; 255 is unlimited, 0 is for BLAKE2X
        pub max_depth: Option<u8> { value: "N", hide: true },
        /// BLAKE2: the maximal number of message bytes in a leaf; 0 is unlimited
        pub leaf_length: Option<u32> { value: "BYTES", hide: true },
        /// BLAKE2: the position of the node in its level, from 0
        pub node_offset: Option<u64> { value: "N", hide: true },
        /// BLAKE2: the level of the node; 0 is a leaf
        pub node_depth: Option<u8> { value: "N", hide: true },
        /// BLAKE2: the length of the digests of inner nodes
        pub inner_length: Option<usize> { value: "BYTES", hide: true },
        /// BLAKE2: hash as the last node of its level
        pub last_node: bool { hide: true },
    }
}

/// Bytes that were given as text, or as `hex:` and hexadecimal digits.
#[derive(Clone)]
pub struct Text(pub Vec<u8>);

/// The names of the parameters of BLAKE2b and BLAKE2s. Their trees take the first two.
pub const BLAKE2: [&str; 9] = [
    "salt",
    "personal",
    "fanout",
    "max-depth",
    "leaf-length",
    "node-offset",
    "node-depth",
    "inner-length",
    "last-node",
];

impl Parameters {
    /// Returns the names of the parameters that were given.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("customization", self.customization.is_some()),
            ("function-name", self.function_name.is_some()),
            ("element", !self.element.is_empty()),
            ("block-size", self.block_size.is_some()),
            ("salt", self.salt.is_some()),
            ("personal", self.personal.is_some()),
            ("fanout", self.fanout.is_some()),
            ("max-depth", self.max_depth.is_some()),
            ("leaf-length", self.leaf_length.is_some()),
            ("node-offset", self.node_offset.is_some()),
            ("node-depth", self.node_depth.is_some()),
            ("inner-length", self.inner_length.is_some()),
            ("last-node", self.last_node),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

impl Text {
    /// Returns the bytes of a text, or no bytes if it was not given.
    pub fn bytes(text: &Option<Text>) -> &[u8] {
        text.as_ref().map_or(&[], |text| &text.0)
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

values!(Text);

impl FromStr for Text {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Text, &'static str> {
        let bytes = match text.strip_prefix("hex:") {
            Some(digits) => Encoding::Hex.decode(digits.as_bytes()),
            None => Some(text.as_bytes().to_vec()),
        };
        bytes.map(Text).ok_or("hex: must be followed by pairs of hexadecimal digits")
    }
}
