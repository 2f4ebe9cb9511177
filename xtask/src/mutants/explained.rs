//! The mutants that no test catches, and why.

use super::weave::Mutant;
use crate::files::read;

/// Why a mutant survives.
pub fn reason(mutant: &Mutant) -> Option<&'static str> {
    let text = read(mutant.file).ok()?;
    let line = mutant.line(&text);
    let is = |it: &&Explained| {
        mutant.file.ends_with(it.file) && it.line == line && mutant.change.starts_with(it.change)
    };
    EXPLAINED.iter().find(is).map(|it| it.reason)
}

struct Explained {
    /// The end of the path.
    file: &'static str,
    /// The line in which the mutant begins.
    line: &'static str,
    /// The beginning of cargo-mutants' words for it.
    change: &'static str,
    reason: &'static str,
}

const SPEED: &str = "a slower way, or a step of another size, to the same result";
const LANES: &str = "other messages share lanes, or none do";
const LONGER: &str = "more of an array that is overwritten";
const BLOCKS: &str = "the kernel is called for no block";
const STACK: &str =
    "more or less of the stack is cleared, which only `cargo xtask test remains` sees";
const ARM: &str = "the code is for Arm, and `cargo xtask test arm` fails";

#[rustfmt::skip]
const EXPLAINED: &[Explained] = &[
    Explained { file: "tree/blake3.rs", line: "if self.chunk.count > 0 || chunks == 0 {", change: "replace > with <", reason: SPEED },
    Explained { file: "tree/blake3.rs", line: "if self.chunk.count > 0 || chunks == 0 {", change: "replace Tree3::next_subtree -> usize with 1", reason: SPEED },
    Explained { file: "tree/blake3.rs", line: "let largest = 1 << chunks.ilog2();", change: "replace << with >>", reason: SPEED },
    Explained { file: "tree/blake3.rs", line: "let few = message.len() <= FEW * CHUNK && output_len <= VALUE;", change: "replace * with /", reason: LANES },
    Explained { file: "tree/blake3.rs", line: "let few = message.len() <= FEW * CHUNK && output_len <= VALUE;", change: "replace <= with >", reason: LANES },
    Explained { file: "lanes/group.rs", line: "group.iter().all(|message| message.len() == group[0].len())", change: "replace of_one_length -> bool with false", reason: LANES },
    Explained { file: "lanes.rs", line: "Some(longest) if best(streams(0), count, longest).lanes() == 1 => {", change: "replace match guard best(streams(0), count, longest).lanes() == 1 with false", reason: LANES },
    Explained { file: "lanes/group.rs", line: "messages.gather(next, &mut group[..lanes.min(end - next)]);", change: "replace - with +", reason: LONGER },
    Explained { file: "hasher.rs", line: "self.in_turn(count, longest)", change: "replace <impl Stream for Tree3>::in_turn -> bool with false", reason: LANES },
    Explained { file: "sha2.rs", line: "let word = |i| F::word(&digest[i * size_of::<F::Word>()..]);", change: "replace <impl Sequential for Sha2<F, BLOCK>>::digest_state -> Option<F::State> with None", reason: SPEED },
    Explained { file: "sha2.rs", line: "/// The paddings of one block and of two: a one bit, and at the end the length in bits, 512", change: "replace <impl Sha2Family for Words32>::padding -> Option<&'static Self::Known> with None", reason: SPEED },
    Explained { file: "sha2.rs", line: "64 => Some(&PADDINGS[0]),", change: "delete match arm", reason: SPEED },
    Explained { file: "sha2.rs", line: r#"Backend { name: "sha512", needs: Isa::SHA3, lanes: 2, cycles: &[(NeoverseV2, 324, 255)], ..Backend::of(aarch64_sha512::absorb_two) },"#, change: "delete field lanes", reason: ARM },
    Explained { file: "sha2.rs", line: "Backend { absorb_known: Some(w64::simd128::absorb_known), ..w64::simd128::STAMP.row(w64::simd128::absorb, &[(Wasm, 1794, 255)]) },", change: "delete field absorb_known", reason: SPEED },
    Explained { file: "stream.rs", line: "if left.len() >= blocks.len + blocks.lookahead {", change: "replace + with -", reason: BLOCKS },
    Explained { file: "tree/blake2.rs", line: "if run.len() < LEAST || LEAVES.div_ceil(threads) * one.cycles() >= together {", change: "replace < with <=", reason: SPEED },
    Explained { file: "hmac.rs", line: "if key.len() > block_len {", change: "replace > with <", reason: STACK },
    Explained { file: "hmac.rs", line: "run_wiped(stream.stack() + more, f)", change: "replace + with *", reason: STACK },
    Explained { file: "hkdf.rs", line: "let little = info.len() < ROOM && inner.takes_little(&[]);", change: "replace < with ==", reason: STACK },
    Explained { file: "hkdf.rs", line: "let little = info.len() < ROOM && inner.takes_little(&[]);", change: "replace && with ||", reason: STACK },
    Explained { file: "hkdf.rs", line: "run_wiped(2 * inner.stack(), || {", change: "replace * with /", reason: STACK },
    Explained { file: "wipe.rs", line: "1025..=1536 => clear_bytes::<1536>(),", change: "delete match arm", reason: STACK },
    Explained { file: "blake2/stream.rs", line: "self.keyed != Keyed::No", change: "replace <impl Progress for Blake2Stream<F, BLOCK>>::keyed -> bool with true", reason: STACK },
    Explained { file: "blake2x.rs", line: "run_wiped_if(self.root.keyed(), 2 * MANY, || self.finish_part(messages, outputs));", change: "replace * with +", reason: STACK },
    Explained { file: "hmac.rs", line: "finish_digests::<{ BATCH * MAX_DIGEST }>(streams, messages, tags, nested);", change: "replace * with +", reason: SPEED },
    Explained { file: "blake3/output.rs", line: "self.state[11] & (KEYED_HASH | DERIVE_KEY_MATERIAL) != 0", change: "replace != with ==", reason: STACK },
    Explained { file: "blake3/output.rs", line: "self.state[11] & (KEYED_HASH | DERIVE_KEY_MATERIAL) != 0", change: "replace Root::keyed -> bool with false", reason: STACK },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that changed needs another look.
    #[test]
    fn every_line_is_in_its_file() {
        for it in EXPLAINED {
            let text = read(format!("crates/hashmill/src/{}", it.file)).unwrap();
            assert!(text.lines().any(|line| line.trim() == it.line), "{}: {}", it.file, it.line);
        }
    }
}
