//! Reads and writes text: encodings of digests, quoted names, tables and JSON.

pub mod columns;
pub mod counted;
pub mod encoding;
pub mod json;
pub mod line;
pub mod quote;
pub mod table;
