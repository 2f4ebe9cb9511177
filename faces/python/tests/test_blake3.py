"""`hashmill.blake3`: the authors' answers, and the interface of the package `blake3`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hashmill
import polars
import pyarrow
import pytest
from hashmill import arrow, blake3
from hashmill import polars as polars_functions

VECTORS = Path(__file__).parents[3] / "vectors" / "blake3.json"
KEY = bytes(range(32))


def message(length: int) -> bytes:
    return (bytes(range(251)) * (length // 251 + 1))[:length]


def cases() -> list[tuple[bytes, dict[str, Any], bytes]]:
    made = []
    for case in json.loads(VECTORS.read_text())["published"]:
        more: dict[str, Any] = {}
        if "key" in case:
            more["key"] = bytes.fromhex(case["key"]["hex"])
        if "context" in case:
            more["derive_key_context"] = bytes.fromhex(case["context"]["hex"]).decode()
        made.append((message(case["message"]["ptn"]), more, bytes.fromhex(case["output"])))
    assert len(made) == 105
    return made


def test_the_authors_answers() -> None:
    for data, more, output in cases():
        assert blake3(data, **more).digest() == output[:32]
        assert blake3(data, **more).digest(len(output)) == output
        assert blake3(data, **more).hexdigest(7, seek=70) == output[70:77].hex()
        for threads in 2, blake3.AUTO:
            assert blake3(data, **more, max_threads=threads).digest(length=131) == output
        parts = blake3(**more)
        for start in range(0, len(data), 1000):
            assert parts.update(data[start : start + 1000]) is parts
        assert parts.digest(100, seek=31) == output[31:131]
        parts.reset()
        assert parts.digest() == blake3(**more).digest()
        assert parts.update(data).copy().digest() == output[:32]


def test_states_go_on_with_their_key() -> None:
    for data, more, output in cases():
        begun = blake3(data[:700], **more)
        again = hashmill.import_state(begun.export_state())
        assert type(again) is blake3
        assert again.update(data[700:]).digest(131) == output
        again.reset()
        assert again.update(data).digest(131) == output


def test_threads_and_files(tmp_path: Path) -> None:
    data = message(5_000_000)
    file = tmp_path / "data"
    file.write_bytes(data)
    for more in ({}, {"key": KEY}):
        expected = blake3(**more).update(data[:1]).update(data[1:]).digest()
        assert blake3(data, max_threads=2, **more).digest() == expected
        for threads in 1, 2:
            assert blake3(max_threads=threads, **more).update_mmap(file).digest() == expected
    assert blake3().update_mmap(str(file)).digest() == blake3(data).digest()
    with pytest.raises(FileNotFoundError):
        blake3().update_mmap(tmp_path / "nothing")


def test_many() -> None:
    messages = [message(length) for length in (0, 1, 64, 1024, 1025, 5000)] * 5
    assert list(hashmill.hash_many(messages, "blake3")) == [blake3(it).digest() for it in messages]
    tags = hashmill.hash_many(messages, "blake3", key=KEY)
    assert list(tags) == [blake3(it, key=KEY).digest() for it in messages]
    with pytest.raises(ValueError, match="32-byte key, found 5"):
        hashmill.hash_many(messages, "blake3", key=b"short")


def test_columns_with_a_key() -> None:
    texts = ["", "ada@example.org", None, "x" * 1025, "y" * 9000] * 40
    want = [None if it is None else blake3(it.encode(), key=KEY).digest(40) for it in texts]
    column = pyarrow.array(texts)
    for threads in 1, 2:
        made = arrow.blake3(column, key=KEY, length=40, threads=threads)
        assert pyarrow.array(made).to_pylist() == want
    tags = [it and it[:32].hex() for it in want]
    assert pyarrow.array(arrow.hash_column(column, "blake3", key=KEY, output="hex")).to_pylist() == tags
    frame = polars.DataFrame({"x": texts})
    assert frame.select(polars_functions.hash_column("x", "blake3", key=KEY))["x"].to_list() == tags
    table = pyarrow.table({"x": ["a", "b"]})
    rows = [blake3(it, key=KEY).digest() for it in arrow.encode_rows(table)]
    assert pyarrow.array(arrow.hash_rows(table, algorithm="blake3", key=KEY)).to_pylist() == rows
    with pytest.raises(ValueError, match="expected a 32-byte key, found 31"):
        arrow.blake3(column, key=KEY[:31])
    with pytest.raises((ValueError, polars.exceptions.PolarsError), match="expected a 32-byte key"):
        frame.select(polars_functions.hash_column("x", "blake3", key=KEY[:31]))


def test_what_the_type_says() -> None:
    assert (blake3.name, blake3.digest_size, blake3.block_size, blake3.key_size) == ("blake3", 32, 64, 32)
    made = hashmill.new("blake3", b"abc")
    assert type(made) is blake3
    assert (made.name, made.digest_size, made.digest()) == ("blake3", 32, blake3(b"abc").digest())
    assert blake3(b"abc", usedforsecurity=False).digest(0) == b""


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: blake3(key=b"x"), ValueError, "expected a 32-byte key, found 1"),
        (lambda: blake3(key=KEY, derive_key_context="a"), ValueError, "at the same time"),
        (lambda: blake3(derive_key_context=b"a"), TypeError, "str"),
        (lambda: blake3("text"), TypeError, "Strings"),
        (lambda: blake3(data=b"a"), TypeError, "data"),
        (lambda: blake3(max_threads=0), ValueError, "not a valid number of threads"),
        (lambda: blake3(max_threads=-2), ValueError, "not a valid number of threads"),
        (lambda: blake3().digest(-1), ValueError, "non-negative"),
        (lambda: blake3().digest(1 << 62), MemoryError, ""),
        (lambda: blake3().digest(seek=-1), OverflowError, ""),
        (lambda: blake3().digest(seek=1 << 64), OverflowError, ""),
        (lambda: blake3().update("text"), TypeError, "Strings"),
        (lambda: blake3().update_mmap(5), TypeError, ""),
    ],
)
def test_errors(call: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
