"""What CPython has besides one interpreter with a GIL: sub-interpreters, threads without a GIL, and private names."""

import shutil
import subprocess
import sys
import threading

import hashmill
import hashmill._hashmill
import pytest

REFUSED = """
try:
    import hashmill
except ImportError as error:
    assert "interpreter" in str(error), error
else:
    raise AssertionError("a sub-interpreter has imported the package")
"""


def in_an_interpreter(code):
    """Runs code in a new interpreter of this process. An exception there is one here."""
    if sys.version_info >= (3, 14):
        from concurrent import interpreters

        made = interpreters.create()
        try:
            made.exec(code)
        finally:
            made.close()
    elif sys.version_info >= (3, 13):
        import _interpreters

        made = _interpreters.create()
        try:
            failed = _interpreters.exec(made, code)
            assert failed is None, failed
        finally:
            _interpreters.destroy(made)
    else:
        import _xxsubinterpreters

        made = _xxsubinterpreters.create()
        try:
            _xxsubinterpreters.run_string(made, code)
        finally:
            _xxsubinterpreters.destroy(made)


def test_a_sub_interpreter_cannot_import_the_package():
    """PyO3 says so by an ImportError, and the first interpreter goes on."""
    hasher = hashmill.sha256(b"a")
    for _ in range(3):
        in_an_interpreter("import hashlib\nassert hashlib.sha256(b'').digest()")
        in_an_interpreter(REFUSED)
    hasher.update(b"bc")
    assert hasher.hexdigest()[:8] == "ba7816bf"


def test_threads_share_an_object():
    """No part is lost or absorbed twice, whether there is a GIL or not, which the import does not enable."""
    if hasattr(sys, "_is_gil_enabled") and "free-threading" in sys.version:
        assert not sys._is_gil_enabled()
    for part in (b"x" * 10, b"x" * 5000):
        hasher = hashmill.blake2b()
        threads = [threading.Thread(target=lambda: [hasher.update(part) for _ in range(200)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert hasher.digest() == hashmill.blake2b(part * 800).digest()


#: What CPython's public macros and inline functions use, in their own words or in PyO3's.
INLINE = {
    "_Py_Dealloc",
    "_Py_NoneStruct",
    "_Py_TrueStruct",
    "_Py_FalseStruct",
    "_Py_NotImplementedStruct",
    "_Py_EllipsisObject",
    # PyObject_Vectorcall.
    "_PyObject_MakeTpCall",
    "_Py_CheckFunctionResult",
}
#: An int of more than 64 bits. From 3.13 on there is PyLong_AsNativeBytes.
BEFORE_3_13 = {"_PyLong_AsByteArray"}


@pytest.mark.skipif(shutil.which("nm") is None or sys.platform != "linux", reason="needs binutils")
def test_no_private_name_of_cpython_is_used():
    """A name that begins with an underscore may go or change in any release of CPython."""
    extension = hashmill._hashmill.__file__
    names = subprocess.run(["nm", "-D", "--undefined-only", extension], capture_output=True, text=True, check=True).stdout
    used = {name for name in names.split() if name.startswith("_Py")}
    assert used <= INLINE | (BEFORE_3_13 if sys.version_info < (3, 13) else set())
