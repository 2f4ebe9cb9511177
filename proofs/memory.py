"""Memory: objects at concrete addresses, whose bytes are terms. An access must lie in one object and be aligned as
the instruction promises; an object is no better aligned than it must be, and far from its neighbours."""

from bisect import bisect_right

import ir
import terms
from terms import concat, const, extract


class Fault(Exception):
    """What the program must not do: an access, a branch or a call that the proof does not allow."""


class Object:
    def __init__(self, name, base, size, writable):
        self.name, self.base, self.size, self.writable = name, base, size, writable
        self.bytes = [None] * size  # each a term and the bit of it that the byte begins at


class Region:
    """A part of a message, at any address and of any length. Its bytes are named from starts, whose place in it may
    be any: `register` says where one is, and how many bytes from there on are known to be in the region."""

    def __init__(self, pointer, length):
        self.pointer, self.length = pointer, length
        self.starts, self.bytes, self.found = [], {}, {}

    def register(self, start, names):
        self.starts.append(start)
        for i, byte in enumerate(names):
            self.bytes[start, i] = byte

    def load(self, offset, size, only):
        """`only` gives the one value that a term can have."""
        number = terms.number_of(offset)
        base = terms.sub(offset, terms.usize(number))
        if base not in self.starts:
            base, more = self.search(base, only)
            number += more
        bytes = [self.bytes.get((base, number + i)) for i in range(size)]
        if None in bytes:
            raise Fault(f"a read of {size} bytes of a message outside of its blocks")
        return concat(bytes)

    def search(self, base, only):
        """The start from which the place differs by a number."""
        for start in self.starts:
            distance = only(terms.sub(base, start))
            if distance is not None and (start, 0) in self.bytes:
                return start, distance.value - (distance.value >> terms.WORD - 1 << terms.WORD)
        raise Fault("a read of a message at no known place")


class Memory:
    def __init__(self):
        self.bases, self.objects = [], []
        self.end = 0  # of the last object that is not a global
        self.regions = {}  # by their pointers
        self.constants = set()  # the names and places of the constants that were read
        self.only = lambda term: None
        self.read = False  # whether something was read that is not constant

    def copied(self):
        """The same, so that what is written to one is not in the other."""
        other = Memory()
        other.bases, other.regions, other.constants = list(self.bases), self.regions, self.constants
        other.end = self.end
        for object in self.objects:
            if object.writable:
                same = Object(object.name, object.base, 0, True)
                same.size, same.bytes = object.size, list(object.bytes)
                object = same
            other.objects.append(object)
        return other

    def allocate(self, name, size, alignment, writable=True):
        base = ir.aligned(self.end, alignment)
        self.end = base + size
        return self.put(name, base, size, writable)

    def put(self, name, base, size, writable):
        index = bisect_right(self.bases, base)
        before, after = index and self.objects[index - 1], self.bases[index:index + 1]
        assert not before or before.base + before.size <= base, "two objects at one address"
        assert not after or base + size <= after[0], "two objects at one address"
        self.bases.insert(index, base)
        self.objects.insert(index, Object(name, base, size, writable))
        return self.objects[index]

    def region(self, address):
        """The message that an address lies in, and where."""
        if address is None or address.data:
            raise Fault("an address that depends on data")
        for pointer in terms.leaves_of_sum(address):
            if pointer in self.regions:
                return self.regions[pointer], terms.sub(address, pointer)
        return None, None

    def find(self, address, size, alignment):
        if address is None or address.data:
            raise Fault("an address that depends on data")
        if address.value is None:
            address = self.only(address)
            if address is None:
                raise Fault("an address that may be one of several")
        at = address.value
        if size == 0:
            return None, 0
        index = bisect_right(self.bases, at) - 1
        if index < 0 or at + size > self.bases[index] + self.objects[index].size:
            raise Fault(f"an access of {size} bytes at {at:#x}, outside of every object")
        if at % (alignment or 1):
            raise Fault(f"a misaligned access to {self.objects[index].name}")
        return self.objects[index], at - self.bases[index]

    def function_at(self, address):
        """The name of the function at an address, which is an object of one byte (`Execution.address`)."""
        object, at = self.find(address, 1, 1)
        if at or object.size != 1:
            raise Fault("a call of what is no function")
        return object.name

    def load(self, address, type, alignment):
        match type:
            case ir.Int() | ir.Pointer():
                return self.load_bits(address, ir.bits(type), alignment)
            case ir.Vector(count, element) | ir.Array(count, element):
                step = ir.size(element)
                return tuple(
                    self.load(terms.add(address, terms.usize(i * step)), element, alignment if i == 0 else 1)
                    for i in range(count)
                )
        raise Fault(f"a load of {type}")

    def load_bits(self, address, width, alignment):
        if width % 8:
            raise Fault(f"a load of {width} bits")
        if address is not None and address.value is None:
            region, offset = self.region(address)
            if region:
                if (alignment or 1) > 1:
                    raise Fault("a load from a message that must be aligned")
                self.read = True
                return region.load(offset, width // 8, self.only)
        object, at = self.find(address, width // 8, alignment)
        if object.writable:
            self.read = True
        else:
            self.constants.add((object.name, at))
        return word_of(object.bytes[at:at + width // 8])

    def store(self, address, type, value, alignment):
        match type:
            case ir.Int(width) if width % 8:
                raise Fault(f"a store of {width} bits")
            case ir.Int() | ir.Pointer():
                size = ir.bits(type) // 8
                object, at = self.find(address, size, alignment)
                if not object.writable:
                    raise Fault(f"a store to {object.name}")
                object.bytes[at:at + size] = [value and (value, 8 * i) for i in range(size)]
            case ir.Vector(count, element) | ir.Array(count, element):
                values = (None,) * count if value is None else value
                for i, part in enumerate(values):
                    part_address = terms.add(address, terms.usize(i * ir.size(element)))
                    self.store(part_address, element, part, alignment if i == 0 else 1)
            case _:
                raise Fault(f"a store of {type}")

    def copy(self, to, source, size):
        if size == 0:
            return
        (target, at), (object, start) = self.find(to, size, 1), self.find(source, size, 1)
        if not target.writable:
            raise Fault(f"a store to {target.name}")
        target.bytes[at:at + size] = object.bytes[start:start + size]

    def fill(self, to, byte, size):
        for i in range(size):
            self.store(terms.add(to, terms.usize(i)), ir.Int(8), byte, 1)


def word_of(bytes):
    """The word that bytes are, each a term and the bit of it that the byte begins at, or None."""
    pieces = []
    for byte in bytes:
        if byte is None:
            return None
        last = pieces[-1] if pieces else None
        if last and last[0] is byte[0] and last[1] + last[2] == byte[1]:
            last[2] += 8
        else:
            pieces.append([*byte, 8])
    return concat([extract(*piece) for piece in pieces])
