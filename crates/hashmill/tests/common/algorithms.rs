//! Macros over the types and functions of every algorithm.
#![allow(unused_macros, reason = "not every program needs it")]

/// Calls the macro `$each` with every type and its function. `fixed` passes the algorithms of fixed
/// output length, `xof` the XOFs, both after the tokens `$first`. `both` passes both lists.
macro_rules! each {
    ($which:ident $each:ident $($first:tt)*) => {
        each! {
            @$which $each [$($first)*]
            [
                Sha224 sha224,
                Sha256 sha256,
                Sha384 sha384,
                Sha512 sha512,
                Sha512_224 sha512_224,
                Sha512_256 sha512_256,
                Sha3_224 sha3_224,
                Sha3_256 sha3_256,
                Sha3_384 sha3_384,
                Sha3_512 sha3_512,
                Blake2b blake2b,
                Blake2s blake2s,
                Blake2bp blake2bp,
                Blake2sp blake2sp,
                Keccak256 keccak256,
            ]
            [
                Shake128 shake128,
                Shake256 shake256,
                TurboShake128 turboshake128,
                TurboShake256 turboshake256,
            ]
        }
    };
    (@fixed $each:ident [$($first:tt)*] [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { $($first)* $($fixed)* }
    };
    (@xof $each:ident [$($first:tt)*] [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { $($first)* $($xof)* }
    };
    (@both $each:ident [] [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { fixed { $($fixed)* } xof { $($xof)* } }
    };
}

/// Evaluates `$body` with `$H` as the name of the type of `$algorithm`, which must have a fixed
/// output length.
macro_rules! with {
    ($algorithm:expr, $H:ident => $body:expr) => {
        each! { fixed with @$algorithm, $H => $body, }
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     $($Type:ident $function:ident,)*) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            other => panic!("{other} has no fixed output length"),
        }
    };
}
