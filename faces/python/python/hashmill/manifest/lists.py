"""The program's manifests of directories, and lists of digests in the forms of GNU's programs, BSD's
and `hashmill sum --json`, so that they can be compared with the manifest of a store."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator

from hashmill._hashmill import _canonical

from .reading import Row, digest_size
from .record import ManifestError
from .stores import Object

#: The size of a file whose list does not contain sizes.
UNKNOWN_SIZE = -1

_MANIFEST = b"# hashmill manifest "
_END = re.compile(rb"# end of (\d+) files?\b")
_TAGGED = re.compile(rb"(\\?)([A-Za-z0-9/-]+) ?\((.*)\) ?= ?([0-9A-Fa-f]+)")
_PLAIN = re.compile(rb"(\\?)([0-9A-Fa-f]+) [ *](.+)")
_ESCAPES = {rb"\\": b"\\", rb"\n": b"\n", rb"\r": b"\r"}


class List:
    """A list of digests, with names relative to a directory. It is read into memory."""

    def __init__(self, path: str, algorithm: str) -> None:
        """Reads a list, or standard input if the path is "-". `algorithm` is that of lines that
        name none.

        Raises ManifestError if a line has none of the forms, or if a manifest is not complete.
        """
        self._algorithm = algorithm
        self._files: dict[bytes, Row] = {}
        try:
            with open(0 if path == "-" else path, "rb") as file:
                lines = file.read().split(b"\n")
        except OSError as error:
            raise ManifestError(f"{path}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            line = line.removesuffix(b"\r")
            if line and not line.startswith(b"#"):
                try:
                    self._add(line)
                except (AttributeError, KeyError, TypeError, ValueError) as error:
                    reason = str(error) or "this is no digest of a file"
                    raise ManifestError(f"{path}, line {number}: {reason}") from None
        if lines[0].startswith(_MANIFEST):
            end = _END.match(lines[-2]) if len(lines) > 1 else None
            if not end or int(end[1]) != len(self._files):
                raise ManifestError(f"{path} is not complete: its number of files is not that of its end")
        names = [name for row in self._files.values() for name in row.digests]
        self.algorithms = tuple(dict.fromkeys(names))

    def rows(self) -> Iterator[Row]:
        """Returns all files in ascending order of their names."""
        return iter(sorted(self._files.values(), key=lambda row: row.object.key))

    def _add(self, line: bytes) -> None:
        if line.startswith(b"{"):
            fields = json.loads(line)
            name = fields["name"].encode() if "name" in fields else base64.b64decode(fields["name_base64"], validate=True)
            self._record(name, int(fields.get("size", UNKNOWN_SIZE)), fields["digests"].items())
        elif found := _TAGGED.fullmatch(line):
            escaped, algorithm, name, digest = found.groups()
            self._record(_unescaped(name, escaped), UNKNOWN_SIZE, [(algorithm.decode(), digest.decode())])
        elif found := _PLAIN.fullmatch(line):
            escaped, digest, name = found.groups()
            self._record(_unescaped(name, escaped), UNKNOWN_SIZE, [(self._algorithm, digest.decode())])
        else:
            raise ValueError

    def _record(self, name: bytes, size: int, digests: Iterable[tuple[str, str]]) -> None:
        """Adds digests of a file. Those of algorithms that hashmill lacks are left out."""
        name = name.removeprefix(b"./")
        row = self._files.setdefault(name, Row(Object(name, size, None, 0), "ok", {}))
        for algorithm, text in digests:
            known = _canonical(algorithm)
            if known is None:
                continue
            digest = bytes.fromhex(text)
            if len(digest) != digest_size(known):
                raise ValueError(f"a digest of {len(digest)} bytes is not one of {known}")
            if row.digests.setdefault(known, digest) != digest:
                raise ValueError("another digest of this file is in the list")


def _unescaped(name: bytes, escaped: bytes) -> bytes:
    """Returns a name. In a line that begins with a backslash, it is written with escapes."""
    return re.sub(rb"\\[\\nr]", lambda found: _ESCAPES[found[0]], name) if escaped else name
