"""What holds of counts, lengths and addresses, by bitwuzla: which way a branch can go, and what a term must be.

Terms that depend on no data are asked about as a whole, under the facts of a claim and the conditions of a path.
"""

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, TermManager

import terms
from equal import Translation
from memory import Fault
from terms import const, eq, not_

# By the clock, which goes on while others have the CPU; a question takes some milliseconds.
MILLISECONDS = 600_000


class Everything:
    def __contains__(self, term):
        return True


class Control:
    """One claim's facts."""

    def __init__(self):
        self.manager, options = TermManager(), Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.TIME_LIMIT_PER, MILLISECONDS)
        self.solver = Bitwuzla(self.manager, options)
        self.translate = Translation(self.manager, Everything())
        self.answers = {}
        self.queries = 0

    def formula(self, truth):
        one = self.translate.constant(1, 1)
        return self.manager.mk_term(Kind.EQUAL, [self.translate(truth), one])

    def assume(self, truth):
        self.solver.assert_formula(self.formula(truth))
        self.answers.clear()

    def possible(self, conditions, truth):
        """Whether it may be true."""
        if truth.value is not None:
            return truth.value == 1
        key = conditions, truth, "possible"
        if key not in self.answers:
            self.answers[key] = self.check(conditions, truth) != Result.UNSAT
        return self.answers[key]

    def holds(self, conditions, truth):
        return not self.possible(conditions, not_(truth))

    def check(self, conditions, truth):
        self.queries += 1
        answer = self.solver.check_sat(*(self.formula(t) for t in (*conditions, truth)))
        if answer == Result.UNKNOWN:
            raise Fault("the solver has no answer about a count or an address")
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
