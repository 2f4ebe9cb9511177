"""FIPS 180-4 over terms: SHA-256's and SHA-512's compression functions and padding."""

from math import isqrt

from terms import concat, const, extract, keep, rotr


class Sha2:
    """§4.1.2 and §4.1.3: the functions; §4.2.2 and §4.2.3: the constants."""

    def __init__(self, w):
        self.w = w
        self.block = 16 * w // 8  # bytes
        self.rounds, big0, big1, small0, small1 = {
            32: (64, (2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10)),
            64: (80, (28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)),
        }[w]
        self.Sigma0 = lambda x: rotr(x, big0[0]) ^ rotr(x, big0[1]) ^ rotr(x, big0[2])
        self.Sigma1 = lambda x: rotr(x, big1[0]) ^ rotr(x, big1[1]) ^ rotr(x, big1[2])
        self.sigma0 = lambda x: rotr(x, small0[0]) ^ rotr(x, small0[1]) ^ x >> small0[2]
        self.sigma1 = lambda x: rotr(x, small1[0]) ^ rotr(x, small1[1]) ^ x >> small1[2]
        # The first bits of the fractional parts of the cube roots of the first primes.
        self.K = [cube_root(prime << 3 * w) % 2**w for prime in primes(self.rounds)]

    def Ch(self, x, y, z):
        return (x & y) ^ (~x & z)

    def Maj(self, x, y, z):
        return (x & y) ^ (x & z) ^ (y & z)

    def words(self, block):
        """§3.1: big-endian."""
        n = self.w // 8
        return [concat(block[i:i + n][::-1]) for i in range(0, len(block), n)]

    def schedule(self, block):
        """§6.2.2 and §6.4.2, step 1."""
        W = self.words(block)
        for t in range(16, self.rounds):
            W.append(keep(self.sigma1(W[t - 2]) + W[t - 7] + self.sigma0(W[t - 15]) + W[t - 16]))
        return W

    def compress(self, H, block):
        """§6.2.2 and §6.4.2."""
        return self.compute(H, [W + const(K, self.w) for W, K in zip(self.schedule(block), self.K)])

    def compute(self, H, KW):
        """Steps 2 to 4."""
        a, b, c, d, e, f, g, h = H
        for t in range(self.rounds):
            T1 = h + self.Sigma1(e) + self.Ch(e, f, g) + KW[t]
            T2 = self.Sigma0(a) + self.Maj(a, b, c)
            h = g
            g = f
            f = e
            e = keep(d + T1)
            d = c
            c = b
            b = a
            a = keep(T1 + T2)
        return [keep(old + new) for old, new in zip(H, (a, b, c, d, e, f, g, h))]

    def absorb(self, H, blocks):
        for block in blocks:
            H = self.compress(H, block)
        return H

    def absorb_last(self, H, last, count):
        """§5.1.1 and §5.1.2: the end of a message of `count` bytes, of which `last` are not yet absorbed."""
        length_field = 2 * self.w // 8
        zeros = -(len(last) + 1 + length_field) % self.block
        bits = extract(concat([const(0, 3), count]), 0, 2 * self.w)
        length = [extract(bits, at, 8) for at in range(2 * self.w - 8, -8, -8)]
        padded = last + [const(0x80, 8)] + [const(0, 8)] * zeros + length
        return self.absorb(H, [padded[i:i + self.block] for i in range(0, len(padded), self.block)])


def primes(count):
    found, n = [], 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def cube_root(n):
    root = 1 << -(-n.bit_length() // 3)
    while root**3 > n:
        root = (2 * root + n // root**2) // 3
    return root


def square_roots(w):
    """§5.3.3 and §5.3.5: the first bits of the fractional parts of the square roots of the first eight primes."""
    return [isqrt(prime << 2 * w) % 2**w for prime in primes(8)]


def digest(w, message):
    """SHA-256 or SHA-512 of bytes."""
    sha2 = Sha2(w)
    H = [const(word, w) for word in square_roots(w)]
    H = sha2.absorb_last(H, [const(byte, 8) for byte in message], const(len(message), 128))
    return b"".join(word.value.to_bytes(w // 8, "big") for word in H)
