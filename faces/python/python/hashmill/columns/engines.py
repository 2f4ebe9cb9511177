"""The engines that perform tasks: this machine, and a Ray cluster."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from .errors import Unwritable, sentence
from .formats import format_of
from .keys import Key
from .places import version
from .plan import Task
from .reading import TextOptions, ahead, read
from .steps import Spec, check_columns, hashed
from .writing import Output, write


def carry_out(
    task: Task, spec: Spec, key: Key | None, out: str, job: str, threads: int,
    advance: Callable[[float, int], object] = lambda part, rows: None,
) -> int:  # fmt: skip
    """Performs a task, commits its output and returns its number of rows. Calls advance() with the
    fraction of the task, and the number of rows, that were done since the last call."""
    options = TextOptions(spec.delimiter, spec.csv_null)
    schema, total, batches = read(task.source, task.groups, options, spec.types, threads, task.partitions)
    check_columns(schema.names, spec)

    def results() -> Iterator[Any]:
        # The first batch has no rows, because the output of a file without rows needs a schema, too.
        yield hashed(_no_rows(schema), spec, key, threads, len(task.partitions))
        for batch in ahead(batches):
            yield hashed(batch, spec, key, threads, len(task.partitions))

    kind = format_of(task.output)
    assert kind is not None  # Outputs are named after their formats.
    output = Output(out, task.output, job)
    try:
        names = {step.result for step in spec.steps}
        rows = write(
            results(), kind, spec.delimiter, names, output, lambda rows: advance(rows / total if total else 0.0, rows)
        )
        if version(task.source) != task.version:
            raise ValueError("it changed while it was read")
        output.commit()
    except BaseException:
        output.abandon()
        raise
    return rows


def _no_rows(schema: Any) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays([pyarrow.array([], field.type) for field in schema], schema=schema)


def attempt(*given: Any) -> tuple[str, Any]:
    """Calls carry_out and returns ("done", rows), ("failed", reason), or ("stop", reason) if no
    output can be written."""
    try:
        return "done", carry_out(*given)
    except Unwritable as error:
        return "stop", str(error)
    except ImportError:
        raise
    except Exception as error:  # Readers raise many types for a damaged file.
        return "failed", f"{given[0].source}: {sentence(error)}"


class Report:
    """The progress bar, if standard error is a terminal, and the counts of outputs, rows and
    failures."""

    def __init__(self, tasks: list[Task], total: int) -> None:
        import tqdm

        self.sizes = {task: task.size for task in tasks}
        self.bar = tqdm.tqdm(
            total=sum(self.sizes.values()), unit="B", unit_scale=True, disable=None, file=sys.stderr, dynamic_ncols=True
        )
        self.before = total - len(tasks)
        self.done = self.rows = self.shown = self.failed = 0
        self.start = time.monotonic()
        self.parts: dict[Task, float] = {}

    def advance(self, task: Task, part: float, rows: int = 0) -> None:
        part = min(part, 1 - self.parts.get(task, 0.0))
        self.parts[task] = self.parts.get(task, 0.0) + part
        self.shown += rows
        self.bar.set_postfix_str(self.rate(self.shown), refresh=False)
        self.bar.update(part * task.size)

    def rate(self, rows: int) -> str:
        a_second = rows / max(time.monotonic() - self.start, 1e-3)
        return f"{a_second / 1e6:.2f} M rows/s" if a_second >= 1e5 else f"{a_second:.0f} rows/s"

    def end(self, task: Task, end: str, what: Any) -> None:
        """Counts the result of an attempt. Raises Unwritable if no output can be written."""
        self.advance(task, 1)
        if end == "done":
            self.done += 1
            self.rows += int(what)
            return
        self.failed += 1
        if end == "stop":
            raise Unwritable(what)
        self.say(what)

    def say(self, text: str) -> None:
        self.bar.write(f"hashmill columns: {text}", file=sys.stderr)

    def close(self) -> None:
        self.bar.close()
        before = f", {self.before} were done before" if self.before else ""
        failed = f", {self.failed} failed" if self.failed else ""
        rate = f", {self.rate(self.rows)}" if self.rows else ""
        print(f"{self.done} outputs of {self.rows} rows{before}{failed}{rate}", file=sys.stderr)


def here(tasks: list[Task], given: tuple[Any, ...], report: Report) -> None:
    """Performs all tasks on this machine, one after the other. Each task uses all cores."""
    for task in tasks:
        report.end(task, *attempt(task, *given, 0, lambda part, rows, task=task: report.advance(task, part, rows)))


def on_ray(tasks: list[Task], given: tuple[Any, ...], report: Report, address: str | None, retries: int) -> None:
    """Performs all tasks on a Ray cluster, one core each. Ray restarts a task when its worker dies,
    at most `retries` times."""
    import ray

    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    remote = ray.remote(num_cpus=1, max_retries=retries)(attempt)
    # One task waits for each core, and the scheduler does not have to hold a million tasks.
    limit = 2 * max(1, int(ray.cluster_resources().get("CPU", 1))) + 2
    waiting = iter(tasks)
    running: dict[Any, Task] = {}
    try:
        while True:
            for task in waiting:
                running[remote.remote(task, *given, 1)] = task
                if len(running) >= limit:
                    break
            if not running:
                return
            for reference in ray.wait(list(running))[0]:
                task = running.pop(reference)
                try:
                    end, what = ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    end, what = "failed", f"{task.source}: {sentence(error.cause or error)}"
                except ray.exceptions.RayError as error:
                    end, what = "failed", f"{task.source}: its workers died: {type(error).__name__}"
                report.end(task, end, what)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
