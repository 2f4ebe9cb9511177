//! The entry to a function of the C interface: its arguments, its status, and panics.

use crate::status::Failure;
use core::ffi::c_int;

/// Runs `call` and returns its status. With the feature `std` a panic becomes
/// [`Failure::INTERNAL`]; without it a panic aborts the program.
#[inline(always)]
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    #[cfg(feature = "std")]
    let outcome =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_or_else(|panic| {
            // Dropping the panic's payload might panic again.
            core::mem::forget(panic);
            Err(Failure::INTERNAL)
        });
    #[cfg(not(feature = "std"))]
    let outcome = call();
    match outcome {
        Ok(()) => 0,
        Err(Failure(status)) => status,
    }
}

/// Runs `call` as [`guard`] does, then overwrites up to 24 KiB of the stack that `call` used: a
/// hasher with a key is moved to the caller's context, and each move leaves a copy on the stack.
pub(crate) fn guard_keyed(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    hashmill::run_wiped(24 * 1024, || guard(call))
}

/// Defines functions of `hashmill.h` that return a status. Write `keyed` before `fn` if a key is
/// among the arguments. An argument of type `&[u8]`, `&[Message]` or `Out` is two arguments in C,
/// an address and a length.
macro_rules! entry {
    () => {};
    ($(#[$meta:meta])* fn $name:ident($($args:tt)*) $body:block $($more:tt)*) => {
        entry! { @ [guard, $name, $(#[$meta])* #[unsafe(no_mangle)]] [] [] ($($args)*,) $body }
        entry! { $($more)* }
    };
    ($(#[$meta:meta])* keyed fn $name:ident($($args:tt)*) $body:block $($more:tt)*) => {
        entry! { @ [guard_keyed, $name, $(#[$meta])* #[unsafe(no_mangle)]] [] [] ($($args)*,) $body }
        entry! { $($more)* }
    };
    (@ $head:tt [$($params:tt)*] [$($slices:tt)*] ($arg:ident: &[u8], $($args:tt)*) $body:block) => {
        entry! { @ $head
            [$($params)* $arg: *const core::ffi::c_void, len: usize,]
            [$($slices)* let $arg = $crate::memory::array($arg.cast::<u8>(), len)?;]
            ($($args)*) $body
        }
    };
    (@ $head:tt [$($params:tt)*] [$($slices:tt)*] ($arg:ident: &[Message], $($args:tt)*) $body:block) => {
        entry! { @ $head
            [$($params)* $arg: *const $crate::memory::Bytes, count: usize,]
            [$($slices)* let $arg = $crate::memory::messages($arg, count)?;]
            ($($args)*) $body
        }
    };
    (@ $head:tt [$($params:tt)*] [$($slices:tt)*] ($arg:ident: Out, $($args:tt)*) $body:block) => {
        entry! { @ $head
            [$($params)* $arg: *mut core::ffi::c_void, len: usize,]
            [$($slices)* let $arg = $crate::memory::Out { data: $arg, len };]
            ($($args)*) $body
        }
    };
    (@ $head:tt [$($params:tt)*] $slices:tt ($arg:ident: $Type:ty, $($args:tt)*) $body:block) => {
        entry! { @ $head [$($params)* $arg: $Type,] $slices ($($args)*) $body }
    };
    (
        @ [$guard:ident, $name:ident, $(#[$meta:meta])*] [$($params:tt)*] [$($slices:tt)*] ($(,)?)
        $body:block
    ) => {
        $(#[$meta])*
        ///
        /// # Safety
        /// As `hashmill.h` requires: each pointer is NULL, or valid for its type and for the length
        /// that belongs to it.
        pub unsafe extern "C" fn $name($($params)*) -> core::ffi::c_int {
            // SAFETY: the body requires only what the caller promises.
            #[allow(unused_unsafe, reason = "some bodies only pass the pointers on")]
            $crate::entry::$guard(|| unsafe {
                $($slices)*
                $body
                Ok(())
            })
        }
    };
}
