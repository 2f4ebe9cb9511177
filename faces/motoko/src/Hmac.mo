/// HMAC, RFC 2104 and FIPS 198-1, over the hash functions of this package that have a fixed output
/// length (all except SHAKE and Keccak-256). A canister that imports this module contains the code
/// of all these functions. The modules `mo:hashmill/hmac/Sha256`, `…/Sha512`, `…/Sm3`, `…/Sha3`
/// and `…/Blake2b` have the same interface over one family each.
///
/// ```motoko
/// import Hmac "mo:hashmill/Hmac";
///
/// let tag = Hmac.fromBlob(#sha256, "key", "message");
///
/// // Absorbs the key once, which halves the work for each short message.
/// let key = Hmac.prepare(#sha256, "key");
/// let same = key.mac("message");
///
/// let digest = key.begin();
/// digest.writeBlob("mess");
/// digest.writeBlob("age");
/// assert digest.verify(tag);
/// ```

import Prim "mo:prim";
import Blake2b "Blake2b";
import HmacBlake2b "hmac/Blake2b";
import HmacSha256 "hmac/Sha256";
import HmacSha3 "hmac/Sha3";
import HmacSha512 "hmac/Sha512";
import HmacSm3 "hmac/Sm3";
import Core "hmac/Core";
import Sha256 "Sha256";
import Sha3 "Sha3";
import Sha512 "Sha512";
import Sm3 "Sm3";
import Stream "Stream";

module {
  public type Algorithm = HmacSha256.Algorithm or HmacSha512.Algorithm or HmacSm3.Algorithm or HmacSha3.Algorithm or HmacBlake2b.Algorithm;

  /// A prepared key: immutable data that can be stored. Keep it as secret as the key itself.
  public type Key = Core.Key<Algorithm>;

  /// The state of an HMAC in progress. It contains only data, so a stable variable can hold it.
  /// Keep it as secret as the key.
  public type Digest = { key : Key; stream : Stream.Stream };

  /// A digest as immutable data, as `share` returns it. Keep it as secret as the key.
  public type DigestShared = Stream.Shared and { key : Key };

  public type Iter = Stream.Iter;

  /// Returns the tag of one message.
  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.fromBlob(algo, key, message);
    case (#sha512 algo) HmacSha512.fromBlob(algo, key, message);
    case (#sm3) HmacSm3.fromBlob(#sm3, key, message);
    case (#sha3 algo) HmacSha3.fromBlob(algo, key, message);
    case (#blake2b) HmacBlake2b.fromBlob(#blake2b, key, message);
  };

  /// Absorbs a key of any length and returns the prepared key.
  public func prepare(algo : Algorithm, key : Blob) : Key = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.prepare(algo, key);
    case (#sha512 algo) HmacSha512.prepare(algo, key);
    case (#sm3) HmacSm3.prepare(#sm3, key);
    case (#sha3 algo) HmacSha3.prepare(algo, key);
    case (#blake2b) HmacBlake2b.prepare(#blake2b, key);
  };

  /// Returns the tag of one message.
  public func mac(self : Key, message : Blob) : Blob = switch (kind(self.algo)) {
    case (#sha256 algo) HmacSha256.mac({ self with algo = algo }, message);
    case (#sha512 algo) HmacSha512.mac({ self with algo = algo }, message);
    case (#sm3) HmacSm3.mac({ self with algo = #sm3 }, message);
    case (#sha3 algo) HmacSha3.mac({ self with algo = algo }, message);
    case (#blake2b) HmacBlake2b.mac({ self with algo = #blake2b }, message);
  };

  /// Returns a new digest with this key.
  public func begin(self : Key) : Digest = { key = self; stream = Core.begin<Algorithm>(family(self.algo), self) };

  /// Returns a new digest with a key of any length.
  public func new(algo : Algorithm, key : Blob) : Digest = begin(prepare(algo, key));

  /// Discards the current message and begins a new one with the same key.
  public func reset(self : Digest) = Core.reset<Algorithm>(family(self.key.algo), self.key, self.stream);

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { key = self.key; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeBlob({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeBlob({ algo; stream = self.stream }, data);
    case (#sm3) Sm3.writeBlob({ algo = #sm3; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeBlob({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeBlob({ params = Blake2b.params; stream = self.stream }, data);
  };

  public func writeArray(self : Digest, data : [Nat8]) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeArray({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeArray({ algo; stream = self.stream }, data);
    case (#sm3) Sm3.writeArray({ algo = #sm3; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeArray({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeArray({ params = Blake2b.params; stream = self.stream }, data);
  };

  public func writeVarArray(self : Digest, data : [var Nat8]) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeVarArray({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeVarArray({ algo; stream = self.stream }, data);
    case (#sm3) Sm3.writeVarArray({ algo = #sm3; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeVarArray({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeVarArray({ params = Blake2b.params; stream = self.stream }, data);
  };

  /// Writes every byte that the iterator returns.
  public func writeIter(self : Digest, data : Iter) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeIter({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeIter({ algo; stream = self.stream }, data);
    case (#sm3) Sm3.writeIter({ algo = #sm3; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeIter({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeIter({ params = Blake2b.params; stream = self.stream }, data);
  };

  /// Writes the `count` bytes `at(start)`, `at(start + 1)`, …
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#sha512 algo) Sha512.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#sm3) Sm3.writeAccessor({ algo = #sm3; stream = self.stream }, at, start, count);
    case (#sha3 algo) Sha3.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#blake2b) Blake2b.writeAccessor({ params = Blake2b.params; stream = self.stream }, at, start, count);
  };

  /// Writes the bytes that `count` calls of `next` return.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeReader({ algo; stream = self.stream }, next, count);
    case (#sha512 algo) Sha512.writeReader({ algo; stream = self.stream }, next, count);
    case (#sm3) Sm3.writeReader({ algo = #sm3; stream = self.stream }, next, count);
    case (#sha3 algo) Sha3.writeReader({ algo; stream = self.stream }, next, count);
    case (#blake2b) Blake2b.writeReader({ params = Blake2b.params; stream = self.stream }, next, count);
  };

  /// Ends the message and returns its tag. Traps if the digest is already closed.
  public func sum(self : Digest) : Blob = Core.sum<Algorithm>(family(self.key.algo), self.key, self.stream);

  /// Returns the tag of the bytes written so far. Does not change the digest. Traps if the digest
  /// is closed.
  public func peekSum(self : Digest) : Blob = sum(clone(self));

  /// Ends the message and returns whether `tag` is its tag. A shortened tag is not accepted. The
  /// time of the comparison does not depend on the bytes of the tags. Traps if the digest is
  /// already closed.
  public func verify(self : Digest, tag : Blob) : Bool = Core.equal(sum(self), tag);

  /// Returns the digest as immutable data. Traps if the digest is closed.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, family(self.key.algo).kernel) with key = self.key };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of HMAC");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let ?stream = Core.tryUnshare<Algorithm>(family(saved.key.algo), saved.key, saved) else return null;
    ?{ key = saved.key; stream };
  };

  /// Returns whether two tags are equal. The time depends only on their lengths.
  public func equal(a : Blob, b : Blob) : Bool = Core.equal(a, b);

  /// Returns HMAC over `algo` as `Hkdf` and `Pbkdf2` take it.
  public func prf(algo : Algorithm) : Core.Prf = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.prf(algo);
    case (#sha512 algo) HmacSha512.prf(algo);
    case (#sm3) HmacSm3.prf(#sm3);
    case (#sha3 algo) HmacSha3.prf(algo);
    case (#blake2b) HmacBlake2b.prf(#blake2b);
  };

  func family(algo : Algorithm) : Stream.Family = switch (kind(algo)) {
    case (#sha256 algo) Sha256.family(algo);
    case (#sha512 algo) Sha512.family(algo);
    case (#sm3) Sm3.family(#sm3);
    case (#sha3 algo) Sha3.family(algo);
    case (#blake2b) Blake2b.family();
  };

  /// Returns the algorithm with its family.
  func kind(algo : Algorithm) : {
    #sha256 : HmacSha256.Algorithm;
    #sha512 : HmacSha512.Algorithm;
    #sm3;
    #sha3 : HmacSha3.Algorithm;
    #blake2b;
  } = switch algo {
    case (#sha224) #sha256(#sha224);
    case (#sha256) #sha256(#sha256);
    case (#sha384) #sha512(#sha384);
    case (#sha512) #sha512(#sha512);
    case (#sha512_224) #sha512(#sha512_224);
    case (#sha512_256) #sha512(#sha512_256);
    case (#sm3) #sm3;
    case (#sha3_224) #sha3(#sha3_224);
    case (#sha3_256) #sha3(#sha3_256);
    case (#sha3_384) #sha3(#sha3_384);
    case (#sha3_512) #sha3(#sha3_512);
    case (#blake2b) #blake2b;
  };
}
