"""What is claimed of whole messages of SHA-256: of the code between the interface and the kernels, which keeps the bytes
of an incomplete block, counts, pads, and chooses a kernel.

A case fixes the lengths: of the bytes that wait in the buffer, and of the data of the call. Every byte, the state, and
the rest of the buffer are variables, and so is the number of bytes before the call, but for `finish_unwiped`. So each
case is a step of an induction over the calls that a message comes in.
"""

import re

import terms
from induction import compare
from kernels import Case, Claim, place, words_of
from memory import Fault, word_of
from spec_sha2 import Sha2, square_roots
from terms import add, and_, concat, const, control, extract, usize, zero_extend

SHA2 = Sha2(32)
BLOCK, WORDS = SHA2.block, 8
LONGEST = (1 << 61) - 1  # FIPS 180-4 §1: a message has less than 2^64 bits
# Where the fields of `Sha2` are: the state, the count, the bytes that wait, how many they are, how many of them were
# absorbed, and the length of the digest. With a wrong place no case is proved.
STATE, COUNT, BYTES, LEN, TAKEN, OUTPUT, SIZE = 0, 32, 48, 112, 114, 116, 128
# Where `Chosen` has the choice for one message.
ONE = 0
CHOSEN = re.compile(r".*Words32.*Family.*chosen6CHOSEN\w+")
ABSORB = re.compile(r"@(\w+6stream13absorb_blocks\w+)\(")
FORCED = re.compile(r"_ZN8hashmill7backend6FORCED\w+")


class Stream:
    """SHA-256's `Sha2` in memory, with so many bytes in its buffer, after any message."""

    def __init__(self, execution, var, waiting, count=None):
        self.execution, self.waiting = execution, waiting
        self.state = [var(f"state {w}", 32) for w in range(WORDS)]
        self.buffer = [var(f"buffer {i}", 8) for i in range(BLOCK)]
        # The number of bytes before the call.
        if count is None:
            count = execution.any_to("count", LONGEST - 4 * BLOCK) if var is terms.var else var("count", 60)
        self.count = zero_extend(count, 128)
        object = self.object = execution.memory.allocate("stream", SIZE, 16)
        self.put(STATE, self.state)
        self.put(COUNT, [self.count])
        self.put(BYTES, self.buffer)
        self.put(LEN, [const(waiting, 16), const(0, 16), const(32, 8)])

    def put(self, at, words):
        for word in words:
            for i in range(word.width // 8):
                self.object.bytes[at + i] = word, 8 * i
            at += word.width // 8

    def words(self, at, width, count):
        bytes, size = self.execution.memory.objects[self.object.base].bytes, width // 8
        return [word_of(bytes[at + i * size:at + (i + 1) * size]) for i in range(count)]

    def known(self):
        return self.buffer[:self.waiting]


def data_of(execution, var, size):
    """The bytes of an argument. A slice of no bytes has an address that is not zero."""
    bytes = [var(f"byte {i}", 8) for i in range(size)]
    return bytes, place(execution.memory, "data", 8, bytes, writable=False).base if size else usize(1)


def blocks_of(bytes):
    return [bytes[i:i + BLOCK] for i in range(0, len(bytes) - BLOCK + 1, BLOCK)]


def choose(execution, row):
    """The choice of a backend was made: row `row` of the table of those for one message, in any epoch. `backend::one` in
    the library reads both numbers, and no other thread changes them during the call."""
    for name in execution.module.globals:
        if CHOSEN.fullmatch(name) or FORCED.fullmatch(name):
            object = execution.memory.objects[execution.address(name)]
            epoch = and_(control("epoch", 32), const(-256, 32))
            number = epoch if FORCED.fullmatch(name) else add(epoch, const(1 + row, 32))
            at = 0 if FORCED.fullmatch(name) else ONE
            object.bytes[at:at + 4] = [(number, 8 * i) for i in range(4)]


def padded(state, rest, count):
    """The digest of a message of `count` bytes, of which `rest` are after `state`."""
    whole = len(rest) // BLOCK * BLOCK
    state = SHA2.absorb(state, blocks_of(rest[:whole]))
    return [extract(word, at, 8) for word in SHA2.absorb_last(state, rest[whole:], count) for at in (24, 16, 8, 0)]


def case(name, run):
    """`run` gives what is wanted, and what comes out of an execution on variables or on numbers."""

    def prove(execution, function):
        compare(name, *run(execution, function, terms.var))

    return Case(name, prove, [run])


def update(waiting, size, row=None):
    """`try_update` or `update_const`: the state, the count, and the bytes that wait."""

    def run(execution, name, var):
        stream = Stream(execution, var, waiting)
        data, pointer = data_of(execution, var, size)
        arguments, ended = [stream.object.base, pointer, usize(size)], []
        if row is not None:
            choose(execution, row)
            result = execution.memory.allocate("result", 24, 8)
            arguments.insert(0, result.base)
        all = stream.known() + data
        rest = all[len(all) // BLOCK * BLOCK:]
        wanted = SHA2.absorb(stream.state, blocks_of(all)) + [add(stream.count, const(size, 128))] + rest

        def returned(_):
            taken = stream.words(LEN, 16, 2) + stream.words(OUTPUT, 8, 1)
            if [word and word.value for word in taken] != [len(rest), 0, 32]:
                raise Fault("a wrong number of bytes waits")
            ended.append(stream.words(STATE, 32, 8) + stream.words(COUNT, 128, 1) + stream.words(BYTES, 8, len(rest)))

        execution.call(name, arguments, returned)
        [got] = ended
        return wanted, got

    return case(f"{size} bytes after {waiting}", run)


def finish(waiting, size, row=None, before=0):
    """`finish_unwiped`, which takes the last bytes of the message, or `finish_const`."""

    def run(execution, name, var):
        stream = Stream(execution, var, waiting, var("count", 128) if row is None else const(before, 128))
        out, ended = execution.memory.allocate("out", 32, 1), []
        arguments = [stream.object.base, out.base, usize(32)]
        data = []
        if row is not None:
            choose(execution, row)
            data, pointer = data_of(execution, var, size)
            arguments[1:1] = [pointer, usize(size)]
        count = add(stream.count, const(size, 128))
        wanted = padded(stream.state, stream.known() + data, count)
        execution.call(name, arguments, lambda _: ended.append(words_of(execution.memory, out.base, 8)))
        [got] = ended
        return wanted, got

    return case(f"{size} bytes after {waiting}, and the end", run)


def initial():
    return [const(word, 32) for word in square_roots(32)]


def one_call(size):
    """`portable::sha256` of a message."""

    def run(execution, name, var):
        data, pointer = data_of(execution, var, size)
        out, ended = execution.memory.allocate("out", 32, 1), []
        wanted = padded(initial(), data, const(size, 128))
        returned = lambda _: ended.append(words_of(execution.memory, out.base, 8))
        execution.call(name, [out.base, pointer, usize(size)], returned)
        [got] = ended
        return wanted, got

    return case(f"{size} bytes", run)


def hmac(key_size, size):
    """`portable::Hash::<Sha256>::hmac` (FIPS 198-1 §4)."""

    def run(execution, name, var):
        data, pointer = data_of(execution, var, size)
        key = [var(f"key {i}", 8) for i in range(key_size)]
        at = place(execution.memory, "key", 8, key, writable=False).base if key else usize(1)
        out, ended = execution.memory.allocate("out", 32, 1), []
        short = key if key_size <= BLOCK else padded(initial(), key, const(key_size, 128))
        short = short + [const(0, 8)] * (BLOCK - len(short))
        pad = lambda byte: [terms.xor(k, const(byte, 8)) for k in short]
        inner = padded(initial(), pad(0x36) + data, const(BLOCK + size, 128))
        wanted = padded(initial(), pad(0x5C) + inner, const(BLOCK + 32, 128))
        returned = lambda _: ended.append(words_of(execution.memory, out.base, 8))
        execution.call(name, [out.base, at, usize(key_size), pointer, usize(size)], returned)
        [got] = ended
        return wanted, got

    return case(f"a key of {key_size} bytes, a message of {size}", run)


# Lengths at which `copy_short` in the library's `buffer.rs` copies in another way.
COPIES = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32)
ROWS = ("sha", "bmi2", "portable")  # of the table of backends for one message, in its order
MANY = 1 << 54  # blocks


def steps(row=None):
    """Updates with few bytes, and with those that end just before, at and after the end of a block."""
    for waiting in range(BLOCK):
        ends = [block * BLOCK - waiting + more for block in (1, 2) for more in (-1, 0, 1)]
        for size in sorted({*COPIES, *ends}):
            yield update(waiting, size, row)


def ends(row):
    """Whole messages of every length to three blocks, after nothing; then ends of longer ones, around the last length
    that fits into a block with its padding."""
    for size in range(3 * BLOCK):
        yield finish(0, size, row)
    for waiting in range(BLOCK):
        for size in sorted({0, (BLOCK - 9 - waiting) % BLOCK, (BLOCK - 8 - waiting) % BLOCK, BLOCK - waiting, 100}):
            for blocks in (0, MANY):
                yield finish(waiting, size, row, blocks * BLOCK + waiting)


def hmacs():
    for key in (0, 1, 32, 63, 64, 65, 128):
        for size in (0, 1, 32, 55, 56, 63, 64, 119, 120, 128):
            yield hmac(key, size)


PORTABLE = "hashmill::portable::"
CONST = "hashmill::sha2::Sha2<hashmill::sha2::Words32,64_usize>::"
UPDATE = "<hashmill::sha2::Sha2<F,_> as hashmill::stream::Progress>::try_update"
FINISH = "<S as hashmill::hasher::Stream>::finish_unwiped"


def claims(module):
    """The functions with what is claimed of them: a name for the report, the function's name, and the claim."""
    functions = {
        PORTABLE + "sha256": ("whole messages", map(one_call, range(3 * BLOCK))),
        PORTABLE + "Hash<F>::hmac": ("keys and messages", hmacs()),
        CONST + "update_const": ("updates", steps()),
        CONST + "finish_const": ("ends", (finish(waiting, 0) for waiting in range(BLOCK))),
    }
    for path, (summary, cases) in functions.items():
        yield path, named(module, path), fixed(summary, cases)
    for row, backend in enumerate(ROWS):
        yield f"{UPDATE} [{backend}]", named(module, UPDATE), fixed("updates", steps(row))
        yield f"{FINISH} [{backend}]", named(module, FINISH), fixed("ends", ends(row))


def fixed(summary, cases):
    return Claim(summary, list(cases), together=True, fixed=True)


def named(module, path):
    """The function of this path; if it is generic, the one for SHA-256."""
    found = [name for name, other in module.paths.items() if other == path and is_sha256(module, name)]
    if len(found) != 1:
        raise Fault(f"there are {len(found)} functions {path} for SHA-256")
    return found[0]


def is_sha256(module, name):
    """Whether a function takes a stream of the size of SHA-256's and, if it or the function that absorbs blocks for it
    chooses a backend, one of its family."""
    lines = lines_of(module, name)
    head = lines[0]
    for called in ABSORB.findall("\n".join(lines)):
        lines += lines_of(module, called)
    of_others = any("6CHOSEN" in line and not CHOSEN.search(line) for line in lines)
    return not of_others and ("%self" not in head or "dereferenceable(128) %self" in head)


def lines_of(module, name):
    lines = module.lines[module.functions[name]:]
    return lines[:lines.index("}")]
