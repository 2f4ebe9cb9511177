"""FIPS 202 over terms: Keccak-p[1600], with lanes A[x, y] as words of 64 bits."""

from terms import concat, const, keep, rotr

W = 64
L = 6


def offsets():
    """§3.2.2, algorithm 2."""
    offset, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        offset[x, y] = (t + 1) * (t + 2) // 2 % W
        x, y = y, (2 * x + 3 * y) % 5
    return offset


def rc(t):
    """§3.2.5, algorithm 5; R[0] is the first bit."""
    R = [1, 0, 0, 0, 0, 0, 0, 0]
    for _ in range(t % 255):
        R = [0] + R
        R[0] ^= R[8]
        R[4] ^= R[8]
        R[5] ^= R[8]
        R[6] ^= R[8]
        R = R[:8]
    return R[0]


def round_constant(ir):
    return sum(rc(j + 7 * ir) << 2**j - 1 for j in range(L + 1))


OFFSETS = offsets()
ROUND_CONSTANTS = [round_constant(ir) for ir in range(24)]
PLANE = [(x, y) for y in range(5) for x in range(5)]


def round(A, ir):
    """§3.2.1 to §3.2.5 and §3.3: θ, ρ, π, χ, ι."""
    C = [keep(A[x, 0] ^ A[x, 1] ^ A[x, 2] ^ A[x, 3] ^ A[x, 4]) for x in range(5)]
    D = [keep(C[(x - 1) % 5] ^ rotr(C[(x + 1) % 5], W - 1)) for x in range(5)]
    A = {(x, y): A[x, y] ^ D[x] for x, y in PLANE}
    A = {(x, y): rotr(A[x, y], W - OFFSETS[x, y]) for x, y in PLANE}
    A = {(x, y): keep(A[(x + 3 * y) % 5, x]) for x, y in PLANE}
    A = {(x, y): A[x, y] ^ (~A[(x + 1) % 5, y] & A[(x + 2) % 5, y]) for x, y in PLANE}
    A[0, 0] = A[0, 0] ^ const(ROUND_CONSTANTS[ir], W)
    return {place: keep(lane) for place, lane in A.items()}


def permute(words, rounds):
    """§3.3: the last `rounds` rounds of Keccak-f; word x + 5y is A[x, y]."""
    A = {(x, y): words[x + 5 * y] for x, y in PLANE}
    for ir in range(24 - rounds, 24):
        A = round(A, ir)
    return [A[x, y] for x, y in PLANE]


def absorb(words, blocks, rounds, known=None):
    """§4, algorithm 8, step 6. `known` keeps what was permuted."""
    known = {} if known is None else known
    for block in blocks:
        lanes = [concat(block[i:i + 8]) for i in range(0, len(block), 8)]
        words = [keep(word ^ lane) for word, lane in zip(words, lanes)] + words[len(lanes):]
        if (*words, rounds) not in known:
            known[*words, rounds] = permute(words, rounds)
        words = known[*words, rounds]
    return words


def digest(message, rate=136, rounds=24, suffix=0x06, length=32):
    """SHA3-256 of bytes, or what else the numbers say; no longer than a block."""
    padded = bytearray(message + bytes([suffix]))
    padded += bytes(-len(padded) % rate)
    padded[-1] |= 0x80
    blocks = [[const(byte, 8) for byte in padded[i:i + rate]] for i in range(0, len(padded), rate)]
    words = absorb([const(0, W)] * 25, blocks, rounds)
    return b"".join(word.value.to_bytes(8, "little") for word in words)[:length]
