//! Algorithms, recipes, keys and parameters.

pub mod foreign;
pub mod many;
pub mod mode;
pub mod parameters;
pub mod recipe;
pub mod tree;
