/// One function for each hash function, with its usual parameters. The other modules of the package
/// provide the rest: other kinds of input, messages in pieces, keys, salts, HMAC, HKDF, PBKDF2 and
/// Merkle trees.
///
/// ```motoko
/// import Hash "mo:hashmill";
///
/// let hash = Hash.sha256("abc");
/// ```

import Ascon "Ascon";
import Blake2b "Blake2b";
import Blake3 "Blake3";
import Sha256 "Sha256";
import Sha3 "Sha3";
import Sha512 "Sha512";
import Sm3 "Sm3";

module {
  public func sha224(data : Blob) : Blob = Sha256.fromBlob(#sha224, data);
  public func sha256(data : Blob) : Blob = Sha256.fromBlob(#sha256, data);
  public func sha384(data : Blob) : Blob = Sha512.fromBlob(#sha384, data);
  public func sha512(data : Blob) : Blob = Sha512.fromBlob(#sha512, data);
  public func sha512_224(data : Blob) : Blob = Sha512.fromBlob(#sha512_224, data);
  public func sha512_256(data : Blob) : Blob = Sha512.fromBlob(#sha512_256, data);
  public func sm3(data : Blob) : Blob = Sm3.fromBlob(#sm3, data);
  public func sha3_224(data : Blob) : Blob = Sha3.fromBlob(#sha3_224, data);
  public func sha3_256(data : Blob) : Blob = Sha3.fromBlob(#sha3_256, data);
  public func sha3_384(data : Blob) : Blob = Sha3.fromBlob(#sha3_384, data);
  public func sha3_512(data : Blob) : Blob = Sha3.fromBlob(#sha3_512, data);

  /// Returns the Keccak-256 hash, as Ethereum uses it.
  public func keccak256(data : Blob) : Blob = Sha3.fromBlob(#keccak256, data);

  /// Returns `size` bytes of output.
  public func shake128(data : Blob, size : Nat) : Blob = Sha3.fromBlob(#shake128 size, data);

  /// Returns `size` bytes of output.
  public func shake256(data : Blob, size : Nat) : Blob = Sha3.fromBlob(#shake256 size, data);

  public func asconHash256(data : Blob) : Blob = Ascon.fromBlob(#hash256, data);

  /// Returns `size` bytes of output.
  public func asconXof128(data : Blob, size : Nat) : Blob = Ascon.fromBlob(#xof128 size, data);

  /// Returns 64 bytes of output, without a key.
  public func blake2b(data : Blob) : Blob = Blake2b.fromBlob(Blake2b.params, data);

  /// Returns 32 bytes of output, without a key.
  public func blake3(data : Blob) : Blob = Blake3.fromBlob(Blake3.params, data);
}
