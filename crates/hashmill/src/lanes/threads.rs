//! Batches split over the threads of rayon's pool.

use super::LANES;
use crate::messages::{Messages, Part, Slots};

/// Splits a batch into parts and calls `hash` with each part and the slots for its outputs, on
/// the threads of rayon's pool.
///
/// The batch is halved until a part has about 64 KiB, which is about 20 µs of work, because rayon
/// hands a part to another thread in less than 1 µs. Every part but the last has a multiple of
/// [`LANES`] messages, so that lanes are idle at the end of the batch only. The batch is halved
/// rather than split into equal parts for each thread, so that a thread that ends early takes parts
/// that another thread has not begun.
pub(crate) fn split(
    messages: &(dyn Messages + Sync),
    outputs: Slots<'_>,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) {
    /// Bytes of a part, approximately: its number of messages is rounded up to a multiple of
    /// [`LANES`].
    const PART: usize = 64 * 1024;
    /// Bytes that a shorter message counts as, because even an empty message costs a block.
    const LEAST: usize = 64;
    let count = messages.count();
    let bytes: usize = (0..count).map(|i| LEAST.max(messages.message(i).len())).sum();
    let average = bytes / count.max(1);
    let most = (PART / average.max(LEAST)).next_multiple_of(LANES).max(LANES);
    halve(Part { all: messages, start: 0, count }, outputs, most, finish);
}

/// Calls `hash` with the part if it has at most `most` messages, otherwise with its halves.
fn halve<'m>(
    part: Part<'m, dyn Messages + Sync + 'm>,
    mut outputs: Slots<'_>,
    most: usize,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) {
    if part.count <= most || !outputs.are_split() {
        return finish(&part, &mut outputs);
    }
    let (all, count) = (part.all, (part.count / 2).next_multiple_of(LANES));
    let first = Part { all, start: part.start, count };
    let others = Part { all, start: part.start + count, count: part.count - count };
    let (first_outputs, other_outputs) = outputs.split_at(count);
    rayon::join(
        || halve(first, first_outputs, most, finish),
        || halve(others, other_outputs, most, finish),
    );
}
