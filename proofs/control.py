"""What holds of counts, lengths and addresses, by bitwuzla: which way a branch can go, and what a term must be.

Terms that depend on no data are asked about as a whole, under the facts of a claim and the conditions of a path.
"""

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, TermManager

import terms
from equal import Translation
from memory import Fault
from terms import CONST, EQ, SUM, TABLE, ULT, const, eq, not_

# By the clock, which goes on while others have the CPU; a question takes some milliseconds.
MILLISECONDS = 600_000


class Everything:
    def __contains__(self, term):
        return True


class Control:
    """One claim's facts."""

    def __init__(self, script):
        self.manager, options = TermManager(), Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.TIME_LIMIT_PER, MILLISECONDS)
        self.solver = Bitwuzla(self.manager, options)
        self.translate = Translation(self.manager, Everything())
        self.written = script.begin()
        self.answers = {}
        self.assumed = set()
        self.consistent = set()  # conditions that hold together
        self.most = {}  # of a variable its greatest value
        self.queries = 0

    def formula(self, truth):
        one = self.translate.constant(1, 1)
        return self.manager.mk_term(Kind.EQUAL, [self.translate(truth), one])

    def assume(self, truth):
        self.solver.assert_formula(self.formula(truth))
        self.written.assume(truth)
        self.answers.clear()
        self.consistent.clear()

    def assume_new(self, truth):
        """Assumes what holds of a variable that no question has had, so that every answer stays."""
        if truth not in self.assumed:
            self.assumed.add(truth)
            self.solver.assert_formula(self.formula(truth))
            self.written.assume(truth)

    def at_most(self, variable, most):
        """Assumes the greatest value of a variable."""
        self.most[variable] = most
        self.assume(at_most(variable, const(most, variable.width)))

    def possible(self, conditions, truth):
        """Whether it may be true."""
        if truth.value is not None:
            return truth.value == 1
        key = conditions, truth, "possible"
        if key not in self.answers:
            certain = self.by_range(truth)
            if certain is not None:
                self.written.possible((truth,), certain)
            elif conditions in self.consistent and self.answers.get((conditions, not_(truth), "possible")) is False:
                certain = True  # either it or its opposite
            self.answers[key] = self.check(conditions, truth) != Result.UNSAT if certain is None else certain
        return self.answers[key]

    def by_range(self, truth):
        """Whether a comparison is true, if the ranges of both sides tell: most are of a length and a number."""
        if truth.op is TABLE and truth.args[0] == 0b01:
            certain = self.by_range(truth.args[1])
            return None if certain is None else not certain
        if truth.op in (ULT, EQ):
            (low, high), (lowest, highest) = map(self.range_of, truth.args)
            if truth.op is EQ:
                return False if high < lowest or highest < low else None
            return True if high < lowest else False if low >= highest else None
        return None

    def range_of(self, term):
        """The least and the greatest value that a term may have."""
        most = (1 << term.width) - 1
        if term.op is CONST:
            return term.value, term.value
        if term.op is SUM:
            ranges = [(self.range_of(part), n) for part, n in term.args[1:]]
            low, high = (term.args[0] + sum(n * range[end] for range, n in ranges) for end in (0, 1))
            return (low, high) if high <= most else (0, most)
        return 0, self.most.get(term, most)

    def holds(self, conditions, truth):
        return not self.possible(conditions, not_(truth))

    def check(self, conditions, truth):
        self.queries += 1
        answer = self.solver.check_sat(*(self.formula(t) for t in (*conditions, truth)))
        if answer == Result.UNKNOWN:
            raise Fault("the solver has no answer about a count or an address")
        if answer == Result.SAT:
            self.consistent.add(conditions)
        self.written.possible((*conditions, truth), answer == Result.SAT)
        return answer

    def only(self, conditions, term):
        """The one value that a term can have, as a term, or None."""
        if term.value is not None:
            return term
        key = conditions, term, "only"
        if key not in self.answers:
            self.answers[key] = None
            if self.check(conditions, const(1, 1)) == Result.SAT:
                value = int(self.solver.get_value(self.translate(term)).value(10))
                value = const(value, term.width)
                if self.holds(conditions, eq(term, value)):
                    self.answers[key] = value
        return self.answers[key]


def at_most(a, b):
    return not_(terms.ult(b, a))


def implies(a, b):
    return terms.bitwise(0b1101, a, b)
