"""Programs that were made to deceive the executor, in LLVM's intermediate language. Each computes one thing on one path
and another on the next; an executor that takes one for the other gives a wrong result here."""

import terms
from execute import Execution
from ir import Module
from terms import const, control, eq, usize

HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'

# A loop that reads one table or the other. Both cases share their terms and the memory of passes, and each touches
# only its own table: if addresses were given at first touch, both tables would have the same.
TWO_TABLES = HEADER + """
@right = constant [2 x i64] [i64 1, i64 2]
@wrong = constant [2 x i64] [i64 1, i64 3]

define void @sums(ptr %out, i64 %which) {
entry:
  %other = icmp eq i64 %which, 1
  br i1 %other, label %a, label %b

a:
  br label %head

b:
  br label %head

head:
  %table = phi ptr [ @wrong, %a ], [ @right, %b ]
  br label %loop

loop:
  %i = phi i64 [ 0, %head ], [ %next, %loop ]
  %sum = phi i64 [ 0, %head ], [ %more, %loop ]
  %at = getelementptr i64, ptr %table, i64 %i
  %word = load i64, ptr %at, align 8
  %more = add i64 %sum, %word
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 2
  br i1 %done, label %exit, label %loop

exit:
  store i64 %more, ptr %out, align 8
  ret void
}
"""

# A loop that adds 1, or 5 if the count is 60, twice. The path of large counts comes first, on which it is not 60.
TWO_PATHS = HEADER + """
define void @sums(ptr %out, i64 %count) {
entry:
  %few = icmp ult i64 %count, 101
  br i1 %few, label %a, label %b

a:
  br label %head

b:
  br label %head

head:
  br label %loop

loop:
  %i = phi i64 [ 0, %head ], [ %next, %loop ]
  %sum = phi i64 [ 0, %head ], [ %more, %loop ]
  %sixty = icmp eq i64 %count, 60
  %word = select i1 %sixty, i64 5, i64 1
  %more = add i64 %sum, %word
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 2
  br i1 %done, label %exit, label %loop

exit:
  store i64 %more, ptr %out, align 8
  ret void
}
"""


def sums(module, argument):
    """The result on each path, with the execution and the path's conditions."""
    execution, results = Execution(module, lambda term: False), []
    out = execution.memory.allocate("out", 8, 8)

    def returned(_):
        results.append((execution, execution.state.conditions, execution.memory.load_bits(out.base, 64, 8)))

    execution.call("sums", [out.base, argument], returned)
    return results


def check():
    """How many programs were run, each with the results that it has."""
    terms.reset()
    module = Module(TWO_TABLES)
    for which, total in (0, 3), (1, 4), (0, 3):
        [(_, _, got)] = sums(module, usize(which))
        assert got is const(total, 64), f"table {which}: {got.value} in place of {total}"
    terms.reset()
    count, found = control("count"), set()
    for execution, conditions, got in sums(Module(TWO_PATHS), count):
        for number in (60, 100, 101, 1000):
            here = eq(count, usize(number))
            if execution.control.possible(conditions, here):
                total = execution.control.only((*conditions, here), got).value
                assert total == (10 if number == 60 else 2), f"a count of {number}: {total}"
                found.add(number)
    assert len(found) == 4
    return 2
