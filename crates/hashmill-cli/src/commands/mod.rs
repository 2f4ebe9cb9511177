//! The subcommands of `hashmill`. Each file contains one subcommand: its table of options and its
//! code.

pub mod b3sum;
pub mod blake2;
pub mod check;
pub mod convert;
pub mod duplicates;
pub mod guess;
pub mod install;
pub mod list;
pub mod listed;
pub mod manifest;
pub mod manual;
pub mod options;
pub mod parse;
pub mod program;
pub mod self_test;
pub mod sum;
