"""Models of the Arm instructions behind LLVM's intrinsics, from the pseudo-code of the Arm Architecture Reference
Manual, C7.2 and J1.

Vectors are tuples of lanes, the lowest first. `hardware.py` compares every model with the CPU that qemu plays.
"""

from terms import add
from x86 import choose, defined, majority, sigma


def sha256_hash(part1):
    """SHA256hash: four rounds, of A B C D, E F G H and W + K; the state's first half or its second."""

    def model(x, y, w):
        defined(x + y + w)
        if not part1:
            x, y = y, x
        a, b, c, d = x
        e, f, g, h = y
        for k in w:
            t = add(add(add(h, sigma(e, (6, 11, 25))), choose(e, f, g)), k)
            a, b, c, d, e, f, g, h = add(add(t, sigma(a, (2, 13, 22))), majority(a, b, c)), a, b, c, add(d, t), e, f, g
        return (a, b, c, d) if part1 else (e, f, g, h)

    return model


def sha256_schedule0(w, following):
    """SHA256SU0: W[t-16] + σ0(W[t-15])."""
    defined(w + following[:1])
    return tuple(add(word, sigma(other, (7, 18), 3)) for word, other in zip(w, (*w[1:], following[0])))


def sha256_schedule1(sums, eighth, last):
    """SHA256SU1: + σ1(W[t-2]) + W[t-7]."""
    defined(sums + eighth[1:] + last)
    seventh, second, result = (*eighth[1:], last[0]), list(last[2:]), []
    for e in range(4):
        second.append(add(add(sigma(second[e], (17, 19), 10), sums[e]), seventh[e]))
        result.append(second[-1])
    return tuple(result)


def sha512_hash(w, x, y):
    """SHA512H: the T1 of two rounds, of H, G + W + K of both, F G, and D E; the second needs D + T1."""
    defined(w + x + y)
    big_sigma1 = lambda e: sigma(e, (14, 18, 41))
    first = add(add(choose(y[1], x[0], x[1]), big_sigma1(y[1])), w[1])
    e = add(first, y[0])
    return add(add(choose(e, y[1], x[0]), big_sigma1(e)), w[0]), first


def sha512_hash2(w, x, y):
    """SHA512H2: + T2 of two rounds, of C D and A B."""
    defined(w + x[:1] + y)
    big_sigma0 = lambda a: sigma(a, (28, 34, 39))
    first = add(add(majority(x[0], y[1], y[0]), big_sigma0(y[0])), w[1])
    return add(add(majority(first, y[0], y[1]), big_sigma0(first)), w[0]), first


def sha512_schedule0(w, following):
    """SHA512SU0: W[t-16] + σ0(W[t-15])."""
    defined(w + following[:1])
    return tuple(add(word, sigma(other, (1, 8), 7)) for word, other in zip(w, (w[1], following[0])))


def sha512_schedule1(sums, last, seventh):
    """SHA512SU1: + σ1(W[t-2]) + W[t-7]."""
    defined(sums + last + seventh)
    return tuple(add(add(s, sigma(l, (19, 61), 6)), w) for s, l, w in zip(sums, last, seventh))


MODELS = {
    "llvm.aarch64.crypto.sha256h": sha256_hash(True),
    "llvm.aarch64.crypto.sha256h2": sha256_hash(False),
    "llvm.aarch64.crypto.sha256su0": sha256_schedule0,
    "llvm.aarch64.crypto.sha256su1": sha256_schedule1,
    "llvm.aarch64.crypto.sha512h": sha512_hash,
    "llvm.aarch64.crypto.sha512h2": sha512_hash2,
    "llvm.aarch64.crypto.sha512su0": sha512_schedule0,
    "llvm.aarch64.crypto.sha512su1": sha512_schedule1,
}
VECTORS = {
    "sha256h": [(32, 4)] * 3,
    "sha256h2": [(32, 4)] * 3,
    "sha256su0": [(32, 4)] * 2,
    "sha256su1": [(32, 4)] * 3,
    "sha512h": [(64, 2)] * 3,
    "sha512h2": [(64, 2)] * 3,
    "sha512su0": [(64, 2)] * 2,
    "sha512su1": [(64, 2)] * 3,
}
