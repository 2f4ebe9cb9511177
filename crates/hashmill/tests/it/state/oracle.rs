//! The oracle: hash functions that continue from a state with arbitrary words.

/// Parses little-endian words.
pub fn words<W: Word>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks_exact(size_of::<W>()).map(W::from_le).collect()
}

pub trait Word: Sized {
    fn from_le(bytes: &[u8]) -> Self;
}
impl Word for u32 {
    fn from_le(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("4 bytes"))
    }
}
impl Word for u64 {
    fn from_le(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().expect("8 bytes"))
    }
}

/// RFC 7693 with a counter that starts anywhere, and the trees of the BLAKE2 paper.
pub mod rfc7693 {
    /// The message schedule (§2.7).
    #[rustfmt::skip]
    const SIGMA: [[usize; 16]; 10] = [
        [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
        [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
        [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
        [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
        [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
        [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
        [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
        [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
        [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
        [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
    ];

    /// BLAKE2b's initial words (§2.6). BLAKE2s has their upper halves.
    const IV: [u64; 8] = [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ];

    macro_rules! width {
        ($name:ident, $word:ident, rounds $rounds:literal, rotations $rotations:expr) => {
            pub mod $name {
                use super::{IV, SIGMA};

                const BLOCK: usize = 16 * size_of::<$word>();

                /// The compression function (§3.2).
                fn compress(h: &mut [$word], block: &[u8], t: u128, [f0, f1]: [bool; 2]) {
                    let m: Vec<$word> = super::super::words(block);
                    let mut v = [0; 16];
                    v[..8].copy_from_slice(h);
                    for i in 0..8 {
                        v[8 + i] = (IV[i] >> (64 - $word::BITS)) as $word;
                    }
                    v[12] ^= t as $word;
                    v[13] ^= (t >> $word::BITS) as $word;
                    v[14] ^= if f0 { $word::MAX } else { 0 };
                    v[15] ^= if f1 { $word::MAX } else { 0 };
                    let [r1, r2, r3, r4] = $rotations;
                    for round in 0..$rounds {
                        for i in 0..8 {
                            // Four columns, then four diagonals.
                            let at = |row: usize| 4 * row + (i + i / 4 * row) % 4;
                            let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
                            let s = &SIGMA[round % 10][2 * i..];
                            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[0]]);
                            v[d] = (v[d] ^ v[a]).rotate_right(r1);
                            v[c] = v[c].wrapping_add(v[d]);
                            v[b] = (v[b] ^ v[c]).rotate_right(r2);
                            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[1]]);
                            v[d] = (v[d] ^ v[a]).rotate_right(r3);
                            v[c] = v[c].wrapping_add(v[d]);
                            v[b] = (v[b] ^ v[c]).rotate_right(r4);
                        }
                    }
                    for i in 0..8 {
                        h[i] ^= v[i] ^ v[i + 8];
                    }
                }

                /// Finishes a hash (§3.3) after `absorbed` bytes.
                pub fn hash(
                    mut h: Vec<$word>,
                    absorbed: u128,
                    data: &[u8],
                    last_node: bool,
                ) -> Vec<u8> {
                    let mut t = absorbed;
                    let mut data = data.to_vec();
                    while data.len() > BLOCK {
                        t += BLOCK as u128;
                        compress(&mut h, &data[..BLOCK], t, [false, false]);
                        data.drain(..BLOCK);
                    }
                    t += data.len() as u128;
                    data.resize(BLOCK, 0);
                    compress(&mut h, &data, t, [true, last_node]);
                    h.iter().flat_map(|word| word.to_le_bytes()).collect()
                }

                /// Finishes a tree. `words` contains the first word of every leaf, then the second,
                /// as exported states do.
                pub fn tree(
                    root: Vec<$word>,
                    words: &[$word],
                    absorbed: u128,
                    data: &[u8],
                ) -> Vec<u8> {
                    let leaves = words.len() / 8;
                    let mut handed_up = Vec::new();
                    for leaf in 0..leaves {
                        let h = words.iter().copied().skip(leaf).step_by(leaves).collect();
                        let blocks = data.chunks(BLOCK).skip(leaf).step_by(leaves);
                        let data: Vec<u8> = blocks.flatten().copied().collect();
                        let absorbed = absorbed / leaves as u128;
                        handed_up.extend(hash(h, absorbed, &data, leaf == leaves - 1));
                    }
                    hash(root, 0, &handed_up, true)
                }
            }
        };
    }
    width!(b, u64, rounds 12, rotations [32, 24, 16, 63]);
    width!(s, u32, rounds 10, rotations [16, 12, 8, 7]);
}
