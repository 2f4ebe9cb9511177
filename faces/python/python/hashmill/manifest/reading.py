"""Reads and hashes objects: many at the same time, in bounded memory."""

from __future__ import annotations

import asyncio
import base64
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import hashmill

from .stores import Again, Changed, Failed, Gone, Object, Store

#: The size in bytes up to which objects are read by one request.
SMALL = 1 << 20
#: A larger object is read in ranges of RANGE bytes, of which up to AHEAD are in memory or
#: requested.
RANGE, AHEAD = 8 << 20, 4
#: A thread fetches at most GROUP small objects, or GROUP_BYTES, one after the other, and hashes them.
GROUP, GROUP_BYTES = 32, 2 << 20
#: How often an object is tried if it changes while it is read.
TRIES = 3


class Wanted(NamedTuple):
    """The values that are recorded for every object."""

    algorithms: tuple[str, ...] = ("sha256",)
    #: The size in bytes of the parts of a multipart upload. If it is given, the SHA-256 that S3
    #: keeps of such an upload is computed, too.
    part_size: int | None = None
    #: Whether the SHA-256 that the store keeps replaces reading the object.
    store_digests: bool = False


class Row(NamedTuple):
    """A row of a manifest."""

    object: Object
    status: str
    digests: dict[str, bytes] = {}
    s3_sha256: str | None = None
    version: str | None = None
    #: "read", or "store" for digests that the store keeps.
    source: str | None = None
    error: str | None = None


def digest_size(algorithm: Any) -> int:
    return hashmill.hash_many([b""], algorithm).digest_size


def _hasher(algorithm: Any) -> Any:
    return getattr(hashmill, algorithm)() if algorithm in ("kt128", "kt256") else hashmill.new(algorithm)


class _Parts:
    """The SHA-256 that S3 keeps of a multipart upload: the SHA-256 of the digests of its parts."""

    def __init__(self, size: int) -> None:
        self.size, self.left = size, size
        self.part, self.whole, self.count = hashmill.sha256(), hashmill.sha256(), 0

    def update(self, data: Any) -> None:
        view = memoryview(data)
        while view:
            if self.left == 0:
                self._end()
            piece, view = view[: self.left], view[self.left :]
            self.part.update(piece)
            self.left -= len(piece)

    def _end(self) -> None:
        self.whole.update(self.part.digest())
        self.part, self.left, self.count = hashmill.sha256(), self.size, self.count + 1

    def text(self) -> str:
        self._end()
        return f"{base64.b64encode(self.whole.digest()).decode()}-{self.count}"


class _Memory:
    """A budget of `size` bytes. Requests that wait for bytes are served in their order."""

    def __init__(self, size: int) -> None:
        self.free, self.size = size, size
        self.waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, size: int) -> int:
        size = min(size, self.size)
        if self.waiting or size > self.free:
            turn = asyncio.get_running_loop().create_future()
            self.waiting.append((size, turn))
            await turn
        else:
            self.free -= size
        return size

    def enough(self, size: int) -> bool:
        """Returns whether take(size) would return without waiting."""
        return not self.waiting and size <= self.free

    def give(self, size: int) -> None:
        self.free += size
        while self.waiting and self.waiting[0][0] <= self.free:
            size, turn = self.waiting.popleft()
            if not turn.done():
                self.free -= size
                turn.set_result(None)


class Reader:
    """Reads and hashes the objects of a store, with at most `concurrency` requests and `memory`
    bytes at a time.

    `memory` is at least AHEAD ranges; a smaller value is raised.
    """

    def __init__(
        self,
        store: Store,
        wanted: Wanted,
        *,
        concurrency: int = 64,
        memory: int = 256 << 20,
        progress: Callable[[int, int], object] = lambda objects, size: None,
    ) -> None:
        self.store, self.wanted, self.progress = store, wanted, progress
        self.requests = asyncio.Semaphore(concurrency)
        self.memory = _Memory(max(memory, AHEAD * RANGE))
        self.fetchers = ThreadPoolExecutor(concurrency)
        self.pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None)
        names = dict.fromkeys(wanted.algorithms)
        if wanted.part_size:
            names["sha256"] = None
        self.algorithms = tuple(names)
        self.closed = False

    def close(self) -> None:
        """Ends the threads when they have done what they are at."""
        self.closed = True
        self.fetchers.shutdown(wait=False, cancel_futures=True)
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def hash(self, objects: Sequence[Object]) -> list[Row]:
        """Reads and hashes the objects and returns their rows, in the same order.

        Groups of small objects are fetched by blocking calls in threads. Every other object, and
        every object with which something is wrong, has a task of its own.
        """
        rows: list[Row | None] = [None] * len(objects)
        groups: list[list[int]] = []
        alone: list[int] = []
        size = 0
        for i, it in enumerate(objects):
            if not self._is_simple(it):
                alone.append(i)
                continue
            if not groups or size + it.size > GROUP_BYTES or len(groups[-1]) == GROUP:
                groups.append([])
                size = 0
            groups[-1].append(i)
            size += it.size

        async def group(numbers: list[int]) -> None:
            for i, row in zip(numbers, await self._group([objects[i] for i in numbers]), strict=True):
                rows[i] = row

        async def one(i: int) -> None:
            rows[i] = await self._row(objects[i])

        await asyncio.gather(*map(group, groups), *map(one, alone))
        return [row for row in rows if row is not None]

    def _is_simple(self, it: Object) -> bool:
        part = self.wanted.part_size
        small = it.size <= SMALL and not (part and it.size > part)
        return small and not self.wanted.store_digests and self.store.fetchable(it)

    async def _group(self, objects: list[Object]) -> list[Row]:
        size = sum(it.size for it in objects)
        taken = await self.memory.take(size)
        try:
            async with self.requests:
                found = await asyncio.get_running_loop().run_in_executor(self.fetchers, self._fetched, objects)
        finally:
            self.memory.give(taken)
        ends = [self._row(it, row) for it, row in zip(objects, found, strict=True) if not isinstance(row, Row)]
        later = iter(await asyncio.gather(*ends))
        self.progress(len(objects) - len(ends), sum(row.object.size for row in found if isinstance(row, Row)))
        return [row if isinstance(row, Row) else next(later) for row in found]

    def _fetched(self, objects: list[Object]) -> list[Row | Exception]:
        """Returns the row of each object, or why there is none."""
        found: list[tuple[Any, str | None] | Exception] = []
        for it in objects:
            try:
                if self.closed:
                    raise Failed("it was not read, because the work was ended")
                found.append(self.store.fetch(it))
            except (Gone, Changed, Failed, Again) as error:
                found.append(error)
        messages = [it[0] for it in found if not isinstance(it, Exception)]
        hashed = iter(self._digests(messages))
        rows: list[Row | Exception] = []
        for it, read in zip(objects, found, strict=True):
            if isinstance(read, Exception):
                rows.append(read)
                continue
            rows.append(self._read_row(it, next(hashed), read[1]))
        return rows

    def _digests(self, messages: list[Any]) -> list[dict[str, bytes]]:
        """Returns the digests of each message, by the names of the algorithms."""
        names: tuple[Any, ...] = self.algorithms
        columns = [hashmill.hash_many(messages, name) for name in names]
        return [dict(zip(self.algorithms, digests, strict=True)) for digests in zip(*columns, strict=True)]

    def _read_row(self, it: Object, digests: dict[str, bytes], version: str | None) -> Row:
        composite = base64.b64encode(digests["sha256"]).decode() if self.wanted.part_size else None
        return Row(it, "ok", {name: digests[name] for name in self.wanted.algorithms}, composite, version, "read")

    async def _row(self, it: Object, trouble: Exception | None = None) -> Row:
        """Returns the row of an object. `trouble` is the result of an attempt that was made."""
        listed = it
        for _ in range(TRIES):
            try:
                if trouble is not None and not isinstance(trouble, Again):
                    error, trouble = trouble, None
                    raise error
                row = await self._kept(it) or await self._hashed(it)
                self.progress(1, it.size)
                return row
            except Gone:
                return self._without(listed, "missing", "listed, but not there any more")
            except Failed as error:
                return self._without(listed, "error", str(error))
            except Changed:
                try:
                    it = await self.store.head(it)
                except Gone:
                    return self._without(listed, "missing", "listed, but not there any more")
                except Exception as error:
                    return self._without(listed, "error", str(error))
        return self._without(listed, "changed", f"changed while it was read, {TRIES} times")

    def _without(self, it: Object, status: str, error: str) -> Row:
        self.progress(1, 0)
        return Row(it, status, error=error)

    async def _kept(self, it: Object) -> Row | None:
        """Returns the row with the digest that the store keeps, or None if the object must be
        read."""
        if not self.wanted.store_digests or self.wanted.algorithms != ("sha256",):
            return None
        async with self.requests:
            kept = await self.store.kept(it)
        if kept is None:
            return None
        if "-" not in kept:
            return Row(it, "ok", {"sha256": base64.b64decode(kept)}, kept, source="store")
        # A digest over parts is not the digest of the object. It is recorded only if the size of
        # the parts is given, because --verify needs that size to compute it again.
        return Row(it, "ok", {}, kept, source="store") if self.wanted.part_size else None

    async def _hashed(self, it: Object) -> Row:
        part = self.wanted.part_size
        if it.size <= SMALL and not (part and it.size > part):
            (digests,), version = await self._small(it)
            return self._read_row(it, digests, version)
        digests, version, composite = await self._large(it)
        digests = {name: digests[name] for name in self.wanted.algorithms}
        return Row(it, "ok", digests, composite, version, "read")

    async def _small(self, it: Object) -> tuple[list[dict[str, bytes]], str | None]:
        taken = await self.memory.take(it.size)
        try:
            async with self.requests:
                data, version = await self.store.read(it, 0, it.size)
            return await asyncio.get_running_loop().run_in_executor(self.pool, self._digests, [data]), version
        finally:
            self.memory.give(taken)

    async def _large(self, it: Object) -> tuple[dict[str, bytes], str | None, str | None]:
        """Reads and hashes an object in ranges. Several ranges are requested ahead; they are hashed
        in order."""
        hashers = {name: _hasher(name) for name in self.algorithms}
        parts = _Parts(self.wanted.part_size) if self.wanted.part_size and it.size > self.wanted.part_size else None
        loop, version = asyncio.get_running_loop(), None
        #: The pending requests, and the bytes of memory that each has taken.
        ahead: deque[tuple[asyncio.Task[tuple[Any, str | None]], int]] = deque()
        starts = deque(range(0, it.size, RANGE))

        async def one(start: int) -> tuple[Any, str | None]:
            async with self.requests:
                return await self.store.read(it, start, min(start + RANGE, it.size))

        async def ask() -> None:
            taken = await self.memory.take(min(RANGE, it.size - starts[0]))
            ahead.append((asyncio.create_task(one(starts.popleft())), taken))

        def update(data: Any) -> None:
            for hasher in hashers.values():
                hasher.update(data)
            if parts:
                parts.update(data)

        try:
            while starts or ahead:
                # Only the first range may wait for memory. Otherwise objects could wait for each
                # other: each would hold memory that another needs.
                while starts and (not ahead or (len(ahead) < AHEAD and self.memory.enough(RANGE))):
                    await ask()
                data, version = await ahead[0][0]
                await loop.run_in_executor(self.pool, update, data)
                del data
                self.memory.give(ahead.popleft()[1])
        finally:
            for task, _ in ahead:
                task.cancel()
            await asyncio.gather(*(task for task, _ in ahead), return_exceptions=True)
            for _, taken in ahead:
                self.memory.give(taken)
        digests = {name: hasher.digest() for name, hasher in hashers.items()}
        if parts:
            return digests, version, parts.text()
        return digests, version, base64.b64encode(digests["sha256"]).decode() if self.wanted.part_size else None
