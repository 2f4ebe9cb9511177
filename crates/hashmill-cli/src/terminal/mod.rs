//! The standard streams, the messages on them, and progress.

pub mod console;
pub mod progress;
