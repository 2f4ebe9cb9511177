"""Functions of whole columns for engines that call Python. They need pyarrow.

DuckDB can pass whole columns to a Python function:

    connection.create_function("hm_sha256", hashmill.sql.function("sha256"), ["VARCHAR"], "VARCHAR", type="arrow")

No value passes through Python in the expressions of hashmill.polars, in the extension of DuckDB, and in
the functions of the package hashmill-datafusion.
"""

from __future__ import annotations

from collections.abc import Callable as _Callable
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

from . import arrow as _arrow

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import BatchName as _BatchName


def function(
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
) -> _Callable[[_Any], _Any]:
    """Returns a function that takes a pyarrow array, chunked or not, and returns the pyarrow array
    of its digests. Engines call such a function a UDF.

    The arguments are those of hashmill.arrow.hash_column. Binary digests have Arrow's type binary,
    not fixed_size_binary, because every engine supports binary.

    >>> import pyarrow
    >>> function("sha3_256")(pyarrow.array(["abc", None])).to_pylist()[0][:16]
    '3a985da74fe225b2'
    """
    import pyarrow

    def digests(values: _Any) -> _Any:
        hashed = _arrow.hash_column(values, algorithm, key=key, output=output, length=length, threads=threads)
        array = pyarrow.array(hashed)
        return array if output == "hex" else array.cast(pyarrow.binary())

    digests(pyarrow.array([], pyarrow.string()))  # Reports an unknown name here, not in a query.
    digests.__name__ = f"hm_{algorithm}"
    return digests


__all__ = ["function"]
