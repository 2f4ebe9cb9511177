"""The plan of a job: its tasks, of which it keeps a list in OUT to continue where it stopped."""

from __future__ import annotations

import glob
import hmac
import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from .errors import UsageError, sentence
from .formats import format_of, refusal
from .keys import Key
from .places import NULL_PARTITION, abort_uploads, below_partitions, content, is_url, join, partition, present, remove, sources
from .reading import constant, parquet_metadata
from .steps import Spec, digests
from .writing import Output

#: The file in OUT with the plan of a job: the first line describes the computation, each other line
#: is a task.
PLAN = "_columns.jsonl"


@dataclass(frozen=True)
class Task:
    """A file, or some of its row groups, and the name of the output."""

    source: str
    size: int
    #: What places.version() returned for the file.
    version: str
    #: The name of the output in OUT.
    output: str
    groups: tuple[int, ...] | None = None
    #: The columns and values that the names of the file's directories state.
    partitions: tuple[tuple[str, str | None], ...] = ()


def tasks_of(inputs: Iterable[str], spec: Spec, key: Key | None, split: int) -> list[Task]:
    """Returns the tasks of these arguments, in order. No two tasks have the same output."""
    tasks: list[Task] = []
    for given in inputs:
        try:
            found = sorted(sources(given, lambda name: format_of(name) is not None))
        except FileNotFoundError:
            found = []
        except OSError as error:
            raise UsageError(f"{given}: {error.strerror or sentence(error)}") from error
        if not found:
            raise UsageError(f"{given}: there is no such file")
        for place, size, tag, name in found:
            kind = format_of(name)
            if kind is None:
                raise UsageError(f"{place}: {refusal(name)}")
            *folders, last = below_partitions(place, name).split("/")
            ending = kind.ending if spec.format in (None, kind.name) else f".{spec.format}"
            output = last[: len(last) - len(kind.ending)] + ending
            partitions = tuple(filter(None, map(partition, folders)))
            task = Task(place, size, tag, "/".join([*_folders(folders, spec, key), output]), None, partitions)
            tasks += _split(task, split)
    outputs: dict[str, str] = {}
    for task in tasks:
        if (other := outputs.setdefault(task.output, task.source)) != task.source:
            stated = ", ".join(name for name, _ in task.partitions)
            hint = f"; keep the columns that their directories state ({stated})" if stated else ""
            raise UsageError(f"{other} and {task.source} would both become {task.output}{hint}")
    unique = dict.fromkeys(tasks)
    return list(unique)


def _folders(folders: list[str], spec: Spec, key: Key | None) -> Iterable[str]:
    """Yields the directories of an output, given those of the file. One that states a column is
    treated as the column is: it stays, it states the digest of the value, or it is left out."""
    for folder in folders:
        stated = partition(folder)
        if stated is None or spec.clear([stated[0]]):
            yield folder
            continue
        for step in spec.steps:
            if step.added is None and step.columns[0] == stated[0]:
                try:
                    values = constant(*stated, spec.types, 1)
                    digest = digests(values, step, replace(spec, output="hex"), key, 1)[0].as_py()
                except (TypeError, ValueError) as error:
                    raise UsageError(f"{folder}: {sentence(error)}") from error
                yield f"{folder.partition('=')[0]}={NULL_PARTITION if digest is None else digest}"


def _split(task: Task, split: int) -> list[Task]:
    """Splits the task of a Parquet file larger than `split` bytes into several tasks; 0 means
    never. A damaged file is one task."""
    kind = format_of(task.output)
    if split == 0 or task.size <= split or not task.source.lower().endswith((".parquet", ".pq")) or kind is None:
        return [task]
    try:
        metadata = parquet_metadata(task.source)
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
    return [
        replace(
            task, size=task.size * len(part) // metadata.num_row_groups, output=f"{kind.stem}-{i:05}{kind.ending}",
            groups=tuple(part),
        )
        for i, part in enumerate(parts)
    ]


def begin(out: str, tasks: list[Task], spec: Spec, key: Key | None, overwrite: bool) -> tuple[str, list[Task]]:
    """Writes the plan, or resumes the plan in OUT. Returns the name of the job and the tasks that
    are not done."""
    sources = {os.path.abspath(task.source) if not is_url(task.source) else task.source for task in tasks}
    for task in tasks:
        place = join(out, task.output)
        if (place if is_url(place) else os.path.abspath(place)) in sources:
            raise UsageError(f"{place}: it would be both read and written")
    wanted = json.loads(json.dumps(asdict(spec)))
    done: set[str] = set()
    before: dict[str, Any] = {}
    is_there = present(out)
    job = secrets.token_hex(8)
    old = None if overwrite else content(join(out, PLAN))
    if old is not None:
        try:
            head, *written = map(json.loads, old.decode().splitlines())
            before = {line["output"]: line for line in written}
            wanted_then, check = head["spec"], head["key"]
            job = str(head["job"])
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{join(out, PLAN)}: it is damaged; --overwrite begins anew") from error
        if wanted_then != wanted:
            raise UsageError(f"{out}: it has the results of another job; --overwrite replaces them")
        if not hmac.compare_digest(str(check), str(_check(key, job))):
            raise UsageError(f"{out}: it has results with another key; --overwrite replaces them")
        for task in tasks:
            same = before.get(task.output) == json.loads(json.dumps(asdict(task)))
            if same and is_there(task.output):
                done.add(task.output)
    rest = [task for task in tasks if task.output not in done]
    for task in rest:
        if is_there(task.output):
            place = join(out, task.output)
            if not overwrite and task.output not in before:
                raise UsageError(f"{place}: it exists, and is not this job's; --overwrite replaces it")
            remove(place)
    head = {"hashmill": 1, "job": job, "spec": wanted, "key": _check(key, job)}
    output = Output(out, PLAN, job)
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


def tidy(out: str, tasks: Iterable[Task], job: str) -> None:
    """Removes the temporary files, or aborts the uploads, of attempts of this job that failed or
    were killed."""
    if is_url(out):
        abort_uploads(out, {PLAN, *(task.output for task in tasks)})
    else:
        for folder in {os.path.dirname(join(out, task.output)) for task in tasks}:
            for path in glob.glob(os.path.join(glob.escape(folder), f".*.{job}-*.tmp")):
                os.unlink(path)
