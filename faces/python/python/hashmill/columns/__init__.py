"""Hashes columns and rows of CSV, Parquet and Arrow files. The result of each file is written to a
file of the same name in OUT.

    python -m hashmill columns people.parquet --hash email=sha256 -o out/
    python -m hashmill columns 's3://bucket/people/*.parquet' --hmac ssn=sha256 --key-file key -o s3://bucket/shared/
    python -m hashmill columns data/*.csv --rows id,name,birth=sha3-256 --engine ray --address auto -o out/

--hash and --hmac replace each value of a column with its digest; null stays null. --rows and
--hmac-rows add a column with a digest of each row, computed from the values in the file. An output
appears under its name only when it is complete. To resume an interrupted job, run the same command
again.

--keep names the columns that pass in clear; without it, all do that are not replaced or dropped, and
the command prints their names before it begins.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from dataclasses import asdict
from typing import Any

from ..arrow import NULL, SEPARATOR
from .engines import Report, here, on_ray
from .errors import UsageError, Unwritable, sentence
from .keys import Key, key_of
from .places import is_url
from .plan import Task, begin, tasks_of, tidy
from .reading import CSV_NULLS, TYPES, TextOptions, read, types_of
from .steps import Spec, Step, digests

#: The extra of the package that installs the libraries.
EXTRA = "columns"


def _named(text: str, option: str) -> tuple[str, str, int | None]:
    """Splits COLUMN=ALGORITHM:BYTES into its three parts."""
    columns, equals, algorithm = text.rpartition("=")
    if not equals or not columns or not algorithm:
        raise UsageError(f"{option} {text}: it is written COLUMN=ALGORITHM")
    algorithm, colon, length = algorithm.partition(":")
    if colon and not length.isdecimal():
        raise UsageError(f"{option} {text}: after the colon comes the digest's length in bytes")
    return columns, algorithm, int(length) if colon else None


def _spec(arguments: argparse.Namespace, key: Key | None) -> Spec:
    """Returns the computations that the options request. Each is tried on a column without values,
    so that a wrong algorithm or length is an error here."""
    steps = []
    for option, keyed in (("hash", False), ("hmac", True)):
        for text in getattr(arguments, option):
            column, algorithm, length = _named(text, f"--{option}")
            steps.append(Step((column,), algorithm, length, keyed))
    if len({step.columns for step in steps}) < len(steps):
        raise UsageError("a column is named twice")
    names = iter(arguments.rows_as)
    for option, keyed in (("rows", False), ("hmac_rows", True)):
        for text in getattr(arguments, option):
            columns, algorithm, length = _named(text, "--" + option.replace("_", "-"))
            added = next(names, "row_" + re.sub(r"\W", "_", algorithm))
            steps.append(Step(tuple(columns.split(",")), algorithm, length, keyed, added))
    if not steps:
        raise UsageError("nothing to do: give --hash, --hmac, --rows or --hmac-rows")
    if len({step.added for step in steps if step.added}) < sum(step.added is not None for step in steps):
        raise UsageError("two columns of rows' digests have the same name; --rows-as names them")
    if any(step.keyed for step in steps) != (key is not None):
        raise UsageError("--hmac and --hmac-rows need a key, and nothing else takes one: --key-file or --key-env")
    import pyarrow

    plain = Spec((), "hex", None)
    for step in steps:
        try:
            digests(pyarrow.array([], pyarrow.string()), Step((), step.algorithm, step.length, step.keyed), plain, key, 1)
        except ValueError as error:
            raise UsageError(sentence(error)) from error
    keep = None if arguments.keep is None else tuple(filter(None, arguments.keep.split(",")))
    drop = tuple(filter(None, (arguments.drop or "").split(",")))
    for column in {step.columns[0] for step in steps if step.added is None} & {*(keep or ()), *drop}:
        raise UsageError(f"the column {column!r} is replaced with its digests, so it is neither kept nor dropped")
    if arguments.delimiter is not None and len(arguments.delimiter.encode()) != 1:
        raise UsageError(f"--delimiter {arguments.delimiter!r}: it is one ASCII character")
    text = None if arguments.rows_profile == "cbor" else (arguments.separator, arguments.null)
    types = types_of(arguments.type)
    return Spec(
        tuple(steps), arguments.output, arguments.format, keep, drop, arguments.delimiter, text, types, arguments.csv_null
    )


def _list_clear(task: Task, spec: Spec) -> None:
    """Prints the columns that the output of the first task contains as they are in the file."""
    try:
        options = TextOptions(spec.delimiter, spec.csv_null)
        names = spec.clear(read(task.source, task.groups, options, spec.types, 1, task.partitions)[0].names)
    except Exception:  # The task reports the error.
        return
    if names:
        text = ", ".join(names)
        print(f"hashmill columns: {task.source}: these columns pass in clear: {text} (--keep and --drop choose)", file=sys.stderr)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of python -m hashmill columns."""
    add = parser.add_argument
    add("inputs", nargs="+", metavar="IN", help="files, directories, globs and URLs (s3://, gs://, az://)")
    add("-o", "--out", required=True, help="the directory or URL that gets a file for each input")
    step: dict[str, Any] = {"action": "append", "default": []}
    add("--hash", metavar="COLUMN=ALGORITHM", help="the hash of each value, in its place", **step)
    add("--hmac", metavar="COLUMN=ALGORITHM", help="the same with HMAC, or with kmac128 and kmac256", **step)
    add("--rows", metavar="A,B,…=ALGORITHM", help="a new column: the hash of those columns' values as a row", **step)
    add("--hmac-rows", metavar="A,B,…=ALGORITHM", help="the same with HMAC", **step)
    add("--rows-as", metavar="NAME", help="the new column's name; row_ALGORITHM without it", **step)
    add("--rows-profile", choices=["cbor", "text"], default="cbor",
        help="how rows are encoded: as CBOR, or as text, which SQL engines can compute too (default: cbor)")  # fmt: skip
    add("--separator", default=SEPARATOR, help="what is between the values of rows as text (default: -)")
    add("--null", default=NULL, help=f"what is in place of null in rows as text (default: {NULL})")
    add("--type", metavar="COLUMN=TYPE", action="append", default=[], help=f"the type of a column of CSV files: {TYPES}")
    key = parser.add_mutually_exclusive_group()
    key.add_argument("--key-file", metavar="FILE", help="the key is what the file holds, all of it")
    key.add_argument("--key-env", metavar="NAME", help="the key is what the environment variable holds")
    add("--key-encoding", choices=["raw", "hex", "jwk"], default="raw",
        help="what the key is written in: its bytes, hexadecimal, or a JSON Web Key (RFC 7517), whose id goes into the outputs")  # fmt: skip
    passed = parser.add_mutually_exclusive_group()
    passed.add_argument("--keep", metavar="A,B,…", help="pass only these columns in clear; '' for none")
    passed.add_argument("--drop", metavar="A,B,…", help="pass all columns in clear but these")
    add("--output", choices=["hex", "binary"], default="hex", help="what digests are written as")
    add("--format", choices=["parquet", "csv", "tsv", "arrow"], help="of the outputs; without it, each input's")
    add("--delimiter", metavar="C", help="what separates the fields of CSV files (default: a comma, and a tab in TSV files)")
    add("--csv-null", choices=[*CSV_NULLS], default="unquoted",
        help='which empty fields of CSV files are null: those without quotation marks, also "", or none (default: unquoted)')  # fmt: skip
    add("--engine", choices=["local", "ray"], default="local", help="this machine, or a Ray cluster")
    add("--address", help="Ray's cluster: auto, or HOST:PORT; without it, a local one or what RAY_ADDRESS says")
    add("--retries", type=int, default=5, metavar="N", help="how many workers may die under a task (default: 5)")
    add("--split", type=int, metavar="BYTES",
        help="Parquet files above this size are tasks and outputs of several row groups each; 0 is never "
             "(default: 0, and 268435456 with Ray)")  # fmt: skip
    add("--overwrite", action="store_true", help="replace what is in OUT under the outputs' names")


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command and returns the exit status.

    The status is 0 if all tasks succeeded, 1 if a task failed, 2 if none was started because the
    command is wrong or a place cannot be read or written.
    """
    ray = arguments.engine == "ray"
    try:
        if arguments.address is not None and not ray:
            raise UsageError("--address is for --engine ray")
        key = key_of(arguments)
        spec = _spec(arguments, key)
        split = arguments.split if arguments.split is not None else (1 << 28 if ray else 0)
        tasks = tasks_of(arguments.inputs, spec, key, split)
        out = arguments.out if is_url(arguments.out) or not ray else os.path.abspath(arguments.out)
        if ray:
            tasks = [
                task if is_url(task.source) else Task(**{**asdict(task), "source": os.path.abspath(task.source)})
                for task in tasks
            ]
        if spec.keep is None:
            _list_clear(tasks[0], spec)
        job, rest = begin(out, tasks, spec, key, arguments.overwrite)
        tidy(out, tasks, job)
    except Exception as error:
        # obstore and boto3 raise their errors if a store cannot be listed, because of its name or the
        # credentials.
        library = type(error).__module__.partition(".")[0]
        if not isinstance(error, UsageError | Unwritable | OSError) and library not in ("obstore", "botocore", "boto3"):
            raise
        print(f"hashmill columns: {sentence(error)}", file=sys.stderr)
        return 2
    report = Report(rest, len(tasks))
    given = (spec, key, out, job)
    try:
        if ray:
            on_ray(rest, given, report, arguments.address, arguments.retries)
        else:
            here(rest, given, report)
    except Unwritable as error:
        report.say(str(error))
        report.failed = len(rest) - report.done
    finally:
        report.close()
        # The reason why the job ends is reported, and not that OUT cannot be tidied either.
        with contextlib.suppress(Exception):
            tidy(out, rest, job)
    return 1 if report.failed else 0
