"""Hash functions and HMAC of columns and rows for DataFusion. DataFusion calls them directly, so no
value passes through Python.

>>> import datafusion, hashmill_datafusion
>>> context = datafusion.SessionContext()
>>> hashmill_datafusion.register(context)
>>> _ = context.from_pydict({"id": [1, 2], "email": ["ada@example.org", None]}, name="users")
>>> users = context.sql("select hm_sha256(email) as h, hm_row_sha3_256(id, email) as r from users").to_pylist()
>>> users[0]["h"][:16], users[0]["r"][:16], users[1]["h"]
('cfe00dde46ef9426', '185fed07d64ad90d', None)

Make pseudonyms with a secret key. Without a key, anybody can guess a value and check the guess.

>>> context.register_udf(hash_column("sha3_256", key=b"a secret of 32 random bytes", name="token"))
>>> context.sql("select token(email) as t from users").to_pylist()[0]["t"][:16]
'bbca5c7e22908039'
"""

from __future__ import annotations

from importlib.metadata import version as _version
from typing import Literal as _Literal

import datafusion as _datafusion

from . import _native

if int(_version("datafusion").split(".")[0]) != _native.DATAFUSION:
    raise ImportError(f"this build of hashmill-datafusion is for DataFusion {_native.DATAFUSION}.*")

#: The names of the functions that need no key.
ALGORITHMS: tuple[str, ...] = (*_native.ALGORITHMS, "kt128", "kt256")


def hash_column(
    algorithm: str = "sha256",
    *,
    name: str | None = None,
    key: bytes | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
) -> _datafusion.ScalarUDF:
    """Returns the function of the digests of a column, for `register_udf` or for expressions.

    The column has text or binary values of any of Arrow's types, also in dictionaries. Cast values
    of other types yourself, because the cast decides what is hashed. The digest of null is null.
    The digests have type Utf8View, or BinaryView with output="binary".

    algorithm: a name in ALGORITHMS; with a key also "kmac128" and "kmac256". key: computes HMAC (of
    BLAKE3: its keyed mode). length: the length of a digest in bytes, for functions whose output has
    any length. threads: the number of threads that hash a batch, 0 for one for each core;
    DataFusion already hashes the batches of its partitions at the same time.

    name: the function's name in SQL; if it is not given, hm_ALGORITHM, with a key
    hm_hmac_ALGORITHM, and with "_binary" at the end if the output is binary. Plans and logs contain
    the name and never the key. The process keeps the state of HMAC after the key, not the key.

    >>> from datafusion import col
    >>> context = _datafusion.SessionContext()
    >>> frame = context.from_pydict({"x": ["abc"]})
    >>> frame.select(hash_column("sha3_256")(col("x")).alias("h")).to_pylist()[0]["h"][:16]
    '3a985da74fe225b2'
    """
    name = name or _name("hm", algorithm, key, output)
    function = _native.Function(
        name, algorithm, key=key, output=output, length=length, threads=threads, rows=False, text=None
    )
    return _datafusion.udf(function)


def hash_rows(
    algorithm: str = "sha256",
    *,
    name: str | None = None,
    key: bytes | None = None,
    output: _Literal["hex", "binary"] = "hex",
    length: int | None = None,
    threads: int = 1,
    profile: _Literal["cbor", "text"] = "cbor",
    separator: str = "-",
    null: str = "_dbt_utils_surrogate_key_null_",
) -> _datafusion.ScalarUDF:
    """Returns the function of the digests of rows. Its arguments are the values of a row: columns of
    any number and of any types that a row can contain.

    The function encodes rows as hashmill.arrow.hash_rows does, whose documentation describes
    profile, separator and null. The other arguments are those of hash_column. If no name is given,
    it is hm_row_ALGORITHM, or hm_row_hmac_ALGORITHM with a key.

    >>> context = _datafusion.SessionContext()
    >>> _ = context.from_pydict({"name": ["Ada", "Bob"], "born": [1815, None]}, name="people")
    >>> context.register_udf(hash_rows(name="fingerprint"))
    >>> context.sql("select fingerprint(name, born) as h from people").to_pylist()[0]["h"][:16]
    '4fbee8968ca70c70'
    """
    if profile not in ("cbor", "text"):
        raise ValueError(f'profile is "cbor" or "text", not {profile!r}')
    name = name or _name("hm_row", algorithm, key, output)
    text = (separator, null) if profile == "text" else None
    function = _native.Function(
        name, algorithm, key=key, output=output, length=length, threads=threads, rows=True, text=text
    )
    return _datafusion.udf(function)


def register(context: _datafusion.SessionContext, *, threads: int = 1) -> None:
    """Registers four functions for each name in ALGORITHMS: hm_NAME(x) and hm_NAME_binary(x) of a
    column, and hm_row_NAME(a, b, …) and hm_row_NAME_binary(a, b, …) of rows."""
    for algorithm in ALGORITHMS:
        for output in _OUTPUTS:
            context.register_udf(hash_column(algorithm, output=output, threads=threads))
            context.register_udf(hash_rows(algorithm, output=output, threads=threads))


_OUTPUTS: tuple[_Literal["hex"], _Literal["binary"]] = ("hex", "binary")


def _name(prefix: str, algorithm: str, key: bytes | None, output: str) -> str:
    keyed = "" if key is None else "hmac_"
    return f"{prefix}_{keyed}{algorithm}" + ("_binary" if output == "binary" else "")


__all__ = ["ALGORITHMS", "hash_column", "hash_rows", "register"]
