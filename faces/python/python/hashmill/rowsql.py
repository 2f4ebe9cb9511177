"""Prints the SQL that computes the hashes of rows in a database or warehouse.

    python -m hashmill rowsql people.parquet --rows id,name,born=sha256 --dialect duckdb

prints an SQL expression. It is the digest, in hexadecimal, that

    python -m hashmill columns people.parquet --rows id,name,born=sha256 --rows-profile text -o out/

writes into the column row_sha256. The types of the columns are those of the file; the columns of the
database must have the corresponding types. With --hmac-rows the SQL contains $key, the key as a
binary value.

DuckDB's, PostgreSQL's and Spark's expressions are tested against hashmill; those for Trino,
Snowflake and BigQuery follow their documentation and were not run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .arrow import NULL, SEPARATOR

#: The extra of the package that installs the libraries.
EXTRA = "columns"

_SHA2 = {"sha224": 224, "sha256": 256, "sha384": 384, "sha512": 512}


@dataclass(frozen=True)
class _Dialect:
    """The SQL of a database. {} stands for a column in `casts`, and for a text in `hashes`."""

    #: The expressions for the kinds of values; {} is cast to the type `text` for other kinds.
    casts: dict[str, str]
    hashes: dict[str, str]
    #: The expressions for HMAC, with $key.
    hmacs: dict[str, str] = field(default_factory=dict)
    text: str = "varchar"
    quote: str = '"'
    #: Whether a backslash begins an escape sequence in a string.
    backslashes: bool = False
    #: The kinds that the database does not have.
    without: tuple[str, ...] = ()


def _each(names: Iterable[str], expression: Callable[[str], str]) -> dict[str, str]:
    return {name: expression(name) for name in names}


_TRIMMED = "rtrim(rtrim(cast({} as varchar), '0'), '.')"

DIALECTS = {
    "duckdb": _Dialect(
        {
            "decimal": _TRIMMED,
            "timestamp": "strftime({}, '%Y-%m-%d %H:%M:%S.%f')",
            # AT TIME ZONE needs an extension.
            "timestamptz": "strftime(make_timestamp(epoch_us({})), '%Y-%m-%d %H:%M:%S.%f')",
            "time": "strftime(date '1970-01-01' + {}, '%H:%M:%S.%f')",
            "date": "strftime({}, '%Y-%m-%d')",
            "binary": "lower(hex({}))",
        },
        {"sha256": "sha256({})"},
    ),
    "postgres": _Dialect(
        {
            "decimal": "cast(trim_scale({}) as text)",
            "timestamp": "to_char({}, 'YYYY-MM-DD HH24:MI:SS.US')",
            "timestamptz": "to_char({} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
            "time": "to_char({}, 'HH24:MI:SS.US')",
            "date": "to_char({}, 'YYYY-MM-DD')",
            "binary": "encode({}, 'hex')",
        },
        _each(_SHA2, lambda name: f"encode({name}(convert_to({{}}, 'UTF8')), 'hex')"),
        # The extension pgcrypto has hmac().
        _each(_SHA2, lambda name: f"encode(hmac(convert_to({{}}, 'UTF8'), $key, '{name}'), 'hex')"),
        text="text",
    ),
    "spark": _Dialect(
        {
            "decimal": "trim(trailing '.' from trim(trailing '0' from cast({} as string)))",
            "timestamp": "date_format({}, 'yyyy-MM-dd HH:mm:ss.SSSSSS')",
            "timestamptz": "date_format(to_utc_timestamp({}, current_timezone()), 'yyyy-MM-dd HH:mm:ss.SSSSSS')",
            "date": "date_format({}, 'yyyy-MM-dd')",
            "binary": "lower(hex({}))",
        },
        {name: f"sha2({{}}, {bits})" for name, bits in _SHA2.items()},
        text="string", quote="`", backslashes=True, without=("time",),
    ),
    "trino": _Dialect(
        {
            "decimal": r"regexp_replace(cast({} as varchar), '\.?0+$', '')",
            "timestamp": "date_format({}, '%Y-%m-%d %H:%i:%s.%f')",
            "timestamptz": "date_format({} at time zone 'UTC', '%Y-%m-%d %H:%i:%s.%f')",
            "time": "cast(cast({} as time(6)) as varchar)",
            "binary": "lower(to_hex({}))",
        },
        _each(("sha256", "sha512"), lambda name: f"lower(to_hex({name}(to_utf8({{}}))))"),
        _each(("sha256", "sha512"), lambda name: f"lower(to_hex(hmac_{name}(to_utf8({{}}), $key)))"),
    ),
    "snowflake": _Dialect(
        {
            "decimal": _TRIMMED,
            "timestamp": "to_char({}, 'YYYY-MM-DD HH24:MI:SS.FF6')",
            "timestamptz": "to_char(convert_timezone('UTC', {}), 'YYYY-MM-DD HH24:MI:SS.FF6')",
            "time": "to_char({}, 'HH24:MI:SS.FF6')",
            "date": "to_char({}, 'YYYY-MM-DD')",
            "binary": "lower(hex_encode({}))",
        },
        {name: f"sha2({{}}, {bits})" for name, bits in _SHA2.items()},
        backslashes=True,
    ),
    "bigquery": _Dialect(
        {
            # A cast of NUMERIC writes no zeros at the end of a fraction.
            "timestamp": "format_datetime('%Y-%m-%d %H:%M:%E6S', {})",
            "timestamptz": "format_timestamp('%Y-%m-%d %H:%M:%E6S', {}, 'UTC')",
            "time": "format_time('%H:%M:%E6S', {})",
            "date": "format_date('%Y-%m-%d', {})",
            "binary": "to_hex({})",
        },
        _each(("sha256", "sha512"), lambda name: f"to_hex({name}({{}}))"),
        text="string", quote="`", backslashes=True,
    ),
}  # fmt: skip


def row_hash(
    schema: Any,
    columns: Iterable[str],
    algorithm: str = "sha256",
    dialect: str = "duckdb",
    *,
    keyed: bool = False,
    separator: str = SEPARATOR,
    null: str = NULL,
) -> str:
    """Returns the SQL expression that computes what hashmill.arrow.hash_rows computes with
    profile="text" and output="hex".

    schema: the pyarrow schema of the table. dialect: one of DIALECTS. keyed: HMAC, with $key in the
    expression. The other arguments are those of hash_rows.

    Raises ValueError for what the database cannot compute.

    >>> import pyarrow
    >>> schema = pyarrow.schema([("id", "int64"), ("paid", pyarrow.decimal128(10, 2))])
    >>> print(row_hash(schema, ["id"], null=""))
    sha256(coalesce(cast("id" as varchar), ''))
    """
    if dialect not in DIALECTS:
        raise ValueError(f"the dialect is one of {', '.join(DIALECTS)}, not {dialect!r}")
    sql = DIALECTS[dialect]
    known = sql.hmacs if keyed else sql.hashes
    if algorithm not in known:
        function = f"HMAC with {algorithm}" if keyed else algorithm
        raise ValueError(f"{dialect} has no {function}; it has: {', '.join(known) or 'none'}")
    parts = []
    for name in columns:
        if schema.names.count(name) != 1:
            raise ValueError(f"there is no column {name!r}, or more than one; there are: {', '.join(schema.names)}")
        kind = _kind(name, schema.field(name).type)
        if kind in sql.without:
            raise ValueError(f"{dialect} has no type for the column {name!r}")
        quoted = sql.quote + name.replace(sql.quote, sql.quote * 2) + sql.quote
        text = sql.casts.get(kind, f"cast({{}} as {sql.text})").replace("{}", quoted)
        parts.append(f"coalesce({text}, {_literal(null, sql)})")
    if not parts:
        raise ValueError("a row has at least one column")
    return known[algorithm].replace("{}", f" || {_literal(separator, sql)} || ".join(parts))


def _literal(text: str, sql: _Dialect) -> str:
    if sql.backslashes:
        text = text.replace("\\", "\\\\")
        return "'" + text.replace("'", "\\'") + "'"
    return "'" + text.replace("'", "''") + "'"


def _kind(name: str, type: Any) -> str:
    """Returns the kind of a type for `casts`."""
    from pyarrow import types

    if types.is_dictionary(type):
        return _kind(name, type.value_type)
    if types.is_decimal(type):
        return "decimal" if type.scale > 0 else "other"
    if types.is_timestamp(type):
        return "timestamp" if type.tz is None else "timestamptz"
    for kind, tests in (
        ("date", (types.is_date,)),
        ("time", (types.is_time,)),
        ("binary", (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)),
        ("other", (types.is_string, types.is_large_string, types.is_string_view, types.is_integer, types.is_boolean)),
    ):
        if any(test(type) for test in tests):
            return kind
    raise ValueError(f"rows as text have no columns of {type}, as {name!r} is: choose others, or cast it")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of python -m hashmill rowsql."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a Parquet, Arrow or CSV file, of which only the schema is read")
    rows = parser.add_mutually_exclusive_group(required=True)
    rows.add_argument("--rows", metavar="A,B,…=ALGORITHM", help="the hash of those columns' values as a row")
    rows.add_argument("--hmac-rows", metavar="A,B,…=ALGORITHM", help="the same with HMAC")
    add("--dialect", required=True, choices=DIALECTS)
    add("--separator", default=SEPARATOR, help="what is between the values (default: -)")
    add("--null", default=NULL, help=f"what is in place of null (default: {NULL})")
    add("--type", metavar="COLUMN=TYPE", action="append", default=[], help="the type of a column of a CSV file")


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command and returns the exit status: 0, or 2 if there is no such SQL."""
    from .columns.errors import UsageError, sentence
    from .columns.reading import read, types_of

    names, _, algorithm = (arguments.rows or arguments.hmac_rows).rpartition("=")
    try:
        schema, _, _ = read(arguments.file, None, None, types_of(arguments.type), 1)
        print(row_hash(schema, names.split(","), algorithm, arguments.dialect, keyed=arguments.rows is None,
                       separator=arguments.separator, null=arguments.null))  # fmt: skip
    except (UsageError, OSError, ValueError) as error:
        print(f"hashmill rowsql: {sentence(error)}", file=sys.stderr)
        return 2
    return 0
