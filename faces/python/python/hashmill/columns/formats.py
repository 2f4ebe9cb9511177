"""The formats of files, by the endings of their names."""

from __future__ import annotations

from dataclasses import dataclass

#: The format for each ending of a file name.
FORMATS = {
    ".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow",
}  # fmt: skip

#: pyarrow's name of the compression for each ending that may follow that of a text format.
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}

_TEXT = ("csv", "tsv")


@dataclass(frozen=True)
class Format:
    """The format that a file name states."""

    name: str
    compression: str | None
    #: The file name without the endings.
    stem: str
    #: The endings.
    ending: str


def format_of(name: str) -> Format | None:
    """Returns the format of a file name, or None if there is none of that name. Only text is
    compressed as a whole, because Parquet and Arrow compress their columns."""
    ending = next((it for it in COMPRESSIONS if name.lower().endswith(it)), "")
    inner = name[: len(name) - len(ending)]
    for inner_ending, format in FORMATS.items():
        if inner.lower().endswith(inner_ending) and (not ending or format in _TEXT):
            stem = inner[: len(inner) - len(inner_ending)]
            return Format(format, COMPRESSIONS.get(ending), stem, name[len(stem) :])
    return None


def refusal(name: str) -> str:
    """Returns why a file of that name is not read."""
    if name.lower().endswith((".jsonl", ".ndjson", ".json", ".json.gz", ".jsonl.gz", ".jsonl.zst")):
        return "JSON has no types for columns; convert it to Parquet, for example with DuckDB"
    endings = ", ".join(FORMATS)
    return f"the name does not end as one of {endings}; {' and '.join(COMPRESSIONS)} may follow {' and '.join('.' + it for it in _TEXT)}"
