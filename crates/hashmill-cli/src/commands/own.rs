//! `hashmill self`: the program's own tests, manual pages and completions.

use crate::commands::{manual, self_test};
use crate::terminal::console::{Console, Failure};
use clap::{Args, Command, Subcommand};

/// Test this program; write its manual pages and completions
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Own,
}

#[derive(Subcommand)]
pub enum Own {
    Test(self_test::Arguments),
    Man(manual::Pages),
    Completions(manual::Completions),
}

/// Runs a subcommand of `hashmill self`. `table` describes `hashmill` itself.
pub fn run(console: &mut Console, own: &Own, table: Command) -> Result<bool, Failure> {
    match own {
        Own::Test(_) => self_test::run(console),
        Own::Man(arguments) => manual::pages(console, arguments, table),
        Own::Completions(arguments) => manual::completions(console, arguments, table),
    }
}
