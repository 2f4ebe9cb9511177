"""Expressions of polars beside hashmill.arrow, in both of polars' engines."""

import datetime
import hashlib
import hmac
import multiprocessing
import os

import polars
import pytest
from hashmill import algorithms_own, arrow, hash_many
from hashmill import polars as hm

TEXTS = ["", "a", "x" * 12, "x" * 13, "ada@example.org", "é" * 40, "x" * 200] * 30
WITH_NULLS = [None if i % 7 == 3 else text for i, text in enumerate(TEXTS)]
CHUNKED = polars.concat([polars.Series("x", WITH_NULLS[:50]), polars.Series("x", WITH_NULLS[50:])], rechunk=False)


def digests(series, expression, **collect):
    return polars.LazyFrame([series.alias("x")]).select(expression).collect(**collect)["x"].to_list()


def is_extendable(algorithm):
    try:
        return hash_many([b""], algorithm, length=1).digest_size == 1
    except ValueError:
        return False


@pytest.mark.parametrize("algorithm", sorted(algorithms_own) + ["kt128", "SHA3-256"])
def test_algorithms(algorithm):
    for key in (None, b"key"):
        if key and (is_extendable(algorithm) or algorithm == "ascon_hash256"):
            continue  # There is no HMAC over it.
        want = arrow.hash_column(CHUNKED, algorithm, key=key).to_pylist()
        text = [it and it.hex() for it in want]
        for collect in ({}, {"engine": "streaming"}):
            assert digests(CHUNKED, hm.hash_column("x", algorithm, key=key), **collect) == text
            binary = hm.hash_column(polars.col("x"), algorithm, key=key, output="binary", threads=2)
            assert digests(CHUNKED, binary, **collect) == want


@pytest.mark.parametrize("kind", [polars.String, polars.Binary, polars.Categorical, polars.Enum(sorted(set(TEXTS)))])
@pytest.mark.parametrize("texts", [TEXTS, WITH_NULLS, [None, None], []], ids=["plain", "nulls", "null", "empty"])
def test_types(kind, texts):
    series = polars.Series("x", texts, polars.String).cast(kind)
    want = [None if it is None else hashlib.sha256(it.encode()).hexdigest() for it in texts]
    assert digests(series, hm.hash_column("x")) == want
    assert digests(series.slice(3, 50), hm.hash_column("x")) == want[3:53]
    schema = polars.LazyFrame([series]).select(hm.hash_column("x"), y=hm.hash_column("x", output="binary")).collect_schema()
    assert schema == {"x": polars.String, "y": polars.Binary}


def test_lengths():
    """A digest of up to 12 bytes is inside its view, a longer one is not."""
    for length in (1, 12, 13, 500):
        want = [None if it is None else hashlib.shake_128(it.encode()).digest(length) for it in WITH_NULLS]
        assert digests(CHUNKED, hm.hash_column("x", "shake_128", output="binary", length=length)) == want
        assert digests(CHUNKED, hm.hash_column("x", "shake_128", length=length)) == [it and it.hex() for it in want]


def test_where_expressions_are_allowed():
    frame = polars.DataFrame({"k": [1, 2, 1], "x": ["a", "b", None]})
    want = [hashlib.sha256(it).hexdigest() for it in (b"a", b"b")] + [None]
    hashed = hm.hash_column("x")
    assert frame.with_columns(hashed.alias("h"))["h"].to_list() == want
    assert frame.filter(hashed == want[1])["x"].to_list() == ["b"]
    groups = frame.group_by("k", maintain_order=True).agg(hashed)["x"].to_list()
    assert groups == [[want[0], None], [want[1]]]
    assert frame.select(hashed.over("k"))["x"].to_list() == want
    assert polars.select(hm.hash_column(polars.lit("a"))).item() == want[0]
    nested = frame.select(hm.hash_column(hm.hash_column("x")))["x"].to_list()
    assert nested[0] == hashlib.sha256(want[0].encode()).hexdigest()


def test_rows():
    frame = polars.DataFrame({
        "name": ["Ada", "Bob", None], "born": [1815, None, 3], "at": [datetime.datetime(2024, 2, 29, 12, 0)] * 3,
        "flags": [[True], [], None], "kind": polars.Series(["a", "b", "a"], dtype=polars.Categorical),
    })  # fmt: skip
    frame = polars.concat([frame, frame], rechunk=False)
    for key in (None, b"key"):
        want = arrow.hash_rows(frame, key=key, output="hex").to_pylist()
        assert frame.select(hm.hash_rows(polars.all(), key=key).alias("x"))["x"].to_list() == want
        columns = ["name", "kind"]
        want = arrow.hash_rows(frame, columns, "blake2b", key=key, profile="text", separator="|", null="").to_pylist()
        row = hm.hash_rows(
            *columns, algorithm="blake2b", key=key, output="binary", profile="text", separator="|", null=""
        )
        assert frame.select(row.alias("x"))["x"].to_list() == want


def test_keys(tmp_path):
    key = os.urandom(32)
    expression = hm.hash_column("x", key=key)
    assert digests(polars.Series(["a"]), expression) == [hmac.digest(key, b"a", "sha256").hex()]
    frame = polars.LazyFrame({"x": ["a"]}).select(expression)
    for plan in (frame.explain().encode(), frame.serialize(), str(expression).encode()):
        assert key not in plan and key.hex().encode() not in plan
    # One expression is computed once, and another key is another expression.
    assert expression.meta.eq(hm.hash_column("x", key=bytearray(key)))
    assert not expression.meta.eq(hm.hash_column("x", key=key[::-1]))
    (tmp_path / "plan").write_bytes(frame.serialize())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert "make the expression where it runs" in pool.apply(elsewhere, [str(tmp_path / "plan")])


def elsewhere(path):
    try:
        polars.LazyFrame.deserialize(path).collect()
    except polars.exceptions.ComputeError as error:
        return str(error)


def test_errors():
    for arguments, error, message in [
        ({"algorithm": "md4"}, ValueError, "unsupported hash type md4"),
        ({"output": "base64"}, ValueError, "output is"),
        ({"length": 5}, ValueError, "length"),
        ({"threads": 5000}, ValueError, "threads"),
        ({"key": b""}, ValueError, "the key is empty"),
        ({"key": "text"}, TypeError, "encoded"),
        ({"algorithm": "kmac128"}, ValueError, "needs a key"),
    ]:
        with pytest.raises(error, match=message):
            hm.hash_column("x", **arguments)
    with pytest.raises(ValueError, match="zero byte"):
        hm.hash_rows("x", profile="text", separator="\0")
    structs = polars.Series([{"a": "x", "b": "y"}]), polars.Series([{"a": "x"}])
    for series in (polars.Series([1]), polars.Series([[b"x"]]), *structs):
        with pytest.raises(polars.exceptions.ComputeError, match="cast it to a string"):
            digests(series, hm.hash_column("x"))
    with pytest.raises(polars.exceptions.ComputeError, match="float"):
        digests(polars.Series([1.5]), hm.hash_rows("x", profile="text"))
    with pytest.raises(polars.exceptions.ComputeError, match="memory"):
        digests(polars.Series(["a", "b"]), hm.hash_column("x", "shake_128", length=1 << 45))


def test_options_of_others():
    """Options that hashmill.polars did not make are an error, whatever they are."""
    from hashmill import _hashmill
    from polars.plugins import register_plugin_function

    good = _hashmill._plugin_options("sha256", None, "hex", None, 1, None)
    assert good == "sha256\0\0hex\x0032\x001\0cbor\0\0"
    for options in ({}, {"options": ""}, {"options": good + "\0"}, {"options": good.replace("32", "x")}, {"options": 5},
                    {"other": good}, {"options": good.replace("sha256", "md4")}, {"options": "x" * 100_000}):  # fmt: skip
        expression = register_plugin_function(
            plugin_path=_hashmill.__file__, function_name="hash_column", args="x", kwargs=options, use_abs_path=True
        )
        with pytest.raises(polars.exceptions.ComputeError, match="hashmill.polars"):
            digests(polars.Series(["a"]), expression)
    two = register_plugin_function(
        plugin_path=_hashmill.__file__, function_name="hash_column", args=["x", "x"], kwargs={"options": good}, use_abs_path=True
    )
    with pytest.raises(polars.exceptions.ComputeError, match="2 columns"):
        digests(polars.Series(["a"]), two)


def test_memory():
    """Columns are freed, after errors too: 200 times 2 MB leave less than 60 MB."""

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    frame = polars.DataFrame({"x": [f"{i:064}" for i in range(10_000)]})
    frame.select(hm.hash_column("x"))
    before = resident()
    for _ in range(200):
        frame.select(hm.hash_column("x"))
        with pytest.raises(polars.exceptions.ComputeError):
            frame.select(hm.hash_column(polars.struct("x", y="x")))
    assert resident() - before < 60e6
