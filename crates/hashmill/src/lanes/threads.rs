//! Batches split over the threads of rayon's pool.

use super::LANES;
use crate::messages::{Messages, Part, Slots};

/// Calls `finish` with parts of the messages and the places for their outputs, on as many threads
/// as there are.
///
/// The messages are halved until a part has some 64 KiB, about 20 µs of work, because rayon hands
/// over a part in less than one. Every part but the last has a multiple of [`LANES`] messages, so
/// that lanes are idle at the end of a batch only. Halves rather than equal parts for each thread,
/// so that a thread which ends early takes what another has not begun.
pub(crate) fn split(
    messages: &(dyn Messages + Sync),
    outputs: Slots<'_>,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) {
    /// Bytes of a part.
    const PART: usize = 64 * 1024;
    /// What an empty message costs, in bytes.
    const LEAST: usize = 64;
    let count = messages.count();
    let bytes: usize = (0..count).map(|i| LEAST.max(messages.message(i).len())).sum();
    let average = bytes / count.max(1);
    let most = (PART / average.max(LEAST)).next_multiple_of(LANES).max(LANES);
    halve(Part { all: messages, start: 0, count }, outputs, most, finish);
}

fn halve<'m>(
    part: Part<'m, dyn Messages + Sync + 'm>,
    mut outputs: Slots<'_>,
    most: usize,
    finish: &(dyn Fn(&dyn Messages, &mut Slots<'_>) + Sync),
) {
    if part.count <= most {
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
