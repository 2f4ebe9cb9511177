//! The hasher of BLAKE2X.

#[cfg(feature = "alloc")]
use super::{AnyHasher, in_box};
use super::{AnyReader, Hashing, boxed, hashing};
use crate::blake2_params::Node;
use crate::blake2x::{Blake2x, Blake2xReader};
use crate::error::Error;
use crate::facts::Facts;
use crate::function;
use crate::messages::{Messages, OutputLen, Outputs, Sealed};
use crate::state::Exported;
use crate::stream::Progress;

/// A function that BLAKE2X extends, with the variant of its reader.
#[doc(hidden)]
pub trait Extended: Node {
    fn any(reader: Blake2xReader<Self>) -> AnyReader;
}

impl Extended for function::Blake2b {
    fn any(reader: Blake2xReader<Self>) -> AnyReader {
        AnyReader::Blake2xb(reader)
    }
}

impl Extended for function::Blake2s {
    fn any(reader: Blake2xReader<Self>) -> AnyReader {
        AnyReader::Blake2xs(reader)
    }
}

hashing! { [F: Extended] Blake2x<F>, reads F::any;
    fn output(&self) -> OutputLen {
        self.output_form()
    }
    fn room(&self) -> u128 {
        Progress::room(&*self.root.stream)
    }
    fn try_update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.try_update(data).map(drop)
    }
}

boxed! { [F: Extended] Blake2x<F>; }
