//! Algorithms, recipes, keys and parameters.

pub mod algorithm;
pub mod many;
pub mod mode;
pub mod parameters;
pub mod recipe;
pub mod state;
pub mod tree;
