"""A manifest of many objects of 1 KiB in a local S3 server: the CPU time of hashmill and of the server, apart.

    python bench/objects.py VERSITYGW FOLDER [OBJECTS] [ROUNDS]

VERSITYGW is the program versitygw (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0). The objects are files in
FOLDER/store, 4 KiB of disk each, in folders of 1,000; 1,000,000 if no number is given. They are made if FOLDER/store is not
there, and stay. Each round is a process `python -m hashmill manifest`, whose CPU time includes its start.
"""

import contextlib
import os
import pathlib
import resource
import socket
import subprocess
import sys
import time

import hashmill
import pyarrow.parquet

PROGRAM = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OBJECTS = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 1
SIZE = 1024
KEYS = {"ROOT_ACCESS_KEY": "root-of-the-bench", "ROOT_SECRET_KEY": "secret-of-the-bench"}


def content(i):
    return b"%-1024d" % i


def fill(bucket):
    for i in range(OBJECTS):
        if i % 1000 == 0:
            folder = bucket / f"{i // 1000:04}"
            folder.mkdir()
        (folder / f"{i:07}").write_bytes(content(i))


@contextlib.contextmanager
def server(folder):
    """The port of versitygw over a directory, and its process."""
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        port = it.getsockname()[1]
    command = [PROGRAM, "--port", f"127.0.0.1:{port}", "--quiet", "--keep-alive", "posix", str(folder)]
    process = subprocess.Popen(command, env={**os.environ, **KEYS}, stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port, process
    finally:
        process.terminate()
        process.wait()


def cpu_of(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one(port, process, output):
    """Prints the line of a round."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        "AWS_ACCESS_KEY_ID": KEYS["ROOT_ACCESS_KEY"], "AWS_SECRET_ACCESS_KEY": KEYS["ROOT_SECRET_KEY"],
        "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
    }  # fmt: skip
    begin, ours, theirs = time.perf_counter(), cpu_of_children(), cpu_of(process)
    command = [sys.executable, "-m", "hashmill", "manifest", "s3://bucket", "-o", str(output)]
    subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    ours, theirs = cpu_of_children() - ours, cpu_of(process) - theirs
    each = [it / OBJECTS * 1e6 for it in (ours, theirs)]
    print(f"{seconds:.1f} s; of CPU an object: hashmill {each[0]:.1f} µs, versitygw {each[1]:.1f} µs", flush=True)


def check(output):
    found = b"".join(pyarrow.parquet.read_table(output, columns=["sha256"])["sha256"].to_pylist())
    assert found == bytes(hashmill.hash_many([content(i) for i in range(OBJECTS)], "sha256"))


def main():
    store, output = FOLDER / "store", FOLDER / "manifest.parquet"
    if not store.exists():
        (store / "bucket").mkdir(parents=True)
        fill(store / "bucket")
    print(f"{OBJECTS} objects of {SIZE} bytes", flush=True)
    with server(store) as (port, process):
        for _ in range(ROUNDS):
            output.unlink(missing_ok=True)
            one(port, process, output)
            check(output)


main()
