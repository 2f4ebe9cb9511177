"""Writes hmac.json: HMAC tags to accept and to refuse, computed by Python's hmac and hashlib."""

import hashlib
import hmac
import json
import pathlib

# Our name, Python's, and the bytes of a block.
ALGORITHMS = [
    ("SHA-224", "sha224", 64),
    ("SHA-256", "sha256", 64),
    ("SHA-384", "sha384", 128),
    ("SHA-512", "sha512", 128),
    ("SHA-512/224", "sha512_224", 128),
    ("SHA-512/256", "sha512_256", 128),
    ("SHA3-224", "sha3_224", 144),
    ("SHA3-256", "sha3_256", 136),
    ("SHA3-384", "sha3_384", 104),
    ("SHA3-512", "sha3_512", 72),
    ("BLAKE2b", "blake2b", 128),
    ("BLAKE2s", "blake2s", 64),
]


def random(label, length):
    """The same bytes in every run."""
    return hashlib.shake_256(label.encode()).digest(length)


def pattern(length):
    """As RFC 9861 has it."""
    return bytes(i % 251 for i in range(length))


def flipped(tag, *bits):
    changed = bytearray(tag)
    for bit in bits:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def cases(name, python, block):
    """Key, message, tag, whether it is valid, and the reason."""
    mac = lambda key, message: hmac.new(key, message, python).digest()
    size = hashlib.new(python).digest_size
    usual = random(f"{name} key", size)

    lengths = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 55, 56, 63, 64, 65, 111, 112]
    lengths += [127, 128, 129, 255, 256, block - 1, block, block + 1, 2 * block, 500]
    for length in lengths:
        message = pattern(length)
        yield usual, message, mac(usual, message), True, f"a message of {length} bytes"
    for length in [0, 1, 8, 16, block - 1, block, block + 1, 2 * block, 300]:
        key, message = random(f"{name} other key", length), pattern(20)
        yield key, message, mac(key, message), True, f"a key of {length} bytes"

    message = random(f"{name} message", 40)
    tag = mac(usual, message)
    for length in [size // 2, 16, 10, size - 1]:
        yield usual, message, tag[:length], True, f"the first {length} bytes of the tag"

    bits = 8 * size
    places = [0, 1, 7, 8, 31, 32, 63, 64, 65, 95, 96, 127, 128]
    for bit in places + [bits // 2, bits - 8, bits - 2, bits - 1]:
        yield usual, message, flipped(tag, bit), False, f"bit {bit} of the tag is flipped"
    for one, other in [(0, 64), (31, 63), (63, 127), (0, bits - 1)]:
        changed = flipped(tag, one, other)
        yield usual, message, changed, False, f"bits {one} and {other} are flipped"
    for changed, reason in [
        (flipped(tag, *range(bits)), "all bits are flipped"),
        (bytes(size), "all bits are 0"),
        (b"\xff" * size, "all bits are 1"),
        (flipped(tag, *range(7, bits, 8)), "the high bit of each byte is flipped"),
        (flipped(tag, *range(0, bits, 8)), "the low bit of each byte is flipped"),
        (tag[::-1], "the bytes are in reverse order"),
        (tag[1:] + tag[:1], "the bytes are rotated by one"),
        (tag + b"\0", "a byte more than the tag"),
        (tag + tag, "the tag twice"),
        (mac(usual, message + b"\0"), "the tag of the message with a zero byte appended"),
        (mac(usual, message[:-1]), "the tag of the message without its last byte"),
        (mac(flipped(usual, 0), message), "the tag by a key that differs in a bit"),
        (mac(message, usual), "key and message are swapped"),
        (hashlib.new(python, usual + message).digest(), "the hash of key and message"),
        (hashlib.new(python, message).digest(), "the hash of the message"),
    ]:
        yield usual, message, changed, False, reason
    # A key is hashed when it is longer than a block, not when it fills one.
    full = random(f"{name} other key", block)
    hashed = mac(hashlib.new(python, full).digest(), message)
    yield full, message, hashed, False, "the tag by the hash of a key that fills a block"
    for other, theirs, _ in ALGORITHMS:
        if other != name and hashlib.new(theirs).digest_size == size:
            changed = hmac.new(usual, message, theirs).digest()
            yield usual, message, changed, False, f"the tag of HMAC-{other}"


def main():
    computed = []
    for name, python, block in ALGORITHMS:
        for key, message, tag, valid, reason in cases(name, python, block):
            is_pattern = message == pattern(len(message))
            answer = {
                "algorithm": f"HMAC-{name}",
                "key": {"hex": key.hex()},
                "message": {"ptn": len(message)} if is_pattern else {"hex": message.hex()},
                "output": tag.hex(),
            }
            if not valid:
                answer["valid"] = False
            computed.append(answer | {"reason": reason})
    lines = ",\n".join(json.dumps(answer, separators=(",", ":")) for answer in computed)
    text = (
        '{\n"standard": "RFC 2104, FIPS 198-1",\n'
        '"title": "HMAC tags to accept and to refuse, by Python\'s hmac",\n'
        f'"published": [],\n"computed": [\n{lines}\n]\n}}\n'
    )
    pathlib.Path(__file__).with_name("hmac.json").write_text(text)


main()
