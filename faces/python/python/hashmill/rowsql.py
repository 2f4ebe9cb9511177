"""Prints the SQL that computes the hashes of rows in a database or warehouse.

    python -m hashmill rowsql people.parquet --rows id,name,born=sha256 --dialect duckdb

prints an SQL expression. It is the digest, in hexadecimal, that

    python -m hashmill columns people.parquet --rows id,name,born=sha256 --rows-profile text -o out/

writes into the column row_sha256. The types of the columns are those of the file; the columns of the
database must have the corresponding types. With --hmac-rows the SQL contains $key, the key as a
binary value.

Lists, structs and maps are columns of the database's own types for these. An error names those that
it does not have.

DuckDB's, PostgreSQL's and Spark's expressions are tested against hashmill; those for Trino,
Snowflake and BigQuery follow their documentation and were not run.
"""

from __future__ import annotations

import argparse
import re
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
    #: Lists and maps as text, without the brackets: {} stands for the column, {each} for the text of
    #: an element or entry, which `element` and `entry` take from {}, the column, and {it}, a name.
    list: str = ""
    map: str = ""
    element: str = "{it}"
    entry: tuple[str, str] = ("{it}.key", "{it}.value")
    #: The field of a struct; {name} is the quoted name.
    member: str = "({}).{name}"


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
        list="array_to_string(list_transform({}, lambda {it}: {each}), ',')",
        map="array_to_string(list_sort(list_transform(map_entries({}), lambda {it}: {each})), ',')",
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
        list="(select string_agg({each}, ',' order by {it}) from generate_subscripts({}, 1) as {it})",
        element="({})[{it}]",
        # A map is a column of the extension hstore.
        map="(select string_agg({each}, ',' order by {each} collate \"C\") from each({}) as {it})",
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
        list="array_join(transform({}, {it} -> {each}), ',')",
        map="array_join(array_sort(transform(map_entries({}), {it} -> {each})), ',')",
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
        list="array_join(transform({}, {it} -> {each}), ',')",
        map="array_join(array_sort(transform(map_entries({}), {it} -> {each})), ',')",
        entry=("{it}[1]", "{it}[2]"),
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
        # Columns of structured types: ARRAY(T), OBJECT(NAME T) and MAP(K, V).
        list="array_to_string(transform({}, {it} -> {each}), ',')",
        map="array_to_string(array_sort(transform(map_entries({}), {it} -> {each})), ',')",
        entry=("{it}:key", "{it}:value"),
        member="({}):{name}",
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
        text="string", quote="`", backslashes=True, without=("map",),
        list="(select string_agg({each}, ',' order by {it}_at) from unnest({}) as {it} with offset as {it}_at)",
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
        text = _Column(name, sql, dialect).text(schema.field(name).type, _quoted(name, sql))
        parts.append(f"coalesce({text}, {_literal(null, sql)})")
    if not parts:
        raise ValueError("a row has at least one column")
    return known[algorithm].replace("{}", f" || {_literal(separator, sql)} || ".join(parts))


@dataclass(frozen=True)
class _Column:
    """Writes the SQL for the text of a column. A text is null if the value is null."""

    name: str
    sql: _Dialect
    dialect: str

    def text(self, type: Any, value: str, depth: int = 0) -> str:
        kind = _kind(self.name, type)
        if kind in self.sql.without:
            raise ValueError(f"{self.dialect} has no type for the column {self.name!r}: {kind}")
        if kind in _NESTED:
            write = {"list": self.list, "map": self.map, "struct": self.struct}[kind]
            return write(_plain(type), value, depth + 1)
        return _fill(self.sql.casts.get(kind, f"cast({{}} as {self.sql.text})"), value)

    def list(self, type: Any, value: str, depth: int) -> str:
        item = _plain(type.value_type)
        if self.dialect in ("postgres", "bigquery") and _kind(self.name, item) == "list":
            raise ValueError(f"{self.dialect} has no lists of lists, as in the column {self.name!r}")
        it = f"hm_{depth}"
        each = self.within(item, _fill(self.sql.element, value, it=it), depth)
        return self.brackets("[]", value, _fill(self.sql.list, value, it=it, each=each))

    def map(self, type: Any, value: str, depth: int) -> str:
        kinds = {_kind(self.name, it) for it in (type.key_type, type.item_type)}
        if self.dialect == "postgres" and kinds != {"text"}:
            raise ValueError(f"postgres has only maps of texts to texts (hstore), as the column {self.name!r} is not")
        it = f"hm_{depth}"
        key, item = (_fill(part, value, it=it) for part in self.sql.entry)
        each = f"{self.string(type.key_type, key, depth)} || ':' || {self.within(type.item_type, item, depth)}"
        return self.brackets("{}", value, _fill(self.sql.map, value, it=it, each=each))

    def struct(self, type: Any, value: str, depth: int) -> str:
        fields = sorted((type.field(number) for number in range(type.num_fields)), key=lambda it: _key(it.name).encode())
        if len({it.name for it in fields}) < len(fields):
            raise ValueError(f"column {self.name!r} has two fields of one name")
        entries = []
        for it in fields:
            member = _fill(self.sql.member, value, name=_quoted(it.name, self.sql))
            key = _literal(_key(it.name) + ":", self.sql)
            entries.append(f"{key} || {self.within(it.type, member, depth)}")
        return self.brackets("{}", value, " || ',' || ".join(entries) or "''")

    def brackets(self, pair: str, value: str, inner: str) -> str:
        # PostgreSQL says that a composite value is null if its fields are.
        missing = f"{value} is not distinct from null" if self.dialect == "postgres" else f"{value} is null"
        return f"case when {missing} then null else '{pair[0]}' || coalesce({inner}, '') || '{pair[1]}' end"

    def within(self, type: Any, value: str, depth: int) -> str:
        """The text of an element of a list or of a value in a map or struct."""
        bare = _kind(self.name, type) in ("number", "bool", "decimal", *_NESTED)
        return f"coalesce({self.text(type, value, depth) if bare else self.string(type, value, depth)}, 'null')"

    def string(self, type: Any, value: str, depth: int) -> str:
        text, backslash, quote = self.text(type, value, depth), _literal("\\", self.sql), _literal('"', self.sql)
        if _kind(self.name, type) in ("text", *_NESTED):
            text = f"replace({text}, {backslash}, {_literal(chr(92) * 2, self.sql)})"
            text = f"replace({text}, {quote}, {_literal(chr(92) + chr(34), self.sql)})"
        return f"{quote} || {text} || {quote}"


def _fill(template: str, value: str, **parts: str) -> str:
    return re.sub(r"\{(\w*)\}", lambda found: parts[found[1]] if found[1] else value, template)


def _key(name: str) -> str:
    """Returns the name of a struct's field as a key of JSON."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _quoted(name: str, sql: _Dialect) -> str:
    return sql.quote + name.replace(sql.quote, sql.quote * 2) + sql.quote


def _literal(text: str, sql: _Dialect) -> str:
    if sql.backslashes:
        text = text.replace("\\", "\\\\")
        return "'" + text.replace("'", "\\'") + "'"
    return "'" + text.replace("'", "''") + "'"


#: The kinds that contain values of other types.
_NESTED = ("list", "map", "struct")


def _plain(type: Any) -> Any:
    """Returns the type of the values of a dictionary, or the type itself."""
    from pyarrow import types

    return type.value_type if types.is_dictionary(type) else type


def _kind(name: str, type: Any) -> str:
    """Returns the kind of a type for `casts`."""
    from pyarrow import types

    type = _plain(type)
    if types.is_decimal(type):
        return "decimal" if type.scale > 0 else "number"
    if types.is_timestamp(type):
        return "timestamp" if type.tz is None else "timestamptz"
    for kind, tests in (
        ("date", (types.is_date,)),
        ("time", (types.is_time,)),
        ("binary", (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)),
        ("text", (types.is_string, types.is_large_string, types.is_string_view)),
        ("number", (types.is_integer,)),
        ("bool", (types.is_boolean,)),
        ("list", (types.is_list, types.is_large_list, types.is_fixed_size_list)),
        ("struct", (types.is_struct,)),
        ("map", (types.is_map,)),
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
    from .columns.reading import TextOptions, read, types_of

    names, _, algorithm = (arguments.rows or arguments.hmac_rows).rpartition("=")
    try:
        schema, _, _ = read(arguments.file, None, TextOptions(), types_of(arguments.type), 1)
        print(row_hash(schema, names.split(","), algorithm, arguments.dialect, keyed=arguments.rows is None,
                       separator=arguments.separator, null=arguments.null))  # fmt: skip
    except (UsageError, OSError, ValueError) as error:
        print(f"hashmill rowsql: {sentence(error)}", file=sys.stderr)
        return 2
    return 0
