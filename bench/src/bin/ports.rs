//! Measures the latency of vector instructions of 512 bits, and how many of them begin in a cycle.
//!
//! The clock is a chain of scalar additions, each of which takes one cycle. Each figure is the best
//! of 50 rounds. The loop and the call around the instructions cost up to 3 %.

fn main() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the CPU has AVX-512.
        return unsafe { x86::measure() };
    }
    println!("This CPU has no AVX-512.");
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;
    use std::time::Instant;

    /// Instructions in a repetition.
    const INSTRUCTIONS: u32 = 480;
    const REPETITIONS: u32 = 200;

    /// Returns the nanoseconds that an instruction takes.
    fn time(run: impl Fn()) -> f64 {
        let once = || {
            let start = Instant::now();
            (0..REPETITIONS).for_each(|_| run());
            start.elapsed().as_nanos() as f64 / f64::from(REPETITIONS * INSTRUCTIONS)
        };
        (0..50).map(|_| once()).fold(f64::MAX, f64::min)
    }

    /// Prints the figures of an instruction. `\r` is the register of a chain of dependent ones: one
    /// chain shows the latency, and twelve chains side by side show how many begin in a cycle.
    macro_rules! instruction {
        ($cycle:expr, $name:literal, $text:literal) => {{
            // SAFETY: the text uses vector registers alone.
            let one = time(|| unsafe {
                asm!(".rept 480", ".irp r, 1", $text, ".endr", ".endr",
                    out("zmm1") _, options(nomem, nostack))
            });
            // SAFETY: as above.
            let twelve = time(|| unsafe {
                asm!(".rept 40", ".irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", $text, ".endr",
                    ".endr", out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _,
                    out("zmm5") _, out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _,
                    out("zmm10") _, out("zmm11") _, out("zmm12") _, options(nomem, nostack))
            });
            println!("{:28} {:8.2} {:12.2}", $name, one / $cycle, $cycle / twelve);
        }};
    }

    #[target_feature(enable = "avx512f")]
    pub fn measure() {
        // SAFETY: the text uses two scalar registers alone. An addition of a constant would not do,
        // because a CPU may carry it out when it renames registers.
        let cycle = time(|| unsafe {
            asm!(".rept 480", "add {x}, {y}", ".endr", x = out(reg) _, y = in(reg) 1u64,
                options(nomem, nostack))
        });
        println!("{:28} {:>8} {:>12}", format!("{:.2} GHz", 1.0 / cycle), "latency", "each cycle");
        instruction!(cycle, "addition, 32 bits", "vpaddd zmm\\r, zmm\\r, zmm30");
        instruction!(cycle, "addition, 64 bits", "vpaddq zmm\\r, zmm\\r, zmm30");
        instruction!(cycle, "exclusive or", "vpxorq zmm\\r, zmm\\r, zmm30");
        instruction!(cycle, "ternary logic", "vpternlogq zmm\\r, zmm30, zmm31, 0x96");
        instruction!(
            cycle,
            "ternary logic on a copy",
            "vmovdqa64 zmm\\r, zmm29; vpternlogq zmm\\r, zmm30, zmm31, 0x96"
        );
        instruction!(cycle, "rotation, 32 bits", "vprord zmm\\r, zmm\\r, 7");
        instruction!(cycle, "rotation, 64 bits", "vprorq zmm\\r, zmm\\r, 7");
        instruction!(cycle, "shift, 32 bits", "vpsrld zmm\\r, zmm\\r, 3");
        instruction!(cycle, "shuffle of words in quarters", "vpshufd zmm\\r, zmm\\r, 0x4e");
        instruction!(cycle, "permutation of two vectors", "vpermt2q zmm\\r, zmm30, zmm31");
    }
}
