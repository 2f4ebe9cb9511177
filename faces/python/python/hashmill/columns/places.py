"""Places: paths on this machine, and URLs of object stores."""

from __future__ import annotations

import glob
import io
import os
import re
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from .errors import UsageError


def is_url(place: str) -> bool:
    return re.match(r"[a-z][a-z0-9+.-]*://", place) is not None


def store(url: str) -> tuple[Any, str]:
    """Returns the object store of a URL, configured by the environment (AWS_…, GOOGLE_…, AZURE_…),
    and the path in it."""
    import obstore.store

    scheme, _, rest = url.partition("://")
    container, _, path = rest.partition("/")
    return obstore.store.from_url(f"{scheme}://{container}"), path


def join(out: str, name: str) -> str:
    return out.rstrip("/") + "/" + name if is_url(out) else os.path.join(out, name)


def _pattern(text: str) -> re.Pattern[str]:
    """Compiles a glob for keys: * and ? do not match /, and **/ matches any number of
    directories."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts))


def sources(given: str, is_data: Callable[[str], bool]) -> Iterator[tuple[str, int, str, str]]:
    """Yields the place, size and version of each file that an argument names, and its name relative
    to the part without wildcards. Of a directory it yields the files with names for which `is_data`
    returns true, but no hidden files and no markers such as _SUCCESS."""

    def visible(name: str) -> bool:
        return not any(part[:1] in "._" for part in name.split("/") if part) and is_data(name)

    fixed = re.split(r"[*?\[]", given, maxsplit=1)[0]
    wild = fixed != given
    base = fixed[: fixed.rfind("/") + 1]
    if is_url(given):
        import obstore

        opened, path = store(given)
        root = given[: len(given) - len(path)]
        if not wild and not path.endswith("/") and path:
            found = obstore.head(opened, path)
            yield given, found["size"], _tag(found), given[len(base) :]
            return
        if not wild:
            base, path = given.rstrip("/") + "/", path.rstrip("/") + "/**" if path else "**"
        below, matches = base[len(root) :], _pattern(path)
        for batch in obstore.list(opened, below.rstrip("/") or None):
            for found in batch:
                name = found["path"][len(below) :]
                if matches.fullmatch(found["path"]) and (wild or visible(name)):
                    yield root + found["path"], found["size"], _tag(found), name
        return
    if os.path.isdir(given):
        base, given, wild = os.path.join(given, ""), os.path.join(glob.escape(given), "**"), False
    elif not wild or os.path.exists(given):
        base, given, wild = os.path.join(os.path.dirname(given), ""), glob.escape(given), True
    for path in sorted(glob.glob(given, recursive=True)):
        name = path[len(base) :]
        if os.path.isfile(path) and (wild or visible(name)):
            yield path, os.path.getsize(path), version(path), name


#: The value of a directory's column if it is null, as Hive writes it.
NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"


def partition(folder: str) -> tuple[str, str | None] | None:
    """Returns the column and the value that the name of a directory states as COLUMN=VALUE, in the
    form of Hive, in which special characters are percent-encoded; None for another name."""
    column, equals, value = folder.partition("=")
    if not column or not equals:
        return None
    return urllib.parse.unquote(column), None if value == NULL_PARTITION else urllib.parse.unquote(value)


def below_partitions(place: str, name: str) -> str:
    """Returns the name of a file relative to the directory above those that state columns, which may
    be above the directory that was given."""
    base = place[: len(place) - len(name)].rstrip("/")
    while partition(folder := base.rpartition("/")[2]) is not None:
        base, name = base[: len(base) - len(folder)].rstrip("/"), f"{folder}/{name}"
    return name


def _tag(found: Any) -> str:
    return f"{found['size']} {found['e_tag'] or found['last_modified']}"


def version(place: str) -> str:
    """Returns a text that changes when the file changes: its size with its time of modification, or
    with the entity tag of the object."""
    if is_url(place):
        import obstore

        return _tag(obstore.head(*store(place)))
    status = os.stat(place)
    return f"{status.st_size} {status.st_mtime_ns}"


class _Object(io.RawIOBase):
    """An object of a store as a Python file."""

    def __init__(self, place: str) -> None:
        import obstore

        opened, path = store(place)
        self.opened = obstore.open_reader(opened, path, buffer_size=8 << 20)

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


def reader(place: str) -> Any:
    """Returns the file as a pyarrow.NativeFile."""
    import pyarrow

    return pyarrow.PythonFile(_Object(place), mode="r") if is_url(place) else pyarrow.OSFile(place)


def content(place: str) -> bytes | None:
    """Returns the content of a small file, or None if it does not exist."""
    try:
        if not is_url(place):
            with open(place, "rb") as file:
                return file.read()
        import obstore

        opened, path = store(place)
        return bytes(obstore.get(opened, path).bytes())
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise UsageError(f"{os.path.dirname(place)}: it is a file, and not a directory") from error


def present(out: str) -> Callable[[str], bool]:
    """Returns a function that returns whether OUT contains an output of that name. An object store
    is listed once."""
    if not is_url(out):
        return lambda name: os.path.lexists(join(out, name))
    import obstore

    opened, path = store(join(out, ""))
    names = {found["path"][len(path) :] for batch in obstore.list(opened, path or None) for found in batch}
    return names.__contains__


def remove(place: str) -> None:
    if not is_url(place):
        os.unlink(place)
        return
    import obstore

    obstore.delete(*store(place))


def abort_uploads(url: str, names: set[str] | None = None) -> None:
    """Aborts the multipart uploads below a URL whose names relative to it are in `names` (None for
    all), so that their parts are not kept and paid for. Only S3 lists them: Azure discards such
    parts after a week, and Google's store has a lifecycle rule for them."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("s3", "s3a"):
        return
    import boto3

    bucket, _, path = rest.partition("/")
    prefix = path.rstrip("/") + "/" if path and names is not None else path
    client = boto3.client("s3")
    for page in client.get_paginator("list_multipart_uploads").paginate(Bucket=bucket, Prefix=prefix):
        for upload in page.get("Uploads", []):
            if names is None and upload["Key"] != path:
                continue
            if names is None or upload["Key"][len(prefix) :] in names:
                client.abort_multipart_upload(Bucket=bucket, Key=upload["Key"], UploadId=upload["UploadId"])
