"""Proves that the kernels in a module of LLVM's intermediate language are the standards.

    prove.py [--long] MODULE.ll [NAME...]

proves every kernel, or those whose paths contain a NAME. See README.md.
"""

import multiprocessing
import os
import pathlib
import random
import re
import sys
import time

import ir
import spec_test
import terms
from equal import Prover
from execute import Execution
from kernels import cases
from memory import Fault

KERNEL = re.compile(r"hashmill::(sha2|keccak|blake2)::.*::absorb\w*")
SOURCES = pathlib.Path(__file__).parent.parent / "crates/hashmill/src"


def declared():
    """What the tables of backends in the sources name, as patterns of paths."""
    patterns = []
    for family in ("sha2", "keccak", "blake2"):
        text = (SOURCES / f"{family}.rs").read_text()
        for path, name in re.findall(r"absorb\w*: (?:Some\()?((?:\w+::)+)(absorb\w*)", text):
            patterns.append(re.compile(rf"hashmill::{family}::{path}(?:\w+::)?{name}"))
    return patterns


def kernels(module):
    """The functions that the tables of backends point to in the module: their names by their paths."""
    found = {}
    for definition in module.globals.values():
        if " constant " in definition:
            for name in re.findall(r'ptr (@"[^"]*"|@[-\w.$]+)', definition):
                path = module.paths.get(ir.unquote(name), "")
                if KERNEL.fullmatch(path):
                    found[path] = ir.unquote(name)
    patterns = declared()
    for pattern in patterns:
        if not any(pattern.fullmatch(path) for path in found):
            sys.exit(f"{pattern.pattern} is in the sources, but not in the module")
    for path in found:
        if not any(pattern.fullmatch(path) for pattern in patterns):
            sys.exit(f"{path} is in the module, but not in the sources")
    return found


class Random:
    """Concrete inputs in place of variables."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def __call__(self, name, width):
        return terms.const(self.random.getrandbits(width), width)


def try_concretely(module, case, name):
    """Runs a case on random numbers, without any prover: a check of the models and the executor."""
    terms.reset()
    wanted, got = case.run(Execution(module, lambda term: False), name, Random(case.name))
    if any(g is not w for w, g in zip(wanted, got, strict=True)):
        raise Fault(f"{case.name}: a wrong result for random numbers")


def prove_case(module, case, name, prover):
    store = terms.reset(prover.equal)
    prove_zero = lambda term: prover.equal(term, terms.const(0, term.width))
    wanted, got = case.run(Execution(module, prove_zero), name, terms.var)
    for place, (w, g) in enumerate(zip(wanted, got, strict=True)):
        if g is None:
            raise Fault(f"{case.name}: word {place} is poison")
        if g is not w:
            if g.samples != w.samples:
                raise Fault(f"{case.name}: word {place} is wrong; {counterexample(w, g)}")
            raise Fault(f"{case.name}: word {place} is not proved")
    return len(store.terms)


def counterexample(wanted, got):
    for w, g in zip(terms.values_of(wanted), terms.values_of(got)):
        if w != g:
            return f"for one input {g:#x} where the standard has {w:#x}"


def prove(job):
    path, name = job
    began = time.monotonic()
    claims = cases(path, LONG)
    if claims is None:
        return path, False, "NOT PROVED: kernels.py claims nothing of it"
    every, summary = claims
    prover, count = Prover(), 0
    try:
        for case in every:
            try_concretely(MODULE, case, name)
            count += prove_case(MODULE, case, name, prover)
    except (Fault, ir.Unknown) as error:
        return path, False, f"NOT PROVED: {error}"
    seconds = time.monotonic() - began
    return path, True, f"{summary:32} {count:8} {prover.queries:5} {seconds:6.1f} s  proved"


def main():
    global MODULE, LONG
    arguments = [argument for argument in sys.argv[1:] if argument != "--long"]
    LONG = len(arguments) < len(sys.argv) - 1
    source, *names = arguments
    print(f"the transcriptions of the standards agree with {spec_test.check()} answers", flush=True)
    MODULE = ir.Module(open(source).read())
    jobs = [
        (path, name) for path, name in kernels(MODULE).items()
        if not names or any(part in path for part in names)
    ]
    failed = []
    print(f"{'kernel':48} {'for every state and message':32} {'terms':>8} {'asked':>5} {'time':>8}")
    with multiprocessing.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for path, proved, text in pool.imap_unordered(prove, jobs, chunksize=1):
            print(f"{path.removeprefix('hashmill::'):48} {text}", flush=True)
            if not proved:
                failed.append(path)
    if failed or not jobs:
        sys.exit(f"not proved: {', '.join(failed) or 'anything'}")
    print(f"{len(jobs)} kernels proved")


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    main()
