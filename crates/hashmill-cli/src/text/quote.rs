//! Quotes file names and arguments in messages as GNU's programs do, and escapes names with
//! backslashes so that each record of a list is one line.

use std::fmt::Write;

/// The characters that are shown unquoted in addition to printable ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Quoting {
    /// Whether other printable characters are shown.
    pub utf8: bool,
    /// Whether characters that change the direction of text are quoted all the same.
    pub strict: bool,
}

/// Returns whether a character changes the direction of text (Unicode Standard Annex #9, §2).
pub fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a name can be written to a terminal unquoted.
pub fn is_harmless(name: &[u8], quoting: Quoting) -> bool {
    pieces(name, quoting).iter().all(|piece| matches!(piece, Piece::Char(_)))
}

/// Quotes a file name for a message. A name that a shell would read as one plain word is returned
/// as it is. Any other name is quoted so that a POSIX shell (2024, §2.2) can read it back.
pub fn shell(name: &[u8], quoting: Quoting) -> String {
    // Nearly all names are such words, which are found faster than their pieces.
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"./_-".contains(byte);
    let is_plain = |piece: &Piece| matches!(*piece, Piece::Char(c) if !needs_quotes(c));
    let unquoted = || String::from_utf8_lossy(name).into_owned();
    if !name.is_empty() && name.iter().all(is_word) {
        return unquoted();
    }
    let all = pieces(name, quoting);
    let is_special = matches!(name, [] | b"{" | b"}" | [b'#' | b'~', ..]);
    if !is_special && all.iter().all(is_plain) {
        return unquoted();
    }
    let fits_double_quotes = name.contains(&b'\'')
        && all.iter().enumerate().all(|(index, piece)| match *piece {
            Piece::Char('#' | '~') => index == 0,
            Piece::Char(c) => plain_in_double_quotes(c),
            Piece::Byte(_) => false,
        });
    if fits_double_quotes {
        return format!("\"{}\"", unquoted());
    }
    let mut quoted = String::from("'");
    let mut in_escapes = false; // inside $'…'
    for piece in all {
        match piece {
            Piece::Char('\'') => {
                quoted.push_str("'\\''");
                in_escapes = false;
            }
            Piece::Char(c) => {
                if in_escapes {
                    quoted.push_str("''");
                    in_escapes = false;
                }
                quoted.push(c);
            }
            Piece::Byte(byte) => {
                if !in_escapes {
                    quoted.push_str("'$'");
                    in_escapes = true;
                }
                push_escape(&mut quoted, byte);
            }
        }
    }
    quoted.push('\'');
    quoted
}

/// Quotes an argument for a message, always in quotation marks and with C's escapes.
pub fn argument(text: &[u8], quoting: Quoting) -> String {
    let (open, close) = if quoting.utf8 { ('‘', '’') } else { ('\'', '\'') };
    let mut quoted = String::from(open);
    for piece in pieces(text, quoting) {
        match piece {
            Piece::Char(c) => {
                if c == close || c == '\\' {
                    quoted.push('\\');
                }
                quoted.push(c);
            }
            Piece::Byte(byte) => push_escape(&mut quoted, byte),
        }
    }
    quoted.push(close);
    quoted
}

/// Escapes newlines, carriage returns and backslashes in a name. Returns `None` if it contains none
/// of them.
pub fn escape_line(name: &[u8]) -> Option<Vec<u8>> {
    if !name.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'\\')) {
        return None;
    }
    let escaped = name.iter().flat_map(|byte| match byte {
        b'\n' => b"\\n",
        b'\r' => b"\\r",
        b'\\' => b"\\\\",
        byte => std::slice::from_ref(byte),
    });
    Some(escaped.copied().collect())
}

/// Reverses [`escape_line`]. Returns `None` if there is any other escape.
pub fn unescape_line(escaped: &[u8]) -> Option<Vec<u8>> {
    unescape(escaped, b'\\', &|rest, name| {
        name.push(match rest.first()? {
            b'n' => b'\n',
            b'r' => b'\r',
            b'\\' => b'\\',
            _ => return None,
        });
        Some(1)
    })
}

/// Adds the bytes of an escape, of which it gets the text after the mark, and returns the number of
/// bytes of the escape after the mark. Returns `None` if it is no escape.
type Unescape<'a> = &'a dyn Fn(&[u8], &mut Vec<u8>) -> Option<usize>;

/// Decodes a text in which `mark` begins escapes. Returns `None` if one of them is no escape.
pub fn unescape(text: &[u8], mark: u8, escape: Unescape) -> Option<Vec<u8>> {
    // Few texts have escapes.
    if !text.contains(&mark) {
        return Some(text.to_vec());
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == mark) {
        decoded.extend(&rest[..at]);
        rest = &rest[at + 1..];
        let len = escape(rest, &mut decoded)?;
        rest = &rest[len..];
    }
    decoded.extend(rest);
    Some(decoded)
}

/// A character that a terminal can show, or a byte that must be escaped.
enum Piece {
    Char(char),
    Byte(u8),
}

fn pieces(text: &[u8], quoting: Quoting) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            let shown = match quoting.utf8 {
                true => !(c.is_control() || quoting.strict && is_directional(c)),
                false => matches!(c, ' '..='~'),
            };
            if shown {
                pieces.push(Piece::Char(c));
            } else {
                pieces.extend(c.encode_utf8(&mut [0; 4]).bytes().map(Piece::Byte));
            }
        }
        pieces.extend(chunk.invalid().iter().copied().map(Piece::Byte));
    }
    pieces
}

fn needs_quotes(c: char) -> bool {
    " !\"$&'()*:;<=>?[\\^`|".contains(c)
}

fn plain_in_double_quotes(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, ' ' | '%' | '\'' | '+' | ',' | '-' | '.' | '/' | ':' | '@' | ']' | '_')
}

fn push_escape(quoted: &mut String, byte: u8) {
    let letter = match byte {
        0x07 => 'a',
        0x08 => 'b',
        b'\t' => 't',
        b'\n' => 'n',
        0x0b => 'v',
        0x0c => 'f',
        b'\r' => 'r',
        byte => return write!(quoted, "\\{byte:03o}").expect("a String takes any text"),
    };
    quoted.push('\\');
    quoted.push(letter);
}
