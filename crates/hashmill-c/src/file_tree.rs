//! The functions of the C interface for the tree hashes that systems compute of files.

use crate::algorithm::algorithm;
use crate::memory::{FileTreeContext, put};
use crate::status::Failure;
use core::ffi::c_int;
use core::num::NonZero;
use hashmill::FileTree;

entry! {
    /// Makes the hash of a file by the rule of Linux's fs-verity.
    fn hashmill_file_tree_init_fs_verity(
        tree: *mut FileTreeContext,
        code: c_int,
        block_len: usize,
        salt: &[u8],
    ) {
        FileTreeContext::set(tree, FileTree::fs_verity(algorithm(code)?, block_len, salt)?)?;
    }
}

entry! {
    /// Makes the hash of a file by the rule of Amazon S3.
    fn hashmill_file_tree_init_s3(tree: *mut FileTreeContext, part_len: usize) {
        let part_len = NonZero::new(part_len).ok_or(Failure::PARAMETERS)?;
        FileTreeContext::set(tree, FileTree::s3(part_len))?;
    }
}

macro_rules! inits {
    ($($name:ident = $rule:ident;)*) => { $(
        entry! {
            /// Makes the hash of a file by the rule in the name.
            fn $name(tree: *mut FileTreeContext) {
                FileTreeContext::set(tree, FileTree::$rule())?;
            }
        }
    )* };
}

inits! {
    hashmill_file_tree_init_bittorrent = bittorrent;
    hashmill_file_tree_init_glacier = glacier;
    hashmill_file_tree_init_dropbox = dropbox;
}

entry! {
    /// Absorbs the next bytes of the file.
    fn hashmill_file_tree_update(tree: *mut FileTreeContext, data: &[u8]) {
        FileTreeContext::get_mut(tree)?.update(data);
    }
}

entry! {
    /// Writes the hash of the bytes so far. The context does not change.
    fn hashmill_file_tree_finalize(tree: *const FileTreeContext, out: Out) {
        out.write(&FileTreeContext::get(tree)?.finalize())?;
    }
}

entry! {
    /// Writes the number of blocks so far.
    fn hashmill_file_tree_blocks(tree: *const FileTreeContext, blocks: *mut u64) {
        put(blocks, FileTreeContext::get(tree)?.blocks())?;
    }
}

/// Overwrites the state, if there is one.
///
/// # Safety
/// `tree` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashmill_file_tree_wipe(tree: *mut FileTreeContext) {
    // SAFETY: the caller promises this.
    unsafe { FileTreeContext::wipe(tree) }
}
