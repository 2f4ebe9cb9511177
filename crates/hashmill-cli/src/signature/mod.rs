//! Signatures of lists and manifests: verifying and making them.

pub mod gpg;
pub mod minisign;
pub mod sign;
pub mod signed;
pub mod signify;
pub mod trusted;
