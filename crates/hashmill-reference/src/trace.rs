//! The words that a computation with a key consists of, for a test that searches memory for them.

use std::cell::RefCell;
use std::num::Wrapping;

/// Where in the computation a word occurs.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// In the state between two blocks.
    State,
    /// Within a block: in the message schedule, in the schedule with the constants, or in the
    /// working variables after a round.
    Round,
}

/// A word of 32 or 64 bits.
#[derive(Clone, PartialEq)]
pub struct Noted {
    /// Where it occurs.
    pub place: Place,
    /// The lowest byte first.
    pub bytes: Vec<u8>,
}

thread_local! {
    static WORDS: RefCell<Option<Vec<Noted>>> = const { RefCell::new(None) };
}

/// Returns the words of all calls of block functions that `f` makes, in their order, with the
/// result of `f`.
pub fn words<R>(f: impl FnOnce() -> R) -> (R, Vec<Noted>) {
    WORDS.set(Some(Vec::new()));
    let result = f();
    (result, WORDS.take().unwrap_or_default())
}

/// Keeps these words if somebody asked for them.
pub(crate) fn note<W: Traced>(place: Place, words: impl IntoIterator<Item = W>) {
    WORDS.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            noted.extend(words.into_iter().map(|word| Noted { place, bytes: word.bytes() }));
        }
    });
}

/// A type of such words.
pub(crate) trait Traced {
    fn bytes(self) -> Vec<u8>;
}

impl Traced for u32 {
    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl Traced for u64 {
    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl<W: Traced> Traced for Wrapping<W> {
    fn bytes(self) -> Vec<u8> {
        self.0.bytes()
    }
}
