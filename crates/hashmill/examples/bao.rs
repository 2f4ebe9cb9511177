//! Bao's verified streaming: a file in BLAKE3's tree, so that who knows only the digest of the file
//! can check each part of it.
//!
//!     cargo run --release --example bao -- encode FILE > FILE.bao
//!     cargo run --release --example bao -- decode DIGEST FILE.bao
//!     cargo run --release --example bao -- outboard FILE > FILE.obao
//!     cargo run --release --example bao -- slice FILE START LENGTH FILE.obao > FILE.slice
//!     cargo run --release --example bao -- decode DIGEST FILE.slice START LENGTH
//!
//! A combined encoding is the length of the file in 8 bytes (little-endian) and then the tree,
//! each parent before its left subtree and that before its right one. A parent is the chaining
//! values of its two children, and a leaf is a chunk of the file. In an outboard encoding the chunks
//! are left out; they are in the file itself. A slice is a combined encoding of those parents and
//! chunks alone that contain some of its bytes.

use clap::Parser;
use hashmill::{Blake3, Digest};
use std::io::{self, Write};
use std::path::PathBuf;
use std::{fs, process};

/// Encode files for Bao, and verify what was encoded
#[derive(Parser)]
enum Command {
    /// Write the combined encoding
    Encode { file: PathBuf },
    /// Write the outboard encoding
    Outboard { file: PathBuf },
    /// Write a slice of a file, which is read from its outboard encoding without hashing
    Slice { file: PathBuf, start: u64, length: u64, outboard: PathBuf },
    /// Write the bytes of a slice, or of a combined encoding if no start is given
    Decode {
        digest: Digest<32>,
        slice: PathBuf,
        #[arg(default_value_t = 0, requires = "length")]
        start: u64,
        #[arg(default_value_t = u64::MAX)]
        length: u64,
    },
}

/// Bytes of a chunk.
const CHUNK: u64 = 1024;
/// Bytes of a parent.
const PARENT: usize = 64;

type Value = [u8; 32];

fn main() {
    if let Err(error) = run(&Command::parse()) {
        eprintln!("bao: {error}");
        process::exit(1);
    }
}

fn run(command: &Command) -> io::Result<()> {
    let invalid = |Invalid| io::Error::new(io::ErrorKind::InvalidData, "the encoding is invalid");
    let output = match command {
        Command::Encode { file } => encode(&fs::read(file)?, Chunks::Here),
        Command::Outboard { file } => encode(&fs::read(file)?, Chunks::Apart),
        Command::Slice { file, start, length, outboard } => {
            let (file, outboard) = (fs::read(file)?, fs::read(outboard)?);
            slice(&outboard, Some(&file), *start, *length).map_err(invalid)?
        }
        Command::Decode { digest, slice, start, length } => {
            decode(&fs::read(slice)?, digest, *start, *length).map_err(invalid)?
        }
    };
    io::stdout().write_all(&output)
}

/// The encoding does not have the digest, or ends too early or too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Invalid;

/// Where the chunks are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chunks {
    Here,
    Apart,
}

/// The subtree over bytes `start..end` of the file.
#[derive(Clone, Copy)]
struct Subtree {
    start: u64,
    end: u64,
}

impl Subtree {
    fn len(self) -> u64 {
        self.end - self.start
    }

    /// Returns the two children, unless this is a chunk. The left one is as large as it can be, with
    /// a byte left for the right one.
    fn children(self) -> Option<[Subtree; 2]> {
        let chunks = self.len().saturating_sub(1) / CHUNK;
        let middle = self.start + (CHUNK << chunks.checked_ilog2()?);
        Some([Subtree { end: middle, ..self }, Subtree { start: middle, ..self }])
    }

    /// The number of bytes of its parents.
    fn parents_len(self) -> u128 {
        u128::from(self.len().saturating_sub(1) / CHUNK) * PARENT as u128
    }
}

/// Returns the encoding of the whole file.
fn encode(file: &[u8], chunks: Chunks) -> Vec<u8> {
    let mut out = (file.len() as u64).to_le_bytes().to_vec();
    write(Subtree { start: 0, end: file.len() as u64 }, file, chunks, &mut out);
    out
}

/// Appends a subtree, and returns its chaining value.
fn write(tree: Subtree, file: &[u8], chunks: Chunks, out: &mut Vec<u8>) -> Value {
    let Some([left, right]) = tree.children() else {
        let chunk = &file[tree.start as usize..];
        let chunk = &chunk[..tree.len() as usize];
        if chunks == Chunks::Here {
            out.extend(chunk);
        }
        // An empty file is its own root, and nobody asks for its chaining value.
        return Blake3::new().subtree(tree.start, chunk).unwrap_or_default();
    };
    // The children's values are known only when the children are written.
    let place = out.len();
    out.extend([0; PARENT]);
    let left = write(left, file, chunks, out);
    let right = write(right, file, chunks, out);
    out[place..][..PARENT].copy_from_slice([left, right].as_flattened());
    Blake3::new().parent(&left, &right)
}

/// Returns the slice with `length` bytes from `start` on, out of a combined encoding or, with the
/// file, an outboard one. It checks no digest.
fn slice(
    encoding: &[u8],
    file: Option<&[u8]>,
    start: u64,
    length: u64,
) -> Result<Vec<u8>, Invalid> {
    let mut encoding = Reader(encoding);
    let root = encoding.root()?;
    let mut copy = Copy { encoding, file: file.map(Reader), wanted: wanted(root, start, length) };
    let mut out = root.end.to_le_bytes().to_vec();
    copy.subtree(root, &mut out)?;
    Ok(out)
}

/// Returns the bytes that the chunks of a slice must contain: at least one, because otherwise
/// nothing would verify the length. A slice after the end has the last chunk.
fn wanted(root: Subtree, start: u64, length: u64) -> Subtree {
    let start = start.min(root.end.saturating_sub(1));
    Subtree { start, end: start.saturating_add(length.max(1)) }
}

fn overlap(a: Subtree, b: Subtree) -> bool {
    a.start < b.end && b.start < a.end
}

struct Copy<'a> {
    encoding: Reader<'a>,
    /// The chunks, if they are not in the encoding.
    file: Option<Reader<'a>>,
    wanted: Subtree,
}

impl Copy<'_> {
    /// Appends the parents and the chunks of `tree` that contain wanted bytes.
    fn subtree(&mut self, tree: Subtree, out: &mut Vec<u8>) -> Result<(), Invalid> {
        // The only chunk of an empty file has no bytes and is in every slice.
        if tree.len() > 0 && !overlap(tree, self.wanted) {
            self.encoding.take(tree.parents_len())?;
            self.chunks(tree)?;
        } else if let Some(children) = tree.children() {
            out.extend(self.encoding.take(PARENT as u128)?);
            for child in children {
                self.subtree(child, out)?;
            }
        } else {
            out.extend(self.chunks(tree)?);
        }
        Ok(())
    }

    /// Takes the bytes of all chunks of `tree`.
    fn chunks(&mut self, tree: Subtree) -> Result<&[u8], Invalid> {
        self.file.as_mut().unwrap_or(&mut self.encoding).take(tree.len().into())
    }
}

/// Returns the bytes of a slice after checking each parent and each chunk in it.
///
/// A combined encoding is the slice of all bytes.
fn decode(slice: &[u8], digest: &Digest<32>, start: u64, length: u64) -> Result<Vec<u8>, Invalid> {
    let mut slice = Reader(slice);
    let root = slice.root()?;
    let mut check = Check { slice, wanted: wanted(root, start, length), out: Vec::new() };
    check.root(root, digest)?;
    // The chunks begin before the slice and end after it.
    let before = start.min(root.end) - check.wanted.start / CHUNK * CHUNK;
    let mut bytes = check.out.split_off(check.out.len().min(before as usize));
    bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    match check.slice.0 {
        [] => Ok(bytes),
        _ => Err(Invalid),
    }
}

struct Check<'a> {
    slice: Reader<'a>,
    wanted: Subtree,
    /// The chunks, which are correct.
    out: Vec<u8>,
}

impl Check<'_> {
    fn root(&mut self, tree: Subtree, digest: &Digest<32>) -> Result<(), Invalid> {
        let Some(children) = tree.children() else {
            let chunk = self.slice.take(tree.len().into())?;
            self.out.extend(chunk);
            return correct(hashmill::blake3(chunk) == *digest);
        };
        let values = self.slice.values()?;
        let mut root = [0; 32];
        Blake3::new().root(&values[0], &values[1]).fill(&mut root);
        correct(*digest == root)?;
        self.subtrees(children, values)
    }

    fn subtrees(&mut self, trees: [Subtree; 2], values: [Value; 2]) -> Result<(), Invalid> {
        for (tree, value) in trees.into_iter().zip(values) {
            if !overlap(tree, self.wanted) {
                continue;
            }
            let Some(children) = tree.children() else {
                let chunk = self.slice.take(tree.len().into())?;
                correct(Blake3::new().subtree(tree.start, chunk) == Some(value))?;
                self.out.extend(chunk);
                continue;
            };
            let [left, right] = self.slice.values()?;
            correct(Blake3::new().parent(&left, &right) == value)?;
            self.subtrees(children, [left, right])?;
        }
        Ok(())
    }
}

fn correct(is: bool) -> Result<(), Invalid> {
    is.then_some(()).ok_or(Invalid)
}

/// The bytes that were not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: u128) -> Result<&'a [u8], Invalid> {
        let len = usize::try_from(len).map_err(|_| Invalid)?;
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Invalid)?;
        self.0 = rest;
        Ok(taken)
    }

    fn root(&mut self) -> Result<Subtree, Invalid> {
        let end = *self.take(8)?.first_chunk().ok_or(Invalid)?;
        Ok(Subtree { start: 0, end: u64::from_le_bytes(end) })
    }

    fn values(&mut self) -> Result<[Value; 2], Invalid> {
        let parent = self.take(PARENT as u128)?;
        let value = |at| parent[at..].first_chunk().copied().ok_or(Invalid);
        Ok([value(0)?, value(32)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use io::Read;

    fn file(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| ((i * i) >> 7) as u8).collect()
    }

    /// Lengths around the ends of chunks and around powers of two of chunks.
    fn lengths() -> impl Iterator<Item = usize> {
        let near = |chunks: usize| [1024 * chunks - 1, 1024 * chunks, 1024 * chunks + 1];
        [0, 1, 10 << 10].into_iter().chain([1, 2, 3, 4, 7, 8, 16, 64].into_iter().flat_map(near))
    }

    /// Slices within a chunk, over the ends of chunks, of nothing, and after the end.
    fn slices(len: usize) -> impl Iterator<Item = (u64, u64)> {
        let len = len as u64;
        let starts =
            [0, 1, 1023, 1024, 1025, len / 2, len.saturating_sub(1), len, len + 1, u64::MAX];
        let lengths = [0, 1, 2, 1024, 1025, 5000, len, u64::MAX];
        // The published crate refuses a slice whose end has more than 64 bits.
        let fits = |&(start, len): &(u64, u64)| start.checked_add(len).is_some();
        starts.into_iter().flat_map(move |start| lengths.map(|len| (start, len))).filter(fits)
    }

    #[test]
    fn encodings_are_those_of_the_crate_bao() {
        for file in lengths().map(file) {
            let (combined, digest) = ::bao::encode::encode(&file);
            let outboard = ::bao::encode::outboard(&file).0;
            let digest = Digest::from(*digest.as_bytes());
            assert_eq!(encode(&file, Chunks::Here), combined, "{} bytes", file.len());
            assert_eq!(encode(&file, Chunks::Apart), outboard, "{} bytes", file.len());
            assert_eq!(decode(&combined, &digest, 0, u64::MAX).as_ref(), Ok(&file));
            assert_eq!(slice(&outboard, Some(&file), 0, u64::MAX).as_ref(), Ok(&combined));
        }
    }

    #[test]
    fn slices_are_those_of_the_crate_bao() {
        for file in lengths().map(file) {
            let combined = encode(&file, Chunks::Here);
            let outboard = encode(&file, Chunks::Apart);
            let digest = hashmill::blake3(&file);
            for (start, len) in slices(file.len()) {
                let mut expected = Vec::new();
                ::bao::encode::SliceExtractor::new(io::Cursor::new(&combined), start, len)
                    .read_to_end(&mut expected)
                    .expect("memory");
                let case = format!("{len} of {} bytes at {start}", file.len());
                let ours = slice(&combined, None, start, len).expect("an encoding");
                assert_eq!(ours, expected, "{case}");
                assert_eq!(slice(&outboard, Some(&file), start, len), Ok(expected), "{case}");
                let rest = file.get(start as usize..).unwrap_or_default();
                let part = &rest[..rest.len().min(len as usize)];
                assert_eq!(decode(&ours, &digest, start, len).as_deref(), Ok(part), "{case}");
            }
        }
    }

    /// The crate bao refuses what we refuse.
    #[test]
    fn damaged_encodings_are_refused() {
        for file in [0, 1, 1025, 3000, 5 << 10].map(file) {
            let digest = hashmill::blake3(&file);
            let (start, len) = (file.len() as u64 / 2, 1000);
            let combined = encode(&file, Chunks::Here);
            let part = slice(&combined, None, start, len).expect("an encoding");
            for (whole, start, len) in [(combined, 0, u64::MAX), (part, start, len)] {
                let bytes = decode(&whole, &digest, start, len).expect("an encoding");
                for end in 0..whole.len() {
                    assert_eq!(decode(&whole[..end], &digest, start, len), Err(Invalid));
                }
                let longer = [&whole[..], b"x"].concat();
                assert_eq!(decode(&longer, &digest, start, len), Err(Invalid));
                for place in 0..whole.len() {
                    for bit in [1, 0x80] {
                        let mut wrong = whole.clone();
                        wrong[place] ^= bit;
                        let ours = decode(&wrong, &digest, start, len).ok();
                        let hash = blake3::Hash::from_bytes(*digest.as_bytes());
                        let mut theirs = Vec::new();
                        let theirs =
                            ::bao::decode::SliceDecoder::new(&wrong[..], &hash, start, len)
                                .read_to_end(&mut theirs)
                                .is_ok()
                                .then_some(theirs);
                        let case = format!("{} bytes, byte {place}, from {start}", file.len());
                        assert_eq!(ours, theirs, "{case}");
                        // The length is verified only with the last chunk.
                        assert!(
                            ours.is_none() || place < 8 && ours.as_ref() == Some(&bytes),
                            "{case}"
                        );
                    }
                }
            }
        }
    }

    /// A length of almost 2⁶⁴ bytes is read from an encoding that anybody may have written.
    #[test]
    fn a_wrong_length_costs_nothing() {
        for end in [1025, 1 << 40, u64::MAX] {
            let encoding = [&u64::to_le_bytes(end)[..], &[0; 64 * 60]].concat();
            for (start, len) in slices(5000) {
                // Nothing verifies what is only copied.
                let copy = slice(&encoding, None, start, len);
                assert!(copy.is_ok_and(|copy| copy.len() <= encoding.len()) || end > 1025, "{end}");
                assert_eq!(decode(&encoding, &Digest::from([0; 32]), start, len), Err(Invalid));
            }
        }
    }
}
