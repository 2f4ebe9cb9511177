"""Exported states: those that the library could not have written are a ValueError, and from all others the outputs are
the reference's. crates/hashmill/tests/it/state/forged.rs writes the states."""

import hashlib
import hmac
import json
import pathlib

import hashmill
import pytest

STATES = json.loads((pathlib.Path(__file__).parent / "states.json").read_text())


#: The codes of TupleHash, and of all functions that have another output with xof=True.
TUPLES, CHOOSES_XOF = (72, 73), range(70, 76)


def output(hasher, length):
    """The output of a hash object, or as much of it as the reference computed."""
    if hasher.digest_size and hasher.name != "blake3":
        return hasher.digest()
    return hasher.digest(length)


def update(hasher, state, more):
    """Absorbs a message in two parts, or the next element of TupleHash, if there is one."""
    if state[1] in TUPLES:
        more and hasher.update(more)
    else:
        hasher.update(more[:50])
        hasher.update(more[50:])


def test_the_reference_decides():
    outcomes = dict.fromkeys(["output", "State", "TooLong", "within"], 0)
    for row in STATES:
        state, more = bytes.fromhex(row["state"]), bytes.fromhex(row["more"])
        refused = row.get("refused")
        if refused != "State" and state[1] in TUPLES and any(state[2:10]):
            outcomes["within"] += 1
            with pytest.raises(ValueError, match="ends within an element"):
                hashmill.import_state(state)
            continue
        outcomes[refused or "output"] += 1
        if refused == "State":
            with pytest.raises(ValueError, match="state"):
                hashmill.import_state(state)
            continue
        hasher = hashmill.import_state(state)
        assert hasher.export_state() == hasher.copy().export_state() == state
        if refused:
            with pytest.raises(ValueError, match="longer than"):
                hasher.update(more)
            assert hasher.export_state() == state
            output(hasher, 100)
            continue
        update(hasher, state, more)
        wanted = bytes.fromhex(row["output"])
        if state[1] in CHOOSES_XOF:
            wanted, all = wanted[:100], wanted[100:]
            xof = hashmill.import_state(state, xof=True)
            update(xof, state, more)
            assert xof.digest(100) == xof.reader().read(100) == all, row
        assert output(hasher, len(wanted)) == wanted, row
    assert min(outcomes.values()) >= 1, outcomes


def checked(body):
    return body + hashlib.sha256(body).digest()[:8]


def test_what_a_state_does_not_contain():
    """Whether the output is that of KMACXOF, and KangarooTwelve's customization string."""
    for make, more in {
        lambda **named: hashmill.kmac128(b"key", b"abc", **named): {"xof": True},
        lambda **named: hashmill.tuplehash256([b"abc", b""], customization=b"c", **named): {"xof": True},
        lambda **named: hashmill.parallelhash128(bytes(99), block_size=8, **named): {"xof": True},
        lambda **named: hashmill.kt128(bytes(9999), **named): {"customization": b"c"},
    }.items():
        plain, other = make(), make(**more)
        state = plain.export_state()
        assert other.export_state() == state
        assert hashmill.import_state(state).digest(50) == plain.digest(50) != other.digest(50)
        again = hashmill.import_state(state, **more)
        assert again.digest(50) == other.digest(50)
        again.update(b"more")
        other.update(b"more")
        assert again.copy().hexdigest() == other.hexdigest()
        with pytest.raises(ValueError, match="is for states of"):
            hashmill.import_state(state, **({"xof": True} if "customization" in more else {"customization": b"c"}))
    for hasher in (hashmill.sha256(), hashmill.shake_128(), hashmill.cshake128(), hashmill.blake2xb()):
        for named in ({"xof": True}, {"customization": b"c"}):
            with pytest.raises(ValueError, match="is for states of"):
                hashmill.import_state(hasher.export_state(), **named)


def test_states_with_a_tag():
    """A state that somebody made up has a right check, and the tag is refused."""
    hasher = hashmill.sha256(bytes(100))
    state = bytearray(hasher.export_state())
    state[20] ^= 1
    forged = checked(bytes(state[:-8]))
    assert hashmill.import_state(forged).digest() != hasher.digest()
    for hasher in (
        hasher,
        hashmill.blake3(bytes(5000), key=bytes(32)),
        hashmill.blake2b(b"abc", key=b"key"),
        hashmill.kmac256(b"key", b"abc"),
        hashmill.tuplehash128([b"abc"]),
        hashmill.blake2xs(b"abc"),
    ):
        state, keyed = hasher.export_state(), hasher.export_keyed(b"secret")
        tag = hmac.digest(b"secret", b"hashmill: exported state\n" + state, "sha256")
        assert keyed == hasher.copy().export_keyed(bytearray(b"secret")) == state + tag
        again = hashmill.import_keyed(keyed, b"secret")
        again.update(b"more")
        hasher.update(b"more")
        assert again.digest() == hasher.digest()
        for wrong, key in (
            (keyed, b"another"),
            (state, b"secret"),
            (forged + tag, b"secret"),
            (keyed[:-1] + b"x", b"secret"),
            (b"", b"secret"),
        ):
            with pytest.raises(ValueError, match="the tag does not belong to this message and key"):
                hashmill.import_keyed(wrong, key)
        with pytest.raises(ValueError, match="state"):
            hashmill.import_state(keyed)
    assert hashmill.import_keyed(hashmill.kmac128(b"k").export_keyed(b""), b"", xof=True).reader().read(9)
    for wrong in (lambda: hasher.export_keyed("text"), lambda: hashmill.import_keyed(b"", None)):
        with pytest.raises(TypeError):
            wrong()


def test_an_element_that_has_begun():
    """Rust and C export such a tuple, and Python's objects absorb whole elements."""
    body = bytes([1, 72]) + (3).to_bytes(8, "little") + b"\x04" + bytes([1]) * 200 + b"\0"
    with pytest.raises(ValueError, match="ends within an element"):
        hashmill.import_state(checked(body))
