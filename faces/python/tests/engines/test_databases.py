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
from test_rowsql import COLUMNS, NESTED, table  # noqa: E402


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


KINDS = {
    "bool": "boolean", "int8": "smallint", "int32": "int", "int64": "bigint", "date32[day]": "date", "timestamp[us]": "timestamp",
    "timestamp[us, tz=Europe/Berlin]": "timestamptz", "time64[us]": "time", "binary": "bytea",
}  # fmt: skip


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def kind_of(type, statements):
    """PostgreSQL's type; those of structs are created by statements."""
    if pyarrow.types.is_list(type) or pyarrow.types.is_large_list(type):
        return kind_of(type.value_type, statements) + "[]"
    if pyarrow.types.is_struct(type):
        fields = ", ".join(f"{quoted(it.name)} {kind_of(it.type, statements)}" for it in type)
        if f"({fields})" not in statements:
            statements.append(f"({fields})")
        return f"struct_{statements.index(f'({fields})')}"
    if pyarrow.types.is_decimal(type):
        return f"numeric({type.precision},{type.scale})"
    return "hstore" if pyarrow.types.is_map(type) else KINDS.get(str(type), "text")


def literal(type, value, statements):
    if value is None:
        return "null"
    if pyarrow.types.is_map(type):
        text = pyarrow.list_(type.key_type)
        return f"hstore({', '.join(literal(text, list(part), statements) for part in zip(*value, strict=True))})" if value else "''::hstore"
    if isinstance(value, list):
        inner = ", ".join(literal(type.value_type, it, statements) for it in value)
        return f"array[{inner}]::{kind_of(type, statements)}"
    if isinstance(value, dict):
        inner = ", ".join(literal(it.type, value[it.name], statements) for it in type)
        return f"row({inner})::{kind_of(type, statements)}"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'"
    return "'" + str(value).replace("'", "''") + "'"


def test_postgres(postgres):
    # PostgreSQL has no lists of lists, and hstore has only texts.
    columns = {name: it for name, it in (COLUMNS | NESTED).items() if name not in ("lists", "numbered")}
    given, structs = table(columns), []
    kinds = ", ".join(f"{quoted(name)} {kind_of(kind, structs)}" for name, (kind, _, _) in columns.items())
    rows = ", ".join(
        f"({number}, {', '.join(literal(kind, values[number], structs) for kind, values, _ in columns.values())})" for number in range(5)
    )
    types = " ".join(f"create type struct_{number} as {fields};" for number, fields in enumerate(structs))
    made = f"{types} create table given (number int, {kinds}); insert into given values {rows};"
    postgres.lines(f"create extension pgcrypto; create extension hstore; {made}")
    for names in [*([name] for name in columns), list(columns)]:
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

    # Spark has no times of day.
    given = table(COLUMNS | NESTED, without=("time",))
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
