"""The functions in DataFusion, beside hashlib, hmac, cbor2 and the package hashmill."""

import datetime
import decimal
import doctest
import hashlib
import hmac
import os
import pathlib

import datafusion
import hashmill
import hashmill_datafusion
import pyarrow
import pyarrow.parquet
import pytest
from datafusion import col
from hashmill import arrow
from hashmill_datafusion import hash_column, hash_rows
from people import EMAILS, ENCODED_ROWS, HASHED_ROWS, KEY, KEYED, PHOTOS, TABLE


def table_of(context, name, table):
    context.register_record_batches(name, [table.to_batches()])


@pytest.fixture
def context():
    context = datafusion.SessionContext()
    hashmill_datafusion.register(context)
    return context


def test_a_file(context, tmp_path):
    """Text, binary values, HMAC and rows, in batches of several row groups, on several partitions."""
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(TABLE, path, row_group_size=700)
    context.register_parquet("people", str(path))
    context.register_udf(hash_column("sha3_256", key=KEY))
    context.register_udf(hash_rows("sha3_256", key=KEY, name="secret_row", output="binary"))
    query = """select hm_sha256(email) as a, hm_hmac_sha3_256(email) as b, hm_blake2b_binary(photo) as c,
               hm_row_sha3_256(id, name, paid) as d, secret_row(id, name, paid) as e from people order by id"""
    got = context.sql(query).to_pydict()
    assert got == {
        "a": EMAILS,
        "b": KEYED,
        "c": PHOTOS,
        "d": HASHED_ROWS,
        "e": [hmac.digest(KEY, it, "sha3_256") for it in ENCODED_ROWS],
    }


def test_every_function(context):
    """Each name with both outputs, as the package hashmill computes them."""
    assert set(hashmill_datafusion.ALGORITHMS) == hashmill.algorithms_own | {"kt128", "kt256"}
    table = pyarrow.table({"x": ["", "é", None, "x" * 5000], "n": [1, None, 3, 4]})
    table_of(context, "t", table)
    for name in hashmill_datafusion.ALGORITHMS:
        query = f"select hm_{name}(x) a, hm_{name}_binary(x) b, hm_row_{name}(x, n) c, hm_row_{name}_binary(x, n) d from t"
        frame = context.sql(query)
        assert frame.schema().types == [pyarrow.string_view(), pyarrow.binary_view()] * 2
        assert frame.to_pydict() == {
            "a": arrow.hash_column(table["x"], name, output="hex").to_pylist(),
            "b": arrow.hash_column(table["x"], name).to_pylist(),
            "c": arrow.hash_rows(table, None, name, output="hex").to_pylist(),
            "d": arrow.hash_rows(table, None, name).to_pylist(),
        }
    for name in hashlib.algorithms_guaranteed & hashmill.algorithms_own - {"shake_128", "shake_256"}:
        assert context.sql(f"select hm_{name}('é') as a").to_pylist() == [{"a": hashlib.new(name, "é".encode()).hexdigest()}]


def test_keys_lengths_and_threads():
    table = pyarrow.table({"x": ["a", None, "b" * 300] * 3000, "i": range(9000)})
    context = datafusion.SessionContext()
    table_of(context, "t", table)
    for algorithm, options in {
        "blake3": {"key": bytes(range(32))},
        "kmac128": {"key": KEY, "length": 5},
        "shake_256": {"length": 1000, "threads": 2},
        "sha256": {"key": KEY, "threads": 0},
    }.items():
        for output in ("hex", "binary"):
            context.register_udf(hash_column(algorithm, name="f", output=output, **options))
            want = arrow.hash_column(table["x"], algorithm, output=output, **options)
            assert context.sql("select f(x) as a from t order by i").to_pydict()["a"] == want.to_pylist()


def test_columns_of_every_type(context):
    """Text and binary values in all of Arrow's types; anything else is an error when the plan is made."""
    text, data = ["é", None, "x" * 20], [b"\xff\xfe", None, b"yy"]
    types = {
        "large": pyarrow.array(text, pyarrow.large_string()),
        "view": pyarrow.array(text, pyarrow.string_view()),
        "category": pyarrow.array(text).dictionary_encode(),
        "bytes": pyarrow.array(data),
        "large_bytes": pyarrow.array(data, pyarrow.large_binary()),
        "bytes_view": pyarrow.array(data, pyarrow.binary_view()),
        "fixed": pyarrow.array(data, pyarrow.binary(2)),
        "nothing": pyarrow.nulls(3),
    }
    table = pyarrow.table(types)
    table_of(context, "t", table)
    for name in types:
        want = [it and hashlib.sha256(it.encode() if isinstance(it, str) else it).hexdigest() for it in table[name].to_pylist()]
        assert context.sql(f"select hm_sha256({name}) as a from t").to_pydict()["a"] == want
    # A part of a batch, and no row at all.
    assert context.sql("select hm_sha256(view) as a from t limit 1 offset 2").to_pydict()["a"] == [
        hashlib.sha256(b"x" * 20).hexdigest()
    ]
    assert context.sql("select hm_sha256(view) as a, hm_row_sha256(view, fixed) as b from t where view = 'z'").to_pylist() == []
    for wrong in ("7", "now()", "[1]", "named_struct('a', 'b')", "'a', 'b'", ""):
        with pytest.raises(Exception, match="hm_sha256"):
            context.sql(f"select hm_sha256({wrong})")


def test_rows_of_all_types(context):
    table = pyarrow.table({
        "day": [datetime.date(2026, 1, 2), None], "at": [datetime.datetime(2026, 1, 2, 3, 4, 5, 678900), None],
        "money": [decimal.Decimal("12.30"), None], "flag": [True, None], "bytes": [b"\xff", None], "text": ["é", None],
        "list": [[1, None], []], "struct": [{"a": "b", "c": 1.5}, None], "map": pyarrow.array([[("k", 1)], None], pyarrow.map_("string", "int8")),
        "category": pyarrow.array(["é", None]).dictionary_encode(), "tiny": pyarrow.array([-3, None], "int8"),
    })  # fmt: skip
    table_of(context, "t", table)
    names = ", ".join(f'"{name}"' for name in table.column_names)
    got = context.sql(f"select hm_row_sha256({names}) as h from t").to_pydict()["h"]
    assert got == arrow.hash_rows(table, output="hex").to_pylist()
    # One function takes any columns in any order, also constants and the same column twice.
    got = context.sql("select hm_row_sha256(text, 'a', 7, text) as h from t").to_pydict()["h"]
    want = pyarrow.table({"a": table["text"], "b": ["a"] * 2, "c": [7] * 2, "d": table["text"]})
    assert got == arrow.hash_rows(want, output="hex").to_pylist()
    options = {"profile": "text", "separator": "|", "null": "-"}
    context.register_udf(hash_rows(name="as_text", **options))
    got = context.sql("select as_text(day, text, money, tiny) as h from t").to_pydict()["h"]
    assert got == arrow.hash_rows(table, ["day", "text", "money", "tiny"], output="hex", **options).to_pylist()
    assert got[0] == hashlib.sha256("2026-01-02|é|12.3|-3".encode()).hexdigest()
    with pytest.raises(Exception, match="hm_row_sha256"):
        context.sql("select hm_row_sha256()")
    with pytest.raises(Exception, match="as_text"):
        context.sql("select as_text(1.5e0)")


def test_expressions():
    frame = datafusion.SessionContext().from_pydict({"x": ["a", None], "n": [1, 2]})
    got = frame.select(hash_column()(col("x")).alias("a"), hash_rows()(col("x"), col("n")).alias("b")).to_pydict()
    table = pyarrow.table({"x": ["a", None], "n": [1, 2]})
    assert got["a"] == arrow.hash_column(table["x"], output="hex").to_pylist()
    assert got["b"] == arrow.hash_rows(table, output="hex").to_pylist()


def test_two_keys_of_one_name():
    """DataFusion computes equal expressions once. Functions with two keys are not equal."""
    context = datafusion.SessionContext()
    frame = context.from_pydict({"x": ["a"]})
    first, second = (hash_column("sha256", key=key, name="token")(col("x")) for key in (b"first", b"second"))
    got = frame.select(first.alias("a"), second.alias("b")).to_pylist()
    assert got == [{name: hmac.digest(key, b"a", "sha256").hex() for name, key in (("a", b"first"), ("b", b"second"))}]


def test_keys_are_not_in_plans_or_errors():
    context = datafusion.SessionContext()
    context.from_pydict({"x": ["a", "b"], "n": [1, 2]}, name="t")
    context.register_udf(hash_column("sha256", key=b"correct-horse"))
    frame = context.sql("select hm_hmac_sha256(x) from t")
    plans = f"{frame.logical_plan()} {frame.optimized_logical_plan()} {frame.execution_plan()} {frame.explain()}"
    assert "hm_hmac_sha256" in plans and "horse" not in plans
    with pytest.raises(Exception, match="hm_hmac_sha256") as error:
        context.sql("select hm_hmac_sha256(n) from t")
    assert "horse" not in str(error.value)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"algorithm": "sha257"}, "unsupported hash type sha257"),
        ({"output": "base64"}, 'output is "binary" or "hex", not "base64"'),
        ({"key": b""}, "the key is empty"),
        ({"algorithm": "kmac128"}, "kmac128 needs a key"),
        ({"algorithm": "blake3", "key": b"short"}, "32-byte key"),
        ({"algorithm": "ascon_hash256", "key": KEY}, "HMAC"),
        ({"length": 31}, "length"),
        ({"algorithm": "shake_128", "length": 0}, "length must be at least 1"),
        ({"threads": 5000}, "threads is at most 1024"),
    ],
)
def test_wrong_arguments(wrong, sentence):
    for function in (hash_column, hash_rows):
        with pytest.raises(ValueError, match=sentence):
            function(**wrong)


def test_a_length_that_no_memory_has():
    context = datafusion.SessionContext()
    context.register_udf(hash_column("shake_128", length=1 << 45, name="f"))
    context.from_pydict({"x": ["a", "b"]}, name="t")
    with pytest.raises(Exception, match="not enough memory"):
        context.sql("select f(x) from t").collect()


def test_documentation():
    results = doctest.testmod(hashmill_datafusion)
    assert results.attempted > 10 and results.failed == 0
    readme = pathlib.Path(__file__).resolve().parents[1] / "README.md"
    results = doctest.testfile(str(readme), module_relative=False)
    assert results.attempted > 5 and results.failed == 0


def test_memory():
    """Batches and digests are freed, after errors too: 100 times 2 MB leave less than 60 MB."""

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    context = datafusion.SessionContext()
    table_of(context, "t", pyarrow.table({"x": [f"{i:064}" for i in range(10_000)]}))

    def query(key):
        context.register_udf(hash_column(key=key, name="f"))
        context.register_udf(hash_rows(name="g"))
        context.sql("select f(x), g(x, x) from t").collect()
        with pytest.raises(Exception, match="f: "):
            context.sql("select f(make_array(x)) from t")

    query(KEY)
    before = resident()
    for i in range(100):
        query(b"key %d" % i)
    assert resident() - before < 60e6
