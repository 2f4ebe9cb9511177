//! Interprets digests as people write them: with the algorithm's name before them, or without.

use crate::hashing::algorithm::{AnyAlgorithm, Foreign};
use crate::hashing::mode::Mode;
use crate::hashing::recipe::Recipe;
use crate::lists::entry::Expected;
use crate::text::encoding::Encoding;
use crate::text::line::{number, rsplit_once, words};
use std::cell::RefCell;
use std::sync::Arc;

/// How digests in text are interpreted.
pub struct Meaning<'a> {
    /// The possible recipes of a digest without a name, if they were given.
    pub named: Vec<Recipe>,
    pub mode: &'a Mode,
    /// Results for earlier lines, so that all lines of a list share their recipes.
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    /// The guesses for digests without a name, by their length in bytes.
    by_len: Vec<(usize, Guesses)>,
    /// The last tags, and their recipes.
    tags: Vec<(String, Option<Recipe>)>,
    /// The last recipe of a tag, and the same recipe with the mode applied.
    applied: Option<(Recipe, Arc<[Recipe]>)>,
    /// The reason why the mode does not apply to a recipe that a tag named.
    refused: Option<String>,
    none: Arc<[Recipe]>,
}

/// The possible recipes of a digest, and the other recipes that are tried after them.
type Guesses = (Arc<[Recipe]>, Arc<[Recipe]>);

impl<'a> Meaning<'a> {
    pub fn new(named: Vec<Recipe>, mode: &'a Mode) -> Meaning<'a> {
        Meaning { named, mode, known: RefCell::default() }
    }

    /// Interprets `sha256:HEX`, `sha384-BASE64` (W3C Subresource Integrity §3.1), or a digest
    /// without a name. A digest without a name has one of the recipes in `named`; if that is empty,
    /// its length determines the possible recipes.
    pub fn of(&self, token: &[u8]) -> Option<Expected> {
        if is_named(token)
            && let Some(expected) = b":-=".iter().find_map(|&it| self.named_before(token, it))
        {
            return Some(expected);
        }
        let (text, parts) = self.parts(token)?;
        Encoding::all_of(text).find_map(|(encoding, text)| {
            let (recipes, others) = self.of_len(encoding.decoded_len(&text)?);
            let text = text.into_owned();
            let guessed = self.named.is_empty();
            let expected = Expected { recipes, others, text, encoding, parts, guessed };
            (!expected.recipes.is_empty()).then_some(expected)
        })
    }

    /// Returns the possible recipes of a digest of `len` bytes without a name.
    fn of_len(&self, len: usize) -> Guesses {
        let by_len = &mut self.known.borrow_mut().by_len;
        if let Some((_, guesses)) = by_len.iter().find(|(known, _)| *known == len) {
            return guesses.clone();
        }
        let (recipes, others) = match &*self.named {
            [] => guesses(len),
            named => (named.iter().filter(|it| it.len() == len).cloned().collect(), vec![]),
        };
        let guesses = (self.applied(recipes), self.applied(others));
        if !guesses.0.is_empty() {
            by_len.push((len, guesses.clone()));
        }
        guesses
    }

    fn applied(&self, recipes: Vec<Recipe>) -> Arc<[Recipe]> {
        recipes.into_iter().filter_map(|recipe| self.mode.apply(recipe).ok()).collect()
    }

    /// Interprets several digests with the names of their algorithms. For each algorithm, one of
    /// its digests must match.
    pub fn several(&self, text: &[u8]) -> Option<Vec<Vec<Expected>>> {
        let mut claims: Vec<Vec<Expected>> = Vec::new();
        for token in words(text) {
            let expected = self.of(token).filter(|_| is_named(token))?;
            match claims.iter_mut().find(|claim| claim[0].recipes == expected.recipes) {
                Some(claim) => claim.push(expected),
                None => claims.push(vec![expected]),
            }
        }
        (!claims.is_empty()).then_some(claims)
    }

    /// Interprets digests with the names of their algorithms, all of which must match. Algorithms
    /// that this program does not have are ignored. Returns `None` if there is no other.
    pub fn all<'t>(
        &self,
        digests: &mut dyn Iterator<Item = (&'t str, &'t [u8])>,
    ) -> Option<Vec<Vec<Expected>>> {
        let known = digests.filter(|(tag, _)| self.recipe(tag).is_some());
        let claims = known.map(|(tag, text)| Some(vec![self.tagged(tag, text)?]));
        claims.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
    }

    /// Interprets a digest after its algorithm's name and `separator`, which may also occur in the
    /// name.
    fn named_before(&self, token: &[u8], separator: u8) -> Option<Expected> {
        let ends = (0..token.len().min(LONGEST_NAME + 1)).filter(|&at| token[at] == separator);
        ends.filter_map(|at| self.tagged(str::from_utf8(&token[..at]).ok()?, &token[at + 1..]))
            .find(|expected| separator != b'-' || expected.encoding == Encoding::Base64)
    }

    /// Interprets a digest of the algorithm that `tag` names.
    pub fn tagged(&self, tag: &str, text: &[u8]) -> Option<Expected> {
        // A digest without a key must not be accepted in place of an HMAC.
        let tag = if self.mode.is_hmac() { tag.strip_prefix("HMAC-")? } else { tag };
        let (text, parts) = self.parts(text)?;
        let recipe = self.recipe(tag)?;
        let of_len = |len| {
            Encoding::all_of(text)
                .find(|(encoding, text)| len == 0 || encoding.decoded_len(text) == Some(len))
        };
        let (recipe, encoding, text) = match of_len(recipe.len()) {
            Some((encoding, text)) => (recipe, encoding, text),
            // OpenSSL does not write the output length of SHAKE, nor b3sum that of BLAKE3.
            None => {
                let algorithm: AnyAlgorithm = tag.parse().ok()?;
                let (encoding, text) = of_len(0).filter(|_| algorithm.is_xof())?;
                let bits = 8 * encoding.decoded_len(&text)?;
                (Recipe::with_bits(algorithm, bits)?, encoding, text)
            }
        };
        let known = &mut *self.known.borrow_mut();
        let recipes = match &known.applied {
            Some((last, applied)) if *last == recipe => applied.clone(),
            _ => {
                let applied = self.mode.apply(recipe.clone());
                let applied = applied.map_err(|message| known.refused = Some(message)).ok()?;
                let applied: Arc<[Recipe]> = Arc::new([applied]);
                known.applied = Some((recipe, applied.clone()));
                applied
            }
        };
        let (others, text, guessed) = (known.none.clone(), text.into_owned(), false);
        Some(Expected { recipes, others, text, encoding, parts, guessed })
    }

    /// Returns the reason why a digest with its algorithm's name was not understood, if it is that
    /// the options have no key for it, or a key or parameter that it does not take.
    pub fn refused(&self) -> Option<String> {
        self.known.borrow().refused.clone()
    }

    /// Splits a digest of parts into the digest and, after a hyphen, the number of parts.
    fn parts<'t>(&self, text: &'t [u8]) -> Option<(&'t [u8], Option<u64>)> {
        if !self.mode.has_parts() {
            return Some((text, None));
        }
        let (text, parts) = rsplit_once(text, b"-")?;
        Some((text, Some(number(parts)?)))
    }

    /// Returns the recipe that a tag names.
    fn recipe(&self, tag: &str) -> Option<Recipe> {
        let tags = &mut self.known.borrow_mut().tags;
        if let Some((_, recipe)) = tags.iter().find(|(known, _)| known == tag) {
            return recipe.clone();
        }
        let recipe: Option<Recipe> = tag.parse().ok();
        // The lines of a list name few algorithms.
        tags.truncate(15);
        tags.insert(0, (tag.to_owned(), recipe.clone()));
        recipe
    }
}

/// The longest text, in bytes, that is tried as the name of an algorithm before a digest. The known names
/// are shorter, also with hyphens, which parsing ignores. A list with 400,000 hyphens in a line took 6 s
/// when the text before each hyphen was tried.
const LONGEST_NAME: usize = 64;

/// Returns whether a digest has its algorithm's name before it.
pub fn is_named(token: &[u8]) -> bool {
    let digits = token.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    b":-=".iter().any(|separator| token[..digits].contains(separator))
}

/// Returns the algorithms whose digests of `len` bytes are often written without a name, and those
/// whose digests are less often written so.
fn guesses(len: usize) -> (Vec<Recipe>, Vec<Recipe>) {
    use AnyAlgorithm::{Foreign as F, Ours as O};
    use Foreign::{Kt128, Md5, Sha1};
    use hashmill::Algorithm::{Blake2b, Blake2s, Blake3, Keccak256, Sm3};
    let (often, others): (&[AnyAlgorithm], &[AnyAlgorithm]) = match len {
        16 => (&[F(Md5)], &[O(Blake2b), O(Blake2s)]),
        20 => (&[F(Sha1)], &[O(Blake2b), O(Blake2s)]),
        32 => (&[], &[O(Blake3), O(Blake2b), O(Blake2s), O(Keccak256), F(Kt128), O(Sm3)]),
        48 => (&[], &[O(Blake2b)]),
        64 => (&[O(Blake2b)], &[]),
        _ => (&[], &[]),
    };
    // Of SHA-2 and SHA-3 (FIPS 180-4 and FIPS 202), the first of a length is the usual one.
    let is_sha = |it: &hashmill::Algorithm| it.standard().starts_with("FIPS") && !it.is_xof();
    let sha = hashmill::Algorithm::ALL.iter().filter(|it| is_sha(it) && it.output_len() == len);
    let mut sha = sha.map(|&it| O(it));
    let often: Vec<_> = sha.next().into_iter().chain(often.iter().copied()).collect();
    let others = others.iter().copied().chain(sha);
    let recipe = |it| Recipe::with_bits(it, 8 * len);
    (often.into_iter().filter_map(recipe).collect(), others.filter_map(recipe).collect())
}

/// Returns a message if `text` seems to be a mistyped digest. Returns `None` if it does not look
/// like a digest. If it does not name its algorithm, it should be a digest of one of `expected`.
pub fn mistyped(text: &[u8], expected: &[Recipe]) -> Option<String> {
    let text = str::from_utf8(text).ok()?;
    let named = text.split_once([':', '=']).or_else(|| {
        // Names may contain hyphens.
        let hyphens = text.match_indices('-').take_while(|(at, _)| *at <= LONGEST_NAME);
        let names = hyphens.filter(|(at, _)| text[..*at].parse::<Recipe>().is_ok());
        names.last().map(|(at, _)| (&text[..at], &text[at + 1..]))
    });
    let (name, digits) = named.map_or((None, text), |(name, digits)| (Some(name), digits));
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte);
    let count = digits.len();
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has = |is: fn(&u8) -> bool| digits.as_bytes().iter().any(is);
    let is_base64 = digits.bytes().all(base64)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase);
    let recipe = name.and_then(|name| name.parse::<Recipe>().ok());
    let least = if recipe.is_some() { 1 } else { 20 };
    if count < least || !(is_hex || is_base64 || recipe.is_some() && digits.bytes().all(base64)) {
        return None;
    }
    let written = if is_hex {
        format!("{} bits ({count} hexadecimal digits)", 4 * count)
    } else {
        let digits = digits.trim_end_matches('=').len();
        format!("{} bits ({digits} digits of base64)", 6 * digits / 8 * 8)
    };
    let described = |recipe: &Recipe| {
        let bits = 8 * recipe.len();
        format!("one of {recipe} has {bits} bits ({} hexadecimal digits)", bits / 4)
    };
    let reason = match (recipe, name) {
        (Some(recipe), _) => format!(", but {}", described(&recipe)),
        (None, Some(name)) => format!(", but there is no algorithm '{name}'"),
        (None, None) if expected.is_empty() => ": no algorithm has that length".to_owned(),
        (None, None) => {
            let described: Vec<_> = expected.iter().map(described).collect();
            format!(", but {}", described.join(", "))
        }
    };
    Some(format!("this looks like a digest of {written}{reason}"))
}
