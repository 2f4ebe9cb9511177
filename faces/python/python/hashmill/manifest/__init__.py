"""Manifests of object stores: a list of the objects of a bucket, with digests, in a Parquet file.

    python -m hashmill manifest s3://bucket/prefix -o manifest.parquet

It needs the packages of the extra manifest, and those of ray for --engine ray.

The columns are key (text) and key_bytes (only if the key is not UTF-8), size, etag, last_modified,
version, one binary column for each digest, s3_sha256 (the SHA-256 in the form of S3: Base64,
followed by -N if it covers N parts), source ("read", or "store" for digests that the store keeps),
status ("ok", "missing", "changed", "error") and error. Rows are in ascending order of the keys'
bytes. A row has digests only if the object of that size and ETag was read to its end, or if the
store returned the digest of that object.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple

import hashmill
from hashmill._hashmill import _canonical

if TYPE_CHECKING:
    from .lists import List
    from .reading import Row, Wanted
    from .record import Manifest
    from .stores import Object, Options, Store

__all__ = ["EXTRA", "add_arguments", "run"]

#: The extra of the package that installs the libraries that this module needs.
EXTRA = "manifest"

#: A part ends when it has this many objects, or this many bytes to read.
PART, PART_BYTES = 10_000, 4 << 30
#: The largest number of unreadable objects that are reported by name.
NAMED = 20

_EPILOG = """\
A run that is killed leaves OUTPUT.parts. The same command goes on from there. It reads no object again whose size, ETag
and time of modification are as recorded; nor does a later run with the same OUTPUT.

Exit status: 0 if everything was recorded, or nothing differs; 1 if objects could not be read or something differs; 2 if
the work could not be done or the arguments make no sense; 3 if --verify finds an object whose content differs though
nobody wrote to it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `python -m hashmill manifest`."""
    parser.description = "Record what is in an object store, with digests, in a Parquet file; verify and compare that."
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("url", nargs="?", metavar="URL", help="s3://bucket/prefix, gs://…, az://container/prefix, file:///directory")
    add("-o", "--output", metavar="FILE", help="the manifest to write")
    add("--verify", metavar="FILE", help="read all objects of this manifest again, and write what differs")
    add("--compare", nargs=2, metavar=("A", "B"), help="write what differs between two manifests, of which one may be of the program or a list of digests")
    add("--list", metavar="FILE", help="write a manifest as a list of digests, which 'hashmill manifest compare' reads")
    add("--json", action="store_true", help="write differences as lines of JSON")
    add("-a", "--algorithm", action="append", metavar="ALGO", help="a digest; may be given several times (sha256)")
    add("--use-store-digests", action="store_true", help="take the SHA-256 that S3 keeps, and do not read such objects")
    add("--s3-part-size", metavar="SIZE", type=_size, help="record the SHA-256 of multipart uploads with such parts")
    add("--engine", choices=("local", "ray"), default="local", help="what reads and hashes (local)")
    add("--address", help="of the Ray cluster; without it, Ray starts on this machine")
    add("--concurrency", type=_count, default=64, metavar="N", help="requests at a time, for Ray in each task (64)")
    add("--memory", type=_size, default=256 << 20, metavar="SIZE", help="for objects' bytes, for Ray in each task (256M)")
    add("--retries", type=int, default=10, metavar="N", help="of a request, with growing delays (10)")
    add("--timeout", type=float, default=30.0, metavar="SECONDS", help="for one request (30)")
    add("--max-failures", type=_count, default=1000, metavar="N", help="stop when so many objects in a row fail (1000)")
    add("--anonymous", action="store_true", help="sign no request")
    add("--allow-http", action="store_true", help="allow gs:// and az:// without TLS, for servers of one's own")
    add("--sort-listing", action="store_true", help="for stores that do not list in the order of the keys; takes memory")
    # The tests make this small.
    add("--part-rows", type=_count, default=PART, help=argparse.SUPPRESS)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text} is no size; 8M is one, of 8 MiB")
    return int(found[1]) << 10 * " KMGT".index(found[2].upper() or " ")


class _Stop(Exception):
    """Ends the work. Its message is printed for the user."""


def run(args: argparse.Namespace) -> int:
    """Carries out `python -m hashmill manifest` and returns the exit status."""
    if os.name != "posix":
        return _fail("this needs locks of files as POSIX systems have them")
    from .record import ManifestError
    from .stores import StoreError

    # Rows and objects form no cycles. To look for cycles as often as usual took 9 % of the CPU time.
    often = gc.get_threshold()
    gc.set_threshold(100_000, 10, 10)
    try:
        if sum(map(bool, (args.output, args.verify, args.compare, args.list))) != 1:
            raise _Stop("give one of --output, --verify, --compare and --list")
        if args.list:
            if args.url:
                raise _Stop("--list takes a manifest and no URL")
            return _list(args)
        if args.compare:
            if args.url:
                raise _Stop("--compare takes two manifests and no URL")
            return _compare(args)
        return _verify(args) if args.verify else _create(args)
    except (_Stop, ManifestError, StoreError) as error:
        return _fail(str(error))
    except OSError as error:
        name = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return _fail(f"{name}{error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    finally:
        gc.set_threshold(*often)


def _fail(sentence: str) -> int:
    print(f"hashmill manifest: {sentence}", file=sys.stderr)
    return 2


def _shown(key: bytes) -> str:
    """Returns a key as one line for a terminal. Control characters, line separators, backslashes
    and bytes that are not UTF-8 are written as \\xNN."""
    text = key.decode(errors="surrogateescape")

    def escape(found: re.Match[str]) -> str:
        return "".join(f"\\x{byte:02x}" for byte in found[0].encode(errors="surrogateescape"))

    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\\\\\ud800-\udfff]", escape, text)


# The job and the engines that perform it.


class _Job(NamedTuple):
    """The parameters that every process needs to read objects."""

    url: str
    options: Options
    wanted: Wanted
    concurrency: int
    memory: int


def _job(args: argparse.Namespace, url: str, wanted: Wanted) -> _Job:
    from .stores import Options

    if args.retries < 0 or args.timeout <= 0:
        raise _Stop("--retries takes 0 or more, --timeout more than 0")
    options = Options(args.retries, args.timeout, args.concurrency, args.anonymous, args.allow_http)
    return _Job(url, options, wanted, args.concurrency, args.memory)


def _algorithms(names: Sequence[str] | None) -> tuple[str, ...]:
    found = []
    for name in names or ["sha256"]:
        own = name.lower() if name.lower() in ("kt128", "kt256") else _canonical(name)
        if own is None or "shake" in own or "xof" in own:
            known = sorted(it for it in hashmill.algorithms_own if "shake" not in it and "xof" not in it)
            raise _Stop(f"{name} is no algorithm for manifests; these are: {', '.join([*known, 'kt128', 'kt256'])}")
        found.append(own)
    return tuple(dict.fromkeys(found))


#: The stores that a worker has opened. It keeps them for its next tasks.
_STORES: dict[tuple[str, Options], Store] = {}


def _opened(url: str, options: Options) -> Store:
    from .stores import opened

    if (url, options) not in _STORES:
        _STORES[url, options] = opened(url, options)
    return _STORES[url, options]


async def _read_all(job: _Job, objects: list[Object]) -> list[Row]:
    """Reads and hashes the objects of one task of a cluster."""
    from .reading import Reader

    # boto3 blocks, so each HEAD request and each read of an odd key occupies a thread.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(job.concurrency))
    store = _opened(job.url, job.options)
    reader = Reader(store, job.wanted, concurrency=job.concurrency, memory=job.memory)
    try:
        return await reader.hash(objects)
    finally:
        reader.close()


Work = Iterable[tuple[int, list["Object"]]]
Done = Iterator[tuple[int, list["Row"]]]


def _local(store: Store, job: _Job, work: Work, progress: Callable[[int, int], object]) -> Done:
    """Reads lists of objects in this process, two lists at a time, so that the network is not idle
    while the last objects of a list are read."""
    from .reading import Reader

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    loop.set_default_executor(ThreadPoolExecutor(job.concurrency))
    reader = Reader(store, job.wanted, concurrency=job.concurrency, memory=job.memory, progress=progress)
    thread.start()
    running: dict[Future[list[Row]], int] = {}
    try:
        for number, objects in work:
            running[asyncio.run_coroutine_threadsafe(reader.hash(objects), loop)] = number
            while len(running) >= 2:
                yield from _finished(running)
        while running:
            yield from _finished(running)
    finally:
        asyncio.run_coroutine_threadsafe(_cancelled(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        reader.close()


async def _cancelled() -> None:
    """Cancels all tasks that still run and ignores their exceptions."""
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    tasks = [it for it in asyncio.all_tasks() if it is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _finished(running: dict[Future[list[Row]], int]) -> Done:
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        yield running.pop(future), future.result()


def _ray(address: str | None, job: _Job, work: Work, progress: Callable[[int, int], object]) -> Done:
    """Reads each list of objects in a task of a Ray cluster. Ray repeats a task when its process
    dies, at most five times."""
    import ray

    def task(objects: list[Object]) -> list[Row]:
        return asyncio.run(_read_all(job, objects))

    try:
        ray.init(address=address, logging_level="error", log_to_driver=False, include_dashboard=False if not address else None)
    except Exception as error:
        raise _Stop(f"Ray does not start: {error}") from error
    try:
        remote = ray.remote(num_cpus=1, max_retries=5)(task)
        most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        running: dict[Any, int] = {}

        def finished() -> Done:
            done, _ = ray.wait(list(running), num_returns=1)
            for it in done:
                try:
                    rows = ray.get(it)
                except ray.exceptions.RayTaskError as error:
                    raise _Stop(f"a task failed: {error.cause or error}") from error
                except ray.exceptions.RayError as error:
                    raise _Stop(f"a task was lost, after five retries: {error}") from error
                progress(len(rows), sum(row.object.size for row in rows if row.status == "ok"))
                yield running.pop(it), rows

        for number, objects in work:
            running[remote.remote(objects)] = number
            while len(running) >= most:
                yield from finished()
        while running:
            yield from finished()
    finally:
        ray.shutdown()


def _engine(args: argparse.Namespace, store: Store, job: _Job, work: Work, progress: Callable[[int, int], object]) -> Done:
    if args.engine == "ray":
        return _ray(args.address, job, work, progress)
    return _local(store, job, work, progress)


class _Progress:
    """A progress bar on standard error, if that is a terminal."""

    def __init__(self) -> None:
        from tqdm import tqdm

        off = not sys.stderr.isatty()
        self.bar: Any = tqdm(unit="B", unit_scale=True, unit_divisor=1024, disable=off, mininterval=0.2)
        self.objects = 0

    def __call__(self, objects: int, size: int) -> None:
        self.objects += objects
        if not self.bar.disable:
            self.bar.set_postfix_str(f"{self.objects} objects", refresh=False)
            self.bar.update(size)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()


class _Unread:
    """The objects that could not be read. The first NAMED are named, all are counted, and `most`
    errors in a row end the work."""

    def __init__(self, most: int) -> None:
        self.most, self.in_a_row, self.count = most, 0, 0
        self.named: list[str] = []

    def see(self, rows: list[Row]) -> None:
        for row in rows:
            if row.status == "ok":
                self.in_a_row = 0
                continue
            self.count += 1
            if len(self.named) < NAMED:
                self.named.append(f"{row.status} {_shown(row.object.key)}: {row.error}")
            self.in_a_row += row.status == "error"
            if self.in_a_row >= self.most:
                raise _Stop(f"{self.in_a_row} objects in a row cannot be read, the last one: {row.error}")

    def add(self, troubles: list[str]) -> None:
        self.count += len(troubles)
        self.named += [f"error {it}" for it in troubles[:NAMED]]

    def report(self) -> None:
        for line in self.named:
            print(line, file=sys.stderr)
        if self.count > len(self.named):
            print(f"and {self.count - len(self.named)} more", file=sys.stderr)


def _listed(store: Store, sort: bool) -> Iterator[Object]:
    """Yields all objects in ascending order of their keys. Raises _Stop if the store lists them in
    another order. All code of this module relies on the order."""
    pages: Iterable[list[Object]] = store.pages()
    if sort:
        pages = [sorted(it for page in pages for it in page)]
    last = None
    for page in pages:
        for it in page:
            if last is not None and it.key <= last:
                keys = f"{_shown(it.key)} after {_shown(last)}"
                raise _Stop(f"{store.url} does not list in the order of the keys ({keys}): --sort-listing sorts them in memory")
            last = it.key
            yield it


# Create.


def _enough(row: Row, it: Object, job: _Job) -> bool:
    """Returns whether a recorded row describes this version of the object and has all wanted
    digests."""
    wanted = job.wanted
    if row.status != "ok" or not row.object.same(it):
        return False
    if row.source == "store":
        return wanted.store_digests and (bool(row.digests) or bool(wanted.part_size))
    return all(name in row.digests for name in wanted.algorithms) and not (wanted.part_size and not row.s3_sha256)


def _create(args: argparse.Namespace) -> int:
    from .reading import Row, Wanted
    from .record import Recording
    from .stores import opened

    if not args.url:
        raise _Stop("give the URL of what is to be recorded")
    wanted = Wanted(_algorithms(args.algorithm), args.s3_part_size, args.use_store_digests)
    job = _job(args, args.url, wanted)
    store = opened(args.url, job.options)
    recording = Recording(args.output, store.url, wanted)
    unread, counts = _Unread(args.max_failures), {"objects": 0, "bytes": 0, "kept": 0, "store": 0}
    #: For each part, the rows that are already known, with None for each object that must be read.
    parts: dict[int, list[Row | None]] = {}

    def work() -> Work:
        earlier = recording.earlier()
        ahead = next(earlier, None)
        rows: list[Row | None] = []
        to_read: list[Object] = []
        number = size = 0
        for it in _listed(store, args.sort_listing):
            known = None
            while ahead is not None and ahead.object.key <= it.key:
                if ahead.object.key == it.key and _enough(ahead, it, job):
                    known = ahead._replace(
                        object=it, digests={name: ahead.digests[name] for name in wanted.algorithms if name in ahead.digests}
                    )
                ahead = next(earlier, None)
            rows.append(known)
            if known is None:
                to_read.append(it)
                size += it.size
            if len(rows) >= args.part_rows or size >= PART_BYTES:
                parts[number] = rows
                yield number, to_read
                rows, to_read, size, number = [], [], 0, number + 1
        if rows:
            parts[number] = rows
            yield number, to_read

    try:
        with _Progress() as progress:
            for number, read in _engine(args, store, job, work(), progress):
                unread.see(read)
                fresh = iter(read)
                known = parts.pop(number)
                recording.commit(number, [row if row is not None else next(fresh) for row in known])
                counts["objects"] += len(known)
                counts["kept"] += len(known) - len(read)
                counts["store"] += sum(row.source == "store" for row in read)
                counts["bytes"] += sum(row.object.size for row in read if row.source == "read")
        if counts["objects"] == 0 and not recording.before:
            raise _Stop(f"there is no object below {store.url}")
        recording.finish()
    except BaseException:
        if recording.has_parts():
            print(f"hashmill manifest: {args.output} is not finished; the same command goes on", file=sys.stderr)
        raise
    finally:
        recording.close()
    unread.add(store.troubles)
    unread.report()
    read_count = counts["objects"] - counts["kept"] - counts["store"] - unread.count + len(store.troubles)
    summary = f"{counts['objects']} objects: {read_count} read ({counts['bytes']} bytes), {counts['kept']} unchanged"
    if counts["store"]:
        summary += f", {counts['store']} by the store's digests"
    if store.left_out:
        summary += f"; {store.left_out} symbolic links and special files left out"
    print(f"{summary}; {unread.count} not read", file=sys.stderr)
    return 1 if unread.count else 0


# Verify and compare.


class _Differences:
    """Writes differences as lines on standard output, and counts them."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.counts: dict[str, int] = {}

    def write(self, kind: str, key: bytes, **more: bytes | str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        shown = {name: _shown(value) if isinstance(value, bytes) else value for name, value in more.items()}
        if self.as_json:
            print(json.dumps({"difference": kind, "key": _shown(key), **shown}))
        else:
            print(" ".join([kind, _shown(key), *(f"{name} {value}" for name, value in shown.items())]))

    def status(self) -> int:
        summary = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        print(summary or "nothing differs", file=sys.stderr)
        return 3 if "corrupt" in self.counts else 1 if self.counts else 0


def _joined(left: Iterator[Any], right: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    """Merges two ascending sequences of (key, value) into pairs of values with the same key. A
    value is None if its sequence does not have the key."""
    a, b = next(left, None), next(right, None)
    while a is not None or b is not None:
        if b is None or (a is not None and a[0] < b[0]):
            yield a[1], None  # type: ignore[index]
            a = next(left, None)
        elif a is None or b[0] < a[0]:
            yield None, b[1]
            b = next(right, None)
        else:
            yield a[1], b[1]
            a, b = next(left, None), next(right, None)


def _same(a: Row, b: Row, algorithms: Iterable[str]) -> bool | None:
    """Returns whether two rows record the same content, or None if they have no digest in
    common."""
    common = [name for name in algorithms if name in a.digests and name in b.digests]
    if common:
        sizes = {it.object.size for it in (a, b) if it.object.size >= 0}
        return len(sizes) < 2 and all(a.digests[name] == b.digests[name] for name in common)
    if a.s3_sha256 and b.s3_sha256:
        return a.s3_sha256 == b.s3_sha256
    return None


def _verify(args: argparse.Namespace) -> int:
    from .record import Manifest

    if args.algorithm or args.use_store_digests:
        raise _Stop("--verify reads all objects, with the manifest's algorithms")
    differences = _Differences(args.json)
    if args.url:
        count = _verify_store(args, args.url, Manifest(args.verify), differences)
    else:
        stores = dict.fromkeys(Manifest(args.verify).stores)
        count = sum(_verify_store(args, url, Manifest(args.verify, url), differences) for url in stores)
    print(f"{count} objects read again", file=sys.stderr)
    return differences.status()


def _verify_store(args: argparse.Namespace, url: str, manifest: Manifest, differences: _Differences) -> int:
    """Writes the differences of one store and returns the number of objects that were read."""
    from .reading import Wanted
    from .stores import opened

    job = _job(args, url, Wanted(manifest.algorithms, args.s3_part_size or manifest.part_size))
    store = opened(url, job.options)
    prefix = f"{store.prefix}/".encode() if store.prefix else b""
    recorded: dict[int, list[Row]] = {}

    def work() -> Work:
        rows: list[Row] = []
        objects: list[Object] = []
        number = size = 0
        left = ((row.object.key, row) for row in manifest.rows() if row.object.key.startswith(prefix))
        for row, it in _joined(left, ((it.key, it) for it in _listed(store, args.sort_listing))):
            if it is None:
                if row.status != "missing":
                    differences.write("removed", row.object.key)
            elif row is None or row.status != "ok":
                differences.write("added", it.key)
            else:
                rows.append(row)
                objects.append(it)
                size += it.size
            if len(rows) >= args.part_rows or size >= PART_BYTES:
                recorded[number] = rows
                yield number, objects
                rows, objects, size, number = [], [], 0, number + 1
        if rows:
            recorded[number] = rows
            yield number, objects

    unread = _Unread(args.max_failures)
    count = 0
    with _Progress() as progress:
        for number, read in _engine(args, store, job, work(), progress):
            unread.see(read)
            for old, new in zip(recorded.pop(number), read, strict=True):
                count += new.status == "ok"
                if new.status == "missing":
                    differences.write("removed", new.object.key)
                elif new.status != "ok":
                    differences.write("unreadable", new.object.key, error=new.error or "")
                elif (same := _same(old, new, manifest.algorithms)) is None:
                    differences.write("unreadable", new.object.key, error="--s3-part-size is needed for its digest")
                elif not same:
                    differences.write("corrupt" if old.object.same(new.object) else "changed", new.object.key)
    for trouble in store.troubles:
        differences.write("unreadable", trouble.encode())
    return count


def _list(args: argparse.Namespace) -> int:
    """Writes the objects of a manifest as `hashmill sum --json` writes files. The names are relative
    to the URL of the store, as the names of files are relative to their directory."""
    from .record import Manifest

    manifest = Manifest(args.list)
    prefixes = {_prefix(url) for url in manifest.stores}
    if len(prefixes) > 1:
        raise _Stop("the manifest is of several stores, so its names are relative to none")
    prefix = prefixes.pop()
    without = 0
    for row in manifest.rows():
        if row.status == "missing":
            continue
        if row.status != "ok" or not row.digests:
            without += 1
            print(f"{_shown(row.object.key)}: no digest", file=sys.stderr)
            continue
        name = row.object.key.removeprefix(prefix)
        try:
            named = {"name": name.decode()}
        except UnicodeDecodeError:
            named = {"name_base64": base64.b64encode(name).decode()}
        digests = {name.replace("_", "-"): digest.hex() for name, digest in row.digests.items()}
        print(json.dumps({**named, "size": row.object.size, "digests": digests}))
    return 1 if without else 0


def _prefix(url: str) -> bytes:
    """Returns what the keys of a store have before the names below its URL."""
    scheme, _, rest = url.partition("://")
    prefix = rest.partition("/")[2].strip("/") if scheme != "file" else ""
    return f"{prefix}/".encode() if prefix else b""


def _recorded(path: str, algorithm: str) -> Manifest | List:
    """Opens a manifest of a store, or a list of digests of files."""
    from .lists import List
    from .record import Manifest

    try:
        with open(path, "rb") as file:
            is_list = file.read(4) != b"PAR1"
    except OSError:
        # A directory of manifests, standard input, or a file whose absence is reported there.
        is_list = path == "-"
    return List(path, algorithm) if is_list else Manifest(path)


def _relative(manifest: Manifest | List) -> Iterator[Row]:
    """Yields the rows with their names below the URL of the store, or below the directory."""
    prefixes = {_prefix(url) for url in getattr(manifest, "stores", [])} or {b""}
    if len(prefixes) > 1:
        raise _Stop("a manifest is of several stores, so its names are relative to none")
    prefix = prefixes.pop()
    for row in manifest.rows():
        yield row._replace(object=row.object._replace(key=row.object.key.removeprefix(prefix)))


def _compare(args: argparse.Namespace) -> int:
    from .record import Manifest

    algorithm = (args.algorithm or ["sha256"])[0]
    if (known := _canonical(algorithm)) is None or len(args.algorithm or []) > 1:
        raise _Stop("-a names the one algorithm of the digests in a list")
    a, b = (_recorded(path, known) for path in args.compare)
    common = [name for name in a.algorithms if name in b.algorithms]
    if not common:
        raise _Stop(f"the manifests have no digest in common: {', '.join(a.algorithms)}; {', '.join(b.algorithms)}")
    # The names of files are relative, so those of the store must be, too.
    keep = isinstance(a, Manifest) and isinstance(b, Manifest)
    rows = [it.rows() if keep else _relative(it) for it in (a, b)]
    left, right = (((row.object.key, row) for row in it) for it in rows)
    differences = _Differences(args.json)
    removed: dict[bytes, list[bytes]] = {}
    added: list[Row] = []
    for old, new in _joined(left, right):
        row = new or old
        if any(it is not None and it.status not in ("ok", "missing") for it in (old, new)):
            differences.write("unreadable", row.object.key)
            continue
        old, new = (it if it is not None and it.status == "ok" else None for it in (old, new))
        if old and new:
            same = _same(old, new, common)
            if same is None:
                differences.write("unreadable", row.object.key, error="the two have no digest in common")
            elif not same:
                differences.write("changed", row.object.key)
        elif new:
            added.append(new)
        elif old:
            # A moved object is found by the first common digest. Without that digest it counts as
            # removed.
            digest = old.digests.get(common[0], b"key:" + old.object.key)
            removed.setdefault(digest, []).append(old.object.key)
    for new in added:
        digest = new.digests.get(common[0])
        keys = removed.get(digest) if digest else None
        if keys:
            differences.write("moved", keys.pop(0), to=new.object.key)
        else:
            differences.write("added", new.object.key)
    for key in sorted(key for keys in removed.values() for key in keys):
        differences.write("removed", key)
    return differences.status()
