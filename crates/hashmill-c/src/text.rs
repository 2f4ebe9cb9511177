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

/// The texts of a list, in its order: a constant cannot use an iterator.
macro_rules! texts {
    ($list:expr, $item:ident => $text:expr) => {{
        let mut texts = [$crate::text::text(""); $list.len()];
        let mut i = 0;
        while i < texts.len() {
            let $item = &$list[i];
            texts[i] = $crate::text::text($text);
            i += 1;
        }
        texts
    }};
}
pub(crate) use texts;

impl Text {
    pub const fn as_ptr(&'static self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}
