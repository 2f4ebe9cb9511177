//! The algorithms: those of the library's table, and others. BLAKE2X, KangarooTwelve, SP 800-185's
//! functions, Ascon-CXOF128 and the tree hashes of systems are the library's, too. The older
//! functions of GNU's programs come from other crates or are computed in
//! [`state`](crate::hashing::state); none of these protects against forgery.

use self::AnyAlgorithm::{Foreign as Another, Ours};
use crate::hashing::parameters::{BLAKE2, Parameters, Text};
use crate::hashing::state::State;
use hashmill::Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp, Sha256, Sha512};
use hashmill::{
    CShake, Customization, Error, FileTree, FunctionName, KangarooTwelve, Kmac, LastNode,
};
use hashmill::{ParallelHash, TupleHash, blake2b, blake2bp, blake2s, blake2sp};
use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

/// The length of a leaf in bytes. KangarooTwelve prescribes it; for ParallelHash it is a parameter,
/// with this default.
pub const CHUNK: usize = 8192;

/// The maximal output length of an extendable-output function in this program, in bytes.
const MAX_XOF_LEN: usize = 1 << 20;

/// One of the library's algorithms, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyAlgorithm {
    Ours(hashmill::Algorithm),
    Foreign(Foreign),
}

/// An algorithm that is not in the library's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// BLAKE2X of a known output length. With an unknown output length it is a different function.
    Blake2xb,
    Blake2xs,
    Kt128,
    Kt256,
    ParallelHash128,
    ParallelHash256,
    CShake128,
    CShake256,
    Kmac128,
    Kmac256,
    TupleHash128,
    TupleHash256,
    AsconCXof128,
    // The functions from here on have an output of fixed length.
    Md5,
    Sha1,
    /// The cyclic redundancy check of POSIX's `cksum`, over the message and its length.
    Crc,
    Crc32b,
    Bsd,
    Sysv,
    FsVerity,
    FsVerity512,
    BitTorrent,
    Glacier,
    Dropbox,
}

/// What is known of an algorithm.
#[derive(Clone, Copy)]
pub struct Facts {
    pub name: &'static str,
    pub tag: &'static str,
    /// The usual output length in bytes.
    pub output_len: usize,
    pub block_len: usize,
    pub standard: &'static str,
}

/// An algorithm and its other names.
type Row = (Foreign, Facts, &'static [&'static str]);

/// In the order of the variants.
#[rustfmt::skip]
static ROWS: [Row; 24] = [
    (Foreign::Blake2xb, facts("BLAKE2Xb", "BLAKE2Xb", 64, 128, "BLAKE2X paper"), &[]),
    (Foreign::Blake2xs, facts("BLAKE2Xs", "BLAKE2Xs", 32, 64, "BLAKE2X paper"), &[]),
    (Foreign::Kt128, facts("KT128", "KT128", 32, 168, "RFC 9861 §3"), &["KangarooTwelve", "K12"]),
    (Foreign::Kt256, facts("KT256", "KT256", 64, 136, "RFC 9861 §3"), &[]),
    (Foreign::ParallelHash128, facts("ParallelHash128", "ParallelHash128", 32, 168, "SP 800-185 §6"), &[]),
    (Foreign::ParallelHash256, facts("ParallelHash256", "ParallelHash256", 64, 136, "SP 800-185 §6"), &[]),
    (Foreign::CShake128, facts("cSHAKE128", "cSHAKE128", 32, 168, "SP 800-185 §3"), &[]),
    (Foreign::CShake256, facts("cSHAKE256", "cSHAKE256", 64, 136, "SP 800-185 §3"), &[]),
    (Foreign::Kmac128, facts("KMAC128", "KMAC128", 32, 168, "SP 800-185 §4"), &[]),
    (Foreign::Kmac256, facts("KMAC256", "KMAC256", 64, 136, "SP 800-185 §4"), &[]),
    (Foreign::TupleHash128, facts("TupleHash128", "TupleHash128", 32, 168, "SP 800-185 §5"), &[]),
    (Foreign::TupleHash256, facts("TupleHash256", "TupleHash256", 64, 136, "SP 800-185 §5"), &[]),
    (Foreign::AsconCXof128, facts("Ascon-CXOF128", "Ascon-CXOF128", 32, 8, "SP 800-232 §5.3"), &[]),
    (Foreign::Md5, facts("MD5", "MD5", 16, 64, "RFC 1321"), &[]),
    (Foreign::Sha1, facts("SHA-1", "SHA1", 20, 64, "FIPS 180-4 §6.1"), &[]),
    (Foreign::Crc, facts("CRC", "CRC", 4, 1, "POSIX.1-2024 cksum"), &["cksum"]),
    (Foreign::Crc32b, facts("CRC32B", "CRC32B", 4, 1, "ITU-T V.42 §8.1.1.6.2"), &["CRC-32", "CRC32"]),
    (Foreign::Bsd, facts("BSD", "BSD", 2, 1, "BSD sum"), &[]),
    (Foreign::Sysv, facts("SYSV", "SYSV", 2, 1, "System V sum"), &[]),
    (Foreign::FsVerity, facts("fs-verity", "fs-verity", 32, 4096, "Linux fs-verity"), &["fs-verity-sha256"]),
    (Foreign::FsVerity512, facts("fs-verity-SHA512", "fs-verity-SHA512", 64, 4096, "Linux fs-verity"), &[]),
    (Foreign::BitTorrent, facts("BitTorrent-v2", "BitTorrent-v2", 32, 16384, "BEP 52, pieces root"), &["BitTorrent"]),
    (Foreign::Glacier, facts("Glacier", "Glacier", 32, 1 << 20, "Amazon's tree hash"), &["S3-Glacier"]),
    (Foreign::Dropbox, facts("Dropbox", "Dropbox", 32, 4 << 20, "Dropbox content hash"), &[]),
];

const fn facts(
    name: &'static str,
    tag: &'static str,
    output_len: usize,
    block_len: usize,
    standard: &'static str,
) -> Facts {
    Facts { name, tag, output_len, block_len, standard }
}

impl AnyAlgorithm {
    /// Returns all algorithms, the library's first.
    pub fn all() -> impl Iterator<Item = AnyAlgorithm> {
        let ours = hashmill::Algorithm::ALL.iter().copied().map(Ours);
        ours.chain(ROWS.iter().map(|row| Another(row.0)))
    }

    pub fn facts(self) -> Facts {
        match self {
            Ours(ours) => Facts {
                name: ours.name(),
                tag: ours.tag(),
                output_len: ours.output_len(),
                block_len: ours.block_len(),
                standard: ours.standard(),
            },
            Another(foreign) => ROWS[foreign as usize].1,
        }
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn tag(self) -> &'static str {
        self.facts().tag
    }

    /// Returns the usual output length in bytes.
    pub fn output_len(self) -> usize {
        self.facts().output_len
    }

    /// Returns the maximal output length in bytes.
    pub fn max_len(self) -> usize {
        match self {
            Another(Foreign::Blake2xs) => 0xFFFE,
            _ if self.is_xof() => MAX_XOF_LEN,
            _ => self.output_len(),
        }
    }

    /// Returns whether the output length can be chosen.
    pub fn is_xof(self) -> bool {
        match self {
            Ours(algorithm) => algorithm.is_xof(),
            Another(foreign) => (foreign as usize) < Foreign::Md5 as usize,
        }
    }

    /// Returns the names of the parameters that the function takes.
    pub fn parameters(self) -> &'static [&'static str] {
        use Foreign::*;
        match self {
            Ours(Blake2b | Blake2s) => &BLAKE2,
            Ours(Blake2bp | Blake2sp) | Another(Blake2xb | Blake2xs) => BLAKE2.split_at(2).0,
            Another(Kt128 | Kt256 | Kmac128 | Kmac256 | AsconCXof128) => &["customization"],
            Another(CShake128 | CShake256) => &["customization", "function-name"],
            Another(TupleHash128 | TupleHash256) => &["customization", "element"],
            Another(ParallelHash128 | ParallelHash256) => &["customization", "block-size"],
            Another(FsVerity | FsVerity512) => &["block-size", "salt"],
            Another(Md5 | Sha1 | Crc | Crc32b | Bsd | Sysv | BitTorrent | Glacier | Dropbox) => &[],
            Ours(_) => &[],
        }
    }

    /// Returns whether the function takes a key of its own.
    pub fn takes_key(self) -> bool {
        self.parameters().contains(&"personal") || self.needs_key()
    }

    /// Returns whether the function has no meaning without a key.
    pub fn needs_key(self) -> bool {
        matches!(self, Another(Foreign::Kmac128 | Foreign::Kmac256))
    }

    /// Returns the state before the first byte of a message, for an output of `len` bytes, which
    /// the algorithm must have. The output length of BLAKE2 and BLAKE2X is one of their parameters,
    /// so that a shorter digest is a different function (RFC 7693 §2.8). Extendable outputs are
    /// truncated. The parameters that the algorithm does not take are ignored.
    ///
    /// # Errors
    /// The algorithm does not have this output length, or does not take a key or a parameter of
    /// this length.
    pub fn state(self, len: usize, key: &[u8], parameters: &Parameters) -> Result<State, Error> {
        use Foreign::*;
        macro_rules! params {
            ($module:ident) => {
                $module::Params::new()
                    .key(key)
                    .salt(Text::bytes(&parameters.salt))
                    .personal(Text::bytes(&parameters.personal))
            };
        }
        let last_node = if parameters.last_node { LastNode::Yes } else { LastNode::No };
        // In sequential hashing, the fanout and the depth are 1, and the others 0 (RFC 7693 §2.5).
        macro_rules! node {
            ($module:ident) => {
                params!($module)
                    .output_len(len)
                    .fanout(parameters.fanout.unwrap_or(1))
                    .max_depth(parameters.max_depth.unwrap_or(1))
                    .leaf_len(parameters.leaf_length.unwrap_or(0))
                    .node_offset(parameters.node_offset.unwrap_or(0))
                    .node_depth(parameters.node_depth.unwrap_or(0))
                    .inner_len(parameters.inner_length.unwrap_or(0))
                    .last_node(last_node)
            };
        }
        let known = Some(len as u64);
        let customization = Customization(Text::bytes(&parameters.customization));
        Ok(match self {
            Ours(Blake2b) => node!(blake2b).build()?.into(),
            Ours(Blake2s) => node!(blake2s).build()?.into(),
            Ours(Blake2bp) => params!(blake2bp).output_len(len).build()?.into(),
            Ours(Blake2sp) => params!(blake2sp).output_len(len).build()?.into(),
            Ours(algorithm) => algorithm.hasher().into(),
            Another(Blake2xb) => params!(blake2b).build_xof(known)?.into(),
            Another(Blake2xs) => params!(blake2s).build_xof(known)?.into(),
            Another(it @ (Kt128 | CShake128 | Kmac128 | TupleHash128 | ParallelHash128)) => {
                keccak::<168>(it, key, parameters)?
            }
            Another(it @ (Kt256 | CShake256 | Kmac256 | TupleHash256 | ParallelHash256)) => {
                keccak::<136>(it, key, parameters)?
            }
            Another(AsconCXof128) => hashmill::AsconCXof128::new(customization)?.into(),
            Another(Md5) => State::Md5(md5::Digest::new()),
            Another(Sha1) => State::Sha1(sha1::Digest::new()),
            Another(Crc) => State::Crc(crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32Cksum)),
            Another(Crc32b) => {
                State::Crc32b(crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32IsoHdlc))
            }
            Another(Bsd) => State::Bsd(0),
            Another(Sysv) => State::Sysv(0),
            Another(it @ (FsVerity | FsVerity512)) => {
                let sha = if it == FsVerity { Sha256 } else { Sha512 };
                let block_len = parameters.block_size.map_or(4096, NonZero::get);
                let tree = FileTree::fs_verity(sha, block_len, Text::bytes(&parameters.salt));
                State::File(Box::new(tree?))
            }
            Another(BitTorrent) => State::File(Box::new(FileTree::bittorrent())),
            Another(Glacier) => State::File(Box::new(FileTree::glacier())),
            Another(Dropbox) => State::File(Box::new(FileTree::dropbox())),
        })
    }

    /// Returns whether the length of a digest is a parameter.
    pub fn takes_len(self) -> bool {
        self.is_xof() || self.parameters().contains(&"personal")
    }

    /// Returns the unit of the size in the lines of this algorithm if they have the old form: a
    /// checksum in decimal, a size and a name. Returns `None` for other algorithms.
    pub fn size(self) -> Option<Size> {
        match self {
            Another(Foreign::Crc | Foreign::Crc32b) => Some(Size::Bytes),
            Another(Foreign::Bsd) => Some(Size::Blocks1024),
            Another(Foreign::Sysv) => Some(Size::Blocks512),
            _ => None,
        }
    }
}

fn keccak<const RATE: usize>(
    function: Foreign,
    key: &[u8],
    parameters: &Parameters,
) -> Result<State, Error> {
    use Foreign::*;
    let string = Text::bytes(&parameters.customization);
    let customization = Customization(string);
    Ok(match function {
        CShake128 | CShake256 => {
            let name = FunctionName(Text::bytes(&parameters.function_name));
            CShake::<RATE>::new(name, customization).into()
        }
        Kmac128 | Kmac256 => Kmac::<RATE>::new(key, customization).into(),
        TupleHash128 | TupleHash256 => {
            let mut tuple = TupleHash::<RATE>::new(string);
            for element in &parameters.element {
                tuple.element(element.as_ref());
            }
            State::Tuple(Box::new(tuple.into()))
        }
        ParallelHash128 | ParallelHash256 => {
            let block_len = parameters.block_size.map_or(CHUNK, NonZero::get);
            ParallelHash::<RATE>::new(block_len, string)?.into()
        }
        _ => {
            let hasher = KangarooTwelve::<RATE>::new().into();
            State::Kangaroo(Box::new(hasher), string.to_vec())
        }
    })
}

impl From<hashmill::Algorithm> for AnyAlgorithm {
    fn from(algorithm: hashmill::Algorithm) -> AnyAlgorithm {
        Ours(algorithm)
    }
}

impl From<Foreign> for AnyAlgorithm {
    fn from(foreign: Foreign) -> AnyAlgorithm {
        Another(foreign)
    }
}

impl fmt::Display for AnyAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a name, a tag or an alias. Case, `-` and `_` are ignored.
impl FromStr for AnyAlgorithm {
    type Err = ();

    fn from_str(name: &str) -> Result<AnyAlgorithm, ()> {
        fn letters(name: &str) -> impl Iterator<Item = u8> {
            name.bytes().filter(|byte| !b"-_".contains(byte)).map(|byte| byte.to_ascii_lowercase())
        }
        let is = |(_, facts, aliases): &&Row| {
            let own = [facts.name, facts.tag];
            own.iter().chain(*aliases).any(|known| letters(known).eq(letters(name)))
        };
        let another = || ROWS.iter().find(is).map(|row| Another(row.0));
        name.parse().ok().map(Ours).or_else(another).ok_or(())
    }
}

/// The unit of the size in an old-style line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Bytes,
    /// Blocks of 1024 bytes. The checksum is padded to five digits with zeros, the size to five
    /// columns with blanks.
    Blocks1024,
    Blocks512,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_the_order_of_the_variants() {
        assert!(ROWS.iter().enumerate().all(|(at, row)| row.0 as usize == at));
    }
}
