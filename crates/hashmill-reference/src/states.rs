//! The library's exported states: which bytes are a state, and the output that follows from one.
//!
//! A state consists of the version 1, the function's code, its fields, and a check: the first 8
//! bytes of the SHA-256 of everything before. All numbers are little-endian. The bytes that wait
//! are the end of the message so far, which no whole block has absorbed yet.

use crate::blake2::{self, Params};
use crate::keccak::{State, bits_below_the_highest_one, sponge_after};
use crate::sp800_185::{left_encode, right_encode};
use crate::{blake2x, blake3, k12, keccak, sha2, sm3};

/// Why there is no output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are not a state that the library could have exported.
    State,
    /// The standard does not allow a message as long as this.
    TooLong,
    /// The last element of a tuple is incomplete.
    Incomplete,
}

/// The codes of the functions that have states: the algorithms of the table, KT128, KT256,
/// BLAKE2Xb, BLAKE2Xs, cSHAKE, KMAC, TupleHash and ParallelHash, each with 128 and 256 bits of
/// security, and Ascon-CXOF128.
pub const CODES: [u8; 36] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0x40, 0x41, 0x42, 0x43, 19, 20,
    21, 22, 68, 69, 70, 71, 72, 73, 74, 75, 76, 23,
];

/// Returns `body` with its check.
pub fn checked(body: &[u8]) -> Vec<u8> {
    [body, &sha2::sha256(body)[..8]].concat()
}

/// Returns a state, without its check, of the function with that code after `count` bytes. `byte`
/// gives the bytes that no rule determines: the words of the states, salts, the bytes that wait. The
/// count may be larger than the standard allows; [`finish`] refuses the state then.
pub fn write(code: u8, count: u128, mut byte: impl FnMut() -> u8) -> Vec<u8> {
    let mut some =
        |len: usize| -> Vec<u8> { std::iter::repeat_with(&mut byte).take(len).collect() };
    let number = count.to_le_bytes();
    let mut sponge = |domain: u8, rate: u128, count: u128| {
        let words = if count < rate { vec![0; 200] } else { some(200) };
        let waiting = some((count % rate) as usize);
        [&[domain][..], &words, &[waiting.len() as u8], &waiting].concat()
    };
    let fields = match code {
        7..=10 => sponge(0x06, 200 - 2 * [28, 32, 48, 64][usize::from(code) - 7], count),
        19 => sponge(0x01, 136, count),
        // After at least one block, which contains the function name.
        68 | 70 => sponge(0x04, 168, count.saturating_add(168)),
        69 | 71 => sponge(0x04, 136, count.saturating_add(136)),
        72 | 73 => {
            let missing = if count.is_multiple_of(2) { 0 } else { count as u64 % 251 };
            let rate = if code == 72 { 168 } else { 136 };
            [&missing.to_le_bytes()[..], &sponge(0x04, rate, count.saturating_add(rate))].concat()
        }
        74 | 75 => {
            let rate = if code == 74 { 168 } else { 136 };
            let block = [1, 7, 200, 8192, 1 << 40][(count % 5) as usize];
            let (leaves, filled) = (count / block, count % block);
            let head = left_encode(block as u64);
            // The blocks with the two strings; the length of the blocks; the hashes of the blocks.
            let hashes = leaves.wrapping_mul(200 - rate);
            let mut node = sponge(0x04, rate, hashes.wrapping_add(rate + head.len() as u128));
            if hashes.wrapping_add(head.len() as u128) == u128::from(node[201]) {
                node[202..][..head.len()].copy_from_slice(&head);
            }
            let leaf = sponge(0x1F, rate, filled);
            [&(block as u64).to_le_bytes()[..], &number, &node, &leaf].concat()
        }
        21 | 22 | 76 => {
            let waiting = some((count % 8) as usize);
            [&some(40)[..], &[waiting.len() as u8], &waiting].concat()
        }
        15..=18 => sponge(0x1F, [168, 136][usize::from(code + 1) % 2], count),
        0x40 | 0x41 => {
            let capacity = if code == 0x40 { 32 } else { 64 };
            let first = count.min(CHUNK);
            let (leaves, filled) = ((count - first) / CHUNK, (count - first) % CHUNK);
            let after_first = if count > CHUNK { 8 } else { 0 };
            let of_node = (first + after_first).wrapping_add(leaves.wrapping_mul(capacity));
            let node = sponge(0x07, 200 - capacity, of_node);
            [&number[..], &node, &sponge(0x0B, 200 - capacity, filled)].concat()
        }
        1..=6 | 23 => {
            let word = if matches!(code, 1 | 2 | 23) { 4 } else { 8 };
            [&number[..], &some(8 * word), &some((count % (16 * word as u128)) as usize)].concat()
        }
        20 => {
            let flags = [0, 16, 64][usize::from(some(1)[0]) % 3];
            let key = if flags == 0 { Vec::new() } else { some(32) };
            // The only chunk stays a chunk when it is complete.
            let chunks = if count == 1024 { 0 } else { (count / 1024) as u64 };
            let in_chunk = if count == 1024 { 1024 } else { (count % 1024) as u16 };
            let absorbed = in_chunk.saturating_sub(1) / 64;
            let value = if absorbed == 0 { Vec::new() } else { some(32) };
            let waiting = some(usize::from(in_chunk - 64 * absorbed));
            let values = some(32 * blake3::subtrees(chunks, in_chunk).len());
            let numbers = [&chunks.to_le_bytes()[..], &in_chunk.to_le_bytes()].concat();
            [&[flags][..], &key, &numbers, &value, &waiting, &values].concat()
        }
        13 | 14 => {
            let (word, leaves) = if code == 13 { (8, 4) } else { (4, 8) };
            let block = 16 * word;
            let waiting = waits(count, leaves * block, (leaves - 1) * block + 1);
            [&[word as u8 * 5][..], &number, &some(8 * word * (1 + leaves)), &some(waiting)]
                .concat()
        }
        11 | 12 | 0x42 | 0x43 => {
            let word = if matches!(code, 11 | 0x42) { 8 } else { 4 };
            let (salt, personal) = (some(2 * word), some(2 * word));
            let rest = vec![0; 16 - 2 * word];
            let head = match code {
                0x42 => [&[0, 0, 0, 0, 100, 0, 0, 0][..], &salt, &rest, &personal, &rest].concat(),
                0x43 => {
                    [&[0, 0, 0, 0, 255, 255, 0, 0][..], &salt, &rest, &personal, &rest].concat()
                }
                _ => Vec::new(),
            };
            let root = [8 * word as u8, 0];
            let waiting = waits(count, 16 * word, 1);
            [&head[..], &root, &number, &some(8 * word), &some(waiting)].concat()
        }
        _ => some(100),
    };
    [&[1, code], &fields[..]].concat()
}

/// The length of KangarooTwelve's chunks in bytes (RFC 9861 §3.2).
const CHUNK: u128 = 8192;

/// The fields of a state that were not read yet.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], Refusal> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Refusal::State)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self, len: usize) -> Result<u128, Refusal> {
        Ok(self.bytes(len)?.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)))
    }

    fn end(&self) -> Result<(), Refusal> {
        require(self.0.is_empty())
    }
}

fn require(holds: bool) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::State) }
}

/// Returns the output of the function whose state this is, after `more` bytes of the message. If
/// the output may have any length, it has `len` bytes. For KMAC, TupleHash and ParallelHash it is
/// the output of `len` bytes, then as much of the output of unknown length. For TupleHash, `more`
/// begins with the rest of the last element; the bytes after it, if any, are one more element.
///
/// # Errors
/// See [`Refusal`].
pub fn finish(state: &[u8], more: &[u8], len: usize) -> Result<Vec<u8>, Refusal> {
    let (body, check) = state.split_last_chunk::<8>().ok_or(Refusal::State)?;
    require(sha2::sha256(body).starts_with(check))?;
    let mut fields = Fields(body);
    require(fields.number(1)? == 1)?;
    let code = fields.number(1)?;
    match code {
        // SHA-224, SHA-256; SHA-384, SHA-512, SHA-512/224, SHA-512/256.
        1 | 2 => chained(fields, 4, [28, 32][code as usize - 1], more, sha2::after32),
        3..=6 => chained(fields, 8, [48, 64, 28, 32][code as usize - 3], more, sha2::after64),
        23 => chained(fields, 4, 32, more, sm3::after),
        // SHA3-224, SHA3-256, SHA3-384, SHA3-512.
        7..=10 => {
            let digest = [28, 32, 48, 64][code as usize - 7];
            keccak_function(fields, 24, 2 * digest, |suffix| suffix == 0x06, more, digest)
        }
        // Keccak-256.
        19 => keccak_function(fields, 24, 64, |suffix| suffix == 0x01, more, 32),
        // BLAKE2b, BLAKE2s, BLAKE2bp, BLAKE2sp.
        11 => node(&mut fields, 8, more),
        12 => node(&mut fields, 4, more),
        13 => tree(fields, 8, 4, more),
        14 => tree(fields, 4, 8, more),
        // SHAKE128, SHAKE256, TurboSHAKE128, TurboSHAKE256.
        15 | 16 => {
            let capacity = [32, 64][code as usize - 15];
            keccak_function(fields, 24, capacity, |suffix| suffix == 0x1F, more, len)
        }
        17 | 18 => {
            let capacity = [32, 64][code as usize - 17];
            let allowed = |suffix| (0x01..=0x7F).contains(&suffix);
            keccak_function(fields, 12, capacity, allowed, more, len)
        }
        20 => blake3(fields, more, len),
        0x40 => kangaroo_twelve(fields, 32, more, len),
        0x41 => kangaroo_twelve(fields, 64, more, len),
        // cSHAKE128, cSHAKE256.
        68 | 69 => cshake(fields, [32, 64][code as usize - 68], more, len),
        // KMAC128, KMAC256, TupleHash128, TupleHash256, ParallelHash128, ParallelHash256.
        70 | 71 => kmac(fields, [32, 64][code as usize - 70], more, len),
        72 | 73 => tuple_hash(fields, [32, 64][code as usize - 72], more, len),
        74 | 75 => parallel_hash(fields, [32, 64][code as usize - 74], more, len),
        21 => ascon(fields, more, 32),
        22 | 76 => ascon(fields, more, len),
        0x42 => blake2x(fields, 8, more, len),
        0x43 => blake2x(fields, 4, more, len),
        _ => Err(Refusal::State),
    }
}

/// SHA-2 and SM3: the number of bytes so far; the hash value; the bytes that wait. FIPS 180-4 §1, figure 1:
/// the message has less than 2⁶⁴ or 2¹²⁸ bits.
fn chained(
    mut fields: Fields<'_>,
    word: usize,
    digest: usize,
    more: &[u8],
    after: fn(&[u8], u128, &[u8]) -> Vec<u8>,
) -> Result<Vec<u8>, Refusal> {
    let limit = if word == 4 { (1 << 61) - 1 } else { (1 << 125) - 1 };
    let count = fields.number(16)?;
    require(count <= limit)?;
    let words = fields.bytes(8 * word)?;
    let waiting = fields.bytes((count % (16 * word as u128)) as usize)?;
    fields.end()?;
    within(count, more, limit)?;
    let rest = [waiting, more].concat();
    Ok(after(words, count - waiting.len() as u128, &rest)[..digest].to_vec())
}

fn within(count: u128, more: &[u8], limit: u128) -> Result<(), Refusal> {
    match count.checked_add(more.len() as u128) {
        Some(count) if count <= limit => Ok(()),
        _ => Err(Refusal::TooLong),
    }
}

/// BLAKE3: the flags of its mode; a key, if they are not 0; the number of chunks before the last
/// one, and of bytes in that one; its chaining value, if a block of it was absorbed; the bytes that
/// wait; the chaining values of the complete subtrees before it.
fn blake3(mut fields: Fields<'_>, more: &[u8], len: usize) -> Result<Vec<u8>, Refusal> {
    let flags = fields.number(1)? as u32;
    require([0, 16, 64].contains(&flags))?;
    let key = if flags == 0 { None } else { Some(fields.bytes(32)?) };
    let (chunks, count) = (fields.number(8)? as u64, fields.number(2)? as u16);
    let total = u128::from(chunks) * 1024 + u128::from(count);
    require(total <= u128::from(u64::MAX))?;
    require(if chunks == 0 { count <= 1024 } else { count < 1024 && (chunks, count) != (1, 0) })?;
    let absorbed = count.saturating_sub(1) / 64;
    let value = if absorbed == 0 { None } else { Some(fields.bytes(32)?) };
    let waiting = fields.bytes(usize::from(count - 64 * absorbed))?;
    let subtrees = blake3::subtrees(chunks, count);
    let values = fields.bytes(32 * subtrees.len())?;
    fields.end()?;
    within(total, more, u64::MAX.into())?;
    let known = subtrees.into_iter().zip(values.chunks(32)).collect();
    let rest = [waiting, more].concat();
    Ok(blake3::after(key, flags, known, (chunks, absorbed, value), &rest, len))
}

/// A sponge in its absorbing phase. Its fields are: the domain byte, the state, the number of bytes
/// that wait, and these bytes. `capacity` is in bytes.
struct Sponge<'a> {
    rounds: usize,
    capacity: usize,
    state: State,
    waiting: &'a [u8],
    domain: u8,
}

impl<'a> Sponge<'a> {
    fn read(fields: &mut Fields<'a>, rounds: usize, capacity: usize) -> Result<Self, Refusal> {
        let domain = fields.number(1)? as u8;
        let mut state = [[0; 5]; 5];
        for i in 0..25 {
            state[i % 5][i / 5] = fields.number(8)? as u64;
        }
        let waiting = fields.number(1)? as usize;
        require(waiting < 200 - capacity)?;
        Ok(Sponge { rounds, capacity, state, waiting: fields.bytes(waiting)?, domain })
    }

    /// Whether this can be the state after `count` bytes: the rest of the last block waits, and
    /// before the first whole block nothing has changed.
    fn can_follow(&self, count: u128) -> bool {
        let rate = 200 - self.capacity as u128;
        self.waiting.len() as u128 == count % rate && (count >= rate || self.state == [[0; 5]; 5])
    }

    /// Whether this can be cSHAKE after a function name or a customization string (SP 800-185 §3.3):
    /// it has absorbed blocks, so its state is not all zeros.
    fn follows_strings(&self) -> bool {
        self.domain == 0x04 && self.state != [[0; 5]; 5]
    }

    fn output(&self, domain: u8, more: &[u8], len: usize) -> Vec<u8> {
        let Sponge { rounds, capacity, state, waiting, .. } = *self;
        let rest = [waiting, more].concat();
        let suffix = bits_below_the_highest_one(domain);
        sponge_after(state, rounds, 8 * capacity, rest[..].into(), &suffix, len)
    }
}

fn keccak_function(
    mut fields: Fields<'_>,
    rounds: usize,
    capacity: usize,
    domain: impl Fn(u8) -> bool,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let sponge = Sponge::read(&mut fields, rounds, capacity)?;
    require(domain(sponge.domain))?;
    fields.end()?;
    Ok(sponge.output(sponge.domain, more, len))
}

/// cSHAKE (SP 800-185 §3.3), which is SHAKE with SHAKE's domain byte if both strings are empty.
fn cshake(
    mut fields: Fields<'_>,
    capacity: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let sponge = Sponge::read(&mut fields, 24, capacity)?;
    require(sponge.follows_strings() || sponge.domain == 0x1F)?;
    fields.end()?;
    Ok(sponge.output(sponge.domain, more, len))
}

/// Reads the sponge of KMAC or TupleHash, or the node of ParallelHash, which have a function name.
fn named<'a>(fields: &mut Fields<'a>, capacity: usize) -> Result<Sponge<'a>, Refusal> {
    let sponge = Sponge::read(fields, 24, capacity)?;
    require(sponge.follows_strings())?;
    Ok(sponge)
}

/// The output of `len` bytes, whose length in bits is hashed, and the output of unknown length, for
/// which 0 is hashed (SP 800-185 §4.3, §4.3.1 and others).
fn both(sponge: &Sponge<'_>, rest: &[u8], len: usize) -> Vec<u8> {
    let output = |bits| sponge.output(0x04, &[rest, &right_encode(bits)].concat(), len);
    [output(8 * len as u64), output(0)].concat()
}

/// KMAC (SP 800-185 §4.3).
fn kmac(
    mut fields: Fields<'_>,
    capacity: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let sponge = named(&mut fields, capacity)?;
    fields.end()?;
    Ok(both(&sponge, more, len))
}

/// TupleHash (SP 800-185 §5.3): how many bytes of the last element are still to come; the sponge.
fn tuple_hash(
    mut fields: Fields<'_>,
    capacity: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let missing = usize::try_from(fields.number(8)?).unwrap_or(usize::MAX);
    let sponge = named(&mut fields, capacity)?;
    fields.end()?;
    let (last, element) = more.split_at_checked(missing).ok_or(Refusal::Incomplete)?;
    let length =
        if element.is_empty() { Vec::new() } else { left_encode(8 * element.len() as u64) };
    Ok(both(&sponge, &[last, &length, element].concat(), len))
}

/// ParallelHash (SP 800-185 §6.3): the length of the blocks; the number of bytes so far; the node,
/// after whole blocks with the two strings, the length of the blocks and the hashes of the
/// complete blocks; the sponge of the block that is not complete.
fn parallel_hash(
    mut fields: Fields<'_>,
    capacity: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let (block, count) = (fields.number(8)?, fields.number(16)?);
    // The library refuses a length that no `usize` holds: on machines of 32 bits, 2³² and more.
    let block_len = usize::try_from(block).map_err(|_| Refusal::State)?;
    require(block_len > 0)?;
    let node = named(&mut fields, capacity)?;
    let leaf = Sponge::read(&mut fields, 24, capacity)?;
    fields.end()?;
    let (complete, filled) = (count / block, count % block);
    require(complete < 1 << 63 && leaf.domain == 0x1F && leaf.can_follow(filled))?;
    let head = left_encode(block as u64);
    let after_strings = head.len() as u128 + complete * capacity as u128;
    require(node.can_follow(200 - capacity as u128 + after_strings))?;
    // If all bytes after the strings still wait, they begin with the length of the blocks.
    let all_waits = node.waiting.len() as u128 == after_strings;
    require(!all_waits || node.waiting.starts_with(&head))?;

    let room = block_len - filled as usize;
    let (last, blocks) = more.split_at(more.len().min(room));
    let mut hashes = Vec::new();
    if filled > 0 || !last.is_empty() {
        hashes.push(leaf.output(0x1F, last, capacity));
    }
    let shake = if capacity == 32 { keccak::shake128 } else { keccak::shake256 };
    hashes.extend(blocks.chunks(block_len).map(|block| shake(block, capacity)));
    let number = right_encode(complete as u64 + hashes.len() as u64);
    Ok(both(&node, &[hashes.concat(), number].concat(), len))
}

/// Ascon: the state, the number of bytes that wait, and these bytes. After the permutation of the
/// initial value the state is not 0.
fn ascon(mut fields: Fields<'_>, more: &[u8], len: usize) -> Result<Vec<u8>, Refusal> {
    let mut state = [0; 5];
    for word in &mut state {
        *word = fields.number(8)? as u64;
    }
    let waiting = fields.number(1)? as usize;
    require(waiting < 8 && state != [0; 5])?;
    let waiting = fields.bytes(waiting)?;
    fields.end()?;
    let message = [waiting, more].concat();
    Ok(crate::ascon::squeeze(crate::ascon::absorb(state, message[..].into()), len))
}

/// How many bytes wait after `count` bytes, if a stripe of `len` bytes is absorbed as soon as
/// `ahead` more bytes follow it.
fn waits(count: u128, len: usize, ahead: usize) -> usize {
    let (len, ahead) = (len as u128, ahead as u128);
    (count - count.saturating_sub(ahead) / len * len) as usize
}

/// BLAKE2b and BLAKE2s: the length of the digest; whether this is the last node of a level; the
/// number of bytes so far, with the key's block; the state; the bytes that wait. At least one byte
/// waits, because the last block is absorbed with a flag. RFC 7693 §2.1: the counter has two words.
fn node(fields: &mut Fields<'_>, word: usize, more: &[u8]) -> Result<Vec<u8>, Refusal> {
    let limit = if word == 4 { u64::MAX.into() } else { u128::MAX };
    let len = fields.number(1)? as usize;
    let last_node = fields.number(1)?;
    let count = fields.number(16)?;
    require((1..=8 * word).contains(&len) && last_node <= 1 && count <= limit)?;
    let words = fields.bytes(8 * word)?;
    let waiting = fields.bytes(waits(count, 16 * word, 1))?;
    fields.end()?;
    within(count, more, limit)?;
    let rest = [waiting, more].concat();
    Ok(blake2::after(word, words, count - waiting.len() as u128, &rest, last_node == 1, len))
}

/// BLAKE2bp and BLAKE2sp: the length of the digest; the number of bytes so far, with the key's
/// blocks; the root's state; the first word of every leaf's state, then the second …; the bytes
/// that wait. A stripe is a block for each leaf, and is absorbed when the last leaf's next block
/// has begun.
fn tree(
    mut fields: Fields<'_>,
    word: usize,
    leaves: usize,
    more: &[u8],
) -> Result<Vec<u8>, Refusal> {
    let (block, limit) = (16 * word, if word == 4 { u64::MAX.into() } else { u128::MAX });
    let len = fields.number(1)? as usize;
    let count = fields.number(16)?;
    require((1..=8 * word).contains(&len) && count <= limit)?;
    let root = fields.bytes(8 * word)?;
    let words = fields.bytes(8 * word * leaves)?;
    let waiting = fields.bytes(waits(count, leaves * block, (leaves - 1) * block + 1))?;
    fields.end()?;
    within(count, more, limit)?;
    let rest = [waiting, more].concat();
    let absorbed = (count - waiting.len() as u128) / leaves as u128;
    let digests = (0..leaves).map(|leaf| {
        let words: Vec<&[u8]> = words.chunks(word).skip(leaf).step_by(leaves).collect();
        let blocks: Vec<&[u8]> = rest.chunks(block).skip(leaf).step_by(leaves).collect();
        let last_node = leaf == leaves - 1;
        blake2::after(word, &words.concat(), absorbed, &blocks.concat(), last_node, 8 * word)
    });
    let digests: Vec<u8> = digests.flatten().collect();
    Ok(blake2::after(word, root, 0, &digests, true, len))
}

/// BLAKE2X: the output's length in the upper half of 8 bytes, all ones if it is unknown; the salt
/// and the personalization, 16 bytes each; the root, a node with the longest digest. An output of
/// known length has that length, whatever `len` is.
fn blake2x(
    mut fields: Fields<'_>,
    word: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let unknown = if word == 4 { u16::MAX.into() } else { u32::MAX };
    require(fields.number(4)? == 0)?;
    let field = fields.number(4)? as u32;
    require((1..=unknown).contains(&field))?;
    let (salt, salt_rest) = fields.bytes(16)?.split_at(2 * word);
    let (personal, personal_rest) = fields.bytes(16)?.split_at(2 * word);
    require([salt_rest, personal_rest].concat().iter().all(|&byte| byte == 0))?;
    require(fields.0.starts_with(&[8 * word as u8, 0]))?;
    let h0 = node(&mut fields, word, more)?;
    let both = Params { salt, personal, ..Params::default() };
    let hash = if word == 4 { blake2::blake2s } else { blake2::blake2b };
    let len =
        if field == unknown { len } else { len.min(usize::try_from(field).unwrap_or(usize::MAX)) };
    Ok(blake2x::blocks(hash, 8 * word, field, field == unknown, &h0, &both, len))
}

/// KT128 and KT256, with an empty customization string: the number of bytes so far; the final node;
/// the leaf whose chunk is not full.
fn kangaroo_twelve(
    mut fields: Fields<'_>,
    capacity: usize,
    more: &[u8],
    len: usize,
) -> Result<Vec<u8>, Refusal> {
    let count = fields.number(16)?;
    let node = Sponge::read(&mut fields, 12, capacity)?;
    let leaf = Sponge::read(&mut fields, 12, capacity)?;
    fields.end()?;
    let first = count.min(CHUNK);
    let (mut leaves, filled) = ((count - first) / CHUNK, (count - first) % CHUNK);
    require(leaves < 1 << 63 && node.domain == 0x07 && leaf.domain == 0x0B)?;
    let after_first = if count > CHUNK { 8 } else { 0 };
    require(node.can_follow(first + after_first + leaves * capacity as u128))?;
    require(leaf.can_follow(filled))?;

    // RFC 9861 §3.2, from the bytes that the final node still absorbs.
    let input = [more, &k12::length_encode(0)].concat();
    let (head, input) = input.split_at(input.len().min((CHUNK - first) as usize));
    if count <= CHUNK && input.is_empty() {
        return Ok(node.output(0x07, head, len));
    }
    let mut rest = head.to_vec();
    if count <= CHUNK {
        rest.extend([3, 0, 0, 0, 0, 0, 0, 0]);
    }
    // The input is not empty here. The first chunk continues the leaf that has begun, if any.
    let (chunk, input) = input.split_at(input.len().min((CHUNK - filled) as usize));
    rest.extend(leaf.output(0x0B, chunk, capacity));
    let turboshake = if capacity == 32 { keccak::turboshake128 } else { keccak::turboshake256 };
    for chunk in input.chunks(CHUNK as usize) {
        rest.extend(turboshake(chunk, 0x0B, capacity));
        leaves += 1;
    }
    leaves += 1;
    rest.extend(k12::length_encode(leaves as u64));
    rest.extend([0xFF, 0xFF]);
    Ok(node.output(0x06, &rest, len))
}
