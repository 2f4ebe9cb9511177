"""The standard module hmac's interface, with hashmill's HMAC for the functions that it implements.

>>> from hashmill import hmac
>>> hmac.new(b"key", b"message", "sha256").hexdigest()[:16]
'6e9ef29b75fffc5b'
>>> hmac.compare_digest(hmac.digest(b"key", b"message", "sha256"), hmac.new(b"key", b"message", "sha256").digest())
True

Prepare a key that is used often: the prepared object and its copies do not absorb the key again.

>>> key = hmac.prepare(b"key", "sha256")
>>> key.finish(b"message") == hmac.digest(b"key", b"message", "sha256")
True
"""

from __future__ import annotations

import hmac as _hmac
from collections.abc import Callable as _Callable
from hmac import compare_digest
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal

import hashmill as _hashmill

from . import _hashmill as _native
from ._hashmill import HMAC as Prepared

if _TYPE_CHECKING:
    from typing_extensions import Buffer as _Buffer

    from .names import AlgorithmName as _AlgorithmName
    from .names import _OwnName

digest_size = None


def _own(digestmod: _Any) -> str | None:
    """Returns hashmill's name of a hash function, given by a name or a constructor, or None."""
    if isinstance(digestmod, str):
        return _native._canonical(digestmod)
    return _CONSTRUCTORS.get(digestmod) if callable(digestmod) and _hashable(digestmod) else None


def _hashable(value: _Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


_CONSTRUCTORS: dict[_Any, str] = {
    getattr(_native, name): name
    for name in _hashmill.algorithms_own
    if not name.startswith(("shake", "turboshake"))
}


class HMAC(_hmac.HMAC):
    """An HMAC object, as new() returns it. The class is a subclass of the standard hmac.HMAC."""

    def __init__(self, key: _Any, msg: _Any = None, digestmod: _Any = "") -> None:
        if not isinstance(key, (bytes, bytearray)):
            raise TypeError(f"key: expected bytes or bytearray, but got {type(key).__name__!r}")
        if not digestmod:
            raise TypeError("Missing required argument 'digestmod'.")
        if _own(digestmod) is not None:
            self._init_hmac(key, msg, digestmod)
        else:
            super().__init__(key, msg, digestmod)

    def _init_hmac(self, key: _Any, msg: _Any, digestmod: _Any) -> None:
        own = _own(digestmod)
        if own is None:
            super()._init_hmac(key, msg, digestmod)  # type: ignore[misc]
            return
        self._hmac = _native.hmac_new(key, b"" if msg is None else msg, digestmod=own)
        self.digest_size = self._hmac.digest_size
        self.block_size = self._hmac.block_size

    def _init_old(self, key: _Any, msg: _Any, digestmod: _Any) -> None:
        own = _own(digestmod)
        super()._init_old(key, msg, digestmod if own is None else getattr(_hashmill, own))  # type: ignore[misc]


def new(
    key: bytes | bytearray, msg: _Buffer | None = None, digestmod: _AlgorithmName | _Literal[""] | _Callable[..., _Any] = ""
) -> HMAC:
    """Returns an HMAC object.

    key: bytes or bytearray. msg: the first part of the message, or None. digestmod: the name of a
    hash function, a constructor, or a module with new().
    """
    return HMAC(key, msg, digestmod)


def digest(key: bytes | bytearray, msg: _Buffer, digest: _AlgorithmName | _Callable[..., _Any]) -> bytes:
    """Returns the tag of a message. Faster than new(key, msg, digest).digest()."""
    own = _own(digest)
    if own is not None:
        return _native.hmac_digest(key, msg, own)
    return _hmac.digest(key, msg, digest)


def prepare(key: _Buffer, digestmod: _OwnName | _Callable[..., _Any]) -> Prepared:
    """Returns an HMAC object for a key that is used often.

    The object's copy() and finish(message) do not absorb the key again. Raises ValueError for a
    hash function that hashmill does not implement, and for one that HMAC is not defined for.
    """
    own = _own(digestmod)
    if own is None:
        raise ValueError(f"{digestmod!r} is not one of hashmill.algorithms_own with a fixed output length")
    return _native.hmac_new(key, digestmod=own)


__all__ = ["HMAC", "Prepared", "compare_digest", "digest", "new", "prepare"]
