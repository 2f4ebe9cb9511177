"""SP 800-232 over terms: Ascon-p[12], with S0 to S4 as words of 64 bits, and Ascon-Hash256.

The state has eight words more: one that is not 0 if a message ends, the second to fourth word of its digest, and S1 to S4
after it.
"""

from terms import concat, const, keep, rotr

W = 64
BLOCK = 8
ENDS, WORDS = 5, 13
# §3.2, Table 5.
CONSTANTS = [0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B]
# §3.4.
SIGMA = [(19, 28), (61, 39), (1, 6), (10, 17), (7, 41)]


def round(S, i):
    """§3.2 to §3.4: p_C, p_S by the algebraic normal form (equation 3.3), p_L."""
    x0, x1, x2, x3, x4 = S[0], S[1], keep(S[2] ^ const(CONSTANTS[i], W)), S[3], S[4]
    y = [
        (x4 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ (x1 & x0) ^ x1 ^ x0,
        x4 ^ (x3 & x2) ^ (x3 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ x1 ^ x0,
        (x4 & x3) ^ x4 ^ x2 ^ x1 ^ const(2**W - 1, W),
        (x4 & x0) ^ x4 ^ (x3 & x0) ^ x3 ^ x2 ^ x1 ^ x0,
        (x4 & x1) ^ x4 ^ x3 ^ (x1 & x0) ^ x1,
    ]
    y = [keep(word) for word in y]
    return [keep(word ^ rotr(word, a) ^ rotr(word, b)) for word, (a, b) in zip(y, SIGMA)]


def permute(S):
    for i in range(12):
        S = round(S, i)
    return S


def absorb(state, blocks):
    """§5.1: the blocks of a message."""
    S, others = state[:5], state[5:]
    for block in blocks:
        S = permute([keep(S[0] ^ concat(block))] + S[1:])
    return S + others


def squeeze(state):
    """§5.1: the second to fourth word of the digest and S1 to S4 after it, besides the state."""
    S, digest = state[:5], []
    for _ in range(3):
        S = permute(S)
        digest.append(S[0])
    return state[:5] + [const(0, W)] + digest + S[1:]


def digest(message):
    """Ascon-Hash256 of bytes."""
    padded = message + b"\1"
    padded += bytes(-len(padded) % BLOCK)
    blocks = [[const(byte, 8) for byte in padded[i:i + BLOCK]] for i in range(0, len(padded), BLOCK)]
    state = permute([const(word, W) for word in (0x0000_0801_00CC_0002, 0, 0, 0, 0)])
    state = squeeze(absorb(state, blocks))
    return b"".join(word.value.to_bytes(8, "little") for word in [state[0]] + state[6:9])
