//! Writes, reads and checks lists of digests.

pub mod any;
pub mod bagit;
pub mod beside;
pub mod entry;
pub mod expected;
pub mod folded;
pub mod gotree;
pub mod hashdeep;
pub mod make;
pub mod manifest;
pub mod mtree;
pub mod named;
pub mod names;
pub mod objects;
pub mod packages;
pub mod pgp;
pub mod place;
pub mod sevenzip;
pub mod single;
pub mod style;
pub mod syntax;
pub mod tables;
pub mod template;
pub mod verify;
pub mod windows;
