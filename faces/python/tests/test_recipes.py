"""The recipes of README.md for each library, as they are printed, on tables whose rows are in another order."""

import pathlib
import re

import duckdb
import hashmill
import hashmill.pandas
import hashmill.polars
import hashmill.sql
import pandas
import polars
import pytest
from people import pseudonym, recipe

KEY = b"a key of the tests"
USERS = [(i, None if i % 7 == 3 else f"usér {i}@example.org", i % 4) for i in range(50)]
COLUMNS = ["id", "email", "part"]


def check(rows, count):
    """Each row is an id, the address of this person, and the pseudonym of this address."""
    assert len(rows) == count
    for number, email, found in rows:
        email = None if pandas.isna(email) else email
        assert USERS[number][1] == email
        assert (None if pandas.isna(found) else found) == pseudonym(email, KEY)


def run(library, **names):
    names |= {"hashmill": hashmill, "key": KEY}
    exec(recipe(library), names)
    return names["frame"]


FRAME = pandas.DataFrame(USERS, columns=COLUMNS)
LAZY = polars.LazyFrame(USERS, schema=COLUMNS, orient="row")


@pytest.mark.parametrize(
    "frame",
    [FRAME.sort_values("part"), FRAME[FRAME["part"] == 1], FRAME.set_index("part", drop=False), FRAME[::-1].reset_index()],
    ids=["sorted", "filtered", "duplicate labels", "new index"],
)
def test_pandas(frame):
    frame = frame.copy()
    count = len(frame)
    found = run("pandas", frame=frame).sort_values("email")
    check(list(found[["id", "email", "pseudonym"]].itertuples(index=False, name=None)), count)


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.sort("part", "email", descending=True),
        lambda frame: frame.filter(polars.col("part") == 1).reverse(),
        lambda frame: polars.concat([frame, frame]).sort("email"),
        lambda frame: frame.group_by("part").agg(polars.col("id").first(), polars.col("email").first()),
    ],
    ids=["sorted", "filtered", "twice", "grouped"],
)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars(change, engine):
    before = change(LAZY)
    count = before.collect().height
    found = run("polars", frame=before).sort("part").collect(engine=engine)
    check(found.select("id", "email", "pseudonym").rows(), count)
    found = run("polars", frame=before.collect()).sample(fraction=1, shuffle=True, seed=3)
    check(found.select("id", "email", "pseudonym").rows(), count)


@pytest.mark.parametrize("query", ["order by part, email desc", "where part = 1", "union all from people", "using sample 20 rows"])
def test_duckdb(query):
    connection = duckdb.connect()
    connection.register("everybody", FRAME)
    connection.execute("create table people as from everybody")
    connection.execute(f"create table users as from people {query}")
    [(count,)] = connection.sql("select count(*) from users").fetchall()
    found = run("DuckDB", connection=connection)
    check(found.select("id, email, pseudonym").fetchall(), count)
    check(connection.sql("select id, email, pseudonym from found order by email").fetchall(), count)


def test_no_page_loses_the_order():
    """No page or docstring makes a Series of an array of digests, which would have another index."""
    folder = pathlib.Path(__file__).resolve().parents[1]
    pages = [folder / "README.md", *folder.glob("docs/*.md"), *folder.glob("python/**/*.py")]
    assert len(pages) > 10
    for page in pages:
        text = re.sub(r"`pandas\.Series\((arrow\.sha256\()?…\)\)?`", "", page.read_text())
        assert not re.search(r"Series\((pyarrow\.array\()?arrow\.", text), page
