/// BLAKE2b: RFC 7693, and the BLAKE2 paper's salt and personalization.
///
/// ```motoko
/// import Blake2b "mo:hashmill/Blake2b";
///
/// let hash = Blake2b.fromBlob("abc"); // 64 bytes, no key
/// let short = Blake2b.fromBlob({ Blake2b.params with size = 20; key = "secret" }, "abc");
/// ```

import Prim "mo:prim";
import Bytes "kernels/Bytes";
import K "kernels/Blake2b";
import Stream "Stream";

module {
  public type Params = {
    /// The length of the output in bytes, 1 to 64.
    size : Nat;
    /// At most 64 bytes. An empty key means no key.
    key : Blob;
    /// At most 16 bytes. Zeros fill a shorter value up to 16 bytes.
    salt : Blob;
    /// At most 16 bytes. Zeros fill a shorter value up to 16 bytes.
    personal : Blob;
  };

  /// The parameters that a call uses if it leaves out the argument `params`: 64 bytes of output, no
  /// key, no salt and no personalization.
  public let params : Params = { size = 64; key = ""; salt = ""; personal = "" };

  /// The state of a hash in progress. It contains only data, so a stable variable can hold it. Keep
  /// it as secret as the key.
  public type Digest = { params : Params; stream : Stream.Stream };

  /// A digest as immutable data, as `share` returns it. Keep it as secret as the key.
  public type DigestShared = Stream.Shared and { params : Params };

  public type Iter = Stream.Iter;

  /// Returns a new digest. Traps if a parameter is out of its range.
  public func new(params : (implicit : Params)) : Digest {
    let stream = Stream.new(kernel, initial(params));
    absorbKey(stream, params);
    { params; stream };
  };

  /// Returns a new digest, as `new` does.
  public func Digest(params : (implicit : Params)) : Digest = new(params);

  /// Discards the current message and begins a new one with the same parameters.
  public func reset(self : Digest) {
    Stream.reset(self.stream, initial(self.params));
    absorbKey(self.stream, self.params);
  };

  /// Returns an independent copy.
  public func clone(self : Digest) : Digest = { params = self.params; stream = Stream.clone(self.stream) };

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
    output(self.params.size, self.stream.state);
  };

  /// Ends the message and returns its hash, as `close` and then `readSum` do. Traps if the digest
  /// is already closed.
  public func sum(self : Digest) : Blob {
    close(self);
    output(self.params.size, self.stream.state);
  };

  /// Returns the hash of the bytes written so far. Does not change the digest.
  public func peekSum(self : Digest) : Blob = if (self.stream.closed) readSum(self) else sum(clone(self));

  /// Returns the digest as immutable data. Traps if the digest is closed.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, kernel) with params = self.params };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of BLAKE2b");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let { params } = saved;
    if (wrong(params) != null or (params.key.size() > 0 and saved.length < 128)) return null;
    let ?stream = Stream.unshare(kernel, saved, initial(params), 0) else return null;
    // After 128 bytes the message itself is still empty and the buffer contains the padded key.
    if (params.key.size() > 0 and saved.length == 128 and not Stream.equal(stream.buffer, new(params).stream.buffer)) return null;
    if (consistent(stream)) ?{ params; stream } else null;
  };

  public func fromBlob(params : (implicit : Params), data : Blob) : Blob {
    let digest = new(params);
    writeBlob(digest, data);
    sum(digest);
  };

  public func fromArray(params : (implicit : Params), data : [Nat8]) : Blob {
    let digest = new(params);
    writeArray(digest, data);
    sum(digest);
  };

  public func fromVarArray(params : (implicit : Params), data : [var Nat8]) : Blob {
    let digest = new(params);
    writeVarArray(digest, data);
    sum(digest);
  };

  public func fromIter(params : (implicit : Params), data : Iter) : Blob {
    let digest = new(params);
    writeIter(digest, data);
    sum(digest);
  };

  public func fromAccessor(params : (implicit : Params), at : Nat -> Nat8, start : Nat, count : Nat) : Blob {
    let digest = new(params);
    writeAccessor(digest, at, start, count);
    sum(digest);
  };

  public func fromReader(params : (implicit : Params), next : () -> Nat8, count : Nat) : Blob {
    let digest = new(params);
    writeReader(digest, next, count);
    sum(digest);
  };

  // The declarations below are internal: `Hmac` uses them.

  public func family() : Stream.Family = {
    kernel;
    initial = func() = initial(params);
    writeBlob = func(stream, data) = Stream.writeBlob(stream, kernel, K.blob, data);
    close = closeStream;
    words = 16;
    consistent;
    output = func state = output(64, state);
  };

  let kernel : Stream.Kernel = {
    block = 128;
    ahead = 1;
    first = 0;
    longest = 0xffff_ffff_ffff_ffff;
    words = K.words;
  };

  /// The initialization vector, RFC 7693 §2.6: the low and the high half of each word.
  let IV : [Nat32] = [0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19];

  /// Returns a message that names the first invalid parameter, or null if all are valid.
  func wrong({ size; key; salt; personal } : Params) : ?Text {
    if (size == 0 or size > 64) return ?"hashmill: the output of BLAKE2b has 1 to 64 bytes";
    if (key.size() > 64) return ?"hashmill: the key of BLAKE2b has at most 64 bytes";
    if (salt.size() > 16) return ?"hashmill: the salt of BLAKE2b has at most 16 bytes";
    if (personal.size() > 16) return ?"hashmill: the personalization of BLAKE2b has at most 16 bytes";
    null;
  };

  /// Returns the initial state, RFC 7693 §2.5 and §3.3: the initialization vector xor the parameter
  /// block, which contains the lengths of output and key, fanout 1, depth 1, the salt and the
  /// personalization. The last four of the 20 words are the counter and the flags. Traps if a
  /// parameter is out of its range.
  func initial(params : Params) : [var Nat32] {
    switch (wrong(params)) {
      case (?sentence) Prim.trap(sentence);
      case null {};
    };
    let block = Prim.Array_init<Nat32>(16, 0);
    block[0] := 0x01010000 ^ (Prim.natToNat32(params.key.size()) << 8) ^ Prim.natToNat32(params.size);
    Bytes.putBlob(block, 32, 0, params.salt, 0, Prim.natToNat64(params.salt.size()));
    Bytes.putBlob(block, 48, 0, params.personal, 0, Prim.natToNat64(params.personal.size()));
    Prim.Array_tabulateVar<Nat32>(20, func i = if (i < 16) block[i] ^ IV[i] else 0);
  };

  /// Writes the key, filled up with zeros to a block, to the buffer as the first block of the
  /// message: RFC 7693 §3.3.
  func absorbKey(stream : Stream.Stream, { key } : Params) {
    if (key.size() == 0) return;
    Bytes.end(stream.buffer, 0, 0, 0);
    Bytes.putBlob(stream.buffer, 0, 0, key, 0, Prim.natToNat64(key.size()));
    stream.held := 128;
    stream.length := 128;
  };

  /// Returns whether the counter in the state equals the number of absorbed bytes and the flags of
  /// the last block are not set.
  func consistent(stream : Stream.Stream) : Bool {
    let absorbed = stream.length -% stream.held;
    let state = stream.state;
    state[16] == low(absorbed) and state[17] == high(absorbed) and state[18] == 0 and state[19] == 0;
  };

  func closeStream(stream : Stream.Stream) {
    let { state; buffer } = stream;
    if (stream.held < 128) Stream.close(stream, kernel, 0) else Stream.closeFull(stream);
    // The kernel adds 128 bytes to the counter for each block, but the last block may have fewer.
    // So the counter is set to 128 less than the length.
    let before = stream.length -% 128;
    state[16] := low(before);
    state[17] := high(before);
    state[18] := 0xffffffff;
    state[19] := 0xffffffff;
    K.words(state, buffer);
  };

  func low(x : Nat64) : Nat32 = Prim.nat64ToNat32(x & 0xffffffff);
  func high(x : Nat64) : Nat32 = Prim.nat64ToNat32(x >> 32);

  func output(size : Nat, h : [var Nat32]) : Blob {
    if (size == 64 or size == 48 or size == 32 or size == 28) return Bytes.little(h, size / 4);
    Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(size, func i = Bytes.get(h, Prim.natToNat64(i), 0)));
  };
}
