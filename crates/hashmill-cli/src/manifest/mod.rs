//! Manifests: their text, how they are made, and what differs between two.

pub mod compare;
pub mod journal;
pub mod text;
