//! The functions of the C interface for hashers and outputs, which lie in the caller's memory.

use crate::algorithm::algorithm;
use crate::hash::{many, rows};
use crate::in_place::{Family, hasher_len};
use crate::memory::{
    BATCH, Bytes, Context, Distinct, HEAD, Hasher, Message, XofContext, array, bytes, bytes_mut,
    messages, places, put, utf8,
};
use crate::status::Failure;
use core::ffi::{c_int, c_uint, c_void};
use hashmill::function::{Function, Visitor};
use hashmill::{
    Algorithm, AnyHasher, AsconCXof128, Blake2xb, Blake2xs, Blake3, CShake128, CShake256,
    Customization, FunctionName, Hash, HasherVisitor, Hashing, Kmac128, Kmac256, Kt128, Kt256,
    LastNode, ParallelHash128, ParallelHash256, Tuple, TupleHash128, TupleHash256, TurboShake128,
    TurboShake256, blake2b, blake2bp, blake2s, blake2sp, with_code,
};

struct Init(*mut Hasher);

impl Visitor for Init {
    type Output = Result<(), Failure>;
    fn visit<F: Function>(self) -> Self::Output {
        // SAFETY: `hashmill_hasher_init`'s caller promises this.
        unsafe { Hasher::set(self.0, Hash::<F>::new()) }
    }
}

entry! {
    /// Makes a hasher that has absorbed nothing.
    fn hashmill_hasher_init(hasher: *mut Hasher, code: c_int) {
        match code {
            codes::KT128 => Hasher::set(hasher, Kt128::new()),
            codes::KT256 => Hasher::set(hasher, Kt256::new()),
            codes::BLAKE2XB => Hasher::set(hasher, Blake2xb::new()),
            codes::BLAKE2XS => Hasher::set(hasher, Blake2xs::new()),
            _ if hasher_len(code) > 0 && algorithm(code).is_err() => Err(Failure::PARAMETERS),
            _ => algorithm(code)?.with(Init(hasher)),
        }?;
    }
}

entry! {
    /// Makes a hasher for TurboSHAKE with a domain separation byte.
    fn hashmill_hasher_init_turboshake(hasher: *mut Hasher, code: c_int, domain: u8) {
        match algorithm(code)? {
            Algorithm::TurboShake128 => Hasher::set(hasher, TurboShake128::with_domain(domain)?),
            Algorithm::TurboShake256 => Hasher::set(hasher, TurboShake256::with_domain(domain)?),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

/// `hashmill_blake2_params` with the fields of this version.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Blake2Params {
    pub size: usize,
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

    const fn new(size: usize, output_len: usize) -> Self {
        Blake2Params {
            size,
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

    /// Returns the parameters that the caller filled in. A program compiled for a later version may
    /// have more fields; they must be zero. There is no earlier version with fewer fields.
    ///
    /// # Safety
    /// `params` is NULL or valid for reads of the number of bytes in its field `size`.
    unsafe fn read<'a>(params: *const Self) -> Result<&'a Self, Failure> {
        // SAFETY: the caller promises this.
        let known = unsafe { &array(params, 1)?[0] };
        let more = known.size.checked_sub(size_of::<Self>()).ok_or(Failure::PARAMETERS)?;
        // SAFETY: the caller promises this.
        let more = unsafe { bytes(params.wrapping_add(1).cast(), more) }?;
        match more.iter().all(|&byte| byte == 0) {
            true => Ok(known),
            false => Err(Failure::PARAMETERS),
        }
    }

    /// Whether the parameters of the tree have their defaults, so that there is no tree.
    fn is_sequential(&self) -> bool {
        let tree = (self.node_offset, self.inner_len, self.leaf_len);
        let node = (self.fanout, self.max_depth, self.node_depth, self.last_node);
        tree == (0, 0, 0) && node == (1, 1, 0, 0)
    }
}

entry! {
    /// Writes the default parameters, with which an algorithm computes the same as without
    /// parameters.
    fn hashmill_blake2_defaults(params: *mut Blake2Params, size: usize, code: c_int) {
        let output_len = match code {
            codes::BLAKE2XB => 64,
            codes::BLAKE2XS => 32,
            _ => match algorithm(code)? {
                a @ (Algorithm::Blake2b
                | Algorithm::Blake2s
                | Algorithm::Blake2bp
                | Algorithm::Blake2sp) => a.output_len(),
                _ => return Err(Failure::PARAMETERS),
            },
        };
        let more = size.checked_sub(size_of::<Blake2Params>()).ok_or(Failure::CAPACITY)?;
        put(params, Blake2Params::new(size, output_len))?;
        bytes_mut(params.wrapping_add(1).cast(), more)?.fill(0);
    }
}

entry! {
    /// Makes a hasher for BLAKE2 with parameters.
    keyed fn hashmill_hasher_init_blake2(hasher: *mut Hasher, code: c_int, params: *const Blake2Params) {
        let algorithm = algorithm(code)?;
        let params = Blake2Params::read(params)?;
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
        match algorithm {
            Algorithm::Blake2b => Hasher::set(hasher, node!(blake2b).build()?),
            Algorithm::Blake2s => Hasher::set(hasher, node!(blake2s).build()?),
            Algorithm::Blake2bp if params.is_sequential() => Hasher::set(hasher, with!(blake2bp).build()?),
            Algorithm::Blake2sp if params.is_sequential() => Hasher::set(hasher, with!(blake2sp).build()?),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for BLAKE2X with parameters and an output of `len` bytes; 0 means that the
    /// length is unknown.
    keyed fn hashmill_hasher_init_blake2x(
        hasher: *mut Hasher,
        code: c_int,
        params: *const Blake2Params,
        len: u64,
    ) {
        let params = Blake2Params::read(params)?;
        let all_of = |part: Bytes| bytes(part.data, part.len);
        let (key, salt) = (all_of(params.key)?, all_of(params.salt)?);
        let personal = all_of(params.personal)?;
        if !params.is_sequential() {
            return Err(Failure::PARAMETERS);
        }
        let len = (len > 0).then_some(len);
        macro_rules! with {
            ($module:ident) => {
                $module::Params::new().key(key).salt(salt).personal(personal).build_xof(len)?
            };
        }
        match code {
            codes::BLAKE2XB => Hasher::set(hasher, with!(blake2b)),
            codes::BLAKE2XS => Hasher::set(hasher, with!(blake2s)),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for BLAKE3 with a key of 32 bytes.
    keyed fn hashmill_hasher_init_blake3_keyed(hasher: *mut Hasher, key: *const u8) {
        Hasher::set(hasher, Blake3::keyed(&array(key.cast(), 1)?[0]))?;
    }
}

entry! {
    /// Makes a hasher that derives keys by BLAKE3.
    fn hashmill_hasher_init_blake3_derive_key(
        hasher: *mut Hasher,
        context: *const c_void,
        context_len: usize,
    ) {
        Hasher::set(hasher, Blake3::derive_key(utf8(context, context_len)?))?;
    }
}

entry! {
    /// Makes a hasher for cSHAKE.
    fn hashmill_hasher_init_cshake(
        hasher: *mut Hasher,
        code: c_int,
        name: *const c_void,
        name_len: usize,
        custom: *const c_void,
        custom_len: usize,
    ) {
        let name = FunctionName(bytes(name, name_len)?);
        let custom = Customization(bytes(custom, custom_len)?);
        match code {
            codes::CSHAKE128 => Hasher::set(hasher, CShake128::new(name, custom)),
            codes::CSHAKE256 => Hasher::set(hasher, CShake256::new(name, custom)),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for KMAC.
    keyed fn hashmill_hasher_init_kmac(
        hasher: *mut Hasher,
        code: c_int,
        key: *const c_void,
        key_len: usize,
        custom: *const c_void,
        custom_len: usize,
    ) {
        let (key, custom) = (bytes(key, key_len)?, Customization(bytes(custom, custom_len)?));
        match code {
            codes::KMAC128 => Hasher::set(hasher, Kmac128::new(key, custom)),
            codes::KMAC256 => Hasher::set(hasher, Kmac256::new(key, custom)),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for TupleHash.
    fn hashmill_hasher_init_tuple_hash(
        hasher: *mut Hasher,
        code: c_int,
        custom: *const c_void,
        custom_len: usize,
    ) {
        let custom = bytes(custom, custom_len)?;
        match code {
            codes::TUPLE_HASH128 => Hasher::set(hasher, Tuple::from(TupleHash128::new(custom))),
            codes::TUPLE_HASH256 => Hasher::set(hasher, Tuple::from(TupleHash256::new(custom))),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for ParallelHash.
    fn hashmill_hasher_init_parallel_hash(
        hasher: *mut Hasher,
        code: c_int,
        block_len: usize,
        custom: *const c_void,
        custom_len: usize,
    ) {
        let custom = bytes(custom, custom_len)?;
        match code {
            codes::PARALLEL_HASH128 => Hasher::set(hasher, ParallelHash128::new(block_len, custom)?),
            codes::PARALLEL_HASH256 => Hasher::set(hasher, ParallelHash256::new(block_len, custom)?),
            _ => Err(Failure::PARAMETERS),
        }?;
    }
}

entry! {
    /// Makes a hasher for Ascon-CXOF128.
    fn hashmill_hasher_init_ascon_cxof128(
        hasher: *mut Hasher,
        custom: *const c_void,
        custom_len: usize,
    ) {
        let custom = Customization(bytes(custom, custom_len)?);
        Hasher::set(hasher, AsconCXof128::new(custom)?)?;
    }
}

/// The numbers of the functions that are not in the table of algorithms, because they take more
/// arguments than a message.
mod codes {
    use core::ffi::c_int;

    macro_rules! codes {
        ($($NAME:ident = $Type:ty;)*) => {
            $(pub(super) const $NAME: c_int = <$Type>::FACTS.code as c_int;)*
        };
    }

    codes! {
        KT128 = hashmill::Kt128; KT256 = hashmill::Kt256;
        BLAKE2XB = hashmill::Blake2xb; BLAKE2XS = hashmill::Blake2xs;
        CSHAKE128 = hashmill::CShake128; CSHAKE256 = hashmill::CShake256;
        KMAC128 = hashmill::Kmac128; KMAC256 = hashmill::Kmac256;
        TUPLE_HASH128 = hashmill::TupleHash128; TUPLE_HASH256 = hashmill::TupleHash256;
        PARALLEL_HASH128 = hashmill::ParallelHash128; PARALLEL_HASH256 = hashmill::ParallelHash256;
    }
}

/// Returns how many bytes of a context a hasher of that function uses, or 0 if there is no such
/// function.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_hasher_size(code: c_int) -> usize {
    match hasher_len(code) {
        0 => 0,
        len => HEAD + len,
    }
}

entry! {
    /// Absorbs the next part of the message.
    fn hashmill_hasher_update(hasher: *mut Hasher, data: *const c_void, len: usize) {
        Hasher::get_mut(hasher)?.try_update(bytes(data, len)?)?;
    }
}

entry! {
    /// Absorbs a tuple's next element.
    fn hashmill_hasher_element(hasher: *mut Hasher, data: *const c_void, len: usize) {
        Hasher::get_mut(hasher)?.element(bytes(data, len)?)?;
    }
}

entry! {
    /// Begins a tuple's next element, which `hashmill_hasher_update` then takes in parts.
    fn hashmill_hasher_begin_element(hasher: *mut Hasher, len: u64) {
        Hasher::get_mut(hasher)?.begin_element(len)?;
    }
}

entry! {
    /// Absorbs into each hasher the next part of its own message. Hashers of one function run side
    /// by side in SIMD lanes.
    fn hashmill_hasher_update_many(hashers: *const *mut Hasher, pieces: *const Bytes, count: usize) {
        update_together(array(hashers, count)?, messages(pieces, count)?)?;
    }
}

/// Absorbs each piece into its context. Contexts of one function run side by side in lanes.
///
/// # Safety
/// As [`Distinct::check`].
pub(crate) unsafe fn update_together<F: Family<Dyn = dyn Hashing>, const SIZE: usize>(
    contexts: &[*mut Context<F, SIZE>],
    pieces: &[Message],
) -> Result<(), Failure> {
    // SAFETY: the caller promises this.
    unsafe { Distinct::check(contexts)? };
    for (contexts, pieces) in contexts.chunks(BATCH).zip(pieces.chunks(BATCH)) {
        // SAFETY: `check` found that all are initialised contexts, and different.
        let mut places = unsafe { places(contexts)? };
        <dyn Hashing>::update_many(&mut places[..contexts.len()], pieces)?;
    }
    Ok(())
}

entry! {
    /// Writes the output of each hasher after its own message. The hashers run side by side in SIMD
    /// lanes.
    fn hashmill_hasher_finish_each(
        hashers: *const *const Hasher,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        output_len: usize,
    ) {
        let (hashers, data) = (array(hashers.cast::<*mut Hasher>(), count)?, messages(data, count)?);
        let out = rows(out, count, output_len)?;
        let Some(&first) = hashers.first() else { return Ok(()) };
        let code = Hasher::get(first)?.code();
        for &hasher in hashers {
            if Hasher::get(hasher)?.code() != code {
                return Err(Failure::PARAMETERS);
            }
        }
        let batches = hashers.chunks(BATCH).zip(data.chunks(BATCH));
        for ((hashers, data), out) in batches.zip(out.chunks_mut((BATCH * output_len).max(1))) {
            let places = places(hashers)?;
            <dyn Hashing>::hash_each(&places[..hashers.len()], data, out)?;
        }
    }
}

entry! {
    /// Sets whether this is the last node of its level, in place of the value from the parameters.
    fn hashmill_hasher_set_last_node(hasher: *mut Hasher, last_node: c_int) {
        let last_node = if last_node == 0 { LastNode::No } else { LastNode::Yes };
        Hasher::get_mut(hasher)?.set_last_node(last_node)?;
    }
}

entry! {
    /// Writes the output for everything absorbed so far. The hasher does not change.
    fn hashmill_hasher_finalize(hasher: *const Hasher, out: *mut c_void, out_len: usize) {
        Hasher::get(hasher)?.hash_into(b"", bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Writes the output for everything absorbed so far and 0 to 7 more bits.
    fn hashmill_hasher_finalize_bits(
        hasher: *const Hasher,
        last_byte: u8,
        bits: c_uint,
        out: *mut c_void,
        out_len: usize,
    ) {
        Hasher::get(hasher)?.finalize_bits_into(last_byte, bits, bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Writes the output after one more piece of the message. The hasher does not change.
    fn hashmill_hasher_finish(
        hasher: *const Hasher,
        data: *const c_void,
        len: usize,
        out: *mut c_void,
        out_len: usize,
    ) {
        Hasher::get(hasher)?.hash_into(bytes(data, len)?, bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Begins the output of an XOF, which is then squeezed piece by piece.
    fn hashmill_hasher_finalize_xof(hasher: *const Hasher, xof: *mut XofContext) {
        XofContext::set(xof, Hasher::get(hasher)?.squeeze()?)?;
    }
}

entry! {
    /// Begins the output of KangarooTwelve with a customization string.
    fn hashmill_hasher_finalize_xof_with(
        hasher: *const Hasher,
        custom: *const c_void,
        custom_len: usize,
        xof: *mut XofContext,
    ) {
        XofContext::set(xof, Hasher::get(hasher)?.squeeze_custom(bytes(custom, custom_len)?)?)?;
    }
}

entry! {
    /// Writes the next bytes of the output.
    fn hashmill_xof_squeeze(xof: *mut XofContext, out: *mut c_void, out_len: usize) {
        XofContext::get_mut(xof)?.try_fill(bytes_mut(out, out_len)?)?;
    }
}

entry! {
    /// Moves to a position of the output.
    fn hashmill_xof_seek(xof: *mut XofContext, position: u64) {
        XofContext::get_mut(xof)?.seek(position)?;
    }
}

entry! {
    /// Writes, for each of many messages, the output that `hashmill_hasher_finish` would write.
    fn hashmill_hasher_finish_many(
        hasher: *const Hasher,
        data: *const Bytes,
        count: usize,
        out: *mut c_void,
        output_len: usize,
    ) {
        let out = rows(out, count, output_len)?;
        many(Hasher::get(hasher)?, &messages(data, count)?, output_len, out)?;
    }
}

/// Returns the number of the hasher's function, or 0 if there is no hasher.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_algorithm(hasher: *const Hasher) -> c_int {
    // SAFETY: the caller promises this.
    unsafe { Hasher::get(hasher) }.map_or(0, |hasher| hasher.code().into())
}

/// Returns the length of the digest in bytes, or 0 if there is no hasher.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_output_len(hasher: *const Hasher) -> usize {
    // SAFETY: the caller promises this.
    unsafe { Hasher::get(hasher) }.map_or(0, |hasher| hasher.output_len())
}

entry! {
    /// Writes the state as bytes, and its length to `written`. If the buffer is NULL, writes only
    /// the length.
    fn hashmill_hasher_export(
        hasher: *const Hasher,
        out: *mut c_void,
        capacity: usize,
        written: *mut usize,
    ) {
        let exported = Hasher::get(hasher)?.export()?;
        let state = exported.as_ref();
        put(written, state.len())?;
        if !out.is_null() {
            let room = bytes_mut(out, capacity)?;
            room.get_mut(..state.len()).ok_or(Failure::CAPACITY)?.copy_from_slice(state);
        }
    }
}

/// Imports a state as the type of its function.
struct Import<'a> {
    hasher: *mut Hasher,
    state: &'a [u8],
}

impl HasherVisitor for Import<'_> {
    type Output = Result<(), Failure>;
    fn visit<H: Hashing + 'static>(self) -> Self::Output {
        let imported = H::import(self.state)?;
        // SAFETY: `hashmill_hasher_import`'s caller promises this.
        unsafe { Hasher::set(self.hasher, imported) }
    }
}

entry! {
    /// Makes a hasher from an exported state.
    keyed fn hashmill_hasher_import(hasher: *mut Hasher, state: *const c_void, len: usize) {
        let state = bytes(state, len)?;
        // A state contains the number of its function as its second byte.
        let code = state.get(1).copied().unwrap_or(0);
        match with_code(code, Import { hasher, state }) {
            Some(imported) => imported?,
            // It does not allocate, because there is no such function.
            None => return Err(AnyHasher::import(state).err().map_or(Failure::INTERNAL, Failure::from)),
        }
    }
}

/// Overwrites the hasher, if there is one.
///
/// # Safety
/// `hasher` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_hasher_wipe(hasher: *mut Hasher) {
    // SAFETY: the caller promises this.
    unsafe { Hasher::wipe(hasher) }
}

/// Overwrites the output, if there is one.
///
/// # Safety
/// `xof` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_xof_wipe(xof: *mut XofContext) {
    // SAFETY: the caller promises this.
    unsafe { XofContext::wipe(xof) }
}
