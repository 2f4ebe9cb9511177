//! Lists of digests: written, read and checked.

pub mod any;
pub mod expected;
pub mod make;
pub mod pgp;
pub mod style;
pub mod verify;
pub mod windows;
