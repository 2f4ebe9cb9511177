//! Signatures of lists and manifests: verifying and making them.

pub mod ed25519;
pub mod gpg;
pub mod sign;
pub mod signed;
pub mod trusted;
