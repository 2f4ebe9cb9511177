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

from .stores import Changed, Failed, Gone, Object, Store

#: The size in bytes up to which objects are hashed side by side in lanes.
SMALL = 1 << 20
#: A larger object is read in ranges of RANGE bytes, of which up to AHEAD are in memory or
#: requested.
RANGE, AHEAD = 8 << 20, 4
#: A batch is hashed when it has BATCH messages or BATCH_BYTES bytes, or after BATCH_AGE seconds.
BATCH, BATCH_BYTES, BATCH_AGE = 256, 4 << 20, 0.005
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


def digest_size(algorithm: str) -> int:
    return hashmill.hash_many([b""], algorithm).digest_size


def _hasher(algorithm: str) -> Any:
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
        self.pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None)
        names = dict.fromkeys(wanted.algorithms)
        if wanted.part_size:
            names["sha256"] = None
        self.algorithms = tuple(names)
        self.batch: list[tuple[Any, asyncio.Future[dict[str, bytes]]]] = []
        self.batch_bytes = 0

    async def hash(self, objects: Sequence[Object]) -> list[Row]:
        """Reads and hashes the objects and returns their rows, in the same order."""
        return list(await asyncio.gather(*map(self._row, objects)))

    async def _row(self, it: Object) -> Row:
        listed = it
        for _ in range(TRIES):
            try:
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
        composite: str | None = None
        part = self.wanted.part_size
        if it.size <= SMALL and not (part and it.size > part):
            digests, version = await self._small(it)
            if part:
                composite = base64.b64encode(digests["sha256"]).decode()
        else:
            digests, version, composite = await self._large(it)
        digests = {name: digests[name] for name in self.wanted.algorithms}
        return Row(it, "ok", digests, composite, version, "read")

    async def _small(self, it: Object) -> tuple[dict[str, bytes], str | None]:
        taken = await self.memory.take(it.size)
        try:
            async with self.requests:
                data, version = await self.store.read(it, 0, it.size)
            return await self._in_lanes(data), version
        finally:
            self.memory.give(taken)

    def _in_lanes(self, data: Any) -> asyncio.Future[dict[str, bytes]]:
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        if not self.batch:
            loop.call_later(BATCH_AGE, self._flush)
        self.batch.append((data, future))
        self.batch_bytes += len(data)
        if len(self.batch) >= BATCH or self.batch_bytes >= BATCH_BYTES:
            self._flush()
        return future

    def _flush(self) -> None:
        batch, self.batch, self.batch_bytes = self.batch, [], 0
        if not batch:
            return
        messages = [data for data, _ in batch]

        def work() -> dict[str, Sequence[bytes]]:
            return {name: hashmill.hash_many(messages, name) for name in self.algorithms}

        def done(result: asyncio.Future[dict[str, Sequence[bytes]]]) -> None:
            for i, (_, future) in enumerate(batch):
                if future.done():
                    continue
                if error := result.exception():
                    future.set_exception(error)
                else:
                    future.set_result({name: digests[i] for name, digests in result.result().items()})

        asyncio.get_running_loop().run_in_executor(self.pool, work).add_done_callback(done)

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
