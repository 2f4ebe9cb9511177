/// What all hashes of this package share: any sequence of writes becomes runs of whole blocks. Internal;
/// `Sha256`, `Sha512`, `Sha3`, `Blake2b` and `Hmac` are the interface.

import Prim "mo:prim";
import Bytes "kernels/Bytes";

module {
  /// A message on its way: the state after its whole blocks, and what is not a whole block yet.
  public type Stream = {
    state : [var Nat32];
    buffer : [var Nat32];
    /// How many bytes the buffer holds.
    var held : Nat64;
    /// How many bytes the message has so far.
    var length : Nat64;
    /// Whether the padding has been absorbed.
    var closed : Bool;
  };

  /// The block function of an algorithm, and how its blocks lie in memory.
  public type Kernel = {
    /// A block's length in bytes.
    block : Nat64;
    /// 1 where a block is absorbed only when another byte follows it, for the last one is special.
    ahead : Nat64;
    /// Where the first byte of a word lies: 24, big-endian, or 0.
    first : Nat64;
    /// The longest message, in bytes.
    longest : Nat64;
    words : (state : [var Nat32], block : [var Nat32]) -> ();
    blob : (state : [var Nat32], data : Blob, start : Nat64, end : Nat64) -> ();
    array : (state : [var Nat32], data : [Nat8], start : Nat64, end : Nat64) -> ();
    iter : (state : [var Nat32], next : () -> ?Nat8, block : [var Nat32]) -> Nat64;
  };

  /// What `Hmac` needs of a hash function.
  public type Family = {
    kernel : Kernel;
    initial : () -> [var Nat32];
    /// Ends the message: its hash is then the state's first `words`.
    close : Stream -> ();
    words : Nat32;
    /// Whether the state agrees with the stream's length, where it tells.
    consistent : Stream -> Bool;
    output : (state : [var Nat32]) -> Blob;
  };

  public type Iter = { next : () -> ?Nat8 };

  /// A stream as data: immutable, so that it can be stored, sent and shared.
  public type Shared = {
    state : [Nat32];
    /// What is not a whole block yet.
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

  /// Begins a new message, from the state `start`.
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

  public func writeBlob(self : Stream, kernel : Kernel, data : Blob) {
    let size = Prim.natToNat64(data.size());
    grow(self, kernel, size);
    if (self.held +% size < kernel.block +% kernel.ahead) {
      Bytes.putBlob(self.buffer, self.held, kernel.first, data, 0, size);
      self.held +%= size;
      return;
    };
    var start : Nat64 = 0;
    if (self.held > 0) {
      start := kernel.block -% self.held;
      Bytes.putBlob(self.buffer, self.held, kernel.first, data, 0, start);
      kernel.words(self.state, self.buffer);
    };
    let rest = size -% start;
    let end = size -% (rest -% kernel.ahead) % kernel.block -% kernel.ahead;
    if (start < end) kernel.blob(self.state, data, start, end);
    Bytes.putBlob(self.buffer, 0, kernel.first, data, end, size);
    self.held := size -% end;
  };

  public func writeArray(self : Stream, kernel : Kernel, data : [Nat8]) {
    let size = Prim.natToNat64(data.size());
    grow(self, kernel, size);
    if (self.held +% size < kernel.block +% kernel.ahead) {
      Bytes.putArray(self.buffer, self.held, kernel.first, data, 0, size);
      self.held +%= size;
      return;
    };
    var start : Nat64 = 0;
    if (self.held > 0) {
      start := kernel.block -% self.held;
      Bytes.putArray(self.buffer, self.held, kernel.first, data, 0, start);
      kernel.words(self.state, self.buffer);
    };
    let rest = size -% start;
    let end = size -% (rest -% kernel.ahead) % kernel.block -% kernel.ahead;
    if (start < end) kernel.array(self.state, data, start, end);
    Bytes.putArray(self.buffer, 0, kernel.first, data, end, size);
    self.held := size -% end;
  };

  /// Takes every byte that `next` gives.
  public func writeNext(self : Stream, kernel : Kernel, next : () -> ?Nat8) {
    open(self);
    // Up to the end of a block, one by one.
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
    let count = kernel.iter(self.state, next, self.buffer);
    grow(self, kernel, count);
    self.held := if (count == 0) 0 else (count -% kernel.ahead) % kernel.block +% kernel.ahead;
  };

  /// Ends the message: the buffer holds its end, the byte `marker` and zeros.
  public func close(self : Stream, kernel : Kernel, marker : Nat8) {
    open(self);
    self.closed := true;
    Bytes.end(self.buffer, self.held, kernel.first, marker);
  };

  /// The same where the buffer is full: there is nothing to fill up.
  public func closeFull(self : Stream) {
    open(self);
    self.closed := true;
  };

  public func share(self : Stream, kernel : Kernel) : Shared {
    open(self);
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

  /// The stream that `saved` describes, or null where no message leads to it.
  public func unshare(kernel : Kernel, saved : Shared, stateSize : Nat) : ?Stream {
    let length = saved.length;
    let held = if (length == 0) 0 : Nat64 else (length -% kernel.ahead) % kernel.block +% kernel.ahead;
    if (saved.state.size() != stateSize or length > kernel.longest or Prim.natToNat64(saved.tail.size()) != held) return null;
    let stream = new(kernel, Prim.Array_tabulateVar<Nat32>(stateSize, func i = saved.state[i]));
    Bytes.putBlob(stream.buffer, 0, kernel.first, saved.tail, 0, held);
    stream.held := held;
    stream.length := length;
    ?stream;
  };

  /// The bytes of an array that may change, one after the other.
  public func ofVarArray(data : [var Nat8]) : () -> ?Nat8 = ofAccessor(func i = data[i], 0, data.size());

  public func ofAccessor(at : Nat -> Nat8, start : Nat, count : Nat) : () -> ?Nat8 {
    var i = start;
    let end = start + count;
    func() {
      if (i == end) return null;
      i += 1;
      ?at(i - 1 : Nat);
    };
  };

  public func ofReader(next : () -> Nat8, count : Nat) : () -> ?Nat8 {
    var left = count;
    func() {
      if (left == 0) return null;
      left -= 1;
      ?next();
    };
  };

  public func mustBeClosed(self : Stream) {
    if (not self.closed) Prim.trap("hashmill: the digest is not closed: call sum() or close() first");
  };

  func grow(self : Stream, kernel : Kernel, count : Nat64) {
    open(self);
    if (count > kernel.longest -% self.length) Prim.trap("hashmill: the message is longer than the algorithm allows");
    self.length +%= count;
  };

  func open(self : Stream) {
    if (self.closed) Prim.trap("hashmill: the digest is closed: sum() was called, and reset() was not");
  };

  func copy(words : [var Nat32]) : [var Nat32] = Prim.Array_tabulateVar<Nat32>(words.size(), func i = words[i]);
}
