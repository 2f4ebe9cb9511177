"""One Parquet file, the same digests through every engine; what is expected comes from hashlib, hmac and cbor2."""

import datetime
import decimal
import doctest
import hashlib
import hmac
import os
import pathlib
import shutil
import subprocess
import sys

import cbor2
import datafusion
import duckdb
import hashmill.sql
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hashmill import arrow
from hashmill import polars as hm

KEY = b"a key of the tests"
COUNT = 5000
ROWS = ["id", "name", "paid"]


def rows():
    for i in range(COUNT):
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
HASHED_ROWS = [
    hashlib.sha3_256(cbor2.dumps([row[name] for name in ROWS], canonical=True)).hexdigest() for row in TABLE.to_pylist()
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "people.parquet"
    pyarrow.parquet.write_table(TABLE, path, row_group_size=700)
    return str(path)


def test_arrow(path):
    table = pyarrow.parquet.read_table(path)
    assert arrow.sha256(table["email"], output="hex").to_pylist() == EMAILS
    assert arrow.sha3_256(table["email"], output="hex", key=KEY).to_pylist() == KEYED
    assert arrow.blake2b(table["photo"]).to_pylist() == PHOTOS
    assert arrow.hash_rows(table, ROWS, "sha3_256", output="hex").to_pylist() == HASHED_ROWS


def test_datafusion(path):
    context = datafusion.SessionContext()
    context.register_parquet("people", path)
    hashmill.sql.register(context, keys={"k": KEY})
    hashmill.sql.register_rows(context, "people", ROWS)
    query = """select hm_sha256(email) as a, hm_hmac('sha3_256', 'k', email) as b, hm_blake2b_bytes(photo) as c,
               hm_row_hash('sha3_256', id, name, paid) as d from people order by id"""
    got = context.sql(query).to_pydict()
    assert got == {"a": EMAILS, "b": KEYED, "c": hexed(), "d": HASHED_ROWS}


def hexed():
    return [None if it is None else it.hex() for it in PHOTOS]


def test_datafusion_has_every_algorithm():
    context = datafusion.SessionContext()
    hashmill.sql.register(context, output="binary")
    names = hashmill.sql.ALGORITHMS
    assert set(names) == hashmill.algorithms_own | {"kt128", "kt256"}
    got = context.sql("select " + ", ".join(f"hm_{name}('é') as {name}" for name in names)).to_pylist()[0]
    assert got == {name: arrow.hash_column(pyarrow.array(["é"]), name)[0] for name in names}
    for name in hashlib.algorithms_guaranteed & set(names) - {"shake_128", "shake_256"}:
        assert got[name] == hashlib.new(name, "é".encode()).digest()


def test_datafusion_columns_of_other_types(path):
    """What DataFusion makes of them, as it is documented; never a digest of something else without a word."""
    context = datafusion.SessionContext()
    hashmill.sql.register(context)
    words = pyarrow.table({
        "large": pyarrow.array(["é", None], pyarrow.large_string()), "view": pyarrow.array(["é", None], pyarrow.string_view()),
        "category": pyarrow.array(["é", None]).dictionary_encode(), "fixed": pyarrow.array([b"\xff\xfe", None], pyarrow.binary(2)),
        "broken": pyarrow.array([b"\xff\xfe", None]), "number": [7, None],
    })  # fmt: skip
    context.register_record_batches("words", [words.to_batches()])
    want = [hashlib.sha256("é".encode()).hexdigest(), None]
    for name in ("large", "view", "category"):
        assert context.sql(f"select hm_sha256({name}) as a from words").to_pydict()["a"] == want
    got = context.sql("select hm_sha256(number) as a, hm_sha256_bytes(broken) as b from words").to_pydict()
    assert got["a"][0] == hashlib.sha256(b"7").hexdigest() and got["b"][0] == hashlib.sha256(b"\xff\xfe").hexdigest()
    with pytest.raises(Exception, match="UTF-8"):
        context.sql("select hm_sha256(broken) from words").collect()


def test_keys_are_not_in_plans_or_errors():
    context = datafusion.SessionContext()
    context.from_pydict({"x": ["a", "b"]}, name="t")
    hashmill.sql.register(context, keys={"k": b"correct-horse"})
    frame = context.sql("select hm_hmac('sha256', 'k', x) from t")
    plans = f"{frame.logical_plan()} {frame.optimized_logical_plan()} {frame.execution_plan()}"
    assert "hm_hmac" in plans and "horse" not in plans
    for wrong in ("'battery-staple'", "x"):
        with pytest.raises(Exception, match="hm_hmac's") as error:
            context.sql(f"select hm_hmac('sha256', {wrong}, x) from t").collect()
        assert "horse" not in str(error.value)
        assert "staple" not in str(error.value)
    with pytest.raises(Exception, match="one text"):
        context.sql("select hm_hmac(x, 'k', x) from t").collect()
    assert context.sql("select hm_hmac('sha256', 'k', x) from t where x > 'z'").to_pydict() == {
        frame.schema().names[0]: []
    }


def test_duckdb(path):
    connection = duckdb.connect()
    connection.create_function("hm_sha256", hashmill.sql.function("sha256"), ["VARCHAR"], "VARCHAR", type="arrow")
    keyed = hashmill.sql.function("sha3_256", key=KEY)
    connection.create_function("hm_keyed", keyed, ["VARCHAR"], "VARCHAR", type="arrow")
    photo = hashmill.sql.function("blake2b", output="binary")
    connection.create_function("hm_photo", photo, ["BLOB"], "BLOB", type="arrow")
    query = f"select hm_sha256(email), hm_keyed(email), hm_photo(photo) from '{path}' order by id"
    assert connection.sql(query).fetchall() == list(zip(EMAILS, KEYED, PHOTOS, strict=True))
    hashed = arrow.hash_rows(connection.sql(f"select id, name, paid from '{path}' order by id"), None, "sha3_256", output="hex")
    assert hashed.to_pylist() == HASHED_ROWS


def test_polars(path):
    frame = polars.scan_parquet(path).with_columns(
        hm.hash_column("email").alias("a"),
        hm.hash_column("email", "sha3_256", key=KEY).alias("b"),
        hm.hash_column("photo", "blake2b", output="binary").alias("c"),
        hm.hash_rows(*ROWS, algorithm="sha3_256").alias("d"),
    ).collect()  # fmt: skip
    assert (frame["a"].to_list(), frame["b"].to_list(), frame["c"].to_list()) == (EMAILS, KEYED, PHOTOS)
    assert frame["d"].to_list() == HASHED_ROWS
    assert arrow.hash_rows(frame, ROWS, "sha3_256", output="hex").to_pylist() == HASHED_ROWS


def test_daft(path):
    """The recipe of docs/engines.md."""
    import daft

    digests = hashmill.sql.function("sha256")

    @daft.func.batch(return_dtype=daft.DataType.string())
    def hm_sha256(values):
        return daft.Series.from_arrow(digests(values.to_arrow()))

    frame = daft.read_parquet(path).with_column("a", hm_sha256(daft.col("email")))
    table = frame.to_arrow().sort_by("id")
    assert table["a"].to_pylist() == EMAILS
    assert arrow.hash_rows(table, ROWS, "sha3_256", output="hex").to_pylist() == HASHED_ROWS


def test_spark(path, tmp_path):
    if shutil.which("java") is None:
        pytest.skip("left out: Spark: java is not here")
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    from hashmill import spark
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "1g")
    for name, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.warehouse.dir": str(tmp_path), "spark.log.level": "ERROR",
    }.items():  # fmt: skip
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        frame = session.read.parquet(path).withColumns({
            "a": spark.arrow_udf("sha256")("email"),
            "b": spark.arrow_udf("sha3_256", key=KEY)("email"),
            "c": spark.arrow_udf("blake2b", output="binary")("photo"),
        })  # fmt: skip
        frame = spark.hash_rows(frame, ROWS, "sha3_256", name="d").select("id", "a", "b", "c", "d")
        assert KEY.decode() not in frame._jdf.queryExecution().toString()
        got = sorted(map(tuple, frame.collect()))
    finally:
        session.stop()
    assert [it[1:] for it in got] == [
        (a, b, c, d) for a, b, c, d in zip(EMAILS, KEYED, PHOTOS, HASHED_ROWS, strict=True)
    ]


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_job(path, tmp_path, engine, request, capsys):
    """Both of the job's engines, also with several outputs of one file."""
    from hashmill.__main__ import main

    if engine == "ray":
        request.getfixturevalue("cluster")
    (tmp_path / "key").write_bytes(KEY)
    command = ["columns", path, "--hmac", "email=sha3-256", "--key-file", str(tmp_path / "key"), "--hash", "photo=blake2b"]
    command += ["--rows", ",".join(ROWS) + "=sha3-256", "--engine", engine, "-o", str(tmp_path / "out")]
    assert main([*command, "--split", "10000"]) == 0
    outputs = sorted((tmp_path / "out").glob("people-*.parquet"))
    assert len(outputs) > 3
    table = pyarrow.concat_tables(map(pyarrow.parquet.read_table, outputs))
    assert table["id"].to_pylist() == TABLE["id"].to_pylist()
    assert table["email"].to_pylist() == KEYED
    assert table["photo"].to_pylist() == hexed()
    assert table["row_sha3_256"].to_pylist() == HASHED_ROWS
    said = capsys.readouterr().err
    written = "".join(it.read_text() for it in (tmp_path / "out").glob("*.jsonl"))
    assert KEY.decode() not in said + written and KEY.hex() not in said + written


def test_rows_of_all_types():
    """What DataFusion hands to a row function, and what the job reads, are the same values."""
    table = pyarrow.table({
        "day": [datetime.date(2026, 1, 2), None], "at": [datetime.datetime(2026, 1, 2, 3, 4, 5, 678900), None],
        "money": [decimal.Decimal("12.30"), None], "flag": [True, None], "bytes": [b"\xff", None], "text": ["é", None],
    })  # fmt: skip
    context = datafusion.SessionContext()
    context.register_record_batches("t", [table.to_batches()])
    hashmill.sql.register_rows(context, "t", table.column_names)
    got = context.sql(f"select hm_row_hash('sha256', {', '.join(table.column_names)}) as h from t").to_pydict()["h"]
    assert got == arrow.hash_rows(table, output="hex").to_pylist()


def test_docstrings():
    results = doctest.testmod(hashmill.sql)
    assert results.attempted > 10 and results.failed == 0


def test_page():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/engines.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 10 and results.failed == 0


def test_without_the_extras(tmp_path):
    """Without a library the command says what installs it, and is no traceback."""
    (tmp_path / "pyarrow.py").write_text("raise ModuleNotFoundError(\"No module named 'pyarrow'\", name='pyarrow')")
    command = [sys.executable, "-m", "hashmill", "columns", __file__, "--hash", "a=sha256", "-o", str(tmp_path / "out")]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert ran.returncode == 2 and "pip install 'boto3>=1.36' 'obstore" in ran.stderr and "Traceback" not in ran.stderr
