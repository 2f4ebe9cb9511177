import duckdb
import hashlib
import sys

connection = duckdb.connect(config={"allow_unsigned_extensions": True})
connection.load_extension(sys.argv[1])
got = connection.sql("select hm_sha256('abc')").fetchall()
assert got == [(hashlib.sha256(b"abc").hexdigest(),)]
