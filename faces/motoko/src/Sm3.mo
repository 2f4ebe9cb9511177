/// SM3: GB/T 32905-2016.
///
/// ```motoko
/// import Sm3 "mo:hashmill/Sm3";
///
/// let hash = Sm3.fromBlob("abc"); // or fromBlob(#sm3, "abc"), as in the other modules
/// let digest = Sm3.new();
/// digest.writeBlob("a");
/// digest.writeArray([98, 99]);
/// let sum = digest.sum();
/// ```

import Prim "mo:prim";
import Bytes "kernels/Bytes";
import K "kernels/Sm3";
import Stream "Stream";

module {
  public type Algorithm = { #sm3 };

  /// The algorithm that a call uses if it leaves out the argument `algo`.
  public let algo : Algorithm = #sm3;

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
  public func close(self : Digest) = closeStream(self.stream);

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
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of SM3");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let ?stream = Stream.unshare(kernel, saved, start(saved.algo), 0) else return null;
    ?{ algo = saved.algo; stream };
  };

  public func fromBlob(algo : (implicit : Algorithm), data : Blob) : Blob {
    let (s0, s1, s2, s3, s4, s5, s6, s7) = initial(algo);
    let (h0, h1, h2, h3, h4, h5, h6, h7) = K.finishBlob(0, data, s0, s1, s2, s3, s4, s5, s6, s7);
    K.output(words(algo), h0, h1, h2, h3, h4, h5, h6, h7);
  };

  public func fromArray(algo : (implicit : Algorithm), data : [Nat8]) : Blob {
    let (s0, s1, s2, s3, s4, s5, s6, s7) = initial(algo);
    let (h0, h1, h2, h3, h4, h5, h6, h7) = K.finishArray(0, data, s0, s1, s2, s3, s4, s5, s6, s7);
    K.output(words(algo), h0, h1, h2, h3, h4, h5, h6, h7);
  };

  public func fromVarArray(algo : (implicit : Algorithm), data : [var Nat8]) : Blob {
    let (s0, s1, s2, s3, s4, s5, s6, s7) = initial(algo);
    let (h0, h1, h2, h3, h4, h5, h6, h7) = K.finishVarArray(0, data, s0, s1, s2, s3, s4, s5, s6, s7);
    K.output(words(algo), h0, h1, h2, h3, h4, h5, h6, h7);
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

  // The declarations below are internal: `Hmac` uses them.

  public func family(algo : Algorithm) : Stream.Family = {
    kernel;
    initial = func() = start(algo);
    writeBlob = func(stream, data) = Stream.writeBlob(stream, kernel, K.blob, data);
    close = closeStream;
    words = words(algo);
    consistent = func _ = true;
    output = func state = output(algo, state);
  };

  public type Words = (Nat32, Nat32, Nat32, Nat32, Nat32, Nat32, Nat32, Nat32);

  /// The initial state: §4.1.
  public func initial(_ : Algorithm) : Words = (0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e);

  /// The number of words of the final state that form the hash.
  public func words(_ : Algorithm) : Nat32 = 8;

  let kernel : Stream.Kernel = {
    block = 64;
    ahead = 0;
    first = 24;
    longest = 0x1fff_ffff_ffff_ffff;
    words = K.words;
  };

  func start(algo : Algorithm) : [var Nat32] {
    let (s0, s1, s2, s3, s4, s5, s6, s7) = initial(algo);
    [var s0, s1, s2, s3, s4, s5, s6, s7];
  };

  func closeStream(stream : Stream.Stream) {
    let { state; buffer } = stream;
    Stream.close(stream, kernel, 0x80);
    if (stream.held >= 56) {
      K.words(state, buffer);
      Bytes.end(buffer, 0, 24, 0);
    };
    buffer[14] := Prim.nat64ToNat32(stream.length >> 29);
    buffer[15] := Prim.nat64ToNat32((stream.length << 3) & 0xffffffff);
    K.words(state, buffer);
  };

  func output(algo : Algorithm, h : [var Nat32]) : Blob = K.output(words(algo), h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
}
