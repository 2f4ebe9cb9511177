"""The files of a manifest: Parquet, with the rows in ascending order of the keys' bytes.

During a run, the directory MANIFEST.parts/ contains the rows recorded so far, in files of some
thousand rows. Each file appears only when it is complete. At the end, the files are combined into
MANIFEST, which also appears only when it is complete. If a run is killed, the files remain. The
next run takes the rows of unchanged objects from them and from the previous manifest.
"""

from __future__ import annotations

import fcntl
import glob
import heapq
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.parquet

from .reading import Row, Wanted, digest_size
from .stores import Object

_GROUP = 1 << 17
#: The columns that are not digests.
_PLAIN = {
    "key": pyarrow.string(),
    "key_bytes": pyarrow.binary(),
    "size": pyarrow.int64(),
    "etag": pyarrow.string(),
    "last_modified": pyarrow.timestamp("us", tz="UTC"),
    "version": pyarrow.string(),
    "s3_sha256": pyarrow.string(),
    "source": pyarrow.string(),
    "status": pyarrow.string(),
    "error": pyarrow.string(),
}
_BEFORE_DIGESTS = 6


class ManifestError(Exception):
    """A file is not a manifest, is damaged or locked, or belongs to another store."""


def schema(url: str, wanted: Wanted) -> Any:
    """Returns the schema of a manifest. Its metadata contains the URL of the store."""
    plain = list(_PLAIN.items())
    digests = [(name, pyarrow.binary(digest_size(name))) for name in wanted.algorithms]
    metadata = {"hashmill.manifest": "1", "hashmill.store": url}
    if wanted.part_size:
        metadata["hashmill.s3_part_size"] = str(wanted.part_size)
    return pyarrow.schema([*plain[:_BEFORE_DIGESTS], *digests, *plain[_BEFORE_DIGESTS:]], metadata)


def table(rows: Iterable[Row], schema: Any) -> Any:
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    digests = [name for name in schema.names if name not in _PLAIN]
    for row in rows:
        it = row.object
        key, odd = "", None
        try:
            key = it.key.decode()
        except UnicodeDecodeError:
            key, odd = it.key.decode(errors="replace"), it.key
        values = (key, odd, it.size, it.etag, it.modified, row.version, row.s3_sha256, row.source, row.status, row.error)
        for name, value in zip(_PLAIN, values, strict=True):
            columns[name].append(value)
        for name in digests:
            columns[name].append(row.digests.get(name))
    arrays = [pyarrow.array(columns[field.name], field.type) for field in schema]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


class Manifest:
    """An existing manifest: a file, or a directory of manifest files."""

    def __init__(self, path: str, store: str | None = None) -> None:
        """Opens a manifest. If `store` is given, files of other stores are ignored."""
        self.files = [path]
        if os.path.isdir(path):
            self.files = sorted(glob.glob(os.path.join(glob.escape(path), "**/*.parquet"), recursive=True))
        if not self.files:
            raise ManifestError(f"{path} holds no Parquet file")
        digests: list[list[str]] = []
        self.stores: list[str] = []
        self.part_size: int | None = None
        if store is not None:
            self.files = [file for file in self.files if Manifest(file).stores == [store]]
        for file in self.files:
            described = self._schema(file)
            metadata = described.metadata or {}
            if metadata.get(b"hashmill.manifest") != b"1":
                raise ManifestError(f"{file} is not a manifest")
            digests.append([name for name in described.names if name not in _PLAIN])
            self.stores.append(metadata[b"hashmill.store"].decode())
            if size := metadata.get(b"hashmill.s3_part_size"):
                self.part_size = int(size)
        self.algorithms = tuple(name for name in digests[0] if all(name in names for names in digests))

    @staticmethod
    def _schema(file: str) -> Any:
        try:
            return pyarrow.parquet.read_schema(file)
        except OSError as error:
            raise ManifestError(f"{file}: {error.strerror or error}") from error
        except pyarrow.ArrowException as error:
            raise ManifestError(f"{file} is no Parquet file: {error}") from error

    def rows(self) -> Iterator[Row]:
        """Returns all rows in ascending order of the keys."""
        return heapq.merge(*map(read, self.files), key=lambda row: row.object.key)


def read(file: str) -> Iterator[Row]:
    """Yields the rows of a file, in batches of 8192 rows, so that the file is never whole in
    memory.

    Raises ManifestError if the rows are not in ascending order of the keys.
    """
    last = b""
    try:
        with pyarrow.parquet.ParquetFile(file) as source:
            names = [name for name in source.schema_arrow.names if name not in _PLAIN]
            for batch in source.iter_batches(8192):
                columns = {
                    name: batch.column(name).cast(pyarrow.int64()) if name == "last_modified" else batch.column(name)
                    for name in batch.schema.names
                }
                values = {name: column.to_pylist() for name, column in columns.items()}
                digests = [values[name] for name in names]
                for i, plain in enumerate(zip(*(values[name] for name in _PLAIN), strict=True)):
                    key, odd, size, etag, modified, version, s3_sha256, origin, status, error = plain
                    it = Object(key.encode() if odd is None else odd, size, etag, modified)
                    if it.key < last:
                        raise ManifestError(f"{file} is not in the order of its keys")
                    last = it.key
                    found = {name: column[i] for name, column in zip(names, digests, strict=True)}
                    found = {name: digest for name, digest in found.items() if digest is not None}
                    yield Row(it, status, found, s3_sha256, version, origin, error)
    except (pyarrow.ArrowException, OSError) as error:
        # If the compressed data are damaged, pyarrow raises OSError without an error number.
        if isinstance(error, OSError) and error.errno:
            raise
        raise ManifestError(f"{file} is damaged: {error}") from error
    except KeyError as error:
        raise ManifestError(f"{file} lacks the column {error}") from error


def _sync(path: str) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _write(path: str, schema: Any, tables: Iterable[Any]) -> None:
    """Writes a file that appears under its name only when it is complete."""
    draft = path + ".tmp"
    try:
        with pyarrow.parquet.ParquetWriter(draft, schema, compression="zstd", version="2.6") as writer:
            for it in tables:
                writer.write_table(it, row_group_size=_GROUP)
        _sync(draft)
        os.replace(draft, path)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    _sync(os.path.dirname(path))


class Recording:
    """A manifest that is being written."""

    def __init__(self, path: str, url: str, wanted: Wanted) -> None:
        self.path, self.url, self.wanted = os.path.abspath(path), url, wanted
        self.schema = schema(url, wanted)
        self.folder = self.path + ".parts"
        self._lock()
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        name = os.path.join(self.folder, "lock")
        while True:
            os.makedirs(self.folder, exist_ok=True)
            self.lock = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(self.lock), os.stat(name)):
                    return
            except BlockingIOError:
                os.close(self.lock)
                raise ManifestError(f"another process is writing {self.path}") from None
            except FileNotFoundError:
                pass
            # The process that held the lock has removed the file in the meantime.
            os.close(self.lock)

    def _look(self) -> None:
        """Finds the files of earlier runs, and removes incomplete ones."""
        for draft in glob.glob(os.path.join(glob.escape(self.folder), "*.tmp")):
            os.unlink(draft)
        names = sorted(it for it in os.listdir(self.folder) if re.fullmatch(r"\d{6}-\d{10}\.parquet", it))
        runs: dict[int, list[str]] = {}
        for name in names:
            runs.setdefault(int(name[:6]), []).append(os.path.join(self.folder, name))
        self.before = list(runs.values())
        self.run = max(runs, default=0) + 1
        if os.path.exists(self.path):
            self.before.append([self.path])
        for files in self.before:
            for store in Manifest(files[0]).stores:
                if store != self.url:
                    raise ManifestError(f"{files[0]} is of {store}, not of {self.url}: remove it, or name another output")

    def earlier(self) -> Iterator[Row]:
        """Returns the rows of earlier runs in ascending order of the keys. A key can occur several
        times."""
        runs = ((row for file in files for row in read(file)) for files in self.before)
        return heapq.merge(*runs, key=lambda row: row.object.key)

    def has_parts(self) -> bool:
        """Returns whether there are rows that a later run does not have to read again."""
        return any(name.endswith(".parquet") for name in os.listdir(self.folder))

    def commit(self, number: int, rows: list[Row]) -> None:
        """Writes these rows to a file. They follow the rows of all smaller numbers."""
        path = os.path.join(self.folder, f"{self.run:06}-{number:010}.parquet")
        _write(path, self.schema, [table(rows, self.schema)])

    def finish(self) -> None:
        """Combines all parts of this run into the manifest, then removes the parts of all runs."""
        mine = sorted(glob.glob(os.path.join(glob.escape(self.folder), f"{self.run:06}-*.parquet")))

        def groups() -> Iterator[Any]:
            waiting: list[Any] = []
            for file in mine:
                waiting.append(pyarrow.parquet.read_table(file, schema=self.schema))
                if sum(it.num_rows for it in waiting) >= _GROUP:
                    yield pyarrow.concat_tables(waiting)
                    waiting = []
            yield pyarrow.concat_tables([*waiting, self.schema.empty_table()])

        _write(self.path, self.schema, groups())
        for files in [mine, *self.before]:
            for file in files:
                if file != self.path:
                    os.unlink(file)

    def close(self) -> None:
        """Releases the lock, and removes the folder if it contains no parts."""
        if os.listdir(self.folder) == ["lock"]:
            os.unlink(os.path.join(self.folder, "lock"))
            os.rmdir(self.folder)
        os.close(self.lock)
