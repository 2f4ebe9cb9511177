//! How a vector's operations are declared. A file of its own because the words use it, and
//! `kernel.rs`, which names the words, stands above them.

/// The operations of a word, each with the instruction sets that it needs. They are inlined into
/// the functions of kernels, which have the same, because a function with target features is
/// inlined only where the caller has them too.
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
