//! BLAKE2 (RFC 7693, and the BLAKE2 paper for salts and trees). The trees of BLAKE2bp and BLAKE2sp are
//! in [`tree`](crate::tree). The kernels are those of BLAKE3, too.

pub(crate) mod kernel;
#[cfg(feature = "blake2")]
pub(crate) mod params;
#[cfg(feature = "blake2")]
mod stream;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_rows;

#[cfg(feature = "blake2")]
pub(crate) use stream::*;
