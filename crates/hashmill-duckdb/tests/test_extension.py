"""The extension in DuckDB, beside hashlib, hmac and DuckDB's own functions. HASHMILL_DUCKDB is its file."""

import hashlib
import hmac
import os
import threading

import duckdb
import hashmill
import pytest
from hashmill import hmac as hashmill_hmac

EXTENSION = os.environ["HASHMILL_DUCKDB"]
# Empty; inside the value; the shortest that is not; as long as blocks and longer.
TEXTS = ["", "a", "x" * 12, "é" * 6, "x" * 13, "ada@example.org", "x" * 55, "x" * 64, "y" * 200, "é" * 3000]


@pytest.fixture
def connection():
    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    connection.load_extension(EXTENSION)
    return connection


def functions(connection):
    rows = connection.sql("select distinct function_name from duckdb_functions() where function_name like 'hm\\_%' escape '\\'")
    return sorted(name for (name,) in rows.fetchall())


def names(connection):
    return [name.removeprefix("hm_") for name in functions(connection) if not name.endswith("_binary") and name != "hm_hmac"]


def sql_name(name):
    return "hm_" + name.replace("shake_", "shake")


# The length of the digests of an extendable-output function.
LENGTHS = {"shake128": 32, "shake256": 64, "turboshake128": 32, "turboshake256": 64, "blake3": 32, "ascon_xof128": 32}


def digest(name, data):
    if name in LENGTHS:
        (value,) = hashmill.hash_many([data], name, length=LENGTHS[name])
        return value
    return hashmill.new(name, data).digest()


def test_every_function_is_there(connection):
    assert {"hm_sha256", "hm_sha3_512", "hm_blake2sp", "hm_blake3"} < set(functions(connection))
    both = [sql_name(name) + ending for name in [*hashmill.algorithms_own, "hmac"] for ending in ("", "_binary")]
    assert functions(connection) == sorted(both)


def test_digests(connection):
    values = TEXTS * 700 + [None]
    connection.execute("create table t as select unnest($1::varchar[]) as x", [values])
    for name in names(connection):
        want = [None if it is None else digest(name, it.encode()) for it in TEXTS + [None]]
        columns = f"hm_{name}(x), hm_{name}_binary(x), hm_{name}(encode(x)), hm_{name}_binary(encode(x))"
        rows = connection.sql(f"select distinct x, {columns} from t").fetchall()
        assert len(rows) == len(want)
        for x, *digests in rows:
            binary = want[(TEXTS + [None]).index(x)]
            text = None if binary is None else binary.hex()
            assert digests == [text, binary, text, binary], (name, x)
    unlike = connection.execute("select count(*) from t where hm_sha256(x) is distinct from sha256(x)").fetchall()[0]
    assert unlike == (0,)


def test_nulls_dictionaries_and_constants(connection):
    """NULL in every place of a chunk; vectors that are constant, or that refer to a dictionary."""
    rows = connection.sql("select i, hm_sha256(case when i % 3 > 0 then i::text end) from range(5000) t(i)").fetchall()
    for i, digest in rows:
        assert digest == (hashlib.sha256(str(i).encode()).hexdigest() if i % 3 else None)
    assert connection.execute("select hm_sha256(null), hm_sha256_binary(null::blob)").fetchall()[0] == (None, None)
    constant = connection.sql("select distinct hm_sha256('abc') from range(5000)").fetchall()
    assert constant == [(hashlib.sha256(b"abc").hexdigest(),)]
    assert connection.sql("select hm_sha256(x) from (select ''::varchar as x) where false").fetchall() == []
    kinds = connection.execute("select count(distinct hm_sha256(k::varchar)) from (select (['a','b'])[1 + i % 2]::enum('a', 'b') k from range(9999) t(i))")
    assert kinds.fetchall()[0] == (2,)
    largest = connection.execute("select hm_blake2b(repeat('x', 10000000))").fetchall()[0]
    assert largest == (hashlib.blake2b(b"x" * 10000000).hexdigest(),)


def test_threads(connection):
    """Several threads of Python and of DuckDB."""
    want = connection.execute("select sum(hash(sha256(i::text))) from range(300000) t(i)").fetchall()[0]
    found = []

    def run():
        cursor = connection.cursor()
        found.append(cursor.execute("select sum(hash(hm_sha256(i::text))) from range(300000) t(i)").fetchall()[0])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    assert found == [want] * 4


def test_hmac(connection, tmp_path):
    key = tmp_path / "a key's file"
    key.write_bytes(bytes(range(32)))
    path = str(key)
    values = [*TEXTS, None]
    for name in set(names(connection)) - set(LENGTHS) - {"ascon_hash256"}:
        query = "select x, hm_hmac($name, $path, x), hm_hmac_binary($name, $path, encode(x)) from (select unnest($values::varchar[]) x)"
        rows = connection.execute(query, {"name": name, "path": path, "values": values}).fetchall()
        for x, text, binary in rows:
            tag = None if x is None else hashmill_hmac.new(bytes(range(32)), x.encode(), name).digest()
            assert (text, binary) == (tag and tag.hex(), tag)
    assert connection.execute("select hm_hmac(null, $1, 'x'), hm_hmac('sha256', null, 'x')", [path]).fetchall()[0] == (None, None)
    # The other spelling of a name, and a key that changes.
    key.write_bytes(b"k" * 200)
    tag = hmac.digest(b"k" * 200, b"x", "sha3-256").hex()
    assert connection.execute("select hm_hmac('SHA3-256', $1, 'x')", [path]).fetchall()[0] == (tag,)
    plan = connection.execute("explain select hm_hmac('sha3_256', $1, x) from (select unnest(['a', 'b']) x)", [path]).fetchall()
    assert "k" * 32 not in str(plan)


@pytest.mark.parametrize(("arguments", "message"), [
    ("'md4', $key, 'x'", "no algorithm has this name"),
    ("'shake128', $key, 'x'", "fixed output length"),
    ("'blake3', $key, 'x'", "fixed output length"),
    ("'ascon_hash256', $key, 'x'", "not longer than their block"),
    ("'sha256', '/no/such/key', 'x'", "/no/such/key: No such file"),
    ("'sha256', '', 'x'", "No such file"),
    ("'sha256', $key || chr(0) || 'x', 'x'", "NUL byte"),
    ("'sha256', $empty, 'x'", "the key is empty"),
    ("'sha256', $long, 'x'", "longer than 4096 bytes"),
    ("'sha256', $folder, 'x'", "Is a directory"),
    ("(['sha256', 'sha512'])[i], $key, 'x'", "the same in all rows"),
])  # fmt: skip
def test_errors(connection, tmp_path, arguments, message):
    contents = {"key": b"secret", "empty": b"", "long": b"x" * 4097}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    paths = {name: str(tmp_path / name) for name in contents} | {"folder": str(tmp_path)}
    paths = {name: path for name, path in paths.items() if f"${name}" in arguments}
    with pytest.raises(duckdb.Error, match=message) as error:
        connection.execute(f"select hm_hmac({arguments}) from range(1, 3) t(i)", paths).fetchall()
    assert "secret" not in str(error.value)


def test_without_leave_it_is_not_loaded(tmp_path):
    with pytest.raises(duckdb.IOException, match="signature"):
        duckdb.connect().load_extension(EXTENSION)
    # A file without the metadata.
    with open(EXTENSION, "rb") as file:
        library = file.read()[:-512]
    other = tmp_path / "hashmill.duckdb_extension"
    other.write_bytes(library)
    with pytest.raises(duckdb.Error, match="metadata"):
        duckdb.connect(config={"allow_unsigned_extensions": True}).load_extension(str(other))
