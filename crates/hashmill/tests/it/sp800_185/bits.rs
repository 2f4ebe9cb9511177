//! Messages and outputs of any number of bits.

use super::{Function, Input, RATES, on_every_backend};
use crate::common::answer::Message;
use crate::common::random::Random;
use hashmill_reference::{Bits, keccak};

/// A string of bits. The first bit of each byte is its lowest (FIPS 202 §B.1).
#[derive(Default)]
pub struct BitString {
    pub bytes: Vec<u8>,
    pub len: usize,
}

impl BitString {
    pub fn push(mut self, bytes: &[u8], bits: usize) -> Self {
        for i in 0..bits {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.len / 8] |= (bytes[i / 8] >> (i % 8) & 1) << (self.len % 8);
            self.len += 1;
        }
        self
    }

    pub fn push_all(self, bytes: &[u8]) -> Self {
        self.push(bytes, 8 * bytes.len())
    }

    pub fn push_message(self, message: &Message) -> Self {
        self.push_all(&message.bytes).push(&[message.last], message.bits as usize)
    }

    /// Returns the bytes of `x`, without leading zeros (§2.3.1), for less than 2^24.
    pub fn encoded(x: usize) -> Vec<u8> {
        (x as u32).to_be_bytes().into_iter().skip_while(|&byte| byte == 0).collect()
    }

    pub fn left_encode(self, x: usize) -> Self {
        let bytes = if x == 0 { vec![0] } else { Self::encoded(x) };
        self.push_all(&[bytes.len() as u8]).push_all(&bytes)
    }

    pub fn right_encode(self, x: usize) -> Self {
        let bytes = if x == 0 { vec![0] } else { Self::encoded(x) };
        let len = [bytes.len() as u8];
        self.push_all(&bytes).push_all(&len)
    }

    pub fn bytepad(self, rate: usize) -> Self {
        let missing = self.len.next_multiple_of(8 * rate) - self.len;
        self.push_all(&vec![0; missing / 8 + 1][..missing / 8]).push(&[0], missing % 8)
    }

    pub fn sponge(&self, rate: usize, suffix: &[u8], output_bits: usize) -> Vec<u8> {
        let (bytes, last) = self.bytes.split_at(self.len / 8);
        let bits = Bits {
            bytes,
            last_byte: last.first().copied().unwrap_or(0),
            bits: (self.len % 8) as u32,
        };
        let mut output = keccak::sponge(24, 1600 - 8 * rate, bits, suffix, output_bits.div_ceil(8));
        if let (Some(last), 1..=7) = (output.last_mut(), output_bits % 8) {
            *last &= 0xFF >> (8 - output_bits % 8);
        }
        output
    }

    /// Returns KMAC's input before the message (§4.3).
    pub fn kmac(rate: usize, key: &[u8], custom: &[u8]) -> Self {
        let padded = BitString::default().left_encode(rate).left_encode(8 * key.len());
        let padded = padded.push_all(key).bytepad(rate);
        BitString::cshake(rate, b"KMAC", custom).push_all(&padded.bytes)
    }

    /// Returns cSHAKE's input before the message (§3.3). The name is not empty.
    pub fn cshake(rate: usize, name: &[u8], custom: &[u8]) -> Self {
        let start =
            BitString::default().left_encode(rate).left_encode(8 * name.len()).push_all(name);
        start.left_encode(8 * custom.len()).push_all(custom).bytepad(rate)
    }
}

/// Compares messages and outputs of any number of bits with the sections' definitions, computed by
/// the reference's sponge.
#[test]
fn lengths_in_bits() {
    let bits_of = |random: &mut Random, most: usize| Message {
        bytes: random.some_bytes(most),
        last: random.up_to(255) as u8,
        bits: random.up_to(7) as u32,
    };
    on_every_backend(|backend| {
        let mut random = Random::new(4);
        for (strength, rate) in RATES {
            for _ in 0..200 {
                let message = bits_of(&mut random, 400);
                let custom = random.some_bytes(20);
                let output_bits = random.up_to(2000);
                let (xof, bound) = [(false, output_bits), (true, 0)][random.up_to(1)];

                let name = random.bytes(5);
                let function = Function::CShake { name: name.clone() };
                let input = Input::new(function, strength, message.clone(), 0);
                let input = Input { xof, custom: custom.clone(), output_bits, ..input };
                let string = BitString::cshake(rate, &name, &custom).push_message(&message);
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);

                let key = random.some_bytes(2 * rate);
                let string = BitString::kmac(rate, &key, &custom);
                let string = string.push_message(&message).right_encode(bound);
                let input = Input { function: Function::Kmac { key }, ..input };
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);

                let block_len = 1 + random.up_to(200);
                let message_bits = 8 * message.bytes.len() + message.bits as usize;
                let whole = BitString::default().push_message(&message);
                let mut string =
                    BitString::cshake(rate, b"ParallelHash", &custom).left_encode(block_len);
                let blocks = message_bits.div_ceil(8 * block_len);
                for block in 0..blocks {
                    let start = block * block_len;
                    let bits = (message_bits - 8 * start).min(8 * block_len);
                    let block = BitString::default().push(&whole.bytes[start..], bits);
                    string = string.push_all(&block.sponge(rate, &[1; 4], 2 * strength as usize));
                }
                let string = string.right_encode(blocks).right_encode(bound);
                let input = Input { function: Function::ParallelHash { block_len }, ..input };
                input.check(&string.sponge(rate, &[0, 0], output_bits), backend);
            }
        }
    });
}
