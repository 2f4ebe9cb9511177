//! The macro that declares the operations of a vector. It has its own file because the words use
//! it, and `kernel.rs`, which names the words, is in a higher layer.

/// Declares the operations of a word, with the instruction sets that they need. They are inlined
/// into the functions of kernels, which have the same target features; a function with target
/// features is inlined only into a caller that has them, too.
macro_rules! operations {
    ($features:literal, $W:ident { $(
        $(#[$meta:meta])* $vis:vis fn $name:ident $(<$(const $N:ident: $T:ty),*>)? ($($args:tt)*) $(-> $ret:ty)? $body:block
    )* }) => {
        #[allow(dead_code, reason = "every word has every operation; not every kernel needs each")]
        impl $W { $(
            $(#[$meta])* #[inline] #[target_feature(enable = $features)]
            $vis fn $name $(<$(const $N: $T),*>)? ($($args)*) $(-> $ret)? $body
        )* }
    };
}
