"""Hashes the values of columns: objects with Arrow's PyCapsule interface and numpy arrays.

Columns of pyarrow, polars, pandas, DuckDB, arro3, nanoarrow … are hashed in place, many values at
once in the lanes of a XX
>>> import pyarrow
>>> from hashmill import arrow
>>> emails = pyarrow.array(["ada@example.org", None, "bob@example.org"])
>>> hashed = pyarrow.array(arrow.sha256(emails, output="hex"))
>>> hashed[0].as_py()[:16], hashed[1].as_py()
('cfe00dde46ef9426', None)

Make pseudonyms with a secret key. Without a key, anybody can guess a value and check the guess.

>>> pseudonyms = arrow.sha256(emails, key=b"32 secret bytes of a random key.")
>>> pseudonyms.type, len(pseudonyms), pseudonyms.null_count
('fixed_size_binary[32]', 3, 1)

hash_rows hashes each row of a table as a CBOR array.

hash_column takes the name of an algorithm. Each of hashmill.algorithms_own, kt128, kt256, kmac128
and kmac256 also has a function of its name.
"""

from __future__ import annotations

import sys as _sys
from collections.abc import Iterable as _Iterable
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal
from typing import Protocol as _Protocol

from ._hashmill import Array
from ._hashmill import _encode_rows as _encode
from ._hashmill import _hash_column as _column
from ._hashmill import _hash_rows as _rows

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import BatchName as _BatchName


#: What is between the values of a row, and in place of null, in the profile "text": those of dbt's
#: generate_surrogate_key.
SEPARATOR, NULL = "-", "_dbt_utils_surrogate_key_null_"


def hash_column(
    array: object,
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["binary", "hex"] = "binary",
    nulls: _Literal["keep", "error"] = "keep",
    length: int | None = None,
    threads: int = 1,
) -> Array:
    """Returns an Array with the digest of every value of a column.

    array: a column of type string, large_string, string_view, binary, large_binary, binary_view or
    fixed_size_binary, or a dictionary of one of them, chunked or not, with nulls or without; a
    table with one such column; or a contiguous numpy array of type S or V, or of uint8 with two
    dimensions. Of text, the UTF-8 bytes are hashed.

    key: the key of HMAC with the algorithm, of blake3 (32 bytes), or of kmac128 and kmac256, which
    require one. output: "binary" returns fixed_size_binary, "hex" returns string (large_string from
    2 GiB on). nulls: with "keep" the digest of null is null, with "error" a null raises ValueError.
    length: the length of the digests in bytes, for an extendable-output function. threads: the
    number of threads; 0 means one for each core.

    In pandas, frame.assign(p=hash_column(frame["email"])) is right in any order of the rows. Do not make
    a pandas.Series of the result, which has an index of its own: use hashmill.pandas.hash_column.

    Raises TypeError for a column of another type and ValueError for values, names and lengths that
    are not allowed.

    >>> import pyarrow
    >>> hash_column(pyarrow.array(["abc"]), "sha3_256", output="hex")[0][:16]
    '3a985da74fe225b2'
    """
    return _column(
        _checked(array), algorithm, key=key, output=output, nulls=nulls, length=length, threads=threads
    )


def hash_rows(
    table: object,
    columns: _Iterable[str] | None = None,
    algorithm: _BatchName = "sha256",
    *,
    key: _Buffer | None = None,
    output: _Literal["binary", "hex"] = "binary",
    length: int | None = None,
    threads: int = 1,
    profile: _Literal["cbor", "text"] = "cbor",
    separator: str = SEPARATOR,
    null: str = NULL,
) -> Array:
    """Returns an Array with the digest of every row of a table.

    A row consists of the values in the named columns, in the order of the names; without names, in
    all columns. It is encoded as a CBOR array in the deterministic encoding of RFC 8949, §4.2.1,
    and the encoding is hashed. So ("ab", "c") and ("a", "bc") have different digests, and so have
    null, "" and 0. The same value has one digest as int32 and int64, and as string and
    large_string. Any CBOR library that encodes deterministically writes the same bytes:

        null                    null
        bool                    false, true
        int*, uint*             an integer, in the shortest form
        float16, 32, 64         the shortest float with the same value; all NaN are f97e00; 0.0 and -0.0 differ
        string …                a text string
        binary …                a byte string
        dictionary              as the value that the index refers to
        date32, date64          tag 100 (RFC 8943): days since 1970-01-01
        timestamp               tag 1001 (RFC 9581): {1: seconds since 1970-01-01T00:00 (UTC if it has a zone),
                                -9: nanoseconds}, both always present
        time32, time64,
        duration                tag 1002 (RFC 9581): {1: seconds, -9: nanoseconds}, both always present
        decimal*                tag 4: [-scale, unscaled integer]; the integer with tag 2 or 3 beyond 64 bits
        list, large_list, …     an array
        struct, map             a map, the keys in the order of their encoded bytes; a struct's keys are its fields' names

    Raises TypeError for unions, intervals, views of lists and run-end encoded columns, and ValueError
    for a map with a key twice. The columns' names are not hashed. encode_rows(table,
    columns) returns the encoded rows as a list of bytes.

    With profile="text" a row is encoded as SQL engines can encode it, too: as the text of each
    value, with `separator` between the values and `null` in place of null. It is the form of dbt's
    generate_surrogate_key. hashmill.rowsql.row_hash returns the SQL that computes the same digests.

        text                    itself
        bool                    false, true
        int*, uint*             decimal digits
        decimal*                decimal digits, without zeros at the end of the fraction: 1.5, 2
        date32, date64          2024-02-29
        timestamp               2024-02-29 12:00:00.000000, in UTC if it has a zone
        time32, time64          12:00:00.000000
        binary …                lower-case hexadecimal digits
        list, large_list, …     [1,2,null], ["a","b"]
        struct, map             {"a":1,"b":["x"]}, the keys in the order of their encoded bytes

    Lists, structs and maps are JSON without spaces. Their integers, decimals and booleans are
    written as above, nulls as null, and all other values and keys as strings, with a backslash
    before each quotation mark and each backslash and no other escapes.

    Two rows can have one text, because a value may contain the separator. Floats are a TypeError,
    because engines write them in different ways.

    table: an object with Arrow's PyCapsule interface for tables: from pyarrow, polars or pandas (without
    its index), a DuckDB relation … The other arguments are those of hash_column.

    >>> import pyarrow
    >>> table = pyarrow.table({"name": ["Ada", "Bob"], "born": [1815, None]})
    >>> encode_rows(table)[0].hex(" ")
    '82 63 41 64 61 19 07 17'
    >>> import hashlib
    >>> hash_rows(table)[0] == hashlib.sha256(encode_rows(table)[0]).digest()
    True
    """
    names, text = None if columns is None else list(columns), _text(profile, separator, null)
    return _rows(
        _checked(table), names, algorithm, text, key=key, output=output, length=length, threads=threads
    )


def encode_rows(
    table: object,
    columns: _Iterable[str] | None = None,
    *,
    profile: _Literal["cbor", "text"] = "cbor",
    separator: str = SEPARATOR,
    null: str = NULL,
) -> list[bytes]:
    """Returns the rows of a table as a list of bytes, encoded as hash_rows encodes them."""
    names = None if columns is None else list(columns)
    return _encode(_checked(table), names, _text(profile, separator, null))


def _text(profile: str, separator: str, null: str) -> tuple[str, str] | None:
    if profile not in ("cbor", "text"):
        raise ValueError(f'profile is "cbor" or "text", not {profile!r}')
    return (separator, null) if profile == "text" else None


def _checked(data: _Any) -> _Any:
    """Asks pyarrow to check its own data, which it may have read from a damaged file: pyarrow knows
    the lengths of buffers, which Arrow's C data interface does not pass. This takes the same time
    for any number of rows; all other checks follow when the values are hashed.

    pyarrow also converts what is of pandas. A frame would pass its index as one more column, unless
    the index counts from 0, so a row would have another digest after the frame was sorted."""
    pandas = _sys.modules.get("pandas")
    if pandas is not None:
        if isinstance(data, pandas.DataFrame):
            import pyarrow

            return pyarrow.Table.from_pandas(data, preserve_index=False)
        if isinstance(data, (pandas.Series, pandas.Index)):
            import pyarrow

            return pyarrow.array(data, from_pandas=True)
    if type(data).__module__ != "pyarrow.lib":
        return data
    if hasattr(data, "validate"):
        data.validate()
    elif hasattr(data, "read_next_batch"):
        return data.from_batches(data.schema, map(_checked, data))
    return data


class _Function(_Protocol):
    """The type of a function that hashes a column with one algorithm."""

    __name__: str

    def __call__(
        self,
        array: object,
        *,
        key: _Buffer | None = None,
        output: _Literal["binary", "hex"] = "binary",
        nulls: _Literal["keep", "error"] = "keep",
        length: int | None = None,
        threads: int = 1,
    ) -> Array: ...


def _named(name: str) -> _Function:
    def function(
        array: object,
        *,
        key: _Buffer | None = None,
        output: _Literal["binary", "hex"] = "binary",
        nulls: _Literal["keep", "error"] = "keep",
        length: int | None = None,
        threads: int = 1,
    ) -> Array:
        return _column(_checked(array), name, key=key, output=output, nulls=nulls, length=length, threads=threads)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The digests of a column with {name}: hash_column(array, {name!r}, …)."
    return function


# Generated by `cargo xtask tables --write`: columns in Python.
sha224 = _named("sha224")
sha256 = _named("sha256")
sha384 = _named("sha384")
sha512 = _named("sha512")
sha512_224 = _named("sha512_224")
sha512_256 = _named("sha512_256")
sha3_224 = _named("sha3_224")
sha3_256 = _named("sha3_256")
sha3_384 = _named("sha3_384")
sha3_512 = _named("sha3_512")
blake2b = _named("blake2b")
blake2s = _named("blake2s")
blake2bp = _named("blake2bp")
blake2sp = _named("blake2sp")
keccak256 = _named("keccak256")
sm3 = _named("sm3")
ascon_hash256 = _named("ascon_hash256")
shake_128 = _named("shake_128")
shake_256 = _named("shake_256")
turboshake128 = _named("turboshake128")
turboshake256 = _named("turboshake256")
blake3 = _named("blake3")
ascon_xof128 = _named("ascon_xof128")
# End of the generated lines.
kt128, kt256, kmac128, kmac256 = map(_named, ("kt128", "kt256", "kmac128", "kmac256"))

__all__ = [
    "Array", "encode_rows", "hash_column", "hash_rows",
    "kt128", "kt256", "kmac128", "kmac256",
    # Generated by `cargo xtask tables --write`: names in Python.
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "blake2b",
    "blake2s",
    "blake2bp",
    "blake2sp",
    "keccak256",
    "sm3",
    "ascon_hash256",
    "shake_128",
    "shake_256",
    "turboshake128",
    "turboshake256",
    "blake3",
    "ascon_xof128",
    # End of the generated lines.
]  # fmt: skip
