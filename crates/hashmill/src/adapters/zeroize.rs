//! `ZeroizeOnDrop`, the promise that a value's memory is overwritten when it is dropped.

#![forbid(unsafe_code)]

use crate::algorithm::each_function;
use crate::{AnyHasher, AnyHmac, Exported, Hasher, Hmac, XofReader};
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

impl<H: Hasher> ZeroizeOnDrop for Hmac<H> {}
impl ZeroizeOnDrop for AnyHasher {}
impl ZeroizeOnDrop for AnyHmac {}
impl ZeroizeOnDrop for Exported {}
impl ZeroizeOnDrop for XofReader {}
