//! Formats lines with a template such as `{sha256}  {name}\n`.

use crate::hashing::algorithm::{AnyAlgorithm, Foreign};
use crate::hashing::recipe::{Computed, Recipe};
use crate::text::encoding::Encoding;
use crate::text::json;
use hashmill::function::{Function, Visitor};

/// A template: the text and fields that are written for each file.
#[derive(Debug)]
pub struct Template(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(Vec<u8>),
    /// The file's name, as it is or as a JSON string.
    Name {
        json: bool,
    },
    Size,
    /// The digest of the recipe with this index.
    Digest(usize, Look),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    As(Encoding),
    /// W3C Subresource Integrity §3.1.
    Sri,
    /// Multiformats' multihash, in hexadecimal.
    Multihash,
}

impl Template {
    /// Parses a template. Appends to `recipes` those that the template names and `recipes` does not
    /// contain.
    ///
    /// # Errors
    /// Returns a message if the text is not a valid template.
    pub fn new(text: &str, recipes: &mut Vec<Recipe>) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => literal.push(match rest.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('0') => '\0',
                    Some('\\') => '\\',
                    _ => return Err("\\ must be followed by n, t, 0 or \\".to_owned()),
                }),
                '{' if rest.as_str().starts_with('{') => {
                    rest.next();
                    literal.push('{');
                }
                '}' if rest.as_str().starts_with('}') => {
                    rest.next();
                    literal.push('}');
                }
                '{' => {
                    let Some((field, after)) = rest.as_str().split_once('}') else {
                        return Err(
                            "a { has no matching }; write {{ for a literal brace".to_owned()
                        );
                    };
                    parts.push(Part::Text(std::mem::take(&mut literal).into_bytes()));
                    parts.push(part(field, recipes)?);
                    rest = after.chars();
                }
                '}' => return Err("a } has no matching {; write }} for a literal brace".to_owned()),
                c => literal.push(c),
            }
        }
        parts.push(Part::Text(literal.into_bytes()));
        Ok(Template(parts))
    }

    /// Returns the text for a file.
    pub fn file(&self, recipes: &[Recipe], values: &[Computed], name: &[u8]) -> Vec<u8> {
        let mut line = Vec::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => line.extend(text),
                Part::Name { json: false } => line.extend(name),
                Part::Name { json: true } => {
                    let name = String::from_utf8_lossy(name);
                    line.extend(json::escaped(&serde_json::Value::from(name).to_string()).bytes());
                }
                Part::Size => {
                    let size = values.first().map_or(0, |value| value.message_len);
                    line.extend(size.to_string().into_bytes());
                }
                Part::Digest(index, look) => {
                    if let (Some(recipe), Some(value)) = (recipes.get(*index), values.get(*index)) {
                        line.extend(digest(recipe, &value.bytes, *look).into_bytes());
                    }
                }
            }
        }
        line
    }
}

/// Parses a field, the text between braces.
fn part(field: &str, recipes: &mut Vec<Recipe>) -> Result<Part, String> {
    let (what, look) = field.rsplit_once(':').unwrap_or((field, ""));
    match (what, look) {
        ("name", "") => return Ok(Part::Name { json: false }),
        ("name", "json") => return Ok(Part::Name { json: true }),
        ("size", "") => return Ok(Part::Size),
        _ => {}
    }
    let look = match look {
        "" | "hex" => Look::As(Encoding::Hex),
        "HEX" => Look::As(Encoding::HexUpper),
        "base64" => Look::As(Encoding::Base64),
        "base64url" => Look::As(Encoding::Base64Url),
        "base32" => Look::As(Encoding::Base32),
        "nix32" => Look::As(Encoding::Nix32),
        "decimal" => Look::As(Encoding::Decimal),
        "sri" => Look::Sri,
        "multihash" => Look::Multihash,
        _ => {
            return Err(format!(
                "{{{field}}}: digests are hex, HEX, base64, base64url, base32, nix32, decimal, sri \
                 or multihash"
            ));
        }
    };
    let recipe: Recipe = what.parse().map_err(|()| {
        format!("{{{field}}}: neither name nor size nor an algorithm; 'hashmill list' shows them")
    })?;
    if look == Look::Multihash && multihash_code(&recipe).is_none() {
        return Err(format!("{{{field}}}: there is no multihash of {recipe}"));
    }
    let index = recipes.iter().position(|it| *it == recipe).unwrap_or_else(|| {
        recipes.push(recipe);
        recipes.len() - 1
    });
    Ok(Part::Digest(index, look))
}

fn digest(recipe: &Recipe, bytes: &[u8], look: Look) -> String {
    match look {
        Look::As(encoding) => encoding.encode(bytes),
        Look::Sri => sri(recipe, bytes),
        Look::Multihash => {
            let mut multihash = varint(multihash_code(recipe).unwrap_or_default());
            multihash.extend(varint(bytes.len() as u64));
            multihash.extend(bytes);
            Encoding::Hex.encode(&multihash)
        }
    }
}

/// Returns a digest in the form of Subresource Integrity, `sha256-BASE64`.
pub fn sri(recipe: &Recipe, bytes: &[u8]) -> String {
    format!("{}-{}", recipe.to_string().to_lowercase(), Encoding::Base64.encode(bytes))
}

/// Encodes a number with seven bits in each byte, the least significant first.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Returns the code of a recipe in the table of multicodec, if it has one.
fn multihash_code(recipe: &Recipe) -> Option<u64> {
    struct Multihash;
    impl Visitor for Multihash {
        type Output = Option<u32>;
        fn visit<F: Function>(self) -> Option<u32> {
            F::FACTS.multihash
        }
    }
    match recipe.algorithm() {
        AnyAlgorithm::Foreign(Foreign::Sha1) => Some(0x11),
        AnyAlgorithm::Foreign(Foreign::Md5) => Some(0xd5),
        AnyAlgorithm::Foreign(_) => None,
        AnyAlgorithm::Ours(ours) => {
            use hashmill::Algorithm::{Blake2b, Blake2s};
            let len = if matches!(ours, Blake2b | Blake2s) { recipe.len() as u64 } else { 0 };
            Some(u64::from(ours.with(Multihash)?) + len)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of multiformats.io/multihash and of the specification of Subresource Integrity.
    #[test]
    fn looks() {
        let line = |template: &str, content: &[u8]| {
            let mut recipes = Vec::new();
            let template = Template::new(template, &mut recipes).unwrap();
            let value = |recipe: &Recipe| {
                let mut hasher = recipe.hasher(None);
                hasher.update(content);
                hasher.finish()
            };
            let values: Vec<_> = recipes.iter().map(value).collect();
            String::from_utf8(template.file(&recipes, &values, b"n\"")).unwrap()
        };
        assert_eq!(
            line("{sha256:multihash}", b"multihash"),
            "12209cbc07c3f991725836a3aa2a581ca2029198aa420b9d99bc0e131d9f3e2cbe47"
        );
        assert_eq!(line("{blake2b-512:multihash}", b"multihash")[..8], *"c0e40240");
        assert_eq!(
            line("{sha384:sri}", b"alert('Hello, world.');"),
            "sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO"
        );
        assert_eq!(
            line("{{{size}\\t{name:json}}}\\n{crc:decimal}", b"abc"),
            "{3\t\"n\\\"\"}\n1219131554"
        );
        assert_eq!(line("{crc:decimal} {crc32b}", b"a"), "1220704766 e8b7be43");
    }

    #[test]
    fn mistakes() {
        for text in ["{", "}", "{nosuch}", "{sha256:rot13}", "\\x", "{crc:multihash}", "{}"] {
            assert!(Template::new(text, &mut Vec::new()).is_err(), "{text}");
        }
    }
}
