"""Runs the tests of other packages over hashmill, given checkouts of their repositories:

    python tests/others/run.py blake3 PATH          # github.com/oconnor663/blake3-py
    python tests/others/run.py polars-hash PATH     # github.com/ion-elgreco/polars-hash
    python tests/others/run.py pycryptodome PATH    # github.com/Legrandin/pycryptodome
    python tests/others/run.py cryptography PATH    # the package cryptography_vectors, unpacked

It needs what tests/requirements.txt names. `SKIPPED` names the tests that do not run, with the reasons.
"""

import importlib
import importlib.abc
import importlib.machinery
import pathlib
import re
import sys
import types
import unittest

import hashmill
import pytest

#: For each package, patterns of the names of tests, and why they cannot pass or are not of this package.
SKIPPED = {
    "blake3": {
        "test_int_array_fails": "arrays of numbers are hashed by their bytes, as by hashlib",
        "test_example_dot_py": "it starts an example in a process of its own, which imports the package blake3",
    },
    "polars-hash": {
        r"(?!test_(sha256|hmac_sha256|sha3_shake128|blake3_str|blake3_bytes|blake3_bytes_null)$).*":
            "it is about a function that this package does not have, or about polars_hash.hash_rows, which encodes otherwise",
    },
    "pycryptodome": {
        r".*(HashTestOID|test_oid).*": "hash objects have no object identifiers",
        r".*test_(left_encode|bytepad|length_encode)": "it calls a private function of pycryptodome",
    },
    "cryptography": {},
}


def blake3(checkout):
    module = types.ModuleType("blake3")
    module.blake3, module.__version__ = hashmill.blake3, hashmill.__version__
    sys.modules["blake3"] = module
    return under_pytest("blake3", checkout / "tests/test_blake3.py")


def polars_hash(checkout):
    import polars
    from hashmill import polars as hm

    class Chash:
        """The names of polars-hash for functions that this package has."""

        def __init__(self, expression):
            self._expression = expression

        def __getattr__(self, name):
            algorithm = {"sha3_shake128": "shake_128", "sha3_shake256": "shake_256"}.get(name)
            algorithm = algorithm or name.replace("sha2_", "sha").removeprefix("hmac_")
            return lambda *, key=None, length=None: hm.hash_column(
                self._expression, algorithm, key=None if key is None else key.encode(), length=length
            )

    class Others:
        """Their other functions, with which the file makes expressions while it is imported."""

        def __init__(self, expression):
            pass

        def __getattr__(self, name):
            return lambda *given, **options: polars.lit(None)

    polars.api.register_expr_namespace("chash")(Chash)
    for name in ("nchash", "geohash", "h3", "uuidhash", "timehash"):
        polars.api.register_expr_namespace(name)(Others)
    module = types.ModuleType("polars_hash")
    module.__file__, module.col = hm.__file__, polars.col
    sys.modules["polars_hash"] = module
    return under_pytest("polars-hash", checkout / "polars_hash/tests/test_hash.py")


class _Table:
    """A plugin of pytest that leaves out the tests of the table."""

    def __init__(self, package):
        self.skipped = SKIPPED[package]

    def pytest_collection_modifyitems(self, items):
        for item in items:
            for pattern, reason in self.skipped.items():
                if re.fullmatch(pattern, item.originalname or item.name):
                    item.add_marker(pytest.mark.skip(reason=reason))


def under_pytest(package, path):
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(path.parent), "-rs", "--tb=short", str(path)]
    return pytest.main(options, plugins=[_Table(package)])


def pycryptodome(checkout):
    """Their tests import Crypto.Hash.SHAKE128 and so on, which are modules of ours here."""
    sys.path[:0] = [str(checkout / "lib"), str(checkout / "test_vectors")]
    sys.meta_path.insert(0, _Modules())
    vectors = importlib.import_module("pycryptodome_test_vectors")
    vectors.__file__ = vectors.__file__ or f"{vectors.__path__[0]}/__init__.py"  # A checkout has no such file.
    import Crypto.SelfTest.Hash as tests

    names = [*(f"SHA{n}" for n in (224, 256, 384, 512)), *(f"SHA3_{n}" for n in (224, 256, 384, 512))]
    names += ["SHAKE", "cSHAKE", "KMAC", "TupleHash", "TurboSHAKE", "KangarooTwelve"]
    suite = unittest.TestSuite()
    for name in names:
        module = importlib.import_module(f"{tests.__name__}.test_{name}")
        suite.addTests(_without(module.get_tests()))
    return 0 if unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful() else 1


def _without(tests):
    """The tests that are not in the table. A suite may contain suites."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from _without(test)
        elif not any(re.fullmatch(pattern, test.id()) for pattern in SKIPPED["pycryptodome"]):
            yield test


class _Object:
    """An object with their interface: update() and read() or digest(), after which update() is an error."""

    def __init__(self, make, data=None, size=None, **names):
        self._hasher, self._reader, self._done, self._size = make(), None, False, size
        self.__dict__.update(names)
        if size is not None:
            self.digest_size = size
        if data is not None:
            self.update(data)

    def update(self, *data):
        if self._done:
            raise TypeError("no update after the output")
        for it in data:
            if not isinstance(it, (bytes, bytearray, memoryview)):
                raise TypeError("bytes are needed")
            self._hasher.update(it)
        return self

    def read(self, length):
        self._done = True
        self._reader = self._reader or self._hasher.reader()
        return self._reader.read(length)

    def digest(self):
        self._done = self._size is not None
        return self._hasher.digest()

    def hexdigest(self):
        return self.digest().hex()

    def verify(self, tag):
        if self.digest() != bytes(tag):
            raise ValueError("another tag")

    def hexverify(self, tag):
        self.verify(bytes.fromhex(tag))

    def copy(self):
        other = _Object.__new__(_Object)
        other.__dict__.update(self.__dict__)
        other._hasher = self._hasher.copy()
        return other


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules with their interface and our functions, and what else their compiled parts provide."""

    def find_spec(self, name, path, target=None):
        if name.startswith("Crypto.Hash.") or name == "Crypto.Util.strxor":
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        name = spec.name.rpartition(".")[2]
        if name == "strxor":
            module.strxor_c = lambda data, byte: bytes(it ^ byte for it in data)
            return module
        for pattern, make in FUNCTIONS.items():
            if re.fullmatch(pattern, name):
                module.new = make(name)
                if name.startswith("SHA") and make is _sha:
                    module.digest_size = hashmill.new(name).digest_size
        return module

    def exec_module(self, module):
        pass


def _sha(name):
    """SHA-2 and SHA-3."""
    ours = name.lower()

    def new(data=None, truncate=None, update_after_digest=False):
        inner = ours if truncate is None else f"{ours}_{truncate}"
        made = _Object(lambda: hashmill.new(inner), data, oid=None)
        made._size = None if update_after_digest or not ours.startswith("sha3") else made._hasher.digest_size
        made.digest_size, made.block_size = made._hasher.digest_size, made._hasher.block_size
        made.new = lambda data=None: new(data, truncate, update_after_digest)
        return made

    return new


def _xof(name):
    """SHAKE, cSHAKE, TurboSHAKE and KangarooTwelve, whose output is read."""
    ours = {"SHAKE128": "shake_128", "SHAKE256": "shake_256", "KangarooTwelve": "kt128"}.get(name, name.lower())
    function = getattr(hashmill, ours)

    def new(data=None, custom=None, domain=None):
        options = {} if custom is None else {"customization": custom}
        if domain is not None:
            options["domain"] = domain
        made = _Object(lambda: function(**options), data, oid=None)
        made.new = lambda data=None, **more: new(data, **({"domain": domain} if domain else {}), **more)
        return made

    return new


def _kmac(name):
    function, least = getattr(hashmill, name.lower()), int(name[4:]) // 8

    def new(key=None, data=None, mac_len=64, custom=b""):
        if not isinstance(key, (bytes, bytearray, memoryview)):
            raise TypeError("a key is needed")
        key = bytes(key)
        if len(key) < least or mac_len < 8:
            raise ValueError("the key or the tag is short")
        return _Sized(lambda: function(key, customization=custom), data, mac_len, new)

    return new


def _tuple_hash(name):
    function = getattr(hashmill, name.lower())

    def new(digest_bytes=None, digest_bits=None, custom=b""):
        if digest_bytes is not None and digest_bits is not None:
            raise TypeError("one of the two")
        if digest_bits is not None and digest_bits % 8:
            raise ValueError("whole bytes")
        size = 64 if digest_bytes is digest_bits is None else digest_bytes if digest_bits is None else digest_bits // 8
        if size < 8:
            raise ValueError("at least 8 bytes")
        made = _Sized(None, None, size, new)
        made._parts = []
        made._hasher = None
        made._finish = lambda: function(made._parts, customization=custom)
        return made

    return new


class _Sized(_Object):
    """An object whose digest has a length that was given before."""

    def __init__(self, make, data, size, new):
        super().__init__(make or (lambda: None), data, size)
        self.new = new

    def update(self, *data):
        if self._hasher is not None or self._done:
            return super().update(*data)
        for it in data:
            if not isinstance(it, (bytes, bytearray, memoryview)):
                raise TypeError("bytes are needed")
        self._parts += map(bytes, data)
        return self

    def digest(self):
        self._done = True
        return (self._hasher or self._finish()).digest(self._size)


FUNCTIONS = {
    r"SHA(224|256|384|512)|SHA3_\d+": _sha,
    r"c?SHAKE(128|256)|TurboSHAKE(128|256)|KangarooTwelve": _xof,
    r"KMAC(128|256)": _kmac,
    r"TupleHash(128|256)": _tuple_hash,
}


def cryptography(checkout):
    """The vectors of NIST's CAVP that pyca/cryptography tests its hashes with."""
    folder = next(it for it in [checkout / "cryptography_vectors", checkout, checkout / "vectors/cryptography_vectors"]
                  if (it / "hashes").is_dir())  # fmt: skip
    count = 0
    for path in sorted((folder / "hashes").rglob("*Msg.rsp")) + sorted((folder / "hashes").rglob("*VariableOut.rsp")):
        name = re.match(r"(SHA512_\d+|SHA3_\d+|SHAKE\d+|SHA\d+)", path.stem)[1].lower().replace("shake", "shake_")
        if name == "sha1":
            continue
        count += _vectors(path, name)
    for path in sorted((folder / "hashes/blake2").glob("*.txt")):
        count += _vectors(path, path.stem.split("-")[0].lower())
    print(f"{count} passed, 0 failed")
    return 0 if count > 1000 else 1


def _vectors(path, name):
    """Checks the answers of a file, whole, in pieces and in a batch, and returns their number."""
    fields, count, messages, answers = {}, 0, [], []
    for line in path.read_text().splitlines():
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            key, _, value = (part.strip() for part in line.partition(":"))
        if not key or key.startswith(("[", "#")):
            continue
        fields[key.lower()] = value
        if key.lower() in ("md", "output", "hash", "out"):
            data = bytes.fromhex(fields.get("msg", fields.get("in", "")))
            bits = int(fields.get("len", 8 * len(data)))
            data, answer = data[: bits // 8], bytes.fromhex(value)
            length = [len(answer)] if name.startswith("shake") else []
            whole, pieces = hashmill.new(name, data), hashmill.new(name)
            for start in range(0, len(data), 37):
                pieces.update(data[start : start + 37])
            assert whole.digest(*length) == pieces.digest(*length) == answer, (path.name, fields)
            messages.append(data)
            answers.append(answer)
            count += 1
    if answers and len(set(map(len, answers))) == 1:
        length = len(answers[0]) if name.startswith("shake") else None
        assert list(hashmill.hash_many(messages, name, length=length)) == answers
    return count


SUITES = {"blake3": blake3, "polars-hash": polars_hash, "pycryptodome": pycryptodome, "cryptography": cryptography}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SUITES or not pathlib.Path(sys.argv[2]).is_dir():
        sys.exit(f"usage: run.py {'|'.join(SUITES)} PATH")
    sys.exit(SUITES[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve()))
