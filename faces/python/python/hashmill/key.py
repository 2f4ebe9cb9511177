"""Writes a new random key to a file that only its owner can read.

    python -m hashmill key people.key
    python -m hashmill key people.jwk --id people-2026

Without --id the file holds the 32 bytes of the key. With --id it holds a JSON Web Key (RFC 7517):
the key and its id, which is no secret. python -m hashmill columns --key-encoding jwk writes the id
into its outputs.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import secrets
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of python -m hashmill key."""
    parser.add_argument("file", metavar="FILE", help="the new file; it must not exist")
    parser.add_argument("--id", help="the key's id; without it, the file holds 32 random bytes and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Carries out the command and returns the exit status."""
    # A line break at the end would look like one that an editor added.
    while (secret := secrets.token_bytes(32))[-1:] in (b"\n", b"\r"):
        pass
    if arguments.id is not None:
        text = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
        fields = {"kty": "oct", "kid": arguments.id, "k": text}
        secret = json.dumps(fields).encode() + b"\n"
    try:
        # The mode is set when the file is made, so that nobody can open it before.
        with open(os.open(arguments.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret)
    except OSError as error:
        print(f"hashmill key: {arguments.file}: {error.strerror}", file=sys.stderr)
        return 2
    return 0
