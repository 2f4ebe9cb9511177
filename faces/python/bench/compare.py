"""hashmill beside hashlib, DataFusion and polars-hash.

    pip install -r bench/requirements.txt
    python bench/compare.py [--rounds N] [--json FILE] [WORD…]

Each line is a task that ours and theirs do in turn, in rounds, so that what else the machine does touches both. A figure is
the least time of a round; the ratio is theirs through ours. WORDs choose lines that contain one of them. --json writes
the rounds for pyperf: `python -m pyperf show FILE`, `python -m pyperf compare_to`.
"""

import argparse
import hashlib
import random
import time

import hashmill
import pyarrow
import pyperf
from hashmill import arrow

RNG = random.Random(2)


def tasks():
    """Name, target, how many items, ours, theirs."""
    names = ["sha224", "sha256", "sha384", "sha512", "sha3_256", "sha3_512", "blake2b", "blake2s", "shake_128"]
    one = hashmill.digest
    for name in names:
        ours, theirs = getattr(hashmill, name), getattr(hashlib, name)
        length = (32,) if name.startswith("shake") else ()
        data = RNG.randbytes(32)
        if not length:
            target = 3.0 if name == "sha256" else 1.0
            yield f"one call, {name}, 32 B", target, 1, lambda d=data, n=name: one(n, d), lambda d=data, c=theirs: c(d).digest()
        for size in (0, 32, 64, 200, 1000, 8192, 1 << 20):
            data = RNG.randbytes(size)
            # Arguments that are unpacked would take longer than a short message.
            calls = [(lambda d=data, c=c: c(d).digest(32)) if length else (lambda d=data, c=c: c(d).digest()) for c in (ours, theirs)]
            yield f"object, {name}, {size} B", 2.0 if size == 32 and name == "sha256" else 1.0, 1, *calls
    sha256 = hashlib.sha256
    messages = [RNG.randbytes(29) for _ in range(5_000)]
    yield "hash_many of 29 B, sha256", 6.0, 5_000, lambda: hashmill.hash_many(messages), lambda: [sha256(it).digest() for it in messages]
    # Short enough that some round is not disturbed.
    count = 10_000
    texts = [f"user{i:012}@example.org" for i in range(count)]
    assert len(texts[0]) == 28
    texts = [it + "x" for it in texts]
    column = pyarrow.array(texts)
    yield "column of 29 B, sha256", 15.0, count, lambda: arrow.sha256(column), lambda: by_hashlib(column)
    yield (
        "column of 29 B, sha256 in hex", 15.0, count, lambda: arrow.sha256(column, output="hex"),
        lambda: by_hashlib(column, hexadecimal=True),
    )  # fmt: skip
    yield from engines("29 B", column, count)
    ragged = {
        "8 to 47 B": [RNG.randrange(8, 48) for _ in range(count)],
        "median 100 B": [min(2000, int(RNG.lognormvariate(4.6, 1))) for _ in range(count)],
    }
    for what, lengths in ragged.items():
        column = pyarrow.array(["x" * length for length in lengths])
        yield f"column of {what}, sha256", 8.0, count, lambda c=column: arrow.sha256(c), lambda c=column: by_hashlib(c)
        yield from engines(what, column, count)


def by_hashlib(column, hexadecimal=False):
    """A column of digests of a column, as one writes it with hashlib."""
    sha256 = hashlib.sha256
    if hexadecimal:
        return pyarrow.array([sha256(it.encode()).hexdigest() for it in column.to_pylist()])
    return pyarrow.array([sha256(it.encode()).digest() for it in column.to_pylist()], pyarrow.binary(32))


def engines(what, column, count):
    """What has SHA-256 of a column of its own, each with the form of result that it gives."""
    try:
        import datafusion
    except ImportError:
        print("left out: datafusion, which is not installed")
    else:
        context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
        context.register_record_batches("t", [[pyarrow.record_batch({"x": column})]])
        frame = context.sql("select sha256(x) from t")
        yield f"column of {what}, sha256, DataFusion", 2.5 if what == "29 B" else 1.0, count, lambda: arrow.sha256(column), frame.collect
    try:
        import polars
        import polars_hash  # noqa: F401
    except ImportError:
        print("left out: polars-hash, which is not installed")
    else:
        data = polars.DataFrame({"x": column})
        expression = polars.col("x").chash.sha2_256()
        series = data["x"]
        yield (
            f"column of {what}, sha256 in hex, polars-hash", 5.0 if what == "29 B" else 1.0, count, lambda: arrow.sha256(series, output="hex"),
            lambda: data.select(expression),
        )  # fmt: skip


def calibrate(call):
    """How many calls take a millisecond or more."""
    calls = 1
    while timed(call, calls) < 1e-3:
        calls *= 2
    return calls


def timed(call, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json")
    options = parser.parse_args()
    benchmarks, missed = [], 0
    print(f"{'':48} {'ours':>10} {'theirs':>10} {'ratio':>7} {'target':>7}")
    for name, target, items, ours, theirs in tasks():
        if options.words and not any(word in name for word in options.words):
            continue
        calls = calibrate(theirs)
        rounds = [(timed(ours, calls), timed(theirs, calls)) for _ in range(options.rounds)]
        times = [[pair[i] / calls / items for pair in rounds] for i in (0, 1)]
        for values, whose in zip(times, ("hashmill", "theirs")):
            metadata = {"name": f"{name}, {whose}", "inner_loops": calls}
            benchmarks.append(pyperf.Benchmark([pyperf.Run(values, metadata=metadata, collect_metadata=False)]))
        least = [min(values) * 1e9 for values in times]
        ratio = least[1] / least[0]
        missed += ratio < target
        mark = "" if ratio >= target else "  missed"
        print(f"{name:48} {least[0]:8.1f}ns {least[1]:8.1f}ns {ratio:6.2f}× {target:6.1f}×{mark}", flush=True)
    print(f"{missed} missed")
    if options.json:
        pyperf.BenchmarkSuite(benchmarks).dump(options.json, replace=True)


if __name__ == "__main__":
    main()
