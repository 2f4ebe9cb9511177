"""Answers the queries of a proof again, with z3: `python second.py DIRECTORY`, after `prove.py --log DIRECTORY`.

Each query is in a file with bitwuzla's answer, which z3 compares with its own. A part of a file that begins with
`(reset)` is answered on its own, and only once if several kernels have the same.
"""

import multiprocessing
import os
import pathlib
import re
import sys

import z3

SECONDS = 600  # for one query, by the clock
BEGIN = "(reset)\n"


def answer(part):
    """How many queries there are in it, and what is wrong."""
    wanted = re.findall(r":status (\w+)", part)
    context = z3.Context()
    z3.Z3_global_param_set("timeout", str(1000 * SECONDS))
    try:
        got = z3.Z3_eval_smtlib2_string(context.ref(), part).split()
    except z3.Z3Exception as error:
        errors = re.findall(r'\(error "([^"]*)"', str(error))
        return len(wanted), "; ".join(errors[:3]) or str(error)
    return len(wanted), "" if got == wanted else f"z3 answers {got[:9]} …, and bitwuzla {wanted[:9]} …"


def main():
    parts = {}
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.smt2"))
    for file in files:
        for part in file.read_text().split(BEGIN):
            if "(check-sat)" in part:
                parts.setdefault(part, file)
    asked, failed = 0, set()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for (part, file), (count, wrong) in zip(parts.items(), pool.imap(answer, parts)):
            asked += count
            if wrong:
                failed.add(file.name)
                print(f"{file.name}: {wrong}", flush=True)
    if failed or not asked:
        sys.exit(f"failed: {', '.join(sorted(failed)) or 'there is no query'}")
    print(f"z3 {z3.get_version_string()} gives the same answers to {asked} queries in {len(files)} files")


if __name__ == "__main__":
    main()
