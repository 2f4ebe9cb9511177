//! SM3.

use super::{Digests, Member};
use hashmill::{Sm3, function};

members! {
    23: Digests<function::Sm3> = Digests(Sm3::new());
}
