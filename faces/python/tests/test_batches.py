"""Many messages, and files."""

import hashlib
import hmac
import json
import os
import pathlib
import random
import signal
import subprocess
import sys

import hashmill
import numpy
import pytest

SYSTEMS = pathlib.Path(__file__).resolve().parents[3] / "vectors" / "systems"
RNG = random.Random(7)
MESSAGES = [RNG.randbytes(RNG.choice([0, 1, 29, 55, 64, 130, 3000])) for _ in range(1500)]


@pytest.mark.parametrize("name", sorted(hashmill.algorithms_own & hashlib.algorithms_available))
def test_many(name):
    length = None if hashlib.new(name).digest_size else 41
    arguments = () if length is None else (length,)
    expected = [hashlib.new(name, it).digest(*arguments) for it in MESSAGES]
    digests = hashmill.hash_many(MESSAGES, name, length=length)
    assert list(digests) == expected
    assert digests.hex() == [it.hex() for it in expected]
    assert bytes(digests) == digests.tobytes() == b"".join(expected)
    assert hashmill.hash_many(tuple(MESSAGES), name, length=length, threads=3) == digests
    assert hashmill.hash_many((bytearray(it) for it in MESSAGES), name, length=length, threads=0) == digests


def test_many_with_a_key():
    digests = hashmill.hash_many(MESSAGES, "sha512", key=b"secret")
    assert list(digests) == [hmac.digest(b"secret", it, "sha512") for it in MESSAGES]
    tags = hashmill.hash_many(MESSAGES, "kmac128", key=b"secret", length=20)
    assert tags[7] == hashmill.kmac128(b"secret", MESSAGES[7]).digest(20)
    assert hashmill.hash_many(MESSAGES, "kt256", length=9)[-1] == hashmill.kt256(MESSAGES[-1]).digest(9)


def test_merkle_roots():
    # The Certificate Transparency project's test tree (merkle_tree_test.cc), for one to three entries.
    roots = {
        1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    }
    for count, root in roots.items():
        leaves = hashmill.hash_many([b"\0" + entry for entry in (b"", b"\0", b"\x10")[:count]])
        assert hashmill.merkle_root(leaves).hex() == root
    assert hashmill.merkle_root(b"") == hashlib.sha256().digest()
    # Block 100,000 of Bitcoin, whose digests are printed with their bytes in the opposite order.
    ids = [
        "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
        "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
        "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
        "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
    ]
    leaves = b"".join(bytes.fromhex(it)[::-1] for it in ids)
    root = hashmill.merkle_root(bytearray(leaves), rule="bitcoin")[::-1].hex()
    assert root == "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766"
    # The root of zeros that Ethereum's deposit contract computes for two levels.
    root = hashmill.merkle_root(bytes(3 * 32), "sha256", rule="ssz").hex()
    assert root == "db56114e00fdd4c1f85c892bf35ac9a89289aaecb1ebd0a96cde606a748b5d71"
    assert hashmill.merkle_root(b"", "sha3_512", rule="ssz") == bytes(64)
    with pytest.raises(ValueError, match="multiple of 32"):
        hashmill.merkle_root(bytes(33))
    with pytest.raises(ValueError, match="unsupported hash type md5"):
        hashmill.merkle_root(bytes(32), "md5")
    with pytest.raises(ValueError, match="'commonware-mmr', 'commonware-bmt' or 'verity'"):
        hashmill.merkle_root(bytes(32), rule="rfc 6962")


def test_digests_are_a_sequence_and_a_buffer():
    digests = hashmill.hash_many(MESSAGES)
    assert len(digests) == 1500 and digests.digest_size == 32
    assert digests[-1] == digests[1499] == digests[1490:][9] == digests[::-1][0]
    for bad in (1500, -1501):
        with pytest.raises(IndexError):
            digests[bad]
    view = numpy.asarray(digests)
    assert view.shape == (1500, 32) and view.dtype == numpy.uint8 and not view.flags.writeable
    assert view[3].tobytes() == digests[3]
    assert memoryview(digests).contiguous and bytes(memoryview(digests)) == bytes(digests)
    assert digests == hashmill.hash_many(iter(MESSAGES)) != hashmill.hash_many(MESSAGES[1:])
    empty = hashmill.hash_many([])
    assert len(empty) == 0 and list(empty) == [] and bytes(empty) == b""


def test_many_refuses():
    for bad, error in [(b"one", TypeError), ("text", TypeError), (["text"], TypeError), ([None], TypeError),
                       (5, TypeError)]:  # fmt: skip
        with pytest.raises(error):
            hashmill.hash_many(bad)
    for options in ({"algorithm": "spam"}, {"algorithm": "shake_128", "key": b"k"}, {"length": 31},
                    {"algorithm": "kmac128"}, {"algorithm": "shake_128", "length": 0}, {"threads": 1025}):  # fmt: skip
        with pytest.raises(ValueError):
            hashmill.hash_many([b""], **options)


def test_the_list_may_change_meanwhile():
    """What an iterable yields is held, though nobody else holds it."""
    assert hashmill.hash_many(bytes([i]) * 100 for i in range(200))[199] == hashlib.sha256(bytes([199]) * 100).digest()


def test_files(tmp_path):
    paths, contents = [], []
    for i in range(40):
        contents.append(RNG.randbytes(RNG.choice([0, 5, 70_000, 3 << 20])))
        paths.append(tmp_path / str(i))
        paths[-1].write_bytes(contents[-1])
    told = []
    digests = hashmill.hash_files(paths, "blake2b", progress=told.append)
    assert list(digests) == [hashlib.blake2b(it).digest() for it in contents]
    assert told[-1] == sum(map(len, contents)) and told == sorted(told)
    assert hashmill.hash_file(os.fsencode(paths[3]), "kt128") == hashmill.kt128(contents[3]).digest()
    assert len(hashmill.hash_files([])) == 0


def test_files_that_are_not_read(tmp_path):
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as error:
        hashmill.hash_files([__file__, missing])
    assert error.value.filename == str(missing)
    with pytest.raises(IsADirectoryError):
        hashmill.hash_file(tmp_path)
    with pytest.raises(ValueError, match="unsupported"):
        hashmill.hash_file(__file__, "spam")


def test_progress_stops_the_work(tmp_path):
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.truncate(20 << 30)

    def stop(count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hashmill.hash_file(path, progress=stop)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="this system does not list threads there")
def test_threads_are_started_once():
    """And they are there between calls, so that a call does not start them."""
    script = """
import hashmill, os, time
hashmill.hash_many([b"a"] * 1000, threads=3)
first = set(os.listdir("/proc/self/task"))
for _ in range(20):
    hashmill.hash_many([b"a"] * 1000, threads=3)
time.sleep(0.2)  # Threads that are not kept end in the meantime.
assert set(os.listdir("/proc/self/task")) == first and len(first) == 4, first
"""
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_threads_after_a_fork():
    """The threads of the parent do not exist in its child, which must not wait for them."""
    data = bytes(9 << 20)
    expected = [bytes(hashmill.hash_many(MESSAGES, threads=it)) for it in (0, 2, 5)], hashmill.kt128(data).digest()
    process = os.fork()
    if process == 0:
        signal.alarm(60)
        again = [bytes(hashmill.hash_many(MESSAGES, threads=it)) for it in (0, 2, 5)], hashmill.kt128(data).digest()
        same = again == expected
        os._exit(0 if same else 1)
    assert os.waitpid(process, 0)[1] == 0


def test_roots_of_commonware():
    answers = json.loads((SYSTEMS / "merkle.json").read_text())["answers"]
    for answer in answers:
        rule = {"commonware MMR": "commonware-mmr", "commonware BMT": "commonware-bmt"}.get(answer["system"])
        if answer["system"] == "dm-verity":
            algorithm = answer["algorithm"].lower().replace("-", "")
            blocks = (bytes(n % 251 for n in range(i, i + 4096)) for i in range(answer["leaves"]))
            leaves = b"".join(hashlib.new(algorithm, block).digest() for block in blocks)
            assert hashmill.merkle_root(leaves, algorithm, rule="verity").hex() == answer["root"]
        if rule is None:
            continue
        leaves = b""
        for i in range(answer["leaves"]):
            entry = bytes(n % 251 for n in range(i, i + i % 50))
            if rule == "commonware-mmr":
                leaves += hashlib.sha256((2 * i - bin(i).count("1")).to_bytes(8, "big") + entry).digest()
            else:
                leaves += hashlib.sha256(i.to_bytes(4, "big") + hashlib.sha256(entry).digest()).digest()
        assert hashmill.merkle_root(leaves, rule=rule).hex() == answer["root"]


def test_merkle_trees_of_other_shapes():
    nodes = [bytes([i]) * 20 for i in range(5)]
    cut = lambda *nodes: hashlib.sha256(b"\1" + b"".join(nodes)).digest()[:20]  # noqa: E731
    root = cut(cut(*nodes[:3]), cut(*nodes[3:]))
    assert hashmill.merkle_root(b"".join(nodes), arity=3, length=20) == root
    assert hashmill.merkle_root(bytes(32), rule="verity", length=16) == hashlib.sha256(bytes(4096)).digest()[:16]
    for options in ({"arity": 1}, {"arity": 129}, {"length": 0}, {"length": 33}, {"arity": 3, "rule": "commonware-mmr"}):
        with pytest.raises(ValueError, match="a Merkle node is over at least 2 nodes"):
            hashmill.merkle_root(bytes(64), **options)


def test_readers():
    functions = [hashmill.shake_128, hashmill.shake_256, hashmill.kt128, hashmill.cshake128]
    readers = [functions[i // 9](b"%d" % i).reader() for i in range(36)]
    expected = [functions[i // 9](b"%d" % i).reader() for i in range(36)]
    for few, length in [(readers, 504), (readers[3:30:2], 168), (readers[::-1], 1), ([], 5)]:
        outputs = hashmill.read_many(few, length)
        assert list(outputs) == [expected[readers.index(reader)].read(length) for reader in few]
    with pytest.raises(ValueError, match="a reader occurs twice"):
        hashmill.read_many([readers[0], readers[1], readers[0]], 1)
    for length in (0, -1):
        with pytest.raises(ValueError, match="length"):
            hashmill.read_many(readers, length)
    with pytest.raises(TypeError):
        hashmill.read_many([b"output"], 1)
    with pytest.raises(MemoryError):
        hashmill.read_many(readers, 1 << 61)
    assert readers[5].read(3) == expected[5].read(3)


def test_roots_of_paths():
    one, two, three = (hashlib.sha256(b"\0" + entry).digest() for entry in (b"one", b"two", b"three"))
    root = hashmill.merkle_root(one + two + three)
    assert hashmill.merkle_root_of_path(one, 0, 3, two + three) == root
    pair = hashlib.sha256(b"\1" + one + two).digest()
    assert hashmill.merkle_root_of_path(memoryview(three), 2, 3, pair, "sha256", rule="rfc6962") == root
    assert hashmill.merkle_root_of_path(one[:16], 0, 2, two[:16], rule="ssz") == hashlib.sha256(one[:16] + two[:16]).digest()[:16]
    for arguments in [(one, 3, 3, two + three), (one, 0, 3, two), (one, 0, 3, two + three + two), (one + two, 0, 1, b"")]:
        with pytest.raises(ValueError, match="no tree has this leaf"):
            hashmill.merkle_root_of_path(*arguments)
    leaves = one + two + three
    assert hashmill.merkle_paths(leaves, [2, 0]) == [pair, two + three]
    for rule in ("rfc6962", "bitcoin", "ssz", "commonware-mmr", "commonware-bmt", "verity"):
        root = hashmill.merkle_root(leaves, rule=rule)
        for index, path in enumerate(hashmill.merkle_paths(memoryview(leaves), range(3), rule=rule)):
            leaf = leaves[32 * index : 32 * index + 32]
            assert hashmill.merkle_root_of_path(leaf, index, 3, path, rule=rule) == root
    assert hashmill.merkle_paths(leaves, [5], length=16, rule="ssz")[0][:16] == three[:16]
    assert hashmill.merkle_paths(b"", []) == []
    with pytest.raises(IndexError, match="no leaf has this index"):
        hashmill.merkle_paths(leaves, [0, 3])
    for wrong in ({"length": 0}, {"length": 33}, {"length": 5}):
        with pytest.raises(ValueError):
            hashmill.merkle_paths(leaves, [], **wrong)
    with pytest.raises(ValueError, match="rule is"):
        hashmill.merkle_root_of_path(one, 0, 1, b"", rule="tar")
    for index, count in [(-1, 1), (0, -1), (0, 1 << 64)]:
        with pytest.raises(ValueError, match="index or count"):
            hashmill.merkle_root_of_path(one, index, count, b"")
    with pytest.raises(ValueError, match="arity"):
        hashmill.merkle_root(leaves, arity=-1)


RULES = ("rfc6962", "bitcoin", "ssz", "commonware-mmr", "commonware-bmt", "verity")


def test_mountain_ranges():
    leaves = hashlib.shake_256(b"leaves").digest(300 * 32)
    for rule in RULES:
        tree, done = hashmill.MountainRange(rule=rule), 0
        assert tree.root() == hashmill.merkle_root(b"", rule=rule)
        for piece in (1, 2, 0, 1, 40, 256):
            tree.append(memoryview(leaves)[32 * done : 32 * (done + piece)])
            done += piece
            assert tree.count == done
            if rule != "verity":
                assert len(tree.peaks) == 32 * bin(done).count("1")
            assert tree.root() == hashmill.merkle_root(leaves[: 32 * done], rule=rule)
            resumed = hashmill.MountainRange("sha256", rule=rule, count=tree.count, peaks=tree.peaks)
            copy = tree.copy()
            resumed.append(leaves[:64])
            copy.append(leaves[:64])
            assert resumed.root() == copy.root() != tree.root()
    cut = hashmill.MountainRange("sha3_512", length=20)
    cut.append(leaves[:60])
    assert cut.root() == hashmill.merkle_root(leaves[:60], "sha3_512", length=20)
    with pytest.raises(ValueError, match="whole number of rows"):
        cut.append(leaves[:21])
    assert cut.count == 3
    for wrong in ({"count": 3, "peaks": bytes(63)}, {"count": 1, "peaks": bytes(64)}, {"count": -1}, {"length": 33}, {"rule": "tar"}):
        with pytest.raises(ValueError):
            hashmill.MountainRange(**wrong)
    full = hashmill.MountainRange(count=2**64 - 1, peaks=bytes(64 * 32))
    with pytest.raises(ValueError, match="longer than"):
        full.append(bytes(32))
    full.root()
    with pytest.raises(TypeError):
        full.append("text")


def test_many_roots_of_paths():
    leaves = hashlib.shake_256(b"leaves").digest(300 * 16)
    indices = [0, 299, 17, 256, 17]
    for rule in RULES:
        paths = hashmill.merkle_paths(leaves, indices, rule=rule, length=16)
        each = [(leaves[16 * i : 16 * i + 16], i, 300, path) for i, path in zip(indices, paths)]
        roots = hashmill.merkle_roots_of_paths([*each, (leaves[:16], 300, 300, b"")], rule=rule, length=16)
        assert roots == [hashmill.merkle_root(leaves, rule=rule, length=16)] * 5 + [None]
    assert hashmill.merkle_roots_of_paths([]) == []
    for wrong in ([(b"", 0, 1)], [(b"", -1, 1, b"")]):
        with pytest.raises(ValueError):
            hashmill.merkle_roots_of_paths(wrong)
    with pytest.raises(ValueError, match="a Merkle node"):
        hashmill.merkle_roots_of_paths([], length=0)


def test_file_trees():
    answers = json.loads((SYSTEMS / "trees.json").read_text())["answers"]
    data = bytes(i % 251 for i in range(max(answer["ptn"] for answer in answers)))
    for answer in answers:
        extra = {"block_size": answer["block"]} if answer["system"] in ("fs-verity", "S3") else {}
        if answer["system"] == "fs-verity":
            extra["algorithm"] = answer["algorithm"].lower().replace("-", "")
            extra["salt"] = bytes.fromhex(answer.get("salt", ""))
        system, file = answer["system"].lower().replace(" ", "-"), data[: answer["ptn"]]
        tree = hashmill.FileTree(system, file, **extra)
        assert tree.hexdigest() == tree.digest().hex() == answer["digest"]
        parts = hashmill.FileTree(system, **extra)
        parts.update(file[:5000])
        copy = parts.copy()
        copy.update(memoryview(file)[5000:])
        assert copy.digest() == tree.digest() and copy.blocks == tree.blocks
    for arguments in [("tar",), ("s3",)]:
        with pytest.raises(ValueError):
            hashmill.FileTree(*arguments)
    for system, extra in [
        ("s3", {"block_size": 0}),
        ("glacier", {"block_size": 1024}),
        ("dropbox", {"salt": b"s"}),
        ("bittorrent-v2", {"algorithm": "sha512"}),
        ("fs-verity", {"algorithm": "blake3"}),
        ("fs-verity", {"block_size": 4095}),
        ("fs-verity", {"salt": bytes(33)}),
    ]:
        with pytest.raises(ValueError):
            hashmill.FileTree(system, **extra)
    with pytest.raises(TypeError):
        hashmill.FileTree("glacier", "text")
