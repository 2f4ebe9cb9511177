"""Writing: files that appear under their names when they are complete."""

from __future__ import annotations

import concurrent.futures
import contextlib
import io
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .errors import Unwritable, sentence
from .formats import Format
from .places import abort_uploads, is_url, join, store
from .reading import delimiter_of

# The largest numbers of rows and of bytes in a row group. Two row groups are in memory: one is being
# filled while the other is written.
_GROUP_ROWS, _GROUP_BYTES = 1 << 20, 64 << 20


class Output:
    """A file that appears under its name at commit(). abandon() removes what was written."""

    def __init__(self, out: str, name: str, job: str) -> None:
        self.place = join(out, name)
        self.url = is_url(out)
        try:
            if self.url:
                import obstore

                # A multipart upload becomes an object when it is completed.
                opened, path = store(self.place)
                self.file: Any = obstore.open_writer(opened, path)
                self.temporary = ""
            else:
                folder, last = os.path.split(self.place)
                os.makedirs(folder or ".", exist_ok=True)
                self.temporary = os.path.join(folder, f".{last}.{job}-{secrets.token_hex(4)}.tmp")
                self.file = open(self.temporary, "xb")
        except OSError as error:
            raise Unwritable(f"{self.place}: {error.strerror or error}") from error

    def write(self, data: Any) -> int:
        try:
            return int(self.file.write(data))
        except Exception as error:
            raise self._wrong(error) from error

    def commit(self) -> None:
        try:
            if self.url:
                self.file.close()
            else:
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
                os.replace(self.temporary, self.place)
                _sync_folder(self.place)
        except Exception as error:
            raise self._wrong(error) from error

    def abandon(self) -> None:
        if self.url:
            self.file = None
            # The reason why the output is abandoned is reported, and not that the store is away.
            with contextlib.suppress(Exception):
                abort_uploads(self.place)
            return
        with contextlib.suppress(OSError):  # Unwritten bytes are not needed.
            self.file.close()
        if os.path.exists(self.temporary):
            os.unlink(self.temporary)

    def _wrong(self, error: Exception) -> Unwritable:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else sentence(error)
        return Unwritable(f"{self.place}: {reason}")


def _sync_folder(place: str) -> None:
    """Writes the directory entry of a renamed file to disk. Windows cannot open directories."""
    if os.name != "posix":
        return
    folder = os.open(os.path.dirname(place) or ".", os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class _File(io.RawIOBase):
    """An Output as a file for pyarrow. It keeps the error of the output, because pyarrow replaces
    the message. After abandon() it drops what a writer still has to say."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.error: Unwritable | None = None
        self.abandoned = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.abandoned:
            return len(data)
        try:
            return self.output.write(data)
        except Unwritable as error:
            self.error, self.abandoned = error, True
            raise OSError(str(error)) from error


def write(
    batches: Iterator[Any], kind: Format, delimiter: str | None, digests: set[str], output: Output,
    advance: Callable[[int], object],
) -> int:  # fmt: skip
    """Writes the batches and returns their number of rows. `digests` are the columns with digests."""
    file = _File(output)
    rows = 0
    try:
        first = next(batches)
        with _writer(file, first.schema, kind, delimiter, digests) as writer:
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
    except BaseException:
        file.abandoned = True
        if file.error is not None:
            raise file.error from None
        raise
    return rows


@contextlib.contextmanager
def _writer(file: _File, schema: Any, kind: Format, delimiter: str | None, digests: set[str]) -> Iterator[Any]:
    import pyarrow.csv
    import pyarrow.parquet

    with contextlib.ExitStack() as stack:
        if kind.name == "parquet":
            writer: Any = pyarrow.parquet.ParquetWriter(
                file, schema, compression="zstd", compression_level=1, use_dictionary=_repeated(schema, digests)
            )
        elif kind.name == "arrow":
            options = pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
            writer = _Growing(pyarrow.ipc.new_file(file, schema, options=options), schema)
        else:
            target: Any = file
            if kind.compression is not None:
                target = stack.enter_context(pyarrow.CompressedOutputStream(pyarrow.PythonFile(file, mode="w"), kind.compression))
            options = pyarrow.csv.WriteOptions(delimiter=delimiter_of(kind, delimiter))
            writer = _Plain(pyarrow.csv.CSVWriter(target, _plain(schema), write_options=options), _plain(schema))
        try:
            yield writer
        except BaseException:
            file.abandoned = True
            with contextlib.suppress(Exception):
                writer.close()
            raise
        writer.close()


def _repeated(schema: Any, digests: set[str]) -> Any:
    """Returns the columns that Parquet may write with a dictionary of their values. Digests are not
    among them, because hardly two of them are equal."""
    import pyarrow.parquet

    empty = io.BytesIO()
    pyarrow.parquet.write_table(schema.empty_table(), empty)
    written = pyarrow.parquet.ParquetFile(empty).schema
    paths = [written.column(i).path for i in range(len(written))]
    return [path for path in paths if path not in digests] or False


class _Growing:
    """A writer of an Arrow file, in which a dictionary can grow, but not change: each dictionary
    begins with all values of those before it."""

    def __init__(self, writer: Any, schema: Any) -> None:
        import pyarrow

        self.writer, self.known = writer, {}
        for i, field in enumerate(schema):
            if pyarrow.types.is_dictionary(field.type):
                self.known[i] = pyarrow.array([], field.type)

    def write_table(self, table: Any) -> None:
        import pyarrow

        for i, known in self.known.items():
            chunks = [known, *table.column(i).chunks]
            unified = pyarrow.chunked_array(chunks, known.type).unify_dictionaries()
            self.known[i] = unified.chunk(0)
            column = pyarrow.chunked_array(unified.chunks[1:], known.type)
            table = table.set_column(i, table.schema.field(i), column)
        self.writer.write_table(table)

    def close(self) -> None:
        self.writer.close()


def _plain(schema: Any) -> Any:
    """Returns the schema of a text file: the values of dictionaries instead of their indices, and no
    metadata."""
    import pyarrow

    return pyarrow.schema(
        [(it.name, it.type.value_type if pyarrow.types.is_dictionary(it.type) else it.type) for it in schema]
    )


class _Plain:
    """A writer of CSV, which has no dictionaries."""

    def __init__(self, writer: Any, schema: Any) -> None:
        self.writer, self.schema = writer, schema

    def write_table(self, table: Any) -> None:
        self.writer.write_table(table.cast(self.schema))

    def close(self) -> None:
        self.writer.close()


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
