"""Inline assembly: the few scalar instructions that the kernels use (Intel SDM, volume 2), flags aside."""

import re

from memory import Fault
from terms import add, and_, not_, rotr, xor

INSTRUCTIONS = {
    "mov": lambda old, a: a,
    "add": add,
    "and": and_,
    "xor": xor,
    "andn": lambda old, a, b: and_(not_(a), b),
    "rorx": lambda old, a, n: rotr(a, n),
}


def assembly(text, constraints, arguments):
    """Runs the text; operands are numbered with the outputs first."""
    constraints = [c for c in constraints.split(",") if not c.startswith("~{")]
    outputs = [c for c in constraints if c.startswith("=")]
    if any(not c.startswith("=&") for c in outputs):
        raise Fault("an output that may share its register with an input")
    registers = [None] * len(outputs) + list(arguments)
    for constraint, argument in zip(constraints[len(outputs):], arguments, strict=True):
        if constraint.isdigit():
            registers[int(constraint)] = argument
    text = re.sub(r"/\*.*?\*/", "", text)
    for line in filter(None, (line.strip() for line in re.split(r"\\0A|;", text))):
        run(line, registers, len(outputs))
    return registers[0] if len(outputs) == 1 else tuple(registers[:len(outputs)]) or None


def run(line, registers, outputs):
    name, operands = line.split(None, 1)
    if name not in INSTRUCTIONS:
        raise Fault(f"no model of the instruction {line}")
    target, *sources = (operand.strip() for operand in operands.split(","))
    number = re.fullmatch(r"\$\{(\d+):q\}", target)
    if not number or int(number[1]) >= outputs:
        raise Fault(f"a result in what is no output: {line}")

    def value(operand):
        if operand.isdigit():
            return int(operand)
        source = registers[int(re.fullmatch(r"\$\{(\d+):q\}", operand)[1])]
        if source is None or source.width != 64:
            raise Fault(f"an operand that is no word: {line}")
        return source

    old = registers[int(number[1])]
    if old is None and name in ("add", "and", "xor"):
        raise Fault(f"an operand that was not set: {line}")
    registers[int(number[1])] = INSTRUCTIONS[name](old, *map(value, sources))
