"""python -m hashmill manifest, against a real S3 server: what it records, and what it survives."""

import asyncio
import base64
import hashlib
import json
import os
import pty
import random
import re
import resource
import signal
import subprocess
import sys
import time

import hashmill
import pyarrow.parquet
import pytest
from conftest import environment, run_hashmill, start_hashmill
from hashmill.manifest import reading, stores

MIB = 1 << 20
LONG = bool(os.environ.get("HASHMILL_LONG"))


def content(size, seed=0):
    return random.Random(f"{size} {seed}").randbytes(size)


def rows(path):
    """A manifest by key, whose order is checked."""
    listed = pyarrow.parquet.read_table(path).to_pylist()
    keys = [row["key_bytes"] or row["key"].encode() for row in listed]
    assert keys == sorted(set(keys))
    return dict(zip((row["key"] if row["key_bytes"] is None else row["key_bytes"] for row in listed), listed, strict=True))


def create(server, url, output, *arguments, status=0, **more):
    done = run_hashmill(server.endpoint, "manifest", url, "-o", output, *arguments, **more)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def verify(server, output, *arguments, status=0):
    done = run_hashmill(server.endpoint, "manifest", "--verify", output, *arguments)
    assert done.returncode == status, done.stderr
    return done.stdout.splitlines()


def compare(a, b, *arguments, status=1):
    done = run_hashmill("http://127.0.0.1:1", "manifest", "--compare", a, b, *arguments)
    assert done.returncode == status, done.stderr
    return done.stdout.splitlines()


def left(output):
    return sorted(it.name for it in output.parent.iterdir() if it.name.startswith(output.name))


def test_an_empty_prefix_and_wrong_credentials(bucket, gateway, tmp_path):
    """Neither is a manifest without rows, and there is nothing that the same command could go on with."""
    bucket.put("a/1", b"x")
    said = create(gateway, bucket.url + "/b", tmp_path / "m", status=2)
    assert f"there is no object below {bucket.url}/b" in said and "goes on" not in said and left(tmp_path / "m") == []
    said = create(gateway, bucket.url, tmp_path / "m", status=2, env={"AWS_SECRET_ACCESS_KEY": "wrong"})
    assert "goes on" not in said and left(tmp_path / "m") == []
    # What was recorded may be gone by now.
    create(gateway, bucket.url, tmp_path / "m")
    bucket.delete("a/1")
    create(gateway, bucket.url, tmp_path / "m")
    assert rows(tmp_path / "m") == {}


# What is recorded.


def test_sizes_at_every_boundary(bucket, gateway, tmp_path):
    small, whole = reading.SMALL, reading.RANGE
    sizes = [0, 1, 55, 64, 4096, small - 1, small, small + 1, whole - 1, whole, whole + 1, 5 * whole + 3]
    data = {f"size/{size}": content(size) for size in sizes}
    puts = {key: bucket.put(key, value) for key, value in data.items()}
    output = tmp_path / "m.parquet"
    said = create(gateway, bucket.url, output, "-a", "sha256", "-a", "sha3-256", "-a", "blake2b", "-a", "kt128")
    assert said == f"{len(sizes)} objects: {len(sizes)} read ({sum(sizes)} bytes), 0 unchanged; 0 not read\n"
    assert left(output) == ["m.parquet"]
    found = rows(output)
    assert list(found) == sorted(data)
    for key, row in found.items():
        assert row["size"] == len(data[key])
        assert row["sha256"] == hashlib.sha256(data[key]).digest()
        assert row["sha3_256"] == hashlib.sha3_256(data[key]).digest()
        assert row["blake2b"] == hashlib.blake2b(data[key]).digest()
        assert row["kt128"] == hashmill.kt128(data[key]).digest()
        assert row["etag"] == puts[key]["ETag"].strip('"')
        head = bucket.client.head_object(Bucket=bucket.name, Key=key)
        assert row["last_modified"] == head["LastModified"]
        assert (row["status"], row["source"], row["error"], row["key_bytes"]) == ("ok", "read", None, None)
    assert verify(gateway, output) == []
    assert compare(output, output, status=0) == []


def test_keys_that_are_not_usual(bucket, gateway, proxy, tmp_path):
    keys = ["a b", "a%20b", "a+b", "new\nline", "tab\t", "dir/", "dir-x", "dir/x", "é", "e\u0301", "\u2028", "😀", "q?x=1",
            "h#h", "*", 'q"q', "back\\slash", "~", "x" * 200, "a&b<c>", "..."]  # fmt: skip
    for key in keys:
        bucket.put(key, b"" if key.endswith("/") else key.encode())
    output = tmp_path / "m.parquet"
    # This server lists "dir-x" after what is in "dir/", where S3 does not, or it does: both must
    # do.
    said = create(gateway, bucket.url, output, "--sort-listing")
    assert "0 not read" in said
    found = rows(output)
    assert set(found) == set(keys)
    for key in keys:
        assert found[key]["sha256"] == hashlib.sha256(b"" if key.endswith("/") else key.encode()).digest(), key
    bucket.put("new\nline", b"else")
    bucket.delete("back\\slash")
    lines = verify(gateway, output, "--sort-listing", status=1)
    assert sorted(lines) == ["changed new\\x0aline", "removed back\\x5cslash"]


def test_a_prefix_is_whole_segments(bucket, gateway, tmp_path):
    for key in ("logs/a", "logs/b/c", "logs-old/a", "log"):
        bucket.put(key, key.encode())
    create(gateway, bucket.url + "/logs/", tmp_path / "m.parquet")
    assert list(rows(tmp_path / "m.parquet")) == ["logs/a", "logs/b/c"]
    # Nothing in a prefix is an escape, a query or a fragment.
    for prefix in ("a%20b", "a#b", "a?b=c"):
        bucket.put(prefix + "/x", prefix.encode())
        create(gateway, f"{bucket.url}/{prefix}", tmp_path / "odd.parquet")
        assert list(rows(tmp_path / "odd.parquet")) == [prefix + "/x"]
        assert verify(gateway, tmp_path / "odd.parquet") == []
        (tmp_path / "odd.parquet").unlink()
    # What is beside the prefix is not of this manifest.
    bucket.put("logs-old/b", b"")
    assert verify(gateway, tmp_path / "m.parquet") == []


def test_a_directory(gateway, tmp_path):
    tree = tmp_path / "tree %41#?"
    (tree / "a").mkdir(parents=True)
    names = [b"a/x", b"a-b", b"a0", b"zero", b"not UTF-8 \xff", b"new\nline"]
    for name in names:
        (tree / os.fsdecode(name)).write_bytes(b"" if name == b"zero" else name)
    os.symlink("a-b", tree / "link")
    os.mkfifo(tree / "fifo")
    output = tmp_path / "m.parquet"
    said = create(gateway, tree.as_uri(), output)
    assert "6 objects: 6 read" in said and "; 2 symbolic links and special files left out" in said
    found = rows(output)
    assert found.pop(b"not UTF-8 \xff")["key"] == "not UTF-8 \ufffd"
    assert list(found) == ["a-b", "a/x", "a0", "new\nline", "zero"]
    for name, row in found.items():
        assert row["sha256"] == hashlib.sha256(b"" if name == "zero" else name.encode()).digest()
    assert "0 read (0 bytes), 6 unchanged" in create(gateway, tree, output)
    before = (tree / "a0").stat()
    (tree / "a0").write_bytes(b"a1")
    os.utime(tree / "a0", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tree / "a-b").write_bytes(b"other")
    (tree / os.fsdecode(b"not UTF-8 \xff")).unlink()
    (tree / "new").write_bytes(b"new")
    lines = verify(gateway, output, status=3)
    assert sorted(lines) == ["added new", "changed a-b", "corrupt a0", "removed not UTF-8 \\xff"]


def test_the_digests_that_the_store_keeps(bucket, proxy, tmp_path):
    part = 5 * MIB
    data = content(2 * part + 7)
    bucket.put("whole", b"whole", ChecksumAlgorithm="SHA256")
    bucket.put("other", b"other", ChecksumAlgorithm="CRC32")
    kept = bucket.multipart("parts", [data[i : i + part] for i in range(0, len(data), part)])
    assert kept.endswith("-3")
    output = tmp_path / "m.parquet"
    said = create(proxy, bucket.url, output, "--use-store-digests")
    assert "2 read" in said and "1 by the store's digests" in said
    assert sorted(set(proxy.read())) == ["other", "parts"]
    found = rows(output)
    assert found["whole"]["sha256"] == hashlib.sha256(b"whole").digest() and found["whole"]["source"] == "store"
    assert found["whole"]["s3_sha256"] == base64.b64encode(hashlib.sha256(b"whole").digest()).decode()
    assert found["parts"]["sha256"] == hashlib.sha256(data).digest() and found["parts"]["source"] == "read"
    # With the size of the parts a digest over them will do, because it can be checked.
    proxy.forget()
    composite = tmp_path / "c.parquet"
    create(proxy, bucket.url, composite, "--use-store-digests", "--s3-part-size", "5M")
    assert proxy.read() == ["other"]
    row = rows(composite)["parts"]
    assert (row["s3_sha256"], row["sha256"], row["source"]) == (kept, None, "store")
    assert verify(proxy, composite) == []
    # Read, the same.
    read = tmp_path / "r.parquet"
    create(proxy, bucket.url, read, "--s3-part-size", "5MiB", "-a", "sha512")
    assert rows(read)["parts"]["s3_sha256"] == kept
    assert rows(read)["parts"]["sha512"] == hashlib.sha512(data).digest()
    assert verify(proxy, read) == []
    # One who does not trust the store's digests does not take them from an earlier run.
    said = create(proxy, bucket.url, output)
    assert "1 read" in said and rows(output)["whole"]["source"] == "read"
    # Damage below the server, which goes on telling the old ETag and time.
    before = bucket.file("parts").stat()
    with open(bucket.file("parts"), "r+b") as file:
        file.seek(part + 5)
        file.write(b"damage")
    os.utime(bucket.file("parts"), ns=(before.st_atime_ns, before.st_mtime_ns))
    for manifest in (output, composite, read):
        assert verify(proxy, manifest, status=3) == ["corrupt parts"]


def test_differences(bucket, gateway, tmp_path):
    for key in ("same", "changes", "moves", "goes", "twin 1", "twin 2"):
        bucket.put(key, key.encode().split()[0])
    old, new, other = tmp_path / "old.parquet", tmp_path / "new.parquet", tmp_path / "other.parquet"
    create(gateway, bucket.url, old)
    bucket.put("changes", b"changed")
    bucket.delete("goes")
    bucket.delete("moves")
    bucket.put("moved", b"moves")
    bucket.put("comes", b"comes")
    lines = verify(gateway, old, status=1)
    assert sorted(lines) == ["added comes", "added moved", "changed changes", "removed goes", "removed moves"]
    create(gateway, bucket.url, new)
    lines = compare(old, new)
    assert sorted(lines) == ["added comes", "changed changes", "moved moves to moved", "removed goes"]
    lines = [json.loads(line) for line in compare(new, old, "--json")]
    assert {"difference": "moved", "key": "moved", "to": "moves"} in lines and len(lines) == 4
    create(gateway, bucket.url, other, "-a", "sha512")
    done = run_hashmill(gateway.endpoint, "manifest", "--compare", old, other)
    assert done.returncode == 2 and "no digest in common: sha256; sha512" in done.stderr


def test_a_directory_of_manifests_is_one(bucket, gateway, tmp_path):
    for key in ("a/1", "b/1", "b/2"):
        bucket.put(key, key.encode())
    (tmp_path / "all").mkdir()
    for prefix in "ba":
        create(gateway, f"{bucket.url}/{prefix}", tmp_path / "all" / f"{prefix}.parquet")
    create(gateway, bucket.url, tmp_path / "one.parquet")
    assert compare(tmp_path / "one.parquet", tmp_path / "all", status=0) == []
    assert verify(gateway, tmp_path / "all") == []


def test_another_run_reads_what_is_new_only(bucket, proxy, tmp_path):
    output = tmp_path / "m.parquet"
    for i in range(50):
        bucket.put(f"{i:03}", content(100, i))
    create(proxy, bucket.url, output, "--part-rows", "7")
    assert sorted(proxy.read()) == [f"{i:03}" for i in range(50)]
    proxy.forget()
    assert "0 read (0 bytes), 50 unchanged" in create(proxy, bucket.url, output)
    assert proxy.read() == []
    bucket.put("020", b"new")
    bucket.put("new", b"new")
    bucket.delete("030")
    assert "2 read (6 bytes), 48 unchanged" in create(proxy, bucket.url, output, "--part-rows", "11")
    assert sorted(proxy.read()) == ["020", "new"]
    assert len(rows(output)) == 50 and rows(output)["020"]["sha256"] == hashlib.sha256(b"new").digest()
    # Another algorithm: everything; back again: nothing that was not recorded.
    assert "50 read" in create(proxy, bucket.url, output, "-a", "sha512")
    assert "50 read" in create(proxy, bucket.url, output, "-a", "sha512", "-a", "sha256")
    assert "50 unchanged" in create(proxy, bucket.url, output, "-a", "sha256")


# What it survives.


def test_killed_and_gone_on(bucket, proxy, tmp_path):
    data = {f"{i:04}": content(random.Random(i).choice([10, 1000, 100_000]), i) for i in range(300)}
    for key, value in data.items():
        bucket.put(key, value)
    output = tmp_path / "m.parquet"
    folder = tmp_path / "m.parquet.parts"
    arguments = ("manifest", bucket.url, "-o", output, "--part-rows", "20", "--concurrency", "4")
    proxy.before = lambda method, key, headers: time.sleep(0.02)
    for parts in (3, 12):  # of which the second run takes three from the first
        process = start_hashmill(proxy.endpoint, *arguments)
        deadline = time.monotonic() + 120
        while len(list(folder.glob("*.parquet"))) < parts:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not output.exists()
    recorded = {key for part in folder.glob("*.parquet") for key in rows(part)}
    assert 100 <= len(recorded) < len(data)
    (folder / "000009-0000000000.parquet.tmp").write_bytes(b"half of a part")
    proxy.before = lambda method, key, headers: None
    proxy.forget()
    said = create(proxy, bucket.url, output, *arguments[4:])
    # Nothing that was recorded is read again, and everything else once.
    assert sorted(proxy.read()) == sorted(set(data) - recorded)
    assert f"{len(recorded)} unchanged; 0 not read" in said
    found = rows(output)
    assert {key: row["sha256"] for key, row in found.items()} == {
        key: hashlib.sha256(value).digest() for key, value in data.items()
    }
    assert left(output) == ["m.parquet"]


def test_a_store_that_throttles(bucket, proxy, tmp_path):
    for i in range(60):
        bucket.put(f"{i:02}", content(3 * MIB if i % 20 == 0 else 100, i))
    bucket.put("many ranges", content(3 * reading.RANGE))
    chance, refused = random.Random(1), []

    def throttle(method, key, headers):
        if chance.random() < 0.4:
            refused.append(key)
            return 503
        return None

    proxy.before = throttle
    output = tmp_path / "m.parquet"
    assert "61 read" in create(proxy, bucket.url, output)
    assert len(refused) > 20
    assert rows(output)["many ranges"]["sha256"] == hashlib.sha256(content(3 * reading.RANGE)).digest()


def test_what_cannot_be_read_is_named(bucket, proxy, tmp_path):
    for i in range(30):
        bucket.put(f"{i:02}", b"x")
    proxy.before = lambda method, key, headers: 503 if key in ("07", "11") else None
    output = tmp_path / "m.parquet"
    said = create(proxy, bucket.url, output, "--retries", "1", status=1)
    assert re.search(r"^error 07: 503: SlowDown: Reduce your request rate\.$", said, re.MULTILINE), said
    assert re.search(r"^error 11: ", said, re.MULTILINE) and "28 read" in said and "2 not read" in said
    row = rows(output)["07"]
    assert (row["status"], row["sha256"], row["source"]) == ("error", None, None) and "SlowDown" in row["error"]
    assert compare(output, output) == ["unreadable 07", "unreadable 11"]
    proxy.before = lambda method, key, headers: None
    proxy.forget()
    create(proxy, bucket.url, output)
    assert sorted(proxy.read()) == ["07", "11"]
    # Where nothing can be read, nobody waits for all to fail.
    proxy.before = lambda method, key, headers: 503 if key else None
    said = create(proxy, bucket.url, tmp_path / "n.parquet", "--retries", "0", "--max-failures", "10", status=2)
    assert "10 objects in a row cannot be read" in said and not (tmp_path / "n.parquet").exists()


def test_an_object_that_changes_while_it_is_read(bucket, proxy, tmp_path):
    size = 6 * reading.RANGE
    bucket.put("large", content(size, 1))
    bucket.put("small", b"old")
    bucket.put("restless", content(size, 3))
    seen = []

    def change(method, key, headers):
        if method != "GET" or not key:
            return
        with proxy.lock:
            seen.append(key)
            count = seen.count(key)
        if key == "small" and count == 1:
            bucket.put("small", b"newer")
        if key == "large" and count == 3:
            bucket.put("large", content(size, 2))
        if key == "restless" and count % 2:
            bucket.put("restless", content(size, 100 + count))

    proxy.before = change
    output = tmp_path / "m.parquet"
    said = create(proxy, bucket.url, output, status=1)
    assert "changed restless: changed while it was read, 3 times" in said
    found = rows(output)
    assert found["small"]["sha256"] == hashlib.sha256(b"newer").digest() and found["small"]["size"] == 5
    assert found["large"]["sha256"] == hashlib.sha256(content(size, 2)).digest()
    assert found["large"]["etag"] == hashlib.md5(content(size, 2)).hexdigest()
    assert (found["restless"]["status"], found["restless"]["sha256"]) == ("changed", None)


def test_a_store_that_knows_no_condition(bucket, gateway, monkeypatch):
    """Every answer's ETag is compared, whether or not the store understands If-Match."""
    for name, value in environment(gateway.endpoint).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(stores.S3, "conditional", False)
    size = 3 * reading.RANGE
    bucket.put("large", content(size, 1))
    store = stores.opened(bucket.url, stores.Options())
    [[listed]] = store.pages()

    async def read():
        await store.read(listed, 0, reading.RANGE)
        bucket.put("large", content(size, 2))
        with pytest.raises(stores.Changed):
            await store.read(listed, reading.RANGE, 2 * reading.RANGE)
        [row] = await reading.Reader(store, reading.Wanted()).hash([listed])
        return row

    assert asyncio.run(read()).digests["sha256"] == hashlib.sha256(content(size, 2)).digest()


def test_an_object_that_goes_between_list_and_read(bucket, proxy, tmp_path):
    for key in ("a", "b", "c"):
        bucket.put(key, b"x")
    proxy.before = lambda method, key, headers: bucket.delete("b") if key == "b" else None
    said = create(proxy, bucket.url, tmp_path / "m.parquet", status=1)
    assert "missing b: listed, but not there any more" in said
    row = rows(tmp_path / "m.parquet")["b"]
    assert (row["status"], row["sha256"]) == ("missing", None)
    assert verify(proxy, tmp_path / "m.parquet") == []


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"AWS_SECRET_ACCESS_KEY": "wrong"}, "SignatureDoesNotMatch"),
        ({"AWS_ACCESS_KEY_ID": "wrong"}, "access key"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "no credentials for S3; --anonymous"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "Could not connect"),
    ],
    ids=["secret", "name", "none", "endpoint"],
)
def test_a_store_that_cannot_be_used(bucket, gateway, tmp_path, wrong, words):
    bucket.put("a", b"x")
    said = create(gateway, bucket.url, tmp_path / "m.parquet", "--retries", "1", status=2, env=wrong)
    assert words in said and not (tmp_path / "m.parquet").exists()
    said = create(gateway, "s3://no-such-bucket", tmp_path / "n.parquet", status=2)
    assert "NoSuchBucket" in said


@pytest.fixture(params=["mount", "limit"])
def narrow(request, tmp_path):
    """A directory whose disk is full soon, and what the process is to do before: a file system of 256 KiB, or a limit
    for files of 40 KiB where nobody may mount one."""
    if request.param == "limit":
        yield tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40 << 10, 40 << 10))
        return
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("mount is not allowed here")
    yield folder, lambda: None
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk(bucket, proxy, tmp_path, narrow):
    folder, before = narrow
    output = folder / "m.parquet"
    for i in range(40):
        bucket.put(f"first/{i:04}", content(50, i))
    create(proxy, bucket.url, output)
    old = output.read_bytes()
    for i in range(1500):
        bucket.file("more").mkdir(exist_ok=True)
        bucket.file(f"more/{content(60, i).hex()}").write_bytes(content(50, i))
    rows_a_part = "200"
    said = create(proxy, bucket.url, output, "--part-rows", rows_a_part, status=2, preexec_fn=before)
    assert re.search("No space left on device|File too large", said), said
    assert "the same command goes on" in said
    assert output.read_bytes() == old
    assert not [it for it in folder.rglob("*.tmp")]
    recorded = {key for part in (folder / "m.parquet.parts").glob("*.parquet") for key in rows(part)}
    if folder != tmp_path:
        subprocess.run(["mount", "-o", "remount,size=16m", folder], check=True)
    proxy.forget()
    create(proxy, bucket.url, output, "--part-rows", rows_a_part)
    assert len(rows(output)) == 1540 and recorded and not recorded & set(proxy.read())


def test_only_one_writes(bucket, proxy, tmp_path):
    for i in range(20):
        bucket.put(f"{i:02}", b"x")
    proxy.before = lambda method, key, headers: time.sleep(0.3)
    output = tmp_path / "m.parquet"
    first = start_hashmill(proxy.endpoint, "manifest", bucket.url, "-o", output, "--concurrency", "2")
    while not (tmp_path / "m.parquet.parts" / "lock").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    assert "another process is writing" in create(proxy, bucket.url, output, status=2)
    assert first.wait() == 0 and len(rows(output)) == 20


def test_files_that_are_no_manifests(bucket, gateway, tmp_path):
    bucket.put("a", b"x")
    output = tmp_path / "m.parquet"
    output.write_bytes(b"what somebody wrote")
    said = create(gateway, bucket.url, output, status=2)
    assert f"{output} is no Parquet file" in said and output.read_bytes() == b"what somebody wrote"
    pyarrow.parquet.write_table(pyarrow.table({"key": ["a"]}), output)
    assert "is not a manifest" in create(gateway, bucket.url, output, status=2)
    output.unlink()
    create(gateway, bucket.url, output)
    assert "is of s3://" in create(gateway, f"file://{tmp_path}", output, status=2)
    whole = output.read_bytes()
    output.write_bytes(whole[:20] + bytes(60) + whole[80:])
    done = run_hashmill(gateway.endpoint, "manifest", "--verify", output)
    assert done.returncode == 2 and str(output) in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["s3://b"], "give one of"),
        (["-o", "m"], "give the URL"),
        (["s3://b", "-o", "m", "-a", "crc32"], "crc32 is no algorithm for manifests"),
        (["s3://b", "-o", "m", "-a", "shake_128"], "shake_128 is no algorithm"),
        (["ftp://b", "-o", "m"], "the stores are"),
        (["s3://", "-o", "m"], "names no bucket"),
        (["s3://b", "-o", "m", "--s3-part-size", "0"], "0 is no size"),
        (["s3://b", "-o", "m", "--concurrency", "0"], "--concurrency"),
        (["s3://b", "--compare", "a", "b"], "takes two manifests and no URL"),
        (["--verify", "absent.parquet"], "absent.parquet"),
        (["/absent", "-o", "m"], "is not a directory"),
    ],
)
def test_arguments_that_make_no_sense(tmp_path, arguments, words):
    done = run_hashmill("http://127.0.0.1:1", "manifest", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_bar_on_terminals_only(bucket, proxy, tmp_path):
    bucket.put("a", b"x" * 1000)
    assert "\r" not in create(proxy, bucket.url, tmp_path / "m.parquet")
    ours, theirs = pty.openpty()
    process = start_hashmill(proxy.endpoint, "manifest", bucket.url, "-o", tmp_path / "n.parquet", stderr=theirs)
    process.communicate()
    os.close(theirs)
    assert b"1 objects" in os.read(ours, 1 << 16)
    os.close(ours)


# How much.


def test_memory_is_bounded(bucket, gateway, tmp_path):
    """1 GiB in four objects at once, of which 40 MiB may be in memory; what Python and its libraries take is more."""
    for i in range(4):
        with open(bucket.file(f"large-{i}"), "wb") as file:
            file.truncate(256 * MIB)
    bucket.put("tiny", b"x")
    output, peak = tmp_path / "m.parquet", tmp_path / "peak"
    script = (
        "import atexit, sys\n"
        f"atexit.register(lambda: open({str(peak)!r}, 'w').write(open('/proc/self/status').read()))\n"
        "from hashmill.__main__ import main\n"
        f"sys.exit(main(['manifest', {bucket.url!r}, '-o', {str(output)!r}, '--memory', '40M']))"
    )
    subprocess.run([sys.executable, "-c", script], env=environment(gateway.endpoint), check=True)
    digest = hashlib.sha256(bytes(256 * MIB)).digest()
    assert [row["sha256"] for row in rows(output).values()] == [digest] * 4 + [hashlib.sha256(b"x").digest()]
    [kib] = re.findall(r"VmHWM:\s+(\d+) kB", peak.read_text())
    assert int(kib) < 300 << 10


def test_many_small_objects(bucket, gateway, tmp_path, monkeypatch):
    """20,000 in the usual run; 300,000 in the long one, which took 16 minutes on two cores at a load of 16."""
    count = 300_000 if LONG else 20_000
    for start in range(0, count, 1000):
        folder = bucket.file(f"{start // 1000:04}")
        folder.mkdir()
        for i in range(start, start + 1000):
            (folder / f"{i:07}").write_bytes(b"object %d" % i)
    output = tmp_path / "m.parquet"
    began = time.monotonic()
    said = create(gateway, bucket.url, output)
    print(f"{count / (time.monotonic() - began):.0f} objects a second")
    assert f"{count} objects: {count} read" in said
    table = pyarrow.parquet.read_table(output)
    assert table["key"].to_pylist() == [f"{i // 1000:04}/{i:07}" for i in range(count)]
    expected = hashmill.hash_many([b"object %d" % i for i in range(count)], "sha256")
    assert b"".join(table["sha256"].to_pylist()) == bytes(expected)
    assert f"{count} unchanged" in create(gateway, bucket.url, output)


# On a cluster.


@pytest.fixture
def cluster(proxy, monkeypatch):
    """Two nodes of a CPU each, whose processes have what the store needs in their own environment, and a marker."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    marker = f"{os.getpid()}-{random.getrandbits(40)}"
    for name, value in environment(proxy.endpoint, HASHMILL_TEST=marker).items():
        monkeypatch.setenv(name, value)
    it = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    it.add_node(num_cpus=1)
    yield it.address, f"HASHMILL_TEST={marker}"
    it.shutdown()


def _workers(marker):
    """The processes of Ray's workers that were started with this marker in their environment."""
    found = []
    for it in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{it}/environ", "rb") as environ, open(f"/proc/{it}/cmdline", "rb") as command:
                if marker.encode() in environ.read() and b"ray::task" in command.read():
                    found.append(int(it))
        except OSError:
            continue
    return found


def test_a_cluster_whose_worker_and_driver_are_killed(bucket, proxy, cluster, tmp_path):
    data = {f"{i:04}": content(1000 if i % 50 else 9 * MIB, i) for i in range(400)}
    for key, value in data.items():
        bucket.put(key, value)
    local, ray = tmp_path / "local.parquet", tmp_path / "ray.parquet"
    create(proxy, bucket.url, local)
    proxy.forget()
    proxy.before = lambda method, key, headers: time.sleep(0.05)
    address, marker = cluster
    arguments = ("-o", ray, "--engine", "ray", "--address", address, "--part-rows", "25", "--concurrency", "4")
    process = start_hashmill(proxy.endpoint, "manifest", bucket.url, *arguments)
    folder, deadline = tmp_path / "ray.parquet.parts", time.monotonic() + 240

    def parts(count):
        while len(list(folder.glob("*.parquet"))) < count:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)

    parts(2)
    while not (workers := _workers(marker)):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(workers[0], signal.SIGKILL)
    parts(6)
    process.kill()
    process.communicate()
    assert not ray.exists()
    while _workers(marker):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    recorded = {key for part in folder.glob("*.parquet") for key in rows(part)}
    assert 150 <= len(recorded) < 400
    proxy.before = lambda method, key, headers: None
    proxy.forget()
    done = run_hashmill(proxy.endpoint, "manifest", bucket.url, *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{400 - len(recorded)} read" in done.stderr and not recorded & set(proxy.read())
    assert rows(ray) == rows(local)


def test_list(tmp_path):
    """A manifest as a list: names below the URL, sizes and digests; objects without digests are reported."""
    from hashmill.manifest import record

    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"a")
    (folder / os.fsdecode(b"\xff")).write_bytes(b"")
    made = run_hashmill("http://127.0.0.1:1", "manifest", f"file://{folder}", "-o", tmp_path / "m", "-a", "sha3_256")
    assert made.returncode == 0, made.stderr
    done = run_hashmill("http://127.0.0.1:1", "manifest", "--list", tmp_path / "m")
    assert done.returncode == 0, done.stderr
    digest = [hashlib.sha3_256(it).hexdigest() for it in (b"a", b"")]
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"name": "a", "size": 1, "digests": {"sha3-256": digest[0]}},
        {"name_base64": "/w==", "size": 0, "digests": {"sha3-256": digest[1]}},
    ]
    # The names of a bucket are relative to the prefix in the URL.
    wanted = reading.Wanted(("sha256",), None, False)
    rows = [
        reading.Row(stores.Object(b"photos/x", 1, "e", 0), "ok", {"sha256": bytes(32)}, None, None, "read", None),
        reading.Row(stores.Object(b"photos/y", 1, "e", 0), "error", {}, None, None, None, "no"),
        reading.Row(stores.Object(b"photos/z", 1, "e", 0), "missing", {}, None, None, None, None),
    ]
    described = record.schema("s3://bucket/photos", wanted)
    record._write(str(tmp_path / "b"), described, [record.table(rows, described)])
    done = run_hashmill("http://127.0.0.1:1", "manifest", "--list", tmp_path / "b")
    assert (done.returncode, done.stderr) == (1, "photos/y: no digest\n")
    assert json.loads(done.stdout) == {"name": "x", "size": 1, "digests": {"sha256": "00" * 32}}
