"""The transcriptions of the standards, against answers published with them and Python's own hashes."""

import hashlib
import json
import pathlib

import spec_ascon
import spec_blake2
import spec_blake3
import spec_keccak
import spec_sha2
import spec_sm3
from terms import reset

# FIPS 180-4's examples, RFC 7693 appendices A and B, and FIPS 202's examples, of "abc".
ABC = {
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "sha512": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    "sha3_256": "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
    "blake2b": "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
    "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    "blake2s": "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
}
FUNCTIONS = {
    "sha256": lambda m: spec_sha2.digest(32, m),
    "sha512": lambda m: spec_sha2.digest(64, m),
    "sha3_256": spec_keccak.digest,
    "blake2b": lambda m: spec_blake2.digest(64, m),
    "blake2s": lambda m: spec_blake2.digest(32, m),
}
# GB/T 32905-2016, appendix A.
SM3 = {
    b"abc": "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
    b"abcd" * 16: "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732",
}
# Ascon-Hash256: the Ascon team's LWC_HASH_KAT_256.txt, of messages 00 01 02 … by their lengths.
ASCON = {
    0: "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2",
    1: "0728621035af3ed2bca03bf6fde900f9456f5330e4b5ee23e7f6a1e70291bc80",
    6: "dc0c6748af8ffe63e1084aa3e5786a194685c88c21348b29e184fb50409703bc",
}
# The answers of BLAKE3's authors.
BLAKE3 = pathlib.Path(__file__).parent.parent / "vectors/blake3.json"
# TurboSHAKE128 of nothing, RFC 9861 §5: twelve rounds.
TURBOSHAKE = "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"


def check():
    """How many answers agree; one that does not is an error."""
    reset()
    answers = 0
    for name, function in FUNCTIONS.items():
        assert function(b"abc").hex() == ABC[name], name
        for length in (0, 1, 55, 56, 63, 64) + ((111, 112, 127, 128, 300) if name[:2] == "sh" else ()):
            message = bytes(range(length % 256)) if length < 256 else bytes(length)
            assert function(message) == getattr(hashlib, name)(message).digest(), (name, length)
            answers += 1
    for case in json.loads(BLAKE3.read_text())["published"]:
        length = case["message"]["ptn"]
        if length <= 64 and "context" not in case:
            key = bytes.fromhex(case["key"]["hex"]) if "key" in case else None
            assert spec_blake3.digest(bytes(range(length)), key).hex() == case["output"][:128], length
            answers += 1
    turboshake = spec_keccak.digest(b"", rate=168, rounds=12, suffix=0x1F)
    assert turboshake.hex() == TURBOSHAKE
    for message, answer in SM3.items():
        assert spec_sm3.digest(message).hex() == answer, message
    for length, answer in ASCON.items():
        assert spec_ascon.digest(bytes(range(length))).hex() == answer, length
    return answers + len(FUNCTIONS) + 1 + len(SM3) + len(ASCON)


if __name__ == "__main__":
    print(check(), "answers")
