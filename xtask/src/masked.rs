//! Tests the packaged program on CPUs that lack instructions which this
//! machine may have. qemu traps every instruction that the emulated CPU does not have, so a program
//! that uses a missing instruction dies. The short run uses the program that the tests have built,
//! because linking the packaged program takes as long as everything else here.

use crate::prelude::*;
use std::collections::BTreeSet;

/// An emulated CPU: qemu's name for it, the backends that the program must find, and those that it
/// must not find. Whether it finds the others depends on the version of qemu.
struct Cpu {
    model: &'static str,
    has: &'static [&'static str],
    lacks: &'static [&'static str],
}

const AVX512: [&str; 3] = ["avx512", "avx512vl", "sha512"];
const ALL: &[&str] = &["avx512", "avx512vl", "sha512", "sha", "avx2", "bmi2"];
const VECTORS: &[&str] = &["avx512", "avx512vl", "sha512", "avx2"];

const CPUS: &[Cpu] = &[
    Cpu { model: "qemu64", has: &[], lacks: ALL },
    Cpu { model: "Nehalem", has: &[], lacks: ALL },
    // AVX, but not AVX2.
    Cpu { model: "SandyBridge", has: &[], lacks: ALL },
    Cpu { model: "Haswell", has: &["avx2", "bmi2"], lacks: &AVX512 },
    // Has AVX2, but the operating system does not save its registers.
    Cpu { model: "Haswell,-xsave", has: &["bmi2"], lacks: VECTORS },
    Cpu { model: "max", has: &["avx2", "bmi2"], lacks: &[] },
    Cpu { model: "max,-bmi2", has: &["avx2"], lacks: &["bmi2"] },
    Cpu { model: "max,-avx2", has: &["bmi2"], lacks: &["avx2", "avx512", "avx512vl"] },
    Cpu { model: "max,-avx", has: &["bmi2"], lacks: VECTORS },
    Cpu { model: "max,-xsave", has: &["bmi2"], lacks: VECTORS },
    // The compiler assumes these where there is AVX2.
    Cpu { model: "max,-ssse3", has: &["bmi2"], lacks: VECTORS },
    Cpu { model: "max,-sse4.1", has: &["bmi2"], lacks: VECTORS },
    Cpu { model: "max,-sse4.2", has: &["bmi2"], lacks: VECTORS },
];

pub fn masked() -> Outcome {
    cargo("build --profile dist --bin hashmill")?;
    play(&target().join("dist/hashmill"))
}

/// Tests all CPUs with the program that the tests build.
pub fn briefly() -> Outcome {
    cargo(&format!("{PROGRAM} --no-run"))?;
    play(&target().join("debug/hashmill"))
}

fn play(hashmill: &Path) -> Outcome {
    let qemu = needs::qemu()?;
    let files = files()?;
    // Only the library's own algorithms: the program takes its other algorithms from other
    // libraries.
    let tested = stdout(cmd!("{} self-test", hashmill))?;
    let algorithms: BTreeSet<&str> =
        tested.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    // Digests of all files by every algorithm, on the named backend if the CPU has it.
    let sums = |mut hashmill: Command, backend: &str| {
        hashmill.arg("sum").env("HASHMILL_BACKEND", backend);
        hashmill.args(algorithms.iter().flat_map(|algorithm| ["-a", algorithm]));
        hashmill.arg("-r").arg(&files);
        hashmill
    };
    let expected = stdout(sums(cmd!("{}", hashmill), "portable"))?;
    for cpu in CPUS {
        let on_cpu = || cmd!("{} -cpu {} {}", qemu, cpu.model, hashmill);
        cpu.check(&on_cpu, &sums, &expected).map_err(|e| format!("{}: {e}", cpu.model))?;
    }
    Ok(())
}

impl Cpu {
    fn check(
        &self,
        on_cpu: &dyn Fn() -> Command,
        sums: &dyn Fn(Command, &str) -> Command,
        expected: &str,
    ) -> Outcome {
        // Test every algorithm on every available backend, for one message and for many.
        let tested = stdout(on_cpu().arg("self-test"))?;
        let found: BTreeSet<&str> =
            tested.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
        eprintln!("{}: {}", self.model, found.iter().copied().collect::<Vec<_>>().join(", "));
        for name in self.has {
            ensure(found.contains(name), format!("{name} was not found"))?;
        }
        for name in self.lacks {
            ensure(!found.contains(name), format!("{name} was found"))?;
        }
        // Test the backends that the program chooses by itself.
        let same = stdout(sums(on_cpu(), ""))? == expected;
        ensure(same, "`hashmill sum` gave other digests")?;
        // A requested backend must not run on a CPU that cannot run it.
        for name in self.lacks {
            let output = output(sums(on_cpu(), name))?;
            let refused = output.stderr.contains("this CPU cannot run");
            let refused = refused && output.status.code() == Some(1) && output.stdout.is_empty();
            ensure(refused, format!("HASHMILL_BACKEND={name} was not refused: {output:?}"))?;
        }
        Ok(())
    }
}

/// Writes small files, which the program hashes in lanes, and large ones.
fn files() -> Result<PathBuf, String> {
    let dir = target().join("tmp/masked");
    for (i, len) in (0..40).map(|i| i * i * 3).chain([100_000, 1 << 20]).enumerate() {
        let content: Vec<u8> = (0..251).cycle().skip(i).take(len).collect();
        write(dir.join(format!("{i:02}")), content)?;
    }
    Ok(dir)
}
