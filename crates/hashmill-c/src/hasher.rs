//! Hashers and outputs in the caller's memory.

use crate::algorithm::algorithm;
use crate::hash::rows;
use crate::in_place::InPlaceHasher;
use crate::memory::{Bytes, Hasher, XofContext, array, bytes, bytes_mut, messages, put};
use crate::status::{Failure, wrong_len};
use core::ffi::{c_int, c_uint, c_void};
use hashmill::{
    Algorithm, AnyHasher, LastNode, TurboShake128, TurboShake256, blake2b, blake2bp, blake2s,
    blake2sp,
};

entry! {
    /// A hasher that has absorbed nothing.
    fn hashmill_hasher_init(hasher: *mut Hasher, code: c_int) {
        Hasher::set(hasher, InPlaceHasher::new(algorithm(code)?))?;
    }
}

entry! {
    /// TurboSHAKE in a domain of its own.
    fn hashmill_hasher_init_turboshake(hasher: *mut Hasher, code: c_int, domain: u8) {
        Hasher::set(hasher, match algorithm(code)? {
            Algorithm::TurboShake128 => AnyHasher::from(TurboShake128::with_domain(domain)?).into(),
            Algorithm::TurboShake256 => AnyHasher::from(TurboShake256::with_domain(domain)?).into(),
            _ => return Err(Failure::PARAMETERS),
        })?;
    }
}

/// `hashmill_blake2_params`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Blake2Params {
    pub output_len: usize,
    pub key: Bytes,
    pub salt: Bytes,
    pub personal: Bytes,
    pub node_offset: u64,
    pub inner_len: usize,
    pub leaf_len: u32,
    pub fanout: u8,
    pub max_depth: u8,
    pub node_depth: u8,
    pub last_node: u8,
}

impl Blake2Params {
    const NOTHING: Bytes = Bytes { data: core::ptr::null(), len: 0 };

    const fn new(output_len: usize) -> Self {
        Blake2Params {
            output_len,
            key: Self::NOTHING,
            salt: Self::NOTHING,
            personal: Self::NOTHING,
            node_offset: 0,
            inner_len: 0,
            leaf_len: 0,
            fanout: 1,
            max_depth: 1,
            node_depth: 0,
            last_node: 0,
        }
    }

    /// Whether it is a node of no tree.
    fn is_sequential(&self) -> bool {
        let tree = (self.node_offset, self.inner_len, self.leaf_len);
        let node = (self.fanout, self.max_depth, self.node_depth, self.last_node);
        tree == (0, 0, 0) && node == (1, 1, 0, 0)
    }
}

entry! {
    /// The parameters with which the algorithm does what it does without any.
    fn hashmill_blake2_defaults(params: *mut Blake2Params, code: c_int) {
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        match algorithm(code)? {
            a @ (Blake2b | Blake2s | Blake2bp | Blake2sp) => {
                put(params, Blake2Params::new(a.output_len()))?;
            }
            _ => return Err(Failure::PARAMETERS),
        }
    }
}

entry! {
    /// BLAKE2 with parameters.
    fn hashmill_hasher_init_blake2(hasher: *mut Hasher, code: c_int, params: *const Blake2Params) {
        let algorithm = algorithm(code)?;
        let params = &array(params, 1)?[0];
        let all_of = |part: Bytes| bytes(part.data, part.len);
        let (key, salt) = (all_of(params.key)?, all_of(params.salt)?);
        let personal = all_of(params.personal)?;
        macro_rules! with {
            ($module:ident) => {
                $module::Params::new().output_len(params.output_len).key(key).salt(salt).personal(personal)
            };
        }
        macro_rules! node {
            ($module:ident) => {
                with!($module)
                    .fanout(params.fanout)
                    .max_depth(params.max_depth)
                    .leaf_len(params.leaf_len)
                    .node_offset(params.node_offset)
                    .node_depth(params.node_depth)
                    .inner_len(params.inner_len)
                    .last_node(if params.last_node == 0 { LastNode::No } else { LastNode::Yes })
            };
        }
        let built: InPlaceHasher = match algorithm {
            Algorithm::Blake2b => AnyHasher::from(node!(blake2b).build()?).into(),
            Algorithm::Blake2s => AnyHasher::from(node!(blake2s).build()?).into(),
            Algorithm::Blake2bp if params.is_sequential() => with!(blake2bp).build()?.into(),
            Algorithm::Blake2sp if params.is_sequential() => with!(blake2sp).build()?.into(),
            _ => return Err(Failure::PARAMETERS),
        };
        Hasher::set(hasher, built)?;
    }
}

entry! {
    /// Absorbs the next part of the message.
    fn hashmill_hasher_update(hasher: *mut Hasher, data: *const c_void, len: usize) {
        Hasher::get_mut(hasher)?.try_update(bytes(data, len)?)?;
    }
}

entry! {
    /// The output of all that was absorbed; the hasher stays as it is.
    fn hashmill_hasher_finalize(hasher: *const Hasher, out: *mut c_void, out_len: usize) {
        Hasher::get(hasher)?.finalize_into(bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// As `hashmill_hasher_finalize`, after 0 to 7 more bits.
    fn hashmill_hasher_finalize_bits(
        hasher: *const Hasher,
        last_byte: u8,
        bits: c_uint,
        out: *mut c_void,
        out_len: usize,
    ) {
        let hasher = Hasher::get(hasher)?;
        let out = bytes_mut(out, out_len)?;
        if hasher.algorithm().is_xof() {
            hasher.finalize_xof_bits(last_byte, bits)?.fill(out);
        } else {
            let digest = hasher.finalize_bits(last_byte, bits)?;
            if out.len() != digest.len() {
                return Err(wrong_len(out.len(), digest.len()));
            }
            out.copy_from_slice(&digest);
        }
    }
}

entry! {
    /// The output of an XOF, to be squeezed piece by piece.
    fn hashmill_hasher_finalize_xof(hasher: *const Hasher, xof: *mut XofContext) {
        XofContext::set(xof, Hasher::get(hasher)?.finalize_xof()?)?;
    }
}

entry! {
    /// The next bytes of the output.
    fn hashmill_xof_squeeze(xof: *mut XofContext, out: *mut c_void, out_len: usize) {
        XofContext::get_mut(xof)?.fill(bytes_mut(out, out_len)?);
    }
}

entry! {
    /// What `hashmill_hasher_finalize` would give after every one of many messages.
    fn hashmill_hasher_finish_many(
        hasher: *const Hasher,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        output_len: usize,
    ) {
        let out = rows(out, count, output_len)?;
        Hasher::get(hasher)?.finish_many(&messages(data, count)?, output_len, out)?;
    }
}

/// The algorithm's code, or 0.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_algorithm(hasher: *const Hasher) -> c_int {
    // SAFETY: as promised.
    unsafe { Hasher::get(hasher) }.map_or(0, |hasher| hasher.algorithm().code().into())
}

/// The length of the digest, or 0.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_output_len(hasher: *const Hasher) -> usize {
    // SAFETY: as promised.
    unsafe { Hasher::get(hasher) }.map_or(0, InPlaceHasher::output_len)
}

entry! {
    /// The state as bytes. With a NULL buffer only their number.
    fn hashmill_hasher_export(
        hasher: *const Hasher,
        out: *mut c_void,
        capacity: usize,
        written: *mut usize,
    ) {
        let exported = Hasher::get(hasher)?.export();
        let state = exported.as_ref();
        put(written, state.len())?;
        if !out.is_null() {
            let room = bytes_mut(out, capacity)?;
            room.get_mut(..state.len()).ok_or(Failure::CAPACITY)?.copy_from_slice(state);
        }
    }
}

entry! {
    /// A hasher in an exported state.
    fn hashmill_hasher_import(hasher: *mut Hasher, state: *const c_void, len: usize) {
        Hasher::set(hasher, InPlaceHasher::import(bytes(state, len)?)?)?;
    }
}

/// Overwrites the hasher, if there is one.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_wipe(hasher: *mut Hasher) {
    // SAFETY: as promised.
    unsafe { Hasher::wipe(hasher) }
}

/// Overwrites the output, if there is one.
///
/// # Safety
/// `xof` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_xof_wipe(xof: *mut XofContext) {
    // SAFETY: as promised.
    unsafe { XofContext::wipe(xof) }
}
