"""LLVM's intermediate language as text: the functions and constants of a module, parsed when they are asked for.

Types are `Int`, `Pointer`, `Vector`, `Array`, `Struct` and `Void`; operands are `Local`, `Global`, `Constant`,
`Several` (a vector, array or structure of constants) and `Expression`; instructions are tuples that begin with
their name.
"""

import re
from collections import namedtuple

import terms

Int = namedtuple("Int", "width")
Pointer = namedtuple("Pointer", "")
Vector = namedtuple("Vector", "count element")
Array = namedtuple("Array", "count element")
Struct = namedtuple("Struct", "fields packed")
Void = namedtuple("Void", "")

Local = namedtuple("Local", "name")
Global = namedtuple("Global", "name")
Constant = namedtuple("Constant", "value")  # None is poison
Several = namedtuple("Several", "operands")  # each with its type
Expression = namedtuple("Expression", "op type operands flags")

# `attributes` has pairs of a name and what is in its parentheses, or None: of the result, of each parameter or
# argument, and of the function or the call itself.
Attributes = namedtuple("Attributes", "result arguments function convention")
Function = namedtuple("Function", "name path parameters blocks attributes")
Instruction = namedtuple("Instruction", "result op flags type operands extra text metadata attributes", defaults=({}, None))

TOKEN = re.compile(
    r"""\s*(?:(?P<local>%(?:"[^"]*"|[-\w.$]+))|(?P<global>@(?:"[^"]*"|[-\w.$]+))|(?P<bytes>c"[^"]*")
    |(?P<string>"[^"]*")|(?P<meta>![\w.]*|\#\d+)|(?P<number>-?\d+(?![\w.]))|(?P<word>[A-Za-z_][\w.]*)
    |(?P<mark><\{|\}>|\.\.\.|[()\[\]{}<>,=*:|]))""",
    re.VERBOSE,
)
BINARY = "add sub mul udiv sdiv urem srem and or xor shl lshr ashr".split()
CASTS = "trunc zext sext bitcast ptrtoint ptrtoaddr inttoptr freeze".split()
# The flags of instructions that have a model. Other words, such as those of arithmetic with floating point, end the run.
FLAGS = {
    **dict.fromkeys(("add", "sub", "mul", "shl", "trunc"), {"nuw", "nsw"}),
    **dict.fromkeys(("udiv", "sdiv", "lshr", "ashr"), {"exact"}),
    "or": {"disjoint"}, "zext": {"nneg"}, "icmp": {"samesign"},
    "getelementptr": {"inbounds", "nusw", "nuw"},
    "load": {"volatile", "atomic"}, "store": {"volatile", "atomic"},
}
CONVENTIONS = {"ccc", "fastcc", "coldcc"}
LINKAGES = {"private", "internal", "external"}
NAMING = {"dso_local", "hidden", "protected", "unnamed_addr", "local_unnamed_addr"}

# Attributes of parameters, arguments and results. `execute.py` checks the promises among these.
PROMISES = {
    "noundef", "nonnull", "align", "dereferenceable", "dereferenceable_or_null", "range", "readonly", "writeonly",
    "readnone", "noalias", "returned", "sret", "writable", "initializes", "dead_on_return",
}
# These say how a value is passed, or what a callee does with a pointer after its return. `immarg` is for the parser.
PASSING = {"zeroext", "signext", "noext", "inreg", "captures", "nofree", "dead_on_unwind", "immarg"}
ATTRIBUTES = PROMISES | PASSING
# Attributes of functions and calls. `memory`, `noreturn` and `norecurse` are checked; that every path ends is proved;
# the others are about traps, threads, code size and debuggers.
FUNCTION = {
    "memory", "noreturn", "norecurse", "willreturn", "mustprogress", "nounwind", "nofree", "nosync", "nocallback",
    "speculatable", "nocreateundeforpoison", "nonlazybind", "uwtable", "inlinehint", "noinline", "alwaysinline", "cold",
    "hot", "minsize", "optsize",
}
FUNCTION_STRINGS = {
    "target-cpu", "target-features", "tune-cpu", "probe-stack", "frame-pointer", "function-inline-cost-multiplier",
}
# What may be attached to an instruction. `execute.py` checks the promises of the first line. The second has
# probabilities and places in the source.
METADATA = {
    "range", "noundef", "nonnull", "align", "noalias", "alias.scope", "invariant.load", "llvm.loop",
    "prof", "unpredictable", "srcloc",
}
LOOPS = {
    "llvm.loop.mustprogress", "llvm.loop.isvectorized", "llvm.loop.peeled.count", "llvm.loop.unroll.disable",
    "llvm.loop.unroll.runtime.disable",
}
TOP = re.compile(
    r'source_filename = |target (?:datalayout|triple) = |@|%|declare |define |attributes \#\d+ = |![\w.]* = |\}| |;|$'
    r'|(?:"[^"]*"|[-\w.$]+):'
)


class Unknown(Exception):
    """What the text has and this parser has not."""


def size(type):
    """Bytes in memory, with the padding that an array of it would have."""
    match type:
        case Int(width):
            bytes = (width + 7) // 8
            return -(-bytes // alignment(type)) * alignment(type)
        case Pointer():
            return terms.WORD // 8
        case Vector(count, element):
            return count * bits(element) // 8
        case Array(count, element):
            return count * size(element)
        case Struct():
            end = offset(type, len(type.fields))
            return -(-end // alignment(type)) * alignment(type)
    raise Unknown(f"the size of {type}")


def alignment(type):
    match type:
        case Int(width):
            return min(16, 1 << max(0, (width - 1).bit_length() - 3))
        case Pointer():
            return terms.WORD // 8
        case Vector():
            return size(type)
        case Array(_, element):
            return alignment(element)
        case Struct(fields, packed):
            return 1 if packed else max(map(alignment, fields), default=1)


def offset(struct, index):
    at = 0
    for i, field in enumerate(struct.fields):
        if not struct.packed:
            at = -(-at // alignment(field)) * alignment(field)
        if i == index:
            return at
        at += size(field)
    return at


def bits(type):
    return terms.WORD if type == Pointer() else type.width if isinstance(type, Int) else type.count * bits(type.element)


class Module:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.groups, self.nodes = {}, {}  # of attributes, and of metadata
        self.scopes = {}
        layout = re.search(r'^target datalayout = "(.*)"', text, re.MULTILINE)
        if layout and not (layout[1].startswith("e-") and "-i128:128" in layout[1]):
            raise Unknown(f"the layout {layout[1]}")
        pointer = re.search(r'^target datalayout = ".*-p:(\d+):', text, re.MULTILINE)
        terms.WORD = int(pointer[1]) if pointer else 64
        self.machine = re.search(r'^target triple = "(\w+)-', text, re.MULTILINE)[1]
        self.types, self.globals, self.functions, self.paths = {}, {}, {}, {}
        for number, line in enumerate(self.lines):
            if not TOP.match(line):
                raise Unknown(f"the line {line[:100]}")
            if line.startswith("attributes "):
                self.groups[line.split()[1]] = line
            elif line.startswith("!") and line[1:2].isdigit():
                name, node = line.split(" = ", 1)
                self.nodes[name] = node
            elif line.startswith("@") and " = " in line:
                name, definition = line.split(" = ", 1)
                self.globals[unquote(name)] = definition
            elif line.startswith("%") and " = type " in line:
                name, definition = line.split(" = type ", 1)
                self.types[unquote(name)] = definition
            elif line.startswith("define "):
                name = unquote(re.search(r'@("[^"]*"|[-\w.$]+)', line)[0])
                self.functions[name] = number
                for above in self.lines[max(0, number - 2):number]:
                    if above.startswith("; ") and not above.startswith("; Function Attrs"):
                        self.paths[name] = above[2:]
        self.parsed, self.loops, self.written, self.loose = {}, {}, {}, {}
        self.rows = {}  # what follows the pointers to kernels in constants

    def function(self, name):
        if name not in self.parsed:
            self.parsed[name] = self.parse_function(name)
        return self.parsed[name]

    def parse_function(self, name):
        number = self.functions[name]
        parameters, attributes = Parser(self, self.lines[number]).definition()
        blocks, block = {}, None
        number += 1
        while self.lines[number] != "}":
            line = self.lines[number].split(" ; preds")[0]
            number += 1
            if not line.strip() or line.startswith(";"):
                continue
            if not line.startswith(" "):
                block = blocks.setdefault(unquote("%" + line.rstrip().rstrip(":")), [])
                continue
            while line.count("[") > line.count("]"):  # a switch
                line += " " + self.lines[number].strip()
                number += 1
            if block is None:
                block = blocks.setdefault("entry", [])
            block.append(line)
        return Function(name, self.paths.get(name, name), parameters, blocks, attributes)

    def node(self, name):
        """What a node of metadata consists of: numbers with their types, strings, and names of nodes."""
        return Parser(self, self.nodes[name]).node()

    def numbers(self, name):
        """The numbers of a node."""
        return [operand.value for _, operand in self.node(name)]

    def range(self, name):
        """The first number of a node that is a range, and the one after its last."""
        numbers = self.numbers(name)
        if len(numbers) != 2:
            raise Unknown(f"the metadata range with several ranges: {self.nodes[name]}")
        return tuple(numbers)

    def global_initializer(self, name):
        """A global's type, initial value, whether it is constant, and its alignment."""
        parser = Parser(self, self.globals[name])
        while parser.take(*LINKAGES - {"external"}, *NAMING):
            pass
        kind = parser.take("constant", "global")
        if not kind:
            raise parser.unknown(f"the word {parser.peek()[1]} of a global")
        type = parser.type()
        value = parser.operand(type)
        aligned = parser.alignment(type)
        if parser.peek()[0] != "end":
            raise parser.unknown(f"the word {parser.peek(1)[1]} of a global")
        return type, value, kind == "constant", aligned

    def instruction(self, line):
        return Parser(self, line).instruction()


def unquote(name):
    return name[2:-1] if name[1:2] == '"' else name[1:]


class Parser:
    """One line."""

    def __init__(self, module, text):
        self.module, self.text = module, text
        self.tokens, self.at, at = [], 0, 0
        text = text.rstrip()
        while at < len(text):
            token = TOKEN.match(text, at)
            if not token:
                raise self.unknown(f"the characters {text[at:at + 10].strip()}")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            at = token.end()

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def take(self, *texts):
        """The next token, if it is one of these."""
        return self.next()[1] if self.peek()[1] in texts and self.peek()[0] != "bytes" else None

    def expect(self, text):
        if self.next()[1] != text:
            raise Unknown(f"{text} expected: {self.text.strip()[:300]}")

    def unknown(self, what):
        return Unknown(f"{what}: {self.text.strip()[:300]}")

    def type(self):
        kind, text = self.next()
        if kind == "word" and re.fullmatch(r"i\d+", text):
            return Int(int(text[1:]))
        if text in ("float", "double"):  # only moved: there is no model of arithmetic with them
            return Int(32 if text == "float" else 64)
        if text in ("ptr", "void", "metadata"):
            return Void() if text == "void" else Pointer()
        if text in ("<", "["):
            if self.peek()[0] != "number":
                raise self.unknown("a type")
            count = int(self.next()[1])
            self.expect("x")
            element = self.type()
            self.expect(">" if text == "<" else "]")
            return (Vector if text == "<" else Array)(count, element)
        if text in ("{", "<{"):
            end, fields = "}" if text == "{" else "}>", []
            while not self.take(end):
                fields.append(self.type())
                self.take(",")
            return Struct(tuple(fields), text == "<{")
        if kind == "local":
            return Parser(self.module, self.module.types[unquote(text)]).type()
        raise self.unknown(f"the type {text}")

    def attributes(self):
        """Those of a parameter, an argument or a result: words before what they are of."""
        found = []
        while self.peek()[0] == "word" and self.peek()[1] in ATTRIBUTES:
            name, value = self.next()[1], None
            if name == "align":
                self.take("(")
                value = int(self.next()[1])
                self.take(")")
            elif name in ("dereferenceable", "dereferenceable_or_null"):
                self.expect("(")
                value = int(self.next()[1])
                self.expect(")")
            elif name == "range":
                self.expect("(")
                type = self.type()
                value = int(self.next()[1]) % (1 << type.width)
                self.expect(",")
                value = value, int(self.next()[1]) % (1 << type.width)
                self.expect(")")
            elif name == "sret":
                self.expect("(")
                value = size(self.type())
                self.expect(")")
            elif name == "initializes":
                self.expect("(")
                value = []
                while self.take("("):
                    start = int(self.next()[1])
                    self.expect(",")
                    value.append((start, int(self.next()[1])))
                    self.expect(")")
                    self.take(",")
                self.expect(")")
            elif name == "captures":
                self.parentheses()
            elif self.peek()[1] == "(":
                raise self.unknown(f"the attribute {name} with a value")
            found.append((name, value))
        return found

    def parentheses(self):
        """The words between two parentheses."""
        self.expect("(")
        words = []
        while not self.take(")"):
            if self.peek()[0] == "end":
                raise self.unknown("an open parenthesis")
            words.append(self.next()[1])
        return words

    def group(self, name):
        """What `attributes #n = { … }` has, or the same after a call."""
        parser, found = Parser(self.module, self.module.groups[name].split("{", 1)[1]), []
        while not parser.take("}"):
            kind, word = parser.next()
            value = None
            if kind == "string":
                word = word[1:-1]
                if word not in FUNCTION_STRINGS:
                    raise self.unknown(f"the attribute {word}")
                if parser.take("="):
                    value = parser.next()[1][1:-1]
            elif kind != "word" or word not in FUNCTION:
                raise self.unknown(f"the attribute {word}")
            elif parser.peek()[1] == "(":
                value = parser.parentheses()
            found.append((word, value))
        return found

    def definition(self):
        """The line of a function: the names of its parameters with their types, and its attributes."""
        self.expect("define")
        while self.take(*LINKAGES, *NAMING):
            pass
        convention = self.take(*CONVENTIONS) or "ccc"
        result = self.attributes()
        self.type()
        kind, name = self.next()
        if kind != "global":
            raise self.unknown(f"the word {name} of a function")
        parameters, arguments = [], []
        self.expect("(")
        while not self.take(")"):
            type = self.type()
            arguments.append(self.attributes())
            kind, name = self.next()
            if kind != "local":
                raise self.unknown(f"the attribute {name}")
            parameters.append((type, unquote(name)))
            self.take(",")
        function = []
        while not self.take("{"):
            kind, word = self.next()
            if kind == "meta" and word[0] == "#":
                function += self.group(word)
            elif word == "personality":  # of what happens after a panic
                self.typed()
            elif word == "align":
                self.next()
            elif word not in NAMING:
                raise self.unknown(f"the word {word} of a function")
        return parameters, Attributes(result, arguments, function, convention)

    def node(self):
        """A node of metadata."""
        self.take("distinct")
        self.expect("!")
        self.expect("{")
        items = []
        while not self.take("}"):
            kind, text = self.peek()
            if kind == "meta" and text != "!":
                items.append(self.next()[1])
            elif kind == "meta":
                self.next()
                items.append(self.next()[1][1:-1])
            else:
                items.append(self.typed())
            self.take(",")
        return items

    def attached(self):
        """The metadata after an instruction, which must be at its end."""
        found = {}
        while self.take(","):
            kind, name = self.next()
            if kind != "meta" or name[1:] not in METADATA:
                raise self.unknown(f"the metadata {name}")
            kind, node = self.next()
            if kind != "meta" or node == "!":
                raise self.unknown(f"the metadata {name} without a node's name")
            if name == "!llvm.loop":
                for part in self.module.node(node)[1:]:
                    if self.module.node(part)[0] not in LOOPS:
                        raise self.unknown(f"the metadata {self.module.node(part)[0]}")
            found[name[1:]] = node
        if self.peek()[0] != "end":
            raise self.unknown(f"the word {self.peek()[1]}")
        return found

    def operand(self, type):
        kind, text = self.next()
        if kind == "local":
            return Local(unquote(text))
        if kind == "global":
            return Global(unquote(text))
        if kind == "number":
            return Constant(int(text))
        if kind == "bytes":
            escape = lambda m: b"\\" if m[1] == b"\\" else bytes.fromhex(m[1].decode())
            data = re.sub(rb"\\(\\|[0-9A-Fa-f]{2})", escape, text[2:-1].encode())
            return Several([(Int(8), Constant(byte)) for byte in data])
        if text in ("true", "false", "null"):
            return Constant(int(text == "true"))
        if text in ("undef", "poison"):
            return Constant(None)
        if text == "zeroinitializer":
            return Constant(0)
        if text == "splat":
            self.expect("(")
            element = self.typed()
            self.expect(")")
            return Several([element] * type.count)
        if text in ("<", "[", "{", "<{"):
            end, operands = {"<": ">", "[": "]", "{": "}", "<{": "}>"}[text], []
            while not self.take(end):
                operands.append(self.typed())
                self.take(",")
            return Several(operands)
        if text in ("getelementptr", "inttoptr", "ptrtoint"):
            return self.expression(text)
        raise self.unknown(f"the operand {text}")

    def expression(self, op):
        flags = set()
        while self.peek()[1] in FLAGS.get(op, ()):
            flags.add(self.next()[1])
        self.expect("(")
        if op == "getelementptr":
            type = self.type()
            self.expect(",")
            operands = [self.typed()]
            while self.take(","):
                operands.append(self.typed())
        else:
            operands = [self.typed()]
            self.expect("to")
            type = self.type()
        self.expect(")")
        return Expression(op, type, operands, frozenset(flags))

    def typed(self):
        type = self.type()
        return type, self.operand(type)

    def instruction(self):
        result = None
        if self.peek()[0] == "local" and self.peek(1)[1] == "=":
            result = unquote(self.next()[1])
            self.next()
        flags = {word for word in [self.take("tail", "notail")] if word}
        op = self.next()[1]
        if flags and op != "call":
            raise self.unknown(f"the instruction {op}")
        while self.peek()[1] in FLAGS.get(op, ()):
            flags.add(self.next()[1])
        type, operands, extra, *attributes = self.body(op, flags)
        text = self.text.strip()
        return Instruction(result, op, frozenset(flags), type, operands, extra, text, self.attached(), *attributes)

    def body(self, op, flags):
        if op in BINARY:
            type = self.type()
            first = self.operand(type)
            self.expect(",")
            return type, [first, self.operand(type)], None
        if op in CASTS:
            operand = self.typed()
            return self.type() if self.take("to") else operand[0], [operand], None
        if op == "icmp":
            predicate = self.next()[1]
            type = self.type()
            first = self.operand(type)
            self.expect(",")
            return type, [first, self.operand(type)], predicate
        if op == "load":
            type = self.type()
            self.expect(",")
            return type, [self.access(flags)], self.alignment(type)
        if op == "store":
            value = self.typed()
            self.expect(",")
            return value[0], [value, self.access(flags)], self.alignment(value[0])
        if op == "alloca":
            type = self.type()
            return type, [], self.alignment(type)
        if op == "getelementptr":
            type = self.type()
            self.expect(",")
            return type, self.list_of_typed(), None
        if op in ("insertelement", "extractelement", "shufflevector", "select"):
            operands = self.list_of_typed()
            return operands[1 if op == "select" else 0][0], operands, None
        if op in ("extractvalue", "insertvalue"):
            operands, indices = [self.typed()], []
            while self.take(","):
                if self.peek()[0] == "number":
                    indices.append(int(self.next()[1]))
                elif self.peek()[0] == "meta":
                    self.at -= 1
                    break
                else:
                    operands.append(self.typed())
            return operands[0][0], operands, indices
        if op == "phi":
            type, incoming = self.type(), {}
            while self.take("[") or incoming and self.peek(1)[1] == "[" and self.take(",") and self.take("["):
                value = self.operand(type)
                self.expect(",")
                incoming[unquote(self.next()[1])] = value
                self.expect("]")
            return type, [], incoming
        if op == "br":
            if self.take("label"):
                return Void(), [], [unquote(self.next()[1])]
            condition = self.typed()
            labels = []
            while self.peek(1)[1] == "label" and self.take(",") and self.take("label"):
                labels.append(unquote(self.next()[1]))
            return Void(), [condition], labels
        if op == "switch":
            return self.switch()
        if op == "ret":
            return Void(), [] if self.take("void") else [self.typed()], None
        if op == "call":
            return self.call()
        if op == "unreachable":
            return Void(), [], None
        raise self.unknown(f"the instruction {op}")

    def access(self, flags):
        """The address of a load or a store. If it is atomic, its order may be the weakest: no other thread writes."""
        address = self.typed()
        if "atomic" in flags and not self.take("monotonic", "unordered"):
            raise self.unknown(f"the word {self.peek()[1]}")
        return address

    def alignment(self, type):
        if self.peek(1)[1] == "align" and self.take(",") and self.take("align"):
            return int(self.next()[1])
        return alignment(type)

    def list_of_typed(self):
        operands = [self.typed()]
        while self.peek()[1] == "," and self.peek(1)[0] != "meta" and self.take(","):
            operands.append(self.typed())
        return operands

    def switch(self):
        value = self.typed()
        self.expect(",")
        self.expect("label")
        default, cases = unquote(self.next()[1]), {}
        self.expect("[")
        while not self.take("]"):
            case = self.typed()[1].value
            self.expect(",")
            self.expect("label")
            cases[case] = unquote(self.next()[1])
        return Void(), [value], (default, cases)

    def call(self):
        """Of a function, by its name or through a pointer, or of assembly: its text and constraints."""
        convention = self.take(*CONVENTIONS) or "ccc"
        result = self.attributes()
        type = self.type()
        if self.take("asm"):
            words = set()
            while self.peek()[0] == "word":
                words.add(self.next()[1])
            text = self.next()[1]
            self.expect(",")
            callee = "asm", text[1:-1], self.next()[1][1:-1], frozenset(words)
        else:
            kind, text = self.next()
            if kind not in ("global", "local"):
                raise self.unknown(f"the word {text} of a call")
            callee = {"global": "function", "local": "pointer"}[kind], unquote(text)
        self.expect("(")
        operands, arguments, function = [], [], []
        while not self.take(")"):
            if self.take("metadata"):
                operands.append((Void(), self.next()[1]))
                arguments.append([])
            else:
                kind = self.type()
                arguments.append(self.attributes())
                operands.append((kind, self.operand(kind)))
            self.take(",")
        while self.peek()[1][:1] == "#":
            function += self.group(self.next()[1])
        return type, operands, callee, Attributes(result, arguments, function, convention)
