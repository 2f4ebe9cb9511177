//! The registers of the process that uses the keys, as they are when the library returns. They are
//! written to memory, where the other process searches for secrets.

use std::arch::asm;
use std::cell::UnsafeCell;

/// 32 vector registers of 64 bytes, then eight general registers.
type Registers = [u8; 32 * 64 + 8 * 8];

#[repr(align(64))]
struct Shared<T>(UnsafeCell<T>);
// SAFETY: the process has one thread.
unsafe impl<T> Sync for Shared<T> {}

static NOW: Shared<Registers> = Shared(UnsafeCell::new([0; 32 * 64 + 8 * 8]));
/// The last ones, in a ring.
static ALL: Shared<([Registers; 256], usize)> =
    Shared(UnsafeCell::new(([[0; 32 * 64 + 8 * 8]; 256], 0)));

/// Writes the registers as they are now.
#[inline(always)]
pub fn write() {
    // SAFETY: the assembly writes to `NOW` alone. This CPU has the instructions. One thread
    // reads and writes the statics.
    unsafe {
        if std::is_x86_feature_detected!("avx512f") {
            asm!(
                ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "vmovdqu64 [rip + {now} + 64 * \\r], zmm\\r",
                ".endr",
                ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "vmovdqu64 [rip + {now} + 64 * \\r], zmm\\r",
                ".endr",
                now = sym NOW,
                options(nostack, preserves_flags),
            );
        } else {
            asm!(
                ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movdqu [rip + {now} + 64 * \\r], xmm\\r",
                ".endr",
                now = sym NOW,
                options(nostack, preserves_flags),
            );
        }
        asm!(
            "mov [rip + {now} + 2048], rcx",
            "mov [rip + {now} + 2056], rdx",
            "mov [rip + {now} + 2064], rsi",
            "mov [rip + {now} + 2072], rdi",
            "mov [rip + {now} + 2080], r8",
            "mov [rip + {now} + 2088], r9",
            "mov [rip + {now} + 2096], r10",
            "mov [rip + {now} + 2104], r11",
            now = sym NOW,
            options(nostack, preserves_flags),
        );
    }
    keep();
}

#[inline(never)]
fn keep() {
    // SAFETY: as above.
    let (all, next) = unsafe { &mut *ALL.0.get() };
    // SAFETY: as above.
    all[*next % 256] = unsafe { *NOW.0.get() };
    *next += 1;
}

/// Forgets all registers.
pub fn clear() {
    // SAFETY: as above.
    let (all, next) = unsafe { &mut *ALL.0.get() };
    all.iter_mut().for_each(|registers| registers.fill(0));
    *next = 0;
}
