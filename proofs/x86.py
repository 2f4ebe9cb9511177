"""Models of the x86 instructions behind LLVM's intrinsics, from the operation sections of the Intel SDM, volume 2.

Vectors are tuples of lanes, the lowest first. `hardware.py` compares every model with the CPU.
"""

from memory import Fault
from terms import add, and_, bitwise, const, not_, rotr, shr, xor


def choose(e, f, g):
    return xor(and_(e, f), and_(not_(e), g))


def majority(a, b, c):
    return xor(xor(and_(a, b), and_(a, c)), and_(b, c))


def sigma(word, rotations, shift=None):
    """The exclusive or of a word rotated in several ways, and shifted."""
    first, *rest = [rotr(word, n) for n in rotations] + ([] if shift is None else [shr(word, shift)])
    for each in rest:
        first = xor(first, each)
    return first


def rounds2(big_sigma0, big_sigma1):
    """SHA256RNDS2 and VSHA512RNDS2: two rounds, of C D G H, A B E F and W + K."""

    def model(cdgh, abef, wk):
        defined(cdgh + abef + wk[:2])
        h, g, d, c = cdgh
        f, e, b, a = abef
        for k in wk[:2]:
            t1 = add(add(add(choose(e, f, g), sigma(e, big_sigma1)), k), h)
            t2 = add(majority(a, b, c), sigma(a, big_sigma0))
            a, b, c, d, e, f, g, h = add(t1, t2), a, b, c, add(d, t1), e, f, g
        return f, e, b, a

    return model


def message1(small_sigma0):
    """SHA256MSG1 and VSHA512MSG1: W[t-16] + σ0(W[t-15])."""

    def model(w, following):
        defined(w + following[:1])
        after = (*w[1:], following[0])
        return tuple(add(word, sigma(other, *small_sigma0)) for word, other in zip(w, after))

    return model


def message2(small_sigma1):
    """SHA256MSG2 and VSHA512MSG2: + σ1(W[t-2])."""

    def model(sums, last):
        defined(sums + last[2:])
        w16 = add(sums[0], sigma(last[2], *small_sigma1))
        w17 = add(sums[1], sigma(last[3], *small_sigma1))
        w18 = add(sums[2], sigma(w16, *small_sigma1))
        w19 = add(sums[3], sigma(w17, *small_sigma1))
        return w16, w17, w18, w19

    return model


def shuffle_bytes(bytes, order):
    """(V)PSHUFB: within every 16 bytes, by the low four bits of each order, or zero by its top bit."""
    result = []
    for i, place in enumerate(order):
        place = None if place is None else concrete(place)
        if place is None:
            result.append(None)
        else:
            result.append(const(0, 8) if place & 0x80 else bytes[i & ~15 | place & 15])
    return tuple(result)


def permute_words(words, order):
    """VPERMD: lane i is the one that the low bits of order i name."""
    return tuple(words[concrete(place) % len(words)] for place in order)


def ternary(a, b, c, table):
    """VPTERNLOG: bit 4a + 2b + c of the table."""
    table = concrete(table)
    return tuple(None if None in lane else bitwise(table, *lane) for lane in zip(c, b, a))


def defined(lanes):
    if None in lanes:
        raise Fault("an undefined lane")


def concrete(term):
    if term is None or term.value is None:
        raise Fault("a place that depends on data")
    return term.value


MODELS = {
    "llvm.x86.sha256rnds2": rounds2((2, 13, 22), (6, 11, 25)),
    "llvm.x86.sha256msg1": message1(((7, 18), 3)),
    "llvm.x86.sha256msg2": message2(((17, 19), 10)),
    "llvm.x86.vsha512rnds2": rounds2((28, 34, 39), (14, 18, 41)),
    "llvm.x86.vsha512msg1": message1(((1, 8), 7)),
    "llvm.x86.vsha512msg2": message2(((19, 61), 6)),
    "llvm.x86.ssse3.pshuf.b.128": shuffle_bytes,
    "llvm.x86.avx2.pshuf.b": shuffle_bytes,
    "llvm.x86.avx512.pshuf.b.512": shuffle_bytes,
    "llvm.x86.avx2.permd": permute_words,
    **{f"llvm.x86.avx512.pternlog.{w}.{n}": ternary for w in "dq" for n in (128, 256, 512)},
}
