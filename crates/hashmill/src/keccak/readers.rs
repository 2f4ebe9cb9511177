//! The outputs of many sponges, squeezed side by side in SIMD lanes.

use super::{Keccak, Output, XofReader, squeeze};
use crate::backend::{self, LANES, Runnable};
use crate::error::Error;
use crate::messages::{OutputLen, Outputs, Slots};
use crate::wipe::overwrite;
use core::borrow::BorrowMut;

/// The words of the states of all lanes, of which AVX-512 has eight.
type States = [u64; 25 * 8];

impl XofReader {
    /// Writes the next bytes of the output of every reader, side by side in SIMD lanes. Reader `i`
    /// fills place `i` of `outputs`; all places have the same length.
    ///
    /// `readers` are readers or `&mut` references to readers, so that those of which enough was read
    /// can be left out: the rejection sampling of ML-KEM and ML-DSA reads some blocks of every
    /// output, and then further blocks of a few. Readers next to each other run in lanes if they have
    /// the same function and have read as many bytes.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if `outputs` does not have one place for each reader. Nothing is
    /// written then.
    ///
    /// ```
    /// use hashmill::{Shake128, XofReader};
    ///
    /// let mut readers = ["a", "b", "c"].map(|seed| Shake128::new().update(seed).squeeze());
    /// let mut blocks = [0; 3 * 168];
    /// XofReader::fill_many(&mut readers, &mut blocks)?;
    ///
    /// // Of the first and the last, further 10 bytes.
    /// let [a, _, c] = &mut readers;
    /// let mut further = [0; 2 * 10];
    /// XofReader::fill_many(&mut [a, c], &mut further)?;
    /// assert_eq!(further[10..], hashmill::shake128::<178>(b"c")[168..]);
    /// # Ok::<(), hashmill::Error>(())
    /// ```
    pub fn fill_many<O: Outputs + ?Sized>(
        readers: &mut [impl BorrowMut<Self>],
        outputs: &mut O,
    ) -> Result<(), Error> {
        let mut slots = outputs.slots(readers.len(), OutputLen::OF_READERS)?;
        for (i, group) in readers.chunks_mut(LANES).enumerate() {
            let (count, mut places) = (group.len(), [const { None }; LANES]);
            for (place, reader) in places.iter_mut().zip(group) {
                *place = Some(&mut *reader.borrow_mut().0);
            }
            fill_group(&mut places[..count], &mut slots, i * LANES);
        }
        Ok(())
    }
}

/// Fills the places from index `first` on, except those that have no output in `group`.
pub(crate) fn fill_group(group: &mut [Option<&mut Output>], slots: &mut Slots<'_>, first: usize) {
    let (len, mut next) = (slots.output_len(), 0);
    while let Some(output) = group.get(next) {
        let Some(output) = output else {
            next += 1;
            continue;
        };
        let (shape, position) = (output.shape, output.position);
        let is_alike = |it: &&Option<&mut Output>| {
            it.as_ref().is_some_and(|it| (it.shape, it.position) == (shape, position))
        };
        let alike = group[next..].iter().take_while(is_alike).count();
        let permutations = (position + len).saturating_sub(1) / shape.rate;
        let backend = backend::for_messages::<Keccak>(alike, permutations.max(1));
        let count = backend.lanes().min(alike);
        let outputs = &mut group[next..next + count];
        match slots.in_place(first + next, count) {
            Some((places, stride)) if count > 1 && permutations > 0 => {
                fill_lanes(backend, outputs, places, [stride, len]);
            }
            _ => {
                for (i, output) in outputs.iter_mut().flatten().enumerate() {
                    slots.write(first + next + i, |place| output.fill(place));
                }
            }
        }
        next += count;
    }
}

/// Fills the places, which begin `stride` bytes apart, in the lanes of `backend`. All outputs have
/// the same shape and position.
///
/// Not inlined, because the states take much of the stack.
#[inline(never)]
fn fill_lanes(
    backend: Runnable<Keccak>,
    outputs: &mut [Option<&mut Output>],
    places: &mut [u8],
    [stride, len]: [usize; 2],
) {
    let lanes = backend.lanes();
    let Some(Some(first)) = outputs.first() else { return };
    let (shape, position) = (first.shape, first.position);
    let mut states: States = [0; _];
    for (lane, output) in outputs.iter().flatten().enumerate() {
        let words = states.iter_mut().skip(lane).step_by(lanes);
        words.zip(output.state).for_each(|(word, of_output)| *word = of_output);
    }
    let used = &mut states[..25 * lanes];
    let position = squeeze(backend, used, (shape, position), places, [stride, len]);
    for (lane, output) in outputs.iter_mut().flatten().enumerate() {
        let words = output.state.iter_mut().zip(used.iter().skip(lane).step_by(lanes));
        words.for_each(|(word, &of_lane)| *word = of_lane);
        output.position = position;
    }
    overwrite(&mut states, [0; _]);
}
