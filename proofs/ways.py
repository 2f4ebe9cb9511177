"""The ways through a function: from which block to which, those that end in a panic left out."""

import re


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


def decided(function, label, target):
    """A way as a reader finds it in the module: its blocks and what decides it."""
    *before, end = function.blocks[label]
    decides = re.match(r"\s*(?:br i1|switch i\d+) (%[-\w.$]+)", end)
    by = next((line.split(", !")[0].strip() for line in reversed(before) if decides and line.strip().startswith(decides[1] + " =")), end.split(",")[0].strip())
    return f"{label} -> {target} by {by}"
