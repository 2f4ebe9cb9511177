"""Words of bits as terms: every term exists once, in a normal form, and knows what it is for some inputs.

- Bitwise functions of up to six terms are truth tables over them, whatever operations they came from.
- Sums are linear forms: a constant and terms with coefficients, modulo two to the width.
- Bytes and words taken apart and put together again are themselves; what is turned is a rotation.

So most of what two programs compute alike is the same term. What is not is told from the values that every
term has for a few inputs (`samples`): terms that agree on all of them may be equal, and `equal.py` decides.
A term of the specification that has a name there is `kept`: normal forms end at it, and do not grow.
"""

import itertools
import random
from functools import lru_cache

VECTORS = 6
SLOT = 512  # bits for one sample: the widest word, and more than a sum of products of 64-bit words has
ONES = sum(1 << SLOT * i for i in range(VECTORS))
MASKS = [((1 << width) - 1) * ONES for width in range(SLOT + 1)]
TABLE_INPUTS = 6
SEED = 0  # of the samples; `prove.py` takes another one on each run
WORD = 64  # bits of an address, a length or a count; `ir.Module` sets it to those of its machine

CONST, VAR, TABLE, SUM, PRODUCT, ROTR, SHR, EXTRACT, CONCAT, ULT, EQ, ITE = (
    "const var table sum product rotr shr extract concat ult eq ite".split()
)


class Term:
    """`args` are constructor arguments: terms, and what describes them. `samples` has a value every SLOT bits.
    `data` tells what depends on a state or a message from what depends on counts, lengths and pointers alone."""

    __slots__ = ("op", "args", "width", "samples", "order", "kept", "data")

    @property
    def value(self):
        return self.args[0] if self.op is CONST else None

    def __repr__(self):
        return f"{self.op}:{self.width}#{self.order}"


class Store:
    """All terms of one proof, and how to find one equal to a new one."""

    def __init__(self, find_equal=None, found=()):
        self.found = found  # inputs in place of the last samples, as far as these name variables
        self.terms = {}
        self.by_samples = {}
        self.named = {}  # what stands for the words of a state
        self.stands = {}  # variables, by the terms that they stand for
        self.places = set()  # variables that are addresses
        self.placed = {}  # of terms whether they depend on them
        self.passes = {}  # what blocks of loops compute, and permutations of the specification
        self.find_equal = find_equal

    def make(self, op, args, width, samples, data=None):
        key = (op, args, width)
        term = self.terms.get(key)
        if term is not None:
            return term
        if op in EVALUATED and EVALUATED[op](args, width) != samples:
            raise AssertionError(f"this {op} is no normal form of what it stands for")
        term = Term()
        term.op, term.args, term.width, term.samples, term.kept = op, args, width, samples, False
        term.order = len(self.terms)
        term.data = any(part.data for part in parts(op, args)) if data is None else data
        if self.find_equal and width >= 32 and (term.data or op is CONST):
            alike = self.by_samples.setdefault((width, samples), [])
            if alike and op is not CONST:
                term = next((other for other in alike if self.find_equal(term, other)), term)
            if term.op is CONST or term.order == len(self.terms):
                alike.append(term)
            term = self.stands.get(term, term)
        self.terms[key] = term
        return term


def parts(op, args):
    """The terms that a term is made of."""
    if op is CONST or op is VAR:
        return ()
    if op is SUM:
        return [t for t, _ in args[1:]]
    return [t for t in args if t.__class__ is Term]


STORE = Store()


def reset(find_equal=None, found=()):
    global STORE
    STORE = Store(find_equal, found)
    return STORE


def samples_of(values):
    return sum(value << SLOT * i for i, value in enumerate(values))


def values_of(term):
    return [term.samples >> SLOT * i & (1 << term.width) - 1 for i in range(VECTORS)]


def agreed(term, samples):
    """A term that a normal form led to, which must have the values that the operation gives."""
    assert term.samples == samples, f"{term} is no normal form of what it stands for"
    return term


def _of_sum(args, width):
    constant, *terms = args
    if width > 64:  # the products do not fit between two samples
        values = zip(*(values_of(t) for t, _ in terms))
        return samples_of(constant + sum(v * n for v, (_, n) in zip(each, terms)) & (1 << width) - 1 for each in values)
    return constant * ONES + sum(t.samples * n for t, n in terms) & MASKS[width]


def _of_concat(args, _):
    samples, at = 0, 0
    for piece in args:
        samples |= piece.samples << at
        at += piece.width
    return samples


# The forms that operations are rewritten to. Their values are computed again from what they consist of, and compared
# with those of the operation.
EVALUATED = {
    TABLE: lambda args, width: _evaluate(args[0], [t.samples for t in args[1:]], MASKS[width]),
    SUM: _of_sum,
    CONCAT: _of_concat,
}


def by_sample(function, *terms):
    return samples_of(function(*values) for values in zip(*map(values_of, terms)))


def const(value, width):
    value &= (1 << width) - 1
    return STORE.make(CONST, (value,), width, value * ONES)


def usize(value):
    """A number as an address, a length or a count."""
    return const(value, WORD)


def var(name, width, samples=None):
    """A word of a state or a message, for which anything may stand. Most samples are near the top, where counters
    carry sooner or later."""
    return STORE.make(VAR, (name,), width, samples or samples_of(sample_values(name, width)), data=True)


def control(name, width=None):
    """A count, a length or an address, on which control flow may depend."""
    width = width or WORD
    return STORE.make(VAR, (name,), width, samples_of(sample_values(name, width)), data=False)


def address(name, alignment=1):
    """Where an object lies: any multiple of a power of two. Some samples are multiples of higher ones."""
    low = alignment.bit_length() - 1
    assert alignment == 1 << low
    values = _random_places(SEED, name, WORD - low)
    values = [found.get(name, value) for found, value in zip([{}] * (VECTORS - len(STORE.found)) + list(STORE.found), values)]
    place = STORE.make(VAR, (name,), WORD - low, samples_of(values), data=False)
    STORE.places.add(place)
    return concat([const(0, low), place]) if low else place


@lru_cache(maxsize=None)
def _random_places(seed, name, width):
    rng = random.Random(f"{seed} {name}")
    return [rng.getrandbits(width - 25) << n | (n == 0) for n in (0, 0, 6, 12, 16, 21)]


def depends_on_address(term):
    """Whether a term is not the same wherever the objects lie."""
    if term.op is VAR:
        return term in STORE.places
    if term not in STORE.placed:
        STORE.placed[term] = any(map(depends_on_address, parts(term.op, term.args)))
    return STORE.placed[term]


def signed(term):
    """A number as one that may be negative."""
    return term.value - (term.value >> term.width - 1 << term.width)


def stand_for(variable, term):
    """A variable in place of a term, wherever that is made from now on: what holds for any value holds for it."""
    assert variable.samples == term.samples and variable.width == term.width
    STORE.terms[term.op, term.args, term.width] = STORE.stands[term] = variable


@lru_cache(maxsize=None)
def _random_values(seed, name, width):
    rng = random.Random(f"{seed} {name}")
    values = rng.getrandbits(width), rng.getrandbits(width)
    return *values, *(-1 - 64 * i - rng.getrandbits(6) & (1 << width) - 1 for i in range(VECTORS - 2))


def sample_values(name, width):
    # The cases of a kernel have variables of the same names.
    values = list(_random_values(SEED, name, width))
    for at, found in enumerate(STORE.found, VECTORS - len(STORE.found)):
        values[at] = found.get(name, values[at])
    return values


def keep(term):
    term.kept = term.op is not CONST
    return term


# Bitwise functions. Bit i of a table is the result where operand j is bit j of i.


def _table(term):
    if term.op is TABLE and not term.kept:
        return term.args[0], term.args[1:]
    if term.op is CONST and term.args[0] == 0:
        return 0, ()
    if term.op is CONST and term.args[0] == (1 << term.width) - 1:
        return 1, ()
    return 0b10, (term,)


@lru_cache(maxsize=None)
def _compose(outer, inner, n):
    """The table over n operands of `outer` over tables, each with the places of its operands; and its support."""
    result = 0
    for i in range(1 << n):
        index = 0
        for j, (table, places) in enumerate(inner):
            at = sum((i >> place & 1) << k for k, place in enumerate(places))
            index |= (table >> at & 1) << j
        result |= (outer >> index & 1) << i
    support = [
        j for j in range(n)
        if any(result >> i & 1 != result >> (i ^ 1 << j) & 1 for i in range(1 << n))
    ]
    table = 0
    for i in range(1 << len(support)):
        at = sum((i >> k & 1) << place for k, place in enumerate(support))
        table |= (result >> at & 1) << i
    return table, tuple(support)


def bitwise(table, *operands):
    """The function with that table of these operands."""
    width = operands[0].width
    if all(t.op is CONST or t.op is CONCAT for t in operands):
        pieces = _alike(operands)
        if pieces and len(pieces) > 1:
            samples = _evaluate(table, [t.samples for t in operands], MASKS[width])
            return agreed(concat([bitwise(table, *piece) for piece in pieces]), samples)
        if all(t.op is CONST for t in operands):
            return const(_evaluate(table, [t.args[0] for t in operands], (1 << width) - 1), width)
    inner = [_table(t) for t in operands]
    atoms = set().union(*(atoms for _, atoms in inner))
    while len(atoms) > TABLE_INPUTS:  # the widest operand stays a term of its own
        widest = max(range(len(inner)), key=lambda i: len(inner[i][1]))
        inner[widest] = 0b10, (operands[widest],)
        atoms = set().union(*(atoms for _, atoms in inner))
    atoms = sorted(atoms, key=lambda t: t.order)
    place = {atom: i for i, atom in enumerate(atoms)}
    inner = tuple((t, tuple(place[a] for a in args)) for t, args in inner)
    result, support = _compose(table, inner, len(atoms))
    samples = _evaluate(table, [t.samples for t in operands], MASKS[width])
    if not support:
        return agreed(const(-(result & 1), width), samples)
    if len(support) == 1 and result == 0b10:
        return agreed(atoms[support[0]], samples)
    return STORE.make(TABLE, (result, *(atoms[i] for i in support)), width, samples)


def _evaluate(table, values, ones):
    n = len(values)
    if n == 2 and table == 0b0110:
        return values[0] ^ values[1]
    result = 0
    for i in range(1 << n):
        if table >> i & 1:
            minterm = ones
            for j, value in enumerate(values):
                minterm &= value if i >> j & 1 else value ^ ones
            result |= minterm
    return result


def _seams(term):
    """Where a term has a seam, or any constant could have one."""
    if term.op is CONST:
        return set(range(8, term.width, 8))
    return set(itertools.accumulate(piece.width for piece in term.args[:-1]))


def _alike(operands):
    """The operands cut where all of them have a seam, so that a word beside the bytes of another stays whole; if there is no
    such place, where any of them has one, if those are between bytes."""
    seams = [_seams(t) for t in operands]
    cuts = set.intersection(*seams) or set().union(*(cuts for t, cuts in zip(operands, seams) if t.op is CONCAT))
    cuts = [0, *sorted(cuts), operands[0].width]
    if any(cut % 8 for cut in cuts) and any(t.data for t in operands):
        return None
    return [tuple(extract(t, a, b - a) for t in operands) for a, b in zip(cuts, cuts[1:])]


def and_(a, b):
    return bitwise(0b1000, a, b)


def or_(a, b):
    return _rotation(a, b) or bitwise(0b1110, a, b)


def xor(a, b):
    return _rotation(a, b) or bitwise(0b0110, a, b)


def not_(a):
    return bitwise(0b01, a)


def _rotation(a, b):
    """What is shifted right, combined with what was shifted out."""
    for right, left in (a, b), (b, a):
        if right.op is SHR:
            word, n = right.args
            shifted = word.samples << word.width - n & MASKS[word.width]
            if left.samples == shifted and left is shl(word, word.width - n):
                return agreed(rotr(word, n), a.samples | b.samples)
    return None


# Sums.


def _linear(term):
    if term.op is SUM and not term.kept:
        return term.args[0], term.args[1:]
    if term.op is CONST:
        return term.args[0], ()
    return 0, ((term, 1),)


def number_of(term):
    """The constant of a sum."""
    return _linear(term)[0]


def leaves_of_sum(term):
    """What a sum has once."""
    return [t for t, n in _linear(term)[1] if n == 1]


def _sum(constant, terms, width, samples):
    if not terms:
        return agreed(const(constant, width), samples)
    if constant == 0 and len(terms) == 1 and terms[0][1] == 1:
        return agreed(terms[0][0], samples)
    return STORE.make(SUM, (constant, *terms), width, samples)


def add(a, b):
    rotated = _rotation(a, b)
    if rotated:
        return rotated
    width, limit = a.width, (1 << a.width) - 1
    samples = a.samples + b.samples & MASKS[width]
    (x, xs), (y, ys) = _linear(a), _linear(b)
    if xs and ys:
        coefficients = dict(xs)
        for term, n in ys:
            coefficients[term] = coefficients.get(term, 0) + n & limit
        terms = tuple(sorted(((t, n) for t, n in coefficients.items() if n), key=lambda tn: tn[0].order))
    else:
        terms = xs or ys
    return _sum(x + y & limit, terms, width, samples)


def times(a, n):
    """A term times a number."""
    limit = (1 << a.width) - 1
    constant, terms = _linear(a)
    terms = tuple((t, m * n & limit) for t, m in terms if m * n & limit)
    if a.width <= 64:
        samples = a.samples * (n & limit) & MASKS[a.width]
    else:
        samples = by_sample(lambda v: v * n & limit, a)
    return _sum(constant * n & limit, terms, a.width, samples)


def sub(a, b):
    return add(a, times(b, -1))


def product(a, b):
    """A product of two terms: of sums, the sum of their parts' products."""
    if b.op is CONST:
        a, b = b, a
    if a.op is CONST:
        return times(b, a.args[0])
    total = const(0, a.width)
    (x, xs), (y, ys) = _linear(a), _linear(b)
    for s, m in (*xs, (None, x)):
        for t, n in (*ys, (None, y)):
            if s is None or t is None:
                part = s or t or const(1, a.width)
            else:
                factors = (s, t) if s.order <= t.order else (t, s)
                samples = by_sample(lambda v, w: v * w & (1 << a.width) - 1, s, t)
                part = STORE.make(PRODUCT, factors, a.width, samples)
            total = add(total, times(part, m * n))
    return agreed(total, by_sample(lambda v, w: v * w & (1 << a.width) - 1, a, b))


# Places.


def rotr(a, n):
    n %= a.width
    if n == 0:
        return a
    if a.op is CONST:
        return const(a.args[0] >> n | a.args[0] << a.width - n, a.width)
    samples = (a.samples >> n | a.samples << a.width - n) & MASKS[a.width]
    if a.op is ROTR:
        return agreed(rotr(a.args[0], a.args[1] + n), samples)
    if a.op is CONCAT and _seam(a, n):
        return agreed(concat([extract(a, n, a.width - n), extract(a, 0, n)]), samples)
    return STORE.make(ROTR, (a, n), a.width, samples)


def shr(a, n):
    if n >= a.width or a.op is CONST:
        return const(0 if n >= a.width else a.args[0] >> n, a.width)
    if n == 0:
        return a
    samples = a.samples >> n & MASKS[a.width - n]
    if a.op is CONCAT and _seam(a, n):
        return agreed(concat([extract(a, n, a.width - n), const(0, n)]), samples)
    return STORE.make(SHR, (a, n), a.width, samples)


def shl(a, n):
    if n >= a.width:
        return const(0, a.width)
    if n and a.op is CONCAT and _seam(a, a.width - n):
        return agreed(concat([const(0, n), extract(a, 0, a.width - n)]), a.samples << n & MASKS[a.width])
    return times(a, 1 << n)


def _seam(a, n):
    at = 0
    for piece in a.args:
        if at == n:
            return True
        at += piece.width
    return False


def extract(a, low, width):
    """`width` bits from bit `low` on."""
    if width == a.width:
        return a
    if a.op is CONST:
        return const(a.args[0] >> low, width)
    samples = a.samples >> low & MASKS[width]
    if a.op is EXTRACT:
        return agreed(extract(a.args[0], a.args[1] + low, width), samples)
    if a.op is CONCAT:
        pieces, at = [], 0
        for piece in a.args:
            start, end = max(low, at), min(low + width, at + piece.width)
            if start < end:
                pieces.append(extract(piece, start - at, end - start))
            at += piece.width
        return agreed(concat(pieces), samples)
    if a.op is ROTR:
        word, start = a.args[0], (a.args[1] + low) % a.width
        if start + width <= a.width:
            return agreed(extract(word, start, width), samples)
        high = a.width - start
        return agreed(concat([extract(word, start, high), extract(word, 0, width - high)]), samples)
    if a.op is SHR and a.args[1] + low + width <= a.width:
        return agreed(extract(a.args[0], a.args[1] + low, width), samples)
    return STORE.make(EXTRACT, (a, low), width, samples)


def concat(pieces):
    """The pieces beside one another, the lowest first."""
    merged = []
    for piece in pieces:
        for part in piece.args if piece.op is CONCAT else (piece,):
            last = merged[-1] if merged else None
            if last is not None and last.op is CONST and part.op is CONST:
                value = last.args[0] | part.args[0] << last.width
                merged[-1] = const(value, last.width + part.width)
            elif (
                last is not None and last.op is EXTRACT and part.op is EXTRACT
                and last.args[0] is part.args[0] and last.args[1] + last.width == part.args[1]
            ):
                merged[-1] = extract(last.args[0], last.args[1], last.width + part.width)
            else:
                merged.append(part)
    samples, at = 0, 0
    for piece in pieces:
        samples |= piece.samples << at
        at += piece.width
    if len(merged) == 1:
        return agreed(merged[0], samples)
    if len(merged) == 2 and all(part.op is EXTRACT for part in merged):
        (word, n), (same, zero) = merged[0].args, merged[1].args
        if word is same and zero == 0 and n + merged[0].width == word.width and n == merged[1].width:
            return agreed(rotr(word, n), samples)
    return STORE.make(CONCAT, tuple(merged), at, samples)


def zero_extend(a, width):
    return concat([a, const(0, width - a.width)]) if width > a.width else a


def low_bits(a, width):
    """As a word of another width."""
    return extract(a, 0, width) if width <= a.width else zero_extend(a, width)


# Truths, which are words of one bit.


def ult(a, b):
    if a.op is CONST and b.op is CONST:
        return const(a.args[0] < b.args[0], 1)
    return STORE.make(ULT, (a, b), 1, by_sample(lambda x, y: x < y, a, b))


def eq(a, b):
    if a is b:
        return const(1, 1)
    if a.op is CONST and b.op is CONST:
        return const(0, 1)
    return STORE.make(EQ, (a, b), 1, by_sample(lambda x, y: x == y, a, b))


def ite(condition, a, b):
    if condition.op is CONST:
        return a if condition.args[0] else b
    if a is b:
        return a
    samples = by_sample(lambda c, x, y: x if c else y, condition, a, b)
    return STORE.make(ITE, (condition, a, b), a.width, samples)


def replacing(others):
    """A function that returns a term with others in place of its variables. It visits a term that several share once."""
    done = dict(others)

    def replaced(term):
        if term in done:
            return done[term]
        op, args = term.op, term.args
        before = parts(op, args)
        after = [replaced(t) for t in before]
        if all(a is b for a, b in zip(before, after)):
            done[term] = term
        elif op is SUM:
            done[term] = const(args[0], term.width)
            for t, (_, n) in zip(after, args[1:]):
                done[term] = add(done[term], times(t, n))
        elif op is TABLE:
            done[term] = bitwise(args[0], *after)
        elif op is CONCAT:
            done[term] = concat(after)
        elif op is EXTRACT:
            done[term] = extract(after[0], args[1], term.width)
        else:
            make = {ROTR: rotr, SHR: shr, ULT: ult, EQ: eq, ITE: ite, PRODUCT: product}[op]
            done[term] = make(*after, *args[len(after):])
        return done[term]

    return replaced


# The specifications read as the standards do.
Term.__add__ = add
Term.__xor__ = xor
Term.__and__ = and_
Term.__or__ = or_
Term.__invert__ = not_
Term.__rshift__ = shr
