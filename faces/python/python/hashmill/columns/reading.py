"""Reading: the schema, the number of rows and the record batches of a file. pyarrow reads all
formats, from disks and from object stores."""

from __future__ import annotations

import concurrent.futures
import contextlib
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .errors import UsageError, sentence
from .formats import Format, format_of
from .places import is_url, reader

# The largest numbers of rows and of bytes in a batch.
_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20


def parquet_metadata(place: str) -> Any:
    from pyarrow import parquet

    with reader(place) as file:
        return parquet.ParquetFile(file).metadata


#: Which empty fields of a CSV file are null, by the name of the choice: whether an empty field is, and
#: whether one in quotation marks (""), too. A value of another type than text cannot be empty.
CSV_NULLS = {"unquoted": (True, False), "all": (True, True), "none": (False, False)}


@dataclass(frozen=True)
class TextOptions:
    """How a text file is read."""

    delimiter: str | None = None
    #: A key of CSV_NULLS.
    null: str = "unquoted"


def read(
    place: str, groups: tuple[int, ...] | None, options: TextOptions, types: tuple[tuple[str, str], ...], threads: int,
    partitions: tuple[tuple[str, str | None], ...] = (),
) -> tuple[Any, int | None, Iterator[Any]]:  # fmt: skip
    """Returns the schema of a file, its number of rows (None if unknown), and its record batches:
    those of these row groups, or all. The columns of a batch are decoded on all cores unless
    `threads` is 1. Behind the columns of the file are those that its directories state."""
    kind = format_of(place)
    stated = [name for name, _ in partitions]
    if kind is not None and kind.name in ("csv", "tsv"):
        opened = _text(place, kind, options, {name: type_ for name, type_ in types if name not in stated})
    elif any(name not in stated for name, _ in types):
        raise ValueError("--type is for CSV and TSV and for the columns that directories state; this file has types")
    elif kind is None or kind.name == "parquet":
        opened = _parquet(place, groups, threads)
    else:
        opened = _arrow(place)
    return _with_stated(opened, types, partitions)


def _with_stated(
    opened: tuple[Any, int | None, Iterator[Any]], types: tuple[tuple[str, str], ...],
    partitions: tuple[tuple[str, str | None], ...],
) -> tuple[Any, int | None, Iterator[Any]]:  # fmt: skip
    """Appends the columns that directories state to the schema and to each batch."""
    schema, rows, batches = opened
    for name, value in partitions:
        schema = schema.append(_field(name, constant(name, value, types, 0).type))

    def longer() -> Iterator[Any]:
        for batch in batches:
            for name, value in partitions:
                values = constant(name, value, types, batch.num_rows)
                batch = batch.append_column(_field(name, values.type), values)
            yield batch

    return schema, rows, longer() if partitions else batches


def _field(name: str, kind: Any) -> Any:
    import pyarrow

    return pyarrow.field(name, kind)


def constant(name: str, value: str | None, types: tuple[tuple[str, str], ...], count: int) -> Any:
    """Returns a column with one value, of the type that `types` has for the name."""
    import pyarrow

    kind = _type(dict(types).get(name, "text"))
    try:
        return pyarrow.repeat(pyarrow.scalar(value, pyarrow.string()).cast(kind), count)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"the directory {name}={value}: {sentence(error)}") from error


#: The types that --type knows.
TYPES = "text, bool, int, decimal(P,S), date, time, timestamp, timestamptz"


def types_of(given: list[str]) -> tuple[tuple[str, str], ...]:
    """Returns the columns and their types that --type names."""
    types = {}
    for text in given:
        column, _, kind = text.rpartition("=")
        if not column or column in types or _type(kind) is None:
            raise UsageError(f"--type {text}: it is written COLUMN=TYPE, once for a column, with one of the types {TYPES}")
        types[column] = kind
    return tuple(types.items())


def _type(name: str) -> Any:
    """Returns the pyarrow type of this name, or None if there is none."""
    import pyarrow

    decimal = re.fullmatch(r"decimal\((\d{1,2}),(\d{1,2})\)", name)
    if decimal and 0 <= int(decimal[2]) <= int(decimal[1]) <= 38 and int(decimal[1]) > 0:
        return pyarrow.decimal128(int(decimal[1]), int(decimal[2]))
    return {
        "text": pyarrow.string(), "bool": pyarrow.bool_(), "int": pyarrow.int64(), "date": pyarrow.date32(),
        "time": pyarrow.time64("us"), "timestamp": pyarrow.timestamp("us"), "timestamptz": pyarrow.timestamp("us", "UTC"),
    }.get(name)  # fmt: skip


def delimiter_of(kind: Format, delimiter: str | None) -> str:
    return delimiter if delimiter is not None else "\t" if kind.name == "tsv" else ","


def _parquet(place: str, groups: tuple[int, ...] | None, threads: int) -> tuple[Any, int | None, Iterator[Any]]:
    import pyarrow.parquet

    source = reader(place)
    try:
        file = pyarrow.parquet.ParquetFile(source, pre_buffer=False, buffer_size=8 << 20 if is_url(place) else 1 << 20)
    except BaseException:
        source.close()
        raise
    metadata = file.metadata
    chosen = list(range(metadata.num_row_groups) if groups is None else groups)
    rows = sum(metadata.row_group(i).num_rows for i in chosen)
    size = sum(int(metadata.row_group(i).total_byte_size) for i in range(metadata.num_row_groups))
    # The number of rows that have about _BATCH_BYTES bytes.
    count = max(64, min(_BATCH_ROWS, _BATCH_BYTES * max(int(metadata.num_rows), 1) // max(size, 1)))
    batches = file.iter_batches(count, row_groups=chosen, use_threads=threads != 1)
    return file.schema_arrow, rows, _closing(batches, source)


def _arrow(place: str) -> tuple[Any, int | None, Iterator[Any]]:
    import pyarrow

    source = reader(place)
    try:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        opened = pyarrow.ipc.open_file(source) if is_file else pyarrow.ipc.open_stream(source)
    except BaseException:
        source.close()
        raise
    batches = (opened.get_batch(i) for i in range(opened.num_record_batches)) if is_file else iter(opened)

    def checked() -> Iterator[Any]:
        for batch in batches:
            # pyarrow does not check what it reads, and a damaged file would crash what uses it.
            batch.validate(full=True)
            yield batch

    return opened.schema, None, _closing(checked(), source)


def _text(place: str, kind: Format, options: TextOptions, types: dict[str, str]) -> tuple[Any, int | None, Iterator[Any]]:
    """Reads CSV and TSV. Columns without a given type are text, so that numbers keep leading
    zeros."""
    import pyarrow.csv

    delimiter = delimiter_of(kind, options.delimiter)
    empty, quoted = CSV_NULLS[options.null]
    with _opened(place, kind) as file:
        text = io.TextIOWrapper(io.BufferedReader(file), encoding="utf-8-sig", newline="")
        names = next(csv.reader(text, delimiter=delimiter), None)
        text.detach()
    if not names:
        raise ValueError("there is no header line")
    # Two columns may have one name, so pyarrow reads them by number.
    numbers = [str(i) for i in range(len(names))]
    how = {
        "read_options": pyarrow.csv.ReadOptions(column_names=numbers, skip_rows_after_names=1),
        # An empty line of a file with one column is a row whose field is empty.
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(names) > 1
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            column_types={number: _type(types.get(name, "text")) for number, name in zip(numbers, names, strict=True)},
            null_values=[""],
            strings_can_be_null=empty,
            quoted_strings_can_be_null=quoted,
        ),
    }
    schema = pyarrow.schema([(name, _type(types.get(name, "text"))) for name in names])
    source = _opened(place, kind)
    try:
        with _hint_at_null():
            opened = pyarrow.csv.open_csv(source, **how)
    except BaseException:
        source.close()
        raise

    def batches() -> Iterator[Any]:
        with _hint_at_null():
            for batch in opened:
                yield pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema)

    return schema, None, _closing(batches(), source)


@contextlib.contextmanager
def _hint_at_null() -> Iterator[None]:
    """Adds to an error about "" in a column that is not of text what reads it as null."""
    import pyarrow

    try:
        yield
    except pyarrow.ArrowInvalid as error:
        if str(error).endswith("invalid value ''"):
            raise ValueError(f'{error}; --csv-null all reads "" as null') from error
        raise


def _opened(place: str, kind: Format) -> Any:
    import pyarrow

    file = reader(place)
    return file if kind.compression is None else pyarrow.CompressedInputStream(file, kind.compression)


def _closing(batches: Iterator[Any], source: Any) -> Iterator[Any]:
    with source:
        yield from batches


def ahead(batches: Iterator[Any]) -> Iterator[Any]:
    """Yields the batches, and reads each while the one before it is used."""
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        pending = thread.submit(next, batches, None)
        while (batch := pending.result()) is not None:
            pending = thread.submit(next, batches, None)
            yield batch
