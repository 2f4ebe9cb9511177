//! `cargo xtask house`: measures of the code's structure, each with a limit. A broken limit is an
//! error.

mod circles;
mod modules;
mod reasons;
mod source;

use crate::{Outcome, root};
use circles::circles;
use modules::{Arrow, Count, Crate};
use source::{Kind, Source, Token, nesting};
use std::collections::BTreeMap;

const CORE: &str = "crates/hashmill/src";
const PROGRAM: &str = "crates/hashmill-cli/src";
const PUBLIC: &str = "crates/hashmill/public-api.txt";

/// A measured number and its limit.
struct Measure {
    what: String,
    today: usize,
    limit: Limit,
}

enum Limit {
    AtMost(usize),
    AtLeast(usize),
}

impl Measure {
    fn at_most(what: impl Into<String>, limit: usize, today: usize) -> Self {
        Measure { what: what.into(), today, limit: Limit::AtMost(limit) }
    }

    fn is_met(&self) -> bool {
        match self.limit {
            Limit::AtMost(limit) => self.today <= limit,
            Limit::AtLeast(limit) => self.today >= limit,
        }
    }
}

/// Prints the table of measures, then each circle between files with the arrows to remove.
/// `--arrows` also prints all arrows: which file uses which other file, and for which names.
pub fn house(args: &[String]) -> Outcome {
    let arrows = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--arrows"] => true,
        _ => return Err("usage: cargo xtask house [--arrows]".into()),
    };
    let core = modules::read(&root().join(CORE))?;
    let (mut measures, details) = layers(&core, arrows)?;
    measures.extend(code(&core));
    let path = root().join(PUBLIC);
    measures.extend(public(&std::fs::read_to_string(path).map_err(|e| format!("{PUBLIC}: {e}"))?));

    let width = measures.iter().map(|measure| measure.what.chars().count()).max().unwrap_or(0);
    println!("{:width$}  today    limit", "");
    for measure in &measures {
        let (sign, limit) = match measure.limit {
            Limit::AtMost(limit) => ('≤', limit),
            Limit::AtLeast(limit) => ('≥', limit),
        };
        let broken = if measure.is_met() { "" } else { "  broken" };
        println!("{:width$}  {:5}  {sign} {limit:5}{broken}", measure.what, measure.today);
    }
    print!("{details}");
    match measures.iter().filter(|measure| !measure.is_met()).count() {
        0 => Ok(()),
        broken => Err(format!("{broken} of {} limits are broken", measures.len())),
    }
}

/// An error where the core's or the program's modules form a circle.
pub fn no_circles() -> Outcome {
    let (measures, details) = layers(&modules::read(&root().join(CORE))?, false)?;
    match measures.iter().all(Measure::is_met) {
        true => Ok(()),
        false => Err(format!("modules use one another in a circle:\n{details}")),
    }
}

/// How many files of the core and of the program are in circles, and which arrows close them.
fn layers(core: &Crate, arrows: bool) -> Result<(Vec<Measure>, String), String> {
    let (mut measures, mut details) = (vec![], String::new());
    for (name, files) in [("core", core), ("program", &modules::read(&root().join(PROGRAM))?)] {
        for (by, count) in [("module paths", Count::Modules), ("names", Count::Names)] {
            let found = files.arrows(count);
            if arrows {
                details += &format!("\n{name}, by {by}:\n{}", listed(files, &found));
            }
            let circles = circles(files.files.len(), &found);
            let in_circles = circles.iter().map(|circle| circle.files.len()).sum();
            let what = format!("files in circles, {name}, by {by}");
            for circle in &circles {
                let members: Vec<_> = circle.files.iter().map(|&at| &*files.files[at].0).collect();
                let closing: Vec<_> = circle.closing.iter().copied().cloned().collect();
                let closing = listed(files, &closing);
                details += &format!("\n{what}: {}\nclosed by\n{closing}", members.join(" "));
            }
            measures.push(Measure::at_most(what, 0, in_circles));
        }
    }
    Ok((measures, details))
}

/// One line of text for each pair of files.
fn listed(files: &Crate, arrows: &[Arrow]) -> String {
    let mut pairs: BTreeMap<_, (usize, Vec<&str>)> = BTreeMap::new();
    for Arrow { from, to, line, name } in arrows {
        let [from, to] = [from, to].map(|&file| &*files.files[file].0);
        let (_, names) = pairs.entry((from, to)).or_insert((*line, vec![]));
        if !names.contains(&&**name) {
            names.push(name);
        }
    }
    let line = |((from, to), (line, names)): (&(&str, &str), &(usize, Vec<&str>))| {
        let (first, more) = names.split_at(names.len().min(4));
        let more = if more.is_empty() { "" } else { " …" };
        format!("  {from}:{line} uses {to}: {}{more}\n", first.join(", "))
    };
    pairs.iter().map(line).collect()
}

/// Counts the core's lines of code, of macro bodies, and of reasons. Blank lines, comments and
/// tests are no code.
fn code(core: &Crate) -> [Measure; 4] {
    let (mut lines, mut in_macros, mut reasons, mut longest) = (0, 0, 0, (0, String::new()));
    for (path, source) in &core.files {
        lines += Source::lines(&source.tokens);
        reasons += reasons::lines(&source.comments);
        for (name, body, is_outermost) in macros(&source.tokens) {
            let lines = Source::lines(body);
            in_macros += if is_outermost { lines } else { 0 };
            longest = longest.max((lines, format!("{name}! in {path}")));
        }
    }
    let (longest, name) = longest;
    [
        Measure::at_most(
            "macro bodies, % of the core's lines of code",
            15,
            (100 * in_macros).div_ceil(lines.max(1)),
        ),
        Measure::at_most(format!("longest macro body, lines of code ({name})"), 150, longest),
        Measure::at_most("core, lines of code", 7_300, lines),
        Measure {
            what: "core, lines of comments that give a reason".into(),
            today: reasons,
            limit: Limit::AtLeast(300),
        },
    ]
}

/// The `macro_rules!` of a file: the name, the tokens between the brackets, and whether no other
/// macro encloses it.
fn macros(tokens: &[Token]) -> Vec<(&str, &[Token], bool)> {
    let (mut macros, mut outermost_ends) = (vec![], 0);
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Word || token.text != "macro_rules" || at + 4 > tokens.len() {
            continue;
        }
        // macro_rules ! name {
        let (name, body) = (&tokens[at + 2].text, &tokens[at + 4..]);
        let mut depth = 1;
        let end = body.iter().position(|token| {
            depth += nesting(token);
            depth == 0
        });
        let body = &body[..end.unwrap_or(body.len())];
        let is_outermost = at >= outermost_ends;
        if is_outermost {
            outermost_ends = at + 4 + body.len();
        }
        macros.push((&**name, body, is_outermost));
    }
    macros
}

/// Counts the public functions, methods and trait methods in `public-api.txt`, and the free
/// functions of `many`.
fn public(api: &str) -> [Measure; 2] {
    let functions: Vec<_> = api.lines().filter_map(|line| line.split_once(" fn ")).collect();
    // The path of a free function has only modules before its name. The path of a method has a
    // type, in upper case.
    let of_many = |(_, path): &&(&str, &str)| {
        let path = path.split(['(', '<']).next().unwrap_or_default();
        path.strip_prefix("hashmill::many::").is_some_and(|path| {
            path.split("::").all(|name| name.starts_with(|c: char| c.is_lowercase()))
        })
    };
    [
        Measure::at_most("public functions", 700, functions.len()),
        Measure::at_most(
            "public functions in `many` and its modules",
            4,
            functions.iter().filter(of_many).count(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_their_lines() {
        let source = Source::new(
            "macro_rules! a {\n    () => {\n        // b\n        macro_rules! c { () => {} }\n\n    };\n}\n\
             fn d() {}\nmacro_rules! e { () => {} }",
        );
        let found: Vec<_> = macros(&source.tokens)
            .into_iter()
            .map(|(name, body, is_outermost)| (name, Source::lines(body), is_outermost))
            .collect();
        assert_eq!(found, [("a", 3, true), ("c", 1, false), ("e", 1, true)]);
    }

    #[test]
    fn functions_of_many() {
        let [all, many] = public(
            "pub mod hashmill::many\npub fn hashmill::many::hash<H: A::B>(&H)\npub fn hashmill::many::rayon::hash()\n\
             pub const fn hashmill::many::Column<'a>::new()\npub fn hashmill::sha256()\n\
             pub struct hashmill::many::Rows",
        );
        assert_eq!([all.today, many.today], [4, 2]);
    }
}
