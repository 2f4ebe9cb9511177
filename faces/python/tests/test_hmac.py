"""HMAC, HKDF, and the functions that hashlib lacks, beside published answers."""

import hmac as stdlib
import json
import pathlib
import pickle

import hashmill
import pytest
from hashmill import hmac

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "vectors"


def content(value):
    """Bytes as vectors/README.md defines them."""
    if "hex" in value:
        return bytes.fromhex(value["hex"]) * value.get("repeat", 1)
    length = value["ptn"]
    return (bytes(range(0xFB)) * (length // 0xFB + 1))[:length]


def answers(standard):
    """All but those of messages of bits: Python's interface takes bytes."""
    answers = json.loads((VECTORS / f"{standard}.json").read_text())
    return [it for it in answers["published"] + answers["computed"] if "bits" not in it["message"]]


def plain(answer):
    return answer["algorithm"].lower().replace("sha-", "sha").replace("/", "_").replace("-", "_").replace("keccak_", "keccak")


@pytest.mark.parametrize("standard", ["fips-180-4", "fips-202", "keccak", "rfc-7693", "blake2", "rfc-9861", "ascon"])
def test_published_answers(standard):
    ran = 0
    for answer in answers(standard):
        message, expected = content(answer["message"]), answer["output"]
        name, params = plain(answer), dict(answer.get("params", {}))
        if name.startswith("shake"):
            name = name.replace("shake", "shake_")
        if name.startswith("turboshake"):
            hasher = getattr(hashmill, name)(message, domain=answer["domain"])
        elif name.startswith("kt") or name == "ascon_cxof128":
            hasher = getattr(hashmill, name)(message, customization=content(answer.get("customization", {"hex": ""})))
        elif params or "key" in answer:
            hasher = blake2(name, message, answer, params)
        else:
            hasher = hashmill.new(name, message)
        length = len(bytes.fromhex(expected))
        skip = answer.get("skip", 0)
        got = hasher.hexdigest() if hasher.digest_size else hasher.digest(length + skip)[skip:].hex()
        assert got == expected, answer
        ran += 1
    assert ran > 10


def blake2(name, message, answer, params):
    words = {"output_len": "digest_size", "personal": "person", "max_depth": "depth", "leaf_len": "leaf_size",
             "inner_len": "inner_size"}  # fmt: skip
    options = {words.get(key, key): content(it) if isinstance(it, dict) else it for key, it in params.items()}
    if "node_offset" in options:
        options["node_offset"] = int(options["node_offset"])
    if "key" in answer:
        options["key"] = content(answer["key"])
    return getattr(hashmill, name)(message, **options)


def test_hmac_answers():
    ran = 0
    for answer in answers("rfc-2104"):
        name = plain(answer).removeprefix("hmac_")
        key, message = content(answer["key"]), content(answer["message"])
        length = len(answer["output"])
        assert hmac.digest(key, message, name).hex()[:length] == answer["output"]
        assert hmac.new(key, message, name).hexdigest()[:length] == answer["output"]
        assert hmac.new(key, message, getattr(hashmill, name)).hexdigest()[:length] == answer["output"]
        assert hmac.prepare(key, name).finish(message).hex()[:length] == answer["output"]
        ran += 1
    assert ran > 50


def test_the_object_is_the_standard_librarys():
    ours, theirs = hmac.new(b"k", b"m", "sha256"), stdlib.new(b"k", b"m", "sha256")
    assert isinstance(ours, stdlib.HMAC)
    assert (ours.name, ours.digest_size, ours.block_size) == (theirs.name, theirs.digest_size, theirs.block_size)
    ours.update(b"x"), theirs.update(b"x")
    assert ours.copy().digest() == theirs.digest()
    assert hmac.compare_digest is stdlib.compare_digest


def test_what_we_lack_is_the_standard_librarys():
    assert hmac.new(b"k", b"m", "md5").digest() == stdlib.digest(b"k", b"m", "md5") == hmac.digest(b"k", b"m", "md5")
    with pytest.raises(ValueError, match="algorithms_own"):
        hmac.prepare(b"k", "md5")


def test_hmac_errors():
    with pytest.raises(TypeError, match="key"):
        hmac.new("text", b"", "sha256")
    with pytest.raises(TypeError, match="digestmod"):
        hmac.new(b"key", b"")
    with pytest.raises(ValueError, match="unsupported|unknown"):
        hmac.new(b"key", b"", "spam")
    with pytest.raises(ValueError, match="fixed output length"):
        hmac.digest(b"key", b"", "shake_128")
    with pytest.raises(ValueError, match="not longer than their block"):
        hmac.digest(b"key", b"", "ascon_hash256")
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(hmac.prepare(b"key", "sha256"))


def test_hkdf():
    """RFC 5869 appendix A.1 and A.3."""
    secret = bytes([0x0B] * 22)
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    expected = bytes.fromhex(
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    assert hashmill.hkdf(secret, 42, salt=salt, info=info) == expected
    prk = hashmill.hkdf_extract(secret, salt=salt)
    assert prk.hex() == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
    assert hashmill.hkdf_expand(prk, 42, info=info) == expected
    assert hashmill.hkdf(secret, 42).hex().startswith("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879e")
    with pytest.raises(ValueError, match="255"):
        hashmill.hkdf(secret, 255 * 32 + 1)
    with pytest.raises(ValueError, match="pseudorandom key"):
        hashmill.hkdf_expand(b"short", 10)


def test_sp_800_185_samples():
    """NIST's published samples: cSHAKE_samples.pdf, KMAC_samples.pdf, TupleHash_samples.pdf, ParallelHash_samples.pdf,
    the first of each."""
    data = bytes(range(4))
    assert hashmill.cshake128(data, customization=b"Email Signature").hexdigest() == (
        "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"
    )
    key = bytes(range(0x40, 0x60))
    assert hashmill.kmac128(key, data).hexdigest() == (
        "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"
    )
    assert hashmill.tuplehash128([bytes(range(3)), bytes(range(0x10, 0x16))]).hexdigest() == (
        "c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1"
    )
    data = b"".join(bytes(range(i, i + 8)) for i in (0x00, 0x10, 0x20))
    assert hashmill.parallelhash128(data, block_size=8).hexdigest() == (
        "ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5"
    )


def test_blake2x():
    """vectors/blake2x.json: in one call and in parts, all at once and piece by piece, and after a state was saved."""
    ran = 0
    for answer in answers("blake2x"):
        message, expected = content(answer["message"]), bytes.fromhex(answer["output"])
        params, skip = answer["params"], answer.get("skip", 0)
        options = {name: content(params[old]) for old, name in
                   {"key": "key", "salt": "salt", "personal": "person"}.items() if old in params}  # fmt: skip
        make = getattr(hashmill, answer["algorithm"].lower())
        length = params.get("output_len")
        whole = make(message, length=length, **options)
        parts = make(length=length, **options)
        parts.update(message[:77]), parts.update(message[77:])
        for hasher in (whole, parts, hashmill.import_state(parts.export_state()), whole.copy()):
            assert hasher.digest_size == (length or 0)
            got = hasher.digest() if length else hasher.digest(skip + len(expected))
            assert got[skip : skip + len(expected)] == expected, answer
        reader = whole.reader()
        reader.read(skip)
        assert b"".join(reader.read(n) for n in (1, len(expected) - 1)) == expected, answer
        ran += 1
    assert ran > 60


def test_blake2x_says_what_is_wrong():
    known = hashmill.blake2xs(b"abc", length=100, key=b"k")
    assert known.digest() == known.digest(100) == bytes.fromhex(known.hexdigest()) and known.block_size == 64
    assert hashmill.blake2xb(b"abc").digest() == hashmill.blake2xb(b"abc").digest(100)[:64]
    assert known.digest()[:64] != hashmill.blake2xs(b"abc", length=64, key=b"k").digest()
    with pytest.raises(ValueError, match="100"):
        known.digest(99)
    reader = known.reader()
    assert reader.read(99) == known.digest()[:99]
    with pytest.raises(ValueError):
        reader.read(2)
    assert reader.read(1) == known.digest()[99:]
    for options in ({"length": 0}, {"length": 65535}, {"key": bytes(33)}, {"salt": bytes(9)}, {"person": bytes(9)}):
        with pytest.raises(ValueError):
            hashmill.blake2xs(**options)
    with pytest.raises(ValueError, match="length"):
        hashmill.blake2xb(length=-1)
    with pytest.raises(TypeError):
        hashmill.blake2xb("text")
    with pytest.raises(ValueError, match="damaged"):
        hashmill.import_state(known.export_state()[:-1])


def test_fixed_and_extendable_forms():
    for make in (lambda **o: hashmill.kmac256(b"key", b"m", **o), lambda **o: hashmill.tuplehash256([b"m"], **o),
                 lambda **o: hashmill.parallelhash256(b"m", **o)):  # fmt: skip
        fixed, extendable = make(), make(xof=True)
        assert fixed.digest(32) != fixed.digest(64)[:32]
        assert extendable.digest(32) == extendable.digest(64)[:32] == extendable.reader().read(32)
        with pytest.raises(ValueError, match="xof=True"):
            fixed.reader()
    tuple_ = hashmill.tuplehash128([b"ab"])
    tuple_.update(b"c")
    assert tuple_.digest() == hashmill.tuplehash128([b"ab", b"c"]).digest() != hashmill.tuplehash128([b"a", b"bc"]).digest()
    with pytest.raises(ValueError, match="at least one byte"):
        hashmill.parallelhash128(b"", block_size=0)
    with pytest.raises(ValueError, match="0x01 to 0x7F"):
        hashmill.turboshake128(b"", domain=0)
    with pytest.raises(TypeError, match="sequence"):
        hashmill.tuplehash128(b"ab")


def test_long_kangaroos_agree():
    data = bytes(9 << 20)
    whole = hashmill.kt128(data)
    parts = hashmill.kt128()
    for i in range(0, len(data), 1 << 16):
        parts.update(data[i : i + (1 << 16)])
    assert whole.digest(100) == parts.digest(100) == whole.copy().reader().read(100)
