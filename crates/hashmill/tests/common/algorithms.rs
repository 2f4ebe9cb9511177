//! Macros over the types and functions of every algorithm.
#![allow(unused_macros, reason = "not every program needs it")]

/// Calls the macro `$each` with every type and its function, from the library's list. `fixed` passes
/// the algorithms of fixed output length, `hmac` those of them with HMAC, `xof` the XOFs, all after
/// the tokens `$first`. `both` passes the first and the last list.
macro_rules! each {
    (@$which:ident $each:ident [$($first:tt)*]
     fixed { $($Fixed:ident = $f:literal, $fixed:ident, $FixedType:ty $(, $_of_fixed:literal)?;)* }
     no_hmac { $($Bare:ident = $b:literal, $bare:ident, $BareType:ty $(, $_of_bare:literal)?;)* }
     xof { $($Xof:ident = $x:literal, $xof:ident, $XofType:ty $(, $_of_xof:literal)?;)* }) => {
        each! {
            @of_any_length [$which $each [$($first)*] [$($Fixed $fixed,)*]
            [$($Fixed $fixed,)* $($Bare $bare,)*]] [] $($Xof $xof,)*
        }
    };
    // The function of BLAKE3 whose output may have any length has another name.
    (@of_any_length $lists:tt [$($done:tt)*] Blake3 blake3, $($rest:tt)*) => {
        each! { @of_any_length $lists [$($done)* Blake3 blake3_xof,] $($rest)* }
    };
    (@of_any_length $lists:tt [$($done:tt)*] $Xof:ident $xof:ident, $($rest:tt)*) => {
        each! { @of_any_length $lists [$($done)* $Xof $xof,] $($rest)* }
    };
    (@of_any_length [$which:ident $each:ident $first:tt $hmac:tt $fixed:tt] $xof:tt) => {
        each! { @$which $each $first $hmac $fixed $xof }
    };
    (@hmac $each:ident [$($first:tt)*] [$($hmac:tt)*] [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { $($first)* $($hmac)* }
    };
    (@fixed $each:ident [$($first:tt)*] $hmac:tt [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { $($first)* $($fixed)* }
    };
    (@xof $each:ident [$($first:tt)*] $hmac:tt [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { $($first)* $($xof)* }
    };
    (@both $each:ident [] $hmac:tt [$($fixed:tt)*] [$($xof:tt)*]) => {
        $each! { fixed { $($fixed)* } xof { $($xof)* } }
    };
    ($which:ident $each:ident $($first:tt)*) => {
        hashmill::functions! { each @$which $each [$($first)*] }
    };
}

/// Evaluates `$body` with `$H` as the name of the type of `$algorithm`, which must have HMAC.
macro_rules! with {
    ($algorithm:expr, $H:ident => $body:expr) => {
        each! { hmac with @$algorithm, $H => $body, }
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     $($Type:ident $function:ident,)*) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            other => panic!("{other} has no HMAC"),
        }
    };
}
