"""Hash functions with hashlib's interface, computed with the CPU's vector instructions.

>>> import hashmill as hashlib
>>> hashlib.sha256(b"abc").hexdigest()
'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

This module has everything that hashlib has, under the same names. hashmill implements SHA-2, SHA-3,
SHAKE, BLAKE2, PBKDF2 and, in hashmill.hmac, HMAC. All other functions of this Python's hashlib,
such as md5, sha1 and scrypt, are hashlib's own.

hashmill adds: digests without a hash object (digest), batches of messages (hash_many), files in
parallel (hash_files), KangarooTwelve, TurboSHAKE, cSHAKE, KMAC, TupleHash, ParallelHash, BLAKE2bp,
BLAKE2sp, BLAKE2X, HKDF, saved states (export_state, import_state), and columns of tables
(hashmill.arrow).
"""

from __future__ import annotations

import hashlib as _hashlib
import os as _os
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from hashlib import md5 as md5
from hashlib import sha1 as sha1
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._hashmill import (
    HASH,
    HASHXOF,
    XOF,
    Digests,
    Reader,
    _canonical,
    _hash_files,
    _import_xof,
    _new,
    blake2b,
    blake2bp,
    blake2s,
    blake2sp,
    blake2xb,
    blake2xs,
    cshake128,
    cshake256,
    digest,
    hash_many,
    hkdf,
    hkdf_expand,
    hkdf_extract,
    kmac128,
    kmac256,
    kt128,
    kt256,
    parallelhash128,
    parallelhash256,
    sha3_224,
    sha3_256,
    sha3_384,
    sha3_512,
    sha224,
    sha256,
    sha384,
    sha512,
    sha512_224,
    sha512_256,
    shake_128,
    shake_256,
    tuplehash128,
    tuplehash256,
    turboshake128,
    turboshake256,
)
from ._hashmill import import_state as _import_state
from ._hashmill import pbkdf2_hmac as _pbkdf2_hmac

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

__version__ = "0.1.0"

if hasattr(_hashlib, "scrypt"):
    from hashlib import scrypt as scrypt

#: The names of the algorithms that hashlib guarantees on every platform.
algorithms_guaranteed = _hashlib.algorithms_guaranteed

#: The algorithms that hashmill itself implements, by hashlib's names.
algorithms_own = frozenset(
    "sha224 sha256 sha384 sha512 sha512_224 sha512_256 sha3_224 sha3_256 sha3_384 sha3_512 shake_128 shake_256 "
    "blake2b blake2s blake2bp blake2sp turboshake128 turboshake256".split()
)

#: All names that new() accepts: hashmill's algorithms and the others of this Python's hashlib.
algorithms_available = algorithms_own | {
    name for name in _hashlib.algorithms_available if _canonical(name) is None
}

_BLAKE2 = {"blake2b": blake2b, "blake2s": blake2s, "blake2bp": blake2bp, "blake2sp": blake2sp}
_MISSING: _Any = object()


def new(name: str, data: _Any = _MISSING, **options: _Any) -> _Any:
    """Returns a hash object of the named algorithm.

    The object is hashlib's if hashmill does not implement the algorithm.

    >>> new("sha3_256", b"abc").hexdigest()[:16]
    '3a985da74fe225b2'
    >>> new("blake2b", b"abc", digest_size=4).hexdigest()
    '63906248'
    """
    if "string" in options:
        if data is not _MISSING:
            raise TypeError("'data' and 'string' are mutually exclusive")
        data = options.pop("string")
    elif data is _MISSING:
        data = b""
    if not options:
        hasher = _new(name, data)
        return hasher if hasher is not None else _hashlib.new(name, data)
    own = _canonical(name)
    if own in _BLAKE2:
        return _BLAKE2[own](data, **options)
    if own is not None and set(options) <= {"usedforsecurity"}:
        return _new(name, data)
    return _hashlib.new(name, data, **options)


def pbkdf2_hmac(
    hash_name: str, password: _Buffer, salt: _Buffer, iterations: int, dklen: int | None = None
) -> bytes:
    """Derives a key of dklen bytes from a password with PBKDF2 (RFC 8018) and HMAC.

    If dklen is None, the key is as long as a digest of the hash function.

    >>> pbkdf2_hmac("sha256", b"password", b"a salt of its own", 1000).hex()[:16]
    'bbf3525a72b6fad7'
    """
    if not isinstance(hash_name, str):
        raise TypeError("pbkdf2_hmac() argument 'hash_name' must be str, not " + type(hash_name).__name__)
    if _canonical(hash_name) is None:
        return _hashlib.pbkdf2_hmac(hash_name, password, salt, iterations, dklen)
    return _pbkdf2_hmac(hash_name, password, salt, iterations, dklen)


def file_digest(
    fileobj: _Any, digest: str | _Callable[[], _Any], /, *, _bufsize: int = 1 << 18
) -> _Any:
    """Reads a file object to its end and returns the hash object of the bytes.

    fileobj: a file object opened for reading in binary mode. Of an io.BytesIO all bytes are hashed,
    wherever its position is, as by hashlib's function. digest: the name of an algorithm, or a
    callable that returns a hash object.

    >>> import io
    >>> file_digest(io.BytesIO(b"abc"), "sha256").hexdigest()[:16]
    'ba7816bf8f01cfea'
    """
    hasher = new(digest) if isinstance(digest, str) else digest()
    if hasattr(fileobj, "getbuffer"):  # io.BytesIO
        with fileobj.getbuffer() as view:
            hasher.update(view)
        return hasher
    if not (hasattr(fileobj, "readinto") and hasattr(fileobj, "readable") and fileobj.readable()):
        raise ValueError(f"'{fileobj!r}' is not a file-like object in binary reading mode.")
    buffer = bytearray(_bufsize)
    view = memoryview(buffer)
    while size := fileobj.readinto(buffer):
        hasher.update(view[:size])
    if size is None:
        raise BlockingIOError("I/O operation would block.")
    return hasher


def hash_files(
    paths: _Iterable[str | bytes | _os.PathLike[_Any]],
    algorithm: str = "sha256",
    *,
    progress: _Callable[[int], object] | None = None,
    threads: int = 0,
) -> Digests:
    """Hashes files, several at a time, and returns their digests in the order of the paths.

    progress: a function that is called with the number of bytes read so far, ten times a second and
    at the end. If it raises an exception, hashing stops. threads: the number of threads; 0 means
    one for each core.

    >>> hash_files([__file__])[0] == hash_file(__file__)
    True
    """
    return _hash_files([_os.fsdecode(path) for path in paths], algorithm, progress=progress, threads=threads)


def hash_file(
    path: str | bytes | _os.PathLike[_Any],
    algorithm: str = "sha256",
    *,
    progress: _Callable[[int], object] | None = None,
) -> bytes:
    """Returns the digest of a file. See hash_files for the arguments."""
    return hash_files([path], algorithm, progress=progress, threads=1)[0]


def import_state(state: _Buffer, /) -> HASH | XOF:
    """Returns a hash object that continues from a state that export_state() returned.

    >>> saved = sha256(b"a long ").export_state()
    >>> hasher = import_state(saved)
    >>> hasher.update(b"message")
    >>> hasher.digest() == sha256(b"a long message").digest()
    True
    """
    xof = _import_xof(state)
    return xof if xof is not None else _import_state(state)


__all__ = [
    # hashlib's
    "algorithms_available", "algorithms_guaranteed", "blake2b", "blake2s", "file_digest", "md5", "new", "pbkdf2_hmac",
    "sha1", "sha224", "sha256", "sha384", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "sha512", "shake_128",
    "shake_256",
    # ours
    "HASH", "HASHXOF", "XOF", "Digests", "Reader", "algorithms_own", "blake2bp", "blake2sp", "blake2xb", "blake2xs",
    "cshake128", "cshake256", "digest", "hash_file", "hash_files", "hash_many", "hkdf", "hkdf_expand", "hkdf_extract", "import_state",
    "kmac128", "kmac256", "kt128", "kt256", "parallelhash128", "parallelhash256", "sha512_224", "sha512_256",
    "tuplehash128", "tuplehash256", "turboshake128", "turboshake256",
]  # fmt: skip
