//! The files of a crate, their lines of code, and the arrows between them: which file uses which
//! other one.
//!
//! `proc-macro2` splits the text into tokens. A parser such as `syn` sees no paths in the bodies of
//! macros.

use super::circles::Arrow;
use crate::prelude::*;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A file without its tests.
pub struct Source {
    /// The path from the root file's folder.
    pub path: String,
    /// The names of its module from the root.
    module: Vec<String>,
    tokens: Vec<TokenTree>,
}

/// The files of a crate. The first one is its root.
pub struct Crate {
    pub files: Vec<Source>,
}

/// A path in the code, from the crate's root, or the name of a macro that is called.
struct Use {
    names: Vec<String>,
    line: usize,
    is_macro: bool,
}

impl Use {
    /// A path in an inline module.
    fn path(path: &[String], inline: &[String], line: usize) -> Use {
        let inline = if path[0] == "crate" { &[] } else { inline };
        Use { names: [inline, path].concat(), line, is_macro: false }
    }
}

impl Crate {
    /// Reads the crate with that root file, and the files of all modules that it declares.
    pub fn read(root: &Path) -> Result<Crate, String> {
        let folder = root.parent().unwrap_or(root);
        let mut files = vec![Source::read(root, root, vec![])?];
        let mut next = 0;
        while let Some(source) = files.get(next) {
            let of_file = source.path.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
            let base =
                if source.module.is_empty() { folder.to_owned() } else { folder.join(of_file) };
            let mut children = vec![];
            declared(&source.tokens, &source.module, &base, &mut children);
            for (module, base) in children {
                let name = module.last().cloned().unwrap_or_default();
                let paths = [base.join(format!("{name}.rs")), base.join(&name).join("mod.rs")];
                let path = paths.iter().find(|path| path.is_file());
                let path =
                    path.ok_or_else(|| format!("no file for the module {}", module.join("::")))?;
                files.push(Source::read(path, root, module)?);
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
            for Use { names, line, is_macro } in self.uses(file) {
                let to = match is_macro {
                    true => macros
                        .get(&names[0])
                        .filter(|it| !it.contains(&from))
                        .and_then(|it| it.first().copied()),
                    false => self.target(&names, &exports),
                };
                let is_export =
                    from == 0 && names.last().is_some_and(|name| exports.contains_key(name));
                if let Some(to) = to.filter(|&to| to != from && !is_export) {
                    arrows.insert(Arrow { from, to, line, name: names.join("::") });
                }
            }
        }
        arrows.into_iter().collect()
    }

    /// What the root imports or exports under a name, and its first glob under `*`.
    fn exports(&self) -> BTreeMap<String, usize> {
        let mut exports = BTreeMap::new();
        for item in self.files[0].tokens.split_inclusive(|tree| is(tree, ";")) {
            let Some(at) = item.iter().position(|tree| is(tree, "use")) else { continue };
            let mut uses = vec![];
            paths(&item[at + 1..], &[], &[], &mut uses);
            for path in uses {
                let names = &path.names[usize::from(path.names[0] == "crate")..];
                if let (Some(to @ 1..), Some(last)) = (self.module(names), path.names.last()) {
                    exports.entry(last.clone()).or_insert(to);
                }
            }
        }
        exports
    }

    fn uses(&self, file: &Source) -> Vec<Use> {
        let mut uses = vec![];
        paths(&file.tokens, &[], &[], &mut uses);
        for path in uses.iter_mut().filter(|path| !path.is_macro) {
            let mut names = path.names.iter().map(String::as_str).peekable();
            let mut module: Vec<&str> = file.module.iter().map(String::as_str).collect();
            match names.peek() {
                Some(&"crate") => (module, _) = (vec![], names.next()),
                // The names of inline modules come first: `mod a { super::b }` is `a::super::b`.
                _ => {
                    while names.peek().is_some_and(|&name| name == "self") {
                        names.next();
                    }
                }
            }
            for name in names {
                match name {
                    "super" => _ = module.pop(),
                    "self" => {}
                    _ => module.push(name),
                }
            }
            path.names = module.into_iter().map(String::from).collect();
        }
        uses.retain(|path| !path.names.is_empty());
        uses
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
        match self.module(names)? {
            0 => match self.files[0]
                .words()
                .windows(2)
                .any(|pair| is_item(&pair[0]) && pair[1] == names[0])
            {
                true => Some(0),
                false => exports.get(&names[0]).copied(),
            },
            at => Some(at),
        }
    }

    /// Whether an arrow leads from a module of the root's list to one below it.
    pub fn is_up(&self, arrow: &Arrow) -> bool {
        let words = self.files[0].words();
        let place = |file: usize| {
            let name = self.files[file].module.first()?;
            words.windows(2).position(|pair| pair[0] == "mod" && pair[1] == *name)
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
    fn read(path: &Path, root: &Path, module: Vec<String>) -> Result<Source, String> {
        let tokens: Result<TokenStream, _> = read(path)?.parse();
        let tokens = tokens.map_err(|e| format!("{}: {e}", path.display()))?;
        let folder = root.parent().unwrap_or(root);
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        Ok(Source { path: name, module, tokens: without_tests(tokens) })
    }

    /// The number of lines with code. Blank lines, comments and tests are none.
    pub fn lines(&self) -> usize {
        lines(&self.tokens).len()
    }

    /// All identifiers and marks in their order.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![];
        each(&self.tokens, &mut |tree| words.push(tree.to_string()));
        words
    }

    /// The macros that the file defines outside of others, and the lines of code of their bodies.
    pub fn macros(&self) -> Vec<(String, usize)> {
        let found = self.tokens.windows(4).filter(|trees| is(&trees[0], "macro_rules"));
        let body = |tree: &TokenTree| match tree {
            TokenTree::Group(group) => lines(&trees(group)).len(),
            _ => 0,
        };
        found.map(|trees| (trees[2].to_string(), body(&trees[3]))).collect()
    }
}

fn trees(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

fn is(tree: &TokenTree, text: &str) -> bool {
    !matches!(tree, TokenTree::Group(_)) && tree.to_string() == text
}

fn is_item(word: &str) -> bool {
    ["fn", "struct", "enum", "trait", "type", "const", "static"].contains(&word)
}

/// Calls `f` with every token that is no group.
fn each(tokens: &[TokenTree], f: &mut impl FnMut(&TokenTree)) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => each(&trees(group), f),
            tree => f(tree),
        }
    }
}

/// The lines with at least one token. A documentation comment is an attribute of an empty width.
fn lines(tokens: &[TokenTree]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (at, tree) in tokens.iter().enumerate() {
        let span = tree.span();
        match tree {
            TokenTree::Group(group) if is_doc(group) && at > 0 => {}
            TokenTree::Group(group) => {
                found.extend([group.span_open().start().line, group.span_close().end().line]);
                found.extend(lines(&trees(group)));
            }
            _ if is(tree, "#")
                && matches!(tokens.get(at + 1), Some(TokenTree::Group(it)) if is_doc(it)) => {}
            _ => found.extend(span.start().line..=span.end().line),
        }
    }
    found
}

/// Whether these are the brackets of the attribute that a documentation comment becomes.
fn is_doc(group: &Group) -> bool {
    let trees = trees(group);
    group.delimiter() == Delimiter::Bracket
        && trees.len() == 3
        && is(&trees[0], "doc")
        && trees[0].span().start() == trees[2].span().start()
}

/// Removes the items with `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let (mut kept, mut rest) = (vec![], tokens.into_iter().peekable());
    while let Some(tree) = rest.next() {
        let attribute =
            rest.peek().map(|tree| tree.to_string().replace(' ', "")).unwrap_or_default();
        let of_tests = ["[test]", "[cfg(test)]", "[cfg(all(test,"];
        if !is(&tree, "#") || !of_tests.iter().any(|it| attribute.starts_with(it)) {
            kept.push(tree);
            continue;
        }
        // `use a::{b, c};` has braces before its semicolon.
        let mut to_semicolon = false;
        for tree in rest.by_ref().skip(1) {
            to_semicolon |= ["use", "static", "const", "type"].iter().any(|word| is(&tree, word));
            to_semicolon &= !is(&tree, "fn");
            let is_body =
                matches!(&tree, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace);
            if is(&tree, ";") || is_body && !to_semicolon {
                break;
            }
        }
    }
    kept
}

/// Finds the modules declared with `mod name;`, each with the folder of its file.
fn declared(
    tokens: &[TokenTree],
    module: &[String],
    folder: &Path,
    found: &mut Vec<(Vec<String>, std::path::PathBuf)>,
) {
    for trees_ in tokens.windows(3).filter(|trees| is(&trees[0], "mod")) {
        let name = trees_[1].to_string();
        let child = [module, std::slice::from_ref(&name)].concat();
        match &trees_[2] {
            TokenTree::Group(group) => declared(&trees(group), &child, &folder.join(name), found),
            tree if is(tree, ";") => found.push((child, folder.to_owned())),
            _ => {}
        }
    }
}

/// Finds all paths and calls of macros. A path within an inline module begins with that module's
/// name; one within the braces of a `use` with what is before them.
fn paths(tokens: &[TokenTree], inline: &[String], before: &[String], found: &mut Vec<Use>) {
    let (mut at, mut path): (_, Vec<String>) = (0, before.to_vec());
    let text = |at: usize| {
        tokens.get(at).map_or(String::new(), |tree| match tree {
            TokenTree::Group(_) => "(".into(),
            tree => tree.to_string(),
        })
    };
    while let Some(tree) = tokens.get(at) {
        let continues = text(at + 1) == ":" && text(at + 2) == ":";
        match tree {
            TokenTree::Group(group) => {
                // In a macro the name may be a variable: `mod $name {`.
                let is_module = at >= 2 && text(at - 2) == "mod"
                    || at >= 3 && text(at - 2) == "$" && text(at - 3) == "mod";
                // `super` in a macro's body is relative to the caller, which is not known: it leads
                // to this file.
                let is_macro = at >= 3 && text(at - 3) == "macro_rules";
                let inline = match is_module || is_macro {
                    true => [inline, &[text(at - 1)]].concat(),
                    false => inline.to_vec(),
                };
                let is_list =
                    at >= 1 && text(at - 1) == ":" && group.delimiter() == Delimiter::Brace;
                paths(&trees(group), &inline, if is_list { &path } else { &[] }, found);
                path = before.to_vec();
            }
            // What follows `as` is a new name; the path in `pub(in path)` is a visibility.
            TokenTree::Ident(ident)
                if *ident == "as" || *ident == "in" && at == 0 && inline.is_empty() =>
            {
                at += 1
            }
            TokenTree::Ident(ident) => {
                let line = ident.span().start().line;
                let name = ident.to_string();
                let is_variable = at >= 1 && text(at - 1) == "$" && name != "crate";
                if is_variable && path.is_empty() {
                    // A macro's variable stands for any name.
                } else if text(at + 1) == "!" && path.is_empty() {
                    found.push(Use { names: vec![name], line, is_macro: true });
                } else {
                    path.push(name);
                    if continues {
                        at += 2;
                    } else {
                        if path.len() > 1 {
                            found.push(Use::path(&path, inline, line));
                        }
                        path = before.to_vec();
                    }
                }
            }
            _ if text(at) == "*" && path.len() > before.len() => {
                path.push("*".into());
                found.push(Use::path(&path, inline, tree.span().start().line));
                path = before.to_vec();
            }
            _ => path = before.to_vec(),
        }
        at += 1;
    }
}
