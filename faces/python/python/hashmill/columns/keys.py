"""Keys of HMAC and KMAC, from files and environment variables."""

from __future__ import annotations

import argparse
import base64
import json
import os
import stat
import sys

from .errors import UsageError

_MAX_KEY = 1 << 20
_SHORT_KEY = 16


class Key:
    """A secret key, and its id if it has one. repr() and error messages do not show the secret."""

    __slots__ = ("id", "secret")

    def __init__(self, secret: bytes, id: str | None = None) -> None:
        self.secret = secret
        self.id = id

    def __repr__(self) -> str:
        return "<key>"


def key_of(arguments: argparse.Namespace) -> Key | None:
    """Returns the key that --key-file or --key-env names. All bytes of the file or variable belong
    to the key, as for the program hashmill, unless --key-encoding names another form. Prints
    warnings about keys that others can read or guess."""
    if arguments.key_file is not None:
        where = arguments.key_file
        try:
            with open(where, "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                written = file.read(_MAX_KEY + 1)
        except OSError as error:
            raise UsageError(f"{where}: {error.strerror}") from error
        if os.name == "posix" and stat.S_ISREG(mode) and mode & (stat.S_IRWXG | stat.S_IRWXO):
            _warn(f"{where}: other users have access to the key; chmod 600 takes it from them")
    elif arguments.key_env is not None:
        where = arguments.key_env
        if where not in os.environ:
            raise UsageError(f"{where} is not set in the environment")
        written = os.environb[where.encode()] if os.supports_bytes_environ else os.environ[where].encode()
    else:
        return None
    if len(written) > _MAX_KEY:
        raise UsageError(f"{where}: the key is longer than {_MAX_KEY} bytes")
    key = _decoded(written, arguments.key_encoding, where)
    if not key.secret:
        raise UsageError(f"{where}: the key is empty")
    if len(key.secret) < _SHORT_KEY:
        _warn(f"{where}: the key has only {len(key.secret)} bytes; 32 random bytes cannot be guessed")
    if arguments.key_encoding == "raw" and key.secret[-1:] in (b"\n", b"\r"):
        _warn(f"{where}: the key ends with a line break, which belongs to the key")
    return key


def _decoded(written: bytes, encoding: str, where: str) -> Key:
    try:
        if encoding == "hex":
            return Key(bytes.fromhex(written.decode("ascii").strip()))
        if encoding == "jwk":
            fields = json.loads(written)
            text, id = fields["k"], fields.get("kid")
            if fields["kty"] != "oct" or not isinstance(id, str | None):
                raise ValueError
            return Key(base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)), id)
    except (ValueError, KeyError, TypeError, AttributeError):
        # The cause is left out, because its message may show the key.
        raise UsageError(f"{where}: the key is not written as --key-encoding {encoding} says") from None
    return Key(written)


def _warn(text: str) -> None:
    print(f"hashmill columns: warning: {text}", file=sys.stderr)
