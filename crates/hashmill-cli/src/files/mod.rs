//! Finds, opens and reads files, and hashes them in parallel.

pub mod input;
pub mod job;
pub mod lines;
pub mod ordered;
pub mod paths;
pub mod pool;
pub mod queue;
pub mod reader;
#[cfg(unix)]
pub mod steps;
pub mod walk;
pub mod worker;
