"""Which memory a program may read and write at a time."""

import ir


class Fault(Exception):
    """What the program must not do: an access, a branch or a call that the proof does not allow."""


class Limit:
    """What may be read and written while a function runs, of the objects that were there before."""

    def __init__(self, order):
        self.order, self.arguments, self.only = order, set(), {}
        self.argument = self.other = "readwrite"

    def effects(self, words):
        """`memory(read, argmem: readwrite, …)`: first of all memory, then of some."""
        text = " ".join(words)
        for part in text.split(" , "):
            place, _, effect = part.rpartition(" : ")
            if effect not in ("none", "read", "write", "readwrite"):
                raise ir.Unknown(f"the effect {effect}")
            if place in ("", "argmem"):
                self.argument = effect
            if place == "":
                self.other = effect
            if place and place not in ("argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1"):
                raise ir.Unknown(f"the memory {place}")
        if " : " in text.split(" , ")[0]:  # nothing is said of all memory: it is neither read nor written
            self.other = "none"
            if "argmem" not in words:
                self.argument = "none"

    def within(self, other):
        """What a call says beside the function that it calls."""
        self.argument, self.other = both(self.argument, other.argument), both(self.other, other.other)
        for base, names in other.only.items():
            self.only.setdefault(base, set()).update(names)

    def reads(self):
        return "read" in self.argument or "read" in self.other

    def check(self, object, what):
        """`what` is `read` or `write`."""
        if object.order >= self.order:
            return
        effect = self.argument if object.base in self.arguments else self.other
        constant = what == "read" and not object.writable
        if what not in effect and not constant:
            raise Fault(f"a promise (memory: {effect}) that is not kept: a {what} of {object.name}")
        for name in self.only.get(object.base, ()):
            if name == "readnone" or name == ("readonly" if what == "write" else "writeonly"):
                raise Fault(f"a promise ({name}) that is not kept: a {what} of {object.name}")


def both(a, b):
    """What two effects have in common."""
    return "".join(word for word in ("read", "write") if word in a and word in b) or "none"


class Scopes:
    """Accesses that say to which scopes they belong (`alias.scope`) and to which they do not (`noalias`): of no byte that
    is written are there both. `inside` and `outside` have for a scope and an object which bytes were read and written, as
    bits of numbers."""

    def __init__(self):
        self.inside, self.outside = {}, {}

    def copied(self):
        other = Scopes()
        other.inside, other.outside = dict(self.inside), dict(self.outside)
        return other

    def begin(self, scopes):
        """A declaration: what was accessed before belongs to an earlier one."""
        for scope in scopes:
            self.inside.pop(scope, None)
            self.outside.pop(scope, None)

    def access(self, belongs, others, object, at, size, writes):
        bits = (1 << size) - 1 << at
        for mine, theirs, scopes in (self.inside, self.outside, belongs), (self.outside, self.inside, others):
            for scope in scopes:
                read, written = theirs.get(scope, {}).get(object.base, (0, 0))
                if bits & (written | read if writes else written):
                    raise Fault(f"a promise (noalias) that is not kept: an access to {object.name}")
                objects = mine[scope] = dict(mine.get(scope, {}))
                read, written = objects.get(object.base, (0, 0))
                objects[object.base] = (read, written | bits) if writes else (read | bits, written)
