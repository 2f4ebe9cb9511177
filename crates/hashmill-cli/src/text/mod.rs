//! Reads and writes text: encodings of digests, quoted names, tables, JSON and UTF-16.

pub mod columns;
pub mod encoding;
pub mod json;
pub mod quote;
pub mod utf16;
