//! Many messages in one call: wherever they lie, wherever the outputs go, in one thread or several.

mod columns;
mod outputs;
mod rows;
#[cfg(feature = "rayon")]
mod threads;
