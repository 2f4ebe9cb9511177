//! Constant strings for C.

use core::ffi::c_char;

/// A string of at most 127 bytes, which ends with a zero byte.
#[derive(Clone, Copy)]
pub(crate) struct Text([u8; 128]);

pub(crate) const fn text(text: &str) -> Text {
    let mut bytes = [0; 128];
    assert!(text.len() < bytes.len(), "no room for the zero byte");
    bytes.split_at_mut(text.len()).0.copy_from_slice(text.as_bytes());
    Text(bytes)
}

impl Text {
    pub const fn as_ptr(&'static self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}
