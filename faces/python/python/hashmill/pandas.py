"""Hashes the columns and rows of pandas. The results are Series with the index of what was hashed, so
pandas puts each digest into the row that it belongs to.

>>> import pandas
>>> from hashmill import pandas as hm
>>> frame = pandas.DataFrame({"name": ["Bob", "Ada"], "email": [None, "ada@example.org"]}).sort_values("name")
>>> frame.assign(email=hm.hash_column(frame["email"]).str.slice(0, 16))
  name             email
1  Ada  cfe00dde46ef9426
0  Bob               NaN

Make pseudonyms with a secret key. Without a key, anybody can guess a value and check the guess.

>>> hm.hash_column(frame["email"], key=b"32 secret bytes of a random key.").str.slice(0, 16)[1]
'42f47051b03defdd'

It needs pandas 2.2 or newer and pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable as _Iterable
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

from . import arrow as _arrow

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import BatchName as _BatchName


def hash_column(
    series: _Any,
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    nulls: _Literal["keep", "error"] = "keep",
    length: int | None = None,
    threads: int = 1,
) -> _Any:
    """Returns a Series with the digest of every value of a Series, and with its index and name.

    The Series has strings or bytes, in any of pandas' types for them, or categories of these. The
    digest of a missing value is a missing value. The other arguments are those of
    hashmill.arrow.hash_column.

    Hexadecimal digests have the type of the Series if that is a type of strings alone, and otherwise
    the type that pandas gives to a list of str. Binary digests are bytes in a Series of type object. If
    the Series has a type of Arrow, the digests have one, too.

    >>> import pandas
    >>> hash_column(pandas.Series(["abc"], index=["x"]), "sha3_256").str.slice(0, 16)
    x    3a985da74fe225b2
    dtype: str
    """
    _require(series, "Series", 'a column of a frame: frame["email"]')
    hashed = _arrow.hash_column(
        series, algorithm, key=key, output=output, nulls=nulls, length=length, threads=threads
    )
    return _series(hashed, series.index, series.name, series.dtype)


def hash_rows(
    frame: _Any,
    columns: _Iterable[str] | None = None,
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
    profile: _Literal["cbor", "text"] = "cbor",
    separator: str = _arrow.SEPARATOR,
    null: str = _arrow.NULL,
) -> _Any:
    """Returns a Series with the digest of every row of a DataFrame, and with its index.

    The index is no part of the rows. The other arguments are those of hashmill.arrow.hash_rows, which
    describes the encoding of a row. pandas turns integers with a missing value into floats, which have
    other digests; the type Int64 keeps them.

    >>> import pandas
    >>> people = pandas.DataFrame({"name": ["Ada", "Bob"], "born": [1815, 1850]}, index=["x", "y"])
    >>> hash_rows(people[::-1]).str.slice(0, 16).to_dict() == hash_rows(people).str.slice(0, 16).to_dict()
    True
    """
    _require(frame, "DataFrame", 'a table: frame, frame[["name", "email"]]')
    hashed = _arrow.hash_rows(
        frame, columns, algorithm, key=key, output=output, length=length, threads=threads,
        profile=profile, separator=separator, null=null,
    )  # fmt: skip
    return _series(hashed, frame.index, None, None)


def _require(given: object, kind: str, example: str) -> None:
    import pandas

    if not isinstance(given, getattr(pandas, kind)):
        raise TypeError(f"a pandas.{kind} is needed, {example}; this is of type {type(given).__name__}")


def _series(hashed: _arrow.Array, index: _Any, name: _Any, given: _Any) -> _Any:
    """The digests as a Series, in a type that follows from that of the values."""
    import pandas
    import pyarrow

    array = pyarrow.array(hashed)
    if isinstance(given, pandas.ArrowDtype):
        return pandas.Series(pandas.arrays.ArrowExtensionArray(array), index=index, name=name)
    digests = array.to_pandas()
    if isinstance(given, pandas.StringDtype) and not pyarrow.types.is_fixed_size_binary(array.type):
        digests = digests.astype(given)
    return digests.set_axis(index).rename(name)


__all__ = ["hash_column", "hash_rows"]
