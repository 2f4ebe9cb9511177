/// HMAC, RFC 2104 and FIPS 198-1, over any hash function of this package with a fixed output
/// length. This module is internal. The public interface is `Hmac` and the other modules in this
/// folder.

import Prim "mo:prim";
import Bytes "../kernels/Bytes";
import Stream "../Stream";

module {
  /// A prepared key: immutable data that can be stored. Keep it as secret as the key itself.
  /// `inner` and `outer` are the states after the key's inner and outer block. For BLAKE2b, `inner`
  /// is the inner block itself: it cannot be absorbed before the message is known, because it is
  /// the last block if the message is empty.
  public type Key<Algorithm> = { algo : Algorithm; inner : [Nat32]; outer : [Nat32] };

  /// A pseudorandom function of a key and a message. HKDF and PBKDF2 are built from it.
  public type Prf = {
    /// The length of a tag in bytes.
    size : Nat;
    prepare : (key : Blob) -> Prepared;
  };

  public type Prepared = {
    /// Returns the tag of a message.
    mac : (message : Blob) -> Blob;
    /// Returns the exclusive or of `count` tags. The first is the tag of `message`; each further
    /// one is the tag of the tag before it.
    chain : (message : Blob, count : Nat) -> Blob;
  };

  let IPAD : Nat32 = 0x36363636;
  let OPAD : Nat32 = 0x5c5c5c5c;

  public func prepare<Algorithm>(f : Stream.Family, algo : Algorithm, key : Blob) : Key<Algorithm> {
    let block = keyBlock(f, key);
    for (i in block.keys()) block[i] ^= IPAD;
    let inner = if (f.kernel.ahead == 0) absorbed(f, block) else Prim.Array_tabulate<Nat32>(block.size(), func i = block[i]);
    for (i in block.keys()) block[i] ^= IPAD ^ OPAD;
    { algo; inner; outer = absorbed(f, block) };
  };

  public func begin<Algorithm>(f : Stream.Family, key : Key<Algorithm>) : Stream.Stream {
    let stream = Stream.new(f.kernel, f.initial());
    putKey(stream, f.kernel, key);
    stream;
  };

  /// Discards the current message and begins a new one with the same key.
  public func reset<Algorithm>(f : Stream.Family, key : Key<Algorithm>, stream : Stream.Stream) {
    Stream.reset(stream, f.initial());
    putKey(stream, f.kernel, key);
  };

  /// Ends the message and returns its tag.
  public func sum<Algorithm>(f : Stream.Family, key : Key<Algorithm>, stream : Stream.Stream) : Blob {
    f.close(stream);
    let outer = Stream.new(f.kernel, thaw(key.outer));
    let words = Prim.nat32ToNat(f.words);
    var i = 0;
    while (i < words) {
      outer.buffer[i] := stream.state[i];
      i += 1;
    };
    outer.held := Prim.natToNat64(words * 4);
    outer.length := f.kernel.block +% outer.held;
    f.close(outer);
    f.output(outer.state);
  };

  /// Returns the tag of one message.
  public func mac<Algorithm>(f : Stream.Family, key : Key<Algorithm>, message : Blob) : Blob {
    let stream = begin(f, key);
    f.writeBlob(stream, message);
    sum(f, key, stream);
  };

  /// Returns the stream that `saved` describes, or null if no message can have this state with this
  /// key.
  public func tryUnshare<Algorithm>(f : Stream.Family, key : Key<Algorithm>, saved : Stream.Shared) : ?Stream.Stream {
    let { kernel } = f;
    let start = f.initial();
    let waits = kernel.ahead == 1;
    let innerSize = if (waits) Prim.nat64ToNat(kernel.block >> 2) else start.size();
    if (key.inner.size() != innerSize or key.outer.size() != start.size() or saved.length < kernel.block) return null;
    // The inner block of the key has been absorbed, or (BLAKE2b) was first written to the buffer.
    let ?stream = (if (waits) Stream.unshare(kernel, saved, start, 0) else Stream.unshare(kernel, saved, thaw(key.inner), kernel.block)) else return null;
    if (waits and saved.length == kernel.block and not Stream.equal(stream.buffer, thaw(key.inner))) return null;
    if (f.consistent(stream)) ?stream else null;
  };

  public func prf<Algorithm>(f : Stream.Family, algo : Algorithm) : Prf = {
    size = Prim.nat32ToNat(f.words) * 4;
    prepare = func key {
      let prepared = prepare(f, algo, key);
      let tag = func(message : Blob) : Blob = mac(f, prepared, message);
      { mac = tag; chain = func(message, count) = chain(tag, message, count) };
    };
  };

  /// Returns whether two tags are equal. The time depends only on their lengths.
  public func equal(a : Blob, b : Blob) : Bool {
    if (a.size() != b.size()) return false;
    var difference : Nat8 = 0;
    for (i in a.keys()) difference |= a[i] ^ b[i];
    difference == 0;
  };

  func chain(mac : Blob -> Blob, message : Blob, count : Nat) : Blob {
    var tag = mac(message);
    let sum = Prim.Array_tabulateVar<Nat8>(tag.size(), func i = tag[i]);
    var left = count;
    while (left > 1) {
      left -= 1;
      tag := mac(tag);
      for (i in sum.keys()) sum[i] ^= tag[i];
    };
    Prim.arrayMutToBlob(sum);
  };

  /// Returns the key, or its hash if it is longer than a block, filled up with zeros to a block:
  /// RFC 2104 §2.
  func keyBlock(f : Stream.Family, key : Blob) : [var Nat32] {
    let stream = Stream.new(f.kernel, f.initial());
    if (Prim.natToNat64(key.size()) <= f.kernel.block) {
      Bytes.putBlob(stream.buffer, 0, f.kernel.first, key, 0, Prim.natToNat64(key.size()));
      return stream.buffer;
    };
    f.writeBlob(stream, key);
    f.close(stream);
    for (i in stream.buffer.keys()) stream.buffer[i] := if (Prim.natToNat32(i) < f.words) stream.state[i] else 0;
    stream.buffer;
  };

  func absorbed(f : Stream.Family, block : [var Nat32]) : [Nat32] {
    let state = f.initial();
    f.kernel.words(state, block);
    Prim.Array_tabulate<Nat32>(state.size(), func i = state[i]);
  };

  func putKey<Algorithm>(stream : Stream.Stream, kernel : Stream.Kernel, { inner } : Key<Algorithm>) {
    stream.length := kernel.block;
    if (kernel.ahead == 1) stream.held := kernel.block;
    let words = if (kernel.ahead == 0) stream.state else stream.buffer;
    for (i in inner.keys()) words[i] := inner[i];
  };

  func thaw(words : [Nat32]) : [var Nat32] = Prim.Array_tabulateVar<Nat32>(words.size(), func i = words[i]);
}
