//! `ZeroizeOnDrop`, the promise that a value's memory is overwritten when it is dropped.

#![forbid(unsafe_code)]

use crate::algorithm::each_function;
use crate::{AnyHasher, AnyHmac, Exported, Hasher, Hkdf, Hmac, TupleElement, XofReader};
use zeroize::ZeroizeOnDrop;

macro_rules! fixed {
    ($Type:ident, $function:ident, $name:literal, $output:literal, $block:literal) => {
        impl ZeroizeOnDrop for crate::$Type {}
    };
}

macro_rules! xof {
    ($Type:ident, $function:ident, $name:literal) => {
        impl ZeroizeOnDrop for crate::$Type {}
    };
}

each_function!(fixed, xof);

macro_rules! others {
    ($($Type:ident)*) => { $(impl ZeroizeOnDrop for crate::$Type {})* };
}

others! {
    Kt128 Kt256 CShake128 CShake256 Kmac128 Kmac256
    TupleHash128 TupleHash256 ParallelHash128 ParallelHash256
}

impl ZeroizeOnDrop for TupleElement<'_> {}
impl<H: Hasher> ZeroizeOnDrop for Hmac<H> {}
impl<H: Hasher> ZeroizeOnDrop for Hkdf<H> {}
impl ZeroizeOnDrop for AnyHasher {}
impl ZeroizeOnDrop for AnyHmac {}
impl ZeroizeOnDrop for Exported {}
impl ZeroizeOnDrop for XofReader {}
