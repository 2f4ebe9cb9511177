import hashlib
import hashmill

expected = hashlib.sha256(b"abc").digest()
assert hashmill.sha256(b"abc").digest() == expected
assert list(hashmill.hash_many([b"abc"] * 40, "sha256")) == [expected] * 40
