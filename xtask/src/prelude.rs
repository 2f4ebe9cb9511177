//! The names that nearly every file uses.

pub use crate::command::*;
pub use crate::files::*;
pub(crate) use crate::needs;
pub use crate::needs::Found;
pub use std::path::{Path, PathBuf};
pub use std::process::Command;
pub use std::{env, fs};
