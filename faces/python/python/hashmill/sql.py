"""SQL functions for DataFusion. They need the packages of the extra sql.

>>> import datafusion, hashmill.sql
>>> context = datafusion.SessionContext()
>>> hashmill.sql.register(context, keys={"people": b"a secret of 32 random bytes"})
>>> rows = context.sql("select hm_sha256('abc') as a, hm_hmac('sha256', 'people', 'abc') as b").to_pylist()
>>> rows[0]["a"][:16], rows[0]["b"][:16]
('ba7816bf8f01cfea', '8c0563c87a92e1dd')

DuckDB can pass whole columns to a Python function, so it needs no registration here:

    connection.create_function("hm_sha256", hashmill.sql.function("sha256"), ["VARCHAR"], "VARCHAR", type="arrow")

hashmill.polars has expressions for polars.
"""

from __future__ import annotations

from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Mapping as _Mapping
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

from . import arrow as _arrow

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

#: The algorithms that need no key. register() registers a function hm_… for each of them.
ALGORITHMS = tuple(
    name for name in _arrow.__all__ if name.islower() and "_rows" not in name and name[:4] not in ("hash", "kmac")
)


def function(
    algorithm: str = "sha256",
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


def _one(values: _Any, what: str) -> str:
    """Returns the value of an argument that must be the same in all rows.

    Raises ValueError if it is not.
    """
    import pyarrow.compute

    if values.null_count or len(pyarrow.compute.unique(values)) != 1:
        # The message does not contain the value, because a caller may have passed the key itself.
        raise ValueError(f"{what} is one text, the same for all rows")
    return str(values[0])


def register(
    context: _Any,
    *,
    keys: _Mapping[str, _Buffer] | None = None,
    output: _Literal["hex", "binary"] = "hex",
    threads: int = 1,
) -> None:
    """Registers the functions with a datafusion.SessionContext.

    hm_sha256(x), …: the digests of a column of text, one function for each name in ALGORITHMS; null
    stays null. DataFusion converts other types to text first, so hm_sha256(7) hashes '7'. Binary
    values that are not UTF-8 are an error.
    hm_sha256_bytes(x), …: the digests of a column of binary values.
    hm_hmac(algorithm, key, x), hm_hmac_bytes(algorithm, key, x): HMAC, or KMAC with 'kmac128' and
    'kmac256'. The second argument is a name in `keys`, so that plans and logs do not contain the
    key.

    output: "hex" returns text, "binary" returns binary values. threads: the number of threads that
    hash a batch; 0 means one for each core. In addition, DataFusion hashes one batch of each of its
    partitions at the same time.

    register_rows registers functions of rows, because their signatures contain the columns' types.
    """
    import datafusion
    import pyarrow

    kind = pyarrow.string() if output == "hex" else pyarrow.binary()
    secrets = {name: bytes(key) for name, key in (keys or {}).items()}
    text, binary = pyarrow.string_view(), pyarrow.binary_view()

    def keyed(algorithm: _Any, name: _Any, values: _Any) -> _Any:
        if len(values) == 0:
            return pyarrow.array([], kind)
        secret = secrets.get(_one(name, "hm_hmac's key"))
        if secret is None:
            raise ValueError(f"hm_hmac's second argument is the name of a key, one of: {', '.join(secrets) or 'none'}")
        return function(_one(algorithm, "hm_hmac's algorithm"), key=secret, output=output, threads=threads)(values)

    for ending, given in (("", text), ("_bytes", binary)):
        for name in ALGORITHMS:
            digests = function(name, output=output, threads=threads)
            context.register_udf(datafusion.udf(digests, [given], kind, "immutable", f"hm_{name}{ending}"))
        three = [pyarrow.string(), pyarrow.string(), given]
        context.register_udf(datafusion.udf(keyed, three, kind, "immutable", f"hm_hmac{ending}"))


def register_rows(
    context: _Any,
    table: str,
    columns: _Iterable[str],
    name: str = "hm_row_hash",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    threads: int = 1,
) -> None:
    """Registers the function name(algorithm, a, b, …), which hashes rows as
    hashmill.arrow.hash_rows does.

    In DataFusion's Python interface, a function has one signature. The signature of this function
    contains the types of `columns` of the registered `table`, in that order. The function accepts
    other columns of these types, too. With a key it computes HMAC.

    >>> import datafusion
    >>> context = datafusion.SessionContext()
    >>> _ = context.from_pydict({"name": ["Ada", "Bob"], "born": [1815, None]}, name="people")
    >>> register_rows(context, "people", ["name", "born"])
    >>> context.sql("select hm_row_hash('sha256', name, born) as h from people").to_pylist()[0]["h"][:16]
    '4fbee8968ca70c70'
    """
    import datafusion
    import pyarrow

    schema = context.table(table).schema()
    types = [schema.field(column).type for column in columns]
    kind = pyarrow.string() if output == "hex" else pyarrow.binary()
    secret = None if key is None else bytes(key)

    def rows(algorithm: _Any, *values: _Any) -> _Any:
        if len(algorithm) == 0:
            return pyarrow.array([], kind)
        batch = pyarrow.RecordBatch.from_arrays(list(values), names=[str(i) for i in range(len(values))])
        chosen = _one(algorithm, f"{name}'s algorithm")
        hashed = pyarrow.array(_arrow.hash_rows(batch, None, chosen, key=secret, output=output, threads=threads))
        return hashed if output == "hex" else hashed.cast(kind)

    context.register_udf(datafusion.udf(rows, [pyarrow.string(), *types], kind, "immutable", name))


__all__ = ["ALGORITHMS", "function", "register", "register_rows"]
