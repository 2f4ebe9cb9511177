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


def table(without=()):
    columns = {name: pyarrow.array(values, kind) for name, (kind, values, _) in COLUMNS.items() if name not in without}
    return pyarrow.table(columns)


def texts(names, separator=arrow.SEPARATOR, null=arrow.NULL):
    rows = zip(*(COLUMNS[name][2] for name in names), strict=True)
    return [separator.join(null if it is None else it for it in row) for row in rows]


def test_texts():
    given = table()
    for name in COLUMNS:
        assert [it.decode() for it in arrow.encode_rows(given, [name], profile="text", null="N")] == texts([name], null="N"), name
    names = list(COLUMNS)
    want = texts(names)
    assert [it.decode() for it in arrow.encode_rows(given, profile="text")] == want
    assert arrow.hash_rows(given, profile="text", output="hex").to_pylist() == [hashlib.sha256(it.encode()).hexdigest() for it in want]
    keyed = arrow.hash_rows(given, profile="text", key=b"k", separator="", null="")
    assert list(keyed) == [hmac.digest(b"k", it.encode(), "sha256") for it in texts(names, "", "")]
    words = pyarrow.table({"d": pyarrow.array(["a", None, "a"]).dictionary_encode()})
    assert arrow.encode_rows(words, profile="text", null="N") == [b"a", b"N", b"a"]


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
        (pyarrow.array([[1]]), TypeError, "not part"),
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
    with pytest.raises(ValueError, match="profile is"):
        arrow.hash_rows(table(), profile="json")


@pytest.mark.parametrize("name", [*COLUMNS, None])
def test_duckdb(name):
    """Each column alone, and all together."""
    given = table()
    names = list(COLUMNS) if name is None else [name]
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
    schema = table(rowsql.DIALECTS[dialect].without).schema
    for keyed, known in ((False, rowsql.DIALECTS[dialect].hashes), (True, rowsql.DIALECTS[dialect].hmacs)):
        for algorithm in known:
            sql = rowsql.row_hash(schema, schema.names, algorithm, dialect, keyed=keyed)
            assert sql.count("coalesce(") == len(schema.names) and "{}" not in sql and ("$key" in sql) == keyed


def test_docstring():
    results = doctest.testmod(rowsql)
    assert results.attempted >= 3 and results.failed == 0
