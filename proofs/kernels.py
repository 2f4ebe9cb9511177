"""What is claimed of which kernel: for a path in the library, the cases that are run.

A case is a block count, a stride, a rate, a length: whatever decides the control flow. The state and every byte
of the input are variables.
"""

from dataclasses import dataclass
from typing import Callable

import spec_keccak
from memory import Memory
from spec_blake2 import Blake2
from spec_sha2 import Sha2
from terms import const, extract

LANES = {"portable": 1, "bmi2": 1, "avx512one": 1, "avx2": 256, "avx512vl": 256, "avx512": 512, "neon": 128, "sha3": 128, "simd128": 128}


@dataclass
class Case:
    name: str
    run: Callable  # of an execution, a function's name and what makes variables: what is wanted, what comes out


def absorb(width, words, lanes, block, count, gap, shape, specification):
    """A block function of so many words, on `count` blocks of every lane with `gap` bytes between them."""

    def run(execution, name, var):
        memory, stride = execution.memory, block + gap
        state = [[var(f"state {w} lane {l}", width) for l in range(lanes)] for w in range(words)]
        length = count and (count - 1) * stride + block
        inputs = [[var(f"byte {i} lane {l}", 8) for i in range(length)] for l in range(lanes)]
        wanted = [
            specification([word[l] for word in state], [m[b * stride:b * stride + block] for b in range(count)])
            for l, m in enumerate(inputs)
        ]
        put = place(memory, "state", width, [word for row in state for word in row])
        slices = []
        for l, bytes in enumerate(inputs):
            slices += [const(place(memory, f"lane {l}", 8, bytes, writable=False).base, 64), const(length, 64)]
        pointers = place(memory, "lanes", 64, slices, writable=False)
        fields = [const(n, 64) for n in (pointers.base, lanes, stride, count)]
        argument = place(memory, "input", 64, fields, writable=False)
        numbers = [put.base, words * lanes, *shape, argument.base]
        execution.call(name, [const(n, 64) for n in numbers])
        return [wanted[l][w] for w in range(words) for l in range(lanes)], words_of(put, width)

    return run


def absorb_last(width, words, length, specification):
    def run(execution, name, var):
        state = [var(f"state {w}", width) for w in range(words)]
        bytes = [var(f"byte {i}", 8) for i in range(length)]
        count = var("count", 128)
        wanted = specification(state, bytes, count)
        put = place(execution.memory, "state", width, state)
        last = place(execution.memory, "last", 8, bytes, writable=False)
        numbers = [put.base, words, last.base, length]
        execution.call(name, [*(const(n, 64) for n in numbers), count])
        return wanted, words_of(put, width)

    return run


def absorb_digest(sha2):
    """The hash of a block, after which the state is `start`, and of a digest of the state's size."""

    def run(execution, name, var):
        start = [var(f"start {w}", sha2.w) for w in range(8)]
        digest = [var(f"digest {w}", sha2.w) for w in range(8)]
        bytes = [extract(word, at, 8) for word in digest for at in range(sha2.w - 8, -8, -8)]
        wanted = sha2.absorb_last(start, bytes, const(sha2.block + len(bytes), 128))
        state = place(execution.memory, "start", sha2.w, start, writable=False)
        put = place(execution.memory, "digest", sha2.w, digest)
        execution.call(name, [const(n, 64) for n in (state.base, 8, put.base, 8)])
        return wanted, words_of(put, sha2.w)

    return run


def absorb_known(width, lanes, sha2):
    def run(execution, name, var):
        state = [[var(f"state {w} lane {l}", width) for l in range(lanes)] for w in range(8)]
        known = [var(f"K + W {t}", width) for t in range(sha2.rounds)]
        wanted = [sha2.compute([word[l] for word in state], known) for l in range(lanes)]
        put = place(execution.memory, "state", width, [word for row in state for word in row])
        schedule = place(execution.memory, "schedule", width, known, writable=False)
        execution.call(name, [const(n, 64) for n in (put.base, 8 * lanes, schedule.base)])
        return [wanted[l][w] for w in range(8) for l in range(lanes)], words_of(put, width)

    return run


def place(memory, name, width, words, writable=True):
    """An object that begins with these words, aligned as they are and no better."""
    size = width // 8
    object = memory.allocate(name, size * len(words), size, writable)
    object.bytes = [(word, 8 * i) for word in words for i in range(size)]
    return object


def words_of(object, width):
    """The words of an object, None for what is poison."""
    memory = Memory()
    memory.bases, memory.objects = [object.base], [object]
    step = width // 8
    return [
        memory.load_bits(const(object.base + at, 64), width, 1) for at in range(0, object.size, step)
    ]


def counts(width, words, lanes, block, numbers, specification, shape=(), what=""):
    """So many blocks, two of them with other bytes between them."""
    every = []
    for count in numbers:
        gap = 3 * block + 5 if count == 2 else 0
        run = absorb(width, words, lanes, block, count, gap, shape, specification)
        every.append(Case(f"{what}{count} blocks", run))
    return every


def cases(path, long):
    """The claims of a kernel, and how they are summed up; None if there are none."""
    blocks = range(5 if long else 3)
    summary = f"0 to {blocks[-1]} blocks"
    match path.split("::")[1:]:
        case ["sha2", "kernel", "w32" | "w64" as w, isa, "absorb_known"]:
            sha2 = Sha2(int(w[1:]))
            return [Case("1 block", absorb_known(sha2.w, lanes_of(isa, sha2.w), sha2))], "1 block of known K + W"
        case ["sha2", "kernel", "w32" | "w64" as w, isa, "absorb"]:
            sha2 = Sha2(int(w[1:]))
            return counts(sha2.w, 8, lanes_of(isa, sha2.w), sha2.block, blocks, sha2.absorb), summary
        case ["sha2", "x86_sha", "absorb"]:
            return counts(32, 8, 1, 64, blocks, Sha2(32).absorb), summary
        case ["sha2", "x86_sha", "absorb_two"]:
            return counts(32, 8, 2, 64, blocks, Sha2(32).absorb), summary
        case ["sha2", "x86_sha", "absorb_digest"]:
            return [Case("1 digest", absorb_digest(Sha2(32)))], "a digest after one block"
        case ["sha2", "x86_sha", "absorb_last"]:
            sha2 = Sha2(32)
            # Every length of the end, and ends after one and two whole blocks.
            every = [*range(64), 64, 65, 119, 120, 128, 191]
            every = [Case(f"{n} bytes", absorb_last(32, 8, n, sha2.absorb_last)) for n in every]
            return every, "0 to 63 bytes, 6 to 191"
        case ["sha2", "aarch64_sha" | "aarch64_sha512" as isa, "absorb" | "absorb_two" as name]:
            sha2 = Sha2(32 if isa == "aarch64_sha" else 64)
            return counts(sha2.w, 8, 1 if name == "absorb" else 2, sha2.block, blocks, sha2.absorb), summary
        case ["sha2", "x86_sha512", "instructions", "absorb"]:
            return counts(64, 8, 1, 128, blocks, Sha2(64).absorb), summary
        case ["sha2", "x86_pairs", "avx2" | "avx512" as isa, "absorb"]:
            together = 2 if isa == "avx2" else 4
            blocks = range(2 * together + (2 if long else 1))
            return counts(64, 8, 1, 128, blocks, Sha2(64).absorb), f"0 to {blocks[-1]} blocks"
        case ["keccak", "kernel", isa, "absorb"]:
            every = []
            for rate, rounds in RATES + (OTHER_RATES if long else []):
                specification = lambda words, blocks, rounds=rounds: spec_keccak.absorb(words, blocks, rounds)
                what = f"rate {rate}, {rounds} rounds, "
                number = range(3) if (rate, rounds) in (RATES if long else RATES[:1]) else [1]
                every += counts(64, 25, lanes_of(isa, 64), rate, number, specification, (rate, rounds), what)
            return every, "0 to 2 blocks of 7 rates, 1 of 20" if long else "0 to 2 blocks of 136, 1 of 6"
        case ["blake2", "kernel", "b" | "s" as which, isa, "absorb"]:
            blake2 = Blake2(64 if which == "b" else 32)
            return counts(blake2.w, 12, lanes_of(isa, blake2.w), blake2.block, blocks, blake2.absorb), summary
        case ["blake2", "x86_rows", "b" | "s" as which, isa, "absorb"]:
            blake2 = Blake2(64 if which == "b" else 32)
            return counts(blake2.w, 12, 1, blake2.block, blocks, blake2.absorb), summary
        case ["blake2", "x86_rows", "b" | "s" as which, isa, "absorb_last"]:
            blake2 = Blake2(64 if which == "b" else 32)
            specification = lambda state, last, count: blake2.absorb_last(state, last)
            every = [
                Case(f"{n} bytes", absorb_last(blake2.w, 12, n, specification))
                for n in lengths(blake2.block, long)
            ]
            return every, ends(blake2.block, every)
    return None


def lengths(block, long):
    """Lengths of a message's end: all, or those around what the kernels copy at once: 16, 8, 4 and 2 bytes."""
    return [n for n in range(block) if long or n % 16 in (0, 1, 2, 3, 4, 7, 8, 15)]


def ends(block, every):
    return f"{len(every)} of the lengths 0 to {block - 1}"


# SHA3-256 and SHAKE256, SHA3-512, SHA3-384, SHA3-224, SHAKE128; TurboSHAKE256 and TurboSHAKE128. Those of RFC 9861
# have twelve rounds. `block::keccak` takes any rate.
RATES = [(136, 24), (72, 24), (104, 24), (144, 24), (168, 24), (136, 12), (168, 12)]
OTHER_RATES = [(rate, 24) for rate in range(8, 201, 8) if (rate, 24) not in RATES]


def lanes_of(isa, width):
    bits = LANES[isa]
    return 1 if bits == 1 else bits // width
