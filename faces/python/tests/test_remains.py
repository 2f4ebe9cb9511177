"""No key stays in memory: a process uses a key in every way, drops it, and another one searches its memory.

The key comes and goes in a bytearray, so that only the package can have copied it."""

import os
import re
import subprocess
import sys

import hashmill
import numpy
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

# Each object that a key makes, with the methods that only some objects have.
OBJECTS = {
    "HMAC": ("hashmill._hashmill.hmac_new(key, b'', digestmod='sha256')", "HMAC"),
    "HMAC, sha3": ("hashmill._hashmill.hmac_new(key, b'', digestmod='sha3_256')", "HMAC"),
    "HMAC, blake2s": ("hashmill._hashmill.hmac_new(key, b'', digestmod='blake2s')", "HMAC"),
    "blake2b": ("hashmill.blake2b(key=key)", "HASH"),
    "blake2s": ("hashmill.blake2s(key=key)", "HASH"),
    "blake2bp": ("hashmill.blake2bp(key=key)", "HASH"),
    "blake2sp": ("hashmill.blake2sp(key=key)", "HASH"),
    "blake3": ("hashmill.blake3(key=key)", "BLAKE3"),
    "blake2xb": ("hashmill.blake2xb(key=key)", "XOF"),
    "blake2xs": ("hashmill.blake2xs(key=key)", "XOF"),
    "kmac128": ("hashmill.kmac128(key)", "KMAC"),
    "kmac256": ("hashmill.kmac256(key, xof=True)", "KMACXOF"),
}

# The last call with an object `h`; `made` keeps what it returned, if this is an object.
LAST = {
    "nothing": "pass",
    "update": "h.update(more)",
    "a long update": "h.update(long)",
    "update with no bytes": "fails(h.update, 7)",
    "digest": "h.digest()",
    "hexdigest": "h.hexdigest()",
    "copy": "made = h.copy()",
    "a pickle": "fails(pickle.dumps, h)",
    "its fields": "(h.name, h.digest_size, h.block_size, repr(h))",
}
EXPORTS = {
    "export_state": "overwrite(h.export_state())",
    "import_state": "made = hashmill.import_state(state)",
    "import_state with an argument": "fails(hashmill.import_state, state, xof=True, customization=b'x')",
    "import of a damaged state": "state[-1] ^= 1; fails(hashmill.import_state, state)",
    "digest after an import": "hashmill.import_state(state).digest()",
    "update after an import": "hashmill.import_state(state).update(more)",
    "export_keyed": "overwrite(h.export_keyed(b'k'))",
    "import_keyed": "keyed = h.export_keyed(b'k'); made = hashmill.import_keyed(keyed, b'k'); overwrite(keyed)",
    "a wrong import_keyed": "fails(hashmill.import_keyed, state, b'k')",
    "export_keyed without a key": "fails(h.export_keyed)",
    "export_state after an import": "overwrite(hashmill.import_state(state).export_state())",
}
LENGTHS = {
    "digest of a length": "h.digest(100)",
    "hexdigest of a length": "h.hexdigest(100)",
    "digest of a negative length": "fails(h.digest, -1)",
    "digest of too great a length": "fails(h.digest, 1 << 62)",
}
READS = {
    "reader": "made = h.reader()",
    "read": "h.reader().read(30)",
    "a read of a negative length": "fails(h.reader().read, -1)",
    "reads": "r = h.reader(); r.read(3); r.read(20)",
    "a pickle of the reader": "fails(pickle.dumps, h.reader())",
    "reader after an import": "made = hashmill.import_state(state).reader()",
}
CALLS = {
    "HMAC": LAST | {"finish": "h.finish(more)", "a long finish": "h.finish(long)", "a wrong finish": "fails(h.finish, 7)"},
    "HASH": LAST | EXPORTS | {"digest with a length": "fails(h.digest, 7)"},
    "BLAKE3": LAST | EXPORTS | LENGTHS | {
        "a seek": "h.digest(10, seek=77)",
        "a negative seek": "fails(h.digest, seek=-1)",
        "reset": "h.reset()",
        "update_mmap": "h.update_mmap(hashmill.__file__)",
        "update_mmap of no file": "fails(h.update_mmap, '/nowhere')",
    },
    "KMAC": LAST | EXPORTS | LENGTHS | {"no reader": "fails(h.reader)"},
    "KMACXOF": LAST | EXPORTS | LENGTHS | READS
    | {"reader after an import": "made = hashmill.import_state(state, xof=True).reader()"},
    "XOF": LAST | EXPORTS | LENGTHS | READS,
}  # fmt: skip

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

CALLER = """
import ctypes
import pickle
import hashmill

HEAD = bytes.__basicsize__ - 1

def overwrite(secret):
    ctypes.memset(id(secret) + HEAD, 0, len(secret))

def fails(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except Exception:
        return
    raise AssertionError("no error")

more, long = bytes(300), bytes(5000)
calls = CALLS
with open(0, "rb", buffering=0) as given:
    for call in calls:
        body = f"h = OBJECT\\nh.update(more)\\nkey[:] = bytes(32)\\n{call}"
        names = {"hashmill": hashmill, "pickle": pickle, "fails": fails, "overwrite": overwrite, "more": more, "long": long}
        compiled = compile(body, "call", "exec")
        # Twice: the first time what Python and the linker do once is done.
        for _ in range(2):
            key, state = bytearray(32), bytearray(LEN)
            given.readinto(key)
            if state:
                given.readinto(state)
            names |= {"key": key, "state": state, "made": None}
            exec(compiled, names)
            # What holds a key or a state on purpose is gone, so all that is left is a copy.
            names["made"] = names["h"] = names["r"] = None
            state[:] = bytes(len(state))
        print(flush=True)
        given.read(1)
"""


def writable(process):
    """The memory that a process can write, with the line of each part in /proc/…/maps."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            bounds, access, *_ = line.split()
            if access.startswith("rw"):
                start, end = (int(bound, 16) for bound in bounds.split("-"))
                memory.seek(start)
                yield line, memory.read(end - start)


def places(process, secrets):
    """The places of the secrets in all memory that a process can write."""
    return [
        f"{what} at {content.index(part):#x} of {line}"
        for line, content in writable(process)
        for what, part in secrets
        if part in content
    ]


def parts(key):
    """Each 8 bytes of a key, and of the key with HMAC's pads."""
    return [
        (f"{what}, byte {at}", bytes(byte ^ pad for byte in key[at : at + 8]))
        for what, pad in {"key": 0, "inner": 0x36, "outer": 0x5C}.items()
        for at in range(0, 32, 8)
    ]


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
        assert places(child.pid, parts(key)) == []
        child.stdin.close()


def states(make, key, messages):
    """The states of an object after each message, or nothing if it exports none."""
    found = []
    for message in messages:
        hasher = eval(make, {"hashmill": hashmill, "key": key})
        hasher.update(message)
        if hasattr(hasher, "export_state"):
            found.append(hasher.export_state())
    return found


def words(state, other):
    """All 8 bytes in a row of a state that depend on the key: at least six differ from those with another key."""
    ends = range(2, len(state) - 15)
    return {state[at : at + 8] for at in ends if sum(state[i] != other[i] for i in range(at, at + 8)) >= 6}


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")
@pytest.mark.parametrize("name", OBJECTS)
def test_no_secret_remains_after_the_last_call(name):
    """After each call, whichever is the last: neither the key nor 8 bytes of a state that it has been in."""
    make, kind = OBJECTS[name]
    calls = CALLS[kind]
    messages = [b"", bytes(300), bytes(600), bytes(5300)]
    others = states(make, bytes(range(32)), messages)
    length = len(next(iter(states(make, bytes(32), messages[1:2])), b""))
    text = CALLER.replace("OBJECT", make).replace("LEN", str(length)).replace("CALLS", repr(list(calls.values())))
    child = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    remains = []
    with child:
        for call in calls:
            for key in (os.urandom(32), os.urandom(32)):
                known = states(make, key, messages)
                child.stdin.write(key + (known[1] if known else b""))
            child.stdin.flush()
            assert child.stdout.readline() == b"\n", call
            secret = set().union(*map(words, known, others))
            secret = numpy.sort(numpy.frombuffer(b"".join(secret), dtype="u8"))
            for line, content in writable(child.pid):
                remains += [f"{call}: {what} in {line}" for what, part in parts(key) if part in content]
                for shift in (0, 4):
                    held = numpy.frombuffer(content, dtype="u8", offset=shift, count=len(content) // 8 - 1)
                    held = held[held != 0]
                    if len(secret) and len(held):
                        at = numpy.minimum(numpy.searchsorted(secret, held), len(secret) - 1)
                        count = int((secret[at] == held).sum())
                        remains += [f"{call}: {count} words of a state in {line}"] * (count > 0)
            child.stdin.write(b"\n")
            child.stdin.flush()
    assert child.returncode == 0
    assert remains == []


def test_every_method_is_a_last_call():
    """Of every type that a key makes."""
    from hashmill import _hashmill

    for kind, types in {
        "HMAC": [_hashmill.HMAC],
        "HASH": [_hashmill.HASH, hashmill.blake2b, hashmill.blake2sp],
        "BLAKE3": [hashmill.blake3],
        "XOF": [_hashmill.XOF, _hashmill.Reader],
    }.items():
        for type_ in types:
            for name in vars(type_):
                called = any(re.search(rf"\b{name}\b", call) for call in CALLS[kind].values())
                assert called or name.startswith("_") or name.isupper() or name == "key_size", (type_, name)
