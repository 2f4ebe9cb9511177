"""Columns and rows on Spark 4.1 and newer: pip install 'hashmill[spark]', also where the executors run.

    from hashmill import spark as hm
    frame = frame.withColumn("email", hm.arrow_udf("blake2b", key=key)("email"))
    frame = hm.hash_rows(frame, ["id", "name", "birth"], "sha3-256")

For plain SHA-2 take Spark's own sha2(), which is faster: measured on 29-byte strings and 2 cores, sha2() hashes 2.6 million
rows a second and this 1.4 million. The rows travel to a Python process and back, and that costs more than the hash. This is for
what Spark lacks: HMAC, SHA-3, BLAKE2, SHAKE, KangarooTwelve, KMAC, and the digests of rows that hashmill.arrow.hash_rows makes.

A key is part of the function that Spark sends to its executors. No plan and no log shows it, but whoever can read Spark's traffic
can read it: set spark.network.crypto.enabled where that matters.
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


def arrow_udf(
    algorithm: str = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
) -> _Any:
    """A Spark function of a column of strings or binary values: pyspark.sql.functions.arrow_udf around hash_column.

    Its result is a string or binary column; null stays null. The arguments are hashmill.arrow.hash_column's.
    """
    import pyarrow
    from pyspark.sql.functions import arrow_udf as wrap

    from .sql import function

    digests = function(algorithm, key=None if key is None else bytes(key), output=output, length=length)

    def column(values: _Any) -> _Any:
        return digests(values)

    # Spark takes the kind of function from these, as types and not as text.
    column.__annotations__ = {"values": pyarrow.Array, "return": pyarrow.Array}
    column.__name__ = f"hm_{algorithm}"
    return wrap(column, returnType="string" if output == "hex" else "binary")


def hash_rows(
    frame: _Any,
    columns: _Iterable[str],
    algorithm: str = "sha256",
    *,
    name: str = "row_hash",
    key: _Buffer | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
) -> _Any:
    """A Spark DataFrame with one more column: hashmill.arrow.hash_rows of these columns, by DataFrame.mapInArrow.

    The frame's columns are those of before, and then `name`, a string or binary column.
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
