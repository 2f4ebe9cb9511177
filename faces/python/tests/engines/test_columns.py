"""python -m hashmill columns: what it refuses, what it survives, and what it leaves."""

import contextlib
import hashlib
import hmac
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from hashmill import arrow
from hashmill.__main__ import main


FILES = 24


def people(count, start=0):
    numbers = range(start, start + count)
    emails = [None if i % 7 == 3 else f"user{i}@example.org" for i in numbers]
    return pyarrow.table({"id": numbers, "email": emails, "zip": [f"{i % 1000:05}" for i in numbers]})


def hashed(table, name="email"):
    return [None if it is None else hashlib.sha256(str(it).encode()).hexdigest() for it in table[name].to_pylist()]


def job(*arguments):
    """Its exit status."""
    try:
        return main(["columns", *map(str, arguments)])
    except SystemExit as error:  # of argparse
        return error.code


def started(*arguments, **more):
    command = [sys.executable, "-m", "hashmill", "columns", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **more)


def files(folder):
    """Everything below it, hidden or not, but the plan."""
    return sorted(str(it.relative_to(folder)) for it in pathlib.Path(folder).rglob("*") if it.is_file() and it.name[0] != "_")


@pytest.fixture
def many(tmp_path):
    """Some files with two row groups each."""
    (tmp_path / "in").mkdir()
    for i in range(FILES):
        pyarrow.parquet.write_table(people(40_000, i * 40_000), tmp_path / f"in/{i:02}.parquet", row_group_size=20_000)
    return tmp_path / "in"


def check_many(many, out):
    """Nothing is lost, nothing is there twice, and nothing else is left."""
    assert files(out) == files(many)
    for name in files(many):
        table, result = pyarrow.parquet.read_table(many / name), pyarrow.parquet.read_table(out / name)
        assert result["id"].equals(table["id"])
        assert result["email"].to_pylist() == arrow.sha256(table["email"], output="hex").to_pylist()


@pytest.mark.parametrize("output", ["hex", "binary"])
def test_formats(tmp_path, output):
    """A digest stands where its value stood; other columns keep their types and values; text keeps its zeros."""
    table = people(3000)
    (tmp_path / "in/deep").mkdir(parents=True)
    pyarrow.parquet.write_table(table, tmp_path / "in/a.parquet")
    with pyarrow.ipc.new_file(tmp_path / "in/deep/b.arrow", table.schema) as writer:
        writer.write_table(table, 500)
    with pyarrow.ipc.new_stream(tmp_path / "in/c.ipc", table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "in/_SUCCESS").touch()
    (tmp_path / "in/notes.txt").touch()
    assert job(tmp_path / "in", "--hash", "email=sha256", "-o", tmp_path / "out", "--output", output) == 0
    assert files(tmp_path / "out") == ["a.parquet", "c.ipc", "deep/b.arrow"]
    want = hashed(table) if output == "hex" else [it and bytes.fromhex(it) for it in hashed(table)]
    for result in (
        pyarrow.parquet.read_table(tmp_path / "out/a.parquet"),
        pyarrow.ipc.open_file(tmp_path / "out/c.ipc").read_all(),
        pyarrow.ipc.open_file(tmp_path / "out/deep/b.arrow").read_all(),
    ):
        assert result["email"].to_pylist() == want
        assert result.drop_columns("email").equals(table.drop_columns("email"))
        assert result.column_names == table.column_names


def test_csv(tmp_path):
    """All columns are text, an empty field is null; line breaks and quotes within fields stay."""
    (tmp_path / "a.csv").write_text('id,"e,mail",zip\n1,ada@example.org,00123\n2,,\n3,"two\nlines, ""quoted""",é\n')
    for engine, out in (("local", "out"), ("ray", "out2")):
        if engine == "ray":  # what Ray's workers call
            from hashmill.columns import engines, plan, steps

            spec = steps.Spec((steps.Step(("e,mail",), "sha256", None, False),), "hex", None)
            source = plan.tasks_of([str(tmp_path / "a.csv")], spec, None, 0)[0]
            engines.carry_out(source, spec, None, str(tmp_path / out), "job", 1)
        else:
            assert job(tmp_path / "a.csv", "--hash", "e,mail=sha256", "-o", tmp_path / out) == 0
        convert = pyarrow.csv.ConvertOptions(column_types={name: "string" for name in ("id", "e,mail", "zip")},
                                             strings_can_be_null=True, null_values=[""])  # fmt: skip
        result = pyarrow.csv.read_csv(tmp_path / out / "a.csv", convert_options=convert)
        texts = ["ada@example.org", None, 'two\nlines, "quoted"']
        assert result["e,mail"].to_pylist() == [it and hashlib.sha256(it.encode()).hexdigest() for it in texts]
        assert result["zip"].to_pylist() == ["00123", None, "é"] and result["id"].to_pylist() == ["1", "2", "3"]
    assert job(tmp_path / "a.csv", "--rows", "id,zip=sha256", "--format", "parquet", "-o", tmp_path / "out3") == 0
    rows = pyarrow.parquet.read_table(tmp_path / "out3/a.parquet")["row_sha256"].to_pylist()
    want = pyarrow.table({"id": ["1", "2", "3"], "zip": ["00123", None, "é"]})
    assert rows == arrow.hash_rows(want, output="hex").to_pylist()


def test_steps_read_the_values_of_the_file(tmp_path):
    """Rows are hashed as they were, not with digests in them; and there may be several of each kind."""
    pyarrow.parquet.write_table(people(100), tmp_path / "a.parquet")
    (tmp_path / "key").write_bytes(b"\x00k\n")
    assert job(tmp_path / "a.parquet", "--hash", "zip=shake_128:5", "--hmac", "email=kmac128", "--key-file", tmp_path / "key",
               "--rows", "id,email=sha256", "--hmac-rows", "id,zip=sha512", "--rows-as", "plain", "-o", tmp_path / "out") == 0  # fmt: skip
    result, table = pyarrow.parquet.read_table(tmp_path / "out/a.parquet"), people(100)
    assert result.column_names == ["id", "email", "zip", "plain", "row_sha512"]
    assert result["zip"][7].as_py() == hashlib.shake_128(b"00007").hexdigest(5)
    assert result["email"].to_pylist() == arrow.kmac128(table["email"], key=b"\x00k\n", output="hex").to_pylist()
    assert result["plain"].to_pylist() == arrow.hash_rows(table, ["id", "email"], output="hex").to_pylist()
    encoded = arrow.encode_rows(table, ["id", "zip"])[42]
    assert result["row_sha512"][42].as_py() == hmac.digest(b"\x00k\n", encoded, "sha512").hex()


def test_no_rows(tmp_path):
    pyarrow.parquet.write_table(people(0), tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text("email,x\n")
    assert job(tmp_path / "a.parquet", tmp_path / "b.csv", "--hash", "email=sha256", "-o", tmp_path / "out") == 0
    result = pyarrow.parquet.read_table(tmp_path / "out/a.parquet")
    assert result.num_rows == 0 and result.column_names == ["id", "email", "zip"]
    assert (tmp_path / "out/b.csv").read_text().replace('"', "").split() == ["email,x"]


def test_refusals(tmp_path, capsys, monkeypatch):
    """Wrong commands have status 2, say why, show no key, and write nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY", "correct-horse")
    pyarrow.parquet.write_table(people(10), "a.parquet")
    pathlib.Path("empty").touch()
    pathlib.Path("dir").mkdir()
    pyarrow.parquet.write_table(people(10), "dir/a.parquet")
    for arguments, reason in [
        (["a.parquet"], "nothing to do"),
        (["a.parquet", "--hash", "email"], "COLUMN=ALGORITHM"),
        (["a.parquet", "--hash", "email=md6"], "unsupported hash type md6"),
        (["a.parquet", "--hash", "email=sha256:x"], "length in bytes"),
        (["a.parquet", "--hash", "email=sha256:20"], "length"),
        (["a.parquet", "--hash", "email=sha256", "--hmac", "email=sha256", "--key-env", "KEY"], "named twice"),
        (["a.parquet", "--hmac", "email=sha256"], "need a key"),
        (["a.parquet", "--hash", "email=sha256", "--key-env", "KEY"], "need a key"),
        (["a.parquet", "--hmac", "email=sha256", "--key-env", "NONE"], "not set"),
        (["a.parquet", "--hmac", "email=sha256", "--key-file", "none"], "none: No such file"),
        (["a.parquet", "--hmac", "email=sha256", "--key-file", "empty"], "empty"),
        (["a.parquet", "--hmac", "email=sha256", "--key-env", "KEY", "--key-encoding", "hex"], "--key-encoding"),
        (["a.parquet", "--rows", "id=sha256", "--rows", "zip=sha256"], "same name"),
        (["none.parquet", "--hash", "email=sha256"], "no such file"),
        (["*.orc", "--hash", "email=sha256"], "no such file"),
        (["empty", "--hash", "email=sha256"], "does not end as"),
        (["a.parquet", "dir/a.parquet", "--hash", "email=sha256"], "would both become"),
        (["a.parquet", "--hash", "email=sha256", "--address", "auto"], "--engine ray"),
        (["a.parquet", "--hash", "email=sha256", "-o", "."], "both read and written"),
    ]:
        assert job("-o", "out", *arguments) == 2, arguments
        said = capsys.readouterr().err
        assert reason in said and "horse" not in said and "Traceback" not in said, said
        assert not os.path.exists("out")
    for arguments, reason in [
        (["--hash", "none=sha256"], "there is no column 'none'; there are: id, email, zip"),
        (["--hash", "id=sha256"], "a column of Int64 has no bytes that define its hash: cast it"),
        (["--rows", "id=sha256", "--rows-as", "zip"], "there is a column 'zip' already"),
    ]:
        assert job("a.parquet", "-o", "out", "--overwrite", *arguments) == 1
        assert f"a.parquet: {reason}" in capsys.readouterr().err
        assert files("out") == []


def test_results_of_others_are_kept(tmp_path, capsys):
    """What is in OUT already is replaced only by the same job, or when that is asked for."""
    source, out = tmp_path / "a.parquet", tmp_path / "out"
    pyarrow.parquet.write_table(people(10), source)
    out.mkdir()
    (out / "a.parquet").write_text("mine")
    assert job(source, "--hash", "email=sha256", "-o", out) == 2
    assert "--overwrite" in capsys.readouterr().err and (out / "a.parquet").read_text() == "mine"
    assert job(source, "--hash", "email=sha256", "-o", out, "--overwrite") == 0
    assert job(source, "--hash", "email=sha512", "-o", out) == 2
    assert "another job" in capsys.readouterr().err
    (tmp_path / "key").write_bytes(b"one")
    keyed = [source, "--hmac", "email=sha256", "--key-file", tmp_path / "key", "-o", tmp_path / "keyed"]
    assert job(*keyed) == 0 and job(*keyed) == 0
    assert "1 were done before" in capsys.readouterr().err
    (tmp_path / "key").write_bytes(b"two")
    assert job(*keyed) == 2
    assert "another key" in capsys.readouterr().err
    # Another file of the same job.
    pyarrow.parquet.write_table(people(10), tmp_path / "b.parquet")
    (tmp_path / "key").write_bytes(b"one")
    other = [tmp_path / "b.parquet", *keyed[1:]]
    assert job(*other) == 0 and job(*keyed) == 0 and job(*other) == 0
    assert capsys.readouterr().err.count("1 were done before") == 2
    # A file that is another one by now is done again.
    pyarrow.parquet.write_table(people(20), source)
    assert job(*keyed) == 0
    assert pyarrow.parquet.read_table(tmp_path / "keyed/a.parquet").num_rows == 20


def test_a_file_that_changes_while_it_is_read(tmp_path, capsys, monkeypatch):
    from hashmill.columns import engines

    source = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(people(10), source)
    write = engines.write

    def changing(*given):
        os.utime(source, ns=(1, 1))
        return write(*given)

    monkeypatch.setattr(engines, "write", changing)
    assert job(source, "--hash", "email=sha256", "-o", tmp_path / "out") == 1
    assert "changed while it was read" in capsys.readouterr().err and files(tmp_path / "out") == []


def test_damaged_files_among_a_thousand(tmp_path, capsys):
    """They are named, the others are done; when they are mended only they are done."""
    (tmp_path / "in").mkdir()
    pyarrow.parquet.write_table(people(20), tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    for i in range(1000):
        (tmp_path / f"in/{i:03}.parquet").write_bytes(whole)
    damage = {"017": whole[:-20], "400": b"", "733": whole[:4] + bytes(len(whole) - 12) + whole[-8:], "999": whole[:200]}
    for name, data in damage.items():
        (tmp_path / f"in/{name}.parquet").write_bytes(data)
    command = [tmp_path / "in/*.parquet", "--hash", "email=sha256", "-o", tmp_path / "out"]
    assert job(*command) == 1
    said = capsys.readouterr().err
    for name in damage:
        assert said.count(f"in/{name}.parquet: ") == 1
    assert "996 outputs of 19920 rows, 4 failed" in said and "Traceback" not in said
    assert len(files(tmp_path / "out")) == 996
    for name in damage:
        (tmp_path / f"in/{name}.parquet").write_bytes(whole)
    assert job(*command) == 0
    assert "4 outputs of 80 rows, 996 were done before" in capsys.readouterr().err
    assert len(files(tmp_path / "out")) == 1000


def random_bytes(tmp_path):
    values = [hashlib.shake_128(b"%d" % i).hexdigest(500) for i in range(4000)]
    pyarrow.parquet.write_table(pyarrow.table({"email": values, "text": values}), tmp_path / "a.parquet")
    pyarrow.parquet.write_table(people(10), tmp_path / "b.parquet")
    return tmp_path / "a.parquet", tmp_path / "b.parquet"


def test_no_more_space_than_a_limit(tmp_path):
    """The limit on a file's size, which any user can set."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    process = started(*random_bytes(tmp_path), "--hash", "email=sha256", "-o", tmp_path / "out", preexec_fn=limit)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 1 and "a.parquet: File too large" in said and "Traceback" not in said, said
    assert files(tmp_path / "out") == []


def test_a_full_disk(tmp_path):
    """A real one, of 1 MiB."""
    out = tmp_path / "out"
    out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", out], capture_output=True).returncode != 0:
        pytest.skip("left out: a full disk: this user cannot mount one")
    try:
        process = started(*random_bytes(tmp_path), "--hash", "email=sha256", "-o", out)
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 1 and "a.parquet: No space left on device" in said and "Traceback" not in said, said
        assert files(out) == []
    finally:
        subprocess.run(["umount", out], check=True)


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_the_driver_is_killed(many, tmp_path, engine, request):
    """It goes on where it was: what was done stays as it is, and nothing that is half done is left."""
    out = tmp_path / "out"
    command = [many, "--hash", "email=sha256", "-o", out, "--engine", engine]
    if engine == "ray":
        command += ["--address", request.getfixturevalue("cluster").address]
    process = started(*command)
    until(lambda: out.exists() and len([it for it in files(out) if it.endswith(".parquet")]) >= 3)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    if engine == "ray":  # its workers end with it
        until(lambda: not workers())
    done = {it: os.stat(out / it).st_mtime_ns for it in files(out) if it.endswith(".parquet")}
    assert 3 <= len(done) < FILES
    process = started(*command)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 0 and f"{len(done)} were done before" in said
    assert {it: os.stat(out / it).st_mtime_ns for it in done} == done
    check_many(many, out)


def descendants(pid):
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [int(it) for it in children] + [it for child in children for it in descendants(child)]


def workers():
    """The processes below this one that are at a task of the job."""
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::attempt"):
                found.append(pid)
    return found


def test_workers_and_a_machine_die(many, tmp_path, cluster, capsys):
    """Nothing is lost, nothing is there twice, though four workers and one of two machines die in the middle."""
    out, killed, ended = tmp_path / "out", [], threading.Event()
    machine = cluster.add_node(num_cpus=1, object_store_memory=80 << 20)

    def kill():
        while len(killed) < 4 and not ended.is_set():
            # A worker that was killed may be listed for some time.
            for pid in [it for it in workers() if it not in killed][:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
            time.sleep(0.3)
        cluster.remove_node(machine, allow_graceful=False)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        status = job(many, "--hash", "email=sha256", "-o", out, "--engine", "ray", "--split", 300_000, "--retries", 20)
    finally:
        ended.set()
        thread.join()
    assert status == 0 and len(set(killed)) == 4
    assert f"{2 * FILES} outputs of {40_000 * FILES} rows" in capsys.readouterr().err
    names = [f"{i:02}-{part:05}.parquet" for i in range(FILES) for part in range(2)]
    assert files(out) == names
    table = pyarrow.concat_tables(pyarrow.parquet.read_table(out / name) for name in names)
    assert table["id"].to_pylist() == list(range(40_000 * FILES))
    assert table["email"].to_pylist() == arrow.sha256(people(40_000 * FILES)["email"], output="hex").to_pylist()


def test_object_stores(bucket, tmp_path, monkeypatch, capsys):
    """From a bucket to a bucket, with pyarrow's reader; an object is there when it is whole, and only then."""
    from conftest import environment

    for name, value in environment(bucket.gateway.endpoint, AWS_ALLOW_HTTP="true").items():
        monkeypatch.setenv(name, value)
    for i in range(3):
        pyarrow.parquet.write_table(people(1000, i), tmp_path / "a.parquet")
        bucket.put(f"in/deep/{i}.parquet", (tmp_path / "a.parquet").read_bytes())
    bucket.put("in/deep/damaged.parquet", b"PAR1")
    bucket.put("lists/a.csv", b"email,zip\nada@example.org,00123\n")
    command = [f"{bucket.url}/in/**/*.parquet", "--hash", "email=sha256", "-o", f"{bucket.url}/out"]
    assert job(*command) == 1
    bucket.delete("in/deep/damaged.parquet")
    assert job(*command) == 0
    keys = [it["Key"] for it in bucket.client.list_objects_v2(Bucket=bucket.name, Prefix="out/")["Contents"]]
    assert keys == ["out/_columns.jsonl", *(f"out/deep/{i}.parquet" for i in range(3))]
    for i in range(3):
        result = pyarrow.parquet.read_table(bucket.file(f"out/deep/{i}.parquet"))
        assert result["email"].to_pylist() == hashed(people(1000, i))
    capsys.readouterr()
    assert job(f"{bucket.url}/in/deep/none.parquet", "--hash", "email=sha256", "-o", tmp_path / "none") == 2
    assert "none.parquet: there is no such file" in capsys.readouterr().err
    with monkeypatch.context() as wrong:
        wrong.setenv("AWS_SECRET_ACCESS_KEY", "battery-staple")
        assert job(*command) == 2
        said = capsys.readouterr().err
        assert bucket.name in said and "staple" not in said and "Traceback" not in said and said.count("\n") == 1, said
    (tmp_path / "here").mkdir()
    assert job(f"{bucket.url}/in/deep/1.parquet", "--hash", "email=sha256", "-o", tmp_path / "here") == 0
    assert job(f"{bucket.url}/lists/", "--hash", "zip=sha256", "-o", tmp_path / "lists") == 0
    assert files(tmp_path / "here") == ["1.parquet"]
    assert hashlib.sha256(b"00123").hexdigest() in (tmp_path / "lists/a.csv").read_text()


def test_a_column_of_more_than_2_gib():
    """Offsets of 64 bits, in one chunk."""
    count, width = 2_100, 1 << 20
    data = numpy.zeros(count * width, numpy.uint8)
    data[:: 1000 * width] = 65
    offsets = numpy.arange(count + 1, dtype=numpy.int64) * width
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    column = pyarrow.Array.from_buffers(pyarrow.large_string(), count, buffers)
    assert column.nbytes > 1 << 31
    zeros, marked = bytes(width), b"A" + bytes(width - 1)
    want = [hashlib.sha256(marked if i % 1000 == 0 else zeros).digest() for i in (0, 1, 1000, 2000, 2099)]
    digests = arrow.sha256(column, threads=0)
    assert [digests[i] for i in (0, 1, 1000, 2000, 2099)] == want and len(set(digests)) == 2


def test_a_terminal_has_a_progress_bar(tmp_path):
    import pty
    import termios

    pyarrow.parquet.write_table(people(10), tmp_path / "a.parquet")
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (25, 100))
    command = [sys.executable, "-m", "hashmill", "columns", tmp_path / "a.parquet", "--hash", "email=sha256", "-o", tmp_path / "out"]
    assert subprocess.run(command, stderr=slave).returncode == 0
    os.close(slave)
    shown = os.read(master, 1 << 16).decode()
    os.close(master)
    assert "100%" in shown and "rows/s]" in shown and "1 outputs of 10 rows" in shown


@pytest.fixture
def s3(bucket, monkeypatch):
    """The bucket, with what this process needs to know to use it."""
    from conftest import environment

    for name, value in environment(bucket.gateway.endpoint, AWS_ALLOW_HTTP="true").items():
        monkeypatch.setenv(name, value)
    return bucket


def uploads(bucket):
    return [it["Key"] for it in bucket.client.list_multipart_uploads(Bucket=bucket.name).get("Uploads", [])]


def large(path, damaged):
    """A Parquet file of 60 MB, of which the last row group may be damaged."""
    values = numpy.random.default_rng(1).integers(0, 256, (1 << 20, 20), numpy.uint8)
    table = pyarrow.table({"email": pyarrow.array(range(1 << 20)).cast("string"), "more": arrow.sha256(values, output="hex")})
    pyarrow.parquet.write_table(table, path, row_group_size=1 << 18)
    if damaged:
        column = pyarrow.parquet.ParquetFile(path).metadata.row_group(3).column(1)
        with open(path, "r+b") as file:
            file.seek((column.dictionary_page_offset or column.data_page_offset) + 8)
            file.write(b"\xff" * 1000)


def test_uploads_of_failed_jobs_are_aborted(s3, tmp_path, monkeypatch, capsys):
    """The parts of an upload that is never completed are kept and paid for, until it is aborted."""
    from hashmill.columns import writing

    monkeypatch.setattr(writing, "_GROUP_ROWS", 1 << 18)
    large(tmp_path / "a.parquet", damaged=True)
    seen = []
    abort = writing.abort_uploads
    monkeypatch.setattr(writing, "abort_uploads", lambda *given: (seen.extend(uploads(s3)), abort(*given)))
    assert job(tmp_path / "a.parquet", "--hash", "email=sha256", "-o", f"{s3.url}/out") == 1
    assert seen == ["out/a.parquet"] and uploads(s3) == []
    assert "a.parquet: " in capsys.readouterr().err


def test_uploads_of_killed_jobs_are_aborted(s3, tmp_path):
    """By the next run; another job's uploads stay."""
    large(tmp_path / "a.parquet", damaged=False)
    other = s3.client.create_multipart_upload(Bucket=s3.name, Key="out/other.parquet")["UploadId"]
    command = [tmp_path / "a.parquet", "--hash", "email=sha256", "-o", f"{s3.url}/out"]
    process = started(*command, env={**os.environ})
    until(lambda: "out/a.parquet" in uploads(s3) or process.poll() is not None)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL and sorted(uploads(s3)) == ["out/a.parquet", "out/other.parquet"]
    assert job(*command) == 0
    assert uploads(s3) == ["out/other.parquet"]
    s3.client.abort_multipart_upload(Bucket=s3.name, Key="out/other.parquet", UploadId=other)
    assert pyarrow.parquet.ParquetFile(s3.file("out/a.parquet")).metadata.num_rows == 1 << 20
