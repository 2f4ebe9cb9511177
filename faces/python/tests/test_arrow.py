"""Columns of five libraries, of all types, beside hashlib; rows beside cbor2."""

import datetime
import decimal
import hashlib
import hmac
import math
import random

import arro3.core
import cbor2
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
from hashmill import arrow, hash_many
from hashmill import polars as hm

TEXTS = ["", "a", "ada@example.org", "é" * 40, "x" * 200, "a"] * 30
WITH_NULLS = [None if i % 7 == 3 else text for i, text in enumerate(TEXTS)]
TYPES = [
    pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary(), pyarrow.large_binary(),
    pyarrow.binary_view(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.uint64(), pyarrow.large_binary()),
]  # fmt: skip


def column(texts, kind):
    if pyarrow.types.is_dictionary(kind):
        words = list(dict.fromkeys(it for it in texts if it is not None))
        keys = pyarrow.array([None if it is None else words.index(it) for it in texts], kind.index_type)
        return pyarrow.DictionaryArray.from_arrays(keys, pyarrow.array(words).cast(kind.value_type))
    return pyarrow.array(texts).cast(kind) if "view" not in str(kind) else pyarrow.array(
        [it if it is None or "string" in str(kind) else it.encode() for it in texts], kind)


def expected(texts, name="sha256"):
    return [None if it is None else hashlib.new(name, it.encode()).hexdigest() for it in texts]


@pytest.mark.parametrize("texts", [TEXTS, WITH_NULLS, [], [None, None]], ids=["plain", "nulls", "empty", "null"])
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_types(kind, texts):
    array = column(texts, kind)
    array.validate(full=True)
    for part in (slice(None), slice(5, 77), slice(3, 3)):
        hashed = arrow.sha256(array[part], output="hex")
        result = pyarrow.array(hashed)
        result.validate(full=True)
        assert result.to_pylist() == hashed.to_pylist() == expected(texts[part])
        binary = pyarrow.array(arrow.sha256(array[part], threads=2))
        binary.validate(full=True)
        assert [it and it.hex() for it in binary.to_pylist()] == expected(texts[part])
        assert binary.type == pyarrow.binary(32)
    chunked = pyarrow.chunked_array([array[:10], array[10:10], array[10:]], type=array.type)
    assert arrow.sha3_512(chunked, output="hex").to_pylist() == expected(texts, "sha3_512")


def test_fixed_size_binary():
    rows = [bytes([i]) * 16 for i in range(100)] + [None]
    array = pyarrow.array(rows, pyarrow.binary(16))
    for part in (slice(None), slice(20, 90)):
        want = [None if it is None else hashlib.sha256(it).digest() for it in rows[part]]
        assert arrow.sha256(array[part]).to_pylist() == want


def test_columns_of_nulls():
    """Columns of type Null, to which polars gives a buffer, which Arrow does not have; alone and within others."""
    nulls = polars.Series("x", [None] * 3)
    assert nulls.dtype == polars.Null
    many = {
        "polars": nulls, "polars, sliced": polars.Series([None] * 5)[1:4], "pyarrow": pyarrow.nulls(3),
        "pyarrow, chunked": pyarrow.chunked_array([pyarrow.nulls(1), pyarrow.nulls(2)]), "pandas": pandas.Series([None] * 3),
        "duckdb": duckdb.sql("select null as x from range(3)"), "arro3": arro3.core.Array(pyarrow.nulls(3)),
    }  # fmt: skip
    for name, column_ in many.items():
        for form in ("hex", "binary"):
            assert arrow.sha256(column_, key=b"key", output=form).to_pylist() == [None] * 3, name
        with pytest.raises(ValueError, match="null"):
            arrow.sha256(column_, nulls="error")
    frame = polars.DataFrame({"x": nulls, "list": [[None], [], None], "struct": [{"a": None, "b": 1}] * 3, "n": [1, 2, 3]})
    want = [cbor2.dumps([None, it, {"a": None, "b": 1}, i], canonical=True) for i, it in enumerate([[None], [], None], 1)]
    assert arrow.encode_rows(frame) == arrow.encode_rows(frame.to_arrow()) == want
    assert arrow.encode_rows(frame[1:]) == want[1:]
    digests = frame.select(hm.hash_column("x"), row=hm.hash_rows(polars.all()))
    assert digests["x"].to_list() == [None] * 3 and digests["x"].dtype == polars.String
    assert digests["row"].to_list() == [hashlib.sha256(it).hexdigest() for it in want]


def test_libraries():
    """Each library's column in, each library's column out; with nulls, chunked and sliced by the library itself."""
    want = expected(WITH_NULLS)
    polars_column = polars.Series("x", WITH_NULLS)
    sources = {
        "pyarrow": pyarrow.array(WITH_NULLS),
        "polars": polars_column,
        "polars, categories": polars_column.cast(polars.Categorical),
        "polars, appended": polars.Series(WITH_NULLS[:50]).append(polars.Series(WITH_NULLS[50:])),
        "pandas": pandas.Series(WITH_NULLS, dtype="string"),
        "pandas over pyarrow": pandas.Series(WITH_NULLS, dtype=pandas.ArrowDtype(pyarrow.string())),
        "arro3": arro3.core.Array(pyarrow.array(WITH_NULLS)),
        "arro3, chunked": arro3.core.ChunkedArray(pyarrow.chunked_array([WITH_NULLS[:9], WITH_NULLS[9:]])),
        "a table of one column": pyarrow.table({"x": WITH_NULLS}),
    }
    connection = duckdb.connect()
    connection.register("source", pyarrow.table({"x": WITH_NULLS}))
    sources["duckdb"] = connection.sql("select x from source")
    for name, source in sources.items():
        assert arrow.sha256(source, output="hex").to_pylist() == want, name
    for form, kind in (("hex", str), ("binary", bytes)):
        hashed = arrow.sha256(sources["pyarrow"], output=form)
        want_ = hashed.to_pylist()
        assert all(it is None or isinstance(it, kind) for it in want_)
        assert polars.Series(hashed).to_list() == want_
        assert pyarrow.array(hashed).to_pylist() == want_
        assert pyarrow.array(arro3.core.Array(hashed)).to_pylist() == want_
        hashes = pyarrow.table({"h": pyarrow.array(hashed)})
        assert [it for (it,) in duckdb.sql("select h from hashes").fetchall()] == want_
        assert hashes.num_rows == len(want_)
        frame = polars.DataFrame({"x": WITH_NULLS}).with_columns(polars.Series(hashed).alias("h"))
        assert frame["h"].to_list() == want_


def test_numpy():
    strings = numpy.array([b"abc", b"de\0", b"fgh"])
    assert arrow.sha256(strings).to_pylist() == [hashlib.sha256(it).digest() for it in (b"abc", b"de\0", b"fgh")]
    rows = numpy.arange(60, dtype=numpy.uint8).reshape(12, 5)
    assert arrow.sha256(rows).to_pylist() == [hashlib.sha256(it.tobytes()).digest() for it in rows]
    assert arrow.sha256(rows.view("V5").reshape(-1)).to_pylist() == arrow.sha256(rows).to_pylist()
    assert len(arrow.sha256(numpy.zeros((0, 5), numpy.uint8))) == 0
    for bad in (rows[:, ::2], numpy.array(["abc"]), numpy.array([b"a", None]), numpy.arange(5), numpy.zeros((2, 2))):
        with pytest.raises(TypeError, match="fixed-width rows"):
            arrow.sha256(bad)


def test_every_function():
    array = pyarrow.array(["abc", "d"])
    for name in arrow.__all__:
        if name in ("Array", "encode_rows", "hash_column", "hash_rows"):
            continue
        key = b"key" if name.startswith("kmac") else None
        want = list(hash_many([b"abc", b"d"], name, key=key))
        assert getattr(arrow, name)(array, key=key).to_pylist() == want, name
        assert arrow.hash_column(array, name, key=key, output="hex").to_pylist() == [it.hex() for it in want]


def test_keys_nulls_and_lengths():
    array = pyarrow.array(["abc", None])
    assert arrow.sha256(array, key=b"k").to_pylist() == [hmac.digest(b"k", b"abc", "sha256"), None]
    assert arrow.shake_128(array, length=5)[0] == hashlib.shake_128(b"abc").digest(5)
    with pytest.raises(ValueError, match="null"):
        arrow.sha256(array, nulls="error")
    assert len(arrow.sha256(array[:1], nulls="error")) == 1
    for options in ({"nulls": "drop"}, {"output": "base64"}, {"length": 31}):
        with pytest.raises(ValueError):
            arrow.sha256(array, **options)
    hashed = arrow.sha256(array)
    assert len(hashed) == 2 and hashed.null_count == 1 and hashed[-1] is None and hashed.type == "fixed_size_binary[32]"
    with pytest.raises(IndexError):
        hashed[2]


def test_hexadecimal_of_every_length():
    texts = ["abc", "", "x" * 300]
    for length in [*range(1, 200), 4096]:
        want = [hashlib.shake_256(it.encode()).hexdigest(length) for it in texts]
        assert arrow.shake_256(pyarrow.array(texts), length=length, output="hex").to_pylist() == want


def test_what_lies_under_a_null_is_not_told():
    """Arrow allows any bytes under a null. Neither they nor their hash may come out."""
    values, validity = pyarrow.py_buffer(b"secretabc"), pyarrow.py_buffer(b"\x02")
    offsets = pyarrow.py_buffer(numpy.array([0, 6, 9], numpy.int32).tobytes())
    array = pyarrow.Array.from_buffers(pyarrow.string(), 2, [validity, offsets, values])
    assert array.to_pylist() == [None, "abc"]
    assert pyarrow.array(arrow.sha256(array)).buffers()[1].to_pybytes()[:32] == bytes(32)
    assert pyarrow.array(arrow.sha256(array, output="hex")).buffers()[2].to_pybytes()[:64] == b"0" * 64


def test_offsets_that_are_wrong():
    offsets = pyarrow.py_buffer(numpy.array([0, 9, 4], numpy.int32).tobytes())
    array = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, offsets, pyarrow.py_buffer(b"abcd")])
    with pytest.raises(ValueError, match="offsets"):
        arrow.sha256(array)


def test_an_index_just_beyond_its_dictionary():
    for beyond in (2, 3, -1):
        indices = pyarrow.array([1, beyond], pyarrow.int8())
        array = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["a", "b"]), safe=False)
        with pytest.raises(ValueError, match="ind(ex|ices)"):
            arrow.sha256(array)


def test_views_that_are_wrong():
    """A view of more than 12 bytes: its length, the first four bytes, a buffer's index and an offset in that buffer."""
    text = b"longer than twelve bytes"
    for length, prefix, index, offset in [(24, b"long", 0, 0), (24, b"lung", 0, 0), (24, b"long", 1, 0), (24, b"onge", 0, 1)]:
        view = length.to_bytes(4, "little") + prefix + index.to_bytes(4, "little") + offset.to_bytes(4, "little")
        buffers = [None, pyarrow.py_buffer(view), pyarrow.py_buffer(text)]
        array = pyarrow.Array.from_buffers(pyarrow.string_view(), 1, buffers)
        if (prefix, index, offset) == (b"long", 0, 0):
            assert arrow.sha256(array).to_pylist() == [hashlib.sha256(text).digest()]
            continue
        with pytest.raises(ValueError, match="view"):
            arrow.sha256(array)


@pytest.mark.parametrize("bad", [pyarrow.array([1]), pyarrow.array([1.5]), pyarrow.array([["a"]]), [1], "abc", None,
                                 pyarrow.table({"a": ["x"], "b": ["y"]})])  # fmt: skip
def test_what_is_no_column(bad):
    with pytest.raises(TypeError):
        arrow.sha256(bad)


UTC = datetime.timezone.utc
DAY = datetime.date(1970, 1, 1)


def time_of(tag, nanoseconds):
    return cbor2.CBORTag(tag, {1: nanoseconds // 10**9, -9: nanoseconds % 10**9})


# Arrow's type, values, and what they are in CBOR.
COLUMNS = [
    (pyarrow.null(), [None], [None]),
    (pyarrow.bool_(), [True, False], [True, False]),
    *((getattr(pyarrow, f"int{bits}")(), it := [0, 1, -1, 23, 24, -24, -25, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))], it)
      for bits in (8, 16, 32, 64)),
    *((getattr(pyarrow, f"uint{bits}")(), it := [0, 23, 24, 255, 2**bits - 1], it) for bits in (8, 16, 32, 64)),
    (pyarrow.int64(), it := [255, 256, 65535, 65536, 2**32 - 1, 2**32, -256, -257, -(2**32), -(2**32) - 1], it),
    (pyarrow.float32(), it := [0.0, -0.0, 1.5, math.inf, 2.0**-24, 2.0**-25, 3.4028234663852886e38, 65505.0], it),
    (pyarrow.float64(), it := [0.0, 0.1, 1e300, 5e-324, -math.inf, 65504.0, 65520.0, 2.0**-149, -1.0], it),
    (pyarrow.string(), it := ["", "a", "é" * 30, "x" * 70000], it),
    (pyarrow.large_string(), it := ["x"], it),
    (pyarrow.string_view(), it := ["x", "longer than twelve bytes"], it),
    (pyarrow.binary(), it := [b"", b"\0\xff" * 200], it),
    (pyarrow.binary(3), it := [b"abc"], it),
    (pyarrow.dictionary(pyarrow.int16(), pyarrow.string()), it := ["b", "a", "b"], it),
    (pyarrow.date32(), [datetime.date(2024, 2, 29), datetime.date(1969, 12, 31)],
     [cbor2.CBORTag(100, 19782), cbor2.CBORTag(100, -1)]),
    (pyarrow.date64(), [datetime.date(1969, 12, 31)], [cbor2.CBORTag(100, -1)]),
    *((pyarrow.timestamp(unit, zone), [-1, 0, 1_700_000_000_123], [time_of(1001, it * each) for it in (-1, 0, 1_700_000_000_123)])
      for unit, each in (("s", 10**9), ("ms", 10**6), ("us", 1000), ("ns", 1)) for zone in (None, "UTC")
      if unit != "s" or zone is None),
    *((pyarrow.duration(unit), [-1, 5], [time_of(1002, -each), time_of(1002, 5 * each)])
      for unit, each in (("s", 10**9), ("ms", 10**6), ("us", 1000), ("ns", 1))),
    *((kind(unit), [3600], [time_of(1002, 3600 * each)])
      for kind, unit, each in ((pyarrow.time32, "s", 10**9), (pyarrow.time32, "ms", 10**6), (pyarrow.time64, "us", 1000),
                               (pyarrow.time64, "ns", 1))),
    *((kind(9, 2), [decimal.Decimal("1.50"), decimal.Decimal("-0.01")],
       [cbor2.CBORTag(4, [-2, 150]), cbor2.CBORTag(4, [-2, -1])])
      for kind in (pyarrow.decimal32, pyarrow.decimal64, pyarrow.decimal128, pyarrow.decimal256)),
    (pyarrow.decimal128(38, 0), [decimal.Decimal(2**64), decimal.Decimal(-(2**64) - 1), decimal.Decimal(2**64 - 1)],
     [cbor2.CBORTag(4, [0, 2**64]), cbor2.CBORTag(4, [0, -(2**64) - 1]), cbor2.CBORTag(4, [0, 2**64 - 1])]),
    (pyarrow.list_(pyarrow.string()), it := [["a", None, ""], [], ["b"] * 30], it),
    (pyarrow.large_list(pyarrow.list_(pyarrow.int8())), it := [[[1, -1], None, []], [], [[7]]], it),
    (pyarrow.list_(pyarrow.int16(), 2), it := [[1, 2], [None, 4], [5, 6]], it),
    (pyarrow.struct([("long name", pyarrow.string()), ("b", pyarrow.list_(pyarrow.int8())), ("a", pyarrow.float64())]),
     it := [{"long name": "x", "b": [1], "a": 0.5}, {"long name": None, "b": None, "a": None}], it),
    (pyarrow.map_(pyarrow.string(), pyarrow.int64()), [[("bb", 1), ("a", 2)], [], [("z", None)]],
     [{"bb": 1, "a": 2}, {}, {"z": None}]),
]  # fmt: skip


@pytest.mark.parametrize("kind, values, meant", COLUMNS, ids=lambda it: str(it)[:40])
def test_rows_are_deterministic_cbor(kind, values, meant):
    values, meant = [*values, None], [*meant, None]
    array = column(values, kind) if pyarrow.types.is_dictionary(kind) else pyarrow.array(values, kind)
    table = pyarrow.table({"n": list(range(len(values))), "v": array})
    want = [cbor2.dumps([it, i], canonical=True) for i, it in enumerate(meant)]
    assert arrow.encode_rows(table, ["v", "n"]) == want
    assert arrow.hash_rows(table, ["v", "n"]).to_pylist() == [hashlib.sha256(it).digest() for it in want]
    assert arrow.encode_rows(table.slice(1), ["v"]) == [cbor2.dumps([it], canonical=True) for it in meant[1:]]


def test_keys_of_maps():
    """They ascend by their encoded bytes (RFC 8949 §4.2.1); cbor2 sorts by their lengths first. A key is there once."""
    maps = pyarrow.array([[(300, "x"), (-1, "y"), (7, "z")]], pyarrow.map_(pyarrow.int64(), pyarrow.string()))
    assert arrow.encode_rows(pyarrow.table({"m": maps})) == [cbor2.dumps([{7: "z", 300: "x", -1: "y"}])]
    maps = pyarrow.array([[("a", 1)], [("a", 1), ("a", 2)]], pyarrow.map_(pyarrow.string(), pyarrow.int64()))
    with pytest.raises(ValueError, match="map 1 has a key twice"):
        arrow.hash_rows(pyarrow.table({"m": maps}))
    fields = pyarrow.StructArray.from_arrays([pyarrow.array([1])] * 2, ["a", "a"])
    with pytest.raises(ValueError, match="two fields of one name"):
        arrow.hash_rows(pyarrow.table({"s": fields}))


def test_nan_is_one():
    array = pyarrow.array(numpy.array([math.nan, -math.nan, 0.0]))
    assert arrow.encode_rows(pyarrow.table({"x": array}))[:2] == [bytes.fromhex("81f97e00")] * 2


def test_rows_of_many_libraries():
    """A row's digest depends neither on the library, nor on how it chops the table."""
    data = {"name": [f"user {i}" if i % 5 else None for i in range(5000)], "age": list(range(5000))}
    table = pyarrow.table(data)
    want = arrow.hash_rows(table, key=b"secret", output="hex").to_pylist()
    connection = duckdb.connect()
    connection.register("source", table)
    for source in (polars.DataFrame(data), pandas.DataFrame(data).astype({"name": "string"}), table.to_batches()[0],
                   pyarrow.concat_tables([table[:1], table[1:2100], table[2100:]]), arro3.core.Table(table),
                   connection.sql("select * from source order by age"), polars.DataFrame(data).lazy().collect()):  # fmt: skip
        assert arrow.hash_rows(source, key=b"secret", output="hex", threads=2).to_pylist() == want
    first = cbor2.dumps(["user 1", 1], canonical=True)
    assert want[1] == hmac.new(b"secret", first, "sha256").hexdigest()
    assert arrow.hash_rows(table, ["age", "name"]).to_pylist() != arrow.hash_rows(table).to_pylist()


def test_rows_refuse():
    table = pyarrow.table({"a": [1], "b": pyarrow.array([[1]], pyarrow.list_view(pyarrow.int64()))})
    with pytest.raises(KeyError):
        arrow.hash_rows(table, ["c"])
    with pytest.raises(TypeError, match="'b'|\"b\""):
        arrow.hash_rows(table)
    with pytest.raises(ValueError, match="at least one column"):
        arrow.hash_rows(table, [])
    with pytest.raises(TypeError, match="a table has columns"):
        arrow.hash_rows(pyarrow.array(["x"]))
    with pytest.raises(TypeError, match="PyCapsule"):
        arrow.hash_rows({"a": [1]})
    with pytest.raises(ValueError, match="several columns"):
        arrow.hash_rows(pyarrow.Table.from_arrays([pyarrow.array([1])] * 2, ["x", "x"]), ["x"])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("algorithm", ["sha256", "sha3_256", "blake2b"])
def test_many_lengths(algorithm, threads):
    """Lengths that many values have, that few have, and that are long; with nulls and without; in several parts."""
    rng = random.Random(1)
    lengths = [min(3000, int(rng.lognormvariate(4.6, 1.5))) for _ in range(35_000)]
    texts = [f"{i:05}"[:length] + "x" * (length - 5) for i, length in enumerate(lengths)]
    for texts in (texts, [None if i % 11 == 5 else text for i, text in enumerate(texts)], texts[:17], texts[:200]):
        want = expected(texts, algorithm)
        for kind in (pyarrow.string(), pyarrow.string_view()):
            column = pyarrow.array(texts, kind)
            assert arrow.hash_column(column, algorithm, output="hex", threads=threads).to_pylist() == want
        tags = arrow.hash_column(pyarrow.array(texts), algorithm, key=b"key", threads=threads).to_pylist()
        for tag, text in list(zip(tags, texts, strict=True))[::97]:
            assert tag == (None if text is None else hmac.digest(b"key", text.encode(), algorithm))
