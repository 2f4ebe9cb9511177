"""What people write who come from hashlib, blake3, hmac, PyCryptodome and cryptography, before they have read anything.
Each test is a program of its own, with its own imports."""

import io

import pytest

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_one_line():
    import hashmill

    assert hashmill.sha256(b"abc").hexdigest() == ABC
    assert hashmill.sha256("abc".encode()).digest().hex() == ABC
    assert hashmill.digest("sha256", b"abc").hex() == ABC


def test_in_place_of_hashlib():
    import hashmill as hashlib

    h = hashlib.new("sha256")
    h.update(b"a")
    h.update(b"bc")
    assert h.hexdigest() == ABC
    assert (h.name, h.digest_size, h.block_size) == ("sha256", 32, 64)
    assert hashlib.new("sha256", b"abc").hexdigest() == hashlib.sha256(data=b"abc").hexdigest() == ABC
    assert hashlib.md5(b"").hexdigest() == "d41d8cd98f00b204e9800998ecf8427e"
    assert "sha256" in hashlib.algorithms_guaranteed and "sha3_512" in hashlib.algorithms_available


def test_names_as_people_write_them():
    import hashmill

    for name in ("sha256", "SHA256", "sha-256", "SHA-256"):
        assert hashmill.new(name, b"abc").hexdigest() == ABC
    with pytest.raises(ValueError, match="unsupported hash type"):
        hashmill.new("sha257")


def test_text_must_be_encoded():
    import hashmill

    with pytest.raises(TypeError, match="Strings must be encoded before hashing"):
        hashmill.sha256("abc")
    for data in (b"abc", bytearray(b"abc"), memoryview(b"abc")):
        assert hashmill.sha256(data).hexdigest() == ABC


def test_a_file(tmp_path):
    import hashmill

    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with open(path, "rb") as file:
        assert hashmill.file_digest(file, "sha256").hexdigest() == ABC
    with open(path, "rb") as file:
        assert hashmill.file_digest(file, hashmill.sha256).hexdigest() == ABC
    assert hashmill.hash_file(path).hex() == ABC
    assert hashmill.hash_files([path, str(path)])[1].hex() == ABC
    h = hashmill.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(2):
            h.update(chunk)
    assert h.hexdigest() == ABC
    assert hashmill.file_digest(io.BytesIO(b"abc"), "sha256").hexdigest() == ABC


def test_copies():
    from hashmill import sha256

    h = sha256(b"ab")
    other = h.copy()
    h.update(b"c")
    other.update(b"x")
    assert h.hexdigest() == ABC != other.hexdigest()
    assert h.digest() == h.digest()


def test_blake2():
    from hashlib import blake2b as known

    from hashmill import blake2b, blake2s

    options = {"digest_size": 20, "key": b"secret", "salt": b"salt", "person": b"me"}
    assert blake2b(b"abc", **options).hexdigest() == known(b"abc", **options).hexdigest()
    assert len(blake2s(digest_size=16).digest()) == 16
    assert blake2b.MAX_DIGEST_SIZE == 64


def test_shake():
    from hashmill import shake_128, shake_256

    assert shake_128(b"abc").hexdigest(4) == "5881092d"
    assert len(shake_256(b"abc").digest(100)) == 100
    reader = shake_128(b"abc").reader()
    assert reader.read(1) + reader.read(3) == bytes.fromhex("5881092d")
    with pytest.raises(TypeError):
        shake_128(b"abc").digest()


def test_blake3():
    from hashmill import blake3

    digest = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
    assert blake3(b"abc").hexdigest() == digest
    assert blake3().update(b"a").update(b"bc").hexdigest() == digest
    assert blake3(b"abc").digest(length=100)[:32].hex() == digest
    assert blake3(b"abc", key=bytes(32)).digest() != blake3(b"abc", derive_key_context="example.com 2026").digest()
    assert blake3(b"abc", max_threads=blake3.AUTO).hexdigest() == digest


def test_hmac():
    from hashmill import hmac

    tag = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    message = b"The quick brown fox jumps over the lazy dog"
    assert hmac.new(b"key", message, "sha256").hexdigest() == tag
    assert hmac.digest(b"key", message, "sha256").hex() == tag
    h = hmac.new(b"key", digestmod="sha256")
    h.update(message)
    assert hmac.compare_digest(h.digest(), bytes.fromhex(tag))


def test_hmac_with_a_constructor():
    import hashmill
    from hashmill import hmac

    assert hmac.new(b"k", b"m", hashmill.sha256).digest() == hmac.new(b"k", b"m", "sha256").digest()


def test_a_tag_in_the_standard_module():
    import hmac

    import hashmill

    assert hmac.new(b"k", b"m", hashmill.sha256).digest() == hashmill.hmac.digest(b"k", b"m", "sha256")


def test_passwords_and_keys():
    import hashmill

    assert hashmill.pbkdf2_hmac("sha256", b"password", b"salt", 2).hex().startswith("ae4d0c95af6b46d3")
    assert len(hashmill.pbkdf2_hmac("sha256", b"password", b"salt", 2, dklen=20)) == 20
    assert len(hashmill.hkdf(b"secret", 42, salt=b"salt", info=b"purpose")) == 42


def test_many():
    import hashmill

    digests = hashmill.hash_many([b"abc", b"b"])
    assert digests[0].hex() == ABC
    assert digests.hex()[0] == ABC
    assert list(digests) == [hashmill.sha256(m).digest() for m in (b"abc", b"b")]
    assert hashmill.hash_many((f"line {i}".encode() for i in range(100)), "blake3")[99] == hashmill.blake3(b"line 99").digest()


def test_keccak_of_ethereum():
    import hashmill

    assert hashmill.keccak256(b"").hexdigest().startswith("c5d2460186f7233c")


def test_kmac():
    import hashmill

    tag = hashmill.kmac128(b"key", b"message").digest()
    assert len(tag) == 32
    assert hashmill.kmac256(b"key", b"message", customization=b"purpose").hexdigest(20) != tag.hex()[:40]


def test_a_set_of_digests():
    from hashmill import sha256

    seen = {sha256(word).digest() for word in (b"a", b"b", b"a")}
    assert len(seen) == 2 and sha256(b"a").digest() in seen


def test_a_hash_that_goes_on_later():
    import hashmill

    saved = hashmill.sha256(b"a").export_state()
    h = hashmill.import_state(saved)
    h.update(b"bc")
    assert h.hexdigest() == ABC


def test_an_argument_that_says_what_for():
    import hashmill

    assert hashmill.sha256(b"abc", usedforsecurity=False).hexdigest() == ABC


def test_numpy():
    numpy = pytest.importorskip("numpy")
    import hashmill

    assert hashmill.sha256(numpy.frombuffer(b"abc", dtype="u1")).hexdigest() == ABC


def test_a_context_manager_is_not_needed():
    from hashmill import sha512

    h = sha512()
    for line in io.BytesIO(b"one\ntwo\n"):
        h.update(line)
    assert h.digest() == sha512(b"one\ntwo\n").digest()
