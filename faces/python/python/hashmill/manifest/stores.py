"""Lists and reads the objects of object stores and the files of directories.

Stores list their objects in ascending order of their keys' bytes, which the caller checks. They
read ranges of the version of an object that they listed. If the object is another version, they
raise Changed. obstore reads the objects. boto3 lists S3, because obstore rejects a whole listing if
one key in it has an empty segment or a control character. boto3 also reads the objects with such
keys.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, unquote_plus, unquote_to_bytes, urlsplit
from xml.etree import ElementTree

import obstore
import tenacity
from obstore.exceptions import PermissionDeniedError, PreconditionError, UnauthenticatedError
from obstore.store import from_url

#: The largest number of objects in a page of a listing.
PAGE = 1000


class Object(NamedTuple):
    """An object as a listing describes it."""

    key: bytes
    size: int
    etag: str | None
    #: The time of the last modification, in microseconds since 1970-01-01T00:00 UTC.
    modified: int
    #: Whether the store keeps a SHA-256 of the object.
    checksum: bool = False

    def same(self, other: Object) -> bool:
        """Returns whether both have the same size, ETag and time of modification."""
        return (self.size, self.etag, self.modified) == (other.size, other.etag, other.modified)


class Options(NamedTuple):
    """The options of the requests to a store."""

    retries: int = 10
    timeout: float = 30.0
    concurrency: int = 64
    anonymous: bool = False
    #: Whether gs:// and az:// may be used without TLS. For S3, the URL of the endpoint decides.
    allow_http: bool = False


class Gone(Exception):
    """The object was listed, but no longer exists."""


class Changed(Exception):
    """The object is another version than the one that was listed."""


class Failed(Exception):
    """The object cannot be read, and no further attempt will be made."""


class StoreError(Exception):
    """The store cannot be used at all."""


class Again(Exception):
    """The request failed, but may succeed if it is repeated."""


def sentence(error: BaseException) -> str:
    """Returns the error message of a store as one line."""
    text = str(error) or type(error).__name__
    found = re.search(r"<Code>([^<]*)</Code>\s*(?:<Message>([^<]*)</Message>)?", text)
    if found:
        status = re.search(r"status code: (\d+)", text)
        return ": ".join(it for it in (status and status[1], found[1], found[2]) if it)
    return text.split("\n", 1)[0].strip()


_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=timezone.utc), timedelta(microseconds=1)


def _modified(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def _etag(etag: str | None) -> str | None:
    """Removes the quotes of an ETag, because Azure lists ETags without quotes and responds with
    quotes."""
    return etag.strip('"') if etag else None


class Directory:
    """The regular files below a directory.

    The key of a file is its path relative to the directory, as bytes. Its "etag" consists of its
    inode number, its size, and the time of its last modification in nanoseconds.
    """

    prefix = ""

    def __init__(self, path: str, options: Options) -> None:
        self.path = os.fsencode(os.path.abspath(path))
        self.url = "file://" + quote_from_bytes(self.path)
        #: The error messages for directories that could not be listed.
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
            # A directory is sorted with its slash, so that "a-b" comes before "a/…".
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

    def fetchable(self, it: Object) -> bool:
        return True

    def fetch(self, it: Object) -> tuple[Any, str | None]:
        return self._read(it, 0, it.size), None

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
            # The file is checked after it is read: a write before or during the read has changed
            # the time of modification.
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
    """A store that obstore lists and reads: Google Cloud Storage and Azure. S3 is a subclass."""

    troubles: list[str]
    left_out = 0
    #: Whether the store supports If-Match. The ETag of the response is always compared, too.
    conditional = False

    def __init__(self, url: str, options: Options) -> None:
        self.troubles = []
        self.options = options
        # The URL is read as the stores' own programs read it: it has no escapes, query or fragment.
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
        """Returns the bytes from start to end of the object, and its version."""
        try:
            return await self._read(it, start, end)
        except Again as error:
            # obstore repeats failed requests, but not those whose response ended early.
            if not self.options.retries:
                raise Failed(str(error)) from error
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(Again),
            stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=0.2, max=10),
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await self._read(it, start, end)
        except Again as error:
            raise Failed(str(error)) from error
        raise AssertionError("tenacity returns or raises")

    def fetchable(self, it: Object) -> bool:
        """Returns whether fetch() can read the object."""
        return True

    def fetch(self, it: Object) -> tuple[Any, str | None]:
        """Returns all bytes of the object and its version. The call blocks, so it is made in a
        thread: for a small object that takes a third of the processor's time of read()."""
        try:
            result = obstore.get(self.store, it.key.decode(), options=self._options(it, 0, it.size))
            version = _version(it, result.meta)
            data = result.bytes()
        except Exception as error:
            raise _translated(error) from error
        return _complete(data, it.size), version

    async def _read(self, it: Object, start: int, end: int) -> tuple[Any, str | None]:
        result = await self._try(obstore.get_async(self.store, it.key.decode(), options=self._options(it, start, end)))
        version = _version(it, result.meta)
        data = await self._try(result.bytes_async())
        return _complete(data, end - start), version

    def _options(self, it: Object, start: int, end: int) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if (start, end) != (0, it.size):
            options["range"] = (start, end)
        if self.conditional and it.etag:
            options["if_match"] = f'"{it.etag}"'
        return options

    @staticmethod
    async def _try(request: Any) -> Any:
        try:
            return await request
        except Exception as error:
            raise _translated(error) from error

    async def kept(self, it: Object) -> str | None:
        """Returns the SHA-256 that the store keeps, in Base64, followed by -N if it covers N parts,
        or None."""
        return None


class S3(Remote):
    """Amazon S3, or a store with its protocol. boto3 finds the credentials, the region and the
    endpoint."""

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
            self.client.meta.events.register("before-parse.s3.ListObjectsV2", _objects_of)
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
                pass  # The listing reports the reason, which a HEAD cannot.
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
                if _OBJECTS not in page:
                    raise StoreError(f"{self.url} cannot be listed: the response is not that of S3")
                yield page[_OBJECTS]
        except self.errors as error:
            raise StoreError(f"{self.url} cannot be listed: {error}") from error

    @staticmethod
    def _odd(key: bytes) -> bool:
        """Returns whether obstore would reject this key, or change it."""
        return any(it in (b"", b".", b"..") for it in key.split(b"/")) or any(it < 32 or it == 127 for it in key)

    def fetchable(self, it: Object) -> bool:
        return not self._odd(it.key)

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
            raise Again(sentence(error)) from error
        return _complete(data, end - start), answer.get("VersionId")

    async def kept(self, it: Object) -> str | None:
        if not it.checksum:
            return None
        arguments = {"IfMatch": f'"{it.etag}"'} if it.etag else {}
        answer = await self._ask("head_object", it, ChecksumMode="ENABLED", **arguments)
        if it.etag and _etag(answer.get("ETag")) != it.etag:
            raise Changed
        kept: str | None = answer.get("ChecksumSHA256")
        return kept


#: The name of the objects of a page in botocore's response.
_OBJECTS = "hashmill.Objects"


def _objects_of(response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: Any) -> None:
    """Takes the objects out of a page of a listing before botocore parses the page, which takes
    several times as long. botocore reports every response that is no such page."""
    try:
        page = ElementTree.fromstring(response_dict["body"])
    except ElementTree.ParseError:
        return
    space = page.tag.removesuffix("ListBucketResult")
    if response_dict["status_code"] != 200 or space == page.tag:
        return
    encoded = page.findtext(f"{space}EncodingType") == "url"
    names = [space + name for name in ("Key", "Size", "LastModified")]
    objects, rest = [], []
    for element in page:
        if element.tag != f"{space}Contents":
            rest.append(element)
            continue
        values = {it.tag: it.text or "" for it in element}
        try:
            key, size, modified = [values[name] for name in names]
            etag, time = _etag(values.get(f"{space}ETag")), _modified(datetime.fromisoformat(modified))
            key = unquote_plus(key, errors="strict") if encoded else key
            checksum = any(it.tag == f"{space}ChecksumAlgorithm" and it.text == "SHA256" for it in element)
            objects.append(Object(key.encode(), int(size), etag, time, checksum))
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"the store lists an object that is not described as S3 describes one: {error}") from error
    page[:] = rest
    response_dict["body"] = ElementTree.tostring(page)
    customized_response_dict[_OBJECTS] = objects


def _version(it: Object, meta: Any) -> str | None:
    """Returns the version in the response of a store. Raises Changed if the response is of another
    object than the one that was listed."""
    etag = _etag(meta["e_tag"])
    if meta["size"] != it.size or (it.etag and etag and etag != it.etag):
        raise Changed
    if not (it.etag and etag) and _modified(meta["last_modified"]) // 10**6 != it.modified // 10**6:
        raise Changed
    version: str | None = meta["version"]
    return version


def _complete(data: Any, size: int) -> Any:
    if len(data) != size:
        raise Again(f"{len(data)} bytes came instead of {size}")
    return data


def _translated(error: Exception) -> Exception:
    """Returns the exception of this module for one of obstore."""
    if isinstance(error, (Gone, Changed, Failed, Again)):
        return error
    if isinstance(error, FileNotFoundError):
        return Gone()
    if isinstance(error, PreconditionError):
        return Changed()
    if isinstance(error, (PermissionDeniedError, UnauthenticatedError)):
        return Failed(sentence(error))
    return Again(sentence(error))


Store = Directory | Remote


def opened(url: str, options: Options) -> Store:
    """Opens the store that a URL names: s3://bucket/prefix, gs://bucket/prefix,
    az://container/prefix, file:///path, or a path.

    A prefix consists of whole segments: "logs" means the objects below "logs/".
    """
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
