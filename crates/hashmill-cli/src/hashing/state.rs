//! The state of a message in progress.

use hashmill::{AnyHasher, FileTree};
use std::num::NonZero;

/// The reason why a hasher returns an output of the requested length.
const CHOSEN: &str = "the output has the length for which the hasher was made";

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
