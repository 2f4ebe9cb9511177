"""Executes LLVM's intermediate language over terms: control flow and addresses are concrete, data is not.

A branch or an address that depends on data ends the run, and so does a panic, poison that is used, and whatever
is not modelled here.
"""

import ir
import llvm
import terms
from arm import MODELS as ARM_MODELS
from asm import assembly
from memory import Fault, Memory
from terms import add, const, extract, ite
from x86 import MODELS as X86_MODELS


MODELS = X86_MODELS | ARM_MODELS


class Execution:
    def __init__(self, module, prove_zero, mutant=None):
        self.module, self.prove_zero, self.mutant = module, prove_zero, mutant
        self.memory = Memory()
        self.addresses = {}  # of globals
        self.instructions = {}
        self.executed = {}  # the instructions whose result depends on data
        self.ways = set()  # from which block to which

    def block(self, function, label):
        """The instructions of a block, parsed once."""
        key = function.name, label
        if key not in self.instructions:
            self.instructions[key] = [self.module.instruction(line) for line in function.blocks[label]]
            if self.mutant and self.mutant.block == key:
                self.instructions[key][self.mutant.index] = self.mutant.instruction
        return self.instructions[key]

    def call(self, name, arguments):
        function = self.module.function(name)
        values = {name: value for (_, name), value in zip(function.parameters, arguments, strict=True)}
        label, before = next(iter(function.blocks)), None
        while True:
            block = self.block(function, label)
            phis = [i for i in block if i.op == "phi"]
            entering = [self.operand(i.type, i.extra[before], values) for i in phis]
            values.update(zip((i.result for i in phis), entering))
            for index, instruction in enumerate(block[len(phis):], len(phis)):
                if instruction.op == "ret":
                    return self.operand(*instruction.operands[0], values) if instruction.operands else None
                if instruction.op in ("br", "switch"):
                    label, before = self.target(instruction, values), label
                    self.ways.add((name, before, label))
                    break
                try:
                    value = self.step(instruction, values)
                except Fault as fault:
                    raise Fault(f"{fault}, in\n    {instruction.text[:200]}") from None
                if instruction.result is not None:
                    values[instruction.result] = value
                if depends_on_data(value) or instruction.op == "store":
                    self.executed[name, label, index] = instruction

    def target(self, instruction, values):
        if not instruction.operands:
            return instruction.extra[0]
        condition = self.operand(*instruction.operands[0], values)
        if condition is None or condition.value is None:
            raise Fault(f"a branch that depends on data: {instruction.text[:200]}")
        if instruction.op == "br":
            return instruction.extra[0 if condition.value else 1]
        default, cases = instruction.extra
        width = instruction.operands[0][0].width
        return {case & (1 << width) - 1: label for case, label in cases.items()}.get(condition.value, default)

    def operand(self, type, operand, values):
        match operand:
            case ir.Local(name):
                return values[name]
            case ir.Constant(None):
                return None if not isinstance(type, ir.Vector) else (None,) * type.count
            case ir.Constant(value):
                if isinstance(type, (ir.Vector, ir.Array)):
                    return (self.operand(type.element, operand, values),) * type.count
                return const(value, ir.bits(type))
            case ir.Several(operands):
                return tuple(self.operand(*each, values) for each in operands)
            case ir.Global(name):
                return self.address(name)
            case ir.Expression("getelementptr", _, operands):
                return self.element(operand.type, operands, values)
            case ir.Expression(_, _, [inner]):
                return self.operand(*inner, values)
        raise Fault(f"the operand {operand}")

    def address(self, name):
        """Where a global is; it is laid out when first asked for."""
        if name not in self.addresses:
            if name not in self.module.globals:  # a function, which is never read
                self.addresses[name] = const(self.memory.allocate(name, 1, 1, writable=False).base, 64)
                return self.addresses[name]
            type, initial, constant = self.module.global_initializer(name)
            object = self.memory.allocate(name, ir.size(type), 64, writable=True)
            self.addresses[name] = const(object.base, 64)
            if constant:  # what is not may change at any time, and stays unreadable
                self.initialize(self.addresses[name], type, initial)
                if self.mutant and self.mutant.block == name:
                    byte, _ = object.bytes[self.mutant.index]
                    object.bytes[self.mutant.index] = terms.xor(byte, const(4, byte.width)), 0
            object.writable = False
        return self.addresses[name]

    def initialize(self, at, type, initial):
        if isinstance(type, ir.Struct):
            for i, (field, operand) in enumerate(initial.operands):
                self.initialize(add(at, const(ir.offset(type, i), 64)), field, operand)
        else:
            self.memory.store(at, type, self.operand(type, initial, {}), 1)

    def element(self, type, operands, values):
        """The address that `getelementptr` computes."""
        address, *indices = (self.operand(*each, values) for each in operands)
        for i, index in enumerate(indices):
            if address is None or index is None or index.value is None or address.value is None:
                raise Fault("an address that depends on data")
            number = signed(index)
            if i == 0:
                step = number * ir.size(type)
            elif isinstance(type, ir.Struct):
                step, type = ir.offset(type, number), type.fields[number]
            else:
                step, type = number * ir.size(type.element), type.element
            address = add(address, const(step, 64))
        return address

    def step(self, i, values):
        """One instruction's result."""
        get = lambda n: self.operand(*i.operands[n], values)
        match i.op:
            case "nothing":  # of a mutant
                return get(0) if i.operands else None
            case op if op in ir.BINARY:
                a, b = (self.operand(i.type, each, values) for each in i.operands)
                if op in ("and", "or", "xor") and i.type == ir.Vector(getattr(i.type, "count", 0), ir.Int(8)):
                    return self.bytewise(op, i.flags, a, b)
                return self.lanes(i.type, lambda a, b: self.binary(op, i.flags, a, b), a, b)
            case "icmp":
                a, b = (self.operand(i.type, each, values) for each in i.operands)
                if i.type == ir.Pointer() and ir.Constant(0) not in i.operands:
                    raise Fault("a comparison of addresses")
                if "samesign" in i.flags:
                    self.lanes(i.type, self.same_sign, a, b)
                return self.lanes(i.type, lambda a, b: llvm.compare(i.extra, a, b), a, b)
            case "load":
                return self.memory.load(get(0), i.type, i.extra)
            case "store":
                return self.memory.store(get(1), i.type, get(0), i.extra)
            case "alloca":
                return const(self.memory.allocate(i.result, ir.size(i.type), i.extra).base, 64)
            case "getelementptr":
                return self.element(i.type, i.operands, values)
            case "trunc" | "zext" | "sext":
                (source, _), value = i.operands[0], get(0)
                width = ir.bits(i.type.element if isinstance(i.type, ir.Vector) else i.type)
                return self.lanes(source, lambda a: self.cast(i.op, i.flags, a, width), value)
            case "bitcast":
                return llvm.bitcast(i.operands[0][0], i.type, get(0))
            case "insertelement":
                at = self.concrete(get(2))
                return tuple(get(1) if n == at else lane for n, lane in enumerate(get(0)))
            case "extractelement":
                return get(0)[self.concrete(get(1))]
            case "shufflevector":
                lanes = get(0) + get(1)
                return tuple(None if n is None else lanes[n.value] for n in get(2))
            case "select":
                if isinstance(i.operands[0][0], ir.Vector):
                    return self.lanes(i.type, ite, get(0), get(1), get(2))
                condition = get(0)
                return self.lanes(i.type, lambda a, b: ite(condition, a, b), get(1), get(2))
            case "extractvalue":
                value = get(0)
                for index in i.extra:
                    value = value[index]
                return value
            case "call":
                arguments = [self.operand(*each, values) for each in i.operands]
                return self.called(i, arguments)
        raise Fault(f"the instruction {i.op}")

    def called(self, i, arguments):
        kind, name, *constraints = i.extra
        if kind == "asm":
            return assembly(name, *constraints, arguments)
        if name in MODELS:
            return MODELS[name](*arguments)
        if name.startswith("llvm."):
            return llvm.intrinsic(self, name, i.type, [type for type, _ in i.operands], arguments)
        if name in self.module.functions:
            return self.call(name, arguments)
        raise Fault(f"a call of {name}")

    def lanes(self, type, function, *values):
        """A function of scalars, of every lane; poison stays poison."""
        if not isinstance(type, ir.Vector):
            return None if None in values else function(*values)
        values = (v if v is not None else (None,) * type.count for v in values)
        return tuple(None if None in lane else function(*lane) for lane in zip(*values, strict=True))

    def bytewise(self, op, flags, a, b):
        """A bitwise function of vectors of bytes: of words, where the bytes make up words."""
        if None not in a + b:
            for n in (8, 4):
                words = [
                    (terms.concat(list(a[i:i + n])), terms.concat(list(b[i:i + n]))) for i in range(0, len(a), n)
                ]
                if all(term.op is not terms.CONCAT for pair in words for term in pair):
                    result = [self.binary(op, flags, *pair) for pair in words]
                    return tuple(extract(word, 8 * i, 8) for word in result for i in range(n))
        return self.lanes(ir.Vector(len(a), ir.Int(8)), lambda a, b: self.binary(op, flags, a, b), a, b)

    def concrete(self, term):
        if term is None or term.value is None:
            raise Fault("a count or place that depends on data")
        return term.value

    def binary(self, op, flags, a, b):
        if op in ("shl", "lshr", "ashr", "mul", "udiv", "sdiv", "urem", "srem"):
            if op == "mul" and b.value is None:
                a, b = b, a
            n = self.concrete(b)
            if op in ("shl", "lshr", "ashr") and n >= a.width:
                return None
            result = llvm.by_number(op, a, n)
        else:
            result = {"add": add, "sub": terms.sub, "and": terms.and_, "or": terms.or_, "xor": terms.xor}[op](a, b)
        for broken in llvm.promises(op, flags, a, b, result):
            if broken.value:
                return None
            if broken.value is None and not self.prove_zero(broken):
                raise Fault(f"a promise ({' '.join(flags)}) that may not hold")
        return result

    def same_sign(self, a, b):
        differs = terms.xor(extract(a, a.width - 1, 1), extract(b, b.width - 1, 1))
        if differs.value != 0 and not self.prove_zero(differs):
            raise Fault("a comparison of different signs")

    def cast(self, op, flags, a, width):
        for broken in llvm.cast_promises(op, flags, a, width):
            if broken.value != 0 and not self.prove_zero(broken):
                raise Fault("a cast that may lose bits")
        return llvm.cast(op, a, width)


def signed(term):
    return term.value - (term.value >> term.width - 1 << term.width)


def depends_on_data(value):
    if isinstance(value, tuple):
        return any(map(depends_on_data, value))
    return value is not None and value.value is None
