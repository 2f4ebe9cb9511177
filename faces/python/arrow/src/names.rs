//! The names of the algorithms in hashlib.

use hashmill::Algorithm;

macro_rules! calls {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof { $($xof:tt)* }) => {
        calls! { $($fixed)* $($bare)* $($xof)* }
    };
    ($($Name:ident = $code:literal, $function:ident, $Function:ty $(, $feature:literal)?;)*) => {
        /// Returns the name of the library's function.
        fn call(algorithm: Algorithm) -> &'static str {
            match algorithm {
                $(Algorithm::$Name => stringify!($function),)*
                other => other.name(),
            }
        }
    };
}

hashmill::functions!(calls);

/// Returns hashlib's name of the algorithm, or a name in hashlib's style if hashlib has none.
pub fn name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        // hashlib writes an underscore in these two.
        Algorithm::Shake128 => "shake_128",
        Algorithm::Shake256 => "shake_256",
        other => call(other),
    }
}

/// Returns the names of all algorithms.
pub fn all() -> impl ExactSizeIterator<Item = &'static str> {
    Algorithm::ALL.iter().map(|&algorithm| name(algorithm))
}

/// Returns the sentence about a name of which there is no algorithm.
pub fn unknown(name: &str) -> String {
    format!("unsupported hash type {name}: hashmill.algorithms_own has the names")
}

/// Returns the algorithm of that name. It compares hashlib's names first, because that is fast, and
/// then parses all names that the library accepts.
pub fn algorithm(name_: &str) -> Option<Algorithm> {
    let found = Algorithm::ALL.iter().copied().find(|&it| name(it) == name_);
    found.or_else(|| name_.parse().ok())
}
