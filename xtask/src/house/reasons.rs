//! Counts comments that give a reason.

use super::source::Token;
use std::collections::BTreeSet;

/// Words that introduce a reason.
const REASONS: &[&str] = &[
    "because",
    "so that",
    "since",
    "otherwise",
    "else",
    "therefore",
    "hence",
    "rather than",
    "instead of",
    "reason",
    "why",
    "due to",
    "to avoid",
    "in order to",
    "measured",
];

/// Units of time, speed and work. Units of size are left out: "64 bytes" describes an item, it
/// gives no reason.
const UNITS: &[&str] = &[
    "%",
    "times",
    "GB/s",
    "MB/s",
    "cycle",
    "cycles",
    "instruction",
    "instructions",
    "ns",
    "µs",
    "ms",
    "seconds",
];

/// The number of comment lines that belong to a reason. A reason is a sentence with one of these:
///
/// - a word of [`REASONS`];
/// - a figure with a unit of [`UNITS`];
/// - a section sign, in `//` comments only: a section in documentation says which standard defines
///   an item, not why the code is as it is.
///
/// A sentence ends at `.`, `?` or `!` before a word that does not begin in lower case, and with its
/// paragraph. Headings, tables and examples do not count.
pub fn lines(comments: &[Token]) -> usize {
    let paragraphs = paragraphs(comments);
    let sentences = paragraphs.iter().flat_map(|paragraph| {
        let ends = |[this, next]: [&Word; 2]| {
            this.text.ends_with(['.', '?', '!']) && !next.text.starts_with(char::is_lowercase)
        };
        paragraph.chunk_by(move |this, next| !ends([this, next]))
    });
    let reasons = sentences.filter(|sentence| is_reason(sentence));
    reasons.flatten().map(|word| word.line).collect::<BTreeSet<_>>().len()
}

/// One word of a comment.
struct Word<'a> {
    text: &'a str,
    line: usize,
    /// Whether it is from a `//` comment, not from documentation.
    is_inner: bool,
}

/// Groups the words of comments into paragraphs: consecutive lines with the same mark and no blank
/// line between them.
fn paragraphs(comments: &[Token]) -> Vec<Vec<Word<'_>>> {
    let (mut paragraphs, mut is_example, mut above) = (vec![vec![]], false, (0, ""));
    for comment in comments {
        let text = comment.text.trim_start_matches(['/', '!']);
        let mark = &comment.text[..comment.text.len() - text.len()];
        let (text, line) = (text.trim(), *comment.lines.start());
        let is_fence = text.starts_with("```");
        let is_prose = !is_fence && !is_example && !text.starts_with(['|', '#']);
        is_example ^= is_fence;
        if !is_prose || text.is_empty() || above != (line - 1, mark) {
            paragraphs.push(vec![]);
        }
        above = (line, mark);
        let words = text.split_whitespace().filter(|_| is_prose);
        let words = words.map(|text| Word { text, line, is_inner: mark == "//" });
        paragraphs.last_mut().expect("begins with one").extend(words);
    }
    paragraphs
}

fn is_reason(sentence: &[Word<'_>]) -> bool {
    let bare = |word: &Word<'_>| {
        word.text.trim_matches(|c: char| !c.is_alphanumeric() && c != '%').to_owned()
    };
    let words: Vec<_> = sentence.iter().map(bare).collect();
    let text = format!(" {} ", words.join(" ").to_lowercase());
    let is_figure = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    };
    REASONS.iter().any(|reason| text.contains(&format!(" {reason} ")))
        || words.windows(2).any(|pair| is_figure(&pair[0]) && UNITS.contains(&&*pair[1]))
        || words.iter().any(|word| word.strip_suffix('%').is_some_and(is_figure))
        || sentence.iter().any(|word| word.is_inner && word.text.contains('§'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::source::Source;

    fn count(text: &str) -> usize {
        lines(&Source::new(text).comments)
    }

    #[test]
    fn reasons_figures_and_sections() {
        assert_eq!(count("// Kept apart because\n// a store waits. Two more words."), 2);
        assert_eq!(count("/// One. So it is, rather\n/// than that. Three."), 2);
        assert_eq!(count("//! Takes 38 ns.\n//! Has 64 bytes."), 1);
        assert_eq!(count("// Faster by 12 %.\n// By 3%, too.\n// SHA-512 instructions."), 2);
        assert_eq!(count("// FIPS 180-4 §6.2.2\n\n/// FIPS 180-4 §6.2.2"), 1);
        assert_eq!(count("let a = 1; // 2 cycles less"), 1);
    }

    #[test]
    fn what_does_not_count() {
        assert_eq!(
            count(
                "/// The sincere reasoning behind elsewhere.\n/// | because | so that |\n/// # Why"
            ),
            0
        );
        assert_eq!(count("/// ```\n/// // because\n/// ```\nlet a = \"// because\";"), 0);
        assert_eq!(count("// The sum of\n\n// 5\n/// cycles"), 0);
        assert_eq!(count("#[cfg(test)]\nmod tests {\n    // because\n}"), 0);
    }
}
