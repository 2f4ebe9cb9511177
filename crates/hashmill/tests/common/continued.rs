//! The output that follows from an exported state of any function. A fuzz target uses this file, too.

use hashmill::{AnyHasher, Error};

/// Bytes of an output that may have any length. It is two blocks of SHAKE128 and more.
pub const LEN: usize = 400;

/// Returns the library's output after `more`, absorbed in two parts and at once.
pub fn output(state: &[u8], more: &[u8]) -> Result<Vec<u8>, Error> {
    let (first, second) = more.split_at(more.len() / 3);
    let mut out = vec![0; LEN];
    macro_rules! kangaroo_twelve {
        ($Type:ident) => {{
            let mut hasher = hashmill::$Type::import(state)?;
            assert_eq!(hasher.export().as_ref(), state);
            let mut many = vec![0; LEN];
            hasher.hash_many(&[more], &mut many).expect("one output");
            hasher.update(first).update(second).squeeze().fill(&mut out);
            assert_eq!(many, out, "hash_many");
        }};
    }
    macro_rules! blake2x {
        ($Type:ident) => {{
            let mut hasher = hashmill::$Type::import(state)?;
            assert_eq!(hasher.export().as_ref(), state);
            let len = hasher.output_len().map_or(LEN, |len| LEN.min(len as usize));
            out.truncate(len);
            hasher.try_update(first)?.try_update(second)?;
            hasher.squeeze().try_fill(&mut out).expect("output");
        }};
    }
    match state.get(1) {
        Some(0x40) => kangaroo_twelve!(Kt128),
        Some(0x41) => kangaroo_twelve!(Kt256),
        Some(0x42) => blake2x!(Blake2xb),
        Some(0x43) => blake2x!(Blake2xs),
        Some(70..=75) => {
            let mut hasher = AnyHasher::import(state)?;
            assert_eq!(hasher.export().expect("a state").as_ref(), state);
            match state[1] {
                72 | 73 => {
                    let (last, element) = last_element(state, more);
                    if !last.is_empty() {
                        hasher.try_update(last)?;
                    }
                    if !element.is_empty() {
                        hasher.element(element)?;
                    }
                }
                _ => _ = hasher.try_update(first)?.try_update(second)?,
            }
            hasher.hash_into(b"", &mut out)?;
            let mut all = vec![0; LEN];
            hasher.squeeze()?.try_fill(&mut all).expect("output");
            out.extend(all);
        }
        _ => {
            let mut hasher = AnyHasher::import(state)?;
            assert_eq!(hasher.export().expect("a state").as_ref(), state);
            let mut many = vec![0; if hasher.is_extendable() { LEN } else { hasher.output_len() }];
            let many_done = hasher.hash_many([more], &mut many[..]);
            let updated = hasher.try_update(first).and_then(|hasher| hasher.try_update(second));
            assert_eq!(many_done, updated.map(drop), "hash_many");
            updated_output(&hasher, &mut out);
            many_done?;
            assert_eq!(many, out, "hash_many");
        }
    }
    Ok(out)
}

/// Divides `more` into the rest of the tuple's last element and one more element.
pub fn last_element<'m>(state: &[u8], more: &'m [u8]) -> (&'m [u8], &'m [u8]) {
    let missing = u64::from_le_bytes(*state[2..].first_chunk().expect("the number of bytes"));
    more.split_at(more.len().min(usize::try_from(missing).unwrap_or(usize::MAX)))
}

fn updated_output(hasher: &AnyHasher, out: &mut Vec<u8>) {
    match hasher.squeeze() {
        Ok(mut reader) => reader.try_fill(out).expect("output"),
        Err(_) => *out = hasher.finalize().to_vec(),
    }
}
