"""python -m hashmill columns beside the same job with DuckDB, polars-hash, and hashlib in a Python UDF of DataFusion.

    pip install -r bench/requirements.txt '.[columns]' && python bench/job.py [ROWS] [ROUNDS]

All read a Parquet file of 29-byte addresses and numbers, put SHA-256 in the place of the addresses, and write a Parquet
file. They take turns; a figure is the least of a round, of a process with its start. Beside the time that passes there
are the time of the processor, which other programs do not lengthen, and the largest memory of a round.
"""

import hashlib
import os
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


DUCKDB = """
import duckdb, sys
duckdb.sql(f"copy (select id, EXPRESSION as email from '{sys.argv[1]}') to '{sys.argv[2]}' (format parquet)")
"""

# polars-hash has no function that returns bytes.
POLARS = """
import polars, polars_hash, sys
hashed = polars_hash.col("email").chash.sha2_256()
polars.scan_parquet(sys.argv[1]).with_columns(hashed).sink_parquet(sys.argv[2])
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
            "DuckDB, hex": ["-c", DUCKDB.replace("EXPRESSION", "sha256(email)"), path, theirs],
            "polars-hash, hex": ["-c", POLARS, path, theirs],
            "hashmill, hex": columns,
            "hashlib, binary": ["-c", HASHLIB.replace("DIGEST", "digest").replace("KIND", "pyarrow.binary(32)"), path, theirs],
            "DuckDB, binary": ["-c", DUCKDB.replace("EXPRESSION", "unhex(sha256(email))"), path, theirs],
            "hashmill, binary": [*columns, "--output", "binary"],
        }
        for _ in range(ROUNDS):
            for name, command in commands.items():
                subprocess.run(["rm", "-rf", theirs, ours], check=True)
                now = measured(command)
                least[name] = tuple(map(min, now, least.get(name, now)))
                checked(os.path.join(ours, "people.parquet") if "hashmill" in name else theirs, "binary" in name)
        for name, (wall, cpu, memory) in least.items():
            first = least["hashmill," + name.partition(",")[2]]
            figures = f"{wall:7.2f} s{ROWS / wall / 1e6:6.2f} M rows/s{cpu:8.2f} s of CPUs{memory / 1024:7.0f} MiB"
            print(f"{name:18}{figures}; hashmill takes {first[0] / wall:.2f} of the time, {first[1] / cpu:.2f} of the CPUs")


def measured(command):
    """The seconds that pass, the seconds of the processors, and the KiB of a process."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss


def checked(path, binary):
    """Each does what is claimed."""
    table = pyarrow.parquet.ParquetFile(path).read_row_group(0, columns=["id", "email"]).slice(0, 1)
    want = hashlib.sha256(f"user{table['id'][0].as_py():011}@example.net.".encode())
    assert table["email"][0].as_py() == (want.digest() if binary else want.hexdigest())


main()
