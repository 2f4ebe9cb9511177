"""Proves that the kernels in a module of LLVM's intermediate language are the standards. See README.md."""

import argparse
import multiprocessing
import os
import pathlib
import random
import re
import sys
import time
from collections import Counter
from dataclasses import replace

import constructs_test
import execute_test
import hardware
import ir
import messages
import mutants
import spec_test
import terms
from equal import Different, Prover
from execute import Execution
from induction import Again, Wrong
from kernels import claim
from memory import Fault
from tables import FAMILIES, KERNEL, SOURCES, pointers
from ways import decides, ways

MOVES = re.compile(r"hashmill::simd::(x86_ends::lay|(x86|x86_two|v128)::(\w+::)?U\d\d::rows_[bl]e)")
SCHEDULE = re.compile(r"<hashmill::sha2::Words(\d+) as hashmill::sha2::Sha2Family>::schedule")
# What Rust calls the instruction sets of `Isa` in the library's `simd.rs`, by bit, with those that these include.
SSE = {"sse", "sse2", "sse3", "ssse3", "sse4.1"}
AVX2 = SSE | {"sse4.2", "crc32", "avx", "avx2"}
INSTRUCTION_SETS = [
    {"bmi", "bmi2"}, SSE | {"sha"}, AVX2, AVX2 | {"f16c", "fma", "avx512f", "avx512bw", "avx512vl"}, AVX2 | {"sha512"},
]
SOME = 32  # of so many cases of whole messages, one is in a usual run


def declared(machine):
    """What the tables of backends in the sources name for this architecture, as patterns of paths."""
    patterns = []
    for family, kernel in [(family, "") for family in FAMILIES] + [("blake3", "blake3::")]:
        text = (SOURCES / ("blake2/stream.rs" if family == "blake2" else f"{family}.rs")).read_text()
        # BLAKE3's kernels are in a module of BLAKE2's.
        family = "blake2" if kernel else family
        for table in re.findall(r"const BACKENDS:.*?\n    \];", text, re.DOTALL):
            # A row for one architecture comes after a line that names it.
            rows = re.findall(r'(?:.*target_arch = "(\w+)".*\n)?(.*)\n', table)
            here = "".join(row for architecture, row in rows if architecture in ("", machine))
            for path, name in re.findall(r"((?:\w+::)+)(absorb\w*)\b", here):
                path = path.replace("kernel::", f"kernel::{kernel}")
                patterns.append(re.compile(rf"hashmill::{family}::(?:kernel::)?{path}(?:\w+::)?{name}"))
        for path in re.findall(r"\b(w\d+::\w+::schedule)\(", text):
            patterns.append(re.compile(f"hashmill::{family}::kernel::{path}"))
    return patterns


def kernels(module):
    """The functions that the tables of backends point to in the module: their names by their paths. The function that
    makes a schedule for `absorb_known` is in no table: the portable one is compiled into the only function that calls it."""
    found = {
        f"hashmill::sha2::kernel::w{schedule[1]}::portable::schedule": [name]
        for name, path in module.paths.items() if (schedule := SCHEDULE.fullmatch(path))
    }
    # What moves messages and digests belongs to no family: its pointers are in the rows of all, or its caller names it.
    for name, path in module.paths.items():
        if MOVES.fullmatch(path):
            found.setdefault(path, []).append(name)
    for path, name, row in pointers(module):
        if name not in found.setdefault(path, []):
            found[path].append(name)
        module.rows.setdefault(path, set()).add(row)
    patterns = declared(module.machine)
    for pattern in patterns:
        if not any(pattern.fullmatch(path) for path in found):
            sys.exit(f"{pattern.pattern} is in the sources, but not in the module")
    for path in found:
        if KERNEL.fullmatch(path) and not any(pattern.fullmatch(path) for pattern in patterns):
            sys.exit(f"{path} is in the module, but not in the sources")
    return found


def number_in_rows(module, path, at, size):
    """A number in the rows of the tables that name a kernel's `absorb`, so far after the pointer to it."""
    return {int.from_bytes(row[at:at + size], "little") for row in module.rows.get(path, ())}


def lanes_of_rows(module, path):
    """For how many lanes the rows are. The caller passes so many inputs, and states of so many lanes. The number is where
    rustc puts it: after the pointer and the slice `then_known`; if words have 32 bits, also after the four bytes of `needs`."""
    return number_in_rows(module, path, 12 if terms.WORD == 32 else 16, terms.WORD // 8)


def allowed(module, path):
    """The instruction sets that a kernel may use: those that the row with the `absorb` beside it needs. On machines other
    than x86-64 they are not limited."""
    if module.machine != "x86_64" or path in MESSAGES:
        return None
    if path.endswith("::schedule"):
        return set()
    if MOVES.fullmatch(path):
        return INSTRUCTION_SETS[2 if "::avx2::" in path else 3]
    needs = number_in_rows(module, re.sub(r"\w+$", "absorb", path), 88, 4)
    return set().union(*(sets for bit, sets in enumerate(INSTRUCTION_SETS) if all(each >> bit & 1 for each in needs)))


def run_concretely(module, case, name, number, mutant=None):
    """Runs a case on numbers, without any prover: a check of the models and the executor."""
    terms.reset()
    constant = lambda name, width: terms.const(number(name, width), width)
    for run in case.concrete:
        wanted, got = run(Execution(module, lambda term: False, mutant, None, case.allowed), name, constant)
        if any(g is not w for w, g in zip(wanted, got, strict=True)):
            raise Fault(f"{case.name}: a wrong result for numbers")


def random_numbers(seed):
    rng = random.Random(seed)
    return lambda name, width: rng.getrandbits(width)


def numbers_of_sample(store, sample):
    """The value that each variable has in a sample."""

    def number(name, width):
        term = store.named.get(name) or store.terms.get((terms.VAR, (name,), width))
        return terms.values_of(term)[sample] if term else terms.sample_values(name, width)[sample]

    return number


def prove_case(module, case, name, prover, mutant=None):
    prove_zero = lambda term: prover.equal(term, terms.const(0, term.width))
    execution = Execution(module, prove_zero, mutant, prover.counts, case.allowed)
    try:
        case.prove(execution, name)
    except Again:
        return prove_case(module, case, name, prover, mutant)
    except Different:
        terms.reset(terms.STORE.find_equal, prover.found)
        return prove_case(module, case, name, prover, mutant)
    except Wrong as wrong:
        raise Wrong(f"{case.name}, {wrong}", wrong.sample) from None
    except Fault as fault:
        raise Fault(f"{case.name}, {fault}") from None
    return execution


def prove(job):
    path, names = job
    if len(names) > 1:
        return path, False, f"NOT PROVED: {len(names)} functions have this path"
    (name,), began = names, time.process_time()
    claimed = MESSAGES[path] if path in MESSAGES else claim(path, MODULE.machine)
    if claimed is None:
        return path, False, "NOT PROVED: kernels.py claims nothing of it"
    if claimed.lanes and lanes_of_rows(MODULE, path) != {claimed.lanes}:
        return path, False, f"NOT PROVED: it has {claimed.lanes} lanes, its rows say {lanes_of_rows(MODULE, path)}"
    for case in claimed.cases:
        case.allowed = allowed(MODULE, path)
    prover = Prover(LOG and LOG / path.removeprefix("hashmill::").replace("::", "."))
    count, asked, taken = 0, 0, set()
    try:
        for case in claimed.cases[::7]:
            run_concretely(MODULE, case, name, random_numbers(case.name))
        for case in claimed.cases:
            if case is claimed.cases[0] or not claimed.together:
                terms.reset(prover.equal, prover.found)
            before = len(terms.STORE.terms)
            execution = prove_case(MODULE, case, name, prover)
            count, taken = count + max(0, len(terms.STORE.terms) - before), taken | execution.ways
            asked += execution.control.queries
    except Fault as error:
        return path, False, f"NOT PROVED: {error}"
    except ir.Unknown as error:
        return path, False, f"NOT PROVED: no model of {error}"
    finally:
        prover.script.close()
        prover.counts.close()
    seconds = time.process_time() - began
    if claimed.fixed:
        cases = f"{len(claimed.cases)} of {claimed.summary}"
        text = f"{cases:32} {count:8} {prover.queries:5} {asked:6} {seconds:6.1f} s"
        return path, True, f"{text}  proved"
    every = ways(MODULE, name)
    through = f"{len(every & taken)}/{len(every)}"
    text = f"{claimed.summary:24} {through:>7} {count:8} {prover.queries:5} {asked:6} {seconds:6.1f} s"
    entered = {(function, target) for function, _, target in taken} | {(name, next(iter(MODULE.function(name).blocks)))}
    left = {(name, label, target) for name, label, target in every - taken if (name, label) in entered}
    found = Counter(decides(MODULE, *way) for way in left)
    excused = {condition: count for condition, (count, _) in claimed.unless.items()}
    if any(excused.get(condition) != count for condition, count in found.items()):
        lines = [f"\n    {condition}, {count} times" for condition, count in sorted(found.items())]
        return path, False, f"{text}  NOT PROVED: other ways are not taken than kernels.py excuses:{''.join(lines)}"
    needless = excused.keys() - found.keys() & {decides(MODULE, *way) for way in every}
    if needless:
        return path, False, f"{text}  NOT PROVED: kernels.py excuses a way that is taken: {' and '.join(needless)}"
    lines = [f"\n    not taken, because {claimed.unless[condition][1]}: {condition}, {count} times"
             for condition, count in sorted(found.items())]
    return path, True, f"{text}  proved{''.join(lines)}"


def refuse(job):
    """Whether a kernel is not proved, by what the program does and not for want of a model."""
    path, good, text = prove(job)
    return path, not good and "no model" not in text, text


def mutate(job):
    """Whether each of some changes to a kernel keeps it from being proved."""
    path, (name,) = job
    began = time.process_time()
    case, prover = mutants.case_for(claim(path, MODULE.machine).cases), Prover()
    terms.reset(prover.equal, prover.found)
    execution = prove_case(MODULE, case, name, prover)
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
    seconds = time.process_time() - began
    text = f"{len(chosen):8} {wrong:6} {faulty:6} {equivalent:10} {seconds:6.1f} s{''.join(lines)}"
    return path, wrong >= mutants.FEWEST, text


def judge(case, name, prover, mutant):
    """A wrong result must be wrong again when all is numbers: those of the sample or, because with these the program may
    take another path (a lane of Ascon that does not end), random ones.

    The samples decide first, without the solver: it makes one term only of those that agree on all samples, so a
    result that differs for one of them is not proved with it either. So the mutants of SM3 for AVX2 take 26 s; with
    the solver at once they did not end in nine minutes."""

    def is_wrong(numbers):
        try:
            run_concretely(MODULE, case, name, numbers, mutant)
        except Fault:
            return True
        return False

    random_runs = map(random_numbers, range(10))
    for find_equal in None, prover.equal:
        terms.reset(find_equal, prover.found)
        try:
            prove_case(MODULE, case, name, prover, mutant)
        except Wrong as wrong:
            numbers = [numbers_of_sample(terms.STORE, wrong.sample), *random_runs]
            return "wrong" if any(map(is_wrong, numbers)) else "its counterexample is none"
        except Fault as fault:
            if find_equal:
                return "faulty" if "not proved" not in str(fault) else str(fault)
    return "it was proved, and is wrong" if any(map(is_wrong, random_runs)) else "equivalent"


def main():
    global MODULE, MESSAGES, LOG
    parser = argparse.ArgumentParser(description="Proves that kernels are the standards; see README.md.")
    parser.add_argument("--mutants", action="store_true", help="instead: that what is wrong is not proved")
    parser.add_argument("--refuse", action="store_true", help="instead: that the kernels named are not proved")
    parser.add_argument("--messages", action="store_true", help="instead: whole messages, every case")
    parser.add_argument("--hardware", metavar="PROGRAM", help="hardware.rs, to compare the models with this CPU")
    parser.add_argument("--log", metavar="DIRECTORY", help="writes the solver's queries there, as SMT-LIB scripts")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32), help="of the samples")
    parser.add_argument("module", help="the library in LLVM's intermediate language")
    parser.add_argument("name", nargs="*", help="a part of a kernel's path")
    options = parser.parse_intermixed_args()
    terms.SEED = options.seed
    print(f"the samples are those of --seed {options.seed}", flush=True)
    print(f"the transcriptions of the standards agree with {spec_test.check()} answers", flush=True)
    MODULE = ir.Module(open(options.module).read())
    LOG = options.log and pathlib.Path(options.log)
    if LOG:
        LOG.mkdir(parents=True, exist_ok=True)
    if options.hardware:
        compared, lacking = hardware.compare(options.hardware, MODULE.machine)
        print(f"the models of {compared} instructions agree with this CPU; it lacks: {', '.join(lacking) or 'none'}")
    jobs = [
        (path, names) for path, names in kernels(MODULE).items()
        if not options.name or any(part in path for part in options.name)
    ]
    MESSAGES = {}
    if MODULE.machine == "x86_64" and not options.mutants:
        jobs = [] if options.messages else jobs
        every = options.messages or options.refuse
        for path, name, claimed in messages.claims(MODULE):
            if not options.name or any(part in path for part in options.name):
                MESSAGES[path] = claimed if every else replace(claimed, cases=claimed.cases[::SOME])
                jobs.append((path, [name]))
    if options.refuse:
        jobs = [(path, names) for path, names in jobs if path.removeprefix("hashmill::") in options.name]
        if len(jobs) != len(options.name):
            sys.exit(f"not every one of {' '.join(options.name)} is a kernel or takes a message")
    work = mutate if options.mutants else refuse if options.refuse else prove
    failed = []
    with multiprocessing.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        refused, modelled = pool.apply(constructs_test.check)
        print(f"{refused} constructs of the language are refused by name, {modelled} have a model", flush=True)
        print(f"the executor is not deceived by {pool.apply(execute_test.check)} programs", flush=True)
        print(HEADER[options.mutants], flush=True)
        for path, good, text in pool.imap_unordered(work, jobs, chunksize=1):
            print(f"{path.replace('hashmill::', ''):48} {text}", flush=True)
            if not good:
                failed.append(path)
    if failed or not jobs:
        sys.exit(f"failed: {', '.join(failed) or 'there is no such kernel'}")
    print(f"{len(jobs)} kernels {'with mutants' if options.mutants else 'refused' if options.refuse else 'proved'}")


HEADER = {
    False: f"{'kernel':48} {'for any state, message':24} {'ways':>7} {'terms':>8} {'data':>5} {'counts':>6} {'time':>8}",
    True: f"{'kernel':48} {'mutants':>8} {'wrong':>6} {'faulty':>6} {'equivalent':>10} {'time':>8}",
}


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    main()
