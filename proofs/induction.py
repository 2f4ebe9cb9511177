"""A loop over blocks, by induction: what holds at its head before any pass holds before the next, one or several blocks
of the standard later.

At the head, variables of their own stand for the state after `position` blocks. A value that the loop carries and
that depends on the first state is the same function of that one, and must be the same of the next; the counter begins
at zero and is the position; everything else stays as it is. So does memory, but what may be anything: what was not
written before the loop, and what depends on no state but changes, as a lane that no word is in. It is poison, so that
nothing that is compared depends on it.
"""

from dataclasses import dataclass

import terms
from control import at_most
from ir import Int, Vector
from memory import Fault
from terms import add, and_, const, eq, extract, sub, times, ult


class Again(Exception):
    """The loop writes what was thought to stay as it is."""


class Wrong(Fault):
    """A result that differs from the standard for one of the samples."""

    def __init__(self, text, sample):
        super().__init__(text)
        self.sample = sample


def compare(what, wanted, got):
    """Raises an error unless these terms are the same, pair by pair: first for a word that differs for a sample."""
    differing = [(place, w, g) for place, (w, g) in enumerate(zip(wanted, got, strict=True)) if g is not w]
    for place, w, g in differing:
        if g is None:
            raise Fault(f"{what}: word {place} is poison")
        for sample, (a, b) in enumerate(zip(terms.values_of(w), terms.values_of(g))):
            if a != b:
                text = f"{what}: word {place} is {b:#x} for one input, for which the standard has {a:#x}"
                raise Wrong(text, sample)
    for place, _, _ in differing:
        raise Fault(f"{what}: word {place} is not proved")


@dataclass
class Begun:
    """The head of a loop, and what held there."""

    head: tuple
    carried: list  # of every phi its lanes, as they were before the loop
    memory: list  # of every object that can be written its bytes
    invariant: object  # of a position


class Induction:
    def __init__(self, first, after, position, total, counted={}, masks={}):
        """`first` is the state before the loop, of variables; `after` has the words of the state at a position, and so
        many blocks later. A word at a position is another variable, or the same if it stays as it is. The words that
        `counted` has grow by so much with each block. Of the words that `masks` has, the bits in the mask stay."""
        self.first, self.after, self.position, self.total = first, after, position, total
        self.counted = counted
        self.written = set()  # the names of the objects that the loop writes
        self.loose = set()  # the bytes of them, and the lanes of the loop's vectors, that may be anything: names, places
        for before, *later in zip(first, *after, strict=True):
            assert later[0].op is terms.VAR
            if later[0] is before:
                compare("a word that stays", [before] * len(later), later)
        for w, step in counted.items():
            grown = [add(after[0][w], const(step * blocks, after[0][w].width)) for blocks in range(len(after))]
            compare("a word that counts", [words[w] for words in after], grown)
        self.same = {}  # what the code may compute of the first state, and the same of the state at the position
        for w, mask in masks.items():
            mask = const(mask, first[w].width)
            now, *later = [and_(words[w], mask) for words in after]
            compare("bits that stay", [now] * len(later), later)
            self.same[and_(first[w], mask)] = now

    def left(self, execution):
        """How many blocks the path absorbs, from its position to the end."""
        count = sub(self.total, self.position) if execution.state.induction else self.total
        blocks = execution.only(count)
        most = len(self.after) if execution.state.induction else 1
        if blocks is None or blocks.value >= most:
            raise Fault("a path of too many blocks")
        return blocks.value

    def beyond(self, execution):
        """Whether the path began its pass after the last block: what follows, as padding, is gone through as it is."""
        return execution.holds(eq(self.position, self.total))

    def at_end(self, execution):
        blocks = self.left(execution)
        return self.after[blocks] if execution.state.induction else self.first

    def settled(self, execution, wanted, words):
        """The words at the end: the number of blocks and the first counters told by those at the position."""
        if not execution.state.induction:
            return words
        here, others = self.position, {self.total: add(self.position, terms.usize(self.left(execution))), **self.same}
        for w, step in self.counted.items():
            now = self.after[0][w]
            others[self.first[w]] = sub(now, times(terms.low_bits(here, now.width), step))
        replaced = terms.replacing(others)
        return [word if word is None or word is want else replaced(word) for want, word in zip(wanted, words)]

    def begin(self, execution, frame, block):
        """Any pass of a loop, in place of the first."""
        self.written = execution.module.written.setdefault(frame.function.name, set())
        self.loose = execution.module.loose.setdefault(frame.function.name, set())
        position, total, state = self.position, self.total, execution.state
        zero = const(0, position.width)
        invariant = lambda at: ult(at, total)
        if not execution.holds(invariant(zero)):
            invariant = lambda at: at_most(at, total)
            if not execution.holds(invariant(zero)):
                raise Fault("a loop that begins beyond its end")
        phis = [i for i in block if i.op == "phi"]
        carried = [lanes(execution.operand(i.type, i.extra[frame.before], frame.values)) for i in phis]
        carried = [
            [None if (i.result, at) in self.loose else lane for at, lane in enumerate(before)]
            for i, before in zip(phis, carried)
        ]
        here = terms.replacing(dict(zip(self.first, self.after[0])))
        for i, before in zip(phis, carried):
            now = [position if self.counts(i, lane) else of_words(lane, here) for lane in before]
            frame.values[i.result] = tuple(now) if isinstance(i.type, Vector) else now[0]
        objects = state.memory.writable()
        for object in objects:
            object.bytes = [
                None if (object.name, at) in self.loose else byte for at, byte in enumerate(object.bytes)
            ]
        memory = [list(object.bytes) for object in objects]
        for object in objects:
            if object.name not in self.written:
                continue
            object.bytes = [byte and (of_words(byte[0], here), byte[1]) for byte in object.bytes]
        state.induction = Begun((frame.function.name, frame.label), carried, memory, invariant)
        state.conditions += invariant(position),
        return len(phis)

    def objects(self, state):
        """What was there at the head of the loop, each with its bytes there."""
        return zip(state.memory.writable(), state.induction.memory)

    def leave(self, state):
        """At the end of a pass: only what is known to be written was."""
        for object, before in self.objects(state):
            if object.name not in self.written:
                if any(byte is not None and byte != value for byte, value in zip(before, object.bytes)):
                    self.written.add(object.name)
                    raise Again

    def counts(self, phi, value):
        return phi.type == Int(terms.WORD) and value is not None and value.value == 0

    def again(self, execution, frame, block, begun):
        """At the head for the next time."""
        position, state = self.position, execution.state
        phis = [i for i in block if i.op == "phi"]
        now = [lanes(execution.operand(i.type, i.extra[frame.before], frame.values)) for i in phis]
        counters = [
            after[0] for i, before, after in zip(phis, begun.carried, now) if self.counts(i, before[0])
        ]
        blocks = counters and counters[0] is not None and execution.only(sub(counters[0], position))
        if not blocks or blocks.value not in range(1, len(self.after)):
            raise Fault("a loop that does not count its blocks")
        following = add(position, blocks)
        for truth in (ult(position, following), begun.invariant(following)):
            if not execution.holds(truth):
                raise Fault("a loop that goes on beyond its end")
        words = terms.replacing(dict(zip(self.first, self.after[blocks.value], strict=True)))
        same = terms.replacing(self.same)
        wanted, got, known = [], [], len(self.loose)
        for i, before, after in zip(phis, begun.carried, now):
            for at, (lane, value) in enumerate(zip(before, after, strict=True)):
                if lane is None:
                    continue
                if lane.data:
                    wanted.append(of_words(lane, words))
                    got.append(of_words(value, same))
                    continue
                expected = following if self.counts(i, lane) else lane
                if value is None or value.data or not execution.holds(eq(value, expected)):
                    # A lane beside words, as the upper half of a vector with one word.
                    if len(before) == 1:
                        raise Fault(f"a value that the loop does not keep: {i.text[:100]}")
                    self.loose.add((i.result, at))
        if len(self.loose) > known:
            raise Again
        self.leave(state)
        for object, before in self.objects(state):
            if object.name not in self.written:
                continue
            for at, (byte, value) in enumerate(zip(before, object.bytes)):
                if byte is None:
                    continue
                if not byte[0].data and (value is None or extract(*value, 8) is not extract(*byte, 8)):
                    self.loose.add((object.name, at))
                    continue
                if value is None:
                    raise Fault(f"{object.name} is undefined at {at} after a pass")
                wanted.append(extract(of_words(byte[0], words), byte[1], 8))
                got.append(of_words(extract(*value, 8), same))
        if len(self.loose) > known:
            raise Again
        compare(f"after {blocks.value} of any number of blocks", wanted, got)


def of_words(term, replaced):
    """The same function of other words."""
    return replaced(term) if term is not None and term.data else term


def lanes(value):
    return list(value) if isinstance(value, tuple) else [value]
