"""A table of people, and the digests of its columns and rows by hashlib, hmac and cbor2."""

import hashlib
import hmac
import pathlib
import re

import cbor2
import pyarrow

KEY = b"a key of the tests"
ROWS = ["id", "name", "paid"]


def rows():
    for i in range(5000):
        email = None if i % 7 == 3 else ["", "ada@example.org", f"usér {i}@example.org", "x" * (i % 300)][i % 4]
        yield {
            "id": i - 100,
            "email": email,
            "photo": None if i % 5 == 1 else bytes([i % 256, 255]) * (i % 40),
            "name": f"name {i % 900}",
            "paid": None if i % 11 == 0 else i / 8,
        }


SCHEMA = pyarrow.schema(
    [("id", "int64"), ("email", "string"), ("photo", "binary"), ("name", "string"), ("paid", "float64")]
)
TABLE = pyarrow.Table.from_pylist(list(rows()), schema=SCHEMA)
EMAILS = [None if it is None else hashlib.sha256(it.encode()).hexdigest() for it in TABLE["email"].to_pylist()]
KEYED = [None if it is None else hmac.digest(KEY, it.encode(), "sha3_256").hex() for it in TABLE["email"].to_pylist()]
PHOTOS = [None if it is None else hashlib.blake2b(it).digest() for it in TABLE["photo"].to_pylist()]
ENCODED_ROWS = [cbor2.dumps([row[name] for name in ROWS], canonical=True) for row in TABLE.to_pylist()]
HASHED_ROWS = [hashlib.sha3_256(it).hexdigest() for it in ENCODED_ROWS]


def pseudonym(email, key):
    return None if email is None else hmac.digest(key, email.encode(), "sha256").hex()


def recipe(library):
    """The lines of README.md under the comment with the name of this library."""
    page = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text()
    [lines] = re.findall(rf"^    # {library}\n((?:    [^#\s].*\n)+)", page, re.MULTILINE)
    return "\n".join(line[4:] for line in lines.splitlines())
