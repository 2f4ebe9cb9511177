"""RFC 7693 over terms: the compression functions of BLAKE2b and BLAKE2s.

The finalization flags are two words, as in the BLAKE2 paper, §2.4, of which the RFC uses the first.
"""

from spec_sha2 import square_roots
from terms import concat, const, extract, keep, rotr

# §2.7.
SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]


class Blake2:
    def __init__(self, w):
        self.w = w
        self.block = 16 * w // 8  # bytes
        # §2.1.
        self.rounds, self.R1, self.R2, self.R3, self.R4 = {64: (12, 32, 24, 16, 63), 32: (10, 16, 12, 8, 7)}[w]
        # §2.6.
        self.IV = [const(word, w) for word in square_roots(w)]

    def G(self, v, a, b, c, d, x, y):
        """§3.1."""
        v[a] = keep(v[a] + v[b] + x)
        v[d] = keep(rotr(v[d] ^ v[a], self.R1))
        v[c] = keep(v[c] + v[d])
        v[b] = keep(rotr(v[b] ^ v[c], self.R2))
        v[a] = keep(v[a] + v[b] + y)
        v[d] = keep(rotr(v[d] ^ v[a], self.R3))
        v[c] = keep(v[c] + v[d])
        v[b] = keep(rotr(v[b] ^ v[c], self.R4))

    def F(self, h, m, t, f):
        """§3.2; t is of two words."""
        v = h + self.IV
        v[12] = keep(v[12] ^ extract(t, 0, self.w))
        v[13] = keep(v[13] ^ extract(t, self.w, self.w))
        v[14] = keep(v[14] ^ f[0])
        v[15] = keep(v[15] ^ f[1])
        for i in range(self.rounds):
            s = SIGMA[i % 10]
            self.G(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
            self.G(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
            self.G(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
            self.G(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
            self.G(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
            self.G(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
            self.G(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
            self.G(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
        return [keep(h[i] ^ v[i] ^ v[i + 8]) for i in range(8)]

    def words(self, block):
        """§2.4: little-endian."""
        n = self.w // 8
        return [concat(block[i:i + n]) for i in range(0, len(block), n)]

    def absorb(self, state, blocks):
        """§3.3: the counter grows by each block's bytes. The state is h, the counter's words, and the flags."""
        h, t, f = state[:8], concat(state[8:10]), state[10:]
        for block in blocks:
            t = t + const(self.block, 2 * self.w)
            h = self.F(h, self.words(block), t, f)
        return h + [keep(extract(t, 0, self.w)), keep(extract(t, self.w, self.w))] + f

    def absorb_last(self, state, last):
        """A block that zeros make whole; the counter is for the caller to set, and stays as it was."""
        zeros = [const(0, 8)] * (self.block - len(last))
        return self.absorb(state, [last + zeros])[:8] + state[8:]


def digest(w, message):
    """BLAKE2b-512 or BLAKE2s-256 of bytes, of at most a block."""
    blake2 = Blake2(w)
    parameters = const(0x0101_0000 | 64 * w // 64, w)  # §2.5
    h = [blake2.IV[0] ^ parameters] + blake2.IV[1:]
    t = const(len(message) - blake2.block, 2 * w)
    f = [const(-1, w), const(0, w)]
    state = h + [extract(t, 0, w), extract(t, w, w)] + f
    h = blake2.absorb_last(state, [const(byte, 8) for byte in message])[:8]
    return b"".join(word.value.to_bytes(w // 8, "little") for word in h)
