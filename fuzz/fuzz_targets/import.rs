//! Fuzzes states that are written field by field, by the reference's grammar of all functions with
//! states, and then changed: Rust and C accept exactly those that the reference accepts, and the
//! outputs that follow are the reference's, on every backend.

#![no_main]

#[path = "../../crates/hashmill/tests/common/continued.rs"]
mod continued;

use arbitrary::Arbitrary;
use continued::{LEN, last_element, output};
use hashmill::{Algorithm, Error};
use hashmill_c::*;
use hashmill_fuzz::{Backend, text};
use hashmill_reference::states::{CODES, Refusal, checked, finish, write};
use libfuzzer_sys::fuzz_target;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    backend: Backend,
    function: u8,
    count: Count,
    /// The bytes that no rule determines, again and again.
    fill: &'a [u8],
    changes: Vec<(u16, u8)>,
    /// The length of the body without the check, if it is changed.
    len: Option<u16>,
    more: u16,
}

#[derive(Arbitrary, Debug)]
enum Count {
    Small(u16),
    Below(u8, u16),
    Above(u8, u16),
    Any(u128),
}

impl Count {
    fn value(&self) -> u128 {
        match *self {
            Count::Small(count) => count.into(),
            Count::Below(power, by) => (1_u128 << (power % 128)).wrapping_sub(by.into()),
            Count::Above(power, by) => (1_u128 << (power % 128)).wrapping_add(by.into()),
            Count::Any(count) => count,
        }
    }
}

fuzz_target!(|input: Input| {
    input.backend.force();
    let code = CODES[usize::from(input.function) % CODES.len()];
    let mut fill = input.fill.iter().copied().cycle();
    let mut body = write(code, input.count.value(), || fill.next().unwrap_or(0x55));
    for &(at, with) in &input.changes {
        let at = usize::from(at) % body.len();
        body[at] ^= with;
    }
    if let Some(len) = input.len {
        body.resize(usize::from(len) % 3000, 0);
    }
    let state = checked(&body);
    let more = text(b"more", usize::from(input.more) % 20_000);

    let expected = finish(&state, &more, LEN);
    let (rust, c) = (output(&state, &more), in_c(&state, &more));
    match expected {
        Ok(expected) => assert_eq!((rust.as_ref(), c.as_ref()), (Ok(&expected), Ok(&expected))),
        Err(Refusal::TooLong) => {
            let too_long = Error::MessageTooLong;
            assert_eq!((rust, c), (Err(too_long), Err(too_long.code().into())));
        }
        Err(Refusal::Incomplete) => {
            let error = rust.expect_err("the last element is incomplete");
            assert!(matches!(error, Error::ElementLength { given: 0, .. }), "{error}");
            assert_eq!(c, Err(error.code().into()));
        }
        Err(Refusal::State) => {
            let error = rust.expect_err("the reference refuses the state");
            let errors = [Error::StateDamaged, Error::StateInconsistent].map(Error::code);
            let newer = matches!(error, Error::StateVersion { .. }) && state[0] > 1;
            assert!(newer || errors.contains(&error.code()), "{error}");
            assert_eq!(c, Err(error.code().into()));
        }
    }
});

/// The memory of a context, as a C program allocates it.
#[repr(C, align(64))]
struct Room<const SIZE: usize>(MaybeUninit<[u8; SIZE]>);

/// Does in C what [`output`] does in Rust, or returns the first status other than 0.
fn in_c(state: &[u8], more: &[u8]) -> Result<Vec<u8>, c_int> {
    let mut room = Room::<HASHER_SIZE>(MaybeUninit::uninit());
    let mut xof_room = Room::<XOF_SIZE>(MaybeUninit::uninit());
    let hasher: *mut Hasher = (&raw mut room).cast();
    let xof: *mut XofContext = (&raw mut xof_room).cast();
    let done = |status: c_int| if status == 0 { Ok(()) } else { Err(status) };
    let at = |bytes: &[u8]| -> *const c_void { bytes.as_ptr().cast() };
    // SAFETY: pointers with their lengths, and contexts of their sizes.
    unsafe {
        done(hashmill_hasher_import(hasher, at(state), state.len()))?;
        let (mut exported, mut written) = (vec![0; 2000], 0);
        done(hashmill_hasher_export(hasher, exported.as_mut_ptr().cast(), 2000, &mut written))?;
        assert_eq!(&exported[..written], state);

        let (code, usual) = (hashmill_hasher_algorithm(hasher), hashmill_hasher_output_len(hasher));
        // BLAKE2X of known length has no other, and the others may have any.
        let known = matches!(code, 66 | 67) && !matches!((code, usual), (66, 64) | (67, 32));
        let algorithm = u8::try_from(code).ok().and_then(Algorithm::from_code);
        let fixed = algorithm.is_some_and(|algorithm| !algorithm.is_xof());
        let len = if fixed || known { usual } else { LEN };
        let (first, second) = more.split_at(more.len() / 3);
        if matches!(code, 70..=75) {
            if matches!(code, 72 | 73) {
                let (last, element) = last_element(state, more);
                if !last.is_empty() {
                    done(hashmill_hasher_update(hasher, at(last), last.len()))?;
                }
                if !element.is_empty() {
                    done(hashmill_hasher_element(hasher, at(element), element.len()))?;
                }
            } else {
                done(hashmill_hasher_update(hasher, at(first), first.len()))?;
                done(hashmill_hasher_update(hasher, at(second), second.len()))?;
            }
            let mut out = vec![0; 2 * LEN];
            let (tag, all) = out.split_at_mut(LEN);
            done(hashmill_hasher_finalize(hasher, tag.as_mut_ptr().cast(), LEN))?;
            done(hashmill_hasher_finalize_xof(hasher, xof))?;
            done(hashmill_xof_squeeze(xof, all.as_mut_ptr().cast(), LEN))?;
            hashmill_xof_wipe(xof);
            hashmill_hasher_wipe(hasher);
            return Ok(out);
        }
        let mut out = vec![0; LEN.min(len)];
        let (place, out_len) = (out.as_mut_ptr().cast(), out.len());
        // Before the hasher changes. A long output is not computed twice.
        let mut at_once = vec![0; out_len];
        let finished = match len <= LEN {
            true => hashmill_hasher_finish(
                hasher,
                at(more),
                more.len(),
                at_once.as_mut_ptr().cast(),
                out_len,
            ),
            false => 0,
        };
        for part in [first, second] {
            done(hashmill_hasher_update(hasher, at(part), part.len()))?;
        }
        match fixed {
            true => done(hashmill_hasher_finalize(hasher, place, out_len))?,
            false => {
                done(hashmill_hasher_finalize_xof(hasher, xof))?;
                done(hashmill_xof_squeeze(xof, place, out_len))?;
                hashmill_xof_wipe(xof);
            }
        }
        // An XOF that was imported with its usual length looks as if its length were unknown.
        let other = known || !matches!(code, 66 | 67);
        assert!(finished == 0 && (len > LEN || at_once == out) || !other, "{finished}");
        hashmill_hasher_wipe(hasher);
        Ok(out)
    }
}
