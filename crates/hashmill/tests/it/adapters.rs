//! The optional features: other crates' traits for this crate's types.

#[cfg(feature = "digest")]
mod rustcrypto;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "zeroize")]
#[test]
fn promises_to_be_wiped() {
    fn promised<T: zeroize::ZeroizeOnDrop>() {}
    macro_rules! promised {
        ($($Type:ident)*) => { $(promised::<hashmill::$Type>();)* };
    }
    promised! {
        Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 Sha3_224 Sha3_256 Sha3_384 Sha3_512 Keccak256
        Blake2b Blake2s Blake2bp Blake2sp Shake128 Shake256 TurboShake128 TurboShake256
        AnyHasher AnyHmac Exported XofReader
        Kt128 Kt256 CShake128 CShake256 Kmac128 Kmac256
        TupleHash128 TupleHash256 ParallelHash128 ParallelHash256
    }
    promised::<hashmill::TupleElement<'_>>();
    promised::<hashmill::Hkdf<hashmill::Sha256>>();
    promised::<hashmill::Hmac<hashmill::Sha256>>();
}
