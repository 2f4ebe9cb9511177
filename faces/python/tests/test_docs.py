"""The examples of the docstrings and of README.md."""

import doctest
import pathlib
import typing

import hashmill
import hashmill.arrow
import hashmill.hmac
import hashmill.pandas
import hashmill.polars
import pytest

HERE = pathlib.Path(__file__).resolve().parents[1]


MODULES = [hashmill, hashmill.hmac, hashmill.arrow, hashmill.pandas, hashmill.polars]


@pytest.mark.parametrize("module", MODULES, ids=lambda it: it.__name__)
def test_docstrings(module):
    results = doctest.testmod(module)
    assert results.attempted > 3 and results.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/pseudonyms.md"])
def test_pages(page):
    results = doctest.testfile(str(HERE / page), module_relative=False)
    assert results.attempted > 3 and results.failed == 0


def test_everything_has_a_docstring():
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            is_type_of_arguments = typing.get_origin(value) is not None
            assert not callable(value) or is_type_of_arguments or value.__doc__, name
