"""The functions inside DuckDB, DataFusion and polars beside the functions that these have without hashmill.

    pip install -r bench/requirements.txt . ./datafusion && cargo xtask duckdb .
    python bench/native.py [EXTENSION] [ROWS] [ROUNDS]

EXTENSION is hashmill.duckdb_extension, in this folder if it is not given. Each engine hashes the same 29-byte addresses
in memory, on one thread. The queries take turns, and a figure is the least time of all rounds. DuckDB's queries add up
the lengths of the digests, which takes the time of the row "length" without a hash. DataFusion's queries return the
digests, from batches of 8,192 rows, its own size; they are planned in each round.
"""

import hashlib
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"

import datafusion
import duckdb
import hashmill_datafusion
import polars
import polars_hash
import pyarrow
from hashmill import polars as hm

EXTENSION = sys.argv[1] if len(sys.argv) > 1 else "./hashmill.duckdb_extension"
ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 15


def main():
    emails = [f"user{i:011}@example.net." for i in range(ROWS)]
    want = hashlib.sha256(emails[-1].encode())
    connection = duckdb.connect(config={"allow_unsigned_extensions": True, "threads": 1})
    connection.load_extension(EXTENSION)
    table = pyarrow.table({"email": emails})
    connection.register("given", table)
    connection.execute("create table people as select email from given").fetchall()
    frame = polars.DataFrame(table)
    column = polars.col("email")

    def sql(expression, length="strlen"):
        return lambda: connection.execute(f"select sum({length}({expression})) from people").fetchall()

    def select(expression):
        return lambda: frame.select(expression)

    config = datafusion.SessionConfig().with_target_partitions(1)
    context = datafusion.SessionContext(config)
    context.register_record_batches("people", [table.to_batches(max_chunksize=8192)])
    hashmill_datafusion.register(context)

    def collect(expression):
        return lambda: context.sql(f"select {expression} as h from people").collect()

    queries = {
        "DuckDB, length": sql("email"),
        "DuckDB, sha256": sql("sha256(email)"),
        "DuckDB, hm_sha256": sql("hm_sha256(email)"),
        "DuckDB, unhex(sha256)": sql("unhex(sha256(email))", "octet_length"),
        "DuckDB, hm_sha256_binary": sql("hm_sha256_binary(email)", "octet_length"),
        "DataFusion, encode(sha256)": collect("encode(sha256(email), 'hex')"),
        "DataFusion, hm_sha256": collect("hm_sha256(email)"),
        "DataFusion, sha256": collect("sha256(email)"),
        "DataFusion, hm_sha256_binary": collect("hm_sha256_binary(email)"),
        "polars, polars_hash": select(polars_hash.col("email").chash.sha2_256()),
        "polars, hex": select(hm.hash_column(column)),
        "polars, binary": select(hm.hash_column(column, output="binary")),
    }
    for query, digest in (("hm_sha256(email)", want.hexdigest()), ("hm_sha256_binary(email)", want.digest())):
        found = connection.execute(f"select {query} from people where email = '{emails[-1]}'").fetchall()
        assert found == [(digest,)]
    for query, digest in (("encode(sha256)", want.hexdigest()), ("hm_sha256", want.hexdigest()), ("sha256", want.digest()), ("hm_sha256_binary", want.digest())):
        assert queries[f"DataFusion, {query}"]()[-1]["h"][-1].as_py() == digest
    assert queries["polars, polars_hash"]()["email"][-1] == queries["polars, hex"]()["email"][-1] == want.hexdigest()
    assert queries["polars, binary"]()["email"][-1] == want.digest()
    least = dict.fromkeys(queries, float("inf"))
    for _ in range(ROUNDS):
        for name, run in queries.items():
            begin = time.perf_counter()
            run()
            least[name] = min(least[name], time.perf_counter() - begin)
    for name, seconds in least.items():
        print(f"{name:30}{seconds / ROWS * 1e9:8.1f} ns a row")
    for ours, theirs in (
        ("DuckDB, hm_sha256", "DuckDB, sha256"),
        ("DuckDB, hm_sha256_binary", "DuckDB, unhex(sha256)"),
        ("DataFusion, hm_sha256", "DataFusion, encode(sha256)"),
        ("DataFusion, hm_sha256_binary", "DataFusion, sha256"),
        ("polars, hex", "polars, polars_hash"),
        ("polars, binary", "polars, polars_hash"),
    ):
        print(f"{ours} is {least[theirs] / least[ours]:.2f} times as fast as {theirs}")


main()
