"""Memory: objects whose bytes are terms. Where an object lies is a variable: any address with the alignment that the
object must have, or a higher one. An access must lie in one object and be aligned as the instruction promises."""

import ir
import terms
from limits import Fault, Scopes
from terms import concat, const, extract, usize

STACK = 1 << 16  # bytes that all local variables together may have


class Object:
    """`base` is its address, `order` the number of objects before it."""

    def __init__(self, name, base, size, alignment, writable, order):
        self.name, self.base, self.size, self.writable = name, base, size, writable
        self.alignment, self.order = alignment, order
        self.local = False  # whether it is a variable of a function
        self.bytes = [None] * size  # each a term and the bit of it that the byte begins at

    def copied(self):
        other = Object(self.name, self.base, 0, self.alignment, self.writable, self.order)
        other.size, other.bytes, other.local = self.size, list(self.bytes), self.local
        return other


class Region:
    """A part of a message, at any address and of any length. Its bytes are named from starts, whose place in it may
    be any: `register` says where one is, how many bytes from there on are known to be in the region, and under which
    condition they are to be read."""

    def __init__(self, pointer, length):
        self.pointer, self.length = pointer, length
        self.starts, self.bytes = {}, {}

    def register(self, start, names, there=None):
        self.starts[start] = there
        for i, byte in enumerate(names):
            self.bytes[start, i] = byte

    def contains(self, offset, size):
        """Whether so many bytes from a place on lie in the region."""
        end = terms.add(offset, size)
        return terms.and_(terms.not_(terms.ult(end, offset)), terms.not_(terms.ult(self.length, end)))

    def load(self, offset, size, only, holds):
        """`only` gives the one value that a term can have, `holds` whether one is true."""
        number = terms.number_of(offset)
        base = terms.sub(offset, terms.usize(number))
        if base not in self.starts:
            base, more = self.search(base, only)
            number += more
        bytes = [self.bytes.get((base, number + i)) for i in range(size)]
        if None in bytes or self.starts[base] is not None and not holds(self.starts[base]):
            raise Fault(f"a read of {size} bytes of a message outside of its blocks")
        return concat(bytes)

    def search(self, base, only):
        """The start from which the place differs by a number."""
        for start in self.starts:
            distance = only(terms.sub(base, start))
            if distance is not None and (start, 0) in self.bytes:
                return start, terms.signed(distance)
        raise Fault("a read of a message at no known place")


class Memory:
    def __init__(self):
        self.objects = {}  # by their addresses
        self.regions = {}  # by their pointers
        self.constants = set()  # the names and places of the constants that were read
        self.only = self.holds = lambda term: None
        self.assume = lambda truth: None  # what holds of every new address
        self.limits = []  # of the functions that run: what they may read and write
        self.scopes, self.scoped = Scopes(), ((), ())  # what was accessed, and the scopes of the access that runs
        self.read = False  # whether something was read that is not constant

    def copied(self):
        """The same, so that what is written to one is not in the other."""
        other = Memory()
        other.regions, other.constants = self.regions, self.constants
        other.limits, other.scopes = list(self.limits), self.scopes.copied()
        other.objects = {base: object.copied() if object.writable else object for base, object in self.objects.items()}
        return other

    def writable(self):
        return [object for object in self.objects.values() if object.writable]

    def allocate(self, name, size, alignment, writable=True):
        """At an address of its own. It does not begin at zero, and its end is an address, too: no allocation of Rust
        reaches the last address (`std::ptr`, "Allocation": base + size <= usize::MAX)."""
        base = terms.address(f"address {len(self.objects)} of {name}, {size} bytes", alignment)
        return self.put(name, base, size, alignment, writable)

    def local(self, name, size, alignment):
        """A local variable. All of them must fit into little of the stack, because no proof says how long that is."""
        total = size + sum(object.size for object in self.objects.values() if object.local)
        if total > STACK:
            raise Fault(f"local variables of {total} bytes")
        object = self.allocate(name, size, alignment)
        object.local = True
        return object

    def put(self, name, base, size, alignment, writable):
        assert base not in self.objects, "two objects at one address"
        self.objects[base] = Object(name, base, size, alignment, writable, len(self.objects))
        self.assume(terms.not_(terms.ult(base, usize(1))))
        self.assume(terms.not_(terms.ult(usize(-size - 1), base)))
        return self.objects[base]

    def region(self, address):
        """The message that an address lies in, and where."""
        for pointer in terms.leaves_of_sum(address):
            if pointer in self.regions:
                return self.regions[pointer], terms.sub(address, pointer)
        return None, None

    def place(self, address):
        """The object that an address lies in, and how far from its beginning, as a number."""
        if address is None or address.data:
            raise Fault("an address that depends on data")
        for base in terms.leaves_of_sum(address):
            if base in self.objects:
                offset = terms.sub(address, base)
                at = offset if offset.value is not None else self.only(offset)
                if at is None:
                    raise Fault("an address that may be one of several")
                return self.objects[base], terms.signed(at)
        return None, None

    def may_change(self, address):
        object, _ = self.place(address)
        return object is not None and object.writable

    def find(self, address, size, alignment):
        object, at = self.place(address)
        if size == 0:
            return None, 0
        if object is None or not 0 <= at <= object.size - size:
            raise Fault(f"an access of {size} bytes outside of every object")
        if not self.aligned(object, at, alignment or 1):
            raise Fault(f"a misaligned access to {object.name}")
        return object, at

    def aligned(self, object, at, alignment):
        return object.alignment % alignment == at % alignment == 0

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
        if address is None or address.data:
            raise Fault("an address that depends on data")
        region, offset = self.region(address)
        if region:
            if (alignment or 1) > 1:
                raise Fault("a load from a message that must be aligned")
            if not all(limit.reads() for limit in self.limits):
                raise Fault("a promise (memory) that is not kept: a read of a message")
            self.read = True
            return region.load(offset, width // 8, self.only, self.holds)
        object, at = self.find(address, width // 8, alignment)
        self.accessed(object, at, width // 8, "read")
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
                self.accessed(object, at, size, "write")
                object.bytes[at:at + size] = [value and (value, 8 * i) for i in range(size)]
            case ir.Vector(count, element) | ir.Array(count, element):
                values = (None,) * count if value is None else value
                for i, part in enumerate(values):
                    part_address = terms.add(address, terms.usize(i * ir.size(element)))
                    self.store(part_address, element, part, alignment if i == 0 else 1)
            case _:
                raise Fault(f"a store of {type}")

    def accessed(self, object, at, size, what):
        """Checks whether an object may be read or written now."""
        if what == "write" and not object.writable:
            raise Fault(f"a store to {object.name}")
        for limit in self.limits:
            limit.check(object, what)
        if object.writable and self.scoped != ((), ()):
            self.scopes.access(*self.scoped, object, at, size, what == "write")

    def copy(self, to, source, size, may_overlap):
        if size == 0:
            return
        region, _ = self.region(source)
        if region:
            # A message does not overlap with what is written.
            bytes = [self.load_bits(terms.add(source, terms.usize(i)), 8, 1) for i in range(size)]
            target, at = self.find(to, size, 1)
            self.accessed(target, at, size, "write")
            target.bytes[at:at + size] = [(byte, 0) for byte in bytes]
            return
        (target, at), (object, start) = self.find(to, size, 1), self.find(source, size, 1)
        if not may_overlap and target is object and at != start and abs(at - start) < size:
            raise Fault("a copy between places that overlap")
        self.accessed(object, start, size, "read")
        self.accessed(target, at, size, "write")
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
