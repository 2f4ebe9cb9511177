//! BLAKE2b and BLAKE2bp, or BLAKE2s and BLAKE2sp.

use super::{Digests, Member, write};
#[cfg(feature = "blake2b")]
use hashmill::{Blake2b as Sequential, Blake2bp as Parallel, blake2b::Params, blake2bp};
#[cfg(feature = "blake2s")]
use hashmill::{Blake2s as Sequential, Blake2sp as Parallel, blake2s::Params, blake2sp};
use hashmill::{Error, LastNode, function};

#[cfg(feature = "blake2b")]
members! {
    11: Digests<function::Blake2b> = Digests(Sequential::new());
    13: Digests<function::Blake2bp> = Digests(Parallel::new());
}
#[cfg(feature = "blake2s")]
members! {
    12: Digests<function::Blake2s> = Digests(Sequential::new());
    14: Digests<function::Blake2sp> = Digests(Parallel::new());
}

/// Begins a hasher with parameters. `given` is: the node offset (8 bytes, little-endian), the leaf
/// length (4), then one byte each: the lengths of the output, the key, the salt and the
/// personalization; fanout, depth, node depth, inner length, last node; then the key, the salt and
/// the personalization.
pub fn begin_with(code: u8, given: &[u8], place: *mut u8) -> Result<(), Error> {
    let (Some(offset), Some(leaf_len)) = (given.first_chunk(), given[8..].first_chunk()) else {
        return Err(Error::Operation);
    };
    let byte = |at: usize| given[12 + at];
    let (key, rest) = given[21..].split_at(byte(1).into());
    let (salt, personal) = rest.split_at(byte(2).into());
    let personal = &personal[..byte(3).into()];
    if code > 12 {
        #[cfg(feature = "blake2b")]
        let params = blake2bp::Params::new();
        #[cfg(feature = "blake2s")]
        let params = blake2sp::Params::new();
        let params = params.output_len(byte(0).into()).key(key).salt(salt).personal(personal);
        return write(params.build()?, place);
    }
    let last_node = if byte(8) == 1 { LastNode::Yes } else { LastNode::No };
    let params = Params::new().output_len(byte(0).into()).key(key).salt(salt).personal(personal);
    let params = params.fanout(byte(4)).max_depth(byte(5)).node_depth(byte(6));
    let params = params.inner_len(byte(7).into()).last_node(last_node);
    let params = params.leaf_len(u32::from_le_bytes(*leaf_len));
    write(params.node_offset(u64::from_le_bytes(*offset)).build()?, place)
}
