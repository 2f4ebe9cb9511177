//! One-call functions that hash one message or many.

use crate::algorithm::algorithm;
use crate::functions::finish;
use crate::memory::{Bytes, Out, array, array_mut, messages, put};
use crate::status::{Failure, wrong_len};
use core::ffi::{c_int, c_void};
use core::mem::replace;
use hashmill::function::{Function, Visitor};
use hashmill::many::{Column, Messages, Offset, Rule};
use hashmill::{Algorithm, Hash, Hashing};

entry! {
    /// Writes the digest of a message.
    fn hashmill_hash(code: c_int, data: *const c_void, len: usize, out: Out) {
        use Algorithm::{Blake2b, Blake2bp, Blake2s, Blake2sp};
        let algorithm = algorithm(code)?;
        let digest = &mut |hasher: &mut dyn Hashing| {
            hasher.try_update(array(data.cast(), len)?)?;
            finish(hasher, out)
        };
        macro_rules! shorter {
            ($module:ident) => {
                digest(&mut hashmill::$module::Params::new().output_len(out.len).build()?)
            };
        }
        match algorithm {
            _ if out.len >= algorithm.output_len() => algorithm.with(New(digest)),
            Blake2b => shorter!(blake2b),
            Blake2s => shorter!(blake2s),
            Blake2bp => shorter!(blake2bp),
            Blake2sp => shorter!(blake2sp),
            _ => algorithm.with(New(digest)),
        }?;
    }
}

/// A call with a new hasher.
struct New<'a>(&'a mut dyn FnMut(&mut dyn Hashing) -> Result<(), Failure>);

impl Visitor for New<'_> {
    type Output = Result<(), Failure>;
    fn visit<F: Function>(self) -> Self::Output {
        (self.0)(&mut Hash::<F>::new())
    }
}

/// Defines a function for each function of the list: `hashmill_sha256` calls `sha256`.
macro_rules! one_call {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof $xof:tt) => {
        one_call! { fixed { $($fixed)* $($bare)* } xof $xof }
    };
    (
        fixed { $($Fixed:ident = $f:literal, $fixed:ident, $FixedType:ident $(<$n:literal>)? $(, $_of_fixed:literal)?;)* }
        xof { $($Xof:ident = $x:literal, $xof:ident, $XofType:ident $(<$rate:literal>)? $(, $_of_xof:literal)?;)* }
    ) => {
        $(one_call! { $fixed, (data: &[u8], out: *mut u8,) {
            put(out.cast(), hashmill::$fixed(data).into_bytes())?;
        } })*
        $(one_call! { $xof, (data: &[u8], out: Out,) {
            hashmill::$Xof::new().update(data).squeeze().fill(out.bytes()?);
        } })*
    };
    ($name:ident, $args:tt $body:block) => {
        entry! { @ [
            guard, $name,
            #[doc = concat!("[`hashmill::", stringify!($name), "()`]")]
            #[unsafe(export_name = concat!("hashmill_", stringify!($name)))]
        ] [] [] $args $body }
    };
}

hashmill::functions!(one_call);

entry! {
    /// Writes the digests of many messages, which are hashed in SIMD lanes.
    fn hashmill_hash_many(code: c_int, data: *const Bytes, count: usize, out: Out) {
        // An output without room for `count` digests is the error even if `count` is too large.
        let rows = out.rows(count)?;
        all(code, &messages(data, count)?, out.len, rows)?;
    }

    /// Writes the root of a Merkle tree over digests, which are overwritten.
    fn hashmill_merkle_root(code: c_int, rule: c_int, leaves: Out, root: Out) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        if root.len != algorithm.output_len() {
            return Err(wrong_len(root.len, algorithm.output_len()));
        }
        // Checks the pointer before the leaves are overwritten.
        root.bytes()?;
        root.write(&algorithm.merkle_root(rule, leaves.bytes()?)?)?;
    }

    /// Does the same with `arity` nodes of the root's length below each node.
    fn hashmill_merkle_root_of(code: c_int, rule: c_int, arity: usize, leaves: Out, root: Out) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        root.bytes()?;
        let arity = (arity > 0).then_some(arity);
        root.write(&algorithm.merkle_root_of(rule, arity, root.len, leaves.bytes()?)?)?;
    }

    /// Writes the root that follows from a leaf and its path. The leaf has the root's length.
    fn hashmill_merkle_root_of_path(
        code: c_int,
        rule: c_int,
        leaf: *const c_void,
        index: u64,
        count: u64,
        path: &[u8],
        root: Out,
    ) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        let leaf = array(leaf.cast(), root.len)?;
        let digest = algorithm.merkle_root_of_path(rule, leaf, [index, count], path);
        root.write(&digest.ok_or(Failure::PARAMETERS)?)?;
    }

    /// Writes the paths of leaves of a Merkle tree, and its root. The leaves are overwritten.
    fn hashmill_merkle_paths(
        code: c_int,
        rule: c_int,
        leaves: Out,
        indices: *const usize,
        count: usize,
        paths: *mut c_void,
        path_capacity: usize,
        path_lens: *mut usize,
        root: Out,
    ) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        let (leaves, indices) = (leaves.bytes()?, array(indices, count)?);
        let paths = Out { data: paths, len: path_capacity }.rows(count)?;
        let lens = array_mut(path_lens, count)?;
        root.bytes()?;
        for &index in indices {
            let at = [index as u64, (leaves.len() / root.len.max(1)) as u64];
            if rule.path_len(root.len, at).ok_or(Failure::PARAMETERS)? > path_capacity {
                return Err(Failure::CAPACITY);
            }
        }
        // Nothing is written before the tree is known to be right.
        let mut begun = false;
        let each = |i: usize, node: &[u8]| {
            if !replace(&mut begun, true) {
                lens.fill(0);
            }
            paths[i * path_capacity + lens[i]..][..node.len()].copy_from_slice(node);
            lens[i] += node.len();
        };
        let digest = algorithm.merkle_path_nodes(rule, root.len, leaves, indices, each)?;
        if !begun {
            lens.fill(0);
        }
        root.write(&digest)?;
    }

    /// Appends leaves, which are overwritten, to a tree: its number of leaves and its peaks.
    fn hashmill_merkle_append(
        code: c_int,
        rule: c_int,
        node_len: usize,
        count: *mut u64,
        peaks: Out,
        leaves: Out,
    ) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        let count = &mut array_mut(count, 1)?[0];
        algorithm.merkle_append(rule, node_len, count, peaks.bytes()?, leaves.bytes()?)?;
    }

    /// Writes the root of a tree, given its number of leaves and its peaks.
    fn hashmill_merkle_root_of_peaks(code: c_int, rule: c_int, count: u64, peaks: &[u8], root: Out) {
        let (rule, algorithm) = (merkle_rule(rule)?, algorithm(code)?);
        root.write(&algorithm.merkle_root_of_peaks(rule, root.len, count, peaks)?)?;
    }
}

fn merkle_rule(rule: c_int) -> Result<Rule, Failure> {
    Ok(match rule {
        1 => Rule::Rfc6962,
        2 => Rule::Bitcoin,
        3 => Rule::Ssz,
        4 => Rule::CommonwareMmr,
        5 => Rule::CommonwareBmt,
        6 => Rule::Verity,
        _ => return Err(Failure::PARAMETERS),
    })
}

entry! {
    /// Writes the digests of `count` messages; message `i` is `values[offsets[i]..offsets[i + 1]]`.
    fn hashmill_hash_offsets32(
        code: c_int,
        values: &[u8],
        offsets: *const i32,
        count: usize,
        out: Out,
    ) {
        column(code, values, offsets, count, out)?;
    }

    /// Writes the digests of `count` messages; message `i` is `values[offsets[i]..offsets[i + 1]]`.
    fn hashmill_hash_offsets64(
        code: c_int,
        values: &[u8],
        offsets: *const i64,
        count: usize,
        out: Out,
    ) {
        column(code, values, offsets, count, out)?;
    }
}

/// # Safety
/// `offsets` is NULL or has `count + 1` values; `out` is as for [`Out::rows`].
unsafe fn column<O: Offset>(
    code: c_int,
    values: &[u8],
    offsets: *const O,
    count: usize,
    out: Out,
) -> Result<(), Failure> {
    algorithm(code)?;
    let ends = count.checked_add(1).ok_or(Failure::LENGTH)?;
    // SAFETY: the caller promises this.
    let offsets = unsafe { array(offsets, if count == 0 { 0 } else { ends }) }?;
    // SAFETY: the caller promises this.
    all(code, &Column::new(values, offsets)?, out.len, unsafe { out.rows(count)? })
}

fn all(code: c_int, messages: &dyn Messages, len: usize, out: &mut [u8]) -> Result<(), Failure> {
    algorithm(code)?.with(New(&mut |hasher| many(hasher, messages, len, out)))
}

/// Writes the output of `len` bytes for each message.
pub(crate) fn many(
    hasher: &dyn Hashing,
    messages: &dyn Messages,
    len: usize,
    out: &mut [u8],
) -> Result<(), Failure> {
    if !hasher.is_extendable() && len != hasher.output_len() {
        return Err(wrong_len(len, hasher.output_len()));
    }
    Ok(hasher.hash_many(messages, out)?)
}
