/// Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128, SP 800-232 §5: functions for small devices. For a
/// canister's own data SHA-256 costs less. HMAC is not defined for them.
///
/// ```motoko
/// import Ascon "mo:hashmill/Ascon";
///
/// let hash = Ascon.fromBlob(#hash256, "abc"); // or fromBlob("abc"): #hash256 is the default
/// let bytes = Ascon.fromBlob(#xof128(200), "abc"); // 200 bytes of output
/// let reading = Ascon.fromBlob(#cxof128({ size = 32; customization = "sensor readings" }), "abc");
/// ```

import Prim "mo:prim";
import Bytes "kernels/Bytes";
import K "kernels/Ascon";
import Stream "Stream";

module {
  /// The length of the output of `#xof128` and `#cxof128` is in bytes. The customization string has
  /// at most 256 bytes, and separates different uses of the function.
  public type Algorithm = { #hash256; #xof128 : Nat; #cxof128 : { size : Nat; customization : Blob } };

  /// The algorithm that a call uses if it leaves out the argument `algo`.
  public let algo : Algorithm = #hash256;

  /// The state of a hash in progress. It contains only data, so a stable variable can hold it.
  public type Digest = { algo : Algorithm; stream : Stream.Stream };

  /// A digest as immutable data, as `share` returns it.
  public type DigestShared = Stream.Shared and { algo : Algorithm };

  public type Iter = Stream.Iter;

  /// Returns a new digest.
  public func new(algo : (implicit : Algorithm)) : Digest = { algo; stream = Stream.new(kernel, start(algo)) };

  /// Returns a new digest, as `new` does.
  public func Digest(algo : (implicit : Algorithm)) : Digest = new(algo);

  /// Discards the current message and begins a new one.
  public func reset(self : Digest) = Stream.reset(self.stream, start(self.algo));

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { algo = self.algo; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) = Stream.writeBlob(self.stream, kernel, K.blob, data);

  public func writeArray(self : Digest, data : [Nat8]) = Stream.writeArray(self.stream, kernel, K.array, data);

  public func writeVarArray(self : Digest, data : [var Nat8]) = Stream.writeVarArray(self.stream, kernel, K.varArray, data);

  /// Writes every byte that the iterator returns.
  public func writeIter(self : Digest, data : Iter) = Stream.writeIter(self.stream, kernel, K.iter, data);

  /// Writes the `count` bytes `at(start)`, `at(start + 1)`, …
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) = Stream.writeAccessor(self.stream, kernel, K.accessor, at, start, count);

  /// Writes the bytes that `count` calls of `next` return.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) = Stream.writeReader(self.stream, kernel, K.reader, next, count);

  /// Ends the message. After this call a write traps, and `readSum` returns the hash. Traps if the
  /// digest is already closed.
  public func close(self : Digest) {
    Stream.close(self.stream, kernel, 0x01); // the padding: a bit that is 1, then zeros (§2.1)
    K.words(self.stream.state, self.stream.buffer);
  };

  /// Returns the hash of a closed digest. Traps if the digest is not closed.
  public func readSum(self : Digest) : Blob {
    Stream.mustBeClosed(self.stream);
    output(self.algo, self.stream.state);
  };

  /// Ends the message and returns its hash, as `close` and then `readSum` do. Traps if the digest
  /// is already closed.
  public func sum(self : Digest) : Blob {
    close(self);
    output(self.algo, self.stream.state);
  };

  /// Returns the hash of the bytes written so far. Does not change the digest.
  public func peekSum(self : Digest) : Blob = if (self.stream.closed) readSum(self) else sum(clone(self));

  /// Returns the digest as immutable data. Traps if the digest is closed.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, kernel) with algo = self.algo };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of Ascon");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    if (not allowed(saved.algo)) return null;
    let ?stream = Stream.unshare(kernel, saved, start(saved.algo), 0) else return null;
    ?{ algo = saved.algo; stream };
  };

  public func fromBlob(algo : (implicit : Algorithm), data : Blob) : Blob {
    let digest = new(algo);
    writeBlob(digest, data);
    sum(digest);
  };

  public func fromArray(algo : (implicit : Algorithm), data : [Nat8]) : Blob {
    let digest = new(algo);
    writeArray(digest, data);
    sum(digest);
  };

  public func fromVarArray(algo : (implicit : Algorithm), data : [var Nat8]) : Blob {
    let digest = new(algo);
    writeVarArray(digest, data);
    sum(digest);
  };

  public func fromIter(algo : (implicit : Algorithm), data : Iter) : Blob {
    let digest = new(algo);
    writeIter(digest, data);
    sum(digest);
  };

  public func fromAccessor(algo : (implicit : Algorithm), at : Nat -> Nat8, start : Nat, count : Nat) : Blob {
    let digest = new(algo);
    writeAccessor(digest, at, start, count);
    sum(digest);
  };

  public func fromReader(algo : (implicit : Algorithm), next : () -> Nat8, count : Nat) : Blob {
    let digest = new(algo);
    writeReader(digest, next, count);
    sum(digest);
  };

  let kernel : Stream.Kernel = { block = 8; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = K.words };

  func output(algo : Algorithm, closed : [var Nat32]) : Blob {
    let count = size(algo);
    let words = Prim.Array_init<Nat32>((count + 7) / 8 * 2, 0);
    K.squeeze(closed, words);
    Stream.bytes(words, count);
  };

  /// Returns the length of the output in bytes.
  func size(algo : Algorithm) : Nat = switch algo {
    case (#hash256) 32;
    case (#xof128 size or #cxof128 { size }) size;
  };

  /// Returns whether the customization string is not too long: §5.3.
  func allowed(algo : Algorithm) : Bool = switch algo {
    case (#cxof128 { customization }) customization.size() <= 256;
    case _ true;
  };

  /// Returns the state before the message. The constants are the states after the permutation of the
  /// initial values: §5.1, Table 12.
  func start(algo : Algorithm) : [var Nat32] = switch algo {
    case (#hash256) [var 0xe934d681, 0x9b1e5494, 0x333751d2, 0x4bc3a01e, 0x6b34b81a, 0xae65396c, 0xd56a4db3, 0x3c7fd4a4, 0x6c5976d, 0x1a5c4649];
    case (#xof128 _) [var 0x8d9447eb, 0xda82ce76, 0x5f1ef969, 0xcc7ce6c7, 0x80085631, 0xe7508fd7, 0x416b58cc, 0xee0ea53, 0xdb6f0bde, 0xe0547524];
    case (#cxof128 { customization }) {
      if (not allowed(algo)) Prim.trap("hashmill: the customization string of Ascon-CXOF128 has at most 256 bytes");
      customized([var 0xa0e8de03, 0x675527c2, 0xc0377bbc, 0x43d12d7d, 0x426e81b5, 0xe9901dec, 0x720780b6, 0x2ab14907, 0xd432bc46, 0x8f3f1d02], customization);
    };
  };

  /// Absorbs the length of the customization string in bits, and the string, padded as a message:
  /// §5.3. Returns the state. The kernel for a `Blob` would be in every canister that uses this module.
  func customized(state : [var Nat32], customization : Blob) : [var Nat32] {
    let size = Prim.natToNat64(customization.size());
    let block : [var Nat32] = [var Prim.nat64ToNat32(8 * size), 0];
    K.words(state, block);
    var i : Nat64 = 0;
    while (i <= size) {
      let end = if (size - i < 8) size else i + 8;
      Bytes.putBlob(block, 0, kernel.first, customization, i, end);
      if (end - i < 8) Bytes.end(block, end - i, kernel.first, 0x01);
      K.words(state, block);
      i += 8;
    };
    state;
  };
}
