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

    /// Makes the hash of a file by the rule of Amazon S3.
    fn hashmill_file_tree_init_s3(tree: *mut FileTreeContext, part_len: usize) {
        let part_len = NonZero::new(part_len).ok_or(Failure::PARAMETERS)?;
        FileTreeContext::set(tree, FileTree::s3(part_len))?;
    }

    /// Makes the hash of a file by the rule of BitTorrent's version 2.
    fn hashmill_file_tree_init_bittorrent(tree: *mut FileTreeContext) {
        FileTreeContext::set(tree, FileTree::bittorrent())?;
    }

    /// Makes the hash of a file by the rule of Amazon's Glacier.
    fn hashmill_file_tree_init_glacier(tree: *mut FileTreeContext) {
        FileTreeContext::set(tree, FileTree::glacier())?;
    }

    /// Makes the hash of a file by the rule of Dropbox.
    fn hashmill_file_tree_init_dropbox(tree: *mut FileTreeContext) {
        FileTreeContext::set(tree, FileTree::dropbox())?;
    }

    /// Absorbs the next bytes of the file.
    fn hashmill_file_tree_update(tree: *mut FileTreeContext, data: &[u8]) {
        FileTreeContext::get_mut(tree)?.update(data);
    }

    /// Writes the hash of the bytes so far. The context does not change.
    fn hashmill_file_tree_finalize(tree: *const FileTreeContext, out: Out) {
        out.write(&FileTreeContext::get(tree)?.finalize())?;
    }

    /// Writes the number of blocks so far.
    fn hashmill_file_tree_blocks(tree: *const FileTreeContext, blocks: *mut u64) {
        put(blocks, FileTreeContext::get(tree)?.blocks())?;
    }
}
