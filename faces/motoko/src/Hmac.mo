/// HMAC over every hash function of this package that has a fixed output: RFC 2104, FIPS 198-1.
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
import Bytes "kernels/Bytes";
import K "kernels/Sha256";
import Sha256 "Sha256";
import Sha3 "Sha3";
import Sha512 "Sha512";
import Stream "Stream";

module {
  public type Algorithm = Sha256.Algorithm or Sha512.Algorithm or { #sha3_224; #sha3_256; #sha3_384; #sha3_512; #blake2b };

  /// A key, absorbed: immutable data that may be stored, as secret as the key. (Of BLAKE2b the inner block
  /// waits for the message, for it is the last one where the message is empty.)
  public type Key = { algo : Algorithm; inner : [Nat32]; outer : [Nat32] };

  /// A message on its way to its tag: data that may lie in a stable variable, as secret as the key.
  public type Digest = { key : Key; stream : Stream.Stream };

  /// A digest as immutable data, by `share`; as secret as the key.
  public type DigestShared = Stream.Shared and { key : Key };

  public type Iter = Stream.Iter;

  /// The tag of one message.
  public func fromBlob(algo : Algorithm, key : Blob, message : Blob) : Blob = switch algo {
    case (#sha256) mac256(#sha256, key, message);
    case (#sha224) mac256(#sha224, key, message);
    case _ mac(prepare(algo, key), message);
  };

  /// Absorbs a key of any length.
  public func prepare(algo : Algorithm, key : Blob) : Key {
    let f = family(algo);
    let block = keyBlock(f, key);
    for (i in block.keys()) block[i] ^= IPAD;
    let inner = if (f.kernel.ahead == 0) absorbed(f, block) else Prim.Array_tabulate<Nat32>(block.size(), func i = block[i]);
    for (i in block.keys()) block[i] ^= IPAD ^ OPAD;
    { algo; inner; outer = absorbed(f, block) };
  };

  /// The tag of one message.
  public func mac(self : Key, message : Blob) : Blob {
    switch (self.algo) {
      case (#sha256) macPrepared256(#sha256, self, message);
      case (#sha224) macPrepared256(#sha224, self, message);
      case _ {
        let digest = begin(self);
        writeBlob(digest, message);
        sum(digest);
      };
    };
  };

  /// Begins a message.
  public func begin(self : Key) : Digest {
    let f = family(self.algo);
    let stream = Stream.new(f.kernel, f.initial());
    putKey(stream, f.kernel, self);
    { key = self; stream };
  };

  public func new(algo : Algorithm, key : Blob) : Digest = begin(prepare(algo, key));

  /// Begins a new message with the same key.
  public func reset(self : Digest) {
    let f = family(self.key.algo);
    Stream.reset(self.stream, f.initial());
    putKey(self.stream, f.kernel, self.key);
  };

  /// An independent copy.
  public func clone(self : Digest) : Digest = { key = self.key; stream = Stream.clone(self.stream) };

  public func writeBlob(self : Digest, data : Blob) = Stream.writeBlob(self.stream, family(self.key.algo).kernel, data);

  public func writeArray(self : Digest, data : [Nat8]) = Stream.writeArray(self.stream, family(self.key.algo).kernel, data);

  public func writeVarArray(self : Digest, data : [var Nat8]) = Stream.writeNext(self.stream, family(self.key.algo).kernel, Stream.ofVarArray(data));

  /// Writes all that the iterator gives.
  public func writeIter(self : Digest, data : Iter) = Stream.writeNext(self.stream, family(self.key.algo).kernel, data.next);

  /// Writes `at(start)`, `at(start + 1)`, …: `count` bytes.
  public func writeAccessor(self : Digest, at : Nat -> Nat8, start : Nat, count : Nat) = Stream.writeNext(self.stream, family(self.key.algo).kernel, Stream.ofAccessor(at, start, count));

  /// Writes what `count` calls of `next` give.
  public func writeReader(self : Digest, next : () -> Nat8, count : Nat) = Stream.writeNext(self.stream, family(self.key.algo).kernel, Stream.ofReader(next, count));

  /// Ends the message and gives its tag. Traps if it is ended already.
  public func sum(self : Digest) : Blob {
    let f = family(self.key.algo);
    f.close(self.stream);
    let outer = Stream.new(f.kernel, thaw(self.key.outer));
    let words = Prim.nat32ToNat(f.words);
    var i = 0;
    while (i < words) {
      outer.buffer[i] := self.stream.state[i];
      i += 1;
    };
    outer.held := Prim.natToNat64(words * 4);
    outer.length := f.kernel.block +% outer.held;
    f.close(outer);
    f.output(outer.state);
  };

  /// The tag of what was written so far; the digest stays as it is. Traps if the message is ended.
  public func peekSum(self : Digest) : Blob = sum(clone(self));

  /// Ends the message and says whether `tag` is its tag, whole, in a time that does not depend on the bytes of either.
  public func verify(self : Digest, tag : Blob) : Bool = equal(sum(self), tag);

  /// The digest as immutable data. Traps if its message is ended.
  public func share(self : Digest) : DigestShared = { Stream.share(self.stream, family(self.key.algo).kernel) with key = self.key };

  /// The digest that goes on where the shared one was. Traps if no message leads to `saved`.
  public func unshare(saved : DigestShared) : Digest {
    let ?digest = tryUnshare(saved) else Prim.trap("hashmill: this is not a shared digest of HMAC");
    digest;
  };

  /// The same, but null if no message leads to `saved`.
  public func tryUnshare(saved : DigestShared) : ?Digest {
    let { kernel; initial; consistent } = family(saved.key.algo);
    let size = initial().size();
    let innerSize = if (kernel.ahead == 0) size else Prim.nat64ToNat(kernel.block >> 2);
    if (saved.key.inner.size() != innerSize or saved.key.outer.size() != size or saved.length < kernel.block) return null;
    let ?stream = Stream.unshare(kernel, saved, size) else return null;
    if (consistent(stream)) ?{ key = saved.key; stream } else null;
  };

  /// Whether two tags are equal, in a time that depends on their lengths only.
  public func equal(a : Blob, b : Blob) : Bool {
    if (a.size() != b.size()) return false;
    var difference : Nat8 = 0;
    for (i in a.keys()) difference |= a[i] ^ b[i];
    difference == 0;
  };

  let IPAD : Nat32 = 0x36363636;
  let OPAD : Nat32 = 0x5c5c5c5c;

  func family(algo : Algorithm) : Stream.Family = switch algo {
    case (#sha224) Sha256.family(#sha224);
    case (#sha256) Sha256.family(#sha256);
    case (#sha384) Sha512.family(#sha384);
    case (#sha512) Sha512.family(#sha512);
    case (#sha512_224) Sha512.family(#sha512_224);
    case (#sha512_256) Sha512.family(#sha512_256);
    case (#sha3_224) Sha3.family(#sha3_224);
    case (#sha3_256) Sha3.family(#sha3_256);
    case (#sha3_384) Sha3.family(#sha3_384);
    case (#sha3_512) Sha3.family(#sha3_512);
    case (#blake2b) Blake2b.family();
  };

  /// RFC 2104 §2: the key, or its hash if it is longer than a block, and zeros.
  func keyBlock(f : Stream.Family, key : Blob) : [var Nat32] {
    let stream = Stream.new(f.kernel, f.initial());
    if (Prim.natToNat64(key.size()) <= f.kernel.block) {
      Bytes.putBlob(stream.buffer, 0, f.kernel.first, key, 0, Prim.natToNat64(key.size()));
      return stream.buffer;
    };
    Stream.writeBlob(stream, f.kernel, key);
    f.close(stream);
    for (i in stream.buffer.keys()) stream.buffer[i] := if (Prim.natToNat32(i) < f.words) stream.state[i] else 0;
    stream.buffer;
  };

  /// HMAC-SHA-256 and HMAC-SHA-224, the words in local variables instead of streams.
  func mac256(algo : Sha256.Algorithm, key : Blob, message : Blob) : Blob {
    let size = Prim.natToNat64(key.size());
    if (size > 64) return mac256(algo, Sha256.fromBlob(algo, key), message);
    let (k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15) = K.tailBlob(key, 0, size, 0);
    let (s0, s1, s2, s3, s4, s5, s6, s7) = Sha256.initial(algo);
    let (i0, i1, i2, i3, i4, i5, i6, i7) = K.compress(s0, s1, s2, s3, s4, s5, s6, s7, k0 ^ IPAD, k1 ^ IPAD, k2 ^ IPAD, k3 ^ IPAD, k4 ^ IPAD, k5 ^ IPAD, k6 ^ IPAD, k7 ^ IPAD, k8 ^ IPAD, k9 ^ IPAD, k10 ^ IPAD, k11 ^ IPAD, k12 ^ IPAD, k13 ^ IPAD, k14 ^ IPAD, k15 ^ IPAD);
    let (o0, o1, o2, o3, o4, o5, o6, o7) = K.compress(s0, s1, s2, s3, s4, s5, s6, s7, k0 ^ OPAD, k1 ^ OPAD, k2 ^ OPAD, k3 ^ OPAD, k4 ^ OPAD, k5 ^ OPAD, k6 ^ OPAD, k7 ^ OPAD, k8 ^ OPAD, k9 ^ OPAD, k10 ^ OPAD, k11 ^ OPAD, k12 ^ OPAD, k13 ^ OPAD, k14 ^ OPAD, k15 ^ OPAD);
    let (h0, h1, h2, h3, h4, h5, h6, h7) = K.finishBlob(64, message, i0, i1, i2, i3, i4, i5, i6, i7);
    outer256(algo, o0, o1, o2, o3, o4, o5, o6, o7, h0, h1, h2, h3, h4, h5, h6, h7);
  };

  func macPrepared256(algo : Sha256.Algorithm, { inner = i; outer = o } : Key, message : Blob) : Blob {
    let (h0, h1, h2, h3, h4, h5, h6, h7) = K.finishBlob(64, message, i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]);
    outer256(algo, o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], h0, h1, h2, h3, h4, h5, h6, h7);
  };

  /// The hash of the inner hash h after the outer block, which led to the state s.
  func outer256(algo : Sha256.Algorithm, s0 : Nat32, s1 : Nat32, s2 : Nat32, s3 : Nat32, s4 : Nat32, s5 : Nat32, s6 : Nat32, s7 : Nat32, h0 : Nat32, h1 : Nat32, h2 : Nat32, h3 : Nat32, h4 : Nat32, h5 : Nat32, h6 : Nat32, h7 : Nat32) : Blob = switch algo {
    case (#sha256) {
      let (o0, o1, o2, o3, o4, o5, o6, o7) = K.compress(s0, s1, s2, s3, s4, s5, s6, s7, h0, h1, h2, h3, h4, h5, h6, h7, 0x80000000, 0, 0, 0, 0, 0, 0, 768);
      K.output(8, o0, o1, o2, o3, o4, o5, o6, o7);
    };
    case (#sha224) {
      let (o0, o1, o2, o3, o4, o5, o6, o7) = K.compress(s0, s1, s2, s3, s4, s5, s6, s7, h0, h1, h2, h3, h4, h5, h6, 0x80000000, 0, 0, 0, 0, 0, 0, 0, 736);
      K.output(7, o0, o1, o2, o3, o4, o5, o6, o7);
    };
  };

  func absorbed(f : Stream.Family, block : [var Nat32]) : [Nat32] {
    let state = f.initial();
    f.kernel.words(state, block);
    Prim.Array_tabulate<Nat32>(state.size(), func i = state[i]);
  };

  func putKey(stream : Stream.Stream, kernel : Stream.Kernel, { inner } : Key) {
    stream.length := kernel.block;
    if (kernel.ahead == 1) stream.held := kernel.block;
    let words = if (kernel.ahead == 0) stream.state else stream.buffer;
    for (i in inner.keys()) words[i] := inner[i];
  };

  func thaw(words : [Nat32]) : [var Nat32] = Prim.Array_tabulateVar<Nat32>(words.size(), func i = words[i]);
}
