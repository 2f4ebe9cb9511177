"""Object stores and directories: what is in them, and its bytes.

Every store lists its objects in ascending order of their keys' bytes, and reads a range of one object as the listing
described it: bytes of another version raise Changed. Stores are read by obstore; S3 is listed by boto3, because obstore
refuses a whole listing when one key in it has an empty segment or a control character, and such objects are read by
boto3 too.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

import obstore
import tenacity
from obstore.exceptions import PermissionDeniedError, PreconditionError, UnauthenticatedError
from obstore.store import from_url

#: How many objects a page of a listing has.
PAGE = 1000


class Object(NamedTuple):
    """An object as a listing describes it."""

    key: bytes
    size: int
    etag: str | None
    #: Microseconds since 1970.
    modified: int
    #: Whether the store keeps a SHA-256 of it.
    checksum: bool = False

    def same(self, other: Object) -> bool:
        """Whether nothing says that one is another version than the other."""
        return (self.size, self.etag, self.modified) == (other.size, other.etag, other.modified)


class Options(NamedTuple):
    """How a store is asked."""

    retries: int = 10
    timeout: float = 30.0
    concurrency: int = 64
    anonymous: bool = False
    #: Whether a store of Google's or Azure's protocol may be without TLS; S3's endpoint says so itself.
    allow_http: bool = False


class Gone(Exception):
    """The object was listed and is not there any more."""


class Changed(Exception):
    """The object is not as it was listed."""


class Failed(Exception):
    """The object cannot be read. Trying again was tried."""


class StoreError(Exception):
    """The store cannot be used at all."""


class _Again(Exception):
    """The answer was no good, and another one may be better."""


def sentence(error: BaseException) -> str:
    """What an answer of a store says, in one line."""
    text = str(error) or type(error).__name__
    found = re.search(r"<Code>([^<]*)</Code>\s*(?:<Message>([^<]*)</Message>)?", text)
    if found:
        status = re.search(r"status code: (\d+)", text)
        return ": ".join(it for it in (status and status[1], found[1], found[2]) if it)
    return text.split("\n", 1)[0].strip()


def _modified(time: datetime) -> int:
    return (time - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)


def _etag(etag: str | None) -> str | None:
    """Without quotes: Azure lists them without, and answers with."""
    return etag.strip('"') if etag else None


class Directory:
    """The regular files below a directory. Their keys are paths relative to it, of any bytes.

    A file's "etag" is its inode number, its size, and the nanosecond of its last modification.
    """

    prefix = ""

    def __init__(self, path: str, options: Options) -> None:
        self.path = os.fsencode(os.path.abspath(path))
        self.url = "file://" + quote_from_bytes(self.path)
        #: What could not be listed, in sentences.
        self.troubles: list[str] = []
        self.left_out = 0
        if not os.path.isdir(self.path):
            raise StoreError(f"{os.fsdecode(self.path)} is not a directory")

    @staticmethod
    def _describe(key: bytes, it: os.stat_result) -> Object:
        return Object(key, it.st_size, f"{it.st_ino:x}-{it.st_size:x}-{it.st_mtime_ns:x}", it.st_mtime_ns // 1000)

    def pages(self) -> Iterator[list[Object]]:
        page: list[Object] = []
        waiting = [b""]
        while waiting:
            key = waiting.pop()
            if key and not key.endswith(b"/"):
                try:
                    page.append(self._describe(key, os.lstat(os.path.join(self.path, key))))
                except FileNotFoundError:
                    continue
                if len(page) == PAGE:
                    yield page
                    page = []
                continue
            names = []
            try:
                with os.scandir(os.path.join(self.path, key)) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            names.append(key + entry.name + b"/")
                        elif entry.is_file(follow_symlinks=False):
                            names.append(key + entry.name)
                        else:
                            self.left_out += 1
            except OSError as error:
                self.troubles.append(f"{os.fsdecode(key)}: {error.strerror}")
            # A directory's slash counts: "a-b" comes before what is in "a".
            waiting.extend(sorted(names, reverse=True))
        if page:
            yield page

    async def head(self, it: Object) -> Object:
        try:
            return self._describe(it.key, os.lstat(os.path.join(self.path, it.key)))
        except FileNotFoundError as error:
            raise Gone from error

    async def read(self, it: Object, start: int, end: int) -> tuple[Any, str | None]:
        return await asyncio.to_thread(self._read, it, start, end), None

    def _read(self, it: Object, start: int, end: int) -> bytes:
        try:
            file = os.open(os.path.join(self.path, it.key), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise Gone from error
        except OSError as error:
            raise Failed(error.strerror) from error
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise Changed
            pieces = []
            while start < end and (piece := os.pread(file, end - start, start)):
                pieces.append(piece)
                start += len(piece)
            # After the read: who wrote before or during it has moved the time.
            if not self._describe(it.key, os.fstat(file)).same(it) or start < end:
                raise Changed
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
        except OSError as error:
            raise Failed(error.strerror) from error
        finally:
            os.close(file)

    async def kept(self, it: Object) -> str | None:
        return None


class Remote:
    """A store that obstore reads: Google's and Azure's."""

    troubles: list[str]
    left_out = 0
    #: Whether a request with If-Match is sure to be understood. The answer's ETag is compared in any case.
    conditional = False

    def __init__(self, url: str, options: Options) -> None:
        self.troubles = []
        self.options = options
        # As the stores' own programs take it: nothing in it is an escape, a query or a fragment.
        scheme, _, rest = url.partition("://")
        self.bucket, _, prefix = rest.partition("/")
        if not self.bucket:
            raise StoreError(f"{url} names no bucket")
        self.prefix, self.root = prefix.strip("/"), f"{scheme}://{self.bucket}"
        self.url = f"{self.root}/{self.prefix}" if self.prefix else self.root
        self.store = self._open()

    def _settings(self) -> dict[str, Any]:
        return {
            "retry_config": {"max_retries": self.options.retries},
            "client_options": {
                "allow_http": self.options.allow_http,
                "timeout": timedelta(seconds=self.options.timeout),
                "pool_max_idle_per_host": str(self.options.concurrency),
            },
        }

    def _open(self) -> Any:
        anonymous = {"skip_signature": True} if self.options.anonymous else {}
        try:
            return from_url(self.root, **self._settings(), **anonymous)
        except Exception as error:
            raise StoreError(sentence(error)) from error

    def pages(self) -> Iterator[list[Object]]:
        try:
            for page in obstore.list(self.store, self.prefix or None, chunk_size=PAGE):
                yield [self._describe(it) for it in page]
        except Exception as error:
            raise StoreError(f"{self.url} cannot be listed: {sentence(error)}") from error

    @staticmethod
    def _describe(it: Any) -> Object:
        return Object(it["path"].encode(), it["size"], _etag(it["e_tag"]), _modified(it["last_modified"]))

    async def head(self, it: Object) -> Object:
        return self._describe(await self._try(obstore.head_async(self.store, it.key.decode())))

    async def read(self, it: Object, start: int, end: int) -> tuple[Any, str | None]:
        """The bytes from start to end of that object, and its version."""
        try:
            return await self._read(it, start, end)
        except _Again as error:
            # obstore has tried the request again, but not one whose answer broke off.
            if not self.options.retries:
                raise Failed(str(error)) from error
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(_Again),
            stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=0.2, max=10),
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await self._read(it, start, end)
        except _Again as error:
            raise Failed(str(error)) from error
        raise AssertionError("tenacity returns or raises")

    async def _read(self, it: Object, start: int, end: int) -> tuple[Any, str | None]:
        options: dict[str, Any] = {}
        if (start, end) != (0, it.size):
            options["range"] = (start, end)
        if self.conditional and it.etag:
            options["if_match"] = f'"{it.etag}"'
        result = await self._try(obstore.get_async(self.store, it.key.decode(), options=options))
        meta = result.meta
        etag = _etag(meta["e_tag"])
        if meta["size"] != it.size or (it.etag and etag and etag != it.etag):
            raise Changed
        if not (it.etag and etag) and _modified(meta["last_modified"]) // 10**6 != it.modified // 10**6:
            raise Changed
        data = await self._try(result.bytes_async())
        if len(data) != end - start:
            raise _Again(f"{len(data)} bytes came instead of {end - start}")
        return data, meta["version"]

    @staticmethod
    async def _try(request: Any) -> Any:
        try:
            return await request
        except FileNotFoundError as error:
            raise Gone from error
        except PreconditionError as error:
            raise Changed from error
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise Failed(sentence(error)) from error
        except Exception as error:
            raise _Again(sentence(error)) from error

    async def kept(self, it: Object) -> str | None:
        """The SHA-256 that the store keeps, in Base64, with -N if it is one over N parts."""
        return None


class S3(Remote):
    """Amazon's S3 and what speaks its protocol; credentials, region and endpoint as boto3 finds them."""

    conditional = True

    def _open(self) -> Any:
        import boto3
        import botocore
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
        from obstore.auth.boto3 import Boto3CredentialProvider
        from obstore.store import S3Store

        self.errors = (BotoCoreError, ClientError)
        session = boto3.Session()
        config = Config(
            retries={"total_max_attempts": self.options.retries + 1, "mode": "standard"},
            read_timeout=self.options.timeout,
            connect_timeout=min(10.0, self.options.timeout),
            max_pool_connections=self.options.concurrency,
            signature_version=botocore.UNSIGNED if self.options.anonymous else None,
        )
        settings = self._settings()
        try:
            self.client = session.client("s3", config=config)
            if self.options.anonymous:
                settings["skip_signature"] = True
            elif session.get_credentials() is None:
                raise StoreError("there are no credentials for S3; --anonymous reads a public bucket")
            else:
                settings["credential_provider"] = Boto3CredentialProvider(session)
            region = self.client.meta.region_name
            try:
                region = self.client.head_bucket(Bucket=self.bucket).get("BucketRegion") or region
            except self.errors:
                pass  # The listing says what is wrong, which a HEAD cannot.
            endpoint = self.client.meta.endpoint_url
        except self.errors as error:
            raise StoreError(sentence(error)) from error
        if not urlsplit(endpoint).netloc.endswith((".amazonaws.com", ".amazonaws.com.cn")):
            settings["endpoint"] = endpoint
            settings["client_options"]["allow_http"] = endpoint.startswith("http:")
        if region and region != "aws-global":
            settings["region"] = region
        return S3Store(self.bucket, **settings)

    def pages(self) -> Iterator[list[Object]]:
        listing = self.client.get_paginator("list_objects_v2")
        prefix = {"Prefix": self.prefix + "/"} if self.prefix else {}
        try:
            for page in listing.paginate(Bucket=self.bucket, PaginationConfig={"PageSize": PAGE}, **prefix):
                yield [
                    Object(
                        it["Key"].encode(),
                        it["Size"],
                        _etag(it.get("ETag")),
                        _modified(it["LastModified"]),
                        "SHA256" in it.get("ChecksumAlgorithm", ()),
                    )
                    for it in page.get("Contents", ())
                ]
        except self.errors as error:
            raise StoreError(f"{self.url} cannot be listed: {error}") from error

    @staticmethod
    def _odd(key: bytes) -> bool:
        """Whether obstore would refuse this key, or ask for another one."""
        return any(it in (b"", b".", b"..") for it in key.split(b"/")) or any(it < 32 or it == 127 for it in key)

    async def _ask(self, operation: str, it: Object, **arguments: Any) -> Any:
        call = getattr(self.client, operation)
        try:
            return await asyncio.to_thread(call, Bucket=self.bucket, Key=it.key.decode(), **arguments)
        except self.errors as error:
            status = getattr(error, "response", {}).get("ResponseMetadata", {}).get("HTTPStatusCode")
            if status == 404:
                raise Gone from error
            if status == 412:
                raise Changed from error
            raise Failed(sentence(error)) from error

    async def head(self, it: Object) -> Object:
        answer = await self._ask("head_object", it)
        etag, size = _etag(answer.get("ETag")), answer["ContentLength"]
        return Object(it.key, size, etag, _modified(answer["LastModified"]), it.checksum)

    async def _read(self, it: Object, start: int, end: int) -> tuple[Any, str | None]:
        if not self._odd(it.key):
            return await super()._read(it, start, end)
        arguments = {"IfMatch": f'"{it.etag}"'} if it.etag else {}
        if (start, end) != (0, it.size):
            arguments["Range"] = f"bytes={start}-{end - 1}"
        answer = await self._ask("get_object", it, **arguments)
        if it.etag and _etag(answer.get("ETag")) not in (None, it.etag):
            raise Changed
        try:
            data = await asyncio.to_thread(answer["Body"].read)
        except Exception as error:  # of botocore or urllib3
            raise _Again(sentence(error)) from error
        if len(data) != end - start:
            raise _Again(f"{len(data)} bytes came instead of {end - start}")
        return data, answer.get("VersionId")

    async def kept(self, it: Object) -> str | None:
        if not it.checksum:
            return None
        arguments = {"IfMatch": f'"{it.etag}"'} if it.etag else {}
        answer = await self._ask("head_object", it, ChecksumMode="ENABLED", **arguments)
        if it.etag and _etag(answer.get("ETag")) != it.etag:
            raise Changed
        kept: str | None = answer.get("ChecksumSHA256")
        return kept


Store = Directory | Remote


def opened(url: str, options: Options) -> Store:
    """The store that a URL names: s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, file:///path,
    or a path. A prefix is whole segments: "logs" is what is below "logs/"."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return Directory(url, options)
    if scheme == "file":
        return Directory(os.fsdecode(unquote_to_bytes(rest)), options)
    if scheme in ("s3", "s3a"):
        return S3("s3://" + rest, options)
    if scheme in ("gs", "az", "azure", "abfs", "abfss", "adl"):
        return Remote(url, options)
    raise StoreError(f"{url}: the stores are s3://, gs://, az:// and file://")
