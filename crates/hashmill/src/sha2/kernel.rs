//! SHA-2's compression function: one text for SHA-256 and SHA-512 and for every instruction set.

#![forbid(unsafe_code)]

kernels! { {
    #[inline]
    fn big_sigma0(a: W) -> W {
        a.rotr::<{ BIG_SIGMA0[0] }>()
            .xor3(a.rotr::<{ BIG_SIGMA0[1] }>(), a.rotr::<{ BIG_SIGMA0[2] }>())
    }

    #[inline]
    fn big_sigma1(e: W) -> W {
        e.rotr::<{ BIG_SIGMA1[0] }>()
            .xor3(e.rotr::<{ BIG_SIGMA1[1] }>(), e.rotr::<{ BIG_SIGMA1[2] }>())
    }

    #[inline]
    pub(crate) fn small_sigma0(w: W) -> W {
        w.rotr::<{ SMALL_SIGMA0[0] }>()
            .xor3(w.rotr::<{ SMALL_SIGMA0[1] }>(), w.shr::<{ SMALL_SIGMA0[2] }>())
    }

    #[inline]
    pub(crate) fn small_sigma1(w: W) -> W {
        w.rotr::<{ SMALL_SIGMA1[0] }>()
            .xor3(w.rotr::<{ SMALL_SIGMA1[1] }>(), w.shr::<{ SMALL_SIGMA1[2] }>())
    }

    /// Computes word `i` of the next sixteen words of the message schedule from the present
    /// sixteen, `w` (FIPS 180-4 §6.2.2 and §6.4.2, step 1). The caller writes it to `w[i]`.
    #[inline]
    fn next_word(w: &[W; 16], i: usize) -> W {
        w[i].add(small_sigma0(w[(i + 1) % 16]))
            .add(w[(i + 9) % 16])
            .add(small_sigma1(w[(i + 14) % 16]))
    }

    /// Computes one round (FIPS 180-4 §6.2.2 and §6.4.2, step 3). `h + kw` is added first, because
    /// it does not depend on the result of the previous round.
    #[inline]
    pub(crate) fn round([a, b, c, d, e, f, g, h]: [W; 8], kw: W) -> [W; 8] {
        let t1 = h.add(kw).add(e.choose(f, g)).add(big_sigma1(e));
        let t2 = big_sigma0(a).add(a.majority(b, c));
        [t1.add(t2), a, b, c, d.add(t1), e, f, g]
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

    /// Computes eight rounds. Each computes the word that is used sixteen rounds later, so that no round
    /// waits for its word: SHA-512 in 16 lanes of Zen 5, 0.69 → 0.61 cycles a byte.
    #[inline]
    fn rounds<const CALLER: usize>(
        mut s: [W; 8],
        half: usize,
        w: &mut [W; 16],
        k: &[Word; 16],
    ) -> [W; 8] {
        unroll!(let i in 8 => {
            let t = 8 * half + i;
            s = round(s, w[t].add_const(k[t]));
            w[t] = next_word(w, t);
            W::in_memory(w);
        });
        s
    }

    /// Computes eight of the last sixteen rounds.
    #[inline]
    fn last_rounds<const CALLER: usize>(mut s: [W; 8], half: usize, w: &[W; 16]) -> [W; 8] {
        unroll!(let i in 8 => {
            let t = 8 * half + i;
            s = round(s, w[t].add_const(K[K.len() - 1][t]));
        });
        s
    }

    /// Computes eight rounds with the K + W of each.
    #[inline]
    fn known_rounds<const CALLER: usize>(mut s: [W; 8], half: usize, kw: &[Word; 16]) -> [W; 8] {
        unroll!(let i in 8 => { s = round(s, W::splat(kw[8 * half + i])); });
        s
    }

    /// Absorbs every block (FIPS 180-4 §6.2.2 and §6.4.2). The kernel computes sixteen rounds at a
    /// time, so that the message schedule stays in sixteen words and each working variable returns
    /// to the register where it was.
    ///
    /// With words in memory it is a loop over eight rounds, after which the working variables are
    /// back in their registers, too: 10 KB of code instead of 16, which makes many messages of 64
    /// bytes 1.19 times as fast (SHA-256, Zen 5).
    pub(crate) fn absorb(state: &mut [Word], _: (), input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut h = [W::splat(0); 8];
        unroll!(let i in 8 => { h[i] = W::read(state, i); });
        let mut block = 0;
        while block < input.blocks {
            let mut w = message!(gather, end_words, input, inputs, block, copied if false);
            let mut s = h;
            let mut sixteen = 0;
            while sixteen < K.len() - 1 {
                let k = &K[sixteen];
                repeat!(s = rounds(&mut w, k), rolled if W::IN_MEMORY);
                sixteen += 1;
            }
            repeat!(s = last_rounds(&w), rolled if W::IN_MEMORY);
            unroll!(let i in 8 => { h[i] = h[i].add(s[i]); });
            block += 1;
        }
        unroll!(let i in 8 => { h[i].write(state, i); });
    }

    /// Absorbs one block that is the same in every lane. `schedule` contains K + W of every round.
    pub(crate) fn absorb_known(state: &mut [Word], schedule: &[[Word; 16]; K.len()]) {
        let mut h = [W::splat(0); 8];
        unroll!(let i in 8 => { h[i] = W::read(state, i); });
        let mut s = h;
        let mut sixteen = 0;
        while sixteen < K.len() {
            repeat!(s = known_rounds(&schedule[sixteen]), rolled if W::IN_MEMORY);
            sixteen += 1;
        }
        unroll!(let i in 8 => { h[i].add(s[i]).write(state, i); });
    }

    /// Computes K + W of every round for `absorb_known`. The schedule is that of the first lane,
    /// because all lanes get the same block.
    pub(crate) fn schedule(block: &[u8]) -> [[Word; 16]; K.len()] {
        let end = End { block, len: 16 * size_of::<Word>() };
        let mut w = end_words(&[block; LANES], 0, &end);
        let mut schedule = K;
        let mut sixteen = 0;
        while sixteen < K.len() {
            let mut i = 0;
            while i < 16 {
                if sixteen > 0 {
                    w[i] = next_word(&w, i);
                }
                let mut kw = [0; LANES];
                w[i].add_const(K[sixteen][i]).write(&mut kw, 0);
                schedule[sixteen][i] = kw[0];
                i += 1;
            }
            sixteen += 1;
        }
        schedule
    }
}

/// SHA-224 and SHA-256.
mod w32: kernel32 {
    use crate::backend::{End, Input, array_of, lanes};
    use crate::sha2::constants::w32::*;
}

/// SHA-384, SHA-512 and SHA-512/t.
mod w64: kernel64_and_two {
    use crate::backend::{End, Input, array_of, lanes};
    use crate::sha2::constants::w64::*;
}

}
