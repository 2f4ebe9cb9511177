"""Machine code of x86-64: kernels of the installed shared library, as objdump reads them, run over terms.

Here neither rustc, LLVM nor the linker is trusted, but objdump and this model of the instructions (Intel SDM,
volume 2). How many blocks there are, how far apart, and where is fixed; the state and every byte of the message are
variables. So nothing is said of other numbers of blocks: that is for the proof over LLVM's language.
"""

import argparse
import multiprocessing
import os
import random
import re
import struct
import subprocess
import sys
import time
from bisect import bisect_right

import spec_test
import terms
import x86
from asm import INSTRUCTIONS as SCALAR
from equal import Different, Prover
from induction import compare
from kernels import claim
from memory import Fault, Memory, word_of
from terms import add, and_, concat, const, extract, or_, rotr, shl, shr, sub, usize, xor, zero_extend

ARGUMENTS = "rdi rsi rdx rcx r8 r9".split()
MUTANTS = 12  # at least as many of every kernel
RETURN = 0x7FFF_0000_0000  # where the kernel returns to: no code is there

# The register and the width that a name means.
WIDTHS = 64, 32, 16, 8
SPELLED = [[f"r{n}", f"r{n}d", f"r{n}w", f"r{n}b"] for n in range(8, 16)]
SPELLED += [[f"r{letter}x", f"e{letter}x", f"{letter}x", f"{letter}l"] for letter in "abcd"]
SPELLED += [[f"r{name}", f"e{name}", name, f"{name}l"] for name in ("si", "di", "bp", "sp")]
NAMES = {name: (names[0], width) for names in SPELLED for name, width in zip(names, WIDTHS)}

# What turns, moves or combines by a number.
TURNS = r"rorx|rol|ror|pshufd|palignr|pblendw|v(prol|pror|pternlog|palignr|psrl|psll|insert|shuf)\w*"
NUMBERED = re.compile(rf"({TURNS}) .*,0x\w+$")
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}
VECTORS = {"x": 16, "y": 32, "z": 64}


class Image:
    """The bytes of a segment, which are terms when they are read."""

    def __init__(self, data):
        self.data = data

    def __getitem__(self, part):
        return [(const(byte, 8), 0) for byte in self.data[part]]


class Library:
    def __init__(self, path, link_map):
        self.file = open(path, "rb").read()
        self.path, self.code = path, {}
        sections = re.findall(r"^ \.text\.(_ZN\w+)\s+0x(\w+)\s+0x(\w+)", open(link_map).read(), re.MULTILINE)
        self.functions = {path_of(name): (int(at, 16), int(size, 16)) for name, at, size in sections}

    def segments(self):
        """What is loaded and never written: addresses and bytes."""
        offset, size, count = struct.unpack_from("<Q14xHH", self.file, 32)
        for at in range(offset, offset + size * count, size):
            kind, flags, start, address, _, length = struct.unpack_from("<IIQQQQ", self.file, at)
            if kind == 1 and not flags & 2:
                yield address, self.file[start:start + length]

    def instruction(self, address):
        """Its name, its operands, and the address of the next one."""
        if address not in self.code:
            end = next(at + size for at, size in self.functions.values() if at <= address < at + size)
            bounds = f"--start-address={address}", f"--stop-address={end}"
            command = ["objdump", "-d", "-M", "intel", "--no-show-raw-insn", *bounds, self.path]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            lines = re.findall(r"^ *([0-9a-f]+):\t(.*?)(?: *#.*)?$", text, re.MULTILINE)
            places = [int(at, 16) for at, _ in lines] + [end]
            for (_, line), at, following in zip(lines, places, places[1:]):
                self.code[at] = line.strip(), following
        return self.code[address]


def path_of(mangled):
    """`_ZN8hashmill4sha2…17h…E` as hashmill::sha2::…"""
    parts, rest = [], mangled.removeprefix("_ZN")
    while length := re.match(r"\d+", rest):
        start = length.end()
        parts.append(rest[start:start + int(length[0])])
        rest = rest[start + int(length[0]):]
    return "::".join(parts[:-1])


class Numbers(Memory):
    """Memory whose objects lie at fixed addresses, the segments of the library at theirs."""

    def __init__(self):
        super().__init__()
        self.bases, self.end = [], 0

    def segment(self, name, address, data):
        segment = self.put(name, usize(address), len(data), 1, False)
        segment.bytes, self.end = Image(data), address + len(data)
        self.bases.append(address)

    def allocate(self, name, size, alignment, writable=True):
        """At an address that is aligned so and no better, far from what lies before it."""
        address = self.end + 0x10000 & -0x10000 | alignment
        self.bases.append(address)
        self.end = address + size
        return self.put(name, usize(address), size, alignment, writable)

    def place(self, address):
        if address is None or address.value is None:
            raise Fault("an address that depends on data")
        index = bisect_right(self.bases, address.value) - 1
        if index < 0:
            return None, None
        return self.objects[usize(self.bases[index])], address.value - self.bases[index]

    def aligned(self, object, at, alignment):
        return (object.base.value + at) % alignment == 0


class Machine:
    """Registers, flags and memory. What is not known is None."""

    def __init__(self, library):
        self.library, self.memory = library, Numbers()
        for address, data in library.segments():
            self.memory.segment(f"the library at {address:#x}", address, data)
        self.general = {full: None for full, _ in NAMES.values()}
        self.vectors = [[None] * 64 for _ in range(32)]
        self.flags = self.carry = None
        self.executed = 0
        self.numbered = {}  # the instructions that have a number among their operands and were run

    def any_to(self, name, most):
        """Machine code is run for fixed lengths. This one is the longest that the library has beyond what a kernel needs:
        its arrays of states have 200 words, of which one lane of SHA-2 needs eight."""
        return usize(192)

    def call(self, address, arguments, returned):
        wide = []
        for argument in arguments:
            wide += [extract(argument, 0, 64), extract(argument, 64, 64)] if argument.width == 128 else [argument]
        for name, value in zip(ARGUMENTS, wide, strict=False):
            self.general[name] = value
        stack = self.memory.allocate("stack", 1 << 16, 1)
        self.general["rsp"] = usize((stack.base.value + stack.size - 64 & -64) - 8)
        self.store(self.general["rsp"], 8, [(usize(RETURN), 8 * i) for i in range(8)])
        while address != RETURN:
            line, following = self.library.instruction(address)
            if NUMBERED.match(line):
                self.numbered[address] = line
            try:
                address = self.run(line, following)
            except Fault as fault:
                raise Fault(f"{fault}, in {line}") from None
            self.executed += 1
        returned(None)

    # Operands.

    def address(self, text, following):
        total = usize(0)
        for sign, part in re.findall(r"([+-]?)([^+-]+)", text):
            name, _, scale = part.partition("*")
            if name == "rip":
                value = usize(following)
            elif name in NAMES:
                value = self.read_general(name)
            else:
                value = usize(int(name, 16))
            if scale:
                value = terms.times(value, int(scale))
            total = sub(total, value) if sign == "-" else add(total, value)
        return total

    def read_general(self, name):
        full, width = NAMES[name]
        value = self.general[full]
        if value is None:
            raise Fault(f"{name} was not set")
        return extract(value, 0, width)

    def write_general(self, name, value):
        full, width = NAMES[name]
        if width == 64 or value is None:
            self.general[full] = value
        elif width == 32:
            self.general[full] = zero_extend(value, 64)
        elif self.general[full] is None:
            raise Fault(f"a part of {full}, which was not set")
        else:
            self.general[full] = concat([value, extract(self.general[full], width, 64 - width)])

    def load(self, address, size, aligned=False):
        object, at = self.memory.find(address, size, size if aligned else 1)
        return object.bytes[at:at + size]

    def store(self, address, size, bytes, aligned=False):
        object, at = self.memory.find(address, size, size if aligned else 1)
        if not object.writable:
            raise Fault(f"a store to {object.name}")
        object.bytes[at:at + size] = bytes[:size]

    def parse(self, operand, following):
        """What kind it is, with what says more: a register, an address and a size, a number."""
        if operand in NAMES:
            return "general", operand
        if vector := re.fullmatch(r"([xyz])mm(\d+)", operand):
            return "vector", (int(vector[2]), VECTORS[vector[1]])
        if place := re.fullmatch(r"(?:(\w+) (PTR|BCST) )?\[(.*)\]", operand):
            return place[2] or "place", (self.address(place[3], following), SIZES.get(place[1]))
        if re.fullmatch(r"(0x)?[0-9a-f]+", operand):
            return "number", int(operand, 16)
        raise Fault(f"no model of the operand {operand}")

    def value(self, kind, width=64):
        """Of a scalar operand."""
        match kind:
            case "general", name:
                return self.read_general(name)
            case "PTR", (address, size):
                value = word_of(self.load(address, size))
                if value is None:
                    raise Fault("a read of what was not set")
                return value
            case "number", number:
                return const(number, width)
        raise Fault("no scalar")

    def bytes(self, kind, size, aligned=False):
        """Of a vector operand."""
        match kind:
            case "vector", (number, _):
                return self.vectors[number][:size]
            case "general", name:
                value = self.read_general(name)
                return [(value, 8 * i) for i in range(value.width // 8)]
            case "PTR", (address, length):
                return self.load(address, length, aligned)
            case "BCST", (address, length):
                return self.load(address, length) * (size // length)
        raise Fault("no vector")

    def put(self, kind, bytes, keeps_upper, aligned=False):
        """Writes a vector register, of which old instructions leave the rest as it is, or memory."""
        match kind:
            case "vector", (number, _):
                rest = self.vectors[number][len(bytes):] if keeps_upper else zeros(64 - len(bytes))
                self.vectors[number] = bytes + rest
            case "PTR", (address, size):
                self.store(address, size, bytes, aligned)
            case "general", name:
                self.write_general(name, word_of(bytes[:NAMES[name][1] // 8]))

    # Control.

    def holds(self, condition):
        """Whether a jump is taken: after the last operation, from its operands and result."""
        if self.flags is None:
            raise Fault("flags that depend on data")
        carry, result, width, overflow = self.flags
        if carry is None and condition in ("b", "be", "a", "ae"):
            raise Fault("a carry that is not known")
        zero, sign = result == 0, result >> width - 1 & 1
        truths = {"e": zero, "b": carry, "be": carry or zero, "s": sign == 1}
        truths |= {"l": sign != overflow, "le": zero or sign != overflow}
        opposite = {"ne": "e", "ae": "b", "a": "be", "ns": "s", "ge": "l", "g": "le"}
        return not truths[opposite[condition]] if condition in opposite else truths[condition]

    def set_flags(self, operation, a, b, result):
        self.flags = None
        match operation:
            case "sub":
                self.carry = terms.ult(a, b)
            case "add":
                self.carry = terms.ult(result, a)
            case "shift":
                self.carry = None
            case _:
                self.carry = const(0, 1)
        if None not in (a.value, b.value, result.value):
            carry = self.carry and self.carry.value == 1
            a, b, value, width = a.value, b.value, result.value, result.width
            top = lambda n: n >> width - 1 & 1
            other = top(b) ^ (operation == "sub")
            overflow = int(operation in ("add", "sub") and top(a) == other != top(value))
            self.flags = carry, value, width, overflow

    def run(self, line, following):
        """Runs an instruction, and gives the address of the next one."""
        line = re.sub(r"^(data16 |cs |bnd |notrack )+", "", re.sub(" +", " ", line))
        name, _, text = line.partition(" ")
        text = text.strip()
        if name in ("nop", "endbr64") or line == "xchg ax,ax":
            return following
        if name in ("jmp", "call") or name[0] == "j":
            if not re.match(r"[0-9a-f]+ <", text):
                raise Fault("a jump to what memory says")
            target = int(text.split()[0], 16)
            if name == "call":
                self.push(usize(following))
                return target
            return target if name == "jmp" or self.holds(name[1:]) else following
        if name == "ret":
            return self.pop().value
        if cleared := re.fullmatch(r"v?p?xor(?:ps|d|q)? (\w+),(\w+)(?:,(\w+))?", line):
            if len(set(cleared.groups()) - {None}) == 1 or cleared[3] and cleared[2] == cleared[3]:
                self.clear(cleared[1], name[0] == "v")
                return following
        if not text and name != "vzeroupper":
            raise Fault("no model of the instruction")
        operands = [self.parse(operand, following) for operand in re.split(r",(?![^\[]*\])", text)] if text else []
        if name == "vzeroupper":
            self.vectors[:16] = [register[:16] + zeros(48) for register in self.vectors[:16]]
        elif any(kind == "vector" for kind, _ in operands):
            self.vector(name, operands)
        else:
            self.scalar(name, operands)
        return following

    def clear(self, register, upper):
        """What is exclusively or'ed with itself is zero, whatever it was."""
        kind = self.parse(register, None)
        if kind[0] == "vector":
            self.put(kind, zeros(kind[1][1]), not upper)
        else:
            zero = const(0, NAMES[register][1])
            self.write_general(register, zero)
            self.set_flags("and", zero, zero, zero)

    def push(self, value):
        self.general["rsp"] = sub(self.general["rsp"], usize(8))
        self.store(self.general["rsp"], 8, [value and (value, 8 * i) for i in range(8)])

    def pop(self):
        value = word_of(self.load(self.general["rsp"], 8))
        self.general["rsp"] = add(self.general["rsp"], usize(8))
        return value

    # Instructions.

    def scalar(self, name, operands):
        target, *sources = operands
        match name:
            case "push":
                return self.push(self.general[target[1]])
            case "pop":
                self.general[target[1]] = self.pop()
                return None
            case "lea":
                return self.write_general(target[1], extract(sources[0][1][0], 0, NAMES[target[1]][1]))
            case "mov" if target[0] == "general" and sources[0][0] == "general":
                width = NAMES[target[1]][1]
                value = self.general[NAMES[sources[0][1]][0]]
                return self.write_general(target[1], value and extract(value, 0, width))
        width = 8 * target[1][1] if target[0] == "PTR" else NAMES[target[1]][1]
        values = [self.value(source, width) for source in sources]
        match name:
            case "mov" | "movabs":
                result = values[0]
            case "movzx":
                result = zero_extend(values[0], width)
            case "add" | "sub" | "and" | "or" | "xor" | "cmp" | "test":
                old = self.value(target)
                operation = {"cmp": "sub", "test": "and"}.get(name, name)
                result = {"add": add, "sub": sub, "and": and_, "or": or_, "xor": xor}[operation](old, values[0])
                self.set_flags(operation, old, values[0], result)
                if name in ("cmp", "test"):
                    return None
            case "adc" | "sbb":
                if self.carry is None:
                    raise Fault("a carry that is not known")
                old, carry = self.value(target), zero_extend(self.carry, width)
                result = add(add(old, values[0]), carry) if name == "adc" else sub(sub(old, values[0]), carry)
                self.flags = self.carry = None
            case "inc" | "dec":
                old, one = self.value(target), const(1, width)
                result = add(old, one) if name == "inc" else sub(old, one)
                carry, carried = self.carry, self.flags and self.flags[0]
                self.set_flags("and", old, one, result)
                self.carry, self.flags = carry, self.flags and (carried, *self.flags[1:])
            case "neg":
                old, zero = self.value(target), const(0, width)
                result = sub(zero, old)
                self.set_flags("sub", zero, old, result)
            case "not":
                result = terms.not_(self.value(target))
            case "shl" | "shr" | "rol" | "ror":
                old, count = self.value(target), values[0].value if values else 1
                if count is None:
                    raise Fault("a shift that depends on data")
                shift = {"shl": shl, "shr": shr, "ror": rotr, "rol": lambda a, n: rotr(a, -n)}[name]
                result = widened(shift(old, count % width), width)
                self.set_flags("shift", old, old, result)
                if name in ("rol", "ror"):
                    self.flags = None
            case "imul":
                factors = values if len(values) == 2 else [self.value(target), values[0]]
                result = product(*factors, width)
                self.flags = self.carry = None
            case "andn" | "rorx":
                numbers = [sources[-1][1]] if name == "rorx" else [values[1]]
                result = SCALAR[name](None, values[0], *numbers)
                if name == "andn":
                    self.set_flags("and", *values, result)
            case "bswap":
                result = concat([extract(self.value(target), at, 8) for at in range(width - 8, -8, -8)])
            case _ if name.startswith("cmov"):
                if not self.holds(name[4:]):
                    result = self.value(target)
                else:
                    result = values[0]
            case "setb" | "setae" if self.carry is not None:
                carry = zero_extend(self.carry, 8)
                result = carry if name == "setb" else xor(carry, const(1, 8))
            case _ if name.startswith("set"):
                result = const(int(self.holds(name[3:])), 8)
            case _:
                raise Fault("no model of the instruction")
        if target[0] == "PTR":
            self.store(target[1][0], target[1][1], [(result, 8 * i) for i in range(width // 8)])
        else:
            self.write_general(target[1], result)
        return None

    def vector(self, name, operands):
        target, *sources = operands
        old_style = name[0] != "v"
        size = next((kind[1][1] for kind in operands if kind[0] == "vector"), None)
        base = name.removeprefix("v")
        if move := re.fullmatch(r"mov(dqa|dqu|aps|ups|apd|upd)\d*", base):
            aligned = move[1][-1] == "a" or move[1][0] == "a"
            return self.put(target, self.bytes(sources[0], size, aligned), old_style, aligned)
        if base in ("movd", "movq", "movss", "movsd") or base == "movlps" and target[0] == "PTR":
            if base in ("movss", "movsd") and "PTR" not in (target[0], sources[0][0]):
                raise Fault("no model of the instruction")
            length = 4 if base in ("movd", "movss") else 8
            bytes = self.bytes(sources[0], 16)[:length]
            return self.put(target, bytes + zeros(16 - length) if target[0] == "vector" else bytes, old_style)
        number = sources.pop()[1] if sources and sources[-1][0] == "number" else None
        if old_style and base not in ("pshufd",):
            sources = [target, *sources]  # what is written is the first operand, too
        if base == "sha256rnds2":
            sources = sources[:2] + [("vector", (0, 16))]
        if base.startswith(("pternlog", "sha512")):
            sources = [target, *sources]
        if base in WHOLE:
            lengths = [NAMES[what][1] // 8 if kind == "general" else what[1] for kind, what in sources]
            result = WHOLE[base]([self.bytes(*each) for each in zip(sources, lengths)], number, target[1][1])
            return self.put(target, result, old_style)
        if base not in VECTOR:
            raise Fault("no model of the instruction")
        width, function = VECTOR[base]
        width = width or {"d": 32, "q": 64}[base[-1]]
        lanes = [words(self.bytes(source, size), width) for source in sources]
        result = function(lanes, number)
        return self.put(target, [lane and (lane, 8 * i) for lane in result for i in range(width // 8)], old_style)


def product(a, b, width):
    if None in (a.value, b.value):
        raise Fault("a product of data")
    return const(a.value * b.value, width)


def widened(term, width):
    """`shr` gives what is left only."""
    return term if term.width == width else zero_extend(term, width)


def zeros(size):
    return [(const(0, 8), 0)] * size


def words(bytes, width):
    step = width // 8
    return [word_of(bytes[at:at + step]) for at in range(0, len(bytes), step)]


def each(function):
    """Lane by lane."""
    return lambda lanes, number: [None if None in lane else function(*lane) for lane in zip(*lanes)]


def by_number(function):
    """Lane by lane, and by the same number."""
    return lambda lanes, number: [None if lane is None else function(lane, number) for lane in lanes[0]]


def shifted(function):
    def shift(lane, number):
        return const(0, lane.width) if number >= lane.width else widened(function(lane, number), lane.width)

    return by_number(shift)


def within(lanes, count, function):
    """A function of groups of so many lanes: 128 bits."""
    groups = [[lane[at:at + count] for lane in lanes] for at in range(0, len(lanes[0]), count)]
    return [lane for group in groups for lane in function(*group)]


def unpack(high):
    """The lower or the upper halves of 128 bits, in turn."""

    def function(lanes, number):
        count = 128 // lanes[0][0].width if lanes[0][0] else 128 // lanes[1][0].width
        half = range(count // 2, count) if high else range(count // 2)
        return within(lanes, count, lambda a, b: [side[i] for i in half for side in (a, b)])

    return function


def shuffle_words(lanes, number):
    """PSHUFD, and VPERMQ by a number."""
    return within(lanes, 4, lambda a: [a[number >> 2 * i & 3] for i in range(4)])


def align(lanes, number):
    return within(lanes, 16, lambda a, b: (b + a)[number:number + 16])


def blend(lanes, number):
    return within(lanes, 8, lambda a, b: [(b if number >> i & 1 else a)[i] for i in range(8)])


def blend_words(lanes, number):
    return [(b if number >> i & 1 else a) for i, (a, b) in enumerate(zip(*lanes))]


def shuffle_two(lanes, number):
    """SHUFPS: two words of the first, two of the second."""
    return within(lanes, 4, lambda a, b: [(a, a, b, b)[i][number >> 2 * i & 3] for i in range(4)])


def ternary(lanes, number):
    return list(x86.ternary(*map(tuple, lanes), const(number, 32)))


def shift_bytes(left):
    def function(lanes, number):
        nothing = [const(0, 8)] * number
        return within(lanes, 16, lambda a: (nothing + a)[:16] if left else (a + nothing)[number:number + 16])

    return function


def shuffle_parts(lanes, number):
    """VSHUFI64X2 and VSHUFI32X4: 128 bits of the first, then of the second."""
    count = 128 // lanes[0][0].width
    parts = [[lane[at:at + count] for at in range(0, len(lane), count)] for lane in lanes]
    total = len(parts[0])
    bits = {2: 1, 4: 2}[total]
    chosen = [parts[0 if i < total // 2 else 1][number >> bits * i & total - 1] for i in range(total)]
    return [lane for part in chosen for lane in part]


def permute(lanes, number):
    """VPERMD and VPERMQ by the lanes of the first."""
    order, words = lanes
    return [words[x86.concrete(place) % len(words)] for place in order]


def two_halves(lanes, number):
    """VPERM2I128."""
    halves = [lane[at:at + 2] for lane in lanes for at in (0, 2)]
    zero = [const(0, 64)] * 2
    return [lane for field in (number & 15, number >> 4) for lane in (zero if field & 8 else halves[field & 3])]


def insert_word(size_of_word):
    def function(operands, number, size):
        whole, word = operands
        at = size_of_word * (number % (16 // size_of_word))
        return whole[:at] + word[:size_of_word] + whole[at + size_of_word:16]

    return function


def insert(operands, number, size):
    whole, part = operands
    at = len(part) * (number % (size // len(part)))
    return whole[:at] + part + whole[at + len(part):size]


def extracted(size_of_part):
    def function(operands, number, _):
        at = size_of_part * (number % (len(operands[0]) // size_of_part))
        return operands[0][at:at + size_of_part]

    return function


def repeat(size_of_part):
    return lambda operands, _, size: operands[0][:size_of_part] * (size // size_of_part)


def widen(operands, number, size):
    """VPMOVZXDQ."""
    words = [operands[0][at:at + 4] for at in range(0, size // 2, 4)]
    return [byte for word in words for byte in word + zeros(4)]


def model(function):
    return lambda lanes, number: list(function(*map(tuple, lanes)))


MODELS = x86.MODELS
BITWISE = {"pxor": xor, "por": or_, "pand": and_, "pandn": lambda a, b: and_(terms.not_(a), b)}
PARTS = {"i128": 16, "i32x4": 16, "i64x2": 16, "i64x4": 32, "i32x8": 32}
# The width of a lane, or None where the name's last letter says it; and the function, of the lanes
# of the operands and a number.
VECTOR = {
    **{f"padd{w}": (None, each(add)) for w in "dq"},
    **{f"psub{w}": (None, each(sub)) for w in "dq"},
    **{name + w: (64, each(function)) for w in ("", "d", "q") for name, function in BITWISE.items()},
    "xorps": (64, each(xor)), "orps": (64, each(or_)), "andps": (64, each(and_)),
    **{name + w: (None, shifted(function)) for w in "dq" for name, function in (("psll", shl), ("psrl", shr))},
    **{f"prol{w}": (None, by_number(lambda a, n: rotr(a, -n))) for w in "dq"},
    **{f"pror{w}": (None, by_number(rotr)) for w in "dq"},
    **{f"pternlog{w}": (None, ternary) for w in "dq"},
    "pshufb": (8, model(x86.shuffle_bytes)),
    "pshufd": (32, shuffle_words),
    "shufps": (32, shuffle_two),
    "palignr": (8, align),
    "pblendw": (16, blend), "pblendd": (32, blend_words),
    "pslldq": (8, shift_bytes(True)), "psrldq": (8, shift_bytes(False)),
    "punpckldq": (32, unpack(False)), "punpckhdq": (32, unpack(True)),
    "punpcklqdq": (64, unpack(False)), "punpckhqdq": (64, unpack(True)),
    "shufi64x2": (64, shuffle_parts), "shufi32x4": (32, shuffle_parts),
    "permq": (64, lambda lanes, number: permute(lanes, number) if number is None else shuffle_words(lanes, number)),
    "permd": (32, permute), "perm2i128": (64, two_halves),
    **{name: (32, model(MODELS[f"llvm.x86.{name}"])) for name in ("sha256rnds2", "sha256msg1", "sha256msg2")},
    **{name: (64, model(MODELS[f"llvm.x86.v{name}"])) for name in ("sha512rnds2", "sha512msg1", "sha512msg2")},
}
# The same of the operands' bytes, a number and how many bytes the result has, where operands differ
# in size.
WHOLE = {
    "pinsrd": insert_word(4), "pinsrq": insert_word(8),
    **{f"insert{kind}": insert for kind in PARTS},
    **{f"extract{kind}": extracted(size) for kind, size in PARTS.items()},
    **{f"broadcast{kind}": repeat(size) for kind, size in PARTS.items()},
    "pbroadcastd": repeat(4), "pbroadcastq": repeat(8), "broadcastss": repeat(4),
    "pmovzxdq": widen,
}


def prove_run(case, run, address, prover):
    """How many instructions were executed."""
    terms.reset(prover.equal, prover.found)
    machine = Machine(LIBRARY)
    try:
        wanted, got = run(machine, address, terms.var)
        compare(case.name, wanted, got)
    except Different:
        return prove_run(case, run, address, prover)
    return machine.executed


def prove(job):
    path, address = job
    claimed, prover, began = claim(path), Prover(), time.process_time()
    runs = executed = 0
    try:
        for case in claimed.cases:
            for run in case.concrete:
                executed += prove_run(case, run, address, prover)
                runs += 1
    except Fault as fault:
        return path, False, f"NOT PROVED: {fault}"
    return path, True, f"{runs:5} {executed:12} {time.process_time() - began:8.1f} s  proved"


def refuse(job):
    """Whether the kernel is not proved if one of its instructions has another number: of all, a few. What then differs
    from the standard for no sample must not differ for other numbers either: it makes no difference."""
    path, address = job
    began, [run, *_] = time.process_time(), claim(path).cases[0].concrete
    terms.reset()
    machine = Machine(LIBRARY)
    run(machine, address, numbers(0))
    places = sorted(machine.numbered)
    chosen = places[::max(1, len(places) // MUTANTS)]
    refused = 0
    for place in chosen:
        line, following = LIBRARY.code[place]
        operands, number = line.rsplit(",", 1)
        wrong = f"{operands},{int(number, 16) ^ 1:#x}"
        LIBRARY.code[place] = wrong, following
        if differs(run, address, terms.var):
            refused += 1
        elif any(differs(run, address, numbers(seed)) for seed in range(3)):
            return path, False, f"not refused: {wrong} in place of {line}"
        LIBRARY.code[place] = line, following
    text = f"{len(chosen):5} {len(chosen) - refused:12} {time.process_time() - began:8.1f} s"
    return path, 2 * refused > len(chosen), text


def differs(run, address, number):
    """Whether a result is wrong for one of the samples."""
    terms.reset()
    wanted, got = run(Machine(LIBRARY), address, number)
    return any(g is None or g is not w and g.samples != w.samples for w, g in zip(wanted, got, strict=True))


def numbers(seed):
    rng = random.Random(seed)
    return lambda name, width: const(rng.getrandbits(width), width)


def main():
    global LIBRARY
    parser = argparse.ArgumentParser(description="Proves the machine code of kernels, for few blocks; see README.md.")
    parser.add_argument("--mutants", action="store_true", help="instead: that what is wrong is not proved")
    parser.add_argument("library", help="the shared library")
    parser.add_argument("map", help="what its linker put where")
    parser.add_argument("name", nargs="+", help="a kernel's path, without the crate's name")
    options = parser.parse_args()
    print(f"the transcriptions of the standards agree with {spec_test.check()} answers", flush=True)
    LIBRARY = Library(options.library, options.map)
    missing = [name for name in options.name if f"hashmill::{name}" not in LIBRARY.functions]
    if missing:
        sys.exit(f"not in the library: {', '.join(missing)}")
    jobs = [(path, LIBRARY.functions[path][0]) for path in (f"hashmill::{name}" for name in options.name)]
    counts = ("wrong", "no change") if options.mutants else ("cases", "instructions")
    print(f"{'machine code of':40} {counts[0]:>5} {counts[1]:>12} {'time':>10}", flush=True)
    failed = []
    with multiprocessing.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for path, good, text in pool.imap_unordered(refuse if options.mutants else prove, jobs, chunksize=1):
            print(f"{path.removeprefix('hashmill::'):40} {text}", flush=True)
            if not good:
                failed.append(path)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
    print(f"the machine code of {len(jobs)} kernels is {'not proved if it is wrong' if options.mutants else 'proved'}")


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    main()
