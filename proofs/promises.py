"""What the language promises the code generator beside the values: attributes of parameters, results and functions, and
metadata of loads and stores. A promise that is not kept lets the machine code do anything, so each is checked here."""

import ir
import terms
from limits import Fault, Limit
from terms import const, eq, usize


def values_of(value):
    return value if isinstance(value, tuple) else (value,)


class Promises:
    """Of one execution."""

    def __init__(self, execution):
        self.execution = execution

    def holds(self, truth, text):
        if truth.value != 1 and (truth.value == 0 or not self.execution.prove_zero(terms.not_(truth))):
            raise Fault(f"a promise ({text}) that may not hold")

    def value(self, attributes, value):
        """Those of one parameter, argument or result, or of what a load gives."""
        memory = self.execution.memory
        for name, number in attributes:
            if name == "noundef":
                self.defined(value)
            elif name == "range":
                for part in values_of(value):
                    self.within(part, *number)
            elif name == "nonnull":
                self.defined(value)
                self.holds(terms.not_(eq(value, const(0, value.width))), name)
            elif name == "align" and value is not None:
                self.aligned(value, number)
            elif name in ("dereferenceable", "sret") or name == "dereferenceable_or_null" and value.value != 0:
                self.defined(value)
                self.there(value, number)
            if name in ("sret", "writable"):
                object, _ = memory.place(value)
                if object is None or not object.writable:
                    raise Fault(f"a promise ({name}) that may not hold")

    def defined(self, value):
        if any(part is None or isinstance(part, tuple) and None in part for part in values_of(value)):
            raise Fault("a promise (noundef) of what is undefined")

    def within(self, value, first, after):
        """A range of numbers, which may go beyond the greatest one and on at zero."""
        self.defined(value)
        count = const(after - first, value.width)
        self.holds(terms.ult(terms.sub(value, const(first, value.width)), count), f"range {first} to {after}")

    def aligned(self, address, alignment):
        object, at = self.execution.memory.place(address)
        if object is None:
            self.holds(eq(terms.low_bits(address, alignment.bit_length() - 1), const(0, alignment.bit_length() - 1))
                       if alignment > 1 else const(1, 1), f"align {alignment}")
        elif not self.execution.memory.aligned(object, at, alignment):
            raise Fault(f"a promise (align {alignment}) that may not hold")

    def there(self, address, size):
        region, offset = self.execution.memory.region(address)
        if region:
            self.holds(region.contains(offset, usize(size)), f"dereferenceable {size}")
        else:
            self.execution.memory.find(address, size, 1)

    def arguments(self, lists, values):
        """Those of all arguments of a call together. If one pointer promises that no other leads to its memory, then another
        to the same object must lead to another part of it, as far as both say how many bytes they lead to; or nothing is
        written through either."""
        for attributes, value in zip(lists, values):
            self.value(attributes, value)
        places = [self.place(value) for value in values]
        for index, attributes in enumerate(lists):
            for other, promised in enumerate(lists):
                if ("noalias", None) in attributes and other != index and self.overlap(
                    places[index], dict(attributes), places[other], dict(promised)
                ):
                    if not all("readonly" in each or "readnone" in each for each in (dict(attributes), dict(promised))):
                        raise Fault("a promise (noalias) that may not hold")

    def overlap(self, place, attributes, other, promised):
        if not place or not other or place[0] is not other[0]:
            return False
        sizes = [each.get("dereferenceable") for each in (attributes, promised)]
        return None in sizes or place[1] < other[1] + sizes[1] and other[1] < place[1] + sizes[0]

    def place(self, value):
        """The object that a value leads to, and the place in it, if it is an address."""
        if isinstance(value, terms.Term) and value.width == terms.WORD and not value.data:
            place = self.execution.memory.place(value)
            return place if place[0] else None
        return None

    def object(self, value):
        place = self.place(value)
        return place and place[0]

    def limits(self, attributes, values):
        """What a function or a call says of the memory that it reads and writes."""
        memory, found = self.execution.memory, Limit(len(self.execution.memory.objects))
        for (name, words) in attributes.function:
            if name == "memory":
                found.effects(words)
        for given, value in zip(attributes.arguments, values):
            object = self.object(value)
            if object:
                found.arguments.add(object.base)
                for name, number in given:
                    if name in ("readonly", "writeonly", "readnone"):
                        found.only.setdefault(object.base, set()).add(name)
                    if name == "initializes":
                        _, at = memory.place(value)
                        for start, end in number:
                            object.bytes[at + start:at + end] = [None] * (end - start)
        return found

    def loaded(self, i, value):
        """The metadata of a load."""
        node, module = i.metadata, self.execution.module
        promised = []
        if "noundef" in node:
            promised.append(("noundef", None))
        if "nonnull" in node:
            promised.append(("nonnull", None))
        if "align" in node:
            promised.append(("align", module.numbers(node["align"])[0]))
        if "range" in node:
            promised.append(("range", module.range(node["range"])))
        if promised:
            self.value(promised, value)
