//! Ascon-p[12] (SP 800-232 §3): one text for every instruction set.

#![forbid(unsafe_code)]

use crate::backend::{Input, array_of, lanes};

/// SP 800-232 §3.2, Table 5: the constants of the twelve rounds of Ascon-p[12], inverted.
const CONSTANTS: [u64; 12] =
    [!0xf0, !0xe1, !0xd2, !0xc3, !0xb4, !0xa5, !0x96, !0x87, !0x78, !0x69, !0x5a, !0x4b];

/// SP 800-232 §3.4: the two rotations of each word to the right, in bits.
const SIGMA: [[i32; 2]; 5] = [[19, 28], [61, 39], [1, 6], [10, 17], [7, 41]];

/// The word of the state that is not 0 if the message ends with the blocks of this call: the kernel
/// then also squeezes the rest of a digest.
pub(crate) const ENDS: usize = 5;
/// The word of the state for the second word of the digest. The third and fourth come after it.
pub(crate) const SQUEEZED: usize = 6;
/// The word of the state for the second word of the permutation after the digest, whose first one is
/// the last word of the digest. The third to fifth come after it.
pub(crate) const SQUEEZED_ON: usize = 9;
/// Words of the state: five of the permutation, `ENDS`, three of the digest, four after it.
pub(crate) const WORDS: usize = 13;

kernel64! {
    /// Computes one round: the constant (SP 800-232 §3.2), the substitution layer (§3.3, Figure 3)
    /// and the linear layer (§3.4). The third word is inverted before and after it: the inversion at
    /// the end of the substitution layer passes through the linear layer to the next constant.
    #[inline]
    fn round(s: [W; 5], constant: u64) -> [W; 5] {
        let x = [s[0].xor(s[4]), s[1], s[2].xor_const(constant).xor(s[1]), s[3], s[4].xor(s[3])];
        let mut y = [W::splat(0); 5];
        unroll!(I in 5 => { y[I] = x[I].chi(x[(I + 1) % 5], x[(I + 2) % 5]); });
        let z = [y[0].xor(y[4]), y[1].xor(y[0]), y[2], y[3].xor(y[2]), y[4]];
        let mut s = [W::splat(0); 5];
        unroll!(I in 5 => {
            s[I] = z[I].xor3(z[I].rotr::<{ SIGMA[I][0] }>(), z[I].rotr::<{ SIGMA[I][1] }>());
        });
        s
    }

    /// Computes the twelve rounds.
    #[inline]
    fn permute(mut s: [W; 5]) -> [W; 5] {
        s[2] = s[2].xor_const(!0);
        let mut r = 0;
        while r < 12 {
            s = round(s, CONSTANTS[r]);
            r += 1;
        }
        s[2] = s[2].xor_const(!0);
        s
    }

    /// Absorbs every block of eight bytes (SP 800-232 §5.1). If a message ends with them, also
    /// squeezes the second to fourth word of its digest, from a copy of the state, and returns that
    /// copy, too. For a message of 32 bytes these are three of eight permutations, which would
    /// otherwise run in one lane.
    pub(crate) fn absorb(state: &mut [Word], _shape: (), input: &Input<'_>) {
        let inputs = lanes::<LANES>(input);
        let mut s = [W::splat(0); 5];
        unroll!(I in 5 => { s[I] = W::read(state, I); });
        let mut block = 0;
        while block < input.blocks {
            let word: [&[u8; 8]; LANES] = array_of(inputs, block * input.stride);
            s[0] = s[0].xor(W::gather_one_le(&word, 0));
            s = permute(s);
            block += 1;
        }
        unroll!(I in 5 => { s[I].write(state, I); });
        let (mut lane, mut ends) = (0, 0);
        while lane < LANES {
            ends |= state[ENDS * LANES + lane];
            lane += 1;
        }
        if ends != 0 {
            let mut word = SQUEEZED;
            while word < SQUEEZED_ON {
                s = permute(s);
                s[0].write(state, word);
                word += 1;
            }
            unroll!(let i in 4 => { s[i + 1].write(state, SQUEEZED_ON + i); });
            W::splat(0).write(state, ENDS);
        }
    }
}
