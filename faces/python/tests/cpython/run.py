"""CPython's own tests of hashlib and hmac, run against hashmill.

    python run.py        with hashmill installed, on any CPython that has its package `test`

The tests are those of the interpreter that runs this; nothing of them is here. Before they are imported, `hashlib`, `hmac`
and the extension modules behind them are replaced in sys.modules by ours, with what we lack (md5, sha1, scrypt)
from the real ones. expected.toml lists every test that is skipped or fails, with the reason; a test that
does otherwise, or an entry that is not needed, is an error.

So that the tests are not passed by the standard library's code, every call of a digest() or hexdigest() that is written
in C is counted by the type that has it: no digest of a function of ours may come from a type that is not ours, and each
function has to have been called.
"""

import collections
import contextlib
import functools
import hashlib
import hmac
import importlib
import pathlib
import sys
import threading
import tomllib
import types
import unittest

import _hashlib as REAL
import hashmill
import hashmill.hmac

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "%d.%d" % sys.version_info[:2]

#: What test_hashlib.py and test_hmac.py call, by names of ours.
NAMES = sorted(hashlib.algorithms_guaranteed - {"md5", "sha1"})


def module(name, real, **ours):
    """A module like `real`, but with what is ours in place of what has the same names."""
    made = types.ModuleType(name, real.__doc__)
    made.__dict__.update({key: value for key, value in vars(real).items() if key not in ("__spec__", "__loader__")})
    made.__dict__.update(ours)
    sys.modules[name] = made
    return made


def substitute():
    ours = {name: getattr(hashmill, name) for name in NAMES}
    openssl = {f"openssl_{name}": ours[name] for name in NAMES if not name.startswith("blake2")}
    module(
        "_hashlib",
        REAL,
        HASH=hashmill.HASH,
        HASHXOF=hashmill.HASHXOF,
        HMAC=hashmill.hmac.Prepared,
        new=hashmill.new,
        hmac_new=hmac_new,
        hmac_digest=hashmill.hmac.digest,
        pbkdf2_hmac=hashmill.pbkdf2_hmac,
        **openssl,
    )
    for name in ("_sha2", "_sha256", "_sha512", "_sha3", "_blake2"):
        try:
            real = importlib.import_module(name)
        except ImportError:
            continue
        module(name, real, **{key: value for key, value in ours.items() if hasattr(real, key)})
    # HMAC by the standard library's own functions, without OpenSSL: since 3.14.
    with contextlib.suppress(ImportError):
        real = importlib.import_module("_hmac")
        names = {name: name for name in NAMES if hasattr(real, f"compute_{name}")}
        names |= {name: f"{name}_32" for name in ("blake2s", "blake2b") if hasattr(real, f"compute_{name}_32")}
        module("_hmac", real, new=hmac_new, compute_digest=one_call,
               **{f"compute_{there}": functools.partial(one_call, digest=name) for name, there in names.items()})  # fmt: skip
    # What has no place in an interface, but is asked for: the standard library's way to its
    # extension modules.
    builtin = getattr(hashlib, "__get_builtin_constructor")
    internals = {
        "__get_builtin_constructor": lambda name: ours[name] if name in ours else builtin(name),
        "__builtin_constructor_cache": getattr(hashlib, "__builtin_constructor_cache"),
    }
    module("hashlib", hashmill, **internals)
    module("hmac", hashmill.hmac)
    # test_hashlib.py also imports hashlib afresh, with OpenSSL and without: it is to get ours both
    # times.
    from test import support
    from test.support import import_helper

    # Nothing is fetched; what takes long is run.
    support.use_resources = ["cpu"]

    fresh = import_helper.import_fresh_module

    def ours_is_fresh(name, *args, **kwargs):
        return sys.modules[name] if name in ("hashlib", "hmac", "_hmac") else fresh(name, *args, **kwargs)

    import_helper.import_fresh_module = ours_is_fresh


def hmac_new(key, msg=b"", digestmod=None):
    """_hashlib.hmac_new, whose digestmod may be a constructor."""
    if digestmod in ("md5", "sha1", hashlib.md5, hashlib.sha1):
        return REAL.hmac_new(key, msg, digestmod=digestmod)
    made = hashmill.hmac.prepare(key, digestmod)
    if msg is not None:
        made.update(msg)
    return made


def one_call(key, msg, digest):
    """_hmac.compute_digest."""
    if digest in ("md5", "sha1", hashlib.md5, hashlib.sha1):
        return REAL.hmac_digest(key, msg, digest)
    return hashmill.hmac.digest(key, msg, digest)


class Audit:
    """Which types gave digests of which functions."""

    def __init__(self):
        self.calls = collections.Counter()

    def __call__(self, frame, event, function):
        if event != "c_call" or function.__name__ not in ("digest", "hexdigest", "hmac_digest"):
            return
        if function.__name__ == "hmac_digest":
            self.calls[("hashmill" if function is not REAL.hmac_digest else "_hashlib"), "hmac_digest"] += 1
            return
        owner = function.__self__
        name = getattr(owner, "name", None)
        if isinstance(name, str):
            self.calls[type(owner).__module__.split(".")[0], name.removeprefix("hmac-")] += 1

    def faults(self):
        for (owner, name), count in sorted(self.calls.items()):
            if owner != "hashmill" and name in NAMES:
                yield f"{count} digests of {name} came from {owner}"
        for name in [*NAMES, "hmac_digest"]:
            if not self.calls["hashmill", name]:
                yield f"no digest of {name} came from hashmill"


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.outcomes = {}

    def note(self, test, outcome, detail=""):
        self.outcomes[short(test)] = (outcome, detail)

    def addSuccess(self, test):
        self.outcomes.setdefault(short(test), ("pass", ""))

    def addFailure(self, test, error):
        self.note(test, "fail", self._exc_info_to_string(error, test))

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note(test, "fail", self._exc_info_to_string(error, test))

    def addSkip(self, test, reason):
        self.note(test, "skip", reason)


def short(test):
    return ".".join(test.id().split(".")[-3:])


def expected():
    """The outcome of each test that does not pass, by its name, for this version of Python."""
    entries = tomllib.loads((HERE / "expected.toml").read_text())["test"]
    return {entry["name"]: entry for entry in entries if VERSION in entry.get("versions", [VERSION])}


def main():
    substitute()
    suite = unittest.TestSuite()
    for name in ("test.test_hashlib", "test.test_hmac"):
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name)))
    audit, result = Audit(), Result()
    threading.setprofile(audit)
    sys.setprofile(audit)
    try:
        suite.run(result)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    faults, entries = list(audit.faults()), expected()
    for test, (outcome, detail) in sorted(result.outcomes.items()):
        entry = entries.get(test)
        if entry is None and outcome != "pass":
            faults.append(f"{test}: {outcome}: {detail}")
        elif entry is not None and entry["outcome"] != outcome:
            faults.append(f"{test}: {outcome} where expected.toml has {entry['outcome']}")
    faults += [f"{name}: in expected.toml, but there is no such test" for name in entries.keys() - result.outcomes.keys()]
    for fault in faults:
        print(fault, file=sys.stderr)
    counts = collections.Counter(outcome for outcome, _ in result.outcomes.values())
    ours = sum(count for (owner, _), count in audit.calls.items() if owner == "hashmill")
    print(f"CPython {sys.version.split()[0]}: {counts['pass']} tests of test_hashlib and test_hmac pass, {counts['skip']} skipped, "
          f"{counts['fail']} fail; {ours} digests were hashmill's")  # fmt: skip
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
