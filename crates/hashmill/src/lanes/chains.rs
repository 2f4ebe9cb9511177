//! Chains of a nested hash: the terms u₁ and uⱼ₊₁ = outer(inner(uⱼ)), combined by exclusive or.
//! Each block of PBKDF2 is such a chain, and HMAC is its nested hash.

use super::group::{Lanes, state_after};
use super::{LANES, PLENTY};
use crate::backend::{self, Family, Runnable};
use crate::digest::VarDigest;
use crate::stream::Sequential;
use crate::wipe::{Wiped, overwrite, run_wiped, wipe};
use core::iter;

/// Stack bytes that a group of chains uses: for each of the two hashes, its lanes and their initial
/// states. The test `remains` found words of states up to 75 KB below its own frame.
const STACK: usize = 96 * 1024;

/// A chain of which the first term has been computed.
pub(crate) struct Chain<'o, S: Copy + Wiped> {
    /// The inner hash, with the key's block absorbed.
    pub inner: S,
    /// The outer hash, with the key's block absorbed.
    pub outer: S,
    /// The first term, u₁.
    pub u: VarDigest,
    /// Receives the first `out.len()` bytes of the sum.
    pub out: &'o mut [u8],
}

impl<S: Copy + Wiped> Drop for Chain<'_, S> {
    fn drop(&mut self) {
        wipe(&mut self.inner);
        wipe(&mut self.outer);
        overwrite(&mut self.u, VarDigest::default());
    }
}

/// Computes u₁ ⊕ u₂ ⊕ … with `iterations` terms for every chain, one chain after the other.
/// `hash(stream, message, out)` writes the output of `stream` after `message`.
pub(crate) fn one_by_one<'o, S: Copy + Wiped>(
    chains: &mut dyn Iterator<Item = Chain<'o, S>>,
    iterations: u32,
    finish: impl Fn(&S, &[u8], &mut [u8]),
) {
    for mut chain in chains {
        let mut sum = chain.u;
        for _ in 1..iterations {
            for stream in [&chain.inner, &chain.outer] {
                let mut message = chain.u;
                finish(stream, &message, chain.u.as_mut());
                overwrite(&mut message, VarDigest::default());
            }
            add(sum.as_mut(), &chain.u);
        }
        chain.out.copy_from_slice(&sum[..chain.out.len()]);
        overwrite(&mut sum, VarDigest::default());
    }
}

/// Computes the same as [`one_by_one`] for `count` chains, in lanes.
#[cfg_attr(not(target_arch = "wasm32"), inline(never))]
pub(crate) fn side_by_side<'o, S: Sequential + Copy + Wiped>(
    stream: &S,
    chains: &mut dyn Iterator<Item = Chain<'o, S>>,
    mut count: usize,
    iterations: u32,
) {
    while count > 0 {
        let backend = backend::for_messages::<S::Family>(count, PLENTY);
        let mut chains = chains.take(backend.lanes());
        if backend.lanes() == 1 {
            let mut chains = chains.filter_map(|chain| in_words(backend, chain, iterations));
            if let Some(chain) = chains.next() {
                run(stream, backend, &mut iter::once(chain), iterations);
            }
        } else {
            run(stream, backend, &mut chains, iterations);
        }
        count = count.saturating_sub(backend.lanes());
    }
}

/// Computes a chain in each lane, at most, and clears the stack that this used. It is cleared here and
/// not by the caller, because only the lanes use so much of it.
fn run<'o, S: Sequential + Copy + Wiped>(
    stream: &S,
    backend: Runnable<S::Family>,
    chains: &mut dyn Iterator<Item = Chain<'o, S>>,
    iterations: u32,
) {
    run_wiped(STACK, || {
        let mut group = Group::new(stream, backend);
        group.clear();
        let mut outs: [&mut [u8]; LANES] = core::array::from_fn(|_| Default::default());
        for (lane, (mut chain, out)) in chains.zip(&mut outs).enumerate() {
            group.begin(lane, [&chain.inner, &chain.outer], &chain.u);
            *out = core::mem::take(&mut chain.out);
        }
        group.run(&mut outs, iterations);
    });
}

/// Computes one chain without converting digests to bytes between the hashes, and returns `None`.
/// Returns the chain if the backend has more than one lane or cannot absorb a digest without the
/// conversion.
///
/// An iteration of PBKDF2-SHA-256 takes 82 ns this way instead of 100.
fn in_words<'o, S: Sequential + Copy + Wiped>(
    backend: Runnable<S::Family>,
    mut chain: Chain<'o, S>,
    iterations: u32,
) -> Option<Chain<'o, S>> {
    let Chain { inner, outer, u, out } = &mut chain;
    let (1, Some(mut state)) = (backend.lanes(), outer.digest_state(u)) else { return Some(chain) };
    let mut sum = *u;
    for _ in 1..iterations {
        if ![&*inner, &*outer].iter().all(|stream| stream.absorb_digest(backend, &mut state)) {
            return Some(chain);
        }
        outer.output(|i| state.as_ref()[i], u.as_mut());
        add(sum.as_mut(), u);
    }
    out.copy_from_slice(&sum[..out.len()]);
    overwrite(&mut state, Default::default());
    overwrite(&mut sum, VarDigest::default());
    None
}

/// Chains in the lanes of a backend.
struct Group<'s, S: Sequential> {
    stream: &'s S,
    /// The inner and the outer hash. The tails of the inner hash contain uⱼ.
    halves: [Half<S::Family>; 2],
    /// u₁ ⊕ … ⊕ uⱼ.
    sums: [VarDigest; LANES],
}

/// One of the two hashes in every lane. It starts from the state after the key's block and absorbs
/// one tail: a digest and its padding. Only the digest changes from one iteration to the next.
struct Half<F: Family> {
    lanes: Lanes<F>,
    /// The states after the key's block.
    start: Lanes<F>,
    /// Blocks of a tail.
    blocks: usize,
    /// A tail with zeros in place of the digest.
    around: F::Tail,
}

impl<'s, S: Sequential> Group<'s, S> {
    fn new(stream: &'s S, backend: Runnable<S::Family>) -> Self {
        let lanes = || Lanes::new(backend);
        let around = || <S::Family as Family>::TAIL;
        let half = || Half { lanes: lanes(), start: lanes(), blocks: 0, around: around() };
        Group { stream, halves: [half(), half()], sums: [VarDigest::default(); LANES] }
    }

    /// Clears the lanes, which must be done first.
    fn clear(&mut self) {
        for half in &mut self.halves {
            half.lanes.clear();
            half.start.clear();
        }
    }

    /// Puts a chain into lane `lane`: its inner and its outer hash, and u₁.
    fn begin(&mut self, lane: usize, hashes: [&S; 2], u: &VarDigest) {
        let (block, room) = (self.stream.blocks().len, Lanes::<S::Family>::ROOM);
        for (half, stream) in self.halves.iter_mut().zip(hashes) {
            // BLAKE2 keeps a whole block until a byte follows it. Here a digest follows.
            let mut state = state_after(stream, stream.waiting());
            let tail = &mut half.lanes.tails[lane * room..][..room];
            tail[..u.len()].copy_from_slice(u);
            let set = |i: usize, word| state.as_mut()[i] = word;
            half.blocks = stream.last(u.len(), tail, u.len(), set) / block;
            let around = &mut half.around.as_mut()[u.len()..];
            around.copy_from_slice(&tail[u.len()..][..around.len()]);
            half.start.set_state(lane, &state);
            overwrite(&mut state, Default::default());
        }
        self.sums[lane] = *u;
    }

    /// Computes the sums of `iterations` terms and writes them to `outs`.
    fn run(&mut self, outs: &mut [&mut [u8]], iterations: u32) {
        for _ in 1..iterations {
            self.iterate();
        }
        for (sum, out) in self.sums.iter().zip(outs) {
            out.copy_from_slice(&sum[..out.len()]);
        }
    }

    /// Computes uⱼ₊₁ from uⱼ in every lane and adds it to the sums. Lanes without a chain compute a
    /// value that is not used.
    fn iterate(&mut self) {
        let (stream, len) = (self.stream, self.sums[0].len());
        for from in [0, 1] {
            let [inner, outer] = &mut self.halves;
            let (from, to) = if from == 0 { (inner, outer) } else { (outer, inner) };
            from.lanes.copy_states(&from.start);
            let stride = stream.blocks().len;
            let padded = &from.around.as_ref()[..from.blocks * stride];
            let end = from.lanes.backend.end(padded, len, stride);
            from.lanes.absorb_tails(stream, from.blocks, end);
            from.lanes.digests_to(stream, &mut to.lanes, len);
        }
        for (sum, tail) in self.sums.iter_mut().zip(self.halves[0].lanes.each_tail()) {
            add(sum.as_mut(), tail);
        }
    }
}

impl<S: Sequential> Drop for Group<'_, S> {
    fn drop(&mut self) {
        overwrite(&mut self.sums, [VarDigest::default(); LANES]);
    }
}

/// Computes a ⊕ b and writes it to `a`.
fn add(a: &mut [u8], b: &[u8]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a ^= b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2::constants::w32;
    use crate::sha2::{Stream32, Words32};
    use crate::stream::Progress;
    use crate::wipe;

    #[test]
    fn chains_and_groups_of_them_are_wiped() {
        let [mut inner, mut outer] = [Stream32::new(w32::SHA256, 32); 2];
        Progress::try_update(&mut inner, &[1; 64]).expect("a short message");
        Progress::try_update(&mut outer, &[2; 64]).expect("a short message");
        let u = VarDigest::try_from(&[3; 32][..]).expect("a digest's length");
        let chain = wipe::dropped(Chain { inner, outer, u, out: &mut [] });
        for stream in [&chain.inner, &chain.outer] {
            assert_eq!(stream.state(), [0; 8]);
        }
        assert_eq!(chain.u, VarDigest::default());

        let mut group = Group::new(&inner, backend::one::<Words32>());
        group.clear();
        group.begin(0, [&inner, &outer], &u);
        group.iterate();
        for half in &group.halves {
            assert!(half.lanes.states[..] != [0; 32] && half.start.states[..] != [0; 32]);
        }
        let group = wipe::dropped(group);
        for half in &group.halves {
            assert_eq!([&half.start.states[..], &half.lanes.states[..]], [[0; 32]; 2]);
            assert_eq!(half.lanes.tails[..], [0; 128]);
        }
        assert_eq!(group.sums, [VarDigest::default(); LANES]);
    }
}
