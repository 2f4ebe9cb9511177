"""Hashes columns and rows on Spark 4.1 and newer.

It needs the packages of the extra spark, on the machines of the executors, too.

    from hashmill import spark as hm
    frame = frame.withColumn("email", hm.arrow_udf("blake2b", key=key)("email"))
    frame = hm.hash_rows(frame, ["id", "name", "birth"], "sha3-256")

For plain SHA-2 use Spark's own sha2(), which is faster: on 29-byte strings and 2 cores, sha2()
hashes 2.6 million rows a second and this module 1.4 million, because Spark sends the rows to a
Python process and back, which costs more than the hash. Use this module for functions that Spark
does not have: HMAC, SHA-3, BLAKE2, SHAKE, KangarooTwelve, KMAC, and the digests of rows that
hashmill.arrow.hash_rows computes.

A key is part of the function that Spark sends to its executors. Plans and logs do not show it, but
anyone who can read Spark's network traffic can read the key. To encrypt the traffic, set
spark.network.crypto.enabled.
"""

from __future__ import annotations

from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

from . import arrow as _arrow

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import BatchName as _BatchName


def arrow_udf(
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
) -> _Any:
    """Returns a Spark function that hashes a column of strings or binary values.

    It is hashmill.arrow.hash_column, wrapped by pyspark.sql.functions.arrow_udf. Its result is a
    string or binary column; null stays null. The arguments are those of hashmill.arrow.hash_column.
    """
    import pyarrow
    from pyspark.sql.functions import arrow_udf as wrap

    from .sql import function

    digests = function(algorithm, key=None if key is None else bytes(key), output=output, length=length)

    def column(values: _Any) -> _Any:
        return digests(values)

    # Spark reads the kind of the function from the annotations. They must be types, not text.
    column.__annotations__ = {"values": pyarrow.Array, "return": pyarrow.Array}
    column.__name__ = f"hm_{algorithm}"
    return wrap(column, returnType="string" if output == "hex" else "binary")


def hash_rows(
    frame: _Any,
    columns: _Iterable[str],
    algorithm: _BatchName = "sha256",
    *,
    name: str = "row_hash",
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
) -> _Any:
    """Returns a Spark DataFrame with one more column: a digest of these columns for each row.

    The digests are those of hashmill.arrow.hash_rows. DataFrame.mapInArrow computes them. The
    columns of the result are those of `frame`, followed by `name`, a string or binary column.
    """
    import pyarrow
    from pyspark.sql.types import BinaryType, StringType, StructField, StructType

    chosen = list(columns)
    secret = None if key is None else bytes(key)
    kind = pyarrow.string() if output == "hex" else pyarrow.binary()

    def batches(given: _Iterator[_Any]) -> _Iterator[_Any]:
        for batch in given:
            hashed = _arrow.hash_rows(batch, chosen, algorithm, key=secret, output=output, length=length)
            yield batch.append_column(name, pyarrow.array(hashed).cast(kind))

    added = StructField(name, StringType() if output == "hex" else BinaryType())
    return frame.mapInArrow(batches, StructType([*frame.schema.fields, added]))


__all__ = ["arrow_udf", "hash_rows"]
