//! Many messages in one call: every way to store messages and outputs, on one thread and on
//! several.

mod columns;
mod merkle;
mod messages;
mod outputs;
mod prefixes;
mod readers;
mod rows;
#[cfg(feature = "rayon")]
mod threads;

use hashmill::many::{Messages, Outputs};
use hashmill::{Algorithm, Customization, FunctionName, Hasher, function};
use hashmill::{
    AnyHasher, AnyHmac, CShake128, CShake256, Error, Hash, Hmac, Kmac128, Kmac256, Kt128, Kt256,
};

/// A type that has `hash_many`. The tests are compiled once for all types and not for each of them,
/// each kind of messages and each kind of outputs, which took half of the time of the whole binary.
pub trait Finish {
    fn finish(&self, messages: &dyn Messages, outputs: &mut dyn Outputs) -> Result<(), Error>;

    /// Returns the output for one message, of `len` bytes if any length is allowed.
    fn one(&self, message: &[u8], len: usize) -> Vec<u8>;
}

/// Implements `Finish` for each type. `$one` computes the output for one message.
macro_rules! finish {
    ($([$($generics:tt)*] $Type:ty, $one:expr;)*) => { $(
        impl<$($generics)*> Finish for $Type {
            fn finish(
                &self,
                messages: &dyn Messages,
                outputs: &mut dyn Outputs,
            ) -> Result<(), Error> {
                self.hash_many(messages, outputs)
            }

            fn one(&self, message: &[u8], len: usize) -> Vec<u8> {
                let one: fn($Type, &[u8], usize) -> Vec<u8> = $one;
                one(self.clone(), message, len)
            }
        }
    )* };
}

finish! {
    [F: function::Function] Hash<F>, |hasher, message, len| {
        // `AnyHasher` has outputs of fixed length and of any length.
        let mut any = AnyHasher::import(hasher.export().as_ref()).expect("an exported state");
        let mut out = vec![0; len];
        any.update(message).hash_into(b"", &mut out).expect("a length");
        out
    };
    [H: Hasher] Hmac<H>, |mut hmac, message, _| hmac.update(message).finalize().as_ref().to_vec();
    [] AnyHasher, |mut hasher, message, len| {
        let mut out = vec![0; len];
        hasher.update(message).hash_into(b"", &mut out).expect("a length");
        out
    };
    [] AnyHmac, |mut hmac, message, _| hmac.update(message).finalize().to_vec();
    [] CShake128, |mut hash, message, len| hash.update(message).squeeze().take(len).collect();
    [] CShake256, |mut hash, message, len| hash.update(message).squeeze().take(len).collect();
    [] Kmac128, |mut kmac, message, len| {
        let mut out = vec![0; len];
        kmac.update(message).finalize_into(&mut out).expect("any length");
        out
    };
    [] Kmac256, |mut kmac, message, len| {
        let mut out = vec![0; len];
        kmac.update(message).finalize_into(&mut out).expect("any length");
        out
    };
    [] Kt128, |mut kt, message, len| kt.update(message).squeeze().take(len).collect();
    [] Kt256, |mut kt, message, len| kt.update(message).squeeze().take(len).collect();
}

/// A test of every type that has `hash_many`.
pub trait Check {
    /// Tests a function whose outputs have exactly `N` bytes.
    fn fixed<const N: usize>(&self, name: &str, function: &dyn Finish);
    /// Tests a function whose outputs have any length, and `usual` bytes where no length is given.
    fn any(&self, name: &str, usual: usize, function: &dyn Finish);
}

/// Calls `check` with every function, each after a prefix or under a key.
pub fn every_function(check: &impl Check) {
    const PREFIX: &[u8] = b"a prefix";
    macro_rules! every {
        (fixed { $($Fixed:ident $fixed:ident,)* } xof { $($Xof:ident $xof:ident,)* }) => {
            $(
                const { assert!(!Algorithm::$Fixed.is_xof()) };
                let name = Algorithm::$Fixed.name();
                let hasher = hashmill::$Fixed::from_iter(PREFIX);
                check.fixed::<{ Algorithm::$Fixed.output_len() }>(name, &hasher);
                let any = AnyHasher::from(hasher);
                check.fixed::<{ Algorithm::$Fixed.output_len() }>(&format!("any {name}"), &any);
            )*
            $(
                let (name, usual) = (Algorithm::$Xof.name(), Algorithm::$Xof.output_len());
                let hasher = hashmill::$Xof::from_iter(PREFIX);
                check.any(name, usual, &hasher);
                check.any(&format!("any {name}"), usual, &AnyHasher::from(hasher));
            )*
        };
    }
    each!(both every);
    macro_rules! hmacs {
        ($($Type:ident $function:ident,)*) => { $(
            let name = format!("HMAC-{}", Algorithm::$Type);
            let hmac = Hmac::<hashmill::$Type>::new(PREFIX);
            check.fixed::<{ Algorithm::$Type.output_len() }>(&name, &hmac);
            let any = Algorithm::$Type.hmac(PREFIX).expect("an HMAC");
            check.fixed::<{ Algorithm::$Type.output_len() }>(&format!("any {name}"), &any);
        )* };
    }
    each!(hmac hmacs);
    check.any("cSHAKE128", 32, &CShake128::new(FunctionName(b"name"), Customization(PREFIX)));
    check.any("cSHAKE256", 64, &CShake256::new(FunctionName(b"name"), Customization(PREFIX)));
    check.any("KMAC128", 32, &Kmac128::new(b"key", Customization(PREFIX)));
    check.any("KMAC256", 64, &Kmac256::new(b"key", Customization(PREFIX)));
    check.any("KT128", 32, &*Kt128::new().update(PREFIX));
    check.any("KT256", 64, &*Kt256::new().update(PREFIX));
    // BLAKE2 with parameters: a key, and an output length that no type has by default.
    macro_rules! keyed {
        ($($module:ident)*) => { $(
            let keyed = hashmill::$module::Params::new().output_len(9).key(b"key").build();
            let keyed = keyed.expect("good parameters");
            check.fixed::<9>(concat!("keyed ", stringify!($module)), &keyed);
            check.fixed::<9>(concat!("any keyed ", stringify!($module)), &AnyHasher::from(keyed));
        )* };
    }
    keyed!(blake2b blake2s blake2bp blake2sp);
}
