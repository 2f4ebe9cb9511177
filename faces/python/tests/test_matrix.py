"""Every type of Arrow, alone and within others, with every function of columns and rows, from pyarrow, polars and DuckDB.

A digest is that of what the encoders below write, which share nothing with the package; or there is an error that says
what to do. Every column is tried whole, empty, with an offset, in chunks, and with nulls and without.
"""

import datetime
import decimal
import hashlib
import json
import re
import uuid

import cbor2
import duckdb
import numpy
import polars
import pyarrow
import pytest
from hashmill import arrow
from hashmill import polars as hm

types = pyarrow.types
ZONE = datetime.timezone(datetime.timedelta(hours=2))
DAY, TIME = datetime.date(2024, 2, 29), datetime.time(23, 59, 59)
MOMENT = datetime.datetime(2024, 2, 29, 12, 30, 1)


class Refused(Exception):
    """There is no encoding of values of this type."""


# Types and some of their values. Each is a column of its own, and is put into lists, structs …
FLAT = [
    (pyarrow.null(), [None, None]),
    (pyarrow.bool_(), [True, False]),
    *((kind, [0, 1, 23, 24, -1, -128, 127]) for kind in (pyarrow.int8(), pyarrow.int16(), pyarrow.int32(), pyarrow.int64())),
    *((kind, [0, 255]) for kind in (pyarrow.uint8(), pyarrow.uint16(), pyarrow.uint32())),
    (pyarrow.uint64(), [0, 2**64 - 1]),
    (pyarrow.float16(), [numpy.float16(1.5), numpy.float16(-2)]),
    *((kind, [0.0, 1.5, -(2.0**100)]) for kind in (pyarrow.float32(), pyarrow.float64())),
    *((kind, ["", "a", "grüße", "x" * 300, 'a "quoted" \\ text'])
      for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())),
    *((kind, [b"", b"\0\xff", b"x" * 300]) for kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view())),
    (pyarrow.binary(3), [b"abc", b"\0\0\0"]),
    *((kind(9, 2), [decimal.Decimal("1.50"), decimal.Decimal("-0.01"), decimal.Decimal(0)])
      for kind in (pyarrow.decimal32, pyarrow.decimal64, pyarrow.decimal128, pyarrow.decimal256)),
    (pyarrow.decimal128(5, -2), [decimal.Decimal(12300), decimal.Decimal(0)]),
    (pyarrow.decimal256(60, 0), [decimal.Decimal(10**50), decimal.Decimal(-(2**64) - 1)]),
    (pyarrow.date32(), [DAY, datetime.date(1969, 12, 31)]), (pyarrow.date64(), [DAY, datetime.date(1969, 12, 31)]),
    *((kind, [TIME]) for kind in (pyarrow.time32("s"), pyarrow.time32("ms"), pyarrow.time64("us"), pyarrow.time64("ns"))),
    *((pyarrow.timestamp(unit, zone), [MOMENT if zone is None else MOMENT.replace(tzinfo=datetime.timezone.utc)])
      for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC", "Europe/Berlin", "+02:00")),
    *((pyarrow.duration(unit), [datetime.timedelta(seconds=-1), datetime.timedelta(days=3)]) for unit in ("s", "ms", "us", "ns")),
    (pyarrow.month_day_nano_interval(), [pyarrow.MonthDayNano([1, 2, 3])]),
    (pyarrow.uuid(), [uuid.UUID(int=5).bytes, uuid.UUID(int=6).bytes]),
]  # fmt: skip


def nested(kind, values):
    """Columns of other types that contain those values."""
    keys = [[("a", it), ("b", it)] for it in values]
    yield pyarrow.list_(kind), [list(values), [], None, [None]]
    yield pyarrow.large_list(kind), [list(values), []]
    yield pyarrow.list_(kind, 2), [[values[0], None]]
    yield pyarrow.list_view(kind), [list(values), []]
    yield pyarrow.large_list_view(kind), [list(values), []]
    yield pyarrow.struct([("name", kind), ("b", pyarrow.int8())]), [{"name": it, "b": 1} for it in values]
    yield pyarrow.list_(pyarrow.struct([("x", pyarrow.list_(kind))])), [[{"x": list(values)}, {"x": None}]]
    yield pyarrow.map_(pyarrow.string(), kind), [*keys, []]
    yield pyarrow.dictionary(pyarrow.int8(), kind), list(values)
    yield pyarrow.dictionary(pyarrow.uint32(), kind), list(values)
    yield pyarrow.run_end_encoded(pyarrow.int32(), kind), list(values)
    yield pyarrow.struct([("d", pyarrow.dictionary(pyarrow.int16(), kind))]), [{"d": it} for it in values]


ARRAYS = {}


def array(kind, values):
    """The array of these values, or None if pyarrow does not make it."""
    try:
        if types.is_dictionary(kind):
            return pyarrow.DictionaryArray.from_arrays(
                pyarrow.array([None if it is None else i for i, it in enumerate(values)], kind.index_type),
                array(kind.value_type, [values[0] if it is None else it for it in values]),
            )
        if types.is_run_end_encoded(kind):
            ends = pyarrow.array(range(1, len(values) + 1), kind.run_end_type)
            return pyarrow.RunEndEncodedArray.from_arrays(ends, array(kind.value_type, values))
        if kind == pyarrow.uuid():
            return pyarrow.ExtensionArray.from_storage(kind, pyarrow.array(values, kind.storage_type))
        made = pyarrow.array(values, kind)
        made.validate(full=True)
        return made
    except (pyarrow.ArrowNotImplementedError, pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowKeyError):
        return None


def combinations():
    """The types, each with an array that has a null."""
    wanted = [*FLAT, *(it for one in FLAT for it in nested(*one))]
    for kind, values in wanted:
        made = array(kind, [*values, None])
        if made is not None and len(made) == len(values) + 1:
            yield kind, [*values, None], made
    yield sparse_union(), [1, "x"], pyarrow.UnionArray.from_sparse(
        pyarrow.array([0, 1], pyarrow.int8()), [pyarrow.array([1, 2]), pyarrow.array(["u", "x"])])
    yield pyarrow.struct([]), [{}, {}], pyarrow.array([{}, {}], pyarrow.struct([]))


def sparse_union():
    return pyarrow.sparse_union([pyarrow.field("0", pyarrow.int64()), pyarrow.field("1", pyarrow.string())])


COMBINATIONS = list(combinations())


def test_the_list_is_whole():
    """The types that Arrow has are in the list, alone and within others, and pyarrow has made the arrays."""
    assert len(COMBINATIONS) > 550
    found = {kind.id for kind, _, _ in COMBINATIONS}
    made = {getattr(types, name) for name in dir(types) if name.startswith("is_")}
    assert len(found) >= 40 and all(callable(it) for it in made)


# The encoders of the test.


def seconds(kind, value):
    """A number of seconds and of nanoseconds since the epoch or midnight, or a duration."""
    if isinstance(value, datetime.timedelta):
        whole = value
    elif isinstance(value, datetime.time):
        whole = datetime.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
    else:
        whole = utc(value) - datetime.datetime(1970, 1, 1)
    return {1: whole.days * 86400 + whole.seconds, -9: whole.microseconds * 1000}


def utc(moment):
    return moment if moment.tzinfo is None else moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def meaning(kind, value):
    """The value as an object that cbor2 encodes."""
    if kind == pyarrow.uuid():
        kind = kind.storage_type
    if any(is_it(kind) for is_it in (types.is_run_end_encoded, types.is_union, types.is_interval, types.is_list_view,
                                     types.is_large_list_view)):  # fmt: skip
        raise Refused
    if types.is_nested(kind) and not types.is_map(kind):
        for i in range(kind.num_fields):
            meaning(kind.field(i).type, None)
    if types.is_map(kind):
        meaning(kind.item_type, None)
    if types.is_dictionary(kind):
        return meaning(kind.value_type, value)
    if value is None:
        return None
    if types.is_decimal(kind):
        return cbor2.CBORTag(4, [-kind.scale, int(value.scaleb(kind.scale, decimal.Context(prec=80)))])
    if types.is_date(kind):
        return cbor2.CBORTag(100, (value - datetime.date(1970, 1, 1)).days)
    if types.is_timestamp(kind):
        return cbor2.CBORTag(1001, seconds(kind, value))
    if types.is_time(kind) or types.is_duration(kind):
        return cbor2.CBORTag(1002, seconds(kind, value))
    if types.is_floating(kind):
        return float(value)
    if types.is_map(kind):
        return {key: meaning(kind.item_type, it) for key, it in value}
    if types.is_struct(kind):
        return {field.name: meaning(field.type, value[field.name]) for field in kind}
    if types.is_nested(kind):
        return [meaning(kind.value_type, it) for it in value]
    return value


def text(kind, value):
    """The value as text, or as what Python's JSON writes within others."""
    if kind == pyarrow.uuid():
        kind = kind.storage_type
    if types.is_dictionary(kind):
        return text(kind.value_type, value)
    if types.is_floating(kind) or types.is_duration(kind):
        raise Refused
    if types.is_nested(kind):
        for i in range(kind.num_fields):
            inner = kind.field(i).type
            if types.is_map(kind):
                text(kind.item_type, None)
            else:
                text(inner, None)
    meaning(kind, None)
    if value is None:
        return None
    if types.is_boolean(kind):
        return value
    if types.is_decimal(kind):
        plain = format(value, "f")
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        return Digits(plain)
    if types.is_date(kind):
        return value.isoformat()
    if types.is_time(kind):
        return value.isoformat("microseconds")
    if types.is_timestamp(kind):
        return utc(value).isoformat(" ", "microseconds")
    if isinstance(value, bytes):
        return value.hex()
    if types.is_map(kind):
        return {key: text(kind.item_type, it) for key, it in value}
    if types.is_struct(kind):
        return {field.name: text(field.type, value[field.name]) for field in kind}
    if types.is_nested(kind):
        return [text(kind.value_type, it) for it in value]
    return value


class Digits(str):
    """Digits that are not in quotation marks within others."""


def as_text(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_json(value) if isinstance(value, (list, dict)) else str(value)


def as_json(value):
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(as_json, value)) + "]"
    if isinstance(value, dict):
        # The keys ascend by their encoded bytes.
        parts = sorted((as_json(key).encode(), as_json(it)) for key, it in value.items())
        return "{" + ",".join(f"{key.decode()}:{it}" for key, it in parts) + "}"
    return json.dumps(value, ensure_ascii=False)


def message(kind, value):
    """What a digest of the value alone is of."""
    if kind == pyarrow.uuid():
        kind = kind.storage_type
    if types.is_dictionary(kind):
        return message(kind.value_type, value)
    if not (types.is_null(kind) or isinstance(value, (str, bytes, type(None))) and re.search("string|binary", str(kind))):
        raise Refused
    if types.is_nested(kind) or types.is_run_end_encoded(kind):
        raise Refused
    return value.encode() if isinstance(value, str) else value


def expected(encode, kind, values, usual):
    """The encoded values, or None if the type has no encoding, which one usual value shows if there are none."""
    try:
        return [encode(kind, value) for value in values or usual[:1]][: len(values)]
    except Refused:
        return None


def hashed(kind, values, usual, form=bytes):
    """The digests of a column, or None. A column of structs with one field cannot be told from a table with one column,
    which is hashed if no row is null."""
    if types.is_struct(kind) and kind.num_fields == 1 and None not in values:
        [field] = kind
        parts = [[it[field.name] for it in some] for some in (values, [it for it in usual if it is not None])]
        return hashed(field.type, *parts, form)
    messages = expected(message, kind, values, usual)
    make = hashlib.sha256
    return messages and [None if it is None else make(it).digest() if form is bytes else make(it).hexdigest() for it in messages]


def variants(made, values):
    """The column whole, empty, with an offset, without its null, and in chunks."""
    count = len(values)
    yield made, values
    yield made[:0], []
    yield made[1:], values[1:]
    yield made[: count - 1], values[: count - 1]
    yield pyarrow.chunked_array([made[:1], made[1:1], made[1:]], made.type), values
    yield pyarrow.chunked_array([], made.type), []


SAYS_WHAT_TO_DO = "cast it|choose others|call hash_rows|choose one|drop such rows|the table has no column"
CONNECTION = duckdb.connect(config={"threads": 1})


def check(call, want):
    """Its digests or rows are these; None is for an error that says what to do."""
    if want is None:
        with pytest.raises((TypeError, ValueError), match=SAYS_WHAT_TO_DO):
            call()
    else:
        assert call() == want


@pytest.mark.parametrize("kind, values, made", COMBINATIONS, ids=lambda it: str(it)[:60] if isinstance(it, pyarrow.DataType) else "")
def test_pyarrow(kind, values, made):
    for column, given in variants(made, values):
        table = pyarrow.table({"v": column, "n": pyarrow.array(range(len(given)), pyarrow.int32())})
        check(lambda: arrow.sha256(column).to_pylist(), hashed(kind, given, values))
        encoded = expected(meaning, kind, given, values)
        rows = encoded and [cbor2.dumps([it, i], canonical=True) for i, it in enumerate(encoded)]
        check(lambda: arrow.encode_rows(table), rows)
        check(lambda: arrow.hash_rows(table).to_pylist(), rows and [hashlib.sha256(it).digest() for it in rows])
        texts = expected(text, kind, given, values)
        lines = texts and [f"{as_text(it)}|{i}".encode() for i, it in enumerate(texts)]
        check(lambda: arrow.encode_rows(table, profile="text", separator="|", null="NULL"), lines)


@pytest.mark.parametrize("kind, values, made", COMBINATIONS, ids=lambda it: str(it)[:60] if isinstance(it, pyarrow.DataType) else "")
def test_polars(kind, values, made):
    """polars' own column of the values: what it means follows from the type that polars gives it to Arrow again."""
    try:
        frame = polars.DataFrame({"v": polars.Series("v", made), "n": range(len(values))})
        table = frame.to_arrow()
        again = table["v"].combine_chunks()
        given = again.to_pylist()
    except BaseException as error:  # polars panics for some types.
        if isinstance(error, (KeyboardInterrupt, AssertionError)):
            raise
        return
    kind = again.type
    encoded = expected(meaning, kind, given, given)
    for part in (slice(None), slice(1, None), slice(0, 0)):
        some = frame[part]
        want = hashed(kind, given[part], given, str)
        check(lambda: arrow.sha256(some["v"], output="hex").to_pylist(), want)
        rows = encoded and [cbor2.dumps([it, i], canonical=True) for i, it in enumerate(encoded)][part]
        check(lambda: arrow.encode_rows(some), rows)
        lines = [hashlib.sha256(it).hexdigest() for it in rows] if rows is not None else None
        want = None if types.is_struct(kind) else want
        check_plugin(lambda: some.select(hm.hash_column("v"))["v"].to_list(), want)
        check_plugin(lambda: some.select(hm.hash_rows("v", "n"))["v"].to_list(), lines)


def check_plugin(call, want):
    if want is None:
        with pytest.raises(polars.exceptions.ComputeError, match=SAYS_WHAT_TO_DO):
            call()
    else:
        assert call() == want


@pytest.mark.parametrize("kind, values, made", COMBINATIONS, ids=lambda it: str(it)[:60] if isinstance(it, pyarrow.DataType) else "")
def test_duckdb(kind, values, made):
    connection = CONNECTION
    try:
        connection.register("given", pyarrow.table({"n": pyarrow.array(range(len(values)), pyarrow.int32()), "v": made}))
        relation = connection.sql("select v, n from given order by n")
        again = relation.to_arrow_table()["v"].combine_chunks()
        given = again.to_pylist()
    except (duckdb.Error, pyarrow.ArrowException, UnicodeDecodeError):
        return
    kind = again.type
    encoded = expected(meaning, kind, given, given)
    messages = expected(message, kind, given, given)
    want = messages and [None if it is None else hashlib.sha256(it).digest() for it in messages]
    check(lambda: arrow.sha256(relation.select("v")).to_pylist(), want)
    rows = encoded and [cbor2.dumps([it, i], canonical=True) for i, it in enumerate(encoded)]
    check(lambda: arrow.encode_rows(relation), rows)
    check(lambda: arrow.encode_rows(relation.limit(0)), rows and [])


def test_structs_within_tables():
    """A column of structs in a table is one, also with one field."""
    structs = pyarrow.array([{"a": "x"}])
    for table in (pyarrow.table({"s": structs}), polars.DataFrame({"s": [{"a": "x"}]}), CONNECTION.sql("select {'a': 'x'} as s")):
        with pytest.raises(TypeError, match="call hash_rows"):
            arrow.sha256(table)


def test_types_without_rows():
    """A stream without a chunk has a type, which is checked, and columns, which must be there."""
    empty = pyarrow.table({"a": pyarrow.chunked_array([], pyarrow.int8())})
    with pytest.raises(TypeError, match="cast it"):
        arrow.sha256(empty["a"])
    with pytest.raises(KeyError):
        arrow.hash_rows(empty, ["b"])
    assert arrow.hash_rows(empty).to_pylist() == arrow.encode_rows(empty) == []


def test_no_column_and_no_row():
    """Tables without a column are an error, and without a row have no digest."""
    for table in (pyarrow.table({}), polars.DataFrame(), pyarrow.record_batch([], names=[])):
        for use in (arrow.sha256, arrow.hash_rows, arrow.encode_rows):
            with pytest.raises((TypeError, ValueError), match="no column|at least one column"):
                use(table)
    for table in (pyarrow.table({"a": pyarrow.array([], pyarrow.string())}), polars.DataFrame(schema={"a": polars.String})):
        assert arrow.hash_rows(table).to_pylist() == arrow.sha256(table).to_pylist() == []
