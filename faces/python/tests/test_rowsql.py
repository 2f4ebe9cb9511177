"""Rows as text: their encoding, and the SQL that computes the same, run by DuckDB. tests/engines runs that of PostgreSQL
and Spark."""

import datetime
import decimal
import doctest
import hashlib
import hmac

import duckdb
import pyarrow
import pyarrow.parquet
import pytest
from hashmill import arrow, rowsql
from hashmill.__main__ import main

UTC = datetime.timezone.utc


def moments(zone=None):
    return [
        datetime.datetime(2024, 2, 29, 12, 0, 0, 120_000, zone), datetime.datetime(1, 1, 1, tzinfo=zone),
        datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999, zone), datetime.datetime(1969, 12, 31, 23, 59, 59, 1, zone), None,
    ]  # fmt: skip


#: A type, its values, and their texts.
COLUMNS = {
    "text": (pyarrow.string(), ["", "a-b", "é'\"\\", "two\nlines", None], ["", "a-b", "é'\"\\", "two\nlines", None]),
    'o"d`d': (pyarrow.large_string(), ["x"] * 5, ["x"] * 5),
    "views": (pyarrow.string_view(), ["longer than twelve bytes", "b", None, "", "c"], ["longer than twelve bytes", "b", None, "", "c"]),
    "flag": (pyarrow.bool_(), [True, False, None, True, False], ["true", "false", None, "true", "false"]),
    "small": (pyarrow.int8(), [0, -128, 127, None, 1], ["0", "-128", "127", None, "1"]),
    "large": (pyarrow.int64(), [0, -(2**63), 2**63 - 1, None, 1], ["0", str(-(2**63)), str(2**63 - 1), None, "1"]),
    "price": (pyarrow.decimal128(10, 2), [decimal.Decimal(it) for it in ("1.50", "0.00", "-0.05", "100.00", "-12345678.90")],
              ["1.5", "0", "-0.05", "100", "-12345678.9"]),
    "whole": (pyarrow.decimal128(38, 0), [decimal.Decimal(it) for it in ("0", "100", "-7", "1" + "0" * 37, "10")],
              ["0", "100", "-7", "1" + "0" * 37, "10"]),
    "born": (pyarrow.date32(), [datetime.date(2024, 2, 29), datetime.date(1, 1, 1), datetime.date(9999, 12, 31),
                                datetime.date(1969, 12, 31), datetime.date(1900, 3, 1)],
             ["2024-02-29", "0001-01-01", "9999-12-31", "1969-12-31", "1900-03-01"]),
    "at": (pyarrow.timestamp("us"), moments(), ["2024-02-29 12:00:00.120000", "0001-01-01 00:00:00.000000",
                                              "9999-12-31 23:59:59.999999", "1969-12-31 23:59:59.000001", None]),
    "zoned": (pyarrow.timestamp("us", "Europe/Berlin"), moments(UTC)[:1] * 5, ["2024-02-29 12:00:00.120000"] * 5),
    "time": (pyarrow.time64("us"), [datetime.time(0), datetime.time(23, 59, 59, 999_999), datetime.time(12, 0, 0, 5), None,
                                    datetime.time(1)],
             ["00:00:00.000000", "23:59:59.999999", "12:00:00.000005", None, "01:00:00.000000"]),
    "bytes": (pyarrow.binary(), [b"", b"\x00\xff", b"abc", None, b"\n"], ["", "00ff", "616263", None, "0a"]),
}  # fmt: skip

AWKWARD = 'a"\\b\n'
MOMENT = datetime.datetime(2024, 2, 29, 12)

#: Lists, structs and maps.
NESTED = {
    "numbers": (pyarrow.list_(pyarrow.int64()), [[1, None, -3], [], None, [0], [2**63 - 1]], ["[1,null,-3]", "[]", None, "[0]", f"[{2**63 - 1}]"]),
    "words": (pyarrow.large_list(pyarrow.string()), [["b", AWKWARD, None], [""], None, [], ["null"]],
              ['["b","a\\"\\\\b\n",null]', '[""]', None, "[]", '["null"]']),
    "flags": (pyarrow.list_(pyarrow.bool_()), [[True, None], [False], [], None, []], ["[true,null]", "[false]", "[]", None, "[]"]),
    "prices": (pyarrow.list_(pyarrow.decimal128(10, 2)), [[decimal.Decimal("1.50"), None], [], [], [], []], ["[1.5,null]", *["[]"] * 4]),
    "days": (pyarrow.list_(pyarrow.date32()), [[datetime.date(2024, 2, 29), None], [], [], [], []], ['["2024-02-29",null]', *["[]"] * 4]),
    "struct": (pyarrow.struct({'x"\\': pyarrow.string(), "at b": pyarrow.int8(), "at": pyarrow.timestamp("us"), "raw": pyarrow.binary()}),
               [{'x"\\': AWKWARD, "at b": 1, "at": MOMENT, "raw": b"\xff"}, {'x"\\': None, "at b": None, "at": None, "raw": None}, None, None, None],
               ['{"at b":1,"at":"2024-02-29 12:00:00.000000","raw":"ff","x\\"\\\\":"a\\"\\\\b\n"}',
                '{"at b":null,"at":null,"raw":null,"x\\"\\\\":null}', None, None, None]),
    "structs": (pyarrow.list_(pyarrow.struct({"z": pyarrow.list_(pyarrow.int32()), "y": pyarrow.struct({"x": pyarrow.string()})})),
                [[{"z": [1, 2], "y": {"x": "q"}}, None, {"z": None, "y": None}], [], None, [], []],
                ['[{"y":{"x":"q"},"z":[1,2]},null,{"y":null,"z":null}]', "[]", None, "[]", "[]"]),
    "lists": (pyarrow.list_(pyarrow.list_(pyarrow.string())), [[["a"], [], None], [], None, [None], [["b", None]]],
              ['[["a"],[],null]', "[]", None, "[null]", '[["b",null]]']),
    "pairs": (pyarrow.map_(pyarrow.string(), pyarrow.string()), [[("b", "1"), ("a b", None), ("a", AWKWARD), ("é", "")], [], None, [], []],
              ['{"a b":null,"a":"a\\"\\\\b\n","b":"1","é":""}', "{}", None, "{}", "{}"]),
    "numbered": (pyarrow.map_(pyarrow.int32(), pyarrow.list_(pyarrow.int32())), [[(9, [1]), (10, None)], [], None, [], []],
                 ['{"10":null,"9":[1]}', "{}", None, "{}", "{}"]),
}  # fmt: skip


def table(columns=COLUMNS, without=()):
    return pyarrow.table({name: pyarrow.array(values, kind) for name, (kind, values, _) in columns.items() if name not in without})


def texts(names, separator=arrow.SEPARATOR, null=arrow.NULL):
    rows = zip(*((COLUMNS | NESTED)[name][2] for name in names), strict=True)
    return [separator.join(null if it is None else it for it in row) for row in rows]


def test_texts():
    given = table(COLUMNS | NESTED)
    for name in given.column_names:
        assert [it.decode() for it in arrow.encode_rows(given, [name], profile="text", null="N")] == texts([name], null="N"), name
    names = given.column_names
    want = texts(names)
    assert [it.decode() for it in arrow.encode_rows(given, profile="text")] == want
    assert arrow.hash_rows(given, profile="text", output="hex").to_pylist() == [hashlib.sha256(it.encode()).hexdigest() for it in want]
    keyed = arrow.hash_rows(given, profile="text", key=b"k", separator="", null="")
    assert list(keyed) == [hmac.digest(b"k", it.encode(), "sha256") for it in texts(names, "", "")]
    words = pyarrow.table({"d": pyarrow.array(["a", None, "a"]).dictionary_encode()})
    assert arrow.encode_rows(words, profile="text", null="N") == [b"a", b"N", b"a"]
    words = pyarrow.table({"d": pyarrow.array([["a", None]], pyarrow.list_(pyarrow.dictionary(pyarrow.int8(), pyarrow.string())))})
    assert arrow.encode_rows(words, profile="text", null="N") == [b'["a",null]']
    fixed = pyarrow.table({"d": pyarrow.array([[1, None], None], pyarrow.list_(pyarrow.int8(), 2))})
    assert arrow.encode_rows(fixed, profile="text", null="N") == [b"[1,null]", b"N"]
    # Rows in parts, and a slice.
    many = pyarrow.table({"x": [[n, n + 1] for n in range(5000)]}).slice(3)
    assert arrow.encode_rows(many, profile="text") == [f"[{n},{n + 1}]".encode() for n in range(3, 5000)]


@pytest.mark.parametrize("name", [name for name in NESTED if name != "prices"])
def test_nested_texts_are_json(name):
    """Apart from control characters, as which json.loads takes a line break if it is not strict."""
    import json

    for value, text in zip(NESTED[name][1], NESTED[name][2], strict=True):
        if value is not None:
            want = {str(key): it for key, it in value} if pyarrow.types.is_map(NESTED[name][0]) else value
            plain = json.loads(json.dumps(want, default=lambda it: it.hex() if isinstance(it, bytes) else typed(it)))
            assert json.loads(text, strict=False) == plain


def typed(value):
    return f"{value:%Y-%m-%d %H:%M:%S.%f}" if isinstance(value, datetime.datetime) else str(value)


@pytest.mark.parametrize("digits", [9, 18, 38, 76])
def test_decimals_of_all_widths(digits):
    kind = (pyarrow.decimal32, pyarrow.decimal64, pyarrow.decimal128, pyarrow.decimal256)[[9, 18, 38, 76].index(digits)]
    for scale, text, want in [(2, "1.50", "1.5"), (digits, "0." + "0" * (digits - 1) + "1", "0." + "0" * (digits - 1) + "1"),
                              (3, "-0.100", "-0.1"), (0, "120", "120"), (-2, "1200", "1200"), (-2, "0", "0")]:  # fmt: skip
        column = pyarrow.array([decimal.Decimal(text)], kind(digits, scale))
        assert arrow.encode_rows(pyarrow.table({"x": column}), profile="text") == [want.encode()]


def test_what_has_no_text():
    for column, error, reason in [
        (pyarrow.array([1.5]), TypeError, "floats in different ways"),
        (pyarrow.array([[1.5]]), TypeError, "floats in different ways"),
        (pyarrow.array([[[1001]]], pyarrow.list_(pyarrow.list_(pyarrow.timestamp("ns")))), ValueError, "nanoseconds"),
        (pyarrow.array([[(1, 2), (1, 3)]], pyarrow.map_(pyarrow.int8(), pyarrow.int8())), ValueError, "a key twice"),
        (pyarrow.array([1], pyarrow.duration("s")), TypeError, "not part of"),
        (pyarrow.array([1001], pyarrow.timestamp("ns")), ValueError, "nanoseconds"),
        (pyarrow.array([-(10**6)], pyarrow.date32()), ValueError, "from 1 to 9999"),
        (pyarrow.array([2**62], pyarrow.timestamp("s")), ValueError, "from 1 to 9999"),
    ]:
        with pytest.raises(error, match=reason):
            arrow.hash_rows(pyarrow.table({"x": column}), profile="text")
    # A value under a null is nobody's.
    hidden = pyarrow.Array.from_buffers(pyarrow.date32(), 1, [pyarrow.py_buffer(b"\0"), pyarrow.py_buffer(b"\xff\xff\xff\x7f")])
    assert arrow.encode_rows(pyarrow.table({"x": hidden}), profile="text", null="N") == [b"N"]
    far = pyarrow.array([2**31 - 1], pyarrow.int32()).view(pyarrow.date32())
    hidden = pyarrow.StructArray.from_arrays([far], ["a"], mask=pyarrow.array([True]))
    assert arrow.encode_rows(pyarrow.table({"x": hidden}), profile="text", null="N") == [b"N"]
    with pytest.raises(ValueError, match="profile is"):
        arrow.hash_rows(table(), profile="json")


@pytest.mark.parametrize("name", [*COLUMNS, *NESTED, None])
def test_duckdb(name):
    """Each column alone, and all together."""
    given = table(COLUMNS | NESTED)
    names = given.column_names if name is None else [name]
    connection = duckdb.connect()
    connection.register("given", given)
    for options in ({}, {"separator": "||", "null": "it's \\N"}):
        sql = rowsql.row_hash(given.schema, names, "sha256", "duckdb", **options)
        got = [it for (it,) in connection.sql(f"select {sql} from given").fetchall()]
        assert got == arrow.hash_rows(given, names, profile="text", output="hex", **options).to_pylist(), sql


def test_one_hash_from_csv_and_from_parquet(tmp_path, monkeypatch, capsys):
    """Under the types that --type names; and the command prints the SQL of what the other command writes."""
    monkeypatch.chdir(tmp_path)
    parquet = pyarrow.table({
        "id": [1, 2], "price": pyarrow.array([decimal.Decimal("1.5"), None], pyarrow.decimal128(10, 2)),
        "born": pyarrow.array([datetime.date(1815, 12, 10), None]), "flag": [True, False], "name": ["Ada", None],
        "at": pyarrow.array([datetime.datetime(2024, 2, 29, 12), None], pyarrow.timestamp("us")),
        "time": pyarrow.array([datetime.time(12, 30), None], pyarrow.time64("us")),
    })  # fmt: skip
    pyarrow.parquet.write_table(parquet, "p.parquet")
    (tmp_path / "c.csv").write_text(
        "id,price,born,flag,name,at,time\n1,1.50,1815-12-10,true,Ada,2024-02-29T12:00:00,12:30:00\n2,,,false,,,\n"
    )
    kinds = {"id": "int", "price": "decimal(10,2)", "born": "date", "flag": "bool", "at": "timestamp", "time": "time"}
    types = [word for name, kind in kinds.items() for word in ("--type", f"{name}={kind}")]
    names = ",".join(parquet.column_names)
    for profile in ("cbor", "text"):
        hashes = []
        for name, more in (("p.parquet", []), ("c.csv", types)):
            rows = ["--rows", f"{names}=sha256", "--rows-profile", profile, "--keep", "", "--format", "parquet"]
            assert main(["columns", name, *rows, "-o", f"{profile}-{name}", *more]) == 0
            hashes.append(pyarrow.parquet.read_table(f"{profile}-{name}/{name[0]}.parquet")["row_sha256"].to_pylist())
        assert hashes[0] == hashes[1] == arrow.hash_rows(parquet, profile=profile, output="hex").to_pylist()
    capsys.readouterr()
    printed = []
    for name, more in (("p.parquet", []), ("c.csv", types)):
        assert main(["rowsql", name, "--rows", f"{names}=sha256", "--dialect", "duckdb", *more]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert [it for (it,) in duckdb.sql(f"select {printed[0]} from 'p.parquet'").fetchall()] == hashes[0]
    for arguments, reason in [
        (["p.parquet", "--rows", "id=sha512", "--dialect", "duckdb"], "duckdb has no sha512; it has: sha256"),
        (["p.parquet", "--hmac-rows", "id=sha256", "--dialect", "spark"], "spark has no HMAC with sha256; it has: none"),
        (["p.parquet", "--rows", "none=sha256", "--dialect", "duckdb"], "no column 'none'"),
        (["p.parquet", "--rows", "time=sha256", "--dialect", "spark"], "no type for the column 'time'"),
        (["c.csv", "--rows", "id=sha256", "--dialect", "duckdb", "--type", "id=number"], "COLUMN=TYPE"),
    ]:
        assert main(["rowsql", *arguments]) == 2
        assert reason in capsys.readouterr().err
    assert main(["columns", "p.parquet", "--hash", "name=sha256", "--type", "id=int", "-o", "none"]) == 1
    assert "this file has types" in capsys.readouterr().err


@pytest.mark.parametrize("dialect", rowsql.DIALECTS)
def test_every_dialect_writes_every_kind(dialect):
    without = {"postgres": ["lists", "numbered"], "bigquery": ["lists", "pairs", "numbered"], "spark": ["time"]}.get(dialect, [])
    for name in without:
        with pytest.raises(ValueError, match=f"{dialect} has"):
            rowsql.row_hash(table(COLUMNS | NESTED).schema, [name], "sha256", dialect)
    schema = table(COLUMNS | NESTED, without).schema
    for keyed, known in ((False, rowsql.DIALECTS[dialect].hashes), (True, rowsql.DIALECTS[dialect].hmacs)):
        for algorithm in known:
            sql = rowsql.row_hash(schema, schema.names, algorithm, dialect, keyed=keyed)
            assert "{it}" not in sql and "{each}" not in sql and ("$key" in sql) == keyed
            for name in schema.names:
                quote = rowsql.DIALECTS[dialect].quote
                assert quote + name.replace(quote, 2 * quote) + quote in sql


def test_docstring():
    results = doctest.testmod(rowsql)
    assert results.attempted >= 3 and results.failed == 0
