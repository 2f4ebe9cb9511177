/// A message of any number of bits: whole bytes, then 0 to 7 further bits.
///
/// SHA-2 numbers the bits of a byte from the most significant one (FIPS 180-4 §3.1), so the further
/// bits are the *high* bits of `last_byte`. SHA-3, SHAKE and Ascon number them from the least
/// significant one (FIPS 202 §B.1): the *low* bits. The other bits of `last_byte` are not read.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    /// The whole bytes.
    pub bytes: &'a [u8],
    /// The byte that contains the further bits.
    pub last_byte: u8,
    /// The number of further bits, 0 to 7.
    pub bits: u32,
}

impl<'a> From<&'a [u8]> for Bits<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Bits { bytes, last_byte: 0, bits: 0 }
    }
}

impl Bits<'_> {
    pub(crate) fn check(&self) {
        assert!(self.bits <= 7, "a message ends in at most 7 further bits");
    }
}

/// A string of bits, stored in bytes as in FIPS 202 §B.1: bit i of the string is bit i mod 8 of
/// byte i / 8, counted from the lowest.
pub(crate) struct BitString {
    pub bytes: Vec<u8>,
    pub len: usize,
}

impl BitString {
    pub fn push(&mut self, bit: u8) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        self.bytes[self.len / 8] |= bit << (self.len % 8);
        self.len += 1;
    }
}

impl From<Bits<'_>> for BitString {
    fn from(message: Bits) -> Self {
        message.check();
        let mut string = BitString { bytes: message.bytes.to_vec(), len: 8 * message.bytes.len() };
        (0..message.bits).for_each(|i| string.push((message.last_byte >> i) & 1));
        string
    }
}
