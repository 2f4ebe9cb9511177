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

    /// Returns the facts of an extendable-output function that is not in the list of algorithms.
    pub(crate) const fn xof(
        code: u8,
        name: &'static str,
        aliases: &'static [&'static str],
        [output_len, block_len]: [usize; 2],
        standard: &'static str,
    ) -> Self {
        let answers = Answers { digests: "", more: "" };
        Facts {
            name,
            tag: name,
            aliases,
            code,
            output_len,
            block_len,
            is_xof: true,
            standard,
            oid: None,
            multihash: None,
            answers,
        }
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
