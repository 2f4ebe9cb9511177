//! `hashmill self test`: checks known answers on this CPU.

use crate::terminal::console::{Console, Failure};
use crate::text::columns::aligned;
use crate::text::table::{Field, Options, Row, options};
use hashmill::self_test::{Check, checks};

options! {
    /// Check known answers on this CPU
    pub struct Arguments {}
    |command| command.long_about(LONG_ABOUT).after_help(AFTER_HELP)
}

const LONG_ABOUT: &str = "\
Check known answers of every algorithm on every backend that this CPU can run: one message, a \
message in pieces, many messages in lanes, HMAC, and the output of XOFs. Write a line for each \
algorithm and backend.";

const AFTER_HELP: &str = "\
Examples:
  hashmill self test

Exit status: 0 if every answer is right, 1 if not.";

pub fn run(console: &mut Console, _: &Arguments) -> Result<bool, Failure> {
    let checks: Vec<Check> = checks().collect();
    console.print(text(&checks)).map(|()| passed(&checks))
}

fn passed(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.outcome.is_ok())
}

fn text(checks: &[Check]) -> String {
    let row = |check: &Check| {
        let said = match check.outcome {
            Ok(()) => "right".to_owned(),
            Err(failure) => format!("WRONG: {}", failure.interface),
        };
        vec![check.algorithm.name().to_owned(), check.backend.to_owned(), said]
    };
    aligned(&["NAME", "BACKEND", "ANSWERS"], checks.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashmill::Algorithm::{Sha256, Shake128};
    use hashmill::self_test::Failure;

    #[test]
    fn one_wrong_answer_is_enough() {
        let good = Check { algorithm: Sha256, backend: "portable", outcome: Ok(()) };
        let failure = Failure { algorithm: Shake128, backend: "avx2", interface: "output" };
        let bad = Check { algorithm: Shake128, backend: "avx2", outcome: Err(failure) };
        assert!(passed(&[good, good]));
        assert!(!passed(&[good, bad, good]));
        let expected = "NAME      BACKEND   ANSWERS\n\
                        SHA-256   portable  right\n\
                        SHAKE128  avx2      WRONG: output\n";
        assert_eq!(text(&[good, bad]), expected);
    }
}
