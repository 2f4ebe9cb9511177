/// BLAKE3: the BLAKE3 paper. The hash, the keyed hash and key derivation, each with output of any
/// length, from any byte on.
///
/// ```motoko
/// import Blake3 "mo:hashmill/Blake3";
///
/// let hash = Blake3.fromBlob("abc"); // 32 bytes
/// let tag = Blake3.fromBlob({ size = 32; mode = #keyed "32 secret bytes of a random key." }, "abc");
/// let key = Blake3.fromBlob({ size = 32; mode = #deriveKey "example.org 2026-11-23 sessions" }, "secret");
/// ```

import Prim "mo:prim";
import Bytes "kernels/Bytes";
import K "kernels/Blake3";
import Stream "Stream";

module {
  public type Params = {
    /// The length of the output in bytes.
    size : Nat;
    mode : {
      #hash;
      /// The key has 32 bytes.
      #keyed : Blob;
      /// The message is key material. The context should be a constant of the program, unique and
      /// not secret: the name of the program, a date, and the purpose of the derived key.
      #deriveKey : Text;
    };
  };

  /// The parameters that a call uses if it leaves out the argument `params`: 32 bytes of output
  /// without a key.
  public let params : Params = { size = 32; mode = #hash };

  /// The state of a hash in progress. It contains only data, so a stable variable can hold it. Keep
  /// it as secret as the key.
  public type Digest = { params : Params; stream : Stream.Stream };

  /// A digest as immutable data, as `share` returns it. Keep it as secret as the key.
  public type DigestShared = Stream.Shared and { params : Params };

  public type Iter = Stream.Iter;

  /// Returns a new digest. Traps if the key does not have 32 bytes.
  public func new(params : (implicit : Params)) : Digest = { params; stream = Stream.new(kernel, initial(params)) };

  /// Returns a new digest, as `new` does.
  public func Digest(params : (implicit : Params)) : Digest = new(params);

  /// Discards the current message and begins a new one with the same parameters.
  public func reset(self : Digest) {
    Stream.reset(self.stream, initial(self.params));
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
  public func close(self : Digest) {
    let { state; buffer } = self.stream;
    let held = self.stream.held;
    if (held < 64) Stream.close(self.stream, kernel, 0) else Stream.closeFull(self.stream);
    // The last chunk, and then its ancestors: the chaining value, the block, and the parameters.
    let first : Nat32 = if (state[BLOCKS] == 0) CHUNK_START else 0;
    var length = Prim.nat64ToNat32(held);
    var flags = state[FLAGS] | first | CHUNK_END;
    var t = counter(state);
    var left = depth(t);
    while (left > 0) {
      left -%= 1;
      // The subtree on the left and the value of the node are the block of their parent.
      let at = STACK +% 8 *% left;
      K.node(state, 0, buffer, 0, t, length, flags, state, at +% 8, false);
      copy(state, at, buffer, 0, 16);
      copy(state, KEY, state, 0, 8);
      t := 0;
      length := 64;
      flags := state[FLAGS] | PARENT;
    };
    state[BLOCKS] := length;
    state[FLAGS] := flags | ROOT;
  };

  /// Returns the hash of a closed digest. Traps if the digest is not closed.
  public func readSum(self : Digest) : Blob = readSumFrom(self, 0, self.params.size);

  /// Returns the `size` bytes of the output of a closed digest from byte `position` on. Traps if the
  /// digest is not closed.
  public func readSumFrom(self : Digest, position : Nat64, size : Nat) : Blob {
    Stream.mustBeClosed(self.stream);
    let { state; buffer } = self.stream;
    let out = Prim.Array_init<Nat32>(16, 0);
    func block(t : Nat64) = K.node(state, 0, buffer, 0, t, state[BLOCKS], state[FLAGS], out, 0, true);
    if (position == 0 and size == 32) {
      block(0);
      return Bytes.little(out, 8);
    };
    var at = position;
    if (size > 0) block(at >> 6);
    Prim.arrayToBlob(
      Prim.Array_tabulate<Nat8>(
        size,
        func i {
          if (i > 0 and at & 63 == 0) block((position >> 6) +% (((position & 63) +% Prim.natToNat64(i)) >> 6));
          let byte = Bytes.get(out, at & 63, 0);
          at +%= 1;
          byte;
        },
      )
    );
  };

  /// Ends the message and returns its hash, as `close` and then `readSum` do. Traps if the digest
  /// is already closed.
  public func sum(self : Digest) : Blob {
    close(self);
    readSum(self);
  };

  /// Returns the hash of the bytes written so far. Does not change the digest.
  public func peekSum(self : Digest) : Blob = if (self.stream.closed) readSum(self) else sum(clone(self));

  /// Returns the digest as immutable data. Traps if the digest is closed. Its state has the chaining
  /// values of the chunk and of the subtrees before it; all else follows from the length.
  public func share(self : Digest) : DigestShared {
    let { state; tail; length } = Stream.share(self.stream, kernel);
    let values = Prim.nat64ToNat(8 +% 8 *% depth(counter(self.stream.state)));
    { params = self.params; state = Prim.Array_tabulate<Nat32>(values, func i = state[if (i < 8) i else i + 12]); tail; length };
  };

  /// Returns a digest that continues from `saved`. Traps if no message can have this state.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of BLAKE3");
    digest;
  };

  /// Returns a digest that continues from `saved`, or null if no message can have this state.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let { params; tail; length } = saved;
    if (wrong(params) != null) return null;
    let absorbed = length -% Prim.natToNat64(tail.size());
    let (chunks, blocks) = (absorbed >> 10, (absorbed >> 6) & 15);
    if (absorbed > length or saved.state.size() != Prim.nat64ToNat(8 +% 8 *% depth(chunks))) return null;
    let start = initial(params);
    let state = Prim.Array_tabulate<Nat32>(
      start.size(),
      func i = if (i < 8) saved.state[i] else if (i >= 20 and i < saved.state.size() + 12) saved.state[i - 12] else start[i],
    );
    let ?stream = Stream.unshare(kernel, { state; tail; length }, start, 0) else return null;
    stream.state[COUNTER] := Prim.nat64ToNat32(chunks & 0xffffffff);
    stream.state[COUNTER + 1] := Prim.nat64ToNat32(chunks >> 32);
    stream.state[BLOCKS] := Prim.nat64ToNat32(blocks);
    // A chunk begins with the key.
    if (blocks == 0) for (i in start.keys()) if (i < 8 and stream.state[i] != start[i]) return null;
    ?{ params; stream };
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

  let kernel : Stream.Kernel = {
    block = 64;
    ahead = 1;
    first = 0;
    longest = 0xffff_ffff_ffff_ffff;
    words = K.words;
  };

  // The places in the state; kernels/Blake3 describes it. The state of a closed digest is the root:
  // `BLOCKS` is the length of its block, which is in the buffer, and `FLAGS` has all flags.
  let COUNTER = 8;
  let BLOCKS = 10;
  let FLAGS = 11;
  let KEY : Nat64 = 12;
  let STACK : Nat64 = 20;

  // The BLAKE3 paper §2.2, Table 3.
  let CHUNK_START : Nat32 = 1;
  let CHUNK_END : Nat32 = 2;
  let PARENT : Nat32 = 4;
  let ROOT : Nat32 = 8;
  let KEYED_HASH : Nat32 = 16;
  let DERIVE_KEY_CONTEXT : Nat32 = 32;
  let DERIVE_KEY_MATERIAL : Nat32 = 64;

  /// The initial value, the BLAKE3 paper §2.2, Table 1.
  let IV : [Nat32] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

  func wrong({ mode } : Params) : ?Text = switch mode {
    case (#keyed key) if (key.size() == 32) null else ?"hashmill: the key of BLAKE3 has 32 bytes";
    case _ null;
  };

  /// Returns the initial state of a mode. Traps if the key does not have 32 bytes.
  func initial(params : Params) : [var Nat32] {
    switch (wrong(params)) {
      case (?sentence) Prim.trap(sentence);
      case null {};
    };
    switch (params.mode) {
      case (#hash) withKey(IV, 0);
      case (#keyed key) withKey(words(key), KEYED_HASH);
      case (#deriveKey context) {
        let digest = { params = { size = 32; mode = #hash }; stream = Stream.new(kernel, withKey(IV, DERIVE_KEY_CONTEXT)) };
        writeBlob(digest, Prim.encodeUtf8(context));
        withKey(words(sum(digest)), DERIVE_KEY_MATERIAL);
      };
    };
  };

  func withKey(key : [Nat32], flags : Nat32) : [var Nat32] {
    let state = Prim.Array_init<Nat32>(460, 0);
    for (i in key.keys()) {
      state[i] := key[i];
      state[i + 12] := key[i];
    };
    state[FLAGS] := flags;
    state;
  };

  func words(key : Blob) : [Nat32] {
    let out = Prim.Array_init<Nat32>(8, 0);
    Bytes.putBlob(out, 0, 0, key, 0, 32);
    [out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]];
  };

  func copy(from : [var Nat32], at : Nat64, to : [var Nat32], toAt : Nat64, count : Nat64) {
    var i : Nat64 = 0;
    while (i < count) {
      to[Prim.nat64ToNat(toAt +% i)] := from[Prim.nat64ToNat(at +% i)];
      i +%= 1;
    };
  };

  /// Returns the number of chunks before the current one.
  func counter(state : [var Nat32]) : Nat64 = Prim.nat32ToNat64(state[COUNTER]) | (Prim.nat32ToNat64(state[COUNTER + 1]) << 32);

  /// Returns how many complete subtrees there are before a chunk: one for each bit of its number.
  func depth(chunks : Nat64) : Nat64 = Prim.popcntNat64(chunks);
}
