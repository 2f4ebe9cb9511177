"""What is claimed of which kernel: for a path in the library, the cases that are run.

A case fixes what has few values: a rate, a number of rounds, bytes after the last block. The state, every byte of the
input, the number of blocks, their distance and where they lie are variables.
"""

from dataclasses import dataclass, field
from typing import Callable

import spec_ascon
import spec_blake3
import spec_keccak
import terms
from control import at_most, implies
from induction import Induction, compare
from memory import Fault, Region, word_of
from spec_blake2 import Blake2
from spec_sha2 import Sha2
from spec_sm3 import Sm3
from terms import (
    add, and_, concat, const, control, eq, extract, not_, or_, product, sub, times, ult, usize, zero_extend,
)

LANES = {"portable": 1, "bmi2": 1, "avx512one": 1, "avx2": 256, "avx512vl": 256, "avx512": 512, "avx512two": 1024, "shifts": 256, "neon": 128, "sha3": 128, "simd128": 128}


@dataclass
class Case:
    name: str
    prove: Callable  # of an execution and a function's name; an error if it is not proved
    concrete: list  # of functions of an execution, a function's name and numbers: what is wanted, what comes out
    allowed: set = None  # the instruction sets that the function may use, if they are limited


@dataclass
class Claim:
    summary: str
    cases: list
    unless: dict = field(default_factory=dict)  # conditions of ways that are not taken: how many have it, and why
    together: bool = False  # whether the cases share their terms
    lanes: int = None  # of `absorb`: those of its rows in the tables of backends
    fixed: bool = False  # whether lengths are fixed, so that no case takes every way through the function


@dataclass
class Kernel:
    """A block function of so many words of so many bits, in so many lanes."""

    width: int
    words: int
    lanes: int
    block: int
    specification: Callable  # of the words of a state and blocks of bytes: the words after them
    shape: tuple = ()  # of numbers with their widths in bits
    most: int = 1  # blocks in one pass of the loop
    counter: int = None  # the word that counts bytes
    kept: tuple = ()  # the words that stay as they are
    mask: tuple = ()  # a word and those of its bits that stay as they are
    known: int = None  # the word that a branch may depend on
    end: Callable = None  # if that word is not 0 in every lane, of the words of a lane after the last block: those at the end
    state_name: Callable = lambda w, l: f"state {w} lane {l}"
    prepare: Callable = lambda: None

    def state(self, var):
        state = [[var(self.state_name(w, l), self.width) for l in range(self.lanes)] for w in range(self.words)]
        if self.known is not None and var is not terms.var:
            # On numbers, about half of the lanes.
            state[self.known] = [zero_extend(extract(word, 0, 1), self.width) for word in state[self.known]]
        return state

    def now(self, first):
        """The state at a position of the loop."""
        state = self.state(terms.var)
        for w in self.kept:
            state[w] = first[w]
            for l, word in enumerate(first[w]):
                terms.STORE.named[f"state {w} lane {l}"] = word
        return state

    def after(self, state, blocks):
        """The words of all lanes after these blocks of each."""
        words = [
            self.specification([word[l] for word in state], blocks[l]) for l in range(self.lanes)
        ]
        return [words[l][w] for w in range(self.words) for l in range(self.lanes)]

    def ended(self, words, execution):
        """The words of all lanes when the kernel returns, on the path that the execution is on."""
        if self.known is None:
            return words
        any = const(0, self.width)
        for word in words[self.known * self.lanes:][:self.lanes]:
            any = or_(any, word)
        if execution.holds(eq(any, const(0, self.width))):
            return words
        if not execution.holds(not_(eq(any, const(0, self.width)))):
            raise Fault("a path for messages that end and for those that go on")
        lanes = [self.end(words[l::self.lanes]) for l in range(self.lanes)]
        return [lanes[l][w] for w in range(self.words) for l in range(self.lanes)]

    def call(self, execution, name, var, state, slices, stride, count, returned, end=None):
        memory = execution.memory
        put = place(memory, "state", self.width, [word for row in state for word in row])
        pointers = place(memory, "lanes", terms.WORD, slices, writable=False)
        inputs = length(execution, var, "lanes", self.lanes, 2 * terms.WORD)
        # A pointer of 0 says that there is no end. Then the other fields may be anything: the optimiser reads them early.
        number = control if var is terms.var else var
        end = end or [usize(0), *(number(f"no end {i}", terms.WORD) for i in range(2))]
        fields = [pointers.base, inputs, stride, count, *end]
        argument = place(memory, "input", terms.WORD, fields, writable=False)
        words = length(execution, var, "state", self.words * self.lanes, self.width)
        arguments = [put.base, words, *(const(*n) for n in self.shape), argument.base]
        execution.call(name, arguments, lambda _: returned(words_of(execution.memory, put.base, self.width)))

    def concrete(self, count, gap):
        """On so many blocks of every lane, with `gap` bytes between them."""

        def run(execution, name, number):
            stride, state, outputs = self.block + gap, self.state(number), []
            blocks = [[block_of(number, j, l, self.block) for j in range(count)] for l in range(self.lanes)]
            wanted = self.ended(self.after(state, blocks), execution)
            slices = []
            for l, lane in enumerate(blocks):
                between = [number(f"between {i}", 8) for i in range(gap)]
                bytes = [byte for j, block in enumerate(lane) for byte in (between if j else []) + block]
                object = place(execution.memory, f"lane {l}", 8, bytes, writable=False)
                slices += [object.base, usize(len(bytes))]
            self.call(execution, name, number, state, slices, usize(stride), usize(count), outputs.append)
            [got] = outputs
            return wanted, got

        return run

    def ends(self, count, size, prepare=lambda: None):
        """On so many blocks of every lane, of the last of which the lanes have only the first `size` bytes."""

        def run(execution, name, var):
            memory, state, outputs = execution.memory, self.state(var), []
            end = [var(f"end byte {i}", 8) for i in range(self.block)]
            lanes = [[block_of(var, j, l, self.block) for j in range(count)] for l in range(self.lanes)]
            blocks = [[*lane[:-1], lane[-1][:size] + end[size:]] for lane in lanes]
            wanted, slices = self.after(state, blocks), []
            for l, lane in enumerate(lanes):
                bytes = [byte for block in lane for byte in block][:(count - 1) * self.block + size]
                slices += [place(memory, f"lane {l}", 8, bytes, writable=False).base, usize(len(bytes))]
            fields = [place(memory, "end", 8, end, writable=False).base, usize(self.block), usize(size)]
            self.call(execution, name, var, state, slices, usize(self.block), usize(count), outputs.append, fields)
            [got] = outputs
            return wanted, got

        def prove(execution, name):
            prepare()
            compare(f"an end of {size} bytes", *run(execution, name, terms.var))

        return Case(f"{count} blocks, an end of {size} bytes", prove, [run])

    def prove(self, execution, name):
        """For any number of blocks, at any distance."""
        self.prepare()
        total, stride, position = control("blocks"), control("stride"), control("position")
        first = self.state(lambda name, width: terms.var(f"first {name}", width))
        if self.known is not None:
            first[self.known] = [control(f"ends {l}", self.width) for l in range(self.lanes)]
        state = self.now(first)
        blocks = [[block_of(terms.var, j, l, self.block) for j in range(self.most)] for l in range(self.lanes)]
        afters = [[word for row in state for word in row]]
        for count in range(1, self.most + 1):
            afters.append(self.after(state, [lane[:count] for lane in blocks]))
        slices, start = [], product(position, stride)
        for l in range(self.lanes):
            length = control(f"lane {l} length")
            region = slice(execution, f"lane {l} pointer", length)
            pointer = region.pointer
            for j, block in enumerate(blocks[l]):
                # The caller's promise: a block that is to be absorbed lies in its lane.
                at = add(start, times(stride, j))
                left = sub(total, position)
                there = and_(at_most(position, total), ult(usize(j), left))
                for truth in (at_most(at, length), at_most(usize(self.block), sub(length, at))):
                    execution.control.assume(implies(there, truth))
                region.register(at, block, there)
            slices += [pointer, length]
        words = [word for row in first for word in row]
        counted = {}
        if self.counter is not None:
            counted = {self.counter * self.lanes + l: self.block for l in range(self.lanes)}
        masks = {}
        if self.mask:
            word, mask = self.mask
            masks = {word * self.lanes + l: mask for l in range(self.lanes)}
        free = [i for i, word in enumerate(words) if word.op is terms.VAR and word.data]
        afters = [[after[i] for i in free] for after in afters]
        induction = Induction([words[i] for i in free], afters, position, total, counted, masks)
        execution.induction = induction

        def returned(got):
            end = dict(zip(free, induction.at_end(execution)))
            wanted = self.ended([end.get(i, word) for i, word in enumerate(words)], execution)
            compare("at the end", wanted, induction.settled(execution, wanted, got))

        self.call(execution, name, terms.var, first, slices, stride, total, returned)

    def case(self, name, concrete):
        return Case(name, self.prove, [self.concrete(*each) for each in concrete])


def slice(execution, name, length):
    """Bytes at any address. A slice is no longer than half the addresses, does not go past the last one, and does not
    begin at zero."""
    pointer = terms.address(name)
    for truth in (
        ult(length, usize(1 << terms.WORD - 1)), ult(usize(0), pointer), at_most(pointer, add(pointer, length))
    ):
        execution.control.assume(truth)
    region = execution.memory.regions[pointer] = Region(pointer, length)
    return region


def length(execution, var, name, least, width):
    """How many words a slice has that the caller passes: those that the kernel needs, and any number more, which it must
    not touch. No slice has more bytes than half the addresses. On numbers there are up to 127 words more."""
    name = f"{name} words beyond"
    if var is terms.var:
        return add(usize(least), execution.any_to(name, ((1 << terms.WORD - 1) - 1) // (width // 8) - least))
    return add(usize(least), zero_extend(var(name, 7), terms.WORD))


def block_of(var, j, l, size):
    return [var(f"block {j} byte {i} lane {l}", 8) for i in range(size)]


def ends(width, words, size, specification):
    """`absorb_last` of so many bytes."""

    def run(execution, name, var):
        state = [var(f"state {w}", width) for w in range(words)]
        bytes = [var(f"byte {i}", 8) for i in range(size)]
        count, outputs = var("count", 128), []
        wanted = specification(state, bytes, count)
        put = place(execution.memory, "state", width, state)
        last = place(execution.memory, "last", 8, bytes, writable=False)
        arguments = [put.base, length(execution, var, "state", words, width), last.base, usize(size), count]
        returned = lambda _: outputs.append(words_of(execution.memory, put.base, width))
        execution.call(name, arguments, returned)
        [got] = outputs
        return wanted, got

    def prove(execution, name):
        compare(f"{size} bytes", *run(execution, name, terms.var))

    return Case(f"{size} bytes", prove, [run])


def blocks_and_end(sha2, rest):
    """`absorb_last` of any number of blocks and so many bytes."""

    def prove(execution, name):
        whole, position = control("whole", 57), control("position")
        total, size = zero_extend(whole, 64), concat([const(rest, 6), whole, const(0, 1)])
        first = [terms.var(f"first state {w}", 32) for w in range(8)]
        state = [terms.var(f"state {w}", 32) for w in range(8)]
        block = [terms.var(f"block byte {i}", 8) for i in range(64)]
        last = [terms.var(f"byte {i}", 8) for i in range(rest)]
        count = terms.var("count", 128)
        afters = [state, sha2.absorb(state, [block])]
        for w, term in enumerate(afters[1]):
            if term.op is not terms.VAR:
                afters[1][w] = terms.var(f"after {w}", 32, term.samples)
                terms.stand_for(afters[1][w], term)
        wanted = {words[0]: sha2.absorb_last(words, last, count) for words in [first, state]}
        region = slice(execution, "pointer", size)
        region.register(times(total, 64), last)
        region.register(times(position, 64), block, ult(position, total))
        put = place(execution.memory, "state", 32, first)
        induction = execution.induction = Induction(first, afters, position, total)

        def returned(_):
            got = words_of(execution.memory, put.base, 32)
            compare("at the end", wanted[induction.at_end(execution)[0]], got)

        words = length(execution, terms.var, "state", 8, 32)
        execution.call(name, [put.base, words, region.pointer, size, count], returned)

    concrete = [ends(32, 8, 64 * blocks + rest, sha2.absorb_last).concrete[0] for blocks in (0, 2)]
    return Case(f"any blocks and {rest} bytes", prove, concrete)


def block_and_digest(sha2):
    """The hash of a block, after which the state is `start`, and of a digest of the state's size."""

    def run(execution, name, var):
        start = [var(f"start {w}", sha2.w) for w in range(8)]
        digest, outputs = [var(f"digest {w}", sha2.w) for w in range(8)], []
        bytes = [extract(word, at, 8) for word in digest for at in range(sha2.w - 8, -8, -8)]
        wanted = sha2.absorb_last(start, bytes, const(sha2.block + len(bytes), 128))
        state = place(execution.memory, "start", sha2.w, start, writable=False)
        put = place(execution.memory, "digest", sha2.w, digest)
        returned = lambda _: outputs.append(words_of(execution.memory, put.base, sha2.w))
        lengths = [length(execution, var, name, 8, sha2.w) for name in ("start", "digest")]
        execution.call(name, [state.base, lengths[0], put.base, lengths[1]], returned)
        [got] = outputs
        return wanted, got

    def prove(execution, name):
        compare("one digest", *run(execution, name, terms.var))

    return Case("one digest", prove, [run])


def known_block(width, lanes, sha2):
    def run(execution, name, var):
        state = [[var(f"state {w} lane {l}", width) for l in range(lanes)] for w in range(8)]
        known, outputs = [var(f"K + W {t}", width) for t in range(sha2.rounds)], []
        wanted = [sha2.compute([word[l] for word in state], known) for l in range(lanes)]
        put = place(execution.memory, "state", width, [word for row in state for word in row])
        schedule = place(execution.memory, "schedule", width, known, writable=False)
        returned = lambda _: outputs.append(words_of(execution.memory, put.base, width))
        words = length(execution, var, "state", 8 * lanes, width)
        execution.call(name, [put.base, words, schedule.base], returned)
        [got] = outputs
        return [wanted[l][w] for w in range(8) for l in range(lanes)], got

    def prove(execution, name):
        compare("a known block", *run(execution, name, terms.var))

    return Case("1 block", prove, [run])


def block_then_known(sha2, lanes=1):
    """A block in each lane, and then one of which K + W are known."""

    def run(execution, name, var):
        states = [[var(f"state {w} of lane {l}", sha2.w) for w in range(8)] for l in range(lanes)]
        blocks, known = [block_of(var, l, 0, sha2.block) for l in range(lanes)], [var(f"K + W {t}", sha2.w) for t in range(sha2.rounds)]
        ends = [sha2.compute(sha2.compress(state, block), known) for state, block in zip(states, blocks)]
        wanted, outputs = [end[w] for w in range(8) for end in ends], []
        put = place(execution.memory, "states", sha2.w, [state[w] for w in range(8) for state in states])
        bytes = [place(execution.memory, f"block {l}", 8, block, writable=False) for l, block in enumerate(blocks)]
        schedule = place(execution.memory, "schedule", sha2.w, known, writable=False)
        words = length(execution, var, "states", 8 * lanes, sha2.w)
        sizes = [length(execution, var, f"block {l}", sha2.block, 8) for l in range(lanes)]
        slices = [part for place_of, size in zip(bytes, sizes) for part in (place_of.base, size)]
        if lanes > 1:
            slices = [place(execution.memory, "blocks", terms.WORD, slices, writable=False).base]
        returned = lambda _: outputs.append(words_of(execution.memory, put.base, sha2.w))
        execution.call(name, [put.base, words, *slices, schedule.base], returned)
        [got] = outputs
        return wanted, got

    def prove(execution, name):
        compare("a block and a known one", *run(execution, name, terms.var))

    return Case("2 blocks", prove, [run])


def schedule_of_block(sha2):
    def run(execution, name, var):
        bytes, outputs = [var(f"block byte {i}", 8) for i in range(sha2.block)], []
        wanted = [word + const(k, sha2.w) for word, k in zip(sha2.schedule(bytes), sha2.K)]
        put = place(execution.memory, "schedule", sha2.w, [const(0, sha2.w)] * sha2.rounds)
        put.bytes = [None] * put.size
        block = place(execution.memory, "block", 8, bytes, writable=False)
        size = length(execution, var, "block", sha2.block, 8)
        returned = lambda _: outputs.append(words_of(execution.memory, put.base, sha2.w))
        execution.call(name, [put.base, block.base, size], returned)
        [got] = outputs
        return wanted, got

    def prove(execution, name):
        compare("K + W", *run(execution, name, terms.var))

    return Case("K + W", prove, [run])


def digests(width, lanes, big_endian):
    """`rows_be` or `rows_le`: of every length, one digest after the other and with bytes between them."""

    def case(size, gap):
        def run(execution, name, var):
            step, stride, outputs = width // 8, size + gap, []
            words = [[var(f"state {w} lane {l}", width) for l in range(lanes)] for w in range(64 // step)]
            total = (lanes - 1) * stride + size
            before = [var(f"place {i}", 8) for i in range(total)]
            wanted = list(before)
            for l in range(lanes):
                for i in range(size):
                    at = 8 * (i % step)
                    wanted[l * stride + i] = extract(words[i // step][l], width - 8 - at if big_endian else at, 8)
            state = place(execution.memory, "state", width, [word for row in words for word in row], writable=False)
            put = place(execution.memory, "rows", 8, before)
            lengths = [length(execution, var, "state", 64 // step * lanes, width), length(execution, var, "rows", total, 8)]
            arguments = [state.base, lengths[0], put.base, lengths[1], usize(stride), usize(size)]
            execution.call(name, arguments, lambda _: outputs.append(words_of(execution.memory, put.base, 8)))
            [got] = outputs
            return wanted, got

        return Case(f"{size} bytes, {gap} between", lambda execution, name: compare("the rows", *run(execution, name, terms.var)), [run])

    cases = [case(size, gap) for size in (16, 32, 48, 64) for gap in (0, 5)]
    return Claim("lengths of digests", cases, lanes=None, fixed=True)


def last_bytes():
    """`lay`: messages up to the length that their lines have room for, from several places on. Of the last line only the
    first half may be asked for."""

    def case(lines, at, halves, written):
        def run(execution, name, var):
            room, outputs = 64 * lines + 64, []
            kept = written + -written % (32 if halves else 64)
            most = max(written - at, 0)
            sizes = [*range(0, most, 7 * lines), max(most - 1, 0), most, min(5, most), min(5, most)]
            messages = [[var(f"message {l} byte {i}", 8) for i in range(size)] for l, size in enumerate(sizes)]
            around = [var(f"around {i}", 8) for i in range(64 * lines)]
            before = [var(f"tail {i}", 8) for i in range(room * len(sizes))]
            wanted = list(before)
            for l, message in enumerate(messages):
                line = list(around)
                line[at:at + len(message)] = [or_(a, b) for a, b in zip(around[at:], message)]
                wanted[room * l:room * l + kept] = line[:kept]
            slices = []
            for l, message in enumerate(messages):
                object = place(execution.memory, f"lane {l}", 8, message, writable=False)
                slices += [object.base, usize(len(message))]
            lanes = place(execution.memory, "lanes", terms.WORD, slices, writable=False)
            ring = place(execution.memory, "around", 8, around, writable=False)
            put = place(execution.memory, "tails", 8, before)
            arguments = [lanes.base, usize(len(sizes)), usize(at), ring.base, usize(lines), usize(written)]
            arguments += [put.base, length(execution, var, "tails", len(before), 8), usize(room), const(halves, 1)]
            execution.call(name, arguments, lambda _: outputs.append(words_of(execution.memory, put.base, 8)))
            [got] = outputs
            return wanted, got

        name = f"{written} bytes from byte {at}, {'halves' if halves else 'whole'}"
        return Case(name, lambda execution, name: compare("the tails", *run(execution, name, terms.var)), [run])

    cases = [
        case(lines, at, halves, written)
        for lines in (1, 2, 3) for at in (0, 1, 40, 63, 100)[:3 + lines // 2] for halves in (0, 1)
        for written in (64 * lines, 64 * lines - 48)
    ]
    return Claim("lines and places", cases, fixed=True)


def place(memory, name, width, words, writable=True):
    """An object that begins with these words, aligned as they are and no better."""
    size = width // 8
    object = memory.allocate(name, size * len(words), size, writable)
    object.bytes = [(word, 8 * i) for word in words for i in range(size)]
    return object


def words_of(memory, base, width):
    """The words of an object, None for what is poison."""
    size = width // 8
    return [word_of(memory.objects[base].bytes[at:at + size]) for at in range(0, memory.objects[base].size, size)]


# Ways that no path takes: the condition of each, how many have it, and the reason. Another one is an error, and so is one
# that is taken. Those of Keccak are by the machine and the instruction set.
ROUNDS = "there are 12 or 24 rounds"
COPY = "the optimiser's copy of the loop over words is for more of them than a rate of at most 200 bytes has"
OTHER_COPY = "the optimiser copied the choice between a gather and a word, and this number of words reaches another copy"
SOME_ROUNDS = {"not (((24 - shape.1) < 24))": (1, ROUNDS)}
LAST_WORD = {"not (((phi + 1) == (shape.0 >> 3)))": (1, COPY)}
FIRST_COPY = SOME_ROUNDS | LAST_WORD | {"not ((shape.0 < 208))": (1, COPY)}
SCALAR = FIRST_COPY | {
    "not ((trunc(umin(umin(umin((sub >> 3), zext(lshr)), zext((lshr + xor))), zext(usub(25, phi)))) < 18))": (1, COPY),
}
IN_REGISTERS = SOME_ROUNDS | {"(phi > 25)": (1, "a block has at most 25 words")} | {
    reason: (1, OTHER_COPY)
    for reason in ("((phi & 2305843009213693950) == 4)", *(f"(phi == {words})" for words in range(6, 23, 2)))
}
KECCAK = {
    ("x86_64", "portable"): SCALAR,
    ("x86_64", "bmi2"): SCALAR,
    ("x86_64", "avx2"): SOME_ROUNDS | {"not (((phi + 1) == phi))": (1, "no word is the next one")},
    ("x86_64", "avx512vl"): IN_REGISTERS,
    ("x86_64", "avx512"): SOME_ROUNDS | {"not ((shape.0 < 256))": (1, COPY)},
    ("x86_64", "avx512one"): SOME_ROUNDS | {"not ((shape.0 > 7))": (1, "a rate has at least 8 bytes")},
    ("aarch64", "portable"): FIRST_COPY | {
        "not ((trunc(umin(umin(umin((sub >> 3), zext(lshr)), zext((lshr + xor))), zext((umax(phi, 25) - phi)))) < 16))": (1, COPY),
    },
    ("aarch64", "neon"): IN_REGISTERS,
    ("aarch64", "sha3"): IN_REGISTERS,
    ("wasm32", "portable"): FIRST_COPY | {
        "not ((umin(umin(umin(((add - shl) >> 3), zext((sub >> 3))), zext(((shape.0 >> 3) + (phi ^ -1)))), "
        "zext((umax(phi, 25) - phi))) < 12))": (1, COPY),
    },
    ("wasm32", "simd128"): SOME_ROUNDS | LAST_WORD,
}


def claim(path, machine="x86_64"):
    """The claim of a kernel; None if there is none."""
    match path.split("::")[1:]:
        case ["simd", "x86_ends", "lay"]:
            return last_bytes()
        case ["simd", "x86" | "v128", *isa, "U32" | "U64" as word, "rows_be" | "rows_le" as which]:
            return digests(int(word[1:]), lanes_of((*isa, "neon")[0], int(word[1:])), which == "rows_be")
        case ["simd", "x86_two", isa, "U32" | "U64" as word, "rows_be" | "rows_le" as which]:
            return digests(int(word[1:]), 2 * lanes_of(isa, int(word[1:])), which == "rows_be")
        case ["sha2", "kernel", "w32" | "w64" as w, isa, "absorb_known"]:
            sha2 = Sha2(int(w[1:]))
            return Claim("a block of any K + W", [known_block(sha2.w, lanes_of(isa, sha2.w), sha2)])
        case ["sha2", "kernel", "w32" | "w64" as w, "portable", "schedule"]:
            return Claim("K + W of a block", [schedule_of_block(Sha2(int(w[1:])))])
        case ["sha2", "kernel", "w32" | "w64" as w, isa, "absorb"]:
            sha2 = Sha2(int(w[1:]))
            return blocks_or_ends(Kernel(sha2.w, 8, lanes_of(isa, sha2.w), sha2.block, sha2.absorb), isa)
        case ["sm3", "kernel", isa, "absorb"]:
            return blocks_or_ends(Kernel(32, 8, lanes_of(isa, 32), 64, Sm3().absorb), isa)
        case ["sha2", "x86_sha", "absorb"]:
            return blocks(Kernel(32, 8, 1, 64, Sha2(32).absorb))
        case ["sha2", "x86_sha", "absorb_two"]:
            return blocks(Kernel(32, 8, 2, 64, Sha2(32).absorb))
        case ["sha2", "x86_sha", "absorb_then_known"]:
            return Claim("a block, and one of any K + W", [block_then_known(Sha2(32))])
        case ["sha2", "x86_sha", "absorb_two_then_known"]:
            return Claim("a block in two lanes, and one of any K + W", [block_then_known(Sha2(32), 2)])
        case ["sha2", "x86_sha", "absorb_digest"]:
            return Claim("a digest after one block", [block_and_digest(Sha2(32))])
        case ["sha2", "x86_sha", "absorb_last"]:
            return Claim("any length", [blocks_and_end(Sha2(32), rest) for rest in range(64)], together=True)
        case ["sha2", "aarch64_sha" | "aarch64_sha512" as isa, "absorb" | "absorb_two" as name]:
            sha2 = Sha2(32 if isa == "aarch64_sha" else 64)
            return blocks(Kernel(sha2.w, 8, 1 if name == "absorb" else 2, sha2.block, sha2.absorb))
        case ["sha2", "x86_sha512", "instructions", "absorb"]:
            return blocks(Kernel(64, 8, 1, 128, Sha2(64).absorb))
        case ["sha2", "x86_pairs", "avx2" | "avx512" as isa, "absorb"]:
            together = 2 if isa == "avx2" else 4
            kernel = Kernel(64, 8, 1, 128, Sha2(64).absorb, most=together)
            return blocks(kernel, [(2 * together + 1, 0), (together, 5)])
        case ["keccak", "kernel", isa, "absorb"]:
            every = [
                keccak(isa, rate, rounds).case(f"rate {rate}, {rounds} rounds", [(1, 0)] + [(2, 5)] * (rate == 136))
                for rounds in (24, 12) for rate in range(8, 201, 8)
            ]
            with_end = [case for rate in (8, 72, 136, 168, 200) for case in ends_of_keccak(isa, rate)]
            return Claim("any blocks, every rate" + "; ends" * bool(with_end), every + with_end, KECCAK.get((machine, isa), {}), together=True, lanes=lanes_of(isa, 64))
        case ["ascon", "kernel", isa, "absorb"]:
            return ascon(lanes_of(isa, 64))
        case ["blake2", "kernel", "b" | "b_block" | "s" | "s_block" as which, isa, "absorb"]:
            blake2 = Blake2(64 if which[0] == "b" else 32)
            kernel = Kernel(blake2.w, 12, lanes_of(isa, blake2.w), blake2.block, blake2.absorb, counter=8, kept=(10, 11))
            return blocks_or_ends(kernel, isa)
        case ["blake2", "kernel", "blake3", isa, "absorb"]:
            return blake3(lanes_of(isa, 32), isa)
        case ["blake2", "x86_rows", "blake3", isa, "absorb"]:
            return blake3(1)
        case ["blake2", "x86_rows", "blake3", isa, "absorb_last"]:
            every = [ends(32, 12, n, lambda state, last, count: spec_blake3.absorb_last(state, last)) for n in range(65)]
            return Claim("0 to 64 bytes", every)
        case ["blake2", "x86_rows", "b_two" | "s_several" as which, isa, "absorb"]:
            blake2 = Blake2(64 if which == "b_two" else 32)
            return blocks(Kernel(blake2.w, 12, lanes_of_rows(isa, blake2.w), blake2.block, blake2.absorb, counter=8, kept=(10, 11)))
        case ["blake2", "x86_rows", "blake3_several", isa, "absorb"]:
            return blake3(lanes_of_rows(isa, 32))
        case ["blake2", "x86_rows", "b" | "s" as which, isa, "absorb"]:
            blake2 = Blake2(64 if which == "b" else 32)
            return blocks(Kernel(blake2.w, 12, 1, blake2.block, blake2.absorb, counter=8, kept=(10, 11)))
        case ["blake2", "x86_rows", "b" | "s" as which, isa, "absorb_last"]:
            blake2 = Blake2(64 if which == "b" else 32)
            specification = lambda state, last, count: blake2.absorb_last(state, last)
            every = [ends(blake2.w, 12, n, specification) for n in range(blake2.block + 1)]
            return Claim(f"0 to {blake2.block} bytes", every)
    return None


def blocks(kernel, concrete=((1, 0), (2, 5))):
    return Claim("any blocks", [kernel.case("any blocks", concrete)], lanes=kernel.lanes)


def blocks_or_ends(kernel, isa):
    """Any blocks, and last blocks of which a lane has every number of bytes that a gather allows."""
    claim = blocks(kernel)
    claim.cases += ends_of(kernel, isa)
    claim.summary += "; every end" * (len(claim.cases) > 1)
    return claim


def ends_of(kernel, isa):
    if kernel.lanes == 1 or isa == "simd128":
        return []
    sizes = range(0, kernel.block, gathered(isa, kernel.width))
    return [kernel.ends(1, size) for size in sizes] + [kernel.ends(2, sizes[-1])]


def gathered(isa, width):
    """How many bytes a gather loads from each lane."""
    return 64 if isa in ("avx512", "avx512two") and width == 64 else 16


def blake3(lanes, isa=None):
    """The chaining value after any number of blocks, and one block of output."""
    values = Kernel(32, 12, lanes, spec_blake3.BLOCK, spec_blake3.absorb, ((0, 1),), kept=(8, 9, 10), mask=(11, 0xFFFF_FFFE))
    run = Kernel(32, 16, lanes, spec_blake3.BLOCK, spec_blake3.output, ((1, 1),)).concrete(1, 0)

    def prove(execution, name):
        compare("a block of output", *run(execution, name, terms.var))

    cases = [values.case("any blocks", ((1, 0), (2, 5))), Case("a block of output", prove, [run])]
    if isa:
        cases += ends_of(values, isa)
    return Claim("any blocks; a block of output" + "; every end" * (len(cases) > 2), cases, lanes=lanes)


def ascon(lanes):
    """Any of the messages end: the word that says so is any number. A branch may depend on it."""
    kept = tuple(range(spec_ascon.ENDS, spec_ascon.WORDS))
    kernel = Kernel(spec_ascon.W, spec_ascon.WORDS, lanes, spec_ascon.BLOCK, spec_ascon.absorb, kept=kept)
    kernel.known, kernel.end = spec_ascon.ENDS, spec_ascon.squeeze
    return Claim("any blocks; any ends", [kernel.case("any blocks", ((1, 0), (2, 5)))], lanes=lanes)


def keccak(isa, rate, rounds):
    """The words that are absorbed, exclusive or what is in their places, are named: so they are the same variables for
    every rate, and the permutation is proved once."""
    name = lambda w, l: f"state {w} lane {l}" if 8 * w < rate else f"absorbed {w} lane {l}"
    lanes = lanes_of(isa, 64)

    def specification(words, blocks):
        return spec_keccak.absorb(words, blocks, rounds, terms.STORE.passes)

    def prepare():
        for w in range(rate // 8):
            for l in range(lanes):
                absorbed(w, l, name(w, l), concat(block_of(terms.var, 0, l, rate)[8 * w:8 * w + 8]))

    return Kernel(64, 25, lanes, rate, specification, ((rate, terms.WORD), (rounds, terms.WORD)), state_name=name, prepare=prepare)


def ends_of_keccak(isa, rate):
    """No byte of a block, and as many gathers as fit, for rates that end in every place of a gather; of the longest rate
    every number of gathers. The words are named as above."""
    lanes, step = lanes_of(isa, 64), gathered(isa, 64)
    if lanes == 1 or isa == "simd128":
        return []
    cases = []
    sizes = range(0, rate, step)
    for size in sizes if rate == 200 else {sizes[0], sizes[-1]}:
        kernel = keccak(isa, rate, 24)
        own = f"state {{}} lane {{}} before an end of {size} bytes".format
        kernel.state_name = lambda w, l, own=own: own(w, l) if 8 * w < rate else f"absorbed {w} lane {l}"

        def prepare(size=size, own=own):
            end = [terms.var(f"end byte {i}", 8) for i in range(rate)]
            for w in range(rate // 8):
                for l in range(lanes):
                    block = (block_of(terms.var, 0, l, rate)[:size] + end[size:])[8 * w:8 * w + 8]
                    absorbed(w, l, own(w, l), concat(block))

        cases.append(kernel.ends(1, size, prepare))
    return cases + [keccak(isa, rate, 24).ends(2, step)] * (rate == 136)


def absorbed(w, l, name, block):
    """Names what is in the place of a word after a block of bytes was absorbed there."""
    after = terms.var(f"absorbed {w} lane {l}", 64)
    before = terms.var(name, 64, after.samples ^ block.samples)
    if before ^ block is not after:
        terms.stand_for(after, before ^ block)


def lanes_of_rows(isa, width):
    """The number of messages with a row of four words in a vector."""
    return lanes_of(isa, width) // 4


def lanes_of(isa, width):
    bits = LANES[isa]
    return 1 if bits == 1 else bits // width
