/// HMAC over every hash function of this package that has a fixed output: RFC 2104, FIPS 198-1. A
/// canister that imports this module contains all of them; `mo:hashmill/hmac/Sha256`, `…/Sha512`,
/// `…/Sha3` and `…/Blake2b` have the same functions over one family each.
///
/// ```motoko
/// import Hmac "mo:hashmill/Hmac";
///
/// let tag = Hmac.fromBlob(#sha256, "key", "message");
///
/// let key = Hmac.prepare(#sha256, "key"); // absorbed once: half the work of each short message
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
import Core "hmac/Core";
import Sha256 "Sha256";
import Sha3 "Sha3";
import Sha512 "Sha512";
import Stream "Stream";

module {
  public type Algorithm = HmacSha256.Algorithm or HmacSha512.Algorithm or HmacSha3.Algorithm or HmacBlake2b.Algorithm;

  /// A key, absorbed: immutable data that may be stored, as secret as the key.
  public type Key = Core.Key<Algorithm>;

  /// A message on its way to its tag: data that may lie in a stable variable, as secret as the key.
  public type Digest = { key : Key; stream : Stream.Stream };

  /// A digest as immutable data; `share` returns it. It is as secret as the key.
  public type DigestShared = Stream.Shared and { key : Key };

  public type Iter = Stream.Iter;

  /// Returns the tag of one message.
  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.fromBlob(algo, key, message);
    case (#sha512 algo) HmacSha512.fromBlob(algo, key, message);
    case (#sha3 algo) HmacSha3.fromBlob(algo, key, message);
    case (#blake2b) HmacBlake2b.fromBlob(#blake2b, key, message);
  };

  /// Absorbs a key of any length.
  public func prepare(algo : Algorithm, key : Blob) : Key = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.prepare(algo, key);
    case (#sha512 algo) HmacSha512.prepare(algo, key);
    case (#sha3 algo) HmacSha3.prepare(algo, key);
    case (#blake2b) HmacBlake2b.prepare(#blake2b, key);
  };

  /// Returns the tag of one message.
  public func mac(self : Key, message : Blob) : Blob = switch (kind(self.algo)) {
    case (#sha256 algo) HmacSha256.mac({ self with algo = algo }, message);
    case (#sha512 algo) HmacSha512.mac({ self with algo = algo }, message);
    case (#sha3 algo) HmacSha3.mac({ self with algo = algo }, message);
    case (#blake2b) HmacBlake2b.mac({ self with algo = #blake2b }, message);
  };

  /// Begins a message.
  public func begin(self : Key) : Digest = { key = self; stream = Core.begin<Algorithm>(family(self.algo), self) };

  public func new(algo : Algorithm, key : Blob) : Digest = begin(prepare(algo, key));

  /// Begins a new message with the same key.
  public func reset(self : Digest) = Core.reset<Algorithm>(family(self.key.algo), self.key, self.stream);

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { key = self.key; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeBlob({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeBlob({ algo; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeBlob({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeBlob({ params = Blake2b.params; stream = self.stream }, data);
  };

  public func writeArray(self : Digest, data : [Nat8]) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeArray({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeArray({ algo; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeArray({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeArray({ params = Blake2b.params; stream = self.stream }, data);
  };

  public func writeVarArray(self : Digest, data : [var Nat8]) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeVarArray({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeVarArray({ algo; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeVarArray({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeVarArray({ params = Blake2b.params; stream = self.stream }, data);
  };

  /// Writes all bytes that the iterator returns.
  public func writeIter(self : Digest, data : Iter) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeIter({ algo; stream = self.stream }, data);
    case (#sha512 algo) Sha512.writeIter({ algo; stream = self.stream }, data);
    case (#sha3 algo) Sha3.writeIter({ algo; stream = self.stream }, data);
    case (#blake2b) Blake2b.writeIter({ params = Blake2b.params; stream = self.stream }, data);
  };

  /// Writes `count` bytes: `at(start)`, `at(start + 1)`, …
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#sha512 algo) Sha512.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#sha3 algo) Sha3.writeAccessor({ algo; stream = self.stream }, at, start, count);
    case (#blake2b) Blake2b.writeAccessor({ params = Blake2b.params; stream = self.stream }, at, start, count);
  };

  /// Writes the bytes that `count` calls of `next` return.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) = switch (kind(self.key.algo)) {
    case (#sha256 algo) Sha256.writeReader({ algo; stream = self.stream }, next, count);
    case (#sha512 algo) Sha512.writeReader({ algo; stream = self.stream }, next, count);
    case (#sha3 algo) Sha3.writeReader({ algo; stream = self.stream }, next, count);
    case (#blake2b) Blake2b.writeReader({ params = Blake2b.params; stream = self.stream }, next, count);
  };

  /// Ends the message and gives its tag. Traps if it is ended already.
  public func sum(self : Digest) : Blob = Core.sum<Algorithm>(family(self.key.algo), self.key, self.stream);

  /// Returns the tag of the bytes written so far. The digest does not change. Traps if the message
  /// has ended.
  public func peekSum(self : Digest) : Blob = sum(clone(self));

  /// Ends the message and says whether `tag` is its tag, whole, in a time that does not depend on
  /// the bytes of either.
  public func verify(self : Digest, tag : Blob) : Bool = Core.equal(sum(self), tag);

  /// The digest as immutable data. Traps if its message is ended.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, family(self.key.algo).kernel) with key = self.key };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of HMAC");
    digest;
  };

  /// Like `unshare`, but returns null if no message can have the state `saved`.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let ?stream = Core.tryUnshare<Algorithm>(family(saved.key.algo), saved.key, saved) else return null;
    ?{ key = saved.key; stream };
  };

  /// Whether two tags are equal. The time depends only on their lengths.
  public func equal(a : Blob, b : Blob) : Bool = Core.equal(a, b);

  /// For `Hkdf` and `Pbkdf2`.
  public func prf(algo : Algorithm) : Core.Prf = switch (kind(algo)) {
    case (#sha256 algo) HmacSha256.prf(algo);
    case (#sha512 algo) HmacSha512.prf(algo);
    case (#sha3 algo) HmacSha3.prf(algo);
    case (#blake2b) HmacBlake2b.prf(#blake2b);
  };

  func family(algo : Algorithm) : Stream.Family = switch (kind(algo)) {
    case (#sha256 algo) Sha256.family(algo);
    case (#sha512 algo) Sha512.family(algo);
    case (#sha3 algo) Sha3.family(algo);
    case (#blake2b) Blake2b.family();
  };

  /// The algorithm in its family.
  func kind(algo : Algorithm) : {
    #sha256 : HmacSha256.Algorithm;
    #sha512 : HmacSha512.Algorithm;
    #sha3 : HmacSha3.Algorithm;
    #blake2b;
  } = switch algo {
    case (#sha224) #sha256(#sha224);
    case (#sha256) #sha256(#sha256);
    case (#sha384) #sha512(#sha384);
    case (#sha512) #sha512(#sha512);
    case (#sha512_224) #sha512(#sha512_224);
    case (#sha512_256) #sha512(#sha512_256);
    case (#sha3_224) #sha3(#sha3_224);
    case (#sha3_256) #sha3(#sha3_256);
    case (#sha3_384) #sha3(#sha3_384);
    case (#sha3_512) #sha3(#sha3_512);
    case (#blake2b) #blake2b;
  };
}
