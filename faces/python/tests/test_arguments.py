"""What is wrong with an argument is a ValueError, for numbers, too; and says what is allowed."""

import hashlib

import hashmill
import pandas
import pyarrow
import pytest
from hashmill import arrow, hmac, sql
from hashmill import pandas as hp
from hashmill import polars as hm

TEXTS = pyarrow.array(["a"])
TABLE = pyarrow.table({"a": TEXTS})
SERIES = pandas.Series(["a"])

NUMBERS = {
    "arrow length": lambda n: arrow.shake_128(TEXTS, length=n),
    "arrow threads": lambda n: arrow.hash_column(TEXTS, threads=n),
    "rows length": lambda n: arrow.hash_rows(TABLE, algorithm="shake_128", length=n),
    "rows threads": lambda n: arrow.hash_rows(TABLE, threads=n),
    "polars length": lambda n: hm.hash_column("a", "shake_128", length=n),
    "polars threads": lambda n: hm.hash_rows("a", threads=n),
    "pandas length": lambda n: hp.hash_column(SERIES, "shake_128", length=n),
    "pandas threads": lambda n: hp.hash_column(SERIES, threads=n),
    "sql length": lambda n: sql.function("shake_128", length=n),
    "many length": lambda n: hashmill.hash_many([b"a"], "shake_128", length=n),
    "many threads": lambda n: hashmill.hash_many([b"a"], threads=n),
    "files threads": lambda n: hashmill.hash_files([__file__], threads=n),
    "hkdf length": lambda n: hashmill.hkdf(b"secret", n),
    "hkdf_expand length": lambda n: hashmill.hkdf_expand(bytes(32), n),
    "blake2xb length": lambda n: hashmill.blake2xb(length=n),
    "blake2xs length": lambda n: hashmill.blake2xs(length=n),
    "parallelhash block_size": lambda n: hashmill.parallelhash128(b"", block_size=n),
    "turboshake domain": lambda n: hashmill.turboshake128(domain=n),
}


@pytest.mark.parametrize("call", NUMBERS.values(), ids=NUMBERS)
def test_numbers(call, request):
    for number in (-1, -(2**70), 2**64, 2**70):
        with pytest.raises(ValueError, match=request.node.callspec.id.split()[-1]):
            call(number)
    for no_number in ("1", 1.5):
        with pytest.raises(TypeError):
            call(no_number)


def test_lengths_of_outputs():
    """As in hashlib, a negative length is a ValueError and one that is too large an OverflowError."""
    for make in (hashmill.shake_128, hashmill.kt128, hashmill.cshake256, hashmill.blake3, hashmill.ascon_cxof128):
        for method in (make().digest, make().hexdigest):
            for number in (-1, -(2**70)):
                with pytest.raises(ValueError, match="length must be non-negative"):
                    method(number)
            with pytest.raises(OverflowError, match="length is too large"):
                method(2**64)


def test_too_many_threads():
    with pytest.raises(ValueError, match="threads is at most 1024"):
        hashmill.hash_files([__file__], threads=1025)
    assert len(hashmill.hash_files([__file__] * 3, threads=1024)) == 3


@pytest.mark.parametrize("name", ["sha257", "", "md4\u00e9"])
def test_unknown_names(name):
    """The error says where the names are."""
    own = "unsupported hash type .*: hashmill.algorithms_own has the names"
    many = f"{own}; kt128, kt256, kmac128 and kmac256 are others"
    for call, message in [
        (lambda: hashmill.new(name), "unsupported hash type .*: hashmill.algorithms_available has the names"),
        (lambda: hashmill.new(name, b"", usedforsecurity=False), "hashmill.algorithms_available has the names"),
        (lambda: hashmill.digest(name, b""), own),
        (lambda: hashmill.hkdf(b"", 5, digestmod=name), own),
        (lambda: hashmill.hash_many([], name), many),
        (lambda: hashmill.hash_file(__file__, name), own),
        (lambda: arrow.hash_column(TEXTS, name), many),
        (lambda: hp.hash_column(SERIES, name), many),
        (lambda: hm.hash_column("a", name), many),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    for function in (hmac.new, hmac.digest):
        with pytest.raises((ValueError, TypeError)):
            function(b"", b"", name)


def test_names_that_type_checkers_know():
    """Every name in the types is accepted at run time, and every own name is in the types."""
    from typing import get_args

    from hashmill import names

    def literals(kind):
        parts = get_args(kind)
        return {it for part in parts for it in ([part] if isinstance(part, str) else literals(part))}

    own, known = literals(names._OwnName), literals(names.AlgorithmName)
    assert hashmill.algorithms_own <= own < known and hashmill.algorithms_guaranteed <= known
    for name in own:
        assert hashmill.new(name).name in hashmill.algorithms_own
    for name in known - own:
        try:
            assert hashmill.new(name).digest_size
        except ValueError:  # This OpenSSL has not this one.
            with pytest.raises(ValueError):
                hashlib.new(name)
    for name in literals(names.BatchName):
        assert len(hashmill.hash_many([b""], name, key=b"key" if name.startswith("kmac") else None)) == 1
