"""What a manifest of an object store costs this machine's processor: seconds of CPU, not of waiting.

    python bench/stores.py s3://bucket/small s3://bucket/large      # and what AWS_* variables the store needs

For each URL, least of three: CPU and time to list it, to record it with each algorithm, and to find it unchanged; then the
size of the manifest. The store's own work counts where it runs elsewhere as time only.
"""

import contextlib
import io
import os
import sys
import tempfile
import time

import pyarrow.parquet
from hashmill.__main__ import main
from hashmill.manifest import stores

ROUNDS = 3
ALGORITHMS = ("sha256", "sha3_256", "blake2b", "kt128")


def measured(work):
    """CPU and time of the round that took the least CPU."""
    rounds = []
    for _ in range(ROUNDS):
        cpu, begun = time.process_time(), time.perf_counter()
        work()
        rounds.append((time.process_time() - cpu, time.perf_counter() - begun))
    return min(rounds)


def manifest(url, output, *arguments):
    with contextlib.redirect_stderr(io.StringIO()) as said:
        status = main(["manifest", url, "-o", output, *arguments])
    if status:
        sys.exit(said.getvalue())


def table(url, folder):
    output = os.path.join(folder, "manifest.parquet")
    listed = [it for page in stores.opened(url, stores.Options()).pages() for it in page]
    count, size = len(listed), sum(it.size for it in listed)

    def line(what, cpu, seconds):
        each = f"{cpu / count * 1e6:8.1f} µs CPU an object, {count / seconds:8.0f} objects/s"
        print(f"{what:12} {each}; {cpu / size * 1e9:8.3f} s CPU a GB, {size / seconds / 1e9:6.3f} GB/s", flush=True)

    def fresh(algorithm):
        if os.path.exists(output):
            os.unlink(output)
        manifest(url, output, "-a", algorithm)

    print(f"{url}: {count} objects, {size} bytes")
    line("list", *measured(lambda: list(stores.opened(url, stores.Options()).pages())))
    for algorithm in ALGORITHMS:
        line(algorithm, *measured(lambda: fresh(algorithm)))
    line("unchanged", *measured(lambda: manifest(url, output, "-a", ALGORITHMS[-1])))
    rows = pyarrow.parquet.read_metadata(output).num_rows
    print(f"{os.path.getsize(output) / rows:.1f} bytes of manifest a row")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for url in sys.argv[1:]:
            table(url, folder)
