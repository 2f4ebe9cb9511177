"""What the kernels cost on 64-bit Arm, without an Arm CPU: `python3 bench/model/model.py` from the repository's root.

Instructions a byte are counted: qemu runs the program `model`, and its plugin `trace.c` counts. Cycles a block are
llvm-mca's, of the instructions that the kernel runs, block after block: models of CPUs, not machines. They assume
that every load hits the first cache and that every branch is predicted.

Needs gcc, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user, llvm-19, and Rust's library for the target.
"""

import csv
import datetime
import os
import pathlib
import re
import subprocess
import sys

TARGET = "aarch64-unknown-linux-gnu"
HERE = pathlib.Path(__file__).parent
BUILD = HERE.parent.parent / "target/model"
PROGRAM = BUILD / TARGET / "release/model"
QEMU = ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu", "-plugin"]

# As many messages as a group has, or one.
KERNELS = [
    ("sha256", "sha", 2), ("sha256", "sha", 1), ("sha256", "neon", 4), ("sha256", "portable", 1),
    ("sha512", "sha512", 2), ("sha512", "sha512", 1), ("sha512", "neon", 2), ("sha512", "portable", 1),
    ("sha3-256", "sha3", 2), ("sha3-256", "neon", 2), ("sha3-256", "portable", 1),
    ("blake2b", "sha3", 2), ("blake2b", "neon", 2), ("blake2b", "portable", 1),
    ("blake2s", "neon", 4), ("blake2s", "portable", 1),
]
BLOCKS = {"sha256": 64, "sha512": 128, "sha3-256": 136, "blake2b": 128, "blake2s": 64}
# LLVM's model of Neoverse V2 has no limit of its own to what is dispatched; its software
# optimization guide says 8. LLVM 19's model of Cortex-X4 is that of Neoverse N2.
CPUS = {"neoverse-v2": ["-dispatch=8"], "neoverse-n2": [], "neoverse-n1": [], "cortex-a72": []}


def run(command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more)


def build():
    environment = os.environ | {
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER": "aarch64-linux-gnu-gcc",
        "CARGO_PROFILE_RELEASE_STRIP": "false",
    }
    manifest = HERE / "Cargo.toml"
    run(["cargo", "build", "--release", "--target", TARGET, "--manifest-path", manifest, "--target-dir", BUILD],
        env=environment)
    run(["gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", HERE / "trace.c", "-o", BUILD / "trace.so"])


def play(options, algorithm, backend, count, length, times):
    """The instructions that ran."""
    plugin = ",".join([str(BUILD / "trace.so"), *options])
    ran = run([*QEMU, plugin, PROGRAM, algorithm, backend, count, length, times])
    return int(re.search(r"instructions: (\d+)", ran.stderr)[1])


def per_byte(algorithm, backend, count):
    once, thrice = (play([], algorithm, backend, count, 1024, times) for times in (1, 3))
    return (thrice - once) / 2 / count / 1024


def cycles(algorithm, backend, count, cpu):
    """Of a block in each lane: what eight more take."""
    totals = []
    for blocks in (3, 11):
        file = BUILD / "trace"
        play(["in=absorb", f"trace={file}"], algorithm, backend, count, blocks * BLOCKS[algorithm], 1)
        totals.append(modelled(file.read_bytes(), cpu))
    return (totals[1] - totals[0]) / 8


def modelled(code, cpu):
    lines = "\n".join(" ".join(f"{byte:#04x}" for byte in code[i:i + 4]) for i in range(0, len(code), 4))
    text = run(["llvm-mc-19", "-disassemble", "-triple=aarch64", "-mattr=+all"], input=lines).stdout
    instructions = [line for line in text.splitlines() if line.startswith("\t") and line[1] != "."]
    # All that ran is in one line, one after the other; branches need some label.
    text = "\n".join(["x:", *(re.sub(r"(\t(b\.\w+|bl?|cbn?z)\t.*)#-?\d+", r"\1x", line) for line in instructions)])
    command = ["llvm-mca-19", "-mtriple=aarch64", "-mattr=+sha2,+sha3", f"-mcpu={cpu}", *CPUS[cpu], "-iterations=1"]
    report = run([*command, "-instruction-info=0", "-resource-pressure=0"], input=text).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", report)[1])


def main():
    build()
    commit = run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE).stdout.strip()
    today = datetime.date.today().isoformat()
    head = ["date", "commit", "algorithm", "backend", "messages at once", "instructions a byte at 1 KiB"]
    head += [f"cycles a block in each lane, model of {cpu}" for cpu in CPUS]
    file = HERE.parent / "record/model-aarch64-llvm-mca" / f"{today}.csv"
    file.parent.mkdir(exist_ok=True)
    with open(file, "w", newline="") as out:
        writers = [csv.writer(each, lineterminator="\n") for each in (out, sys.stdout)]
        for writer in writers:
            writer.writerow(head)
        for algorithm, backend, lanes in KERNELS:
            count = 1 if lanes == 1 else 64
            row = [today, commit, algorithm, backend, lanes, f"{per_byte(algorithm, backend, count):.2f}"]
            row += [f"{cycles(algorithm, backend, lanes, cpu):.0f}" for cpu in CPUS]
            for writer in writers:
                writer.writerow(row)


if __name__ == "__main__":
    main()
