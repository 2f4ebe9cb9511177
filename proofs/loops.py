"""The loops of a function that are in no other loop: the labels of each, by the label of its head."""

import re


def loops(module, name):
    if name not in module.loops:
        module.loops[name] = outermost(module, name)
    return module.loops[name]


def outermost(module, name):
    blocks = module.function(name).blocks
    followers = {label: targets(module, lines[-1]) for label, lines in blocks.items()}
    before = {}
    for label, targeted in followers.items():
        for target in targeted:
            before.setdefault(target, []).append(label)
    found = {}
    for label, head in back_edges(followers):
        body, waiting = found.setdefault(head, {head}), [label]
        while waiting:
            label = waiting.pop()
            if label not in body:
                body.add(label)
                waiting += before[label]
    return {
        head: body for head, body in found.items()
        if not any(head in other and head != outer for outer, other in found.items())
    }


def back_edges(followers):
    """From which block to the head of a loop that it is in, by depth-first search."""
    edges, begun, ended = [], set(), set()
    path = [(next(iter(followers)), None)]
    while path:
        label, ways = path.pop()
        if ways is None:
            begun.add(label)
            ways = iter(followers[label])
        for target in ways:
            if target in begun and target not in ended:
                edges.append((label, target))
            elif target not in begun:
                path += (label, ways), (target, None)
                break
        else:
            ended.add(label)
    return edges


def targets(module, line):
    if not re.match(r"\s*(br|switch) ", line):
        return []
    end = module.instruction(line)
    return end.extra if end.op == "br" else [end.extra[0], *end.extra[1].values()]
