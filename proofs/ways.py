"""The ways through a function: from which block to which, those that end in a panic left out."""

import re

import ir


def ways(module, name):
    function, every = module.function(name), set()
    for label, lines in function.blocks.items():
        if re.match(r"\s*(br|switch) ", lines[-1]) and not panics(function, label):
            end = module.instruction(lines[-1])
            targets = end.extra if end.op == "br" else [end.extra[0], *end.extra[1].values()]
            every |= {(name, label, target) for target in targets if not panics(function, target)}
    return every


def panics(function, label):
    last = function.blocks[label][-1].split("!")[0].strip(" ,")
    onward = re.fullmatch(r'br label %"?([^"]*)"?', last)
    return last == "unreachable" or bool(onward and onward[1] != label and panics(function, onward[1]))


def decides(module, name, label, target):
    """What must hold for a way to be taken, as a term of the function's parameters: `trunc(%shape.0) & 7 == 0`. A phi is
    written with what it begins with; a way that nothing decides is written as `always`."""
    function = module.function(name)
    instructions = {i.result: i for lines in function.blocks.values() for i in map(module.instruction, lines) if i.result}
    end = module.instruction(function.blocks[label][-1])
    if not end.operands:
        return "always"
    value = written(end.operands[0][1], instructions, 6)
    if end.op == "br":
        return value if end.extra[0] == target else f"not ({value})"
    default, cases = end.extra
    return f"{value} is {' or '.join(str(case) for case, to in cases.items() if to == target) or 'another'}"


OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "lshr": ">>", "shl": "<<", "urem": "%", "udiv": "/",
    "eq": "==", "ne": "!=", "ult": "<", "ule": "<=", "ugt": ">", "uge": ">=", "slt": "<s", "sle": "<=s", "sgt": ">s", "sge": ">=s",
}


def written(operand, instructions, depth):
    if isinstance(operand, ir.Constant):
        return str(operand.value)
    if not isinstance(operand, ir.Local):
        return "constant"
    i = instructions.get(operand.name)
    if i is None:
        return operand.name
    inner = [each[1] if type(each) is tuple else each for each in i.operands]
    if depth == 0 or i.op in ("load", "alloca") or i.op == "call" and not (i.extra[1].startswith("llvm.") and inner):
        return i.op
    parts = [written(each, instructions, depth - 1) for each in inner]
    if i.op == "phi":
        return "phi"
    if i.op == "call":
        return f"{i.extra[1].split('.')[1]}({', '.join(parts)})"
    symbol = OPERATORS.get(i.extra if i.op == "icmp" else i.op)
    return f"({parts[0]} {symbol} {parts[1]})" if symbol else f"{i.op}({', '.join(parts)})"
