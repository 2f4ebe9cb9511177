//! The types and functions of every algorithm, for the macros of the tests.
#![allow(unused_macros, reason = "not every program needs it")]

/// Calls a macro with every type and its functions: those of fixed length or the XOFs, after what else it is to
/// be given, or with both.
macro_rules! each {
    ($which:ident $each:ident $($first:tt)*) => {
        each! {
            @$which $each [$($first)*]
            [
                Sha224 sha224 sha224_offsets sha224_rows,
                Sha256 sha256 sha256_offsets sha256_rows,
                Sha384 sha384 sha384_offsets sha384_rows,
                Sha512 sha512 sha512_offsets sha512_rows,
                Sha512_224 sha512_224 sha512_224_offsets sha512_224_rows,
                Sha512_256 sha512_256 sha512_256_offsets sha512_256_rows,
                Sha3_224 sha3_224 sha3_224_offsets sha3_224_rows,
                Sha3_256 sha3_256 sha3_256_offsets sha3_256_rows,
                Sha3_384 sha3_384 sha3_384_offsets sha3_384_rows,
                Sha3_512 sha3_512 sha3_512_offsets sha3_512_rows,
                Blake2b blake2b blake2b_offsets blake2b_rows,
                Blake2s blake2s blake2s_offsets blake2s_rows,
                Blake2bp blake2bp blake2bp_offsets blake2bp_rows,
                Blake2sp blake2sp blake2sp_offsets blake2sp_rows,
            ]
            [
                Shake128 shake128 shake128_offsets shake128_rows,
                Shake256 shake256 shake256_offsets shake256_rows,
                TurboShake128 turboshake128 turboshake128_offsets turboshake128_rows,
                TurboShake256 turboshake256 turboshake256_offsets turboshake256_rows,
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

/// The type of an algorithm of fixed output length, under one name.
macro_rules! with {
    ($algorithm:expr, $H:ident => $body:expr) => {
        each! { fixed with @$algorithm, $H => $body, }
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     $($Type:ident $function:ident $offsets:ident $rows:ident,)*) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            other => panic!("{other} has no fixed output length"),
        }
    };
}
