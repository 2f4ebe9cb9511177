"""Proves that the kernels in a module of LLVM's intermediate language are the standards. See README.md."""

import argparse
import multiprocessing
import os
import pathlib
import random
import re
import sys
import time

import hardware
import ir
import mutants
import spec_test
import terms
from equal import Prover
from execute import Execution
from kernels import cases
from memory import Fault
from ways import ways

KERNEL = re.compile(r"hashmill::(sha2|keccak|blake2)::.*::absorb\w*")
SOURCES = pathlib.Path(__file__).parent.parent / "crates/hashmill/src"


def declared(machine):
    """What the tables of backends in the sources name for this architecture, as patterns of paths."""
    patterns = []
    for family in ("sha2", "keccak", "blake2"):
        text = (SOURCES / f"{family}.rs").read_text()
        for table in re.findall(r"const BACKENDS:.*?\n    \];", text, re.DOTALL):
            # A row for one architecture comes after a line that names it.
            rows = re.findall(r'(?:.*target_arch = "(\w+)".*\n)?(.*)\n', table)
            here = "".join(row for architecture, row in rows if architecture in ("", machine))
            for path, name in re.findall(r"((?:\w+::)+)(absorb\w*)\b", here):
                patterns.append(re.compile(rf"hashmill::{family}::(?:kernel::)?{path}(?:\w+::)?{name}"))
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
    patterns = declared(module.machine)
    for pattern in patterns:
        if not any(pattern.fullmatch(path) for path in found):
            sys.exit(f"{pattern.pattern} is in the sources, but not in the module")
    for path in found:
        if not any(pattern.fullmatch(path) for pattern in patterns):
            sys.exit(f"{path} is in the module, but not in the sources")
    return found


class Wrong(Fault):
    """A result that differs from the standard for one of the samples."""

    def __init__(self, text, sample):
        super().__init__(text)
        self.sample = sample


def run_concretely(module, case, name, number, mutant=None):
    """Runs a case on numbers, without any prover: a check of the models and the executor."""
    terms.reset()
    concrete = lambda name, width: terms.const(number(name, width), width)
    wanted, got = case.run(Execution(module, lambda term: False, mutant), name, concrete)
    if any(g is not w for w, g in zip(wanted, got, strict=True)):
        raise Fault(f"{case.name}: a wrong result for numbers")


def random_numbers(seed):
    rng = random.Random(seed)
    return lambda name, width: rng.getrandbits(width)


def prove_case(module, case, name, prover, mutant=None):
    store = terms.reset(prover.equal)
    prove_zero = lambda term: prover.equal(term, terms.const(0, term.width))
    execution = Execution(module, prove_zero, mutant)
    wanted, got = case.run(execution, name, terms.var)
    for place, (w, g) in enumerate(zip(wanted, got, strict=True)):
        if g is None:
            raise Fault(f"{case.name}: word {place} is poison")
        if g is not w:
            for sample, (a, b) in enumerate(zip(terms.values_of(w), terms.values_of(g))):
                if a != b:
                    text = f"{case.name}: word {place} is {b:#x} for one input, for which the standard has {a:#x}"
                    raise Wrong(text, sample)
            raise Fault(f"{case.name}: word {place} is not proved")
    return execution, len(store.terms)


def prove(job):
    path, name = job
    began = time.monotonic()
    claims = cases(path, LONG)
    if claims is None:
        return path, False, "NOT PROVED: kernels.py claims nothing of it"
    every, summary = claims
    prover, count, taken = Prover(), 0, set()
    try:
        for case in every:
            run_concretely(MODULE, case, name, random_numbers(case.name))
            execution, terms_of_case = prove_case(MODULE, case, name, prover)
            count, taken = count + terms_of_case, taken | execution.ways
    except (Fault, ir.Unknown) as error:
        return path, False, f"NOT PROVED: {error}"
    seconds = time.monotonic() - began
    every = ways(MODULE, name)
    through = f"{len(every & taken)}/{len(every)}"
    return path, True, f"{summary:32} {through:>7} {count:8} {prover.queries:5} {seconds:6.1f} s  proved"


def mutate(job):
    """Whether each of some changes to a kernel keeps it from being proved."""
    path, name = job
    began = time.monotonic()
    every, _ = cases(path, long=False)
    case = next((case for case in every if case.name.endswith(mutants.case_for(path))), every[-1])
    prover = Prover()
    execution, _ = prove_case(MODULE, case, name, prover)
    verdicts, lines = {"wrong": 0, "faulty": 0, "equivalent": 0}, []
    chosen = mutants.choose(execution, path)
    for mutant in chosen:
        verdict = judge(case, name, prover, mutant)
        if verdict not in verdicts:
            return path, False, f"the mutant {mutant.what}: {verdict}"
        verdicts[verdict] += 1
        if verdict == "equivalent":
            lines.append(f"\n    equivalent, and proved to be: {mutant.what}")
    wrong, faulty, equivalent = verdicts.values()
    seconds = time.monotonic() - began
    text = f"{len(chosen):8} {wrong:6} {faulty:6} {equivalent:10} {seconds:6.1f} s{''.join(lines)}"
    return path, wrong >= mutants.FEWEST, text


def judge(case, name, prover, mutant):
    """A wrong result must be wrong again when all is numbers, those of the sample."""
    try:
        prove_case(MODULE, case, name, prover, mutant)
    except Wrong as wrong:
        sample = wrong.sample
        number = lambda name, width: terms.sample_values(name, width)[sample]
        try:
            run_concretely(MODULE, case, name, number, mutant)
        except Fault:
            return "wrong"
        return "its counterexample is none"
    except Fault as fault:
        return "faulty" if "not proved" not in str(fault) else str(fault)
    try:
        for seed in range(10):
            run_concretely(MODULE, case, name, random_numbers(seed), mutant)
    except Fault:
        return "it was proved, and is wrong"
    return "equivalent"


def main():
    global MODULE, LONG
    parser = argparse.ArgumentParser(description="Proves that kernels are the standards; see README.md.")
    parser.add_argument("--long", action="store_true", help="with more blocks and lengths")
    parser.add_argument("--mutants", action="store_true", help="instead: that what is wrong is not proved")
    parser.add_argument("--hardware", metavar="PROGRAM", help="hardware.rs, to compare the models with this CPU")
    parser.add_argument("module", help="the library in LLVM's intermediate language")
    parser.add_argument("name", nargs="*", help="a part of a kernel's path")
    options = parser.parse_intermixed_args()
    print(f"the transcriptions of the standards agree with {spec_test.check()} answers", flush=True)
    MODULE, LONG = ir.Module(open(options.module).read()), options.long
    if options.hardware:
        compared, lacking = hardware.compare(options.hardware, MODULE.machine)
        print(f"the models of {compared} instructions agree with this CPU; it lacks: {', '.join(lacking) or 'none'}")
    jobs = [
        (path, name) for path, name in kernels(MODULE).items()
        if not options.name or any(part in path for part in options.name)
    ]
    work = mutate if options.mutants else prove
    print(HEADER[options.mutants], flush=True)
    failed = []
    with multiprocessing.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        for path, good, text in pool.imap_unordered(work, jobs, chunksize=1):
            print(f"{path.removeprefix('hashmill::'):48} {text}", flush=True)
            if not good:
                failed.append(path)
    if failed or not jobs:
        sys.exit(f"failed: {', '.join(failed) or 'there is no such kernel'}")
    print(f"{len(jobs)} kernels {'with mutants' if options.mutants else 'proved'}")


HEADER = {
    False: f"{'kernel':48} {'for every state and message':32} {'ways':>7} {'terms':>8} {'asked':>5} {'time':>8}",
    True: f"{'kernel':48} {'mutants':>8} {'wrong':>6} {'faulty':>6} {'equivalent':>10} {'time':>8}",
}


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    main()
