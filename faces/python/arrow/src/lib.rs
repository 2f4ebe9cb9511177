//! Digests of Arrow columns and of rows, for the Python packages `hashmill` and
//! `hashmill-datafusion`.
//!
//! A chunk of a column is checked and hashed in place; memory is allocated only for the digests.

mod asked;
mod cbor;
pub mod check;
mod field;
pub mod function;
pub mod names;
mod nested;
pub mod output;
pub mod rows;
mod text;
pub mod threads;
pub mod trouble;

pub use asked::{Asked, choice};
pub use function::Form;
pub use output::Output;
pub use rows::Profile;
pub use trouble::Trouble;
