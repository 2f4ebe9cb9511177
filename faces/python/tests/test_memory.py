"""Lengths for which there is no memory are a MemoryError, and the process goes on."""

import pathlib
import resource
import subprocess
import sys

import pyarrow
import pytest
from hashmill import arrow

# The limit of the address space is 192 MiB more than the process has: enough for a digest of 100 MiB, and not for its
# digits.
LIMITED = """
import resource
import hashmill

pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (192 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

def refused(call):
    try:
        call()
    except MemoryError:
        return
    raise AssertionError("there was enough memory")

for length in (100 << 20, 1 << 31, 1 << 40):
    for name in ("shake_128", "kt128"):
        hasher = getattr(hashmill, name)(b"abc")
        refused(lambda: hasher.hexdigest(length))
        if length > 100 << 20:
            refused(lambda: hasher.digest(length))
    refused(lambda: hashmill.kmac256(b"key").hexdigest(length))
    refused(lambda: hashmill.blake2xb(b"abc").hexdigest(length))
refused(lambda: hashmill.blake2xb(b"abc", length=(1 << 32) - 2).digest())
refused(lambda: hashmill.shake_128(b"abc").hexdigest(1 << 62))
refused(lambda: hashmill.pbkdf2_hmac("sha256", b"p", b"s", 1, dklen=(1 << 31) - 1))
print(hashmill.shake_128(b"").hexdigest(4))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and a limit of the address space")
def test_no_memory():
    assert resource.getrlimit(resource.RLIMIT_AS)
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7f9c2ba4\n", "")


def large_pages_are_possible():
    try:
        return "[never]" not in pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not large_pages_are_possible(), reason="the system has no large pages")
def test_a_long_output_has_large_pages():
    """64 MB of digits have 15,625 small pages, each with a fault that takes as long as a few digests."""
    column = pyarrow.array([f"{i}@example.org" for i in range(1_000_000)])

    def faults():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        arrow.sha256(column, output="hex")
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    # The system may have no large page free at one moment.
    assert min(faults() for _ in range(5)) < 8_000
