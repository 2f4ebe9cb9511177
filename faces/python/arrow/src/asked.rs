//! What a caller asks for, with the checks of the arguments that all functions of columns and rows
//! have.

use crate::function::{Form, len, named};
use crate::output::Output;
use crate::threads::pool;
use crate::trouble::Trouble;
use hashmill::AnyHasher;

/// A function, and the form of its digests.
pub struct Asked {
    pub function: AnyHasher,
    pub form: Form,
}

impl Asked {
    /// Parses these arguments.
    pub fn parse(
        algorithm: &str,
        key: Option<&[u8]>,
        output: &str,
        length: Option<usize>,
        threads: usize,
    ) -> Result<Self, Trouble> {
        let hex = choice("output", output, &[("binary", false), ("hex", true)])?;
        if key.is_some_and(<[u8]>::is_empty) {
            return Err(Trouble::Value("the key is empty".into()));
        }
        let function = named(algorithm, key)?;
        let form = Form { len: len(&function, length)?, hex, threads: pool(threads)? };
        Ok(Asked { function, form })
    }

    pub fn output(&self) -> Output<'_> {
        Output::new(&self.function, &self.form)
    }
}

/// Returns the value of the choice that is given by its name.
pub fn choice<T: Copy>(what: &str, given: &str, choices: &[(&str, T)]) -> Result<T, Trouble> {
    match choices.iter().find(|(name, _)| *name == given) {
        Some(&(_, value)) => Ok(value),
        None => {
            let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
            Err(Trouble::Value(format!("{what} is {}, not {given:?}", names.join(" or "))))
        }
    }
}
