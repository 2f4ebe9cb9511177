//! Macros over the types and functions of every algorithm.
#![allow(unused_macros, reason = "not every program needs it")]

/// Calls the macro `$each` with every type and its function, from the library's list. `fixed` passes
/// the algorithms of fixed output length, `xof` the XOFs, both after the tokens `$first`. `both`
/// passes both lists.
macro_rules! each {
    (@$which:ident $each:ident [$($first:tt)*]
     fixed { $($Fixed:ident = $f:literal, $fixed:ident, $FixedType:ty;)* }
     xof { $($Xof:ident = $x:literal, $xof:ident, $XofType:ty;)* }) => {
        each! { @$which $each [$($first)*] [$($Fixed $fixed,)*] [$($Xof $xof,)*] }
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
    ($which:ident $each:ident $($first:tt)*) => {
        hashmill::functions! { each @$which $each [$($first)*] }
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
