//! The hasher of Ascon-CXOF128.

#[cfg(feature = "alloc")]
use super::{AnyHasher, in_box};
use super::{Hashing, boxed, hashing};
use crate::ascon_cxof::AsconCXof128;
use crate::error::Error;
use crate::facts::Facts;
use crate::hasher::Stream;
use crate::messages::Sealed;

hashing! { [] AsconCXof128;
    fn stream(&self) -> Option<&dyn Stream> {
        Some(&*self.stream)
    }
    fn stream_mut(&mut self) -> Option<&mut dyn Stream> {
        Some(&mut *self.stream)
    }
}

boxed! { [] AsconCXof128; }
