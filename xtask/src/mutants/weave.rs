//! Puts mutants into a source file, each behind a condition: `if is(7) { a - b } else { a + b }`.

use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ExprBinary, ExprMatch, ExprStruct, ExprUnary, ImplItemFn, ItemFn, TraitItemFn};

/// A mutant, as cargo-mutants 27.1 names it:
/// `crates/hashmill/src/lanes.rs:78:17: replace > with < in f`.
pub struct Mutant<'n> {
    pub file: &'n str,
    line: usize,
    /// In characters, from 1.
    column: usize,
    pub change: &'n str,
}

impl<'n> Mutant<'n> {
    pub fn parse(name: &'n str) -> Option<Self> {
        let (place, change) = name.split_once(": ")?;
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        Some(Mutant { file: parts.next()?, line, column, change })
    }

    /// The line in which the mutant begins.
    pub fn line<'t>(&self, text: &'t str) -> &'t str {
        text.lines().nth(self.line - 1).unwrap_or_default().trim()
    }

    /// What it does.
    fn kind(&self) -> Option<(Kind, &'n str)> {
        let change = self.change;
        Some(if change.starts_with("delete match arm ") {
            (Kind::Arm, "")
        } else if change.starts_with("delete field ") {
            (Kind::Field, "")
        } else if change.starts_with("delete ") {
            (Kind::Unary, "")
        } else if let Some(guard) = change.strip_prefix("replace match guard ") {
            let value = if guard.contains(" with true") { "true" } else { "false" };
            (Kind::Guard, value)
        } else {
            let (old, new) = change.strip_prefix("replace ")?.split_once(" with ")?;
            match old.chars().all(|it| it.is_ascii_punctuation()) {
                true => (Kind::Binary, new.split(' ').next()?),
                false => (Kind::Function, new),
            }
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Binary,
    Unary,
    Function,
    Arm,
    Guard,
    Field,
}

/// A file with its mutants, and where these are.
pub struct Woven {
    pub text: String,
    /// Lines, from 1, and the number of the mutant that an error in them speaks of.
    pub lines: Vec<(Range<usize>, usize)>,
}

/// Puts the mutants, each with its number, into the text. A mutant whose place is not found is missing
/// in the result.
pub fn weave(text: &str, mutants: &[(usize, &Mutant)]) -> Result<Woven, syn::Error> {
    let mut wanted: HashMap<Place, Vec<(usize, &str)>> = HashMap::new();
    for (number, mutant) in mutants {
        if let Some((kind, new)) = mutant.kind() {
            let place = (kind, mutant.line, mutant.column);
            wanted.entry(place).or_default().push((*number, new));
        }
    }
    let mut finder = Finder { wanted, edits: Vec::new() };
    finder.visit_file(&syn::parse_file(text)?);
    let mut edits = finder.edits;
    // An outer edit comes before those within it.
    edits.sort_by_key(|edit| {
        (edit.range.start, !edit.range.is_empty(), usize::MAX - edit.range.end)
    });
    let mut weaver = Weaver { text, edits: &edits, woven: String::new(), lines: Vec::new() };
    weaver.copy(0..text.len(), 0);
    Ok(Woven { text: weaver.woven, lines: weaver.lines })
}

/// What replaces a range of the text.
struct Edit {
    range: Range<usize>,
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    /// A range of the old text, with the edits in it.
    Old(Range<usize>),
    /// What these mutants do, on lines of its own.
    Of(Vec<usize>, Vec<Piece>),
}

use Piece::{Of, Old, Text};

fn text(text: &str) -> Piece {
    Text(text.to_owned())
}

/// `if is(1) { … } else if is(2) { … } else { … }`, in parentheses.
fn choice(new: Vec<(usize, Vec<Piece>)>, old: Vec<Piece>) -> Vec<Piece> {
    let numbers = new.iter().map(|(number, _)| *number).collect();
    let mut pieces = vec![text("(")];
    for (number, new) in new {
        pieces.push(Text(format!("if crate::mutated::is({number}) {{")));
        pieces.push(Of(vec![number], new));
        pieces.push(text("} else "));
    }
    pieces.push(text("{"));
    pieces.extend(old);
    pieces.push(text("})"));
    vec![Of(numbers, pieces)]
}

struct Weaver<'t> {
    text: &'t str,
    edits: &'t [Edit],
    woven: String,
    lines: Vec<(Range<usize>, usize)>,
}

impl Weaver<'_> {
    /// Copies a range, with the edits in it from that index on.
    fn copy(&mut self, range: Range<usize>, from: usize) {
        let (mut at, edits) = (range.start, self.edits);
        for (index, edit) in edits.iter().enumerate().skip(from) {
            let Range { start, end } = edit.range;
            if start >= at && start < range.end && end <= range.end {
                self.woven.push_str(&self.text[at..start]);
                self.pieces(&edit.pieces, index + 1);
                at = end;
            }
        }
        self.woven.push_str(&self.text[at..range.end]);
    }

    fn pieces(&mut self, pieces: &[Piece], from: usize) {
        for piece in pieces {
            match piece {
                Text(text) => self.woven.push_str(text),
                Old(range) => self.copy(range.clone(), from),
                Of(numbers, pieces) => {
                    self.woven.push('\n');
                    let first = self.line();
                    self.pieces(pieces, from);
                    self.woven.push('\n');
                    let lines = first..self.line();
                    self.lines.extend(numbers.iter().map(|number| (lines.clone(), *number)));
                }
            }
        }
    }

    fn line(&self) -> usize {
        1 + self.woven.matches('\n').count()
    }
}

/// A kind of mutant, a line, and a column in characters, each from 1.
type Place = (Kind, usize, usize);

struct Finder<'n> {
    wanted: HashMap<Place, Vec<(usize, &'n str)>>,
    edits: Vec<Edit>,
}

impl<'n> Finder<'n> {
    /// The mutants of that kind which begin at a token.
    fn at(&mut self, kind: Kind, span: Span) -> Option<Vec<(usize, &'n str)>> {
        let start = span.start();
        self.wanted.remove(&(kind, start.line, start.column + 1))
    }

    fn edit(&mut self, range: Range<usize>, pieces: Vec<Piece>) {
        self.edits.push(Edit { range, pieces });
    }

    fn insert(&mut self, at: usize, pieces: Vec<Piece>) {
        self.edit(at..at, pieces);
    }

    fn function(&mut self, block: &Block) {
        let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) else { return };
        let all = range(first).start..range(last).end;
        for (number, value) in self.at(Kind::Function, first.span()).into_iter().flatten() {
            let new = Of(vec![number], vec![Text(format!("return {value};"))]);
            let begin = Text(format!("if crate::mutated::is({number}) {{"));
            self.insert(all.start, vec![begin, new, text("}")]);
            // If the result's type is `impl Trait`, rustc reports the other value.
            self.edit(all.clone(), vec![Of(vec![number], vec![Old(all.clone())])]);
        }
    }
}

fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_fn(&mut self, it: &'a ItemFn) {
        self.function(&it.block);
        visit::visit_item_fn(self, it);
    }

    fn visit_impl_item_fn(&mut self, it: &'a ImplItemFn) {
        self.function(&it.block);
        visit::visit_impl_item_fn(self, it);
    }

    fn visit_trait_item_fn(&mut self, it: &'a TraitItemFn) {
        it.default.iter().for_each(|block| self.function(block));
        visit::visit_trait_item_fn(self, it);
    }

    fn visit_expr_binary(&mut self, it: &'a ExprBinary) {
        if let Some(mutants) = self.at(Kind::Binary, it.op.span()) {
            let (left, right) = (range(&it.left), range(&it.right));
            let new = mutants.into_iter().map(|(number, new)| {
                let operator = Text(format!(" {new} "));
                (number, vec![Old(left.clone()), operator, Old(right.clone())])
            });
            let pieces = choice(new.collect(), vec![Old(range(it))]);
            self.edit(range(it), pieces);
        }
        visit::visit_expr_binary(self, it);
    }

    fn visit_expr_unary(&mut self, it: &'a ExprUnary) {
        if let Some(mutants) = self.at(Kind::Unary, it.op.span()) {
            let new = mutants.into_iter().map(|(number, _)| (number, vec![Old(range(&it.expr))]));
            let pieces = choice(new.collect(), vec![Old(range(it))]);
            self.edit(range(it), pieces);
        }
        visit::visit_expr_unary(self, it);
    }

    fn visit_expr_match(&mut self, it: &'a ExprMatch) {
        for arm in &it.arms {
            if let Some((_, guard)) = &arm.guard
                && let Some(mutants) = self.at(Kind::Guard, guard.span())
            {
                let new = mutants.into_iter().map(|(number, new)| (number, vec![text(new)]));
                let pieces = choice(new.collect(), vec![Old(range(guard))]);
                self.edit(range(guard), pieces);
            }
            for (number, _) in self.at(Kind::Arm, arm.span()).into_iter().flatten() {
                let not = format!("!crate::mutated::is({number})");
                match &arm.guard {
                    Some((_, guard)) => {
                        let range = range(guard);
                        self.insert(range.start, vec![Text(format!("{not} && ("))]);
                        self.insert(range.end, vec![text(")")]);
                    }
                    None => self.insert(range(&arm.pat).end, vec![Text(format!(" if {not}"))]),
                }
                // rustc reports a case that is missing at the match.
                self.edit(range(it), vec![Of(vec![number], vec![Old(range(it))])]);
            }
        }
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_struct(&mut self, it: &'a ExprStruct) {
        for field in &it.fields {
            let (Some(rest), Some(mutants)) = (&it.rest, self.at(Kind::Field, field.span())) else {
                continue;
            };
            let name = match &field.member {
                syn::Member::Named(name) => name.to_string(),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            let of_rest = || vec![text("("), Old(range(rest)), Text(format!(").{name}"))];
            let new = mutants.into_iter().map(|(number, _)| (number, of_rest()));
            let mut pieces = vec![Text(format!("{name}: "))];
            pieces.extend(choice(new.collect(), vec![Old(range(&field.expr))]));
            self.edit(range(field), pieces);
        }
        visit::visit_expr_struct(self, it);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn woven(source: &str, names: &[&str]) -> String {
        let mutants: Vec<Mutant> = names.iter().map(|name| Mutant::parse(name).unwrap()).collect();
        let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
        let woven = weave(source, &numbered).unwrap();
        woven.text.replace("crate::mutated::", "").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operators_of_each_other() {
        let source = "fn f(a: u32) -> bool { !a > 1 }";
        let names = ["x.rs:1:27: replace > with < in f", "x.rs:1:24: delete ! in f"];
        let inner = "(if is(1) { a } else {!a})";
        assert_eq!(
            woven(source, &names),
            format!(
                "fn f(a: u32) -> bool {{ (if is(0) {{ {inner} < 1 }} else {{ {inner} > 1}}) }}"
            )
        );
    }

    #[test]
    fn values_arms_and_fields() {
        let source = "fn f(a: u32) -> S { match a { 0 => S { x, ..T }, 1 if a > 0 => U, _ => V } }";
        let names = [
            "x.rs:1:21: replace f -> S with Default::default()",
            "x.rs:1:31: delete match arm 0 in f",
            "x.rs:1:40: delete field x from struct S expression in f",
            "x.rs:1:55: replace match guard a > 0 with true in f",
        ];
        assert_eq!(
            woven(source, &names),
            "fn f(a: u32) -> S { if is(0) { return Default::default(); } match a { 0 if !is(1) \
             => S { x: (if is(2) { (T).x } else {x}) , ..T }, 1 if (if is(3) { true } else {a > \
             0}) => U, _ => V } }"
        );
    }

    #[test]
    fn an_error_belongs_to_a_mutant() {
        let mutant = Mutant::parse("x.rs:2:3: replace + with - in f").unwrap();
        let woven = weave("fn f() -> u8 { 1\n  + 2 }", &[(7, &mutant)]).unwrap();
        let line = 1 + woven.text.lines().position(|line| line.contains(" - ")).unwrap();
        let of =
            |line: &usize| woven.lines.iter().filter(|(lines, _)| lines.contains(line)).count();
        assert_eq!(of(&line), 2, "{}", woven.text);
        assert!(woven.lines.iter().all(|(_, number)| *number == 7));
        assert_eq!(of(&1), 0);
    }
}
