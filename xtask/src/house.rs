//! `cargo xtask house`: measures of the code's structure, each with its limit. A broken limit is an
//! error.

mod circles;
mod source;

use crate::prelude::*;
use crate::tail;
use circles::{Arrow, circles};
use source::{Crate, Source};
use std::collections::BTreeSet;

const CORE: &str = "crates/hashmill/src/lib.rs";
/// The packages' root files, and the most lines of code that each may have.
const CRATES: &[(&str, Option<usize>)] = &[
    (CORE, Some(9_600)),
    ("crates/hashmill-c/src/lib.rs", Some(1_500)),
    ("crates/hashmill-cli/src/lib.rs", Some(9_000)),
    ("crates/hashmill-reference/src/lib.rs", None),
    ("faces/python/src/lib.rs", Some(2_500)),
    ("faces/python/arrow/src/lib.rs", Some(1_600)),
    ("faces/python/datafusion/src/lib.rs", Some(150)),
    ("xtask/src/main.rs", Some(4_900)),
];
/// The file with the list of functions.
const LIST: &str = "crates/hashmill/src/algorithm.rs";
const PUBLIC: &str = "crates/hashmill/public-api.txt";

/// A measured number and the most that it may be.
struct Measure {
    what: String,
    today: usize,
    limit: usize,
}

fn measure(what: impl Into<String>, limit: usize, today: usize) -> Measure {
    Measure { what: what.into(), today, limit }
}

/// Prints the table of measures and the details of each broken one. `--arrows` also prints which
/// file uses which other file; `--places` the places that write out the algorithms.
pub fn house(args: &[String]) -> Outcome {
    let options = ["--arrows", "--places"];
    ensure(args.iter().all(|arg| options.contains(&&**arg)), WRONG)?;
    let [arrows, shown] = options.map(|option| args.iter().any(|arg| arg == option));
    let (mut measures, mut details) = layers(arrows)?;
    let places = places()?;
    measures.push(measure("places that write out 12 or more algorithms", 15, places.len()));
    if shown {
        details += &places.concat();
    }
    for (path, limit) in CRATES {
        let lines = Crate::read(&root().join(path))?.files.iter().map(Source::lines).sum();
        measures.push(measure(format!("lines of code, {path}"), limit.unwrap_or(lines), lines));
    }
    let core = Crate::read(&root().join(CORE))?;
    measures.extend(verbs_and_macros(&core));
    let api = read(PUBLIC)?;
    // The list repeats all methods of a trait below each type that implements it, and below the trait:
    // those of `Hashing` 22 times. The documentation shows them once. At e50bbef, for which the goal
    // of 400 was set, the two numbers were 249 and 433.
    let (once, repeated) = public_functions(&api);
    measures.push(measure("public functions, each method of a trait once", 300, once));
    measures.push(measure("lines with public functions, repeated methods too", repeated, repeated));

    measures.push(measure("lines of the core after expansion", 60_000, expanded()?));
    measures.push(measure("s of CPU for a cold release build of the core", 20, cold_build()?));

    let width = measures.iter().map(|measure| measure.what.chars().count()).max().unwrap_or(0);
    println!("{:width$}  today    limit", "");
    for Measure { what, today, limit } in &measures {
        let broken = if today <= limit { "" } else { "  broken" };
        println!("{what:width$}  {today:5}  ≤ {limit:5}{broken}");
    }
    print!("{details}");
    let broken = measures.iter().filter(|measure| measure.today > measure.limit).count();
    ensure(broken == 0, format!("{broken} of {} limits are broken", measures.len()))
}

/// Counts the lines of the core after its macros are expanded: what the compiler has to check. Only
/// an unstable option prints them, which this variable permits.
fn expanded() -> Result<usize, String> {
    let mut command = cmd!("cargo rustc --package hashmill --lib -- -Zunpretty=expanded");
    Ok(stdout(command.env("RUSTC_BOOTSTRAP", "1"))?.lines().count())
}

/// Builds the core as for a user who adds it to a project, and returns the processor time, in
/// seconds. Only Linux tells it.
fn cold_build() -> Result<usize, String> {
    let dir = target().join("house");
    remove_folder(&dir)?;
    tail::keep("");
    run(cmd!("cargo build --release --package hashmill").env("CARGO_TARGET_DIR", &dir))?;
    Ok(tail::cpu().as_secs_f64().ceil() as usize)
}

/// An error where the modules of a package form a circle, or where a module of the core uses one
/// below it in `lib.rs`'s list.
pub fn no_circles() -> Outcome {
    let (measures, details) = layers(false)?;
    let are = measures.iter().all(|measure| measure.today <= measure.limit);
    ensure(are, format!("the modules are not in layers:\n{details}"))
}

/// Counts the files in circles of each package, and the core's arrows against the order of `lib.rs`.
fn layers(all: bool) -> Result<(Vec<Measure>, String), String> {
    let (mut measures, mut details) = (vec![], String::new());
    for (path, _) in CRATES {
        let package = Crate::read(&root().join(path))?;
        let arrows = package.arrows();
        if all {
            details += &format!("\n{path}:\n{}", package.listed(&arrows));
        }
        let circles = circles(package.files.len(), &arrows);
        let in_circles = circles.iter().map(Vec::len).sum();
        measures.push(measure(format!("files in circles, {path}"), 0, in_circles));
        for circle in circles {
            let within = |it: &&Arrow| circle.contains(&it.from) && circle.contains(&it.to);
            let within: Vec<Arrow> = arrows.iter().filter(within).cloned().collect();
            details += &format!("\na circle of {path}:\n{}", package.listed(&within));
        }
        if *path == CORE {
            let up: Vec<_> = arrows.into_iter().filter(|arrow| package.is_up(arrow)).collect();
            let pairs: BTreeSet<_> = up.iter().map(|arrow| (arrow.from, arrow.to)).collect();
            measures.push(measure("arrows against the order of lib.rs", 0, pairs.len()));
            if !up.is_empty() {
                details += &format!("\nagainst the order of {path}:\n{}", package.listed(&up));
            }
        }
    }
    Ok((measures, details))
}

/// Counts the names of the core's public methods that begin with `finish` or `finalize`, and the
/// lines of its macros.
fn verbs_and_macros(core: &Crate) -> [Measure; 3] {
    let (mut verbs, mut in_macros, mut longest) = (0, 0, (0, String::new()));
    for file in &core.files {
        verbs += file.words().windows(3).filter(|words| is_verb(words)).count();
        for (name, lines) in file.macros() {
            in_macros += lines;
            longest = longest.max((lines, format!("{name}! in {}", file.path)));
        }
    }
    let lines: usize = core.files.iter().map(Source::lines).sum();
    let (longest, name) = longest;
    [
        measure("public names with finish or finalize, core", 10, verbs),
        measure("macros, % of the core's lines of code", 15, (100 * in_macros).div_ceil(lines)),
        measure(format!("longest macro, lines ({name})"), 150, longest),
    ]
}

/// Counts the functions in a list of public items: all but the methods of `impl Trait for Type`, and
/// all.
fn public_functions(api: &str) -> (usize, usize) {
    let (mut once, mut all, mut of_trait) = (0, 0, false);
    for line in api.lines() {
        if line.starts_with("impl") {
            of_trait = line.contains(" for ");
        } else if ["pub struct ", "pub enum ", "pub trait "].iter().any(|it| line.contains(it)) {
            of_trait = false;
        } else if let Some((_, path)) = line.split_once(" fn ") {
            all += 1;
            once += usize::from(!of_trait || is_free(path));
        }
    }
    (once, all)
}

/// Whether a function stands in a module and not in a type: `hashmill::many::hash(…` does.
fn is_free(path: &str) -> bool {
    let mut depth = 0;
    let name = path.chars().take_while(|&it| it != '(').filter(|it| {
        depth += i32::from(*it == '<') - i32::from(*it == '>');
        depth == 0 && *it != '>'
    });
    let name: String = name.collect();
    name.rsplit("::").nth(1).is_some_and(|it| it.starts_with(|it: char| it.is_ascii_lowercase()))
}

fn is_verb(words: &[&str]) -> bool {
    words[0] == "pub"
        && words[1] == "fn"
        && ["finish", "finalize"].iter().any(|it| words[2].starts_with(it))
}

/// The names of the functions in the core's list, without `_`. A name that is the beginning of
/// another one comes after it.
fn algorithms() -> Result<Vec<String>, String> {
    let list = read(LIST)?;
    let row = |line: &str| {
        let (_, row) = line.strip_suffix(';')?.split_once(" = ")?;
        let (code, rest) = row.split_once(", ")?;
        let name = rest.split_once(", ")?.0;
        code.parse::<u8>().ok().map(|_| name.replace('_', ""))
    };
    let mut names: Vec<String> = list.lines().filter_map(row).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    ensure(names.len() >= 18, format!("{LIST}: the list of functions was not found"))?;
    Ok(names)
}

/// The places that write out twelve or more algorithms by hand: lines that name one, at most five
/// lines apart. Answers, promised interfaces and generated lines do not count.
fn places() -> Result<Vec<String>, String> {
    let (mut places, algorithms) = (vec![], algorithms()?);
    let listed = stdout(cmd!("git ls-files"))?;
    let counts = |path: &&str| {
        let is_data = [".json", ".txt", ".lock", ".dat"].iter().any(|end| path.ends_with(end));
        !is_data && !path.starts_with("vectors/") && !path.starts_with("fuzz/corpus/")
    };
    for path in listed.lines().filter(counts) {
        let at = root().join(path);
        let is_file = fs::symlink_metadata(&at).is_ok_and(|at| at.is_file());
        let Some(text) = is_file.then(|| fs::read_to_string(&at).ok()).flatten() else { continue };
        for (first, last, count) in places_of(&text, &algorithms) {
            places.push(format!("{path}:{first}-{last}: {count} algorithms\n"));
        }
    }
    Ok(places)
}

/// The first and the last line of each place, and the number of algorithms there.
fn places_of(text: &str, algorithms: &[String]) -> Vec<(usize, usize, usize)> {
    let (mut places, mut named, mut generated): (Vec<_>, BTreeSet<usize>, _) =
        (vec![], BTreeSet::new(), false);
    let [mut first, mut last] = [0; 2];
    let mut end = |named: &mut BTreeSet<usize>, first, last| {
        if named.len() >= 12 {
            places.push((first, last, named.len()));
        }
        named.clear();
    };
    for (number, line) in (1..).zip(text.lines()) {
        generated |= line.contains("Generated by `cargo xtask tables");
        generated &= !line.contains("End of the generated lines");
        let mut line = line.to_lowercase().replace(['-', '_', '/', '\\', ' '], "");
        if generated || !line.contains("sha") && !line.contains("blake") {
            continue;
        }
        if number > last + 5 {
            end(&mut named, first, last);
        }
        for (index, name) in algorithms.iter().enumerate() {
            let without = line.replace(name, "");
            if without != line {
                (first, last) = (if named.is_empty() { number } else { first }, number);
                named.insert(index);
                line = without;
            }
        }
    }
    end(&mut named, first, last);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_that_are_close() {
        let names = algorithms().expect("the list");
        let count = |text: &str| places_of(text, &names);
        let half = names[..6].join(" ");
        let rest = names[6..12].join(" ");
        assert_eq!(count(&format!("{half}\n\n\n\n\n{}\n", rest.to_uppercase())), [(1, 6, 12)]);
        assert!(count(&format!("{half}\n\n\n\n\n\n{rest}\n")).is_empty());
        assert_eq!(count("SHA-512/224 Sha3_256 sha-2 SHA-256\n"), []);
        let generated = "// Generated by `cargo xtask tables --write`: x.\n";
        assert!(count(&format!("{generated}{half} {rest}\n")).is_empty());
        assert_eq!(names[..2], ["turboshake128", "turboshake256"]);
    }

    #[test]
    fn methods_of_traits_count_once() {
        let api = "pub trait h::Named\npub fn h::Named::name(&self)\nimpl h::Named for h::A<u8>\n\
            pub fn h::A<u8>::name(&self)\nimpl h::A<u8>\npub const fn h::A<u8>::new()\n\
            impl h::Named for [u8]\npub fn [u8]::name(&self)\npub fn h::hash<H: h::Named>(&[u8])\n";
        assert_eq!(public_functions(api), (3, 5));
    }

    #[test]
    fn verbs() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        assert!(is_verb(&words("pub fn finalize_into")) && !is_verb(&words("pub fn hash")));
    }
}
