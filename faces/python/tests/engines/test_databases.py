"""The SQL that computes the hashes of rows, run by PostgreSQL and Spark."""

import glob
import os
import pathlib
import shutil
import subprocess
import sys

import pyarrow.parquet
import pytest
from hashmill import arrow, rowsql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from test_rowsql import COLUMNS, table  # noqa: E402


class Postgres:
    """A server of its own, reached by a socket in its directory. It does not run as root."""

    def __init__(self, folder):
        programs = [shutil.which("initdb"), *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))]
        program = next(filter(None, programs), None)
        if program is None:
            pytest.skip("left out: PostgreSQL is not here: apt-get install postgresql")
        self.bin, self.data, self.prefix = os.path.dirname(os.path.realpath(program)), folder / "data", []
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
            for parent in folder.parents[:3]:
                parent.chmod(parent.stat().st_mode | 0o011)
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run("initdb", "-D", self.data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c timezone=America/New_York -c fsync=off"
        self.run("pg_ctl", "-D", self.data, "-o", options, "-l", folder / "log", "-w", "start")
        self.folder = folder

    def run(self, program, *arguments, **more):
        command = [*self.prefix, f"{self.bin}/{program}", *map(str, arguments)]
        # The server keeps the standard error of pg_ctl, so it is no pipe.
        more = {"stdout": subprocess.DEVNULL, "check": True, "text": True, "cwd": "/", **more}
        return subprocess.run(command, **more).stdout

    def lines(self, sql):
        options = ["-h", self.folder, "-U", "postgres", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt"]
        return self.run("psql", *options, input=sql, stdout=subprocess.PIPE).splitlines()

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    it = Postgres(tmp_path_factory.mktemp("postgres") / "server")
    yield it
    it.stop()


KINDS = {"flag": "boolean", "small": "smallint", "large": "bigint", "price": "numeric(10,2)", "whole": "numeric(38,0)",
         "born": "date", "at": "timestamp", "zoned": "timestamptz", "time": "time", "bytes": "bytea"}  # fmt: skip


def literal(value):
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'"
    return "'" + str(value).replace("'", "''") + "'"


def test_postgres(postgres):
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    given = table()
    kinds = ", ".join(f"{quoted(name)} {KINDS.get(name, 'text')}" for name in COLUMNS)
    rows = ", ".join(
        "({}, {})".format(number, ", ".join(literal(COLUMNS[name][1][number]) for name in COLUMNS)) for number in range(5)
    )
    postgres.lines(f"create extension pgcrypto; create table given (number int, {kinds}); insert into given values {rows};")
    for names in [*([name] for name in COLUMNS), list(COLUMNS)]:
        for algorithm in ("sha256", "sha512"):
            for options in ({}, {"separator": "||", "null": "it's \\N"}):
                want = arrow.hash_rows(given, names, algorithm, profile="text", output="hex", **options).to_pylist()
                sql = rowsql.row_hash(given.schema, names, algorithm, "postgres", **options)
                assert postgres.lines(f"select {sql} from given order by number") == want, sql
        keyed = rowsql.row_hash(given.schema, names, "sha256", "postgres", keyed=True).replace("$key", "'\\x6b00'::bytea")
        want = arrow.hash_rows(given, names, profile="text", output="hex", key=b"k\0").to_pylist()
        assert postgres.lines(f"select {keyed} from given order by number") == want, keyed


def test_spark(tmp_path):
    from pyspark.sql import SparkSession

    # Spark has no times of day, and the names of its Parquet columns have no quotes.
    given = table(without=("time",))
    given = given.rename_columns([name.replace('"', "'") for name in given.column_names])
    given = given.append_column("number", [list(range(5))])
    pyarrow.parquet.write_table(given, tmp_path / "given.parquet")
    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "1g")
    for name, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.warehouse.dir": str(tmp_path), "spark.log.level": "ERROR", "spark.sql.session.timeZone": "America/New_York",
    }.items():  # fmt: skip
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        session.read.parquet(str(tmp_path / "given.parquet")).createOrReplaceTempView("given")
        everything = [name for name in given.column_names if name != "number"]
        for names in [*([name] for name in everything), everything]:
            for options in ({}, {"separator": "||", "null": "it's \\N"}):
                want = arrow.hash_rows(given, names, profile="text", output="hex", **options).to_pylist()
                sql = rowsql.row_hash(given.schema, names, "sha256", "spark", **options)
                got = [row[0] for row in session.sql(f"select {sql} from given order by number").collect()]
                assert got == want, sql
    finally:
        session.stop()
