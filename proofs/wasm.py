"""The one intrinsic of WebAssembly's simd128 that the kernels use, from the specification of WebAssembly, §4.3.3."""

from memory import Fault
from terms import CONCAT, bitwise, concat, extract


def select(a, b, mask):
    """v128.bitselect: the bits of `a` where `mask` has ones, of `b` where it has zeros; of words, where the bytes make
    up words."""
    if None in a + b + mask:
        raise Fault("an undefined lane")
    for n in (8, 4, 1):
        words = [[concat(list(v[i:i + n])) for v in (mask, a, b)] for i in range(0, 16, n)]
        if n == 1 or all(term.op is not CONCAT for word in words for term in word):
            chosen = [bitwise(0b11011000, *word) for word in words]
            return tuple(extract(word, 8 * i, 8) for word in chosen for i in range(n))


MODELS = {"llvm.wasm.bitselect.v16i8": select}
