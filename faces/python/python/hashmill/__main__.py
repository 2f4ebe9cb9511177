"""The package's programs: python -m hashmill columns …, compare …

columns     hashes columns and rows of CSV, Parquet and Arrow files
compare     counts the values that two columns of digests have in common
key         writes a new random key to a file that only its owner can read
rowsql      prints the SQL that computes the hashes of rows in a database
manifest    records what is in an object store, with digests, in a Parquet file
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import sys
from collections.abc import Sequence

#: The subcommands. Each is a module of this package with add_arguments(parser), run(arguments),
#: which returns the exit status, and, if it needs libraries, EXTRA, the name of the extra that
#: installs them. The module can be imported without these libraries; run() imports them.
COMMANDS = {
    "columns": "hash columns and rows of CSV, Parquet and Arrow files",
    "compare": "count the values that two columns of digests have in common",
    "key": "write a new random key to a file that only its owner can read",
    "rowsql": "print the SQL that computes the hashes of rows in a database",
    "manifest": "record what is in an object store, with digests, in a Parquet file",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand and returns its exit status.

    The status is 0 for success, 1 if some of the work failed, 2 for wrong usage, 130 after an
    interrupt.
    """
    parser = argparse.ArgumentParser(prog="python -m hashmill", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {}
    for name, purpose in COMMANDS.items():
        modules[name] = importlib.import_module(f"hashmill.{name}")
        command = commands.add_parser(
            name,
            help=purpose,
            description=modules[name].__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        modules[name].add_arguments(command)
    given = parser.parse_args(arguments)
    try:
        return int(modules[given.command].run(given))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except ImportError as error:
        # A library of an extra is not installed. Any other missing module is a fault of hashmill.
        library = (error.name or "hashmill").partition(".")[0]
        if library == "hashmill":
            raise
        extra = library if library == "ray" else modules[given.command].EXTRA
        packages = " ".join(f"'{it}'" for it in sorted(_packages(extra)))
        print(f"hashmill {given.command}: {error}; to install what it needs: pip install {packages}", file=sys.stderr)
        return 2


def _packages(extra: str) -> set[str]:
    """What an extra needs. One that names another extra of this package needs what that one needs."""
    found: set[str] = set()
    for requirement in importlib.metadata.requires("hashmill") or []:
        package, _, marker = requirement.partition(";")
        if marker.replace("'", '"').strip() == f'extra == "{extra}"':
            inner = package.strip().removeprefix("hashmill[").removesuffix("]")
            found |= {package.strip()} if inner == package.strip() else _packages(inner)
    return found


if __name__ == "__main__":
    sys.exit(main())
