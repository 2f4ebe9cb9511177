//! `cargo xtask mutants`: faults that cargo-mutants generates in the library, above the kernels. A
//! test must catch each. `cargo xtask faults` plants the hand-written ones, also in the kernels.

use crate::faults::{copy_workspace, write};
use crate::needs::{self, Missing};
use crate::{Outcome, root, stdout, target};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many mutants are tested, unless an argument says it. If a twentieth of all survives, the share
/// in 19 of 20 samples of 300 is right within 3 percentage points.
const COUNT: usize = 300;

/// The time limit of the build and of the tests of a mutant, each in seconds, because a mutant can
/// cause an endless loop. 180 seconds were too few on a busy machine.
const LONGEST: &str = "600";

/// The tests of the first pass, which are built soonest, and those of the second one, for what
/// survived the first.
const PASSES: [&[&str]; 2] = [&["--lib", "--test=agree"], &["--test=it"]];

/// Plants mutants that a seed chooses: `[COUNT] [SEED]`. The mutants of a smaller count are the
/// first ones of a larger count. `--iterate` skips those that earlier runs have caught.
pub fn mutants(args: &[String]) -> Outcome {
    tools()?;
    let (options, numbers): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| arg.starts_with('-'));
    let number = |at: usize| {
        let wrong = |arg: &&String| format!("{arg:?} is not a number");
        numbers.get(at).map(|arg| arg.parse::<u64>().map_err(|_| wrong(arg))).transpose()
    };
    let count = number(0)?.map_or(COUNT, |count| usize::try_from(count).unwrap_or(usize::MAX));
    let seed = number(1)?.unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);

    let copy = target().join("faults/copy");
    copy_workspace(&copy)?;
    let all = stdout(of_library(&copy).arg("--list"))?;
    let (kernels, mut names): (Vec<&str>, Vec<&str>) =
        all.lines().partition(|name| is_in_kernel(name));
    shuffle(&mut names, seed);
    let (count, of) = (count.min(names.len()), names.len());
    eprintln!("{count} of {of} mutants; to repeat them: cargo xtask mutants {count} {seed}");

    let folder = target().join("mutants");
    if options.is_empty() {
        _ = fs::remove_dir_all(&folder);
    }
    let mut lists = Lists::new(&folder)?;
    for tests in PASSES {
        // cargo-mutants skips those that it finds in this file. Its option for names does not apply
        // to every kind of mutant (27.1).
        let skipped = [&names[count..], &kernels].concat().join("\n") + "\n" + &lists.ended();
        write(&lists.out.join("previously_caught.txt"), skipped.as_bytes())?;
        let mut command = of_library(&copy);
        // The tests pass without a mutant: that is what `cargo xtask test` is for.
        command.args(["--in-place", "--baseline", "skip", "--timeout", LONGEST, "--iterate"]);
        command.args(tests.iter().flat_map(|test| ["--cargo-arg", test]));
        command.arg("--output").arg(&folder);
        command.env("CARGO_TARGET_DIR", target().join("faults/build"));
        let status = command.status().map_err(|e| format!("cargo mutants: {e}"))?;
        lists.add();
        // Success, mutants that survived, and mutants whose tests did not end.
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!(
                "cargo mutants: {status}; its logs are in {}",
                lists.out.display()
            ));
        }
    }
    lists.report(&names[..count])
}

/// The mutants that need no further test.
struct Lists {
    /// cargo-mutants' lists of its last run.
    out: PathBuf,
    /// Those that a test caught, those whose tests did not end, and those that rustc refused. The names
    /// of each kind come one in a line.
    lists: [(&'static str, PathBuf, String); 3],
}

impl Lists {
    /// Continues with the lists in a folder, if there are any.
    fn new(folder: &Path) -> Result<Self, String> {
        let out = folder.join("mutants.out");
        fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
        let lists = ["caught", "timeout", "unviable"].map(|kind| {
            let file = folder.join(kind).with_extension("txt");
            let names = fs::read_to_string(&file).unwrap_or_default();
            (kind, file, names)
        });
        let mut lists = Lists { out, lists };
        lists.add();
        Ok(lists)
    }

    /// Adds what the last run of cargo-mutants has found.
    fn add(&mut self) {
        for (kind, file, names) in &mut self.lists {
            let found = fs::read_to_string(self.out.join(kind).with_extension("txt"));
            for name in found.unwrap_or_default().lines() {
                if !names.lines().any(|it| it == name) {
                    names.push_str(name);
                    names.push('\n');
                }
            }
            _ = fs::write(file, names);
        }
    }

    fn ended(&self) -> String {
        self.lists.iter().map(|(_, _, names)| names.as_str()).collect()
    }

    /// Prints how many mutants had which end, and those that survived, which are an error.
    fn report(&self, chosen: &[&str]) -> Outcome {
        let ends = self.lists.each_ref().map(|(_, _, names)| {
            chosen.iter().filter(|name| names.lines().any(|it| it == **name)).count()
        });
        let ended = self.ended();
        let survivors: Vec<&str> =
            chosen.iter().filter(|name| !ended.lines().any(|it| it == **name)).copied().collect();
        let [caught, late, unviable] = ends;
        println!(
            "of {} mutants {caught} made a test fail, {late} did not end in {LONGEST} s, \
             {unviable} did not compile, {} survived",
            chosen.len(),
            survivors.len()
        );
        survivors.iter().for_each(|name| println!("survived: {name}"));
        // Too slow a machine also ends here.
        self.lists[1].2.lines().for_each(|name| println!("did not end: {name}"));
        match survivors.len() {
            0 => Ok(()),
            count => Err(format!("{count} mutants survived")),
        }
    }
}

fn tools() -> Result<(), Missing> {
    match needs::succeeds(Command::new(env!("CARGO")).args(["mutants", "--version"])) {
        true => Ok(()),
        false => {
            let install = "cargo install --locked cargo-mutants";
            Err(Missing::new("cargo mutants does not start", install))
        }
    }
}

/// Returns the command for the library in a copy of the workspace.
fn of_library(copy: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(["mutants", "--package", "hashmill", "--colors", "never", "--dir"]).arg(copy);
    command.arg("--config").arg(root().join(".cargo/mutants.toml")).current_dir(root());
    command
}

/// Whether a mutant is in a kernel or below one. Most of their text is in macros, which
/// cargo-mutants does not read.
fn is_in_kernel(name: &str) -> bool {
    let file = name.split(':').next().unwrap_or_default();
    let stem = file.rsplit('/').next().unwrap_or_default();
    file.contains("/simd")
        || ["kernel", "x86_", "aarch64_", "constants"].iter().any(|it| stem.starts_with(it))
}

/// Puts the items into the order that the seed chooses, by SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014) and Fisher and Yates' method. The bias of the
/// remainder is less than 2⁻⁵⁰.
fn shuffle<T>(items: &mut [T], mut seed: u64) {
    for at in 0..items.len() {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = seed;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        items.swap(at, at + (z % (items.len() - at) as u64) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_chooses_an_order() {
        let order = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn kernels_are_left_out() {
        assert!(is_in_kernel("crates/hashmill/src/blake2/x86_rows.rs:1:2: replace a -> b"));
        assert!(is_in_kernel("crates/hashmill/src/simd.rs:36:33: replace << with >>"));
        assert!(!is_in_kernel("crates/hashmill/src/lanes.rs:1:2: replace a in kernel"));
    }
}
