//! SM3's compression function (GB/T 32905-2016 §5.3): one text for every instruction set.

#![forbid(unsafe_code)]

use crate::backend::{End, Input, array_of, lanes};

/// T_j, rotated to the left by j bits (§4.2, §5.3.3), sixteen rounds in each row.
const K: [[u32; 16]; 4] = {
    let (mut k, mut j) = ([[0; 16]; 4], 0u32);
    while j < 64 {
        let t = if j < 16 { 0x79cc_4519u32 } else { 0x7a87_9d8a };
        k[j as usize / 16][j as usize % 16] = t.rotate_left(j % 32);
        j += 1;
    }
    k
};

kernel32! {
    /// P₀ (§4.4).
    #[inline]
    fn p0(x: W) -> W {
        x.xor3(x.rotr::<{ 32 - 9 }>(), x.rotr::<{ 32 - 17 }>())
    }

    /// Computes word `i` of the next sixteen words of the expanded message from the present sixteen,
    /// `w` (§5.3.2, with P₁ of §4.4). The caller writes it to `w[i]`.
    #[inline]
    fn next_word(w: &[W; 16], i: usize) -> W {
        let x = w[i].xor3(w[(i + 7) % 16], w[(i + 13) % 16].rotr::<{ 32 - 15 }>());
        let p1 = x.xor3(x.rotr::<{ 32 - 15 }>(), x.rotr::<{ 32 - 23 }>());
        p1.xor3(w[(i + 3) % 16].rotr::<{ 32 - 7 }>(), w[(i + 10) % 16])
    }

    /// Computes one round (§5.3.3) with the values of FF and GG and the words W and W′. What does not
    /// depend on the round before is added first.
    #[inline]
    fn round([a, b, c, d, e, f, g, h]: [W; 8], [ff, gg]: [W; 2], k: Word, w: W, w4: W) -> [W; 8] {
        let a12 = a.rotr::<{ 32 - 12 }>();
        let ss1 = a12.add_const(k).add(e).rotr::<{ 32 - 7 }>();
        let tt1 = d.add(w.xor(w4)).add(ff).add(ss1.xor(a12));
        let tt2 = h.add(w).add(gg).add(ss1);
        [tt1, a, b.rotr::<{ 32 - 9 }>(), c, p0(tt2), e, f.rotr::<{ 32 - 19 }>(), g]
    }

    /// FF and GG of the rounds before the sixteenth (§4.3).
    #[inline]
    fn early([a, b, c, _, e, f, g, _]: [W; 8]) -> [W; 2] {
        [a.xor3(b, c), e.xor3(f, g)]
    }

    /// FF and GG of the other rounds (§4.3).
    #[inline]
    fn late([a, b, c, _, e, f, g, _]: [W; 8]) -> [W; 2] {
        [a.majority(b, c), e.choose(f, g)]
    }

    /// Loads the words of a gather, if one begins with word `i`.
    #[inline]
    fn gather(words: &mut [W; 16], block: &[&[u8; 16 * size_of::<Word>()]; LANES], i: usize) {
        gather!(gather_be, words, block, i);
    }

    /// Loads the words of a last block that has an end. Not inlined, so that the registers of `absorb` are
    /// for whole blocks alone.
    #[inline(never)]
    fn end_words(inputs: &[&[u8]; LANES], at: usize, end: &End<'_>) -> [W; 16] {
        gather_end!(gather_be, from_be_bytes, inputs, at, end)
    }

    /// Computes eight of the first sixteen rounds.
    #[inline]
    fn early_rounds<const CALLER: usize>(mut s: [W; 8], half: usize, w: &mut [W; 16]) -> [W; 8] {
        unroll!(let i in 8 => {
            let j = 8 * half + i;
            s = round(s, early(s), K[0][j], w[j], w[(j + 4) % 16]);
            w[j] = next_word(w, j);
            W::in_memory(w);
        });
        s
    }

    /// Computes eight of the rounds 16 to 47.
    #[inline]
    fn late_rounds<const CALLER: usize>(
        mut s: [W; 8],
        half: usize,
        w: &mut [W; 16],
        k: &[Word; 16],
    ) -> [W; 8] {
        unroll!(let i in 8 => {
            let j = 8 * half + i;
            s = round(s, late(s), k[j], w[j], w[(j + 4) % 16]);
            w[j] = next_word(w, j);
            W::in_memory(w);
        });
        s
    }

    /// Absorbs every block. Sixteen words of the expanded message are kept, as in SHA-2's kernel: a
    /// round uses word j and word j + 4, and then replaces word j by word j + 16, up to word 67.
    pub(crate) fn absorb(state: &mut [Word], _: (), input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut v = [W::splat(0); 8];
        unroll!(let i in 8 => { v[i] = W::read(state, i); });
        let mut block = 0;
        while block < input.blocks {
            let mut w = message!(gather, end_words, input, inputs, block, copied if !W::IN_MEMORY);
            let mut s = v;
            repeat!(s = early_rounds(&mut w), rolled if W::IN_MEMORY);
            let mut sixteen = 1;
            while sixteen < 3 {
                repeat!(s = late_rounds(&mut w, &K[sixteen]), rolled if W::IN_MEMORY);
                sixteen += 1;
            }
            unroll!(let j in 4 => {
                s = round(s, late(s), K[3][j], w[j], w[j + 4]);
                w[j] = next_word(&w, j);
            });
            unroll!(let i in 12 => {
                let j = 4 + i;
                s = round(s, late(s), K[3][j], w[j], w[(j + 4) % 16]);
            });
            unroll!(let i in 8 => { v[i] = v[i].xor(s[i]); });
            block += 1;
        }
        unroll!(let i in 8 => { v[i].write(state, i); });
    }
}
