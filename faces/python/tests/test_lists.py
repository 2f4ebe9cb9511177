"""The manifest of a store beside lists of digests of the same files."""

import argparse
import base64
import contextlib
import hashlib
import io
import json
import subprocess
import sys

import pytest
from hashmill import manifest

# Names with a blank, a line break, a backslash, in a folder, and that is not UTF-8.
FILES = {b"a b": b"abc", b"new\nline\\": b"z", b"sub/y": b"x", b"\xff": b""}


def run(*arguments, given=None):
    """Runs the command in this process, or with standard input in one of its own."""
    if given is not None:
        command = [sys.executable, "-m", "hashmill", "manifest", *map(str, arguments)]
        return subprocess.run(command, input=given, capture_output=True)
    parser = argparse.ArgumentParser()
    manifest.add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = manifest.run(parser.parse_args([str(it) for it in arguments]))
    return subprocess.CompletedProcess(arguments, status, out.getvalue().encode(), err.getvalue().encode())


def sha(name, content):
    return hashlib.new(name, content).hexdigest().encode()


def escaped(name):
    written = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    return (b"\\" if written != name else b"", written)


def gnu(files, algorithm="sha256", star=b" "):
    lines = []
    for name, content in files.items():
        mark, written = escaped(name)
        lines.append(b"%s%s %s./%s\n" % (mark, sha(algorithm, content), star, written))
    return b"".join(lines)


def tagged(files, algorithms=(("SHA256", "sha256"),)):
    lines = []
    for name, content in files.items():
        mark, written = escaped(name)
        lines += [b"%s%s (%s) = %s\n" % (mark, tag.encode(), written, sha(it, content)) for tag, it in algorithms]
    return b"".join(lines)


def program(files):
    """As the program writes the manifest of a directory."""
    lines = [b"# hashmill manifest 2\n# algorithm SHA256\n# tree photos\n# header 09f658c339a5daf0\n"]
    for name, content in files.items():
        lines += [b"# %d 2026-11-23T17:25:19.745320383Z 2026-11-23T17:25:19.745320383Z 101 59afb476e3df6f29\n" % len(content)]
        lines += [tagged({name: content})]
    return b"".join(lines) + b"# end of %d files 44db9396790a8c7b\n" % len(files)


def as_json(files):
    lines = []
    for name, content in files.items():
        try:
            named = {"name": name.decode()}
        except UnicodeDecodeError:
            named = {"name_base64": base64.b64encode(name).decode()}
        digests = {"SHA256": sha("sha256", content).decode(), "MD5": sha("md5", content).decode()}
        lines.append(json.dumps({**named, "size": len(content), "digests": digests}).encode() + b"\n")
    return b"".join(lines)


FORMS = {
    "GNU": gnu,
    "GNU, binary, from Windows": lambda files: gnu(files, star=b"*").replace(b"\n", b"\r\n"),
    "BSD": tagged,
    "two algorithms": lambda files: tagged(files, [("MD5", "md5"), ("SHA512", "sha512"), ("SHA256", "sha256")]),
    "manifest": program,
    "JSON": as_json,
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    for name, content in FILES.items():
        path = bytes(folder) + b"/files/" + name
        subprocess.run([b"mkdir", b"-p", path.rpartition(b"/")[0]], check=True)
        with open(path, "wb") as file:
            file.write(content)
    made = run(f"file://{folder}/files", "-o", folder / "m.parquet", "-a", "sha256", "-a", "sha512")
    assert made.returncode == 0, made.stderr
    return folder / "m.parquet"


@pytest.mark.parametrize("form", FORMS)
def test_forms(store, tmp_path, form):
    path = tmp_path / "list"
    path.write_bytes(FORMS[form](FILES))
    for arguments in ([store, path], [path, store], [path, path]):
        done = run("--compare", *arguments)
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
    other = {b"a b": b"abd", b"moved": b"z", b"\xff": b"", b"new": b"new"}
    path.write_bytes(FORMS[form](other))
    done = run("--compare", store, path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [b"changed a b", b"moved new\\x0aline\\x5c to moved", b"added new", b"removed sub/y"]


def test_names_below_the_url(tmp_path):
    """The names of a bucket's objects are relative to the prefix in its URL."""
    from hashmill.manifest import reading, record, stores

    wanted = reading.Wanted(("sha256",), None, False)
    found = [
        reading.Row(stores.Object(b"photos/" + name, len(content), "e", 0), "ok", {"sha256": hashlib.sha256(content).digest()},
                    None, None, "read", None)
        for name, content in sorted(FILES.items())
    ]  # fmt: skip
    described = record.schema("s3://bucket/photos", wanted)
    record._write(str(tmp_path / "m"), described, [record.table(found, described)])
    (tmp_path / "list").write_bytes(gnu(FILES))
    done = run("--compare", tmp_path / "m", tmp_path / "list")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr


@pytest.mark.parametrize(("content", "message"), [
    (b"", b"no digest in common"),
    (b"garbage\n", b"line 1: this is no digest of a file"),
    (b"{}\n", b"line 1: 'name_base64'"),
    (b'{"name": 5, "digests": {}}\n', b"line 1: "),
    (b'{"name": "a", "digests": [1]}\n', b"line 1: "),
    (b'{"name": "a", "size": "x", "digests": {}}\n', b"line 1: "),
    (b'{"name": "a", "digests": {"SHA256": "xyz"}}\n', b"line 1: "),
    (b"SHA256 (a) = 00\n", b"a digest of 1 bytes is not one of sha256"),
    (tagged({b"a": b"1"}) + tagged({b"a": b"2"}), b"line 2: another digest of this file"),
    (gnu({b"a": b"1"}, "sha512"), b"a digest of 64 bytes is not one of sha256"),
    (tagged({b"a": b"1"}, [("MD5", "md5")]), b"no digest in common"),
    (program(FILES).rpartition(b"# end")[0], b"is not complete"),
    (program(FILES).replace(b"end of 4", b"end of 5"), b"is not complete"),
])  # fmt: skip
def test_wrong_lists(store, tmp_path, content, message):
    (tmp_path / "list").write_bytes(content)
    done = run("--compare", store, tmp_path / "list")
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert b"Traceback" not in done.stderr


def test_the_algorithm_of_a_list(store, tmp_path):
    (tmp_path / "list").write_bytes(gnu(FILES, "sha512"))
    assert run("--compare", store, tmp_path / "list", "-a", "sha512").returncode == 0
    for arguments in (["-a", "md4"], ["-a", "sha512", "-a", "sha256"]):
        done = run("--compare", store, tmp_path / "list", *arguments)
        assert done.returncode == 2 and b"-a names the one algorithm" in done.stderr
    done = run("--compare", store, "-", given=gnu({**FILES, b"a b": b"another"}))
    assert (done.returncode, done.stdout) == (1, b"changed a b\n"), done.stderr
    done = run("--compare", store, tmp_path / "absent")
    assert done.returncode == 2 and b"absent" in done.stderr
