//! What is computed: algorithms, recipes, keys and parameters.

pub mod foreign;
pub mod mode;
pub mod recipe;
