"""Answers the queries of a proof again, with z3: `python second.py DIRECTORY`, after `prove.py --log DIRECTORY`.

Each query is in a file with bitwuzla's answer, which z3 compares with its own. A part of a file that begins with
`(reset)` is answered on its own, and only once if several kernels have the same. It fails if an answer differs. Queries
to which z3 has no answer in time are counted and named, and there must be fewer of them than one in fifty.
"""

import os
import pathlib
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import z3

SECONDS = 10  # for one query, by the clock
BEGIN = "(reset)\n"


def answer(part):
    """How many queries there are in it, how many of them have no answer, and what is wrong."""
    wanted = re.findall(r":status (\w+)", part)
    context = z3.Context()
    z3.Z3_global_param_set("timeout", str(1000 * SECONDS))
    try:
        got = z3.Z3_eval_smtlib2_string(context.ref(), part).split()
    except z3.Z3Exception as error:
        errors = re.findall(r'\(error "([^"]*)"', str(error))
        return len(wanted), 0, "; ".join(errors[:3]) or str(error)
    same = len(got) == len(wanted) and all(ours in ("unknown", theirs) for ours, theirs in zip(got, wanted))
    return len(wanted), got.count("unknown"), "" if same else f"z3 answers {got[:9]} …, and bitwuzla {wanted[:9]} …"


def main():
    parts = {}
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.smt2"))
    for file in files:
        for part in file.read_text().split(BEGIN):
            if "(check-sat)" in part:
                parts.setdefault(part, file)
    asked, failed, open_ones = 0, set(), Counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:  # an error, and no wait without end, if a process dies
        for (part, file), (count, unknown, wrong) in zip(parts.items(), pool.map(answer, parts)):
            asked += count
            if unknown:
                open_ones[file.name] += unknown
            if wrong:
                failed.add(file.name)
                print(f"{file.name}: {wrong}", flush=True)
    if failed or not asked:
        sys.exit(f"failed: {', '.join(sorted(failed)) or 'there is no query'}")
    without = open_ones.total()
    for name, count in open_ones.items():
        print(f"{name}: no answer in {SECONDS} s to {count} queries")
    if 50 * without >= asked:
        sys.exit(f"failed: no answer to {without} of {asked} queries")
    answered = f"{asked - without} of {asked} queries in {len(files)} files"
    print(f"z3 {z3.get_version_string()} gives the same answers to {answered}")


if __name__ == "__main__":
    main()
