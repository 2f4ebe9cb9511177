"""hashlib's interface, beside hashlib."""

import array
import copy
import gc
import hashlib
import inspect
import io
import pickle
import random
import sys
import threading
import weakref

import hashmill
import pytest

XOF = {"shake_128", "shake_256"}
# The last length of one block with padding, the first of two, blocks of all functions, and the
# GIL's limit.
LENGTHS = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 136, 168, 1000, 2047, 2048, 5000, 100_000]
SHARED = sorted(hashmill.algorithms_own & hashlib.algorithms_available)


def arguments(name):
    return (97,) if name in XOF else ()


@pytest.mark.parametrize("name", SHARED)
def test_digests_are_hashlibs(name):
    rng = random.Random(name)
    for length in LENGTHS:
        data = rng.randbytes(length)
        ours, theirs = hashmill.new(name, data), hashlib.new(name, data)
        assert ours.digest(*arguments(name)) == theirs.digest(*arguments(name))
        assert ours.hexdigest(*arguments(name)) == theirs.hexdigest(*arguments(name))
        split = rng.randrange(length + 1)
        ours = getattr(hashmill, name)(data[:split])
        other = ours.copy()
        ours.update(data[split:])
        other.update(memoryview(data)[split:])
        assert ours.digest(*arguments(name)) == other.digest(*arguments(name)) == theirs.digest(*arguments(name))


@pytest.mark.parametrize("name", SHARED)
def test_attributes_are_hashlibs(name):
    ours, theirs = hashmill.new(name), hashlib.new(name)
    assert (ours.digest_size, ours.block_size) == (theirs.digest_size, theirs.block_size)
    assert ours.name == theirs.name
    public = {it for it in dir(theirs) if not it.startswith("_")}
    assert public <= set(dir(ours))


def test_every_name_of_hashlib_is_here():
    for name in hashlib.__all__:
        assert hasattr(hashmill, name), name
    assert hashmill.algorithms_guaranteed == hashlib.algorithms_guaranteed
    assert hashmill.algorithms_available >= hashmill.algorithms_guaranteed
    for name in hashmill.algorithms_available:
        hashmill.new(name, usedforsecurity=False)
    for name in hashmill.__all__:
        assert hasattr(hashmill, name), name


def test_what_we_lack_is_hashlibs():
    assert hashmill.md5 is hashlib.md5
    assert hashmill.new("md5", b"abc").hexdigest() == hashlib.md5(b"abc").hexdigest()
    with pytest.raises(ValueError, match="unsupported hash type"):
        hashmill.new("spam")


@pytest.mark.parametrize("name", sorted(hashmill.algorithms_own))
def test_arguments(name):
    constructor = getattr(hashmill, name)
    with pytest.raises(TypeError, match="encoded before hashing"):
        constructor("text")
    with pytest.raises(TypeError, match="buffer API required"):
        constructor(None)
    with pytest.raises(TypeError):
        constructor(b"", b"")
    with pytest.raises(TypeError, match="unexpected keyword"):
        constructor(b"", spam=1)
    with pytest.raises(BufferError):
        constructor(memoryview(bytes(10))[::2])
    expected = constructor(bytes(range(10))).digest(*([5] if constructor().digest_size == 0 else []))
    for data in (bytearray(range(10)), memoryview(bytes(range(10))), array.array("B", range(10))):
        assert constructor(data).digest(*([5] if constructor().digest_size == 0 else [])) == expected


def test_keywords_of_the_constructors():
    assert hashmill.sha256(data=b"abc").digest() == hashmill.sha256(string=b"abc").digest()
    assert hashmill.new(name="sha256", data=b"abc").digest() == hashmill.sha256(b"abc").digest()
    assert hashmill.new("sha256", string=b"abc").digest() == hashmill.sha256(b"abc").digest()
    assert hashmill.sha256(usedforsecurity=False).digest() == hashmill.sha256().digest()
    with pytest.raises(TypeError, match="mutually exclusive"):
        hashmill.sha256(data=b"", string=b"")
    assert str(inspect.signature(hashmill.sha256)) == "(data=b'', *, usedforsecurity=True, string=None)"


def test_blake2_with_parameters():
    every = dict(digest_size=17, key=b"key", salt=b"salt", person=b"person", fanout=2, depth=3, leaf_size=4,
                 node_offset=5, node_depth=6, inner_size=7, last_node=True)  # fmt: skip
    for name in ("blake2b", "blake2s"):
        for keyword, value in [*every.items(), (None, None)]:
            options = every if keyword is None else {keyword: value}
            ours, theirs = hashmill.new(name, b"abc", **options), getattr(hashlib, name)(b"abc", **options)
            assert ours.digest() == theirs.digest(), options
            assert ours.digest_size == theirs.digest_size
            assert isinstance(ours.copy(), getattr(hashmill, name))


@pytest.mark.parametrize("bad", [
    {"digest_size": 0}, {"digest_size": 65}, {"digest_size": -1}, {"key": bytes(65)}, {"salt": bytes(17)},
    {"person": bytes(17)}, {"fanout": 256}, {"fanout": -1}, {"depth": 0}, {"depth": 256}, {"leaf_size": -1},
    {"leaf_size": 1 << 32}, {"node_offset": -1}, {"node_offset": 1 << 64}, {"node_depth": 256}, {"inner_size": 65},
    {"inner_size": -1}, {"leaf_size": 1 << 70}, {"digest_size": 1 << 70},
])  # fmt: skip
def test_blake2_refuses_what_hashlib_refuses(bad):
    with pytest.raises((ValueError, OverflowError)) as theirs:
        hashlib.blake2b(**bad)
    with pytest.raises(theirs.type if (1 << 70) not in bad.values() else (ValueError, OverflowError)):
        hashmill.blake2b(**bad)


def test_types_are_not_made_and_not_changed():
    for kind in (hashmill.HASH, hashmill.HASHXOF, hashmill.XOF, hashmill.Reader, hashmill.Digests):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind.spam = 1
    assert isinstance(hashmill.shake_128(), hashmill.HASHXOF)
    assert isinstance(hashmill.blake2b(), hashmill.HASH)

    class Mine(hashmill.blake2b):
        pass

    mine = Mine(b"abc", digest_size=5)
    assert isinstance(mine, Mine) and mine.digest() == hashmill.blake2b(b"abc", digest_size=5).digest()
    assert Mine(b"abc").digest() == hashmill.blake2b(b"abc").digest()


def test_objects_are_freed():
    """The collector does not know objects that contain no others. It knows those of a subclass, which may contain themselves."""

    class Mine(hashmill.blake2b):
        pass

    def references():
        return [sys.getrefcount(it) for it in (hashmill.HASH, hashmill.blake2b, hashmill.blake2s, Mine)]

    gc.collect()
    before = references()
    for make in (hashmill.sha256, hashmill.blake2b, hashmill.blake2s):
        for data in (b"", b"x" * 100):
            made = [make(data) for _ in range(1000)]
            assert not any(map(gc.is_tracked, made)) and made[0].copy().digest() == made[-1].digest()
    gone = []
    for _ in range(100):
        mine = Mine(b"abc")
        mine.myself = mine
        assert mine.digest() == hashlib.blake2b(b"abc").digest() and gc.is_tracked(mine)
        gone.append(weakref.ref(mine))
    del make, made, mine
    gc.collect()
    assert not any(it() for it in gone) and references() == before


def test_shake_lengths():
    hasher = hashmill.shake_128(b"abc")
    assert hasher.digest(0) == b""
    assert hasher.digest(length=7) == hasher.digest(5000)[:7]
    for bad, error in [(-1, ValueError), (1 << 70, OverflowError), ("1", TypeError)]:
        with pytest.raises(error):
            hasher.digest(bad)
    reader = hasher.reader()
    assert b"".join(reader.read(n) for n in (1, 0, 200, 3000)) == hasher.digest(3201)


def test_pickling_is_refused_with_a_reason():
    for hasher in (hashmill.sha256(), hashmill.blake2b(key=b"k"), hashmill.kt128(), hashmill.kmac128(b"k"), hashmill.blake2xb()):
        with pytest.raises(TypeError, match="may be a secret"):
            pickle.dumps(hasher)
        with pytest.raises(TypeError, match="may be a secret"):
            copy.deepcopy(hasher)


@pytest.mark.parametrize("name", sorted(hashmill.algorithms_own) + ["kt128", "kt256", "blake2xb", "blake2xs"])
def test_states_are_saved(name):
    hasher = getattr(hashmill, name)(b"x" * 1000)
    again = hashmill.import_state(hasher.export_state())
    assert type(again) is type(hasher) and again.name == hasher.name
    hasher.update(b"rest"), again.update(b"rest")
    length = () if hasher.digest_size else (32,)
    assert hasher.digest(*length) == again.digest(*length)
    with pytest.raises(ValueError, match="damaged"):
        hashmill.import_state(hasher.export_state()[:-1])


def test_file_digest():
    data = random.Random(1).randbytes(700_000)
    for file in (io.BytesIO(data), io.BufferedReader(io.BytesIO(data))):
        assert hashmill.file_digest(file, "sha3_256").digest() == hashlib.sha3_256(data).digest()
    with open(__file__, "rb") as file, open(__file__, "rb") as same:
        assert hashmill.file_digest(file, hashmill.sha256).digest() == hashlib.file_digest(same, "sha256").digest()
    file = io.BytesIO(data)
    file.seek(5)
    assert hashmill.file_digest(file, "sha256").digest() == hashlib.file_digest(file, "sha256").digest()
    with open(__file__, "rb") as file, open(__file__, "rb") as same:
        file.seek(500), same.seek(500)
        assert hashmill.file_digest(file, "sha256").digest() == hashlib.file_digest(same, "sha256").digest()
    with pytest.raises(ValueError, match="binary reading mode"):
        hashmill.file_digest(io.StringIO("text"), "sha256")


def test_one_call():
    for name in sorted(hashmill.algorithms_own):
        hasher = hashmill.new(name, b"abc")
        if hasher.digest_size:
            assert hashmill.digest(name, b"abc") == hasher.digest()
        if name == "blake3":
            assert hashmill.digest(name, b"abc", length=99) == hasher.digest(99)
        elif hasher.digest_size:
            with pytest.raises(ValueError, match="fixed length"):
                hashmill.digest(name, b"abc", length=hasher.digest_size + 1)
        else:
            assert hashmill.digest(name, b"abc", length=99) == hasher.digest(99)
    assert hashmill.digest("SHA-512/256", b"x" * 9999) == hashmill.sha512_256(b"x" * 9999).digest()
    with pytest.raises(ValueError, match="unsupported hash type"):
        hashmill.digest("md5", b"")


def test_pbkdf2():
    for name in ("sha256", "sha512", "sha3_256", "blake2s", "md5"):
        for options in ((1,), (20, 1), (3, 200)):
            arguments = (name, b"password", b"salt", *options)
            assert hashmill.pbkdf2_hmac(*arguments) == hashlib.pbkdf2_hmac(*arguments)
    for bad, error in [(("spam", b"", b"", 1), ValueError), (("sha256", b"", b"", 0), ValueError),
                       (("sha256", b"", b"", 1, 0), ValueError), ((1, b"", b"", 1), TypeError),
                       (("sha256", "text", b"", 1), TypeError), (("sha256", b"", b"", 1, 1 << 40), OverflowError)]:  # fmt: skip
        with pytest.raises(error):
            hashlib.pbkdf2_hmac(*bad)
        with pytest.raises(error):
            hashmill.pbkdf2_hmac(*bad)


@pytest.mark.parametrize("length", [7, 4096, 50_000])
def test_threads_share_a_hasher(length):
    """Each update is whole: the hash of n equal pieces does not depend on their order."""
    for hasher, one in ((hashmill.sha256(), hashlib.sha256()), (hashmill.sha3_512(), hashlib.sha3_512())):
        piece, times, count = bytes(range(256)) * (length // 256) + b"y" * (length % 256), 50, 4
        barrier = threading.Barrier(count)

        def work(hasher=hasher, barrier=barrier, piece=piece):
            barrier.wait()
            for _ in range(times):
                hasher.update(piece)
                hasher.copy().digest()

        threads = [threading.Thread(target=work) for _ in range(count)]
        [it.start() for it in threads]
        [it.join() for it in threads]
        one.update(piece * times * count)
        assert hasher.digest() == one.digest()


def test_the_gil_is_released_for_long_data():
    """A thread counts while one call hashes 256 MiB."""
    counted, stop = 0, threading.Event()

    def count():
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    data = bytes(1 << 28)
    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    hashmill.sha3_512(data)
    during = counted - before
    stop.set()
    thread.join()
    assert during > 10


@pytest.mark.parametrize("size", [10, 3000, 200_000])
def test_threads_share_an_object(size):
    """Short and long data; each use is atomic, and none waits forever."""
    hasher, reader, count = hashmill.blake2b(), hashmill.shake_128(b"x").reader(), 2000 if size < 100_000 else 100
    interval = sys.getswitchinterval()

    def use():
        for _ in range(count):
            hasher.update(b"a" * size)
            assert len(hasher.digest()) == 64
            assert len(reader.read(size)) == size

    threads = [threading.Thread(target=use) for _ in range(8)]
    sys.setswitchinterval(1e-6)
    try:
        for it in threads:
            it.start()
        for it in threads:
            it.join()
    finally:
        sys.setswitchinterval(interval)
    assert hasher.digest() == hashlib.blake2b(b"a" * size * count * 8).digest()
    assert reader.read(16) == hashlib.shake_128(b"x").digest(size * count * 8 + 16)[-16:]
