//! Fuzzes exported states. A damaged state is an error. A hasher made from an accepted state must
//! work without a panic, export the same bytes, and return the same digests on every backend.

#![no_main]

use arbitrary::Arbitrary;
use hashmill::{AnyHasher, Error, VarDigest, backend};
use hashmill_fuzz::{Any, Backend, hash, text};
use hashmill_reference::sha2::sha256;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    backend: Backend,
    more: u16,
    state: State<'a>,
}

#[derive(Arbitrary, Debug)]
enum State<'a> {
    /// Arbitrary bytes, which are almost never a valid state.
    Bytes(&'a [u8]),
    /// Arbitrary bytes with a correct check value, as an attacker could write it.
    Checked(&'a [u8]),
    /// A hasher's exported state with changed bytes, or truncated.
    Changed { algorithm: Any, len: u16, changes: Vec<(u16, u8)>, cut: u8, checked: bool },
}

fuzz_target!(|input: Input| {
    input.backend.force();
    let more = text(b"more", usize::from(input.more) % 2000);
    let state = match &input.state {
        State::Bytes(bytes) => bytes.to_vec(),
        State::Checked(bytes) => checked(bytes),
        State::Changed { algorithm: Any(algorithm), len, changes, cut, checked: again } => {
            let message = text(b"a message", usize::from(*len) % 3000);
            let exported = algorithm.hasher().update(&message).export().expect("a state");
            let exported = exported.as_ref();
            let hasher = AnyHasher::import(exported).expect("our own");
            let expected =
                hash(*algorithm, &[&message[..], &more].concat(), algorithm.output_len());
            assert_eq!(hasher.clone().update(&more).finalize()[..], expected);

            let mut changed = exported[..exported.len() - 8].to_vec();
            for &(at, with) in changes {
                let at = usize::from(at) % changed.len();
                changed[at] ^= with;
            }
            changed.truncate(changed.len() - usize::from(*cut).min(changed.len()));
            let same = changed == exported[..exported.len() - 8];
            if !*again {
                changed.extend(&exported[exported.len() - 8..]);
                assert_eq!(AnyHasher::import(&changed).is_ok(), same);
                return;
            }
            checked(&changed)
        }
    };
    let Ok(hasher) = AnyHasher::import(&state) else { return };
    assert_eq!(hasher.export().expect("a state").as_ref(), state, "another state was taken");

    let outputs = used(&hasher, &more);
    backend::force(Some("portable")).expect("it is always there");
    assert_eq!(outputs, used(&hasher, &more), "another backend goes on otherwise");
});

fn checked(bytes: &[u8]) -> Vec<u8> {
    [bytes, &sha256(bytes)[..8]].concat()
}

/// Calls every function of the hasher and returns the outputs.
fn used(hasher: &AnyHasher, more: &[u8]) -> Vec<Vec<u8>> {
    let mut outputs = vec![hasher.finalize().to_vec()];
    outputs.extend(hasher.finalize_bits(0b101, 3).map(|digest| digest.to_vec()));
    outputs.extend(hasher.squeeze().map(|mut output| {
        let mut out = vec![0; 500];
        output.try_fill(&mut out).expect("output");
        out
    }));
    let mut longer = hasher.clone();
    match longer.try_update(more) {
        Ok(longer) => {
            outputs.push(longer.finalize().to_vec());
            outputs.push(longer.export().expect("a state").as_ref().to_vec());
            let pieces: Vec<&[u8]> = (0..=more.len()).step_by(97).map(|end| &more[..end]).collect();
            let mut digests = vec![VarDigest::default(); pieces.len()];
            hasher.hash_many(&pieces, &mut digests).expect("a digest each");
            outputs.extend(digests.iter().map(|digest| digest.to_vec()));
            let mut hashers = vec![hasher.clone(); pieces.len()];
            AnyHasher::update_many(&mut hashers, &pieces).expect("a piece each");
            for (hasher, digest) in hashers.iter().zip(&digests) {
                assert_eq!(hasher.finalize(), *digest);
            }
        }
        Err(error) => assert_eq!(error, Error::MessageTooLong),
    }
    outputs
}
