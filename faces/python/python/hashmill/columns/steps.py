"""The computations of a job, and their results for a batch of rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .keys import Key

#: The key of the schema metadata of an output under which its digests are described.
METADATA = b"hashmill"


@dataclass(frozen=True)
class Step:
    """One computation: the digests of a column, which replace it, or of rows, in a new column."""

    columns: tuple[str, ...]
    algorithm: str
    length: int | None
    keyed: bool
    #: The name of the new column; None if the digests replace the column.
    added: str | None = None

    @property
    def result(self) -> str:
        """The name of the column with the digests."""
        return self.columns[0] if self.added is None else self.added


@dataclass(frozen=True)
class Spec:
    """The computations of a job, and the form of its outputs."""

    steps: tuple[Step, ...]
    #: "hex" or "binary".
    output: str
    #: "parquet", "csv", "tsv" or "arrow"; None for the format of the input.
    format: str | None
    #: The columns that are passed on as they are; None for all that are not in `drop`.
    keep: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    delimiter: str | None = None
    #: The separator and the token for null of rows as text; None for CBOR.
    text: tuple[str, str] | None = None
    #: The types of columns of CSV files and of those that directories state; other columns are text.
    types: tuple[tuple[str, str], ...] = ()
    #: Which empty fields of CSV files are null: a key of reading.CSV_NULLS.
    csv_null: str = "unquoted"

    def clear(self, names: Sequence[str]) -> list[str]:
        """Returns the columns that the outputs contain as they are in the file."""
        replaced = {step.columns[0] for step in self.steps if step.added is None}
        return [
            name
            for name in names
            if name not in replaced and name not in self.drop and (self.keep is None or name in self.keep)
        ]


def check_columns(names: Sequence[str], spec: Spec) -> None:
    """Raises ValueError if a file with these columns does not fit the computations."""
    for step in spec.steps:
        for column in step.columns:
            if (count := names.count(column)) != 1:
                raise ValueError(f"there are {count} columns {column!r}" if count else _none(column, names))
        if step.added is not None and step.added in names:
            raise ValueError(f"there is a column {step.added!r} already; --rows-as names another")
    for column in (*(spec.keep or ()), *spec.drop, *dict(spec.types)):
        if column not in names:
            raise ValueError(_none(column, names))


def _none(column: str, names: Sequence[str]) -> str:
    return f"there is no column {column!r}; there are: {', '.join(names)}"


def digests(values: Any, step: Step, spec: Spec, key: Key | None, threads: int) -> Any:
    """Returns the digests that a step computes from a column or from a batch of rows."""
    import pyarrow

    from .. import arrow

    secret = key.secret if step.keyed and key is not None else None
    algorithm: Any = step.algorithm
    common: dict[str, Any] = {"key": secret, "output": spec.output, "length": step.length, "threads": threads}
    if step.added is None:
        return pyarrow.array(arrow.hash_column(values, algorithm, **common))
    if spec.text is not None:
        common |= {"profile": "text", "separator": spec.text[0], "null": spec.text[1]}
    return pyarrow.array(arrow.hash_rows(values, list(step.columns), algorithm, **common))


def hashed(batch: Any, spec: Spec, key: Key | None, threads: int, stated: int = 0) -> Any:
    """Returns the record batch after all steps. Each step reads the values of the file, not the
    results of other steps. Columns that are passed on keep their types and metadata, and a column
    with digests keeps its metadata and whether it is nullable. The last `stated` columns are those
    that the names of directories state: rows may contain their values, but the output is in such
    directories again and does not have the columns."""
    import pyarrow

    names = batch.schema.names
    own = len(names) - stated
    arrays, fields = list(batch.columns), list(batch.schema)
    passed = set(spec.clear(names))
    for step in spec.steps:
        if step.added is None:
            at = names.index(step.columns[0])
            if at >= own:
                continue
            arrays[at] = digests(batch.column(at), step, spec, key, threads)
            fields[at] = fields[at].with_type(arrays[at].type)
            passed.add(step.columns[0])
        else:
            arrays.append(digests(batch, step, spec, key, threads))
            fields.append(pyarrow.field(step.added, arrays[-1].type, nullable=False))
            passed.add(step.added)
    chosen = [i for i, field in enumerate(fields) if field.name in passed and not own <= i < len(names)]
    if not chosen:
        raise ValueError("the output would have no column but those in the names of its directories")
    schema = pyarrow.schema([fields[i] for i in chosen], metadata=_metadata(batch.schema.metadata, spec, key))
    return pyarrow.RecordBatch.from_arrays([arrays[i] for i in chosen], schema=schema)


def _metadata(given: dict[bytes, bytes] | None, spec: Spec, key: Key | None) -> dict[bytes, bytes]:
    """Adds a description of the digests to the metadata of the input: for each column with digests
    the function and the id of the key, but never the key."""
    metadata = dict(given or {})
    columns = described(metadata)
    for step in spec.steps:
        entry: dict[str, Any] = {"algorithm": step.algorithm, "keyed": step.keyed, "output": spec.output}
        if step.added is not None:
            entry["rows"] = list(step.columns)
            if spec.text is not None:
                entry["text"] = list(spec.text)
        if step.length is not None:
            entry["length"] = step.length
        if step.keyed and key is not None and key.id is not None:
            entry["key_id"] = key.id
        columns[step.result] = entry
    return {**metadata, METADATA: json.dumps(columns).encode()}


def described(metadata: dict[bytes, bytes] | None) -> dict[str, Any]:
    """Returns the description of each column with digests from the metadata of an output."""
    try:
        columns = json.loads((metadata or {}).get(METADATA, b"{}"))
    except ValueError:
        return {}
    return columns if isinstance(columns, dict) else {}
