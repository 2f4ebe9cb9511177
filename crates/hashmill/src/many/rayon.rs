//! As the functions of [`many`](super), with the messages split over the threads of rayon's pool. The digests
//! are the same.
//!
//! ```
//! use hashmill::{Digest, many};
//!
//! let messages: Vec<String> = (0..10_000).map(|i| format!("user {i}")).collect();
//! let mut digests = vec![Digest::default(); messages.len()];
//! many::rayon::sha256(&messages, &mut digests);
//! assert_eq!(digests[1234], hashmill::sha256(b"user 1234"));
//! ```

#![forbid(unsafe_code)]

use super::{Column, Flat, LANES, Messages, Offset, Part, Rows, fixed_width};
use crate::error::Error;
use crate::hasher::{Stream, Xof, sealed::Row};

crate::algorithm::rayon_functions!();

/// Places for outputs that can be given to two threads.
pub(crate) trait Cut: Rows + Send + Sized {
    /// The first `count` places, and the others.
    fn cut(self, count: usize) -> (Self, Self);
}

impl<D: Row + Send> Rows for &mut [D] {
    fn row(&mut self, index: usize) -> &mut [u8] {
        self[index].row()
    }
}

impl<D: Row + Send> Cut for &mut [D] {
    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }
}

impl Cut for Flat<'_> {
    fn cut(self, count: usize) -> (Self, Self) {
        let (first, others) = self.out.split_at_mut(count * self.width);
        (Flat { out: first, width: self.width }, Flat { out: others, width: self.width })
    }
}

/// Calls `finish` with parts of the messages and the places for their outputs, on as many threads as there are.
pub(crate) fn split<M: Messages + Sync + ?Sized, R: Cut>(
    messages: &M,
    rows: R,
    finish: impl Fn(&Part<&M>, &mut R) + Sync,
) {
    /// The bytes of a part, about 20 µs of work: rayon hands over a part in less than one.
    const PART: usize = 64 * 1024;
    /// What an empty message costs, in bytes.
    const LEAST: usize = 64;
    let count = messages.count();
    let bytes: usize = (0..count).map(|i| LEAST.max(messages.message(i).len())).sum();
    let average = bytes / count.max(1);
    let most = (PART / average.max(LEAST)).next_multiple_of(LANES).max(LANES);
    halve(Part { all: messages, start: 0, count }, rows, most, &finish);
}

fn halve<M: Messages + Sync + ?Sized, R: Cut>(
    part: Part<&M>,
    mut rows: R,
    most: usize,
    finish: &(impl Fn(&Part<&M>, &mut R) + Sync),
) {
    if part.count <= most {
        return finish(&part, &mut rows);
    }
    let (all, count) = (part.all, (part.count / 2).next_multiple_of(LANES));
    let first = Part { all, start: part.start, count };
    let others = Part { all, start: part.start + count, count: part.count - count };
    let (first_rows, other_rows) = rows.cut(count);
    ::rayon::join(
        || halve(first, first_rows, most, finish),
        || halve(others, other_rows, most, finish),
    );
}

/// [`Stream::finish_many`], split.
pub(crate) fn finish_many<S: Stream, M: Messages + Sync + ?Sized, R: Cut>(
    stream: &S,
    messages: &M,
    rows: R,
) {
    split(messages, rows, |part, rows| stream.finish_many(part, rows));
}
