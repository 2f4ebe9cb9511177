"""Exported states: those that the library could not have written are a ValueError, and from all others the outputs are
the reference's. crates/hashmill/tests/it/state/forged.rs writes the states."""

import hashlib
import json
import pathlib

import hashmill
import pytest

STATES = json.loads((pathlib.Path(__file__).parent / "states.json").read_text())


def output(hasher, length):
    """The output of a hash object, or as much of it as the reference computed."""
    if hasher.digest_size and hasher.name != "blake3":
        return hasher.digest()
    return hasher.digest(length)


def test_the_reference_decides():
    outcomes = dict.fromkeys(["output", "State", "TooLong"], 0)
    for row in STATES:
        state, more = bytes.fromhex(row["state"]), bytes.fromhex(row["more"])
        refused = row.get("refused")
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
        hasher.update(more[:50])
        hasher.update(more[50:])
        assert output(hasher, len(row["output"]) // 2) == bytes.fromhex(row["output"]), row
    assert min(outcomes.values()) >= 1, outcomes


@pytest.mark.parametrize("code", range(70, 76))
def test_states_without_an_object(code):
    """KMAC, TupleHash and ParallelHash, whose states Rust and C export."""
    sponge = b"\x04" + bytes([1]) * 200 + b"\0"
    if code < 72:
        body = sponge
    elif code < 74:
        body = bytes(8) + sponge
    else:
        body = (1).to_bytes(8, "little") + bytes(16) + sponge[:-1] + b"\x02\x01\x01" + b"\x1f" + bytes(201)
    body = bytes([1, code]) + body
    with pytest.raises(ValueError, match="a state of (KMAC|TupleHash|ParallelHash)(128|256) has no object"):
        hashmill.import_state(body + hashlib.sha256(body).digest()[:8])
