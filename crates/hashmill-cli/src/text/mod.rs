//! Text: digests, names, JSON and UTF-16.

pub mod columns;
pub mod encoding;
pub mod json;
pub mod quote;
pub mod utf16;
