"""Executes LLVM's intermediate language over terms. A branch on counts, lengths or addresses goes every way that it
can; a loop whose number of passes is not known is gone through once, at any pass (see `induction.py`).

A branch or an address that depends on data ends the run, and so does a panic, poison that is used, and whatever
is not modelled here.
"""

import ir
import llvm
import terms
from arm import MODELS as ARM_MODELS
from asm import assembly
from control import Control
from loops import loops
from memory import Fault, Memory
from smtlib import Script
from terms import add, const, extract, ite
from wasm import MODELS as WASM_MODELS
from x86 import MODELS as X86_MODELS


MODELS = X86_MODELS | ARM_MODELS | WASM_MODELS


class Frame:
    """A function that runs, from an instruction of a block on."""

    def __init__(self, function, values, label):
        self.function, self.values, self.label = function, values, label
        self.before, self.index, self.result = None, 0, None

    def copied(self):
        other = Frame(self.function, dict(self.values), self.label)
        other.before, other.index, other.result = self.before, self.index, self.result
        return other


class State:
    """A path through the program, as far as it has come."""

    def __init__(self):
        self.frames, self.memory, self.addresses, self.conditions = [], Memory(), {}, ()
        self.loop = self.start = None  # the loop that is tried with its numbers, and the state before it
        self.induction = None  # the loop that is gone through at any pass

    def copied(self):
        other = State()
        other.frames = [frame.copied() for frame in self.frames]
        other.memory, other.addresses = self.memory.copied(), dict(self.addresses)
        other.conditions, other.loop, other.start = self.conditions, self.loop, self.start
        other.induction = self.induction
        return other


class Execution:
    def __init__(self, module, prove_zero, mutant=None, script=None):
        self.module, self.prove_data_zero, self.mutant = module, prove_zero, mutant
        self.control = Control(script or Script())
        self.state = State()
        self.use(self.state)
        self.instructions, self.inputs = {}, {}
        self.executed = {}  # the instructions whose result depends on data
        self.ways = set()  # from which block to which
        self.asked = False  # whether an answer was taken that may differ on another path
        self.induction = None  # what holds at the head of a loop, if the claim says

    @property
    def memory(self):
        return self.state.memory

    def use(self, state):
        self.state = state
        state.memory.only = self.only

    def any_to(self, name, most):
        """Any number up to this one."""
        number = terms.control(name)
        self.control.at_most(number, most)
        return number

    def possible(self, truth):
        self.asked |= truth.value is None
        return self.control.possible(self.state.conditions, truth)

    def holds(self, truth):
        self.asked |= truth.value is None
        return self.control.holds(self.state.conditions, truth)

    def only(self, term):
        self.asked |= term.value is None
        return self.control.only(self.state.conditions, term)

    def prove_zero(self, term):
        if not term.data:
            return self.holds(terms.eq(term, const(0, term.width)))
        return self.prove_data_zero(term)

    def block(self, function, label):
        """The instructions of a block, parsed once."""
        key = function.name, label
        if key not in self.instructions:
            self.instructions[key] = [self.module.instruction(line) for line in function.blocks[label]]
            if self.mutant and self.mutant.block == key:
                self.instructions[key][self.mutant.index] = self.mutant.instruction
        return self.instructions[key]

    def call(self, name, arguments, returned):
        """Runs a function on every path; `returned` is called at the end of each, with its result."""
        self.enter(self.state, name, arguments, None)
        waiting = [self.state]
        while waiting:
            self.use(waiting.pop())
            self.go(waiting, returned)

    def enter(self, state, name, arguments, result):
        function = self.module.function(name)
        values = {name: value for (_, name), value in zip(function.parameters, arguments, strict=True)}
        frame = Frame(function, values, next(iter(function.blocks)))
        frame.result = result
        state.frames.append(frame)

    def go(self, waiting, returned):
        """Until the path ends or parts."""
        state = self.state
        while True:
            frame = state.frames[-1]
            block = self.block(frame.function, frame.label)
            if frame.index == 0 and not self.begin(state, frame, block):
                return
            key, first = self.pass_of(frame, block), frame.index
            if key in terms.STORE.passes:
                frame.values.update(terms.STORE.passes[key])
                frame.index = len(block) - 1
            for instruction in block[frame.index:]:
                index, frame.index = frame.index, frame.index + 1
                if key and frame.index == len(block) and index > first and not (state.memory.read or self.asked):
                    terms.STORE.passes[key] = {i.result: frame.values[i.result] for i in block[first:-1] if i.result}
                if instruction.op == "ret":
                    value = None
                    if instruction.operands:
                        value = self.operand(*instruction.operands[0], frame.values)
                    state.frames.pop()
                    if not state.frames:
                        returned(value)
                        return
                    if frame.result is not None:
                        state.frames[-1].values[frame.result] = value
                    break
                if instruction.op in ("br", "switch"):
                    if not self.branch(instruction, frame, waiting):
                        return
                    break
                try:
                    value = self.step(instruction, frame.values)
                except Fault as fault:
                    if state.loop:
                        self.at_any_pass(waiting)
                        return
                    raise Fault(f"{fault}, in\n    {instruction.text[:200]}") from None
                if value is ENTERED:
                    break
                if instruction.result is not None:
                    frame.values[instruction.result] = value
                if depends_on_data(value) or instruction.op == "store":
                    self.executed[frame.function.name, frame.label, index] = instruction

    def pass_of(self, frame, block):
        """What one pass of a loop of one block depends on, if it writes nothing, reads only constants and asks nothing
        about the path: it computes the same from the same. A constant has one address in all cases (`address`), so a
        number that is an address always means the same object and the same place in it."""
        if not frame.index or block[-1].op != "br" or frame.label not in block[-1].extra:
            return None
        inputs = self.inputs.get((frame.function.name, frame.label))
        if inputs is None:
            inputs = self.inputs[frame.function.name, frame.label] = outside(block)
        if inputs == "writes":
            return None
        self.state.memory.read = self.asked = False
        return frame.function.name, frame.label, *(frame.values[name] for name in inputs)

    def begin(self, state, frame, block):
        """At the head of a block: whether the path goes on."""
        if self.induction and len(state.frames) == 1:
            place = frame.function.name, frame.label
            every = loops(self.module, frame.function.name)
            if state.induction and place == state.induction.head and not self.induction.beyond(self):
                self.induction.again(self, frame, block, state.induction)
                return False
            if state.loop and frame.label not in every[state.loop]:
                state.loop = state.start = None
            if not state.loop and not state.induction and frame.label in every:
                state.start = state.copied()
                state.loop = frame.label
        phis = [i for i in block if i.op == "phi"]
        entering = [self.operand(i.type, i.extra[frame.before], frame.values) for i in phis]
        frame.values.update(zip((i.result for i in phis), entering))
        frame.index = len(phis)
        return True

    def branch(self, instruction, frame, waiting):
        """To the next block; and into `waiting` what the other ways are, if there are several."""
        options = self.targets(instruction, frame.values)
        state = self.state
        if len(options) > 1 and state.loop:
            self.at_any_pass(waiting)
            return False
        if state.induction and len(state.frames) == 1:
            body = loops(self.module, frame.function.name)[state.induction.head[1]]
            if frame.label in body and any(label not in body for _, label in options):
                self.induction.leave(state)
        for truth, label in options:
            follower = state if len(options) == 1 else state.copied()
            if len(options) > 1:
                follower.conditions += truth,
            top = follower.frames[-1]
            self.ways.add((frame.function.name, frame.label, label))
            top.label, top.before, top.index = label, frame.label, 0
            if len(options) > 1:
                waiting.append(follower)
        return len(options) == 1

    def at_any_pass(self, waiting):
        """In place of a loop's first pass, which its numbers do not lead through."""
        state = self.state.start
        state.loop = state.start = None
        self.use(state)
        frame = state.frames[-1]
        frame.index = self.induction.begin(self, frame, self.block(frame.function, frame.label))
        waiting.append(state)

    def targets(self, instruction, values):
        """The ways that a branch can go, each with its condition."""
        if not instruction.operands:
            return [(const(1, 1), instruction.extra[0])]
        condition = self.operand(*instruction.operands[0], values)
        if condition is None or condition.data:
            raise Fault(f"a branch that depends on data: {instruction.text[:200]}")
        if instruction.op == "br":
            options = list(zip((condition, terms.not_(condition)), instruction.extra))
        else:
            default, cases = instruction.extra
            width = condition.width
            options = [(terms.eq(condition, const(case, width)), label) for case, label in cases.items()]
            none = const(1, 1)
            for truth, _ in options:
                none = terms.and_(none, terms.not_(truth))
            options.append((none, default))
        options = [(truth, label) for truth, label in options if self.possible(truth)]
        if not options:
            raise Fault("a path that cannot be")
        return options

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
        """Where a global is. Its address is the same in every execution of the module, whichever globals a path touches
        first; its bytes are laid out when first asked for."""
        addresses = self.state.addresses
        if name not in addresses:
            if name not in self.module.globals:  # a function, which is never read
                object = self.memory.put(name, self.module.place(name, 1, 1), 1, writable=False)
                addresses[name] = terms.usize(object.base)
                return addresses[name]
            type, initial, constant = self.module.global_initializer(name)
            size = ir.size(type)
            object = self.memory.put(name, self.module.place(name, size, 64), size, writable=True)
            addresses[name] = terms.usize(object.base)
            if constant:  # what is not may change at any time, and stays unreadable
                self.initialize(addresses[name], type, initial)
                if self.mutant and self.mutant.block == name:
                    byte, _ = object.bytes[self.mutant.index]
                    object.bytes[self.mutant.index] = terms.xor(byte, const(4, byte.width)), 0
            object.writable = False
        return addresses[name]

    def initialize(self, at, type, initial):
        if isinstance(type, ir.Struct):
            for i, (field, operand) in enumerate(initial.operands):
                self.initialize(add(at, terms.usize(ir.offset(type, i))), field, operand)
        else:
            self.memory.store(at, type, self.operand(type, initial, {}), 1)

    def element(self, type, operands, values):
        """The address that `getelementptr` computes."""
        address, *indices = (self.operand(*each, values) for each in operands)
        for i, index in enumerate(indices):
            if address is None or index is None or index.data or address.data:
                raise Fault("an address that depends on data")
            if isinstance(type, ir.Struct) and i > 0:
                number = signed(index)
                step, type = terms.usize(ir.offset(type, number)), type.fields[number]
            else:
                if i > 0:
                    type = type.element
                index = index if index.width == terms.WORD else terms.usize(signed(self.known(index)))
                step = terms.times(index, ir.size(type))
            address = add(address, step)
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
                return terms.usize(self.memory.allocate(i.result, ir.size(i.type), i.extra).base)
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
                if condition is not None and not condition.data:
                    condition = self.only(condition) or condition
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
        if kind == "pointer":
            name = self.memory.function_at(self.state.frames[-1].values[name])
        if name in MODELS:
            return MODELS[name](*arguments)
        if name.startswith("llvm."):
            return llvm.intrinsic(self, name, i.type, [type for type, _ in i.operands], arguments)
        if name in self.module.functions:
            self.enter(self.state, name, arguments, i.result)
            return ENTERED
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

    def known(self, term):
        """A number, if there is only one that it can be."""
        value = None if term is None or term.data else self.only(term)
        if value is None:
            raise Fault("a count or place that depends on data, or is not known")
        return value

    def concrete(self, term):
        return self.known(term).value

    def binary(self, op, flags, a, b):
        if op in ("shl", "lshr", "ashr", "mul", "udiv", "sdiv", "urem", "srem"):
            if op == "mul" and b.value is None:
                a, b = b, a
            if op == "mul" and b.value is None and not a.data and not b.data:
                if flags:
                    raise Fault("a promise about a product")
                return terms.product(a, b)
            b = self.known(b)
            if op in ("shl", "lshr", "ashr") and b.value >= a.width:
                return None
            result = llvm.by_number(op, a, b.value)
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


def outside(block):
    """The names of the values that a block takes from its phis and from elsewhere; or that it writes to memory."""
    own, names = {i.result for i in block if i.op != "phi"}, {i.result for i in block if i.op == "phi"}
    for i in block:
        if i.op in ("store", "alloca") or i.op == "call" and (
            i.extra[0] != "asm" and i.extra[1] not in MODELS and not i.extra[1].startswith(("llvm.fsh", "llvm.bswap"))
        ):
            return "writes"
        waiting = list(i.operands) if i.op != "phi" else []
        while waiting:
            operand = waiting.pop()
            if type(operand) is tuple:  # with its type
                operand = operand[1]
            if isinstance(operand, ir.Local) and operand.name not in own:
                names.add(operand.name)
            elif isinstance(operand, ir.Several) or isinstance(operand, ir.Expression):
                waiting += operand.operands
    return sorted(names)


def signed(term):
    return term.value - (term.value >> term.width - 1 << term.width)


def depends_on_data(value):
    if isinstance(value, tuple):
        return any(map(depends_on_data, value))
    return value is not None and value.data


ENTERED = object()  # in place of a result: a function begins
