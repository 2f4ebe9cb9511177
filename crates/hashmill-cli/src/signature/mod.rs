//! Signatures of lists and manifests: verifying them with gpg or as minisign does.

pub mod gpg;
pub mod minisign;
pub mod signed;
pub mod trusted;
