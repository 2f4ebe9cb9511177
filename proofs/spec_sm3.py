"""GB/T 32905-2016 over terms: SM3's compression function. The words and the padding are SHA-256's."""

from spec_sha2 import Sha2
from terms import const, keep, rotr

# §4.1.
IV = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]


class Sm3(Sha2):
    def __init__(self):
        super().__init__(32)
        # §4.2, as §5.3.3 rotates them.
        T = [0x79CC4519] * 16 + [0x7A879D8A] * 48
        self.T = [(t << j % 32 | t >> 32 - j % 32) % 2**32 for j, t in enumerate(T)]

    def rotl(self, x, n):
        return rotr(x, 32 - n)

    def FF(self, j, x, y, z):
        """§4.3."""
        return x ^ y ^ z if j < 16 else (x & y) | (x & z) | (y & z)

    def GG(self, j, x, y, z):
        return x ^ y ^ z if j < 16 else (x & y) | (~x & z)

    def P0(self, x):
        """§4.4."""
        return x ^ self.rotl(x, 9) ^ self.rotl(x, 17)

    def P1(self, x):
        return x ^ self.rotl(x, 15) ^ self.rotl(x, 23)

    def schedule(self, block):
        """§5.3.2."""
        W = self.words(block)
        for j in range(16, 68):
            x = keep(W[j - 16] ^ W[j - 9] ^ self.rotl(W[j - 3], 15))
            W.append(keep(self.P1(x) ^ self.rotl(W[j - 13], 7) ^ W[j - 6]))
        return W

    def compress(self, V, block):
        """§5.3.3."""
        W = self.schedule(block)
        A, B, C, D, E, F, G, H = V
        for j in range(64):
            SS1 = self.rotl(keep(self.rotl(A, 12) + E + const(self.T[j], 32)), 7)
            SS2 = SS1 ^ self.rotl(A, 12)
            TT1 = keep(self.FF(j, A, B, C) + D + SS2 + (W[j] ^ W[j + 4]))
            TT2 = keep(self.GG(j, E, F, G) + H + SS1 + W[j])
            D = C
            C = self.rotl(B, 9)
            B = A
            A = TT1
            H = G
            G = self.rotl(F, 19)
            F = E
            E = keep(self.P0(TT2))
        return [keep(old ^ new) for old, new in zip(V, (A, B, C, D, E, F, G, H))]


def digest(message):
    """SM3 of bytes."""
    V = Sm3().absorb_last([const(word, 32) for word in IV], [const(byte, 8) for byte in message], const(len(message), 128))
    return b"".join(word.value.to_bytes(4, "big") for word in V)
