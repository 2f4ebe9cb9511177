"""LLVM's own operations on terms, from its language reference."""

import ir
import terms
from memory import Fault
from terms import add, and_, concat, const, eq, extract, ite, not_, or_, rotr, shl, shr, sub, times, ult, xor, zero_extend


def compare(predicate, a, b):
    if predicate in ("eq", "ne"):
        return eq(a, b) if predicate == "eq" else not_(eq(a, b))
    if predicate[0] == "s":
        top = const(1 << a.width - 1, a.width)
        a, b = xor(a, top), xor(b, top)
    match predicate[1:]:
        case "lt":
            return ult(a, b)
        case "gt":
            return ult(b, a)
        case "le":
            return not_(ult(b, a))
        case "ge":
            return not_(ult(a, b))


def by_number(op, a, n):
    """An operation whose second operand is concrete."""
    if op == "shl":
        return shl(a, n)
    if op == "lshr":
        return shr(a, n)
    if op == "mul":
        return times(a, n)
    if a.value is None or op not in ("udiv", "urem") or n == 0:
        raise Fault(f"{op} of what depends on data")
    return const(a.value // n if op == "udiv" else a.value % n, a.width)


def promises(op, flags, a, b, result):
    """What must be zero, else the result is poison."""
    if "disjoint" in flags:
        yield and_(a, b)
    if "nuw" in flags:
        match op:
            case "add":
                yield ult(result, a)
            case "sub":
                yield ult(a, b)
            case "shl":
                yield xor(shr(result, b.value), a)
            case "mul":
                wide = times(zero_extend(a, 2 * a.width), b.value) if b.value else const(0, 2 * a.width)
                yield extract(wide, a.width, a.width)
    if "nsw" in flags:
        sign = lambda t: extract(t, t.width - 1, 1)
        match op:
            case "add":
                yield and_(xor(sign(a), sign(result)), xor(sign(b), sign(result)))
            case "sub":
                yield and_(xor(sign(a), sign(b)), xor(sign(a), sign(result)))
            case "shl":
                kept = extract(a, a.width - 1 - b.value, b.value + 1)
                yield ite(sign(a), not_(kept), kept)
            case "mul":
                if a.value is None:
                    raise Fault("a signed product of what depends on data")
                signed = lambda v: v - (v >> a.width - 1 << a.width)
                yield const(signed(a.value) * signed(b.value) != signed(result.value), 1)
    if "exact" in flags:
        yield extract(a, 0, b.value) if op == "lshr" and b.value else const(op != "lshr", 1)


def cast_promises(op, flags, a, width):
    """What must be zero, else a cast with these flags loses something."""
    if "nneg" in flags:
        yield extract(a, a.width - 1, 1)
    if "nuw" in flags:
        yield extract(a, width, a.width - width)
    if "nsw" in flags:
        top = extract(a, width - 1, a.width - width + 1)
        yield ite(extract(a, width - 1, 1), not_(top), top)


def cast(op, a, width):
    if op == "trunc":
        return extract(a, 0, width)
    if op == "zext":
        return zero_extend(a, width)
    if a.width == 1:
        return times(zero_extend(a, width), -1)
    sign = extract(a, a.width - 1, 1)
    return concat([a, times(zero_extend(sign, width - a.width), -1)])


def bitcast(source, target, value):
    if value is None:
        return (None,) * target.count if isinstance(target, ir.Vector) else None
    lanes = value if isinstance(source, ir.Vector) else (value,)
    before = ir.bits(source.element if isinstance(source, ir.Vector) else source)
    after = ir.bits(target.element if isinstance(target, ir.Vector) else target)
    if after < before:
        n = before // after
        result = [None if t is None else extract(t, i * after, after) for t in lanes for i in range(n)]
    else:
        n = after // before
        groups = [lanes[i:i + n] for i in range(0, len(lanes), n)]
        result = [None if None in group else concat(list(group)) for group in groups]
    return tuple(result) if isinstance(target, ir.Vector) else result[0]


def byte_swap(a):
    return concat([extract(a, at, 8) for at in range(a.width - 8, -8, -8)])


def funnel(left, a, b, n):
    """`fshl` and `fshr`: one word of the two beside each other."""
    if n is None or n.value is None:
        raise Fault("a count that depends on data")
    shift = n.value % a.width
    if a is b:
        return rotr(a, a.width - shift if left else shift)
    return extract(concat([b, a]), (a.width - shift if left and shift else a.width if left else shift), a.width)


def intrinsic(execution, name, type, types, arguments):
    stem = name.split(".")[1:]
    match stem:
        case ["lifetime", which, *_]:
            return lifetime(execution, which, arguments[-1])
        case ["assume", *_]:
            if arguments[0] is None or not (arguments[0].value == 1 or execution.prove_zero(not_(arguments[0]))):
                raise Fault("an assumption that may not hold")
            return None
        case ["fshl" | "fshr" as which, _]:
            return execution.lanes(type, lambda a, b, n: funnel(which == "fshl", a, b, n), *arguments)
        case ["bswap", _]:
            return execution.lanes(type, byte_swap, *arguments)
        case ["umin" | "umax" | "smin" | "smax" as which, _]:
            less = "ult" if which[0] == "u" else "slt"
            a_first = which[1:] == "min"
            return execution.lanes(
                type, lambda a, b: ite(compare(less, *((a, b) if a_first else (b, a))), a, b), *arguments
            )
        case ["usub", "sat", _]:
            return execution.lanes(type, lambda a, b: ite(ult(a, b), const(0, a.width), sub(a, b)), *arguments)
        case ["uadd", "with", "overflow", ("i32" | "i64")]:
            total = add(*arguments)
            return total, ult(total, arguments[0])
        case ["vector", "reduce", "or", _]:
            word, *others = arguments[0]
            for other in others:
                word = None if None in (word, other) else or_(word, other)
            return word
        case ["memset", *_]:
            to, byte, length, _ = arguments
            return execution.memory.fill(to, byte, execution.concrete(length))
        case ["memcpy" | "memmove" as which, *_]:
            to, source, length, _ = arguments
            return execution.memory.copy(to, source, execution.concrete(length), which == "memmove")
        case ["masked", "load", *_]:
            return masked_load(execution, type, arguments)
    raise Fault(f"no model of {name}")


def lifetime(execution, which, address):
    """A variable is undefined when its life begins, and after its end."""
    object, at = execution.memory.place(address)
    if object is None or at or not object.local:
        raise Fault(f"the lifetime of what is no variable: {which}")
    object.bytes = [None] * object.size


def masked_load(execution, type, arguments):
    """Only the lanes under the mask are read. Older versions say the alignment before the mask."""
    address, *_, mask, other = arguments
    step, lanes = ir.size(type.element), []
    for i, chosen in enumerate(mask):
        at = add(address, terms.usize(i * step))
        chosen = execution.concrete(chosen)
        lanes.append(execution.memory.load(at, type.element, 1) if chosen else other[i])
    return tuple(lanes)
