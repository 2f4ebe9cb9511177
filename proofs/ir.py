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
Expression = namedtuple("Expression", "op type operands")

Function = namedtuple("Function", "name path parameters blocks")
Instruction = namedtuple("Instruction", "result op flags type operands extra text")

TOKEN = re.compile(
    r"""\s*(?:(?P<local>%(?:"[^"]*"|[-\w.$]+))|(?P<global>@(?:"[^"]*"|[-\w.$]+))|(?P<bytes>c"[^"]*")
    |(?P<string>"[^"]*")|(?P<meta>![\w.]*|\#\d+)|(?P<number>-?\d+)|(?P<word>[A-Za-z_][\w.]*)
    |(?P<mark><\{|\}>|\.\.\.|[()\[\]{}<>,=*:|]))""",
    re.VERBOSE,
)
FLAGS = {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw", "volatile", "atomic"}
BINARY = "add sub mul udiv sdiv urem srem and or xor shl lshr ashr".split()
CASTS = "trunc zext sext bitcast ptrtoint inttoptr freeze".split()
CALL_WORDS = {"tail", "musttail", "notail"}


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


GLOBALS = 1 << 30  # where their addresses begin, beyond those of all other objects


def aligned(after, alignment):
    """An address after this one that is aligned so and no better, far from what lies before it."""
    return after + 0x10000 & -0x10000 | alignment


class Module:
    def __init__(self, text):
        self.lines = text.split("\n")
        pointer = re.search(r'^target datalayout = ".*-p:(\d+):', text, re.MULTILINE)
        terms.WORD = int(pointer[1]) if pointer else 64
        self.machine = re.search(r'^target triple = "(\w+)-', text, re.MULTILINE)[1]
        self.types, self.globals, self.functions, self.paths = {}, {}, {}, {}
        for number, line in enumerate(self.lines):
            if line.startswith("@") and " = " in line:
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
        self.places, self.end = {}, GLOBALS  # of the globals whose address was taken

    def function(self, name):
        if name not in self.parsed:
            self.parsed[name] = self.parse_function(name)
        return self.parsed[name]

    def parse_function(self, name):
        number = self.functions[name]
        parameters = Parser(self, re.split(r'@(?:"[^"]*"|[-\w.$]+)', self.lines[number], maxsplit=1)[1]).parameters()
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
        return Function(name, self.paths.get(name, name), parameters, blocks)

    def place(self, name, size, alignment):
        """The one address of a global."""
        if name not in self.places:
            self.places[name] = self.end = aligned(self.end, alignment)
            self.end += size
        return self.places[name]

    def global_initializer(self, name):
        """A global's type, initial value and whether it is constant."""
        definition = self.globals[name]
        kind = re.search(r"\b(constant|global)\b ", definition)
        parser = Parser(self, definition[kind.end():])
        type = parser.type()
        return type, parser.operand(type), kind[1] == "constant"

    def instruction(self, line):
        return Parser(self, line).instruction()


def unquote(name):
    return name[2:-1] if name[1:2] == '"' else name[1:]


class Parser:
    """One line."""

    def __init__(self, module, text):
        self.module, self.text = module, text
        self.tokens = [(m.lastgroup, m[m.lastgroup]) for m in TOKEN.finditer(text)]
        self.at = 0

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

    def skip_attributes(self):
        """What stands between an argument's type and its value."""
        while self.peek()[0] == "word" and self.peek()[1] not in (
            "true", "false", "null", "undef", "poison", "zeroinitializer", "splat", "getelementptr", "inttoptr",
            "ptrtoint", "asm",
        ):
            word = self.next()[1]
            if self.peek()[1] == "(":
                self.skip_parentheses()
            elif word == "align":
                self.next()

    def skip_parentheses(self):
        self.expect("(")
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.next()[1], 0)

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
        while self.peek()[1] in FLAGS:
            self.next()
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
        return Expression(op, type, operands)

    def typed(self):
        type = self.type()
        self.skip_attributes()
        return type, self.operand(type)

    def parameters(self):
        self.expect("(")
        parameters = []
        while not self.take(")"):
            type = self.type()
            self.skip_attributes()
            parameters.append((type, unquote(self.next()[1])))
            self.take(",")
        return parameters

    def instruction(self):
        result = None
        if self.peek()[0] == "local" and self.peek(1)[1] == "=":
            result = unquote(self.next()[1])
            self.next()
        while self.take(*CALL_WORDS):
            pass
        op = self.next()[1]
        flags = set()
        while self.peek()[1] in FLAGS:
            flags.add(self.next()[1])
        type, operands, extra = self.body(op, flags)
        return Instruction(result, op, frozenset(flags), type, operands, extra, self.text.strip())

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
            flags.update(word for word in [self.take("samesign")] if word)
            predicate = self.next()[1]
            type = self.type()
            first = self.operand(type)
            self.expect(",")
            return type, [first, self.operand(type)], predicate
        if op == "load":
            type = self.type()
            self.expect(",")
            operands = [self.typed()]
            self.take("monotonic")
            return type, operands, self.aligned()
        if op == "store":
            value = self.typed()
            self.expect(",")
            return value[0], [value, self.typed()], self.aligned()
        if op == "alloca":
            return self.type(), [], self.aligned()
        if op == "getelementptr":
            type = self.type()
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
                    break
                else:
                    operands.append(self.typed())
            return operands[0][0], operands, indices
        if op == "phi":
            type, incoming = self.type(), {}
            while self.take("["):
                value = self.operand(type)
                self.expect(",")
                incoming[unquote(self.next()[1])] = value
                self.expect("]")
                self.take(",")
            return type, [], incoming
        if op == "br":
            if self.take("label"):
                return Void(), [], [unquote(self.next()[1])]
            condition = self.typed()
            labels = []
            while self.take(","):
                if not self.take("label"):
                    break
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

    def aligned(self):
        while self.take(","):
            if self.take("align"):
                return int(self.next()[1])
            self.next()
        return None

    def list_of_typed(self):
        operands = []
        while not operands or self.take(","):
            if self.peek()[1] == "" or self.peek()[0] == "meta":
                break
            self.take(",")
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
        while self.peek()[1] in ("fastcc", "coldcc", "ccc"):
            self.next()
        while self.peek()[0] == "word" and not re.fullmatch(r"i\d+|ptr|void", self.peek()[1]):
            word = self.next()[1]
            if self.peek()[1] == "(":
                self.skip_parentheses()
            elif word == "align":
                self.next()
        type = self.type()
        if self.take("asm"):
            while self.peek()[0] == "word":
                self.next()
            text = self.next()[1]
            self.expect(",")
            callee = "asm", text[1:-1], self.next()[1][1:-1]
        else:
            kind, text = self.next()
            if kind not in ("global", "local"):
                raise self.unknown("a call of what is neither a function's name nor a pointer")
            callee = {"global": "function", "local": "pointer"}[kind], unquote(text)
        self.expect("(")
        operands = []
        while not self.take(")"):
            if self.take("metadata"):
                self.next()
            else:
                operands.append(self.typed())
            self.take(",")
        return type, operands, callee
