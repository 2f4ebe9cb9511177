"""python -m hashmill columns beside the same job with hashlib in a Python UDF of DataFusion.

    pip install 'hashmill[columns]' datafusion && python bench/job.py [ROWS] [ROUNDS]

Both read a Parquet file of 29-byte addresses and numbers, put SHA-256 in the place of the addresses, and write a
Parquet file. They take turns; a figure is the least of a round, of a process with its start. Beside the time that passes there is the time of the
processor, which other programs do not lengthen.
"""

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time

import pyarrow
import pyarrow.parquet

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5

HASHLIB = """
import datafusion, hashlib, pyarrow, sys
def hashed(values):
    return pyarrow.array([None if it is None else hashlib.sha256(it.encode()).DIGEST() for it in values.to_pylist()], KIND)
context = datafusion.SessionContext()
frame = context.read_parquet(sys.argv[1])
kind = frame.schema().field("email").type
udf = datafusion.udf(hashed, [kind], KIND, "immutable", "hashed")
frame = frame.select(datafusion.col("id"), udf(datafusion.col("email")).alias("email"))
frame.write_parquet(sys.argv[2], compression="zstd", compression_level=1)
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        path, least = os.path.join(folder, "people.parquet"), {}
        with pyarrow.parquet.ParquetWriter(path, pyarrow.schema([("id", "int64"), ("email", "string")])) as writer:
            for start in range(0, ROWS, 1 << 20):
                numbers = range(start, min(start + (1 << 20), ROWS))
                writer.write_table(pyarrow.table({"id": numbers, "email": [f"user{i:011}@example.net." for i in numbers]}))
        theirs, ours = os.path.join(folder, "theirs.parquet"), os.path.join(folder, "ours")
        columns = ["-m", "hashmill", "columns", path, "--hash", "email=sha256", "-o", ours, "--overwrite"]
        commands = {
            "hashlib, hex": ["-c", HASHLIB.replace("DIGEST", "hexdigest").replace("KIND", "pyarrow.string()"), path, theirs],
            "hashmill, hex": columns,
            "hashlib, binary": ["-c", HASHLIB.replace("DIGEST", "digest").replace("KIND", "pyarrow.binary(32)"), path, theirs],
            "hashmill, binary": [*columns, "--output", "binary"],
        }
        for _ in range(ROUNDS):
            for name, command in commands.items():
                subprocess.run(["rm", "-rf", theirs], check=True)
                start, before = time.perf_counter(), processor()
                subprocess.run([sys.executable, *command], check=True, stderr=subprocess.DEVNULL)
                now = (time.perf_counter() - start, processor() - before)
                least[name] = tuple(map(min, now, least.get(name, now)))
                checked(theirs if "hashlib" in name else os.path.join(ours, "people.parquet"), "binary" in name)
        for name, (wall, cpu) in least.items():
            first = least[name.replace("hashmill", "hashlib")]
            ratios = f"{first[0] / wall:6.2f} times{cpu:8.2f} s of CPUs{first[1] / cpu:6.2f} times"
            print(f"{name:18}{wall:7.2f} s{ROWS / wall / 1e6:6.2f} M rows/s{ratios}")


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def checked(path, binary):
    """Each does what is claimed."""
    table = pyarrow.parquet.ParquetFile(path).read_row_group(0, columns=["id", "email"]).slice(0, 1)
    want = hashlib.sha256(f"user{table['id'][0].as_py():011}@example.net.".encode())
    assert table["email"][0].as_py() == (want.digest() if binary else want.hexdigest())


main()
