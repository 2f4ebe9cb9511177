"""One Parquet file, the same digests through every engine; what is expected comes from hashlib, hmac and cbor2."""

import doctest
import os
import pathlib
import shutil
import subprocess
import sys

import duckdb
import hashmill.sql
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hashmill import arrow
from hashmill import polars as hm
from people import EMAILS, HASHED_ROWS, KEY, KEYED, PHOTOS, ROWS, TABLE, pseudonym, recipe


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


def hexed():
    return [None if it is None else it.hex() for it in PHOTOS]


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
        # The recipe of README.md, with rows in another order, filtered, and shuffled between partitions.
        people = session.read.parquet(path).select("id", "email")
        changes = (
            people.orderBy("email", ascending=False), people.where("id % 3 = 1").repartition(3), people.union(people),
        )  # fmt: skip
        recipes = []
        for changed in changes:
            names = {"frame": changed, "hashmill": hashmill, "key": KEY}
            exec(recipe("Spark"), names)
            count = changed.count()
            recipes.append((count, names["frame"].orderBy("email").select("email", "pseudonym").collect()))
    finally:
        session.stop()
    for count, found in recipes:
        assert len(found) == count > 1000
        assert all(row["pseudonym"] == pseudonym(row["email"], KEY) for row in found)
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


def test_docstrings():
    results = doctest.testmod(hashmill.sql)
    assert results.attempted > 1 and results.failed == 0


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
