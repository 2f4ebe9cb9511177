"""Queries as SMT-LIB 2 scripts, so that another solver can answer them again (`second.py`).

The text is written from the terms and not from what `equal.py` makes of them for bitwuzla, so a second solver also
checks that translation. Each query states bitwuzla's answer in `(set-info :status …)`.
"""

from terms import CONCAT, CONST, EQ, EXTRACT, ITE, PRODUCT, ROTR, SHR, SUM, TABLE, ULT, VAR, parts


class Script:
    """The queries of one kernel, in the order of the proof; nothing is kept if there is no path."""

    def __init__(self, path=None):
        self.file = path and open(path, "w")

    def write(self, *lines):
        if self.file:
            print(*lines, sep="\n", file=self.file)

    def close(self):
        if self.file:
            self.file.close()

    def begin(self):
        """A case, with facts of its own: its definitions."""
        self.write("(reset)", "(set-logic QF_BV)")
        return Definitions(self)


class Definitions:
    """Names for terms, each written once. What is not `inside` is a constant that may have any value, and so is a
    product."""

    def __init__(self, script, inside=None):
        self.script, self.inside, self.names = script, inside, {}

    def __call__(self, term):
        if term.op is CONST:
            return f"(_ bv{term.args[0]} {term.width})"
        if term not in self.names:
            name = self.names[term] = f"t{len(self.names)}"
            if term.op in (VAR, PRODUCT) or self.inside is not None and term not in self.inside:
                self.script.write(f"(declare-const {name} (_ BitVec {term.width}))")
            else:
                of = [self(part) for part in parts(term.op, term.args)]
                self.script.write(f"(define-fun {name} () (_ BitVec {term.width}) {text(term, of)})")
        return self.names[term]

    def assume(self, truth):
        if self.script.file:
            self.script.write(f"(assert (= {self(truth)} #b1))")

    def query(self, formulas, unsatisfiable):
        """That the answer to these formulas was this one."""
        self.script.write(
            "(push 1)", *(f"(assert {formula})" for formula in formulas),
            f"(set-info :status {'unsat' if unsatisfiable else 'sat'})", "(check-sat)", "(pop 1)",
        )

    def possible(self, truths, answer):
        if self.script.file:
            self.query([f"(= {self(truth)} #b1)" for truth in truths], not answer)

    def alone(self, a, b, answer):
        """Whether two terms can differ, in a query without facts."""
        if self.script.file:
            self.script.write("(reset)", "(set-logic QF_BV)")
            self.query([f"(distinct {self(a)} {self(b)})"], not answer)


def text(term, of):
    """The operation on these names."""
    op, args, width = term.op, term.args, term.width
    if op is SUM:
        result = f"(_ bv{args[0]} {width})"
        for name, (_, n) in zip(of, args[1:]):
            result = f"(bvadd {result} (bvmul (_ bv{n} {width}) {name}))"
        return result
    if op is TABLE:
        return table(args[0], of, width)
    if op is ROTR:
        return f"((_ rotate_right {args[1]}) {of[0]})"
    if op is SHR:
        return f"(bvlshr {of[0]} (_ bv{args[1]} {width}))"
    if op is EXTRACT:
        return f"((_ extract {args[1] + width - 1} {args[1]}) {of[0]})"
    if op is CONCAT:
        result = of[0]
        for name in of[1:]:
            result = f"(concat {name} {result})"
        return result
    if op is ITE:
        return f"(ite (= {of[0]} #b1) {of[1]} {of[2]})"
    return f"(ite ({ {ULT: 'bvult', EQ: '='}[op] } {of[0]} {of[1]}) #b1 #b0)"


def table(bits, names, width):
    """The disjunction of the rows of a truth table that are ones; bit i of a row's number is the operand i."""
    result = f"(_ bv0 {width})"
    for row in range(1 << len(names)):
        if bits >> row & 1:
            every = [name if row >> i & 1 else f"(bvnot {name})" for i, name in enumerate(names)]
            conjunction = every[0]
            for literal in every[1:]:
                conjunction = f"(bvand {conjunction} {literal})"
            result = f"(bvor {result} {conjunction})"
    return result
