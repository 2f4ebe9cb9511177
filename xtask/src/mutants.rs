//! `cargo xtask mutants`: faults that cargo-mutants generates in the library, above the kernels. A
//! test must catch each. `cargo xtask faults` plants the hand-written ones, also in the kernels.
//!
//! A build for every mutant takes longer than its tests. So all mutants are compiled together, each
//! behind a condition (`weave.rs`), and the variable `MUTANT` of the environment chooses one when
//! the tests run. A mutant in code that only the compiler evaluates needs a build of its own.

mod weave;

use crate::diffs::Diff;
use crate::faults::{Answer, copy_workspace, failed_test, watched};
use crate::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};
use weave::{Mutant, Woven, weave};

/// How many mutants are tested, unless an argument says it. If a twentieth of all survives, the share
/// in 19 of 20 samples of 300 is right within 3 percentage points.
const COUNT: usize = 300;

/// The time limit of a test program, because a mutant can cause an endless loop. Without one the
/// longest, `agree`, takes 280 s on a busy Xeon.
const LONGEST: Duration = Duration::from_secs(900);

/// The modules of the test program `it` with slow tests.
const SLOW: [&str; 5] = ["adapters::", "const_eval::", "vectors::", "history::", "scale::"];

/// The test programs, by cargo's arguments for them, each with its own arguments. The quickest come
/// first.
fn programs() -> [(&'static str, Vec<String>); 4] {
    let quick = SLOW.map(|module| format!("--skip={module}")).to_vec();
    let slow = SLOW.map(str::to_owned).to_vec();
    [("--lib", vec![]), ("--test it", quick), ("--test agree", vec![]), ("--test it", slow)]
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
    let number = |arg: &String| arg.parse().map_err(|_| format!("{arg:?} is not a number"));
    let numbers: Vec<u64> = numbers.into_iter().map(number).collect::<Result<_, _>>()?;
    let count = numbers.first().map_or(COUNT, |&count| count as usize);
    let seed = numbers.get(1).copied().unwrap_or_else(|| RandomState::new().hash_one(0) >> 32);

    let folder = target().join("mutants");
    let copy = folder.join("copy");
    copy_workspace(&copy)?;
    let list = "cargo mutants --list --package hashmill --colors never --dir {} --config {}";
    let all = stdout(cmd!(list, copy, root().join(".cargo/mutants.toml")))?;
    let mut names: Vec<&str> = all.lines().filter(|name| !is_in_kernel(name)).collect();
    order(&mut names, seed);
    let of = names.len();
    names.truncate(count);
    let count = names.len();
    eprintln!("{count} of {of} mutants; to repeat them: cargo xtask mutants {count} {seed}");

    let ends = Ends::open(folder.join("ends.txt"), options.is_empty())?;
    if names.iter().all(|name| ends.has(name)) {
        return ends.report(&names);
    }
    let mut build = Build::new(&copy, &names)?;
    let programs = build.programs()?;
    for number in build.left_out.iter().copied() {
        ends.add(names[number], "does not compile")?;
    }
    let reached = programs.iter().map(|it| it.reaches(&folder)).collect::<Result<Vec<_>, _>>()?;
    let open = |number: &usize| !build.left_out.contains(number) && !ends.has(names[*number]);
    let (at_run_time, never): (Vec<usize>, Vec<usize>) = (0..count)
        .filter(open)
        .partition(|number| reached.iter().any(|reached| reached.contains(number)));
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let test = || -> Outcome {
        while let Some(&number) = at_run_time.get(next.fetch_add(1, Relaxed)) {
            let reaching = programs.iter().zip(&reached).filter(|(_, it)| it.contains(&number));
            let end = end(reaching.map(|(program, _)| program), Some(number))?;
            ends.add(names[number], &end)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(test)).collect();
        threads.into_iter().try_for_each(|it| it.join().expect("no panic"))
    })?;
    for number in never {
        let end = match build.build(Some(number))? {
            Err(_) => "does not compile".to_owned(),
            Ok(programs) => end(programs.iter(), None)?,
        };
        ends.add(names[number], &end)?;
    }
    ends.report(&names)
}

/// How the tests of each mutant ended, in memory and in a file.
struct Ends {
    file: PathBuf,
    ends: Mutex<BTreeMap<String, String>>,
}

const SURVIVED: &str = "survived";

impl Ends {
    fn open(file: PathBuf, anew: bool) -> Result<Self, String> {
        let text = if anew || !file.exists() { String::new() } else { read(&file)? };
        let ends = text.lines().filter_map(|line| line.split_once(" = "));
        let ends = ends.map(|(end, name)| (name.to_owned(), end.to_owned())).collect();
        Ok(Ends { file, ends: Mutex::new(ends) })
    }

    fn has(&self, name: &str) -> bool {
        self.ends.lock().unwrap().contains_key(name)
    }

    fn add(&self, name: &str, end: &str) -> Outcome {
        let mut ends = self.ends.lock().unwrap();
        ends.insert(name.to_owned(), end.to_owned());
        eprintln!("{}: {end} = {name}", ends.len());
        let lines = ends.iter().map(|(name, end)| format!("{end} = {name}\n"));
        write(&self.file, lines.collect::<String>())
    }

    /// Prints how many mutants had which end, and those that survived. If one of these has no
    /// explanation, that is an error.
    fn report(&self, chosen: &[&str]) -> Outcome {
        let ends = self.ends.lock().unwrap();
        let of = |end: &str| chosen.iter().filter(|&&name| ends[name].starts_with(end)).count();
        let [caught, endless] = ["caught by ", "endless in "].map(of);
        let [wrong, survived] = ["does not compile", SURVIVED].map(of);
        println!(
            "of {} mutants {caught} made a test fail, {endless} did not end in {} s, {wrong} did \
             not compile, {survived} survived",
            chosen.len(),
            LONGEST.as_secs(),
        );
        let mut unexplained = 0;
        for &name in chosen.iter().filter(|&&name| ends[name] == SURVIVED) {
            let why = explanation(name);
            unexplained += usize::from(why.is_none());
            println!("{name}: {}", why.unwrap_or("**nothing explains it**"));
        }
        let error = format!("{unexplained} mutants survived, and nothing explains it");
        ensure(unexplained == 0, error)
    }
}

/// Why no test catches a mutant, as `explained.txt` says.
fn explanation(name: &str) -> Option<&'static str> {
    let mutant = Mutant::parse(name)?;
    let text = read(mutant.file).ok()?;
    let is = |it: &Diff| {
        mutant.file.ends_with(it.place)
            && mutant.change.starts_with(it.what)
            && mutant.line(&text) == it.text
    };
    explained().find(is).and_then(|it| it.by.first().copied())
}

fn explained() -> impl Iterator<Item = Diff> {
    Diff::list(include_str!("mutants/explained.txt"))
}

/// Runs the programs until one fails.
fn end<'p>(
    mut programs: impl Iterator<Item = &'p Program>,
    number: Option<usize>,
) -> Result<String, String> {
    let caught = programs.find_map(|it| it.test(number).transpose());
    caught.unwrap_or_else(|| Ok(SURVIVED.to_owned()))
}

/// The library with its mutants.
struct Build<'n> {
    copy: PathBuf,
    mutants: Vec<Mutant<'n>>,
    /// Those that do not compile.
    left_out: BTreeSet<usize>,
    woven: BTreeMap<&'n str, Woven>,
}

impl<'n> Build<'n> {
    fn new(copy: &Path, names: &[&'n str]) -> Result<Self, String> {
        let parsed = |name| Mutant::parse(name).ok_or_else(|| format!("what is {name:?}?"));
        let mutants = names.iter().copied().map(parsed).collect::<Result<_, _>>()?;
        let copy = copy.to_owned();
        Ok(Build { copy, mutants, left_out: BTreeSet::new(), woven: BTreeMap::new() })
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
            for (number, mutant) in mutants {
                ensure(woven.has(number), format!("{} has no place", mutant.name))?;
            }
            self.woven.insert(file, woven);
        }
        let error = format!("{LIBRARY} has mutants, which it should not");
        ensure(!self.woven.contains_key(LIBRARY), error)?;
        write(self.copy.join(LIBRARY), format!("{FEATURES}{}{MODULE}", read(LIBRARY)?))?;
        write(self.copy.join("crates/hashmill/src/mutated.rs"), include_str!("mutants/mutated.rs"))
    }

    /// Builds the test programs, without the mutants that do not compile.
    fn programs(&mut self) -> Result<Vec<Program>, String> {
        loop {
            self.write()?;
            let checked = output(self.cargo(&format!("check {CORE}")))?;
            let errors = match checked.status.success() {
                false => checked.stderr,
                true => match self.build(None)? {
                    Ok(programs) => return Ok(programs),
                    Err(errors) => errors,
                },
            };
            let before = self.left_out.len();
            let wrong: Vec<usize> = errors.lines().filter_map(|line| self.wrong(line)).collect();
            self.left_out.extend(wrong);
            let error = format!("no mutant explains these errors:\n{errors}");
            ensure(self.left_out.len() > before, error)?;
        }
    }

    /// The mutant that an error of rustc, in its short form, belongs to.
    fn wrong(&self, error: &str) -> Option<usize> {
        let mut parts = error.splitn(4, ':');
        let (file, line, column) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next()?.starts_with(" error").then_some(())?;
        self.woven.get(file)?.at(line.parse().ok()?, column.parse().ok()?)
    }

    /// Builds the test programs, in which the compiler computes with the mutant of that number.
    /// Returns them, or rustc's errors.
    fn build(&self, number: Option<usize>) -> Result<Result<Vec<Program>, String>, String> {
        let mut built_programs = Vec::new();
        for (test, args) in programs() {
            let mut command = self.cargo(&format!("test --no-run {CORE} {test}"));
            command.envs(number.map(|number| ("COMPILED_MUTANT", number.to_string())));
            let Said { stderr: said, status, .. } = output(command)?;
            if !status.success() {
                return Ok(Err(said));
            }
            let file = said.lines().find_map(|line| {
                let (_, file) = line.trim().strip_prefix("Executable ")?.rsplit_once('(')?;
                file.strip_suffix(')')
            });
            let file = self.copy.join(file.ok_or(format!("no program:\n{said}"))?);
            built_programs.push(Program { file, args });
        }
        Ok(Ok(built_programs))
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

/// The library, with errors that are a line each.
const CORE: &str =
    "--package hashmill --all-features --profile faults --message-format short --color never";
const LIBRARY: &str = "crates/hashmill/src/lib.rs";
const FEATURES: &str = "#![feature(const_eval_select, core_intrinsics)]\n";
const MODULE: &str = "\n#[doc(hidden)]\npub mod mutated;\n";

/// A test program with the mutants.
struct Program {
    file: PathBuf,
    args: Vec<String>,
}

impl Program {
    fn name(&self) -> &str {
        let name = self.file.file_name().unwrap_or_default().to_str().unwrap_or_default();
        name.split('-').next().unwrap_or_default()
    }

    fn command(&self) -> Command {
        let mut command = cmd!("{}", self.file);
        command.args(&self.args).stdin(Stdio::null()).stderr(Stdio::null());
        command.current_dir(target().join("mutants/copy/crates/hashmill"));
        command
    }

    /// Runs the program without a mutant and returns the mutants whose code it runs.
    fn reaches(&self, folder: &Path) -> Result<BTreeSet<usize>, String> {
        let (file, started) = (folder.join("reached.txt"), Instant::now());
        write(&file, "")?;
        let said = output(self.command().env("MUTANTS_REACHED", &file))?;
        let error = format!("{} fails without a mutant:\n{}", self.name(), said.stdout);
        ensure(said.status.success(), error)?;
        let reached: BTreeSet<usize> =
            read(&file)?.lines().filter_map(|it| it.parse().ok()).collect();
        let (name, args) = (self.name(), self.args.join(" "));
        let (count, time) = (reached.len(), started.elapsed().as_secs());
        eprintln!("{name} {args}: reaches {count} mutants, takes {time} s");
        Ok(reached)
    }

    /// Runs the program with a mutant until its first test fails. Returns how it was caught, if it was.
    fn test(&self, number: Option<usize>) -> Result<Option<String>, String> {
        let mut command = self.command();
        command.arg("--test-threads=1");
        command.envs(number.map(|number| ("MUTANT", number.to_string())));
        let log = target().join(format!("mutants/logs/{}.txt", number.unwrap_or_default()));
        let failed = |said: &str| said.lines().find_map(failed_test).map(str::to_owned);
        Ok(match watched(&mut command, &log, LONGEST, &|said| failed(said).is_some())? {
            Answer::Passed => None,
            Answer::Endless => Some(format!("endless in {}", self.name())),
            Answer::Failed => {
                let test = failed(&read(&log)?).unwrap_or_else(|| "a crash".to_owned());
                Some(format!("caught by {}: {test}", self.name()))
            }
        })
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

/// Puts the names into the order that the seed chooses.
fn order(names: &mut [&str], seed: u64) {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    names.sort_by_cached_key(|name| hasher.hash_one((seed, name)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_chooses_an_order() {
        let names: Vec<String> = (100..200).map(|name| name.to_string()).collect();
        let ordered = |seed| {
            let mut names: Vec<&str> = names.iter().map(|name| &**name).collect();
            order(&mut names, seed);
            names
        };
        assert_eq!(ordered(7), ordered(7));
        assert_ne!(ordered(7), ordered(8));
        let mut sorted = ordered(7);
        sorted.sort();
        assert_eq!(sorted, names);
    }

    #[test]
    fn kernels_are_left_out() {
        assert!(is_in_kernel("crates/hashmill/src/blake2/x86_rows.rs:1:2: replace a -> b"));
        assert!(is_in_kernel("crates/hashmill/src/simd.rs:36:33: replace << with >>"));
        assert!(!is_in_kernel("crates/hashmill/src/lanes.rs:1:2: replace a in kernel"));
    }

    /// A line that changed needs another look.
    #[test]
    fn every_explained_line_is_in_its_file() {
        for Diff { place, text, by, .. } in explained() {
            let file = read(format!("crates/hashmill/src/{place}")).unwrap();
            assert!(file.lines().any(|line| line.trim() == text), "{place}: {text}");
            assert_eq!(by.len(), 1, "{place}: {text}");
        }
    }
}
