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
    // The bound alone is the test: `Hash<F>` has the trait for every function.
    fn _each<F: hashmill::function::Function>() {
        promised::<hashmill::Hash<F>>();
    }
    promised! {
        AnyHasher AnyHmac Exported XofReader AsconCXof128 AsconReader
        Kt128 Kt256 CShake128 CShake256 Kmac128 Kmac256
        TupleHash128 TupleHash256 ParallelHash128 ParallelHash256
    }
    promised::<hashmill::Hkdf<hashmill::Sha256>>();
    promised::<hashmill::Hmac<hashmill::Sha256>>();
}
