//! The macro that declares how the words of a state become digests: one row of bytes for each lane.

/// Writes the first `len` bytes of every lane's digest, a multiple of 16, to `rows`, where those of
/// the next lane begin `stride` bytes later. The digest is the words of the state.
///
/// # Safety
/// The CPU must have the instruction sets of the word.
pub(crate) type Rows<W> = unsafe fn(state: &[W], rows: &mut [u8], stride: usize, len: usize);

/// Declares `rows_be` and `rows_le`, which are [`Rows`] of big-endian and of little-endian words. A
/// group of words is transposed, so that a lane's words lie side by side: the reverse of a gather.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! rows {
    ($W:ident, $word:ident, $(#[$feature:meta])?) => {
        #[allow(dead_code, reason = "not every kernel needs it")]
        impl $W {
            pub const ROWS: Option<[crate::simd::rows::Rows<$word>; 2]> =
                Some([Self::rows_be, Self::rows_le]);

            $(#[$feature])?
            fn rows_be(state: &[$word], rows: &mut [u8], stride: usize, len: usize) {
                let rows = &mut rows[..(Self::LANES - 1) * stride + len];
                let mut at = 0;
                while at < len {
                    Self::scatter_be(Self::read_group(state, at), rows, stride, at, len);
                    at += Self::GATHERED * size_of::<$word>();
                }
            }

            $(#[$feature])?
            fn rows_le(state: &[$word], rows: &mut [u8], stride: usize, len: usize) {
                let rows = &mut rows[..(Self::LANES - 1) * stride + len];
                let mut at = 0;
                while at < len {
                    Self::scatter_le(Self::read_group(state, at), rows, stride, at, len);
                    at += Self::GATHERED * size_of::<$word>();
                }
            }

            /// Reads the words of a state from byte `at` of the digest on.
            #[inline]
            $(#[$feature])?
            fn read_group(state: &[$word], at: usize) -> [Self; Self::GATHERED] {
                let mut words = [Self::splat(0); Self::GATHERED];
                let mut i = 0;
                while i < Self::GATHERED {
                    words[i] = Self::read(state, at / size_of::<$word>() + i);
                    i += 1;
                }
                words
            }
        }
    };
}
