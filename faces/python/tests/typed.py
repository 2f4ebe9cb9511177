"""What mypy --strict has to make of the package. It is not run."""

from typing import assert_type

import hashmill
from hashmill import arrow, hmac, pandas, polars, spark, sql

assert_type(hashmill.sha256(b"abc"), hashmill.HASH)
assert_type(hashmill.sha256(bytearray(3)).digest(), bytes)
assert_type(hashmill.shake_128(memoryview(b"abc")).digest(5), bytes)
assert_type(hashmill.blake2b(b"abc", digest_size=5).copy(), hashmill.blake2b)
assert_type(hashmill.kt128(b"abc", customization=b"x").hexdigest(), str)
assert_type(hashmill.blake2xb(b"abc", length=100, key=b"k").digest(), bytes)
assert_type(hashmill.hash_many([b"a", bytearray(b"b")], "sha3_256"), hashmill.Digests)
assert_type(hashmill.hash_many([b"a"])[0], bytes)
assert_type(hashmill.hash_many([b"a"])[1:], hashmill.Digests)
assert_type(hashmill.digest("sha256", b"abc"), bytes)
assert_type(hashmill.hash_file("path", progress=print), bytes)
assert_type(hashmill.pbkdf2_hmac("sha256", b"password", b"salt", 1), bytes)
assert_type(hashmill.md5(b"abc").hexdigest(), str)
assert_type(hmac.new(b"key", b"message", "sha256").digest(), bytes)
assert_type(hmac.prepare(b"key", hashmill.sha256).finish(b"message"), bytes)
assert_type(arrow.sha256([], key=b"key", output="hex"), arrow.Array)
assert_type(arrow.hash_rows(object(), ["a", "b"], nulls="keep"), arrow.Array)  # type: ignore[call-arg]
hashmill.new("SHA3-256"), hashmill.new("md5"), hashmill.file_digest(open("path", "rb"), "sha1")
arrow.hash_column([], "kmac128", key=b"key"), hmac.new(b"key", digestmod="md5")
# A name that there is not is an error for all functions that take one.
hashmill.new("sha257")  # type: ignore[arg-type]
hashmill.digest("md5", b"")  # type: ignore[arg-type]
hashmill.hash_many([], "sha_256_")  # type: ignore[arg-type]
hashmill.hash_file("path", "sha257")  # type: ignore[arg-type]
hashmill.file_digest(open("path", "rb"), "sha257")  # type: ignore[arg-type]
hashmill.pbkdf2_hmac("sha257", b"", b"", 1)  # type: ignore[arg-type]
hashmill.hkdf(b"", 32, digestmod="sha257")  # type: ignore[arg-type]
hmac.new(b"", b"", "sha257"), hmac.digest(b"", b"", "sha257")  # type: ignore[arg-type]
arrow.hash_column([], "sha257"), arrow.hash_rows([], None, "md5")  # type: ignore[arg-type]
pandas.hash_column([], "sha257"), polars.hash_column("x", "sha257")  # type: ignore[arg-type]
sql.function("sha257"), spark.arrow_udf("sha257")  # type: ignore[arg-type]
hashmill.sha256("text")  # type: ignore[arg-type]
arrow.sha256([], output="base64")  # type: ignore[arg-type]
