//! Finds which file of a crate uses which other file: the arrows of its module graph.
//!
//! This is a scanner of tokens, not a parser such as `syn`, because a parser sees no paths in macro
//! bodies, and because the first `cargo xtask` must not wait for dependencies to be built.

use super::source::{Kind, Source, Token, nesting};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One file uses another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub line: usize,
    /// The path as it is written there.
    pub name: String,
}

/// Which file a path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The file of the last module in the path.
    Modules,
    /// The file that defines the item, found by following the `use` declarations of the modules on
    /// the way.
    Names,
}

/// The files of a crate. The first one is its root.
#[derive(Default)]
pub struct Crate {
    /// Each file's path in `src`, and its text.
    pub files: Vec<(String, Source)>,
    modules: Vec<Module>,
}

/// A module: a whole file, or an inline module (`mod name { … }`).
#[derive(Default)]
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Every path that its code contains.
    paths: Vec<Written>,
    /// The items it defines, except those that a macro generates.
    items: BTreeSet<String>,
    /// The macros it defines. Its child modules see them without a path; with `#[macro_use]` all
    /// modules do.
    macros: BTreeSet<String>,
    is_macro_use: bool,
    /// All identifiers in it. A glob import brings an arrow only for the names among them.
    words: BTreeSet<String>,
    /// The macros it calls without a path, and the lines.
    calls: Vec<(String, usize)>,
}

/// A path in the code. Its last name is `*` for a glob, and for a macro's variable
/// (`crate::$Type`), which may stand for any name.
struct Written {
    names: Vec<String>,
    /// The macro whose body contains it, unless the path is in an inline module of that body.
    of_macro: Option<String>,
    line: usize,
    /// For a `use`: the name by which the module calls the item, or `*`.
    import: Option<String>,
    /// Whether it is a `use` with `pub`.
    is_reexport: bool,
}

impl Module {
    /// Its imports. Those in a macro's body belong to the modules that call the macro.
    fn imports(&self) -> impl Iterator<Item = &Written> {
        self.paths.iter().filter(|path| path.import.is_some() && path.of_macro.is_none())
    }
}

impl Crate {
    /// Reads the crate from its root file. `read` returns the text of a file, given its path in
    /// `src`.
    pub fn new(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut all = Crate { files: vec![], modules: vec![Module::default()] };
        all.file(root, 0, "", read)?;
        Ok(all)
    }

    /// Reads the file of a module, and the files of the modules it declares, which are in `folder`.
    fn file(
        &mut self,
        path: &str,
        module: usize,
        folder: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let source = Source::new(&read(path).ok_or_else(|| format!("{path} cannot be read"))?);
        let file = self.files.len();
        self.modules[module].file = file;
        let declared = self.scan(&source.tokens, module);
        self.files.push((path.to_owned(), source));
        for (child, folders, name) in declared {
            let base = folders.iter().fold(folder.to_owned(), |path, part| path + part + "/");
            let path = [format!("{base}{name}.rs"), format!("{base}{name}/mod.rs")]
                .into_iter()
                .find(|path| read(path).is_some())
                .ok_or_else(|| format!("{path}: no file for `mod {name};`"))?;
            self.file(&path, child, &format!("{base}{name}/"), read)?;
        }
        Ok(())
    }

    /// Records the modules, paths and items of a file. Returns the modules declared with `mod
    /// name;`: each with the inline modules that enclose the declaration, and its name.
    fn scan(&mut self, tokens: &[Token], module: usize) -> Vec<(usize, Vec<String>, String)> {
        let file = self.modules[module].file;
        let text = |at: usize| tokens.get(at).map_or("", |token| &*token.text);
        // The inline modules around the token: each with the depth of brackets outside it, and its
        // name.
        let mut open = vec![(module, 0, String::new())];
        let (mut depth, mut declared, mut is_macro_use, mut at) = (0, vec![], false, 0);
        // The macro around the token: its name, the depth of brackets outside it, and the module
        // that contains it.
        let mut body: Option<(String, isize, usize)> = None;
        while let Some(token) = tokens.get(at) {
            depth += nesting(token);
            while open.len() > 1 && open.last().is_some_and(|(_, outer, _)| depth == *outer) {
                open.pop();
            }
            body = body.filter(|(_, outer, _)| depth > *outer || nesting(token) >= 0);
            let (inner, outer) =
                open.last().map_or((module, 0), |(inner, depth, _)| (*inner, *depth));
            let is_path = text(at + 1) == ":" && text(at + 2) == ":";
            let of_macro = || {
                let (name, ..) = body.as_ref().filter(|(.., module)| *module == inner)?;
                Some(name.clone())
            };
            let before = |n: usize| at.checked_sub(n).map_or("", text);
            let continues = match before(1) {
                "$" => true,
                mark @ ("." | ":") => (mark == ".") != (before(2) == mark),
                _ => false,
            };
            if token.kind != Kind::Word || continues && token.text != "crate" {
                at += 1;
                continue;
            }
            let here = &mut self.modules[inner];
            here.words.insert(token.text.clone());
            is_macro_use |= token.text == "macro_use";
            match &*token.text {
                "mod" => {
                    // In a macro the name may be a variable: `mod $name {`.
                    at += usize::from(text(at + 1) == "$");
                    let (name, then) = (text(at + 1).to_owned(), text(at + 2));
                    if matches!(then, "{" | ";") {
                        self.modules.push(Module {
                            file,
                            parent: Some(inner),
                            is_macro_use: std::mem::take(&mut is_macro_use),
                            ..Module::default()
                        });
                        let child = self.modules.len() - 1;
                        self.modules[inner].children.insert(name.clone(), child);
                        if then == "{" {
                            open.push((child, depth, name));
                            depth += 1;
                        } else {
                            let folders = open[1..].iter().map(|(_, _, name)| name.clone());
                            declared.push((child, folders.collect(), name));
                        }
                        at += 3;
                        continue;
                    }
                }
                // `use<'a>` lists what an `impl Trait` captures.
                "use" if text(at + 1) != "<" => {
                    let end =
                        (at..tokens.len()).find(|&at| text(at) == ";").unwrap_or(tokens.len());
                    let is_reexport = matches!(before(1), "pub" | ")");
                    let line = *token.lines.start();
                    for (names, import) in imports(&tokens[at + 1..end]) {
                        let import = Some(import);
                        let of_macro = of_macro();
                        here.paths.push(Written { names, of_macro, line, import, is_reexport });
                    }
                    here.words.extend(tokens[at..end].iter().map(|token| token.text.clone()));
                    at = end;
                    continue;
                }
                "macro_rules" if text(at + 1) == "!" => {
                    let name = text(at + 2).to_owned();
                    body = body.or_else(|| Some((name.clone(), depth, inner)));
                    here.macros.insert(name);
                    at += 2;
                }
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static"
                    if depth == outer + usize::from(inner != module) as isize =>
                {
                    here.items.insert(text(at + 1).to_owned());
                }
                // `pub(in crate::x)` is a visibility.
                _ if is_path && !(before(1) == "in" && before(3) == "pub") => {
                    let names = inline_path(&tokens[at..]);
                    let line = *token.lines.start();
                    let of_macro = of_macro();
                    here.paths.push(Written {
                        names,
                        of_macro,
                        line,
                        import: None,
                        is_reexport: false,
                    });
                }
                _ if text(at + 1) == "!" => {
                    here.calls.push((token.text.clone(), *token.lines.start()))
                }
                _ => {}
            }
            at += 1;
        }
        declared
    }

    /// All arrows: one for each path, line and target file.
    pub fn arrows(&self, count: Count) -> Vec<Arrow> {
        let mut arrows = BTreeSet::new();
        for (module, here) in self.modules.iter().enumerate() {
            let from = here.file;
            let mut add = |files: BTreeSet<usize>, line, name: &str| {
                for to in files.into_iter().filter(|&to| to != from) {
                    arrows.insert(Arrow { from, to, line, name: name.to_owned() });
                }
            };
            for path in &here.paths {
                // The root's re-exports are the public interface, not a use.
                if from == 0 && path.is_reexport {
                    continue;
                }
                for module in self.places(module, path) {
                    let files = match count {
                        Count::Modules => self.by_modules(module, &path.names),
                        Count::Names => self.by_names(module, &path.names, module, 0),
                    };
                    add(files, path.line, &path.names.join("::"));
                }
            }
            if count == Count::Names {
                for (name, line) in &here.calls {
                    add(self.by_scope(module, name), *line, &format!("{name}!"));
                }
            }
        }
        arrows.into_iter().collect()
    }

    /// The modules in which a path is looked up. In a macro, `self` and `super` are relative to the
    /// caller.
    fn places(&self, module: usize, path: &Written) -> Vec<usize> {
        let is_relative = matches!(&*path.names[0], "self" | "super");
        let calls = |place: &usize| {
            let place = &self.modules[*place];
            let calls = |name| place.calls.iter().any(|(called, _)| called == name);
            place.file == self.modules[module].file && path.of_macro.as_ref().is_some_and(calls)
        };
        let places: Vec<_> =
            (0..self.modules.len()).filter(|at| is_relative && calls(at)).collect();
        if places.is_empty() { vec![module] } else { places }
    }

    /// Resolves `crate`, `self` and `super`: the module where the rest of the path starts, and the
    /// rest. Other paths start in `module`; the first name may then be another crate's, which no
    /// lookup finds.
    fn start<'n>(&self, module: usize, names: &'n [String]) -> (usize, &'n [String]) {
        match names.first().map(String::as_str) {
            Some("crate") => self.start(0, &names[1..]),
            Some("self") => self.start(module, &names[1..]),
            Some("super") => self.start(self.modules[module].parent.unwrap_or(0), &names[1..]),
            _ => (module, names),
        }
    }

    /// Resolves the modules of a path: the last one, and the names after it.
    fn descend<'n>(&self, module: usize, names: &'n [String]) -> (usize, &'n [String]) {
        let (mut module, mut names) = self.start(module, names);
        while let Some((name, rest)) = names.split_first() {
            let Some(&child) = self.modules[module].children.get(name) else { break };
            (module, names) = (child, rest);
        }
        (module, names)
    }

    fn by_modules(&self, module: usize, names: &[String]) -> BTreeSet<usize> {
        let (target, names) = self.descend(module, names);
        self.file_of(target, names)
    }

    /// The file of `module`, where `names` begins with an item of it. The root file counts only for
    /// items that it defines itself: as a list of re-exports it is no node of the graph.
    fn file_of(&self, module: usize, names: &[String]) -> BTreeSet<usize> {
        let module = &self.modules[module];
        let is_here = names.first().is_some_and(|name| module.items.contains(name));
        BTreeSet::from_iter((module.file != 0 || is_here).then_some(module.file))
    }

    /// The files that define what a path names. `user` is the module that contains the path.
    fn by_names(
        &self,
        module: usize,
        names: &[String],
        user: usize,
        hops: usize,
    ) -> BTreeSet<usize> {
        let (target, names) = self.descend(module, names);
        let here = &self.modules[target];
        let Some((name, rest)) = names.split_first() else { return self.file_of(target, names) };
        // `use name::name` of another crate looks like an import that refers to itself.
        if hops > 8 {
            return BTreeSet::new();
        }
        let follow = |path: &Written, rest: &[String]| {
            let names = [&path.names, rest].concat();
            self.by_names(target, &names, user, hops + 1)
        };
        if name == "*" {
            let words = &self.modules[user].words;
            let mut files = self.file_of(target, &[]);
            if !words.is_disjoint(&here.items) {
                files.insert(here.file);
            }
            for path in here.imports() {
                match path.import.as_deref() {
                    Some("*") if target != user => files.extend(follow(path, &[])),
                    Some(import) if words.contains(import) => files.extend(follow(path, &[])),
                    _ => {}
                }
            }
            return files;
        }
        if here.items.contains(name) || here.macros.contains(name) {
            return BTreeSet::from([here.file]);
        }
        let mut files = BTreeSet::new();
        for path in here.imports() {
            if path.import.as_ref() == Some(name) {
                files.extend(follow(path, rest));
            } else if path.import.as_deref() == Some("*") {
                files.extend(self.through_glob(target, path, name, rest, user, hops));
            }
        }
        match files.is_empty() {
            // A macro generates the item, or another crate defines it.
            true => self.file_of(target, names),
            false => files,
        }
    }

    /// The files that define `name`, if a glob import in `module` brings it in.
    fn through_glob(
        &self,
        module: usize,
        glob: &Written,
        name: &str,
        rest: &[String],
        user: usize,
        hops: usize,
    ) -> BTreeSet<usize> {
        let (target, left) = self.descend(module, &glob.names);
        let there = &self.modules[target];
        let imports = there.imports().any(|path| path.import.as_deref() == Some(name));
        let known = imports || there.items.contains(name) || there.children.contains_key(name);
        // A glob of an enum's variants leaves the enum's name.
        if target == module || left != ["*"] || !known {
            return BTreeSet::new();
        }
        let names = [&[name.to_owned()], rest].concat();
        self.by_names(target, &names, user, hops + 1)
    }

    /// The files that define a macro called without a path, found by textual scope.
    fn by_scope(&self, module: usize, name: &str) -> BTreeSet<usize> {
        let here = &self.modules[module];
        let imported = here.imports().any(|path| path.import.as_deref() == Some(name));
        if imported || here.macros.contains(name) {
            return BTreeSet::new();
        }
        let above: Vec<_> =
            std::iter::successors(here.parent, |&module| self.modules[module].parent).collect();
        let seen = |at: usize| self.modules[at].is_macro_use || above.contains(&at);
        let modules = self.modules.iter().enumerate();
        let defining = modules.filter(|(at, other)| seen(*at) && other.macros.contains(name));
        defining.map(|(_, other)| other.file).collect()
    }
}

/// The names of the path at the start of `tokens`.
fn inline_path(tokens: &[Token]) -> Vec<String> {
    let mut names = vec![tokens[0].text.clone()];
    for next in tokens[1..].chunks(3) {
        match next {
            [first, second, name] if first.text == ":" && second.text == ":" => match name.kind {
                Kind::Word => names.push(name.text.clone()),
                _ if name.text == "$" => return [names, vec!["*".into()]].concat(),
                _ => break,
            },
            _ => break,
        }
    }
    names
}

/// The paths of a `use` declaration, each with the name it introduces, or `*`.
fn imports(tokens: &[Token]) -> Vec<(Vec<String>, String)> {
    let mut names: Vec<String> = vec![];
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match &*token.text {
            ":" => {}
            "{" => {
                let (mut paths, mut from, mut depth) = (vec![], at + 1, 0);
                for (end, token) in tokens.iter().enumerate().skip(at) {
                    depth += nesting(token);
                    if depth == 0 || depth == 1 && token.text == "," {
                        paths.extend(imports(&tokens[from..end]));
                        from = end + 1;
                    }
                    if depth == 0 {
                        break;
                    }
                }
                for (path, _) in &mut paths {
                    path.splice(..0, names.iter().cloned());
                }
                return paths.into_iter().map(without_self).collect();
            }
            "as" => {
                let name = tokens.get(at + 1).map_or("_", |token| &token.text);
                return vec![(names, name.to_owned())];
            }
            "$" => {
                names.push("*".into());
                at += 1;
            }
            name => names.push(name.to_owned()),
        }
        at += 1;
    }
    let last = names.last().cloned();
    last.map(|last| without_self((names, last))).into_iter().collect()
}

/// Removes `self` at the end of a path: `a::{self}` imports `a`.
fn without_self((mut names, mut import): (Vec<String>, String)) -> (Vec<String>, String) {
    if names.len() > 1 && names.last().is_some_and(|last| last == "self") {
        names.pop();
        if import == "self" {
            import = names.last().cloned().unwrap_or_default();
        }
    }
    (names, import)
}

/// Reads the crate with that `src` folder, from `lib.rs` on.
pub fn read(src: &Path) -> Result<Crate, String> {
    Crate::new("lib.rs", &|path| std::fs::read_to_string(src.join(path)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::circles::circles;

    /// The arrows of a crate of these files as `from>to`, and how many files are in circles.
    fn arrows(files: &[(&str, &str)], count: Count) -> (Vec<String>, usize) {
        let read = |path: &str| {
            let file = files.iter().find(|(name, _)| *name == path)?;
            Some(file.1.to_owned())
        };
        let all = Crate::new("lib.rs", &read).expect("every module has a file");
        let arrows = all.arrows(count);
        let name = |file: usize| all.files[file].0.trim_end_matches(".rs");
        let mut shown: Vec<_> =
            arrows.iter().map(|arrow| format!("{}>{}", name(arrow.from), name(arrow.to))).collect();
        shown.dedup();
        let in_circles =
            circles(all.files.len(), &arrows).into_iter().map(|circle| circle.files.len());
        (shown, in_circles.sum())
    }

    fn both(files: &[(&str, &str)]) -> [(Vec<String>, usize); 2] {
        [Count::Modules, Count::Names].map(|count| arrows(files, count))
    }

    fn shown(arrows: &[&str], in_circles: usize) -> (Vec<String>, usize) {
        (arrows.iter().map(|&arrow| arrow.to_owned()).collect(), in_circles)
    }

    #[test]
    fn a_circle_through_files_and_folders() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; pub use a::A;"),
            ("a.rs", "use crate::b::{self, d::{D, E as F}}; pub struct A;"),
            ("b.rs", "pub mod d;"),
            ("b/d.rs", "pub struct D; fn f() { crate::c::g() }"),
            ("c.rs", "mod inner { use super::super::a::*; } fn g() {}"),
        ];
        let expected = shown(&["a>b", "a>b/d", "b/d>c", "c>a"], 3);
        assert_eq!(both(&files), [expected.clone(), expected]);
    }

    #[test]
    fn a_circle_through_what_the_root_exports_is_one_of_names() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::{A as Again, f}; pub use b::B;"),
            ("a.rs", "use crate::b::B; made_by_a_macro!(A);"),
            ("b.rs", "use crate::Again; pub struct B;"),
        ];
        assert_eq!(both(&files), [shown(&["a>b"], 0), shown(&["a>b", "b>a"], 2)]);
        // And through all of it.
        let star = ("b.rs", "use crate::*; pub struct B(Again);");
        assert_eq!(arrows(&[files[0], files[1], star], Count::Names), shown(&["a>b", "b>a"], 2));
        let unused = ("b.rs", "use crate::*; pub struct B(Other);");
        assert_eq!(arrows(&[files[0], files[1], unused], Count::Names), shown(&["a>b"], 0));
        let variable = ("b.rs", "macro_rules! m { ($T:ident) => { crate::$T } } m!(Again);");
        assert_eq!(
            arrows(&[files[0], files[1], variable], Count::Names),
            shown(&["a>b", "b>a"], 2)
        );
    }

    #[test]
    fn names_are_followed_through_modules_that_export_them() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::{C, c::D}; fn f() { c::g() } use crate::b::c;"),
            ("b.rs", "pub use crate::c::*; pub use crate::c;"),
            ("c.rs", "pub struct C; pub struct D;"),
        ];
        let [by_modules, by_names] = both(&files);
        assert_eq!(by_modules, shown(&["a>b", "b>c"], 0));
        assert_eq!(by_names, shown(&["a>c", "b>c"], 0));
    }

    #[test]
    fn the_root_counts_for_what_it_defines() {
        let files = [
            ("lib.rs", "mod a; use a::A; pub fn run() {}"),
            ("a.rs", "pub struct A; fn f() { crate::run() }"),
        ];
        assert_eq!(arrows(&files, Count::Names), shown(&["lib>a", "a>lib"], 2));
        let exports =
            ("lib.rs", "mod a; mod b; pub use a::A; pub mod lists { pub use crate::a::A; }");
        let files = [exports, ("a.rs", "struct A;"), ("b.rs", "use crate::A; use crate::lists;")];
        assert_eq!(arrows(&files, Count::Names), shown(&["b>a"], 0));
    }

    #[test]
    fn macros_bring_arrows_where_they_are_written_and_where_they_are_called() {
        let files = [
            ("lib.rs", "#[macro_use] mod a; mod b; mod c;"),
            ("a.rs", "macro_rules! m { () => { $crate::b::f(); crate::b::Type::$x } }"),
            ("b.rs", ""),
            ("c.rs", "m!(); macro_rules! own { () => { use super::*; } } mod d { own!(); }"),
        ];
        assert_eq!(both(&files), [shown(&["a>b"], 0), shown(&["a>b", "c>a"], 0)]);
    }

    #[test]
    fn comments_strings_tests_and_other_crates_bring_none() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "//! use crate::b::B;\n/// [`crate::b::B`]\nfn f() -> &'static str { \"crate::b::B\" }\n\
                 #[cfg(test)] mod tests { use crate::b::B; }\n#[cfg(test)] use crate::b::{B, C};\n\
                 use core::b::B; use ::b::C; pub(in crate::b) struct D; fn g(b: B) { b.b::<u8>(); other::crate_b() }",
            ),
            ("b.rs", "use crate::a::f;"),
        ];
        let expected = shown(&["b>a"], 0);
        assert_eq!(both(&files), [expected.clone(), expected]);
    }
}
