"""Expressions of polars that hash columns and rows. polars calls the native part of hashmill directly,
so no value passes through Python.

>>> import polars
>>> from hashmill import polars as hm
>>> frame = polars.DataFrame({"name": ["Ada", None], "email": ["ada@example.org", None]})
>>> frame.select(hm.hash_column("email").str.slice(0, 16))["email"].to_list()
['cfe00dde46ef9426', None]

Make pseudonyms with a secret key. Without a key, anybody can guess a value and check the guess.

>>> tokens = frame.lazy().with_columns(hm.hash_column("email", key=b"32 secret bytes of a random key."))
>>> tokens.collect()["email"][0][:16]
'42f47051b03defdd'
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

from . import _hashmill
from .arrow import NULL as _NULL
from .arrow import SEPARATOR as _SEPARATOR
from .arrow import _text

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import BatchName as _BatchName


def hash_column(
    column: _Any,
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
) -> _Any:
    """Returns the expression of the digests of a column: an expression, or the name of a column.

    The column has type String, Binary, Categorical or Enum. The digests are String, or Binary with
    output="binary". The digest of null is null. The other arguments are those of
    hashmill.arrow.hash_column.

    The expression does not contain the key, so plans do not show it. It can be used only in the
    process that made it, or in one forked from it. The process keeps the state of HMAC after the
    key, not the key, until it ends.

    polars computes expressions on several threads, so more `threads` are only useful for one large
    column.

    >>> import polars
    >>> polars.select(hash_column(polars.lit("abc"), "sha3_256")).item()[:16]
    '3a985da74fe225b2'
    """
    return _expression("hash_column", column, algorithm, key, output, length, threads, None)


def hash_rows(
    *columns: _Any,
    algorithm: _BatchName = "sha256",
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
    profile: _Literal["cbor", "text"] = "cbor",
    separator: str = _SEPARATOR,
    null: str = _NULL,
) -> _Any:
    """Returns the expression of the digests of rows, which are encoded as hashmill.arrow.hash_rows
    encodes them. A row consists of the values of `columns`, expressions or names, in this order.

    The name of the expression is that of the first column; `.alias` gives it another. The other
    arguments are those of hash_column and hashmill.arrow.hash_rows.

    >>> import polars
    >>> people = polars.DataFrame({"name": ["Ada", "Bob"], "born": [1815, None]})
    >>> people.select(hash_rows("name", "born").alias("row"))["row"][0][:16]
    '4fbee8968ca70c70'
    """
    import polars

    rows = polars.struct(*columns)
    return _expression("hash_rows", rows, algorithm, key, output, length, threads, _text(profile, separator, null))


def _expression(
    function: str,
    column: _Any,
    algorithm: str,
    key: _Buffer | None,
    output: str,
    length: int | None,
    threads: int,
    text: tuple[str, str] | None,
) -> _Any:
    from polars.plugins import register_plugin_function

    options = _hashmill._plugin_options(algorithm, key, output, length, threads, text)
    return register_plugin_function(
        plugin_path=_hashmill.__file__,
        function_name=function,
        args=column,
        kwargs={"options": options},
        is_elementwise=True,
        use_abs_path=True,
    )


__all__ = ["hash_column", "hash_rows"]
