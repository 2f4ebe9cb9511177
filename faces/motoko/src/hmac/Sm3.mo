// Written by generate.mjs; do not edit.

/// HMAC-SM3: RFC 2104, FIPS 198-1. The same functions as in `Hmac`, which has every algorithm; this
/// module adds only these to a canister.
///
/// ```motoko
/// import Hmac "mo:hashmill/hmac/Sm3";
///
/// let tag = Hmac.fromBlob(#sm3, "key", "message");
/// ```

import Prim "mo:prim";
import Sm3 "../Sm3";
import Stream "../Stream";
import K "../kernels/Sm3";
import Core "Core";

module {
  public type Algorithm = Sm3.Algorithm;

  /// A key, absorbed: immutable data that may be stored, as secret as the key.
  public type Key = Core.Key<Algorithm>;

  /// A message on its way to its tag: data that may lie in a stable variable, as secret as the key.
  public type Digest = { key : Key; stream : Stream.Stream };

  /// A digest as immutable data; `share` returns it. It is as secret as the key.
  public type DigestShared = Stream.Shared and { key : Key };

  public type Iter = Stream.Iter;

  /// Returns the tag of one message.
  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob {
    if (key.size() > 64) return fromBlob(algo, Sm3.fromBlob(algo, key), message);
    let (s0, s1, s2, s3, s4, s5, s6, s7) = Sm3.initial(algo);
    K.tag(Sm3.words(algo), key, message, s0, s1, s2, s3, s4, s5, s6, s7);
  };

  /// Absorbs a key of any length.
  public func prepare(algo : Algorithm, key : Blob) : Key {
    if (key.size() > 64) return prepare(algo, Sm3.fromBlob(algo, key));
    let (s0, s1, s2, s3, s4, s5, s6, s7) = Sm3.initial(algo);
    { K.prepare(key, s0, s1, s2, s3, s4, s5, s6, s7) with algo };
  };

  /// Returns the tag of one message.
  public func mac(self : Key, message : Blob) : Blob = K.tagPrepared(Sm3.words(self.algo), self, message);

  /// Begins a message.
  public func begin(self : Key) : Digest = { key = self; stream = Core.begin<Algorithm>(Sm3.family(self.algo), self) };

  public func new(algo : Algorithm, key : Blob) : Digest = begin(prepare(algo, key));

  /// Begins a new message with the same key.
  public func reset(self : Digest) = Core.reset<Algorithm>(Sm3.family(self.key.algo), self.key, self.stream);

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { key = self.key; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) = Sm3.writeBlob(hash(self), data);

  public func writeArray(self : Digest, data : [Nat8]) = Sm3.writeArray(hash(self), data);

  public func writeVarArray(self : Digest, data : [var Nat8]) = Sm3.writeVarArray(hash(self), data);

  /// Writes all bytes that the iterator returns.
  public func writeIter(self : Digest, data : Iter) = Sm3.writeIter(hash(self), data);

  /// Writes `count` bytes: `at(start)`, `at(start + 1)`, …
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) = Sm3.writeAccessor(hash(self), at, start, count);

  /// Writes the bytes that `count` calls of `next` return.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) = Sm3.writeReader(hash(self), next, count);

  /// Ends the message and gives its tag. Traps if it is ended already.
  public func sum(self : Digest) : Blob = Core.sum<Algorithm>(Sm3.family(self.key.algo), self.key, self.stream);

  /// Returns the tag of the bytes written so far. The digest does not change. Traps if the message has ended.
  public func peekSum(self : Digest) : Blob = sum(clone(self));

  /// Ends the message and says whether `tag` is its tag, whole, in a time that does not depend on the bytes of either.
  public func verify(self : Digest, tag : Blob) : Bool = Core.equal(sum(self), tag);

  /// The digest as immutable data. Traps if its message is ended.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, Sm3.family(self.key.algo).kernel) with key = self.key };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of HMAC");
    digest;
  };

  /// Like `unshare`, but returns null if no message can have the state `saved`.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let ?stream = Core.tryUnshare<Algorithm>(Sm3.family(saved.key.algo), saved.key, saved) else return null;
    ?{ key = saved.key; stream };
  };

  /// Whether two tags are equal. The time depends only on their lengths.
  public func equal(a : Blob, b : Blob) : Bool = Core.equal(a, b);

  /// For `Hkdf` and `Pbkdf2`.
  public func prf(algo : Algorithm) : Core.Prf {
    let count = Sm3.words(algo);
    {
      size = Prim.nat32ToNat(count) * 4;
      prepare = func key {
        let prepared = prepare(algo, key);
        {
          mac = func message = K.tagPrepared(count, prepared, message);
          chain = func(message, rounds) = K.chain(count, prepared, message, rounds);
        };
      };
    };
  };

  func hash({ key; stream } : Digest) : Sm3.Digest = { algo = key.algo; stream };
}
