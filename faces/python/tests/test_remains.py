"""No key stays in memory: a process uses a key in every way, drops it, and another one searches its memory.

The key comes and goes in a bytearray, so that only the package can have copied it."""

import os
import subprocess
import sys

import pytest

# Each use of a key of 32 bytes, a bytearray.
USES = {
    "hmac_new": "hmac.new(key, b'message', 'sha256').digest()",
    "hmac_new in parts": "h = hmac.new(key, digestmod='sha512'); h.update(bytes(300)); h.copy().digest()",
    "hmac_new sha3": "hmac.new(key, b'message', 'sha3_256').hexdigest()",
    "hmac_new blake2bp": "hmac.new(key, b'message', 'blake2bp').hexdigest()",
    "hmac_prepare": "hmac.prepare(key, 'sha256').copy().finish(b'message')",
    "hmac_digest": "hmac.digest(key, b'message', 'sha256')",
    "blake2b": "hashmill.blake2b(b'message', key=key).digest()",
    "blake2s": "hashmill.blake2s(bytes(100), key=key).copy().digest()",
    "blake2b in parts": "h = hashmill.blake2b(key=key); h.update(b'message'); h.copy().digest()",
    "blake2bp": "hashmill.blake2bp(b'message', key=key).digest()",
    "blake2sp": "hashmill.blake2sp(b'message', key=key).digest()",
    "blake2xb": "hashmill.blake2xb(b'message', key=key, length=100).digest()",
    "blake2xb in parts": "h = hashmill.blake2xb(key=key); h.update(b'message'); h.copy().hexdigest(70)",
    "blake2xs": "hashmill.blake2xs(bytes(100), key=key).reader().read(100)",
    "blake3": "hashmill.blake3(b'message', key=key).digest()",
    "blake3 in parts": "h = hashmill.blake3(key=key); h.update(bytes(100)); h.copy().hexdigest(100, seek=7)",
    "blake3 reset": "h = hashmill.blake3(bytes(3000), key=key); h.reset(); h.digest()",
    "kmac128": "hashmill.kmac128(key, b'message').digest(32)",
    "kmac256": "hashmill.kmac256(key, b'message', xof=True).copy().digest(32)",
    "hash_many": "hashmill.hash_many([b'message'] * 40, 'sha256', key=key).hex()",
    "hash_many on threads": "hashmill.hash_many([bytes(1000)] * 4000, 'sha512', key=key, threads=2).hex()",
    "hash_many kmac": "hashmill.hash_many([b'message'] * 40, 'kmac128', key=key).hex()",
    "hash_many blake3": "hashmill.hash_many([b'message'] * 40, 'blake3', key=key).hex()",
    "polars": "from hashmill import polars; polars._hashmill._plugin_options('sha256', key, 'hex', None, 1, None)",
    "hkdf": "hashmill.hkdf(key, 64, salt=b'salt', info=b'info')",
    "hkdf_extract": "hashmill.hkdf_extract(key, salt=b'salt')",
    "hkdf_expand": "hashmill.hkdf_expand(key, 64, info=b'info')",
    "pbkdf2_hmac": "hashmill.pbkdf2_hmac('sha256', key, b'salt', 3)",
}

CHILD = """
import sys
import hashmill
from hashmill import hmac

def use(key):
    USE

key = bytearray(32)
warm = bytes(32)
use(warm)
with open(0, "rb", buffering=0) as keys:
    keys.readinto(key)
    use(key)
    for i in range(32):
        key[i] = 0
    print(flush=True)
    keys.read(1)
"""


def places(process, secrets):
    """The places of the secrets in all memory that a process can write."""
    found = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            bounds, access, *_, name = [*line.split(), ""][:7]
            if not access.startswith("rw"):
                continue
            start, end = (int(bound, 16) for bound in bounds.split("-"))
            memory.seek(start)
            content = memory.read(end - start)
            found += [f"{what} at {content.index(part):#x} of {line}" for what, part in secrets if part in content]
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")
@pytest.mark.parametrize("use", USES)
def test_no_key_remains(use):
    key = os.urandom(32)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.replace("USE", USES[use])], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        child.stdin.write(key)
        child.stdin.flush()
        assert child.stdout.readline() == b"\n"
        secrets = [
            (f"{what}, byte {at}", bytes(byte ^ pad for byte in key[at : at + 8]))
            for what, pad in {"key": 0, "inner": 0x36, "outer": 0x5C}.items()
            for at in range(0, 32, 8)
        ]
        assert places(child.pid, secrets) == []
        child.stdin.close()
