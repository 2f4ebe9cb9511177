//! Exported states of cSHAKE, KMAC, TupleHash and ParallelHash.

use super::{checked, without_check};
use crate::common::answer::ptn;
use crate::common::random::Random;
use hashmill::{
    AnyHasher, CShake128, CShake256, Customization, Error, FunctionName, Kmac128, Kmac256,
    ParallelHash128, ParallelHash256, TupleHash128, TupleHash256,
};

const C: Customization = Customization(b"C");

/// Returns a hasher of every function, with its code. The blocks of ParallelHash have 200 bytes and
/// one byte.
fn hashers() -> Vec<(u8, AnyHasher)> {
    vec![
        (68, CShake128::new(FunctionName(b"N"), C).into()),
        (68, CShake128::new(FunctionName(b""), Customization(b"")).into()),
        (69, CShake256::new(FunctionName(b""), C).into()),
        (70, Kmac128::new(b"key", C).into()),
        (71, Kmac256::new(&[7; 300], C).into()),
        (72, TupleHash128::new(b"C").into()),
        (73, TupleHash256::new(b"").into()),
        (74, ParallelHash128::new(200, b"C").expect("a length").into()),
        (75, ParallelHash256::new(1, &[7; 300]).expect("a length").into()),
    ]
}

/// Absorbs a part of the message; for TupleHash, an element.
fn absorb(hasher: &mut AnyHasher, data: &[u8]) {
    match hasher.element(data) {
        Err(Error::Operation) => _ = hasher.update(data),
        done => done.expect("an element"),
    }
}

fn state(hasher: &AnyHasher) -> Vec<u8> {
    hasher.export().expect("a state").as_ref().to_vec()
}

fn outputs(hasher: &AnyHasher) -> [Vec<u8>; 2] {
    let mut all = vec![0; 300];
    hasher.squeeze().expect("an output").try_fill(&mut all).expect("300 bytes");
    [hasher.finalize().to_vec(), all]
}

#[test]
fn a_state_goes_on() {
    let message = ptn(2000);
    for (code, blank) in hashers() {
        for cut in [0, 1, 134, 135, 136, 137, 165, 166, 167, 168, 169, 199, 200, 201, 1000, 2000] {
            let what = format!("{}, cut at {cut}", blank.name());
            let (begin, rest) = message.split_at(cut);
            let mut hasher = blank.clone();
            absorb(&mut hasher, begin);
            let saved = state(&hasher);
            assert_eq!(saved[..2], [1, code], "{what}");
            let mut resumed = AnyHasher::import(&saved).expect(&what);
            assert_eq!(state(&resumed), saved, "{what}");
            assert_eq!(outputs(&resumed), outputs(&hasher), "{what}");
            for hasher in [&mut resumed, &mut hasher] {
                absorb(hasher, rest);
            }
            assert_eq!(outputs(&resumed), outputs(&hasher), "{what}");
        }
    }
}

/// A tuple may be exported within an element.
#[test]
fn a_tuple_goes_on_within_an_element() {
    let mut hasher = AnyHasher::from(TupleHash128::new(b"C"));
    hasher.begin_element(300).expect("no other element");
    hasher.update([1; 100]);
    let saved = state(&hasher);
    let mut resumed = AnyHasher::import(&saved).expect("a state");
    resumed.update([1; 200]);
    hasher.update([1; 200]);
    assert_eq!(outputs(&resumed), outputs(&hasher));
    let mut typed = TupleHash128::import(&saved).expect("a state");
    let incomplete = Error::ElementLength { given: 0, expected: 200 };
    assert_eq!(typed.finalize_into(&mut [0; 32]), Err(incomplete));
    assert_eq!(typed.update([1; 200]).finalize::<32>()[..], hasher.finalize()[..]);
}

#[test]
fn another_functions_state() {
    let kmac = Kmac128::new(b"key", C).export();
    assert_eq!(Kmac256::import(kmac.as_ref()).err(), Some(Error::StateAlgorithm));
    assert_eq!(CShake128::import(kmac.as_ref()).err(), Some(Error::StateAlgorithm));
    assert_eq!(TupleHash128::import(kmac.as_ref()).err(), Some(Error::StateAlgorithm));
    assert_eq!(ParallelHash128::import(kmac.as_ref()).err(), Some(Error::StateAlgorithm));
}

#[test]
fn damaged_states() {
    for (_, mut hasher) in hashers() {
        absorb(&mut hasher, &ptn(500));
        let (name, saved) = (hasher.name(), state(&hasher));
        let refused = |state: &[u8]| AnyHasher::import(state).expect_err("an error");
        for len in 0..saved.len() {
            assert_eq!(refused(&saved[..len]), Error::StateDamaged, "{name}, {len} bytes");
        }
        for at in 1..saved.len() {
            let mut changed = saved.clone();
            changed[at] ^= 1;
            assert_eq!(refused(&changed), Error::StateDamaged, "{name}, byte {at}");
        }
        // With a correct check.
        let body = without_check(&saved);
        for cut in 2..body.len() {
            let error = refused(&checked(&body[..cut]));
            let is = matches!(error, Error::StateDamaged | Error::StateInconsistent);
            assert!(is, "{name}, {cut} bytes: {error}");
        }
        let longer = checked(&[body, &[0]].concat());
        assert_eq!(refused(&longer), Error::StateInconsistent, "{name}");
    }
}

/// What is wrong, and the function that makes it so.
type Change<'a> = (&'a str, &'a dyn Fn(&mut [u8]));

/// Every field with a value that contradicts the others, and a correct check.
#[test]
fn inconsistent_states() {
    let outcome = |saved: &[u8], change: &dyn Fn(&mut [u8])| {
        let mut body = without_check(saved).to_vec();
        change(&mut body);
        AnyHasher::import(&checked(&body)).map(drop)
    };
    let refused = Err(Error::StateInconsistent);
    for (code, mut hasher) in hashers() {
        absorb(&mut hasher, &ptn(300));
        let (name, saved) = (hasher.name(), state(&hasher));
        // Before the sponge: the missing bytes of TupleHash; the length of the blocks and the count of
        // bytes of ParallelHash.
        let sponge = [0, 0, 8, 24][usize::from(code - 68) / 2] + 2;
        let (words, waiting) = (sponge + 1..sponge + 201, sponge + 201);
        let changes: [Change<'_>; 4] = [
            ("no suffix", &|body| body[sponge] = 0),
            ("SHA-3's suffix", &|body| body[sponge] = 6),
            ("too many bytes wait", &|body| body[waiting] = 168),
            ("nothing absorbed, but a name", &|body| {
                body[words.clone()].fill(0);
                body[sponge] = 4;
            }),
        ];
        for (what, change) in changes {
            let got = outcome(&saved, change);
            let damaged = got == Err(Error::StateDamaged) && what == "too many bytes wait";
            assert!(got == refused || damaged, "{name}, {what}: {got:?}");
        }
    }
    for count in [0, 1, 300] {
        let mut hasher = AnyHasher::from(ParallelHash128::new(200, b"C").expect("a length"));
        hasher.update(ptn(count));
        let saved = state(&hasher);
        let leaf = 228 + usize::from(saved[227]);
        let changes: [Change<'_>; 8] = [
            ("no blocks", &|body| body[2..10].fill(0)),
            ("other blocks", &|body| body[2] = 201),
            ("more bytes", &|body| body[10] += 1),
            ("more leaves than can be counted", &|body| body[25] = 0x80),
            ("SHAKE's node", &|body| body[26] = 0x1F),
            ("cSHAKE's leaf", &|body| body[leaf] = 4),
            ("a leaf that has changed before its first block", &|body| body[leaf + 7] ^= 1),
            ("another beginning of the node", &|body| body[228] ^= 1),
        ];
        for (what, change) in changes {
            let got = outcome(&saved, change);
            assert_eq!(got, refused, "{count} bytes, {what}");
        }
    }
}

/// States with random changes and a correct check: `import` returns an error, or a hasher that can
/// be used.
#[test]
fn forged_states_never_panic() {
    let mut random = Random::new(9);
    let [mut good, mut bad] = [0; 2];
    for round in 0..2000 {
        let all = hashers();
        let mut hasher = all[round % all.len()].1.clone();
        absorb(&mut hasher, &random.some_bytes(1000));
        let mut body = without_check(&state(&hasher)).to_vec();
        for _ in 0..random.up_to(3) {
            let at = 2 + random.up_to(body.len() - 3);
            let at = if random.up_to(1) == 0 { at } else { 2 + at % 30 };
            body[at] = [random.next() as u8, body[at] ^ 1, 0, 0xFF][random.up_to(3)];
        }
        let forged = checked(&body);
        match AnyHasher::import(&forged) {
            Err(_) => bad += 1,
            Ok(mut hasher) => {
                good += 1;
                assert_eq!(state(&hasher), forged);
                if hasher.element(b"x") == Err(Error::Operation) {
                    _ = hasher.try_update([1; 500]);
                }
                if let Ok(mut reader) = hasher.squeeze() {
                    reader.try_fill(&mut [0; 9]).expect("output");
                }
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} were states, {bad} were not");
}
