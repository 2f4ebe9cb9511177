"""The models of instructions beside the CPU, on random operands: this one, or one that qemu plays."""

import random
import shlex
import subprocess

import arm
import asm
import x86
from terms import const, reset

ROUNDS = 200
TABLES = 0x96, 0xCA, 0xE8, 0xD2, 0x1B, 0x57
ROTATIONS = 14, 18, 28, 34, 39, 41

# The bits of each operand's lanes, and how many there are.
VECTORS = {
    "sha256rnds2": [(32, 4)] * 3,
    "sha256msg1": [(32, 4)] * 2,
    "sha256msg2": [(32, 4)] * 2,
    "vsha512rnds2": [(64, 4), (64, 4), (64, 2)],
    "vsha512msg1": [(64, 4), (64, 2)],
    "vsha512msg2": [(64, 4)] * 2,
    "ssse3.pshuf.b.128": [(8, 16)] * 2,
    "avx2.pshuf.b": [(8, 32)] * 2,
    "avx512.pshuf.b.512": [(8, 64)] * 2,
    "avx2.permd": [(32, 8)] * 2,
    **{f"avx512.pternlog.d.{n}": [(32, n // 32)] * 3 for n in (128, 256, 512)},
    **{f"avx512.pternlog.q.{n}": [(64, n // 64)] * 3 for n in (128, 256, 512)},
}


def arm_trials(rng):
    for name, model in arm.MODELS.items():
        short = name.removeprefix("llvm.aarch64.crypto.")
        operands = [
            tuple(const(rng.getrandbits(width), width) for _ in range(count)) for width, count in arm.VECTORS[short]
        ]
        yield short, operands, model(*operands)


def trials(rng):
    """Instructions with operands, and what the model makes of them."""
    for name in x86.MODELS:
        short = name.removeprefix("llvm.x86.")
        immediates = TABLES if "pternlog" in short else [None]
        for immediate in immediates:
            operands = [
                tuple(const(rng.getrandbits(width), width) for _ in range(count)) for width, count in VECTORS[short]
            ]
            extra = [] if immediate is None else [const(immediate, 32)]
            text = short if immediate is None else f"{short} {immediate}"
            yield text, operands, x86.MODELS[name](*operands, *extra)
    for name, model in asm.INSTRUCTIONS.items():
        old, a, b = (const(rng.getrandbits(64), 64) for _ in range(3))
        if name == "rorx":
            for n in ROTATIONS:
                yield f"rorx{n}", [(old,), (a,)], (model(old, a, n),)
        else:
            sources = [a, b] if name == "andn" else [a]
            yield name, [(old,), *((source,) for source in sources)], (model(old, *sources),)


def hexadecimal(lanes):
    return "".join(lane.value.to_bytes(lane.width // 8, "little").hex() for lane in lanes)


def compare(program, machine):
    """What was compared: how many instructions, and which ones this CPU lacks."""
    reset()
    rng = random.Random(6)
    every = [trial for _ in range(ROUNDS) for trial in (arm_trials if machine == "aarch64" else trials)(rng)]
    lines = [f"{name}:{' '.join(map(hexadecimal, operands))}" for name, operands, _ in every]
    answers = subprocess.run(
        shlex.split(program), input="\n".join(lines), capture_output=True, text=True, check=True
    ).stdout.split()
    compared, lacking = set(), set()
    for (name, operands, model), answer in zip(every, answers, strict=True):
        if answer == "-":
            lacking.add(name)
        elif answer != hexadecimal(model):
            raise SystemExit(f"the model of {name} differs from this CPU: {answer} for {hexadecimal(model)}")
        else:
            compared.add(name)
    return len(compared), sorted(lacking)
