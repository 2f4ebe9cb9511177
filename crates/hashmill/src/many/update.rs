//! Several hashers at once, each with the next piece of its own message.

#![forbid(unsafe_code)]

use super::{IDLE, Job, LANES, Messages, STATES, Sequential, Source, TAILS, Word};
use crate::backend::{self, Input, Runnable};
use crate::error::Error;
use crate::hasher::{Stream, sealed::Sealed};

/// Streams by number; all of one call have the same shape.
pub(crate) trait Streams<S> {
    fn stream(&mut self, index: usize) -> &mut S;
}

impl<H: Sealed> Streams<H::Stream> for [H] {
    fn stream(&mut self, index: usize) -> &mut H::Stream {
        self[index].stream_mut()
    }
}

/// A stream that can go on after lanes have absorbed blocks in its place.
pub(crate) trait Resumable: Sequential + Stream {
    /// Takes the words of the state, after `len` more bytes of the message and with no byte waiting.
    fn resume(&mut self, word: impl Fn(usize) -> Word<Self>, len: usize) -> Result<(), Error>;
}

/// What `try_update(piece)` does, for every stream and its piece, in lanes where several have whole blocks.
///
/// # Panics
/// If a message becomes longer than its standard allows.
pub(crate) fn update_many<S: Resumable, T: Streams<S> + ?Sized, M: Messages + ?Sized>(
    streams: &mut T,
    pieces: &M,
) {
    let count = pieces.count();
    let backend = backend::for_messages::<S::Family>(count);
    if backend.lanes() == 1 || count == 0 {
        (0..count).for_each(|index| must(streams.stream(index).try_update(pieces.message(index))));
    } else {
        Lanes { backend, states: [Default::default(); STATES], heads: [0; TAILS] }
            .update(streams, pieces);
    }
}

pub(crate) fn must(result: Result<(), Error>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}

struct Lanes<S: Sequential> {
    backend: Runnable<S::Family>,
    /// Word `w` of lane `l` is `states[w * lanes + l]`.
    states: [Word<S>; STATES],
    /// The blocks that began before their pieces.
    heads: [u8; TAILS],
}

impl<S: Resumable> Lanes<S> {
    /// > while some lane has a stream: absorb, in all lanes, as many blocks as the shortest run has; give the
    /// > lanes whose run has ended their next run, and those whose piece has ended the next stream.
    ///
    /// When so few lanes are left that one stream at a time is quicker, they go on so.
    fn update<T: Streams<S> + ?Sized, M: Messages + ?Sized>(mut self, streams: &mut T, pieces: &M) {
        let (lanes, room) = (self.backend.lanes(), TAILS / self.backend.lanes());
        let (blocks, shape) = (streams.stream(0).blocks(), streams.stream(0).shape());
        let mut jobs = [Job::IDLE; LANES];
        let jobs = &mut jobs[..lanes];
        let mut next = 0;
        loop {
            let mut shortest = usize::MAX;
            let mut active = 0;
            for (lane, job) in jobs.iter_mut().enumerate() {
                if job.index != IDLE && job.start == job.end {
                    let piece = pieces.message(job.index);
                    if !job.run(blocks, piece) {
                        self.put_back(streams.stream(job.index), lane, piece, job.taken);
                        *job = Job::IDLE;
                    }
                }
                while job.index == IDLE && next < pieces.count() {
                    let (stream, piece) = (streams.stream(next), pieces.message(next));
                    let head = &mut self.heads[lane * room..][..blocks.len];
                    if job.begin_update(stream, next, piece, head) {
                        for (i, &word) in stream.state().as_ref().iter().enumerate() {
                            self.states[i * lanes + lane] = word;
                        }
                    } else {
                        must(stream.try_update(piece));
                    }
                    next += 1;
                }
                if job.index != IDLE {
                    shortest = shortest.min(job.end - job.start);
                    active += 1;
                }
            }
            if active == 0 {
                return;
            }
            if active < lanes && backend::for_messages::<S::Family>(active).lanes() == 1 {
                for (lane, job) in jobs.iter().enumerate().filter(|(_, job)| job.index != IDLE) {
                    let (stream, piece) = (streams.stream(job.index), pieces.message(job.index));
                    match job.source {
                        Source::Message => self.put_back(stream, lane, piece, job.start),
                        Source::Head | Source::Tail => must(stream.try_update(piece)),
                    }
                }
                return;
            }
            // An idle lane computes what some other lane computes, and nobody looks.
            let busy = jobs.iter().position(|job| job.index != IDLE).unwrap_or(0);
            let mut inputs: [&[u8]; LANES] = [&[]; LANES];
            for (lane, input) in inputs[..lanes].iter_mut().enumerate() {
                let lane = if jobs[lane].index == IDLE { busy } else { lane };
                let job = &jobs[lane];
                *input = &match job.source {
                    Source::Message => pieces.message(job.index),
                    Source::Head | Source::Tail => &self.heads[lane * room..][..room],
                }[job.start..][..shortest];
            }
            let input = Input {
                lanes: &inputs[..lanes],
                stride: blocks.len,
                blocks: shortest / blocks.len,
            };
            self.backend.absorb(&mut self.states, shape, &input);
            for job in jobs.iter_mut().filter(|job| job.index != IDLE) {
                job.start += shortest;
            }
        }
    }

    /// The lane's state becomes its stream's, which goes on after `taken` bytes of the piece.
    fn put_back(&self, stream: &mut S, lane: usize, piece: &[u8], taken: usize) {
        let lanes = self.backend.lanes();
        must(stream.resume(|i| self.states[i * lanes + lane], taken));
        must(stream.try_update(&piece[taken..]));
    }
}

impl<S: Sequential> Drop for Lanes<S> {
    fn drop(&mut self) {
        crate::wipe::overwrite(&mut self.states, [Default::default(); STATES]);
        crate::wipe::wipe(&mut self.heads);
    }
}

impl Job {
    /// Puts the stream into the lane, unless its piece completes no block.
    fn begin_update<S: Sequential>(
        &mut self,
        stream: &S,
        index: usize,
        piece: &[u8],
        head: &mut [u8],
    ) -> bool {
        let (blocks, waiting) = (stream.blocks(), stream.waiting());
        if waiting.len() + piece.len() < blocks.len + blocks.lookahead {
            return false;
        }
        *self = Job { index, ..Job::IDLE };
        if waiting.is_empty() {
            return self.run(blocks, piece);
        }
        self.taken = blocks.len - waiting.len();
        head[..waiting.len()].copy_from_slice(waiting);
        head[waiting.len()..].copy_from_slice(&piece[..self.taken]);
        (self.source, self.end) = (Source::Head, blocks.len);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hasher::sealed::Sealed;
    use crate::{Sha256, wipe};

    #[test]
    fn lanes_are_wiped() {
        type Stream = <Sha256 as Sealed>::Stream;
        let (backend, states, heads) = (backend::one(), [1; STATES], [1; TAILS]);
        let lanes = wipe::dropped(Lanes::<Stream> { backend, states, heads });
        assert_eq!((lanes.states, lanes.heads), ([0; STATES], [0; TAILS]));
    }
}
