"""The functions that the library's tables of backends point to."""

import pathlib
import re

import ir
import terms

SOURCES = pathlib.Path(__file__).parent.parent / "crates/hashmill/src"
# Those with a kernel. BLAKE3's is BLAKE2's.
FAMILIES = sorted(path.parent.name for path in SOURCES.glob("*/kernel.rs") if path.parent.name != "simd")
KERNEL = re.compile(rf"hashmill::({'|'.join(FAMILIES)})::.*::absorb\w*")
POINTER = re.compile(r'ptr (@"[^"]*"|@[-\w.$]+)')


def pointers(module):
    """The paths and names of the functions that a table of backends points to, with the bytes after each pointer. A
    table is a constant that points to a kernel, or to which another table points. Another function there is one more
    kernel, whatever its name is."""
    constants = {name: text for name, text in module.globals.items() if " constant " in text}
    pointed = {name: [ir.unquote(found[1]) for found in POINTER.finditer(text)] for name, text in constants.items()}
    tables = [name for name in constants if any(KERNEL.fullmatch(module.paths.get(each, "")) for each in pointed[name])]
    for table in tables:
        tables += [name for name in pointed[table] if name in constants and name not in tables]
        for row in POINTER.finditer(constants[table]):
            name = ir.unquote(row[1])
            if name in module.functions:
                yield module.paths.get(name, name), name, bytes_of_row(constants[table][row.end():row.end() + 1000])


def bytes_of_row(text):
    """The bytes of a constant from a place on. Those of pointers are zeros."""
    found = b""
    for count, escaped in re.findall(r', (?:ptr (?:@"[^"]*"|@[-\w.$]+|null|inttoptr \(i\d+ \d+ to ptr\))|\[(\d+) x i8\] (?:c"([^"]*)"|zeroinitializer))', text):
        bytes = re.findall(r"\\[0-9A-F]{2}|.", escaped)
        found += b"".join(b"%c" % (int(byte[1:], 16) if len(byte) == 3 else ord(byte)) for byte in bytes)
        found += b"" if escaped else b"\0" * int(count or terms.WORD // 8)
    return found
