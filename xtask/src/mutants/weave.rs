//! Puts mutants into a source file, each behind a condition: `if is(7) { a - b } else { a + b }`.

use proc_macro2::{Literal, Span};
use std::ops::Range;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, Block, Expr, ExprIf, ExprMatch, ExprStruct, Pat, PatGuard, UnOp, parse_quote};

/// A mutant, as cargo-mutants 27.1 names it:
/// `crates/hashmill/src/lanes.rs:78:17: replace > with < in f`.
pub struct Mutant<'n> {
    pub name: &'n str,
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
        Some(Mutant { name, file: parts.next()?, line, column, change })
    }

    /// The line in which the mutant begins.
    pub fn line<'t>(&self, text: &'t str) -> &'t str {
        text.lines().nth(self.line - 1).unwrap_or_default().trim()
    }
}

/// A file with its mutants, and where these are.
pub struct Woven {
    pub text: String,
    /// Ranges of the text, and the number of the mutant that an error in each belongs to.
    places: Vec<(Range<usize>, usize)>,
}

impl Woven {
    pub fn has(&self, number: usize) -> bool {
        self.places.iter().any(|place| place.1 == number)
    }

    /// The mutant that an error at a line and a column, each from 1, belongs to.
    pub fn at(&self, line: usize, column: usize) -> Option<usize> {
        let before = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
        let at = before + column - 1;
        let around = self.places.iter().filter(|(place, _)| place.contains(&at));
        around.min_by_key(|(place, _)| place.len()).map(|(_, number)| *number)
    }
}

/// Puts the mutants, each with its number, into the text. A mutant whose place is not found is missing
/// in the result.
pub fn weave(text: &str, mutants: &[(usize, &Mutant)]) -> syn::Result<Woven> {
    let mut file = syn::parse_file(text)?;
    Weaver(mutants).visit_file_mut(&mut file);
    let text = prettyplease::unparse(&file);
    let mut places = Places(Vec::new());
    places.visit_file(&syn::parse_file(&text)?);
    Ok(Woven { text, places: places.0 })
}

/// Puts the mutants into the tree of a file, the inner ones first.
struct Weaver<'n>(&'n [(usize, &'n Mutant<'n>)]);

impl<'n> Weaver<'n> {
    /// The mutants which begin at a token and whose change begins so, each with what it puts in the
    /// place of something.
    fn at(&self, span: Span, change: &str) -> Vec<(usize, &'n str)> {
        let start = (span.start().line, span.start().column + 1);
        let here = self.0.iter().filter(|(_, mutant)| {
            (mutant.line, mutant.column) == start && mutant.change.starts_with(change)
        });
        let new = |change: &'n str| change.split_once(" with ").map_or("", |(_, new)| new);
        here.map(|(number, mutant)| (*number, new(mutant.change))).collect()
    }
}

fn parsed<T: Parse>(new: &str) -> T {
    syn::parse_str(new).expect("cargo-mutants writes Rust")
}

/// The same, with the name of the function after it.
fn parsed_word<T: Parse>(new: &str) -> T {
    parsed(new.split(' ').next().unwrap_or(new))
}

/// How [`is`] begins.
const IS: &str = "crate::mutated::is(";

/// Whether that mutant runs.
fn is(number: usize) -> Expr {
    let number = Literal::usize_unsuffixed(number);
    parse_quote!(crate::mutated::is(#number))
}

/// Chooses one of two expressions. Without the parentheses around each, its `let` or block would begin
/// a statement.
fn choice(number: usize, new: &Expr, old: &Expr) -> Expr {
    let is = is(number);
    parse_quote!((if #is { (#new) } else { (#old) }))
}

impl VisitMut for Weaver<'_> {
    fn visit_block_mut(&mut self, it: &mut Block) {
        let first = it.stmts.first().map(|it| self.at(it.span(), "replace "));
        visit_mut::visit_block_mut(self, it);
        for (number, value) in first.into_iter().flatten() {
            let (is, value) = (is(number), parsed::<Expr>(value));
            it.stmts.insert(0, parse_quote!(if #is { return #value; }));
        }
    }

    fn visit_expr_mut(&mut self, it: &mut Expr) {
        let mutants = match it {
            Expr::Binary(it) => self.at(it.op.span(), "replace "),
            Expr::Unary(it) if matches!(it.op, UnOp::Not(_)) => self.at(it.op.span(), "delete !"),
            Expr::Unary(it) => self.at(it.op.span(), "delete -"),
            _ => Vec::new(),
        };
        visit_mut::visit_expr_mut(self, it);
        let mut new = it.clone();
        for (number, operator) in mutants {
            match &mut new {
                Expr::Binary(new) => new.op = parsed_word(operator),
                Expr::Unary(old) => new = (*old.expr).clone(),
                _ => {}
            }
            *it = choice(number, &new, it);
        }
    }

    fn visit_arm_mut(&mut self, it: &mut Arm) {
        let mutants = self.at(it.span(), "delete match arm ");
        visit_mut::visit_arm_mut(self, it);
        for (number, _) in mutants {
            let is = is(number);
            match &mut it.pat {
                Pat::Guard(PatGuard { guard, .. }) => **guard = parse_quote!(!#is && (#guard)),
                pat => {
                    let (attrs, if_token) = (Vec::new(), Default::default());
                    let (pat, guard) = (Box::new(pat.clone()), parse_quote!(!#is));
                    it.pat = Pat::Guard(PatGuard { attrs, pat, if_token, guard });
                }
            }
        }
    }

    fn visit_pat_guard_mut(&mut self, it: &mut PatGuard) {
        let mutants = self.at(it.guard.span(), "replace match guard ");
        visit_mut::visit_pat_guard_mut(self, it);
        for (number, value) in mutants {
            *it.guard = choice(number, &parsed_word(value), &it.guard);
        }
    }

    fn visit_expr_struct_mut(&mut self, it: &mut ExprStruct) {
        let places: Vec<Span> = it.fields.iter().map(Spanned::span).collect();
        visit_mut::visit_expr_struct_mut(self, it);
        let Some(rest) = &it.rest else { return };
        for (field, place) in it.fields.iter_mut().zip(places) {
            for (number, _) in self.at(place, "delete field ") {
                let name = &field.member;
                field.expr = choice(number, &parse_quote!((#rest).#name), &field.expr);
                field.colon_token = Some(Default::default());
            }
        }
    }
}

/// Finds the places of a file's mutants.
struct Places(Vec<(Range<usize>, usize)>);

impl Places {
    /// Adds a place of the mutant with whose condition, after the text `before`, a part of it begins.
    fn add(&mut self, place: &impl Spanned, part: &impl Spanned, before: &str) {
        let text = part.span().source_text().unwrap_or_default();
        let condition = text.strip_prefix(before).and_then(|it| it.strip_prefix(IS));
        if let Some((number, _)) = condition.and_then(|it| it.split_once(')')) {
            let number = number.parse().expect("a number");
            self.0.push((place.span().byte_range(), number));
        }
    }
}

impl<'a> Visit<'a> for Places {
    fn visit_expr_if(&mut self, it: &'a ExprIf) {
        self.add(&it.then_branch, &it.cond, "");
        self.add(it, &it.cond, "");
        visit::visit_expr_if(self, it);
    }

    fn visit_block(&mut self, it: &'a Block) {
        // If the result's type is `impl Trait`, rustc reports the other value.
        it.stmts.iter().for_each(|first| self.add(it, first, "if "));
        visit::visit_block(self, it);
    }

    fn visit_expr_match(&mut self, it: &'a ExprMatch) {
        // rustc reports a case that is missing at the match.
        for arm in &it.arms {
            if let Pat::Guard(with) = &arm.pat {
                self.add(it, &with.guard, "!");
            }
        }
        visit::visit_expr_match(self, it);
    }

    fn visit_expr_struct(&mut self, it: &'a ExprStruct) {
        // rustc reports what is borrowed twice at the rest.
        it.fields.iter().for_each(|field| self.add(it, &field.expr, "(if "));
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
        let inner = "(if is(1) { (a) } else { (!a) })";
        assert_eq!(
            woven(source, &names),
            format!(
                "fn f(a: u32) -> bool {{ (if is(0) {{ ({inner} < 1) }} else {{ ({inner} > 1) }}) }}"
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
             => { S { x: (if is(2) { ((T).x) } else { (x) }), ..T } } 1 if (if is(3) { (true) } else { \
             (a > 0) }) => U, _ => V, } }"
        );
    }

    #[test]
    fn an_error_belongs_to_a_mutant() {
        let mutant = Mutant::parse("x.rs:2:3: replace + with - in f").unwrap();
        let woven = weave("fn f() -> u8 { 1\n  + 2 }", &[(7, &mutant)]).unwrap();
        let of = |text: &str| {
            let line = 1 + woven.text.lines().position(|line| line.contains(text)).unwrap();
            let column = woven.text.lines().nth(line - 1).and_then(|it| it.find(text)).unwrap();
            woven.at(line, 1 + column)
        };
        assert_eq!(of(" - "), Some(7), "{}", woven.text);
        assert_eq!(of(" + "), Some(7));
        assert_eq!(of("u8"), None);
        assert!(woven.has(7) && !woven.has(6));
    }
}
