//! The parameters that some functions take: those of BLAKE2, of Keccak's functions in SP 800-185 and
//! RFC 9861, and of Ascon-CXOF128. They are options of the command line.

use crate::text::encoding::Encoding;
use clap::Args;
use std::num::NonZero;

/// Returns whether the help leaves a parameter out, because it is for functions and trees that are not
/// made of files.
pub fn is_rare(name: &str) -> bool {
    ["function-name", "element"].contains(&name) || BLAKE2[2..].contains(&name)
}

/// The parameters that were given.
#[derive(Args, Clone, Default)]
pub struct Parameters {
    /// KMAC, KT128, KT256, ParallelHash: the customization string
    #[arg(long, value_name = "TEXT", value_parser = text, hide = true)]
    pub customization: Option<Text>,
    /// cSHAKE: the function name, which NIST assigns
    #[arg(long, value_name = "TEXT", value_parser = text, hide = true)]
    pub function_name: Option<Text>,
    /// TupleHash: an element of the tuple before the file, which is its last element; may be repeated
    #[arg(long, value_name = "TEXT", value_parser = text, hide = true)]
    pub element: Vec<Text>,
    /// ParallelHash: the length of a block [default: 8192]; fs-verity: [default: 4096]
    #[arg(long, value_name = "BYTES", hide = true)]
    pub block_size: Option<NonZero<usize>>,
    /// BLAKE2, fs-verity: the salt
    #[arg(long, value_name = "TEXT", value_parser = text, hide = true)]
    pub salt: Option<Text>,
    /// BLAKE2: the personalization
    #[arg(long, value_name = "TEXT", value_parser = text, hide = true)]
    pub personal: Option<Text>,
    /// BLAKE2: the number of children of a node; 0 is unlimited
    #[arg(long, value_name = "N", hide = true)]
    pub fanout: Option<u8>,
    /// BLAKE2: the maximal depth of the tree; 255 is unlimited, 0 is for BLAKE2X
    #[arg(long, value_name = "N", hide = true)]
    pub max_depth: Option<u8>,
    /// BLAKE2: the maximal number of message bytes in a leaf; 0 is unlimited
    #[arg(long, value_name = "BYTES", hide = true)]
    pub leaf_length: Option<u32>,
    /// BLAKE2: the position of the node in its level, from 0
    #[arg(long, value_name = "N", hide = true)]
    pub node_offset: Option<u64>,
    /// BLAKE2: the level of the node; 0 is a leaf
    #[arg(long, value_name = "N", hide = true)]
    pub node_depth: Option<u8>,
    /// BLAKE2: the length of the digests of inner nodes
    #[arg(long, value_name = "BYTES", hide = true)]
    pub inner_length: Option<usize>,
    /// BLAKE2: hash as the last node of its level
    #[arg(long, hide = true)]
    pub last_node: bool,
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

fn text(text: &str) -> Result<Text, String> {
    let bytes = match text.strip_prefix("hex:") {
        Some(digits) => Encoding::Hex.decode(digits.as_bytes()),
        None => Some(text.as_bytes().to_vec()),
    };
    bytes.map(Text).ok_or("hex: must be followed by pairs of hexadecimal digits".to_owned())
}
