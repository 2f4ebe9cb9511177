//! SHA-384, SHA-512, SHA-512/224 and SHA-512/256.

use super::{Digests, Member};
use hashmill::{Sha384, Sha512, Sha512_224, Sha512_256, function};

members! {
    3: Digests<function::Sha384> = Digests(Sha384::new());
    4: Digests<function::Sha512> = Digests(Sha512::new());
    5: Digests<function::Sha512_224> = Digests(Sha512_224::new());
    6: Digests<function::Sha512_256> = Digests(Sha512_256::new());
}
