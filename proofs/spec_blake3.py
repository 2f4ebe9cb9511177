"""The BLAKE3 paper over terms: the compression function, of a chunk's blocks and of a block of output.

The state is the chaining value, the two words of the counter, the length of a block, and the flags.
"""

from spec_blake2 import Blake2
from terms import const, keep

# §2.2, Table 2.
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
# §2.2, Table 3.
CHUNK_START, CHUNK_END, ROOT, KEYED_HASH = 1, 2, 8, 16

BLAKE2S = Blake2(32)
BLOCK = BLAKE2S.block


def compress(state, block):
    """§2.2: all 16 words. G is that of BLAKE2s."""
    v = state[:8] + BLAKE2S.IV[:4] + state[8:12]
    m = BLAKE2S.words(block)
    for _ in range(7):
        BLAKE2S.G(v, 0, 4, 8, 12, m[0], m[1])
        BLAKE2S.G(v, 1, 5, 9, 13, m[2], m[3])
        BLAKE2S.G(v, 2, 6, 10, 14, m[4], m[5])
        BLAKE2S.G(v, 3, 7, 11, 15, m[6], m[7])
        BLAKE2S.G(v, 0, 5, 10, 15, m[8], m[9])
        BLAKE2S.G(v, 1, 6, 11, 12, m[10], m[11])
        BLAKE2S.G(v, 2, 7, 8, 13, m[12], m[13])
        BLAKE2S.G(v, 3, 4, 9, 14, m[14], m[15])
        m = [m[i] for i in PERMUTATION]
    return [keep(v[i] ^ v[i + 8]) for i in range(8)] + [keep(v[i + 8] ^ state[i]) for i in range(8)]


def absorb(state, blocks):
    """§2.4: a chaining value is the first half. CHUNK_START is a flag of the first block alone."""
    for block in blocks:
        flags = keep(state[11] & const(0xFFFF_FFFF ^ CHUNK_START, 32))
        state = compress(state, block)[:8] + state[8:11] + [flags]
    return state


def absorb_last(state, last):
    """§2.4: the last bytes, at most a block, with zeros after them."""
    return compress(state, last + [const(0, 8)] * (BLOCK - len(last)))[:8] + state[8:]


def output(state, blocks):
    """§2.6: one block of output."""
    [block] = blocks
    return compress(state, block)


def digest(message, key=None):
    """BLAKE3 of at most a block, all 64 bytes of the first block of output."""
    h, flags = BLAKE2S.IV, CHUNK_START | CHUNK_END | ROOT
    if key is not None:
        h, flags = BLAKE2S.words([const(byte, 8) for byte in key]), flags | KEYED_HASH
    block = [const(byte, 8) for byte in message + bytes(BLOCK - len(message))]
    state = h + [const(word, 32) for word in (0, 0, len(message), flags)]
    return b"".join(word.value.to_bytes(4, "little") for word in output(state, [block]))
