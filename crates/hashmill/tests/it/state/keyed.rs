//! States with a tag under the caller's key.

use super::error;
use hashmill::{
    Algorithm, AnyHasher, AsconCXof128, Blake2xb, CShake256, Customization, Error, FunctionName,
    Hash, Hashing, Hmac, Kmac128, Kt128, ParallelHash256, Sha256, TupleHash128,
};
use hashmill_reference::{hmac, sha2};

const KEY: &[u8] = b"a key that only one program has";

/// A hasher of each kind, after some bytes.
fn hashers() -> Vec<AnyHasher> {
    let custom = Customization(b"custom");
    let mut hashers: Vec<AnyHasher> = Algorithm::ALL.iter().map(|it| it.hasher()).collect();
    hashers.extend([
        Kt128::new().into(),
        CShake256::new(FunctionName(b"name"), custom).into(),
        Kmac128::new(b"key", custom).into(),
        ParallelHash256::new(8, b"").expect("a block").into(),
        AsconCXof128::new(custom).expect("a short string").into(),
        Blake2xb::new().into(),
    ]);
    hashers.iter_mut().for_each(|hasher| _ = hasher.update([7; 300]));
    let mut tuple = TupleHash128::new(b"");
    tuple.element("one");
    hashers.push(tuple.into());
    hashers
}

#[test]
fn the_key_that_exported_a_state_imports_it() {
    for hasher in hashers() {
        let name = hasher.name();
        let (plain, keyed) = (hasher.export().unwrap(), hasher.export_keyed(KEY).unwrap());
        let (plain, keyed) = (plain.as_ref(), keyed.as_ref());
        assert_eq!(keyed[..keyed.len() - 32], *plain, "{name}");
        let message = [b"hashmill: exported state\n", plain].concat();
        assert_eq!(keyed[plain.len()..], hmac::hmac(sha2::sha256, 64, KEY, &message)[..], "{name}");
        let again = AnyHasher::import_keyed(keyed, KEY).unwrap();
        assert_eq!(again.finalize(), hasher.finalize(), "{name}");

        let refused = |state: &[u8], key: &[u8]| error(AnyHasher::import_keyed(state, key));
        assert_eq!(refused(keyed, b"another key"), Some(Error::TagMismatch), "{name}");
        assert_eq!(refused(plain, KEY), Some(Error::TagMismatch), "{name}");
        assert_eq!(error(AnyHasher::import(keyed)), Some(Error::StateDamaged), "{name}");
        for at in 0..keyed.len() {
            let mut changed = keyed.to_vec();
            changed[at] ^= 0x10;
            assert_eq!(refused(&changed, KEY), Some(Error::TagMismatch), "{name}, byte {at}");
        }
        for len in 0..keyed.len().min(60) {
            assert_eq!(
                refused(&keyed[..len], KEY),
                Some(Error::TagMismatch),
                "{name}, {len} bytes"
            );
        }
    }
}

#[test]
fn a_forged_state_imports_without_a_key_alone() {
    let mut state = Sha256::new().update([7; 100]).export().as_ref().to_vec();
    state[20] ^= 1; // a byte of a chaining value
    let at = state.len() - 8;
    let check = hashmill::sha256(&state[..at]);
    state[at..].copy_from_slice(&check[..8]);
    // Its digest belongs to no message.
    assert_ne!(Sha256::import(&state).unwrap().finalize(), hashmill::sha256([7; 100]));
    let tag = Sha256::new().update([7; 100]).export_keyed(KEY);
    state.extend(&tag.as_ref()[tag.as_ref().len() - 32..]);
    assert_eq!(Sha256::import_keyed(&state, KEY).err(), Some(Error::TagMismatch));
}

#[test]
fn a_keyed_state_belongs_to_its_function() {
    let keyed = Sha256::new().export_keyed(KEY);
    assert_eq!(
        hashmill::Sha512::import_keyed(keyed.as_ref(), KEY).err(),
        Some(Error::StateAlgorithm)
    );
    assert!(
        <Hash<_> as Hashing>::import_keyed(keyed.as_ref(), KEY)
            .is_ok_and(|hasher: Sha256| hasher.finalize() == hashmill::sha256(""))
    );
    assert_eq!(Hmac::<Sha256>::new(KEY).export_keyed(KEY).err(), Some(Error::Operation));
}
