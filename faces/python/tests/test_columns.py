"""python -m hashmill columns: what it keeps, what it refuses, and damaged files. The tests that need servers, clusters
and much data are in tests/engines."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import uuid

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hashmill import arrow
from hashmill.__main__ import main


def job(*arguments):
    """Its exit status."""
    try:
        return main(["columns", *map(str, arguments)])
    except SystemExit as error:  # of argparse
        return error.code


def sha256(texts):
    return [None if it is None else hashlib.sha256(it.encode()).hexdigest() for it in texts]


def read(path):
    """The table in a Parquet file, of which two columns may have one name."""
    return pyarrow.parquet.ParquetFile(path).read()


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def two_of_one_name():
    return pyarrow.Table.from_arrays([pyarrow.array(it) for it in (["1", "2"], ["3", "4"], ["x", "y"])], ["a", "a", "b"])


def test_two_columns_of_one_name(capsys):
    """Neither is lost; a computation that names them is refused, and nothing is written."""
    pyarrow.parquet.write_table(two_of_one_name(), "dup.parquet")
    pathlib.Path("dup.csv").write_text("a,a,b\n1,3,x\n2,4,y\n")
    for name in ("dup.parquet", "dup.csv"):
        assert job(name, "--hash", "a=sha256", "-o", "refused") == 1
        assert "there are 2 columns 'a'" in capsys.readouterr().err and not os.path.exists(f"refused/{name}")
        assert job(name, "--hash", "b=sha256", "--format", "parquet", "-o", f"out-{name}") == 0
        result = read(f"out-{name}/dup.parquet")
        assert result.column_names == ["a", "a", "b"]
        assert [it.to_pylist() for it in result.columns] == [["1", "2"], ["3", "4"], sha256(["x", "y"])]


def test_text_that_is_not_utf8(capsys):
    """A hashed column of such text is refused, by its values and not by the way they are read."""
    column = pyarrow.array([b"a", b"\xff"]).view(pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table({"b": column}), "a.parquet")
    assert job("a.parquet", "--hash", "b=sha256", "-o", "out") == 1
    assert "value 1 is not UTF-8" in capsys.readouterr().err
    for use in (arrow.sha256, arrow.hash_rows):
        with pytest.raises(ValueError, match="value 1 is not UTF-8"):
            use(pyarrow.table({"b": column}))


def test_types_and_metadata_stay():
    """The schema's metadata, a field's metadata and its number, NOT NULL, and the type UUID."""
    identifiers = [uuid.UUID(int=i).bytes for i in range(3)]
    number = {b"PARQUET:field_id": b"7", b"comment": b"private"}
    schema = pyarrow.schema(
        [
            pyarrow.field("email", pyarrow.string(), nullable=False, metadata=number),
            pyarrow.field("zip", pyarrow.string(), nullable=False, metadata={b"PARQUET:field_id": b"8"}),
            pyarrow.field("who", pyarrow.uuid()),
            pyarrow.field("tags", pyarrow.list_(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))),
        ],
        metadata={b"geo": b'{"version": "1.1.0"}', b"pandas": b"{}"},
    )
    tags = pyarrow.array([["u"], [], ["u", "v"]], pyarrow.list_(pyarrow.string())).cast(schema.field("tags").type)
    storage = pyarrow.array(identifiers, pyarrow.binary(16))
    columns = [["a", "b", "c"], ["1", "2", "3"], pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), storage), tags]
    table = pyarrow.Table.from_arrays([pyarrow.array(it) if isinstance(it, list) else it for it in columns], schema=schema)
    pyarrow.parquet.write_table(table, "a.parquet")
    assert job("a.parquet", "--hash", "email=sha256", "-o", "out") == 0
    before, after = read("a.parquet"), read("out/a.parquet")
    for name in ("zip", "who", "tags"):
        assert after.schema.field(name).equals(before.schema.field(name), check_metadata=True), name
        assert after[name].equals(before[name])
    email = after.schema.field("email")
    assert not email.nullable and email.metadata == number and email.type == pyarrow.string()
    assert after.schema.metadata[b"geo"] == b'{"version": "1.1.0"}' and after.schema.metadata[b"pandas"] == b"{}"
    assert str(pyarrow.parquet.ParquetFile("out/a.parquet").schema.column(2).logical_type) == "UUID"
    # The values of a UUID are its 16 bytes.
    assert job("a.parquet", "--hash", "who=sha256", "-o", "out2") == 0
    assert read("out2/a.parquet")["who"].to_pylist() == [hashlib.sha256(it).hexdigest() for it in identifiers]


def words(*lists):
    return [pyarrow.table({"k": pyarrow.array(it).dictionary_encode(), "b": it}) for it in lists]


@pytest.mark.parametrize("make", [pyarrow.ipc.new_file, pyarrow.ipc.new_stream])
def test_arrow_files_with_dictionaries(make):
    """A stream may replace its dictionary, which a file must not."""
    tables = words(["u", "v", None, "u"], ["u", "v", None, "u"])
    if make is pyarrow.ipc.new_stream:
        tables += words(["w", None, "v"])
    with make("a.arrow", tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    assert job("a.arrow", "--hash", "b=sha256", "-o", "out") == 0
    result = pyarrow.ipc.open_file("out/a.arrow").read_all()
    want = [it for table in tables for it in table["k"].to_pylist()]
    assert result["k"].to_pylist() == want and result["b"].to_pylist() == sha256(want)
    assert result.schema.field("k").type == tables[0].schema.field("k").type
    assert job("a.arrow", "--hash", "k=sha256", "--format", "csv", "-o", "out") == 2  # another job
    assert job("a.arrow", "--hash", "b=sha256", "--format", "csv", "-o", "text") == 0
    assert pathlib.Path("text/a.csv").read_text().splitlines()[1] == f'"u","{sha256("u")[0]}"'


def test_names_and_places(tmp_path, capsys):
    """Brackets in a file's name, a file where OUT should be, and directories without data."""
    pyarrow.parquet.write_table(two_of_one_name(), "br[1].parquet")
    assert job("br[1].parquet", "--hash", "b=sha256", "-o", "out") == 0
    assert os.path.exists("out/br[1].parquet")
    pathlib.Path("file").touch()
    assert job("br[1].parquet", "--hash", "b=sha256", "-o", "file") == 2
    assert "file: it is a file, and not a directory" in capsys.readouterr().err
    os.mkdir("empty")
    pathlib.Path("empty/_SUCCESS").touch()
    for given in ("empty", "empty/", "nothing/*.parquet"):
        assert job(given, "--hash", "b=sha256", "-o", "none") == 2
        assert f"{given}: there is no such file" in capsys.readouterr().err
    for name, reason in [("a.json", "JSON"), ("a.jsonl.gz", "JSON"), ("a.parquet.gz", "does not end"), ("a.txt", "does not end")]:
        pathlib.Path(name).touch()
        assert job(name, "--hash", "b=sha256", "-o", "none") == 2
        assert reason in capsys.readouterr().err


def test_text_files():
    """A blank line of a file with one column is a row; delimiters; compression."""
    import gzip

    pathlib.Path("one.csv").write_text("email\na\n\nb\n")
    assert job("one.csv", "--hash", "email=sha256", "--format", "parquet", "-o", "one") == 0
    assert read("one/one.parquet")["email"].to_pylist() == sha256(["a", None, "b"])
    pathlib.Path("two.tsv").write_text("email\tzip\na,b\t00123\n\n")
    pathlib.Path("semicolons.csv").write_text("email;zip\na,b;00123\n")
    with gzip.open("packed.csv.gz", "wt") as file:
        file.write('email,zip\n"a,b",00123\n')
    pathlib.Path("packed.tsv.zst").write_bytes(pyarrow.Codec("zstd").compress(b"email\tzip\na,b\t00123\n").to_pybytes())
    for name, more in [("two.tsv", []), ("semicolons.csv", ["--delimiter", ";"]), ("packed.csv.gz", []), ("packed.tsv.zst", [])]:
        assert job(name, "--hash", "email=sha256", "-o", f"out-{name}", *more) == 0, name
        assert os.listdir(f"out-{name}") == [name, "_columns.jsonl"] or set(os.listdir(f"out-{name}")) == {name, "_columns.jsonl"}
        assert job(f"out-{name}/{name}", "--hash", "zip=sha256", "--format", "parquet", "-o", f"again-{name}", *more) == 0
        result = read(f"again-{name}/{name.split('.')[0]}.parquet")
        assert result.to_pydict() == {"email": sha256(["a,b"]), "zip": sha256(["00123"])}
    assert gzip.open("out-packed.csv.gz/packed.csv.gz").read().startswith(b'"email","zip"')
    pathlib.Path("cut.csv.gz").write_bytes(pathlib.Path("packed.csv.gz").read_bytes()[:-12])
    assert job("cut.csv.gz", "--hash", "email=sha256", "-o", "cut") == 1


def numbers(*given):
    return b"".join(it.to_bytes(4, "little", signed=True) for it in given)


#: The offsets or indices of a column, and what is in their place in a damaged file.
DAMAGE = {
    "descends": (numbers(0, 2, 4, 4), numbers(0, 9, 4, 4)),
    "negative": (numbers(0, 2, 4, 4), numbers(-8, 2, 4, 4)),
    "beyond": (numbers(0, 2, 4, 4), numbers(0, 2, 4, 1 << 30)),
    "index": (numbers(0, 1, 0), numbers(0, 1, 99)),
}


def damaged_arrow(kind):
    """The bytes of an Arrow stream with a column of three values that is damaged as `kind` says."""
    column = pyarrow.array(["u", "v", "u"]).dictionary_encode() if kind == "index" else pyarrow.array(["ab", "cd", ""])
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, pyarrow.schema([("b", column.type)])) as writer:
        writer.write_batch(pyarrow.record_batch({"b": column}))
    whole, (right, wrong) = sink.getvalue().to_pybytes(), DAMAGE[kind]
    assert whole.count(right) == 1
    return whole.replace(right, wrong)


USES = """
import pyarrow, pyarrow.ipc, sys
from hashmill import arrow
for path in sys.argv[1:]:
    for use in (arrow.sha256, arrow.hash_rows, arrow.encode_rows):
        for source in (lambda it: it, lambda it: it.read_all()):
            try:
                use(source(pyarrow.ipc.open_stream(path)))
            except (ValueError, TypeError):
                continue
            print("accepted", path)
"""


def test_damaged_arrow_files(capsys):
    """They are an error that names the file, and no crash; in a process of its own, because it could be one."""
    names = []
    for kind in DAMAGE:
        names.append(f"{kind}.arrow")
        pathlib.Path(names[-1]).write_bytes(damaged_arrow(kind))
    ran = subprocess.run([sys.executable, "-c", USES, *names], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    command = [sys.executable, "-m", "hashmill", "columns", *names, "--hash", "b=sha256", "-o", "out"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1 and "4 failed" in ran.stderr, ran.stderr
    assert all(f"{name}: " in ran.stderr for name in names) and "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


FUZZ = """
import pyarrow, random, sys
from hashmill import arrow
random.seed(int(sys.argv[1]))
whole = {}
for path in sys.argv[3:]:
    whole[path] = open(path, "rb").read()
accepted = refused = 0
for round in range(int(sys.argv[2])):
    data = bytearray(random.choice(list(whole.values())))
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randrange(len(data))
        data[at] = random.choice([0, 1, 0x7f, 0x80, 0xff, data[at] ^ 1 << random.randrange(8)])
    try:
        # What pyarrow itself does with a file that is no file at all is not tested here.
        table = pyarrow.ipc.open_stream(pyarrow.py_buffer(bytes(data))).read_all()
    except Exception:
        continue
    for use in (arrow.hash_rows, arrow.encode_rows, *(lambda it, i=i: arrow.sha256(it.column(i)) for i in range(table.num_columns))):
        try:
            use(table)
            accepted += 1
        except (ValueError, TypeError, MemoryError):
            refused += 1
print(accepted, refused)
assert accepted > 10 and refused > 10
"""


def test_fuzz():
    """Files with wrong bytes; what pyarrow reads of them is hashed or refused."""
    texts = ["", "a", None, "é" * 20, "longer than twelve bytes"] * 5
    kinds = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string())]
    names = []
    for i, kind in enumerate(kinds):
        column = pyarrow.array(texts).dictionary_encode().cast(kind) if i == 3 else pyarrow.array(texts, kind)
        table = pyarrow.table({"t": column, "n": list(range(25)), "f": pyarrow.array([b"abc"] * 25, pyarrow.binary(3)),
                               "l": pyarrow.array([["x", None], [], None, ["yz"], ["é"]] * 5),
                               "s": pyarrow.array([{"a": 1, "b": ["q"]}, None, {"a": None, "b": []}, {}, {"a": 2}] * 5),
                               "m": pyarrow.array([[("k", 1)], [], None, [("k", 2), ("l", 3)], []] * 5,
                                                  pyarrow.map_(pyarrow.string(), pyarrow.int64()))})  # fmt: skip
        names.append(f"{i}.stream")
        with pyarrow.ipc.new_stream(names[-1], table.schema) as writer:
            writer.write_table(table)
    rounds = "200000" if os.environ.get("HASHMILL_LONG") else "3000"
    ran = subprocess.run([sys.executable, "-c", FUZZ, "7", rounds, *names], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]


def test_a_length_that_no_memory_has():
    from hashmill import hash_many

    for length in (1 << 40, 1 << 62):
        for use in (
            lambda: arrow.shake_128(pyarrow.array(["a"]), length=length),
            lambda: arrow.shake_128(pyarrow.array(["a"]).dictionary_encode(), length=length),
            lambda: arrow.shake_128(pyarrow.chunked_array([["a"], ["b"]]), length=length, output="hex"),
            lambda: hash_many([b"a"], "shake_128", length=length),
        ):
            with pytest.raises(MemoryError):
                use()


def test_messages():
    """They name what was given."""
    with pytest.raises(ValueError, match="the key is empty"):
        arrow.sha256(pyarrow.array(["a"]), key=b"")
    with pytest.raises(TypeError, match="2 columns \\(a, b\\), and one is hashed"):
        arrow.sha256(pyarrow.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(TypeError, match="this is of type list"):
        arrow.hash_rows([{"a": 1}])
    structs = pyarrow.array([{"a": "x"}, None])
    with pytest.raises(ValueError, match="null as a whole"):
        arrow.sha256(structs)


def test_keys(capsys):
    """A new key is its owner's; keys that others can read or guess are warned of; the id goes into the outputs."""
    table = pyarrow.table({"email": ["a", None]})
    pyarrow.parquet.write_table(table, "a.parquet")
    assert main(["key", "raw.key"]) == 0 and main(["key", "people.jwk", "--id", "people-2026"]) == 0
    assert main(["key", "raw.key"]) == 2 and "File exists" in capsys.readouterr().err
    assert os.stat("raw.key").st_mode & 0o777 == os.stat("people.jwk").st_mode & 0o777 == 0o600
    assert len(pathlib.Path("raw.key").read_bytes()) == 32
    keyed = ["a.parquet", "--hmac", "email=sha256", "--key-file"]
    assert job(*keyed, "raw.key", "-o", "raw") == 0
    assert job(*keyed, "people.jwk", "--key-encoding", "jwk", "-o", "jwk") == 0
    assert "warning" not in capsys.readouterr().err
    import base64

    written = json.loads(pathlib.Path("people.jwk").read_text())
    secret = base64.urlsafe_b64decode(written["k"] + "=")
    result = read("jwk/a.parquet")
    assert result["email"].to_pylist() == arrow.sha256(table["email"], key=secret, output="hex").to_pylist()
    assert json.loads(result.schema.metadata[b"hashmill"])["email"]["key_id"] == "people-2026"
    assert "key_id" not in json.loads(read("raw/a.parquet").schema.metadata[b"hashmill"])["email"]
    for path in ("raw/a.parquet", "jwk/a.parquet", "raw/_columns.jsonl", "jwk/_columns.jsonl"):
        data = pathlib.Path(path).read_bytes()
        assert secret not in data and pathlib.Path("raw.key").read_bytes() not in data and written["k"].encode() not in data
    for content, mode, warning in [(b"k" * 32, 0o644, "other users"), (b"k" * 7, 0o600, "only 7 bytes"),
                                   (b"k" * 32 + b"\n", 0o600, "line break")]:  # fmt: skip
        pathlib.Path("bad").write_bytes(content)
        os.chmod("bad", mode)
        assert job(*keyed, "bad", "-o", "bad-out", "--overwrite") == 0
        said = capsys.readouterr().err
        assert warning in said and said.count("warning") == 1
    pathlib.Path("bad").write_text('{"kty": "oct", "k": 7}')
    assert job(*keyed, "bad", "--key-encoding", "jwk", "-o", "bad-out") == 2


def test_a_key_does_not_end_with_a_line_break(monkeypatch):
    drawn = [bytes([i]) * 31 + last for i, last in enumerate([b"\n", b"\r", b"x"])]
    monkeypatch.setattr("secrets.token_bytes", lambda _: drawn.pop(0))
    assert main(["key", "random.key"]) == 0
    assert pathlib.Path("random.key").read_bytes() == b"\2" * 31 + b"x"


def test_what_passes_in_clear(capsys):
    """--keep and --drop choose it; without --keep it is listed before the job begins."""
    table = pyarrow.table({"id": [1, 2], "email": ["a", "b"], "name": ["x", "y"]})
    pyarrow.parquet.write_table(table, "a.parquet")
    for more, names, listed in [
        ([], ["id", "email", "name"], "clear: id, name "),
        (["--keep", "id"], ["id", "email"], None),
        (["--keep", ""], ["email"], None),
        (["--drop", "name"], ["id", "email"], "clear: id "),
        (["--keep", "id", "--rows", "id,name=sha256"], ["id", "email", "row_sha256"], None),
    ]:
        assert job("a.parquet", "--hash", "email=sha256", "-o", "out", "--overwrite", *more) == 0
        said = capsys.readouterr().err
        assert read("out/a.parquet").column_names == names
        assert (listed in said) if listed else ("clear" not in said)
    assert job("a.parquet", "--hash", "email=sha256", "-o", "none", "--keep", "idd") == 1
    assert "there is no column 'idd'; there are: id, email, name" in capsys.readouterr().err
    assert job("a.parquet", "--hash", "email=sha256", "-o", "none", "--keep", "email") == 2
    assert job("a.parquet", "--hash", "email=sha256", "-o", "none", "--keep", "id", "--drop", "name") == 2


def test_compare(capsys):
    """Tokens under two keys, or of two functions, are not compared."""
    for key in ("one", "two"):
        assert main(["key", f"{key}.jwk", "--id", key]) == 0
    for name, emails in (("a", ["x", "y", "z", None]), ("b", ["z", "y", "w", "w", None])):
        pyarrow.parquet.write_table(pyarrow.table({"email": emails, "id": list(range(len(emails)))}), f"{name}.parquet")
    assert main(["key", "raw"]) == 0
    for out, name, more in [
        ("one", "a", ["--hmac", "email=sha256", "--key-file", "one.jwk", "--key-encoding", "jwk"]),
        ("one", "b", ["--hmac", "email=sha256", "--key-file", "one.jwk", "--key-encoding", "jwk"]),
        ("two", "b", ["--hmac", "email=sha256", "--key-file", "two.jwk", "--key-encoding", "jwk"]),
        ("plain", "b", ["--hash", "email=sha256"]),
        ("raw", "a", ["--hmac", "email=sha256", "--key-file", "raw"]),
        ("raw", "b", ["--hmac", "email=sha256", "--key-file", "raw"]),
    ]:
        assert job(f"{name}.parquet", *more, "-o", f"out-{out}") == 0
    capsys.readouterr()

    def compared(first, second, on="email"):
        status = main(["compare", f"out-{first}.parquet", f"out-{second}.parquet", "--on", on])
        return status, *capsys.readouterr()

    assert compared("one/a", "one/b") == (0, "first 1\nsecond 1\nboth 2\n", "")
    status, out, err = compared("one/a", "two/b")
    assert (status, out) == (2, "") and "different keys (key_id: one and two)" in err
    assert compared("one/a", "plain/b")[0] == 2 and compared("one/a", "raw/b")[0] == 2
    status, out, err = compared("raw/a", "raw/b")
    assert status == 0 and "both 2" in out and "do not name their keys" in err
    assert "no column of digests" in compared("one/a", "one/b", "id")[2]
    assert "no column 'none'" in compared("one/a", "one/b", "none")[2]
    assert "No such file" in compared("one/c", "one/b")[2]


def test_empty_fields_of_text_files():
    """An empty field and "" are apart, in the digests and in the columns that pass in clear."""
    for name, comma in (("a.csv", ","), ("a.tsv", "\t")):
        rows = [["a", "b"], ['""', ""], ["", '""'], ["x", '"y"']]
        pathlib.Path(name).write_text("".join(comma.join(row) + "\n" for row in rows))
        for choice, texts in [
            ((), (["", None, "x"], [None, "", "y"])),
            (("--csv-null", "unquoted"), (["", None, "x"], [None, "", "y"])),
            (("--csv-null", "all"), ([None, None, "x"], [None, None, "y"])),
            (("--csv-null", "none"), (["", "", "x"], ["", "", "y"])),
        ]:
            out = f"{name}-{'-'.join(choice)}"
            assert job(name, "--hash", "a=sha256", *choice, "--format", "parquet", "-o", f"{out}-1") == 0
            result = read(f"{out}-1/a.parquet")
            assert (result["a"].to_pylist(), result["b"].to_pylist()) == (sha256(texts[0]), texts[1])
            # In text again, and read again by default.
            assert job(name, "--hash", "a=sha256", *choice, "-o", f"{out}-2") == 0
            assert job(f"{out}-2/{name}", "--hash", "b=sha256", "--format", "parquet", "-o", f"{out}-3") == 0
            result = read(f"{out}-3/a.parquet")
            assert (result["a"].to_pylist(), result["b"].to_pylist()) == (sha256(texts[0]), sha256(texts[1]))


def test_empty_fields_of_other_types(capsys):
    pathlib.Path("a.csv").write_text('a,n\nx,1\ny,""\nz,\n')
    assert job("a.csv", "--rows", "a,n=sha256", "--type", "n=int", "-o", "out") == 1
    assert '--csv-null all reads "" as null' in capsys.readouterr().err
    assert job("a.csv", "--rows", "a,n=sha256", "--type", "n=int", "--csv-null", "all", "--format", "parquet", "-o", "null") == 0
    result = read("null/a.parquet")
    assert result["n"].to_pylist() == [1, None, None]
    table = pyarrow.table({"a": ["x", "y", "z"], "n": pyarrow.array([1, None, None], pyarrow.int64())})
    assert result["row_sha256"].to_pylist() == arrow.hash_rows(table, output="hex").to_pylist()


def hive(root="hive", years=("2023", "2024", "__HIVE_DEFAULT_PARTITION__")):
    for year in years:
        folder = pathlib.Path(root, f"year={year}", "city=S%C3%A3o Paulo")
        folder.mkdir(parents=True)
        pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "email": [f"a@{year}", None]}), folder / "p.parquet")


def below(folder):
    return sorted(str(it.relative_to(folder)) for it in pathlib.Path(folder).rglob("*.parquet"))


def test_directories_that_state_columns(capsys):
    """Hive's layout: the columns pass, are hashed or are left out as those of the files, and so do their directories."""
    import duckdb

    hive()
    inside = "city=S%C3%A3o Paulo/p.parquet"
    years = ("2023", "2024", "__HIVE_DEFAULT_PARTITION__")
    # All of them pass without --keep; they are in the list of columns that do.
    assert job("hive", "--hash", "email=sha256", "-o", "all") == 0
    assert below("all") == [f"year={year}/{inside}" for year in years]
    assert "pass in clear: id, year, city" in capsys.readouterr().err
    # One file, one directory, a glob.
    for given in (f"hive/year=2024/{inside}", "hive/year=2024", "hive/year=2024/*/*.parquet", "hive/*=2024/**/*.parquet"):
        out = given.replace("/", "-").replace("*", "+")
        assert job(given, "--hash", "email=sha256", "--keep", "year", "-o", out) == 0
        assert below(out) == ["year=2024/p.parquet"]
        assert read(f"{out}/year=2024/p.parquet").to_pydict() == {"email": sha256(["a@2024", None])}
    # Hashed: nothing in clear remains of them.
    assert job("hive", "--hash", "year=sha256", "--hash", "city=blake2b:64", "--keep", "id", "-o", "hashed") == 0
    [city] = [hashlib.blake2b("São Paulo".encode()).hexdigest()]
    digests = {year: sha256([year])[0] for year in years[:2]} | {years[2]: years[2]}
    assert below("hashed") == sorted(f"year={digests[year]}/city={city}/p.parquet" for year in years)
    found = duckdb.sql("select id, year, city from read_parquet('hashed/**/*.parquet', hive_partitioning=true)").fetchall()
    assert sorted(map(str, found)) == sorted(
        str((i, None if year == years[2] else digests[year], city)) for year in years for i in (1, 2)
    )
    # Left out: there is no directory either, and two files of one name are an error.
    assert job("hive/year=2024", "--hash", "email=sha256", "--keep", "id", "-o", "none") == 0
    assert below("none") == ["p.parquet"] and b"2024" not in pathlib.Path("none/p.parquet").read_bytes()
    assert job("hive", "--hash", "email=sha256", "--drop", "year", "-o", "two") == 2
    assert "would both become" in capsys.readouterr().err and not os.path.exists("two")
    # Within rows, with a type and without.
    for kind, year in (("text", "2024"), ("int", 2024)):
        assert job("hive/year=2024", "--rows", "year,id,city=sha256", "--type", f"year={kind}", "--keep", "city", "-o", kind) == 0
        rows = pyarrow.table({"year": [year] * 2, "id": [1, 2], "city": ["São Paulo"] * 2})
        assert read(f"{kind}/{inside}").to_pydict() == {"row_sha256": arrow.hash_rows(rows, output="hex").to_pylist()}


def test_directories_that_cannot_be_columns(capsys):
    hive(years=("2024", "x"))
    pathlib.Path("hive/year=2024/p.csv").write_text("id,year\n1,2\n")
    for arguments, status, message in [
        (["hive/year=x", "--rows", "id,year=sha256", "--type", "year=int"], 1, "the directory year=x"),
        (["hive/year=x", "--hash", "year=sha256", "--type", "year=int"], 2, "year=x: "),
        (["hive/year=2024/p.csv", "--hash", "year=sha256"], 1, "there are 2 columns 'year'"),
        (["hive/year=2024/city=S%C3%A3o Paulo", "--hash", "email=sha256", "--type", "id=int"], 1, "this file has types"),
        (["hive/year=2024/city=S%C3%A3o Paulo", "--hash", "email=sha256", "--keep", "month"], 1, "there are: id, email, year, city"),
        (["hive/year=2024/city=S%C3%A3o Paulo", "--hash", "year=sha256", "--keep", ""], 1, "would have no column"),
    ]:
        assert job(*arguments, "-o", f"out-{message[:12]}") == status, arguments
        assert message in capsys.readouterr().err
    # A directory that is no column: neither name nor value.
    os.makedirs("plain/=x")
    os.makedirs("plain/x")
    for folder in ("=x", "x"):
        pyarrow.parquet.write_table(pyarrow.table({"email": ["a"]}), f"plain/{folder}/p.parquet")
    assert job("plain", "--hash", "email=sha256", "-o", "plain-out") == 0
    assert below("plain-out") == ["=x/p.parquet", "x/p.parquet"]
