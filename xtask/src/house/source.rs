//! The files of a crate, their lines of code, and the arrows between them: which file uses which
//! other one.
//!
//! `proc-macro2` splits the text into words. A parser such as `syn` sees no paths in the bodies of
//! macros.

use super::circles::Arrow;
use crate::prelude::*;
use proc_macro2::{Delimiter, LexError, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A name, a mark, a literal or a bracket.
struct Word {
    text: String,
    first_line: usize,
    last_line: usize,
    /// How many words are within it, if it is the first of two brackets.
    within: usize,
}

/// A file without its tests.
pub struct Source {
    /// The path from the root file's folder.
    pub path: String,
    /// The names of its module from the root.
    module: Vec<String>,
    words: Vec<Word>,
}

/// The files of a crate. The first one is its root.
pub struct Crate {
    pub files: Vec<Source>,
}

/// What a file names.
struct Use {
    names: Vec<String>,
    line: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A path in the code, from the crate's root.
    Path,
    /// A macro that is called.
    Macro,
    /// A module with a file of its own, from the crate's root.
    Module,
}

impl Use {
    /// A path in a module.
    fn path(path: &[String], module: &[String], line: usize) -> Use {
        let mut names = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
        for name in path {
            match &**name {
                "super" => _ = names.pop(),
                "self" | "crate" => {}
                _ => names.push(name.clone()),
            }
        }
        Use { names, line, kind: Kind::Path }
    }
}

impl Crate {
    /// Reads the crate with that root file, and the files of all modules that it declares.
    pub fn read(root: &Path) -> Result<Crate, String> {
        let folder = root.parent().unwrap_or(root);
        let mut files = vec![Source::read(root, folder, vec![])?];
        let mut next = 0;
        while let Some(source) = files.get(next) {
            for Use { names, .. } in source.uses().into_iter().filter(|it| it.kind == Kind::Module)
            {
                let path = folder.join(names.join("/"));
                let paths = [path.with_extension("rs"), path.join("mod.rs")];
                let path = paths.iter().find(|path| path.is_file());
                let path = path.ok_or_else(|| format!("no file for the module {names:?}"))?;
                files.push(Source::read(path, folder, names)?);
            }
            next += 1;
        }
        Ok(Crate { files })
    }

    /// All arrows: one for each path, line and target file. The root's re-exports are the public
    /// interface and bring none.
    pub fn arrows(&self) -> Vec<Arrow> {
        let mut macros = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate() {
            for (name, _) in file.macros() {
                macros.entry(name).or_insert_with(BTreeSet::new).insert(at);
            }
        }
        let exports = self.exports();
        let mut arrows = BTreeSet::new();
        for (from, file) in self.files.iter().enumerate() {
            for Use { names, line, kind } in file.uses() {
                let Some(last) = names.last() else { continue };
                let to = match kind {
                    Kind::Module => None,
                    Kind::Macro => macros
                        .get(last)
                        .filter(|it| !it.contains(&from))
                        .and_then(|it| it.first().copied()),
                    Kind::Path => self.target(&names, &exports),
                };
                let is_export = from == 0 && exports.contains_key(last);
                if let Some(to) = to.filter(|&to| to != from && !is_export) {
                    arrows.insert(Arrow { from, to, line, name: names.join("::") });
                }
            }
        }
        arrows.into_iter().collect()
    }

    /// What the root imports or exports under a name, and its first glob under `*`.
    fn exports(&self) -> BTreeMap<String, usize> {
        let (mut exports, words) = (BTreeMap::new(), &self.files[0].words);
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1 + word.within;
            let mut uses = vec![];
            if word.text == "use" {
                let item = words[at..].split(|word| word.text == ";").next();
                paths(item.unwrap_or_default(), &[], &[], &mut uses);
            }
            for Use { names, .. } in uses {
                if let (Some(to @ 1..), Some(last)) = (self.module(&names), names.last()) {
                    exports.entry(last.clone()).or_insert(to);
                }
            }
        }
        exports
    }

    /// The file of the longest module that `names` begins with.
    fn module(&self, names: &[String]) -> Option<usize> {
        (0..self.files.len())
            .filter(|&at| names.starts_with(&self.files[at].module))
            .max_by_key(|&at| self.files[at].module.len())
    }

    /// The file that a path from the root leads to: that of its last module or, for an item of the
    /// root, of the module that the root takes it from.
    fn target(&self, names: &[String], exports: &BTreeMap<String, usize>) -> Option<usize> {
        let file = self.module(names)?;
        let mut pairs = self.files[0].words.windows(2);
        let is_of_root = pairs.any(|pair| is_item(&pair[0].text) && pair[1].text == names[0]);
        if file > 0 || is_of_root { Some(file) } else { exports.get(&names[0]).copied() }
    }

    /// Whether an arrow leads from a module of the root's list to one below it.
    pub fn is_up(&self, arrow: &Arrow) -> bool {
        let place = |file: usize| {
            let name = self.files[file].module.first()?;
            let mut pairs = self.files[0].words.windows(2);
            pairs.position(|pair| pair[0].text == "mod" && pair[1].text == *name)
        };
        matches!((place(arrow.from), place(arrow.to)), (Some(from), Some(to)) if from < to)
    }

    /// One line of text for each pair of files.
    pub fn listed(&self, arrows: &[Arrow]) -> String {
        let mut pairs: BTreeMap<_, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for Arrow { from, to, line, name } in arrows {
            let (_, names) = pairs.entry((from, to)).or_insert((*line, BTreeSet::new()));
            names.insert(name);
        }
        let line = |((from, to), (line, names)): (&(&usize, &usize), &(usize, BTreeSet<&str>))| {
            let names: Vec<_> = names.iter().copied().take(4).collect();
            let [from, to] = [**from, **to].map(|file| &*self.files[file].path);
            format!("  {from}:{line} uses {to}: {}\n", names.join(", "))
        };
        pairs.iter().map(line).collect()
    }
}

impl Source {
    fn read(path: &Path, folder: &Path, module: Vec<String>) -> Result<Source, String> {
        let words = words(&read(path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        let path = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        Ok(Source { path, module, words })
    }

    fn uses(&self) -> Vec<Use> {
        let mut uses = vec![];
        paths(&self.words, &self.module, &[], &mut uses);
        uses
    }

    /// The number of lines with code. Blank lines, comments and tests are none.
    pub fn lines(&self) -> usize {
        lines(&self.words)
    }

    pub fn words(&self) -> Vec<&str> {
        self.words.iter().map(|word| &*word.text).collect()
    }

    /// The macros that the file defines outside of others, and the lines of code of their bodies.
    pub fn macros(&self) -> Vec<(String, usize)> {
        let (mut macros, mut at) = (vec![], 0);
        while let [word, _, name, ..] = &self.words[at..] {
            if word.text == "macro_rules" {
                let body = within(&self.words, at + 3);
                macros.push((name.text.clone(), lines(body)));
                at += body.len();
            }
            at += 1;
        }
        macros
    }
}

fn is_item(word: &str) -> bool {
    ["fn", "struct", "enum", "trait", "type", "const", "static"].contains(&word)
}

/// The words of a file without its tests and its comments, which would else be attributes.
fn words(text: &str) -> Result<Vec<Word>, LexError> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = text.lines().map(|line| Some(line).filter(is_code).unwrap_or_default());
    let tokens: TokenStream = code.collect::<Vec<_>>().join("\n").parse()?;
    let mut words = vec![];
    add_words(without_tests(tokens), &mut words);
    Ok(words)
}

fn add_words(tokens: impl IntoIterator<Item = TokenTree>, words: &mut Vec<Word>) {
    let word = |text: &str, span: Span| Word {
        text: text.to_owned(),
        first_line: span.start().line,
        last_line: span.end().line,
        within: 0,
    };
    for tree in tokens {
        let TokenTree::Group(group) = &tree else {
            words.push(word(&tree.to_string(), tree.span()));
            continue;
        };
        let [open, close] = match group.delimiter() {
            Delimiter::Parenthesis => ["(", ")"],
            Delimiter::Brace => ["{", "}"],
            Delimiter::Bracket | Delimiter::None => ["[", "]"],
        };
        let start = words.len();
        words.push(word(open, group.span_open()));
        add_words(group.stream(), words);
        words[start].within = words.len() - start - 1;
        words.push(word(close, group.span_close()));
    }
}

/// The words in the brackets that begin at a word.
fn within(words: &[Word], open: usize) -> &[Word] {
    &words[open + 1..][..words[open].within]
}

/// The number of lines with at least one word.
fn lines(words: &[Word]) -> usize {
    let lines = words.iter().flat_map(|word| word.first_line..=word.last_line);
    lines.collect::<BTreeSet<_>>().len()
}

/// Removes the items with `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let (mut kept, mut rest) = (vec![], tokens.into_iter().peekable());
    while let Some(tree) = rest.next() {
        let attribute =
            rest.peek().map(|tree| tree.to_string().replace(' ', "")).unwrap_or_default();
        let of_tests = ["[test]", "[cfg(test)]", "[cfg(all(test,"];
        if tree.to_string() != "#" || !of_tests.iter().any(|it| attribute.starts_with(it)) {
            kept.push(tree);
            continue;
        }
        // `use a::{b, c};` has braces before its semicolon.
        let mut to_semicolon = false;
        for tree in rest.by_ref().skip(1) {
            let word = tree.to_string();
            to_semicolon |= ["use", "static", "const", "type"].contains(&&*word);
            to_semicolon &= word != "fn";
            if word == ";" || word.starts_with('{') && !to_semicolon {
                break;
            }
        }
    }
    kept
}

/// Finds all paths, calls of macros, and modules with files. A path within an inline module begins with that module's
/// name; one within the braces of a `use` with what is before them.
fn paths(words: &[Word], module: &[String], before: &[String], found: &mut Vec<Use>) {
    let (mut at, mut path): (_, Vec<String>) = (0, before.to_vec());
    let text = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| &*word.text);
    while let Some(Word { text: word, first_line: line, .. }) = words.get(at) {
        let back = |count| text(at.checked_sub(count));
        let next = [1, 2].map(|count| text(Some(at + count)));
        match &**word {
            "(" | "[" | "{" => {
                // In a macro the name may be a variable: `mod $name {`.
                let is_module = back(2) == "mod" || back(2) == "$" && back(3) == "mod";
                // `super` in a macro's body is relative to the caller, which is not known: it leads
                // to this file.
                let is_macro = back(3) == "macro_rules";
                let module = match is_module || is_macro {
                    true => [module, &[back(1).to_owned()]].concat(),
                    false => module.to_vec(),
                };
                let inner = within(words, at);
                let is_list = back(1) == ":" && word == "{";
                paths(inner, &module, if is_list { &path } else { &[] }, found);
                path = before.to_vec();
                at += inner.len() + 1;
            }
            "mod" if text(Some(at + 2)) == ";" => {
                let names = [module, &[next[0].to_owned()]].concat();
                found.push(Use { names, line: *line, kind: Kind::Module });
            }
            // What follows `as` is a new name; the path in `pub(in path)` is a visibility.
            "as" => at += 1,
            "in" if at == 0 => at += 1,
            // A macro's variable stands for any name.
            name if back(1) == "$" && name != "crate" && path.is_empty() => {}
            name if next[0] == "!" && path.is_empty() && is_name(name) => {
                found.push(Use { names: vec![name.to_owned()], line: *line, kind: Kind::Macro });
            }
            name if is_name(name) || name == "*" && path.len() > before.len() => {
                path.push(name.to_owned());
                if next == [":", ":"] {
                    at += 2;
                } else {
                    if path.len() > 1 {
                        found.push(Use::path(&path, module, *line));
                    }
                    path = before.to_vec();
                }
            }
            _ => path = before.to_vec(),
        }
        at += 1;
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|it: char| it.is_alphabetic() || it == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tests_are_no_code() {
        let text = "//! A.\n//! B.\n\n/// C.\npub fn c() {\n    // D.\n    d(\"\n\"); // E.\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    use super::*;\n}\n";
        assert_eq!(lines(&words(text).unwrap()), 4);
    }
}
