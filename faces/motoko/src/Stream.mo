/// The buffer that all hash functions of this package use: it turns any sequence of writes into
/// runs of whole blocks. This module is internal. The public interface is `Sha256`, `Sha512`,
/// `Sha3`, `Ascon`, `Blake2b`, `Blake3` and `Hmac`.

import Prim "mo:prim";
import Bytes "kernels/Bytes";

module {
  /// A hash in progress: the state after the blocks absorbed so far, and a buffer with the bytes of
  /// the block that has not been absorbed yet.
  public type Stream = {
    state : [var Nat32];
    buffer : [var Nat32];
    /// The number of bytes in the buffer.
    var held : Nat64;
    /// The length of the message so far, in bytes.
    var length : Nat64;
    /// Whether the padding has been absorbed.
    var closed : Bool;
  };

  /// The block function of an algorithm, and the layout of its blocks in the buffer.
  public type Kernel = {
    /// The length of a block in bytes.
    block : Nat64;
    /// 1 if a full block stays in the buffer until another byte follows, because the algorithm
    /// treats the last block differently (BLAKE2b, BLAKE3). Otherwise 0.
    ahead : Nat64;
    /// The bit position of the first byte in a word: 24 (big-endian) or 0 (little-endian).
    first : Nat64;
    /// The length of the longest message, in bytes.
    longest : Nat64;
    /// Absorbs one block that is already in words.
    words : (state : [var Nat32], block : [var Nat32]) -> ();
  };

  /// A kernel for one kind of input. It absorbs the whole blocks of `data` from byte `start` to
  /// byte `end`. Each function for writing passes its own kernel as an argument, so that a canister
  /// contains only the kernels that it uses. If the kernels were fields of one record, the compiler
  /// would keep all of them.
  public type Absorb<Data> = (state : [var Nat32], data : Data, start : Nat64, end : Nat64) -> ();

  /// The kernel for iterators. It absorbs the whole blocks, leaves the bytes of the block that it
  /// did not absorb in `block`, and returns the number of bytes that it read from `next`.
  public type AbsorbIter = (state : [var Nat32], next : () -> ?Nat8, block : [var Nat32]) -> Nat64;

  /// The parts of a hash function that `Hmac` uses.
  public type Family = {
    kernel : Kernel;
    initial : () -> [var Nat32];
    writeBlob : (Stream, Blob) -> ();
    /// Ends the message. After that, the first `words` words of the state are the hash.
    close : Stream -> ();
    words : Nat32;
    /// Returns whether the counter in the state agrees with the length of the stream. Always true
    /// for a state without a counter.
    consistent : Stream -> Bool;
    /// Returns the hash from the state of a closed stream.
    output : (state : [var Nat32]) -> Blob;
  };

  public type Iter = { next : () -> ?Nat8 };

  /// A stream as immutable data, which can be stored, sent and shared.
  public type Shared = {
    state : [Nat32];
    /// The bytes in the buffer: the end of the message, which has not been absorbed yet.
    tail : Blob;
    length : Nat64;
  };

  public func new(kernel : Kernel, state : [var Nat32]) : Stream {
    {
      state;
      buffer = Prim.Array_init<Nat32>(Prim.nat64ToNat(kernel.block >> 2), 0);
      var held = 0 : Nat64;
      var length = 0 : Nat64;
      var closed = false;
    };
  };

  /// Begins a new message with `start` as the initial state.
  public func reset(self : Stream, start : [var Nat32]) {
    for (i in start.keys()) self.state[i] := start[i];
    self.held := 0;
    self.length := 0;
    self.closed := false;
  };

  public func clone(self : Stream) : Stream {
    {
      state = copy(self.state);
      buffer = copy(self.buffer);
      var held = self.held;
      var length = self.length;
      var closed = self.closed;
    };
  };

  public func writeBlob(self : Stream, kernel : Kernel, absorb : Absorb<Blob>, data : Blob) {
    let size = Prim.natToNat64(data.size());
    let start = head(self, kernel, size);
    Bytes.putBlob(self.buffer, self.held, kernel.first, data, 0, start);
    let end = body(self, kernel, start, size);
    if (start < end) absorb(self.state, data, start, end);
    Bytes.putBlob(self.buffer, 0, kernel.first, data, end, size);
  };

  public func writeArray(self : Stream, kernel : Kernel, absorb : Absorb<[Nat8]>, data : [Nat8]) {
    let size = Prim.natToNat64(data.size());
    let start = head(self, kernel, size);
    Bytes.putArray(self.buffer, self.held, kernel.first, data, 0, start);
    let end = body(self, kernel, start, size);
    if (start < end) absorb(self.state, data, start, end);
    Bytes.putArray(self.buffer, 0, kernel.first, data, end, size);
  };

  public func writeVarArray(self : Stream, kernel : Kernel, absorb : Absorb<[var Nat8]>, data : [var Nat8]) {
    let size = Prim.natToNat64(data.size());
    let start = head(self, kernel, size);
    Bytes.putVarArray(self.buffer, self.held, kernel.first, data, 0, start);
    let end = body(self, kernel, start, size);
    if (start < end) absorb(self.state, data, start, end);
    Bytes.putVarArray(self.buffer, 0, kernel.first, data, end, size);
  };

  /// Writes the `count` bytes `data(first)`, `data(first + 1)`, …
  public func writeAccessor(self : Stream, kernel : Kernel, absorb : Absorb<Nat -> Nat8>, data : Nat -> Nat8, first : Nat, count : Nat) {
    // The indices in the kernels have 64 bits. If the accessor's are larger, it is shifted to start
    // at 0.
    if (first > 0 and first + count > 0xffff_ffff_ffff_ffff) return writeAccessor(self, kernel, absorb, func i = data(first + i), 0, count);
    let i = Prim.natToNat64(first);
    let size = size64(count);
    let start = head(self, kernel, size);
    Bytes.putAccessor(self.buffer, self.held, kernel.first, data, i, i +% start);
    let end = body(self, kernel, start, size);
    if (start < end) absorb(self.state, data, i +% start, i +% end);
    Bytes.putAccessor(self.buffer, 0, kernel.first, data, i +% end, i +% size);
  };

  /// Writes the bytes that `count` calls of `data` return.
  public func writeReader(self : Stream, kernel : Kernel, absorb : Absorb<() -> Nat8>, data : () -> Nat8, count : Nat) {
    let size = size64(count);
    let start = head(self, kernel, size);
    Bytes.putReader(self.buffer, self.held, kernel.first, data, 0, start);
    let end = body(self, kernel, start, size);
    if (start < end) absorb(self.state, data, start, end);
    Bytes.putReader(self.buffer, 0, kernel.first, data, end, size);
  };

  // A write of `size` bytes has three parts. The head completes the block in the buffer. The body
  // is whole blocks, which the kernel reads directly from the input. The tail is copied to the
  // buffer. If the write completes no block, all of it is the head.

  /// Adds `size` to the length of the message and returns the offset at which the head ends.
  func head(self : Stream, kernel : Kernel, size : Nat64) : Nat64 {
    grow(self, kernel, size);
    if (isShort(self, kernel, size)) size else if (self.held > 0) kernel.block -% self.held else 0;
  };

  /// Absorbs the block in the buffer if the head, which has been copied there, completes it.
  /// Returns the offset at which the body ends, and sets `held` to the number of bytes in the
  /// buffer after the tail has been copied.
  func body(self : Stream, kernel : Kernel, start : Nat64, size : Nat64) : Nat64 {
    if (isShort(self, kernel, size)) {
      self.held +%= size;
      return size;
    };
    if (self.held > 0) kernel.words(self.state, self.buffer);
    let end = size -% (size -% start -% kernel.ahead) % kernel.block -% kernel.ahead;
    self.held := size -% end;
    end;
  };

  /// Returns whether a write of `size` bytes completes no block.
  func isShort(self : Stream, kernel : Kernel, size : Nat64) : Bool = self.held +% size < kernel.block +% kernel.ahead;

  /// Writes every byte that `next` returns.
  public func writeIter(self : Stream, kernel : Kernel, absorb : AbsorbIter, { next } : Iter) {
    mustBeOpen(self);
    // Writes one byte at a time until the buffer is empty.
    while (self.held > 0) {
      switch (next()) {
        case null return;
        case (?byte) {
          if (self.held == kernel.block) {
            kernel.words(self.state, self.buffer);
            self.held := 0;
          };
          grow(self, kernel, 1);
          Bytes.put(self.buffer, self.held, kernel.first, byte);
          self.held +%= 1;
          if (self.held == kernel.block and kernel.ahead == 0) {
            kernel.words(self.state, self.buffer);
            self.held := 0;
          };
        };
      };
    };
    let count = absorb(self.state, next, self.buffer);
    grow(self, kernel, count);
    self.held := if (count == 0) 0 else (count -% kernel.ahead) % kernel.block +% kernel.ahead;
  };

  /// Closes the stream: writes the byte `marker` and zeros to the buffer after the end of the
  /// message.
  public func close(self : Stream, kernel : Kernel, marker : Nat8) {
    mustBeOpen(self);
    self.closed := true;
    Bytes.end(self.buffer, self.held, kernel.first, marker);
  };

  /// Closes the stream if the buffer is full: there is no room for a marker or zeros, and the
  /// algorithm needs none.
  public func closeFull(self : Stream) {
    mustBeOpen(self);
    self.closed := true;
  };

  /// Returns the first `count` bytes of words, in which the first byte is the lowest.
  public func bytes(words : [var Nat32], count : Nat) : Blob = switch count {
    case (28 or 32 or 48 or 64) Bytes.little(words, count / 4);
    case _ Prim.arrayToBlob(Prim.Array_tabulate<Nat8>(count, func i = Bytes.get(words, Prim.natToNat64(i), 0)));
  };

  /// Returns the stream as immutable data. Traps if the stream is closed.
  public func share(self : Stream, kernel : Kernel) : Shared {
    mustBeOpen(self);
    let buffer = self.buffer;
    let state = self.state;
    {
      state = Prim.Array_tabulate<Nat32>(state.size(), func i = state[i]);
      tail = Prim.arrayToBlob(
        Prim.Array_tabulate<Nat8>(Prim.nat64ToNat(self.held), func i = Bytes.get(buffer, Prim.natToNat64(i), kernel.first))
      );
      length = self.length;
    };
  };

  /// Returns the stream that `saved` describes, or null if no message can have this state. `start`
  /// is the state after the first `before` bytes. The result is null if the length, the tail and
  /// the size of the state do not fit together, or if no block was absorbed after the first
  /// `before` bytes but the state is not `start`.
  public func unshare(kernel : Kernel, saved : Shared, start : [var Nat32], before : Nat64) : ?Stream {
    let { state; tail; length } = saved;
    if (state.size() != start.size()) return null;
    let ?stream = restore(kernel, Prim.Array_tabulateVar<Nat32>(state.size(), func i = state[i]), length, start, before) else return null;
    if (Prim.natToNat64(tail.size()) != stream.held) return null;
    Bytes.putBlob(stream.buffer, 0, kernel.first, tail, 0, stream.held);
    ?stream;
  };

  /// Returns the stream of a message of `length` bytes, or null, as `unshare` does. Its buffer is
  /// empty: the caller writes the `held` bytes that belong there.
  public func restore(kernel : Kernel, state : [var Nat32], length : Nat64, start : [var Nat32], before : Nat64) : ?Stream {
    let held = if (length == 0) 0 : Nat64 else (length -% kernel.ahead) % kernel.block +% kernel.ahead;
    if (length > kernel.longest or length < before) return null;
    if (length -% held == before and not equal(state, start)) return null;
    let stream = new(kernel, state);
    stream.held := held;
    stream.length := length;
    ?stream;
  };

  public func equal(a : [var Nat32], b : [var Nat32]) : Bool {
    if (a.size() != b.size()) return false;
    for (i in a.keys()) if (a[i] != b[i]) return false;
    true;
  };

  public func mustBeClosed(self : Stream) {
    if (not self.closed) Prim.trap("hashmill: the digest is not closed: call sum() or close() first");
  };

  public func mustBeOpen(self : Stream) {
    if (self.closed) Prim.trap("hashmill: the digest is closed: sum() was called, and reset() was not");
  };

  func grow(self : Stream, kernel : Kernel, count : Nat64) {
    mustBeOpen(self);
    if (count > kernel.longest -% self.length) tooLong();
    self.length +%= count;
  };

  func size64(count : Nat) : Nat64 {
    if (count > 0xffff_ffff_ffff_ffff) tooLong();
    Prim.natToNat64(count);
  };

  func tooLong() = Prim.trap("hashmill: the message is longer than the algorithm allows");

  func copy(words : [var Nat32]) : [var Nat32] = Prim.Array_tabulateVar<Nat32>(words.size(), func i = words[i]);
}
