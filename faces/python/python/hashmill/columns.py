"""Hashes columns and rows of CSV, Parquet and Arrow files. The result of each file is written to a
file of the same name in OUT.

    python -m hashmill columns people.parquet --hash email=sha256 -o out/
    python -m hashmill columns 's3://bucket/people/*.parquet' --hmac ssn=sha256 --key-file key -o s3://bucket/shared/
    python -m hashmill columns data/*.csv --rows id,name,birth=sha3-256 --engine ray --address auto -o out/

--hash and --hmac replace each value of a column with its digest; null stays null. --rows and
--hmac-rows add a column with a digest of each row, computed from the values in the file. An output
appears under its name only when it is complete. To resume an interrupted job, run the same command
again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import glob
import hmac
import io
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

#: The extra of the package that installs the libraries.
EXTRA = "sql"

#: The format for each ending of a file name.
FORMATS = {
    ".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip

#: The file in OUT with the plan of a job: the first line describes the computation, each other line
#: is a task.
PLAN = "_columns.jsonl"

# The largest numbers of rows and of bytes in a batch and in a row group. Two row groups are in
# memory: one is being filled while the other is written.
_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20
_GROUP_ROWS, _GROUP_BYTES = 1 << 20, 64 << 20


_MAX_KEY = 1 << 20


class UsageError(Exception):
    """The command is wrong, or cannot be carried out as it was given."""


class _Unwritable(Exception):
    """An output cannot be written. The job ends."""


class Key:
    """A secret key. repr() and error messages do not show it."""

    __slots__ = ("secret",)

    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def __repr__(self) -> str:
        return "<key>"


@dataclass(frozen=True)
class Step:
    """One computation: the digests of a column, which replace it, or of rows, in a new column."""

    columns: tuple[str, ...]
    algorithm: str
    length: int | None
    keyed: bool
    #: The name of the new column; None if the digests replace the column.
    added: str | None = None


@dataclass(frozen=True)
class Spec:
    """The computations of a job, and the form of its outputs."""

    steps: tuple[Step, ...]
    #: "hex" or "binary".
    output: str
    #: "parquet", "csv" or "arrow"; None for the format of the input.
    format: str | None


@dataclass(frozen=True)
class Task:
    """A file, or some of its row groups, and the name of the output."""

    source: str
    size: int
    #: A text that changes when the file changes: its size with its time of modification, or with
    #: the entity tag of the object.
    version: str
    #: The name of the output in OUT.
    output: str
    groups: tuple[int, ...] | None = None


# Places: paths on this machine, and URLs of object stores.


def _is_url(place: str) -> bool:
    return re.match(r"[a-z][a-z0-9+.-]*://", place) is not None


def _store(url: str) -> tuple[Any, str]:
    """Returns the object store of a URL, configured by the environment (AWS_…, GOOGLE_…, AZURE_…),
    and the path in it."""
    import obstore.store

    scheme, _, rest = url.partition("://")
    container, _, path = rest.partition("/")
    return obstore.store.from_url(f"{scheme}://{container}"), path


def _join(out: str, name: str) -> str:
    return out.rstrip("/") + "/" + name if _is_url(out) else os.path.join(out, name)


def _format(name: str) -> str | None:
    return FORMATS.get(os.path.splitext(name)[1].lower())


def _pattern(text: str) -> re.Pattern[str]:
    """Compiles a glob for keys: * and ? do not match /, and **/ matches any number of
    directories."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts))


def _sources(given: str) -> Iterator[tuple[str, int, str, str]]:
    """Yields the place, size and version of each file that an argument names, and its name relative
    to the part without wildcards."""
    fixed = re.split(r"[*?\[]", given, maxsplit=1)[0]
    wild = fixed != given
    base = fixed[: fixed.rfind("/") + 1]
    if _is_url(given):
        import obstore

        store, path = _store(given)
        root = given[: len(given) - len(path)]
        if not wild and not path.endswith("/") and path:
            found = obstore.head(store, path)
            yield given, found["size"], _tag(found), given[len(base) :]
            return
        if not wild:
            base, path = given.rstrip("/") + "/", path.rstrip("/") + "/**" if path else "**"
        below, matches = base[len(root) :], _pattern(path)
        for batch in obstore.list(store, below.rstrip("/") or None):
            for found in batch:
                name = found["path"][len(below) :]
                if matches.fullmatch(found["path"]) and (wild or _visible(name)):
                    yield root + found["path"], found["size"], _tag(found), name
        return
    if os.path.isdir(given):
        base, given, wild = os.path.join(given, ""), os.path.join(glob.escape(given), "**"), False
    elif not wild or os.path.exists(given):
        base, given, wild = os.path.join(os.path.dirname(given), ""), glob.escape(given), True
    for path in sorted(glob.glob(given, recursive=True)):
        name = path[len(base) :]
        if os.path.isfile(path) and (wild or _visible(name)):
            status = os.stat(path)
            yield path, status.st_size, f"{status.st_size} {status.st_mtime_ns}", name


def _visible(name: str) -> bool:
    """Returns whether a file of a directory contains data: it is not hidden, it is not a marker
    such as _SUCCESS, and its format is one of FORMATS."""
    return not any(part[:1] in "._" for part in name.split("/") if part) and _format(name) is not None


def _tag(found: Any) -> str:
    return f"{found['size']} {found['e_tag'] or found['last_modified']}"


def _version(place: str) -> str:
    return next(version for _, _, version, _ in _sources(place if _is_url(place) else glob.escape(place)))


# Reading.


class _Object(io.RawIOBase):
    """An object of a store as a Python file."""

    def __init__(self, place: str) -> None:
        import obstore

        store, path = _store(place)
        self.opened = obstore.open_reader(store, path, buffer_size=8 << 20)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return int(self.opened.seek(offset, whence))

    def tell(self) -> int:
        return int(self.opened.tell())

    def readinto(self, buffer: Any) -> int:
        data = memoryview(self.opened.read(len(buffer)))
        memoryview(buffer).cast("B")[: len(data)] = data
        return len(data)


def _reader(place: str) -> Any:
    import pyarrow

    return pyarrow.PythonFile(_Object(place), mode="r") if _is_url(place) else pyarrow.OSFile(place)


def _metadata(place: str) -> Any:
    from pyarrow import parquet

    with _reader(place) as file:
        return parquet.ParquetFile(file).metadata


def _batch_rows(metadata: Any) -> int:
    """Returns the number of rows of a Parquet file that have about _BATCH_BYTES bytes."""
    size = sum(int(metadata.row_group(i).total_byte_size) for i in range(metadata.num_row_groups))
    return max(64, min(_BATCH_ROWS, _BATCH_BYTES * max(int(metadata.num_rows), 1) // max(size, 1)))


def _text_schema(place: str) -> Any:
    """Returns the schema of a CSV file. All columns are text, so that numbers keep leading
    zeros."""
    import pyarrow

    with _reader(place) as file:
        text = io.TextIOWrapper(io.BufferedReader(file), encoding="utf-8-sig", newline="")
        names = next(csv.reader(text), None)
        text.detach()
    if not names:
        raise ValueError("there is no header line")
    return pyarrow.schema([(name, pyarrow.string()) for name in names])


def _read(task: Task) -> tuple[Any, int | None, Iterator[Any]]:
    """Returns the schema of a task, its number of rows (None if unknown), and its record
    batches."""
    import pyarrow.csv
    import pyarrow.parquet

    kind = _format(task.source)
    if kind == "csv":
        schema = _text_schema(task.source)
        convert = pyarrow.csv.ConvertOptions(
            column_types=schema, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        )
        parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
        reader = pyarrow.csv.open_csv(_reader(task.source), parse_options=parse, convert_options=convert)
        return reader.schema, None, iter(reader)
    if kind == "arrow":
        file = _reader(task.source)
        if file.read(6) == b"ARROW1":
            opened = pyarrow.ipc.open_file(file)
            return opened.schema, None, (opened.get_batch(i) for i in range(opened.num_record_batches))
        file.seek(0)
        stream = pyarrow.ipc.open_stream(file)
        return stream.schema, None, iter(stream)
    file = pyarrow.parquet.ParquetFile(
        _reader(task.source), pre_buffer=False, buffer_size=8 << 20 if _is_url(task.source) else 1 << 20
    )
    groups = range(file.metadata.num_row_groups) if task.groups is None else task.groups
    rows = sum(file.metadata.row_group(i).num_rows for i in groups)
    batches = file.iter_batches(_batch_rows(file.metadata), row_groups=list(groups), use_threads=False)
    return file.schema_arrow, rows, batches


def _check_columns(names: Sequence[str], spec: Spec) -> None:
    for step in spec.steps:
        for column in step.columns:
            count = list(names).count(column)
            if count == 0:
                raise ValueError(f"there is no column {column!r}; there are: {', '.join(names)}")
            if count > 1:
                raise ValueError(f"there are {count} columns {column!r}")
        if step.added is not None and step.added in names:
            raise ValueError(f"there is a column {step.added!r} already; --rows-as names another")


def _digests(values: Any, step: Step, output: str, key: Key | None, threads: int) -> Any:
    """Returns the digests that a step computes from a column or from a batch of rows."""
    import pyarrow

    from . import arrow

    secret = key.secret if step.keyed and key is not None else None
    common: dict[str, Any] = {"key": secret, "output": output, "length": step.length, "threads": threads}
    if step.added is None:
        return pyarrow.array(arrow.hash_column(values, step.algorithm, **common))
    return pyarrow.array(arrow.hash_rows(values, list(step.columns), step.algorithm, **common))


def _hashed(batch: Any, spec: Spec, key: Key | None, threads: int) -> Any:
    """Returns the record batch after all steps. Each step reads the values of the file, not the
    results of other steps."""
    import pyarrow

    names, arrays, fields = list(batch.schema.names), list(batch.columns), list(batch.schema)
    for step in spec.steps:
        if step.added is None:
            at = names.index(step.columns[0])
            arrays[at] = _digests(batch.column(at), step, spec.output, key, threads)
            fields[at] = pyarrow.field(names[at], arrays[at].type)
        else:
            arrays.append(_digests(batch, step, spec.output, key, threads))
            fields.append(pyarrow.field(step.added, arrays[-1].type))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))


def _by_arrow(task: Task, spec: Spec, key: Key | None, threads: int) -> tuple[int | None, Iterator[Any]]:
    """Returns the number of rows of a task (None if unknown) and its results. pyarrow reads the
    file."""
    import pyarrow

    schema, rows, batches = _read(task)
    _check_columns(schema.names, spec)
    # The first batch has no rows, because the output of a file without rows needs a schema, too.
    empty = pyarrow.RecordBatch.from_pylist([], schema=schema)

    def results() -> Iterator[Any]:
        yield _hashed(empty, spec, key, threads)
        for batch in batches:
            yield _hashed(batch, spec, key, threads)

    return rows, results()


# Writing.


class _Output:
    """A file that appears under its name at commit(). abandon() removes the temporary file."""

    def __init__(self, out: str, name: str, job: str) -> None:
        self.place = _join(out, name)
        try:
            if _is_url(out):
                import obstore

                # A multipart upload becomes an object when it is completed.
                store, path = _store(self.place)
                self.file: Any = obstore.open_writer(store, path)
                self.temporary = ""
            else:
                folder, last = os.path.split(self.place)
                os.makedirs(folder or ".", exist_ok=True)
                self.temporary = os.path.join(folder, f".{last}.{job}-{secrets.token_hex(4)}.tmp")
                self.file = open(self.temporary, "xb")
        except OSError as error:
            raise _Unwritable(f"{self.place}: {error.strerror or error}") from error

    def write(self, data: Any) -> int:
        try:
            return int(self.file.write(data))
        except Exception as error:
            raise self._wrong(error) from error

    def commit(self) -> None:
        try:
            if self.temporary:
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
                os.replace(self.temporary, self.place)
                _sync_folder(self.place)
            else:
                self.file.close()
        except Exception as error:
            raise self._wrong(error) from error

    def abandon(self) -> None:
        if self.temporary:
            try:
                self.file.close()
            except OSError:
                pass  # Unwritten bytes are not needed.
            if os.path.exists(self.temporary):
                os.unlink(self.temporary)

    def _wrong(self, error: Exception) -> _Unwritable:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else _sentence(error)
        return _Unwritable(f"{self.place}: {reason}")


def _sync_folder(place: str) -> None:
    """Writes the directory entry of a renamed file to disk. Windows cannot open directories."""
    if os.name != "posix":
        return
    folder = os.open(os.path.dirname(place) or ".", os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class _Writer(io.RawIOBase):
    """An _Output as a file for pyarrow. It keeps the error of the output, because pyarrow replaces
    the message."""

    def __init__(self, output: _Output) -> None:
        self.output = output
        self.error: _Unwritable | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            return self.output.write(data)
        except _Unwritable as error:
            self.error = error
            raise OSError(str(error)) from error


def _write(batches: Iterator[Any], kind: str, output: _Output, advance: Callable[[int], object]) -> int:
    """Writes the batches and returns their number of rows."""
    import pyarrow.csv
    import pyarrow.parquet

    file = _Writer(output)
    rows = 0
    try:
        first = next(batches)
        if kind == "parquet":
            writer: Any = pyarrow.parquet.ParquetWriter(file, first.schema, compression="zstd", compression_level=1)
        elif kind == "csv":
            writer = pyarrow.csv.CSVWriter(file, first.schema)
        else:
            writer = pyarrow.ipc.new_file(file, first.schema)
        # A second thread encodes and compresses one row group while the next is read and hashed.
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            pending: concurrent.futures.Future[None] | None = None
            for group in _groups(first, batches):
                if pending is not None:
                    pending.result()
                pending = thread.submit(writer.write_table, group)
                rows += group.num_rows
                advance(group.num_rows)
            if pending is not None:
                pending.result()
        writer.close()
    except Exception:
        if file.error is not None:
            raise file.error from None
        raise
    return rows


def _groups(first: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yields tables that become row groups: each has at least _GROUP_ROWS rows or _GROUP_BYTES
    bytes, except the last."""
    import pyarrow

    held, rows, size = [first], first.num_rows, first.nbytes
    for batch in batches:
        held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            yield pyarrow.Table.from_batches(held)
            held, rows, size = [], 0, 0
    if rows > 0:
        yield pyarrow.Table.from_batches(held)


def _carry_out(
    task: Task, spec: Spec, key: Key | None, out: str, job: str, engine: str, threads: int,
    advance: Callable[[float], object] = lambda part: None,
) -> int:  # fmt: skip
    """Performs a task, commits its output and returns its number of rows. Calls advance() with the
    fraction of the task that was done since the last call."""
    # Objects in a store are read by obstore, which signs the requests.
    if engine == "datafusion" and task.groups is None and not _is_url(task.source):
        from . import sql

        total, batches = sql._results(task, spec, key)
    else:
        total, batches = _by_arrow(task, spec, key, threads)
    output = _Output(out, task.output, job)
    try:
        rows = _write(
            batches, _format(task.output) or "parquet", output, lambda rows: total and advance(rows / total)
        )
        if _version(task.source) != task.version:
            raise ValueError("it changed while it was read")
        output.commit()
    except BaseException:
        output.abandon()
        raise
    return rows


def _attempt(*given: Any) -> tuple[str, Any]:
    """Calls _carry_out and returns ("done", rows), ("failed", reason), or ("stop", reason) if no
    output can be written."""
    try:
        return "done", _carry_out(*given)
    except _Unwritable as error:
        return "stop", str(error)
    except ImportError:
        raise
    except Exception as error:  # Readers raise many types for a damaged file.
        return "failed", f"{given[0].source}: {_sentence(error)}"


def _sentence(error: BaseException) -> str:
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    # obstore appends its debug text to the message.
    text = text.partition("\n\nDebug source:")[0]
    return " ".join(text.split()) or type(error).__name__


# The plan of a job.


def _get(place: str) -> bytes | None:
    """Returns the content of a small file, or None if it does not exist."""
    try:
        if not _is_url(place):
            with open(place, "rb") as file:
                return file.read()
        import obstore

        store, path = _store(place)
        return bytes(obstore.get(store, path).bytes())
    except FileNotFoundError:
        return None


def _present(out: str) -> Callable[[str], bool]:
    """Returns a function that returns whether OUT contains an output of that name. An object store
    is listed once."""
    if not _is_url(out):
        return lambda name: os.path.lexists(_join(out, name))
    import obstore

    store, path = _store(_join(out, ""))
    names = {found["path"][len(path) :] for batch in obstore.list(store, path or None) for found in batch}
    return names.__contains__


def _remove(place: str) -> None:
    if not _is_url(place):
        os.unlink(place)
        return
    import obstore

    obstore.delete(*_store(place))


def _tasks(inputs: Iterable[str], format: str | None, split: int) -> list[Task]:
    """Returns the tasks of these arguments, in order. No two tasks have the same output."""
    tasks: list[Task] = []
    for given in inputs:
        try:
            found = sorted(_sources(given))
        except FileNotFoundError:
            found = []
        if not found:
            raise UsageError(f"{given}: there is no such file")
        for place, size, version, name in found:
            kind = _format(name)
            if kind is None:
                raise UsageError(f"{place}: the name does not end as one of {', '.join(FORMATS)}")
            stem, ending = os.path.splitext(name)
            if format is not None and format != kind:
                ending = "." + format
            tasks += _split(Task(place, size, version, stem + ending), split)
    outputs: dict[str, str] = {}
    for task in tasks:
        if (other := outputs.setdefault(task.output, task.source)) != task.source:
            raise UsageError(f"{other} and {task.source} would both become {task.output}")
    unique = dict.fromkeys(tasks)
    return list(unique)


def _split(task: Task, split: int) -> list[Task]:
    """Splits the task of a Parquet file larger than `split` bytes into several tasks; 0 means
    never. A damaged file is one task."""
    if split == 0 or task.size <= split or _format(task.source) != "parquet":
        return [task]
    try:
        metadata = _metadata(task.source)
    except Exception:  # The task reports the error.
        return [task]
    parts: list[list[int]] = [[]]
    size = 0
    for group in range(metadata.num_row_groups):
        columns = (metadata.row_group(group).column(i) for i in range(metadata.num_columns))
        more = sum(column.total_compressed_size for column in columns)
        if parts[-1] and size + more > split:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size += more
    if len(parts) == 1:
        return [task]
    stem, ending = os.path.splitext(task.output)
    return [
        Task(task.source, task.size * len(part) // metadata.num_row_groups, task.version, f"{stem}-{i:05}{ending}", tuple(part))
        for i, part in enumerate(parts)
    ]


def _begin(out: str, tasks: list[Task], spec: Spec, key: Key | None, overwrite: bool) -> tuple[str, list[Task]]:
    """Writes the plan, or resumes the plan in OUT. Returns the name of the job and the tasks that
    are not done."""
    sources = {os.path.abspath(task.source) if not _is_url(task.source) else task.source for task in tasks}
    for task in tasks:
        place = _join(out, task.output)
        if (place if _is_url(place) else os.path.abspath(place)) in sources:
            raise UsageError(f"{place}: it would be both read and written")
    wanted = json.loads(json.dumps(asdict(spec)))
    done: set[str] = set()
    before: dict[str, Any] = {}
    present = _present(out)
    job = secrets.token_hex(8)
    old = None if overwrite else _get(_join(out, PLAN))
    if old is not None:
        try:
            head, *written = map(json.loads, old.decode().splitlines())
            before = {line["output"]: line for line in written}
            there, check = head["spec"], head["key"]
            job = str(head["job"])
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{_join(out, PLAN)}: it is damaged; --overwrite begins anew") from error
        if there != wanted:
            raise UsageError(f"{out}: it has the results of another job; --overwrite replaces them")
        if not hmac.compare_digest(str(check), str(_check(key, job))):
            raise UsageError(f"{out}: it has results with another key; --overwrite replaces them")
        for task in tasks:
            same = before.get(task.output) == json.loads(json.dumps(asdict(task)))
            if same and present(task.output):
                done.add(task.output)
    rest = [task for task in tasks if task.output not in done]
    for task in rest:
        if present(task.output):
            place = _join(out, task.output)
            if not overwrite and task.output not in before:
                raise UsageError(f"{place}: it exists, and is not this job's; --overwrite replaces it")
            _remove(place)
    head = {"hashmill": 1, "job": job, "spec": wanted, "key": _check(key, job)}
    output = _Output(out, PLAN, job)
    try:
        # The plan keeps the tasks of other inputs of the same job.
        lines = {**before, **{task.output: asdict(task) for task in tasks}}
        output.write("".join(json.dumps(line) + "\n" for line in [head, *lines.values()]).encode())
        output.commit()
    except BaseException:
        output.abandon()
        raise
    return job, rest


def _check(key: Key | None, job: str) -> str | None:
    """Returns a check value of the key, by which a resumed job detects another key. It is different
    for each job, because it is an HMAC of the name of the job."""
    return None if key is None else hmac.digest(key.secret, b"hashmill columns " + job.encode(), "sha256").hex()


def _tidy(out: str, tasks: Iterable[Task], job: str) -> None:
    """Removes the temporary files of attempts of this job that were killed."""
    if not _is_url(out):
        for folder in {os.path.dirname(_join(out, task.output)) for task in tasks}:
            for path in glob.glob(os.path.join(glob.escape(folder), f".*.{job}-*.tmp")):
                os.unlink(path)


# The command.


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

    for step in steps:
        try:
            _digests(pyarrow.array([], pyarrow.string()), Step((), step.algorithm, step.length, step.keyed), "hex", key, 1)
        except ValueError as error:
            raise UsageError(_sentence(error)) from error
    return Spec(tuple(steps), arguments.output, arguments.format)


def _key(arguments: argparse.Namespace) -> Key | None:
    """Returns the key that --key-file or --key-env names. All bytes of the file or variable belong
    to the key, as for the program hashmill; with --key-encoding hex they are decoded."""
    if arguments.key_file is not None:
        try:
            with open(arguments.key_file, "rb") as file:
                secret = file.read(_MAX_KEY + 1)
        except OSError as error:
            raise UsageError(f"{arguments.key_file}: {error.strerror}") from error
        where = arguments.key_file
    elif arguments.key_env is not None:
        where = arguments.key_env
        if where not in os.environ:
            raise UsageError(f"{where} is not set in the environment")
        secret = os.environb[where.encode()] if os.supports_bytes_environ else os.environ[where].encode()
    else:
        return None
    if arguments.key_encoding == "hex":
        try:
            secret = bytes.fromhex(secret.decode("ascii").strip())
        except ValueError:
            # The cause is left out, because its message may show the key.
            raise UsageError(f"{where}: the key is not written as --key-encoding says") from None
    if not secret:
        raise UsageError(f"{where}: the key is empty")
    if len(secret) > _MAX_KEY:
        raise UsageError(f"{where}: the key is longer than {_MAX_KEY} bytes")
    return Key(secret)


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
    key = parser.add_mutually_exclusive_group()
    key.add_argument("--key-file", metavar="FILE", help="the key is what the file holds, all of it")
    key.add_argument("--key-env", metavar="NAME", help="the key is what the environment variable holds")
    add("--key-encoding", choices=["raw", "hex"], default="raw", help="what the key is written in")
    add("--output", choices=["hex", "binary"], default="hex", help="what digests are written as")
    add("--format", choices=["parquet", "csv", "arrow"], help="of the outputs; without it, each input's")
    add("--engine", choices=["datafusion", "ray"], default="datafusion", help="this machine, or a Ray cluster")
    add("--address", help="Ray's cluster: auto, or HOST:PORT; without it, a local one or what RAY_ADDRESS says")
    add("--retries", type=int, default=5, metavar="N", help="how many workers may die under a task (default: 5)")
    add("--split", type=int, metavar="BYTES",
        help="Parquet files above this size are tasks and outputs of several row groups each; 0 is never "
             "(default: 0, and 268435456 with Ray)")  # fmt: skip
    add("--overwrite", action="store_true", help="replace what is in OUT under the outputs' names")


class _Report:
    """The progress bar, if standard error is a terminal, and the counts of outputs, rows and
    failures."""

    def __init__(self, tasks: list[Task], total: int) -> None:
        import tqdm

        self.sizes = {task: task.size for task in tasks}
        self.bar = tqdm.tqdm(
            total=sum(self.sizes.values()), unit="B", unit_scale=True, disable=None, file=sys.stderr, dynamic_ncols=True
        )
        self.before = total - len(tasks)
        self.done = self.rows = self.failed = 0
        self.parts: dict[Task, float] = {}

    def advance(self, task: Task, part: float) -> None:
        part = min(part, 1 - self.parts.get(task, 0.0))
        self.parts[task] = self.parts.get(task, 0.0) + part
        self.bar.update(part * task.size)

    def end(self, task: Task, end: str, what: Any) -> None:
        """Counts the result of an attempt. Raises _Unwritable if no output can be written."""
        self.advance(task, 1)
        if end == "done":
            self.done += 1
            self.rows += what
            return
        self.failed += 1
        if end == "stop":
            raise _Unwritable(what)
        self.say(what)

    def say(self, text: str) -> None:
        self.bar.write(f"hashmill columns: {text}", file=sys.stderr)

    def close(self) -> None:
        self.bar.close()
        before = f", {self.before} were done before" if self.before else ""
        failed = f", {self.failed} failed" if self.failed else ""
        print(f"{self.done} outputs of {self.rows} rows{before}{failed}", file=sys.stderr)


def _here(tasks: list[Task], given: tuple[Any, ...], report: _Report) -> None:
    """Performs all tasks on this machine, one after the other. Each task uses all cores."""
    for task in tasks:
        report.end(task, *_attempt(task, *given, "datafusion", 0, lambda part, task=task: report.advance(task, part)))


def _on_ray(tasks: list[Task], given: tuple[Any, ...], report: _Report, address: str | None, retries: int) -> None:
    """Performs all tasks on a Ray cluster, one core each. Ray restarts a task when its worker dies,
    at most `retries` times."""
    import ray

    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    attempt = ray.remote(num_cpus=1, max_retries=retries)(_attempt)
    # One task waits for each core, and the scheduler does not have to hold a million tasks.
    limit = 2 * max(1, int(ray.cluster_resources().get("CPU", 1))) + 2
    waiting = iter(tasks)
    running: dict[Any, Task] = {}
    try:
        while True:
            for task in waiting:
                running[attempt.remote(task, *given, "ray", 1)] = task
                if len(running) >= limit:
                    break
            if not running:
                return
            for reference in ray.wait(list(running))[0]:
                task = running.pop(reference)
                try:
                    end, what = ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    end, what = "failed", f"{task.source}: {_sentence(error.cause or error)}"
                except ray.exceptions.RayError as error:
                    end, what = "failed", f"{task.source}: its workers died: {type(error).__name__}"
                report.end(task, end, what)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command and returns the exit status.

    The status is 0 if all tasks succeeded, 1 if a task failed, 2 if none was started because the
    command is wrong or a place cannot be read or written.
    """
    ray = arguments.engine == "ray"
    try:
        if arguments.address is not None and not ray:
            raise UsageError("--address is for --engine ray")
        key = _key(arguments)
        spec = _spec(arguments, key)
        split = arguments.split if arguments.split is not None else (1 << 28 if ray else 0)
        tasks = _tasks(arguments.inputs, spec.format, split)
        out = arguments.out if _is_url(arguments.out) or not ray else os.path.abspath(arguments.out)
        if ray:
            tasks = [
                task if _is_url(task.source) else Task(**{**asdict(task), "source": os.path.abspath(task.source)})
                for task in tasks
            ]
        job, rest = _begin(out, tasks, spec, key, arguments.overwrite)
    except Exception as error:
        # obstore raises its errors if a store cannot be listed, because of its name or the
        # credentials.
        if not isinstance(error, UsageError | _Unwritable) and not type(error).__module__.startswith("obstore"):
            raise
        print(f"hashmill columns: {_sentence(error)}", file=sys.stderr)
        return 2
    _tidy(out, tasks, job)
    report = _Report(rest, len(tasks))
    given = (spec, key, out, job)
    try:
        if ray:
            _on_ray(rest, given, report, arguments.address, arguments.retries)
        else:
            _here(rest, given, report)
    except _Unwritable as error:
        report.say(str(error))
        report.failed = len(rest) - report.done
    finally:
        report.close()
        _tidy(out, tasks, job)
    return 1 if report.failed else 0
