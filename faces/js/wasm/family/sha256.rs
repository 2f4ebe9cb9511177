//! SHA-224 and SHA-256.

use super::{Digests, Member};
use hashmill::{Sha224, Sha256, function};

members! {
    1: Digests<function::Sha224> = Digests(Sha224::new());
    2: Digests<function::Sha256> = Digests(Sha256::new());
}
