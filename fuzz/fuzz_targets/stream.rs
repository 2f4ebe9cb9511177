//! Fuzzes one message: any algorithm and any split, with copies, exports and changes of the backend
//! between updates, and any squeezes.

#![no_main]

use arbitrary::Arbitrary;
use hashmill::{Algorithm, AnyHasher, Error, TurboShake128, TurboShake256};
use hashmill_fuzz::{Any, Backend, hash, hash_bits, take, text};
use hashmill_reference::{Bits, keccak};
use libfuzzer_sys::fuzz_target;
use std::io::Write;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    algorithm: Any,
    /// TurboSHAKE's domain-separation byte, if it is not the default.
    domain: Option<u8>,
    steps: Vec<Step>,
    /// The bits after the message's last whole byte, and their number.
    last: Option<(u8, u8)>,
    squeezes: Vec<u16>,
    len: u16,
    seed: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Step {
    Update(u16),
    Write(u16),
    Extend(u8),
    Many(u16),
    Clone,
    Export,
    Finalize,
    Force(Backend),
}

/// Limit in bytes of the input and of the output. Longer ones take time and find nothing new:
/// BLAKE2sp's run is 1024 bytes.
const MAX: usize = 6000;

fuzz_target!(|input: Input| {
    let Any(algorithm) = input.algorithm;
    let Some(mut hasher) = begin(algorithm, input.domain) else { return };
    let domain = input.domain.unwrap_or(0x1F);
    let message = text(input.seed, usize::from(input.len) % MAX);
    let mut rest = &message[..];
    let mut looks = 0;
    for step in &input.steps {
        match *step {
            Step::Update(len) => {
                hasher.update(take(&mut rest, len.into()));
            }
            Step::Write(len) => {
                hasher.write_all(take(&mut rest, len.into())).expect("it takes all")
            }
            Step::Extend(len) => hasher.extend(take(&mut rest, len.into())),
            Step::Many(len) => {
                let mut hashers = [Algorithm::Sha256.hasher(), hasher];
                let pieces = [b"", take(&mut rest, len.into())];
                AnyHasher::update_many(&mut hashers, &pieces).expect("a piece each");
                [_, hasher] = hashers;
            }
            Step::Clone => hasher = hasher.clone(),
            Step::Export => {
                hasher =
                    AnyHasher::import(hasher.export().expect("a state").as_ref()).expect("our own")
            }
            Step::Force(backend) => backend.force(),
            Step::Finalize if looks == 3 => {}
            Step::Finalize => {
                looks += 1;
                let so_far = &message[..message.len() - rest.len()];
                let digest = hasher.finalize();
                assert_eq!(digest[..], reference(algorithm, domain, so_far, digest.len()));
            }
        }
    }
    hasher.update(rest);

    let expected = |len| reference(algorithm, domain, &message, len);
    assert_eq!(hasher.finalize()[..], expected(hasher.output_len()));
    if algorithm.is_xof() {
        let squeezed: Vec<usize> =
            input.squeezes.iter().map(|&len| usize::from(len) % 700).collect();
        let expected = expected(squeezed.iter().sum::<usize>().min(MAX));
        let mut reader = hasher.squeeze().expect("an XOF");
        let mut rest = &expected[..];
        for len in squeezed {
            let part = take(&mut rest, len);
            let mut out = vec![0xA5; part.len()];
            reader.try_fill(&mut out).expect("output");
            assert_eq!(out, part);
        }
    } else {
        assert_eq!(hasher.squeeze().err(), Some(Error::NotExtendable));
    }
    if let Some((last_byte, bits)) = input.last {
        let bits = u32::from(bits % 9);
        let digest = hasher.finalize_bits(last_byte, bits);
        let message = Bits { bytes: &message, last_byte, bits: bits.min(7) };
        match hash_bits(algorithm, message, hasher.output_len()) {
            None => assert_eq!(digest.err(), Some(Error::NoBits)),
            Some(_) if bits > 7 => {
                assert_eq!(digest.err(), Some(Error::TooManyBits { given: bits.into() }))
            }
            Some(expected) => assert_eq!(digest.expect("0 to 7 bits")[..], expected),
        }
    }
});

fn begin(algorithm: Algorithm, domain: Option<u8>) -> Option<AnyHasher> {
    let hasher = match (algorithm, domain) {
        (Algorithm::TurboShake128, Some(domain)) => {
            TurboShake128::with_domain(domain).map(AnyHasher::from)
        }
        (Algorithm::TurboShake256, Some(domain)) => {
            TurboShake256::with_domain(domain).map(AnyHasher::from)
        }
        _ => return Some(algorithm.hasher()),
    };
    assert_eq!(hasher.is_ok(), matches!(domain, Some(0x01..=0x7F)));
    hasher.ok()
}

fn reference(algorithm: Algorithm, domain: u8, message: &[u8], len: usize) -> Vec<u8> {
    match algorithm {
        Algorithm::TurboShake128 => keccak::turboshake128(message, domain, len),
        Algorithm::TurboShake256 => keccak::turboshake256(message, domain, len),
        _ => hash(algorithm, message, len),
    }
}
