//! Manifests: their text, how they are made, and what differs between two.

pub mod compare;
pub mod fresh;
pub mod journal;
pub mod text;
pub mod time;
pub mod tree;
pub mod trouble;
