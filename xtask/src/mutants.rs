//! `cargo xtask mutants`: faults that cargo-mutants generates in the library, above the kernels. A
//! test must catch each. `cargo xtask faults` plants the hand-written ones, also in the kernels.
//!
//! A build for every mutant takes longer than its tests. So all mutants are compiled together, each
//! behind a condition (`weave.rs`), and the variable `MUTANT` of the environment chooses one when
//! the tests run. A mutant in code that only the compiler evaluates needs a build of its own.

mod explained;
mod weave;

use crate::faults::copy_workspace;
use crate::files::{failed, read, write};
use crate::needs::{self, Found};
use crate::{Outcome, cmd, output, root, stdout, target};
use explained::reason;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use weave::{Mutant, Woven, weave};

/// How many mutants are tested, unless an argument says it. If a twentieth of all survives, the share
/// in 19 of 20 samples of 300 is right within 3 percentage points.
const COUNT: usize = 300;

/// The time limit of a test program, because a mutant can cause an endless loop. Without one the
/// longest, `agree`, takes 280 s on a busy Xeon.
const LONGEST: Duration = Duration::from_secs(900);

/// The test programs, by cargo's arguments for them, and which tests run. The quickest come first.
const PROGRAMS: [(&str, Tests); 4] = [
    ("--lib", Tests::All),
    ("--test it", Tests::Quick),
    ("--test agree", Tests::All),
    ("--test it", Tests::Slow),
];

/// The modules of `it` with slow tests.
const SLOW: [&str; 5] = ["adapters::", "const_eval::", "vectors::", "history::", "scale::"];

#[derive(Clone, Copy, Debug)]
enum Tests {
    All,
    Quick,
    Slow,
}

impl Tests {
    /// The arguments of the test program.
    fn args(self) -> Vec<String> {
        match self {
            Tests::All => Vec::new(),
            Tests::Quick => SLOW.map(|module| format!("--skip={module}")).to_vec(),
            Tests::Slow => SLOW.map(str::to_owned).to_vec(),
        }
    }
}

/// Plants mutants that a seed chooses: `[COUNT] [SEED]`. The mutants of a smaller count are the
/// first ones of a larger count. `--iterate` skips those that earlier runs have tested.
pub fn mutants(args: &[String]) -> Outcome {
    tools()?;
    let (options, numbers): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| arg.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != "--iterate") {
        return Err(format!("unknown option {unknown:?}; there is --iterate"));
    }
    let number = |at: usize| {
        let wrong = |arg: &&String| format!("{arg:?} is not a number");
        numbers.get(at).map(|arg| arg.parse::<u64>().map_err(|_| wrong(arg))).transpose()
    };
    let count = number(0)?.map_or(COUNT, |count| usize::try_from(count).unwrap_or(usize::MAX));
    let seed = number(1)?.unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);

    let folder = target().join("mutants");
    let copy = folder.join("copy");
    copy_workspace(&copy)?;
    let list = "cargo mutants --list --package hashmill --colors never --dir {} --config {}";
    let all = stdout(cmd!(list, copy, root().join(".cargo/mutants.toml")))?;
    let mut names: Vec<&str> = all.lines().filter(|name| !is_in_kernel(name)).collect();
    shuffle(&mut names, seed);
    let (count, of) = (count.min(names.len()), names.len());
    eprintln!("{count} of {of} mutants; to repeat them: cargo xtask mutants {count} {seed}");

    let ends = Ends::open(folder.join("ends.txt"), options.is_empty())?;
    if names[..count].iter().all(|name| ends.has(name)) {
        return ends.report(&names[..count]);
    }
    let mut build = Build::new(&copy, &names[..count])?;
    let programs = build.programs()?;
    for number in build.left_out.iter().copied() {
        ends.add(build.names[number], "does not compile")?;
    }
    let reached = programs.iter().map(|it| it.reaches(&folder)).collect::<Result<Vec<_>, _>>()?;
    let open = |number: &usize| !build.left_out.contains(number) && !ends.has(build.names[*number]);
    let (at_run_time, never): (Vec<usize>, Vec<usize>) = (0..count)
        .filter(open)
        .partition(|number| reached.iter().any(|reached| reached.contains(number)));
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let test = || -> Outcome {
        while let Some(&number) = at_run_time.get(next.fetch_add(1, Relaxed)) {
            let reaching = programs.iter().zip(&reached).filter(|(_, it)| it.contains(&number));
            let end = end(reaching.map(|(program, _)| program), Some(number))?;
            ends.add(build.names[number], &end)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(test)).collect();
        threads.into_iter().try_for_each(|it| it.join().expect("no panic"))
    })?;
    for number in never {
        let end = match build.compiled_with(number)? {
            None => "does not compile".to_owned(),
            Some(programs) => end(programs.iter(), None)?,
        };
        ends.add(build.names[number], &end)?;
    }
    ends.report(&names[..count])
}

/// How the tests of each mutant ended, in memory and in a file.
struct Ends {
    file: PathBuf,
    ends: Mutex<BTreeMap<String, String>>,
}

const SURVIVED: &str = "survived";

impl Ends {
    fn open(file: PathBuf, anew: bool) -> Result<Self, String> {
        if anew || !file.exists() {
            write(&file, "")?;
        }
        let text = read(&file)?;
        let ends = text.lines().filter_map(|line| line.split_once(" = "));
        let ends = ends.map(|(end, name)| (name.to_owned(), end.to_owned())).collect();
        Ok(Ends { file, ends: Mutex::new(ends) })
    }

    fn has(&self, name: &str) -> bool {
        self.ends.lock().unwrap().contains_key(name)
    }

    fn add(&self, name: &str, end: &str) -> Outcome {
        let mut ends = self.ends.lock().unwrap();
        if ends.insert(name.to_owned(), end.to_owned()).is_none() {
            eprintln!("{}: {end} = {name}", ends.len());
            let file = OpenOptions::new().append(true).open(&self.file);
            file.and_then(|mut it| writeln!(it, "{end} = {name}")).map_err(failed(&self.file))?;
        }
        Ok(())
    }

    /// Prints how many mutants had which end, and those that survived. If one of these has no
    /// explanation, that is an error.
    fn report(&self, chosen: &[&str]) -> Outcome {
        let ends = self.ends.lock().unwrap();
        let of = |end: &str| chosen.iter().filter(|&&name| ends[name].starts_with(end)).count();
        println!(
            "of {} mutants {} made a test fail, {} did not end in {} s, {} did not compile, \
             {} survived",
            chosen.len(),
            of("caught by "),
            of("endless in "),
            LONGEST.as_secs(),
            of("does not compile"),
            of(SURVIVED),
        );
        let mut unexplained = 0;
        for &name in chosen.iter().filter(|&&name| ends[name] == SURVIVED) {
            let why = Mutant::parse(name).and_then(|mutant| reason(&mutant));
            unexplained += usize::from(why.is_none());
            println!("{name}: {}", why.unwrap_or("**nothing explains it**"));
        }
        match unexplained {
            0 => Ok(()),
            count => Err(format!("{count} mutants survived, and nothing explains it")),
        }
    }
}

/// Runs the programs until one fails.
fn end<'p>(
    programs: impl Iterator<Item = &'p Program>,
    number: Option<usize>,
) -> Result<String, String> {
    for program in programs {
        match program.test(number)? {
            Answer::Passed => {}
            Answer::Failed(test) => return Ok(format!("caught by {test}")),
            Answer::Endless => return Ok(format!("endless in {}", program.name())),
        }
    }
    Ok(SURVIVED.to_owned())
}

/// The library with its mutants.
struct Build<'n> {
    copy: PathBuf,
    names: Vec<&'n str>,
    mutants: Vec<Mutant<'n>>,
    /// Those that do not compile.
    left_out: BTreeSet<usize>,
    woven: BTreeMap<&'n str, Woven>,
}

impl<'n> Build<'n> {
    fn new(copy: &Path, names: &[&'n str]) -> Result<Self, String> {
        let mutants = names
            .iter()
            .map(|name| Mutant::parse(name).ok_or_else(|| format!("what is {name:?}?")))
            .collect::<Result<_, _>>()?;
        let (names, copy) = (names.to_vec(), copy.to_owned());
        Ok(Build { copy, names, mutants, left_out: BTreeSet::new(), woven: BTreeMap::new() })
    }

    /// Writes the sources with all mutants that compile.
    fn write(&mut self) -> Outcome {
        let mut files: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (number, mutant) in self.mutants.iter().enumerate() {
            let of_file = files.entry(mutant.file).or_default();
            if !self.left_out.contains(&number) {
                of_file.push((number, mutant));
            }
        }
        for (file, mutants) in files {
            let text = read(file)?;
            let woven = weave(&text, &mutants).map_err(|e| format!("{file}: {e}"))?;
            write(self.copy.join(file), &woven.text)?;
            for (number, _) in mutants {
                if !woven.lines.iter().any(|(_, it)| *it == number) {
                    return Err(format!("{} has no place", self.names[number]));
                }
            }
            self.woven.insert(file, woven);
        }
        let source = self.copy.join("crates/hashmill/src");
        let library = format!("{}{}{}", FEATURES, read(LIBRARY)?, MODULE);
        match self.woven.get(LIBRARY) {
            Some(_) => return Err(format!("{LIBRARY} has mutants, which it should not")),
            None => write(source.join("lib.rs"), library)?,
        }
        write(source.join("mutated.rs"), MUTATED)
    }

    /// Builds the test programs, without the mutants that do not compile.
    fn programs(&mut self) -> Result<Vec<Program>, String> {
        loop {
            self.write()?;
            let mut check = self.cargo("check --package hashmill --all-features --profile faults");
            let checked = output(check.args(["--message-format", "short"]))?;
            let errors = match checked.status.success() {
                false => checked.stderr,
                true => match self.build(None)? {
                    Built::Programs(programs) => return Ok(programs),
                    Built::Wrong(errors) => errors,
                },
            };
            let errors = String::from_utf8_lossy(&errors);
            let before = self.left_out.len();
            let wrong: Vec<usize> = errors.lines().filter_map(|line| self.wrong(line)).collect();
            self.left_out.extend(wrong);
            if self.left_out.len() == before {
                return Err(format!("no mutant explains these errors:\n{errors}"));
            }
        }
    }

    /// The mutant that an error of rustc, in its short form, belongs to: that of the fewest lines,
    /// and of several the last.
    fn wrong(&self, error: &str) -> Option<usize> {
        let (file, rest) = error.split_once(':')?;
        let line: usize = rest.split(':').next()?.parse().ok()?;
        rest.contains(": error").then_some(())?;
        let lines = self.woven.get(file)?.lines.iter().filter(|(lines, _)| lines.contains(&line));
        let (_, number) = lines.min_by_key(|(lines, number)| (lines.len(), usize::MAX - number))?;
        Some(*number)
    }

    /// Builds the test programs, in which the compiler computes with the mutant of that number.
    fn build(&self, number: Option<usize>) -> Result<Built, String> {
        let mut programs = Vec::new();
        for (test, tests) in PROGRAMS {
            let mut command = self.cargo(&format!(
                "test --no-run --package hashmill --all-features --profile faults {test}"
            ));
            if let Some(number) = number {
                command.env("COMPILED_MUTANT", number.to_string());
            }
            let built = output(command.args(["--message-format", "short"]))?;
            if !built.status.success() {
                return Ok(Built::Wrong(built.stderr));
            }
            let said = String::from_utf8_lossy(&built.stderr);
            let file = said.lines().find_map(|line| {
                let (_, file) = line.trim().strip_prefix("Executable ")?.rsplit_once('(')?;
                file.strip_suffix(')')
            });
            let file = self.copy.join(file.ok_or(format!("no program:\n{said}"))?);
            programs.push(Program { file, tests });
        }
        Ok(Built::Programs(programs))
    }

    /// The test programs in which the compiler computes with a mutant, or `None` if that fails.
    fn compiled_with(&self, number: usize) -> Result<Option<Vec<Program>>, String> {
        Ok(match self.build(Some(number))? {
            Built::Programs(programs) => Some(programs),
            Built::Wrong(_) => None,
        })
    }

    fn cargo(&self, args: &str) -> Command {
        let mut command = cmd!(format!("cargo {args}"));
        command.current_dir(&self.copy);
        command.env("CARGO_TARGET_DIR", target().join("mutants/build"));
        // For the module `mutated`; and a mutant may well deserve a warning.
        command.env("RUSTC_BOOTSTRAP", "hashmill").env("RUSTFLAGS", "--cap-lints=allow");
        command
    }
}

enum Built {
    Programs(Vec<Program>),
    /// With rustc's errors.
    Wrong(Vec<u8>),
}

const LIBRARY: &str = "crates/hashmill/src/lib.rs";
const FEATURES: &str = "#![feature(const_eval_select, core_intrinsics)]\n";
const MODULE: &str = "\n#[doc(hidden)]\npub mod mutated;\n";
const MUTATED: &str = include_str!("mutants/mutated.rs");

/// A test program with the mutants.
struct Program {
    file: PathBuf,
    tests: Tests,
}

enum Answer {
    Passed,
    /// With the test's name.
    Failed(String),
    Endless,
}

impl Program {
    fn name(&self) -> &str {
        let name = self.file.file_name().unwrap_or_default().to_str().unwrap_or_default();
        name.split('-').next().unwrap_or_default()
    }

    fn command(&self) -> Command {
        let mut command = cmd!("{}", self.file);
        command.args(self.tests.args()).stdin(Stdio::null()).stderr(Stdio::null());
        command.current_dir(target().join("mutants/copy/crates/hashmill"));
        command
    }

    /// Runs the program without a mutant and returns the mutants whose code it runs.
    fn reaches(&self, folder: &Path) -> Result<BTreeSet<usize>, String> {
        let (file, started) = (folder.join("reached.txt"), Instant::now());
        write(&file, "")?;
        let ran = output(self.command().env("MUTANTS_REACHED", &file))?;
        if !ran.status.success() {
            let said = String::from_utf8_lossy(&ran.stdout);
            return Err(format!("{} fails without a mutant:\n{said}", self.name()));
        }
        let reached: BTreeSet<usize> =
            read(&file)?.lines().filter_map(|it| it.parse().ok()).collect();
        let (name, tests, count) = (self.name(), self.tests, reached.len());
        let time = started.elapsed().as_secs();
        eprintln!("{name}, tests {tests:?}: reaches {count} mutants, takes {time} s");
        Ok(reached)
    }

    /// Runs the program with a mutant until its first test fails.
    fn test(&self, number: Option<usize>) -> Result<Answer, String> {
        let mut command = self.command();
        command.arg("--test-threads=1").stdout(Stdio::piped());
        command.envs(number.map(|number| ("MUTANT", number.to_string())));
        let mut child = command.spawn().map_err(failed(&self.file))?;
        let answer = self.watch(&mut child);
        _ = child.kill();
        let status = child.wait().map_err(failed(&self.file))?;
        Ok(match answer {
            // It crashed.
            Answer::Passed if !status.success() => Answer::Failed(self.name().to_owned()),
            answer => answer,
        })
    }

    fn watch(&self, child: &mut Child) -> Answer {
        let (sender, receiver) = mpsc::channel();
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let end = Instant::now() + LONGEST;
        loop {
            let line = receiver.recv_timeout(end.saturating_duration_since(Instant::now()));
            let name = |line: &str| {
                let (name, _) = line.strip_prefix("test ")?.split_once(" ... FAILED")?;
                Some(format!("{}: {}", self.name(), name.trim_end()))
            };
            match line {
                Err(mpsc::RecvTimeoutError::Timeout) => return Answer::Endless,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    // The program closed its output: it ends.
                    _ = child.wait();
                    return Answer::Passed;
                }
                Ok(line) => {
                    if let Some(test) = name(&line) {
                        return Answer::Failed(test);
                    }
                }
            }
        }
    }
}

fn tools() -> Found {
    needs::works("cargo mutants --version", "cargo install --locked cargo-mutants")
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
