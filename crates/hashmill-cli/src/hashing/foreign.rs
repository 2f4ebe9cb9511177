//! The algorithms that are not in the library's table of algorithms, and the state of a message in
//! progress. BLAKE2X, KangarooTwelve, SP 800-185's functions, Ascon-CXOF128 and the tree hashes of
//! systems are the library's. The older functions of GNU's programs come from other crates or are computed here;
//! none of these protects against forgery.

use crate::hashing::parameters::{Parameters, Text};
use hashmill::{Algorithm, AnyHasher, CShake, Customization, Error, FileTree, FunctionName};
use hashmill::{KangarooTwelve, Kmac};
use hashmill::{ParallelHash, TupleHash, blake2b, blake2s};
use std::fmt;
use std::num::NonZero;

/// The length of a leaf in bytes. KangarooTwelve prescribes it; for ParallelHash it is a parameter,
/// with this default.
pub const CHUNK: usize = 8192;

/// The reason why a hasher returns an output of the requested length.
const CHOSEN: &str = "the output has the length for which the hasher was made";

/// The maximal output length of an extendable-output function in this program, in bytes.
pub const MAX_XOF_LEN: usize = 1 << 20;

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

impl Foreign {
    pub fn all() -> impl Iterator<Item = Foreign> {
        ROWS.iter().map(|row| row.0)
    }

    pub fn facts(self) -> Facts {
        ROWS[self as usize].1
    }

    /// Finds an algorithm by its name, tag or alias. Case, `-` and `_` are ignored, as in the
    /// library's names.
    pub fn named(name: &str) -> Option<Foreign> {
        fn letters(name: &str) -> impl Iterator<Item = u8> {
            name.bytes().filter(|byte| !b"-_".contains(byte)).map(|byte| byte.to_ascii_lowercase())
        }
        let row = ROWS.iter().find(|(_, facts, aliases)| {
            let own = [facts.name, facts.tag];
            own.iter().chain(*aliases).any(|known| letters(known).eq(letters(name)))
        });
        row.map(|row| row.0)
    }

    /// Returns whether the output length can be chosen.
    pub fn is_xof(self) -> bool {
        (self as usize) < Foreign::Md5 as usize
    }

    /// Returns the state before the first byte of a message, for an output of `output_len` bytes, at
    /// most [`max_len`](Self::max_len). The parameters that the function does not take are ignored.
    ///
    /// # Errors
    /// The function does not take a key or a parameter of this length.
    pub fn state(
        self,
        output_len: usize,
        key: &[u8],
        parameters: &Parameters,
    ) -> Result<State, Error> {
        use Foreign::*;
        let known = Some(output_len as u64);
        macro_rules! extended {
            ($module:ident) => {
                $module::Params::new()
                    .key(key)
                    .salt(Text::bytes(&parameters.salt))
                    .personal(Text::bytes(&parameters.personal))
                    .build_xof(known)?
                    .into()
            };
        }
        Ok(match self {
            Blake2xb => extended!(blake2b),
            Blake2xs => extended!(blake2s),
            Kt128 | CShake128 | Kmac128 | TupleHash128 | ParallelHash128 => {
                self.keccak::<168>(key, parameters)?
            }
            Kt256 | CShake256 | Kmac256 | TupleHash256 | ParallelHash256 => {
                self.keccak::<136>(key, parameters)?
            }
            AsconCXof128 => {
                let string = Text::bytes(&parameters.customization);
                hashmill::AsconCXof128::new(Customization(string))?.into()
            }
            Md5 => State::Md5(md5::Digest::new()),
            Sha1 => State::Sha1(sha1::Digest::new()),
            Crc => State::Crc(crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32Cksum)),
            Crc32b => State::Crc32b(crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32IsoHdlc)),
            Bsd => State::Bsd(0),
            Sysv => State::Sysv(0),
            FsVerity | FsVerity512 => {
                let sha = if self == FsVerity { Algorithm::Sha256 } else { Algorithm::Sha512 };
                let block_len = parameters.block_size.map_or(4096, NonZero::get);
                let tree = FileTree::fs_verity(sha, block_len, Text::bytes(&parameters.salt));
                State::File(Box::new(tree?))
            }
            BitTorrent => State::File(Box::new(FileTree::bittorrent())),
            Glacier => State::File(Box::new(FileTree::glacier())),
            Dropbox => State::File(Box::new(FileTree::dropbox())),
        })
    }

    fn keccak<const RATE: usize>(
        self,
        key: &[u8],
        parameters: &Parameters,
    ) -> Result<State, Error> {
        use Foreign::*;
        let string = Text::bytes(&parameters.customization);
        let customization = Customization(string);
        Ok(match self {
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
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.facts().name)
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

/// The state of a message in progress.
#[derive(Clone)]
pub enum State {
    /// A hasher of the library: every algorithm of its table, HMAC, BLAKE2X and SP 800-185's
    /// functions of a message.
    Ours(Box<AnyHasher>),
    /// TupleHash. The message is the tuple's last element, which [`begin`](Self::begin) begins.
    Tuple(Box<AnyHasher>),
    /// KangarooTwelve, with the customization string, which follows the message.
    Kangaroo(Box<AnyHasher>, Vec<u8>),
    Md5(md5::Md5),
    Sha1(sha1::Sha1),
    /// BLAKE3, with the position of the first byte to return in the output.
    Blake3(Box<AnyHasher>, u64),
    Crc(crc_fast::Digest),
    Crc32b(crc_fast::Digest),
    Bsd(u16),
    Sysv(u32),
    /// The tree hash of a system.
    File(Box<FileTree>),
    /// The CRC-64 of each piece of a file.
    Pieces(Box<Pieces>),
}

/// The computation of the checks of a file's pieces.
#[derive(Clone)]
pub struct Pieces {
    /// The length of a piece in bytes, and how many the last piece lacks.
    len: NonZero<u64>,
    room: u64,
    check: crc_fast::Digest,
    /// The checks of the pieces before the last one.
    checks: Vec<u8>,
}

impl Pieces {
    pub fn new(len: NonZero<u64>) -> Pieces {
        Pieces { len, room: len.get(), check: Pieces::check(), checks: Vec::new() }
    }

    fn check() -> crc_fast::Digest {
        crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc64Nvme)
    }

    fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.room == 0 {
                self.checks = self.finish();
                (self.room, self.check) = (self.len.get(), Pieces::check());
            }
            let room = bytes.len().min(self.room.try_into().unwrap_or(usize::MAX));
            self.check.update(&bytes[..room]);
            self.room -= room as u64;
            bytes = &bytes[room..];
        }
    }

    /// Returns the checks, eight bytes each. An empty file has one piece.
    fn finish(&self) -> Vec<u8> {
        [&*self.checks, &self.check.finalize().to_be_bytes()].concat()
    }
}

impl<H: Into<AnyHasher>> From<H> for State {
    fn from(hasher: H) -> State {
        State::Ours(Box::new(hasher.into()))
    }
}

impl State {
    /// Announces a message of `len` bytes. Only TupleHash uses the length: it precedes the message.
    ///
    /// # Panics
    /// If the function is TupleHash and the length is unknown.
    pub fn begin(&mut self, len: Option<u64>) {
        if let State::Tuple(tuple) = self {
            let len = len.expect("the length of an element is known before its bytes");
            tuple.begin_element(len).expect("the elements before this one are whole");
        }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            State::Ours(hasher) | State::Kangaroo(hasher, _) | State::Blake3(hasher, _) => {
                hasher.update(bytes);
            }
            // An error means that the message does not have the announced length, which the caller
            // notices.
            State::Tuple(hasher) => drop(hasher.try_update(bytes)),
            State::Md5(state) => md5::Digest::update(state, bytes),
            State::Sha1(state) => sha1::Digest::update(state, bytes),
            State::Crc(state) | State::Crc32b(state) => state.update(bytes),
            State::File(tree) => drop(tree.update(bytes)),
            State::Pieces(pieces) => pieces.update(bytes),
            State::Bsd(sum) => {
                *sum = bytes
                    .iter()
                    .fold(*sum, |sum, &byte| sum.rotate_right(1).wrapping_add(byte.into()));
            }
            State::Sysv(sum) => {
                // The sum of 256 bytes fits in 16 bits. A vector holds twice as many 16-bit sums as
                // 32-bit sums, which increases the speed from 8 to 18 GB/s. A check of each sum for
                // an overflow would prevent vectors.
                for bytes in bytes.chunks(256) {
                    let add = |sum: u16, &byte: &u8| sum.wrapping_add(byte.into());
                    *sum = sum.wrapping_add(bytes.iter().fold(0, add).into());
                }
            }
        }
    }

    /// Returns `output_len` bytes of output for a message of `len` bytes. The bytes of a checksum
    /// are those of its number, the most significant first.
    pub fn finish(&self, output_len: usize, len: u64) -> Vec<u8> {
        let mut output = vec![0; output_len];
        match self {
            State::Ours(hasher) | State::Tuple(hasher) => {
                hasher.hash_into(b"", &mut output).expect(CHOSEN);
            }
            State::Kangaroo(hasher, customization) => {
                let reader = hasher.squeeze_custom(customization);
                reader.and_then(|mut it| it.try_fill(&mut output)).expect(CHOSEN);
            }
            State::Blake3(hasher, start) => {
                let reader = hasher.squeeze().and_then(|mut reader| {
                    reader.seek(*start)?;
                    reader.try_fill(&mut output)
                });
                reader.expect("the output of BLAKE3 can be read from any byte on");
            }
            State::Md5(state) => return md5::Digest::finalize(state.clone()).to_vec(),
            State::Sha1(state) => return sha1::Digest::finalize(state.clone()).to_vec(),
            State::Crc(state) => {
                // The message is followed by its length, the least significant byte first, without
                // leading zeros.
                let mut state = *state;
                let bytes = len.to_le_bytes();
                state.update(&bytes[..8 - len.leading_zeros() as usize / 8]);
                return crc_bytes(&state);
            }
            State::Crc32b(state) => return crc_bytes(state),
            State::Bsd(sum) => return sum.to_be_bytes().to_vec(),
            State::Sysv(sum) => {
                // The bits above 16 are added to the low 16 bits twice, which leaves 16 bits.
                let folded = (sum & 0xFFFF) + (sum >> 16);
                let folded = (folded & 0xFFFF) + (folded >> 16);
                return (folded as u16).to_be_bytes().to_vec();
            }
            State::File(tree) => return tree.finalize().to_vec(),
            State::Pieces(pieces) => return pieces.finish(),
        }
        output
    }
}

fn crc_bytes(state: &crc_fast::Digest) -> Vec<u8> {
    (state.finalize() as u32).to_be_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_the_order_of_the_variants() {
        assert!(Foreign::all().enumerate().all(|(at, it)| it as usize == at));
    }
}
