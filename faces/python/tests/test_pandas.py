"""hashmill.pandas: each digest is in the row of its value, in any order of the rows. Runs with pandas 2 and 3."""

import hashlib
import hmac

import cbor2
import numpy
import pandas
import pyarrow
import pytest
from hashmill import arrow, hash_many
from hashmill import pandas as hm

KEY = b"a key of the tests"
EMAILS = [None if i % 7 == 3 else f"usér {i}@example.org" for i in range(60)]
FRAME = pandas.DataFrame({"id": range(60), "email": pandas.Series(EMAILS, dtype=object), "name": [f"n{i % 9}" for i in range(60)]})
#: Frames of which no row is where its label says, or of which the label says nothing.
CHANGED = {
    "as it was": FRAME,
    "sorted": FRAME.sort_values(["name", "email"], ascending=False),
    "filtered": FRAME[FRAME["id"] % 3 == 1],
    "sorted and filtered": FRAME.sort_values("email")[10:40],
    "shuffled": FRAME.sample(frac=1, random_state=5),
    "duplicate labels": FRAME.set_axis([i // 2 for i in range(60)]),
    "concatenated": pandas.concat([FRAME[20:], FRAME[:30]]),
    "labels of text": FRAME.set_index("name", drop=False)[::-1],
    "two levels": FRAME.set_index(["name", "id"], drop=False).rename_axis(["a", "b"]).sort_index(),
    "categories as index": FRAME.set_axis(pandas.CategoricalIndex(FRAME["name"]))[::-1],
    "empty": FRAME[:0],
}
KINDS = {
    "object": object, "string": "string", "str": str, "categories": "category",
    "string of Arrow": pandas.ArrowDtype(pyarrow.string()), "string in pyarrow": "string[pyarrow]",
}  # fmt: skip


def pseudonym(email):
    return None if pandas.isna(email) else hmac.digest(KEY, email.encode(), "sha256").hex()


def check(frame, column, function=pseudonym):
    """Every row's digest is that of the row's own value."""
    assert len(frame) == len(frame[column])
    for email, found in zip(frame["email"].tolist(), frame[column].tolist(), strict=True):
        want = function(email)
        assert found == want if want is not None else pandas.isna(found)


changed = pytest.mark.parametrize("frame", CHANGED.values(), ids=CHANGED)


@changed
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_columns(frame, kind):
    frame = frame.astype({"email": kind})
    if kind is str:  # pandas 2 makes text of None.
        frame["email"] = frame["email"].mask(frame["email"].isin(["None"]))
    digests = hm.hash_column(frame["email"], key=KEY)
    assert digests.name == "email" and digests.index.equals(frame.index)
    before = frame["email"].copy()
    check(frame.assign(p=digests), "p")
    assert frame["email"].equals(before)
    # With what keeps the order of the rows, an Array is right, too; with other lengths it is an error.
    array = arrow.sha256(frame["email"], key=KEY, output="hex")
    check(frame.assign(p=array), "p")
    other = frame.copy()
    other["p"] = array
    other.insert(0, "q", array)
    other.loc[:, "r"] = array
    for name in "pqr":
        check(other, name)
    if len(frame) > 1:
        with pytest.raises(ValueError, match="[Ll]ength"):
            frame.assign(p=arrow.sha256(frame["email"][1:], key=KEY))


@changed
def test_columns_that_are_put_back_later(frame):
    """The digests of one frame, used in the same frame after it changed."""
    if not frame.index.is_unique:
        return
    digests = hm.hash_column(frame["email"], key=KEY)
    later = frame.sort_values("id", ascending=False)[: len(frame) // 2].copy()
    later["p"] = digests
    check(later, "p")
    later = frame[frame["id"] % 2 == 0]
    check(later.assign(p=hm.hash_column(later["email"], key=KEY)), "p")
    later = frame.copy()
    later.loc[later["id"] % 2 == 0, "p"] = digests
    check(later[later["id"] % 2 == 0], "p")
    later.loc[later["id"] % 2 == 1, "p"] = arrow.sha256(later.loc[later["id"] % 2 == 1, "email"], key=KEY, output="hex")
    check(later, "p")


@changed
def test_binary(frame):
    def digest(email):
        return None if pandas.isna(email) else hashlib.sha3_256(email.encode()).digest()

    digests = hm.hash_column(frame["email"], "sha3_256", output="binary")
    check(frame.assign(p=digests), "p", digest)
    check(frame.assign(p=arrow.sha3_256(frame["email"])), "p", digest)
    binary = frame["email"].map(lambda it: None if pandas.isna(it) else it.encode())
    check(frame.assign(p=hm.hash_column(binary, "sha3_256", output="binary")), "p", digest)
    messages = [b"" if pandas.isna(it) else it.encode() for it in frame["email"]]
    found = frame.assign(p=hash_many(messages, "sha3_256"))["p"].tolist()
    assert found == [hashlib.sha3_256(it).digest() for it in messages]


@changed
def test_rows(frame):
    """The index is no part of a row, in hashmill.arrow neither."""
    kind = pandas.ArrowDtype(pyarrow.large_string())
    want = [
        hashlib.sha256(cbor2.dumps([number, None if pandas.isna(email) else email], canonical=True)).hexdigest()
        for number, email in zip(frame["id"].tolist(), frame["email"].tolist(), strict=True)
    ]
    for given in (frame[["id", "email"]], frame[["id", "email"]].astype({"email": kind})):
        digests = hm.hash_rows(given)
        assert digests.index.equals(frame.index) and digests.tolist() == want
        assert arrow.hash_rows(given, output="hex").to_pylist() == want
        if len(frame):
            assert [hashlib.sha256(it).hexdigest() for it in arrow.encode_rows(given)] == want
    assert hm.hash_rows(frame, ["id", "email"], output="binary").map(bytes.hex).tolist() == want
    text = hm.hash_rows(frame, ["name", "id"], profile="text", separator="|").tolist()
    rows = zip(frame["name"].tolist(), frame["id"].tolist(), strict=True)
    assert text == [hashlib.sha256(f"{name}|{number}".encode()).hexdigest() for name, number in rows]
    assert arrow.sha256(frame[["email"]], key=KEY).to_pylist() == arrow.sha256(frame["email"], key=KEY).to_pylist()


def test_types_of_results():
    def kind(series, **options):
        return str(hm.hash_column(series, **options).dtype)

    usual = str(pandas.Series(["a"]).dtype)  # str, or object before pandas 3
    words = pandas.Series(["a", None], dtype=object)
    assert kind(words) == kind(words.astype("category")) == usual
    assert kind(words.astype("string")) == "string" and kind(words.astype("string"), output="binary") == "object"
    of_arrow = words.astype(pandas.ArrowDtype(pyarrow.string()))
    assert kind(of_arrow) == "string[pyarrow]" and "fixed_size_binary[32]" in kind(of_arrow, output="binary")
    assert hm.hash_column(words, output="binary")[1] is None


def test_missing_values():
    series = pandas.Series(["a", None, float("nan"), pandas.NA], index=[3, 2, 1, 0], dtype=object)
    assert hm.hash_column(series).isna().tolist() == [False, True, True, True]
    with pytest.raises(ValueError, match="null"):
        hm.hash_column(series, nulls="error")


def test_refused():
    with pytest.raises(TypeError, match="a pandas.Series is needed.*DataFrame"):
        hm.hash_column(FRAME)
    with pytest.raises(TypeError, match="a pandas.Series is needed.*list"):
        hm.hash_column(["a"])
    with pytest.raises(TypeError, match="a pandas.DataFrame is needed.*Series"):
        hm.hash_rows(FRAME["email"])
    with pytest.raises(TypeError, match="cast"):
        hm.hash_column(FRAME["id"])
    with pytest.raises((TypeError, ValueError)):
        hm.hash_column(pandas.Series(["a", 1, b"x"], dtype=object))


def test_numpy_keeps_zero_bytes():
    """numpy's type S drops them at the end of a value: one digest in 256 would be too short."""
    array = arrow.sha256(pyarrow.array([str(i) for i in range(2000)]))
    assert any(it.endswith(b"\0") for it in array)
    assert numpy.asarray(array).tolist() == array.to_pylist() == list(array)
    assert numpy.asarray(array, dtype="V32")[7].tobytes() == array[7]
    assert numpy.array(arrow.sha256(pyarrow.array(["a", None]), output="hex")).tolist()[1] is None
    with pytest.raises(ValueError, match="without a copy"):
        array.__array__(copy=False)
