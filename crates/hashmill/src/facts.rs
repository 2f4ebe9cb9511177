//! What is known of a hash function before it hashes anything: its names, its lengths, its numbers.

/// The facts of a hash function. Each function states its own where its type is.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// See [`Algorithm::name`](crate::Algorithm::name).
    pub name: &'static str,
    /// See [`Algorithm::tag`](crate::Algorithm::tag).
    pub tag: &'static str,
    /// See [`Algorithm::aliases`](crate::Algorithm::aliases).
    pub aliases: &'static [&'static str],
    /// The number in exported states and in other languages. It never changes.
    pub code: u8,
    /// See [`Algorithm::output_len`](crate::Algorithm::output_len).
    pub output_len: usize,
    /// See [`Algorithm::block_len`](crate::Algorithm::block_len).
    pub block_len: usize,
    /// Whether the output may have any length.
    pub is_xof: bool,
    /// The standard that defines the function, with the section.
    pub standard: &'static str,
    /// The object identifier, as NIST (CSOR, hashAlgs) or the function's standard registered it.
    pub oid: Option<&'static str>,
    /// The code in multiformats' table (multicodec, multihash), if it is there. Those of BLAKE2b and
    /// BLAKE2s are one for each length in bytes, which is added to this number.
    pub multihash: Option<u32>,
    /// The known answers that [`self_test`](crate::self_test()) compares.
    pub answers: Answers,
}

impl Facts {
    /// See [`Algorithm::has_hmac`](crate::Algorithm::has_hmac).
    pub const fn has_hmac(&self) -> bool {
        !self.is_xof && self.output_len <= self.block_len
    }

    /// Returns the facts of a function with an output of fixed length: its number, its name, the
    /// lengths of its output and of its block in bytes, and its standard.
    pub(crate) const fn fixed(
        code: u8,
        name: &'static str,
        [output_len, block_len]: [usize; 2],
        standard: &'static str,
    ) -> Self {
        Facts {
            name,
            tag: name,
            aliases: &[],
            code,
            output_len,
            block_len,
            is_xof: false,
            standard,
            oid: None,
            multihash: None,
            answers: Answers { digests: "", more: "" },
        }
    }

    /// Returns the facts of an extendable-output function, whose usual output has that length.
    pub(crate) const fn xof(
        code: u8,
        name: &'static str,
        lens: [usize; 2],
        standard: &'static str,
    ) -> Self {
        Facts { is_xof: true, ..Self::fixed(code, name, lens, standard) }
    }

    pub(crate) const fn tag(self, tag: &'static str) -> Self {
        Facts { tag, ..self }
    }

    pub(crate) const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Facts { aliases, ..self }
    }

    pub(crate) const fn oid(self, oid: &'static str) -> Self {
        Facts { oid: Some(oid), ..self }
    }

    pub(crate) const fn multihash(self, code: u32) -> Self {
        Facts { multihash: Some(code), ..self }
    }

    pub(crate) const fn answers(self, digests: &'static str, more: &'static str) -> Self {
        Facts { answers: Answers { digests, more }, ..self }
    }
}

/// The known answers of a function. They are digests of many digests rather than the digests
/// themselves, so that 36 messages take two strings and not 72. A test computes them with
/// `hashmill-reference`.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// The digest of the digests of all messages, concatenated.
    pub digests: &'static str,
    /// The digest of the HMACs of all messages, concatenated. For an extendable-output function,
    /// the digest of the output of one message. Empty for the others without HMAC.
    pub more: &'static str,
}
