"""Whether two terms are equal for all inputs, by bitwuzla.

What lies beneath is cut off and replaced by variables: what holds for any value there holds. First near the
terms and where they meet, then further down. A question is put once in each of its shapes, whatever was cut off.

Where nothing was cut off, an answer that they differ comes with inputs for which they do. Elsewhere there may be
counts, lengths and the like that make them differ together with the other inputs of a sample. Those inputs become
samples, and the proof begins again: what only one length or one count makes wrong is then wrong for a sample, and no
question is asked about all that is computed from it.
"""

import itertools

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, TermManager

from smtlib import Definitions, Script
from terms import CONCAT, CONST, EQ, EXTRACT, ITE, PRODUCT, ROTR, SHR, SUM, TABLE, ULT, VAR, VECTORS
from terms import depends_on_address, values_of

DEPTHS = 2, 4, 8, 16
SAMPLES = VECTORS // 3  # as many give way to inputs that were found
MILLISECONDS = 60_000  # by the clock, which goes on while others have the CPU


def children(term):
    if term.op in (CONST, VAR, PRODUCT):
        return ()
    if term.op is SUM:
        return tuple(t for t, _ in term.args[1:])
    if term.op is TABLE:
        return term.args[1:]
    if term.op in (ROTR, SHR, EXTRACT):
        return term.args[:1]
    return term.args


def cone(root, depth):
    """The terms at most so far beneath."""
    seen, level = {root}, [root]
    for _ in range(depth):
        level = [c for t in level for c in children(t) if c not in seen and not seen.add(c)]
    return seen


class Different(Exception):
    """Inputs were found for which two terms differ that agree on all samples."""


class Prover:
    def __init__(self, log=None):
        self.script = Script(log and f"{log}.data.smt2")
        self.counts = Script(log and f"{log}.counts.smt2")  # for `Control`
        self.answers = {}
        self.queries = 0
        self.found = []  # of each of these inputs the values of the variables, by name

    def equal(self, a, b):
        # No term depends on a variable that came after it, such as one that stands for this term.
        if any(one.op is VAR and other.order < one.order for one, other in ((a, b), (b, a))):
            return False
        for depth, through_shared in itertools.product(DEPTHS, (False, True)):
            cones = cone(a, depth), cone(b, depth)
            inside = cones[0] | cones[1] if through_shared else cones[0] ^ cones[1] | {a, b}
            shape, leaves = describe(a, b, inside)
            answer = self.answers.get(shape)
            if answer is None:
                answer = self.answers[shape] = self.ask(a, b, inside, leaves)
            if answer == Result.UNSAT:
                return True
            if all(leaf.op in (VAR, PRODUCT) for leaf in leaves):
                return False  # nothing was cut off
        return False

    def ask(self, a, b, inside, leaves):
        self.queries += 1
        manager, options = TermManager(), Options()
        options.set(Option.TIME_LIMIT_PER, MILLISECONDS)
        options.set(Option.PRODUCE_MODELS, True)
        solver = Bitwuzla(manager, options)
        translate = Translation(manager, inside)
        solver.assert_formula(manager.mk_term(Kind.DISTINCT, [translate(a), translate(b)]))
        answer = solver.check_sat()
        if answer != Result.UNKNOWN:
            Definitions(self.script, inside).alone(a, b, answer == Result.SAT)
        if answer == Result.SAT and len(self.found) < SAMPLES:
            if not all(leaf.op is VAR for leaf in leaves):
                leaves = self.only_counts(solver, translate, leaves)
            if leaves:
                value = lambda leaf: int(solver.get_value(translate(leaf)).value(10))
                before = self.found[-1] if self.found else {}
                self.found.append(before | {leaf.args[0]: value(leaf) for leaf in leaves})
                raise Different
        return answer

    def only_counts(self, solver, translate, leaves):
        """Something was cut off. The variables on which control flow may depend, if other values of these alone make
        the terms differ where all else has the values of the last sample."""
        free = [leaf for leaf in leaves if leaf.op is VAR and not leaf.data and not depends_on_address(leaf)]
        for leaf in leaves if free else []:
            if leaf not in free:
                value = translate.constant(values_of(leaf)[-1], leaf.width)
                solver.assert_formula(translate.make(Kind.EQUAL, [translate(leaf), value]))
        return free if free and solver.check_sat() == Result.SAT else []


def describe(a, b, inside):
    """The two terms, written so that only the names of what is cut off are lost."""
    numbers, shape, leaves = {}, [], []

    def visit(term):
        if term in numbers:
            return numbers[term]
        if term.op is CONST:
            entry = term.args[0], term.width
        elif term not in inside or term.op in (VAR, PRODUCT):
            entry = "leaf", term.width
            leaves.append(term)
        elif term.op is SUM:
            entry = SUM, term.args[0], *((visit(t), n) for t, n in term.args[1:])
        else:
            entry = term.op, term.width, *(visit(x) if hasattr(x, "op") else x for x in term.args)
        numbers[term] = len(numbers)
        shape.append(entry)
        return numbers[term]

    return (visit(a), visit(b), tuple(shape)), leaves


class Translation:
    """Terms as bitwuzla's."""

    def __init__(self, manager, inside):
        self.manager, self.inside, self.done = manager, inside, {}

    def __call__(self, term):
        if term not in self.done:
            self.done[term] = self.translate(term)
        return self.done[term]

    def make(self, kind, terms, indices=()):
        return self.manager.mk_term(kind, list(terms), list(indices))

    def constant(self, value, width):
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    def translate(self, term):
        op, args, width = term.op, term.args, term.width
        if op is CONST:
            return self.constant(args[0], width)
        if op in (VAR, PRODUCT) or term not in self.inside:  # any product: none is known to the solver
            return self.manager.mk_const(self.manager.mk_bv_sort(width), str(term.order))
        if op is TABLE:
            return self.table(args[0], [self(t) for t in args[1:]], width)
        if op is SUM:
            terms = [self.constant(args[0], width)]
            for t, n in args[1:]:
                t = self(t)
                terms.append(t if n == 1 else self.make(Kind.BV_MUL, [t, self.constant(n, width)]))
            return self.make(Kind.BV_ADD, terms)
        if op is ROTR:
            return self.make(Kind.BV_RORI, [self(args[0])], [args[1]])
        if op is SHR:
            return self.make(Kind.BV_SHR, [self(args[0]), self.constant(args[1], width)])
        if op is EXTRACT:
            return self.make(Kind.BV_EXTRACT, [self(args[0])], [args[1] + width - 1, args[1]])
        if op is CONCAT:
            return self.make(Kind.BV_CONCAT, [self(t) for t in reversed(args)])
        if op is ITE:
            truth = self.make(Kind.EQUAL, [self(args[0]), self.constant(1, 1)])
            return self.make(Kind.ITE, [truth, self(args[1]), self(args[2])])
        truth = self.make({ULT: Kind.BV_ULT, EQ: Kind.EQUAL}[op], [self(args[0]), self(args[1])])
        return self.make(Kind.ITE, [truth, self.constant(1, 1), self.constant(0, 1)])

    def table(self, table, operands, width):
        """By the last operand: where it is set the upper half of the table, elsewhere the lower."""
        n = len(operands)
        if table == 0 or table == (1 << (1 << n)) - 1:
            return self.constant(-(table & 1) & (1 << width) - 1, width)
        half = 1 << n - 1
        low, high, last = table & (1 << half) - 1, table >> half, operands[-1]
        if low == high:
            return self.table(low, operands[:-1], width)
        if low == high ^ (1 << half) - 1:
            return self.make(Kind.BV_XOR, [self.table(low, operands[:-1], width), last])
        low, high = (self.table(t, operands[:-1], width) for t in (low, high))
        complement = self.make(Kind.BV_NOT, [last])
        low = self.make(Kind.BV_AND, [low, complement])
        return self.make(Kind.BV_OR, [low, self.make(Kind.BV_AND, [high, last])])
