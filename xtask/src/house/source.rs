//! Splits a Rust file into tokens and comments, and removes test code.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// One token, or one comment with its marks (`//`, `///`, `//!`).
pub struct Token {
    pub kind: Kind,
    pub text: String,
    /// The first and the last line, counted from 1. A string may span several.
    pub lines: RangeInclusive<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Word,
    /// A number, a character, a string, or a lifetime.
    Literal,
    /// One character of punctuation.
    Mark,
    Comment,
}

/// A file without its tests.
pub struct Source {
    pub tokens: Vec<Token>,
    pub comments: Vec<Token>,
}

impl Source {
    pub fn new(text: &str) -> Self {
        let (comments, tokens): (Vec<_>, Vec<_>) =
            tokens(text).into_iter().partition(|token| token.kind == Kind::Comment);
        let mut source = Source { tokens: vec![], comments };
        let mut tokens = tokens.into_iter().peekable();
        let mut attribute = vec![];
        while let Some(token) = tokens.next() {
            let begins = source.tokens.len();
            source.tokens.push(token);
            if source.tokens[begins].text != "#" {
                continue;
            }
            attribute.clear();
            let mut depth = 0;
            for token in tokens.by_ref() {
                depth += nesting(&token);
                attribute.push(token.text.clone());
                let last = depth == 0 && token.text == "]";
                source.tokens.push(token);
                if last {
                    break;
                }
            }
            if !is_of_tests(&attribute) {
                continue;
            }
            let first_line = *source.tokens[begins].lines.start();
            source.tokens.truncate(begins);
            let rest: Vec<_> = match attribute[0] == "!" {
                true => tokens.by_ref().collect(),
                false => item(&mut tokens),
            };
            let last_line = rest.last().map_or(first_line, |token| *token.lines.end());
            let of_tests = first_line..=last_line;
            source.comments.retain(|comment| !of_tests.contains(comment.lines.start()));
        }
        source
    }

    /// The number of lines that hold at least one of these tokens. Blank lines and lines with only
    /// a comment hold none.
    pub fn lines(tokens: &[Token]) -> usize {
        tokens.iter().flat_map(|token| token.lines.clone()).collect::<BTreeSet<_>>().len()
    }
}

/// +1 for an opening bracket, −1 for a closing one.
pub fn nesting(token: &Token) -> isize {
    match &*token.text {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// `#[test]`, `#[cfg(test)]` and `#[cfg(all(test, …))]`, with or without `!`.
fn is_of_tests(attribute: &[String]) -> bool {
    let words: Vec<_> = attribute.iter().map(String::as_str).filter(|text| *text != "!").collect();
    words == ["[", "test", "]"]
        || words.starts_with(&["[", "cfg", "(", "test", ")"])
        || words.starts_with(&["[", "cfg", "(", "all", "(", "test"])
}

/// Takes the tokens of the next item, up to its semicolon or its closing brace.
fn item(tokens: &mut impl Iterator<Item = Token>) -> Vec<Token> {
    let (mut item, mut depth): (Vec<Token>, _) = (vec![], 0);
    // `use a::{b, c};` and `const A: B = B { c };` have braces before their semicolon.
    let (mut begins, mut to_semicolon) = (true, false);
    for token in tokens {
        depth += nesting(&token);
        if depth == 0 && token.kind == Kind::Word && token.text != "pub" {
            to_semicolon = match begins {
                true => matches!(&*token.text, "use" | "static" | "type" | "const"),
                false => to_semicolon && token.text != "fn",
            };
            begins = false;
        }
        let last = depth == 0 && (token.text == ";" || token.text == "}" && !to_semicolon);
        item.push(token);
        if last {
            break;
        }
    }
    item
}

/// Splits a text into tokens and comments. The text must be Rust that compiles: nothing is checked.
fn tokens(text: &str) -> Vec<Token> {
    let (mut rest, mut line, mut tokens) = (text, 1, vec![]);
    while let Some(first) = rest.chars().next() {
        let (kind, len) = match first {
            _ if rest.starts_with("//") => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            _ if rest.starts_with("/*") => (Kind::Comment, block_comment(rest)),
            '\'' => (Kind::Literal, character_or_lifetime(rest)),
            _ if string(rest).is_some() => (Kind::Literal, string(rest).unwrap_or(1)),
            'b' if rest.starts_with("b'") => (Kind::Literal, 1 + character_or_lifetime(&rest[1..])),
            '0'..='9' => (Kind::Literal, number(rest)),
            _ if is_word(first) => (Kind::Word, word(rest)),
            _ => (Kind::Mark, first.len_utf8()),
        };
        let (token, after) = rest.split_at(len);
        let last_line = line + token.matches('\n').count();
        if !first.is_whitespace() {
            let text = token.strip_prefix("r#").filter(|_| kind == Kind::Word).unwrap_or(token);
            tokens.push(Token { kind, text: text.to_owned(), lines: line..=last_line });
        }
        (rest, line) = (after, last_line);
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the identifier at the start of `text`, which may be a raw one (`r#type`).
fn word(text: &str) -> usize {
    let raw = if text.starts_with("r#") { 2 } else { 0 };
    raw + text[raw..].find(|c| !is_word(c)).unwrap_or(text.len() - raw)
}

/// The length of the number at the start of `text`: 3 for `1.5`, 1 for `1..5` and for `1.min(5)`.
fn number(text: &str) -> usize {
    let whole = word(text);
    match text[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => {
            whole + 1 + word(fraction)
        }
        _ => whole,
    }
}

/// The length of the string at the start of `text`, if there is one: `""`, `b""`, `c""`, `r#""#`.
fn string(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|&len| len <= 2)?;
    let after = &text[prefix..];
    if !text[..prefix].ends_with('r') {
        return Some(prefix + quoted(after.strip_prefix('"')?, '"') + 1);
    }
    let hashes = after.find(|c| c != '#')?;
    let end = format!("\"{}", &after[..hashes]);
    let text = after[hashes..].strip_prefix('"')?;
    Some(prefix + hashes + 1 + text.find(&end)? + end.len())
}

/// The length up to and including the closing quotation mark. A backslash escapes the character
/// after it.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, c)| {
        let ends = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of the character (`'a'`, `'\''`) or lifetime (`'a`) at the start of `text`.
fn character_or_lifetime(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) | (_, Some((_, '\''))) => 1 + quoted(&text[1..], '\''),
        _ => 1 + word(&text[1..]),
    }
}

/// The length of the block comment at the start of `text`. Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let words = Source::new(text).tokens.into_iter().filter(|token| token.kind == Kind::Word);
        words.map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_strings_and_characters_are_no_words() {
        assert_eq!(words("a // b\n/* c /* d */ e */ f"), "a f");
        assert_eq!(
            words(r###"a("b\"c", r#"d"e"#, b"f", c"g", br"h\", 'i', '\'', b'j', 1.5e3)"###),
            "a"
        );
        assert_eq!(words("fn f<'a>(x: &'a r#type, y: [u8; 3]) {}"), "fn f x type y u8");
        assert_eq!(words("for i in 0..n { 1.max(i) }"), "for i in n max i");
    }

    #[test]
    fn tests_are_left_out() {
        assert_eq!(words("a #[cfg(test)] mod tests { b { c } } d"), "a d");
        assert_eq!(words("a #[cfg(test)] use b::{c, d}; e"), "a e");
        assert_eq!(words("a #[cfg(all(test, x))] mod b; c"), "a c");
        assert_eq!(words("a #[cfg(test)] const B: C = C { d: [1; 2] }; e"), "a e");
        assert_eq!(words("a #[cfg(test)] #[inline] fn b(c: [d; 2]) -> e { f } g"), "a g");
        assert_eq!(words("a #[test] pub const fn b<C: D<E = F>>() {} g"), "a g");
        assert_eq!(words("a #[cfg(not(test))] mod b; c"), "a cfg not test mod b c");
        assert_eq!(words("#![cfg(test)] a b"), "");
        let source = Source::new("// a\n#[cfg(test)]\nmod tests {\n    // b\n}\n// c");
        assert!(source.comments.iter().map(|comment| &*comment.text).eq(["// a", "// c"]));
    }

    #[test]
    fn lines_are_those_with_code() {
        let source = Source::new("// a\n\nfn f() {\n    // b\n    \"c\n    d\" // e\n}\n");
        assert_eq!(Source::lines(&source.tokens), 4);
    }
}
