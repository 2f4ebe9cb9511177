//! The functions of the C interface for hashers and outputs, which lie in the caller's memory.

use crate::algorithm::algorithm;
use crate::hash::many;
use crate::in_place::{Family, hasher_len};
use crate::memory::{
    Bytes, Context, HEAD, Hasher, Message, Out, XofContext, array, array_mut, distinct, in_batches,
    put, utf8,
};
use crate::status::Failure;
use core::ffi::{c_int, c_uint};
use hashmill::function::{Function, Visitor};
use hashmill::{
    Algorithm, AnyHasher, AnyReader, AsconCXof128, Blake2xb, Blake2xs, Blake3, CShake128,
    CShake256, Customization, Error, Exported, FunctionName, Hash, HasherVisitor, Hashing, Kmac128,
    Kmac256, Kt128, Kt256, LastNode, ParallelHash128, ParallelHash256, TupleHash128, TupleHash256,
    TurboShake128, TurboShake256, blake2b, blake2bp, blake2s, blake2sp, with_code,
};

struct Init(*mut Hasher);

impl Visitor for Init {
    type Output = Result<(), Failure>;
    fn visit<F: Function>(self) -> Self::Output {
        // SAFETY: `hashmill_hasher_init`'s caller promises this.
        unsafe { Hasher::set(self.0, Hash::<F>::new()) }
    }
}

/// Makes the hasher of that one of the types `$Type` that has the number `$code`. `$new` makes it,
/// with the type as `$H`.
macro_rules! set {
    ($hasher:ident, $code:ident, $H:ident of [$($Type:ident),*] => $new:expr) => {
        match u8::try_from($code).unwrap_or(0) {
            $(code if code == $Type::FACTS.code => {
                type $H = $Type;
                Hasher::set($hasher, $new)
            })*
            _ => Err(Failure::PARAMETERS),
        }?
    };
}

entry! {
    /// Makes a hasher that has absorbed nothing.
    fn hashmill_hasher_init(hasher: *mut Hasher, code: c_int) {
        match algorithm(code) {
            Ok(algorithm) => algorithm.with(Init(hasher))?,
            Err(unknown) if hasher_len(code).is_none() => return Err(unknown),
            Err(_) => set!(hasher, code, H of [Kt128, Kt256, Blake2xb, Blake2xs] => H::new()),
        }
    }

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
    /// Returns the parameters that the caller filled in, and the key, the salt and the
    /// personalization. A program compiled for a later version may have more fields; they must be
    /// zero. There is no earlier version with fewer fields.
    ///
    /// # Safety
    /// `params` is NULL or valid for reads of the number of bytes in its field `size`; the strings
    /// in it are NULL or valid for reads of their lengths.
    unsafe fn read<'a>(params: *const Self) -> Result<(&'a Self, [&'a [u8]; 3]), Failure> {
        // SAFETY: the caller promises this.
        let string = |Bytes { data, len }| unsafe { array(data.cast(), len) };
        // SAFETY: the caller promises this.
        let known = unsafe { &array(params, 1)?[0] };
        let len = known.size.checked_sub(size_of::<Self>()).ok_or(Failure::PARAMETERS)?;
        let more = string(Bytes { data: params.wrapping_add(1).cast(), len })?;
        if !more.iter().all(|&byte| byte == 0) {
            return Err(Failure::PARAMETERS);
        }
        Ok((known, [string(known.key)?, string(known.salt)?, string(known.personal)?]))
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
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        let output_len = match algorithm(code) {
            Ok(algorithm @ (Blake2b | Blake2s | Blake2bp | Blake2sp)) => algorithm.output_len(),
            Err(_) if code == Blake2xb::FACTS.code.into() => 64,
            Err(_) if code == Blake2xs::FACTS.code.into() => 32,
            Ok(_) => return Err(Failure::PARAMETERS),
            Err(unknown) => return Err(unknown),
        };
        let more = size.checked_sub(size_of::<Blake2Params>()).ok_or(Failure::CAPACITY)?;
        // Zeros are null pointers and numbers.
        let zeros = core::mem::zeroed();
        put(params, Blake2Params { size, output_len, fanout: 1, max_depth: 1, ..zeros })?;
        array_mut(params.wrapping_add(1).cast::<u8>(), more)?.fill(0);
    }

    /// Makes a hasher for BLAKE2 with parameters.
    keyed fn hashmill_hasher_init_blake2(
        hasher: *mut Hasher,
        code: c_int,
        params: *const Blake2Params,
    ) {
        let algorithm = algorithm(code)?;
        let (params, [key, salt, personal]) = Blake2Params::read(params)?;
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

    /// Makes a hasher for BLAKE2X with parameters and an output of `len` bytes; 0 means that the
    /// length is unknown.
    keyed fn hashmill_hasher_init_blake2x(
        hasher: *mut Hasher,
        code: c_int,
        params: *const Blake2Params,
        len: u64,
    ) {
        let (params, [key, salt, personal]) = Blake2Params::read(params)?;
        if !params.is_sequential() {
            return Err(Failure::PARAMETERS);
        }
        let len = (len > 0).then_some(len);
        macro_rules! with {
            ($module:ident) => {
                $module::Params::new().key(key).salt(salt).personal(personal).build_xof(len)?
            };
        }
        match u8::try_from(code) {
            Ok(code) if code == Blake2xb::FACTS.code => Hasher::set(hasher, with!(blake2b)),
            Ok(code) if code == Blake2xs::FACTS.code => Hasher::set(hasher, with!(blake2s)),
            _ => Err(Failure::PARAMETERS),
        }?;
    }

    /// Makes a hasher for BLAKE3 with a key of 32 bytes.
    keyed fn hashmill_hasher_init_blake3_keyed(hasher: *mut Hasher, key: *const u8) {
        Hasher::set(hasher, Blake3::keyed(&array(key.cast(), 1)?[0]))?;
    }

    /// Makes a hasher that derives keys by BLAKE3.
    fn hashmill_hasher_init_blake3_derive_key(hasher: *mut Hasher, context: &[u8]) {
        Hasher::set(hasher, Blake3::derive_key(utf8(context)?))?;
    }

    /// Makes a hasher for cSHAKE.
    fn hashmill_hasher_init_cshake(hasher: *mut Hasher, code: c_int, name: &[u8], custom: &[u8]) {
        let (name, custom) = (FunctionName(name), Customization(custom));
        set!(hasher, code, H of [CShake128, CShake256] => H::new(name, custom));
    }

    /// Makes a hasher for KMAC.
    keyed fn hashmill_hasher_init_kmac(
        hasher: *mut Hasher,
        code: c_int,
        key: &[u8],
        custom: &[u8],
    ) {
        set!(hasher, code, H of [Kmac128, Kmac256] => H::new(key, Customization(custom)));
    }

    /// Makes a hasher for TupleHash.
    fn hashmill_hasher_init_tuple_hash(hasher: *mut Hasher, code: c_int, custom: &[u8]) {
        set!(hasher, code, H of [TupleHash128, TupleHash256] => H::new(custom));
    }

    /// Makes a hasher for ParallelHash.
    fn hashmill_hasher_init_parallel_hash(
        hasher: *mut Hasher,
        code: c_int,
        block_len: usize,
        custom: &[u8],
    ) {
        set!(hasher, code, H of [ParallelHash128, ParallelHash256] => H::new(block_len, custom)?);
    }

    /// Makes a hasher for Ascon-CXOF128.
    fn hashmill_hasher_init_ascon_cxof128(hasher: *mut Hasher, custom: &[u8]) {
        Hasher::set(hasher, AsconCXof128::new(Customization(custom))?)?;
    }
}

/// Returns how many bytes of a context a hasher of that function uses, or 0 if there is no such
/// function.
#[unsafe(no_mangle)]
pub extern "C" fn hashmill_hasher_size(code: c_int) -> usize {
    hasher_len(code).map_or(0, |len| HEAD + len)
}

entry! {
    /// Absorbs the next part of the message.
    fn hashmill_hasher_update(hasher: *mut Hasher, data: &[u8]) {
        Hasher::get_mut(hasher)?.try_update(data)?;
    }

    /// Absorbs a tuple's next element.
    fn hashmill_hasher_element(hasher: *mut Hasher, data: &[u8]) {
        Hasher::get_mut(hasher)?.element(data)?;
    }

    /// Begins a tuple's next element, which `hashmill_hasher_update` then takes in parts.
    fn hashmill_hasher_begin_element(hasher: *mut Hasher, len: u64) {
        Hasher::get_mut(hasher)?.begin_element(len)?;
    }

    /// Absorbs into each hasher the next part of its own message. Hashers of one function run side
    /// by side in SIMD lanes.
    fn hashmill_hasher_update_many(hashers: *const *mut Hasher, pieces: &[Message]) {
        update_together(array(hashers, pieces.len())?, pieces)?;
    }
}

/// Absorbs each piece into its context. Contexts of one function run side by side in lanes.
///
/// # Safety
/// As [`distinct`].
pub(crate) unsafe fn update_together<F: Family<Dyn = dyn Hashing>, const SIZE: usize>(
    contexts: &[*mut Context<F, SIZE>],
    pieces: &[Message],
) -> Result<(), Failure> {
    // SAFETY: the caller promises this.
    unsafe { distinct(contexts)? };
    // SAFETY: `distinct` found that all are initialised contexts, and different.
    let value = |context| unsafe { Context::get_mut(context) };
    in_batches(contexts, value, |first, hashers| {
        <dyn Hashing>::update_many(hashers, &pieces[first..][..hashers.len()])
    })
}

entry! {
    /// Writes the output of each hasher after its own message. The hashers run side by side in SIMD
    /// lanes.
    fn hashmill_hasher_finish_each(hashers: *const *const Hasher, data: &[Message], out: Out) {
        let hashers = array(hashers.cast::<*mut Hasher>(), data.len())?;
        let (output_len, out) = (out.len, out.rows(data.len())?);
        let Some(&first) = hashers.first() else { return Ok(()) };
        let code = Hasher::get(first)?.code();
        for &hasher in hashers {
            if Hasher::get(hasher)?.code() != code {
                return Err(Failure::PARAMETERS);
            }
        }
        // The library could hash KT128 and others, too. But hashmill.h excludes them, and its
        // implementation over the C++ headers refuses them.
        Algorithm::from_code(code).ok_or(Error::Operation)?;
        in_batches(hashers, |hasher| Hasher::get(hasher), |first, hashers| {
            let out = &mut out[first * output_len..][..hashers.len() * output_len];
            <dyn Hashing>::hash_each(hashers, &data[first..][..hashers.len()], out)
        })?;
    }

    /// Sets whether this is the last node of its level, in place of the value from the parameters.
    fn hashmill_hasher_set_last_node(hasher: *mut Hasher, last_node: c_int) {
        let last_node = if last_node == 0 { LastNode::No } else { LastNode::Yes };
        Hasher::get_mut(hasher)?.set_last_node(last_node)?;
    }

    /// Writes the output for everything absorbed so far. The hasher does not change.
    fn hashmill_hasher_finalize(hasher: *const Hasher, out: Out) {
        Hasher::get(hasher)?.hash_into(b"", out.bytes()?)?;
    }

    /// Writes the output for everything absorbed so far and 0 to 7 more bits.
    fn hashmill_hasher_finalize_bits(hasher: *const Hasher, last_byte: u8, bits: c_uint, out: Out) {
        Hasher::get(hasher)?.finalize_bits_into(last_byte, bits, out.bytes()?)?;
    }

    /// Writes the output after one more piece of the message. The hasher does not change.
    fn hashmill_hasher_finish(hasher: *const Hasher, data: &[u8], out: Out) {
        Hasher::get(hasher)?.hash_into(data, out.bytes()?)?;
    }

    /// Begins the output of an XOF, which is then squeezed piece by piece.
    fn hashmill_hasher_finalize_xof(hasher: *const Hasher, xof: *mut XofContext) {
        XofContext::set(xof, Hasher::get(hasher)?.squeeze()?)?;
    }

    /// Begins the output of KangarooTwelve with a customization string.
    fn hashmill_hasher_finalize_xof_with(
        hasher: *const Hasher,
        custom: &[u8],
        xof: *mut XofContext,
    ) {
        XofContext::set(xof, Hasher::get(hasher)?.squeeze_custom(custom)?)?;
    }

    /// Writes the chaining value of a subtree of BLAKE3.
    fn hashmill_hasher_subtree(
        hasher: *const Hasher,
        offset: u64,
        data: &[u8],
        value: *mut [u8; 32],
    ) {
        let found = Hasher::get(hasher)?.subtree(offset, data)?;
        put(value, found.ok_or(Failure::PARAMETERS)?)?;
    }

    /// Writes the chaining value of the parent of two subtrees of BLAKE3.
    fn hashmill_hasher_parent(
        hasher: *const Hasher,
        left: *const [u8; 32],
        right: *const [u8; 32],
        value: *mut [u8; 32],
    ) {
        let (left, right) = (array(left, 1)?, array(right, 1)?);
        put(value, Hasher::get(hasher)?.parent(&left[0], &right[0])?)?;
    }

    /// Begins the output of BLAKE3 whose root has these two children.
    fn hashmill_hasher_root(
        hasher: *const Hasher,
        left: *const [u8; 32],
        right: *const [u8; 32],
        xof: *mut XofContext,
    ) {
        let (left, right) = (array(left, 1)?, array(right, 1)?);
        XofContext::set(xof, Hasher::get(hasher)?.root(&left[0], &right[0])?)?;
    }

    /// Writes the next bytes of the output.
    fn hashmill_xof_squeeze(xof: *mut XofContext, out: Out) {
        XofContext::get_mut(xof)?.try_fill(out.bytes()?)?;
    }

    /// Writes the next bytes of each output. Those of sponges run side by side in SIMD lanes.
    fn hashmill_xof_squeeze_many(xofs: *const *mut XofContext, count: usize, out: Out) {
        let xofs = array(xofs, count)?;
        let (output_len, out) = (out.len, out.rows(count)?);
        distinct(xofs)?;
        in_batches(xofs, |xof| XofContext::get_mut(xof), |first, readers| {
            let out = &mut out[first * output_len..][..readers.len() * output_len];
            AnyReader::fill_many(readers, out)
        })?;
    }

    /// Moves to a position of the output.
    fn hashmill_xof_seek(xof: *mut XofContext, position: u64) {
        XofContext::get_mut(xof)?.seek(position)?;
    }

    /// Writes, for each of many messages, the output that `hashmill_hasher_finish` would write.
    fn hashmill_hasher_finish_many(hasher: *const Hasher, data: &[Message], out: Out) {
        many(Hasher::get(hasher)?, &data, out.len, out.rows(data.len())?)?;
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
    keyed fn hashmill_hasher_export(hasher: *const Hasher, out: Out, written: *mut usize) {
        put_state(&Hasher::get(hasher)?.export()?, out, written)?;
    }

    /// The same with a tag under a key.
    keyed fn hashmill_hasher_export_keyed(
        hasher: *const Hasher,
        key: &[u8],
        out: Out,
        written: *mut usize,
    ) {
        put_state(&Hasher::get(hasher)?.export_keyed(key)?, out, written)?;
    }
}

/// Writes a state, if there is a buffer, and its length.
///
/// # Safety
/// As [`put`] and [`Out::bytes`].
unsafe fn put_state(state: &Exported, out: Out, written: *mut usize) -> Result<(), Failure> {
    let state = state.as_ref();
    // SAFETY: the caller promises this.
    unsafe { put(written, state.len())? };
    if !out.data.is_null() {
        // SAFETY: the caller promises this.
        let room = unsafe { out.bytes()? }.get_mut(..state.len());
        room.ok_or(Failure::CAPACITY)?.copy_from_slice(state);
    }
    Ok(())
}

/// Imports a state as the type of its function, with a key if it has a tag.
struct Import<'a>(*mut Hasher, &'a [u8], Option<&'a [u8]>);

impl HasherVisitor for Import<'_> {
    type Output = Result<(), Failure>;
    fn visit<H: Hashing + 'static>(self) -> Self::Output {
        let imported = match self.2 {
            None => H::import(self.1)?,
            Some(key) => H::import_keyed(self.1, key)?,
        };
        // SAFETY: the caller of `import` promises this.
        unsafe { Hasher::set(self.0, imported) }
    }
}

/// Makes a hasher from a state.
///
/// # Safety
/// As [`Hasher::set`].
unsafe fn import(hasher: *mut Hasher, state: &[u8], key: Option<&[u8]>) -> Result<(), Failure> {
    // A state contains the number of its function as its second byte.
    let code = state.get(1).copied().unwrap_or(0);
    with_code(code, Import(hasher, state, key)).unwrap_or_else(|| {
        // It does not allocate, because there is no such function.
        let refused = match key {
            None => AnyHasher::import(state),
            Some(key) => AnyHasher::import_keyed(state, key),
        };
        Err(refused.err().map_or(Failure::INTERNAL, Failure::from))
    })
}

entry! {
    /// Makes a hasher from an exported state.
    keyed fn hashmill_hasher_import(hasher: *mut Hasher, state: &[u8]) {
        import(hasher, state, None)?;
    }

    /// Makes a hasher from a state that was exported with a tag under the same key.
    keyed fn hashmill_hasher_import_keyed(hasher: *mut Hasher, key: &[u8], state: &[u8]) {
        import(hasher, state, Some(key))?;
    }
}
