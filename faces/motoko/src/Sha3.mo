/// SHA-3 and SHAKE, FIPS 202, and Keccak-256 as Ethereum uses it.
///
/// ```motoko
/// import Sha3 "mo:hashmill/Sha3";
///
/// let hash = Sha3.fromBlob(#sha3_256, "abc"); // or fromBlob("abc"): #sha3_256 is the default
/// let topic = Sha3.fromBlob(#keccak256, "Transfer(address,address,uint256)");
/// let bytes = Sha3.fromBlob(#shake128(200), "abc"); // 200 bytes of output
/// ```

import Prim "mo:prim";
import Bytes "kernels/Bytes";
import K "kernels/Keccak";
import Stream "Stream";

module {
  /// The number in `#shake128` and `#shake256` is the length of the output in bytes.
  public type Algorithm = { #sha3_224; #sha3_256; #sha3_384; #sha3_512; #keccak256; #shake128 : Nat; #shake256 : Nat };

  /// The algorithm that a call uses if it leaves out the argument `algo`.
  public let algo : Algorithm = #sha3_256;

  /// The state of a hash in progress. It contains only data, so a stable variable can hold it.
  public type Digest = { algo : Algorithm; stream : Stream.Stream };

  /// A digest as immutable data, as `share` returns it.
  public type DigestShared = Stream.Shared and { algo : Algorithm };

  public type Iter = Stream.Iter;

  /// Returns a new digest.
  public func new(algo : (implicit : Algorithm)) : Digest = { algo; stream = Stream.new(kernel(algo), start()) };

  /// Returns a new digest, as `new` does.
  public func Digest(algo : (implicit : Algorithm)) : Digest = new(algo);

  /// Discards the current message and begins a new one.
  public func reset(self : Digest) = Stream.reset(self.stream, start());

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { algo = self.algo; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) {
    let k = kernel(self.algo);
    Stream.writeBlob(self.stream, k, rated(k, K.blob), data);
  };

  public func writeArray(self : Digest, data : [Nat8]) {
    let k = kernel(self.algo);
    Stream.writeArray(self.stream, k, rated(k, K.array), data);
  };

  public func writeVarArray(self : Digest, data : [var Nat8]) {
    let k = kernel(self.algo);
    Stream.writeVarArray(self.stream, k, rated(k, K.varArray), data);
  };

  /// Writes every byte that the iterator returns.
  public func writeIter(self : Digest, data : Iter) {
    let k = kernel(self.algo);
    Stream.writeIter(self.stream, k, func(state, next, block) = K.iter(k.block, state, next, block), data);
  };

  /// Writes the `count` bytes `at(start)`, `at(start + 1)`, …
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) {
    let k = kernel(self.algo);
    Stream.writeAccessor(self.stream, k, rated(k, K.accessor), at, start, count);
  };

  /// Writes the bytes that `count` calls of `next` return.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) {
    let k = kernel(self.algo);
    Stream.writeReader(self.stream, k, rated(k, K.reader), next, count);
  };

  /// Ends the message. After this call a write traps, and `readSum` returns the hash. Traps if the
  /// digest is already closed.
  public func close(self : Digest) = closeStream(self.algo, self.stream);

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
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, kernel(self.algo)) with algo = self.algo };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of SHA-3 or its kin");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let ?stream = Stream.unshare(kernel(saved.algo), saved, start(), 0) else return null;
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

  // The declarations below are internal: `Hmac` uses them.

  public func family(algo : Algorithm) : Stream.Family = {
    kernel = kernel(algo);
    initial = start;
    writeBlob = func(stream, data) = Stream.writeBlob(stream, kernel(algo), rated(kernel(algo), K.blob), data);
    close = func stream = closeStream(algo, stream);
    words = Prim.natToNat32(size(algo) / 4);
    consistent = func _ = true;
    output = func state = output(algo, state);
  };

  /// Returns the length of the output in bytes.
  func size(algo : Algorithm) : Nat = switch algo {
    case (#sha3_224) 28;
    case (#sha3_256 or #keccak256) 32;
    case (#sha3_384) 48;
    case (#sha3_512) 64;
    case (#shake128 count or #shake256 count) count;
  };

  /// Returns the kernel for the algorithm's rate, which is 200 bytes minus the capacity: FIPS 202
  /// §6.
  func kernel(algo : Algorithm) : Stream.Kernel = switch algo {
    case (#sha3_224) rate144;
    case (#sha3_256 or #keccak256 or #shake256 _) rate136;
    case (#sha3_384) rate104;
    case (#sha3_512) rate72;
    case (#shake128 _) rate168;
  };

  // These records are written out because the fields of a Motoko module must be static: a call
  // cannot compute them.
  let rate72 : Stream.Kernel = { block = 72; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = func(state, block) = K.words(72, state, block) };
  let rate104 : Stream.Kernel = { block = 104; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = func(state, block) = K.words(104, state, block) };
  let rate136 : Stream.Kernel = { block = 136; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = func(state, block) = K.words(136, state, block) };
  let rate144 : Stream.Kernel = { block = 144; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = func(state, block) = K.words(144, state, block) };
  let rate168 : Stream.Kernel = { block = 168; ahead = 0; first = 0; longest = 0xffff_ffff_ffff_ffff; words = func(state, block) = K.words(168, state, block) };

  /// Returns the kernel function `absorb` with the rate as its first argument.
  func rated<Data>({ block } : Stream.Kernel, absorb : (Nat64, [var Nat32], Data, Nat64, Nat64) -> ()) : Stream.Absorb<Data> = func(state, data, start, end) = absorb(block, state, data, start, end);

  /// Returns the domain-separation suffix together with the first bit of the padding: FIPS 202
  /// §B.2.
  func suffix(algo : Algorithm) : Nat8 = switch algo {
    case (#keccak256) 0x01;
    case (#shake128 _ or #shake256 _) 0x1f;
    case _ 0x06;
  };

  func start() : [var Nat32] = Prim.Array_init<Nat32>(50, 0);

  func closeStream(algo : Algorithm, stream : Stream.Stream) {
    let k = kernel(algo);
    Stream.close(stream, k, suffix(algo));
    let last = stream.buffer.size() - 1 : Nat;
    stream.buffer[last] |= 0x80000000; // the padding's last bit
    k.words(stream.state, stream.buffer);
  };

  func output(algo : Algorithm, closed : [var Nat32]) : Blob = switch algo {
    case (#shake128 count or #shake256 count) squeeze(kernel(algo), closed, count);
    case _ Bytes.little(closed, size(algo) / 4);
  };

  /// Returns `count` bytes of output, FIPS 202 §4: the first words of the state, as many as a block
  /// has, then, until there are enough, those of the state after each further permutation.
  func squeeze(k : Stream.Kernel, closed : [var Nat32], count : Nat) : Blob {
    let rate = Prim.nat64ToNat(k.block >> 2);
    if (count <= 4 * rate) return Stream.bytes(closed, count);
    let zeros = Prim.Array_init<Nat32>(rate, 0);
    let state = Prim.Array_tabulateVar<Nat32>(50, func i = closed[i]);
    var at = 0;
    let words = Prim.Array_tabulateVar<Nat32>(
      (count + 3) / 4,
      func _ {
        if (at == rate) {
          k.words(state, zeros);
          at := 0;
        };
        at += 1;
        state[at - 1 : Nat];
      },
    );
    Stream.bytes(words, count);
  };
}
