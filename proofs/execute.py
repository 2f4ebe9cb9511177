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
from promises import Promises
from smtlib import Script
from terms import add, const, extract, ite
from wasm import MODELS as WASM_MODELS
from x86 import MODELS as X86_MODELS


MODELS = X86_MODELS | ARM_MODELS | WASM_MODELS
BLOCKS = 20_000  # of one path: it may never end if it is longer


class Frame:
    """A function that runs, from an instruction of a block on."""

    def __init__(self, function, values, label):
        self.function, self.values, self.label = function, values, label
        self.before, self.index, self.result = None, 0, None
        self.first = 0  # how many objects were there before
        self.returned = None  # the argument that the function promises to return
        self.dead = []  # what is undefined after the function: objects, and where it begins
        self.promised = ()  # of the result

    def copied(self):
        other = Frame(self.function, dict(self.values), self.label)
        other.before, other.index, other.result, other.first = self.before, self.index, self.result, self.first
        other.returned, other.dead, other.promised = self.returned, self.dead, self.promised
        return other


class State:
    """A path through the program, as far as it has come."""

    def __init__(self):
        self.frames, self.memory, self.addresses, self.conditions = [], Memory(), {}, ()
        self.loop = self.start = None  # the loop that is tried with its numbers, and the state before it
        self.induction = None  # the loop that is gone through at any pass
        self.blocks = 0  # how many were entered

    def copied(self):
        other = State()
        other.frames = [frame.copied() for frame in self.frames]
        other.memory, other.addresses = self.memory.copied(), dict(self.addresses)
        other.conditions, other.loop, other.start = self.conditions, self.loop, self.start
        other.induction, other.blocks = self.induction, self.blocks
        return other


class Execution:
    def __init__(self, module, prove_zero, mutant=None, script=None, allowed=None):
        """`allowed` are the instruction sets that a function may use, if they are limited."""
        self.module, self.prove_data_zero, self.mutant, self.allowed = module, prove_zero, mutant, allowed
        self.control = Control(script or Script())
        self.state = State()
        self.use(self.state)
        self.instructions, self.inputs = {}, {}
        self.executed = {}  # the instructions whose result depends on data
        self.ways = set()  # from which block to which
        self.asked = False  # whether an answer was taken that may differ on another path
        self.promises = Promises(self)
        self.induction = None  # what holds at the head of a loop, if the claim says

    @property
    def memory(self):
        return self.state.memory

    def use(self, state):
        self.state = state
        state.memory.only, state.memory.holds = self.only, self.holds
        state.memory.assume = self.control.assume_new

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
        self.enter(self.state, name, arguments)
        waiting = [self.state]
        while waiting:
            self.use(waiting.pop())
            self.go(waiting, returned)

    def enter(self, state, name, arguments, call=None):
        """Begins a function. `call` is the instruction that calls it."""
        function = self.module.function(name)
        promised = function.attributes
        beyond = self.features(function) - self.allowed if self.allowed is not None else ()
        if beyond:
            raise Fault(f"instruction sets that the row of the table does not ask for: {', '.join(sorted(beyond))}")
        if any(frame.function is function for frame in state.frames) and ("norecurse", None) in promised.function:
            raise Fault("a promise (norecurse) that is not kept")
        self.promises.arguments(promised.arguments, arguments)
        values = {name: value for (_, name), value in zip(function.parameters, arguments, strict=True)}
        frame = Frame(function, values, next(iter(function.blocks)))
        frame.first, frame.promised = len(state.memory.objects), promised.result
        state.memory.limits.append(self.promises.limits(promised, arguments))
        for given, value in zip(promised.arguments, arguments):
            if ("returned", None) in given:
                frame.returned = value
            if ("dead_on_return", None) in given:
                frame.dead = [*frame.dead, state.memory.place(value)]
        if call:
            if call.attributes.convention != promised.convention:
                raise Fault("a call with another convention than the function's")
            frame.result, frame.promised = call.result, [*promised.result, *call.attributes.result]
            state.memory.limits[-1].within(self.promises.limits(call.attributes, arguments))
        state.frames.append(frame)

    def leave(self, value):
        """Ends the function that was entered last."""
        frame, memory = self.state.frames.pop(), self.state.memory
        memory.limits.pop()
        if ("noreturn", None) in frame.function.attributes.function:
            raise Fault("a promise (noreturn) that is not kept")
        self.promises.value(frame.promised, value)
        if frame.returned is not None and value is not frame.returned:
            raise Fault("a promise (returned) that is not kept")
        for object, at in frame.dead:
            if object:
                object = memory.objects[object.base]
                object.bytes[at:] = [None] * (object.size - at)
        return frame

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
                    self.leave(value)
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
        state.blocks += 1
        if state.blocks > BLOCKS:
            raise Fault(f"a path of more than {BLOCKS} blocks, which may never end")
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
        if len(options) > 1 and terms.depends_on_address(condition):
            raise Fault(f"a branch that depends on an address: {instruction.text[:200]}")
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
            case ir.Expression("getelementptr", inner, operands, flags):
                return self.element(inner, operands, values, flags)
            case ir.Expression(_, _, [inner], _):
                return terms.low_bits(self.operand(*inner, values), ir.bits(type))
        raise Fault(f"the operand {operand}")

    def address(self, name):
        """Where a global is. Its address is the same variable in every execution of the module; its bytes are laid out when
        first asked for."""
        addresses = self.state.addresses
        if name not in addresses:
            if name not in self.module.globals:  # a function, which is never read
                base = terms.address(f"address of @{name}")
                addresses[name] = self.memory.put(name, base, 1, 1, writable=False).base
                return addresses[name]
            type, initial, constant, alignment = self.module.global_initializer(name)
            base = terms.address(f"address of @{name}", alignment)
            object = self.memory.put(name, base, ir.size(type), alignment, writable=True)
            addresses[name] = base
            if constant:  # what is not may change at any time, and stays unreadable
                self.initialize(base, type, initial)
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

    def element(self, type, operands, values, flags=frozenset()):
        """The address that `getelementptr` computes; None if it breaks a promise."""
        start, *indices = (self.operand(*each, values) for each in operands)
        total = terms.usize(0)
        for i, index in enumerate(indices):
            if not isinstance(start, terms.Term) or not isinstance(index, terms.Term) or index.data or start.data:
                raise Fault("an address that depends on data")
            if isinstance(type, ir.Struct) and i > 0:
                number = terms.signed(index)
                step, type = terms.usize(ir.offset(type, number)), type.fields[number]
            else:
                if i > 0:
                    type = type.element
                index = index if index.width == terms.WORD else terms.usize(terms.signed(self.known(index)))
                step = terms.times(index, ir.size(type))
                if flags and index.value is None and not self.small(index, ir.size(type), "nuw" in flags):
                    return None
            total = add(total, step)
        address = add(start, total)
        if "nuw" in flags:
            grows = terms.not_(terms.ult(terms.usize((1 << terms.WORD - 1) - 1), total))
            if grows.value == 0 or grows.value is None and not self.holds(grows):
                return None
        return address if not flags or self.in_bounds(address, total) else None

    def small(self, index, size, unsigned):
        """Whether an index times a size is a number of bytes that an address can have."""
        most = ((1 << terms.WORD - (not unsigned)) - 1) // size
        here = index if unsigned else terms.ite(extract(index, index.width - 1, 1), terms.sub(const(0, index.width), index), index)
        return size == 1 or self.holds(terms.not_(terms.ult(const(most, terms.WORD), here)))

    def in_bounds(self, address, offset):
        """Whether an address lies in the object that it was computed from, or at the end of it."""
        region, at = self.memory.region(address)
        if region:
            base = terms.sub(at, terms.usize(terms.number_of(at)))
            if base in region.starts and (base, terms.number_of(at)) in region.bytes:
                there = region.starts[base]
                if there is None or self.holds(there):
                    return True
            return self.holds(terms.not_(terms.ult(region.length, at)))
        object, at = self.memory.place(address)
        return offset.value == 0 or object is not None and 0 <= at <= object.size

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
                if "samesign" in i.flags:
                    self.lanes(i.type, self.same_sign, a, b)
                return self.lanes(i.type, lambda a, b: self.compare(i.extra, a, b), a, b)
            case "load":
                value = self.access(i, lambda: self.memory.load(get(0), i.type, i.extra))
                if "invariant.load" in i.metadata and self.memory.may_change(get(0)):
                    raise Fault("a promise (invariant.load) about memory that can be written")
                self.promises.loaded(i, value)
                return value
            case "store":
                return self.access(i, lambda: self.memory.store(get(1), i.type, get(0), i.extra))
            case "alloca":
                object = self.memory.local(i.result, ir.size(i.type), i.extra)
                return object.base
            case "getelementptr":
                return self.element(i.type, i.operands, values, i.flags)
            case "freeze":
                self.promises.defined(get(0))
                return get(0)
            case "trunc" | "zext" | "sext":
                (source, _), value = i.operands[0], get(0)
                width = ir.bits(i.type.element if isinstance(i.type, ir.Vector) else i.type)
                return self.lanes(source, lambda a: self.cast(i.op, i.flags, a, width), value)
            case "ptrtoint" | "ptrtoaddr" | "inttoptr":
                return self.lanes(i.operands[0][0], lambda a: terms.low_bits(a, ir.bits(i.type)), get(0))
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
                condition, a, b = get(0), get(1), get(2)
                if isinstance(i.operands[0][0], ir.Vector):
                    return tuple(chosen(*lane) for lane in zip(condition, a, b, strict=True))
                if condition is not None and not condition.data:
                    condition = self.only(condition) or condition
                if isinstance(i.type, ir.Vector) and condition is not None and condition.value is None:
                    return tuple(chosen(condition, *lane) for lane in zip(a, b, strict=True))
                return chosen(condition, a, b)
            case "insertvalue":
                (at,), whole = i.extra, get(0)
                parts = (None,) * len(i.type.fields) if whole is None else whole
                return tuple(get(1) if n == at else part for n, part in enumerate(parts))
            case "extractvalue":
                value = get(0)
                for index in i.extra:
                    value = value[index]
                return value
            case "call":
                arguments = [each if isinstance(each, str) else self.operand(type, each, values) for type, each in i.operands]
                return self.access(i, lambda: self.called(i, arguments))
        raise Fault(f"the instruction {i.op}")

    def access(self, i, run):
        """Runs an instruction that may read or write memory in the scopes that it names."""
        node, memory = i.metadata, self.memory
        if "alias.scope" in node or "noalias" in node:
            memory.scoped = tuple(self.scopes(node.get(name)) for name in ("alias.scope", "noalias"))
            value = run()
            memory.scoped = (), ()
            return value
        return run()

    def scopes(self, node):
        if node not in self.module.scopes:
            self.module.scopes[node] = tuple(self.module.node(node)) if node else ()
        return self.module.scopes[node]

    def called(self, i, arguments):
        kind, name, *assembled = i.extra
        if kind == "asm":
            self.promises.arguments(i.attributes.arguments, arguments)
            features = self.features(self.state.frames[-1].function)
            return assembly(name, *assembled, features, arguments)
        if kind == "pointer":
            name = self.memory.function_at(self.state.frames[-1].values[name])
        if "tail" in i.flags and not name.startswith("llvm."):
            first = self.state.frames[-1].first
            objects = [self.promises.object(argument) for argument in arguments]
            if any(object and object.order >= first and object.local for object in objects):
                raise Fault("a promise (tail) that is not kept: an argument is a local variable")
        if name in self.module.functions:
            self.promises.arguments(i.attributes.arguments, arguments)
            self.enter(self.state, name, arguments, i)
            return ENTERED
        if name == "llvm.experimental.noalias.scope.decl":
            self.memory.scopes.begin(self.scopes(arguments[0]))
            return None
        if not name.startswith("llvm."):
            raise Fault(f"a call of {name}")
        if name not in MODELS or any(i.attributes.arguments):
            self.promises.arguments(i.attributes.arguments, arguments)
        if name in MODELS:
            value = MODELS[name](*arguments)
        else:
            value = llvm.intrinsic(self, name, i.type, [type for type, _ in i.operands], arguments)
        if i.attributes.result:
            self.promises.value(i.attributes.result, value)
        return value

    def features(self, function):
        """The instruction sets that a function may use beside those of every such machine."""
        text = dict(function.attributes.function).get("target-features") or ""
        return {word[1:] for word in text.split(",") if word[:1] == "+"}

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

    def compare(self, predicate, a, b):
        """Two places in one object are compared by their distance."""
        if predicate in ("eq", "ne") and not a.data and terms.depends_on_address(a) and terms.depends_on_address(b):
            a, b = terms.sub(a, b), const(0, a.width)
        return llvm.compare(predicate, a, b)

    def same_sign(self, a, b):
        differs = terms.xor(extract(a, a.width - 1, 1), extract(b, b.width - 1, 1))
        if differs.value != 0 and not self.prove_zero(differs):
            raise Fault("a comparison of different signs")

    def cast(self, op, flags, a, width):
        for broken in llvm.cast_promises(op, flags, a, width):
            if broken.value != 0 and not self.prove_zero(broken):
                raise Fault("a cast that may lose bits")
        return llvm.cast(op, a, width)


def chosen(condition, a, b):
    """What `select` gives. What it does not choose may be poison."""
    if condition is None:
        return None
    if condition.value is not None:
        return a if condition.value else b
    return None if a is None or b is None else ite(condition, a, b)


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


def depends_on_data(value):
    if isinstance(value, tuple):
        return any(map(depends_on_data, value))
    return value is not None and value.data


ENTERED = object()  # in place of a result: a function begins
