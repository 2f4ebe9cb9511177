"""Changes to a kernel's instructions that a proof must not survive."""

import random
from dataclasses import dataclass

import ir

FEWEST = 4  # wrong mutants, of every kernel


@dataclass
class Mutant:
    what: str
    block: object  # a function's name and a block's, or a constant's name
    index: int  # of the instruction, or of the byte
    instruction: object = None


def case_for(cases):
    """The case that mutants are tried with: of an end, one that has bytes; of Keccak, the longest usual rate."""
    return next((case for case in cases if case.name.startswith("rate 168") or "55 bytes" in case.name), cases[0])


def choose(execution, path):
    """A mutant of every kind that the executed instructions allow."""
    rng, kinds = random.Random(path), {}
    for (name, label, index), instruction in execution.executed.items():
        for kind, mutated in changes(instruction, rng):
            what = f"{kind}: {instruction.text[:100]}"
            kinds.setdefault(kind, []).append(Mutant(what, (name, label), index, mutated))
    for name, at in sorted(execution.memory.constants):
        if name in execution.module.globals:
            kinds.setdefault("constant", []).append(Mutant(f"a bit of the constant {name} at {at}", name, at))
    return [rng.choice(kinds[kind]) for kind in sorted(kinds)]


def changes(i, rng):
    """The ways to change an instruction, each with a name."""
    kind, name = i.extra[:2] if i.op == "call" else (None, "")
    if i.op in SWAPPED:
        yield f"{SWAPPED[i.op]} for {i.op}", i._replace(op=SWAPPED[i.op], flags=frozenset())
    if i.op in ("add", "xor", "and", "lshr", "shl") and is_constant(i.operands[1]):
        yield f"{i.op} with another constant", with_operand(i, 1, other(i.operands[1]))
    if i.op == "shufflevector":
        type, mask = i.operands[2]
        if isinstance(mask, ir.Several):
            lanes = list(mask.operands)
            a, b = rng.sample(range(len(lanes)), 2)
            if None not in (lanes[a][1].value, lanes[b][1].value) and lanes[a] != lanes[b]:
                lanes[a], lanes[b] = lanes[b], lanes[a]
                yield "lanes swapped", with_operand(i, 2, (type, ir.Several(lanes)))
    if i.op == "icmp":
        turned = {"ugt": "ult", "ult": "ugt", "sgt": "slt", "slt": "sgt"}
        yield "another carry", i._replace(extra=turned.get(i.extra, "ne"))
        yield "no carry", i._replace(extra="ult", operands=[i.operands[0], i.operands[0]])
    if i.op == "store":
        yield "no store", i._replace(op="nothing", operands=[])
    if kind == "function" and name.startswith("llvm.fsh"):
        yield "rotation by one more", with_operand(i, 2, (i.operands[2][0], other(i.operands[2][1], 1)))
    if kind == "function" and "pternlog" in name:
        table = i.operands[3][1].value
        mutated = ir.Constant(table ^ 1 << rng.randrange(8))
        yield "another truth table", with_operand(i, 3, (i.operands[3][0], mutated))
    if kind == "function" and "sha" in name and i.operands[0][0] == i.operands[1][0]:
        swapped = [i.operands[1], i.operands[0], *i.operands[2:]]
        yield f"operands of {name.split('.')[-1]} swapped", i._replace(operands=swapped)
    if kind == "function" and "bswap" in name:
        yield "no bswap", i._replace(op="nothing")
    if kind == "asm" and "rorx" in name:
        yield "rorx by one more", i._replace(extra=(kind, name.replace(", 41", ", 42"), *i.extra[2:]))
        yield "no add in asm", i._replace(extra=(kind, name.replace("add", "mov", 1), *i.extra[2:]))


SWAPPED = {"add": "xor", "xor": "or", "and": "or", "or": "and", "sub": "add"}


def is_constant(operand):
    return isinstance(operand, (ir.Constant, ir.Several))


def other(operand, change=None):
    """A constant that differs in one bit of one lane, or by a number in all."""
    if isinstance(operand, ir.Constant):
        return operand if operand.value is None else ir.Constant(operand.value + 1 if change else operand.value ^ 2)
    (type, first), *rest = operand.operands
    rest = [(type, other(lane, change)) for type, lane in rest] if change else rest
    return ir.Several([(type, other(first, change)), *rest])


def with_operand(i, n, operand):
    operands = list(i.operands)
    operands[n] = operand
    return i._replace(operands=operands)
