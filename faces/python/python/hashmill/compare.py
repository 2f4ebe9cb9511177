"""Counts the values that two columns of digests have in common: how many people are in both files?

    python -m hashmill compare 2025/people.parquet 2026/people.parquet --on email

prints the numbers of distinct values that are only in the first file, only in the second, and in
both. The files are Parquet files that python -m hashmill columns wrote. Digests of two functions, or
under two keys, have no value in common even if the people are the same, so such files are refused.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .columns.errors import UsageError, sentence
from .columns.places import reader
from .columns.steps import described

#: The extra of the package that installs the libraries.
EXTRA = "columns"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of python -m hashmill compare."""
    parser.add_argument("files", nargs=2, metavar="FILE", help="paths or URLs of Parquet files")
    parser.add_argument("--on", required=True, metavar="COLUMN[=OTHER]", help="the column, and its name in the second file")


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command and returns the exit status: 0, or 2 if the columns cannot be
    compared."""
    first, _, second = arguments.on.partition("=")
    try:
        a, b = map(_column, arguments.files, (first, second or first))
        _check(arguments.files, a[1], b[1])
    except (UsageError, OSError, ValueError) as error:
        print(f"hashmill compare: {sentence(error)}", file=sys.stderr)
        return 2
    import pyarrow.compute

    common = pyarrow.compute.sum(pyarrow.compute.is_in(a[0], value_set=b[0])).as_py() or 0
    print(f"first {len(a[0]) - common}\nsecond {len(b[0]) - common}\nboth {common}")
    return 0


def _column(place: str, name: str) -> tuple[Any, dict[str, Any]]:
    """Returns the distinct values of a column without null, and the description of its digests."""
    import pyarrow.compute
    import pyarrow.parquet

    with reader(place) as source:
        file = pyarrow.parquet.ParquetFile(source)
        description = described(file.schema_arrow.metadata).get(name)
        if file.schema_arrow.names.count(name) != 1:
            raise UsageError(f"{place}: there is no column {name!r}, or more than one")
        if description is None:
            raise UsageError(f"{place}: {name!r} is no column of digests that hashmill columns wrote")
        values = pyarrow.compute.unique(file.read([name]).column(0))
    return values.drop_null(), description


def _check(files: list[str], a: dict[str, Any], b: dict[str, Any]) -> None:
    """Raises UsageError if the same value has different digests in the two columns."""
    for part, what in (("key_id", "keys"), ("keyed", "functions"), ("algorithm", "functions"), ("length", "lengths"),
                       ("output", "outputs")):  # fmt: skip
        if a.get(part) != b.get(part):
            here, there = (_shown(it.get(part)) for it in (a, b))
            raise UsageError(f"{files[0]} and {files[1]} have different {what} ({part}: {here} and {there}), so no digest is in both")
    if a["keyed"] and "key_id" not in a:
        print("hashmill compare: warning: the files do not name their keys, which may differ", file=sys.stderr)


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)
