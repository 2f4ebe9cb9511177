//! Code that is generic over the hash function of HMAC.

/// Evaluates `$body`, a result, in which `$H` is the hasher type of `$algorithm`, a function that
/// HMAC is defined for. This is a macro because `$body` uses the variables around it, and no closure
/// is generic over a type.
macro_rules! with_hmac {
    ($algorithm:expr, $H:ident => $body:expr) => {
        hashmill::functions!(with_hmac @$algorithm, $H => $body,)
    };
    (@$algorithm:expr, $H:ident => $body:expr,
     fixed { $($Type:ident = $code:literal, $function:ident, $Function:ident $(<$n:literal>)? $(, $feature:literal)?;)* }
     no_hmac $bare:tt
     xof $xof:tt) => {
        match $algorithm {
            $(hashmill::Algorithm::$Type => {
                type $H = hashmill::$Type;
                $body
            })*
            _ => Err($crate::status::Failure::from(hashmill::Error::NoHmac)),
        }
    };
}
