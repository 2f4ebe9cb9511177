"""What was proved last: for each machine a digest of all that its proofs depend on, in proved.txt. See README.md."""

import argparse
import hashlib
import pathlib
import subprocess

from tables import FAMILIES, SOURCES

PROOFS = pathlib.Path(__file__).parent
RECORD = PROOFS / "proved.txt"
# The kernels, the tables with the pointers to them, and what they use.
KERNELS = ("backend", "simd", "blake3", *FAMILIES)


def files():
    yield PROOFS.parent / "Cargo.toml"
    for pattern in ("*.py", "*.rs", "requirements.txt"):
        yield from PROOFS.glob(pattern)
    for name in KERNELS:
        yield SOURCES / f"{name}.rs"
        yield from (SOURCES / name).rglob("*.rs")


def digest(rustc):
    """Of the kernels, the prover and the compiler."""
    state = hashlib.sha256(subprocess.run([rustc, "-vV"], check=True, capture_output=True).stdout)
    for path in sorted(files()):
        text = path.read_bytes()
        state.update(f"{path.relative_to(PROOFS.parent).as_posix()} {len(text)}\n".encode() + text)
    return state.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rustc")
    parser.add_argument("machine")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    record = dict(line.split() for line in RECORD.read_text().splitlines()) if RECORD.exists() else {}
    now = digest(arguments.rustc)
    if arguments.write:
        record[arguments.machine] = now
        RECORD.write_text("".join(f"{machine} {digest}\n" for machine, digest in sorted(record.items())))
    elif record.get(arguments.machine) != now:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
