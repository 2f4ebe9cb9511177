//! Manifests: their text format, their creation, and their comparison.

pub mod compare;
pub mod fresh;
pub mod history;
pub mod journal;
pub mod merge;
pub mod policy;
pub mod repair;
pub mod text;
pub mod time;
pub mod tree;
