//! SHA-2's compression function: one text for SHA-256 and SHA-512 and for every instruction set.

#![forbid(unsafe_code)]

/// The text, for words of 32 bits (`kernel32`) and of 64 bits (`kernel64`).
macro_rules! text {
    ($kernel:ident) => {
        $kernel! {
            fn big_sigma0(a: W) -> W {
                a.rotr::<{ BIG_SIGMA0[0] }>()
                    .xor3(a.rotr::<{ BIG_SIGMA0[1] }>(), a.rotr::<{ BIG_SIGMA0[2] }>())
            }

            fn big_sigma1(e: W) -> W {
                e.rotr::<{ BIG_SIGMA1[0] }>()
                    .xor3(e.rotr::<{ BIG_SIGMA1[1] }>(), e.rotr::<{ BIG_SIGMA1[2] }>())
            }

            fn small_sigma0(w: W) -> W {
                w.rotr::<{ SMALL_SIGMA0[0] }>()
                    .xor3(w.rotr::<{ SMALL_SIGMA0[1] }>(), w.shr::<{ SMALL_SIGMA0[2] }>())
            }

            fn small_sigma1(w: W) -> W {
                w.rotr::<{ SMALL_SIGMA1[0] }>()
                    .xor3(w.rotr::<{ SMALL_SIGMA1[1] }>(), w.shr::<{ SMALL_SIGMA1[2] }>())
            }

            /// FIPS 180-4 §6.2.2 and §6.4.2, step 3. `h + K + W` first: it does not wait for the last round.
            fn round([a, b, c, d, e, f, g, h]: [W; 8], k: Word, w: W) -> [W; 8] {
                let t1 = h.add(w.add_const(k)).add(e.choose(f, g)).add(big_sigma1(e));
                let t2 = big_sigma0(a).add(a.majority(b, c));
                [t1.add(t2), a, b, c, d.add(t1), e, f, g]
            }

            /// FIPS 180-4 §6.2.2 and §6.4.2 for every block; sixteen rounds at a time, so that the message
            /// schedule stays in sixteen words and the state returns to the registers it left.
            pub(crate) fn absorb(state: &mut [Word], _: (), input: &Input<'_>) {
                let inputs = lanes::<LANES>(input);
                let mut h = [W::splat(0); 8];
                unroll!(I in 8 => { h[I] = W::read(state, I); });
                let mut block = 0;
                while block < input.blocks {
                    let message = block_of(inputs, block * input.stride, 16 * size_of::<Word>());
                    let mut w = [W::splat(0); 16];
            let mut s = h;
            unroll!(I in 16 => {
                if I % W::GATHERED == 0 {
                    let words = W::gather_be(&message, I * size_of::<Word>());
                    let mut j = 0;
                    while j < W::GATHERED {
                        w[I + j] = words[j];
                        j += 1;
                    }
                }
                s = round(s, K[0][I], w[I]);
            });
            let mut sixteen = 1;
                    while sixteen < K.len() {
                        let k = &K[sixteen];
                        unroll!(I in 16 => {
                            w[I] = w[I]
                                .add(small_sigma0(w[(I + 1) % 16]))
                                .add(w[(I + 9) % 16])
                                .add(small_sigma1(w[(I + 14) % 16]));
                            s = round(s, k[I], w[I]);
                        });
                        sixteen += 1;
                    }
                    unroll!(I in 8 => { h[I] = h[I].add(s[I]); });
                    block += 1;
                }
                unroll!(I in 8 => { h[I].write(state, I); });
            }
        }
    };
}

/// SHA-224 and SHA-256.
pub(crate) mod w32 {
    use crate::backend::{Input, block_of, lanes};
    use crate::sha2::constants::w32::*;
    text!(kernel32);
}

/// SHA-384, SHA-512 and SHA-512/t.
pub(crate) mod w64 {
    use crate::backend::{Input, block_of, lanes};
    use crate::sha2::constants::w64::*;
    text!(kernel64);
}
