//! The block functions.

use crate::common::message;

/// The block functions alone. The test itself computes the padding, the parameters and the digest.
#[test]
fn block_functions() {
    use hashmill::block::{self, Rounds};
    fn padded<const BLOCK: usize>() -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..4].copy_from_slice(b"abc\x80");
        block[BLOCK - 1] = 24;
        block
    }
    // The initial words of FIPS 180-4 §5.3.5, whose upper halves are those of §5.3.3. RFC 7693 §2.6
    // uses the same words.
    let initial: [u64; 8] = std::array::from_fn(|i| hashmill_reference::roots::SQUARE_ROOTS[i]);
    let upper = initial.map(|word| (word >> 32) as u32);
    let mut state = upper;
    block::sha256(&mut state, &[padded()]);
    assert_eq!(state.map(u32::to_be_bytes).concat(), hashmill::sha256(b"abc")[..]);
    let mut state = initial;
    block::sha512(&mut state, &[padded()]);
    assert_eq!(state.map(u64::to_be_bytes).concat(), hashmill::sha512(b"abc")[..]);
    // RFC 7693 §2.5 and §3.3: the first word contains the parameters, and a flag marks the last
    // block.
    let message = message(3 * 128);
    macro_rules! blake2 {
        ($function:ident, $Word:ident, $initial:expr, $BLOCK:literal) => {
            let mut state: [$Word; 12] = [0; 12];
            state[..8].copy_from_slice(&$initial);
            state[0] ^= 0x0101_0000 + size_of::<[$Word; 8]>() as $Word;
            let blocks = message.as_chunks::<$BLOCK>().0;
            block::$function(&mut state, &blocks[..2]);
            state[10] = $Word::MAX;
            block::$function(&mut state, &blocks[2..3]);
            let digest = state.map($Word::to_le_bytes).concat();
            let expected = hashmill::$function(&message[..3 * $BLOCK]);
            assert_eq!(digest[..expected.len()], expected[..]);
            assert_eq!(state[8..10], [3 * $BLOCK, 0], "the counter");
        };
    }
    blake2!(blake2b, u64, initial, 128);
    blake2!(blake2s, u32, upper, 64);
    // FIPS 202 §4 and §6; RFC 9861 §2.2.
    for (rounds, domain, expected) in [
        (Rounds::TwentyFour, 0x06, hashmill::sha3_256(b"abc")),
        (Rounds::Twelve, 0x1F, hashmill::turboshake256::<32>(b"abc")),
    ] {
        let mut block = [0; 136];
        block[..4].copy_from_slice(&[b'a', b'b', b'c', domain]);
        block[135] |= 0x80;
        let mut state = [0; 25];
        block::keccak(&mut state, rounds, &[block]);
        assert_eq!(state.map(u64::to_le_bytes).concat()[..32], expected[..]);
    }
}
