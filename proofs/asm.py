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
# What instructions need beyond the first CPUs of x86-64, and those that leave the flags as they were.
NEEDS = {"andn": "bmi", "rorx": "bmi2"}
KEEPS_FLAGS = {"mov", "rorx"}
CONSTRAINT = re.compile(r"=&?([a-z]|\{\w+\})|[a-z]|\{\w+\}|\d+|~\{\w+\}")
OPERAND = re.compile(r"\$\{(\d+):q\}")


def assembly(text, constraints, words, features, arguments):
    """Runs the text; operands are numbered with the outputs first. `words` are those before the text, `features` the
    instruction sets that the function around it may use."""
    for word in words - {"sideeffect", "inteldialect", "alignstack"}:
        raise Fault(f"no model of assembly with the word {word}")
    constraints = constraints.split(",")
    for constraint in constraints:
        if not CONSTRAINT.fullmatch(constraint):
            raise Fault(f"no model of assembly with the constraint {constraint}")
    clobbered = {c for c in constraints if c.startswith("~{")}
    constraints = [c for c in constraints if c not in clobbered]
    outputs = [c for c in constraints if c.startswith("=")]
    if any(not c.startswith("=&") for c in outputs):
        raise Fault("an output that may share its register with an input")
    registers = [None] * len(outputs) + list(arguments)
    for constraint, argument in zip(constraints[len(outputs):], arguments, strict=True):
        if constraint.isdigit():
            registers[int(constraint)] = argument
    text = re.sub(r"/\*.*?\*/", "", text)
    lines = [line for line in (line.strip() for line in re.split(r"\\0A|;", text)) if line]
    if lines and "inteldialect" not in words:
        raise Fault("assembly with AT&T's order of operands")
    for line in lines:
        run(line, registers, len(outputs), features, "~{flags}" in clobbered)
    return registers[0] if len(outputs) == 1 else tuple(registers[:len(outputs)]) or None


def run(line, registers, outputs, features, may_change_flags):
    name, _, operands = line.partition(" ")
    if name not in INSTRUCTIONS:
        raise Fault(f"no model of the instruction {line}")
    if name in NEEDS and NEEDS[name] not in features:
        raise Fault(f"an instruction of {NEEDS[name]}, which the function does not have: {line}")
    if name not in KEEPS_FLAGS and not may_change_flags:
        raise Fault(f"an instruction that changes the flags, which the assembly keeps: {line}")
    target, *sources = (operand.strip() for operand in operands.split(","))
    number = OPERAND.fullmatch(target)
    if not number or int(number[1]) >= outputs:
        raise Fault(f"a result in what is no output: {line}")

    def value(operand):
        if operand.isdigit():
            return int(operand)
        place = OPERAND.fullmatch(operand)
        source = place and int(place[1]) < len(registers) and registers[int(place[1])] or None
        if source is None or source.width != 64:
            raise Fault(f"an operand that is no word: {line}")
        return source

    old = registers[int(number[1])]
    if old is None and name in ("add", "and", "xor"):
        raise Fault(f"an operand that was not set: {line}")
    registers[int(number[1])] = INSTRUCTIONS[name](old, *map(value, sources))
